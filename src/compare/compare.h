/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two sides of runs, measure by measure: what changed, by how much, and whether
 * it is more than noise. Pure: no I/O. The views show it, changes.h says what it
 * means.
 */
#ifndef MEMCGTOP_COMPARE_COMPARE_H
#define MEMCGTOP_COMPARE_COMPARE_H

#include "compare/changes.h"
#include "compare/run.h"
#include "model/stats.h"

/* A changed row differs by that much at least, one of counts also by what hooks missed; a row that cannot be tested, by more. */
#define COMPARE_LEAST	       0.01
#define COMPARE_LEAST_UNTESTED 0.10

struct side {
	const char *name; /* as it was typed */
	struct run *runs; /* one at least */
	size_t n;
	bool within; /* the intervals of one run: not independent of each other */
};

/* What counts are divided by. */
enum per_what { PER_SECOND, PER_MEASURE, PER_WORK };

struct per {
	enum per_what what;
	const char *key;  /* as typed: "sock_charges", "work", "metrics.NAME" */
	int measure;	  /* of PER_MEASURE: its place in measures__all() */
	const char *work; /* of PER_WORK: the name; NULL: the first that CMD told */
};

struct summary {
	double median, spread, mean, stddev;
	size_t n;	 /* runs that have it */
	const char *why; /* n is 0: a sentence */
	bool unmeasured; /* n is 0, and not for want of events */
};

enum difference {
	DIFFERS_NOT,	  /* by less than 1 %, or within the noise */
	DIFFERS,	  /* p < 0.05, by 1 % at least */
	DIFFERS_UNTESTED, /* by 10 % at least, of too few runs to tell */
	DIFFERS_ONE_SIDE, /* one side has no value */
	DIFFERS_NOWHERE,  /* neither has */
};

struct compared {
	const struct measure *measure; /* NULL: CMD's */
	const char *key;	       /* without what it is divided by */
	enum topic topic;
	enum measure_kind kind;
	bool divided; /* it is a rate */
	struct summary a, b;
	double ratio;	 /* b / a of the medians; INFINITY: a is 0; NAN: unknown */
	double p;	 /* NAN: not tested */
	double adjusted; /* of the verdict's measures; NAN: not one of them */
	enum difference difference;
	bool marked;  /* its hook or its derivation differs */
	bool repeats; /* in each run within 1 % of the number of a row before */
	double heat;  /* how far it moved, small counts less */
};

struct comparison {
	const struct side *a, *b;
	struct per per;
	struct compared *rows; /* by topics, hottest first; CMD's on top */
	size_t nrows;
	size_t nequal;	 /* of DIFFERS_NOT */
	size_t nrepeats; /* of those that differ */
	double least;	 /* by which counts have to differ */
	bool between_kernels;
	bool within;	/* the samples are intervals */
	bool too_few;	/* no p could be below 0.05 */
	bool exact;	/* U was counted out */
	char **differs; /* what the sides do not share, each in words; ended by NULL */
	char *mark;	/* what a mark means here; NULL: nothing is marked */
	struct change_verdict verdict;
};

/*
 * "work", "metrics.NAME", or the key of a measure that counts. 0, or -EINVAL
 * with a sentence in err.
 */
int per__parse(struct per *per, const char *key, char *err, size_t n);

/* " a second", "/sock_charges": behind a rate's key. */
const char *per__suffix(const struct per *per);

/*
 * 0; -EINVAL with a sentence in err: these do not compare; -ENOMEM. The sides
 * must outlive it.
 */
int comparison__init(struct comparison *c, const struct side *a, const struct side *b,
		     const struct per *per, char *err, size_t n);

void comparison__release(struct comparison *c);

/* How long its runs took, in the middle. */
double side__seconds(const struct side *s);

/* The row of that key, or NULL. */
const struct compared *comparison__row(const struct comparison *c, const char *key);

/* Its value of each run of a side, [s->n]. False: a run has none. */
bool comparison__values(const struct comparison *c, const struct side *s,
			const struct compared *row, double *v);

/* Is a side measured on an emulated CPU? Its times are shown and not judged. */
bool comparison__emulated(const struct comparison *c);

/* Private to src/compare: fills in `differs` and `mark`; whether they compare at all. */
int differs__init(struct comparison *c, char *err, size_t n);
bool differs__marked(const struct comparison *c, const struct measure *x, size_t at);

#endif
