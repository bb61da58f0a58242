// SPDX-License-Identifier: GPL-2.0-only
/* What is attached, what it counted, and what is lost where it is not. */
#include <stdlib.h>
#include <string.h>

#include "view/hooks.h"
#include "view/pane.h"
#include "view/text.h"

static const char *state_of(const struct model_probe *mp)
{
	if (mp->reason == REASON_SILENT)
		return "silent";
	if (mp->reason == REASON_NOT_ASKED)
		return "not asked";
	return hook__works(mp->probe) ? "attached" : "missing";
}

/* Why it is as it is, and what goes with it. */
static void losses_below(struct grid *g, const struct model *m, const struct model_probe *mp)
{
	char *losses = hook__losses(m, mp), *text = NULL;

	if (losses && asprintf(&text, "%s; %s", hook__why(mp->reason), losses) >= 0)
		grid__below(g, text);
	else
		g->page->failed = true;
	free(text);
	free(losses);
}

static void line(struct grid *g, const struct model *m, const struct model_probe *mp)
{
	const struct probe *p = mp->probe;

	grid__line(g);
	grid__text(g, p->hook);
	grid__text(g, *p->function ? p->function : NULL);
	grid__text(g, *p->method ? p->method : NULL);
	if (hook__works(p)) {
		grid__count(g, mp->recorded);
		grid__count(g, mp->missed);
	} else {
		grid__text(g, NULL);
		grid__text(g, NULL);
	}
	grid__text(g, state_of(mp));
	if (mp->reason != REASON_NONE)
		losses_below(g, m, mp);
}

static void not_needed(struct page *p, const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct probe *probe = m->probes[i].probe;

		if (probe->state != PROBE_NOT_NEEDED)
			continue;
		if (!n++) {
			page__open(p, "", 2);
			page__words(p, "Not needed here:");
		} else {
			page__words(p, ",");
		}
		page__words(p, "%s", probe->hook);
	}
	if (n)
		page__close(p);
}

void pane__probes(struct page *p, const struct model *m)
{
	struct grid g;

	text__host(p, &m->end->host);
	text__stock(p, &m->end->stock, m->overflow, m->walks);
	text__probes(p, m);
	text__quality(p, m);
	text__lost(p, m);
	text__cost(p, m);
	page__blank(p);
	grid__init(&g, p);
	grid__column(&g, "HOOK", GRID_ALWAYS, GRID_NAME);
	grid__column(&g, "FUNCTION", 5, GRID_NAME);
	grid__column(&g, "HOW", 4, GRID_LEFT);
	grid__column(&g, "RECORDED", 7, 0);
	grid__column(&g, "MISSED", 8, 0);
	grid__column(&g, "STATE", GRID_ALWAYS, GRID_LEFT);
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probes[i].probe->state != PROBE_NOT_NEEDED)
			line(&g, m, &m->probes[i]);
	grid__print(&g);
	not_needed(p, m);
}
