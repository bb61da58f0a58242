// SPDX-License-Identifier: GPL-2.0-only
// links: view/json*.c view/verdict.c view/writer.c view/number.c view/hooks.c view/doctor.c view/diagnosis.c view/page.c view/head.c model/*.c sample/sample.c sample/store_names.c text/utf8.c ../tests/unit/window.c ../tests/unit/json_fixture.c
/* What the JSON says of times, stocks, evictions and drains. */
#include "json_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/times.h"

/* The buckets of a histogram are ascending, none is empty, and they add up to its count. */
static void check_buckets(json_t *h)
{
	double count = 0, edge = -1;
	json_t *bucket, *buckets = at(h, "buckets");
	size_t i;

	json_array_foreach (buckets, i, bucket) {
		json_t *le = at(bucket, "le");

		assert_true(json_number_value(at(bucket, "count")) > 0);
		count += json_number_value(at(bucket, "count"));
		if (json_is_null(le)) {
			assert_int_equal(i, json_array_size(buckets) - 1);
			continue;
		}
		assert_true(json_number_value(le) > edge);
		edge = json_number_value(le);
	}
	assert_number_at(h, "count", count);
}

/* No events: nothing is taken of them. Else they are in order. */
static void check_numbers(json_t *h)
{
	static const char *const keys[] = {"p50", "p90", "p99", "max"};
	double before = 0;

	assert_int_equal(json_is_null(at(h, "mean")), !json_number_value(at(h, "count")));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *v = at(h, keys[i]);

		assert_int_equal(json_is_null(v), !json_number_value(at(h, "count")));
		assert_true(json_number_value(v) >= before);
		before = json_number_value(v);
	}
}

static void test_histograms(void **state)
{
	static const char *const parts[] = {"plain", "walked", "lower", "exact"};

	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		json_t *doc = parsed(*name), *h;
		const char *key;

		json_object_foreach (at(doc, "histograms"), key, h) {
			assert_int_equal(json_is_null(h),
					 json_object_get(at(doc, "unmeasured"), key) != NULL);
			if (json_is_null(h))
				continue;
			check_buckets(h);
			check_numbers(h);
			assert_string_at(h, "unit", "ns");
			for (size_t i = 0; i < 4 && !strcmp(key, "lock_hold_ns"); i++) {
				json_t *part = at(h, parts[i]);

				if (json_is_null(part))
					continue;
				check_buckets(part);
				check_numbers(part);
			}
		}
		json_decref(doc);
	}
}

static void test_holds(void **state)
{
	json_t *doc = parsed("demo"), *h = at(doc, "histograms.lock_hold_ns");

	(void)state;
	assert_string_at(h, "kind", "upper_bound");
	assert_string_equal(json_string_value(json_array_get(at(h, "covers"), 0)), "refill");
	assert_number_at(h, "sample", 1);
	assert_number_at(h, "count", 98414);
	assert_number_at(h, "sum", 274292242);
	assert_number_at(h, "mean", 2787.13);
	assert_number_at(h, "max", 160911);
	assert_number_at(h, "plain.count", 72905);
	assert_number_at(h, "walked.count", 25509);
	assert_number_at(h, "lower.count", 25509);
	assert_number_at(h, "budget_ns", HOLD_BUDGET_NS);
	assert_true(json_number_value(at(h, "walked_share")) > 0.3);
	assert_true(json_number_value(at(h, "above_budget")) > 0);
	assert_true(json_is_null(at(h, "exact")));
	assert_unmeasured(doc, "lock_hold_ns.exact", "not_applicable", "not_rt");
	assert_true(json_is_null(at(doc, "histograms.lock_wait_ns")));
	assert_true(json_is_null(at(doc, "quality.hold_check.ratio")));
	assert_unmeasured(doc, "quality.hold_check", "not_applicable", "not_rt");
	json_decref(doc);

	doc = parsed("exact");
	h = at(doc, "histograms.lock_hold_ns");
	assert_string_at(h, "kind", "lower_bound");
	assert_number_at(h, "sample", 64);
	assert_true(json_number_value(at(h, "exact.count")) > 0);
	assert_true(json_number_value(at(doc, "histograms.lock_wait_ns.count")) > 0);
	assert_true(json_number_value(at(doc, "quality.hold_check.checked")) > 0);
	assert_true(json_number_value(at(doc, "quality.hold_check.ratio")) > 0.9);
	assert_null(json_object_get(at(doc, "unmeasured"), "quality.hold_check"));
	assert_number_at(doc, "sampling.every", 64);
	json_decref(doc);
}

