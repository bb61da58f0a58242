// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/sample.c
#include "sample_fixture.h"

#include <math.h>

#include "model/lines.h"

/* A cgroup of a test: it is 100 + its index + 1, and charges so often. */
struct given {
	const char *path; /* NULL: unknown */
	uint64_t charges;
	bool deleted;
};

static struct window window_of(const struct given *g, size_t n)
{
	struct window w = {.start = fixture_sample(n + 1, 1), .end = fixture_sample(n + 1, 1)};

	w.start->time_ns = 5000000000;
	w.end->time_ns = 6000000000;
	for (size_t i = 1; i <= n; i++) {
		struct row *r = &w.end->rows[i];

		free(r->path);
		r->path = g[i - 1].path ? strdup(g[i - 1].path) : NULL;
		r->path_len = r->path ? strlen(r->path) : 0;
		r->state = g[i - 1].deleted ? ROW_DELETED : ROW_LIVE;
		fixture_count(w.end, i, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), g[i - 1].charges);
	}
	return w;
}

/* "  path:charges" of each line, one a line: what is folded with a +, kinds by a letter. */
static char *text_of(const struct lines *l)
{
	const struct field *charges = field__find("charges");
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (size_t i = 0; i < l->n; i++) {
		const struct line *line = &l->list[i];
		double v = field__value(charges, &line->scope);

		fprintf(f, "%*s%c%s%.*s", 2 * (int)line->depth, "", "CPDO"[line->kind],
			line -> folded ? "+" : "", (int)line->path_len,
			line->path ? line->path : "");
		if (line->cgroups != 1)
			fprintf(f, "(%zu)", line->cgroups);
		if (isnan(v))
			fputs(" -\n", f);
		else
			fprintf(f, " %.0f\n", v);
	}
	fclose(f);
	return text;
}

static void check(const struct given *g, size_t n, struct lines_options o, size_t matched,
		  const char *want)
{
	struct window w = window_of(g, n);
	struct model m;
	struct lines l;
	char *got;

	if (!o.sort)
		o.sort = field__find("charges");
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(lines__init(&l, &m, &o), 0);
	got = text_of(&l);
	assert_string_equal(got, want);
	assert_int_equal(l.matched, matched);
	for (size_t i = 0; i < l.n; i++)
		assert_int_equal(lines__find(&l, l.list[i].key), i);
	assert_int_equal(lines__find(&l, 1), -1);
	free(got);
	lines__release(&l);
	model__release(&m);
	window__release(&w);
}

#define N(list) (sizeof(list) / sizeof((list)[0]))

static void test_flat(void **state)
{
	static const struct given g[] = {
		{"/b", 5, false}, {"/a", 5, false}, {"/idle", 0, false},
		{"/", 1, false},  {NULL, 7, false}, {"/a-b", 5, false},
	};

	(void)state;
	check(g, N(g), (struct lines_options){}, 6,
	      "C 7\nC/a 5\nC/a-b 5\nC/b 5\nC/ 1\nC/idle 0\nO(0) 0\n");
	check(g, N(g), (struct lines_options){.ascending = true}, 6,
	      "C/idle 0\nC/ 1\nC/a 5\nC/a-b 5\nC/b 5\nC 7\nO(0) 0\n");
}

/* Without events there is no ratio: such lines come last, whichever way it goes. */
static void test_no_value(void **state)
{
	static const struct given g[] = {{"/x", 0, false}, {"/y", 5, false}, {"/w", 0, false}};
	struct lines_options o = {.sort = field__find("miss_ratio")};

	(void)state;
	check(g, N(g), o, 3, "C/y 5\nC/w 0\nC/x 0\nO(0) 0\n");
	o.ascending = true;
	check(g, N(g), o, 3, "C/y 5\nC/w 0\nC/x 0\nO(0) 0\n");
}

static void test_by_path(void **state)
{
	static const struct given g[] = {
		{"/a/z", 1, false}, {"/a-b", 9, false}, {"/a", 0, false}, {NULL, 4, false}};
	struct window w = window_of(g, N(g));
	struct lines_options o = {};
	struct model m;
	struct lines l;
	char *got;

	(void)state;
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(lines__init(&l, &m, &o), 0);
	got = text_of(&l);
	assert_string_equal(got, "C/a 0\nC/a/z 1\nC/a-b 9\nC 4\nO(0) 0\n");
	free(got);
	lines__release(&l);
	o.ascending = true;
	assert_int_equal(lines__init(&l, &m, &o), 0);
	got = text_of(&l);
	assert_string_equal(got, "C 4\nC/a-b 9\nC/a/z 1\nC/a 0\nO(0) 0\n");
	free(got);
	lines__release(&l);
	model__release(&m);
	window__release(&w);
}

