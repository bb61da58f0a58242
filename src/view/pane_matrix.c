// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who evicts whom, as a matrix: a row and a column for each of the cgroups that
 * take part most, `others` for the rest, so that lines and columns add up.
 */
#include <stdlib.h>
#include <string.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/pane.h"
#include "view/text.h"

#define LETTERS	 17 /* columns that the grid has beside name, others and total */
#define GAP	 2
#define OTHERS	 "others"
#define NAMES_AT 4 /* of the page's width the part that names may take in the matrix */

struct member {
	uint64_t id;
	uint64_t events; /* evictions by it and of it */
};

struct matrix {
	struct member *members; /* most events first; `other` is none */
	size_t nmembers;
	size_t n;    /* that have a letter */
	bool others; /* there are more, or such without a row */
	uint64_t cells[LETTERS + 1][LETTERS + 1];
	char *names[LETTERS];
	bool named; /* names stand in the matrix, else below it */
};

static int by_id(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int most_events(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->events != y->events)
		return x->events > y->events ? -1 : 1;
	return by_id(a, b);
}

/* Each cgroup of the pairs once. */
static void find_members(struct matrix *x, const struct model *m)
{
	size_t n = 0, to = 0;

	for (size_t i = 0; i < m->npairs; i++) {
		const struct pair *p = &m->pairs[i];

		x->members[n++] = (struct member){p->key.by, p->count.evictions};
		x->members[n++] = (struct member){p->key.of, p->count.evictions};
	}
	qsort(x->members, n, sizeof(x->members[0]), by_id);
	for (size_t i = 0; i < n; i++) {
		if (!x->members[i].id)
			x->others = true;
		else if (to && x->members[to - 1].id == x->members[i].id)
			x->members[to - 1].events += x->members[i].events;
		else
			x->members[to++] = x->members[i];
	}
	qsort(x->members, to, sizeof(x->members[0]), most_events);
	x->nmembers = to;
}

static size_t letter_of(const struct matrix *x, uint64_t id)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->members[i].id == id)
			return i;
	return x->n;
}

/* Columns that a number of the matrix takes at most. */
static int number_width(const struct model *m)
{
	char buf[NUM_LEN];
	uint64_t all = 0;
	int width = 1;

	for (size_t i = 0; i < m->npairs; i++) {
		int w = page__width(num__si(buf, m->pairs[i].count.evictions));

		all += m->pairs[i].count.evictions;
		width = w > width ? w : width;
	}
	/* sums of these, up to 999 */
	if (all >= 1000)
		return 5;
	return all >= 100 ? 3 : width;
}

static int total_width(int number)
{
	return GAP + (number > 5 ? number : 5);
}

/* How many letters the page has room for behind so many columns of names. */
static size_t room(const struct page *p, int names, int number, bool others)
{
	int left =
		p->width - names - total_width(number) - (others ? GAP + (int)strlen(OTHERS) : 0);

	return left < GAP + number ? 1 : (size_t)(left / (GAP + number));
}

static int longest_name(const struct matrix *x)
{
	int longest = 0;

	for (size_t i = 0; i < LETTERS && x->names[i]; i++) {
		int w = page__width(x->names[i]) + 2;

		longest = w > longest ? w : longest;
	}
	return longest;
}

static void lay_out(struct matrix *x, const struct page *p, const struct model *m)
{
	int number = number_width(m), names = longest_name(x), sum = (int)strlen(OTHERS);
	size_t most = x->nmembers < LETTERS ? x->nmembers : LETTERS;

	x->named = names <= p->width / NAMES_AT;
	names = x->named && names > sum ? names : sum;
	x->n = room(p, names, number, x->others || most < x->nmembers);
	if (x->n < most)
		x->n = room(p, names, number, true);
	if (x->n > most)
		x->n = most;
	x->others |= x->n < x->nmembers;
}

