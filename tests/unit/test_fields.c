// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
#include "measures.h"

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];

		assert_true(strlen(f->title) <= 9);
		assert_int_equal(!!f->parts + !!f->count + !!f->ratio + !!f->gauge + !!f->spans, 1);
		assert_true(f->in && !(f->in & ~IN_ALL));
		assert_true(strlen(f->help) > 10);
		assert_ptr_equal(field__find(f->key), f);
		if (f->attr == ATTR_SUBTREE)
			assert_false(f->in & IN_CPU);
		for (const char *c = f->key; *c; c++)
			assert_true(islower(*c) || *c == '_');
		for (const struct part *p = f->parts; p && p->name; p++)
			assert_int_equal(!!p->counters + !!p->count, 1);
	}
	assert_null(field__find("charge"));
	assert_null(field__find(""));
}

static void test_nearest(void **state)
{
	char longer[5000];

	(void)state;
	assert_string_equal(field__nearest("charges"), "charges");
	assert_string_equal(field__nearest("mises"), "misses");
	assert_string_equal(field__nearest("sock_charge"), "sock_charges");
	assert_string_equal(field__nearest("miss_ration"), "miss_ratio");
	assert_string_equal(field__nearest("amplificaton"), "amplification");
	assert_non_null(field__find(field__nearest("")));
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_non_null(field__find(field__nearest(longer)));
}

/* Every counter is in some measure, or named here as one that is not shown. */
static void test_every_counter_is_used(void **state)
{
	static const int not_shown[] = {C_CONSUME_MISS, C_CHECKED, C_CHECK_DIFFER, C_HOLD_CHECKED,
					C_HOLD_DIFFER,
					/* what the time table takes off */
					C_TIMED_SOCK_NS, C_TIMED_REFILL_SOCK_NS,
					C_TIMED_REFILL_SURPLUS_NS, C_TIMED_WALK_REFILL_NS};

	(void)state;
	for (int c = 0; c < C_NR; c++) {
		uint64_t one[C_NR] = {};
		struct scope s = {.c = one, .in = IN_TOTAL, .hits_seen = c == C_CONSUME_HIT};
		bool used = false;

		for (size_t i = 0; i < sizeof(not_shown) / sizeof(not_shown[0]); i++)
			used = used || not_shown[i] == c;
		one[c] = 1;
		for (size_t i = 0; !used && i < nfields; i++)
			used = !fields[i].ratio && fields[i].in & IN_TOTAL &&
			       field__value(&fields[i], &s) > 0;
		if (!used)
			fail_msg("counter %d is in no measure", c);
	}
}

static void test_charge_side(void **state)
{
	(void)state;
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 100);
	count(CHARGE_AT(KIND_OBJ, LEVEL_TASK), 20);
	count(CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 15);
	count(CHARGE_AT(KIND_OTHER, LEVEL_TASK), 5);
	count(C_SOCK_INLINE_LEVEL + LEVEL_TASK, 40);
	count(C_SOCK_INLINE_LEVEL + LEVEL_SOFTIRQ, 20);
	count(C_CHARGE_PAGES + KIND_SOCK, 700);
	count(C_SOCK_INLINE_PAGES, 61);
	count(C_MISS_KIND + KIND_SOCK, 8);
	count(C_STOCK_MISS_KIND + KIND_SOCK, 1);
	count(C_MISS_KIND + KIND_FOLIO, 11);
	count(C_MISS_OVERSIZE, 9);
	count(C_STOCK_MISS_OVERSIZE, 1);
	count(C_MISS_SHORT_LATE, 1);
	count(C_MISS_SHORT_EMPTY, 2);
	count(C_STOCK_MISS_SHORT, 3);
	count(C_MISS_ABSENT, 1);
	count(C_MISS_LOCK_BUSY, 1);
	count(C_MISS_RACED, 1);
	build();
	assert_int_equal(number("charges"), 200);
	assert_int_equal(number("charge_pages"), 761);
	assert_int_equal(part("charge_kinds", "sock"), 160);
	assert_int_equal(part("charge_kinds", "other"), 5);
	assert_true(field__value(field__find("charge_kinds"), &m.total) == 200);
	assert_int_equal(number("misses"), 20);
	assert_int_equal(number("hits"), 180);
	assert_int_equal(part("miss_kinds", "sock"), 9);
	assert_int_equal(part("miss_kinds", "folio"), 11);
	assert_int_equal(part("miss_reasons", "oversize"), 10);
	assert_int_equal(part("miss_reasons", "short"), 6);
	assert_int_equal(part("miss_reasons", "unknown"), 1);
	assert_true(field__value(field__find("miss_reasons"), &m.total) == 20);
	assert_true(ratio("miss_ratio") == 0.1);
	assert_true(ratio("hit_ratio") == 0.9);
	/* 10 of the 190 that fit into a batch */
	assert_true(ratio("miss_ratio_small") == 10.0 / 190);
}

