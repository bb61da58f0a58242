// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c view/verdict.c view/text_verdicts.c view/names.c view/measure.c view/number.c view/page.c text/utf8.c sample/sample.c
/* Each rule on both sides of each of its limits; then what keeps a rule from being judged. */
#include "judge.h"

/* n cgroups on that CPU: 10,000 balanced charges, 3,000 misses. */
static void thrash(size_t cpu, size_t n, uint64_t evictions)
{
	for (size_t row = 1; row <= n; row++)
		charge(row, cpu, 10000 / n);
	charge(1, cpu, 10000 % n);
	uncharge(1, cpu, 10000, 10000);
	miss(1, cpu, 3000);
	evict(1, cpu, evictions);
}

static const struct rule *rule(const char *name)
{
	for (size_t i = 0; i < nrules; i++)
		if (!strcmp(rules[i].name, name))
			return &rules[i];
	fail_msg("no rule %s", name);
	return NULL;
}

/* Each key of a template is a number of the rule, and the other way round nothing is forgotten. */
static void check_template(const struct rule *r, const char *template)
{
	for (const char *s = strchr(template, '{'); s; s = strchr(s + 1, '{')) {
		size_t len = strcspn(s + 1, ":}");
		bool base = !strncmp(s + 1, "base.", 5), known = false;
		const char *key = s + 1 + (base ? 5 : s[1] == '?');

		len -= key - (s + 1);
		if (len == 6 && !strncmp(key, "cgroup", 6)) {
			assert_true(r->blame || r->each == EACH_CGROUP);
			continue;
		}
		if (len == 2 && !strncmp(key, "by", 2)) {
			assert_non_null(r->by);
			continue;
		}
		for (const struct number *n = r->numbers; n->key; n++)
			known = known || (n->base == base && strlen(n->key) == len &&
					  !strncmp(n->key, key, len));
		if (!known)
			fail_msg("%s: {%.*s} is no number", r->name, (int)len, key);
	}
}

static void check_key(const struct rule *r, const char *key)
{
	const char *dot = strchr(key, '.');
	char name[40];

	snprintf(name, sizeof(name), "%.*s", dot ? (int)(dot - key) : (int)strlen(key), key);
	if (!field__find(name))
		fail_msg("%s: %s is no field", r->name, key);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < nrules; i++) {
		const struct rule *r = &rules[i];
		size_t n = 0;

		while (r->numbers[n].key)
			n++;
		assert_true(n <= VERDICT_NUMBERS);
		check_template(r, r->headline);
		check_template(r, r->detail);
		assert_true(strlen(r->help) > 20);
		assert_non_null(r->conditions[0].what);
		for (const struct condition *c = r->conditions; c->what; c++) {
			assert_true(strlen(c->from) > 5);
			assert_true(!c->or_next || c[1].what);
		}
		for (const char *const *key = r->inputs; *key; key++)
			check_key(r, *key);
		assert_int_equal(r->each != EACH_NONE, r->worst != NULL);
		if (r->worst)
			check_key(r, r->worst);
		if (r->blame)
			check_key(r, r->blame);
		if (r->yields_to)
			assert_true(rule(r->yields_to) < r);
	}
}

static void test_failures(void **state)
{
	(void)state;
	charge(1, 0, 9000);
	charge(2, 1, 1000);
	count(1, 0, C_FAILED, 4);
	count(2, 1, C_FAILED, 6);
	/* 10 of 10,000 is the limit */
	assert_found("");
	count(2, 1, C_FAILED, 1);
	assert_found("charge_failures");
	assert_true(number(0, "failed") == 11);
	assert_says(
		"charges fail: most of them in /r2, which is at its limit or below one that is.");
	assert_says("11 charges failed, 0.1 % of all (expected: none).");
	assert_silent("Looks like");
	count(2, 1, C_SOCK_FAILED, 5);
	assert_says("(expected: none); 5 of sockets.");
}

