/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What repeated runs say: their middle, how far they lie apart, and whether two
 * sets of them differ. Pure arithmetic on finite numbers.
 */
#ifndef MEMCGTOP_STATS_H
#define MEMCGTOP_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* The most values that are handed over, of both sides together. */
#define STATS_MAX 4096

/*
 * Up to this many values on both sides together the distribution of U is
 * counted out: all C(50, 25) ways to deal them are below 2^53, so that the
 * counts are exact as doubles.
 */
#define STATS_EXACT_MAX 50

/* A difference is one from here down; the share of false alarms of a row. */
#define STATS_ALPHA 0.05

/* The middle value, or the mean of the two in the middle. NAN: n is 0. */
double stats__median(const double *v, size_t n);

double stats__mean(const double *v, size_t n);

/* The standard deviation of a sample (n - 1). NAN: n is below 2. */
double stats__stddev(const double *v, size_t n);

/*
 * The largest distance of a value from the median, as a share of the median's
 * amount. 0 if all are the same; NAN: n is 0, or the median alone is 0.
 */
double stats__spread(const double *v, size_t n);

/* What Mann and Whitney's test says of two sets of values. */
struct utest {
	double u;   /* pairs of which a's value is the larger one; a tie is half of one */
	double p;   /* two-sided; NAN: a side is empty, or out of memory */
	bool exact; /* counted out, not by the normal distribution */
};

/*
 * Mann & Whitney, Ann. Math. Statist. 18 (1947) 50-60. Exact, with ties as
 * well: two-sided is then the share of all ways to deal the ranks whose sum is
 * as far from its mean (as in exactRankTests of R). Above STATS_EXACT_MAX by
 * the normal distribution with the correction for ties and for continuity (as
 * wilcox.test of R).
 */
struct utest stats__mann_whitney(const double *a, size_t na, const double *b, size_t nb);

/* The least p that so many values a side can have: 2 / C(na + nb, na). */
double stats__least_p(size_t na, size_t nb);

/*
 * Adjusts n values of p for being many: Holm, Scand. J. Statist. 6 (1979)
 * 65-70, as p.adjust of R. NAN stays NAN and does not count. May be in place.
 */
void stats__holm(const double *p, double *adjusted, size_t n);

/* More ways to deal runs to two sides are not tried out: 10 and 10 are fewer. */
#define STATS_WAYS_MAX 200000

/*
 * The same for n measures of the same runs, v[measure][na + nb], A's first: the
 * step-down min P of Westfall & Young (Resampling-Based Multiple Testing, 1993,
 * algorithm 2.8) over all ways to deal the runs to the two sides, exactly. What
 * moves together counts once, so that four runs a side can be enough for any
 * number of measures, where Holm needs more. False, and nothing is changed: too
 * many ways, or out of memory.
 */
bool stats__joint(const double *const *v, size_t n, size_t na, size_t nb, double *adjusted);

#endif
