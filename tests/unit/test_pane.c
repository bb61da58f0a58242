// SPDX-License-Identifier: GPL-2.0-only
// links: view/pane*.c view/batch.c view/verdict.c view/head.c view/text_*.c view/sides.c view/rows.c view/cell.c view/names.c view/lists.c view/grid.c view/bars.c view/measure.c view/notes.c view/page.c view/number.c view/hooks.c model/*.c sample/sample.c text/*.c ../tests/unit/window.c ../tests/unit/golden.c
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/view.h"
#include "golden.h"
#include "window.h"

static const char *const pane_names[] = {
	[PANE_CGROUP] = "cgroup",   [PANE_CPU] = "cpu",	    [PANE_EVICTIONS] = "evictions",
	[PANE_DRAINS] = "drains",   [PANE_TIMES] = "times", [PANE_PROBES] = "probes",
	[PANE_VERDICT] = "verdict",
};

#define PANES (sizeof(pane_names) / sizeof(pane_names[0]))

static struct window w;
static struct model m;

static void begin(const char *name)
{
	w = window_of(name);
	assert_int_equal(model__init(&m, &w), 0);
}

static void end(void)
{
	model__release(&m);
	window__release(&w);
}

static char *pane_of(const struct pane_of *of, const struct view_opts *o)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(view__pane(f, &m, o, of), 0);
	fclose(f);
	return text;
}

/* Of the first row and the last CPU. */
static char *pane(enum pane pane, const struct view_opts *o)
{
	struct pane_of of = {pane, &m.rows[0], &m.cpus[m.ncpus - 1]};

	return pane_of(&of, o);
}

static char *batch(const struct view_opts *o, bool first)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(view__batch(f, &m, o, first), 0);
	fclose(f);
	return text;
}

static void compare_golden(const char *text, const char *name, int width)
{
	char file[128];

	snprintf(file, sizeof(file), "%s-%d.txt", name, width);
	golden__compare(text, file);
}

static const struct {
	const char *window;
	int width;
} goldens[] = {
	{"demo", 80},  {"idle", 80},	  {"old", 80},	{"per-counter", 80}, {"names", 80},
	{"limit", 80}, {"untrusted", 80}, {"demo", 40}, {"demo", 160},
};

#define GOLDENS (sizeof(goldens) / sizeof(goldens[0]))

static void test_golden(void **state)
{
	(void)state;
	for (size_t i = 0; i < GOLDENS; i++) {
		struct view_opts o = {.width = goldens[i].width, .rows = -1, .ascii = true};
		char name[64], *all = NULL;
		size_t n;
		FILE *f = open_memstream(&all, &n);

		begin(goldens[i].window);
		for (size_t j = 0; j < PANES; j++) {
			char *text = pane(j, &o);

			fprintf(f, "==== %s\n%s\n", pane_names[j], text);
			free(text);
		}
		fclose(f);
		snprintf(name, sizeof(name), "pane-%s", goldens[i].window);
		compare_golden(all, name, o.width);
		free(all);
		end();
	}
}

/* Two blocks, the first with the head. */
static void test_golden_batch(void **state)
{
	(void)state;
	for (size_t i = 0; i < GOLDENS; i++) {
		struct view_opts o = {.width = goldens[i].width, .rows = 3, .ascii = true};
		char name[64], *first, *next, *both;

		if (o.width < VIEW_WIDTH_MIN)
			continue;
		begin(goldens[i].window);
		first = batch(&o, true);
		next = batch(&o, false);
		assert_true(asprintf(&both, "%s%s", first, next) > 0);
		snprintf(name, sizeof(name), "batch-%s", goldens[i].window);
		compare_golden(both, name, o.width);
		free(first);
		free(next);
		free(both);
		end();
	}
}

/* Columns of a line of UTF-8 whose characters are one column wide. */
static int columns(const char *line, size_t n)
{
	int count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)line[i] & 0xc0) != 0x80;
	return count;
}

