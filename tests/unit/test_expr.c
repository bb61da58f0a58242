// SPDX-License-Identifier: GPL-2.0-only
// links: gate/expr.c error.c model/*.c sample/sample.c
/* The language of a gate's conditions: what is taken, as what, and what is said of the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gate/expr.h"

static struct expr x;

static int teardown(void **state)
{
	(void)state;
	expr__release(&x);
	return 0;
}

static void parse(const char *text)
{
	struct error e = {};

	expr__release(&x);
	if (expr__parse(&x, text, &e))
		fail_msg("%s", e.text);
}

/* It is refused, with these words and the column. */
static void refused(const char *text, size_t column, const char *words)
{
	char place[32];
	struct error e = {};

	expr__release(&x);
	if (!expr__parse(&x, text, &e))
		fail_msg("'%s' was taken", text);
	assert_int_equal(e.status, STATUS_USAGE);
	snprintf(place, sizeof(place), "', column %zu: ", column);
	if (!strstr(e.text, place) || !strstr(e.text, words))
		fail_msg("'%s': not '%s%s' but: %s", text, place, words, e.text);
	assert_null(x.text);
}

static void is(const char *key, const char *part, enum expr_unit unit, enum expr_op op,
	       double limit)
{
	assert_string_equal(x.a.field->key, key);
	if (part)
		assert_string_equal(x.a.part->name, part);
	else
		assert_null(x.a.part);
	assert_int_equal(x.unit, unit);
	assert_int_equal(x.op, op);
	if (fabs(x.limit.value - limit) > 1e-9 * fabs(limit))
		fail_msg("%s: the limit is %g, not %g", x.text, x.limit.value, limit);
}

static void test_measures(void **state)
{
	(void)state;
	parse("  miss_ratio>2% ");
	is("miss_ratio", NULL, EXPR_RATIO, OP_GT, 0.02);
	assert_string_equal(x.text, "miss_ratio>2%");
	assert_int_equal(x.in, IN_TOTAL);
	assert_int_equal(x.pick, PICK_TOTAL);
	assert_int_equal(x.limit.kind, LIMIT_FIXED);
	assert_true(x.share && !x.rate && !x.quotient && !expr__is_relative(&x));
	parse("miss_ratio >= 0.02");
	is("miss_ratio", NULL, EXPR_RATIO, OP_GE, 0.02);
	parse("hit_ratio < 1");
	is("hit_ratio", NULL, EXPR_RATIO, OP_LT, 1);
	parse("amplification > 150%");
	is("amplification", NULL, EXPR_RATIO, OP_GT, 1.5);
	parse("evictions != 0");
	is("evictions", NULL, EXPR_COUNT, OP_NE, 0);
	parse("evictions/s == 10k");
	is("evictions", NULL, EXPR_RATE, OP_EQ, 10000);
	assert_true(x.rate);
	parse("charge_kinds.sock / s <= 1.5M");
	is("charge_kinds", "sock", EXPR_RATE, OP_LE, 1.5e6);
	parse("walks_under_lock/charges > 1%");
	is("walks_under_lock", NULL, EXPR_RATIO, OP_GT, 0.01);
	assert_true(x.quotient && !x.share);
	assert_string_equal(x.b.field->key, "charges");
	parse("miss_kinds.sock/charge_kinds.sock > 0.5%");
	assert_string_equal(x.b.part->name, "sock");
	is("miss_kinds", "sock", EXPR_RATIO, OP_GT, 0.005);
	parse("sock_miss_ratio > 0.5%");
	is("miss_kinds", "sock", EXPR_RATIO, OP_GT, 0.005);
	assert_true(x.share && x.quotient);
	parse("walk_pages/walks < 32");
	is("walk_pages", NULL, EXPR_PLAIN, OP_LT, 32);
	parse("pages_per_walk < 32");
	is("pages_per_walk", NULL, EXPR_COUNT, OP_LT, 32);
	parse("pressure_ns > 0");
	is("pressure_ns", NULL, EXPR_NS, OP_GT, 0);
}

static void test_times(void **state)
{
	static const struct {
		const char *name;
		enum expr_stat stat;
	} all[] = {{"p50", STAT_P50},
		   {"p90", STAT_P90},
		   {"p99", STAT_P99},
		   {"max", STAT_MAX},
		   {"mean", STAT_MEAN}};
	char text[64];

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		snprintf(text, sizeof(text), "%s( lock_hold_ns ) > 20us", all[i].name);
		parse(text);
		is("lock_hold_ns", NULL, EXPR_NS, OP_GT, 20000);
		assert_int_equal(x.a.stat, all[i].stat);
		assert_int_equal(x.pick, PICK_TOTAL);
	}
	parse("p99(walk_ns) > 1.5ms");
	is("walk_ns", NULL, EXPR_NS, OP_GT, 1.5e6);
	parse("max(walk_ns) > 2s");
	is("walk_ns", NULL, EXPR_NS, OP_GT, 2e9);
}

