// SPDX-License-Identifier: GPL-2.0-only
// links: view/json*.c view/verdict.c view/writer.c view/number.c view/hooks.c view/doctor.c view/diagnosis.c view/page.c view/head.c model/*.c sample/sample.c sample/store_names.c text/utf8.c ../tests/unit/window.c ../tests/unit/json_fixture.c
#include "json_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/view.h"
#include "view/writer.h"

static void test_members(void **state)
{
	static const char *const members[] = {
		"schema",	 "tool",	   "host",
		"stock",	 "probes",	   "window",
		"quality",	 "overhead",	   "unmeasured",
		"total",	 "cpus",	   "cgroups",
		"functions",	 "eviction_pairs", "histograms",
		"verdict_state", "verdicts",	   "verdicts_unjudged",
		"drain_callers", "drain_all_busy", "timeline",
		"sampling",
	};
	const size_t n = sizeof(members) / sizeof(members[0]);

	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		json_t *doc = parsed(*name);

		assert_int_equal(json_object_size(doc), n);
		for (size_t i = 0; i < n; i++)
			assert_non_null(json_object_get(doc, members[i]));
		assert_string_at(doc, "schema", "memcgtop/1");
		json_decref(doc);
	}
}

static void test_verdicts(void **state)
{
	json_t *doc = parsed("demo"), *v;

	(void)state;
	assert_string_at(doc, "verdict_state", "judged");
	assert_int_equal(json_array_size(at(doc, "verdicts")), 1);
	assert_int_equal(json_array_size(at(doc, "verdicts_unjudged")), 0);
	v = json_array_get(at(doc, "verdicts"), 0);
	assert_string_at(v, "rule", "slot_thrash");
	assert_string_at(v, "rank", "main");
	assert_string_at(v, "text",
			 "slot thrash on CPU 1: 9 memcgs share 7 slots and evict each other");
	assert_number_at(v, "evidence.cpu", 1);
	assert_number_at(v, "evidence.memcgs", 9);
	assert_number_at(v, "evidence.slots", 7);
	assert_number_at(v, "evidence.evictions", 14636);
	assert_null(json_object_get(at(v, "evidence"), "cpus"));
	assert_true(json_number_value(at(v, "base.miss_ratio")) < 0.0001);
	assert_string_at(
		v, "url",
		"https://lore.kernel.org/r/20250307055936.3988572-1-shakeel.butt@linux.dev");
	json_decref(doc);

	doc = parsed("idle");
	assert_string_at(doc, "verdict_state", "too_few_events");
	assert_int_equal(json_array_size(at(doc, "verdicts")), 0);
	json_decref(doc);
	doc = parsed("untrusted");
	assert_string_at(doc, "verdict_state", "untrusted");
	json_decref(doc);
}

static struct probe *probe_of(struct sample *s, enum prog_id prog)
{
	for (size_t i = 0; i < s->nprobes; i++)
		if (s->probes[i].prog == prog)
			return &s->probes[i];
	fail_msg("no probe of program %d", prog);
	return NULL;
}

/* A cgroup of a name that is no UTF-8, a measurement that is only fair, a rule without a hook. */
static void test_verdict_of_a_fair_window(void **state)
{
	struct window w = window_of("demo");
	struct row *r = &w.end->rows[3];
	char *text = NULL;
	struct model m;
	json_t *doc, *v;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	assert_non_null(f);
	r->path[7] = (char)0xff;
	r->c[C_FAILED] = w.end->cpus[1].c[C_FAILED] = 5000;
	probe_of(w.end, PROG_WALK)->missed = 800;
	probe_of(w.end, PROG_DRAIN)->state = PROBE_MISSING;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(view__json(f, &m, false), 0);
	fclose(f);
	doc = parse(text);
	v = json_array_get(at(doc, "verdicts"), 0);
	assert_string_at(v, "rule", "charge_failures");
	assert_string_at(v, "evidence.cgroup", "/demo/c\xef\xbf\xbd");
	assert_string_at(v, "evidence.cgroup_b64", "L2RlbW8vY/8=");
	assert_number_at(v, "evidence.cgroup_id", r->id);
	assert_string_at(v, "url", NULL);
	assert_string_at(
		v, "text",
		"charges fail: most of them in /demo/c\xef\xbf\xbd, which is at its limit or "
		"below one that is; counts low by up to 3.0 %");
	assert_string_equal(json_string_value(json_array_get(at(doc, "verdicts_unjudged"), 0)),
			    "slot_thrash");
	json_decref(doc);
	free(text);
	model__release(&m);
	window__release(&w);
}

