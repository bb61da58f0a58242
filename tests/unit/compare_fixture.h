/* SPDX-License-Identifier: GPL-2.0-only */
/* Sides made by hand: runs of which only what is set has a value. */
#ifndef MEMCGTOP_TESTS_COMPARE_FIXTURE_H
#define MEMCGTOP_TESTS_COMPARE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

static uint32_t seed = 1;

/* The same numbers in each run of the test. 0 <= x < 1 */
static inline double roll(void)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) / 16777216.0;
}

static inline struct side side_of(const char *name, size_t n, const char *kernel,
				  enum design design, uint32_t slots)
{
	struct side s = {.name = name, .n = n, .runs = calloc(n, sizeof(*s.runs))};
	size_t nmeasures;

	assert_non_null(s.runs);
	measures__all(&nmeasures);
	for (size_t i = 0; i < n; i++) {
		struct run *r = &s.runs[i];

		assert_true(asprintf(&r->name, "%s/%zu", name, i + 1) > 0);
		r->hit_source = strdup("walk");
		r->seconds = 10;
		r->grade = GRADE_GOOD;
		r->missed_ratio = 0.002;
		r->asked.sample_every = 8;
		r->host.page_size = 4096;
		r->host.cpus_online = 224;
		strcpy(r->host.arch, "x86_64");
		strcpy(r->host.preempt, "lazy");
		snprintf(r->host.kernel, sizeof(r->host.kernel), "%s", kernel);
		r->stock = (struct stock){.design = design, .slots = slots, .batch = 64};
		for (size_t j = 0; j < nmeasures; j++) {
			r->values[j] = NAN;
			r->reasons[j] = REASON_NOT_ASKED;
			r->why[j] = strdup("not of this test");
		}
		for (int prog = 0; prog < PROG_NR; prog++) {
			r->probes[prog] = (struct probe){.prog = prog, .state = PROBE_ATTACHED};
			strcpy(r->probes[prog].function, "function");
		}
	}
	return s;
}

static inline void release(struct side *s)
{
	for (size_t i = 0; i < s->n; i++)
		run__release(&s->runs[i]);
	free(s->runs);
}

static inline size_t at_key(const char *key)
{
	int at = measures__find(key);

	if (at < 0)
		fail_msg("no measure %s", key);
	return (size_t)at;
}

/* In each run, off by up to that share of it; of counts v is a second's. */
static inline void set(struct side *s, const char *key, double v, double noise)
{
	const size_t at = at_key(key);
	const struct measure *x = &measures__all(&(size_t){0})[at];
	bool counts = x->kind == MEASURE_COUNT || x->kind == MEASURE_TIME;

	for (size_t i = 0; i < s->n; i++)
		s->runs[i].values[at] =
			v * (1 + noise * (2 * roll() - 1)) * (counts ? s->runs[i].seconds : 1);
}

/* In no run, for that reason. */
static inline void unset(struct side *s, const char *key, enum reason reason, const char *why)
{
	const size_t at = at_key(key);

	for (size_t i = 0; i < s->n; i++) {
		s->runs[i].values[at] = NAN;
		s->runs[i].reasons[at] = reason;
		free(s->runs[i].why[at]);
		s->runs[i].why[at] = strdup(why);
	}
}

static inline void tell(struct side *s, const char *name, double v, double noise, bool counts,
			bool metric)
{
	for (size_t i = 0; i < s->n; i++) {
		struct run *r = &s->runs[i];

		r->work = reallocarray(r->work, r->nwork + 1, sizeof(*r->work));
		assert_non_null(r->work);
		r->work[r->nwork++] = (struct work){.name = strdup(name),
						    .value = v * (1 + noise * (2 * roll() - 1)),
						    .counts = counts,
						    .metric = metric};
	}
}

static inline struct comparison compared_by(const struct side *a, const struct side *b,
					    const char *per)
{
	struct comparison c;
	struct per by;
	char err[400] = "";

	if (per__parse(&by, per, err, sizeof(err)) ||
	    comparison__init(&c, a, b, &by, err, sizeof(err)))
		fail_msg("%s", err);
	return c;
}

static inline struct compared row_of(const struct comparison *c, const char *key)
{
	const struct compared *row = comparison__row(c, key);

	if (!row)
		fail_msg("no row %s", key);
	return *row;
}

/* A usual side: misses and walks, and what they cost. */
static inline struct side usual(const char *name, size_t n)
{
	struct side s = side_of(name, n, "7.3.4", DESIGN_MULTI_SLOT, 7);

	set(&s, "charges", 10000, 0.02);
	set(&s, "misses", 100, 0.02);
	set(&s, "miss_ratio", 0.01, 0.02);
	set(&s, "walks", 200, 0.02);
	set(&s, "walks/uncharges", 0.02, 0.02);
	set(&s, "amplification", 0.0112, 0.02);
	set(&s, "pages_per_walk", 64, 0.005);
	set(&s, "evictions/charges", 0.001, 0.05);
	set(&s, "charge_pages/charges", 1, 0);
	set(&s, "walk_levels/walks", 3, 0);
	set(&s, "charge_ns", 74, 0.02);
	set(&s, "walk_ns", 312, 0.04);
	set(&s, "lock_hold_ns", 150, 0.04);
	return s;
}

#endif
