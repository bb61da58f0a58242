// SPDX-License-Identifier: GPL-2.0-only
// links: gate/*.c error.c model/*.c sample/sample.c
/* What a gate makes of windows: passed, failed, or nobody can tell, and why. */
#include "sample_fixture.h"

#include <math.h>
#include <unistd.h>

#include "gate/gate.h"

static struct gate g;

static int teardown(void **state)
{
	(void)state;
	gate__release(&g);
	return 0;
}

static void ask(const char *text)
{
	struct error e = {};

	if (!g.trust.max_missed)
		g.trust = (struct trust){MIN_EVENTS_DEFAULT, MAX_MISSED_DEFAULT};
	if (gate__add(&g, text, NULL, 0, &e))
		fail_msg("%s", e.text);
}

/* Of two seconds: three cgroups on two CPUs, and so many charges and misses of the first. */
static struct window window_of(uint64_t charges, uint64_t misses)
{
	struct window w = {.start = fixture_sample(4, 2), .end = fixture_sample(4, 2)};

	w.end->time_ns = 2000000000;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), charges);
	fixture_count(w.end, 1, 0, C_MISS_KIND + KIND_SOCK, misses);
	fixture_count(w.end, 1, 0, C_MISS_ABSENT, misses);
	fixture_count(w.end, 1, 0, C_TRY_WALKS, misses);
	fixture_runs(w.end, PROG_CHARGE, charges, 0);
	fixture_runs(w.end, PROG_SOCK_CHARGE, charges, 0);
	fixture_runs(w.end, PROG_TRY_WALK, misses, 0);
	return w;
}

static void model_of(struct window *w,
		     int (*use)(struct gate *g, const struct model *m, const char *why),
		     const char *why)
{
	struct model m;

	assert_int_equal(model__init(&m, w), 0);
	assert_int_equal(use(&g, &m, why), 0);
	model__release(&m);
	window__release(w);
}

static void run(struct window w)
{
	model_of(&w, gate__add_run, NULL);
}

static int set_baseline(struct gate *to, const struct model *m, const char *why)
{
	(void)why;
	return gate__set_baseline(to, m);
}

static void baseline(struct window w)
{
	model_of(&w, set_baseline, NULL);
}

/* The one condition's result, and words that say why nobody can tell. */
static const struct judged *judge(enum gate_result result, const char *why)
{
	const struct judged *j;

	assert_int_equal(gate__judge(&g), 0);
	j = &g.judged[0];
	if (j->result != result)
		fail_msg("%s: %s, value %g in [%g, %g]: %s", j->text, gate_result__name(j->result),
			 j->value, j->low, j->high, j->why);
	if (why ? !strstr(j->why, why) : j->why[0])
		fail_msg("%s: '%s' in: %s", j->text, why ? why : "nothing", j->why);
	assert_int_equal(g.result, result);
	return j;
}

static const struct judged *one(const char *text, struct window w, enum gate_result result,
				const char *why)
{
	gate__release(&g);
	ask(text);
	run(w);
	return judge(result, why);
}

static void near(double a, double b)
{
	if (fabs(a - b) > 1e-9 * fabs(b))
		fail_msg("%.12g is not %.12g", a, b);
}

