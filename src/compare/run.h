/* SPDX-License-Identifier: GPL-2.0-only */
/* One run: a window, or an interval of one, as numbers to compare, with what must agree to compare them. */
#ifndef MEMCGTOP_COMPARE_RUN_H
#define MEMCGTOP_COMPARE_RUN_H

#include "compare/measures.h"

/* What CMD took, or said of itself. */
struct work {
	char *name;
	double value;
	bool counts; /* adds up over time, so that it is compared by time or --per */
	bool metric; /* of --metric: what --per work divides by */
};

#define WORK_MAX 32

struct run {
	char *name;	  /* of the file */
	struct host host; /* cgroup_root is NULL */
	struct stock stock;
	struct probe probes[PROG_NR]; /* by prog_id; that with an empty hook was not there */
	struct asked asked;
	bool no_stat;
	char *command; /* argv with blanks between, or NULL */
	char *hit_source;
	double seconds;
	uint64_t interval_ns; /* as asked for; 0: none */
	enum grade grade;
	double missed_ratio;	     /* of the worst program; NAN without events */
	double values[MEASURES_MAX]; /* of measures__all(); NAN: see why */
	char *why[MEASURES_MAX];     /* a sentence */
	enum reason reasons[MEASURES_MAX];
	const char *bounds[MEASURES_MAX]; /* of times: "exact", "upper_bound", ...; else NULL */
	struct work *work;
	size_t nwork;
};

/*
 * 0 or -ENOMEM; the model may go afterwards. name is copied. whole: not an
 * interval of a run, so that what CMD took is of it.
 */
int run__init(struct run *r, const struct model *m, const char *name, bool whole);

void run__release(struct run *r);

/*
 * What wait4 said of CMD, and how long it took; a number that CMD printed, which
 * is called "metrics.NAME". 0 or -ENOMEM.
 */
int run__add_command(struct run *r, const struct command *c);
int run__add_metric(struct run *r, const char *name, double value);

/* The same function on both? False as well if one of them has it not. */
bool run__same_probe(const struct run *a, const struct run *b, enum prog_id prog);

#endif
