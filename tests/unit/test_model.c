// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
#include "sample_fixture.h"

#include <locale.h>
#include <math.h>

#include "model/model.h"

/* A window of one second that test code fills; both samples have the same rows and CPUs. */
static struct window window_of(size_t nrows, size_t ncpus)
{
	struct window w = {.start = fixture_sample(nrows, ncpus),
			   .end = fixture_sample(nrows, ncpus)};

	w.start->time_ns = 5000000000;
	w.end->time_ns = 6000000000;
	return w;
}

static const struct model_row *row_of(const struct model *m, uint64_t id)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (m->rows[i].row->id == id)
			return &m->rows[i];
	fail_msg("no row %lu", (unsigned long)id);
	return NULL;
}

static uint64_t count_of(const char *key, const struct scope *s)
{
	return field__find(key)->count(s);
}

static double value_of(const char *key, const struct scope *s)
{
	return field__value(field__find(key), s);
}

static void end(struct model *m, struct window *w)
{
	model__release(m);
	window__release(w);
}

static void test_differences_and_sums(void **state)
{
	struct window w = window_of(3, 2);
	struct model m;

	(void)state;
	fixture_count(w.start, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1700);
	fixture_count(w.end, 1, 1, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 20);
	fixture_count(w.end, 2, 1, CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 5);
	fixture_count(w.end, 0, 1, CHARGE_AT(KIND_OTHER, LEVEL_TASK), 3);
	fixture_count(w.end, 1, 0, C_MISS_KIND + KIND_SOCK, 70);

	assert_int_equal(model__init(&m, &w), 0);
	assert_true(m.seconds == 1.0);
	assert_int_equal(count_of("charges", &m.total), 728);
	assert_int_equal(count_of("misses", &m.total), 70);
	assert_int_equal(count_of("hits", &m.total), 658);
	assert_true(value_of("miss_ratio", &m.total) == 70.0 / 728);
	assert_int_equal(count_of("charges", &row_of(&m, 101)->scope), 720);
	assert_int_equal(count_of("charges", &row_of(&m, 102)->scope), 5);
	assert_int_equal(count_of("charges", &m.cpus[0].scope), 700);
	assert_int_equal(count_of("charges", &m.cpus[1].scope), 28);
	/* `other` is there, last, and makes the sum right */
	assert_int_equal(m.nrows, 3);
	assert_int_equal(m.rows[2].row->state, ROW_IS_OTHER);
	assert_int_equal(count_of("charges", &m.rows[2].scope), 3);
	assert_string_equal(m.hit_source, "walk");
	end(&m, &w);
}

/* W of a CPU is that of the window: who charged before it does not count, nor does `other`. */
static void test_memcgs_of_the_window(void **state)
{
	struct window w = window_of(4, 3);
	struct model m;

	(void)state;
	fixture_count(w.start, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.start, 2, 0, CHARGE_AT(KIND_OBJ, LEVEL_SOFTIRQ), 5);
	fixture_count(w.end, 2, 0, CHARGE_AT(KIND_OBJ, LEVEL_SOFTIRQ), 6);
	fixture_count(w.end, 2, 2, C_SOCK_INLINE_LEVEL + LEVEL_TASK, 1);
	fixture_count(w.end, 3, 2, CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 1);
	fixture_count(w.end, 3, 1, C_WALK_CAUSE + CAUSE_FLUSH, 9);
	fixture_count(w.end, 0, 2, CHARGE_AT(KIND_OTHER, LEVEL_TASK), 7);
	/* At the end row 3 is a cgroup that is new. */
	fixture_count(w.start, 3, 2, CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 8);
	w.end->rows[3].id = 200;

	assert_int_equal(model__init(&m, &w), 0);
	assert_true(value_of("memcgs", &m.cpus[0].scope) == 1);
	assert_true(value_of("memcgs", &m.cpus[1].scope) == 0);
	assert_true(value_of("memcgs", &m.cpus[2].scope) == 2);
	end(&m, &w);
}

/* CPUs are found by their number, in whatever order and number the start has them. */
static void test_memcgs_when_a_cpu_came(void **state)
{
	struct window w = window_of(2, 2);
	struct model m;

	(void)state;
	fixture_count(w.start, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 4);
	w.start->ncpus = 1;
	w.start->cpus[0].cpu = 1;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 4);
	fixture_count(w.end, 1, 1, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 4);

	assert_int_equal(model__init(&m, &w), 0);
	assert_true(value_of("memcgs", &m.cpus[0].scope) == 1);
	assert_true(value_of("memcgs", &m.cpus[1].scope) == 0);
	end(&m, &w);
}