/* 7.3: a charge or a refill only tries the lock. Its holds are known all the same. */
static void test_nobody_waited(void **state)
{
	struct window w = window_of("exact");
	json_t *doc;

	(void)state;
	w.end->stock.design = DESIGN_MULTI_SLOT;
	w.end->spans[SPAN_LOCK_WAIT] = (struct hist){};
	doc = parsed_of(&w);
	assert_true(json_is_null(at(doc, "histograms.lock_wait_ns")));
	assert_unmeasured(doc, "lock_wait_ns", "not_measurable", "no_events");
	assert_true(json_number_value(at(doc, "histograms.lock_hold_ns.exact.count")) > 0);
	assert_null(json_object_get(at(doc, "unmeasured"), "lock_hold_ns.exact"));
	json_decref(doc);

	w = window_of("exact");
	w.end->spans[SPAN_HOLD_EXACT] = (struct hist){};
	doc = parsed_of(&w);
	assert_true(json_is_null(at(doc, "histograms.lock_hold_ns.exact")));
	assert_unmeasured(doc, "lock_hold_ns.exact", "not_measurable", "no_events");
	json_decref(doc);
}

static void test_functions(void **state)
{
	json_t *doc = parsed("demo"), *f;
	double before = 1e18;
	size_t i;

	(void)state;
	assert_number_at(doc, "sampling.every", 1);
	assert_in_range(json_array_size(at(doc, "functions")), 4, FUNCTIONS_MAX);
	json_array_foreach (at(doc, "functions"), i, f) {
		double ns = json_number_value(at(f, "ns"));
		const char *key = json_string_value(at(f, "measure"));

		assert_true(ns <= before);
		before = ns;
		assert_true(json_number_value(at(f, "self_ns")) <= ns);
		/* of six digits */
		assert_true(fabs(json_number_value(at(f, "cpu_ratio")) / (ns / 10.42e9) - 1) <
			    1e-5);
		assert_non_null(json_string_value(at(f, "bound")));
		assert_non_null(json_string_value(at(f, "function")));
		if (strcmp(key, "lock_hold_ns"))
			assert_string_at(json_object_get(at(doc, "histograms"), key), "kind",
					 json_string_value(at(f, "bound")));
	}
	json_decref(doc);
}

/* --no-time: no list is empty, and no object null, without a reason. */
static void test_no_time(void **state)
{
	static const char *const keys[] = {"sampling",	    "functions",    "charge_ns",
					   "walk_ns",	    "lock_hold_ns", "slot_life_ns",
					   "stat_update_ns"};
	struct window w = window_of("demo");
	json_t *doc, *row;
	size_t i;

	(void)state;
	free(w.end->spans);
	w.end->spans = NULL;
	w.end->asked.sample_every = 0;
	for (i = 0; i < w.end->nrows; i++) {
		free(w.end->rows[i].times);
		w.end->rows[i].times = NULL;
	}
	doc = parsed_of(&w);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_unmeasured(doc, keys[i], "not_measurable", "not_asked");
	assert_true(json_is_null(at(doc, "sampling")));
	assert_int_equal(json_array_size(at(doc, "functions")), 0);
	json_array_foreach (at(doc, "cgroups"), i, row)
		assert_true(json_is_null(at(row, "walk_ns")));
	json_decref(doc);
}

static void test_histograms_of_cgroups(void **state)
{
	json_t *doc = parsed("demo"), *row;
	double holds = 0;
	size_t i;

	(void)state;
	json_array_foreach (at(doc, "cgroups"), i, row) {
		json_t *h = at(row, "lock_hold_ns");

		assert_int_equal(json_object_size(h), 7);
		check_numbers(h);
		holds += json_number_value(at(h, "count"));
		check_numbers(at(row, "walk_ns"));
		assert_null(json_object_get(row, "slot_life_ns"));
	}
	assert_number_at(doc, "histograms.lock_hold_ns.count", holds);
	json_array_foreach (at(doc, "cpus"), i, row)
		assert_null(json_object_get(row, "walk_ns"));
	json_decref(doc);
}

