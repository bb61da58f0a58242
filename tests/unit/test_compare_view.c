// SPDX-License-Identifier: GPL-2.0-only
// links: view/compare*.c view/lkp.c view/number.c view/page.c view/writer.c compare/*.c model/*.c sample/sample.c sample/store_names.c text/utf8.c ../tests/unit/window.c ../tests/unit/golden.c
/* What a comparison looks like, in each format, against golden files. */
#include "compare_fixture.h"

#include <jansson.h>
#include <locale.h>

#include "golden.h"
#include "text/utf8.h"
#include "view/compare.h"
#include "window.h"

typedef int view(FILE *, const struct comparison *, const struct compare_view *);

static char *shown(view *view, const struct comparison *c, bool all)
{
	const struct compare_view v = {.all = all, .version = "0.1.0"};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(view(f, c, &v), 0);
	fclose(f);
	return text;
}

/* Frees the text. */
static void compare_golden(char *text, const char *name)
{
	golden__compare(text, name);
	free(text);
}

/* To be pasted into a mail. */
static void check_mail(const char *text)
{
	for (const char *s = text; *s;) {
		char line[400];
		size_t n = strcspn(s, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)n, s);
		if (text_width(line) > COMPARE_WIDTH || strchr(line, '\t') || strchr(line, '\033'))
			fail_msg("not for a mail: %s", line);
		s += n + (s[n] == '\n');
	}
}

/* A design without slots against the stock: uncharges walk, each walk is slow. */
static void per_counter(struct side *a, struct side *b)
{
	*a = usual("base/", 5);
	*b = usual("percounter/", 5);
	for (size_t i = 0; i < 5; i++) {
		strcpy(a->runs[i].host.kernel, "7.3.4-base");
		strcpy(b->runs[i].host.kernel, "7.3.4-percounter");
		b->runs[i].stock.design = DESIGN_PER_COUNTER;
		b->runs[i].stock.slots = 0;
		a->runs[i].seconds = b->runs[i].seconds = 60;
	}
	tell(a, "metrics.SCTP_RR trans/s", 11.7e6, 0.008, false, true);
	tell(b, "metrics.SCTP_RR trans/s", 3.05e6, 0.02, false, true);
	set(a, "charges", 46.8e6, 0.008);
	set(b, "charges", 12.2e6, 0.02);
	set(a, "misses", 0.426e6, 0.02);
	set(b, "misses", 0.19e6, 0.02);
	set(b, "amplification", 1, 0);
	set(b, "walks/uncharges", 1, 0);
	set(a, "walks", 0.55e6, 0.01);
	set(b, "walks", 12.3e6, 0.02);
	set(b, "pages_per_walk", 1.01, 0.001);
	set(a, "walks_under_lock/walks", 1, 0);
	unset(b, "walks_under_lock/walks", REASON_DESIGN, "this design has no lock of a stock");
	unset(b, "evictions/charges", REASON_DESIGN, "this design has no slots");
	unset(b, "lock_hold_ns", REASON_DESIGN, "this design has no lock of a stock");
	set(b, "walk_ns", 11200, 0.024);
	set(a, "walk_ns.cpu_ratio", 0.00076, 0.04);
	set(b, "walk_ns.cpu_ratio", 0.615, 0.01);
	set(b, "charge_ns", 121, 0.022);
	set(a, "miss_ratio", 0.0091, 0.02);
	set(b, "miss_ratio", 0.0156, 0.003);
}