/* The total is that of the CPUs, so a row that is lost does not make it smaller. */
static void test_new_and_lost_rows(void **state)
{
	struct window w = window_of(3, 1);
	struct model m;

	(void)state;
	fixture_count(w.start, 1, 0, C_FORCED, 40);
	fixture_count(w.start, 2, 0, C_FORCED, 1);
	/* At the end row 1 belongs to a cgroup that is new, and 101 is gone. */
	w.end->rows[1].id = 200;
	fixture_count(w.end, 1, 0, C_FORCED, 7);
	fixture_count(w.end, 2, 0, C_FORCED, 3);
	w.end->cpus[0].c[C_FORCED] = 50;

	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("forced", &row_of(&m, 200)->scope), 7);
	assert_int_equal(count_of("forced", &row_of(&m, 102)->scope), 2);
	assert_int_equal(count_of("forced", &m.total), 9);
	end(&m, &w);
}

static void test_no_start(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	sample__free(w.start);
	w.start = NULL;
	fixture_count(w.end, 1, 0, C_FAILED, 9);
	w.end->event_cost_ps = 1000;
	fixture_runs(w.end, PROG_CHARGE, 500, 0);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("failed", &m.total), 9);
	assert_true(m.seconds == 0);
	assert_true(isnan(m.overhead_ratio));
	assert_int_equal(m.events, 500);
	end(&m, &w);
}

static void test_counts_above_32_bits(void **state)
{
	const uint64_t big = 5000000000, start = 1ull << 40;
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	fixture_count(w.start, 1, 0, C_WALK_PAGES, start);
	fixture_count(w.end, 1, 0, C_WALK_PAGES, start + big);
	fixture_count(w.end, 1, 0, C_WALK_CAUSE + CAUSE_OVERFLOW, big / 50);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("walk_pages", &m.total), big);
	assert_true(value_of("pages_per_walk", &m.total) == 50);
	end(&m, &w);
}

/* A counter never runs backwards; what a broken file says must not become 2^64. */
static void test_backwards_is_zero(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	fixture_count(w.start, 1, 0, C_FORCED, 10);
	fixture_count(w.end, 1, 0, C_FORCED, 4);
	w.start->time_ns = w.end->time_ns + 1;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("forced", &m.total), 0);
	assert_int_equal(count_of("forced", &row_of(&m, 101)->scope), 0);
	assert_true(m.seconds == 0);
	end(&m, &w);
}

static void test_usage_of_subtrees(void **state)
{
	struct window w = window_of(5, 3);
	struct model m;

	(void)state;
	/* 101 above 102 above 103; 104 beside */
	for (int i = 0; i < 2; i++) {
		struct sample *s = i ? w.end : w.start;

		s->rows[2].parent = 101;
		s->rows[3].parent = 102;
		s->rows[4].parent = 999;
		fixture_count(s, 3, 2, C_TRY_WALKS, 1000);
	}
	fixture_count(w.end, 1, 0, C_TRY_WALKS, 10);
	fixture_count(w.end, 2, 1, C_WALK_CAUSE + CAUSE_EVICT, 985);
	fixture_count(w.end, 3, 1, C_WALK_CAUSE + CAUSE_UNBATCHED, 3);
	fixture_count(w.end, 3, 0, C_TRY_WALKS, 2);
	fixture_count(w.end, 4, 2, C_TRY_WALKS, 500);

	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 103)->scope), 5);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 102)->scope), 990);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 101)->scope), 1000);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 104)->scope), 500);
	assert_int_equal(count_of("usage_updates", &m.total), 1500);
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 103)->scope), 2);
	/* 2 of 990 on CPU 0 are less than 1%; 12 of 1000 are not */
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 102)->scope), 1);
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 101)->scope), 2);
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 104)->scope), 1);
	/* 12 of 1500 on CPU 0 */
	assert_int_equal(count_of("usage_cpus", &m.total), 2);
	assert_true(isnan(value_of("usage_updates", &m.cpus[0].scope)));
	end(&m, &w);
}

