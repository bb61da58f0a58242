// SPDX-License-Identifier: GPL-2.0-only
// links: view/text.c view/verdict.c view/head.c view/text_*.c view/sides.c view/rows.c view/cell.c view/names.c view/lists.c view/grid.c view/bars.c view/measure.c view/notes.c view/page.c view/number.c view/hooks.c view/doctor.c view/diagnosis.c view/json_host.c view/writer.c model/*.c sample/sample.c text/*.c ../tests/unit/window.c ../tests/unit/golden.c
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/bars.h"
#include "view/hooks.h"
#include "view/number.h"
#include "view/view.h"
#include "golden.h"
#include "window.h"

#define ROWS 3

static char *text_of_window(const struct window *w, const struct view_opts *o, const char *glob)
{
	char *text = NULL;
	struct model m;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(model__init(&m, w), 0);
	if (o->sort)
		model__sort(&m, o->sort);
	if (glob)
		model__filter(&m, glob);
	assert_int_equal(view__text(f, &m, o), 0);
	fclose(f);
	model__release(&m);
	return text;
}

static char *text_of(const char *name, const struct view_opts *o)
{
	struct window w = window_of(name);
	char *text = text_of_window(&w, o, NULL);

	window__release(&w);
	return text;
}

static char *doctor_of(const char *name, const struct view_opts *o, enum check_state btf)
{
	const struct check checks[] = {
		{"privilege", CHECK_OK, "root", NULL},
		{"btf", btf, "/sys/kernel/btf/vmlinux", "give another with --btf"},
	};
	struct sample *s = doctor_sample(name);
	struct diagnosis d = {s, checks, 2, "0.1.0"};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_int_equal(view__doctor_text(f, &d, o), 0);
	fclose(f);
	sample__free(s);
	return text;
}

static void compare_golden(const char *text, const char *name, int width)
{
	char file[128];

	snprintf(file, sizeof(file), "%s-%d.txt", name, width);
	golden__compare(text, file);
}

#define WIDTHS 4

static const int widths[WIDTHS] = {50, 80, 100, 132};

static void test_golden(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++)
		for (size_t i = 0; i < WIDTHS; i++) {
			struct view_opts o = {.width = widths[i], .rows = ROWS, .ascii = true};
			char *text = text_of(*name, &o);

			compare_golden(text, *name, widths[i]);
			free(text);
		}
}

/* What the report of a window has from that line on. */
static char *from(char *text, const char *line)
{
	char *at = strstr(text, line), *rest;

	assert_non_null(at);
	rest = strdup(at);
	assert_non_null(rest);
	free(text);
	return rest;
}

/* The table of cgroups alone. */
static char *table(char *text)
{
	char *rows = from(text, "CGROUP  "), *end = strstr(rows, "\n\n");

	if (end)
		*end = '\0';
	return rows;
}

/* With every CPU, and with the bars of UTF-8. */
static void test_golden_cpus(void **state)
{
	static const char *const names[] = {"limit", "demo"};

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < WIDTHS; j++) {
			struct view_opts o = {.width = widths[j], .rows = 6, .cpus = true};
			char *text = from(text_of(names[i], &o), "CGROUP  "), file[64];

			snprintf(file, sizeof(file), "cpus-%s", names[i]);
			compare_golden(text, file, widths[j]);
			free(text);
		}
}

static void test_golden_doctor(void **state)
{
	static const char *const names[] = {"demo", "old", "per-counter"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct view_opts o = {.width = 80, .ascii = true};
		char *text = doctor_of(names[i], &o, CHECK_OK), file[64];

		snprintf(file, sizeof(file), "doctor-%s", names[i]);
		compare_golden(text, file, 80);
		free(text);
	}
}

static void test_doctor_failed(void **state)
{
	struct view_opts o = {.width = 80};
	char *text = doctor_of("demo", &o, CHECK_FAIL);

	(void)state;
	assert_non_null(strstr(text, "\nfail  btf"));
	assert_non_null(strstr(text, "give another with --btf"));
	assert_non_null(strstr(text, "\nmisses are not measurable: /sys/kernel/btf/vmlinux\n"));
	assert_null(strstr(text, "controller"));
	free(text);
}