/* More was named, or missed, than there was: by losses and races. */
static void test_saturation(void **state)
{
	(void)state;
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 10);
	count(C_MISS_KIND + KIND_SOCK, 12);
	count(C_MISS_ABSENT, 13);
	build();
	assert_int_equal(number("hits"), 0);
	assert_true(ratio("miss_ratio") == 1.0);
	assert_true(ratio("hit_ratio") == 0.0);
	assert_int_equal(part("miss_reasons", "unknown"), 0);
}

static void test_uncharge_side(void **state)
{
	(void)state;
	count(C_SOCK_UNCHARGES, 1000);
	count(C_OBJ_UNCHARGES, 30);
	count(C_OBJ_DRAIN_UNCHARGES, 10);
	count(C_FOLIO_UNCHARGES, 7);
	count(C_OTHER_UNCHARGES, 3);
	count(C_REFILL + REFILL_MERGED, 500);
	count(C_SOCK_REFILL + REFILL_MERGED, 400);
	count(C_SOCK_REFILL + REFILL_DIRECT, 2);
	count(C_DRAIN_CAUSE + CAUSE_OVERFLOW, 5);
	count(C_DRAIN_CAUSE + CAUSE_FLUSH, 1);
	count(C_WALK_DRAIN_FLUSH, 2);
	count(C_WALK_DRAIN_HOTPLUG, 4);
	count(C_DRAINED_PAGES, 320);
	count(C_WALK_DRAINED_PAGES, 64);
	count(C_WALK_CAUSE + CAUSE_OVERFLOW, 40);
	count(C_WALK_CAUSE + CAUSE_UNBATCHED, 10);
	count(C_WALK_USER + USER_SOCK, 35);
	count(C_WALK_USER + USER_OBJ, 10);
	count(C_WALK_USER + USER_OTHER, 5);
	count(C_WALK_PAGES, 3200);
	build();
	assert_int_equal(number("uncharges"), 1050);
	assert_int_equal(part("uncharge_kinds", "obj"), 40);
	assert_int_equal(number("refills"), 902);
	assert_int_equal(part("refill_outcomes", "merged"), 900);
	assert_int_equal(part("refill_outcomes", "direct"), 2);
	assert_int_equal(number("drains"), 12);
	assert_int_equal(part("drain_causes", "flush"), 3);
	assert_int_equal(part("drain_causes", "hotplug"), 4);
	assert_int_equal(number("drained_pages"), 384);
	assert_int_equal(number("walks"), 50);
	assert_true(field__value(field__find("walk_users"), &m.total) == 50);
	assert_true(ratio("pages_per_walk") == 64);
	assert_true(ratio("amplification") == 0.035);
	assert_true(ratio("obj_amplification") == 0.25);
}

static void test_ratios_of_nothing(void **state)
{
	(void)state;
	build();
	for (size_t i = 0; i < nfields; i++)
		if (fields[i].ratio)
			assert_true(isnan(field__value(&fields[i], &m.total)));
	/* all charges are oversize: nothing is left to take the ratio of */
	count(CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 3);
	count(C_MISS_KIND + KIND_FOLIO, 3);
	count(C_MISS_OVERSIZE, 3);
	build();
	assert_true(ratio("miss_ratio") == 1);
	assert_true(isnan(ratio("miss_ratio_small")));
}

/* 1,000 charges of 64 pages, so that a batch not given back is 0.001. */
static void charge_batches(void)
{
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	count(C_CHARGE_PAGES + KIND_SOCK, 64000);
}

static void assert_expected(double want)
{
	double got;

	build();
	got = ratio("miss_ratio_expected");
	if (fabs(got - want) > 1e-9)
		fail_msg("miss_ratio_expected is %g, not %g", got, want);
}

static void test_expected_misses(void **state)
{
	(void)state;
	charge_batches();
	assert_expected(1);
	count(C_SOCK_UNCHARGE_PAGES, 32000);
	assert_expected(0.5);
	count(C_OBJ_UNCHARGE_PAGES, 320);
	count(C_OBJ_DRAIN_UNCHARGE_PAGES, 320);
	assert_expected(0.49);
	count(C_FOLIO_UNCHARGE_PAGES, 640);
	assert_expected(0.48);
	assert_int_equal(number("uncharge_pages"), 33280);
	/* how often is no matter, nor what was walked or drained */
	count(C_OBJ_UNCHARGES, 320);
	count(C_WALK_CAUSE + CAUSE_UNBATCHED, 64);
	count(C_WALK_PAGES, 960 + 640);
	count(C_DRAINED_PAGES, 960);
	assert_expected(0.48);
	/* more given back than charged */
	count(C_SOCK_UNCHARGE_PAGES, 64000);
	assert_expected(0);
	/* more than one batch a charge is still one miss */
	count(C_CHARGE_PAGES + KIND_FOLIO, 1000000);
	assert_expected(1);
	w.end->stock.batch = 0;
	build();
	assert_true(isnan(ratio("miss_ratio_expected")));
}