static void test_usage_cpus_at_one_percent(void **state)
{
	struct window w = window_of(3, 2);
	struct model m;

	(void)state;
	fixture_count(w.end, 1, 0, C_TRY_WALKS, 9900);
	fixture_count(w.end, 1, 1, C_TRY_WALKS, 100);
	fixture_count(w.end, 2, 0, C_TRY_WALKS, 9901);
	fixture_count(w.end, 2, 1, C_TRY_WALKS, 99);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 101)->scope), 2);
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 102)->scope), 1);
	end(&m, &w);
}

/* Only a broken file has cycles. They must end, and the tree beside them be right. */
static void test_usage_with_a_cycle(void **state)
{
	struct window w = window_of(6, 1);
	struct model m;

	(void)state;
	w.end->rows[1].parent = 102;
	w.end->rows[2].parent = 101;
	w.end->rows[3].parent = 103;
	w.end->rows[5].parent = 104;
	for (int i = 1; i < 6; i++)
		fixture_count(w.end, i, 0, C_TRY_WALKS, i);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 101)->scope), 1);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 103)->scope), 3);
	assert_int_equal(count_of("usage_updates", &row_of(&m, 104)->scope), 9);
	end(&m, &w);
}

/* A CPU that came later counts from 0, also where the order of CPUs differs. */
static void test_cpu_that_came_later(void **state)
{
	struct window w = window_of(2, 2);
	struct model m;

	(void)state;
	w.start->cpus[0].cpu = 1;
	w.start->ncpus = 1;
	fixture_count(w.start, 1, 0, C_TRY_WALKS, 30);
	fixture_count(w.end, 1, 0, C_TRY_WALKS, 200);
	fixture_count(w.end, 1, 1, C_TRY_WALKS, 31);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("try_walks", &m.cpus[0].scope), 200);
	assert_int_equal(count_of("try_walks", &m.cpus[1].scope), 1);
	/* 1 of 201 on CPU 1 */
	assert_int_equal(count_of("usage_cpus", &row_of(&m, 101)->scope), 1);
	end(&m, &w);
}

struct grade_case {
	uint64_t recorded, missed;
	enum grade grade;
};

static void test_grades_by_missed(void **state)
{
	static const struct grade_case cases[] = {
		{100000, 0, GRADE_GOOD},
		{9900, 100, GRADE_GOOD},
		{9899, 100, GRADE_FAIR},
		{9000, 1000, GRADE_FAIR},
		{8999, 1000, GRADE_UNTRUSTED},
		{0, 200, GRADE_UNTRUSTED},
		{9900000000000, 100000000000, GRADE_GOOD},
		{9899999999999, 100000000000, GRADE_FAIR},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct window w = window_of(2, 1);
		struct model m;

		fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 5000);
		fixture_runs(w.start, PROG_STAT, 1, 1);
		fixture_runs(w.end, PROG_STAT, cases[i].recorded + 1, cases[i].missed + 1);
		fixture_runs(w.end, PROG_CHARGE, 5000, 0);
		assert_int_equal(model__init(&m, &w), 0);
		assert_int_equal(m.quality.grade, cases[i].grade);
		assert_int_equal(m.quality.nreasons, cases[i].grade != GRADE_GOOD);
		if (cases[i].missed) {
			assert_int_equal(m.quality.worst->prog, PROG_STAT);
			assert_int_equal(m.quality.missed, cases[i].missed);
			assert_int_equal(m.quality.worst_recorded, cases[i].recorded);
		}
		end(&m, &w);
	}
}

/* One run lost of three does not rule where another program ran a thousand times. */
static void test_worst_has_a_floor(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_runs(w.end, PROG_CHARGE, 995, 5);
	fixture_runs(w.end, PROG_HOTPLUG, 98, 1);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	assert_int_equal(m.quality.worst->prog, PROG_CHARGE);
	model__release(&m);

	/* at the floor it does */
	fixture_runs(w.end, PROG_HOTPLUG, 98, 2);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_FAIR);
	assert_int_equal(m.quality.worst->prog, PROG_HOTPLUG);
	model__release(&m);

	/* and where all ran rarely, all count */
	fixture_runs(w.end, PROG_CHARGE, 50, 0);
	fixture_runs(w.end, PROG_HOTPLUG, 2, 1);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_UNTRUSTED);
	assert_true(m.quality.missed_ratio == 1 / 3.0);
	end(&m, &w);
}

