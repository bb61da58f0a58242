// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two-sided table. Its labels are field keys and names of their parts, so
 * that what a reader sees is what other views and expressions call it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/measure.h"
#include "view/sides.h"
#include "view/text.h"

struct line {
	const char *key;
	const char *part;  /* of the split `key`; shown indented */
	bool indent;	   /* so is a key that is a part of the one above it */
	const char *of;	   /* key of what the share is a share of */
	bool if_any;	   /* left out while it is 0 */
	const char *label; /* in place of the key, for what is no field */
	double (*number)(const struct model *m);
};

static double updates_each(const struct model *m)
{
	double calls = measure__value(m, "sock_charges", &m->total) +
		       measure__value(m, "sock_uncharges", &m->total);

	return calls > 0 ? measure__value(m, "sock_stat_updates", &m->total) / calls : NAN;
}

static const struct line charge_side[] = {
	{.key = "charges"},
	{.key = "charge_kinds", .part = "sock", .of = "charges"},
	{.key = "charge_kinds", .part = "obj", .of = "charges"},
	{.key = "charge_kinds", .part = "folio", .of = "charges"},
	{.key = "charge_kinds", .part = "other", .of = "charges", .if_any = true},
	{.key = "charge_pages"},
	{.key = "hits", .of = "charges"},
	{.key = "misses", .of = "charges"},
	{.key = "miss_reasons", .part = "absent", .of = "misses"},
	{.key = "miss_reasons", .part = "short", .of = "misses"},
	{.key = "miss_reasons", .part = "lock_busy", .of = "misses"},
	{.key = "miss_reasons", .part = "oversize", .of = "misses"},
	{.key = "miss_reasons", .part = "raced", .of = "misses", .if_any = true},
	{.key = "miss_reasons", .part = "unknown", .of = "misses", .if_any = true},
	{.key = "failed", .of = "charges", .if_any = true},
	{.key = "forced", .if_any = true},
	{.key = "try_walks"},
	{.key = "sock_stat_updates"},
	{.label = "each sock (un)charge",
	 .indent = true,
	 .key = "sock_stat_updates",
	 .number = updates_each},
	{.key = "sock_charges"},
	{.key = "sock_charge_contexts", .part = "task", .of = "sock_charges"},
	{.key = "sock_charge_contexts", .part = "softirq", .of = "sock_charges"},
	{.key = "sock_charge_contexts", .part = "hardirq", .of = "sock_charges", .if_any = true},
	{.key = "sock_charge_contexts", .part = "nmi", .of = "sock_charges", .if_any = true},
	{.key = "sock_failures"},
	{0},
};

static const struct line uncharge_side[] = {
	{.key = "uncharges"},
	{.key = "uncharge_kinds", .part = "sock", .of = "uncharges"},
	{.key = "uncharge_kinds", .part = "obj", .of = "uncharges"},
	{.key = "uncharge_kinds", .part = "folio", .of = "uncharges"},
	{.key = "uncharge_kinds", .part = "other", .of = "uncharges", .if_any = true},
	{.key = "uncharge_pages"},
	{.key = "refills"},
	{.key = "refill_outcomes", .part = "merged", .of = "refills"},
	{.key = "refill_outcomes", .part = "new_slot", .of = "refills"},
	{.key = "refill_outcomes", .part = "evicted", .of = "refills"},
	{.key = "refill_outcomes", .part = "overflow", .of = "refills"},
	{.key = "refill_outcomes", .part = "direct", .of = "refills"},
	{.key = "surplus_refills", .of = "refills"},
	{.key = "walks"},
	{.key = "walk_causes", .part = "evict", .of = "walks"},
	{.key = "walk_causes", .part = "overflow", .of = "walks"},
	{.key = "walk_causes", .part = "flush", .of = "walks", .if_any = true},
	{.key = "walk_causes", .part = "hotplug", .of = "walks", .if_any = true},
	{.key = "walk_causes", .part = "direct", .of = "walks", .if_any = true},
	{.key = "walk_causes", .part = "unbatched", .of = "walks"},
	{.key = "walks_under_lock", .of = "walks"},
	{.key = "walks_beside_lock", .of = "walks", .if_any = true},
	{.key = "pages_per_walk"},
	{.key = "amplification"},
	{0},
};

