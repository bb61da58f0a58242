// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/bars.h"
#include "view/number.h"

#define LABEL	12 /* "<=   524 us " */
#define GAP	2
#define BAR_MIN 8
#define BAR_MAX 40
#define FOLD	3 /* so many empty lines and more are one */

/* Edges of all, ascending, without holes: each is twice the one before. */
struct edges {
	uint64_t le[HISTOGRAM_BUCKETS + 1];
	size_t n;
};

/* The least edge of any that is above the last one, or UINT64_MAX. */
static uint64_t next_edge(const struct histogram *h, size_t n, const struct edges *e)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < h[i].n; j++)
			if ((!e->n || h[i].le[j] > e->le[e->n - 1]) && h[i].le[j] < least)
				least = h[i].le[j];
	return least;
}

static bool has_open(const struct histogram *h, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (h[i].n && h[i].le[h[i].n - 1] == UINT64_MAX)
			return true;
	return false;
}

static void find_edges(struct edges *e, const struct histogram *h, size_t n)
{
	uint64_t le;

	e->n = 0;
	while (e->n < HISTOGRAM_BUCKETS && (le = next_edge(h, n, e)) != UINT64_MAX) {
		uint64_t last = e->n ? e->le[e->n - 1] : 0;

		e->le[e->n++] = last && le / 2 > last ? 2 * last : le;
	}
	if (has_open(h, n))
		e->le[e->n++] = UINT64_MAX;
}

static uint64_t count_at(const struct histogram *h, uint64_t le)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->le[i] == le)
			return h->count[i];
	return 0;
}

static uint64_t largest(const struct histogram *h)
{
	uint64_t most = 0;

	for (size_t i = 0; i < h->n; i++)
		most = h->count[i] > most ? h->count[i] : most;
	return most;
}

#define FULL "\xe2\x96\x88"

/* What is left of a column, in eighths: U+258F to U+2589. */
static const char *const eighths[] = {
	"",
	"\xe2\x96\x8f",
	"\xe2\x96\x8e",
	"\xe2\x96\x8d",
	"\xe2\x96\x8c",
	"\xe2\x96\x8b",
	"\xe2\x96\x8a",
	"\xe2\x96\x89",
};

/* A space and the bar, in eighths of a column where there is UTF-8; the columns they take. */
static int put_bar(struct page *p, double share, int columns)
{
	const int steps = p->ascii ? 1 : 8;
	int length = (int)lround(share * columns * steps);

	/* What is there is seen, as far as that can be. */
	if (!length && share > 0 && !p->ascii)
		length = 1;
	if (!length)
		return 0;
	fputc(' ', p->f);
	for (int i = 0; i < length / steps; i++)
		fputs(p->ascii ? "#" : FULL, p->f);
	fputs(eighths[length % steps], p->f);
	return 1 + (length + steps - 1) / steps;
}

/* How the lines are divided. */
struct layout {
	int count;  /* columns of the largest count */
	int bar;    /* of the longest bar */
	int column; /* of both */
};

static struct layout layout_of(const struct page *p, const struct histogram *h, size_t n)
{
	struct layout l = {0};
	char buf[NUM_LEN];

	for (size_t i = 0; i < n; i++) {
		int w = page__width(num__grouped(buf, largest(&h[i])));

		l.count = w > l.count ? w : l.count;
	}
	l.column = (p->width - LABEL - (int)n * GAP) / (int)n;
	l.bar = l.column - l.count - 1;
	if (l.bar < 0)
		l.bar = 0;
	if (l.bar > BAR_MAX)
		l.bar = BAR_MAX;
	l.column = l.count + 1 + l.bar;
	return l;
}

/* The columns that it took of the layout's. */
static int put_title(struct page *p, const struct layout *l, const struct bars *b)
{
	char *title = page__elide(p, b->title, l->column);
	int w = title ? page__width(title) : 0;

	fputs(title ? title : "", p->f);
	free(title);
	for (size_t i = 0; i < 2 && b->details[i]; i++) {
		int more = 1 + page__width(b->details[i]);

		if (w + more > l->column)
			break;
		fprintf(p->f, " %s", b->details[i]);
		w += more;
	}
	return w;
}

/* Titles start where the counts may. */
static void heading(struct page *p, const struct layout *l, const struct bars *bars, size_t n)
{
	int owed = LABEL;

	page__bold(p, true);
	for (size_t i = 0; i < n; i++) {
		fprintf(p->f, "%*s", owed + GAP, "");
		owed = l->column - put_title(p, l, &bars[i]);
	}
	page__bold(p, false);
	fputc('\n', p->f);
}

static void put_label(struct page *p, uint64_t le)
{
	char buf[NUM_LEN];

	if (le == UINT64_MAX)
		fprintf(p->f, "%*s", LABEL, "more");
	else
		fprintf(p->f, "<= %*s", LABEL - 3, num__duration(buf, (double)le));
}

static void line(struct page *p, const struct layout *l, const struct histogram *h, size_t n,
		 uint64_t le)
{
	char buf[NUM_LEN];
	int owed = 0;

	put_label(p, le);
	for (size_t i = 0; i < n; i++) {
		uint64_t c = count_at(&h[i], le), most = largest(&h[i]);

		fprintf(p->f, "%*s%*s", owed + GAP, "", l->count, num__grouped(buf, c));
		owed = 1 + l->bar;
		if (most)
			owed -= put_bar(p, (double)c / (double)most, l->bar);
	}
	fputc('\n', p->f);
}

/* From there on, the lines in which all are 0. */
static size_t empty_lines(const struct edges *e, size_t from, const struct histogram *h, size_t n)
{
	size_t at = from;

	for (; at < e->n; at++)
		for (size_t i = 0; i < n; i++)
			if (count_at(&h[i], e->le[at]))
				return at - from;
	return at - from;
}

static void print(struct page *p, const struct bars *bars, const struct histogram *h, size_t n)
{
	struct layout l = layout_of(p, h, n);
	struct edges e;

	if (n > 1 && l.bar < BAR_MIN) {
		for (size_t i = 0; i < n; i++)
			print(p, &bars[i], &h[i], 1);
		return;
	}
	find_edges(&e, h, n);
	heading(p, &l, bars, n);
	for (size_t i = 0; i < e.n; i++) {
		size_t empty = empty_lines(&e, i, h, n);

		if (empty < FOLD) {
			line(p, &l, h, n, e.le[i]);
			continue;
		}
		fprintf(p->f, "%*s\n", LABEL, "...");
		i += empty - 1;
	}
}

void bars__print(struct page *p, const struct bars *bars, size_t n)
{
	struct histogram *h = calloc(BARS_MAX, sizeof(*h));
	struct bars shown[BARS_MAX];
	size_t k = 0;

	if (!h) {
		p->failed = true;
		return;
	}
	for (size_t i = 0; i < n && k < BARS_MAX; i++)
		if (bars[i].h->total) {
			shown[k] = bars[i];
			histogram__octaves(&h[k++], bars[i].h);
		}
	if (k)
		print(p, shown, h, k);
	free(h);
}
