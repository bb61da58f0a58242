// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c view/verdict.c view/text_verdicts.c view/names.c view/measure.c view/number.c view/page.c text/utf8.c sample/sample.c
/* The rules about drains, times, the statistic and the memory of a cgroup, on both sides of each limit. */
#include "judge.h"

static void timed(enum span span, uint64_t ns, uint64_t n)
{
	fixture_span(w.end, 1, span, ns, n);
}

/* The second says which cgroup is named, NULL: none. */
static void assert_named(const char *cgroup, const char *by)
{
	const struct verdict *v = &m.verdicts.list[0];

	assert_true(m.verdicts.n > 0);
	assert_string_equal(v->cgroup ? v->cgroup->path : "", cgroup ? cgroup : "");
	assert_string_equal(v->by ? v->by->path : "", by ? by : "");
}

static void test_invariant(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	w.start->breaches = w.end->breaches = 3;
	assert_found("");
	w.end->breaches++;
	assert_found("stock_invariant");
	assert_says("the kernel breaks a rule of its own stock.");
	assert_says("1 slot held more than 64 pages, or a cgroup that has another slot of the CPU");
	/* before all others */
	count(1, 0, C_FAILED, 1000);
	assert_found("stock_invariant charge_failures");
}

/* Whose limit it was is known by the walk that it stopped. */
static void test_failures_by_limit(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	count(1, 0, C_FAILED, 1000);
	count(2, 0, C_LIMIT_HITS, 70);
	count(3, 0, C_LIMIT_HITS, 930);
	assert_found("charge_failures");
	assert_named("/r1", "/r3");
	assert_says("(expected: none); the limit that stopped most is that of /r3.");
}

static void press(size_t row, uint64_t ns, uint64_t setter)
{
	count(row, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1);
	w.end->rows[row].pressure_ns += ns;
	w.end->rows[row].pressure_sets++;
	w.end->rows[row].pressure_setter = setter;
}

static void test_pressure(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	/* of ten seconds */
	press(2, 100000000, 103);
	assert_found("");
	press(2, 1, 103);
	assert_found("socket_pressure");
	assert_named("/r2", "/r3");
	assert_true(number(0, "pressure_sets") == 2);
	assert_says("socket pressure keeps the windows of /r2 small, last set by reclaim of /r3.");
	assert_says("1.0 % of the time (expected: none), set 2 times, and no charge of a socket "
		    "failed.");
	/* what was before the window is no part of it */
	w.start->rows[2].pressure_ns = 2;
	assert_found("");
}

/* Reclaim sets it for any cgroup. */
static void test_pressure_without_sockets(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	w.end->rows[2].pressure_ns = 5000000000;
	w.end->rows[2].pressure_sets = 9;
	assert_found("");
}

static void test_pressure_with_failures(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	press(2, 5000000000, 0);
	assert_found("socket_pressure");
	assert_silent("last set");
	count(2, 0, C_SOCK_FAILED, 1);
	assert_found("");
	/* those of another cgroup say nothing of this one */
	count(2, 0, C_SOCK_FAILED, -1);
	count(1, 0, C_SOCK_FAILED, 1);
	assert_found("socket_pressure");
}

static void test_pressure_at_the_limit(void **state)
{
	struct row *r = &w.end->rows[2];

	(void)state;
	charge(1, 0, 10000);
	press(2, 5000000000, 102);
	fixture_gauge(&r->limit_bytes, 1000 << 20);
	fixture_gauge(&r->usage_bytes, 900 << 20);
	assert_found("");
	fixture_gauge(&r->usage_bytes, (900 << 20) - 1);
	assert_found("socket_pressure");
	assert_says("failed; 90.0 % of its limit used.");
}

/* The worst is named, the others are counted. */
static void test_pressure_on_many(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	press(2, 500000000, 102);
	press(3, 700000000, 102);
	press(4, 600000000, 102);
	/* (other) may be anybody */
	press(0, 900000000, 102);
	assert_found("socket_pressure");
	assert_named("/r3", "/r2");
	assert_says("socket pressure keeps the windows of /r3 and 2 more small, last");
}

static void test_hog(void **state)
{
	struct row *r = &w.end->rows[3];

	(void)state;
	charge(1, 0, 10000);
	fixture_gauge(&r->limit_bytes, 640 << 20);
	fixture_gauge(&r->sock_bytes, 320 << 20);
	assert_found("");
	fixture_gauge(&r->sock_bytes, (320 << 20) + (1 << 20));
	assert_found("socket_hog");
	assert_named("/r3", NULL);
	assert_says("socket buffers fill /r3.");
	assert_says("321 MiB, 50.2 % of its limit of 640 MiB.");
	/* without a limit there is nothing to fill, and the rule is void */
	r->limit_bytes.known = false;
	assert_found("");
	assert_false(unjudged("socket_hog"));
	r->sock_bytes.known = w.end->rows[1].sock_bytes.known = false;
	assert_found("");
	assert_true(unjudged("socket_hog"));
}

