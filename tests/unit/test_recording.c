// SPDX-License-Identifier: GPL-2.0-only
// links: view/text.c view/verdict.c view/head.c view/text_*.c view/sides.c view/rows.c view/cell.c view/names.c view/lists.c view/grid.c view/bars.c view/measure.c view/notes.c view/page.c view/number.c view/hooks.c view/doctor.c view/diagnosis.c view/json*.c view/writer.c model/*.c sample/*.c text/*.c ../tests/unit/window.c ../tests/unit/recording_fixture.c
#include "recording_fixture.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "view/view.h"
#include "window.h"

/* The report of a window as text, then as JSON. */
static char *report_of(const struct window *w)
{
	struct view_opts o = {.width = 132, .rows = -1, .cpus = true};
	char *text = NULL;
	struct model m;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(model__init(&m, w), 0);
	assert_int_equal(view__text(f, &m, &o), 0);
	assert_int_equal(view__json(f, &m, false), 0);
	fclose(f);
	model__release(&m);
	return text;
}

static void assert_same_report(struct recording *r, size_t from, size_t to, struct window *w)
{
	struct window back;
	char *a, *b;

	if (recording__window(r, from, to, &back, problem, sizeof(problem)))
		fail_msg("%s", problem);
	a = report_of(w);
	b = report_of(&back);
	assert_string_equal(a, b);
	free(a);
	free(b);
	window__release(&back);
}

/* A recording is not cut up into intervals. */
static void without_intervals(struct window *w)
{
	for (size_t i = 0; i < w->nintervals; i++) {
		free(w->intervals[i].charges);
		free(w->intervals[i].misses);
	}
	free(w->intervals);
	w->intervals = NULL;
	w->nintervals = 0;
}

/* Every sample of a kernel has one; those of the views' windows do not. */
static void with_other(struct sample *s)
{
	struct row *r;

	for (size_t i = 0; i < s->nrows; i++)
		if (s->rows[i].state == ROW_IS_OTHER)
			return;
	s->rows = realloc(s->rows, (s->nrows + 1) * sizeof(s->rows[0]));
	assert_non_null(s->rows);
	r = &s->rows[s->nrows++];
	*r = (struct row){.state = ROW_IS_OTHER};
}

/* Each window of the views, recorded: its report is the same, byte for byte. */
static void test_windows(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		struct window w = window_of(*name);
		struct recorder *r;
		struct recording *back;

		without_intervals(&w);
		if (!w.start) {
			w.start = fixture_sample(1, w.end->ncpus);
			w.start->time_ns = w.end->time_ns - 1;
		}
		with_other(w.start);
		with_other(w.end);
		r = recorder__open(recorded, &w, w.start, problem, sizeof(problem));
		if (!r)
			fail_msg("%s: %s", *name, problem);
		assert_int_equal(recorder__add(r, w.end), 0);
		assert_int_equal(recorder__finish(r, &w), 0);
		assert_int_equal(recorder__close(r), 0);
		back = opened(recorded);
		assert_int_equal(recording__count(back), 2);
		assert_null(recording__lost(back));
		assert_same_report(back, 0, 1, &w);
		recording__close(back);
		window__release(&w);
	}
}

/* FUZZ_SEEDS=FOLDER in the environment: small recordings for tests/fuzz. */
static void test_seeds(void **state)
{
	static const char *const of[] = {"demo", "per-counter", "limit", "exact", "names"};
	const char *folder = getenv("FUZZ_SEEDS");
	struct sample *samples[5];
	char command[256];

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct window w = window_of(of[i]);
		struct recorder *r;

		without_intervals(&w);
		with_other(w.end);
		if (w.start)
			with_other(w.start);
		r = recorder__open(recorded, &w, w.start ? w.start : w.end, problem,
				   sizeof(problem));
		assert_non_null(r);
		if (w.start)
			assert_int_equal(recorder__add(r, w.end), 0);
		assert_int_equal(recorder__finish(r, &w), 0);
		assert_int_equal(recorder__close(r), 0);
		window__release(&w);
		if (!folder)
			continue;
		snprintf(command, sizeof(command), "cp %s %s/%s", recorded, folder, of[i]);
		assert_int_equal(system(command), 0);
	}
	record_lively(samples, 5, true);
	free_samples(samples, 5);
	if (folder) {
		snprintf(command, sizeof(command), "cp %s %s/lively", recorded, folder);
		assert_int_equal(system(command), 0);
	}
}

