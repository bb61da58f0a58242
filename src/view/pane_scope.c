// SPDX-License-Identifier: GPL-2.0-only
/* One cgroup, or one CPU: all that is known of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/pane.h"
#include "view/text.h"

#define GAP PAGE_GAP

static const char *state_of(const struct row *r)
{
	static const char *const states[] = {
		[ROW_LIVE] = "live",
		[ROW_DELETED] = "deleted",
		[ROW_IS_OTHER] = "what found no row of its own",
	};

	return states[r->state];
}

static void put_name(struct page *p, char *name)
{
	if (name)
		page__words(p, "%s", page__glue(name));
	free(name);
}

static void identity(struct page *p, const struct model *m, const struct row *r)
{
	page__open(p, "cgroup", PAGE_INDENT);
	put_name(p, text__name(p, r));
	page__close(p);
	page__open(p, "id", PAGE_INDENT);
	if (r->state == ROW_IS_OTHER)
		page__words(p, "none: %s", state_of(r));
	else
		page__words(p, "%" PRIu64 ", %s,", r->id, state_of(r));
	if (r->state != ROW_IS_OTHER && r->parent) {
		page__words(p, "parent" GAP "%" PRIu64, r->parent);
		if (sample__row(m->end, r->parent))
			put_name(p, text__name_of(p, m, r->parent));
	} else if (r->state != ROW_IS_OTHER) {
		page__words(p, "no known parent");
	}
	page__close(p);
}

/* An offline CPU's stock is drained; of one that is online nobody may have had a look at it. */
static bool is_unseen(const struct cpu *c)
{
	return c->online && !c->stock_seen;
}

static void slots_found(struct page *p, const struct model *m, const struct row *r)
{
	size_t n = 0, unseen = 0;

	for (size_t i = 0; i < m->end->ncpus; i++) {
		const struct cpu *c = &m->end->cpus[i];

		unseen += is_unseen(c);
		for (size_t j = 0; j < SLOTS_MAX; j++)
			if (c->stock_seen && c->slots[j].cgroup == r->id)
				page__words(p,
					    "%sCPU" GAP "%" PRIu32 ":" GAP "%" PRIu32 GAP "page%s",
					    n++ ? ", " : "", c->cpu, c->slots[j].pages,
					    c->slots[j].pages == 1 ? "" : "s");
	}
	if (!n)
		page__words(p, unseen ? "none where a look was had" : "none on any CPU");
	if (unseen)
		page__words(p, "; not known on %zu" GAP "CPU%s", unseen, unseen == 1 ? "" : "s");
}

/* On which CPUs it has a slot, and how many pages are in there. */
static void slots(struct page *p, const struct model *m, const struct row *r)
{
	struct unmeasured why = field__unmeasured(field__find("slots_used"), NULL, m);

	if (r->state == ROW_IS_OTHER || (why.reason != REASON_NONE && !why.applicable))
		return;
	page__open(p, "slots", PAGE_INDENT);
	if (why.reason != REASON_NONE)
		page__words(p, "not known: %s", why.text);
	else
		slots_found(p, m, r);
	page__close(p);
}

static void limit(struct page *p, const struct model *m, const struct model_row *r)
{
	uint64_t hits = measure__count(m, "limit_hits", &r->scope);
	char n[NUM_LEN], used[NUM_LEN], limit[NUM_LEN];

	if (!hits)
		return;
	page__open(p, "limit", PAGE_INDENT);
	page__words(p, "hit %s" GAP "time%s", num__grouped(n, hits), hits == 1 ? "" : "s");
	if (r->row->hit_limit_pages) {
		num__bytes(used, r->row->hit_usage_pages * m->end->host.page_size);
		num__bytes(limit, r->row->hit_limit_pages * m->end->host.page_size);
		page__words(p, ", last at %s of %s", page__glue(used), page__glue(limit));
	}
	page__close(p);
}

static void pressure(struct page *p, const struct model *m, const struct model_row *r)
{
	uint64_t sets = measure__count(m, "pressure_sets", &r->scope);
	uint64_t ns = measure__count(m, "pressure_ns", &r->scope);
	char n[NUM_LEN], time[NUM_LEN];

	if (!sets && !ns)
		return;
	num__duration(time, (double)ns);
	page__open(p, "pressure", PAGE_INDENT + 1);
	page__words(p, "of sockets: set %s" GAP "time%s, %s long", num__grouped(n, sets),
		    sets == 1 ? "" : "s", page__glue(time));
	if (r->row->pressure_setter) {
		page__words(p, ", last by reclaim in");
		put_name(p, text__name_of(p, m, r->row->pressure_setter));
	}
	page__close(p);
}