static void test_pairs(void **state)
{
	struct window w = window_of("demo");
	double evictions = 0;
	json_t *doc = parsed("demo"), *pair;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(at(doc, "eviction_pairs")), 9);
	json_array_foreach (at(doc, "eviction_pairs"), i, pair) {
		evictions += json_number_value(at(pair, "evictions"));
		assert_int_equal(json_object_size(pair), 4);
		assert_true(json_number_value(at(pair, "by")) > 0);
	}
	assert_number_at(doc, "total.evictions", evictions);
	assert_null(json_object_get(at(doc, "unmeasured"), "eviction_pairs"));
	json_decref(doc);

	/* by what has no row, of what has none */
	w.end->pairs[0].key.by = 0;
	w.end->pairs[1].key.of = 0;
	doc = parsed_of(&w);
	i = 0;
	json_array_foreach (at(doc, "eviction_pairs"), i, pair)
		evictions -= json_is_null(at(pair, "by")) + json_is_null(at(pair, "of"));
	assert_number_at(doc, "total.evictions", evictions + 2);
	json_decref(doc);

	/* nobody kept them */
	w = window_of("demo");
	w.end->npairs = 0;
	doc = parsed_of(&w);
	assert_int_equal(json_array_size(at(doc, "eviction_pairs")), 0);
	assert_unmeasured(doc, "eviction_pairs", "not_measurable", "absent");
	json_decref(doc);
	doc = parsed("per-counter");
	assert_unmeasured(doc, "eviction_pairs", "not_applicable", "design");
	json_decref(doc);
	/* there were none */
	doc = parsed("idle");
	assert_null(json_object_get(at(doc, "unmeasured"), "eviction_pairs"));
	json_decref(doc);
}

static void test_drains(void **state)
{
	json_t *doc = parsed("limit"), *d, *row;
	struct window w;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(at(doc, "drain_callers")), 2);
	d = json_array_get(at(doc, "drain_callers"), 0);
	assert_number_at(d, "calls", 2410);
	assert_string_at(d, "why", "charge at the limit");
	assert_int_equal(json_array_size(at(d, "stack")), 4);
	assert_string_equal(json_string_value(json_array_get(at(d, "stack"), 1)),
			    "try_charge_memcg");
	assert_string_at(json_array_get(at(doc, "drain_callers"), 1), "why", "offline");
	assert_number_at(doc, "drain_all_busy", 87);
	json_array_foreach (at(doc, "cgroups"), i, row) {
		if (json_number_value(at(row, "id")) == json_number_value(at(d, "cgroup"))) {
			assert_number_at(row, "hit_usage_pages", 2048);
			assert_number_at(row, "hit_limit_pages", 2048);
			assert_number_at(row, "limit_bytes", 8 << 20);
			assert_number_at(row, "sock_share", 0.25);
		} else {
			assert_true(json_is_null(at(row, "hit_usage_pages")));
			assert_true(json_is_null(at(row, "hit_limit_pages")));
		}
		assert_int_equal(json_is_null(at(row, "pressure_setter")),
				 !json_number_value(at(row, "pressure_sets")));
	}
	json_decref(doc);

	doc = parsed("demo");
	assert_true(json_is_null(at(doc, "drain_all_busy")));
	assert_unmeasured(doc, "drain_all_busy", "not_measurable", "not_asked");
	assert_null(json_object_get(at(doc, "unmeasured"), "drain_callers"));
	json_decref(doc);

	w = window_of("limit");
	w.end->ndrains = 0;
	doc = parsed_of(&w);
	assert_unmeasured(doc, "drain_callers", "not_measurable", "absent");
	json_decref(doc);
}

