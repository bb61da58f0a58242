/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A gate: conditions, of which each fails if its expression holds, and what they
 * are worth in one or several windows. Three results, since what was not
 * measured, or too little of it, has neither passed nor failed.
 */
#ifndef MEMCGTOP_GATE_H
#define MEMCGTOP_GATE_H

#include "gate/value.h"

enum gate_result { GATE_PASSED, GATE_FAILED, GATE_CANNOT_TELL };

struct gate_condition {
	struct expr expr;
	char *file;	   /* of --config it is from, or NULL */
	unsigned int line; /* in it */
};

/* A condition, judged over all runs. */
struct judged {
	const char *text;		   /* "miss_ratio > 2%" */
	const struct gate_condition *from; /* NULL: a built-in one */
	enum expr_unit unit;
	enum gate_result result;
	char why[320]; /* a sentence: why nobody can tell, or "" */
	/* what it was judged by: the run's, or with several the median's */
	double value; /* NAN: there is none */
	double low;
	double high;
	double limit_low; /* the same, but for a limit against a baseline; NAN: not known */
	double limit_high;
	size_t over; /* runs in which the expression holds for certain */
	double min;  /* over the runs that have a value */
	double median;
	double max;
	const struct value *shown; /* the run's, or the nearest to the median; NULL: none */
	const struct value *first; /* of each run the next is `stride` behind; NULL: built in */
	enum gate_result *each;	   /* [nruns] */
};

struct gate {
	struct gate_condition *conditions;
	size_t nconditions;
	struct trust trust;
	/* [nruns][nconditions] */
	struct value *values;
	size_t nruns;
	struct value *baseline; /* [nconditions], or NULL */
	uint64_t breaches;	/* of the stock's own rules, in all runs */
	double seconds;		/* of all runs */
	int64_t start_ms;	/* of the first, since the epoch */
	char hostname[65];
	char kernel[65];
	/* by gate__judge() */
	struct judged *judged; /* the conditions in their order, then what is built in */
	size_t njudged;
	size_t nfailed;
	size_t nuntold;
	enum gate_result result;
};

/* Runs that are mixed are judged by their median from so many on. */
#define MEDIAN_RUNS 5

/* Adds a condition; file and line may be NULL and 0. 0, or -1 with the error. */
int gate__add(struct gate *g, const char *text, const char *file, unsigned int line,
	      struct error *e);

/* Adds those of a file: one a line, # begins a comment. 0, or -1 with the error (file:line). */
int gate__read_config(struct gate *g, const char *path, struct error *e);

/* A run is over. why: why nothing can be told of it, or NULL. 0 or -ENOMEM. */
int gate__add_run(struct gate *g, const struct model *m, const char *why);

/* What relative limits are taken from. 0 or -ENOMEM. */
int gate__set_baseline(struct gate *g, const struct model *m);

/* Does a condition need a baseline, or this metric? Its text, or NULL. */
const char *gate__wants_baseline(const struct gate *g);
const char *gate__wants_metric(const struct gate *g,
			       bool (*known)(const char *name, const void *arg), const void *arg);

/* After the last run. 0 or -ENOMEM. */
int gate__judge(struct gate *g);

void gate__release(struct gate *g);

/* "passed", "failed", "cannot tell" */
const char *gate_result__name(enum gate_result r);

/* The value of a condition in a run. */
const struct value *judged__run(const struct judged *j, const struct gate *g, size_t run);

#endif