static void test_idle(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	/* what was before the window does not count */
	fixture_count(w.start, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 1, 0, C_FOLIO_UNCHARGES, 4);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_IDLE);
	assert_null(m.quality.worst);
	assert_true(isnan(m.quality.missed_ratio));
	assert_true(isnan(m.quality.agreement));
	assert_true(isnan(value_of("miss_ratio", &m.total)));
	assert_int_equal(count_of("charges", &m.total), 0);
	assert_null(m.overflow);
	assert_null(m.walks);
	model__release(&m);

	fixture_count(w.end, 1, 0, C_SOCK_UNCHARGES, 1);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	model__release(&m);

	/* not idle but blind: everything was missed */
	w.end->rows[1].c[C_SOCK_UNCHARGES] = w.end->cpus[0].c[C_SOCK_UNCHARGES] = 0;
	fixture_runs(w.end, PROG_CHARGE, 0, 300);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_UNTRUSTED);
	end(&m, &w);
}

/* 10,000 misses of which some were raced and some have no known reason. */
static enum grade grade_with(uint64_t raced, uint64_t unknown)
{
	struct window w = window_of(2, 1);
	struct model m;
	enum grade g;

	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 50000);
	fixture_count(w.end, 1, 0, C_MISS_KIND + KIND_SOCK, 10000);
	fixture_count(w.end, 1, 0, C_MISS_RACED, raced);
	fixture_count(w.end, 1, 0, C_MISS_ABSENT, 10000 - raced - unknown);
	fixture_runs(w.end, PROG_TRY_WALK, 10000, 40);
	assert_int_equal(model__init(&m, &w), 0);
	g = m.quality.grade;
	assert_int_equal(m.quality.checked, 10000);
	assert_int_equal(m.quality.differ, raced);
	assert_true(m.quality.agreement == (10000 - raced) / 10000.0);
	assert_int_equal(m.quality.lost_walks, 40);
	end(&m, &w);
	return g;
}

static void test_agreement_and_unknown(void **state)
{
	(void)state;
	assert_int_equal(grade_with(0, 0), GRADE_GOOD);
	assert_int_equal(grade_with(100, 0), GRADE_GOOD);
	assert_int_equal(grade_with(101, 0), GRADE_UNTRUSTED);
	assert_int_equal(grade_with(0, 100), GRADE_GOOD);
	assert_int_equal(grade_with(0, 101), GRADE_UNTRUSTED);
}

static void test_verify(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	w.end->verify = true;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 5000);
	fixture_count(w.end, 1, 0, C_CHECKED, 4900);
	fixture_count(w.end, 1, 0, C_CHECK_DIFFER, 49);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.checked, 4900);
	assert_int_equal(m.quality.differ, 49);
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	model__release(&m);
	fixture_count(w.end, 1, 0, C_CHECK_DIFFER, 1);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.grade, GRADE_UNTRUSTED);
	assert_non_null(strstr(m.quality.reasons[0], "50 of 4900"));
	end(&m, &w);
}

/* Without slots nothing was derived twice: that is no agreement of 100%. */
static void test_per_counter_is_not_checked(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	w.end->stock = (struct stock){.design = DESIGN_PER_COUNTER, .batch = 64};
	w.end->probes[PROG_STOCK_CHARGE].state = PROBE_ATTACHED;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 500);
	fixture_count(w.end, 1, 0, C_STOCK_MISS_KIND + KIND_SOCK, 30);
	fixture_count(w.end, 1, 0, C_STOCK_MISS_SHORT, 30);
	fixture_runs(w.end, PROG_STOCK_CHARGE, 500, 2);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(count_of("misses", &m.total), 30);
	assert_int_equal(m.quality.checked, 0);
	assert_true(isnan(m.quality.agreement));
	assert_int_equal(m.quality.lost_walks, 2);
	assert_string_equal(m.hit_source, "walk");
	assert_int_equal(m.quality.grade, GRADE_GOOD);
	end(&m, &w);
}

static void test_dropped(void **state)
{
	struct window w = window_of(2, 2);
	struct model m;

	(void)state;
	w.start->cpus[0].lost[LOSS_UNMATCHED] = 3;
	w.end->cpus[0].lost[LOSS_UNMATCHED] = 5;
	w.end->cpus[1].lost[LOSS_UNMATCHED] = 10;
	w.end->cpus[1].lost[LOSS_MAP_FULL] = 1;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.quality.dropped[LOSS_UNMATCHED], 12);
	assert_int_equal(m.quality.dropped[LOSS_MAP_FULL], 1);
	assert_int_equal(m.quality.dropped[LOSS_UNKNOWN_COUNTER], 0);
	end(&m, &w);
}

