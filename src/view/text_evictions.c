// SPDX-License-Identifier: GPL-2.0-only
/* Who evicts whom, and how long a slot lives. */
#include <math.h>
#include <stdlib.h>

#include "view/bars.h"
#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

static void pair_line(struct grid *g, const struct pair_count *c, uint64_t evictions)
{
	grid__count(g, c->evictions);
	grid__percent(g, evictions ? (double)c->evictions / (double)evictions : NAN);
	grid__count(g, c->pages);
	grid__fixed(g, c->evictions ? (double)c->pages / (double)c->evictions : NAN, 1);
}

/* What a table of pairs is of: all of them, or those of one cgroup. */
struct choice {
	const char *by, *of; /* headings; NULL: no such column, it is the one cgroup */
	const struct pair **list;
	size_t n;
	uint64_t evictions; /* of which the shares are */
};

static void more_line(struct grid *g, const struct choice *c, size_t from)
{
	struct pair_count sum = {0};
	char name[64];

	for (size_t i = from; i < c->n; i++) {
		sum.evictions += c->list[i]->count.evictions;
		sum.pages += c->list[i]->count.pages;
	}
	snprintf(name, sizeof(name), "(%zu more: --rows)", c->n - from);
	grid__line(g);
	grid__text(g, name);
	if (c->by && c->of)
		grid__text(g, "");
	pair_line(g, &sum, c->evictions);
}

static void pairs(struct page *p, const struct model *m, const struct view_opts *o,
		  const struct choice *c)
{
	size_t n = text__shown(c->n, o);
	struct grid g;

	grid__init(&g, p);
	if (c->by)
		grid__column(&g, c->by, GRID_ALWAYS, GRID_NAME);
	if (c->of)
		grid__column(&g, c->of, GRID_ALWAYS, GRID_NAME);
	grid__column(&g, "events", 9, 0);
	grid__column(&g, "share", 8, 0);
	grid__column(&g, "pages", 7, 0);
	grid__column(&g, "each", 6, 0);
	for (size_t i = 0; i < n; i++) {
		grid__line(&g);
		if (c->by)
			text__cell_of(&g, m, c->list[i]->key.by);
		if (c->of)
			text__cell_of(&g, m, c->list[i]->key.of);
		pair_line(&g, &c->list[i]->count, c->evictions);
	}
	if (n < c->n)
		more_line(&g, c, n);
	grid__print(&g);
}

/* by, of: ids that have to match; NULL: any. */
static void choose(struct choice *c, const struct model *m, const uint64_t *by, const uint64_t *of)
{
	c->n = 0;
	for (size_t i = 0; i < m->npairs; i++)
		if ((!by || m->pairs[i].key.by == *by) && (!of || m->pairs[i].key.of == *of))
			c->list[c->n++] = &m->pairs[i];
}

static const struct pair **room_for(struct page *p, const struct model *m)
{
	const struct pair **list = calloc(m->npairs + 1, sizeof(list[0]));

	if (!list)
		p->failed = true;
	return list;
}

static void all_pairs(struct page *p, const struct model *m, const struct view_opts *o)
{
	struct choice c = {.by = "EVICTIONS by", .of = "of", .list = room_for(p, m)};

	c.evictions = measure__count(m, "evictions", &m->total);
	if (!c.list)
		return;
	choose(&c, m, NULL, NULL);
	pairs(p, m, o, &c);
	free(c.list);
}

void text__partners(struct page *p, const struct model *m, const struct model_row *r,
		    const struct view_opts *o)
{
	const uint64_t id = r->row->state == ROW_IS_OTHER ? 0 : r->row->id;
	struct choice by = {.of = "EVICTIONS of", .list = room_for(p, m)};
	struct choice of = {.by = "EVICTED by", .list = room_for(p, m)};

	by.evictions = measure__count(m, "evictions", &r->scope);
	of.evictions = measure__count(m, "evicted", &r->scope);
	if (by.list && of.list) {
		choose(&by, m, &id, NULL);
		choose(&of, m, NULL, &id);
		if (by.n)
			page__blank(p);
		pairs(p, m, o, &by);
		if (of.n)
			page__blank(p);
		pairs(p, m, o, &of);
	}
	if (!m->npairs && by.evictions + of.evictions) {
		page__blank(p);
		page__para(p, "evictions", "of whom and by whom was not recorded.");
	}
	free(by.list);
	free(of.list);
}

/* W against S, where it is worst. */
static void working_set(struct page *p, const struct model *m)
{
	const struct model_cpu *c = text__worst_cpu(m);
	uint64_t full = m->quality.dropped[LOSS_PAIR_FULL];
	uint32_t slots = m->end->stock.slots;
	char a[NUM_LEN];

	if (!c || !slots)
		return;
	page__open(p, "", 2);
	page__words(p,
		    "CPU" GAP "%u: %s%u memcg%s charged there, and it has %u slot%s: %s" GAP
		    "evictions.",
		    c->cpu->cpu, text__at_least(m), c->scope.memcgs,
		    c->scope.memcgs == 1 ? "" : "s", slots, slots == 1 ? "" : "s",
		    num__grouped(a, measure__count(m, "evictions", &c->scope)));
	if (full)
		page__words(p, "%s" GAP "evictions found no room in the table of pairs.",
			    num__grouped(a, full));
	page__close(p);
}

static void lives(struct page *p, const struct model *m)
{
	uint64_t unseen = measure__count(m, "life_unseen", &m->total);
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN];
	struct histogram h;
	struct bars bars = {"lives", {c}, &h};

	if (!measure__histogram(&h, m, "slot_life_ns", &m->total))
		return;
	page__blank(p);
	page__bold(p, true);
	page__open(p, "", 0);
	page__words(p, "slot_life_ns, from new_slot or evicted to the drain of the slot");
	page__close(p);
	num__grouped(c, h.total);
	bars__print(p, &bars, 1);
	num__duration(a, histogram__quantile(&h, 0.5));
	num__duration(b, histogram__quantile(&h, 0.9));
	page__open(p, "", 2);
	page__words(p, "p50 %s, p90 %s.", page__glue(a), page__glue(b));
	if (unseen)
		page__words(p, "life_unseen: %s more ended unseen, used up or flushed.",
			    num__grouped(c, unseen));
	page__close(p);
}

void text__evictions(struct page *p, const struct model *m, const struct view_opts *o)
{
	if (m->npairs) {
		page__blank(p);
		all_pairs(p, m, o);
		working_set(p, m);
	}
	lives(p, m);
}