static void test_storm(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	count(4, 0, C_DRAIN_ALL_CALLS, 30);
	count(2, 0, C_DRAIN_ALL_CALLS, 70);
	/* ten a second */
	assert_found("");
	count(2, 1, C_DRAIN_ALL_CALLS, 1);
	assert_found("drain_storm");
	assert_named("/r2", NULL);
	assert_says(
		"drain storm: the stocks of all CPUs are drained 10 times a second, most of them "
		"for /r2.");
	assert_says("101 drains.");
	count(2, 1, C_FLUSH_PAGES, 1000);
	count(2, 1, C_FLUSH_INNOCENT_PAGES, 874);
	assert_says("101 drains; 87.4 % of the pages that they drained were not its own.");
}

/* Calls that find another one running tell as much, where they are asked for. */
static void test_storm_busy(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	count(2, 0, C_DRAIN_ALL_CALLS, 50);
	w.start->drain_all_busy = 7;
	w.end->drain_all_busy = 57;
	w.end->probes[PROG_DRAIN_BUSY].state = PROBE_ATTACHED;
	assert_found("");
	w.end->drain_all_busy++;
	assert_found("drain_storm");
	assert_says("; 50.5 % of all calls found another one running.");
	w.end->probes[PROG_DRAIN_BUSY].state = PROBE_NOT_NEEDED;
	assert_found("");
}

/* Two calls that meet are no storm. */
static void test_storm_floor(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	w.end->probes[PROG_DRAIN_BUSY].state = PROBE_ATTACHED;
	count(2, 0, C_DRAIN_ALL_CALLS, 2);
	w.end->drain_all_busy = 8;
	assert_found("");
	w.end->drain_all_busy++;
	assert_found("drain_storm");
}

static void test_drain_misses(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	miss(1, 0, 1000);
	count(1, 0, C_MISS_AFTER_FLUSH, 300);
	assert_found("");
	count(1, 0, C_MISS_AFTER_FLUSH, 1);
	assert_found("drain_misses");
	assert_named(NULL, NULL);
	assert_says("drains make charges miss.");
	count(3, 0, C_DRAIN_ALL_CALLS, 4);
	assert_found("drain_misses");
	assert_named(NULL, "/r3");
	assert_says("drains make charges miss: most of them for /r3.");
	assert_says("30.1 % of misses came within 1 ms of a drain of their CPU; 10.0 % of charges");
}

static void test_drain_misses_floor(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	miss(1, 0, 100);
	count(1, 0, C_MISS_AFTER_FLUSH, 100);
	assert_found("");
	miss(1, 0, 1);
	assert_found("drain_misses");
}

/* Walks of that many ns on two CPUs, of which the second makes so many. */
static void walk_on_two(uint64_t ns, uint64_t second)
{
	charge(1, 0, 10000);
	count(1, 0, C_WALK_CAUSE + CAUSE_UNBATCHED, 990);
	count(2, 1, C_WALK_CAUSE + CAUSE_UNBATCHED, second);
	timed(SPAN_WALK, ns, 100);
}

static void test_contended(void **state)
{
	(void)state;
	walk_on_two(500, 300);
	/* the largest of what is in the bucket up to 512 */
	assert_found("");
	timed(SPAN_WALK, 512, 4000);
	assert_found("");
	timed(SPAN_WALK, 600, 5000);
	assert_found("contended_counter");
	assert_named("/r1", NULL);
	assert_says("walks are slow: 2 CPUs write the same page counters, most of /r1.");
	assert_says(" a walk (median; expected: below 500 ns); 129 walks a second.");
}

static void test_contended_cpus(void **state)
{
	(void)state;
	/* 9 of 999 are less than 1 % */
	walk_on_two(3000, 9);
	assert_found("");
	count(2, 1, C_WALK_CAUSE + CAUSE_UNBATCHED, 1);
	assert_found("contended_counter");
}

static void test_contended_needs_walks(void **state)
{
	(void)state;
	walk_on_two(3000, 300);
	w.start->spans[SPAN_WALK].buckets[hist__bucket(3000)] = 1;
	assert_found("");
	w.start->spans[SPAN_WALK].buckets[hist__bucket(3000)] = 0;
	assert_found("contended_counter");
	/* no clock of an emulated CPU can tell */
	w.end->host.emulated = true;
	assert_found("");
	assert_int_equal(m.verdicts.nunjudged, 0);
}

