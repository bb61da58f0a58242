/* SPDX-License-Identifier: GPL-2.0-only */
/* Windows made by hand, of a fixed host: what the tests of the views show. */
#ifndef MEMCGTOP_TESTS_WINDOW_H
#define MEMCGTOP_TESTS_WINDOW_H

#include "sample/sample.h"

/*
 * "demo": 9 cgroups on 7 slots, with times, stocks, pairs and 20 intervals;
 * "idle": the same machine at rest, timed; "per-counter": no slots, each
 * uncharge walks; "old": 6.1, whose lock is not seen; "untrusted": a hook
 * missed 28 %; "names": cgroups of unkind names; "huge": counters beyond 63
 * bits; "many": 40 cgroups on 4 CPUs, no command, no time; "limit": a cgroup at
 * its memory.max drains the others, --drains; "exact": PREEMPT_RT with
 * --lock exact and --sample 1/64.
 * Release it with window__release().
 */
struct window window_of(const char *name);

extern const char *const window_names[]; /* ended by NULL */

/* A sample as doctor makes it: nothing ran. Free it with sample__free(). */
struct sample *doctor_sample(const char *name);

#endif
