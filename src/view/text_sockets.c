// SPDX-License-Identifier: GPL-2.0-only
/* Sockets under pressure: refused charges, limits that were hit, and who set the pressure. */
#include <math.h>
#include <stdlib.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

/* What there is none of is not named, but for one: nothing at all is worth a word. */
static void failures(struct page *p, const struct model *m)
{
	const struct field *f = field__find("sock_failure_contexts");
	uint64_t n = measure__count(m, "sock_failures", &m->total);
	const char *comma = ":";
	char a[NUM_LEN];

	if (!n) {
		page__words(p, "no sock_failures");
		return;
	}
	page__words(p, "%s" GAP "sock_failures", num__grouped(a, n));
	if (!f || field__unmeasured(f, NULL, m).reason != REASON_NONE)
		return;
	for (const struct part *part = f->parts; part && part->name; part++) {
		uint64_t at = part__count(part, &m->total);

		if (!at)
			continue;
		page__words(p, "%s %s" GAP "in" GAP "%s", comma, num__grouped(a, at), part->name);
		comma = ",";
	}
}

static void summary(struct page *p, const struct model *m)
{
	uint64_t hits = measure__count(m, "limit_hits", &m->total);
	uint64_t sets = measure__count(m, "pressure_sets", &m->total);
	char a[NUM_LEN];

	page__open(p, "SOCKETS", PAGE_INDENT);
	failures(p, m);
	page__words(p, "; %s" GAP "limit_hits", hits ? num__grouped(a, hits) : "no");
	if (sets)
		page__words(p, "; pressure was set %s" GAP "time%s", num__grouped(a, sets),
			    sets == 1 ? "" : "s");
	else
		page__words(p, "; no pressure was set");
	page__close(p);
}

static double pages_of(const struct model *m, uint64_t pages)
{
	return (double)pages * m->end->host.page_size;
}

static void bytes_cell(struct grid *g, double bytes)
{
	char a[NUM_LEN];

	grid__text(g, isfinite(bytes) ? num__bytes(a, (uint64_t)bytes) : NULL);
}

/* Usage and limit when it was last hit. */
static void hit_cell(struct grid *g, const struct model *m, const struct model_row *r)
{
	char used[NUM_LEN], limit[NUM_LEN], text[2 * NUM_LEN + 8];

	if (!r->row->hit_limit_pages || !measure__count(m, "limit_hits", &r->scope)) {
		grid__text(g, NULL);
		return;
	}
	num__bytes(used, (uint64_t)pages_of(m, r->row->hit_usage_pages));
	num__bytes(limit, (uint64_t)pages_of(m, r->row->hit_limit_pages));
	snprintf(text, sizeof(text), "%s/%s", used, limit);
	grid__text(g, text);
}

static void line(struct grid *g, const struct model *m, const struct model_row *r)
{
	const struct scope *s = &r->scope;
	uint64_t sets = measure__count(m, "pressure_sets", s);
	uint64_t under = measure__count(m, "pressure_ns", s);

	grid__line(g);
	text__cell(g, r->row);
	grid__count(g, measure__count(m, "sock_failures", s));
	grid__count(g, measure__count(m, "limit_hits", s));
	hit_cell(g, m, r);
	bytes_cell(g, measure__value(m, "sock_bytes", s));
	grid__percent(g, measure__value(m, "sock_share", s));
	grid__duration(g, under ? (double)under : NAN);
	if (sets && r->row->pressure_setter)
		text__cell_of(g, m, r->row->pressure_setter);
	else
		grid__text(g, NULL);
}

static bool troubled(const struct model *m, const struct model_row *r)
{
	static const char *const keys[] = {"sock_failures", "limit_hits", "pressure_sets",
					   "pressure_ns"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (measure__count(m, keys[i], &r->scope))
			return true;
	return false;
}

/* Those in trouble in the order of the rows, then who holds most; *n of them. Free it. */
static const struct model_row **ordered(struct page *p, const struct model *m, size_t *n)
{
	const struct model_row **rows = calloc(m->nrows + 1, sizeof(rows[0]));
	const struct model_row **holders = text__by(p, m, "sock_bytes", n);
	size_t nholders = *n;

	*n = 0;
	if (!rows)
		p->failed = true;
	for (size_t i = 0; rows && i < m->nrows; i++)
		if (troubled(m, &m->rows[i]))
			rows[(*n)++] = &m->rows[i];
	for (size_t i = 0; rows && holders && i < nholders; i++)
		if (!troubled(m, holders[i]))
			rows[(*n)++] = holders[i];
	free(holders);
	return rows;
}

static void table(struct page *p, const struct model *m, const struct model_row *const *rows,
		  size_t n)
{
	struct grid g;

	grid__init(&g, p);
	grid__column(&g, "for", GRID_ALWAYS, GRID_NAME);
	grid__column(&g, "failed", 9, 0);
	grid__column(&g, "hits", 8, 0);
	grid__column(&g, "usage/limit", 4, 0);
	grid__column(&g, "sock", 5, 0);
	grid__column(&g, "share", 3, 0);
	grid__column(&g, "pressure", 7, 0);
	grid__column(&g, "set by", 6, GRID_NAME);
	for (size_t i = 0; i < n; i++)
		line(&g, m, rows[i]);
	grid__print(&g);
}

void text__sockets(struct page *p, const struct model *m, const struct view_opts *o)
{
	const struct model_row **rows;
	size_t n, shown;

	rows = ordered(p, m, &n);
	shown = text__shown(n, o);
	if (n) {
		page__blank(p);
		summary(p, m);
		table(p, m, rows, shown);
		text__cut(p, n - shown);
	}
	free(rows);
}
