// SPDX-License-Identifier: GPL-2.0-only
// links: sample/*.c model/*.c text/utf8.c ../tests/unit/store_fixture.c
#include "store_fixture.h"

#include <errno.h>

#include "model/model.h"

static void assert_same_file(void)
{
	size_t na, nb;
	char *a = slurp(file, &na), *b = slurp(other, &nb);

	assert_int_equal(na, nb);
	assert_memory_equal(a, b, na);
	free(a);
	free(b);
}

static void test_save_load_save(void **state)
{
	struct window w = full_window(), back;

	(void)state;
	save(&w, file);
	if (window__load(&back, file, sentence, sizeof(sentence)))
		fail_msg("%s", sentence);
	save(&back, other);
	assert_same_file();

	assert_int_equal(back.end->rows[0].c[C_FORCED], UINT64_MAX);
	assert_int_equal(back.end->rows[0].c[C_FAILED], INT64_MAX);
	assert_int_equal(back.end->rows[0].c[C_TRY_WALKS], (uint64_t)INT64_MAX + 1);
	assert_int_equal(back.end->rows[1].id, UINT64_MAX);
	assert_int_equal(back.end->rows[1].path_len, 6);
	assert_memory_equal(back.end->rows[1].path, "/\x01\xff \"\\", 7);
	assert_null(back.end->rows[2].path);
	assert_null(back.end->rows[2].cpu_updates);
	assert_string_equal(back.tool_argv[1], "/tmp/\xff\xfe");
	assert_string_equal(back.command.argv[1], "r\xc3\xa9p");
	assert_null(back.command.argv[2]);
	assert_true(back.command.user_s == 1.91);
	assert_int_equal(back.command.exit, -1);
	assert_int_equal(back.command.signal, 9);
	assert_true(back.command.ignore_failure);
	assert_int_equal(back.command.nmetrics, 2);
	assert_string_equal(back.command.metrics[0].name, "tps");
	assert_true(back.command.metrics[0].known && back.command.metrics[0].value == 900.5);
	assert_string_equal(back.command.metrics[1].name, "lost");
	assert_false(back.command.metrics[1].known);
	assert_int_equal(back.end->wall_ms, -7);
	assert_true(back.end->verify && back.end->no_stat);
	assert_int_equal(back.end->probes[PROG_FORCE].reason, REASON_BLIND);
	assert_int_equal(back.end->cpus[2].lost[LOSS_UNKNOWN_COUNTER], 12);
	assert_true(back.end->cpus[2].isolated && !back.end->cpus[1].online);
	for (int i = 0; i < C_NR; i++) {
		assert_int_equal(back.end->rows[1].c[i], (uint64_t)i << 40);
		assert_int_equal(back.start->rows[2].c[i], i);
	}
	assert_int_equal(back.end->rows[1].cpu_updates[2], w.end->rows[1].cpu_updates[2]);
	assert_int_equal(back.end->rows[1].cpu_charges[2], UINT64_MAX);
	assert_int_equal(back.end->rows[2].cpu_charges[1], w.end->rows[2].cpu_charges[1]);
	window__release(&back);
	window__release(&w);
}

static void test_save_load_times(void **state)
{
	struct window w = full_window(), back;
	const struct row *a = w.end->rows, *b;

	(void)state;
	save(&w, file);
	assert_int_equal(window__load(&back, file, sentence, sizeof(sentence)), 0);
	b = back.end->rows;
	assert_memory_equal(back.end->spans, w.end->spans, SPAN_NR * sizeof(w.end->spans[0]));
	assert_memory_equal(b[0].times, a[0].times, sizeof(*a[0].times));
	assert_memory_equal(b[1].times, a[1].times, sizeof(*a[1].times));
	assert_null(b[2].times);
	assert_null(back.start->spans);
	assert_null(back.start->rows[1].times);
	assert_int_equal(back.nintervals, 3);
	assert_int_equal(back.interval_ns, w.interval_ns);
	for (size_t i = 0; i < 3; i++) {
		const size_t size = w.end->ncpus * sizeof(uint64_t);

		assert_int_equal(back.intervals[i].end_ns, w.intervals[i].end_ns);
		assert_memory_equal(back.intervals[i].charges, w.intervals[i].charges, size);
		assert_memory_equal(back.intervals[i].misses, w.intervals[i].misses, size);
	}
	window__release(&back);
	window__release(&w);
}

static void assert_gauge(const struct gauge *a, const struct gauge *b)
{
	assert_int_equal(a->known, b->known);
	assert_int_equal(a->value, b->value);
}

