/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal, by ncursesw. It is in raw mode: ^C and ^Z come as keys, and
 * the caller does what they mean. Signals that are sent (SIGTERM, SIGHUP, ...)
 * are the caller's; a crash is not: the terminal is restored before the
 * process dies of it.
 */
#ifndef MEMCGTOP_TERM_H
#define MEMCGTOP_TERM_H

#include <stdbool.h>

#include "tui/keys.h"
#include "tui/screen.h"

struct term;

/*
 * Takes standard input and output. NULL: they are no terminal, or one that
 * cannot place its cursor; *why is the reason then, a part of a sentence.
 * setlocale(LC_CTYPE, "") was called before. no_color: -C; NO_COLOR is looked
 * at as well.
 */
struct term *term__open(bool no_color, bool ascii, const char **why);

/* The terminal as it was before. NULL is allowed. */
void term__close(struct term *t);

/* Nothing above 0x7f is shown: it was asked for, or the locale's charset is not UTF-8. */
bool term__ascii(const struct term *t);

void term__size(const struct term *t, int *width, int *height);

/* What has changed since the last time is written. */
void term__flush(struct term *t, const struct screen *s);

/* All is written anew with the next flush. */
void term__redraw(struct term *t);

/*
 * The next key, waiting at most so many ms; negative: without an end.
 * K_RESIZE if the size changed; K_NONE also if a signal came.
 */
int term__key(struct term *t, int timeout_ms);

/* Becomes readable when a key is there (poll it beside other things). */
int term__fd(const struct term *t);

/* ^Z: gives the terminal back and stops; returns when it is continued, with all to be redrawn. */
void term__suspend(struct term *t);

#endif
