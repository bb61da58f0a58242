/* SPDX-License-Identifier: GPL-2.0-only */
/* A window to be judged: what happens in it, what is found, what is said of it. */
#ifndef MEMCGTOP_TESTS_JUDGE_H
#define MEMCGTOP_TESTS_JUDGE_H

#include "sample_fixture.h"

#include <math.h>

#include "model/model.h"
#include "view/text.h"

/* Row 0 is `other`. */
#define ROWS 12

static struct window w;
static struct model m;

/* Ten seconds of which all is known that costs nothing to ask for. */
static inline int setup(void **state)
{
	(void)state;
	w = (struct window){.start = fixture_sample(ROWS, 2), .end = fixture_sample(ROWS, 2)};
	w.end->stock.batch_observed = true;
	w.end->time_ns = 10000000000;
	fixture_times(w.start, 1);
	fixture_times(w.end, 1);
	fixture_slot(w.end, 0, 0, 0, 0);
	fixture_gauge(&w.end->rows[1].usage_bytes, 1 << 20);
	fixture_gauge(&w.end->rows[1].sock_bytes, 0);
	for (int i = 0; i < PROG_NR; i++)
		fixture_runs(w.end, i, 1000000, 0);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	model__release(&m);
	window__release(&w);
	return 0;
}

static inline void count(size_t row, size_t cpu, int counter, uint64_t n)
{
	fixture_count(w.end, row, cpu, counter, n);
}

/* One page each, of sockets. */
static inline void charge(size_t row, size_t cpu, uint64_t n)
{
	count(row, cpu, CHARGE_AT(KIND_SOCK, LEVEL_TASK), n);
	count(row, cpu, C_CHARGE_PAGES + KIND_SOCK, n);
}

static inline void uncharge(size_t row, size_t cpu, uint64_t n, uint64_t pages)
{
	count(row, cpu, C_SOCK_UNCHARGES, n);
	count(row, cpu, C_SOCK_UNCHARGE_PAGES, pages);
}

static inline void miss(size_t row, size_t cpu, uint64_t n)
{
	count(row, cpu, C_MISS_KIND + KIND_SOCK, n);
	count(row, cpu, C_TRY_WALKS, n);
	count(row, cpu, C_MISS_ABSENT, n);
}

static inline void evict(size_t row, size_t cpu, uint64_t n)
{
	count(row, cpu, C_EVICTIONS, n);
	count(row, cpu, C_EVICTED, n);
	count(row, cpu, C_EVICTED_PAGES, 60 * n);
	count(row, cpu, C_DRAIN_CAUSE + CAUSE_EVICT, n);
	count(row, cpu, C_DRAINED_PAGES, 60 * n);
	count(row, cpu, C_WALK_CAUSE + CAUSE_EVICT, n);
	count(row, cpu, C_WALK_USER + USER_SOCK, n);
	count(row, cpu, C_WALK_PAGES, 60 * n);
}

static inline void overflow(size_t row, size_t cpu, uint64_t n, uint64_t pages)
{
	count(row, cpu, C_DRAIN_CAUSE + CAUSE_OVERFLOW, n);
	count(row, cpu, C_DRAINED_PAGES, pages);
	count(row, cpu, C_WALK_CAUSE + CAUSE_OVERFLOW, n);
	count(row, cpu, C_WALK_USER + USER_SOCK, n);
	count(row, cpu, C_WALK_PAGES, pages);
}

static inline void build(void)
{
	model__release(&m);
	assert_int_equal(model__init(&m, &w), 0);
}

/* The rules that were found, the main one first, with a blank between them. */
static inline const char *found(void)
{
	static char names[256];

	build();
	names[0] = '\0';
	/* that of last resort takes the place of "nothing" and has a test of its own */
	for (size_t i = 0; i < m.verdicts.n; i++)
		if (!m.verdicts.list[i].rule->last_resort)
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
				 *names ? " " : "", m.verdicts.list[i].rule->name);
	return names;
}

static inline void assert_found(const char *names)
{
	const char *got = found();

	assert_string_equal(verdict_state__name(m.verdicts.state), "judged");
	assert_string_equal(got, names);
}

/* The block as it is read, at that width. */
static inline const char *block(int width)
{
	static char text[2048];
	FILE *f = fmemopen(text, sizeof(text), "w");
	struct page p = {.f = f, .width = width, .ascii = true};

	assert_non_null(f);
	build();
	text__verdicts(&p, &m);
	assert_int_equal(page__finish(&p), 0);
	fclose(f);
	return text;
}

static inline void assert_says(const char *sentence)
{
	const char *text = block(1000);

	if (!strstr(text, sentence))
		fail_msg("not \"%s\" in: %s", sentence, text);
}

static inline void assert_silent(const char *word)
{
	const char *text = block(1000);

	if (strstr(text, word))
		fail_msg("\"%s\" in: %s", word, text);
}

static inline double number(size_t verdict, const char *key)
{
	const struct verdict *v = &m.verdicts.list[verdict];

	assert_true(verdict < m.verdicts.n);
	for (int i = 0; v->rule->numbers[i].key; i++)
		if (!strcmp(v->rule->numbers[i].key, key) && !v->rule->numbers[i].base)
			return v->values[i];
	fail_msg("%s has no number %s", v->rule->name, key);
	return NAN;
}

/* Whether that rule is listed as one that could not be judged. */
static inline bool unjudged(const char *name)
{
	for (size_t i = 0; i < m.verdicts.nunjudged; i++)
		if (!strcmp(m.verdicts.unjudged[i]->name, name))
			return true;
	return false;
}

#define WITH_WINDOW(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
