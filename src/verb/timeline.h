/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals of a window, from a sample at the end of each. A moment whose
 * sample could not be had is left out: its interval is longer, and nothing is
 * lost, since each is a difference.
 */
#ifndef MEMCGTOP_TIMELINE_H
#define MEMCGTOP_TIMELINE_H

#include "sample/sample.h"

/* More than so many intervals are merged by twos, and the step doubles. */
#define TIMELINE_MAX 600

struct cut;

struct timeline {
	const struct sample *start;
	uint64_t asked_ns; /* the step at first */
	uint64_t step_ns;  /* as it is now */
	uint64_t next_ns;  /* CLOCK_MONOTONIC: when the next cut is due; UINT64_MAX: never */
	struct cut *cuts;
	size_t ncuts;
	size_t room;
	uint64_t *last; /* what was counted until the last cut */
	bool failed;	/* out of memory: the window has no intervals then */
};

/*
 * A window from the sample on, which must stay. duration_ns: how long it will
 * be, UINT64_MAX if nobody knows; step_ns: 0 is the default, a 60th of the
 * duration or a second, whichever is longer.
 */
void timeline__init(struct timeline *t, const struct sample *start, uint64_t duration_ns,
		    uint64_t step_ns);

/*
 * Ends an interval with the sample, or with NULL leaves this moment out. The
 * next is not before 20 times took_ns have passed, the time the sample took.
 */
void timeline__cut(struct timeline *t, const struct sample *s, uint64_t now_ns, uint64_t took_ns);

/*
 * Ends the last interval with the window's end, and gives the window its
 * intervals. 0 or -ENOMEM; then it has none.
 */
int timeline__finish(struct timeline *t, struct window *w);

void timeline__release(struct timeline *t);

#endif
