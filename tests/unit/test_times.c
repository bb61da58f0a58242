// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
/* From spans to the time table and the lock. */
#include "sample_fixture.h"

#include <math.h>

#include "model/model.h"

static struct window w;
static struct model m;

/* A window of two seconds, all timed. */
static int setup(void **state)
{
	(void)state;
	w = (struct window){.start = fixture_sample(3, 1), .end = fixture_sample(3, 1)};
	fixture_times(w.start, 1);
	fixture_times(w.end, 1);
	w.start->time_ns = 5000000000;
	w.end->time_ns = 7000000000;
	for (int i = 0; i < PROG_NR; i++)
		fixture_runs(w.end, i, 1, 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	model__release(&m);
	window__release(&w);
	return 0;
}

static void build(void)
{
	model__release(&m);
	assert_int_equal(model__init(&m, &w), 0);
}

static void count(int counter, uint64_t n)
{
	fixture_count(w.end, 1, 0, counter, n);
}

static void span(enum span span, uint64_t ns, uint64_t n)
{
	fixture_span(w.end, 1, span, ns, n);
}

static struct histogram histogram(const char *key, const struct scope *s)
{
	struct histogram h;

	assert_true(times__histogram(&h, field__find(key), s));
	return h;
}

static const struct scope *row(uint64_t id)
{
	for (size_t i = 0; i < m.nrows; i++)
		if (m.rows[i].row->id == id)
			return &m.rows[i].scope;
	fail_msg("no row %lu", (unsigned long)id);
	return NULL;
}

static const struct function_time *function(const char *key)
{
	for (size_t i = 0; i < m.times.nfunctions; i++)
		if (!strcmp(m.times.functions[i].key, key))
			return &m.times.functions[i];
	fail_msg("%s is not in the table", key);
	return NULL;
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%.12g, not %.12g", got, want);
}

static void test_histograms(void **state)
{
	struct histogram h;

	(void)state;
	fixture_span(w.start, 1, SPAN_WALK, 2000, 5);
	fixture_span(w.end, 1, SPAN_WALK, 2000, 5);
	span(SPAN_WALK, 1000, 30);
	fixture_span(w.end, 2, SPAN_WALK, 7000, 10);
	build();
	h = histogram("walk_ns", &m.total);
	assert_int_equal(h.n, HISTOGRAM_BUCKETS);
	assert_int_equal(h.total, 40);
	assert_int_equal(h.sum, 100000);
	assert_int_equal(h.max, 7000);
	h = histogram("walk_ns", row(101));
	assert_int_equal(h.n, OCTAVES);
	assert_int_equal(h.total, 30);
	assert_int_equal(h.sum, 30000);
	/* the cgroup's own largest is not known: its octave is */
	assert_int_equal(h.max, 1024);
	h = histogram("walk_ns", &m.rows[2].scope);
	assert_int_equal(h.total, 0);
	/* to sort by: the mean */
	assert_true(field__value(field__find("walk_ns"), &m.total) == 2500);
	assert_true(isnan(field__value(field__find("walk_ns"), &m.rows[2].scope)));
	model__sort(&m, field__find("walk_ns"));
	assert_int_equal(m.rows[0].row->id, 102);
	assert_false(times__histogram(&h, field__find("walk_ns"), &m.cpus[0].scope));
	assert_false(times__histogram(&h, field__find("charges"), &m.total));
}

/* The total keeps both kinds of holds apart, a cgroup does not. */
static void test_holds_of_both_kinds(void **state)
{
	struct histogram h;

	(void)state;
	span(SPAN_HOLD, 500, 70);
	span(SPAN_HOLD_WALKED, 5000, 30);
	build();
	h = histogram("lock_hold_ns", &m.total);
	assert_int_equal(h.total, 100);
	assert_int_equal(h.sum, 185000);
	h = histogram("lock_hold_ns", row(101));
	assert_int_equal(h.total, 100);
	assert_int_equal(h.sum, 185000);
	assert_int_equal(m.times.hold.plain.total, 70);
	assert_int_equal(m.times.hold.walked.total, 30);
	/* these are not kept by cgroup */
	span(SPAN_SLOT_LIFE, 1000000, 4);
	build();
	assert_int_equal(histogram("slot_life_ns", &m.total).total, 4);
	assert_false(times__histogram(&h, field__find("slot_life_ns"), row(101)));
}

/* A cgroup that came in the window, and a start without times. */
static void test_no_start(void **state)
{
	(void)state;
	span(SPAN_WALK, 1000, 3);
	fixture_span(w.start, 1, SPAN_WALK, 1000, 2);
	count(C_WALK_CAUSE + CAUSE_FLUSH, 3);
	w.end->rows[1].id = 200;
	build();
	assert_int_equal(histogram("walk_ns", row(200)).total, 3);
	sample__free(w.start);
	w.start = NULL;
	build();
	assert_int_equal(histogram("walk_ns", &m.total).total, 3);
	assert_true(isnan(m.times.functions[0].cpu_ratio));
}

static void test_no_time(void **state)
{
	(void)state;
	free(w.end->spans);
	w.end->spans = NULL;
	w.end->asked.sample_every = 0;
	count(C_TRY_WALKS, 100);
	build();
	assert_false(m.times.taken);
	assert_int_equal(m.times.nfunctions, 0);
	assert_int_equal(m.times.hold.plain.total, 0);
	assert_true(isnan(m.times.hold.above_budget));
	assert_true(isnan(m.times.hold.walked_share));
}

static void test_walks(void **state)
{
	const struct function_time *f;

	(void)state;
	count(C_TRY_WALKS, 100);
	span(SPAN_TRY_WALK, 2000, 100);
	count(C_WALK_CAUSE + CAUSE_OVERFLOW, 50);
	span(SPAN_WALK, 40000, 50);
	build();
	assert_int_equal(m.times.nfunctions, 2);
	f = &m.times.functions[0];
	assert_string_equal(f->key, "walk_ns");
	assert_string_equal(f->function, "page_counter_uncharge");
	assert_int_equal(f->calls, 50);
	assert_int_equal(f->ns, 2000000);
	assert_int_equal(f->self_ns, 2000000);
	/* 2 ms of 2 s */
	assert_near(f->cpu_ratio, 0.001);
	assert_string_equal(f->bound, "exact");
	f = &m.times.functions[1];
	assert_string_equal(f->function, "page_counter_try_charge");
	assert_int_equal(f->ns, 200000);
}

/* 1,000 charges of sockets and 100 of folios, of which 200 miss; one in 10 is timed. */
static void sampled(void)
{
	w.start->asked.sample_every = w.end->asked.sample_every = 10;
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	count(CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 100);
	count(C_TRY_WALKS, 200);
	count(C_SURPLUS_REFILLS, 200);
	count(C_SOCK_UNCHARGES, 1000);
	count(C_REFILL + REFILL_MERGED, 1100);
	count(C_REFILL + REFILL_OVERFLOW, 100);
	count(C_DRAIN_CAUSE + CAUSE_OVERFLOW, 100);
	count(C_WALK_CAUSE + CAUSE_OVERFLOW, 100);
	span(SPAN_SOCK_CHARGE, 5000, 100);
	span(SPAN_CHARGE, 3000, 110);
	count(C_TIMED_SOCK_NS, 300000);
	span(SPAN_STAT, 500, 100);
	span(SPAN_TRY_WALK, 4000, 20);
	count(C_TIMED_REFILL_SURPLUS_NS, 20 * 1500);
	span(SPAN_SOCK_UNCHARGE, 2500, 100);
	count(C_TIMED_REFILL_SOCK_NS, 100 * 2000);
	span(SPAN_HOLD, 1500, 110);
	span(SPAN_HOLD_WALKED, 6500, 10);
	span(SPAN_WALK, 5000, 10);
	span(SPAN_WALK_LOCKED, 5000, 10);
	count(C_TIMED_WALK_REFILL_NS, 50000);
}

/* Times stand for all events, and self is what no hooked callee took. */
static void test_self(void **state)
{
	(void)state;
	sampled();
	build();
	assert_int_equal(m.times.every, 10);
	assert_int_equal(function("sock_charge_ns")->calls, 1000);
	assert_int_equal(function("sock_charge_ns")->ns, 5000000);
	/* without 3 us of charge and 0.5 us of statistic */
	assert_int_equal(function("sock_charge_ns")->self_ns, 1500000);
	assert_int_equal(function("charge_ns")->calls, 1100);
	assert_int_equal(function("charge_ns")->ns, 3300000);
	/* without 20 walks of 4 us and 20 refills of 1.5 us, ten times */
	assert_int_equal(function("charge_ns")->self_ns, 3300000 - 800000 - 300000);
	assert_string_equal(function("charge_ns")->bound, "upper_bound");
	assert_int_equal(function("sock_uncharge_ns")->ns, 2500000);
	assert_int_equal(function("sock_uncharge_ns")->self_ns, 500000);
	assert_int_equal(function("lock_hold_ns")->calls, 1200);
	assert_int_equal(function("lock_hold_ns")->ns, 2300000);
	assert_int_equal(function("lock_hold_ns")->self_ns, 1800000);
	assert_int_equal(function("try_walk_ns")->self_ns, 800000);
	assert_int_equal(function("stat_update_ns")->calls, 1000);
	assert_int_equal(function("stat_update_ns")->ns, 500000);
	assert_int_equal(m.times.nfunctions, 7);
	for (size_t i = 0; i + 1 < m.times.nfunctions; i++)
		assert_true(m.times.functions[i].ns >= m.times.functions[i + 1].ns);
}

/* Programs of the callees run inside: 0.2 us each. */
static void test_self_without_probes(void **state)
{
	(void)state;
	sampled();
	w.end->event_cost_ps = 200000;
	build();
	/* try_charge_memcg's and the statistic's, 1,000 of each */
	assert_int_equal(function("sock_charge_ns")->self_ns, 1500000 - 2000 * 200);
	/* two of each of 200 walks and 200 refills */
	assert_int_equal(function("charge_ns")->self_ns, 2200000 - 800 * 200);
	/* two of 1,000 refills, the statistic's: more than all it has */
	assert_int_equal(function("sock_uncharge_ns")->self_ns, 0);
	/* 100 drains, and two of 100 walks */
	assert_int_equal(function("lock_hold_ns")->self_ns, 1800000 - 300 * 200);
	assert_int_equal(function("walk_ns")->self_ns, function("walk_ns")->ns);
}

/* Without a stock each uncharge of a socket walks. */
static void test_per_counter(void **state)
{
	(void)state;
	w.end->stock = (struct stock){.design = DESIGN_PER_COUNTER, .batch = 64};
	w.end->probes[PROG_TRY_WALK].state = PROBE_NOT_NEEDED;
	count(C_SOCK_UNCHARGES, 300);
	count(C_WALK_CAUSE + CAUSE_UNBATCHED, 400);
	count(C_WALK_USER + USER_SOCK, 300);
	count(C_WALK_USER + USER_FOLIO, 100);
	span(SPAN_SOCK_UNCHARGE, 9000, 300);
	span(SPAN_WALK, 8000, 400);
	build();
	assert_int_equal(m.times.nfunctions, 2);
	assert_int_equal(function("sock_uncharge_ns")->self_ns, 300000);
}

/* nr_sock[] kernels: hits inside mem_cgroup_sk_charge call nothing. */
static void test_inlined_hits(void **state)
{
	(void)state;
	w.end->stock.design = DESIGN_MULTI_SLOT_SOCK;
	w.end->probes[PROG_SOCK_CHARGE_EXIT].state = PROBE_ATTACHED;
	count(C_SOCK_INLINE_LEVEL + LEVEL_TASK, 900);
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 100);
	count(C_SOCK_REFILL + REFILL_MERGED, 800);
	count(C_REFILL + REFILL_MERGED, 100);
	span(SPAN_SOCK_CHARGE, 400, 1000);
	span(SPAN_CHARGE, 2000, 100);
	count(C_TIMED_SOCK_NS, 200000);
	span(SPAN_HOLD, 1000, 100);
	w.end->event_cost_ps = 100000;
	build();
	assert_int_equal(function("sock_charge_ns")->calls, 1000);
	assert_int_equal(function("sock_charge_ns")->self_ns, 400000 - 200000 - 100 * 100);
	assert_int_equal(function("charge_ns")->calls, 100);
	assert_int_equal(function("lock_hold_ns")->calls, 100);
}

