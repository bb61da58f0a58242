/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table that fits the page: columns of names, which are elided, and columns
 * of values, of which the least needed are left out where the page is narrow.
 */
#ifndef MEMCGTOP_VIEW_GRID_H
#define MEMCGTOP_VIEW_GRID_H

#include "sample/sample.h"
#include "view/page.h"

#define GRID_COLUMNS 33
#define GRID_ALWAYS  100 /* keep: never dropped */

enum grid_flag {
	GRID_LEFT = 1, /* stands left */
	GRID_NAME = 2, /* a name: stands left, and shrinks */
};

struct grid_column {
	const char *title;
	int keep; /* the lowest is dropped first, but what is empty in each line before it */
	unsigned int flags;
	int width;
	int natural; /* of names */
	bool dropped;
};

struct grid_cell {
	char *text;
	char *narrow;	  /* shorter, where the page is narrow; NULL: text */
	const char *mark; /* behind a name, never elided; NULL: none */
};

struct grid_line {
	struct grid_cell cells[GRID_COLUMNS];
	char *below; /* running text under the line, or NULL */
};

struct grid {
	struct page *page;
	struct grid_column columns[GRID_COLUMNS];
	size_t ncolumns;
	struct grid_line *lines;
	size_t nlines, room;
	size_t at; /* the cell that comes next */
	bool narrow;
};

void grid__init(struct grid *g, struct page *p);

/* Columns come first, then lines, then the cells of each line in the columns' order. */
void grid__column(struct grid *g, const char *title, int keep, unsigned int flags);
void grid__line(struct grid *g);

/* Cells. A text is copied; it is clean (page__name()). NULL is "-". */
void grid__text(struct grid *g, const char *text);
void grid__marked(struct grid *g, const char *text, const char *mark);
void grid__count(struct grid *g, uint64_t n);
void grid__fixed(struct grid *g, double v, int decimals);
void grid__percent(struct grid *g, double ratio);
void grid__duration(struct grid *g, double ns);

/* Running text under the line; PAGE_GAP does not break. */
void grid__below(struct grid *g, const char *text);

/*
 * Writes heading and lines, and frees them; which columns were dropped stays to
 * be seen. Without lines it writes nothing.
 */
void grid__print(struct grid *g);

#endif