/* One slot a CPU against seven, nine cgroups on it, on an emulated CPU. */
static void kernels(struct side *a, struct side *b, size_t n)
{
	*a = side_of("six", n, "6.12.117+deb12-cloud-amd64", DESIGN_SINGLE_SLOT, 1);
	*b = side_of("seven", n, "7.3.4+deb13-cloud-amd64", DESIGN_MULTI_SLOT, 7);
	for (size_t i = 0; i < n; i++) {
		a->runs[i].host.emulated = b->runs[i].host.emulated = true;
		a->runs[i].host.cpus_online = b->runs[i].host.cpus_online = 2;
		strcpy(a->runs[i].host.preempt, "voluntary");
		strcpy(a->runs[i].probes[PROG_SOCK_CHARGE].function, "mem_cgroup_charge_skmem");
		strcpy(b->runs[i].probes[PROG_SOCK_CHARGE].function, "mem_cgroup_sk_charge");
		a->runs[i].bounds[at_key("lock_hold_ns")] = "lower_bound";
		b->runs[i].bounds[at_key("lock_hold_ns")] = "upper_bound";
	}
	set(a, "charges", 9500, 0.05);
	set(b, "charges", 16800, 0.05);
	set(a, "misses", 9490, 0.05);
	set(b, "misses", 5800, 0.05);
	set(a, "miss_ratio", 0.999, 0.0005);
	set(b, "miss_ratio", 0.347, 0.01);
	set(a, "miss_reasons.absent+short", 9490, 0.05);
	set(b, "miss_reasons.absent+short", 5790, 0.05);
	set(a, "refill_outcomes.new_slot", 0, 0);
	set(b, "refill_outcomes.new_slot", 5900, 0.05);
	set(a, "walks/uncharges", 1, 0.001);
	set(b, "walks/uncharges", 0.35, 0.01);
	set(a, "pages_per_walk", 63.9, 0.001);
	set(b, "pages_per_walk", 63.8, 0.001);
	set(a, "sock_charges", 9400, 0.05);
	set(b, "sock_charges", 16700, 0.05);
	unset(a, "walks_under_lock", REASON_DESIGN, "no lock byte on this kernel");
	set(b, "walks_under_lock", 5800, 0.05);
	set(a, "charge_ns", 51200, 0.05);
	set(b, "charge_ns", 54900, 0.3);
	set(a, "walk_ns", 3670, 0.1);
	set(b, "walk_ns", 3430, 0.2);
	set(a, "lock_hold_ns", 12200, 0.05);
	set(b, "lock_hold_ns", 3100, 0.05);
	tell(a, "duration_s", 7.2, 0.05, false, false);
	tell(b, "duration_s", 4.1, 0.05, false, false);
	tell(a, "voluntary_switches", 900, 0.05, true, false);
	tell(b, "voluntary_switches", 910, 0.05, true, false);
}

static void check_text(struct side *a, struct side *b, const char *per, bool all, const char *name)
{
	struct comparison c = compared_by(a, b, per);
	char *text = shown(view__compare_text, &c, all);

	check_mail(text);
	compare_golden(text, name);
	comparison__release(&c);
}

static void test_text(void **state)
{
	struct side a, b;

	(void)state;
	seed = 11;
	per_counter(&a, &b);
	check_text(&a, &b, "work", false, "compare-per-counter.txt");
	release(&a);
	release(&b);
	kernels(&a, &b, 5);
	check_text(&a, &b, NULL, false, "compare-kernels.txt");
	check_text(&a, &b, "charges", true, "compare-kernels-all.txt");
	a.within = b.within = true;
	check_text(&a, &b, NULL, false, "compare-within.txt");
	release(&a);
	release(&b);
	kernels(&a, &b, 4);
	check_text(&a, &b, NULL, false, "compare-four.txt");
	release(&a);
	release(&b);
	kernels(&a, &b, 1);
	check_text(&a, &b, NULL, false, "compare-one.txt");
	b.runs[0].grade = GRADE_UNTRUSTED;
	check_text(&a, &b, NULL, false, "compare-untrusted.txt");
	release(&a);
	release(&b);
	seed = 5;
	a = usual("monday", 5);
	b = usual("tuesday", 5);
	check_text(&a, &b, NULL, false, "compare-same.txt");
	release(&a);
	release(&b);
}

/* A file, a kernel and a metric of unkind names. */
static void unkind(struct side *a, struct side *b)
{
	*a = usual("a \033[31m directory of which the name is as long as a line, and then some "
		   "more of it",
		   5);
	*b = usual("b\n|\"\xff", 5);
	strcpy(b->runs[0].host.kernel, "7.3\033]0;x\a|a-kernel-of-a-name-that-nobody-would-type");
	tell(a, "metrics.a|\"b\",\033[0m\n", 1, 0.01, false, true);
	tell(b, "metrics.a|\"b\",\033[0m\n", 2, 0.01, false, true);
	set(b, "charges", 20000, 0.01);
}

