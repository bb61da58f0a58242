// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
#include "sample_fixture.h"

#include <ctype.h>
#include <math.h>

#include "model/model.h"

static struct window w;
static struct model m;

static int setup(void **state)
{
	(void)state;
	w = (struct window){.end = fixture_sample(2, 1)};
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

static uint64_t number(const char *key)
{
	return field__find(key)->count(&m.total);
}

static double ratio(const char *key)
{
	return field__find(key)->ratio(&m.total);
}

static const struct part *part_of(const char *key, const char *name)
{
	const struct part *p = field__find(key)->parts;

	while (p->name && strcmp(p->name, name))
		p++;
	assert_non_null(p->name);
	return p;
}

static uint64_t part(const char *key, const char *name)
{
	return part__count(part_of(key, name), &m.total);
}

/* The reason of "key" or "key.part". */
static struct unmeasured why(const char *name)
{
	char key[64];
	char *dot;

	snprintf(key, sizeof(key), "%s", name);
	dot = strchr(key, '.');
	if (!dot)
		return field__unmeasured(field__find(key), NULL, &m);
	*dot = '\0';
	return field__unmeasured(field__find(key), part_of(key, dot + 1), &m);
}

static void assert_null_because(const char *name, enum reason reason, bool applicable)
{
	struct unmeasured u = why(name);

	if (u.reason != reason)
		fail_msg("%s is %s, not %s", name, reason__name(u.reason), reason__name(reason));
	assert_int_equal(u.applicable, applicable);
	assert_non_null(u.text);
	assert_true(strlen(u.text) > 10);
}

static void assert_measured(const char *name)
{
	struct unmeasured u = why(name);

	if (u.reason != REASON_NONE)
		fail_msg("%s is %s: %s", name, reason__name(u.reason), u.text);
}

/* Every field and part but those that are named has a value. */
static void assert_all_measured_but(const char *const *names)
{
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];
		bool named = false;

		for (const char *const *n = names; *n; n++)
			named = named || !strcmp(*n, f->key);
		if (!named)
			assert_measured(f->key);
		for (const struct part *p = f->parts; !named && p && p->name; p++) {
			char full[64];
			bool part_named = false;

			snprintf(full, sizeof(full), "%s.%s", f->key, p->name);
			for (const char *const *n = names; *n; n++)
				part_named = part_named || !strcmp(*n, full);
			if (!part_named)
				assert_measured(full);
		}
	}
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];

		assert_true(strlen(f->title) <= 9);
		assert_int_equal(!!f->parts + !!f->count + !!f->ratio, 1);
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
	static const int not_shown[] = {C_CONSUME_MISS, C_CHECKED, C_CHECK_DIFFER};

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
	/* objects tell only how often */
	count(C_OBJ_UNCHARGES, 320);
	count(C_OBJ_DRAIN_UNCHARGES, 320);
	assert_expected(0.49);
	/* folios are what walked and was no drain */
	count(C_WALK_CAUSE + CAUSE_OVERFLOW, 10);
	count(C_DRAIN_CAUSE + CAUSE_OVERFLOW, 10);
	count(C_DRAINED_PAGES, 960);
	count(C_WALK_CAUSE + CAUSE_UNBATCHED, 64);
	count(C_WALK_PAGES, 960 + 640);
	assert_expected(0.48);
	/* beside refills that passed the stock one page a walk is sure */
	count(C_WALK_CAUSE + CAUSE_DIRECT, 1);
	assert_expected(0.489);
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

/* A drain that was not seen may be among the walks' pages. */
static void test_expected_misses_without_a_drain(void **state)
{
	(void)state;
	charge_batches();
	count(C_WALK_CAUSE + CAUSE_EVICT, 2);
	count(C_DRAIN_CAUSE + CAUSE_EVICT, 1);
	count(C_DRAINED_PAGES, 64);
	count(C_WALK_CAUSE + CAUSE_UNBATCHED, 64);
	count(C_WALK_PAGES, 6400);
	assert_expected(0.999);
}

/* With cgroup v1 sockets give back past the stock what they charged past it. */
static void test_expected_misses_without_sockets(void **state)
{
	(void)state;
	count(CHARGE_AT(KIND_OBJ, LEVEL_TASK), 1000);
	count(C_CHARGE_PAGES + KIND_OBJ, 6400);
	count(C_SOCK_UNCHARGE_PAGES, 6400);
	assert_expected(0.1);
}