#define LIVELY 200

/* The sample comes back as it was, and any window of it has the same report. */
static void test_lively(void **state)
{
	struct sample *samples[LIVELY];
	struct recording *r;
	unsigned int seed = 3;

	(void)state;
	record_lively(samples, LIVELY, true);
	r = opened(recorded);
	assert_int_equal(recording__count(r), LIVELY);
	for (size_t i = 0; i < LIVELY; i++) {
		struct sample *s = sample_at(r, i);

		assert_same_sample(samples[i], s);
		sample__free(s);
	}
	for (int i = 0; i < 60; i++) {
		size_t to = 1 + rand_r(&seed) % (LIVELY - 1), from = rand_r(&seed) % to;
		struct window w = taken();

		w.start = sample__copy(samples[from]);
		w.end = sample__copy(samples[to]);
		w.end_reason = END_COMMAND;
		w.command.exit = 3;
		w.command.user_s = 1.5;
		w.command.metrics[0].known = true;
		w.command.metrics[0].value = -7.25;
		assert_same_report(r, from, to, &w);
		window__release(&w);
	}
	recording__close(r);
	free_samples(samples, LIVELY);
}

static void test_moments(void **state)
{
	struct sample *samples[70];
	struct recording *r;

	(void)state;
	record_lively(samples, 70, true);
	r = opened(recorded);
	for (size_t i = 0; i < 70; i++) {
		struct moment m = recording__moment(r, i);

		assert_int_equal(m.time_ns, samples[i]->time_ns);
		assert_int_equal(m.wall_ms, samples[i]->wall_ms);
		assert_int_equal(recording__find(r, m.time_ns), i);
		assert_int_equal(recording__find(r, m.time_ns + 1), i);
		assert_int_equal(recording__find(r, m.time_ns - 1), i ? i - 1 : 0);
	}
	assert_int_equal(recording__find(r, UINT64_MAX), 69);
	assert_null(recording__sample(r, 70, problem, sizeof(problem)));
	assert_non_null(strstr(problem, "it has no sample 70"));
	recording__close(r);
	free_samples(samples, 70);
}

static double seconds_of(clock_t since)
{
	return (double)(clock() - since) / CLOCKS_PER_SEC;
}

/* Records so many intervals; bytes a cgroup and interval, and ms an interval in *ms. */
static double cost_of(size_t cgroups, int intervals,
		      struct sample *(*after)(const struct sample *last, unsigned int *seed),
		      double *ms)
{
	struct sample *s = busy_sample(cgroups + 1, 2), *next;
	struct recorder *r = record(recorded, s);
	unsigned int seed = 1;
	double bytes;

	assert_non_null(r);
	*ms = 0;
	for (int i = 0; i < intervals; i++) {
		clock_t since;

		next = after(s, &seed);
		sample__free(s);
		s = next;
		since = clock();
		assert_int_equal(recorder__add(r, s), 0);
		*ms += 1000 * seconds_of(since) / intervals;
	}
	bytes = (double)recorder__bytes(r) / intervals / (double)cgroups;
	assert_int_equal(recorder__close(r), 0);
	sample__free(s);
	print_message("# %zu cgroups: %.1f bytes a cgroup and interval, %.2f ms an interval\n",
		      cgroups, bytes, *ms);
	return bytes;
}

/* What a recording costs: bytes, and the time of an interval, which sanitizers slow down. */
static void test_cost(void **state)
{
	double ms;

	(void)state;
	assert_true(cost_of(100, 120, thrash_after, &ms) < 100);
	assert_true(ms < 50);
	/* the worst there can be: no number has to do with another */
	assert_true(cost_of(100, 120, busy_after, &ms) < 103);
	/* 10,000 are slower in proportion, not more */
	assert_true(cost_of(10000, 2, thrash_after, &ms) < 100);
	assert_true(ms < 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows), cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_lively),	cmocka_unit_test(test_moments),
		cmocka_unit_test(test_cost),
	};

	return cmocka_run_group_tests(tests, make_place, remove_place);
}
