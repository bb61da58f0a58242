// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
/* What has no value in a whole run, and the reason for it. */
#include "measures.h"

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
					    "misses_after_flush",
					    "life_unseen",
					    "drain_all_calls",
					    "drain_all_cpus",
					    "drain_all_skipped",
					    "drain_flush_pages",
					    "drain_innocent_pages",
					    "drain_innocent_ratio",
					    "slots_used",
					    "stranded_pages",
					    "stranded_seen_max",
					    "stranded_bound_pages",
					    "lock_hold_ns",
					    "lock_wait_ns",
					    "slot_life_ns",
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
					   "sock_failure_contexts",
					   "stat_updates.sock",
					   "pressure_ns",
					   "pressure_sets",
					   "sock_bytes",
					   "sock_share",
					   "sock_charge_ns",
					   "sock_uncharge_ns",
					   "stat_update_ns",
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
	static const char *const names[] = {"charge_kinds.obj",
					    "miss_kinds.obj",
					    "uncharge_kinds.obj",
					    "walk_users.obj",
					    "obj_amplification",
					    "stat_updates.kmem",
					    NULL};

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
	static const char *const names[] = {"sock_stat_updates", "stat_updates", "stat_update_ns",
					    NULL};

	(void)state;
	w.end->no_stat = true;
	w.end->probes[PROG_STAT].state = PROBE_NOT_NEEDED;
	build();
	for (const char *const *n = names; *n; n++) {
		assert_null_because(*n, REASON_NOT_ASKED, true);
		assert_non_null(strstr(why(*n).text, "--no-stat"));
	}
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

static const char *const time_names[] = {"charge_ns",	       "sock_charge_ns", "sock_uncharge_ns",
					 "try_walk_ns",	       "walk_ns",	 "lock_hold_ns",
					 "lock_wait_ns",       "stat_update_ns", "slot_life_ns",
					 "misses_after_flush", "life_unseen",	 NULL};

static void test_no_time(void **state)
{
	(void)state;
	w.end->asked.sample_every = 0;
	free(w.end->spans);
	w.end->spans = NULL;
	for (size_t i = 0; i < w.end->nrows; i++) {
		free(w.end->rows[i].times);
		w.end->rows[i].times = NULL;
	}
	build();
	for (const char *const *n = time_names; *n; n++) {
		assert_null_because(*n, REASON_NOT_ASKED, true);
		assert_non_null(strstr(why(*n).text, "--no-time"));
	}
	assert_all_measured_but(time_names);
	assert_true(isnan(field__value(field__find("walk_ns"), &m.total)));
	assert_true(isnan(field__value(field__find("walk_ns"), &m.rows[0].scope)));
}