/* Who failed may be among `other` only: then nobody is named. */
static void test_failures_of_nobody(void **state)
{
	(void)state;
	charge(1, 0, 1000);
	count(0, 0, C_FAILED, 50);
	assert_found("charge_failures");
	assert_says("charges fail.");
	assert_silent("/r");
}

static void test_thrash_working_set(void **state)
{
	(void)state;
	thrash(1, 7, 1500);
	assert_found("");
	charge(8, 1, 1);
	assert_found("slot_thrash");
	assert_true(number(0, "memcgs") == 8);
	assert_true(number(0, "slots") == 7);
	assert_true(number(0, "cpu") == 1);
	assert_says("slot thrash on CPU 1: 8 memcgs share 7 slots and evict each other.");
	assert_says("Looks like https://lore.kernel.org/r/20250307055936.3988572-1-");
}

/* W is of the window: who charged before it is no part of it. */
static void test_thrash_of_the_window(void **state)
{
	(void)state;
	thrash(1, 7, 1500);
	fixture_count(w.start, 9, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 100);
	count(9, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 100);
	assert_found("");
	count(9, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1);
	assert_found("slot_thrash");
}

static void test_thrash_evictions(void **state)
{
	(void)state;
	thrash(0, 9, 600);
	/* 600 of 3,000 is the limit */
	assert_found("");
	evict(1, 0, 1);
	assert_found("slot_thrash");
}

static void test_thrash_expected(void **state)
{
	(void)state;
	thrash(0, 9, 1500);
	/* 3,000 misses are five times what 600 batches of growth make */
	count(1, 0, C_CHARGE_PAGES + KIND_SOCK, 600 * 64);
	assert_found("");
	count(1, 0, C_SOCK_UNCHARGE_PAGES, 64);
	assert_found("slot_thrash");
	assert_says("30.0 % of charges miss there (expected: about 6.0 %); 1,500 evictions;");
}

/* A CPU that hardly charges says nothing, whatever its ratios. */
static void test_thrash_needs_charges_on_the_cpu(void **state)
{
	(void)state;
	charge(1, 0, 5000);
	for (size_t row = 1; row <= 9; row++)
		charge(row, 1, 111);
	miss(1, 1, 500);
	evict(1, 1, 400);
	assert_found("");
	charge(1, 1, 1);
	assert_found("slot_thrash");
}

static void test_thrash_on_many_cpus(void **state)
{
	(void)state;
	thrash(0, 9, 1500);
	thrash(1, 11, 1501);
	assert_found("slot_thrash");
	assert_true(number(0, "cpu") == 1);
	assert_true(number(0, "cpus") == 2);
	assert_says("slot thrash on 2 CPUs, most on CPU 1: 11 memcgs share 7 slots and evict each");
}

/* One slot, and a kernel on which nobody sees the lock. */
static void test_thrash_on_one_slot(void **state)
{
	(void)state;
	w.end->stock.design = DESIGN_SINGLE_SLOT;
	w.end->stock.slots = 1;
	w.end->stock.lock = LOCK_NOT_SEEN;
	thrash(1, 1, 1500);
	assert_found("");
	charge(2, 1, 1);
	assert_found("slot_thrash");
	assert_says("2 memcgs share 1 slot and");
	assert_silent("under the lock");
}

/* 33 pages twice, back twice: the model of it misses 0.75 and overflows 0.5. */
static void sawtooth(uint64_t overflows, uint64_t pages)
{
	count(1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 10000);
	count(1, 0, C_CHARGE_PAGES + KIND_SOCK, 330000);
	uncharge(1, 0, 10000, 330000);
	miss(1, 0, 7500);
	overflow(1, 0, overflows, pages);
}

static void test_sawtooth(void **state)
{
	(void)state;
	sawtooth(5000, 96 * 5000);
	assert_found("overflow_sawtooth");
	assert_true(number(0, "overflow_ratio") == 0.5);
	assert_true(number(0, "pages_per_overflow") == 96);
	assert_says("50.0 % of uncharges overflow it, 96.0 pages each; 75.0 % of charges miss "
		    "(expected: about 0 %); 33.0 pages a charge, batch 64.");
}

