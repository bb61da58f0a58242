// SPDX-License-Identifier: GPL-2.0-only
/* The batch mode: one block an interval, which can be read without those before it. */
#include <math.h>
#include <stdio.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

/* When it ended, how long it was, and how far to trust it. */
static void moment(struct page *p, const struct model *m)
{
	const struct quality *q = &m->quality;
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN];
	const char *date = num__utc(a, m->end->wall_ms);

	page__open(p, "", 0);
	p->indent = 2;
	page__bold(p, true);
	page__words(p, "%s, %s" GAP "s:", date ? date : "at an unknown time",
		    num__fixed(b, m->seconds, 2));
	if (q->worst)
		page__words(p, "missed" GAP "%s" GAP "%%,", num__percent(c, q->missed_ratio, 2));
	else
		page__words(p, "no" GAP "hook" GAP "ran,");
	page__words(p, "%s", grade__name(q->grade));
	page__close(p);
}

/* A count that is exact, so that intervals add up, and its rate. */
static void put_count(struct page *p, const struct model *m, const char *before, const char *key,
		      const char *ratio)
{
	const struct field *f = field__find(key);
	struct unmeasured why = field__unmeasured(f, NULL, m);
	char a[NUM_LEN], b[NUM_LEN];
	uint64_t n;

	if (why.reason != REASON_NONE) {
		if (why.applicable)
			page__words(p, "%s" GAP "-" GAP "%s", before, key);
		return;
	}
	n = measure__count(m, key, &m->total);
	page__words(p, "%s %s" GAP "%s" GAP "(%s/s%s)", before, num__grouped(a, n), key,
		    num__rate(b, n, m->seconds, 1), ratio);
}

static void totals(struct page *p, const struct model *m)
{
	double misses = measure__value(m, "miss_ratio", &m->total);
	uint64_t walks = measure__count(m, "walks", &m->total);
	double locked = measure__value(m, "walks_under_lock", &m->total);
	char a[NUM_LEN], ratio[NUM_LEN + 8] = "";

	page__open(p, "total", PAGE_INDENT);
	put_count(p, m, "", "charges", "");
	if (isfinite(misses))
		snprintf(ratio, sizeof(ratio), "," GAP "%s" GAP "%%", num__percent(a, misses, 1));
	put_count(p, m, ",", "misses", ratio);
	put_count(p, m, ",", "evictions", "");
	put_count(p, m, ",", "walks", "");
	if (isfinite(locked) && walks)
		page__words(p, ", %s" GAP "%% under" GAP "the" GAP "lock",
			    num__percent(a, locked / (double)walks, 1));
	page__close(p);
}

int view__batch(FILE *f, const struct model *m, const struct view_opts *o, bool first)
{
	struct page p = {
		.f = f,
		.width = o->width < VIEW_WIDTH_MIN ? VIEW_WIDTH_MIN : o->width,
		.color = o->color,
		.ascii = o->ascii,
	};

	if (first) {
		text__head(&p, m);
		page__blank(&p);
	}
	moment(&p, m);
	text__headline(&p, m);
	if (!first)
		text__lost(&p, m);
	totals(&p, m);
	text__rates(&p, m, o);
	page__blank(&p);
	return page__finish(&p);
}