static void test_doctor_no_walks(void **state)
{
	struct sample *s = doctor_sample("demo");
	struct diagnosis d = {.sample = s, .version = "0.1.0"};

	(void)state;
	assert_int_equal(view__doctor_measurable(&d), 1);
	for (size_t i = 0; i < s->nprobes; i++)
		if (s->probes[i].prog == PROG_TRY_WALK) {
			s->probes[i].state = PROBE_MISSING;
			s->probes[i].reason = REASON_INLINED;
		}
	assert_int_equal(view__doctor_measurable(&d), 0);
	/* Where consume_stock is a function the walks are not needed. */
	for (size_t i = 0; i < s->nprobes; i++)
		if (s->probes[i].prog == PROG_CONSUME)
			s->probes[i].state = PROBE_ATTACHABLE;
	assert_int_equal(view__doctor_measurable(&d), 1);
	sample__free(s);
}

/* Columns of a line of UTF-8 whose characters are one column wide. */
static int columns(const char *line, size_t n)
{
	int count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)line[i] & 0xc0) != 0x80;
	return count;
}

static void test_width(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++)
		for (int width = 50; width <= 160; width++) {
			struct view_opts o = {.width = width,
					      .rows = ROWS,
					      .ascii = width % 2,
					      .cpus = width % 4 < 2};
			char *text = text_of(*name, &o);

			for (char *line = text; *line;) {
				size_t n = strcspn(line, "\n");

				/* An address is never broken. */
				if (columns(line, n) > width &&
				    strncmp(line, "  https://lore.kernel.org/", 26))
					fail_msg("%s at %d: %.*s", *name, width, (int)n, line);
				if (n && line[n - 1] == ' ')
					fail_msg("%s at %d: a blank at the end: %.*s", *name, width,
						 (int)n, line);
				line += n + 1;
			}
			free(text);
		}
}

static bool is_label(const char *word)
{
	if (field__find(word))
		return true;
	for (size_t i = 0; i < nfields; i++)
		for (const struct part *p = fields[i].parts; p && p->name; p++)
			if (!strcmp(p->name, word))
				return true;
	/* The one line that is no measure but a ratio of two. */
	return !strcmp(word, "each");
}

