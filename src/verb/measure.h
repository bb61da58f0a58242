/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_MEASURE_H
#define MEMCGTOP_MEASURE_H

#include "options.h"
#include "sample/sample.h"

/*
 * Attaches, measures for the time that was asked for or while CMD runs, and
 * detaches. A signal ends the window early; it is a result as well. 0, or -1
 * with the error.
 */
int measure(const struct options *o, struct window *w, struct error *e);

#endif