/* An end that is not seen is no time; the counts beside it stay. */
static void test_time_hooks(void **state)
{
	static const struct {
		enum prog_id prog;
		const char *key;
	} ends[] = {
		{PROG_TRY_WALK_BEGIN, "try_walk_ns"},
		{PROG_WALK_EXIT, "walk_ns"},
		{PROG_REFILL_EXIT, "lock_hold_ns"},
		{PROG_SOCK_CHARGE_EXIT, "sock_charge_ns"},
		{PROG_SOCK_UNCHARGE_EXIT, "sock_uncharge_ns"},
		{PROG_CHARGE_BEGIN, "charge_ns"},
		{PROG_LOCK_TAKEN, "lock_wait_ns"},
		{PROG_STAT, "stat_update_ns"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		enum probe_state before = w.end->probes[ends[i].prog].state;

		fixture_missing(w.end, ends[i].prog, REASON_NOT_TRACEABLE);
		build();
		assert_null_because(ends[i].key, REASON_NOT_TRACEABLE, true);
		assert_measured("charges");
		assert_measured("walks");
		assert_measured("sock_uncharges");
		w.end->probes[ends[i].prog].state = before;
	}
}

static void test_lock_wait(void **state)
{
	(void)state;
	/* where charges only try the lock, one wait is enough to have them */
	build();
	assert_measured("lock_wait_ns");
	w.end->spans[SPAN_LOCK_WAIT].buckets[30] = 0;
	build();
	assert_null_because("lock_wait_ns", REASON_NO_EVENTS, true);
	assert_non_null(strstr(why("lock_wait_ns").text, "only a flush waits"));
	/* where they wait, none is a number */
	w.end->stock.design = DESIGN_SINGLE_SLOT;
	build();
	assert_measured("lock_wait_ns");
	w.end->asked.lock_exact = false;
	build();
	assert_null_because("lock_wait_ns", REASON_NOT_ASKED, true);
	assert_non_null(strstr(why("lock_wait_ns").text, "--lock exact"));
	w.end->host.preempt_rt = false;
	build();
	assert_null_because("lock_wait_ns", REASON_NOT_RT, false);
}

static void test_rstat_not_asked(void **state)
{
	static const char *const names[] = {"rstat_updates", NULL};

	(void)state;
	w.end->asked.rstat = false;
	w.end->probes[PROG_RSTAT].state = PROBE_NOT_NEEDED;
	build();
	assert_null_because("rstat_updates", REASON_NOT_ASKED, true);
	assert_non_null(strstr(why("rstat_updates").text, "--rstat"));
	assert_all_measured_but(names);
}

/* No gauge is a 0 because nobody looked. */
static void test_gauges_not_known(void **state)
{
	static const char *const stock[] = {"slots_used", "stranded_pages", "stranded_seen_max",
					    NULL};
	static const char *const files[] = {"usage_bytes", "limit_bytes", "sock_bytes",
					    "sock_share", NULL};
	struct row *r = &w.end->rows[1];

	(void)state;
	w.end->cpus[0].stock_seen = false;
	build();
	for (const char *const *n = stock; *n; n++)
		assert_null_because(*n, REASON_ABSENT, true);
	assert_all_measured_but(stock);
	w.end->cpus[0].stock_seen = true;

	/* a cgroup without a limit is no failure */
	r->limit_bytes.known = false;
	build();
	assert_null_because("limit_bytes", REASON_NO_EVENTS, true);
	assert_null_because("sock_share", REASON_NO_EVENTS, true);
	assert_measured("usage_bytes");
	r->usage_bytes.known = r->sock_bytes.known = false;
	build();
	for (const char *const *n = files; *n; n++)
		assert_null_because(*n, REASON_ABSENT, true);
	assert_all_measured_but(files);
}

/* A counter that the writer of a file did not keep is no 0. */
static void test_lacked_counters(void **state)
{
	static const char *const names[] = {"uncharge_pages",
					    "miss_ratio_expected",
					    "sock_failures",
					    "stat_updates.vmalloc",
					    "limit_hits",
					    "sock_failure_contexts.nmi",
					    NULL};

	(void)state;
	w.end->lacks[C_OBJ_UNCHARGE_PAGES] = true;
	w.end->lacks[C_SOCK_FAILED + LEVEL_NMI] = true;
	w.end->lacks[C_STAT + STAT_VMALLOC] = true;
	w.end->lacks[C_LIMIT_HITS] = true;
	build();
	for (const char *const *n = names; *n; n++)
		assert_null_because(*n, REASON_ABSENT, true);
	assert_all_measured_but(names);
}

/* Where no caller of drain_all_stock is seen, its flushes are still drains. */
static void test_drain_all_not_seen(void **state)
{
	static const char *const names[] = {"drain_all_calls",
					    "drain_all_cpus",
					    "drain_all_skipped",
					    "drain_flush_pages",
					    "drain_innocent_pages",
					    "drain_innocent_ratio",
					    NULL};

	(void)state;
	fixture_missing(w.end, PROG_DRAIN_ALL, REASON_INLINED);
	build();
	for (const char *const *n = names; *n; n++)
		assert_null_because(*n, REASON_INLINED, true);
	assert_all_measured_but(names);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		WITH_SAMPLE(test_no_time),
		WITH_SAMPLE(test_time_hooks),
		WITH_SAMPLE(test_lock_wait),
		WITH_SAMPLE(test_rstat_not_asked),
		WITH_SAMPLE(test_gauges_not_known),
		WITH_SAMPLE(test_drain_all_not_seen),
		WITH_SAMPLE(test_lacked_counters),
		WITH_SAMPLE(test_idle_is_not_silent),
		WITH_SAMPLE(test_inlined_is_not_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