/* With cgroup v1 sockets give back past the stock what they charged past it. */
static void test_expected_misses_without_sockets(void **state)
{
	(void)state;
	w.end->host.cgroup = CGROUP_V1;
	count(CHARGE_AT(KIND_OBJ, LEVEL_TASK), 1000);
	count(C_CHARGE_PAGES + KIND_OBJ, 6400);
	count(C_SOCK_UNCHARGE_PAGES, 6400);
	assert_expected(0.1);
	/* a cgroup that only gives back is no such thing */
	w.end->host.cgroup = CGROUP_V2;
	assert_expected(0);
}

/* The same where each uncharge walks. */
static void test_expected_misses_per_counter(void **state)
{
	(void)state;
	w.end->stock.design = DESIGN_PER_COUNTER;
	charge_batches();
	count(C_SOCK_UNCHARGE_PAGES, 32000);
	count(C_WALK_CAUSE + CAUSE_UNBATCHED, 32000);
	count(C_WALK_PAGES, 32000);
	assert_expected(0.5);
}

static void test_sockets_and_statistics(void **state)
{
	(void)state;
	count(C_SOCK_FAILED + LEVEL_TASK, 3);
	count(C_SOCK_FAILED + LEVEL_SOFTIRQ, 4);
	count(C_STAT + STAT_SOCK, 10);
	count(C_STAT + STAT_ZSWAP, 2);
	count(C_RSTAT_UPDATES, 12);
	w.end->rows[1].pressure_sets = 5;
	w.end->rows[1].pressure_ns = 3000000000;
	build();
	assert_int_equal(number("sock_failures"), 7);
	assert_int_equal(part("sock_failure_contexts", "softirq"), 4);
	assert_int_equal(part("stat_updates", "sock"), number("sock_stat_updates"));
	assert_true(field__value(field__find("stat_updates"), &m.total) == 12);
	assert_int_equal(number("rstat_updates"), 12);
	assert_int_equal(number("pressure_sets"), 5);
	assert_int_equal(number("pressure_ns"), 3000000000);
}

static void test_drains_of_all(void **state)
{
	(void)state;
	build();
	assert_true(isnan(ratio("drain_innocent_ratio")));
	count(C_DRAIN_ALL_CALLS, 10);
	count(C_DRAIN_ALL_SKIPPED, 4);
	count(C_FLUSH_CPUS, 25);
	count(C_FLUSH_PAGES, 800);
	count(C_FLUSH_INNOCENT_PAGES, 600);
	build();
	assert_int_equal(number("drain_all_calls"), 10);
	assert_int_equal(number("drain_all_skipped"), 4);
	assert_int_equal(number("drain_all_cpus"), 25);
	assert_int_equal(number("drain_flush_pages"), 800);
	assert_int_equal(number("drain_innocent_pages"), 600);
	assert_true(ratio("drain_innocent_ratio") == 0.75);
}

static void test_memcgs_of_a_cpu(void **state)
{
	(void)state;
	count(CHARGE_AT(KIND_OBJ, LEVEL_TASK), 9);
	build();
	assert_true(field__value(field__find("memcgs"), &m.cpus[0].scope) == 1);
	assert_true(isnan(field__value(field__find("memcgs"), &m.total)));
	assert_measured("memcgs");
	free(w.end->rows[1].cpu_charges);
	w.end->rows[1].cpu_charges = NULL;
	build();
	assert_null_because("memcgs", REASON_ABSENT, true);
}

static void test_names(void **state)
{
	struct probe p = {.state = PROBE_ATTACHED};

	(void)state;
	for (int i = 0; i < REASON_NR; i++)
		assert_non_null(reason__name(i));
	for (int i = 0; i < DESIGN_NR; i++)
		assert_non_null(design__name(i));
	assert_string_equal(design__name(DESIGN_MULTI_SLOT_SOCK), "multi-slot+sock");
	assert_string_equal(reason__name(REASON_NOT_RT), "not_rt");
	assert_string_equal(cgroup_mode__name(CGROUP_HYBRID), "hybrid");
	assert_string_equal(probe_state__name(&p), "attached");
	p.state = PROBE_NOT_NEEDED;
	assert_string_equal(probe_state__name(&p), "not_needed");
	p.state = PROBE_MISSING;
	p.reason = REASON_NOT_TRACEABLE;
	assert_string_equal(probe_state__name(&p), "not_traceable");
	assert_string_equal(grade__name(GRADE_UNTRUSTED), "untrusted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_every_counter_is_used),
		cmocka_unit_test(test_names),
		WITH_SAMPLE(test_charge_side),
		WITH_SAMPLE(test_saturation),
		WITH_SAMPLE(test_uncharge_side),
		WITH_SAMPLE(test_ratios_of_nothing),
		WITH_SAMPLE(test_expected_misses),
		WITH_SAMPLE(test_expected_misses_without_sockets),
		WITH_SAMPLE(test_expected_misses_per_counter),
		WITH_SAMPLE(test_sockets_and_statistics),
		WITH_SAMPLE(test_drains_of_all),
		WITH_SAMPLE(test_memcgs_of_a_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
