// SPDX-License-Identifier: GPL-2.0-only
// links: compare/*.c model/*.c sample/sample.c sample/store_names.c
/* Each rule of compare's verdict, on both sides of what it needs. */
#include "compare_fixture.h"

static struct side a, b;

static int setup(void **state)
{
	(void)state;
	seed = 7;
	a = usual("a", 5);
	b = usual("b", 5);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	release(&a);
	release(&b);
	return 0;
}

/* The rules that hold, a blank between them. */
static void assert_found(const char *per, const char *names)
{
	struct comparison c = compared_by(&a, &b, per);
	char got[400] = "";

	for (size_t i = 0; i < c.verdict.n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? " " : "",
			 c.verdict.rules[i]->name);
	assert_string_equal(got, names);
	comparison__release(&c);
}

static void slots(struct side *s, enum design design, uint32_t n)
{
	for (size_t i = 0; i < s->n; i++) {
		s->runs[i].stock.design = design;
		s->runs[i].stock.slots = n;
	}
}

static void test_nothing(void **state)
{
	(void)state;
	assert_found(NULL, "");
}

static void test_bypass(void **state)
{
	(void)state;
	set(&b, "walks/uncharges", 1, 0);
	set(&b, "amplification", 0.49, 0.01);
	assert_found(NULL, "more_walks");
	set(&b, "amplification", 1, 0);
	assert_found(NULL, "bypass");
	set(&b, "walk_ns", 11200, 0.02);
	assert_found(NULL, "bypass slower_walks");
	/* nothing is put back either */
	slots(&b, DESIGN_PER_COUNTER, 0);
	set(&b, "miss_ratio", 0.0156, 0.003);
	assert_found(NULL, "bypass no_slots slower_walks");
	/* a ratio that is high on both sides bypasses no more than before */
	set(&a, "walks/uncharges", 1, 0);
	set(&a, "amplification", 1, 0);
	assert_found(NULL, "no_slots slower_walks");
}

static void test_slots(void **state)
{
	(void)state;
	slots(&a, DESIGN_SINGLE_SLOT, 1);
	set(&a, "miss_ratio", 0.334, 0.02);
	set(&a, "evictions/charges", 0.33, 0.02);
	assert_found(NULL, "more_slots");
	/* fewer misses with as many slots are for another reason */
	slots(&a, DESIGN_MULTI_SLOT, 7);
	assert_found(NULL, "fewer_evictions");
	set(&b, "evictions/charges", 0.33, 0.02);
	assert_found(NULL, "fewer_misses");
	/* more slots alone change nothing */
	slots(&a, DESIGN_SINGLE_SLOT, 1);
	set(&a, "miss_ratio", 0.01, 0.02);
	assert_found(NULL, "");
	slots(&a, DESIGN_MULTI_SLOT, 7);
	slots(&b, DESIGN_SINGLE_SLOT, 1);
	set(&b, "miss_ratio", 0.334, 0.02);
	assert_found(NULL, "fewer_slots");
}

static void test_misses(void **state)
{
	(void)state;
	set(&b, "miss_ratio", 0.35, 0.02);
	assert_found(NULL, "more_misses");
	set(&b, "evictions/charges", 0.3, 0.02);
	assert_found(NULL, "more_evictions");
	set(&b, "walks/uncharges", 0.35, 0.02);
	assert_found(NULL, "more_evictions more_walks");
	set(&b, "walks/uncharges", 0.01, 0.02);
	assert_found(NULL, "more_evictions fewer_walks");
}

static void test_costs(void **state)
{
	(void)state;
	set(&b, "walk_ns", 600, 0.03);
	assert_found(NULL, "same_slower_walks");
	set(&b, "walk_ns", 100, 0.03);
	set(&b, "charge_ns", 50, 0.02);
	assert_found(NULL, "same_faster_walks same_faster_charges");
	set(&b, "charge_ns", 100, 0.02);
	set(&b, "lock_hold_ns", 300, 0.02);
	assert_found(NULL, "same_faster_walks same_slower_charges longer_holds");
	set(&b, "lock_hold_ns", 70, 0.02);
	set(&b, "miss_ratio", 0.02, 0.02);
	assert_found(NULL, "more_misses faster_walks slower_charges shorter_holds");
	set(&b, "walk_ns", 600, 0.03);
	set(&b, "charge_ns", 50, 0.02);
	assert_found(NULL, "more_misses slower_walks faster_charges shorter_holds");
	/* the same counts are only those that are known */
	unset(&b, "miss_ratio", REASON_NOT_TRACEABLE, "not known");
	assert_found(NULL, "slower_walks faster_charges shorter_holds");
}