static void test_labels(void **state)
{
	struct view_opts o = {.width = 80, .rows = ROWS};
	char *text = text_of("demo", &o), *line = strstr(text, "CHARGE SIDE"), *save = NULL;
	int labels = 0;

	(void)state;
	assert_non_null(line);
	for (line = strtok_r(line, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char word[64];

		if (!strncmp(line, "TIME", 4))
			break;
		if (strstr(line, " SIDE "))
			continue;
		assert_int_equal(sscanf(line, "%63s", word), 1);
		if (!is_label(word))
			fail_msg("'%s' is no key", word);
		labels++;
	}
	assert_true(labels > 30);
	free(text);
}

static void test_bytes(void **state)
{
	struct view_opts o = {.width = 132, .rows = -1};
	char *text = text_of("names", &o);

	(void)state;
	for (const unsigned char *s = (const unsigned char *)text; *s; s++)
		assert_true(*s == '\n' || (*s >= 0x20 && *s != 0x7f));
	assert_non_null(strstr(text, "/l1\\nl2"));
	assert_non_null(strstr(text, "/a\\\\b"));
	assert_non_null(strstr(text, "/bad\\xffbyte"));
	assert_non_null(strstr(text, "firefox-esr.scope"));
	free(text);
	o.ascii = true;
	text = text_of("names", &o);
	for (const unsigned char *s = (const unsigned char *)text; *s; s++)
		assert_true(*s < 0x80);
	free(text);
}

/* R44: equal heads, distinct tails, also where little room is left. */
static void test_distinct(void **state)
{
	struct view_opts o = {.width = 70, .rows = -1};
	char *text = text_of("many", &o);

	(void)state;
	assert_non_null(strstr(text, "07/workload"));
	assert_non_null(strstr(text, "39/workload"));
	free(text);
}

static void test_color(void **state)
{
	struct view_opts o = {.width = 100, .rows = ROWS};
	char *plain = text_of("demo", &o), *bold, *out;
	int escapes = 0;

	(void)state;
	assert_null(strchr(plain, '\033'));
	o.color = true;
	bold = text_of("demo", &o);
	out = bold;
	for (const char *in = bold; *in; in++) {
		if (*in == '\033') {
			in = strchr(in, 'm');
			escapes++;
			continue;
		}
		*out++ = *in;
	}
	*out = '\0';
	assert_true(escapes > 4);
	assert_string_equal(plain, bold);
	free(bold);
	free(plain);
}

/* A recording that was cut short says so in the head. */
static void test_lost(void **state)
{
	struct view_opts o = {.width = 100, .rows = ROWS, .ascii = true};
	struct window w = window_of("demo");
	char *text;

	(void)state;
	w.lost = strdup("the last frame is not whole: 3 of 20 intervals are missing");
	text = text_of_window(&w, &o, NULL);
	assert_non_null(strstr(text, "\nlost     the last frame is not whole: 3 of 20"));
	free(text);
	window__release(&w);
	assert_null(w.lost);
}

static void test_rows(void **state)
{
	struct view_opts o = {.width = 100, .rows = 0, .sort = field__find("forced")};
	char *text = text_of("demo", &o);

	(void)state;
	assert_non_null(strstr(text, "\n(9 more: --rows)"));
	/* The column that sorts is shown. */
	assert_non_null(strstr(text, "FORCED"));
	free(text);
	o.rows = -1;
	text = text_of("demo", &o);
	assert_null(strstr(text, "more: --rows"));
	assert_non_null(strstr(text, "\n/demo/c8"));
	/* `other` without events is not worth a line. */
	assert_null(strstr(text, "(other)"));
	free(text);
	text = text_of("untrusted", &o);
	assert_non_null(strstr(text, "\n(other) "));
	free(text);
}

/* A line that says "1 more" would take the place of the one. */
static void test_one_more(void **state)
{
	struct view_opts o = {.width = 100, .rows = 8};
	char *text = text_of("demo", &o);

	(void)state;
	assert_null(strstr(text, "(1 more"));
	assert_non_null(strstr(text, "\n/demo/c8"));
	free(text);
	o.rows = 7;
	text = text_of("demo", &o);
	assert_non_null(strstr(text, "\n(2 more: --rows)"));
	free(text);
}

/* What counted nothing that is shown is the first to be cut, other included. */
static void test_nothing_to_show(void **state)
{
	struct view_opts o = {.width = 100, .rows = 9};
	struct window w = window_of("demo");
	struct row *rows = w.end->rows;
	char *text;

	(void)state;
	rows[0].c[C_STAT + STAT_KMEM] = 1;
	memset(rows[9].c, 0, sizeof(rows[9].c));
	memset(rows[9].cpu_updates, 0, w.end->ncpus * sizeof(uint64_t));
	rows[9].c[C_STAT + STAT_KMEM] = 1;
	text = table(text_of_window(&w, &o, NULL));
	assert_non_null(strstr(text, "\n/demo/c7"));
	assert_null(strstr(text, "\n/demo/c8"));
	assert_null(strstr(text, "\n(other)"));
	assert_non_null(strstr(text, "\n(2 more: --rows)"));
	free(text);
	o.rows = -1;
	text = table(text_of_window(&w, &o, NULL));
	assert_non_null(strstr(text, "\n/demo/c8"));
	assert_non_null(strstr(text, "\n(other)"));
	free(text);
	window__release(&w);
}

/* Names that differ in the middle alone, one of them with a mark behind it. */
static void test_elided_names_differ(void **state)
{
	const struct view_opts o = {.width = 50, .rows = -1, .ascii = true};
	struct window w = window_of("demo");
	char *text;

	(void)state;
	for (int i = 1; i <= 2; i++) {
		struct row *r = &w.end->rows[i];

		free(r->path);
		assert_true(asprintf(&r->path,
				     "/machine.slice/machine-a%d.scope/payload/long/of-it", i) > 0);
		r->path_len = strlen(r->path);
	}
	w.end->rows[1].state = ROW_DELETED;
	text = table(text_of_window(&w, &o, NULL));
	assert_non_null(strstr(text, "\n/ma...1.scope...f-it (del) "));
	assert_non_null(strstr(text, "\n/mach...2.scope/pa...of-it "));
	free(text);
	window__release(&w);
}

static void test_filter(void **state)
{
	static const char said[] = "No cgroup's path matches -f";
	struct view_opts o = {.width = 100, .rows = 9};
	struct window w = window_of("demo");
	char *text = text_of_window(&w, &o, "/demo/c*");

	(void)state;
	assert_null(strstr(text, said));
	free(text);
	text = text_of_window(&w, &o, "/demo/x*");
	assert_non_null(strstr(text, said));
	free(text);
	window__release(&w);
}

static void test_idle(void **state)
{
	struct view_opts o = {.width = 80, .rows = -1};
	char *text = text_of("idle", &o);

	(void)state;
	assert_non_null(strstr(text, "quality  idle:"));
	assert_non_null(strstr(text, "\ncharges                      0        0\n"));
	assert_non_null(strstr(text, "\namplification                -\n"));
	assert_non_null(strstr(text, "Nothing was charged"));
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "CGROUP"));
	free(text);
}

