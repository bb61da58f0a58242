// SPDX-License-Identifier: GPL-2.0-only
/* What took how long: the time table, and what was done under the lock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/bars.h"
#include "view/grid.h"
#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

static const char *bound_words(const char *bound)
{
	if (!strcmp(bound, "upper_bound"))
		return "upper bound";
	return !strcmp(bound, "lower_bound") ? "lower bound" : bound;
}

/* Of the hold, not of the function by whose time it is bounded. */
static const char *bound_of(const struct times *t, size_t i)
{
	return strcmp(t->functions[i].key, "lock_hold_ns") ? t->functions[i].bound : t->hold.kind;
}

/* The bound that all have, or NULL. */
static const char *common_bound(const struct times *t)
{
	for (size_t i = 1; i < t->nfunctions; i++)
		if (strcmp(bound_of(t, i), bound_of(t, 0)))
			return NULL;
	return bound_of(t, 0);
}

void text__duration_columns(struct grid *g)
{
	grid__column(g, "mean", 9, 0);
	grid__column(g, "p50", 4, 0);
	grid__column(g, "p90", 1, 0);
	grid__column(g, "p99", 6, 0);
	grid__column(g, "max", 2, 0);
}

static void columns(struct grid *g, const char *bound)
{
	const char *title = "TIME";

	if (bound)
		title = !strcmp(bound, "upper_bound")	? "TIME (upper bounds)"
			: !strcmp(bound, "lower_bound") ? "TIME (lower bounds)"
							: "TIME (exact)";
	grid__column(g, title, GRID_ALWAYS, GRID_LEFT);
	grid__column(g, "function", 0, GRID_LEFT);
	if (!bound)
		grid__column(g, "bound", 7, GRID_LEFT);
	grid__column(g, "calls", 10, 0);
	text__duration_columns(g);
	grid__column(g, "total", 8, 0);
	grid__column(g, "self", 5, 0);
	grid__column(g, "CPU%", 7, 0);
}

void text__duration_cells(struct grid *g, const struct histogram *h)
{
	static const double shares[] = {0.5, 0.9, 0.99};

	grid__duration(g, histogram__mean(h));
	for (size_t i = 0; i < 3; i++)
		grid__duration(g, histogram__quantile(h, shares[i]));
	grid__duration(g, h->total ? (double)h->max : NAN);
}

static const char *bound_word(const char *bound)
{
	if (!strcmp(bound, "upper_bound"))
		return "upper";
	return !strcmp(bound, "lower_bound") ? "lower" : bound;
}

static void function_line(struct grid *g, const struct model *m, const struct function_time *t,
			  const char *bound)
{
	struct histogram h;

	if (!measure__histogram(&h, m, t->key, &m->total))
		h = (struct histogram){0};
	grid__line(g);
	grid__text(g, t->key);
	grid__text(g, t->function);
	if (bound)
		grid__text(g, bound_word(bound));
	grid__count(g, t->calls);
	text__duration_cells(g, &h);
	grid__duration(g, (double)t->ns);
	grid__duration(g, (double)t->self_ns);
	grid__percent(g, t->cpu_ratio);
}

/* Waiting is no function's time, and takes no CPU. */
static void wait_line(struct grid *g, const struct histogram *h, bool bound)
{
	if (!h->total)
		return;
	grid__line(g);
	grid__text(g, "lock_wait_ns");
	grid__text(g, "");
	if (bound)
		grid__text(g, "exact");
	grid__count(g, h->total);
	text__duration_cells(g, h);
	grid__duration(g, (double)h->sum);
	grid__text(g, NULL);
	grid__text(g, NULL);
}

static void time_table(struct page *p, const struct model *m)
{
	const struct times *t = &m->times;
	const char *bound = common_bound(t);
	struct grid g;

	page__blank(p);
	grid__init(&g, p);
	columns(&g, bound);
	for (size_t i = 0; i < t->nfunctions; i++)
		function_line(&g, m, &t->functions[i], bound ? NULL : bound_of(t, i));
	wait_line(&g, &t->hold.wait, !bound);
	grid__print(&g);
	if (t->every <= 1)
		return;
	page__open(p, "", 2);
	page__words(p,
		    "1" GAP "in" GAP "%u timed (--sample): calls, total, self and the share of a "
		    "CPU are scaled to all.",
		    t->every);
	page__close(p);
}

/* Where the exact hold is known, it has to lie between the bounds. */
static void hold_check(struct page *p, const struct hold_times *t)
{
	char a[NUM_LEN], b[NUM_LEN];

	if (!t->checked)
		return;
	page__words(p, "%s" GAP "%% of %s holds lie between their bounds.",
		    num__percent(a, 1 - (double)t->differ / (double)t->checked, 2),
		    num__grouped(b, t->checked));
}

static void hold_line(struct page *p, const struct hold_times *t)
{
	char a[NUM_LEN], b[NUM_LEN];

	page__open(p, "", 2);
	if (isfinite(t->above_budget)) {
		num__duration(b, (double)t->budget_ns);
		page__words(p, "%s" GAP "%% of the holds were above %s (--hold-budget)%s",
			    num__percent(a, t->above_budget, 1), page__glue(b),
			    isfinite(t->walked_share) ? ";" : ".");
	}
	if (isfinite(t->walked_share))
		page__words(p, "%s" GAP "%% of the hold time was walking.",
			    num__percent(a, t->walked_share, 1));
	if (t->locked.total) {
		num__duration(a, histogram__mean(&t->locked));
		num__duration(b, histogram__quantile(&t->locked, 0.99));
		page__words(p, "Lower bound of a hold with a walk: mean %s, p99 %s.", page__glue(a),
			    page__glue(b));
	}
	hold_check(p, t);
	page__close(p);
}

static void holds(struct page *p, const struct model *m)
{
	const struct hold_times *t = &m->times.hold;
	double time = (double)t->plain.sum + (double)t->walked.sum;
	char plain[NUM_LEN], walked[NUM_LEN], exact[NUM_LEN], a[NUM_LEN], share[NUM_LEN + 16];
	struct bars bars[] = {
		{"no walk inside", {num__grouped(plain, t->plain.total)}, &t->plain},
		{"a walk inside", {num__grouped(walked, t->walked.total), share}, &t->walked},
		{"exact", {num__grouped(exact, t->exact.total)}, &t->exact},
	};
	int columns = !!t->plain.total + !!t->walked.total + !!t->exact.total;

	if (!columns)
		return;
	snprintf(share, sizeof(share), "(%s%% of time)",
		 num__percent(a, time > 0 ? (double)t->walked.sum / time : NAN, 0));
	page__blank(p);
	page__bold(p, true);
	page__open(p, "", 0);
	page__words(p, "lock_hold_ns in a refill: %s%s", bound_words(t->kind),
		    columns > 1 ? "; each column on its own scale" : "");
	page__close(p);
	bars__print(p, bars, sizeof(bars) / sizeof(bars[0]));
	hold_line(p, t);
}

void text__times(struct page *p, const struct model *m)
{
	if (!m->times.taken)
		return;
	if (m->times.nfunctions)
		time_table(p, m);
	holds(p, m);
}