static void test_header(void **state)
{
	json_t *doc = parsed("demo");

	(void)state;
	assert_string_at(doc, "tool.version", "0.1.0");
	assert_int_equal(json_array_size(at(doc, "tool.command")), 2);
	assert_string_at(doc, "host.kernel", "7.3.4+deb13-cloud-amd64");
	assert_string_at(doc, "host.cgroup", "v2");
	assert_string_at(doc, "stock.design", "multi-slot");
	assert_string_at(doc, "stock.batch_source", "observed");
	assert_string_at(doc, "stock.overflow", "emptied");
	assert_string_at(doc, "stock.walks", "under_lock");
	assert_string_at(doc, "window.start", "2026-11-30T19:38:07.112Z");
	assert_number_at(doc, "window.duration_s", 10.42);
	assert_string_at(doc, "window.end_reason", "command_exit");
	assert_number_at(doc, "window.command.exit", 0);
	assert_true(json_is_null(at(doc, "window.command.signal")));
	assert_number_at(doc, "window.command.voluntary_switches", 36211);
	assert_string_at(doc, "quality.grade", "good");
	assert_true(json_is_true(at(doc, "quality.trustworthy")));
	assert_number_at(doc, "quality.missed", 58);
	assert_number_at(doc, "quality.missed_ratio", 0.000397293);
	assert_string_at(doc, "quality.missed_worst_hook", "stat");
	assert_string_at(doc, "quality.hit_source", "walk");
	assert_number_at(doc, "quality.agreement.ratio", 1);
	assert_number_at(doc, "overhead.ns_per_event", 620);
	assert_string_at(doc, "overhead.source", "calibrated");
	assert_number_at(doc, "total.miss_ratio", 0.346628);
	json_decref(doc);

	doc = parsed("untrusted");
	assert_string_at(doc, "window.end_reason", "interrupted");
	assert_true(json_is_null(at(doc, "window.command.exit")));
	assert_number_at(doc, "window.command.signal", 2);
	assert_true(json_is_false(at(doc, "quality.trustworthy")));
	assert_true(json_array_size(at(doc, "quality.reasons")) > 0);
	assert_number_at(doc, "quality.dropped.map_full", 1204);
	assert_number_at(doc, "quality.dropped.unmatched_exit", 83);
	json_decref(doc);
}

static void check_keys(json_t *scope, uint32_t in)
{
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];
		json_t *v = json_object_get(scope, f->key);

		/* the total's histograms are in an object of their own */
		if (!(f->in & in) || (f->spans && in & IN_TOTAL)) {
			assert_null(v);
			continue;
		}
		if (!v)
			fail_msg("no %s", f->key);
		for (const struct part *p = f->parts; p && p->name && !json_is_null(v); p++)
			if (!json_object_get(v, p->name))
				fail_msg("no %s.%s", f->key, p->name);
	}
}

static void test_field_keys(void **state)
{
	json_t *scope;
	size_t i;

	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		json_t *doc = parsed(*name);

		check_keys(at(doc, "total"), IN_TOTAL);
		json_array_foreach (at(doc, "cpus"), i, scope)
			check_keys(scope, IN_CPU);
		json_array_foreach (at(doc, "cgroups"), i, scope)
			check_keys(scope, IN_CGROUP);
		json_decref(doc);
	}
}

static double sum(json_t *array, const char *key, const char *part)
{
	double total = 0;
	json_t *scope;
	size_t i;

	json_array_foreach (array, i, scope) {
		json_t *v = json_object_get(scope, key);

		total += json_number_value(part ? json_object_get(v, part) : v);
	}
	return total;
}