static void test_lost_hooks(void **state)
{
	struct view_opts o = {.width = 132, .rows = -1};
	char *text = text_of("old", &o);

	(void)state;
	assert_non_null(strstr(text, "not attachable: mod_memcg_state (the kernel does not let it "
				     "be traced): sock_stat_updates, stat_updates are lost"));
	assert_non_null(strstr(text, "nothing is lost"));
	assert_non_null(strstr(text, "\n- walks_under_lock, walks_beside_lock:"));
	assert_non_null(strstr(text, "/demo/c1 (del)"));
	free(text);
	text = text_of("per-counter", &o);
	assert_null(strstr(text, "refills  "));
	assert_null(strstr(text, "EVICTIONS"));
	assert_non_null(strstr(text, "not applicable"));
	free(text);
}

/* A section is there only if it has something to say. */
static void test_sections(void **state)
{
	static const char *const sections[] = {"\nTIME",   "\nlock_hold_ns", "\nEVICTIONS",
					       "\nDRAINS", "\nSTOCKS",	     "\nslot_life_ns",
					       "\nSOCKETS"};
	static const struct {
		const char *name;
		const char *has; /* as many letters: `y` where the section is */
	} windows[] = {
		{"demo", "yyynyyy"}, {"exact", "yynnyyy"},	 {"limit", "yynyyyy"},
		{"idle", "nnnnnnn"}, {"per-counter", "nnnnnnn"},
	};
	struct view_opts o = {.width = 100, .rows = ROWS};

	(void)state;
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		char *text = text_of(windows[i].name, &o);

		for (size_t j = 0; j < sizeof(sections) / sizeof(sections[0]); j++)
			if (!!strstr(text, sections[j]) != (windows[i].has[j] == 'y'))
				fail_msg("%s in %s", sections[j] + 1, windows[i].name);
		free(text);
	}
}

static void test_times(void **state)
{
	struct view_opts o = {.width = 132, .rows = ROWS};
	struct window w = window_of("demo");
	char *text = text_of_window(&w, &o, NULL);

	(void)state;
	assert_null(strstr(text, "timed (--sample)"));
	assert_non_null(strstr(text, "% of the hold time was walking"));
	free(text);
	w.end->cpus[1].lost[LOSS_PAIR_FULL] = 31;
	w.end->asked.sample_every = 8;
	text = text_of_window(&w, &o, NULL);
	assert_non_null(strstr(text, "1 in 8 timed (--sample)"));
	assert_non_null(strstr(text, "31 evictions found no room in the table of pairs"));
	free(text);
	window__release(&w);
	/* the bound is that of the hold: __refill_stock is called with the lock held */
	text = text_of("exact", &o);
	assert_non_null(strstr(text, "  __refill_stock           lower  "));
	assert_non_null(strstr(text, "\nlock_wait_ns "));
	free(text);
}

