// SPDX-License-Identifier: GPL-2.0-only
/* Pages that lie in the stocks of all CPUs, charged and not used. */
#include <math.h>
#include <stdlib.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

static void summary(struct page *p, const struct model *m)
{
	const struct scope *s = &m->total;
	uint64_t now = measure__count(m, "stranded_pages", s);
	double most = measure__value(m, "stranded_seen_max", s);
	double bound = measure__value(m, "stranded_bound_pages", s);
	char a[NUM_LEN], b[NUM_LEN];

	num__bytes(b, now * m->end->host.page_size);
	page__open(p, "STOCKS", PAGE_INDENT);
	page__words(p, "%s" GAP "pages (%s) lie in the stocks now", num__grouped(a, now),
		    page__glue(b));
	if (isfinite(most))
		page__words(p, ", %s" GAP "at the most that a look found", num__fixed(a, most, 0));
	if (isfinite(bound))
		page__words(p, "; at the most %s" GAP "can", num__fixed(a, bound, 0));
	if (m->end->breaches)
		page__words(p, "; %s" GAP "time%s a slot was above the batch, or a cgroup had two",
			    num__grouped(a, m->end->breaches), m->end->breaches == 1 ? "" : "s");
	page__close(p);
}

void text__stocks(struct page *p, const struct model *m, const struct view_opts *o)
{
	const struct model_row **by;
	struct grid g;
	size_t n, shown;

	if (!measure__count(m, "stranded_pages", &m->total) && !m->end->breaches)
		return;
	by = text__by(p, m, "stranded_pages", &n);
	if (!by)
		return;
	page__blank(p);
	summary(p, m);
	grid__init(&g, p);
	grid__column(&g, "held for", GRID_ALWAYS, GRID_NAME);
	grid__column(&g, "pages", 5, 0);
	grid__column(&g, "seen max", 4, 0);
	grid__column(&g, "bound", 3, 0);
	shown = text__shown(n, o);
	for (size_t i = 0; i < shown; i++) {
		const struct scope *s = &by[i]->scope;

		grid__line(&g);
		text__cell(&g, by[i]->row);
		grid__count(&g, measure__count(m, "stranded_pages", s));
		grid__fixed(&g, measure__value(m, "stranded_seen_max", s), 0);
		grid__fixed(&g, measure__value(m, "stranded_bound_pages", s), 0);
	}
	grid__print(&g);
	text__cut(p, n - shown);
	free(by);
}