static void test_operators(void **state)
{
	static const struct {
		const char *text;
		bool holds;
	} all[] = {
		{"misses > 49", true},		 {"misses > 50", false},
		{"misses >= 50", true},		 {"misses >= 51", false},
		{"misses < 51", true},		 {"misses < 50", false},
		{"misses <= 50", true},		 {"misses <= 49", false},
		{"misses == 50", true},		 {"misses == 49", false},
		{"misses != 50", false},	 {"misses != 49", true},
		{"miss_ratio > 4%", true},	 {"miss_ratio > 5%", false},
		{"misses/s >= 25", true},	 {"misses/s > 25", false},
		{"misses/charges < 6%", true},	 {"sock_miss_ratio > 4.9%", true},
		{"miss_kinds.sock == 50", true}, {"hit_ratio < 95%", false},
		{"hit_ratio < 95.1%", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		one(all[i].text, window_of(1000, 50), all[i].holds ? GATE_FAILED : GATE_PASSED,
		    NULL);
}

/* With d missed a/b lies in [a / (b + d), (a + d) / (b + d)]. */
static void test_bounds(void **state)
{
	const struct judged *j;
	struct window w;

	(void)state;
	for (int i = 0; i < 4; i++) {
		static const char *const texts[] = {"miss_ratio > 2%", "miss_ratio > 7%",
						    "miss_ratio > 4.95%", "miss_ratio > 6.7%"};
		static const enum gate_result results[] = {GATE_FAILED, GATE_PASSED,
							   GATE_CANNOT_TELL, GATE_CANNOT_TELL};

		w = window_of(1000, 50);
		fixture_runs(w.end, PROG_CHARGE, 1000, 20);
		j = one(texts[i], w, results[i],
			results[i] == GATE_CANNOT_TELL ? "the calls that were missed leave it open"
						       : NULL);
		near(j->value, 0.05);
		near(j->low, 50.0 / 1020);
		near(j->high, 70.0 / 1020);
	}
	/* a lost walk makes a hit of a miss, and no charge */
	w = window_of(1000, 50);
	fixture_runs(w.end, PROG_TRY_WALK, 950, 10);
	j = one("miss_ratio > 1%", w, GATE_FAILED, NULL);
	near(j->low, 0.05);
	near(j->high, 0.06);
	w = window_of(1000, 50);
	fixture_runs(w.end, PROG_TRY_WALK, 950, 10);
	j = one("hits < 1", w, GATE_PASSED, NULL);
	near(j->low, 940);
	/* a count: up to so many more */
	w = window_of(1000, 50);
	fixture_runs(w.end, PROG_CHARGE, 1000, 20);
	j = one("charges > 1010", w, GATE_CANNOT_TELL, "leave it open");
	near(j->low, 1000);
	near(j->high, 1020);
	w = window_of(1000, 50);
	fixture_runs(w.end, PROG_CHARGE, 1000, 20);
	fixture_count(w.end, 1, 0, C_CHARGE_PAGES + KIND_SOCK, 1000);
	near(one("charge_pages > 1", w, GATE_FAILED, NULL)->high, 1000 + 20 * MISSED_PAGES_MAX);
	/* a share is no more than all */
	w = window_of(1000, 1000);
	fixture_runs(w.end, PROG_TRY_WALK, 1000, 10);
	near(one("miss_ratio > 50%", w, GATE_FAILED, NULL)->high, 1);
}

static void test_too_little(void **state)
{
	struct window w;

	(void)state;
	one("miss_ratio > 2%", window_of(99, 0), GATE_CANNOT_TELL,
	    "too few events: 99 charges, and --min-events is 100");
	one("miss_ratio > 2%", window_of(100, 0), GATE_PASSED, NULL);
	one("miss_ratio > 2%", window_of(0, 0), GATE_CANNOT_TELL, "too few events: 0 charges");
	/* a count of nothing, when nothing went on, is no count */
	one("evictions > 10", window_of(50, 0), GATE_CANNOT_TELL, "too few events");
	one("evictions > 10", window_of(500, 0), GATE_PASSED, NULL);
	one("amplification > 10%", window_of(500, 0), GATE_CANNOT_TELL,
	    "too few events: 0 sock_uncharges");
	/* 0/0, however few events are asked for */
	gate__release(&g);
	g.trust = (struct trust){0, 0.1};
	ask("amplification > 10%");
	run(window_of(500, 0));
	judge(GATE_CANNOT_TELL, "there is no value");
	w = window_of(500, 0);
	w.end->time_ns = 0;
	one("evictions/s > 10", w, GATE_CANNOT_TELL, "no length");
}

static void test_not_measured(void **state)
{
	struct window w = window_of(1000, 0);

	(void)state;
	fixture_missing(w.end, PROG_TRY_WALK, REASON_NOT_TRACEABLE);
	one("miss_ratio > 2%", w, GATE_CANNOT_TELL,
	    "miss_ratio is not measured: page_counter_try_charge cannot be traced");
	w = window_of(1000, 0);
	fixture_missing(w.end, PROG_TRY_WALK, REASON_NOT_TRACEABLE);
	one("charges/misses > 2%", w, GATE_CANNOT_TELL, "misses is not measured");
	/* silent, while its neighbour fires */
	w = window_of(1000, 0);
	fixture_count(w.end, 1, 0, C_SURPLUS_REFILLS, 200);
	fixture_runs(w.end, PROG_TRY_WALK, 0, 0);
	one("miss_ratio > 2%", w, GATE_CANNOT_TELL,
	    "is attached but never ran while 200 surplus refills");
	w = window_of(1000, 0);
	w.end->stock.design = DESIGN_PER_COUNTER;
	one("evictions > 2", w, GATE_CANNOT_TELL, "has no slots");
	w = window_of(1000, 0);
	one("p99(walk_ns) > 2us", w, GATE_CANNOT_TELL, "--no-time");
	w = window_of(1000, 0);
	one("stranded_pages > 2", w, GATE_CANNOT_TELL, "could be looked at");
	w = window_of(1000, 0);
	w.end->host.socket_accounting = false;
	one("miss_kinds.sock > 2", w, GATE_CANNOT_TELL, "miss_kinds.sock is not measured");
}

static void test_untrusted(void **state)
{
	struct window w = window_of(1000, 900);

	(void)state;
	fixture_runs(w.end, PROG_CHARGE, 1000, 200);
	one("miss_ratio > 2%", w, GATE_CANNOT_TELL,
	    "hook0 missed 16.67 % of its calls, --max-missed is 10 %");
	w = window_of(1000, 900);
	fixture_runs(w.end, PROG_CHARGE, 1000, 20);
	gate__release(&g);
	g.trust = (struct trust){100, 0.01};
	ask("miss_ratio > 2%");
	run(w);
	judge(GATE_CANNOT_TELL, "--max-missed is 1 %");
	/* who allows more has the bounds, and no cap */
	w = window_of(1000, 900);
	fixture_runs(w.end, PROG_CHARGE, 1000, 200);
	gate__release(&g);
	g.trust = (struct trust){100, 0.5};
	ask("miss_ratio > 2%");
	run(w);
	near(judge(GATE_FAILED, NULL)->low, 0.75);
	/* two derivations that disagree are no matter of what was missed */
	w = window_of(10000, 1000);
	w.end->verify = true;
	fixture_count(w.end, 1, 0, C_CHECKED, 10000);
	fixture_count(w.end, 1, 0, C_CHECK_DIFFER, 900);
	one("miss_ratio > 2%", w, GATE_CANNOT_TELL, "not to be trusted: what the stock held");
	gate__release(&g);
	ask("miss_ratio > 2%");
	w = window_of(1000, 900);
	model_of(&w, gate__add_run, "cut short by a signal");
	judge(GATE_CANNOT_TELL, "cut short by a signal");
}

static struct window busy(void)
{
	struct window w = window_of(1000, 50);

	fixture_count(w.end, 2, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 2, 1, C_MISS_KIND + KIND_SOCK, 200);
	fixture_count(w.end, 3, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 3);
	fixture_count(w.end, 3, 1, C_MISS_KIND + KIND_SOCK, 3);
	fixture_count(w.end, 2, 1, C_MISS_ABSENT, 200);
	fixture_count(w.end, 3, 1, C_MISS_ABSENT, 3);
	fixture_count(w.end, 2, 1, C_EVICTIONS, 40);
	return w;
}

static void test_scopes(void **state)
{
	const struct judged *j;
	struct window w;

	(void)state;
	j = one("max(cgroup:*, miss_ratio) > 19%", busy(), GATE_FAILED, NULL);
	near(j->value, 0.2);
	assert_string_equal(j->shown->where, "/r2");
	/* one with three charges is left out, and told */
	assert_int_equal(j->shown->left_out, 1);
	j = one("min(cgroup:*, miss_ratio) < 5%", busy(), GATE_PASSED, NULL);
	assert_string_equal(j->shown->where, "/r1");
	one("max(cgroup:/r1, miss_ratio) > 19%", busy(), GATE_PASSED, NULL);
	one("any(cgroup:/r[12], evictions/s) >= 20", busy(), GATE_FAILED, NULL);
	one("any(cgroup:/r[12], hit_ratio) < 81%", busy(), GATE_FAILED, NULL);
	j = one("sum(cgroup:/r[12], miss_ratio) > 12%", busy(), GATE_FAILED, NULL);
	near(j->value, 0.125);
	near(one("sum(cgroup:*, misses) > 252", busy(), GATE_FAILED, NULL)->value, 253);
	j = one("max(cpu, misses/charges) > 20%", busy(), GATE_FAILED, NULL);
	assert_string_equal(j->shown->where, "CPU 1");
	one("max(cgroup:/web*, miss_ratio) > 1%", busy(), GATE_CANNOT_TELL,
	    "no cgroup matches '/web*'");
	one("sum(cgroup:/web*, miss_ratio) > 1%", busy(), GATE_CANNOT_TELL,
	    "no cgroup matches '/web*'");
	one("max(cgroup:/r3, miss_ratio) > 1%", busy(), GATE_CANNOT_TELL,
	    "none of 1 cgroups has 100 charges");
	one("max(cgroup:*, sock_bytes) > 1KiB", busy(), GATE_CANNOT_TELL,
	    "memory.stat of no cgroup");
	/* a gauge that some have */
	w = busy();
	fixture_gauge(&w.end->rows[2].usage_bytes, 4096);
	near(one("max(cgroup:*, usage_bytes) > 1KiB", w, GATE_FAILED, NULL)->value, 4096);
	w = busy();
	fixture_gauge(&w.end->rows[2].usage_bytes, 4096);
	one("max(cgroup:/r1, usage_bytes) > 1KiB", w, GATE_CANNOT_TELL,
	    "not known of any of 1 cgroups");
	/* what is behind (other) may be worse than all that is seen, and not better */
	w = busy();
	fixture_count(w.end, 0, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 3);
	one("max(cgroup:*, miss_ratio) > 30%", w, GATE_CANNOT_TELL, "leave it open");
	w = busy();
	fixture_count(w.end, 0, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 3);
	one("max(cgroup:*, miss_ratio) > 10%", w, GATE_FAILED, NULL);
}

static void test_times(void **state)
{
	struct window w = window_of(1000, 50);
	const struct judged *j;

	(void)state;
	fixture_times(w.start, 8);
	fixture_times(w.end, 8);
	fixture_span(w.end, 1, SPAN_WALK, 1000, 980);
	fixture_span(w.end, 1, SPAN_WALK, 50000, 20);
	fixture_runs(w.end, PROG_WALK, 8000, 0);
	j = one("p99(walk_ns) > 20us", w, GATE_FAILED, NULL);
	near(j->low, j->high);
	assert_int_equal(j->shown->events, 1000);

	/* 80 calls missed, one in 8 timed: 10 more may all have been short, or long */
	w = window_of(1000, 50);
	fixture_times(w.start, 8);
	fixture_times(w.end, 8);
	fixture_span(w.end, 1, SPAN_WALK, 1000, 992);
	fixture_span(w.end, 1, SPAN_WALK, 50000, 8);
	fixture_runs(w.end, PROG_WALK, 8000, 80);
	j = one("p99(walk_ns) > 20us", w, GATE_CANNOT_TELL, "leave it open");
	assert_true(j->low <= 1024 && j->high > 40000);

	w = window_of(1000, 50);
	fixture_times(w.start, 8);
	fixture_times(w.end, 8);
	fixture_span(w.end, 1, SPAN_WALK, 1000, 50);
	one("p99(walk_ns) > 20us", w, GATE_CANNOT_TELL, "too few events: 50 timed calls");
}

static void runs_of(const char *text, const uint64_t *misses, size_t n)
{
	gate__release(&g);
	ask(text);
	for (size_t i = 0; i < n; i++)
		run(window_of(1000, misses[i]));
}

static void test_runs(void **state)
{
	static const uint64_t mixed[] = {10, 50, 20, 60, 55}, mixed_low[] = {10, 50, 20, 15, 55};
	const struct judged *j;
	struct window w;

	(void)state;
	runs_of("miss_ratio > 3%", mixed, 3);
	j = judge(GATE_CANNOT_TELL,
		  "1 of 3 runs crossed the limit; with 5 runs or more the median decides");
	assert_int_equal(j->over, 1);
	near(j->min, 0.01);
	near(j->median, 0.02);
	near(j->max, 0.05);
	runs_of("miss_ratio > 3%", mixed, 5);
	j = judge(GATE_FAILED, NULL);
	assert_int_equal(j->over, 3);
	near(j->median, 0.05);
	runs_of("miss_ratio > 3%", mixed_low, 5);
	judge(GATE_PASSED, NULL);
	runs_of("miss_ratio > 0.5%", mixed, 3);
	assert_int_equal(judge(GATE_FAILED, NULL)->over, 3);
	runs_of("miss_ratio > 6.5%", mixed, 3);
	assert_int_equal(judge(GATE_PASSED, NULL)->over, 0);
	runs_of("miss_ratio > 3%", mixed, 4);
	near(judge(GATE_CANNOT_TELL, "2 of 4")->median, 0.035);
	/* a run of which nothing is known is not made up for by the others */
	runs_of("miss_ratio > 6.5%", mixed, 5);
	run(window_of(5, 0));
	judge(GATE_CANNOT_TELL, "run 6 of 6: too few events");
	/* the median's bounds: three runs might be above */
	gate__release(&g);
	ask("miss_ratio > 5.5%");
	for (int i = 0; i < 5; i++) {
		w = window_of(1000, i < 2 ? 60 : 50);
		fixture_runs(w.end, PROG_CHARGE, 1000, 20);
		run(w);
	}
	judge(GATE_CANNOT_TELL, "on which side of the limit the median is");
}

static void test_baseline(void **state)
{
	struct window w;

	(void)state;
	for (int i = 0; i < 6; i++) {
		static const char *const texts[] = {"miss_ratio > +10%", "miss_ratio > +30%",
						    "miss_ratio > +1pp", "miss_ratio > +0.5pp",
						    "hit_ratio < -1pp",	 "misses > +9"};
		static const bool fails[] = {true, false, false, true, false, true};

		gate__release(&g);
		ask(texts[i]);
		assert_string_equal(gate__wants_baseline(&g), texts[i]);
		baseline(window_of(1000, 40));
		run(window_of(1000, 50));
		judge(fails[i] ? GATE_FAILED : GATE_PASSED, NULL);
	}
	gate__release(&g);
	ask("miss_ratio > 2%");
	assert_null(gate__wants_baseline(&g));
	/* the baseline has bounds as well */
	gate__release(&g);
	ask("miss_ratio > +10%");
	w = window_of(1000, 40);
	fixture_runs(w.end, PROG_CHARGE, 1000, 20);
	baseline(w);
	run(window_of(1000, 50));
	judge(GATE_CANNOT_TELL, "leave it open");
	gate__release(&g);
	ask("miss_ratio > +10%");
	baseline(window_of(4, 1));
	run(window_of(1000, 50));
	judge(GATE_CANNOT_TELL, "the baseline does not tell: too few events");
}

static void test_breaches(void **state)
{
	struct window w = window_of(1000, 10);

	(void)state;
	w.end->breaches = 3;
	ask("miss_ratio > 2%");
	run(w);
	assert_int_equal(gate__judge(&g), 0);
	assert_int_equal(g.result, GATE_FAILED);
	assert_int_equal(g.njudged, 2);
	assert_int_equal(g.nfailed, 1);
	assert_int_equal(g.judged[0].result, GATE_PASSED);
	assert_string_equal(g.judged[1].text, "stock_breaches > 0");
	near(g.judged[1].value, 3);
}

static bool no_metric(const char *name, const void *arg)
{
	(void)arg;
	return !strcmp(name, "known");
}

static void test_metrics(void **state)
{
	struct metric metrics[] = {{"tps", true, 900}, {"lost", false, 0}};
	struct window w;
	struct model m;

	(void)state;
	for (int i = 0; i < 4; i++) {
		static const char *const texts[] = {"metric:tps < 1000", "charges/metric:tps > 2",
						    "metric:lost > 1", "metric:none > 1"};
		static const enum gate_result results[] = {GATE_FAILED, GATE_PASSED,
							   GATE_CANNOT_TELL, GATE_CANNOT_TELL};
		static const char *const why[] = {NULL, NULL, "was not found in what CMD printed",
						  "there is no metric 'none'"};

		gate__release(&g);
		ask(texts[i]);
		w = window_of(1000, 10);
		w.command.metrics = metrics;
		w.command.nmetrics = 2;
		assert_int_equal(model__init(&m, &w), 0);
		assert_int_equal(gate__add_run(&g, &m, NULL), 0);
		model__release(&m);
		w.command = (struct command){};
		window__release(&w);
		judge(results[i], why[i]);
	}
	assert_string_equal(gate__wants_metric(&g, no_metric, NULL), "metric:none > 1");
	gate__release(&g);
	ask("charges/metric:known > 1");
	assert_null(gate__wants_metric(&g, no_metric, NULL));
}

static int config(const char *text, struct error *e)
{
	char path[] = "/tmp/test_gate.XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	gate__release(&g);
	err = gate__read_config(&g, path, e);
	unlink(path);
	return err;
}

static void test_config(void **state)
{
	struct error e = {};

	(void)state;
	assert_int_equal(config("# limits\n\n  miss_ratio > 2%   # of all\r\n\tmax(cgroup:\"/a "
				"#b*\", misses) > 10\n",
				&e),
			 0);
	assert_int_equal(g.nconditions, 2);
	assert_string_equal(g.conditions[0].expr.text, "miss_ratio > 2%");
	assert_int_equal(g.conditions[0].line, 3);
	assert_string_equal(g.conditions[1].expr.glob, "/a #b*");
	assert_int_equal(config("misses > 1\n\nmiss_ration > 2%\n", &e), -1);
	assert_non_null(strstr(e.text, ":3: in 'miss_ration > 2%', column 1: "));
	assert_int_equal(e.status, STATUS_USAGE);
	e = (struct error){};
	assert_int_equal(config("# nothing\n", &e), -1);
	assert_non_null(strstr(e.text, "has no condition"));
	e = (struct error){};
	assert_int_equal(gate__read_config(&g, "/nonexistent", &e), -1);
	assert_non_null(strstr(e.text, "cannot read /nonexistent: No such file"));
	e = (struct error){};
	assert_int_equal(gate__read_config(&g, "/dev/zero", &e), -1);
	assert_non_null(strstr(e.text, "/dev/zero:1: that is no file of conditions"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_operators, teardown),
		cmocka_unit_test_teardown(test_bounds, teardown),
		cmocka_unit_test_teardown(test_too_little, teardown),
		cmocka_unit_test_teardown(test_not_measured, teardown),
		cmocka_unit_test_teardown(test_untrusted, teardown),
		cmocka_unit_test_teardown(test_scopes, teardown),
		cmocka_unit_test_teardown(test_times, teardown),
		cmocka_unit_test_teardown(test_runs, teardown),
		cmocka_unit_test_teardown(test_baseline, teardown),
		cmocka_unit_test_teardown(test_breaches, teardown),
		cmocka_unit_test_teardown(test_metrics, teardown),
		cmocka_unit_test_teardown(test_config, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
