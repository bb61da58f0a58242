// SPDX-License-Identifier: GPL-2.0-only
// links: compare/*.c model/*.c sample/sample.c sample/store_names.c
/* Two sides row by row: what is a difference, what is none, and what does not compare. */
#include "compare_fixture.h"

#include <errno.h>

static void test_measures(void **state)
{
	size_t n;
	const struct measure *list = measures__all(&n);

	(void)state;
	assert_true(n < MEASURES_MAX);
	for (size_t i = 0; i < n; i++) {
		if (list[i].topic == TOPIC_OTHER)
			fail_msg("%s has no topic: compare/measures.c", list[i].key);
		assert_int_equal(measures__find(list[i].key), i);
	}
	/* each number of a total, by itself or by its parts */
	for (size_t i = 0; i < nfields; i++) {
		bool found = !(fields[i].in & IN_TOTAL);

		for (size_t j = 0; j < n && !found; j++)
			found = list[j].field == &fields[i];
		if (!found)
			fail_msg("%s is not compared", fields[i].key);
	}
	assert_int_equal(measures__find("nothing"), -1);
}

static void test_rows(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c;
	struct compared row;

	(void)state;
	set(&b, "charges", 20000, 0.02);
	set(&a, "evictions/charges", 0, 0);
	set(&a, "failed", 0, 0);
	set(&b, "failed", 0, 0);
	c = compared_by(&a, &b, NULL);
	row = row_of(&c, "charges");
	assert_int_equal(row.difference, DIFFERS);
	assert_true(row.p > 0.0079 && row.p < 0.008);
	assert_true(row.ratio > 1.9 && row.ratio < 2.1);
	/* a second's */
	assert_true(row.a.median > 9700 && row.a.median < 10300 && row.a.n == 5);
	assert_true(row.a.spread > 0 && row.a.spread < 0.05);
	assert_int_equal(row_of(&c, "walk_ns").difference, DIFFERS_NOT);
	row = row_of(&c, "evictions/charges");
	assert_int_equal(row.difference, DIFFERS);
	assert_true(isinf(row.ratio));
	assert_int_equal(row_of(&c, "failed").difference, DIFFERS_NOT);
	assert_int_equal(row_of(&c, "hits").difference, DIFFERS_NOWHERE);
	assert_true(c.exact && !c.too_few && !c.within && !c.between_kernels);
	assert_null(c.differs[0]);
	comparison__release(&c);
	release(&a);
	release(&b);
}

/* What differs in each run, but by less than a hundredth, is no news. */
static void test_least(void **state)
{
	struct side a = usual("a", 6), b = usual("b", 6);
	struct comparison c;

	(void)state;
	set(&a, "charges", 10000, 0);
	set(&b, "charges", 10099, 0);
	set(&a, "walks", 10000, 0);
	set(&b, "walks", 10101, 0);
	c = compared_by(&a, &b, NULL);
	assert_true(row_of(&c, "charges").p < 0.05);
	assert_int_equal(row_of(&c, "charges").difference, DIFFERS_NOT);
	assert_int_equal(row_of(&c, "walks").difference, DIFFERS);
	comparison__release(&c);
	release(&a);
	release(&b);
}

