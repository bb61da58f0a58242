// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/names.h"
#include "text/utf8.h"
#include "view/grid.h"
#include "view/number.h"

#define NAME_MIN     20 /* columns that a name gets before other columns give way */
#define BELOW_INDENT 4

void grid__init(struct grid *g, struct page *p)
{
	*g = (struct grid){.page = p};
}

void grid__column(struct grid *g, const char *title, int keep, unsigned int flags)
{
	if (g->ncolumns < GRID_COLUMNS)
		g->columns[g->ncolumns++] =
			(struct grid_column){.title = title, .keep = keep, .flags = flags};
}

void grid__line(struct grid *g)
{
	size_t room = g->room ? 2 * g->room : 16;
	struct grid_line *lines;

	g->at = 0;
	if (g->nlines == g->room) {
		lines = realloc(g->lines, room * sizeof(*lines));
		if (!lines) {
			/* Its cells have no place either. */
			g->page->failed = true;
			g->at = GRID_COLUMNS;
			return;
		}
		g->lines = lines;
		g->room = room;
	}
	memset(&g->lines[g->nlines++], 0, sizeof(g->lines[0]));
}

static char *copy(struct grid *g, const char *text)
{
	char *s = strdup(text ? text : "-");

	if (!s)
		g->page->failed = true;
	return s;
}

static void put(struct grid *g, const char *text, const char *narrow, const char *mark)
{
	struct grid_cell *c;

	if (!g->nlines || g->at >= g->ncolumns)
		return;
	c = &g->lines[g->nlines - 1].cells[g->at++];
	c->text = copy(g, text);
	c->narrow = narrow ? copy(g, narrow) : NULL;
	c->mark = mark;
}

void grid__text(struct grid *g, const char *text)
{
	put(g, text, NULL, NULL);
}

void grid__marked(struct grid *g, const char *text, const char *mark)
{
	put(g, text, NULL, mark);
}

void grid__count(struct grid *g, uint64_t n)
{
	char a[NUM_LEN], b[NUM_LEN];

	put(g, num__grouped(a, n), num__si(b, n), NULL);
}

void grid__fixed(struct grid *g, double v, int decimals)
{
	char a[NUM_LEN];

	put(g, num__fixed(a, v, decimals), NULL, NULL);
}

void grid__percent(struct grid *g, double ratio)
{
	char a[NUM_LEN];

	num__percent(a, ratio, 1);
	if (isfinite(ratio))
		strcat(a, "%");
	put(g, a, NULL, NULL);
}

void grid__duration(struct grid *g, double ns)
{
	char a[NUM_LEN], b[NUM_LEN], *to = b;

	num__duration(a, ns);
	for (const char *s = a; *s; s++)
		if (*s != ' ')
			*to++ = *s;
	*to = '\0';
	put(g, a, b, NULL);
}

void grid__below(struct grid *g, const char *text)
{
	if (g->nlines && !g->lines[g->nlines - 1].below)
		g->lines[g->nlines - 1].below = copy(g, text);
}

static const char *shown(const struct grid *g, const struct grid_cell *c)
{
	const char *text = g->narrow && c->narrow ? c->narrow : c->text;

	return text ? text : "";
}

static int mark_width(const struct grid_cell *c)
{
	return c->mark ? (int)strlen(c->mark) : 0;
}

static bool is_empty(const struct grid *g, size_t column)
{
	for (size_t i = 0; i < g->nlines; i++) {
		const char *text = shown(g, &g->lines[i].cells[column]);

		if (*text && strcmp(text, "-") && strcmp(text, "0") && strcmp(text, "0.0%"))
			return false;
	}
	return true;
}

/* Sets the columns' widths. The page's width that they need; names give way to NAME_MIN. */
static int measure(struct grid *g)
{
	int needed = -2;

	for (size_t i = 0; i < g->ncolumns; i++) {
		struct grid_column *c = &g->columns[i];

		if (c->dropped)
			continue;
		c->width = page__width(c->title);
		for (size_t j = 0; j < g->nlines; j++) {
			const struct grid_cell *cell = &g->lines[j].cells[i];
			int w = page__width(shown(g, cell)) + mark_width(cell);

			c->width = w > c->width ? w : c->width;
		}
		c->natural = c->width;
		if (c->flags & GRID_NAME && c->width > NAME_MIN)
			c->width = NAME_MIN;
		needed += c->width + 2;
	}
	return needed;
}

/* False: nothing is left to drop. */
static bool drop_column(struct grid *g, bool empty_only)
{
	struct grid_column *least = NULL;

	for (size_t i = 0; i < g->ncolumns; i++) {
		struct grid_column *c = &g->columns[i];

		if (c->dropped || c->keep >= GRID_ALWAYS || (empty_only && !is_empty(g, i)))
			continue;
		if (!least || c->keep < least->keep)
			least = c;
	}
	if (least)
		least->dropped = true;
	return least;
}

