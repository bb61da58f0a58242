// SPDX-License-Identifier: GPL-2.0-only
/* What stands where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "tui/ui_parts.h"

#define SMALL_WIDTH  40
#define SMALL_HEIGHT 6
#define ROWS_MIN     5 /* of a table with its heading, before lines around it come */

static const char *label_of(const struct ui *u, const struct action *a, char *buf, size_t size)
{
	if (a->run == act__next_view && !(u->over & IN_OVER)) {
		snprintf(buf, size, "%s",
			 view__label(u->view == 1U << (VIEWS - 1) ? 1 : u->view << 1));
		return buf;
	}
	if (a->run == act__pause && u->paused)
		return "go on";
	if (a->run == act__play && u->playing)
		return "stop";
	return a->label;
}

/* Where one is in a text that is longer than the screen. Returns the columns left of it. */
static int draw_position(struct ui *u, struct screen *s, int y)
{
	const struct pager *p = ui__pager(u);
	const int width = screen__width(s);
	char text[64];

	if (!p || p->n <= (size_t)p->rows)
		return width;
	snprintf(text, sizeof(text), "%zu-%zu of %zu", p->top + 1, p->top + (size_t)p->rows, p->n);
	screen__right(s, y, 0, width, STYLE_PLAIN, text);
	return width - (int)strlen(text) - 2;
}

static void draw_keys(struct ui *u, struct screen *s, int y)
{
	const int width = draw_position(u, s, y);
	const unsigned int in = ui__where(u);
	char name[KEY_NAME_LEN], label[32];
	int x = 0;

	for (size_t i = 0; i < nactions; i++) {
		const struct action *a = &actions[i];
		const char *text;

		if (!a->label || !(a->in & in) ||
		    a->when == (u->o.replay ? WHEN_LIVE : WHEN_REPLAY))
			continue;
		text = label_of(u, a, label, sizeof(label));
		key__name(name, a->keys[0]);
		if (a->run == act__step)
			strcpy(name, "[ ]");
		/* how to leave is known even where there is no room to say it */
		if (x + (int)(strlen(name) + strlen(text)) + 1 > width) {
			if (a->run == act__quit)
				screen__put(s, y, x, width - x, STYLE_KEY, name);
			continue;
		}
		x += screen__put(s, y, x, width - x, STYLE_KEY, name) + 1;
		x += screen__put(s, y, x, width - x, STYLE_PLAIN, text) + 2;
	}
}

/* What was typed ends at the cursor, so of a long one the end is shown. */
static void draw_prompt(const struct ui *u, struct screen *s, int y)
{
	char *text = text_display(u->input, u->ninput, name__flags(u));
	const char *shown = text ? text : "";
	int x = screen__put(s, y, 0, screen__width(s), STYLE_BOLD, prompt__label(u));
	size_t len;

	while (*shown && x + (int)text_width(shown) + 1 > screen__width(s)) {
		text_char(shown, &len);
		shown += len;
	}
	x += screen__put(s, y, x, screen__width(s) - x, STYLE_PLAIN, shown);
	screen__put(s, y, x, 1, STYLE_REVERSE, " ");
	free(text);
}

void draw__key_line(struct ui *u, struct screen *s, int y)
{
	char *text;

	if (u->prompt) {
		draw_prompt(u, s, y);
		return;
	}
	if (!*u->message) {
		draw_keys(u, s, y);
		return;
	}
	text = text_display(u->message, strlen(u->message), name__flags(u));
	screen__put(s, y, 0, 2, STYLE_WARN, "!");
	screen__put(s, y, 2, screen__width(s) - 2, STYLE_BOLD, text ? text : "");
	free(text);
}

/* The lines around a table, what is needed most first. */
enum around {
	PART_TITLE,
	PART_VERDICT,
	PART_TOTALS,
	PART_STOCK,
	PART_TOTAL_LINE,
	PART_HISTORY,
	PART_VIEWS,
	PART_WORST,
	PART_BLANK,
	PARTS
};

static int parts_for(const struct ui *u, int height, bool has[PARTS])
{
	const bool table = u->view & IN_TABLE;
	int n = 0;

	for (int i = 0; i < PARTS; i++) {
		const bool wanted =
			table || (i != PART_TOTAL_LINE && i != PART_HISTORY && i != PART_WORST);

		has[i] = wanted && n + ROWS_MIN + 1 < height;
		n += has[i];
	}
	return n;
}

static void draw_view(struct ui *u, struct screen *s)
{
	static void (*const above[])(struct ui *, struct screen *, int) = {
		[PART_TITLE] = head__title,	[PART_VERDICT] = head__verdict,
		[PART_TOTALS] = head__totals,	[PART_STOCK] = head__stock,
		[PART_HISTORY] = history__draw, [PART_VIEWS] = head__views,
	};
	static const enum around order[] = {PART_TITLE,	 PART_STOCK,   PART_VERDICT,
					    PART_TOTALS, PART_HISTORY, PART_VIEWS};
	const int height = screen__height(s);
	bool has[PARTS];
	int y = 0, below;

	parts_for(u, height, has);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (has[order[i]])
			above[order[i]](u, s, y++);
	below = 1 + has[PART_WORST] + (has[PART_WORST] && has[PART_BLANK]);
	if (u->view & IN_TABLE)
		table__draw(u, s, y, height - y - below, has[PART_TOTAL_LINE]);
	else
		pager__draw(u, s, y, height - y - 1);
	if (has[PART_WORST])
		head__worst_cpu(u, s, height - 2);
	draw__key_line(u, s, height - 1);
}

/* A text above the view has all of the screen but the title. */
static void draw_over(struct ui *u, struct screen *s)
{
	const int height = screen__height(s);

	head__title(u, s, 0);
	pager__draw(u, s, 1, height - 2);
	draw__key_line(u, s, height - 1);
}

/* There is no room for anything; it goes on, and so do its keys. */
static void draw_small(struct screen *s)
{
	char text[64];

	snprintf(text, sizeof(text), "too small: %dx%d at least", SMALL_WIDTH, SMALL_HEIGHT);
	screen__put(s, 0, 0, screen__width(s), STYLE_BOLD, text);
	if (screen__height(s) > 1)
		screen__put(s, screen__height(s) - 1, 0, screen__width(s), STYLE_PLAIN, "q quit");
}

void ui__draw(struct ui *u, struct screen *s)
{
	screen__clear(s);
	if (ui__prepare(u)) {
		screen__put(s, 0, 0, screen__width(s), STYLE_BOLD,
			    "! out of memory: the next interval may be shown again");
		return;
	}
	if (screen__width(s) < SMALL_WIDTH || screen__height(s) < SMALL_HEIGHT) {
		draw_small(s);
		return;
	}
	if (!u->seen.there) {
		head__title(u, s, 0);
		screen__put(s, 1, 1, screen__width(s), STYLE_PLAIN, "nothing was measured yet");
		draw__key_line(u, s, screen__height(s) - 1);
		return;
	}
	if (u->over & IN_OVER)
		draw_over(u, s);
	else
		draw_view(u, s);
	if (u->over & IN_MENU)
		menu__draw(u, s);
}