/* What hooks missed may be all the difference there is; of times it is not. */
static void test_missed(void **state)
{
	struct side a = usual("a", 6), b = usual("b", 6);
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		b.runs[i].missed_ratio = i < 2 ? 0.2 : 0.03;
	set(&a, "charges", 10000, 0);
	set(&b, "charges", 9710, 0);
	set(&a, "walks", 10000, 0);
	set(&b, "walks", 9690, 0);
	set(&a, "walk_ns", 1000, 0);
	set(&b, "walk_ns", 1020, 0);
	c = compared_by(&a, &b, NULL);
	assert_true(c.least == 0.03);
	assert_int_equal(row_of(&c, "charges").difference, DIFFERS_NOT);
	assert_int_equal(row_of(&c, "walks").difference, DIFFERS);
	assert_int_equal(row_of(&c, "walk_ns").difference, DIFFERS);
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void check_few(size_t na, size_t nb, bool too_few, enum sureness sureness)
{
	struct side a = usual("a", na), b = usual("b", nb);
	struct comparison c;

	set(&b, "miss_ratio", 0.5, 0.02);
	set(&b, "walk_ns", 320, 0);
	c = compared_by(&a, &b, NULL);
	assert_int_equal(c.too_few, too_few);
	assert_int_equal(row_of(&c, "miss_ratio").difference, too_few ? DIFFERS_UNTESTED : DIFFERS);
	/* within 10 %: nothing is said of one run */
	if (too_few)
		assert_int_equal(row_of(&c, "walk_ns").difference, DIFFERS_NOT);
	assert_int_equal(c.verdict.sureness, sureness);
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void test_few(void **state)
{
	(void)state;
	check_few(1, 1, true, SURE_IF_REPEATED);
	check_few(3, 3, true, SURE_IF_REPEATED);
	check_few(1, 30, true, SURE_IF_REPEATED);
	check_few(4, 4, false, SURE);
	check_few(3, 5, false, SURE);
	check_few(5, 5, false, SURE);
	check_few(40, 40, false, SURE);
}

/* A run that has no value is not counted, and a row with too few of them is not tested. */
static void test_missing(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c;
	struct compared row;

	(void)state;
	set(&b, "walk_ns", 900, 0.01);
	set(&b, "charge_ns", 900, 0.01);
	a.runs[0].values[at_key("walk_ns")] = NAN;
	b.runs[2].values[at_key("charge_ns")] = NAN;
	b.runs[3].values[at_key("charge_ns")] = NAN;
	b.runs[4].values[at_key("charge_ns")] = NAN;
	unset(&b, "walks", REASON_NOT_TRACEABLE, "page_counter_uncharge cannot be traced");
	c = compared_by(&a, &b, NULL);
	row = row_of(&c, "walk_ns");
	assert_int_equal(row.a.n, 4);
	assert_int_equal(row.b.n, 5);
	assert_int_equal(row.difference, DIFFERS);
	assert_int_equal(row_of(&c, "charge_ns").difference, DIFFERS_UNTESTED);
	row = row_of(&c, "walks");
	assert_int_equal(row.difference, DIFFERS_ONE_SIDE);
	assert_true(isnan(row.ratio) && isnan(row.p) && row.b.unmeasured);
	assert_string_equal(row.b.why, "page_counter_uncharge cannot be traced");
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void test_repeats(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	const size_t from = at_key("charges"), to = at_key("sock_charges");
	struct comparison c;

	(void)state;
	set(&b, "charges", 20000, 0.02);
	for (size_t i = 0; i < 5; i++) {
		a.runs[i].values[to] = a.runs[i].values[from];
		b.runs[i].values[to] = b.runs[i].values[from];
	}
	c = compared_by(&a, &b, NULL);
	assert_false(row_of(&c, "charges").repeats);
	assert_true(row_of(&c, "sock_charges").repeats);
	assert_int_equal(c.nrepeats, 1);
	comparison__release(&c);
	/* to a hundredth */
	b.runs[4].values[to] *= 1.009;
	c = compared_by(&a, &b, NULL);
	assert_true(row_of(&c, "sock_charges").repeats);
	comparison__release(&c);
	b.runs[4].values[to] *= 1.009;
	c = compared_by(&a, &b, NULL);
	assert_false(row_of(&c, "sock_charges").repeats);
	comparison__release(&c);
	/* what the verdict tests stays, wherever it stands */
	set(&b, "miss_ratio", 0.3, 0.02);
	for (size_t i = 0; i < 5; i++) {
		a.runs[i].values[at_key("evictions/charges")] =
			a.runs[i].values[at_key("miss_ratio")];
		b.runs[i].values[at_key("evictions/charges")] =
			b.runs[i].values[at_key("miss_ratio")];
		a.runs[i].values[at_key("hit_ratio")] = a.runs[i].values[at_key("miss_ratio")];
		b.runs[i].values[at_key("hit_ratio")] = b.runs[i].values[at_key("miss_ratio")];
	}
	c = compared_by(&a, &b, NULL);
	assert_false(row_of(&c, "miss_ratio").repeats);
	assert_true(row_of(&c, "evictions/charges").repeats);
	assert_true(row_of(&c, "hit_ratio").repeats);
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void check_refused(const struct side *a, const struct side *b, const char *words)
{
	const struct per per = {.what = PER_SECOND};
	struct comparison c;
	char err[400] = "";

	assert_int_equal(comparison__init(&c, a, b, &per, err, sizeof(err)), -EINVAL);
	if (!strstr(err, words))
		fail_msg("\"%s\" is not about \"%s\"", err, words);
	comparison__release(&c);
}

static void test_refused(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c;

	(void)state;
	b.runs[3].host.page_size = 65536;
	check_refused(&a, &b, "a/1 and b/4 do not compare: the size of a page differs");
	check_refused(&b, &a, "the size of a page");
	b.runs[3].host.page_size = 4096;
	b.runs[0].host.cgroup = CGROUP_V1;
	check_refused(&a, &b, "the version of cgroups");
	b.runs[0].host.cgroup = CGROUP_V2;
	a.runs[1].asked.sample_every = 64;
	check_refused(&a, &b, "a/1 and a/2 do not compare: --sample");
	/* times that were not taken are no other times; a kernel is never refused */
	a.runs[1].asked.sample_every = 8;
	for (size_t i = 0; i < 5; i++)
		b.runs[i].asked.sample_every = 0;
	strcpy(b.runs[1].host.kernel, "6.1");
	c = compared_by(&a, &b, NULL);
	assert_string_equal(c.differs[0], "kernel (not one within B)");
	assert_string_equal(c.differs[1], "times (1/8, --no-time)");
	assert_null(c.differs[2]);
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void test_differs(void **state)
{
	struct side a = usual("a", 5), b = side_of("b", 5, "6.12", DESIGN_SINGLE_SLOT, 1);
	struct comparison c;
	char all[600] = "";

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		b.runs[i].host.cpus_online = 2;
		b.runs[i].host.emulated = true;
		b.runs[i].asked.drains = true;
		b.runs[i].interval_ns = 1000000000;
		b.runs[i].seconds = 20;
		b.runs[i].command = strdup("netperf");
	}
	c = compared_by(&a, &b, NULL);
	for (size_t i = 0; c.differs[i]; i++) {
		strcat(all, c.differs[i]);
		strcat(all, "; ");
	}
	assert_string_equal(all, "kernel; design (multi-slot, single-slot); slots (7, 1); "
				 "CPUs (224, 2); CPU (real, emulated); probes (the usual, "
				 "--drains); interval (none, 1 s); command; "
				 "duration (10 s, 20 s); ");
	assert_true(c.between_kernels);
	comparison__release(&c);
	release(&a);
	release(&b);
}

/* Which of the two a miss is depends on the kernel: then the sum alone compares. */
static void test_between_kernels(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c = compared_by(&a, &b, NULL);

	(void)state;
	assert_non_null(comparison__row(&c, "miss_reasons.absent"));
	assert_non_null(comparison__row(&c, "miss_reasons.short"));
	assert_null(comparison__row(&c, "miss_reasons.absent+short"));
	comparison__release(&c);
	for (size_t i = 0; i < 5; i++)
		strcpy(b.runs[i].host.kernel, "6.1");
	c = compared_by(&a, &b, NULL);
	assert_null(comparison__row(&c, "miss_reasons.absent"));
	assert_null(comparison__row(&c, "miss_reasons.short"));
	assert_non_null(comparison__row(&c, "miss_reasons.absent+short"));
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void test_marks(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c;

	(void)state;
	strcpy(a.runs[0].probes[PROG_DRAIN_ALL].function, "drain_all_stock.part.0");
	strcpy(b.runs[0].probes[PROG_DRAIN_ALL].function, "drain_all_stock.part.1");
	strcpy(a.runs[0].probes[PROG_SOCK_UNCHARGE].function, "mem_cgroup_uncharge_skmem");
	strcpy(b.runs[0].probes[PROG_SOCK_UNCHARGE].function, "mem_cgroup_sk_uncharge");
	a.runs[0].bounds[at_key("lock_hold_ns")] = "lower_bound";
	b.runs[0].bounds[at_key("lock_hold_ns")] = "upper_bound";
	c = compared_by(&a, &b, NULL);
	assert_true(row_of(&c, "amplification").marked);
	assert_true(row_of(&c, "lock_hold_ns").marked);
	assert_true(isnan(row_of(&c, "lock_hold_ns").adjusted));
	assert_false(row_of(&c, "walk_ns").marked);
	assert_false(row_of(&c, "drain_all_calls").marked);
	assert_string_equal(c.mark, "mem_cgroup_uncharge_skmem is mem_cgroup_sk_uncharge, "
				    "lock_hold_ns is lower and upper bound");
	comparison__release(&c);
	/* another way to see hits marks what is made of them */
	free(b.runs[0].hit_source);
	b.runs[0].hit_source = strdup("consume_stock");
	c = compared_by(&a, &b, NULL);
	assert_true(row_of(&c, "miss_ratio").marked);
	assert_false(row_of(&c, "walk_ns").marked);
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void check_per(const char *key, const char *words)
{
	struct per per;
	char err[400] = "";

	assert_int_equal(per__parse(&per, key, err, sizeof(err)), -EINVAL);
	if (!strstr(err, words))
		fail_msg("\"%s\" is not about \"%s\"", err, words);
}

static void test_per(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c;
	struct per per;
	char err[400];

	(void)state;
	check_per("mises", "is 'misses' meant?");
	check_per("miss_ratio", "'miss_ratio' is not");
	check_per("walk_ns", "'walk_ns' is not");
	check_per("metrics.", "no measure");
	c = compared_by(&a, &b, "charges");
	assert_null(comparison__row(&c, "charges"));
	/* the quotient is there, and says it */
	assert_null(comparison__row(&c, "evictions"));
	assert_true(fabs(row_of(&c, "misses").a.median - 0.01) < 0.001);
	comparison__release(&c);

	assert_int_equal(per__parse(&per, "work", err, sizeof(err)), 0);
	assert_int_equal(comparison__init(&c, &a, &b, &per, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "a/1 tells no work"));
	comparison__release(&c);

	/* a rate says so by its name; the first is meant */
	tell(&a, "metrics.trans/s", 5000, 0, false, true);
	tell(&b, "metrics.trans/s", 2500, 0, false, true);
	tell(&a, "metrics.rounds", 100, 0, false, true);
	tell(&b, "metrics.rounds", 100, 0, false, true);
	tell(&a, "user_s", 5, 0, true, false);
	tell(&b, "user_s", 5, 0, true, false);
	c = compared_by(&a, &b, "work");
	assert_true(fabs(row_of(&c, "charges").a.median - 2) < 0.05);
	assert_true(fabs(row_of(&c, "charges").b.median - 4) < 0.1);
	assert_true(row_of(&c, "metrics.trans/s").b.median == 2500);
	assert_true(row_of(&c, "user_s").a.median == 5.0 / 50000);
	/* CMD's stand first, and its charges are tested: the same work charges more */
	assert_int_equal(c.rows[0].topic, TOPIC_WORK);
	assert_int_equal(c.verdict.measures, 6);
	assert_string_equal(c.verdict.rules[0]->name, "more_charges");
	comparison__release(&c);
	c = compared_by(&a, &b, "metrics.rounds");
	assert_true(fabs(row_of(&c, "charges").a.median - 1000) < 25);
	comparison__release(&c);
	release(&a);
	release(&b);
}

static void test_untrusted(void **state)
{
	struct side a = usual("a", 5), b = usual("b", 5);
	struct comparison c;

	(void)state;
	set(&b, "miss_ratio", 0.5, 0.02);
	b.runs[4].grade = GRADE_UNTRUSTED;
	c = compared_by(&a, &b, NULL);
	assert_true(c.verdict.untrusted);
	assert_int_equal(c.verdict.n, 0);
	comparison__release(&c);
	/* of intervals one is not the whole run */
	a.within = b.within = true;
	c = compared_by(&a, &b, NULL);
	assert_false(c.verdict.untrusted);
	assert_int_equal(c.verdict.n, 1);
	comparison__release(&c);
	release(&a);
	release(&b);
}

#define PAIRS 1000

/*
 * The same twice: in less than 5 % of the pairs of sides a given row is said to
 * have changed (five a side: 3.2 % can have p < 0.05). The pairs are always the same.
 */
static void test_same_twice(void **state)
{
	size_t alarms[MEASURES_MAX] = {}, verdicts = 0, n;
	const struct measure *list = measures__all(&n);

	(void)state;
	seed = 2026;
	for (size_t i = 0; i < PAIRS; i++) {
		struct side a = usual("a", 5), b = usual("b", 5);
		struct comparison c = compared_by(&a, &b, NULL);

		for (size_t j = 0; j < c.nrows; j++)
			alarms[c.rows[j].measure - list] += c.rows[j].difference == DIFFERS;
		verdicts += c.verdict.n;
		comparison__release(&c);
		release(&a);
		release(&b);
	}
	for (size_t j = 0; j < n; j++)
		if (alarms[j] * 20 >= PAIRS)
			fail_msg("%s: %zu of %d pairs", list[j].key, alarms[j], PAIRS);
	assert_true(verdicts * 20 < PAIRS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_measures),  cmocka_unit_test(test_rows),
		cmocka_unit_test(test_least),	  cmocka_unit_test(test_missed),
		cmocka_unit_test(test_few),	  cmocka_unit_test(test_missing),
		cmocka_unit_test(test_repeats),	  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_differs),	  cmocka_unit_test(test_between_kernels),
		cmocka_unit_test(test_marks),	  cmocka_unit_test(test_per),
		cmocka_unit_test(test_untrusted), cmocka_unit_test(test_same_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
