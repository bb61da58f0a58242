// SPDX-License-Identifier: GPL-2.0-only
// links: tui/ui*.c tui/keys.c tui/screen.c view/*.c compare/*.c model/*.c sample/sample.c sample/store_names.c text/*.c ../tests/unit/window.c ../tests/unit/ui_fixture.c ../tests/unit/golden.c gate/*.c error.c
/*
 * What a redraw takes with as many cgroups as a large node has. The bounds are
 * four times what a slow machine of two CPUs takes under the sanitizers, so that
 * only what is asked once too often for each cgroup is found.
 */
#include <locale.h>
#include <math.h>
#include <time.h>

#include "sample_fixture.h"
#include "ui_fixture.h"

#include "model/model.h"
#include "view/view.h"

#define FEW	  2500
#define MANY	  10000
#define REDRAW_MS 400
#define JSON_MS	  2000
#define GROWTH	  7 /* with four times as many cgroups: linear, and room for caches */
/* Others use the machine as well: the best try counts, and what grows too fast does in each round. */
#define TRIES	  4
#define ROUNDS	  5
#define MODES	  3

static double cpu_ms(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), 0);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Pods of a container each, in no order; what they did by that many intervals. */
static struct sample *pods(size_t n, uint64_t intervals)
{
	struct sample *s = fixture_sample(n + 1, 4);

	s->time_ns = SECOND + intervals * 2 * SECOND;
	s->wall_ms = (int64_t)(s->time_ns / 1000000);
	fixture_times(s, 1);
	for (size_t i = 1; i <= n; i++) {
		struct row *r = &s->rows[i];
		/* both of a pod have the same number */
		const unsigned int pod = (unsigned int)((i | 1) * 2654435761U);
		const uint64_t events = intervals * (i * 2654435761U % 1000);
		char path[128];

		snprintf(path, sizeof(path), "/kubepods.slice/burstable.slice/pod%08x.slice%s", pod,
			 i % 2 ? "" : "/container.scope");
		free(r->path);
		r->path = strdup(path);
		assert_non_null(r->path);
		r->path_len = strlen(path);
		fixture_count(s, i, i % 4, CHARGE_AT(KIND_SOCK, LEVEL_TASK), events);
		fixture_count(s, i, i % 4, C_TRY_WALKS, events / 3);
		fixture_count(s, i, i % 4, C_MISS_KIND + KIND_SOCK, events / 3);
		fixture_count(s, i, i % 4, C_MISS_ABSENT, events / 3);
		fixture_gauge(&r->usage_bytes, i << 12);
	}
	for (int i = 0; i < PROG_NR; i++)
		fixture_runs(s, i, intervals * 1000000, 0);
	return s;
}

/* The CPU time of a new sample and the screen with it, the best of some tries. */
static double redraw_ms(size_t n, bool tree, int mode)
{
	const struct ui_options o = {.ascii = true, .tree = tree, .interval_ns = 2 * SECOND};
	struct fixture f;
	double best = INFINITY;

	open_with(&f, "", 132, 43, &o);
	for (uint64_t i = 0; i < 2 + TRIES; i++) {
		struct sample *s = pods(n, i);
		double start = cpu_ms();

		assert_int_equal(ui__sample(f.u, s), 0);
		draw(&f);
		if (i >= 2)
			best = fmin(best, cpu_ms() - start);
		for (int j = 0; i == 1 && j < mode; j++)
			press(&f, 'm');
	}
	assert_shows(&f, " more");
	close_all(&f);
	return best;
}

struct speed {
	double few_ms, many_ms;
};

static bool is_fast(const struct speed *s, double limit)
{
	return s->many_ms <= limit && s->many_ms <= GROWTH * s->few_ms;
}

static void assert_fast(const char *what, const struct speed *s, double limit)
{
	print_message("%s: %.1f ms of %d cgroups, %.1f ms of %d\n", what, s->few_ms, FEW,
		      s->many_ms, MANY);
	if (!is_fast(s, limit))
		fail_msg("%s takes more than %.0f ms, or %d times as long with 4 times as many",
			 what, limit, GROWTH);
}

static void test_redraw(void **state)
{
	static const char *const names[2][MODES] = {
		{"flat by second", "flat by interval", "flat in total"},
		{"tree by second", "tree by interval", "tree in total"},
	};

	(void)state;
	for (int tree = 0; tree < 2; tree++)
		for (int mode = 0; mode < MODES; mode++) {
			struct speed s = {};

			for (int i = 0; i < ROUNDS && (!i || !is_fast(&s, REDRAW_MS)); i++)
				s = (struct speed){redraw_ms(FEW, tree, mode),
						   redraw_ms(MANY, tree, mode)};
			assert_fast(names[tree][mode], &s, REDRAW_MS);
		}
}

static double json_ms(size_t n)
{
	struct window w = {.start = pods(n, 1), .end = pods(n, 2)};
	double best = INFINITY;
	struct model m;

	assert_int_equal(model__init(&m, &w), 0);
	for (int i = 0; i < TRIES; i++) {
		FILE *f = fopen("/dev/null", "w");
		double start = cpu_ms();

		assert_non_null(f);
		assert_int_equal(view__json(f, &m, true), 0);
		best = fmin(best, cpu_ms() - start);
		fclose(f);
	}
	model__release(&m);
	window__release(&w);
	return best;
}

static void test_json(void **state)
{
	struct speed s = {};

	(void)state;
	for (int i = 0; i < ROUNDS && (!i || !is_fast(&s, JSON_MS)); i++)
		s = (struct speed){json_ms(FEW), json_ms(MANY)};
	assert_fast("JSON", &s, JSON_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_redraw),
		cmocka_unit_test(test_json),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
