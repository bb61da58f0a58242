// SPDX-License-Identifier: GPL-2.0-only
/* Who has everybody's stocks emptied, why, and whose pages those are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

#define FRAMES	4 /* functions of a stack that tell who called */
#define CALLERS 2 /* stacks of an initiator */
#define CALLED	"drain_all_stock"

static void summary(struct page *p, const struct model *m)
{
	const struct scope *s = &m->total;
	uint64_t calls = measure__count(m, "drain_all_calls", s);
	uint64_t skipped = measure__count(m, "drain_all_skipped", s);
	double innocent = measure__value(m, "drain_innocent_ratio", s);
	char a[NUM_LEN];

	page__open(p, "DRAINS", PAGE_INDENT);
	page__words(p, "%s" GAP "call%s of drain_all_stock,", num__grouped(a, calls),
		    calls == 1 ? "" : "s");
	page__words(p, "%s" GAP "stocks" GAP "flushed",
		    num__grouped(a, measure__count(m, "drain_all_cpus", s)));
	if (skipped)
		page__words(p, ", %s" GAP "isolated" GAP "CPUs with pages passed over",
			    num__grouped(a, skipped));
	page__words(p, "; %s" GAP "pages given back",
		    num__grouped(a, measure__count(m, "drain_flush_pages", s)));
	if (isfinite(innocent))
		page__words(p,
			    ", %s" GAP "%% of them innocent: of cgroups not below the one for "
			    "which it was done",
			    num__percent(a, innocent, 1));
	if (m->end->asked.drains)
		page__words(p, "; %s" GAP "more returned at once, as another ran",
			    num__grouped(a, m->drain_all_busy));
	page__close(p);
}

static void put_stack(FILE *f, const struct drain_caller *d, bool first)
{
	char a[NUM_LEN];
	uint32_t n = 0;

	fprintf(f, "%s%s" GAP "x", first ? "" : "; ", num__grouped(a, d->calls));
	for (uint32_t i = 0; i < d->nframes && n < FRAMES; i++) {
		/* It is what they called. */
		if (!strncmp(d->frames[i], CALLED, strlen(CALLED)))
			continue;
		fprintf(f, " %s%s", n ? "<" GAP : "", d->frames[i]);
		n++;
	}
}

/* The stacks of one cgroup, most calls first, as text. Free it. */
static char *stacks_of(struct page *p, const struct model *m, uint64_t cgroup)
{
	char *text = NULL;
	size_t size, n = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		p->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < m->ndrains && n < CALLERS; i++)
		if (m->drains[i].cgroup == cgroup && m->drains[i].nframes)
			put_stack(f, &m->drains[i], !n++);
	if (fclose(f))
		p->failed = true;
	if (!n) {
		free(text);
		return NULL;
	}
	return text;
}

/* The causes of one cgroup's calls, each once, most calls first. */
static void why_cell(struct grid *g, const struct model *m, uint64_t cgroup)
{
	bool seen[WHY_NR] = {false};
	char text[160] = "";

	for (size_t i = 0; i < m->ndrains; i++) {
		enum drain_why why = drain_caller__why(&m->drains[i]);
		size_t n = strlen(text);

		if (m->drains[i].cgroup != cgroup || seen[why])
			continue;
		seen[why] = true;
		snprintf(text + n, sizeof(text) - n, "%s%s", n ? ", " : "", drain_why__name(why));
	}
	grid__text(g, *text ? text : NULL);
}

static void below(struct grid *g, const struct model *m, uint64_t cgroup)
{
	char *stacks = stacks_of(g->page, m, cgroup);

	if (stacks)
		grid__below(g, stacks);
	free(stacks);
}

static void initiator(struct grid *g, const struct model *m, const struct model_row *r)
{
	const struct scope *s = &r->scope;

	grid__line(g);
	text__cell(g, r->row);
	grid__count(g, measure__count(m, "drain_all_calls", s));
	grid__count(g, measure__count(m, "drain_all_cpus", s));
	grid__count(g, measure__count(m, "drain_flush_pages", s));
	grid__percent(g, measure__value(m, "drain_innocent_ratio", s));
	grid__count(g, measure__count(m, "drain_all_skipped", s));
	why_cell(g, m, r->row->id);
	below(g, m, r->row->id);
}

/* Calls for which no cgroup is known. */
static void unknown(struct grid *g, const struct model *m)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < m->ndrains; i++)
		calls += m->drains[i].cgroup ? 0 : m->drains[i].calls;
	if (!calls)
		return;
	grid__line(g);
	grid__text(g, "(unknown)");
	grid__count(g, calls);
	for (int i = 0; i < 4; i++)
		grid__text(g, NULL);
	why_cell(g, m, 0);
	below(g, m, 0);
}

static void columns(struct grid *g, struct page *p)
{
	grid__init(g, p);
	grid__column(g, "for", GRID_ALWAYS, GRID_NAME);
	grid__column(g, "calls", 9, 0);
	grid__column(g, "stocks", 4, 0);
	grid__column(g, "pages", 6, 0);
	grid__column(g, "innocent", 7, 0);
	grid__column(g, "skipped", 3, 0);
	grid__column(g, "why", 8, GRID_LEFT);
}

void text__drains_for(struct page *p, const struct model *m, const struct model_row *r)
{
	struct grid g;

	if (!measure__count(m, "drain_all_calls", &r->scope))
		return;
	page__blank(p);
	columns(&g, p);
	g.columns[0].title = "DRAINS for";
	initiator(&g, m, r);
	grid__print(&g);
}

void text__drains(struct page *p, const struct model *m, const struct view_opts *o)
{
	const struct model_row **by;
	struct grid g;
	size_t n, shown;

	if (!measure__count(m, "drain_all_calls", &m->total) && !m->ndrains)
		return;
	by = text__by(p, m, "drain_all_calls", &n);
	if (!by)
		return;
	page__blank(p);
	summary(p, m);
	columns(&g, p);
	shown = text__shown(n, o);
	for (size_t i = 0; i < shown; i++)
		initiator(&g, m, by[i]);
	unknown(&g, m);
	grid__print(&g);
	text__cut(p, n - shown);
	free(by);
}