/* The total is the sum of the cgroups, `other` included, and of the CPUs. */
static void test_sums(void **state)
{
	static const char *const names[] = {"demo", "per-counter", "untrusted", "many", "old"};

	(void)state;
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		json_t *doc = parsed(names[n]);

		for (size_t i = 0; i < nfields; i++) {
			const struct field *f = &fields[i];
			json_t *v = json_object_get(at(doc, "total"), f->key);
			double total;

			/* a cgroup has one slot a CPU, the CPU more */
			if (!json_is_number(v) || f->attr == ATTR_SUBTREE || f->ratio ||
			    !strcmp(f->key, "stranded_bound_pages"))
				continue;
			total = json_number_value(v);
			assert_int_equal(total, sum(at(doc, "cgroups"), f->key, NULL));
			if (f->in & IN_CPU)
				assert_int_equal(total, sum(at(doc, "cpus"), f->key, NULL));
		}
		assert_int_equal(json_number_value(at(doc, "total.walk_causes.unbatched")),
				 sum(at(doc, "cgroups"), "walk_causes", "unbatched"));
		json_decref(doc);
	}
}

/* `other` is the last element and there once, whatever happened. */
static void test_other(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		json_t *doc = parsed(*name), *rows = at(doc, "cgroups"), *row;
		size_t i, n = json_array_size(rows);

		json_array_foreach (rows, i, row) {
			bool other =
				!strcmp(json_string_value(json_object_get(row, "state")), "other");

			assert_int_equal(other, i == n - 1);
			assert_int_equal(other, json_is_null(json_object_get(row, "id")));
		}
		json_decref(doc);
	}
}

/* A null of the total has its reason, and what has a reason is null (or one part of it is). */
static void test_nulls(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		json_t *doc = parsed(*name), *why = at(doc, "unmeasured");

		for (size_t i = 0; i < nfields; i++) {
			const struct field *f = &fields[i];
			json_t *v =
				json_object_get(at(doc, f->spans ? "histograms" : "total"), f->key);

			if (!(f->in & IN_TOTAL))
				continue;
			assert_int_equal(json_is_null(v), json_object_get(why, f->key) != NULL);
			for (const struct part *p = f->parts; json_is_object(v) && p && p->name;
			     p++) {
				char key[80];

				snprintf(key, sizeof(key), "%s.%s", f->key, p->name);
				assert_int_equal(json_is_null(json_object_get(v, p->name)),
						 json_object_get(why, key) != NULL);
			}
		}
		json_decref(doc);
	}
}

static void test_reasons(void **state)
{
	json_t *doc = parsed("idle");

	(void)state;
	assert_number_at(doc, "total.charges", 0);
	assert_number_at(doc, "total.miss_reasons.absent", 0);
	assert_unmeasured(doc, "miss_ratio", "not_measurable", "no_events");
	assert_unmeasured(doc, "quality.missed_ratio", "not_measurable", "no_events");
	assert_unmeasured(doc, "quality.agreement", "not_measurable", "no_events");
	assert_string_at(doc, "quality.grade", "idle");
	assert_true(json_is_null(at(doc, "window.command")));
	json_decref(doc);

	doc = parsed("per-counter");
	assert_unmeasured(doc, "evictions", "not_applicable", "design");
	assert_unmeasured(doc, "miss_reasons.lock_busy", "not_applicable", "design");
	assert_number_at(doc, "total.amplification", 1);
	assert_number_at(doc, "stock.slots", 0);
	json_decref(doc);

	doc = parsed("old");
	assert_unmeasured(doc, "walks_under_lock", "not_measurable", "design");
	assert_unmeasured(doc, "sock_stat_updates", "not_measurable", "not_traceable");
	assert_unmeasured(doc, "charge_kinds.obj", "not_measurable", "absent");
	assert_true(json_is_null(at(doc, "total.walks_under_lock")));
	json_decref(doc);
}

static json_t *probe(json_t *doc, const char *hook)
{
	json_t *p;
	size_t i;

	json_array_foreach (at(doc, "probes"), i, p)
		if (!strcmp(json_string_value(json_object_get(p, "hook")), hook))
			return p;
	fail_msg("no hook %s", hook);
	return NULL;
}

static void test_probes(void **state)
{
	json_t *doc = parsed("old"), *p = probe(doc, "stat");

	(void)state;
	assert_string_at(p, "state", "not_traceable");
	assert_string_at(p, "reason", "not_traceable");
	assert_true(json_is_null(at(p, "recorded")));
	assert_string_equal(json_string_value(json_array_get(at(p, "loses"), 0)),
			    "sock_stat_updates");
	assert_string_equal(json_string_value(json_array_get(at(p, "loses"), 1)), "stat_updates");
	p = probe(doc, "obj_charge");
	assert_true(json_is_null(at(p, "function")));
	assert_int_equal(json_array_size(at(p, "loses")), 2);
	p = probe(doc, "consume");
	assert_string_at(p, "state", "inlined");
	assert_int_equal(json_array_size(at(p, "loses")), 0);
	p = probe(doc, "charge");
	assert_string_at(p, "method", "fexit");
	assert_string_at(p, "reason", NULL);
	assert_number_at(p, "recorded", 73664);
	json_decref(doc);
}