/* No line is too long or ends in a blank; the first is not empty. */
static void assert_fits(const char *text, int width, const char *what)
{
	assert_true(*text && *text != '\n');
	assert_int_equal(text[strlen(text) - 1], '\n');
	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n");

		if (columns(line, n) > width)
			fail_msg("%s, %d columns: %.*s", what, width, (int)n, line);
		if (n && line[n - 1] == ' ')
			fail_msg("%s, %d columns, ends in a blank: %.*s", what, width, (int)n,
				 line);
		line += n + 1;
	}
}

static void assert_ascii(const char *text)
{
	for (; *text; text++)
		assert_true(*text == '\n' || (*text >= ' ' && *text < 0x7f));
}

static void test_width(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		begin(*name);
		for (size_t i = 0; i < PANES; i++)
			for (int width = 30; width <= 160; width += width < 60 ? 1 : 10)
				for (int ascii = 0; ascii <= 1; ascii++) {
					struct view_opts o = {
						.width = width, .rows = -1, .ascii = ascii};
					char *text = pane(i, &o), what[64];

					snprintf(what, sizeof(what), "%s of %s", pane_names[i],
						 *name);
					assert_fits(text, width, what);
					if (ascii)
						assert_ascii(text);
					free(text);
				}
		end();
	}
}

/* Each cgroup and CPU of each window, those of unkind names and `other` too. */
static void test_every_row(void **state)
{
	struct view_opts o = {.width = 60, .rows = -1, .ascii = true};

	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		begin(*name);
		for (size_t i = 0; i < m.nrows; i++) {
			struct pane_of of = {PANE_CGROUP, .row = &m.rows[i]};
			char *text = pane_of(&of, &o);

			assert_fits(text, 60, *name);
			assert_ascii(text);
			free(text);
		}
		for (size_t i = 0; i < m.ncpus; i++) {
			struct pane_of of = {PANE_CPU, .cpu = &m.cpus[i]};
			char *text = pane_of(&of, &o);

			assert_fits(text, 60, *name);
			free(text);
		}
		end();
	}
}

/* A key at the start of a line or as a word among the reasons. */
static bool says(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = text; (at = strstr(at, key)); at += n)
		if ((at == text || strchr(" \n", at[-1])) && strchr(" \n,:.", at[n]))
			return true;
	return false;
}

/* Every field of the scope is there: with its value, or with the reason why there is none. */
static void test_every_field(void **state)
{
	static const enum pane panes[] = {PANE_CGROUP, PANE_CPU};
	static const uint32_t scopes[] = {IN_CGROUP, IN_CPU};

	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		begin(*name);
		/* a row without a charge has no times */
		for (size_t k = 0; k < 2 && m.quality.grade != GRADE_IDLE; k++) {
			struct view_opts o = {.width = 100, .rows = -1, .ascii = true};
			char *text = pane(panes[k], &o);

			for (size_t i = 0; i < nfields; i++)
				if (fields[i].in & scopes[k] && !says(text, fields[i].key) &&
				    !(fields[i].spans &&
				      field__unmeasured(&fields[i], NULL, &m).reason == 0 &&
				      m.times.taken &&
				      isnan(field__value(&fields[i], &m.rows[0].scope))))
					fail_msg("%s of %s lacks %s", pane_names[panes[k]], *name,
						 fields[i].key);
			free(text);
		}
		end();
	}
}

/* What stands in bold begins and ends on one line, and is nothing but bold. */
static void test_bold(void **state)
{
	(void)state;
	begin("demo");
	for (size_t i = 0; i <= PANES; i++) {
		struct view_opts o = {.width = 40, .rows = -1, .ascii = true, .color = true};
		char *text = i < PANES ? pane(i, &o) : batch(&o, true), *plain, *out = text;
		bool bold = false;
		int n = 0;

		o.color = false;
		plain = i < PANES ? pane(i, &o) : batch(&o, true);
		for (const char *in = text; *in; in++) {
			if (*in == '\033') {
				const char *wanted = bold ? "\033[0m" : "\033[1m";

				assert_int_equal(strncmp(in, wanted, 4), 0);
				bold = !bold;
				in += 3;
				n++;
				continue;
			}
			assert_false(bold && *in == '\n');
			*out++ = *in;
		}
		*out = '\0';
		assert_false(bold);
		assert_true(n >= 2);
		assert_string_equal(text, plain);
		free(text);
		free(plain);
	}
	end();
}

