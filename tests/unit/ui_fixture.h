/* SPDX-License-Identifier: GPL-2.0-only */
/* The screen without a terminal, fed with samples of the windows made by hand. */
#ifndef MEMCGTOP_TESTS_UI_FIXTURE_H
#define MEMCGTOP_TESTS_UI_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/keys.h"
#include "tui/ui.h"

#define SECOND 1000000000ull

struct fixture {
	struct ui *u;
	struct screen *s;
	const char *name;
	uint64_t tenths;
};

/* The window's end as it was after so many tenths of it, two seconds each. */
struct sample *taken(const char *name, uint64_t tenths);

void open_with(struct fixture *f, const char *name, int width, int height,
	       const struct ui_options *o);
void open_at(struct fixture *f, const char *name, int width, int height, bool ascii);
void close_all(struct fixture *f);

/* The next sample. */
void more(struct fixture *f);

void draw(struct fixture *f);

/* Opened, with three samples: two intervals. */
void start(struct fixture *f, const char *name, int width, int height, bool ascii);

/* A key, and the screen after it. Returns enum ui_reaction. */
unsigned int press(struct fixture *f, int key);
void type(struct fixture *f, const char *text);

/* A line of the screen, until the next call. */
const char *line(const struct fixture *f, int y);

/* The first line with that text, or -1. */
int line_with(const struct fixture *f, const char *of);

void assert_shows(const struct fixture *f, const char *text);
void assert_not(const struct fixture *f, const char *text);

/* The line with `>`, as line() gives it. */
const char *selected(const struct fixture *f);

/* What stands there, then the styles of each line that has some. Free it. */
char *dump(const struct fixture *f);

/* Compares it with tests/golden/tui-NAME-WxH.txt (golden.h). */
void golden(const struct fixture *f, const char *name);

#endif
