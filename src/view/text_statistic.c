// SPDX-License-Identifier: GPL-2.0-only
/* What the statistic of memory costs: its updates by item. */
#include <math.h>
#include <string.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

static void line(struct grid *g, const struct model *m, const char *label, uint64_t n, double share)
{
	char rate[NUM_LEN];

	grid__line(g);
	grid__text(g, label);
	grid__count(g, n);
	num__rate(rate, n, m->seconds, false);
	grid__text(g, rate);
	if (isnan(share))
		grid__text(g, "");
	else
		grid__percent(g, share);
}

static bool beside_sock(const struct field *f, const struct scope *s)
{
	for (const struct part *part = f->parts; part && part->name; part++)
		if (strcmp(part->name, "sock") && part__count(part, s))
			return true;
	return false;
}

void text__statistic(struct page *p, const struct model *m)
{
	const struct field *f = field__find("stat_updates");
	const struct scope *s = &m->total;
	uint64_t updates = measure__count(m, "stat_updates", s);
	uint64_t rstat = measure__count(m, "rstat_updates", s);
	struct grid g;
	char label[64];

	/* The charge side has those of sockets. */
	if (!updates || !f || (!beside_sock(f, s) && !rstat))
		return;
	page__blank(p);
	grid__init(&g, p);
	grid__column(&g, "STATISTIC", GRID_ALWAYS, GRID_LEFT);
	grid__column(&g, "count", 3, 0);
	grid__column(&g, "/s", 2, 0);
	grid__column(&g, "share", 1, 0);
	line(&g, m, f->key, updates, NAN);
	for (const struct part *part = f->parts; part && part->name; part++) {
		uint64_t n = part__count(part, s);

		if (!n || field__unmeasured(f, part, m).reason != REASON_NONE)
			continue;
		snprintf(label, sizeof(label), "  %s", part->name);
		line(&g, m, label, n, (double)n / (double)updates);
	}
	if (rstat)
		line(&g, m, "rstat_updates", rstat, NAN);
	grid__print(&g);
}