static void add_pair(uint64_t by, uint64_t of, uint64_t evictions)
{
	m.pairs[m.npairs++] = (struct pair){{by, of}, {evictions, evictions}};
}

/* The numbers of a line behind its first word, or two with a name; how many. */
static size_t numbers(const char *line, uint64_t *to, size_t max)
{
	size_t n = 0, end = strcspn(line, "\n");
	char copy[512], *save = NULL;

	assert_true(end < sizeof(copy));
	memcpy(copy, line, end);
	copy[end] = '\0';
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *rest;
		uint64_t v = strtoull(word, &rest, 10);

		if (!*rest && n < max)
			to[n++] = v;
	}
	return n;
}

/* The columns that are asked for, in that order, and no other; the last goes first. */
static void test_batch_columns(void **state)
{
	struct view_opts o = {.width = 100,
			      .rows = 3,
			      .ascii = true,
			      .columns = "why,walks,charge_pages,miss_ratio",
			      .sort = field__find("hits")};
	char *text;

	(void)state;
	begin("demo");
	text = batch(&o, false);
	assert_non_null(strstr(text, "\nCGROUP            WHY     WALK/s  CHGPAGE/s  MISS%\n"));
	assert_non_null(strstr(text, "\ntotal             absent   2.46k      7.07k  34.7%\n"));
	free(text);
	o.width = 50;
	o.columns = "charges,misses,miss_ratio,walks,evictions,evicted,hits,refills";
	text = batch(&o, false);
	assert_non_null(strstr(text, " CHARGE/s  MISS/s  MISS% "));
	assert_null(strstr(text, "REFILL/s"));
	free(text);
	end();
}

/* Lines and columns of the matrix add up, to that total, however many letters there are. */
static void assert_adds_up(const char *text, uint64_t total, size_t at_least)
{
	uint64_t sums[32] = {0}, line[32], last[32];
	const char *at = strstr(text, "by/of");
	size_t n = 0;

	assert_non_null(at);
	for (at = strchr(at, '\n') + 1; strncmp(at, "total", 5); at = strchr(at, '\n') + 1) {
		size_t k = numbers(at, line, 32);
		uint64_t sum = 0;

		assert_true(k >= at_least && (!n || k == n));
		n = k;
		for (size_t i = 0; i < n; i++)
			sums[i] += line[i];
		for (size_t i = 0; i + 1 < n; i++)
			sum += line[i];
		assert_int_equal(sum, line[n - 1]);
	}
	assert_int_equal(numbers(at, last, 32), n);
	assert_memory_equal(last, sums, n * sizeof(sums[0]));
	assert_int_equal(last[n - 1], total);
}

/* Of thirty cgroups, with and without such as found no row. */
static void test_matrix_adds_up(void **state)
{
	(void)state;
	for (int width = 30; width <= 160; width += 13)
		for (int other = 0; other <= 1; other++) {
			struct view_opts o = {.width = width, .rows = 0, .ascii = true};
			char *text;

			begin("many");
			free(m.pairs);
			m.npairs = 0;
			m.pairs = calloc(32, sizeof(*m.pairs));
			for (uint64_t i = 1; i < 31; i++)
				add_pair(i, i % 30 + 1, i);
			if (other)
				add_pair(0, 3, 7);
			text = pane(PANE_EVICTIONS, &o);
			assert_adds_up(text, 30 * 31 / 2 + (other ? 7 : 0), width < 100 ? 3 : 11);
			free(text);
			end();
		}
}

static void assert_says(enum pane which, const char *text)
{
	struct view_opts o = {.width = 100, .rows = -1, .ascii = true};
	char *got = pane(which, &o);

	if (!strstr(got, text))
		fail_msg("no \"%s\" in:\n%s", text, got);
	free(got);
}