static void no_time(struct sample *s)
{
	free(s->spans);
	s->spans = NULL;
	s->asked.sample_every = 0;
}

static void test_not_timed(void **state)
{
	(void)state;
	walk_on_two(3000, 300);
	no_time(w.start);
	no_time(w.end);
	assert_found("");
	assert_true(unjudged("contended_counter"));
	assert_true(unjudged("hold_over_budget"));
	assert_true(unjudged("drain_misses"));
}

static void test_stat(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	count(1, 0, C_STAT + STAT_KMEM, 800000);
	count(1, 0, C_STAT + STAT_SOCK, 200000);
	assert_found("");
	count(2, 0, C_STAT + STAT_KMEM, 1);
	assert_found("stat_traffic");
	assert_says("the statistic is busy with kmem, not with sock.");
	assert_says("80,000 updates a second, 80.0 % of all.");
	/* what sockets make is no riddle */
	count(1, 0, C_STAT + STAT_SOCK, 90000000);
	assert_found("");
}

static void test_stat_rate(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	count(1, 0, C_STAT + STAT_VMALLOC, 500000);
	assert_found("");
	count(1, 0, C_STAT + STAT_VMALLOC, 10);
	assert_found("stat_traffic");
	assert_says("busy with vmalloc,");
}

static void test_hold(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	w.hold_budget_ns = 8192;
	timed(SPAN_HOLD, 1000, 99900);
	timed(SPAN_HOLD_WALKED, 30000, 100);
	/* 100 of 100,000 */
	assert_found("");
	timed(SPAN_HOLD_WALKED, 20000, 1);
	assert_found("hold_over_budget");
	assert_says("the lock of the stock is held for longer than 8.19 us.");
	assert_says("0.1 % of holds (expected: none), 10 a second; the longest took 30.0 us.");
	/* a sampled run stands for more */
	w.end->asked.sample_every = 8;
	assert_says("0.1 % of holds (expected: none), 81 a second;");
}

static void test_hold_exact(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	timed(SPAN_HOLD, 40000, 2000);
	assert_found("hold_over_budget");
	assert_says("held for longer than 27.6 us.");
	/* a bound is not what counts where there is the hold itself */
	timed(SPAN_HOLD_EXACT, 5000, 1000);
	assert_found("");
	timed(SPAN_HOLD_EXACT, 40000, 2);
	assert_found("hold_over_budget");
}

static void test_hold_needs_holds(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	timed(SPAN_HOLD, 40000, 999);
	assert_found("");
	timed(SPAN_HOLD, 40000, 1);
	assert_found("hold_over_budget");
	/* on an emulated CPU the default is nobody's budget */
	w.end->host.emulated = true;
	assert_found("");
	w.hold_budget_ns = 20000;
	assert_found("hold_over_budget");
}

/* An RT kernel on which refills wait for the lock. */
static void rt(void)
{
	w.end->host.preempt_rt = true;
	w.end->stock.design = DESIGN_SINGLE_SLOT;
	w.end->stock.slots = 1;
	w.end->stock.lock = LOCK_OWNER;
	w.end->asked.lock_exact = true;
	w.end->probes[PROG_LOCK_WAIT].state = PROBE_ATTACHED;
	w.end->probes[PROG_LOCK_TAKEN].state = PROBE_ATTACHED;
}

static void test_wait(void **state)
{
	(void)state;
	rt();
	charge(1, 0, 10000);
	timed(SPAN_HOLD, 2048, 1000);
	timed(SPAN_LOCK_WAIT, 2048, 1000);
	assert_found("");
	timed(SPAN_LOCK_WAIT, 4096, 100);
	assert_found("lock_wait");
	assert_says("the lock of the stock is waited for longer than it is held.");
	assert_says("99 % of waits took up to 4.04 us, of holds up to 2.05 us.");
	/* the hold that is known exactly counts */
	timed(SPAN_HOLD_EXACT, 5000, 10);
	assert_found("");
}

static void test_wait_needs_waits(void **state)
{
	(void)state;
	rt();
	charge(1, 0, 10000);
	timed(SPAN_HOLD, 500, 1000);
	timed(SPAN_LOCK_WAIT, 4096, 99);
	assert_found("");
	timed(SPAN_LOCK_WAIT, 4096, 1);
	assert_found("lock_wait");
	/* not asked for is not judged, not RT is void */
	w.end->asked.lock_exact = false;
	assert_found("");
	assert_true(unjudged("lock_wait"));
	w.end->host.preempt_rt = false;
	assert_found("");
	assert_false(unjudged("lock_wait"));
}