static void test_save_load_events(void **state)
{
	struct window w = full_window(), back;
	const struct row *a = &w.end->rows[1], *b;
	const struct sample *s;

	(void)state;
	save(&w, file);
	assert_int_equal(window__load(&back, file, sentence, sizeof(sentence)), 0);
	s = back.end;
	b = &s->rows[1];
	assert_int_equal(s->asked.sample_every, 64);
	assert_true(s->asked.lock_exact && s->asked.drains && s->asked.rstat);
	for (size_t i = 0; i < s->ncpus; i++) {
		assert_int_equal(s->cpus[i].stock_seen, i < 2);
		assert_int_equal(s->cpus[i].flushing, i == 0);
		assert_memory_equal(s->cpus[i].slots, w.end->cpus[i].slots,
				    sizeof(s->cpus[i].slots));
	}
	assert_int_equal(s->npairs, 3);
	assert_memory_equal(s->pairs, w.end->pairs, 3 * sizeof(s->pairs[0]));
	assert_int_equal(s->ndrains, 2);
	assert_memory_equal(s->drains, w.end->drains, 2 * sizeof(s->drains[0]));
	assert_int_equal(s->drain_all_busy, 12);
	assert_int_equal(s->breaches, 1);
	assert_gauge(&b->stranded_pages, &a->stranded_pages);
	assert_gauge(&b->stranded_seen_max, &a->stranded_seen_max);
	assert_gauge(&b->usage_bytes, &a->usage_bytes);
	assert_gauge(&b->limit_bytes, &a->limit_bytes);
	assert_gauge(&b->sock_bytes, &a->sock_bytes);
	assert_int_equal(b->pressure_ns, 1);
	assert_int_equal(b->pressure_sets, 2);
	assert_int_equal(b->pressure_setter, UINT64_MAX);
	assert_int_equal(b->hit_usage_pages, 4);
	assert_int_equal(b->hit_limit_pages, 5);
	for (int i = 0; i < C_NR; i++)
		assert_false(s->lacks[i]);
	window__release(&back);
	window__release(&w);
}

/* A report from the file must equal the live one. */
static void test_same_model(void **state)
{
	struct window w = full_window(), back;
	struct model a, b;

	(void)state;
	w.start->time_ns = w.end->time_ns - 1500000000;
	save(&w, file);
	assert_int_equal(window__load(&back, file, sentence, sizeof(sentence)), 0);
	assert_int_equal(model__init(&a, &w), 0);
	assert_int_equal(model__init(&b, &back), 0);
	assert_memory_equal(a.total_c, b.total_c, sizeof(a.total_c));
	assert_int_equal(a.quality.grade, b.quality.grade);
	assert_true(a.seconds == b.seconds && a.overhead_ratio == b.overhead_ratio);
	for (size_t i = 0; i < a.nrows; i++) {
		assert_memory_equal(a.rows[i].scope.c, b.rows[i].scope.c, sizeof(a.rows_c[0]));
		assert_int_equal(a.rows[i].row->id, b.rows[i].row->id);
		assert_int_equal(a.rows[i].scope.usage_cpus, b.rows[i].scope.usage_cpus);
	}
	model__release(&a);
	model__release(&b);
	window__release(&back);
	window__release(&w);
}

static void test_least_window(void **state)
{
	struct window w = {.end = fixture_sample(1, 0)}, back;

	(void)state;
	save(&w, file);
	if (window__load(&back, file, sentence, sizeof(sentence)))
		fail_msg("%s", sentence);
	assert_null(back.start);
	assert_null(back.command.argv);
	assert_null(back.tool_argv);
	assert_null(back.version);
	assert_null(back.intervals);
	assert_null(back.end->spans);
	assert_null(back.end->pairs);
	assert_null(back.end->drains);
	assert_false(back.end->cpus[0].stock_seen);
	assert_false(back.end->rows[0].usage_bytes.known);
	save(&back, other);
	assert_same_file();
	window__release(&back);
	window__release(&w);
}

static void test_every_number_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < C_NR; i++) {
		assert_non_null(counter_names[i]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(counter_names[i], counter_names[j]);
	}
	for (int i = 0; i < PROG_NR; i++)
		assert_non_null(prog_names[i]);
	for (int i = 0; i < LOSS_NR; i++)
		assert_non_null(loss_names[i]);
	for (int i = 0; i < SPAN_NR; i++)
		assert_non_null(span_names[i]);
}

static void test_write_errors(void **state)
{
	struct window w = full_window();
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(window__save(&w, f), -ENOSPC);
	fclose(f);
	window__release(&w);
}

