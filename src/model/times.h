/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What took how long: the time table, functions[] of the JSON, and what was
 * done under the lock. From spans; times of a sampled run (--sample 1/N) are
 * scaled up by N where they stand for all events, and say so.
 */
#ifndef MEMCGTOP_TIMES_H
#define MEMCGTOP_TIMES_H

#include "model/histogram.h"

struct model;
struct field;
struct scope;

/* One kernel function. */
struct function_time {
	char function[64]; /* as the probe found it; ours if it is unknown */
	const char *key;   /* of the histogram field that it comes from: "walk_ns" */
	uint64_t calls;	   /* all of them, timed or not */
	uint64_t ns;	   /* scaled to all calls */
	uint64_t self_ns;  /* without the hooked functions that it calls, and their probes */
	double cpu_ratio;  /* ns / window: of one CPU; NAN if the window has no length */
	const char *bound; /* "exact", "upper_bound", "lower_bound" */
};

#define FUNCTIONS_MAX 8

/* The lock of the stock, over the whole window. */
struct hold_times {
	struct histogram plain;	 /* refills without a walk inside */
	struct histogram walked; /* with one */
	struct histogram locked; /* walks under the lock: the lower bound */
	struct histogram exact;	 /* --lock exact, else empty */
	struct histogram wait;
	const char *kind;    /* of plain and walked: "upper_bound" or "lower_bound" (see times.c) */
	double walked_share; /* walk time under the lock / hold time; NAN without holds */
	double above_budget; /* share of the holds above the budget; NAN without holds */
	uint64_t budget_ns;
	uint64_t checked; /* --lock exact: holds of which all three are known */
	uint64_t differ;  /* of these, not lower <= exact <= upper */
};

struct times {
	bool taken;				       /* false: --no-time, all below is empty */
	uint32_t every;				       /* one in so many was timed */
	struct function_time functions[FUNCTIONS_MAX]; /* by ns, largest first */
	size_t nfunctions;
	struct hold_times hold;
};

#define HOLD_BUDGET_NS 27600 /* FIELD: a packet's share at 10 Gb/s line rate in R13's report */

/* The model's spans must be there. budget_ns: 0 is HOLD_BUDGET_NS. */
void times__init(struct times *t, const struct model *m, uint64_t budget_ns);

/*
 * The histogram of a field with spans (charge_ns, ...), of the total or of a
 * cgroup's row. False: this scope has none.
 */
bool times__histogram(struct histogram *h, const struct field *f, const struct scope *s);

#endif