static void add_up(struct matrix *x, const struct model *m)
{
	for (size_t i = 0; i < m->npairs; i++) {
		const struct pair *p = &m->pairs[i];

		x->cells[letter_of(x, p->key.by)][letter_of(x, p->key.of)] += p->count.evictions;
	}
}

static void number(struct grid *g, uint64_t n)
{
	char buf[NUM_LEN];

	grid__text(g, num__si(buf, n));
}

static void row(struct grid *g, const struct matrix *x, const char *label, const uint64_t *cells)
{
	uint64_t total = 0;

	grid__line(g);
	grid__text(g, label);
	for (size_t i = 0; i < x->n + x->others; i++) {
		number(g, cells[i]);
		total += cells[i];
	}
	number(g, total);
}

static void member_row(struct grid *g, const struct matrix *x, size_t i)
{
	char letter[] = {(char)('a' + i), '\0'}, *label = NULL;

	if (!x->named) {
		row(g, x, letter, x->cells[i]);
		return;
	}
	if (asprintf(&label, "%s %s", letter, x->names[i]) < 0) {
		g->page->failed = true;
		return;
	}
	row(g, x, label, x->cells[i]);
	free(label);
}

static void total_row(struct grid *g, const struct matrix *x)
{
	uint64_t sums[LETTERS + 1] = {0};

	for (size_t i = 0; i < x->n + x->others; i++)
		for (size_t j = 0; j < x->n + x->others; j++)
			sums[j] += x->cells[i][j];
	row(g, x, "total", sums);
}

static void table(struct page *p, const struct matrix *x)
{
	char letters[LETTERS][2];
	struct grid g;

	grid__init(&g, p);
	grid__column(&g, "by/of", GRID_ALWAYS, GRID_NAME);
	for (size_t i = 0; i < x->n; i++) {
		letters[i][0] = (char)('a' + i);
		letters[i][1] = '\0';
		grid__column(&g, letters[i], GRID_ALWAYS, 0);
	}
	if (x->others)
		grid__column(&g, OTHERS, GRID_ALWAYS, 0);
	grid__column(&g, "total", GRID_ALWAYS, 0);
	for (size_t i = 0; i < x->n; i++)
		member_row(&g, x, i);
	if (x->others)
		row(&g, x, OTHERS, x->cells[x->n]);
	total_row(&g, x);
	grid__print(&g);
}

static void legend(struct page *p, const struct matrix *x)
{
	for (size_t i = 0; i < x->n; i++) {
		page__open(p, "", 2);
		page__words(p, "%c" PAGE_GAP "%s", (char)('a' + i), page__glue(x->names[i]));
		page__close(p);
	}
}

static void show(struct page *p, struct matrix *x, const struct model *m)
{
	find_members(x, m);
	for (size_t i = 0; i < x->nmembers && i < LETTERS; i++) {
		x->names[i] = text__name_of(p, m, x->members[i].id);
		if (!x->names[i])
			return;
	}
	lay_out(x, p, m);
	add_up(x, m);
	page__para(p, "evictions", "who (lines) took slots of whom (columns)");
	table(p, x);
	if (!x->named)
		legend(p, x);
}

void pane__matrix(struct page *p, const struct model *m)
{
	uint64_t evictions = measure__count(m, "evictions", &m->total);
	char n[NUM_LEN];
	struct matrix *x;

	if (!m->npairs && evictions)
		page__para(p, "evictions", "%s: who took whose slot was not recorded.",
			   num__grouped(n, evictions));
	else if (!m->npairs)
		pane__none(p, m, "evictions", "evictions",
			   "no cgroup took a slot of another in this time");
	if (!m->npairs)
		return;
	x = calloc(1, sizeof(*x));
	if (x)
		x->members = calloc(2 * m->npairs, sizeof(x->members[0]));
	if (x && x->members)
		show(p, x, m);
	else
		p->failed = true;
	for (size_t i = 0; x && i < LETTERS; i++)
		free(x->names[i]);
	free(x ? x->members : NULL);
	free(x);
}
