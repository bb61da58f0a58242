// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "verb/timeline.h"

#define NS_PER_S   1000000000ull
#define STEPS	   60 /* of a window whose length is known */
#define COST_SHARE 20 /* one in so much of the time may go into samples */

/*
 * Whether consume_stock() shows the hits is known at the end only, so misses
 * are kept both ways.
 */
enum { CHARGES, MISSES_BY_WALK, MISSES_BY_HITS, COUNTS };

struct cut {
	uint64_t end_ns;
	uint64_t *counts; /* [ncpus * COUNTS], in this interval */
};

void timeline__init(struct timeline *t, const struct sample *start, uint64_t duration_ns,
		    uint64_t step_ns)
{
	*t = (struct timeline){.start = start};
	if (step_ns)
		t->asked_ns = step_ns;
	else if (duration_ns != UINT64_MAX && duration_ns / STEPS > NS_PER_S)
		t->asked_ns = duration_ns / STEPS;
	else
		t->asked_ns = NS_PER_S;
	t->step_ns = t->asked_ns;
	t->next_ns =
		t->step_ns < UINT64_MAX - start->time_ns ? start->time_ns + t->step_ns : UINT64_MAX;
	t->last = calloc(start->ncpus * COUNTS + 1, sizeof(*t->last));
	t->failed = !t->last;
}

static uint64_t count(const char *key, const struct scope *s)
{
	const struct field *f = field__find(key);

	return f->count(s);
}

/* What the CPU counted from the window's start until the sample. */
static void count_until(const struct timeline *t, const struct sample *s, size_t cpu,
			uint64_t counts[COUNTS])
{
	uint64_t c[C_NR];
	struct scope scope = {.c = c, .stock = &s->stock, .in = IN_CPU};

	for (int i = 0; i < C_NR; i++) {
		const uint64_t before = t->start->cpus[cpu].c[i], now = s->cpus[cpu].c[i];

		c[i] = now > before ? now - before : 0;
	}
	counts[CHARGES] = count("charges", &scope);
	counts[MISSES_BY_WALK] = count("misses", &scope);
	scope.hits_seen = true;
	counts[MISSES_BY_HITS] = count("misses", &scope);
}

static int add_cut(struct timeline *t, const struct sample *s)
{
	const size_t n = t->start->ncpus;
	uint64_t *counts;

	if (t->ncuts == t->room) {
		const size_t room = t->room ? 2 * t->room : 64;
		struct cut *cuts = reallocarray(t->cuts, room, sizeof(*cuts));

		if (!cuts)
			return -ENOMEM;
		t->cuts = cuts;
		t->room = room;
	}
	counts = calloc(n * COUNTS + 1, sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	for (size_t cpu = 0; cpu < n; cpu++) {
		uint64_t until[COUNTS];

		count_until(t, s, cpu, until);
		for (int i = 0; i < COUNTS; i++) {
			uint64_t *last = &t->last[cpu * COUNTS + i];

			/* hits are counted after their charges: a difference may be late */
			if (until[i] <= *last)
				continue;
			counts[cpu * COUNTS + i] = until[i] - *last;
			*last = until[i];
		}
	}
	t->cuts[t->ncuts++] = (struct cut){s->time_ns, counts};
	return 0;
}

static void merge(struct timeline *t)
{
	const size_t n = t->start->ncpus * COUNTS;
	size_t to = 0;

	for (size_t i = 0; i < t->ncuts; i += 2, to++) {
		t->cuts[to] = t->cuts[i];
		if (i + 1 == t->ncuts)
			continue;
		t->cuts[to].end_ns = t->cuts[i + 1].end_ns;
		for (size_t j = 0; j < n; j++)
			t->cuts[to].counts[j] += t->cuts[i + 1].counts[j];
		free(t->cuts[i + 1].counts);
	}
	t->ncuts = to;
	t->step_ns *= 2;
}

/* On the grid of steps from the start, so that lateness does not add up. */
static void choose_next(struct timeline *t, uint64_t not_before)
{
	const uint64_t start = t->start->time_ns;
	uint64_t steps = not_before > start ? (not_before - start) / t->step_ns + 1 : 1;

	t->next_ns = start + steps * t->step_ns;
}

void timeline__cut(struct timeline *t, const struct sample *s, uint64_t now_ns, uint64_t took_ns)
{
	if (t->failed)
		return;
	if (s && s->ncpus == t->start->ncpus)
		t->failed = add_cut(t, s) != 0;
	if (t->ncuts > TIMELINE_MAX)
		merge(t);
	choose_next(t, now_ns + (COST_SHARE - 1) * took_ns);
	if (t->failed)
		t->next_ns = UINT64_MAX;
}

static int sees_hits(const struct window *w, bool *seen)
{
	struct model m;
	int err = model__init(&m, w);

	if (err)
		return err;
	*seen = m.total.hits_seen;
	model__release(&m);
	return 0;
}

static int fill(const struct timeline *t, struct window *w, bool hits_seen)
{
	const size_t n = t->start->ncpus;

	w->intervals = calloc(t->ncuts, sizeof(*w->intervals));
	if (!w->intervals)
		return -ENOMEM;
	for (size_t i = 0; i < t->ncuts; i++) {
		struct interval *to = &w->intervals[w->nintervals++];
		const uint64_t *from = t->cuts[i].counts;

		to->end_ns = t->cuts[i].end_ns;
		to->charges = calloc(n + 1, sizeof(*to->charges));
		to->misses = calloc(n + 1, sizeof(*to->misses));
		if (!to->charges || !to->misses)
			return -ENOMEM;
		for (size_t cpu = 0; cpu < n; cpu++, from += COUNTS) {
			to->charges[cpu] = from[CHARGES];
			to->misses[cpu] = from[hits_seen ? MISSES_BY_HITS : MISSES_BY_WALK];
		}
	}
	return 0;
}

static void forget(struct window *w)
{
	for (size_t i = 0; i < w->nintervals; i++) {
		free(w->intervals[i].charges);
		free(w->intervals[i].misses);
	}
	free(w->intervals);
	w->intervals = NULL;
	w->nintervals = 0;
}

int timeline__finish(struct timeline *t, struct window *w)
{
	bool hits_seen = false;

	if (w->end->ncpus != t->start->ncpus)
		return 0;
	timeline__cut(t, w->end, w->end->time_ns, 0);
	w->interval_ns = t->asked_ns;
	if (!t->failed && !sees_hits(w, &hits_seen) && !fill(t, w, hits_seen))
		return 0;
	forget(w);
	return -ENOMEM;
}

void timeline__release(struct timeline *t)
{
	for (size_t i = 0; i < t->ncuts; i++)
		free(t->cuts[i].counts);
	free(t->cuts);
	free(t->last);
	memset(t, 0, sizeof(*t));
}