/* Nothing is a reason, not an empty page. */
static void test_nothing(void **state)
{
	(void)state;
	begin("idle");
	assert_says(PANE_DRAINS, "none: nobody had the stocks");
	assert_says(PANE_EVICTIONS, "none: no cgroup took a slot");
	assert_says(PANE_TIMES, "none: nothing that is timed happened");
	assert_says(PANE_VERDICT, "none: 0 charges are too few");
	end();
	begin("many");
	assert_says(PANE_TIMES, "not measured: no time was taken: --no-time");
	end();
	begin("per-counter");
	assert_says(PANE_EVICTIONS, "evictions not applicable: this kernel keeps its stock");
	assert_says(PANE_DRAINS, "drains   not applicable: this kernel keeps its stock");
	end();
	begin("untrusted");
	assert_says(PANE_VERDICT, "not to be trusted");
	end();
	/* evictions were counted, but their pairs were not */
	begin("names");
	assert_says(PANE_EVICTIONS, "evictions 14,636: who took whose slot was not recorded");
	assert_says(PANE_CGROUP, "evictions of whom and by whom was not recorded");
	assert_says(PANE_CGROUP, "slots    not known: the stock of no CPU could be looked at");
	end();
}

/* What nobody saw is not none. */
static void test_unknown(void **state)
{
	(void)state;
	w = window_of("demo");
	/* no slot of the last CPU is known */
	w.end->cpus[1].stock_seen = false;
	for (size_t i = 0; i < w.end->nprobes; i++)
		if (w.end->probes[i].prog == PROG_DRAIN_ALL) {
			w.end->probes[i].state = PROBE_MISSING;
			w.end->probes[i].reason = REASON_INLINED;
		}
	/* what happened was not among what is timed */
	w.end->asked.sample_every = 8;
	memset(w.end->spans, 0, SPAN_NR * sizeof(w.end->spans[0]));
	for (size_t i = 0; i < w.end->nrows; i++)
		memset(w.end->rows[i].times, 0, sizeof(*w.end->rows[i].times));
	assert_int_equal(model__init(&m, &w), 0);
	assert_says(PANE_CGROUP, "slots    none where a look was had; not known on 1 CPU\n");
	assert_says(PANE_CPU, "slots    not known: nobody could look at the stock of this CPU.\n");
	assert_says(PANE_DRAINS, "drains   not measured: ");
	assert_says(PANE_TIMES,
		    "none: of 146,616 charges and uncharges in this time none was among");
	assert_says(PANE_CGROUP, " charges and uncharges here none was among the 1 in 8 that");
	end();
	/* on an offline one there is none */
	w = window_of("demo");
	w.end->cpus[0].stock_seen = w.end->cpus[0].online = false;
	assert_int_equal(model__init(&m, &w), 0);
	assert_says(PANE_CGROUP, "slots    CPU 1: ");
	end();
}

static void test_cgroup(void **state)
{
	struct pane_of of = {PANE_CGROUP};
	struct view_opts o = {.width = 100, .rows = -1, .ascii = true};
	char *text;

	(void)state;
	begin("limit");
	for (size_t i = 0; i < m.nrows; i++)
		if (m.rows[i].row->pressure_sets)
			of.row = &m.rows[i];
	text = pane_of(&of, &o);
	assert_non_null(strstr(text, "set 17 times, 3.17 s long, last by reclaim in /shop/c0"));
	assert_non_null(strstr(text, "\nslots    CPU 3: 64 pages\n"));
	free(text);
	of.row = NULL;
	for (size_t i = 0; i < m.nrows; i++)
		if (m.rows[i].row->hit_limit_pages)
			of.row = &m.rows[i];
	text = pane_of(&of, &o);
	assert_non_null(strstr(text, "times, last at 8 MiB of 8 MiB\n"));
	assert_non_null(strstr(text, "DRAINS for"));
	assert_non_null(strstr(text, "charge at the limit"));
	free(text);
	end();
}

