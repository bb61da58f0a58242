// SPDX-License-Identifier: GPL-2.0-only
// links: verb/timeline.c model/*.c sample/sample.c
#include "sample_fixture.h"

#include "model/model.h"
#include "verb/timeline.h"

#define S     1000000000ull
#define START (5 * S)
#define CPUS  3

/* A window that is being measured: now grows, and so does time. */
struct run {
	struct sample *start, *now;
	struct timeline t;
};

static struct run run_of(uint64_t duration_ns, uint64_t step_ns)
{
	struct run r = {fixture_sample(2, CPUS), fixture_sample(2, CPUS), {0}};

	r.start->time_ns = r.now->time_ns = START;
	/* it is differences that count */
	for (size_t cpu = 0; cpu < CPUS; cpu++) {
		fixture_count(r.start, 1, cpu, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
		fixture_count(r.now, 1, cpu, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	}
	timeline__init(&r.t, r.start, duration_ns, step_ns);
	return r;
}

static void charge(struct run *r, size_t cpu, uint64_t charges, uint64_t misses)
{
	fixture_count(r->now, 1, cpu, CHARGE_AT(KIND_SOCK, LEVEL_TASK), charges);
	fixture_count(r->now, 1, cpu, C_MISS_KIND + KIND_SOCK, misses);
	fixture_count(r->now, 1, cpu, C_TRY_WALKS, misses);
	fixture_count(r->now, 1, cpu, C_MISS_ABSENT, misses);
	fixture_count(r->now, 1, cpu, C_CONSUME_HIT, charges - misses);
	fixture_count(r->now, 1, cpu, C_CONSUME_MISS, misses);
}

static void cut(struct run *r, uint64_t at)
{
	r->now->time_ns = at;
	timeline__cut(&r->t, r->now, at, 0);
}

/* The window of the run, which is then empty. What its intervals sum up to is what the model says. */
static struct window end(struct run *r, uint64_t at)
{
	struct window w = {.start = r->start, .end = r->now};
	const struct field *charges = field__find("charges"), *misses = field__find("misses");
	struct model m;

	r->now->time_ns = at;
	assert_int_equal(timeline__finish(&r->t, &w), 0);
	timeline__release(&r->t);
	assert_int_equal(model__init(&m, &w), 0);
	for (size_t cpu = 0; cpu < CPUS; cpu++) {
		uint64_t sum[2] = {0, 0}, before = START;

		for (size_t i = 0; i < w.nintervals; i++) {
			assert_true(w.intervals[i].end_ns >= before);
			before = w.intervals[i].end_ns;
			sum[0] += w.intervals[i].charges[cpu];
			sum[1] += w.intervals[i].misses[cpu];
		}
		assert_int_equal(before, at);
		assert_int_equal(sum[0], charges->count(&m.cpus[cpu].scope));
		assert_int_equal(sum[1], misses->count(&m.cpus[cpu].scope));
	}
	model__release(&m);
	return w;
}

static void test_steps(void **state)
{
	static const struct {
		uint64_t duration_ns, asked_ns, step_ns;
	} steps[] = {
		{10 * S, 0, S},
		{60 * S, 0, S},
		{61 * S, 0, 61 * S / 60},
		{3600 * S, 0, 60 * S},
		{UINT64_MAX, 0, S},
		{10 * S, S / 10, S / 10},
		{UINT64_MAX, 7 * S, 7 * S},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct run r = run_of(steps[i].duration_ns, steps[i].asked_ns);

		assert_int_equal(r.t.step_ns, steps[i].step_ns);
		assert_int_equal(r.t.next_ns, START + steps[i].step_ns);
		timeline__release(&r.t);
		sample__free(r.start);
		sample__free(r.now);
	}
}

static void test_never(void **state)
{
	struct run r = run_of(10 * S, UINT64_MAX);
	struct window w;

	(void)state;
	assert_int_equal(r.t.next_ns, UINT64_MAX);
	charge(&r, 0, 10, 1);
	w = end(&r, START + 10 * S);
	assert_int_equal(w.nintervals, 1);
	assert_int_equal(w.intervals[0].charges[0], 10);
	window__release(&w);
}

static void test_intervals(void **state)
{
	struct run r = run_of(10 * S, 0);
	struct window w;

	(void)state;
	charge(&r, 0, 10, 1);
	charge(&r, 2, 7, 7);
	cut(&r, START + S);
	assert_int_equal(r.t.next_ns, START + 2 * S);
	/* nothing happened */
	cut(&r, START + 2 * S + 1000);
	assert_int_equal(r.t.next_ns, START + 3 * S);
	charge(&r, 0, 100, 20);
	/* the last one is not whole */
	w = end(&r, START + 2 * S + S / 2);
	assert_int_equal(w.nintervals, 3);
	assert_int_equal(w.interval_ns, S);
	assert_int_equal(w.intervals[0].charges[0], 10);
	assert_int_equal(w.intervals[0].misses[0], 1);
	assert_int_equal(w.intervals[0].charges[1], 0);
	assert_int_equal(w.intervals[0].misses[2], 7);
	assert_int_equal(w.intervals[1].charges[0], 0);
	assert_int_equal(w.intervals[2].charges[0], 100);
	assert_int_equal(w.intervals[2].misses[0], 20);
	window__release(&w);
}

static void test_gap(void **state)
{
	struct run r = run_of(10 * S, 0);
	struct window w;

	(void)state;
	charge(&r, 1, 10, 1);
	cut(&r, START + S);
	charge(&r, 1, 20, 2);
	timeline__cut(&r.t, NULL, START + 2 * S, 0);
	assert_int_equal(r.t.next_ns, START + 3 * S);
	charge(&r, 1, 30, 3);
	cut(&r, START + 3 * S);
	w = end(&r, START + 4 * S);
	assert_int_equal(w.nintervals, 3);
	assert_int_equal(w.intervals[1].end_ns, START + 3 * S);
	assert_int_equal(w.intervals[1].charges[1], 50);
	assert_int_equal(w.intervals[1].misses[1], 5);
	window__release(&w);
}

/* A machine where a sample takes long is not asked all the time. */
static void test_cost(void **state)
{
	struct run r = run_of(10 * S, S);
	struct window w;

	(void)state;
	timeline__cut(&r.t, r.now, START + S, S / 1000);
	assert_int_equal(r.t.next_ns, START + 2 * S);
	timeline__cut(&r.t, r.now, START + 2 * S + S / 2, S / 2);
	assert_int_equal(r.t.next_ns, START + 13 * S);
	w = end(&r, START + 5 * S);
	window__release(&w);
}

static void test_many(void **state)
{
	struct run r = run_of(UINT64_MAX, 0);
	struct window w;
	uint64_t at = START;

	(void)state;
	for (int i = 0; i < 5 * TIMELINE_MAX; i++) {
		charge(&r, (size_t)i % CPUS, 100 + (uint64_t)i, (uint64_t)i % 50);
		at = r.t.next_ns;
		cut(&r, at);
		assert_true(r.t.ncuts <= TIMELINE_MAX);
	}
	/* the 601st merges, and then each 300th: eight times */
	assert_int_equal(r.t.step_ns, 256 * S);
	w = end(&r, at + S);
	assert_true(w.nintervals <= TIMELINE_MAX && w.nintervals >= TIMELINE_MAX / 2);
	assert_int_equal(w.interval_ns, S);
	window__release(&w);
}

/* Where consume_stock() shows the hits, misses are what is left; else they are the walks. */
static void test_hits_seen(void **state)
{
	(void)state;
	for (int seen = 0; seen < 2; seen++) {
		struct run r = run_of(10 * S, 0);
		struct window w;

		if (seen)
			r.now->probes[PROG_CONSUME].state = PROBE_ATTACHED;
		charge(&r, 0, 100, 10);
		/* a walk that was lost: a miss by what consume_stock() returned alone */
		fixture_count(r.now, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1);
		fixture_count(r.now, 1, 0, C_CONSUME_MISS, 1);
		cut(&r, START + S);
		charge(&r, 0, 50, 5);
		w = end(&r, START + 2 * S);
		assert_int_equal(w.intervals[0].misses[0], seen ? 11 : 10);
		assert_int_equal(w.intervals[1].misses[0], 5);
		window__release(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),	  cmocka_unit_test(test_never),
		cmocka_unit_test(test_intervals), cmocka_unit_test(test_gap),
		cmocka_unit_test(test_cost),	  cmocka_unit_test(test_many),
		cmocka_unit_test(test_hits_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
