/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the screen shows and what keys do, without a terminal: windows and keys
 * come in, a grid of cells (screen.h) goes out. term.h brings it to a terminal.
 */
#ifndef MEMCGTOP_UI_H
#define MEMCGTOP_UI_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample.h"
#include "tui/screen.h"

struct ui;

struct ui_options {
	bool ascii;
	bool tree;
	bool full_names;
	const char *filter;	  /* GLOB, or NULL */
	const char *columns;	  /* keys, or NULL: the standard ones */
	const struct field *sort; /* NULL: charges */
	uint64_t interval_ns;
	uint64_t hold_budget_ns;
	bool replay; /* the keys of time travel are there */
};

/* What the caller is to do after a key; several at once. */
enum ui_reaction {
	UI_NOTHING = 0,
	UI_DRAW = 1 << 0,
	UI_QUIT = 1 << 1,
	UI_INTERVAL = 1 << 2, /* ui__interval() changed */
	UI_SAMPLE = 1 << 3,   /* one now */
	UI_REDRAW = 1 << 4,   /* ^L: the terminal may show something else */
	UI_SUSPEND = 1 << 5,  /* ^Z */
	UI_SEEK = 1 << 6,     /* replay: see ui__seek() */
};

/* Replay: where to go. */
struct ui_seek {
	enum { SEEK_STEP, SEEK_SECONDS, SEEK_TIME, SEEK_FIRST, SEEK_LAST } how;
	double value; /* samples or seconds, forward or back; of SEEK_TIME ms since the epoch */
};

/* NULL: out of memory. */
struct ui *ui__new(const struct ui_options *o);
void ui__free(struct ui *u);

/*
 * The first sample; then each next one. The ui owns them from then on, also if
 * it fails. ui__sample() while paused keeps the screen as it is. 0 or -ENOMEM.
 */
int ui__sample(struct ui *u, struct sample *s);

/*
 * Replay: the interval to show, and the first sample of all (for totals), with
 * the history of the values until then given one by one beforehand.
 */
int ui__jump(struct ui *u, struct sample *first, struct sample *before, struct sample *now);

/* A key of enum key or a character. */
unsigned int ui__key(struct ui *u, int key);

/* Replay: the number of the sample shown, from 1 on; and speed (0: it stands still). */
void ui__position(struct ui *u, size_t at, size_t of);
struct ui_seek ui__seek(const struct ui *u);
double ui__speed(const struct ui *u);

uint64_t ui__interval(const struct ui *u);

/* A line that stays until the next key: a sample that could not be had. */
void ui__message(struct ui *u, const char *text);

/* Draws all into the screen, of whatever size it is. */
void ui__draw(struct ui *u, struct screen *s);

#endif
