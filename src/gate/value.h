/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an expression is worth in one window, and between which bounds the truth
 * lies: what the hooks missed is counted, and each missed call may have counted.
 * Pure: no I/O, no BPF.
 */
#ifndef MEMCGTOP_VALUE_H
#define MEMCGTOP_VALUE_H

#include "gate/expr.h"
#include "model/model.h"

/* When a window says nothing. */
struct trust {
	uint64_t min_events; /* charges; of a ratio what it divides by, of a time timed calls */
	double max_missed;   /* of the calls of the hook that missed most, 0 to 1 */
};

#define MIN_EVENTS_DEFAULT 100
#define MAX_MISSED_DEFAULT 0.10

/* A missed call may have moved so many pages: a large folio. */
#define MISSED_PAGES_MAX 512

struct value {
	double value; /* NAN: there is none, see why */
	double low;   /* the truth is between them; high may be INFINITY */
	double high;
	uint64_t events; /* that it is made from */
	size_t left_out; /* cgroups or CPUs that had too few */
	char *where;	 /* of the worst one: "/web1" (raw bytes), "CPU 3"; NULL: of all */
	char why[256];	 /* a sentence: why there is none, or "" */
};

/* 0 or -ENOMEM. */
int value__of(struct value *v, const struct expr *x, const struct model *m, const struct trust *t);

/* No value, for a reason that holds for the whole window. */
void value__none(struct value *v, const char *why);

void value__release(struct value *v);

#endif
