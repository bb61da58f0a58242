/* SPDX-License-Identifier: GPL-2.0-only */
/* Series of samples for tests to record. */
#ifndef MEMCGTOP_RECORDING_FIXTURE_H
#define MEMCGTOP_RECORDING_FIXTURE_H

#include "sample_fixture.h"

#include "sample/recording.h"

extern char recorded[64], older[72]; /* the file to record to, and what was there before */
extern char problem[512];	     /* the last sentence */

/* A machine at work: each cgroup counts, is timed and has gauges. Free it. */
struct sample *busy_sample(size_t nrows, size_t ncpus);

/*
 * A second later on it: 20 counters of each cgroup grew by numbers of 2 to 4
 * digits that have nothing to do with each other, which is the hardest to pack.
 */
struct sample *busy_after(const struct sample *last, unsigned int *seed);

/* The same, where what a kernel counts hangs together: 26 counters of each. */
struct sample *thrash_after(const struct sample *last, unsigned int *seed);

/*
 * The same, and more happens: cgroups appear, die, are named anew, move, change
 * places; CPUs go offline, gauges and lists become unknown, probes are lost.
 */
struct sample *lively_after(const struct sample *last, unsigned int *seed);

/* How the samples were taken; they stay the caller's. Release it, without samples. */
struct window taken(void);

/* Begins a recording of the sample. */
struct recorder *record(const char *path, const struct sample *first);

/* A recording of n lively samples, to be freed with each; ended or not. */
void record_lively(struct sample **samples, size_t n, bool ended);
void free_samples(struct sample **samples, size_t n);

/* Opens what must open. */
struct recording *opened(const char *path);

/* The i-th sample, which must be there. */
struct sample *sample_at(struct recording *r, size_t i);

/* All that a sample says, as JSON; the same for two that are equal. Free it. */
char *text_of_sample(struct sample *s);
void assert_same_sample(struct sample *a, struct sample *b);

/* Setup and teardown of a group. */
int make_place(void **state);
int remove_place(void **state);

#endif