static void test_dying(void **state)
{
	static const struct given g[] = {
		{"/k/a", 5, true},  {"/k/b", 2, true}, {"/k/c", 4, false}, {"/s/one", 1, true},
		{"/x", 3, true},    {"/y", 20, true},  {NULL, 2, true},	   {"/k", 8, false},
		{"/kk/a", 1, true}, {"/k/a", 2, true},
	};

	(void)state;
	check(g, N(g), (struct lines_options){}, 10,
	      "D/(2) 23\nD/k(3) 9\nC/k 8\nC/k/c 4\nC 2\nC/kk/a 1\nC/s/one 1\nO(0) 0\n");
	check(g, N(g), (struct lines_options){.keep_dying = true}, 10,
	      "C/y 20\nC/k 8\nC/k/a 5\nC/k/c 4\nC/x 3\nC/k/a 2\nC/k/b 2\nC 2\nC/kk/a 1\n"
	      "C/s/one 1\nO(0) 0\n");
	check(g, N(g), (struct lines_options){.filter = "/k/[ab]"}, 3, "D/k(3) 9\nO(0) 0\n");
}

static void test_filter(void **state)
{
	static const struct given g[] = {
		{"/a/web", 5, false}, {"/a", 2, false}, {"/b/c/web\xff", 1, false},
		{"/b/db", 9, false},  {NULL, 7, false},
	};

	(void)state;
	check(g, N(g), (struct lines_options){.filter = "web"}, 2,
	      "C/a/web 5\nC/b/c/web\xff 1\nO(0) 0\n");
	check(g, N(g), (struct lines_options){.filter = "*web"}, 1, "C/a/web 5\nO(0) 0\n");
	check(g, N(g), (struct lines_options){.filter = "/b*"}, 2,
	      "C/b/db 9\nC/b/c/web\xff 1\nO(0) 0\n");
	check(g, N(g), (struct lines_options){.filter = "[x"}, 0, "O(0) 0\n");
	check(g, N(g), (struct lines_options){.filter = ""}, 5,
	      "C/b/db 9\nC 7\nC/a/web 5\nC/a 2\nC/b/c/web\xff 1\nO(0) 0\n");
	/* what is above a match stays, with its own row if it has one */
	check(g, N(g), (struct lines_options){.filter = "web", .tree = true}, 2,
	      "C/a 2\n  C/a/web 5\nP/b(0) -\n  P/b/c(0) -\n    C/b/c/web\xff 1\nO(0) 0\n");
}

static const struct given forest[] = {
	{"/k/p1/c1", 10, false}, {"/k/p1/c2", 30, false}, {"/k/p2/c3", 25, false},
	{"/k/p2", 7, false},	 {"/s", 50, false},	  {"/s/x", 3, false},
	{"/", 1, false},	 {NULL, 2, false},	  {"/s-x", 4, false},
};

static bool fold_named(uint64_t key, void *arg)
{
	const struct lines *l = arg;

	return l->n && lines__find(l, key) >= 0;
}

static void test_tree(void **state)
{
	(void)state;
	check(forest, N(forest), (struct lines_options){.tree = true}, 9,
	      "P/k(0) -\n"
	      "  P/k/p1(0) -\n    C/k/p1/c2 30\n    C/k/p1/c1 10\n"
	      "  C/k/p2 7\n    C/k/p2/c3 25\n"
	      "C/s 50\n  C/s/x 3\n"
	      "C/s-x 4\nC 2\nC/ 1\nO(0) 0\n");
}

