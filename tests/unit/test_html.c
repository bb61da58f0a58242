// SPDX-License-Identifier: GPL-2.0-only
// links: view/html.c view/html_measures.c view/html_rows.c view/html_strip.c view/html_style.c view/html_times.c view/html_value.c view/html_write.c view/text_verdicts.c view/names.c view/measure.c view/verdict.c view/head.c view/notes.c view/page.c view/number.c view/hooks.c view/doctor.c view/diagnosis.c view/json_host.c view/writer.c model/*.c sample/sample.c text/utf8.c ../tests/unit/window.c
/*
 * With PAGES=DIR in the environment the pages are left there, for a browser:
 * tests/cli/html.bats.
 */
#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/utf8.h"
#include "view/view.h"
#include "window.h"

static void keep(const char *name, const char *page)
{
	const char *dir = getenv("PAGES");
	char path[512];
	FILE *f;

	if (!dir)
		return;
	snprintf(path, sizeof(path), "%s/%s.html", dir, name);
	f = fopen(path, "w");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	fputs(page, f);
	assert_int_equal(fclose(f), 0);
}

/* The page of a window, which is released. */
static char *page_of(struct window *w, const char *name)
{
	struct view_opts o = {.cpus = true};
	char *page = NULL;
	struct model m;
	size_t n;
	FILE *f = open_memstream(&page, &n);

	assert_non_null(f);
	assert_int_equal(model__init(&m, w), 0);
	assert_int_equal(view__html(f, &m, &o), 0);
	fclose(f);
	assert_int_equal(strlen(page), n);
	model__release(&m);
	window__release(w);
	keep(name, page);
	return page;
}

static char *page(const char *name)
{
	struct window w = window_of(name);

	return page_of(&w, name);
}

static size_t times_in(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static void check_bytes(const char *page)
{
	bool replaced;
	char *clean = utf8_clean(page, strlen(page), NULL, &replaced);

	assert_false(replaced);
	free(clean);
	for (const unsigned char *s = (const unsigned char *)page; *s; s++)
		assert_true(*s == '\n' || (*s >= 0x20 && *s != 0x7f));
	assert_int_equal(strncmp(page, "<!DOCTYPE html>\n<html lang=\"en\">", 32), 0);
	assert_string_equal(page + strlen(page) - 16, "</body>\n</html>\n");
	assert_int_equal(times_in(page, "<style>"), 1);
	assert_int_equal(times_in(page, "</style>"), 1);
	assert_null(strstr(page, "<script"));
	assert_null(strstr(page, "<img"));
	assert_null(strstr(page, "nan"));
	assert_null(strstr(page, "inf "));
}

static void test_pages(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		char *text = page(*name);

		check_bytes(text);
		free(text);
	}
}

static void test_parts(void **state)
{
	char *text = page("demo");

	(void)state;
	assert_non_null(strstr(text, "<h1>memcgtop 0.1.0 report: 10.42 s while `"));
	assert_non_null(strstr(text, "<p class=\"head\">slot thrash on CPU 1: "));
	assert_non_null(strstr(text, "<a href=\"https://lore.kernel.org/"));
	assert_non_null(strstr(text, "<dt>host</dt>\n<dd>7.3.4+deb13-cloud-amd64, "));
	assert_non_null(strstr(text, "<dt>quality</dt>\n<dd>good: "));
	assert_non_null(strstr(text, "<td>73,664</td><td>7,069</td>"));
	assert_non_null(strstr(text, "<bdi>/demo/c8</bdi>"));
	assert_non_null(strstr(text, "<h2 id=\"time\">"));
	assert_non_null(strstr(text, "<h2 id=\"histograms\">"));
	assert_non_null(strstr(text, "Who evicts whom"));
	free(text);
	text = page("many");
	assert_null(strstr(text, "<h2 id=\"functions\">"));
	assert_null(strstr(text, "<h2 id=\"histograms\">"));
	assert_non_null(strstr(text, "<bdi>/kubepods.slice/"));
	free(text);
}

/* Each measure of the total is in a table, a histogram, or among what is not measured. */
static void test_keys(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		char *text = page(*name), key[80];

		for (size_t i = 0; i < nfields; i++) {
			bool found;

			snprintf(key, sizeof(key), ">%s<", fields[i].key);
			found = strstr(text, key);
			snprintf(key, sizeof(key), ">%s.", fields[i].key);
			if (!found && !strstr(text, key) && fields[i].in & IN_TOTAL)
				fail_msg("%s: no %s", *name, fields[i].key);
		}
		free(text);
	}
}