static void test_sawtooth_overflows(void **state)
{
	(void)state;
	sawtooth(1000, 96 * 1000);
	assert_found("");
	overflow(1, 0, 1, 96);
	assert_found("overflow_sawtooth");
}

/* A kernel that trims gives back less than a batch. */
static void test_sawtooth_pages(void **state)
{
	(void)state;
	sawtooth(5000, 64 * 5000 - 1);
	assert_found("");
	count(1, 0, C_DRAINED_PAGES, 1);
	assert_found("overflow_sawtooth");
}

static void test_sawtooth_expected(void **state)
{
	(void)state;
	sawtooth(5000, 96 * 5000);
	count(1, 0, C_CHARGE_PAGES + KIND_SOCK, 1500 * 64);
	assert_found("");
	count(1, 0, C_SOCK_UNCHARGE_PAGES, 64);
	assert_found("overflow_sawtooth");
}

/* What flushes drain is below the batch and does not make overflows look larger or smaller. */
static void test_sawtooth_with_flushes(void **state)
{
	(void)state;
	sawtooth(5000, 66 * 5000);
	count(1, 0, C_DRAIN_CAUSE + CAUSE_FLUSH, 100);
	count(1, 0, C_DRAINED_PAGES, 64 * 100);
	assert_found("overflow_sawtooth");
	assert_true(number(0, "pages_per_overflow") == 66);
}

/* Thrash makes overflows as well, of 65 pages: that is no second cause. */
static void test_sawtooth_yields_to_thrash(void **state)
{
	(void)state;
	thrash(1, 9, 1500);
	overflow(1, 1, 1100, 65 * 1100);
	assert_found("slot_thrash");
	/* and is one where nothing thrashes */
	w.end->stock.slots = 9;
	assert_found("overflow_sawtooth");
}

static void per_counter(void)
{
	w.end->stock.design = DESIGN_PER_COUNTER;
	w.end->stock.slots = 0;
	w.end->stock.lock = LOCK_NOT_SEEN;
	w.end->probes[PROG_STOCK_CHARGE].state = PROBE_ATTACHED;
	w.end->probes[PROG_REFILL].state = PROBE_NOT_NEEDED;
	w.end->probes[PROG_DRAIN].state = PROBE_NOT_NEEDED;
	w.end->probes[PROG_TRY_WALK].state = PROBE_NOT_NEEDED;
}

static void bypass(uint64_t uncharges, uint64_t walks)
{
	uncharge(1, 0, uncharges, uncharges);
	count(1, 0, C_WALK_CAUSE + CAUSE_UNBATCHED, walks);
	count(1, 0, C_WALK_USER + USER_SOCK, walks);
	count(1, 0, C_WALK_PAGES, walks);
}

static void test_bypass(void **state)
{
	(void)state;
	per_counter();
	/* each of its own slots would thrash, if it had any */
	for (size_t row = 1; row <= 11; row++)
		charge(row, 0, 1000);
	count(1, 0, C_STOCK_MISS_KIND + KIND_SOCK, 171);
	count(1, 0, C_STOCK_MISS_SHORT, 171);
	bypass(10000, 5000);
	assert_found("");
	/* whether a charge walked twice is not seen there, nor where it walked */
	assert_int_equal(m.verdicts.nunjudged, 2);
	assert_true(unjudged("reclaim_retries") && unjudged("contended_counter"));
	bypass(0, 1);
	assert_found("unbatched_uncharges");
	bypass(0, 4999);
	assert_says("uncharges bypass the stock: each socket uncharge walks the hierarchy.");
	assert_says("1.000 walks an uncharge (expected: about 0.016); 1.6 % of charges miss");
}

static void test_bypass_needs_uncharges(void **state)
{
	(void)state;
	per_counter();
	charge(1, 0, 5000);
	bypass(999, 999);
	assert_found("");
	bypass(1, 1);
	assert_found("unbatched_uncharges");
}