/* What a line says when it is folded is what its level was sorted by when it was not. */
static void test_folded(void **state)
{
	static const struct given to_fold[] = {{"/k/p1/c", 0, false}};
	struct window other = window_of(to_fold, 1);
	struct lines_options o = {.tree = true, .sort = field__find("charges")};
	struct lines folded;
	struct model m;

	(void)state;
	/* the keys of the parts /k and /k/p1 are the same in any model */
	assert_int_equal(model__init(&m, &other), 0);
	assert_int_equal(lines__init(&folded, &m, &o), 0);
	assert_int_equal(folded.list[0].kind, LINE_PATH);
	folded.list[0].key ^= 1; /* not /k */
	o.folded = fold_named;
	o.arg = &folded;
	check(forest, N(forest), o, 9,
	      "P/k(0) -\n"
	      "  P+/k/p1(2) 40\n"
	      "  C/k/p2 7\n    C/k/p2/c3 25\n"
	      "C/s 50\n  C/s/x 3\n"
	      "C/s-x 4\nC 2\nC/ 1\nO(0) 0\n");
	folded.list[0].key ^= 1;
	folded.list[2].key = 105; /* /s, beside /k and in it /k/p1 */
	check(forest, N(forest), o, 9, "P+/k(4) 72\nC+/s(2) 53\nC/s-x 4\nC 2\nC/ 1\nO(0) 0\n");
	lines__release(&folded);
	model__release(&m);
	window__release(&other);
}

/* Ties go by the path, whatever bytes it has: the end, `/`, then all others by their value. */
static void test_ties(void **state)
{
	static const struct given g[] = {
		{"/x/a\x02"
		 "a",
		 1, false},
		{"/x/a\x01"
		 "b",
		 1, false},
		{"/x/a", 1, false},
		{"/x/a/", 1, false},
		{"/x/a/\x01", 1, false},
		{"/x/a\xff", 1, false},
		{"/x/a0123456789b", 1, false},
		{"/x/a0123456789a", 1, false},
		{"/x", 1, false},
		{"/x/a\x02", 1, false},
		{"/x/a-", 1, false},
		{NULL, 1, false},
	};

	(void)state;
	check(g, N(g), (struct lines_options){}, N(g),
	      "C/x 1\nC/x/a 1\nC/x/a/ 1\nC/x/a/\x01 1\nC/x/a\x01"
	      "b 1\nC/x/a\x02 1\n"
	      "C/x/a\x02"
	      "a 1\nC/x/a- 1\nC/x/a0123456789a 1\nC/x/a0123456789b 1\n"
	      "C/x/a\xff 1\nC 1\nO(0) 0\n");
}

/* One that was deleted and made again: what is below goes to the one that lives. */
static void test_same_path(void **state)
{
	static const struct given g[] = {
		{"/a", 9, true}, {"/a", 1, false}, {"/a/b", 3, false}, {"/a", 2, true}};

	(void)state;
	check(g, N(g), (struct lines_options){.tree = true}, 4,
	      "C/a 9\nC/a 1\n  C/a/b 3\nC/a 2\nO(0) 0\n");
}

/* Paths that no kernel gives, but a file may hold. */
static void test_odd_paths(void **state)
{
	static const struct given g[] = {
		{"a/b", 6, false}, {"//x//y/", 5, false}, {"", 4, false},
		{"//", 3, false},  {"/x/", 2, false},	  {"x", 1, false},
	};

	(void)state;
	check(g, N(g), (struct lines_options){.tree = true}, 6,
	      "Pa(0) -\n  Ca/b 6\n"
	      "P//x(0) -\n  P//x//y(0) -\n    C//x//y/ 5\n"
	      "C 4\nC// 3\nP/x(0) -\n  C/x/ 2\nCx 1\nO(0) 0\n");
}

static bool fold_all(uint64_t key, void *arg)
{
	(void)key;
	(void)arg;
	return true;
}

static double value_of(const char *key, const struct scope *s)
{
	return field__value(field__find(key), s);
}

static void times_of(struct sample *s, uint64_t spans)
{
	fixture_times(s, 1);
	fixture_span(s, 1, SPAN_CHARGE, 1000, spans);
	fixture_span(s, 2, SPAN_CHARGE, 100, 2 * spans);
}

