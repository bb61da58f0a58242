// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
/* What lies in the stocks, who takes whose slot, and who has all of them drained. */
#include "sample_fixture.h"

#include <math.h>

#include "model/model.h"

static struct window w;
static struct model m;

static int setup(void **state)
{
	(void)state;
	w = (struct window){.start = fixture_sample(4, 3), .end = fixture_sample(4, 3)};
	w.end->time_ns = 1000000000;
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

static double value(const char *key, const struct scope *s)
{
	return field__value(field__find(key), s);
}

static const struct scope *row(uint64_t id)
{
	for (size_t i = 0; i < m.nrows; i++)
		if (m.rows[i].row->id == id)
			return &m.rows[i].scope;
	fail_msg("no row %lu", (unsigned long)id);
	return NULL;
}

static void test_stranded(void **state)
{
	(void)state;
	fixture_slot(w.end, 0, 0, 101, 60);
	fixture_slot(w.end, 0, 6, 102, 4);
	/* one that was used up is still taken */
	fixture_slot(w.end, 2, 3, 101, 0);
	fixture_gauge(&w.end->rows[1].stranded_pages, 60);
	fixture_gauge(&w.end->rows[1].stranded_seen_max, 64);
	build();
	assert_true(value("slots_used", &m.cpus[0].scope) == 2);
	assert_true(value("stranded_pages", &m.cpus[0].scope) == 64);
	assert_true(value("slots_used", &m.cpus[2].scope) == 1);
	assert_true(value("stranded_pages", &m.cpus[2].scope) == 0);
	/* nobody looked there */
	assert_true(isnan(value("slots_used", &m.cpus[1].scope)));
	assert_true(value("stranded_pages", &m.total) == 64);
	assert_true(value("stranded_pages", row(101)) == 60);
	assert_true(value("stranded_seen_max", row(101)) == 64);
	assert_true(isnan(value("stranded_pages", row(102))));
	assert_true(isnan(value("stranded_seen_max", &m.total)));
}

/* A batch in each slot; of one cgroup a slot a CPU. */
static void test_bounds(void **state)
{
	(void)state;
	w.end->host.cpus_online = 2;
	build();
	assert_true(value("stranded_bound_pages", &m.total) == 2 * 7 * 64);
	assert_true(value("stranded_bound_pages", &m.cpus[1].scope) == 7 * 64);
	assert_true(value("stranded_bound_pages", row(101)) == 2 * 64);
	/* how many cgroups are in (other) is not known */
	assert_true(isnan(value("stranded_bound_pages", &m.rows[3].scope)));
}

static void test_files(void **state)
{
	struct row *r = &w.end->rows[2];

	(void)state;
	fixture_gauge(&r->usage_bytes, 6 << 20);
	fixture_gauge(&r->sock_bytes, 3 << 20);
	build();
	assert_true(value("usage_bytes", row(102)) == 6 << 20);
	assert_true(isnan(value("limit_bytes", row(102))));
	assert_true(isnan(value("sock_share", row(102))));
	assert_true(isnan(value("usage_bytes", row(101))));
	fixture_gauge(&r->limit_bytes, 4 << 20);
	assert_true(value("sock_share", row(102)) == 0.75);
	/* by a gauge rows are sorted as by a count: what is not known is last */
	fixture_gauge(&w.end->rows[3].usage_bytes, 7 << 20);
	model__sort(&m, field__find("usage_bytes"));
	assert_int_equal(m.rows[0].row->id, 103);
	assert_int_equal(m.rows[1].row->id, 102);
	assert_int_equal(m.rows[2].row->id, 101);
}

static void test_pressure(void **state)
{
	(void)state;
	w.start->rows[1].pressure_ns = 500;
	w.start->rows[1].pressure_sets = 3;
	w.end->rows[1].pressure_ns = 1700;
	w.end->rows[1].pressure_sets = 5;
	w.end->rows[2].pressure_ns = 40;
	w.end->rows[2].pressure_sets = 1;
	build();
	assert_true(value("pressure_ns", row(101)) == 1200);
	assert_true(value("pressure_sets", row(101)) == 2);
	assert_true(value("pressure_ns", &m.total) == 1240);
	assert_true(value("pressure_sets", &m.total) == 3);
	assert_true(isnan(value("pressure_ns", &m.cpus[0].scope)));
}

static void assert_pair(size_t i, uint64_t by, uint64_t of, uint64_t evictions, uint64_t pages)
{
	assert_true(i < m.npairs);
	assert_int_equal(m.pairs[i].key.by, by);
	assert_int_equal(m.pairs[i].key.of, of);
	assert_int_equal(m.pairs[i].count.evictions, evictions);
	assert_int_equal(m.pairs[i].count.pages, pages);
}

static void test_pairs(void **state)
{
	(void)state;
	fixture_pair(w.start, 0, 101, 9, 90);
	fixture_pair(w.start, 101, 102, 100, 6400);
	fixture_pair(w.start, 101, 103, 7, 7);
	fixture_pair(w.start, 103, 101, 1, 1);
	fixture_pair(w.end, 0, 101, 19, 91);
	fixture_pair(w.end, 101, 102, 110, 7000);
	fixture_pair(w.end, 101, 103, 7, 7);
	fixture_pair(w.end, 102, 101, 5000000000, 40);
	fixture_pair(w.end, 103, 102, 10, 1);
	build();
	/* the most first; of as many the most pages, then by key; none that did nothing */
	assert_int_equal(m.npairs, 4);
	assert_pair(0, 102, 101, 5000000000, 40);
	assert_pair(1, 101, 102, 10, 600);
	assert_pair(2, 0, 101, 10, 1);
	assert_pair(3, 103, 102, 10, 1);
}

static void test_no_start(void **state)
{
	(void)state;
	sample__free(w.start);
	w.start = NULL;
	fixture_pair(w.end, 101, 102, 3, 30);
	fixture_drain(w.end, 101, 4, "memory_max_write");
	w.end->drain_all_busy = 6;
	w.end->rows[1].pressure_ns = 5;
	build();
	assert_int_equal(m.npairs, 1);
	assert_int_equal(m.ndrains, 1);
	assert_int_equal(m.drain_all_busy, 6);
	assert_true(value("pressure_ns", row(101)) == 5);
}

#define AT_LIMIT "drain_all_stock.part.0 try_charge_memcg charge_memcg"

static void test_drains(void **state)
{
	(void)state;
	fixture_drain(w.start, 102, 10, AT_LIMIT);
	fixture_drain(w.start, 101, 3, AT_LIMIT);
	fixture_drain(w.start, 101, 6, "memory_max_write");
	w.start->drain_all_busy = 2;
	fixture_drain(w.end, 101, 7, AT_LIMIT);
	fixture_drain(w.end, 101, 6, "memory_max_write");
	fixture_drain(w.end, 101, 4, AT_LIMIT " alloc_charge_folio");
	fixture_drain(w.end, 102, 510, AT_LIMIT);
	w.end->drain_all_busy = 9;
	build();
	assert_int_equal(m.ndrains, 3);
	assert_int_equal(m.drains[0].cgroup, 102);
	assert_int_equal(m.drains[0].calls, 500);
	assert_int_equal(m.drains[1].calls, 4);
	assert_int_equal(m.drains[1].nframes, 3);
	assert_int_equal(m.drains[2].calls, 4);
	assert_int_equal(m.drains[2].nframes, 4);
	assert_string_equal(m.drains[2].frames[3], "alloc_charge_folio");
	assert_int_equal(m.drain_all_busy, 7);
}

static void test_why(void **state)
{
	static const struct {
		const char *stack;
		const char *why;
	} cases[] = {
		{"drain_all_stock.part.0 memory_max_write cgroup_file_write", "memory.max"},
		{"drain_all_stock memory_high_write kernfs_fop_write_iter", "memory.high"},
		{AT_LIMIT, "charge at the limit"},
		{"mem_cgroup_css_offline css_killed_work_fn process_one_work", "offline"},
		{"drain_all_stock.part.0 mem_cgroup_resize_max.isra.0 mem_cgroup_write",
		 "memory.limit_in_bytes"},
		{"mem_cgroup_force_empty_write.constprop.0 cgroup_file_write", "other"},
		{"mem_cgroup_force_empty.constprop.0 cgroup_file_write", "memory.force_empty"},
		{"user_proactive_reclaim memory_reclaim", "memory.reclaim"},
		{"memory_reclaim", "memory.reclaim"},
		/* a charge inside a write is a charge */
		{"try_charge_memcg obj_cgroup_charge memory_max_write", "charge at the limit"},
		{"do_something else_again", "other"},
		{"", "other"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		fixture_drain(w.end, 100 + i, 1, cases[i].stack);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(drain_why__name(drain_caller__why(&w.end->drains[i])),
				    cases[i].why);
	for (int why = 0; why < WHY_NR; why++)
		assert_non_null(drain_why__name(why));
}

static void test_breaches(void **state)
{
	(void)state;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	w.start->breaches = 2;
	w.end->breaches = 5;
	build();
	assert_int_equal(m.quality.breaches, 3);
	assert_int_equal(m.quality.grade, GRADE_GOOD);
}

/* Holds that were not within their bounds: what was timed is not to be believed. */
static void test_hold_check(void **state)
{
	(void)state;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 1, 0, C_HOLD_CHECKED, 5000);
	fixture_count(w.end, 1, 0, C_HOLD_DIFFER, 50);
	build();
	assert_int_equal(m.quality.hold_checked, 5000);
	assert_int_equal(m.quality.hold_differ, 50);
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	fixture_count(w.end, 1, 0, C_HOLD_DIFFER, 1);
	build();
	assert_int_equal(m.quality.grade, GRADE_UNTRUSTED);
	assert_non_null(strstr(m.quality.reasons[0], "51 of 5000 holds"));
}

/* What is hooked everywhere and only asked for loses runs of its own, and no count by it. */
static void test_aside_hooks(void **state)
{
	static const enum prog_id aside[] = {PROG_LOCK_TRY, PROG_LOCK_WAIT, PROG_LOCK_TAKEN,
					     PROG_UNLOCK, PROG_DRAIN_BUSY};

	(void)state;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	for (size_t i = 0; i < sizeof(aside) / sizeof(aside[0]); i++)
		fixture_runs(w.end, aside[i], 100, 900);
	fixture_runs(w.end, PROG_CHARGE, 1000, 1);
	build();
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	assert_int_equal(m.quality.worst->prog, PROG_CHARGE);
	/* that of a time is one as any other */
	fixture_runs(w.end, PROG_WALK_EXIT, 1000, 900);
	build();
	assert_int_equal(m.quality.grade, GRADE_UNTRUSTED);
}

#define WITH_WINDOW(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_WINDOW(test_stranded),    WITH_WINDOW(test_bounds),
		WITH_WINDOW(test_files),       WITH_WINDOW(test_pressure),
		WITH_WINDOW(test_pairs),       WITH_WINDOW(test_no_start),
		WITH_WINDOW(test_drains),      WITH_WINDOW(test_why),
		WITH_WINDOW(test_breaches),    WITH_WINDOW(test_hold_check),
		WITH_WINDOW(test_aside_hooks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