/* Walks of slots that socket uncharges drained are not it, nor are those of a busy lock. */
static void test_bypass_is_not_slots_or_lock(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	uncharge(1, 0, 10000, 10000);
	evict(1, 0, 4000);
	overflow(1, 0, 500, 65 * 500);
	count(1, 0, C_WALK_CAUSE + CAUSE_DIRECT, 4000);
	count(1, 0, C_WALK_USER + USER_SOCK, 4000);
	build();
	assert_true(field__value(field__find("amplification"), &m.total) > 0.8);
	assert_found("");
}

static void test_deep_levels(void **state)
{
	(void)state;
	charge(1, 0, 100000);
	count(1, 0, C_TRY_WALKS, 300000);
	count(1, 0, C_WALK_CAUSE + CAUSE_UNBATCHED, 300000);
	count(1, 0, C_WALK_LEVELS, 4 * 300000);
	assert_found("");
	count(1, 0, C_WALK_LEVELS, 1);
	assert_found("deep_hierarchy");
	count(1, 0, C_WALK_LEVELS, 300000);
	assert_says("deep cgroups: each walk costs 5.0 page counters.");
	assert_says("60,000 walks a second (a cgroup right below the root: 2 page counters).");
}

static void test_deep_rate(void **state)
{
	(void)state;
	/* ten seconds */
	charge(1, 0, 100000);
	count(1, 0, C_TRY_WALKS, 200000);
	count(1, 0, C_WALK_CAUSE + CAUSE_UNBATCHED, 300000);
	count(1, 0, C_WALK_LEVELS, 6 * 300000);
	assert_found("");
	count(1, 0, C_TRY_WALKS, 1);
	assert_found("deep_hierarchy");
	/* without a start there is no rate */
	sample__free(w.start);
	w.start = NULL;
	assert_found("");
}

static void test_lock_busy(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	count(1, 0, C_MISS_KIND + KIND_SOCK, 100);
	count(1, 0, C_MISS_LOCK_BUSY, 100);
	assert_found("");
	count(1, 0, C_MISS_KIND + KIND_SOCK, 1);
	count(1, 0, C_MISS_LOCK_BUSY, 1);
	assert_found("lock_busy");
	assert_says("the lock of the stock is busy: charges pass the stock by.");
	assert_says("1.0 % of charges find it busy (101; expected: none); 0 refills passed it by");
}

static void test_lock_busy_on_rt(void **state)
{
	(void)state;
	w.end->host.preempt_rt = true;
	w.end->stock.lock = LOCK_OWNER;
	charge(1, 0, 10000);
	count(1, 0, C_MISS_KIND + KIND_SOCK, 500);
	count(1, 0, C_MISS_LOCK_BUSY, 500);
	count(1, 0, C_REFILL + REFILL_DIRECT, 3300);
	assert_found("lock_busy");
	assert_says("the lock of the stock is busy, as tasks that hold it are preempted: charges");
	assert_says("5.0 % of charges find it busy (500; expected: none); 3,300 refills passed it");
}

/* A stock whose lock cannot be found busy: the rule is void there, not open. */
static void test_lock_busy_where_it_waits(void **state)
{
	(void)state;
	w.end->stock.design = DESIGN_SINGLE_SLOT;
	w.end->stock.slots = 1;
	charge(1, 0, 10000);
	count(1, 0, C_MISS_LOCK_BUSY, 5000);
	assert_found("");
	assert_int_equal(m.verdicts.nunjudged, 0);
}

static void test_order_and_number(void **state)
{
	(void)state;
	w.end->host.preempt_rt = true;
	thrash(1, 9, 1500);
	assert_found("slot_thrash");
	count(1, 1, C_MISS_LOCK_BUSY, 2000);
	count(1, 1, C_MISS_KIND + KIND_SOCK, 2000);
	assert_found("slot_thrash lock_busy");
	count(1, 1, C_FAILED, 100);
	assert_found("charge_failures slot_thrash lock_busy");
	/* at most three, and the lock comes last */
	count(1, 1, C_WALK_CAUSE + CAUSE_UNBATCHED, 500000);
	count(1, 1, C_WALK_LEVELS, 6 * 501500);
	assert_found("charge_failures slot_thrash deep_hierarchy");
	assert_says("\nalso     slot thrash on CPU 1");
	assert_says("\nalso     deep cgroups");
}