/* Each uncharge walks there: pages are counted once, not as the socket's and the walk's. */
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

static void test_all_is_measured(void **state)
{
	static const char *const none[] = {NULL};

	(void)state;
	build();
	assert_all_measured_but(none);
}

static void test_single_slot(void **state)
{
	static const char *const names[] = {"miss_reasons.lock_busy", "refill_outcomes.direct",
					    "walks_under_lock", "walks_beside_lock", NULL};

	(void)state;
	w.end->stock.design = DESIGN_SINGLE_SLOT;
	w.end->stock.lock = LOCK_NOT_SEEN;
	build();
	assert_null_because("miss_reasons.lock_busy", REASON_DESIGN, false);
	assert_null_because("refill_outcomes.direct", REASON_DESIGN, false);
	assert_null_because("walks_under_lock", REASON_DESIGN, true);
	assert_null_because("walks_beside_lock", REASON_DESIGN, true);
	assert_all_measured_but(names);
}

static void per_counter(void)
{
	w.end->stock = (struct stock){.design = DESIGN_PER_COUNTER, .batch = 64};
	w.end->probes[PROG_STOCK_CHARGE].state = PROBE_ATTACHED;
	for (int i = 0; i < PROG_NR; i++)
		if (i == PROG_REFILL || i == PROG_DRAIN || i == PROG_FLUSH ||
		    i == PROG_FLUSH_EXIT || i == PROG_HOTPLUG || i == PROG_HOTPLUG_EXIT)
			w.end->probes[i].state = PROBE_NOT_NEEDED;
}

static void test_per_counter(void **state)
{
	static const char *const names[] = {"refills",
					    "surplus_refills",
					    "refill_outcomes",
					    "evictions",
					    "evicted",
					    "evicted_pages",
					    "drains",
					    "drain_causes",
					    "drained_pages",
					    "walks_under_lock",
					    "walks_beside_lock",
					    "miss_reasons.lock_busy",
					    "miss_reasons.absent",
					    "miss_reasons.raced",
					    "walk_causes.evict",
					    "walk_causes.flush",
					    "walk_causes.hotplug",
					    "walk_users.surplus",
					    "walk_users.flush",
					    NULL};

	(void)state;
	per_counter();
	build();
	for (const char *const *n = names; *n; n++)
		assert_null_because(*n, REASON_DESIGN, false);
	assert_all_measured_but(names);
}

/* There misses come from one function; without it none are known. */
static void test_per_counter_hooks(void **state)
{
	(void)state;
	per_counter();
	w.end->probes[PROG_TRY_WALK].state = PROBE_NOT_NEEDED;
	build();
	assert_measured("misses");
	assert_null_because("try_walks", REASON_DESIGN, true);
	assert_null_because("usage_updates", REASON_DESIGN, true);

	w.end->probes[PROG_TRY_WALK].state = PROBE_ATTACHED;
	fixture_missing(w.end, PROG_STOCK_CHARGE, REASON_INLINED);
	build();
	assert_null_because("misses", REASON_INLINED, true);
	assert_non_null(strstr(why("misses").text, "page_counter_try_charge_stock"));
	assert_measured("try_walks");
}

static void test_unknown_design(void **state)
{
	(void)state;
	w.end->stock = (struct stock){.design = DESIGN_UNKNOWN};
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 500);
	build();
	assert_null_because("misses", REASON_DESIGN, true);
	assert_null_because("hits", REASON_DESIGN, true);
	assert_null_because("miss_reasons", REASON_DESIGN, true);
	assert_null_because("evictions", REASON_DESIGN, true);
	assert_measured("charges");
	assert_measured("walks");
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	assert_string_equal(m.hit_source, "none");
}

static const char *const socket_names[] = {"sock_charges",
					   "sock_charge_pages",
					   "sock_charge_contexts",
					   "sock_uncharges",
					   "sock_uncharge_pages",
					   "sock_failures",
					   "sock_stat_updates",
					   "amplification",
					   "charge_kinds.sock",
					   "miss_kinds.sock",
					   "uncharge_kinds.sock",
					   "walk_users.sock",
					   NULL};