void pane__cgroup(struct page *p, const struct model *m, const struct view_opts *o,
		  const struct model_row *r)
{
	identity(p, m, r->row);
	slots(p, m, r->row);
	limit(p, m, r);
	pressure(p, m, r);
	pane__fields(p, m, &r->scope);
	text__partners(p, m, r, o);
	text__drains_for(p, m, r);
	pane__times_of(p, m, &r->scope);
	pane__unmeasured(p, m, &r->scope);
}

static void stock_of(struct page *p, const struct model *m, const struct cpu *c)
{
	const uint32_t n = m->end->stock.slots < SLOTS_MAX ? m->end->stock.slots : SLOTS_MAX;
	char number[32];
	struct grid g;

	if (n && is_unseen(c))
		page__para(p, "slots", "not known: nobody could look at the stock of this CPU.");
	if (!c->stock_seen || !n)
		return;
	page__blank(p);
	grid__init(&g, p);
	grid__column(&g, "SLOT", GRID_ALWAYS, 0);
	grid__column(&g, "pages", GRID_ALWAYS, 0);
	grid__column(&g, "of", GRID_ALWAYS, GRID_NAME);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(number, sizeof(number), "%" PRIu32, i);
		grid__line(&g);
		grid__text(&g, number);
		if (c->slots[i].cgroup) {
			grid__count(&g, c->slots[i].pages);
			text__cell_of(&g, m, c->slots[i].cgroup);
		} else {
			grid__text(&g, "");
			grid__text(&g, "(free)");
		}
	}
	grid__print(&g);
}

struct charger {
	const struct model_row *row;
	uint64_t charges;
};

static int most_charges(const void *a, const void *b)
{
	const struct charger *x = a, *y = b;

	if (x->charges != y->charges)
		return x->charges > y->charges ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The cgroups that charged there, most first: as many as compete for the slots. */
static void chargers(struct page *p, const struct model *m, const struct view_opts *o,
		     const struct model_cpu *c)
{
	uint64_t all = measure__count(m, "charges", &c->scope);
	struct charger *list = calloc(m->nrows + 1, sizeof(*list));
	size_t n = 0, shown;
	struct grid g;

	if (!list) {
		p->failed = true;
		return;
	}
	for (size_t i = 0; i < m->nrows; i++) {
		const struct model_row *r = &m->rows[i];
		uint64_t charges = model__on_cpu(m, c, r->before ? r->before->cpu_charges : NULL,
						 r->row->cpu_charges);

		if (charges)
			list[n++] = (struct charger){r, charges};
	}
	qsort(list, n, sizeof(*list), most_charges);
	grid__init(&g, p);
	grid__column(&g, "CHARGES HERE by", GRID_ALWAYS, GRID_NAME);
	grid__column(&g, "charges", 9, 0);
	grid__column(&g, "share", 8, 0);
	shown = text__shown(n, o);
	for (size_t i = 0; i < shown; i++) {
		grid__line(&g);
		text__cell(&g, list[i].row->row);
		grid__count(&g, list[i].charges);
		grid__percent(&g, all ? (double)list[i].charges / (double)all : NAN);
	}
	if (n)
		page__blank(p);
	grid__print(&g);
	text__cut(p, n - shown);
	free(list);
}

void pane__cpu(struct page *p, const struct model *m, const struct view_opts *o,
	       const struct model_cpu *c)
{
	const struct cpu *cpu = c->cpu;
	char label[32];

	snprintf(label, sizeof(label), "CPU %" PRIu32, cpu->cpu);
	page__para(p, label, "%s%s%s", cpu->online ? "online" : "offline",
		   cpu->isolated ? ", isolated" : "",
		   cpu->flushing ? ", its stock is being flushed" : "");
	stock_of(p, m, cpu);
	chargers(p, m, o, c);
	pane__fields(p, m, &c->scope);
	pane__unmeasured(p, m, &c->scope);
}