/* A dash of what the whole run lacks leads to the sentence that says why. */
static void test_reasons(void **state)
{
	char *text = page("old"), id[32];
	const char *at = text;
	size_t n = 0;

	(void)state;
	for (; (at = strstr(at, "href=\"#why-")); at += 11, n++) {
		snprintf(id, sizeof(id), "id=\"why-%ld\"", strtol(at + 11, NULL, 10));
		assert_non_null(strstr(text, id));
	}
	assert_true(n > 3);
	assert_non_null(strstr(text, "<li>walks_under_lock</li>"));
	free(text);
	text = page("per-counter");
	assert_non_null(strstr(text, "\">Not applicable: "));
	free(text);
}

static uint64_t grouped(const char *s)
{
	uint64_t n = 0;

	for (; *s == ',' || (*s >= '0' && *s <= '9'); s++)
		if (*s != ',')
			n = n * 10 + (uint64_t)(*s - '0');
	return n;
}

/* The sum of a column of the table of that name; cells count from 1, without the heading. */
static uint64_t sum_of(const char *text, const char *name, int column)
{
	char caption[64];
	const char *at, *end;
	uint64_t sum = 0;

	snprintf(caption, sizeof(caption), "<caption>%s</caption>", name);
	at = strstr(text, caption);
	assert_non_null(at);
	end = strstr(at, "</table>");
	while ((at = strstr(at, "<th scope=\"row\"")) && at < end) {
		for (int i = 0; i < column; i++)
			at = strstr(at + 1, "<td>");
		sum += grouped(at + strlen("<td>"));
	}
	return sum;
}

/* What the drawings are drawn from: the whole histogram is in it. */
static void test_histograms(void **state)
{
	char *text = page("demo");

	(void)state;
	assert_int_equal(sum_of(text, "walk_ns", 1), 25581);
	assert_non_null(strstr(text, "<p class=\"quiet\">25,581 events, mean "));
	assert_int_equal(sum_of(text, "lock_hold_ns", 1), 72905);
	assert_int_equal(sum_of(text, "lock_hold_ns", 2), 25509);
	assert_non_null(strstr(text, "no walk inside: 72,905 events, "));
	assert_null(strstr(text, "lock_hold_ns, exact"));
	free(text);
	text = page("exact");
	assert_non_null(strstr(text, ">One in 64 events was timed"));
	assert_non_null(strstr(text, " timed events, mean "));
	assert_true(sum_of(text, "lock_hold_ns, exact", 1) > 0);
	assert_non_null(strstr(text, "Holds are told as a lower bound."));
	free(text);
	text = page("idle");
	assert_non_null(strstr(text, "Without events:"));
	free(text);
}

/* Who drained, for whom, from where; whose limit; who is told to use less, and by whom. */
static void test_limit(void **state)
{
	char *text = page("limit");

	(void)state;
	assert_non_null(strstr(text,
			       "<td class=\"left\">charge at the limit</td><td class=\"words\">"
			       "<code>drain_all_stock.part.0 &lt;- try_charge_memcg"));
	assert_non_null(strstr(text, "<p>87 calls returned at once"));
	assert_int_equal(sum_of(text, "Cgroups at a limit or under pressure", 1), 2604);
	assert_non_null(strstr(text, "(being flushed)"));
	assert_non_null(strstr(text, "<bdi>/shop/c3</bdi>: 64"));
	free(text);
}

static void set_path(struct window *w, size_t row, const char *path)
{
	struct row *r = &w->end->rows[row];

	free(r->path);
	r->path = strdup(path);
	r->path_len = strlen(path);
}

/* What a recording lacks stands among what was measured; its bytes end no element. */
static void test_lost(void **state)
{
	struct window w = window_of("demo");
	char *text;

	(void)state;
	w.lost = strdup("<b>.mct ends within a frame");
	text = page_of(&w, "lost");
	assert_non_null(strstr(text, "<dt>lost</dt>\n<dd>&lt;b&gt;.mct ends within a frame</dd>"));
	free(text);
}