/* R38: quotes, newlines, escapes and bytes that are no UTF-8; the longest name there is. */
static void test_names(void **state)
{
	struct window w = window_of("names");
	json_t *doc = parsed("names"), *row;
	size_t i, found = 0, bad = 0;

	(void)state;
	json_array_foreach (at(doc, "cgroups"), i, row) {
		uint64_t id = (uint64_t)json_number_value(json_object_get(row, "id"));
		const struct row *r = sample__row(w.end, id);
		const char *path = json_string_value(json_object_get(row, "path"));
		json_t *b64 = json_object_get(row, "path_b64");

		if (!id || !r->path) {
			assert_null(path);
			continue;
		}
		found++;
		if (json_is_null(b64)) {
			assert_int_equal(strlen(path), r->path_len);
			assert_memory_equal(path, r->path, r->path_len);
		} else {
			char *raw = base64_encode(r->path, r->path_len);

			bad++;
			assert_string_equal(path, "/bad\xef\xbf\xbd"
						  "byte");
			assert_string_equal(json_string_value(b64), raw);
			free(raw);
		}
	}
	assert_int_equal(found, 9);
	assert_int_equal(bad, 1);
	json_decref(doc);
	window__release(&w);
}

/* Counters keep all of their 64 bits. */
static void test_exact(void **state)
{
	char *text = document("huge");

	(void)state;
	assert_non_null(strstr(text, "\"walk_pages\": 18446744073709551615,"));
	json_decref(parse(text));
	free(text);
}

static void test_ascii(void **state)
{
	json_t *ascii, *utf8;

	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		struct window w = window_of(*name);
		char *text = document_of(&w, true);

		for (const char *c = text; *c; c++)
			assert_true(*c == '\n' || (*c >= ' ' && *c < 0x7f));
		assert_null(strstr(text, "nan"));
		assert_null(strstr(text, "inf,"));
		assert_int_equal(text[strlen(text) - 1], '\n');
		/* the same document, in other bytes */
		ascii = parse(text);
		utf8 = parsed(*name);
		assert_true(json_equal(ascii, utf8));
		json_decref(ascii);
		json_decref(utf8);
		free(text);
	}
}

static json_t *doctor_document(struct sample *s, const struct check *checks, size_t n)
{
	struct diagnosis d = {s, checks, n, "0.1.0"};
	char *text = NULL;
	json_t *doc;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(view__doctor_json(f, &d, false), 0);
	fclose(f);
	doc = parse(text);
	free(text);
	return doc;
}

static void test_doctor(void **state)
{
	const struct check btf[] = {{"btf", CHECK_FAIL, "there is no BTF", "use --btf"}};
	struct sample *s = doctor_sample("old");
	json_t *doc = doctor_document(s, NULL, 0), *report;

	(void)state;
	assert_true(json_is_true(at(doc, "measurable.misses")));
	assert_int_equal(json_object_size(doc), 6);
	assert_string_at(probe(doc, "charge"), "state", "attachable");
	assert_true(json_is_null(at(probe(doc, "charge"), "recorded")));
	/* A doctor and a report name the same losses. */
	report = parsed("old");
	assert_true(
		json_equal(at(probe(doc, "stat"), "loses"), at(probe(report, "stat"), "loses")));
	assert_true(json_equal(at(doc, "host"), at(report, "host")));
	json_decref(report);
	json_decref(doc);

	doc = doctor_document(s, btf, 1);
	assert_true(json_is_false(at(doc, "measurable.misses")));
	assert_string_at(doc, "measurable.text", "there is no BTF");
	assert_string_at(json_array_get(at(doc, "checks"), 0), "state", "fail");
	json_decref(doc);
	sample__free(s);

	s = doctor_sample("demo");
	for (size_t i = 0; i < s->nprobes; i++)
		if (s->probes[i].prog == PROG_CHARGE) {
			s->probes[i].state = PROBE_MISSING;
			s->probes[i].reason = REASON_NOT_TRACEABLE;
		}
	doc = doctor_document(s, NULL, 0);
	assert_true(json_is_false(at(doc, "measurable.misses")));
	assert_string_at(doc, "measurable.reason", "not_traceable");
	assert_true(json_array_size(at(probe(doc, "charge"), "loses")) > 4);
	json_decref(doc);
	sample__free(s);
}