static void test_unknown_names_are_ignored(void **state)
{
	(void)state;
	assert_int_equal(load_with("end.rows.1.counters.from_the_future", "{}", NULL), 0);
	assert_int_equal(load_with("end.future", "[1]", NULL), 0);
	assert_int_equal(load_with("future", "1", NULL), 0);
	assert_int_equal(load_with("end.probes.0.program", "\"future\"", NULL), 0);
	assert_int_equal(load_with("end.rows.1.counters.forced", NULL, NULL), 0);
	assert_int_equal(load_with("end.kept.1", "\"from_the_future\"", "kept: "), -EINVAL);
	assert_int_equal(load_with("end.spans.future", "1", NULL), 0);
	assert_int_equal(load_with("end.rows.1.times.future", "1", NULL), 0);
	assert_int_equal(load_with("end.rows.1.times.walk", NULL, NULL), 0);
	assert_int_equal(load_with("end.asked.future", "1", NULL), 0);
}

/* What is not in a file is not known, and the file made of it says so again. */
static void test_counters_that_are_not_kept(void **state)
{
	json_t *doc = document(), *kept = json_object_get(json_object_get(doc, "end"), "kept");
	struct window w, again;
	json_t *name;
	size_t i;

	(void)state;
	json_array_foreach (kept, i, name)
		if (!strcmp(json_string_value(name), "limit_hits"))
			break;
	assert_int_equal(json_array_remove(kept, i), 0);
	json_array_append_new(kept, json_string("from_the_future"));
	w = loaded(doc);
	for (int c = 0; c < C_NR; c++) {
		assert_int_equal(w.end->lacks[c], c == C_LIMIT_HITS);
		assert_false(w.start->lacks[c]);
	}
	save(&w, file);
	assert_int_equal(window__load(&again, file, sentence, sizeof(sentence)), 0);
	assert_memory_equal(again.end->lacks, w.end->lacks, sizeof(w.end->lacks));
	window__release(&again);
	window__release(&w);
}

/* A file of the first memcgtop: it has none of what came later. */
static void test_first_files(void **state)
{
	static const char *const later[] = {"kept",   "asked",		"spans",   "pairs",
					    "drains", "drain_all_busy", "breaches"};
	json_t *doc = document(), *end = json_object_get(doc, "end");
	json_t *row = json_array_get(json_object_get(end, "rows"), 1);
	json_t *counters = json_object_get(row, "counters");
	struct window w;
	const struct row *r;

	(void)state;
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		assert_int_equal(json_object_del(end, later[i]), 0);
	json_object_del(doc, "intervals");
	json_object_del(doc, "interval_ns");
	json_object_del(json_object_get(end, "host"), "contexts_measured");
	json_object_del(json_array_get(json_object_get(end, "cpus"), 0), "stock");
	json_object_del(row, "times");
	json_object_del(row, "cpu_charges");
	json_object_del(row, "stranded_pages");
	json_object_del(counters, "sock_failed_task");
	json_object_set_new(counters, "sock_failed", json_integer(9));
	w = loaded(doc);
	r = &w.end->rows[1];
	for (int c = 0; c < C_NR; c++)
		assert_int_equal(w.end->lacks[c], counter_is_later[c]);
	assert_true(w.end->lacks[C_SOCK_FAILED] && w.end->lacks[C_SOCK_FAILED + LEVEL_NMI]);
	assert_true(w.end->lacks[C_STAT + STAT_OTHER] && !w.end->lacks[C_STAT + STAT_SOCK]);
	assert_int_equal(r->c[C_SOCK_FAILED], 0);
	assert_null(w.end->spans);
	assert_null(w.end->pairs);
	assert_null(w.end->drains);
	assert_null(w.intervals);
	assert_null(r->times);
	assert_null(r->cpu_charges);
	assert_false(r->stranded_pages.known);
	assert_false(w.end->cpus[0].stock_seen);
	assert_false(w.end->host.contexts_measured);
	assert_int_equal(w.end->asked.sample_every, 0);
	window__release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_save_load_save),
		cmocka_unit_test(test_save_load_times),
		cmocka_unit_test(test_save_load_events),
		cmocka_unit_test(test_same_model),
		cmocka_unit_test(test_least_window),
		cmocka_unit_test(test_every_number_has_a_name),
		cmocka_unit_test(test_write_errors),
		cmocka_unit_test(test_unknown_names_are_ignored),
		cmocka_unit_test(test_counters_that_are_not_kept),
		cmocka_unit_test(test_first_files),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