/* Names of any bytes: they may not end an element, an attribute or the style. */
static void test_hostile(void **state)
{
	static const char *const names[] = {
		"/</style><script>alert(1)</script>",
		"/\"><img src=x onerror=alert(1)>",
		"/'onmouseover='alert(1)",
		"/--><!--]]>&lt;&#60;&amp",
		"/\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf",
		"/\xe2\x80\xae"
		"evil\x7f\x01\xc2\x85",
		"/</title></table></main>",
	};
	struct window w = window_of("demo");
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		set_path(&w, 1 + i, names[i]);
	strcpy(w.end->host.kernel, "<script>7.3</script>");
	strcpy(w.end->probes[0].function, "\"><script>alert(2)//");
	free(w.command.argv[0]);
	w.command.argv[0] = strdup("</title><script>alert(3)</script>\xff");
	text = page_of(&w, "hostile");
	check_bytes(text);
	assert_int_equal(times_in(text, "<title>mem"), 1);
	assert_int_equal(times_in(text, "</main>"), 1);
	assert_non_null(strstr(text, "&lt;/style&gt;&lt;script&gt;alert(1)"));
	assert_non_null(strstr(text, "/&#39;onmouseover=&#39;alert(1)"));
	assert_non_null(strstr(text, "&amp;lt;&amp;#60;&amp;amp"));
	assert_non_null(strstr(text, "\\xed\\xa0\\x80"));
	assert_null(strstr(text, "\xe2\x80\xae"));
	free(text);
}

static void test_strip(void **state)
{
	struct window w = window_of("demo");
	const size_t n = w.nintervals;
	char *text = page_of(&w, "strip"), *strip, *end;

	(void)state;
	assert_true(n > 10);
	strip = strstr(text, "<svg class=\"strip\"");
	assert_non_null(strip);
	end = strstr(strip, "</svg>");
	*end = '\0';
	/* the bars, and a lane of the one CPU that charged */
	assert_int_equal(times_in(strip, "<title>all CPUs, "), n);
	assert_int_equal(times_in(strip, "<title>CPU 1, "), n);
	assert_null(strstr(strip, "CPU 0"));
	free(text);
}

/* As many as a day at a second each, on many CPUs: it stays a drawing. */
static void test_long_strip(void **state)
{
	struct window w = window_of("many");
	const size_t ncpus = w.end->ncpus, n = 601;
	uint64_t sum = 0;
	char *text, *strip, *end;

	(void)state;
	w.intervals = calloc(n, sizeof(*w.intervals));
	assert_non_null(w.intervals);
	w.nintervals = n;
	for (size_t i = 0; i < n; i++) {
		struct interval *to = &w.intervals[i];

		to->end_ns = w.start->time_ns + (w.end->time_ns - w.start->time_ns) / n * (i + 1);
		to->charges = calloc(ncpus, sizeof(uint64_t));
		to->misses = calloc(ncpus, sizeof(uint64_t));
		assert_non_null(to->charges);
		assert_non_null(to->misses);
		for (size_t cpu = 0; cpu < ncpus; cpu++) {
			to->charges[cpu] = i * 3 + cpu;
			to->misses[cpu] = (i * 7 + cpu) % (i * 3 + cpu + 1);
			sum += to->charges[cpu];
		}
	}
	assert_true(sum > 0);
	text = page_of(&w, "long");
	check_bytes(text);
	strip = strstr(text, "<svg class=\"strip\"");
	assert_non_null(strip);
	end = strstr(strip, "</svg>");
	*end = '\0';
	assert_true(times_in(strip, "<title>all CPUs, ") <= 120);
	assert_true(times_in(strip, "<title>all CPUs, ") > 60);
	assert_int_equal(times_in(strip, ">CPU "), times_in(strip, "<title>CPU ") + ncpus);
	free(text);
}

static void test_locale(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", NULL};
	char *plain = page("demo"), *other;
	bool found = false;

	(void)state;
	for (const char *const *name = names; *name && !found; name++)
		found = setlocale(LC_ALL, *name);
	other = page("demo");
	setlocale(LC_ALL, "C");
	assert_string_equal(plain, other);
	free(other);
	free(plain);
	if (!found)
		skip();
}

static void test_write_error(void **state)
{
	struct view_opts o = {0};
	struct window w = window_of("demo");
	FILE *f = fopen("/dev/full", "w");
	struct model m;

	(void)state;
	assert_non_null(f);
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(view__html(f, &m, &o), -ENOSPC);
	fclose(f);
	model__release(&m);
	window__release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages),	   cmocka_unit_test(test_parts),
		cmocka_unit_test(test_keys),	   cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_histograms), cmocka_unit_test(test_limit),
		cmocka_unit_test(test_lost),	   cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_strip),	   cmocka_unit_test(test_long_strip),
		cmocka_unit_test(test_locale),	   cmocka_unit_test(test_write_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