static void test_sockets_not_accounted(void **state)
{
	static const enum cgroup_mode modes[] = {CGROUP_V1, CGROUP_HYBRID};

	(void)state;
	/* uncharges do not wait for a hook that has nothing to see */
	fixture_missing(w.end, PROG_SOCK_UNCHARGE, REASON_ABSENT);
	for (int i = 0; i < 2; i++) {
		w.end->host.cgroup = modes[i];
		build();
		for (const char *const *n = socket_names; *n; n++)
			assert_null_because(*n, REASON_CGROUP_V1, true);
		assert_all_measured_but(socket_names);
	}
	w.end->host.cgroup = CGROUP_V2;
	w.end->host.socket_accounting = false;
	build();
	for (const char *const *n = socket_names; *n; n++) {
		assert_null_because(*n, REASON_BOOT_OPTION, true);
		assert_non_null(strstr(why(*n).text, "cgroup.memory=nosocket"));
	}
	assert_all_measured_but(socket_names);
}

static void test_kmem_not_accounted(void **state)
{
	static const char *const names[] = {"charge_kinds.obj",	  "miss_kinds.obj",
					    "uncharge_kinds.obj", "walk_users.obj",
					    "obj_amplification",  NULL};

	(void)state;
	w.end->host.kmem_accounting = false;
	fixture_missing(w.end, PROG_OBJ_UNCHARGE, REASON_INLINED);
	build();
	for (const char *const *n = names; *n; n++)
		assert_null_because(*n, REASON_BOOT_OPTION, true);
	assert_all_measured_but(names);
}

static void test_statistic_not_asked(void **state)
{
	static const char *const names[] = {"sock_stat_updates", NULL};

	(void)state;
	w.end->no_stat = true;
	w.end->probes[PROG_STAT].state = PROBE_NOT_NEEDED;
	build();
	assert_null_because("sock_stat_updates", REASON_NOT_ASKED, true);
	assert_all_measured_but(names);
}

static void test_missing_hooks(void **state)
{
	(void)state;
	fixture_missing(w.end, PROG_WALK, REASON_NOT_TRACEABLE);
	build();
	assert_null_because("walks", REASON_NOT_TRACEABLE, true);
	assert_null_because("amplification", REASON_NOT_TRACEABLE, true);
	assert_null_because("usage_updates", REASON_NOT_TRACEABLE, true);
	assert_null_because("walk_causes.evict", REASON_NOT_TRACEABLE, true);
	assert_string_equal(why("walks").text,
			    "page_counter_uncharge cannot be traced on this kernel");
	assert_measured("misses");
	w.end->probes[PROG_WALK].state = PROBE_ATTACHED;

	fixture_missing(w.end, PROG_OBJ_UNCHARGE, REASON_INLINED);
	build();
	assert_null_because("uncharges", REASON_INLINED, true);
	assert_null_because("uncharge_kinds.obj", REASON_INLINED, true);
	assert_measured("uncharge_kinds");
	assert_measured("uncharge_kinds.sock");
	w.end->probes[PROG_OBJ_UNCHARGE].state = PROBE_ATTACHED;

	/* no function was found, nor a reason given */
	fixture_missing(w.end, PROG_FORCE, REASON_NONE);
	w.end->probes[PROG_FORCE].function[0] = '\0';
	build();
	assert_null_because("forced", REASON_ABSENT, true);
	assert_non_null(strstr(why("forced").text, "hook4"));

	/* a recording that knows nothing of the program */
	w.end->nprobes = PROG_WALK;
	build();
	assert_null_because("walks", REASON_ABSENT, true);
}

/* What hooks see of misses is not needed where consume_stock() shows the hits. */
static void test_hits_seen(void **state)
{
	(void)state;
	w.end->probes[PROG_CONSUME].state = PROBE_ATTACHED;
	fixture_missing(w.end, PROG_TRY_WALK, REASON_NOT_TRACEABLE);
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 100);
	count(C_CONSUME_HIT, 90);
	count(C_CONSUME_MISS, 10);
	build();
	assert_measured("misses");
	assert_int_equal(number("misses"), 10);
	assert_null_because("miss_reasons", REASON_NOT_TRACEABLE, true);
	assert_int_equal(m.quality.checked, 0);
	assert_int_equal(m.quality.grade, GRADE_GOOD);
}

/* Inlined socket hits are counted by a hook that only such a kernel needs. */
static void test_multi_slot_sock(void **state)
{
	(void)state;
	fixture_missing(w.end, PROG_SOCK_CHARGE_EXIT, REASON_INLINED);
	build();
	assert_measured("charges");
	w.end->stock.design = DESIGN_MULTI_SLOT_SOCK;
	build();
	assert_null_because("charges", REASON_INLINED, true);
	assert_null_because("hits", REASON_INLINED, true);
}

