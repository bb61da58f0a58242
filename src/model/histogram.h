/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms of durations: the kernel side's buckets read back. All in ns.
 * Pure functions; a histogram of a window is the difference of two samples'.
 */
#ifndef MEMCGTOP_HISTOGRAM_H
#define MEMCGTOP_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"

#define HISTOGRAM_BUCKETS HIST_BUCKETS

/* What a view shows: at most HISTOGRAM_BUCKETS of them, upper edges inclusive and ascending. */
struct histogram {
	size_t n;			/* buckets */
	uint64_t le[HISTOGRAM_BUCKETS]; /* UINT64_MAX: the last one is open */
	uint64_t count[HISTOGRAM_BUCKETS];
	uint64_t total; /* the sum of the counts */
	uint64_t sum;	/* ns */
	uint64_t max;	/* ns; an upper edge where the window's own largest is not known */
};

/* The bucket of a value, as the programs choose it (bpf/times.bpf.h). */
unsigned int hist__bucket(uint64_t ns);

/* The inclusive upper edge of a bucket; UINT64_MAX for the last, open one. */
uint64_t hist__edge(unsigned int bucket);

/* The same of a cgroup's octaves. */
unsigned int octave__bucket(uint64_t ns);
uint64_t octave__edge(unsigned int bucket);

/* end - start of a span's histogram; start may be NULL. Counts that went back are 0. */
void histogram__of(struct histogram *h, const struct hist *end, const struct hist *start);
void histogram__of_row(struct histogram *h, const struct row_span *end,
		       const struct row_span *start);

/* Adds b to a. Both have the same buckets, or a is empty (n == 0). */
void histogram__add(struct histogram *a, const struct histogram *b);

/* Merged into powers of two, empty ones at both ends left out: for the screen. */
void histogram__octaves(struct histogram *to, const struct histogram *from);

/* sum / total; NAN if empty. */
double histogram__mean(const struct histogram *h);

/*
 * The value below which a share q (0..1) of the counts lies, by linear
 * interpolation in its bucket, at most max. NAN if empty.
 */
double histogram__quantile(const struct histogram *h, double q);

/* The share of the counts above ns: a bucket that ns parts counts in proportion. NAN if empty. */
double histogram__above(const struct histogram *h, uint64_t ns);

#endif