static void test_stocks(void **state)
{
	struct window w = window_of("demo");
	json_t *doc = parsed("demo"), *cpu = json_array_get(at(doc, "cpus"), 1);
	double pages = 0;
	json_t *slot;
	size_t i;

	(void)state;
	json_array_foreach (at(cpu, "slots"), i, slot)
		pages += json_number_value(at(slot, "pages"));
	assert_number_at(cpu, "slots_used", i);
	assert_number_at(cpu, "stranded_pages", pages);
	assert_number_at(doc, "total.stranded_pages", pages);
	assert_true(json_is_false(at(cpu, "flushing")));
	assert_int_equal(json_array_size(at(json_array_get(at(doc, "cpus"), 0), "slots")), 0);
	assert_number_at(doc, "quality.stock_breaches", 0);
	json_decref(doc);

	doc = parsed("limit");
	assert_true(json_is_true(at(json_array_get(at(doc, "cpus"), 2), "flushing")));
	json_decref(doc);

	/* a slot with pages of nobody */
	w.end->cpus[0].slots[6].pages = 5;
	w.end->breaches = 1;
	doc = parsed_of(&w);
	slot = json_array_get(at(json_array_get(at(doc, "cpus"), 0), "slots"), 0);
	assert_true(json_is_null(at(slot, "cgroup")));
	assert_number_at(slot, "pages", 5);
	assert_number_at(doc, "quality.stock_breaches", 1);
	json_decref(doc);

	w = window_of("demo");
	for (i = 0; i < w.end->ncpus; i++)
		w.end->cpus[i].stock_seen = false;
	doc = parsed_of(&w);
	json_array_foreach (at(doc, "cpus"), i, cpu) {
		assert_true(json_is_null(at(cpu, "slots")));
		assert_true(json_is_null(at(cpu, "flushing")));
		assert_true(json_is_null(at(cpu, "slots_used")));
	}
	assert_unmeasured(doc, "cpus.slots", "not_measurable", "absent");
	assert_true(json_is_null(at(doc, "quality.stock_breaches")));
	assert_unmeasured(doc, "quality.stock_breaches", "not_measurable", "absent");
	json_decref(doc);
}

/* A value of some cgroups is no reason; one that no cgroup has needs one. */
static void test_gauges(void **state)
{
	struct window w = window_of("demo");
	json_t *doc = parsed("demo"), *row;
	size_t i, known = 0, n = 0;

	(void)state;
	json_array_foreach (at(doc, "cgroups"), i, row) {
		known += json_is_number(at(row, "limit_bytes"));
		n += json_is_number(at(row, "usage_bytes"));
	}
	assert_int_equal(known, 1);
	assert_int_equal(n, 9);
	assert_null(json_object_get(at(doc, "unmeasured"), "limit_bytes"));
	json_decref(doc);

	for (i = 0; i < w.end->nrows; i++)
		w.end->rows[i].limit_bytes.known = w.end->rows[i].usage_bytes.known = false;
	doc = parsed_of(&w);
	assert_true(json_object_get(at(doc, "unmeasured"), "limit_bytes") != NULL);
	assert_true(json_object_get(at(doc, "unmeasured"), "usage_bytes") != NULL);
	assert_null(json_object_get(at(doc, "unmeasured"), "sock_bytes"));
	json_decref(doc);
}

static void test_timeline(void **state)
{
	struct window w = window_of("demo");
	json_t *doc = parsed("demo"), *in;
	double end = 0, charges = 0, misses = 0;
	size_t i;

	(void)state;
	assert_number_at(doc, "window.intervals", 20);
	assert_int_equal(json_array_size(at(doc, "timeline")), 20);
	json_array_foreach (at(doc, "timeline"), i, in) {
		assert_true(json_number_value(at(in, "end_s")) > end);
		end = json_number_value(at(in, "end_s"));
		charges += json_number_value(at(in, "charges"));
		misses += json_number_value(at(in, "misses"));
	}
	assert_number_at(doc, "window.duration_s", end);
	assert_number_at(doc, "total.charges", charges);
	assert_number_at(doc, "total.misses", misses);
	json_decref(doc);

	/* sums keep all of their bits, and a window may have no start */
	w.intervals[0].charges[0] = UINT64_MAX - 1;
	w.intervals[0].charges[1] = 1;
	sample__free(w.start);
	w.start = NULL;
	doc = parsed_of(&w);
	in = json_array_get(at(doc, "timeline"), 0);
	assert_true(json_is_null(at(in, "end_s")));
	assert_number_at(in, "charges", 18446744073709551615.0);
	json_decref(doc);

	doc = parsed("many");
	assert_number_at(doc, "window.intervals", 1);
	assert_int_equal(json_array_size(at(doc, "timeline")), 0);
	assert_unmeasured(doc, "timeline", "not_measurable", "absent");
	json_decref(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_histograms),    cmocka_unit_test(test_holds),
		cmocka_unit_test(test_nobody_waited), cmocka_unit_test(test_functions),
		cmocka_unit_test(test_no_time),	      cmocka_unit_test(test_histograms_of_cgroups),
		cmocka_unit_test(test_pairs),	      cmocka_unit_test(test_drains),
		cmocka_unit_test(test_stocks),	      cmocka_unit_test(test_gauges),
		cmocka_unit_test(test_timeline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