static void test_function_names(void **state)
{
	struct probe *p = &w.end->probes[PROG_SOCK_CHARGE];

	(void)state;
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 10);
	span(SPAN_SOCK_CHARGE, 100, 10);
	strcpy(p->function, "mem_cgroup_charge_skmem");
	build();
	assert_string_equal(function("sock_charge_ns")->function, "mem_cgroup_charge_skmem");
	p->function[0] = '\0';
	build();
	assert_string_equal(function("sock_charge_ns")->function, "mem_cgroup_sk_charge");
	/* whose end is not seen is not in the table */
	fixture_missing(w.end, PROG_SOCK_CHARGE_EXIT, REASON_ABSENT);
	build();
	assert_int_equal(m.times.nfunctions, 0);
}

static void test_hold(void **state)
{
	const struct hold_times *hold = &m.times.hold;

	(void)state;
	sampled();
	build();
	assert_string_equal(hold->kind, "upper_bound");
	assert_int_equal(hold->locked.total, 10);
	/* 50 of 230 us */
	assert_near(hold->walked_share, 50 / 230.0);
	assert_int_equal(hold->budget_ns, HOLD_BUDGET_NS);
	assert_true(hold->above_budget == 0);
	/* 10 of 120 are above 6,144 ns, up to 6,500 */
	w.hold_budget_ns = 6144;
	build();
	assert_int_equal(hold->budget_ns, 6144);
	assert_near(hold->above_budget, 10 / 120.0);
	/* what is known exactly is what counts */
	span(SPAN_HOLD_EXACT, 5000, 90);
	span(SPAN_HOLD_EXACT, 7000, 10);
	span(SPAN_LOCK_WAIT, 20, 6);
	count(C_HOLD_CHECKED, 100);
	count(C_HOLD_DIFFER, 1);
	build();
	assert_near(hold->above_budget, 0.1);
	assert_int_equal(hold->exact.total, 100);
	assert_int_equal(hold->wait.total, 6);
	assert_int_equal(hold->checked, 100);
	assert_int_equal(hold->differ, 1);
}