static void test_hit_source(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 1000);
	fixture_count(w.end, 1, 0, C_MISS_KIND + KIND_SOCK, 90);
	fixture_count(w.end, 1, 0, C_CONSUME_HIT, 800);
	fixture_count(w.end, 1, 0, C_CONSUME_MISS, 100);
	w.end->probes[PROG_CONSUME].state = PROBE_ATTACHED;
	fixture_runs(w.end, PROG_TRY_WALK, 100, 7);
	assert_int_equal(model__init(&m, &w), 0);
	assert_string_equal(m.hit_source, "consume_stock");
	assert_int_equal(count_of("hits", &m.total), 800);
	assert_int_equal(count_of("misses", &m.total), 200);
	assert_int_equal(count_of("hits", &row_of(&m, 101)->scope), 800);
	assert_int_equal(count_of("hits", &m.cpus[0].scope), 800);
	assert_int_equal(m.quality.lost_walks, 0);
	model__release(&m);

	/* attached but blind: most of its copies are inlined */
	w.end->rows[1].c[C_CONSUME_MISS] = w.end->cpus[0].c[C_CONSUME_MISS] = 99;
	assert_int_equal(model__init(&m, &w), 0);
	assert_string_equal(m.hit_source, "walk");
	assert_int_equal(count_of("hits", &m.total), 910);
	model__release(&m);

	fixture_missing(w.end, PROG_TRY_WALK, REASON_NOT_TRACEABLE);
	assert_int_equal(model__init(&m, &w), 0);
	assert_string_equal(m.hit_source, "none");
	end(&m, &w);
}

static void test_overflow_behaviour(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	w.start->stock.overflow_emptied = 100;
	w.end->stock.overflow_emptied = 109;
	assert_int_equal(model__init(&m, &w), 0);
	assert_null(m.overflow);
	model__release(&m);
	w.end->stock.overflow_emptied = 110;
	assert_int_equal(model__init(&m, &w), 0);
	assert_string_equal(m.overflow, "emptied");
	model__release(&m);
	w.end->stock.overflow_trimmed = 11;
	assert_int_equal(model__init(&m, &w), 0);
	assert_string_equal(m.overflow, "trimmed");
	end(&m, &w);
}

static const char *walks_with(uint64_t overflow, uint64_t evict, uint64_t under,
			      enum lock_source lock)
{
	struct window w = window_of(2, 1);
	const char *walks;
	struct model m;

	w.end->stock.lock = lock;
	fixture_count(w.end, 1, 0, C_WALK_CAUSE + CAUSE_OVERFLOW, overflow);
	fixture_count(w.end, 1, 0, C_WALK_CAUSE + CAUSE_EVICT, evict);
	fixture_count(w.end, 1, 0, C_WALK_UNDER_LOCK, under);
	assert_int_equal(model__init(&m, &w), 0);
	walks = m.walks;
	end(&m, &w);
	return walks;
}

static void test_walks_behaviour(void **state)
{
	(void)state;
	assert_null(walks_with(5, 4, 9, LOCK_BYTE));
	assert_string_equal(walks_with(5, 5, 10, LOCK_BYTE), "under_lock");
	assert_string_equal(walks_with(500, 500, 950, LOCK_BYTE), "under_lock");
	assert_string_equal(walks_with(500, 500, 949, LOCK_OWNER), "mixed");
	assert_string_equal(walks_with(500, 500, 51, LOCK_BYTE), "mixed");
	assert_string_equal(walks_with(500, 500, 50, LOCK_BYTE), "outside_lock");
	assert_null(walks_with(500, 500, 1000, LOCK_NOT_SEEN));
}

static void test_overhead(void **state)
{
	struct window w = window_of(2, 1);
	struct model m;

	(void)state;
	fixture_runs(w.start, PROG_WALK, 1000, 0);
	fixture_runs(w.end, PROG_WALK, 51000, 0);
	fixture_runs(w.end, PROG_STAT, 50000, 9);
	w.end->event_cost_ps = 200000;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.events, 100000);
	/* 100,000 events of 200 ns in a second */
	assert_true(fabs(m.overhead_ratio - 0.02) < 1e-12);
	model__release(&m);
	w.end->event_cost_ps = 0;
	assert_int_equal(model__init(&m, &w), 0);
	assert_true(isnan(m.overhead_ratio));
	end(&m, &w);
}

