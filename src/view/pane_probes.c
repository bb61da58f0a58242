// SPDX-License-Identifier: GPL-2.0-only
/* What is attached, what it counted, and what is lost where it is not. */
#include <stdlib.h>
#include <string.h>

#include "view/hooks.h"
#include "view/pane.h"
#include "view/text.h"

static const char *state_of(const struct model_probe *mp)
{
	if (mp->probe->state == PROBE_NOT_NEEDED)
		return "not needed here";
	if (mp->reason != REASON_NONE)
		return hook__why(mp->reason);
	return hook__works(mp->probe) ? "attached" : hook__why(mp->probe->reason);
}

static void losses_below(struct grid *g, const struct model *m, const struct model_probe *mp)
{
	char *text = hook__losses(m, mp);

	if (!text)
		g->page->failed = true;
	else if (mp->reason != REASON_NONE)
		grid__below(g, text);
	free(text);
}

static void line(struct grid *g, const struct model *m, const struct model_probe *mp)
{
	const struct probe *p = mp->probe;
	bool ran = hook__works(p) && p->state != PROBE_NOT_NEEDED;

	grid__line(g);
	grid__text(g, p->hook);
	grid__text(g, *p->function ? p->function : NULL);
	grid__text(g, *p->method ? p->method : NULL);
	if (ran) {
		grid__count(g, mp->recorded);
		grid__count(g, mp->missed);
	} else {
		grid__text(g, NULL);
		grid__text(g, NULL);
	}
	grid__text(g, state_of(mp));
	losses_below(g, m, mp);
}

void pane__probes(struct page *p, const struct model *m)
{
	struct grid g;

	text__host(p, &m->end->host);
	text__stock(p, &m->end->stock, m->overflow, m->walks);
	text__probes(p, m);
	text__quality(p, m);
	text__cost(p, m);
	page__blank(p);
	grid__init(&g, p);
	grid__column(&g, "HOOK", GRID_ALWAYS, GRID_NAME);
	grid__column(&g, "FUNCTION", 5, GRID_NAME);
	grid__column(&g, "HOW", 4, GRID_LEFT);
	grid__column(&g, "RECORDED", 7, 0);
	grid__column(&g, "MISSED", 8, 0);
	grid__column(&g, "STATE", GRID_ALWAYS, GRID_NAME);
	for (size_t i = 0; i < m->nprobes; i++)
		line(&g, m, &m->probes[i]);
	grid__print(&g);
}