/* A ratio and, for amplification, what it comes to where every walk moves a batch. */
static void ratio_cells(struct side_line *c, const struct line *l, const struct model *m, double v,
			bool si)
{
	const struct stock *s = &m->end->stock;
	char batch[NUM_LEN];

	if (si && v >= 1000)
		num__si(c->count, v < 1e19 ? (uint64_t)v : UINT64_MAX);
	else
		num__fixed(c->count, v, l->number ? 2 : !strcmp(l->key, "pages_per_walk") ? 1 : 3);
	if (!strcmp(l->key, "amplification") && s->batch && isfinite(v))
		snprintf(c->share, sizeof(c->share), "~%s", num__fixed(batch, 1.0 / s->batch, 3));
}

void side__count(struct side_line *l, uint64_t count, double seconds, double base, bool si)
{
	if (si)
		num__si(l->count, count);
	else
		num__grouped(l->count, count);
	num__rate(l->rate, count, seconds, si);
	if (!(base > 0))
		return;
	num__percent(l->share, (double)count / base, 1);
	strcat(l->share, "%");
}

static void count_cells(struct side_line *c, const struct line *l, const struct model *m,
			uint64_t count, bool si)
{
	const struct field *of = l->of ? field__find(l->of) : NULL;
	double base = 0;

	if (of && !field__unmeasured(of, NULL, m).reason)
		base = field__value(of, &m->total);
	side__count(c, count, m->seconds, base, si);
	if (of && !*c->share)
		strcpy(c->share, "-");
}

const char *sides__base(const char *key)
{
	const struct line *const sides[] = {charge_side, uncharge_side};

	for (size_t i = 0; i < 2; i++)
		for (const struct line *l = sides[i]; l->key; l++)
			if (!l->part && !l->label && !strcmp(l->key, key))
				return l->of;
	return NULL;
}

/* Fills the cells of a line. False: this machine or this run has nothing to show there. */
static bool fill(struct side_line *c, const struct line *l, const struct model *m, bool si)
{
	const struct field *f = field__find(l->key);
	const struct part *part = f && l->part ? measure__part(f, l->part) : NULL;
	struct unmeasured why;
	double v;

	if (!f || (l->part && !part) || !(f->in & IN_TOTAL))
		return false;
	memset(c, 0, sizeof(*c));
	snprintf(c->label, sizeof(c->label), "%s%s", part || l->indent ? "  " : "",
		 l->label ? l->label
		 : part	  ? part->name
			  : f->key);
	why = field__unmeasured(f, part, m);
	if (why.reason != REASON_NONE) {
		strcpy(c->count, "-");
		return why.applicable && !l->if_any;
	}
	if (part) {
		count_cells(c, l, m, part__count(part, &m->total), si);
		return !l->if_any || part__count(part, &m->total);
	}
	v = l->number ? l->number(m) : f->ratio ? f->ratio(&m->total) : 0;
	if (l->number || f->ratio)
		ratio_cells(c, l, m, v, si);
	else
		count_cells(c, l, m, f->count(&m->total), si);
	return !l->if_any || !f->count || f->count(&m->total);
}

static void fill_side(struct side *s, const char *heading, const struct line *lines,
		      const struct model *m, bool si)
{
	s->heading = heading;
	s->n = 0;
	for (; lines->key && s->n < SIDE_LINES; lines++)
		if (fill(&s->lines[s->n], lines, m, si))
			s->n++;
}

struct widths {
	int name;	 /* the label, a space and the count */
	int rate, share; /* 0: no such column */
};

static int wider(int w, const char *s)
{
	int n = (int)strlen(s);

	return n > w ? n : w;
}

/* At least those of a screen of moderate numbers, so that two reports look alike. b may be NULL. */
static struct widths widths_of(const struct side *a, const struct side *b)
{
	struct widths w = {30, 7, 6};
	const struct side *sides[] = {a, b};