static void test_write_error(void **state)
{
	struct window w = window_of("many");
	FILE *f = fopen("/dev/full", "w");
	struct model m;

	(void)state;
	assert_non_null(f);
	assert_int_equal(model__init(&m, &w), 0);
	/* More than a buffer: the error comes in the middle, and must not be forgotten. */
	assert_true(view__json(f, &m, false) < 0);
	fclose(f);
	model__release(&m);
	window__release(&w);
}

/* A line for each window in one stream: whole, alone on its line, and the same as the document. */
static void test_lines(void **state)
{
	char *lines = NULL, *rest;
	size_t size, flushed = 0;
	FILE *f = open_memstream(&lines, &size);

	(void)state;
	assert_non_null(f);
	for (const char *const *name = window_names; *name; name++) {
		struct window w = window_of(*name);
		struct model m;

		assert_int_equal(model__init(&m, &w), 0);
		assert_int_equal(view__json_line(f, &m, false), 0);
		/* without an fflush() of ours */
		assert_true(size > flushed);
		assert_int_equal(lines[size - 1], '\n');
		flushed = size;
		model__release(&m);
		window__release(&w);
	}
	fclose(f);
	rest = lines;
	for (const char *const *name = window_names; *name; name++) {
		char *line = strsep(&rest, "\n");
		json_t *got, *want = parsed(*name);

		assert_non_null(line);
		got = parse(line);
		assert_true(json_equal(got, want));
		json_decref(got);
		json_decref(want);
	}
	assert_non_null(rest);
	assert_string_equal(rest, "");
	free(lines);
}

static void test_truncated(void **state)
{
	struct window w = window_of("demo");
	json_t *doc;

	(void)state;
	w.lost = strdup("the last frame is not whole");
	doc = parsed_of(&w);
	assert_true(json_is_true(at(doc, "quality.truncated")));
	json_decref(doc);
	doc = parsed("demo");
	assert_true(json_is_false(at(doc, "quality.truncated")));
	json_decref(doc);
}

static void test_writer(void **state)
{
	char *text = NULL;
	size_t n;
	struct writer w = {.f = open_memstream(&text, &n)};
	json_t *doc;

	(void)state;
	json__open(&w, '{');
	json__put_string(&w, "a\"\\\n\t\001\177", "b\"\\\n\t\001\177\xff");
	json__put_real(&w, "nan", NAN);
	json__put_real(&w, "infinity", INFINITY);
	json__key(&w, "list");
	json__open(&w, '[');
	json__i64(&w, INT64_MIN);
	json__null(&w);
	json__open(&w, '[');
	json__close(&w, ']');
	json__bool(&w, true);
	json__close(&w, ']');
	json__close(&w, '}');
	assert_int_equal(json__finish(&w), 0);
	fclose(w.f);
	doc = parse(text);
	assert_string_equal(json_string_value(json_object_get(doc, "a\"\\\n\t\001\177")),
			    "b\"\\\n\t\001\177\xef\xbf\xbd");
	assert_true(json_is_null(json_object_get(doc, "nan")));
	assert_true(json_is_null(json_object_get(doc, "infinity")));
	assert_int_equal(json_array_size(json_object_get(doc, "list")), 4);
	json_decref(doc);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	 cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_writer),	 cmocka_unit_test(test_members),
		cmocka_unit_test(test_header),	 cmocka_unit_test(test_field_keys),
		cmocka_unit_test(test_verdicts), cmocka_unit_test(test_verdict_of_a_fair_window),
		cmocka_unit_test(test_sums),	 cmocka_unit_test(test_other),
		cmocka_unit_test(test_nulls),	 cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_probes),	 cmocka_unit_test(test_names),
		cmocka_unit_test(test_exact),	 cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_doctor),	 cmocka_unit_test(test_write_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
