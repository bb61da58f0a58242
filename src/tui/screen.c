// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "tui/screen.h"

/* A character of 4 bytes with two marks above it; further marks are left out. */
#define CELL_BYTES 14

struct cell {
	char text[CELL_BYTES]; /* "" behind a wide character */
	uint16_t style;
};

struct screen {
	int width, height;
	struct cell *cells;
};

struct screen *screen__new(int width, int height)
{
	struct screen *s = calloc(1, sizeof(*s));

	if (s && screen__resize(s, width, height)) {
		free(s);
		s = NULL;
	}
	return s;
}

void screen__free(struct screen *s)
{
	if (s)
		free(s->cells);
	free(s);
}

int screen__resize(struct screen *s, int width, int height)
{
	struct cell *cells;

	width = width > 0 ? width : 1;
	height = height > 0 ? height : 1;
	cells = calloc((size_t)width * (size_t)height, sizeof(cells[0]));
	if (!cells)
		return -ENOMEM;
	free(s->cells);
	*s = (struct screen){.width = width, .height = height, .cells = cells};
	screen__clear(s);
	return 0;
}

int screen__width(const struct screen *s)
{
	return s->width;
}

int screen__height(const struct screen *s)
{
	return s->height;
}

static struct cell *cell_at(const struct screen *s, int y, int x)
{
	if (y < 0 || y >= s->height || x < 0 || x >= s->width)
		return NULL;
	return &s->cells[(size_t)y * (size_t)s->width + (size_t)x];
}

static void set(struct cell *c, const char *text, size_t len, unsigned int style)
{
	memcpy(c->text, text, len);
	c->text[len] = '\0';
	c->style = (uint16_t)style;
}

void screen__clear(struct screen *s)
{
	for (int i = 0; i < s->width * s->height; i++)
		set(&s->cells[i], " ", 1, STYLE_PLAIN);
}

/* What is overwritten by half must not stay by half. */
static void break_wide(struct screen *s, int y, int x)
{
	struct cell *c = cell_at(s, y, x), *left = cell_at(s, y, x - 1);

	if (c && left && !*c->text) {
		set(left, " ", 1, left->style);
		set(c, " ", 1, c->style);
	}
}

static void put_char(struct screen *s, int y, int x, unsigned int style, const char *text,
		     size_t len, int columns)
{
	break_wide(s, y, x);
	break_wide(s, y, x + columns);
	set(cell_at(s, y, x), text, len, style);
	if (columns == 2)
		set(cell_at(s, y, x + 1), "", 0, style);
}

/* A mark goes above the character before it. */
static void put_mark(struct screen *s, int y, int x, const char *text, size_t len)
{
	struct cell *c = cell_at(s, y, x);
	size_t n;

	if (c && !*c->text)
		c = cell_at(s, y, x - 1);
	n = c ? strlen(c->text) : 0;
	if (!c || n + len >= CELL_BYTES)
		return;
	memcpy(c->text + n, text, len);
	c->text[n + len] = '\0';
}

int screen__put(struct screen *s, int y, int x, int max, unsigned int style, const char *text)
{
	int at = x, end = max < s->width - x ? x + max : s->width;
	size_t len;

	if (y < 0 || y >= s->height || x < 0)
		return 0;
	for (; *text; text += len) {
		int columns = (int)text_char(text, &len);
		bool control = (unsigned char)*text < ' ' || *text == 0x7f;

		if (!columns) {
			if (at > x)
				put_mark(s, y, at - 1, text, len);
			continue;
		}
		if (at + columns > end)
			break;
		/* clean text has none; a terminal must never see one */
		put_char(s, y, at, style, control ? "?" : text, len, columns);
		at += columns;
	}
	return at - x;
}

void screen__right(struct screen *s, int y, int x, int width, unsigned int style, const char *text)
{
	int columns = (int)text_width(text);

	screen__put(s, y, columns < width ? x + width - columns : x, width, style, text);
}

void screen__style(struct screen *s, int y, int x, int width, unsigned int style)
{
	for (int i = x; i < x + width && i < s->width; i++) {
		struct cell *c = cell_at(s, y, i);

		if (c)
			c->style = (uint16_t)style;
	}
}

const char *screen__cell(const struct screen *s, int y, int x, unsigned int *style)
{
	const struct cell *c = cell_at(s, y, x);

	if (style)
		*style = c ? c->style : STYLE_PLAIN;
	return c ? c->text : " ";
}