/* A machine of 16 CPUs on which a cgroup has so many pages in each of so many stocks. */
static void strand(size_t row, uint64_t pages, uint64_t usage)
{
	w.end->host.cpus_online = 16;
	fixture_gauge(&w.end->rows[row].stranded_pages, pages);
	if (usage)
		fixture_gauge(&w.end->rows[row].usage_bytes, usage);
}

static void test_stranded_usage(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	/* a quarter of 1,024 pages at most, and 5 % of 20 MiB */
	strand(2, 256, 20 << 20);
	assert_found("");
	strand(2, 256, (20 << 20) - 1);
	assert_found("stranded_stock");
	assert_named("/r2", NULL);
	assert_says("stranded stock: 1 MiB of /r2 are charged and used by nobody.");
	fixture_slot(w.end, 0, 2, 102, 50);
	fixture_slot(w.end, 1, 0, 102, 60);
	fixture_slot(w.end, 1, 1, 103, 60);
	assert_says("25.0 % of what its slots can hold; 5.0 % of what it uses; on 2 CPUs.");
	w.end->cpus[1].isolated = true;
	assert_says("; on 2 CPUs, 1 of them isolated.");
}

static void test_stranded_bound(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	/* 1.1 MiB of 100 MiB are above 1 % */
	strand(2, 256, 100 << 20);
	assert_found("");
	strand(2, 257, 100 << 20);
	assert_found("stranded_stock");
	/* where much is used, a quarter of the bound is no loss */
	strand(2, 257, 100 * (257 << 12));
	assert_found("");
	/* what uses an unknown amount is judged by the bound */
	w.end->rows[2].usage_bytes.known = false;
	assert_found("stranded_stock");
	assert_silent("of what it uses");
}

/* A small cgroup has a few pages lying about, whatever share of it that is. */
static void test_stranded_floor(void **state)
{
	(void)state;
	charge(1, 0, 10000);
	strand(2, 255, 2 << 20);
	assert_found("");
	strand(2, 256, 2 << 20);
	assert_found("stranded_stock");
	strand(3, 300, 2 << 20);
	assert_says(
		"stranded stock: 1.2 MiB of /r3 are charged and used by nobody; 1 more like it.");
	/* after all others */
	count(1, 0, C_STAT + STAT_KMEM, 600000);
	assert_found("stat_traffic stranded_stock");
}

/* Trust, failures, structure, cost, the statistic and the lock, what lies about. */
static void test_order(void **state)
{
	static const char *const order[] = {
		"stock_invariant", "charge_failures",	"reclaim_retries",   "socket_pressure",
		"socket_hog",	   "slot_thrash",	"overflow_sawtooth", "unbatched_uncharges",
		"drain_storm",	   "drain_misses",	"contended_counter", "deep_hierarchy",
		"stat_traffic",	   "hold_over_budget",	"lock_busy",	     "lock_wait",
		"stranded_stock",  "unexplained_misses"};

	(void)state;
	assert_int_equal(nrules, sizeof(order) / sizeof(order[0]));
	for (size_t i = 0; i < nrules; i++)
		assert_string_equal(rules[i].name, order[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		WITH_WINDOW(test_invariant),
		WITH_WINDOW(test_failures_by_limit),
		WITH_WINDOW(test_pressure),
		WITH_WINDOW(test_pressure_without_sockets),
		WITH_WINDOW(test_pressure_with_failures),
		WITH_WINDOW(test_pressure_at_the_limit),
		WITH_WINDOW(test_pressure_on_many),
		WITH_WINDOW(test_hog),
		WITH_WINDOW(test_storm),
		WITH_WINDOW(test_storm_busy),
		WITH_WINDOW(test_storm_floor),
		WITH_WINDOW(test_drain_misses),
		WITH_WINDOW(test_drain_misses_floor),
		WITH_WINDOW(test_contended),
		WITH_WINDOW(test_contended_cpus),
		WITH_WINDOW(test_contended_needs_walks),
		WITH_WINDOW(test_not_timed),
		WITH_WINDOW(test_stat),
		WITH_WINDOW(test_stat_rate),
		WITH_WINDOW(test_hold),
		WITH_WINDOW(test_hold_exact),
		WITH_WINDOW(test_hold_needs_holds),
		WITH_WINDOW(test_wait),
		WITH_WINDOW(test_wait_needs_waits),
		WITH_WINDOW(test_stranded_usage),
		WITH_WINDOW(test_stranded_bound),
		WITH_WINDOW(test_stranded_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