static void test_drains(void **state)
{
	struct view_opts o = {.width = 100, .rows = ROWS};
	struct window w = window_of("limit");
	char *text = text_of_window(&w, &o, NULL);

	(void)state;
	assert_non_null(strstr(text, "\n    2,410 x try_charge_memcg < charge_memcg < "
				     "__mem_cgroup_charge\n"));
	assert_non_null(strstr(text, "87 more returned at once"));
	assert_non_null(strstr(text, "  charge at the limit\n"));
	assert_non_null(strstr(text, "8 MiB/8 MiB"));
	assert_non_null(strstr(text, "  3.17 s  /shop/c0\n"));
	free(text);
	/* whose call it was is not always known */
	w.end->drains[0].cgroup = 0;
	w.end->asked.drains = false;
	text = text_of_window(&w, &o, NULL);
	assert_non_null(strstr(text, "\n(unknown)"));
	assert_null(strstr(text, "returned at once"));
	free(text);
	window__release(&w);
}

static void test_locale(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", NULL};
	struct view_opts o = {.width = 100, .rows = ROWS, .ascii = true};
	char *plain = text_of("demo", &o), *other;
	bool found = false;

	(void)state;
	for (const char *const *name = names; *name && !found; name++)
		found = setlocale(LC_ALL, *name);
	other = text_of("demo", &o);
	setlocale(LC_ALL, "C");
	assert_string_equal(plain, other);
	free(other);
	free(plain);
	if (!found)
		skip();
}

static void test_write_error(void **state)
{
	struct view_opts o = {.width = 100, .rows = ROWS};
	struct window w = window_of("demo");
	FILE *f = fopen("/dev/full", "w");
	struct model m;

	(void)state;
	assert_non_null(f);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(view__text(f, &m, &o), -ENOSPC);
	fclose(f);
	model__release(&m);
	window__release(&w);
}

static void test_numbers(void **state)
{
	char b[NUM_LEN];

	(void)state;
	assert_string_equal(num__grouped(b, 0), "0");
	assert_string_equal(num__grouped(b, 999), "999");
	assert_string_equal(num__grouped(b, 1000), "1,000");
	assert_string_equal(num__grouped(b, UINT64_MAX), "18,446,744,073,709,551,615");
	assert_string_equal(num__fixed(b, 1234.5, 1), "1,234.5");
	assert_string_equal(num__fixed(b, 0.996, 2), "1.00");
	assert_string_equal(num__fixed(b, -0.5, 1), "-0.5");
	assert_string_equal(num__fixed(b, NAN, 1), "-");
	assert_string_equal(num__fixed(b, 2e12, 3), "2,000,000,000,000");
	assert_string_equal(num__si(b, 999), "999");
	assert_string_equal(num__si(b, 1000), "1.00k");
	assert_string_equal(num__si(b, 9996), "10.0k");
	assert_string_equal(num__si(b, 97512), "97.5k");
	assert_string_equal(num__si(b, 999600), "1.00M");
	assert_string_equal(num__si(b, 1840000), "1.84M");
	assert_string_equal(num__si(b, UINT64_MAX), "18.4E");
	assert_string_equal(num__rate(b, 72, 10.42, 0), "7");
	assert_string_equal(num__rate(b, 3, 10, 0), "0.3");
	assert_string_equal(num__rate(b, 1, 1000, 0), "<0.1");
	assert_string_equal(num__rate(b, 0, 10, 0), "0");
	assert_string_equal(num__rate(b, 5, 0, 0), "-");
	assert_string_equal(num__percent(b, 0.346628, 1), "34.7");
	assert_string_equal(num__percent(b, 0.00001, 1), "<0.1");
	assert_string_equal(num__percent(b, 0.99999, 1), "99.9");
	assert_string_equal(num__percent(b, 1, 1), "100.0");
	assert_string_equal(num__percent(b, NAN, 1), "-");
	assert_string_equal(num__duration(b, 0), "0 ns");
	assert_string_equal(num__duration(b, 7), "7 ns");
	assert_string_equal(num__duration(b, 41.53), "41.5 ns");
	assert_string_equal(num__duration(b, 999.4), "999 ns");
	assert_string_equal(num__duration(b, 999.6), "1.00 us");
	assert_string_equal(num__duration(b, 5310), "5.31 us");
	assert_string_equal(num__duration(b, 27600), "27.6 us");
	assert_string_equal(num__duration(b, 382e6), "382 ms");
	assert_string_equal(num__duration(b, 10.42e9), "10.4 s");
	assert_string_equal(num__duration(b, 5000e9), "5,000 s");
	assert_string_equal(num__duration(b, NAN), "-");
	assert_string_equal(num__bytes(b, 4096), "4 KiB");
	assert_string_equal(num__bytes(b, 3 << 19), "1.5 MiB");
	assert_string_equal(num__json(b, 0), "0.0");
	assert_string_equal(num__json(b, 1), "1.0");
	assert_string_equal(num__json(b, 0.5), "0.5");
	assert_string_equal(num__json(b, 0.3466279), "0.346628");
	assert_string_equal(num__json(b, 63.84973), "63.8497");
	assert_string_equal(num__json(b, 0.0003973), "0.0003973");
	assert_string_equal(num__json(b, 123456.7), "123457.0");
	assert_string_equal(num__json(b, 1.5e-9), "1.50000e-9");
	assert_string_equal(num__json(b, -2.5), "-2.5");
}