/* A bound from below is no shorter hold than one from above. */
static void test_bounds(void **state)
{
	(void)state;
	set(&b, "lock_hold_ns", 70, 0.02);
	a.runs[0].bounds[at_key("lock_hold_ns")] = "upper_bound";
	b.runs[0].bounds[at_key("lock_hold_ns")] = "lower_bound";
	assert_found(NULL, "");
	b.runs[0].bounds[at_key("lock_hold_ns")] = "upper_bound";
	assert_found(NULL, "shorter_holds");
}

/* What an emulated CPU takes is shown and not judged. */
static void test_emulated(void **state)
{
	(void)state;
	set(&b, "walk_ns", 600, 0.03);
	set(&b, "miss_ratio", 0.02, 0.02);
	b.runs[0].host.emulated = true;
	assert_found(NULL, "more_misses");
}

/* How often something charges in a second is the speed of all; by work it is not. */
static void test_charges(void **state)
{
	(void)state;
	set(&b, "charges", 20000, 0.02);
	assert_found(NULL, "");
	tell(&a, "metrics.trans", 1000, 0.01, false, true);
	tell(&b, "metrics.trans", 1000, 0.01, false, true);
	assert_found("work", "more_charges");
	set(&b, "charges", 5000, 0.02);
	assert_found("work", "fewer_charges");
}

/* p is adjusted for all that is tested: what would do alone does not do beside four others. */
static void test_adjusted(void **state)
{
	const size_t at = at_key("miss_ratio");
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		a.runs[i].values[at] = 0.01 + 0.001 * (double)i;
		b.runs[i].values[at] = 0.0141 + 0.001 * (double)i;
	}
	/* one run of B lies among those of A: p = 0.016 */
	b.runs[0].values[at] = 0.0135;
	c = compared_by(&a, &b, NULL);
	assert_int_equal(row_of(&c, "miss_ratio").difference, DIFFERS);
	assert_true(fabs(row_of(&c, "miss_ratio").p - 4 / 252.0) < 1e-9);
	assert_true(row_of(&c, "miss_ratio").adjusted > 0.05);
	assert_int_equal(c.verdict.measures, 5);
	assert_int_equal(c.verdict.n, 0);
	assert_null(c.verdict.moved[0]);
	comparison__release(&c);
	b.runs[0].values[at] = 0.0141;
	c = compared_by(&a, &b, NULL);
	assert_true(row_of(&c, "miss_ratio").adjusted < 0.05);
	assert_string_equal(c.verdict.moved[0], "miss_ratio");
	assert_int_equal(c.verdict.ncounts, 1);
	assert_null(c.verdict.moved[1]);
	comparison__release(&c);
}

/* Each rule can be found, its keys exist, and each name it yields to is one before it. */
static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < nchange_rules; i++) {
		const struct change_rule *r = &change_rules[i];
		char names[200], *save = NULL;

		assert_true(*r->help && *r->headline && *r->detail && r->conditions->key);
		for (const struct change_condition *k = r->conditions; k->key; k++)
			assert_true(!strcmp(k->key, "slots") || measures__find(k->key) >= 0);
		snprintf(names, sizeof(names), "%s", r->yields_to ? r->yields_to : "");
		for (char *s = strtok_r(names, " ", &save); s; s = strtok_r(NULL, " ", &save)) {
			size_t j = 0;

			while (j < i && strcmp(change_rules[j].name, s) != 0)
				j++;
			if (j == i)
				fail_msg("%s yields to %s", r->name, s);
		}
		for (const char *s = strchr(r->detail, '{'); s; s = strchr(s + 1, '{')) {
			char key[64];

			snprintf(key, sizeof(key), "%.*s", (int)strcspn(s + 3, "}"), s + 3);
			assert_true((s[1] == 'a' || s[1] == 'b' || s[1] == 'x') && s[2] == ':');
			assert_true(!strcmp(key, "slots") || measures__find(key) >= 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bypass, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slots, setup, teardown),
		cmocka_unit_test_setup_teardown(test_misses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_costs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bounds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_emulated, setup, teardown),
		cmocka_unit_test_setup_teardown(test_charges, setup, teardown),
		cmocka_unit_test_setup_teardown(test_adjusted, setup, teardown),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