	for (size_t i = 0; i < 2 && sides[i]; i++)
		for (size_t j = 0; j < sides[i]->n; j++) {
			const struct side_line *c = &sides[i]->lines[j];
			int name = (int)(strlen(c->label) + 1 + strlen(c->count));

			w.name = name > w.name ? name : w.name;
			w.rate = wider(w.rate, c->rate);
			w.share = wider(w.share, c->share);
		}
	return w;
}

static int line_width(const struct widths *w)
{
	return w->name + (w->rate ? 2 + w->rate : 0) + (w->share ? 2 + w->share : 0);
}

#define HALF 256

/* One side's half of a line, with its trailing blanks. */
static void half(char *buf, const struct widths *w, const struct side_line *l)
{
	int n = snprintf(buf, HALF, "%s%*s", l->label, w->name - (int)strlen(l->label), l->count);

	if (w->rate)
		n += snprintf(buf + n, HALF - (size_t)n, "  %*s", w->rate, l->rate);
	if (w->share)
		snprintf(buf + n, HALF - (size_t)n, "  %*s", w->share, l->share);
}

static void heading_of(char *buf, const struct widths *w, const struct side *s)
{
	struct side_line l = {.count = "count", .rate = "/s", .share = "share"};

	snprintf(l.label, sizeof(l.label), "%s", s->heading);
	half(buf, w, &l);
}

static void half_of(char *buf, const struct widths *w, const struct side *s, size_t i)
{
	static const struct side_line none = {.label = ""};

	half(buf, w, i < s->n ? &s->lines[i] : &none);
}

static void trim(char *line)
{
	size_t n = strlen(line);

	while (n && line[n - 1] == ' ')
		line[--n] = '\0';
}

static void side_by_side(struct page *p, const struct widths *w, const struct side *a,
			 const struct side *b)
{
	char left[HALF], right[HALF], line[2 * HALF + 8];
	size_t n = a->n > b->n ? a->n : b->n;

	heading_of(left, w, a);
	heading_of(right, w, b);
	snprintf(line, sizeof(line), "%s | %s", left, right);
	page__heading(p, line);
	for (size_t i = 0; i < n; i++) {
		half_of(left, w, a, i);
		half_of(right, w, b, i);
		snprintf(line, sizeof(line), "%s | %s", left, right);
		trim(line);
		fprintf(p->f, "%s\n", line);
	}
}

static void one_side(struct page *p, const struct widths *w, const struct side *s)
{
	char line[HALF];

	heading_of(line, w, s);
	page__heading(p, line);
	for (size_t i = 0; i < s->n; i++) {
		half_of(line, w, s, i);
		trim(line);
		fprintf(p->f, "%s\n", line);
	}
}

bool sides__fit(const struct page *p, const struct side *a, const struct side *b)
{
	struct widths w = widths_of(a, b);

	return line_width(&w) <= p->width;
}

void sides__print(struct page *p, const struct side *a, const struct side *b)
{
	struct widths w = widths_of(a, b);

	if (b && 2 * line_width(&w) + 3 <= p->width) {
		side_by_side(p, &w, a, b);
		return;
	}
	if (line_width(&w) > p->width)
		w.share = 0;
	if (line_width(&w) > p->width)
		w.rate = 0;
	one_side(p, &w, a);
	if (!b)
		return;
	page__blank(p);
	one_side(p, &w, b);
}

void text__sides(struct page *p, const struct model *m)
{
	struct side *a = calloc(2, sizeof(*a)), *b = a ? a + 1 : NULL;

	if (!a) {
		p->failed = true;
		return;
	}
	fill_side(a, "CHARGE SIDE", charge_side, m, false);
	fill_side(b, "UNCHARGE SIDE", uncharge_side, m, false);
	if (!sides__fit(p, a, b)) {
		fill_side(a, a->heading, charge_side, m, true);
		fill_side(b, b->heading, uncharge_side, m, true);
	}
	sides__print(p, a, b);
	free(a);
}