/* Cgroups that come once and go each miss and are evicted, and do not thrash. */
static void test_short_lived_cgroups(void **state)
{
	(void)state;
	for (size_t row = 1; row <= 9; row++)
		charge(row, 0, 112);
	uncharge(1, 0, 9 * 112, 9 * 112);
	miss(1, 0, 60);
	evict(1, 0, 18);
	/* two evictions a cgroup are the limit */
	assert_found("");
	evict(1, 0, 1);
	assert_found("slot_thrash");
}

static void test_retries(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	miss(1, 0, 1000);
	count(1, 0, C_TRY_WALKS, 200);
	/* 1.2 walks a miss are the limit */
	assert_found("");
	count(1, 0, C_TRY_WALKS, 1);
	assert_found("reclaim_retries");
	assert_says("charges walk again after reclaim");
}

static void test_last_resort(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	miss(1, 0, 1000);
	build();
	assert_int_equal(m.verdicts.n, 0);
	miss(1, 0, 1);
	build();
	assert_int_equal(m.verdicts.n, 1);
	assert_string_equal(m.verdicts.list[0].rule->name, "unexplained_misses");
	assert_says("many charges miss and no rule says why");
	/* another rule leaves it out */
	count(1, 0, C_FAILED, 100);
	build();
	assert_int_equal(m.verdicts.n, 1);
	assert_string_equal(m.verdicts.list[0].rule->name, "charge_failures");
}

/* What is in (other) may be any number of cgroups: no count of them, and no verdict on it. */
static void test_more_cgroups_than_rows(void **state)
{
	(void)state;
	thrash(0, 9, 1500);
	assert_found("slot_thrash");
	count(0, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1);
	assert_found("");
	assert_int_equal(m.verdicts.nunjudged, 1);
	assert_string_equal(m.verdicts.unjudged[0]->name, "slot_thrash");
}

static void test_too_few(void **state)
{
	(void)state;
	charge(1, 0, 999);
	count(1, 0, C_FAILED, 999);
	assert_string_equal(found(), "");
	assert_string_equal(verdict_state__name(m.verdicts.state), "too_few_events");
	assert_says("none: 999 charges are too few, it takes 1,000.");
	charge(1, 0, 1);
	assert_found("charge_failures");
}

static void test_untrusted(void **state)
{
	(void)state;
	thrash(1, 9, 1500);
	fixture_runs(w.end, PROG_WALK, 9000, 1000);
	assert_found("slot_thrash");
	fixture_runs(w.end, PROG_WALK, 9000, 1001);
	assert_string_equal(found(), "");
	assert_string_equal(verdict_state__name(m.verdicts.state), "untrusted");
	assert_says("none: this measurement is not to be trusted, see quality.");
	/* also where there is little of it */
	w.end->cpus[1].c[CHARGE_AT(KIND_SOCK, LEVEL_TASK)] = 5;
	assert_string_equal(found(), "");
	assert_string_equal(verdict_state__name(m.verdicts.state), "untrusted");
}

static void test_fair(void **state)
{
	(void)state;
	thrash(1, 9, 1500);
	fixture_runs(w.end, PROG_WALK, 9900, 100);
	assert_silent("Counts are low");
	fixture_runs(w.end, PROG_WALK, 9680, 320);
	assert_says("of walks under the lock. Counts are low by up to 3.2 %.");
}

static void test_nothing_unusual(void **state)
{
	(void)state;
	charge(1, 0, 64000);
	miss(1, 0, 1000);
	assert_found("");
	assert_says("verdict  nothing unusual: 1.6 % of charges miss (expected: about 1.6 %).\n");
	assert_silent("Not judged");
	fixture_runs(w.end, PROG_WALK, 950, 50);
	assert_says("(expected: about 1.6 %). Counts are low by up to 5.0 %.");
}