/* The rows in that order, each with its own counters. */
static void assert_order(const struct model *m, const uint64_t *ids)
{
	for (size_t i = 0; i < m->nrows; i++) {
		const struct model_row *r = &m->rows[i];

		assert_int_equal(r->row->id, ids[i]);
		assert_ptr_equal(r->scope.row, r->row);
		for (int j = 0; j < C_NR; j++)
			assert_int_equal(r->scope.c[j],
					 r->row->c[j] - (r->before ? r->before->c[j] : 0));
	}
}

static void test_sort(void **state)
{
	static const uint64_t by_charges[] = {103, 102, 101, 104, 105, 0};
	static const uint64_t by_ratio[] = {101, 103, 102, 104, 105, 0};
	struct window w = window_of(6, 1);
	struct model m;

	(void)state;
	fixture_count(w.end, 0, 0, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 1000000);
	fixture_count(w.end, 1, 0, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 10);
	fixture_count(w.end, 2, 0, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 20);
	fixture_count(w.end, 3, 0, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 30);
	fixture_count(w.end, 1, 0, C_MISS_KIND + KIND_OBJ, 9);
	fixture_count(w.end, 3, 0, C_MISS_KIND + KIND_OBJ, 3);
	/* of a tie, what has no path is last */
	free(w.end->rows[5].path);
	w.end->rows[5].path = NULL;
	assert_int_equal(model__init(&m, &w), 0);
	assert_order(&m, by_charges);
	model__sort(&m, field__find("miss_ratio"));
	assert_order(&m, by_ratio);
	end(&m, &w);
}

static void path(struct row *r, const char *bytes)
{
	free(r->path);
	r->path = strdup(bytes);
	r->path_len = strlen(bytes);
}

static void test_filter(void **state)
{
	struct window w = window_of(5, 1);
	struct model m;

	(void)state;
	assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
	path(&w.end->rows[1], "/a/b/web-1");
	path(&w.end->rows[2], "/a/.hidden/web-2");
	path(&w.end->rows[3], "/a/\xff\xfe/db");
	free(w.end->rows[4].path);
	w.end->rows[4].path = NULL;
	for (int i = 0; i < 5; i++)
		fixture_count(w.end, i, 0, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 10 * i);
	assert_int_equal(model__init(&m, &w), 0);
	model__filter(&m, "*");
	assert_int_equal(m.nrows, 5);
	model__filter(&m, "/a/*");
	assert_order(&m, (const uint64_t[]){103, 102, 101, 0});
	model__filter(&m, "*web-*");
	assert_order(&m, (const uint64_t[]){102, 101, 0});
	assert_int_equal(count_of("charges", &m.rows[0].scope), 20);
	/* the total is of the whole system */
	assert_int_equal(count_of("charges", &m.total), 100);
	model__filter(&m, "nothing");
	assert_int_equal(m.nrows, 1);
	model__release(&m);

	assert_int_equal(model__init(&m, &w), 0);
	model__filter(&m, "/a/\xff*");
	assert_order(&m, (const uint64_t[]){103, 0});
	end(&m, &w);
	setlocale(LC_ALL, "C");
}

/* Nothing at all, as an empty file may say. */
static void test_no_rows_no_cpus(void **state)
{
	struct window w = {.end = fixture_room(1, sizeof(struct sample))};
	struct model m;

	(void)state;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(m.nrows, 0);
	assert_int_equal(m.quality.grade, GRADE_IDLE);
	model__filter(&m, "*");
	end(&m, &w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences_and_sums),
		cmocka_unit_test(test_memcgs_of_the_window),
		cmocka_unit_test(test_memcgs_when_a_cpu_came),
		cmocka_unit_test(test_new_and_lost_rows),
		cmocka_unit_test(test_no_start),
		cmocka_unit_test(test_counts_above_32_bits),
		cmocka_unit_test(test_backwards_is_zero),
		cmocka_unit_test(test_usage_of_subtrees),
		cmocka_unit_test(test_usage_cpus_at_one_percent),
		cmocka_unit_test(test_usage_with_a_cycle),
		cmocka_unit_test(test_cpu_that_came_later),
		cmocka_unit_test(test_grades_by_missed),
		cmocka_unit_test(test_worst_has_a_floor),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_agreement_and_unknown),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_per_counter_is_not_checked),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_hit_source),
		cmocka_unit_test(test_overflow_behaviour),
		cmocka_unit_test(test_walks_behaviour),
		cmocka_unit_test(test_overhead),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_no_rows_no_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