/* Up to 6.14 the hook is inside the lock, and nobody sees it: all its walks are under it. */
static void test_hold_inside(void **state)
{
	(void)state;
	sampled();
	w.end->stock = (struct stock){.design = DESIGN_SINGLE_SLOT, .slots = 1, .batch = 64};
	strcpy(w.end->probes[PROG_REFILL].function, "__refill_stock");
	memset(&w.end->spans[SPAN_WALK_LOCKED], 0, sizeof(w.end->spans[0]));
	build();
	assert_string_equal(m.times.hold.kind, "lower_bound");
	assert_near(m.times.hold.walked_share, 50 / 230.0);
}

static void test_huge(void **state)
{
	(void)state;
	count(C_TRY_WALKS, 1ull << 50);
	w.end->spans[SPAN_TRY_WALK].buckets[50] = 1;
	w.end->spans[SPAN_TRY_WALK].sum = UINT64_MAX;
	build();
	assert_true(function("try_walk_ns")->ns == UINT64_MAX);
	assert_true(function("try_walk_ns")->self_ns == UINT64_MAX);
}

#define WITH_WINDOW(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_WINDOW(test_histograms),
		WITH_WINDOW(test_holds_of_both_kinds),
		WITH_WINDOW(test_no_start),
		WITH_WINDOW(test_no_time),
		WITH_WINDOW(test_walks),
		WITH_WINDOW(test_self),
		WITH_WINDOW(test_self_without_probes),
		WITH_WINDOW(test_per_counter),
		WITH_WINDOW(test_inlined_hits),
		WITH_WINDOW(test_function_names),
		WITH_WINDOW(test_hold),
		WITH_WINDOW(test_hold_inside),
		WITH_WINDOW(test_huge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