/* What could not be looked at is not "nothing". */
static void test_not_judged(void **state)
{
	(void)state;
	charge(1, 0, 64000);
	fixture_missing(w.end, PROG_DRAIN, REASON_INLINED);
	assert_found("");
	assert_says("verdict  nothing unusual, 2 rules not judged: 0.0 % of charges miss");
	assert_says("Not judged, for want of a measure: slot_thrash, overflow_sawtooth.");
	w.end->probes[PROG_DRAIN].state = PROBE_ATTACHED;
	free(w.end->rows[1].cpu_charges);
	w.end->rows[1].cpu_charges = NULL;
	assert_says("verdict  nothing unusual, 1 rule not judged: ");
	assert_says("Not judged, for want of a measure: slot_thrash.");
	for (int i = 0; i < PROG_NR; i++)
		if (i != PROG_CHARGE && i != PROG_TRY_WALK)
			fixture_missing(w.end, i, REASON_INLINED);
	assert_says("verdict  most rules could not be judged: 0.0 % of charges miss");
}

static void test_charges_are_not_measurable(void **state)
{
	(void)state;
	charge(1, 0, 64000);
	fixture_missing(w.end, PROG_CHARGE, REASON_INLINED);
	assert_string_equal(found(), "");
	assert_says("none: charges cannot be measured here.");
}

/* The address stays whole; nothing else is wider than the page. */
static void test_narrow(void **state)
{
	const char *line;

	(void)state;
	thrash(1, 9, 1500);
	count(9, 1, C_FAILED, 100);
	free(w.end->rows[9].path);
	w.end->rows[9].path = strdup("/a name of many words that is much wider than the page is");
	w.end->rows[9].path_len = strlen(w.end->rows[9].path);
	line = block(40);
	assert_non_null(strstr(line, "\n  https://lore.kernel.org/r/20250307055936.3988572-1-"
				     "shakeel.butt@linux.dev\n"));
	for (; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > 40)
			assert_memory_equal(line, "  https://lore.kernel.org/", 26);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		WITH_WINDOW(test_failures),
		WITH_WINDOW(test_failures_of_nobody),
		WITH_WINDOW(test_thrash_working_set),
		WITH_WINDOW(test_thrash_of_the_window),
		WITH_WINDOW(test_thrash_evictions),
		WITH_WINDOW(test_thrash_expected),
		WITH_WINDOW(test_thrash_needs_charges_on_the_cpu),
		WITH_WINDOW(test_thrash_on_many_cpus),
		WITH_WINDOW(test_thrash_on_one_slot),
		WITH_WINDOW(test_sawtooth),
		WITH_WINDOW(test_sawtooth_overflows),
		WITH_WINDOW(test_sawtooth_pages),
		WITH_WINDOW(test_sawtooth_expected),
		WITH_WINDOW(test_sawtooth_with_flushes),
		WITH_WINDOW(test_sawtooth_yields_to_thrash),
		WITH_WINDOW(test_bypass),
		WITH_WINDOW(test_bypass_needs_uncharges),
		WITH_WINDOW(test_bypass_is_not_slots_or_lock),
		WITH_WINDOW(test_deep_levels),
		WITH_WINDOW(test_deep_rate),
		WITH_WINDOW(test_lock_busy),
		WITH_WINDOW(test_lock_busy_on_rt),
		WITH_WINDOW(test_lock_busy_where_it_waits),
		WITH_WINDOW(test_order_and_number),
		WITH_WINDOW(test_short_lived_cgroups),
		WITH_WINDOW(test_retries),
		WITH_WINDOW(test_last_resort),
		WITH_WINDOW(test_more_cgroups_than_rows),
		WITH_WINDOW(test_too_few),
		WITH_WINDOW(test_untrusted),
		WITH_WINDOW(test_fair),
		WITH_WINDOW(test_nothing_unusual),
		WITH_WINDOW(test_not_judged),
		WITH_WINDOW(test_charges_are_not_measurable),
		WITH_WINDOW(test_narrow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