static void test_scopes(void **state)
{
	(void)state;
	parse("max(cgroup:/web*, evictions/s) > 10");
	is("evictions", NULL, EXPR_RATE, OP_GT, 10);
	assert_int_equal(x.pick, PICK_MAX);
	assert_int_equal(x.in, IN_CGROUP);
	assert_string_equal(x.glob, "/web*");
	parse("min( cgroup:\"/a,b )*\" , max(lock_hold_ns)) > 10us");
	is("lock_hold_ns", NULL, EXPR_NS, OP_GT, 10000);
	assert_int_equal(x.a.stat, STAT_MAX);
	assert_int_equal(x.pick, PICK_MIN);
	assert_string_equal(x.glob, "/a,b )*");
	parse("sum(cgroup:/web, miss_kinds.sock/charge_kinds.sock) > 2%");
	assert_int_equal(x.pick, PICK_SUM);
	parse("max(cgroup:*, usage_bytes) > 1GiB");
	is("usage_bytes", NULL, EXPR_BYTES, OP_GT, 1073741824.0);
	parse("max(cpu, sock_miss_ratio) > 2%");
	assert_int_equal(x.in, IN_CPU);
	/* one suffices: the largest above, the smallest below */
	parse("any(cpu, miss_ratio) > 2%");
	assert_int_equal(x.pick, PICK_MAX);
	parse("any(cpu, hit_ratio) <= 98%");
	assert_int_equal(x.pick, PICK_MIN);
}

static void test_relative(void **state)
{
	(void)state;
	parse("miss_ratio > +10%");
	is("miss_ratio", NULL, EXPR_RATIO, OP_GT, 0.1);
	assert_int_equal(x.limit.kind, LIMIT_PERCENT);
	assert_true(expr__is_relative(&x));
	parse("hit_ratio < -1pp");
	is("hit_ratio", NULL, EXPR_RATIO, OP_LT, -0.01);
	assert_int_equal(x.limit.kind, LIMIT_ADD);
	parse("p99(walk_ns) > +200%");
	is("walk_ns", NULL, EXPR_NS, OP_GT, 2);
	assert_int_equal(x.limit.kind, LIMIT_PERCENT);
	parse("p99(walk_ns) > + 5us");
	is("walk_ns", NULL, EXPR_NS, OP_GT, 5000);
	assert_int_equal(x.limit.kind, LIMIT_ADD);
	parse("evictions > +100");
	assert_int_equal(x.limit.kind, LIMIT_ADD);
}

static void test_metrics(void **state)
{
	(void)state;
	parse("metric:trans_per_s < 1000");
	assert_null(x.a.field);
	assert_string_equal(x.a.metric, "trans_per_s");
	assert_int_equal(x.unit, EXPR_PLAIN);
	parse("metric:t < -10%");
	assert_int_equal(x.limit.kind, LIMIT_PERCENT);
	assert_true(x.limit.value == -0.1);
	/* below 0, and not 5 below a baseline */
	parse("metric:t < -5");
	assert_int_equal(x.limit.kind, LIMIT_FIXED);
	assert_true(x.limit.value == -5);
	parse("charges/metric:t > 4.5");
	assert_true(x.quotient);
	assert_string_equal(x.b.metric, "t");
	assert_int_equal(x.unit, EXPR_PLAIN);
	assert_true(metric__is_name("a_1", 3) && !metric__is_name("1a", 2) &&
		    !metric__is_name("", 0) && !metric__is_name("a b", 3));
}