static char *bars_of(const struct bars *bars, size_t n, int width, bool ascii)
{
	struct page p = {.width = width, .ascii = ascii};
	char *text = NULL;
	size_t size;

	p.f = open_memstream(&text, &size);
	assert_non_null(p.f);
	bars__print(&p, bars, n);
	assert_false(p.failed);
	fclose(p.f);
	return text;
}

static void test_bars(void **state)
{
	struct hist few = {.sum = 900, .max = 400}, far = {.sum = 1 << 20, .max = 1 << 20};
	struct histogram a, b, none = {0};
	struct bars bars[] = {{"a", {"300", "of all"}, &a}, {"b", {"1"}, &b}, {"c", {"0"}, &none}};
	char *text;

	(void)state;
	few.buckets[hist__bucket(128)] = 100;
	few.buckets[hist__bucket(100)] = 100;
	few.buckets[hist__bucket(400)] = 100;
	far.buckets[hist__bucket(1 << 20)] = 1;
	histogram__of(&a, &few, NULL);
	histogram__of(&b, &far, NULL);
	text = bars_of(bars, 3, 50, true);
	/* what is empty in between is one line, what is empty at the ends is none */
	assert_string_equal(text, "              a 300 of all       b 1\n"
				  "<=    128 ns  200 #############    0\n"
				  "<=    256 ns    0                  0\n"
				  "<=    512 ns  100 #######          0\n"
				  "         ...\n"
				  "<=   1.05 ms    0                  1 #############\n");
	free(text);
	/* the smallest bar is still one */
	few.buckets[hist__bucket(400)] = 1;
	histogram__of(&a, &few, NULL);
	text = bars_of(bars, 1, 50, false);
	assert_non_null(strstr(text, "1 \xe2\x96\x8f\n"));
	free(text);
	/* where two have no room they are below one another */
	text = bars_of(bars, 2, 34, true);
	assert_string_equal(text, "              a 300 of all\n"
				  "<=    128 ns  200 ################\n"
				  "<=    256 ns    0\n"
				  "<=    512 ns    1\n"
				  "              b 1\n"
				  "<=   1.05 ms  1 ##################\n");
	free(text);
	/* the open end */
	far.buckets[HIST_BUCKETS - 1] = 1;
	histogram__of(&b, &far, NULL);
	text = bars_of(&bars[1], 1, 50, true);
	assert_non_null(strstr(text, "        more  1 ####"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_golden_cpus),
		cmocka_unit_test(test_golden_doctor),
		cmocka_unit_test(test_doctor_failed),
		cmocka_unit_test(test_doctor_no_walks),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_one_more),
		cmocka_unit_test(test_nothing_to_show),
		cmocka_unit_test(test_elided_names_differ),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_lost_hooks),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_drains),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_write_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