/* Times add up at both ends, gauges where all know them; what is of a subtree is its root's. */
static void test_sums(void **state)
{
	static const struct given g[] = {
		{"/a", 1, false}, {"/a/b", 2, false}, {"/a/c", 3, false}, {"/d/e", 4, false}};
	struct lines_options o = {.tree = true, .sort = field__find("charges"), .folded = fold_all};
	struct window w = window_of(g, N(g));
	const struct line *a, *d;
	struct histogram h;
	struct model m;
	struct lines l;

	(void)state;
	w.end->rows[2].parent = w.end->rows[3].parent = w.end->rows[1].id;
	times_of(w.start, 10);
	times_of(w.end, 30);
	for (size_t i = 1; i <= 4; i++) {
		fixture_count(w.end, i, 0, C_TRY_WALKS, i);
		fixture_gauge(&w.end->rows[i].usage_bytes, 1000 * i);
		fixture_gauge(&w.end->rows[i].stranded_seen_max, 5);
		if (i != 4)
			fixture_gauge(&w.end->rows[i].stranded_pages, i);
		w.end->rows[i].pressure_sets = i;
	}
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(lines__init(&l, &m, &o), 0);
	assert_int_equal(l.n, 3);
	a = &l.list[0];
	d = &l.list[1];
	assert_true(value_of("charges", &a->scope) == 6);
	assert_true(value_of("stranded_pages", &a->scope) == 6);
	assert_true(value_of("stranded_bound_pages", &a->scope) == 3 * 64);
	assert_true(value_of("pressure_sets", &a->scope) == 6);
	assert_true(value_of("usage_updates", &a->scope) == 6);
	assert_true(value_of("usage_bytes", &a->scope) == 1000);
	assert_true(isnan(value_of("stranded_seen_max", &a->scope)));
	assert_true(times__histogram(&h, field__find("charge_ns"), &a->scope));
	assert_int_equal(h.total, 60);
	assert_int_equal(h.sum, 20 * 1000 + 40 * 100);
	assert_true(a->sort_value == 6);
	assert_int_equal(a->key, 101);
	/* a path has nothing of its own */
	assert_int_equal(d->kind, LINE_PATH);
	assert_true(d->key >> 63);
	assert_true(value_of("charges", &d->scope) == 4);
	assert_true(isnan(value_of("stranded_pages", &d->scope)));
	assert_true(isnan(value_of("usage_updates", &d->scope)));
	assert_true(isnan(value_of("usage_cpus", &d->scope)));
	assert_true(isnan(value_of("usage_bytes", &d->scope)));
	lines__release(&l);
	/* the order is that of the means: 1000 ns of /a alone is not it */
	o.sort = field__find("charge_ns");
	o.folded = NULL;
	assert_int_equal(lines__init(&l, &m, &o), 0);
	assert_int_equal(l.list[0].key, 101);
	assert_true(l.list[0].sort_value == 400);
	assert_true(value_of("charge_ns", &l.list[0].scope) == 1000);
	lines__release(&l);
	model__release(&m);
	window__release(&w);
}

/* Of the stocks no more can be stranded than their slots hold. */
static void test_bound(void **state)
{
	struct given g[20];
	struct window w;
	struct model m;
	struct lines l;

	(void)state;
	for (size_t i = 0; i < N(g); i++)
		g[i] = (struct given){"/x/same", 1, true};
	w = window_of(g, N(g));
	assert_int_equal(model__init(&m, &w), 0);
	assert_int_equal(lines__init(&l, &m, &(struct lines_options){}), 0);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.list[0].cgroups, 20);
	assert_true(value_of("stranded_bound_pages", &l.list[0].scope) == 7 * 64);
	lines__release(&l);
	model__release(&m);
	window__release(&w);
}

/* No order depends on that in which rows come. */
static void test_total_order(void **state)
{
	struct given g[] = {{"/a/x", 1, false}, {"/a/y", 1, false},  {"/b", 1, true},
			    {NULL, 1, false},	{"/", 1, false},     {"/a", 1, false},
			    {"/c", 1, true},	{"/d/e/f", 1, false}};

	(void)state;
	for (size_t round = 0; round < N(g); round++) {
		struct given first = g[0];

		memmove(g, g + 1, sizeof(g) - sizeof(g[0]));
		g[N(g) - 1] = first;
		check(g, N(g), (struct lines_options){}, N(g),
		      "D/(2) 2\nC/ 1\nC/a 1\nC/a/x 1\nC/a/y 1\nC/d/e/f 1\nC 1\nO(0) 0\n");
		check(g, N(g), (struct lines_options){.tree = true}, N(g),
		      "C/a 1\n  C/a/x 1\n  C/a/y 1\nC/ 1\nC/b 1\nC/c 1\n"
		      "P/d(0) -\n  P/d/e(0) -\n    C/d/e/f 1\nC 1\nO(0) 0\n");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat),	    cmocka_unit_test(test_no_value),
		cmocka_unit_test(test_by_path),	    cmocka_unit_test(test_dying),
		cmocka_unit_test(test_filter),	    cmocka_unit_test(test_tree),
		cmocka_unit_test(test_folded),	    cmocka_unit_test(test_same_path),
		cmocka_unit_test(test_odd_paths),   cmocka_unit_test(test_sums),
		cmocka_unit_test(test_bound),	    cmocka_unit_test(test_ties),
		cmocka_unit_test(test_total_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