/* A path that is longer than a line is there to its last byte. */
static void test_long_path(void **state)
{
	struct view_opts o = {.width = 30, .rows = -1, .ascii = true};
	char path[400], *text, *out;
	struct row *r;

	(void)state;
	w = window_of("demo");
	r = &w.end->rows[1];
	memset(path, 'p', sizeof(path));
	path[0] = '/';
	memcpy(path + sizeof(path) - 5, "/end", 5);
	free(r->path);
	r->path = strdup(path);
	r->path_len = strlen(path);
	assert_int_equal(model__init(&m, &w), 0);
	for (size_t i = 0; i < m.nrows; i++)
		if (m.rows[i].row == r) {
			struct pane_of of = {PANE_CGROUP, .row = &m.rows[i]};

			text = pane_of(&of, &o);
			assert_fits(text, 30, "long");
			out = text;
			for (const char *in = text; *in; in++)
				if (*in != '\n' && *in != ' ')
					*out++ = *in;
			*out = '\0';
			assert_non_null(strstr(text, path));
			free(text);
		}
	end();
}

static void test_batch(void **state)
{
	struct view_opts o = {.width = 100, .rows = 3, .ascii = true, .sort = field__find("hits")};
	char *first, *next;

	(void)state;
	begin("demo");
	model__sort(&m, o.sort);
	first = batch(&o, true);
	next = batch(&o, false);
	assert_int_equal(strncmp(first, "memcgtop 0.1.0 report:", 22), 0);
	assert_string_equal(strstr(first, "2026-"), next);
	assert_int_equal(
		strncmp(next, "2026-11-30T19:38:17.532Z, 10.42 s: missed 0.04 %, good\n", 55), 0);
	assert_non_null(strstr(next, "\n! slot thrash"));
	assert_non_null(strstr(next, "73,664 charges (7.07k/s)"));
	assert_non_null(strstr(next, "  HIT/s"));
	assert_non_null(strstr(next, "\n(6 more: --rows) "));
	assert_non_null(strstr(next, "\ntotal            "));
	assert_null(strstr(next, "\nCPU 1"));
	assert_string_equal(strstr(next, "\n\n"), "\n\n");
	free(first);
	free(next);
	o.cpus = true;
	next = batch(&o, false);
	assert_non_null(strstr(next, "\nCPU 1 "));
	free(next);
	end();
	begin("idle");
	next = batch(&o, false);
	assert_null(strstr(next, "\n!"));
	assert_non_null(strstr(next, "no hook ran, idle\n"));
	free(next);
	end();
}

/* A recording that was cut short: what it lacks is said wherever its quality is. */
static void test_lost(void **state)
{
	struct view_opts o = {.width = 100, .rows = 3, .ascii = true};
	char *text;

	(void)state;
	begin("demo");
	w.lost = strdup("the last 37 bytes of run.mct are no whole frame");
	assert_says(PANE_PROBES, "\nlost     the last 37 bytes of run.mct are no whole frame\n");
	for (int first = 0; first <= 1; first++) {
		text = batch(&o, first);
		assert_non_null(strstr(text, "\nlost     the last 37 bytes"));
		free(text);
	}
	end();
}

static void test_write_error(void **state)
{
	struct view_opts o = {.width = 80, .rows = -1};
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	begin("demo");
	assert_int_equal(view__batch(full, &m, &o, true), -ENOSPC);
	fclose(full);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),	       cmocka_unit_test(test_golden_batch),
		cmocka_unit_test(test_width),	       cmocka_unit_test(test_every_row),
		cmocka_unit_test(test_every_field),    cmocka_unit_test(test_bold),
		cmocka_unit_test(test_matrix_adds_up), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_unknown),	       cmocka_unit_test(test_cgroup),
		cmocka_unit_test(test_long_path),      cmocka_unit_test(test_batch_columns),
		cmocka_unit_test(test_batch),	       cmocka_unit_test(test_lost),
		cmocka_unit_test(test_write_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