static void test_names_refused(void **state)
{
	(void)state;
	refused("miss_ration > 2%", 1, "'miss_ration'; is 'miss_ratio' meant?");
	refused("sock_missratio > 2%", 1, "is 'sock_miss_ratio' meant?");
	refused("charges/chargse > 2%", 9, "is 'charges' meant?");
	refused("max(cgroup:*, evicted_page/s) > 2", 15, "is 'evicted_pages' meant?");
	refused("p99(walk_n) > 2us", 5, "is 'walk_ns' meant?");
	refused("p99(walks) > 2us", 5, "no histogram");
	refused("p95(walk_ns) > 2us", 1, "there is no p95()");
	refused("walk_ns > 2us", 1, "a histogram: say p50");
	refused("miss_kinds > 5", 1,
		"is a split: name one of its parts, miss_kinds.sock, miss_kinds.obj");
	refused("miss_kinds.socks > 5", 12, "has no part 'socks'");
	refused("misses.sock > 5", 7, "is no split");
	refused("miss_kinds. > 5", 13, "is missing");
	refused("metric:9 > 5", 8, "needs the NAME");
	refused("metric: > 5", 8, "needs the NAME");
	refused("metric:a_name_that_is_much_longer_than_it_may_be > 5", 8, "needs the NAME");
	refused("a_name_that_is_much_longer_than_any_that_a_measure_of_this_program_has > 5", 1,
		"as long as that");
}

static void test_scopes_refused(void **state)
{
	(void)state;
	refused("usage_bytes > 1GiB", 1,
		"the total has no usage_bytes; try max(cgroup:*, usage_bytes)");
	refused("memcgs > 7", 1, "try max(cpu, memcgs)");
	refused("max(cpu, pressure_sets) > 1", 10, "a CPU has no pressure_sets");
	refused("sum(cgroup:*, usage_updates) > 1", 15, "cannot be added up");
	refused("sum(cpu, charges) > 1", 5, "is the total");
	refused("max(cgroup:*, metric:x) > 1", 22, "of the whole run");
	refused("max(cgroup:, charges) > 1", 12, "needs a glob");
	refused("max(cgroup:/a charges) > 1", 12, "',' is missing behind the glob");
	refused("max(cgroup:\"/a, charges) > 1", 12, "is not closed");
	refused("max(cpu charges) > 1", 9, "',' is missing");
	refused("max(cpu, charges > 1", 18, "')' is missing");
	refused("max(charges) > 1", 5, "no histogram");
	refused("sum(charges) > 1", 5, "sum() is of cgroup:GLOB or cpu");
	refused("any(cpu, charges) == 1", 19, "any() goes with");
}

static void test_limits_refused(void **state)
{
	(void)state;
	refused("miss_ratio > 2", 14, "is 2% meant?");
	refused("sock_miss_ratio > 1.5", 19, "is 1.5% meant?");
	refused("walks/charges > 2", 17, "is 2% meant?");
	refused("amplification > 2", 17, "is 2% meant?");
	refused("miss_ratio > 200%", 14, "never above 100%");
	refused("miss_ratio > 2pp", 14, "+1pp");
	refused("miss_ratio > +2", 15, "+10% or +1pp");
	refused("miss_ratio > 2us", 15, "no unit 'us' here: %");
	refused("charges > 2%", 11, "a percentage is of a ratio");
	refused("charges > +2pp", 13, "no unit 'pp'");
	refused("p99(walk_ns) > 20", 16, "needs a unit");
	refused("p99(walk_ns) > +20", 17, "needs a unit");
	refused("p99(walk_ns) > 20usec", 18, "no unit 'usec'");
	refused("p99(walk_ns)/s > 20", 1, "no rate");
	refused("miss_ratio/s > 20%", 1, "no rate");
	refused("stranded_pages/s > 20", 1, "no rate");
	refused("miss_ratio/charges > 2%", 1, "only counts");
	refused("charges/miss_ratio > 2%", 9, "only counts");
	refused("charges > 0x10", 12, "no unit 'x10'");
	refused("charges > 1.", 11, "a number is missing");
	refused("charges > .5", 11, "a number is missing");
	refused("charges > nan", 11, "a number is missing");
	refused("charges > 1000000000000000000000000000000000", 11, "is no limit");
	refused("charges > ", 10, "a number is missing");
	refused("charges 5", 9, "is missing");
	refused("charges = 5", 9, "one of > >= < <= == !=");
	refused("charges", 8, "one of > >= < <= == !=");
	refused("charges > 5 6", 13, "is too much");
	refused("charges > 5 && walks > 6", 13, "is too much");
	refused("", 1, "is empty");
	refused(" \t ", 1, "is empty");
	refused("> 5", 1, "a measure is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_measures, teardown),
		cmocka_unit_test_teardown(test_times, teardown),
		cmocka_unit_test_teardown(test_scopes, teardown),
		cmocka_unit_test_teardown(test_relative, teardown),
		cmocka_unit_test_teardown(test_metrics, teardown),
		cmocka_unit_test(test_names_refused),
		cmocka_unit_test(test_scopes_refused),
		cmocka_unit_test(test_limits_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