static void test_formats(void **state)
{
	static const struct {
		view *view;
		const char *ends;
	} formats[] = {
		{view__compare_markdown, "md"}, {view__compare_csv, "csv"},
		{view__compare_lkp, "lkp"},	{view__compare_json, "json"},
		{view__compare_text, "txt"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct side a, b;
		struct comparison c;
		char name[64], *text;

		seed = 11;
		per_counter(&a, &b);
		c = compared_by(&a, &b, "work");
		snprintf(name, sizeof(name), "compare-per-counter.%s", formats[i].ends);
		if (formats[i].view != view__compare_text)
			compare_golden(shown(formats[i].view, &c, false), name);
		comparison__release(&c);
		release(&a);
		release(&b);
		unkind(&a, &b);
		c = compared_by(&a, &b, NULL);
		text = shown(formats[i].view, &c, false);
		for (const char *s = text; *s; s++)
			assert_true((unsigned char)*s >= ' ' || *s == '\n');
		snprintf(name, sizeof(name), "compare-unkind.%s", formats[i].ends);
		/* of JSON the writer's own tests tell that */
		if (formats[i].view == view__compare_json)
			free(text);
		else
			compare_golden(text, name);
		comparison__release(&c);
		release(&a);
		release(&b);
	}
}

static void test_json(void **state)
{
	struct side a, b;
	struct comparison c;
	json_error_t error;
	json_t *doc, *row;
	char *text;
	size_t i, rows = 0;

	(void)state;
	kernels(&a, &b, 5);
	c = compared_by(&a, &b, NULL);
	text = shown(view__compare_json, &c, false);
	doc = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!doc)
		fail_msg("%s", error.text);
	assert_string_equal(json_string_value(json_object_get(doc, "schema")),
			    "memcgtop-compare/1");
	json_array_foreach (json_object_get(doc, "rows"), i, row) {
		const char *key = json_string_value(json_object_get(row, "key"));
		const struct compared is = row_of(&c, key);
		const json_t *median = json_object_get(json_object_get(row, "a"), "median");

		assert_true(isnan(is.a.median) ? json_is_null(median) : json_is_real(median));
		rows++;
	}
	assert_int_equal(rows, c.nrows);
	json_decref(doc);
	free(text);
	comparison__release(&c);
	release(&a);
	release(&b);
}

/* Of a whole window, as a robot takes it. */
static void test_lkp(void **state)
{
	struct window w = window_of("demo");
	struct model m;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(view__lkp(f, &m), 0);
	fclose(f);
	compare_golden(text, "demo.lkp");
	model__release(&m);
	window__release(&w);
}

static void check_value(enum measure_kind kind, double v, const char *text)
{
	char buf[NUM_LEN];

	assert_string_equal(compare__value(buf, kind, v), text);
}

static void check_delta(double a, double b, const char *text)
{
	struct compared row = {.difference = DIFFERS, .ratio = a == 0 ? INFINITY : b / a};
	char buf[NUM_LEN];

	assert_string_equal(compare__delta(buf, &row), text);
}

static void test_numbers(void **state)
{
	char buf[NUM_LEN];

	(void)state;
	check_value(MEASURE_COUNT, 0, "0");
	check_value(MEASURE_COUNT, 11.7e6, "11.7M");
	check_value(MEASURE_COUNT, 999.4, "999");
	check_value(MEASURE_COUNT, 999.6, "1.00k");
	check_value(MEASURE_COUNT, 4.03, "4.03");
	check_value(MEASURE_COUNT, 0.0468, "0.0468");
	check_value(MEASURE_COUNT, 0.000123, "0.000123");
	check_value(MEASURE_SHARE, 0.0091, "0.91%");
	check_value(MEASURE_SHARE, 0.347, "34.7%");
	check_value(MEASURE_SHARE, 1, "100%");
	check_value(MEASURE_SHARE, 0.99999, "99.9%");
	check_value(MEASURE_SHARE, 0.00001, "<0.01%");
	check_value(MEASURE_SHARE, 0, "0.0%");
	check_value(MEASURE_NS, 11200, "11.2 us");
	check_value(MEASURE_NS, NAN, "n/a");
	check_delta(11.7, 3.05, "-73.9%");
	check_delta(1, 1.714, "+71.4%");
	check_delta(1, 2.99, "+199.0%");
	check_delta(0.0112, 1, "x89.3");
	check_delta(1, 0, "-100.0%");
	check_delta(1e6, 1, "-99.9%");
	check_delta(0, 1, "new");
	assert_string_equal(compare__p(buf, 0.0079), "0.008");
	assert_string_equal(compare__p(buf, 0.0001), "<.001");
	assert_string_equal(compare__p(buf, NAN), "-");
	assert_string_equal(compare__spread(buf, 0.021), "2.1%");
	assert_string_equal(compare__spread(buf, 0.0), "0.0%");
	assert_string_equal(compare__spread(buf, 0.124), "12%");
	assert_string_equal(compare__spread(buf, NAN), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	cmocka_unit_test(test_formats),
		cmocka_unit_test(test_json),	cmocka_unit_test(test_lkp),
		cmocka_unit_test(test_numbers),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
