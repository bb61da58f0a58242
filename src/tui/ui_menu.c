// SPDX-License-Identifier: GPL-2.0-only
/* Menus above a table: what to sort by, and which columns there are. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tui/ui_parts.h"

#define MENU_WIDTH 90 /* a narrower screen is the menu's own */

/* The fields of the view's table, in the order of the field table. */
static size_t menu_fields(const struct ui *u, const struct field **list)
{
	size_t n = 0;

	for (size_t i = 0; i < nfields; i++)
		if (table__has(&fields[i], u->view)) {
			if (list)
				list[n] = &fields[i];
			n++;
		}
	return n;
}

static const struct field *menu_field(const struct ui *u, size_t at)
{
	const struct field *list[256];
	size_t n = menu_fields(u, list);

	return at < n ? list[at] : NULL;
}

/* The column of the reason is what the menu calls miss_reasons. */
static bool is_column_of(const struct column *c, const struct field *f)
{
	return c->field ? c->field == f : !strcmp(f->key, "miss_reasons");
}

static long column_at(const struct table *t, const struct field *f)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (is_column_of(&t->columns[i], f) && (t->chosen || t->shown[i]))
			return (long)i;
	return -1;
}

void menu__open(struct ui *u, unsigned int menu)
{
	const struct field *list[256];
	const size_t n = menu_fields(u, list);

	u->over = menu;
	u->menu_at = u->menu_top = 0;
	*u->menu_typed = '\0';
	for (size_t i = 0; i < n; i++)
		if (list[i] == ui__table(u)->sort)
			u->menu_at = i;
}

/* What it is, or why this run has no value of it. */
static const char *item_text(const struct ui *u, const struct field *f, bool *measured)
{
	const struct unmeasured why = field__unmeasured(f, NULL, &u->seen.model);

	*measured = why.reason == REASON_NONE;
	return *measured ? f->help : why.text;
}

static void draw_item(struct ui *u, struct screen *s, int y, int x, int width, size_t at)
{
	const struct field *f = menu_field(u, at);
	const struct table *t = ui__table(u);
	const bool here = at == u->menu_at;
	const bool on = u->over == IN_SORT ? f == t->sort : column_at(t, f) >= 0;
	const char sign = u->over == IN_SORT ? '*' : 'x';
	unsigned int style = here ? STYLE_REVERSE : STYLE_PLAIN;
	bool measured;
	const char *help = item_text(u, f, &measured);
	char text[256];

	style |= measured ? STYLE_PLAIN : STYLE_DIM;
	snprintf(text, sizeof(text), "%s[%c] %-20.20s %-9s %s%s", here ? ">" : " ", on ? sign : ' ',
		 f->key, f->title, measured ? "" : "- ", help);
	screen__put(s, y, x, width, style, text);
	screen__style(s, y, x, width, style);
}

void menu__draw(struct ui *u, struct screen *s)
{
	const bool narrow = screen__width(s) < MENU_WIDTH + 20;
	const int width = narrow ? screen__width(s) : MENU_WIDTH,
		  x = (screen__width(s) - width) / 2;
	const size_t n = menu_fields(u, NULL);
	int height = screen__height(s) - 3, y = 1;
	char title[96];

	if (height > (int)n)
		height = (int)n;
	if (height < 1)
		return;
	if (u->menu_at < u->menu_top)
		u->menu_top = u->menu_at;
	if (u->menu_at >= u->menu_top + (size_t)height)
		u->menu_top = u->menu_at - (size_t)height + 1;
	snprintf(title, sizeof(title), " %s  %zu of %zu%s%s",
		 u->over == IN_SORT ? "Sort by" : "Columns", u->menu_at + 1, n,
		 *u->menu_typed ? "  " : "", u->menu_typed);
	for (int i = 0; i <= height + !narrow; i++)
		for (int at = x - 2 * !narrow; at < x + width + 2 * !narrow; at++)
			screen__put(s, y + i, at, 1, STYLE_PLAIN, " ");
	screen__style(s, y, x, width, STYLE_REVERSE | STYLE_BOLD);
	screen__put(s, y, x, width, STYLE_REVERSE | STYLE_BOLD, title);
	for (int i = 0; i < height && u->menu_top + (size_t)i < n; i++)
		draw_item(u, s, y + 1 + i, x, width, u->menu_top + (size_t)i);
}

static unsigned int go(struct ui *u, long to)
{
	const long last = (long)menu_fields(u, NULL) - 1;

	u->menu_at = (size_t)(to < 0 ? 0 : to > last ? last : to);
	*u->menu_typed = '\0';
	return UI_DRAW;
}

#define MENU_PAGE 10

#define GO(name, to)              \
	ACTION(name)              \
	{                         \
		(void)key;        \
		return go(u, to); \
	}

GO(act__menu_up, (long)u->menu_at - 1)
GO(act__menu_down, (long)u->menu_at + 1)
GO(act__menu_page_up, (long)u->menu_at - MENU_PAGE)
GO(act__menu_page_down, (long)u->menu_at + MENU_PAGE)
GO(act__menu_home, 0)
GO(act__menu_end, (long)nfields)

static bool begins(const struct field *f, const char *typed)
{
	const size_t n = strlen(typed);

	return !strncasecmp(f->key, typed, n) || !strncasecmp(f->title, typed, n);
}

/* What was typed so far is the beginning; what nothing begins with begins anew. */
unsigned int menu__letter(struct ui *u, int key)
{
	size_t n = strlen(u->menu_typed);
	const struct field *f;

	if (key <= ' ' || key > 0x7e)
		return UI_NOTHING;
	for (int tries = 0; tries < 2; tries++) {
		if (n + 1 < sizeof(u->menu_typed)) {
			u->menu_typed[n] = (char)key;
			u->menu_typed[n + 1] = '\0';
		}
		for (size_t i = 0; (f = menu_field(u, i)); i++)
			if (begins(f, u->menu_typed)) {
				u->menu_at = i;
				return UI_DRAW;
			}
		n = 0;
	}
	*u->menu_typed = '\0';
	return UI_DRAW;
}

ACTION(act__menu_toggle)
{
	struct table *t = ui__table(u);
	const struct field *f = menu_field(u, u->menu_at);
	long at;

	(void)key;
	table__choose(t);
	at = column_at(t, f);
	if (at >= 0) {
		t->ncolumns--;
		memmove(&t->columns[at], &t->columns[at + 1],
			(t->ncolumns - (size_t)at) * sizeof(t->columns[0]));
	} else if (t->ncolumns < COLUMNS_MAX) {
		t->columns[t->ncolumns++].field = strcmp(f->key, "miss_reasons") ? f : NULL;
	}
	return UI_DRAW;
}

ACTION(act__menu_take)
{
	ui__table(u)->sort = menu_field(u, u->menu_at);
	u->stale_lines = true;
	return act__escape(u, key);
}