/* Room that is left goes to the names, to the one that has least of it first. */
static void widen_names(struct grid *g, int left)
{
	while (left > 0) {
		struct grid_column *thinnest = NULL;

		for (size_t i = 0; i < g->ncolumns; i++) {
			struct grid_column *c = &g->columns[i];

			if (!c->dropped && c->width < c->natural &&
			    (!thinnest || c->width < thinnest->width))
				thinnest = c;
		}
		if (!thinnest)
			return;
		thinnest->width++;
		left--;
	}
}

/* Several names side by side may have to be thinner still. */
static void shrink_names(struct grid *g, int over)
{
	while (over > 0) {
		struct grid_column *widest = NULL;

		for (size_t i = 0; i < g->ncolumns; i++) {
			struct grid_column *c = &g->columns[i];

			if (!c->dropped && c->flags & GRID_NAME &&
			    (!widest || c->width > widest->width))
				widest = c;
		}
		if (!widest || widest->width <= 1)
			return;
		widest->width--;
		over--;
	}
}

/* Exact counts if they fit, else short ones, else fewer columns. */
static void fit(struct grid *g)
{
	const int width = g->page->width;
	int left;

	while (measure(g) > width && drop_column(g, true))
		;
	g->narrow = measure(g) > width;
	while (measure(g) > width && drop_column(g, false))
		;
	/* Room that dropped columns left may serve exact counts again. */
	g->narrow = false;
	g->narrow = measure(g) > width;
	left = width - measure(g);
	widen_names(g, left);
	shrink_names(g, -left);
}

/* So that different names stay different; what stands behind one is never elided. */
static void elide_names(struct grid *g, size_t column)
{
	char **names = calloc(g->nlines, sizeof(*names));
	size_t *taken = calloc(g->nlines, sizeof(*taken)), n = 0;

	g->page->failed |= !names || !taken;
	for (size_t i = 0; !g->page->failed && i < g->nlines; i++) {
		const struct grid_cell *c = &g->lines[i].cells[column];

		if (!c->text)
			continue;
		names[n] = c->text;
		taken[n++] = (size_t)mark_width(c);
	}
	if (n && names__elide(names, taken, n, (size_t)g->columns[column].width,
			      g->page->ascii ? TEXT_ASCII : 0))
		g->page->failed = true;
	for (size_t i = g->nlines; n && i--;)
		if (g->lines[i].cells[column].text)
			g->lines[i].cells[column].text = names[--n];
	free(taken);
	free(names);
}

static bool is_left(const struct grid_column *c)
{
	return c->flags & (GRID_LEFT | GRID_NAME);
}

/* Padding is owed, not written: a line does not end in blanks. */
static void put_cell(FILE *f, const struct grid_column *c, const char *text, const char *mark,
		     int *owed)
{
	int pad = c->width - page__width(text) - (int)strlen(mark);

	pad = pad > 0 ? pad : 0;
	if (!*text && !*mark) {
		*owed += c->width + 2;
		return;
	}
	fprintf(f, "%*s%s%s", *owed + (is_left(c) ? 0 : pad), "", text, mark);
	*owed = 2 + (is_left(c) ? pad : 0);
}

static void put_line(const struct grid *g, const struct grid_line *line)
{
	FILE *f = g->page->f;
	int owed = 0;

	for (size_t i = 0; i < g->ncolumns; i++) {
		const struct grid_column *c = &g->columns[i];
		const char *text = line ? shown(g, &line->cells[i]) : c->title;
		const char *mark = line && line->cells[i].mark ? line->cells[i].mark : "";
		char *elided = NULL;

		if (c->dropped)
			continue;
		/* a title above names that have shrunk */
		if (!line && page__width(text) > c->width)
			elided = page__elide(g->page, text, c->width);
		put_cell(f, c, elided ? elided : text, mark, &owed);
		free(elided);
	}
	page__bold(g->page, false);
	fputc('\n', f);
}

static void release(struct grid *g)
{
	for (size_t i = 0; i < g->nlines; i++) {
		for (size_t j = 0; j < g->ncolumns; j++) {
			free(g->lines[i].cells[j].text);
			free(g->lines[i].cells[j].narrow);
		}
		free(g->lines[i].below);
	}
	free(g->lines);
	g->lines = NULL;
	g->nlines = g->room = 0;
}

void grid__print(struct grid *g)
{
	if (g->nlines) {
		fit(g);
		for (size_t i = 0; i < g->ncolumns; i++)
			if (g->columns[i].flags & GRID_NAME && !g->columns[i].dropped)
				elide_names(g, i);
		g->page->top = false;
		page__bold(g->page, true);
		put_line(g, NULL);
	}
	for (size_t i = 0; i < g->nlines; i++) {
		put_line(g, &g->lines[i]);
		if (!g->lines[i].below)
			continue;
		page__open(g->page, "", BELOW_INDENT);
		page__words(g->page, "%s", g->lines[i].below);
		page__close(g->page);
	}
	release(g);
}