/* Before 7.2 what is neither a socket's nor a folio's counts as obj. */
static void test_obj_is_the_rest(void **state)
{
	static const char *const names[] = {"charge_kinds.other", "miss_kinds.other", NULL};

	(void)state;
	w.end->probes[PROG_OBJ_CHARGE].state = PROBE_NOT_NEEDED;
	build();
	assert_null_because("charge_kinds.other", REASON_DESIGN, true);
	assert_null_because("miss_kinds.other", REASON_DESIGN, true);
	assert_all_measured_but(names);
}

struct silent_case {
	enum prog_id prog;
	int counter;
	const char *key;
};

static void test_silent(void **state)
{
	static const struct silent_case cases[] = {
		{PROG_STAT, CHARGE_AT(KIND_SOCK, LEVEL_SOFTIRQ), "sock_stat_updates"},
		{PROG_REFILL, C_SOCK_UNCHARGES, "refills"},
		{PROG_CHARGE, C_TRY_WALKS, "charges"},
		{PROG_TRY_WALK, C_SURPLUS_REFILLS, "misses"},
		{PROG_DRAIN, C_REFILL + REFILL_EVICTED, "evictions"},
		{PROG_WALK, C_DRAIN_CAUSE + CAUSE_OVERFLOW, "walks"},
		{PROG_SOCK_CHARGE, C_STAT + STAT_SOCK, "sock_charges"},
		{PROG_SOCK_UNCHARGE, C_STAT + STAT_SOCK, "sock_uncharges"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct silent_case *c = &cases[i];

		memset(w.end->rows[1].c, 0, sizeof(w.end->rows[1].c));
		memset(w.end->cpus[0].c, 0, sizeof(w.end->cpus[0].c));
		count(c->counter, 63);
		build();
		assert_measured(c->key);
		count(c->counter, 1);
		build();
		assert_null_because(c->key, REASON_SILENT, true);
		assert_non_null(strstr(why(c->key).text, fixture_functions[c->prog]));
		assert_non_null(strstr(why(c->key).text, " 64 "));
		/* one run, or one that was missed, is not silence */
		fixture_runs(w.end, c->prog, 1, 0);
		build();
		assert_measured(c->key);
		fixture_runs(w.end, c->prog, 0, 1);
		build();
		assert_measured(c->key);
		fixture_runs(w.end, c->prog, 0, 0);
	}
}

/* An idle machine has zeros, not nulls. */
static void test_idle_is_not_silent(void **state)
{
	static const char *const none[] = {NULL};

	(void)state;
	build();
	assert_int_equal(m.quality.grade, GRADE_IDLE);
	assert_all_measured_but(none);
}

/* nr_sock[] kernels do these inside the socket functions. */
static void test_inlined_is_not_silent(void **state)
{
	(void)state;
	w.end->stock.design = DESIGN_MULTI_SLOT_SOCK;
	w.end->probes[PROG_SOCK_CHARGE_EXIT].state = PROBE_ATTACHED;
	count(C_SOCK_UNCHARGES, 1000);
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	build();
	assert_measured("refills");
	assert_measured("sock_stat_updates");
	count(CHARGE_AT(KIND_SOCK, LEVEL_TASK), 64 * 64);
	build();
	assert_null_because("sock_stat_updates", REASON_SILENT, true);
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

#define WITH_SAMPLE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

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
		WITH_SAMPLE(test_expected_misses_without_a_drain),
		WITH_SAMPLE(test_expected_misses_without_sockets),
		WITH_SAMPLE(test_expected_misses_per_counter),
		WITH_SAMPLE(test_memcgs_of_a_cpu),
		WITH_SAMPLE(test_all_is_measured),
		WITH_SAMPLE(test_single_slot),
		WITH_SAMPLE(test_per_counter),
		WITH_SAMPLE(test_per_counter_hooks),
		WITH_SAMPLE(test_unknown_design),
		WITH_SAMPLE(test_sockets_not_accounted),
		WITH_SAMPLE(test_kmem_not_accounted),
		WITH_SAMPLE(test_statistic_not_asked),
		WITH_SAMPLE(test_missing_hooks),
		WITH_SAMPLE(test_hits_seen),
		WITH_SAMPLE(test_multi_slot_sock),
		WITH_SAMPLE(test_obj_is_the_rest),
		WITH_SAMPLE(test_silent),
		WITH_SAMPLE(test_idle_is_not_silent),
		WITH_SAMPLE(test_inlined_is_not_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
