/* SPDX-License-Identifier: GPL-2.0-only */
/* A grid of cells: what is drawn is clipped, so nothing can be out of place. */
#ifndef MEMCGTOP_SCREEN_H
#define MEMCGTOP_SCREEN_H

#include <stddef.h>

/* Of a cell; colour never says what nothing else says. */
enum style {
	STYLE_PLAIN = 0,
	STYLE_BOLD = 1 << 0,
	STYLE_REVERSE = 1 << 1, /* the selected line, headings */
	STYLE_DIM = 1 << 2,
	STYLE_WARN = 1 << 3, /* yellow, beside a sign */
	STYLE_BAD = 1 << 4,  /* red, beside a sign */
	STYLE_GOOD = 1 << 5, /* green */
	STYLE_KEY = 1 << 6,  /* of the key line */
};

struct screen;

/* NULL: out of memory. */
struct screen *screen__new(int width, int height);
void screen__free(struct screen *s);
int screen__resize(struct screen *s, int width, int height); /* clears; 0 or -ENOMEM */
int screen__width(const struct screen *s);
int screen__height(const struct screen *s);
void screen__clear(struct screen *s);

/* Clean text (text_display()) from that place on, clipped at the edge and at max columns; the
 * columns that it took. */
int screen__put(struct screen *s, int y, int x, int max, unsigned int style, const char *text);
/* The same, standing right in that many columns. */
void screen__right(struct screen *s, int y, int x, int width, unsigned int style, const char *text);
/* The style of a whole line, or of columns of it. */
void screen__style(struct screen *s, int y, int x, int width, unsigned int style);

/* What stands in a cell: UTF-8, "" behind a wide character; its style into *style. */
const char *screen__cell(const struct screen *s, int y, int x, unsigned int *style);

#endif
