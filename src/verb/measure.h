/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_MEASURE_H
#define MEMCGTOP_MEASURE_H

#include <signal.h>

#include "options.h"
#include "sample/sample.h"

/* What is attached, for several windows one after the other. */
struct measuring {
	const struct options *o;
	struct live *live;
	sigset_t signals, before;
};

/* Attaches. 0, or -1 with the error. */
int measuring__open(struct measuring *s, const struct options *o, struct error *e);

/* A window, as measure() below. */
int measuring__window(struct measuring *s, struct window *w, struct error *e);

/* Detaches, if it was attached. */
void measuring__close(struct measuring *s);

/*
 * Attaches, measures for the time that was asked for or while CMD runs, and
 * detaches. A signal ends the window early; it is a result as well. 0, or -1
 * with the error.
 */
int measure(const struct options *o, struct window *w, struct error *e);

#endif
