// SPDX-License-Identifier: GPL-2.0-only
/* Counters, times and gauges of several cgroups, added up so that differences stay right. */
#include "model/sums.h"

static void add_times(struct row_times *to, const struct row_times *from)
{
	for (int i = 0; i < SPAN_ROW_NR; i++) {
		struct row_span *a = &to->spans[i];
		const struct row_span *b = &from->spans[i];

		a->sum += b->sum;
		a->max = a->max > b->max ? a->max : b->max;
		for (int j = 0; j < OCTAVES; j++)
			a->octaves[j] += b->octaves[j];
	}
}

/* Known if it is of all that were added. */
static void add_gauge(const struct sums *s, struct gauge *to, const struct gauge *from)
{
	to->known = (to->known || !s->n) && from->known;
	to->value += from->value;
}

void sums__add(struct sums *to, const struct scope *from, bool times)
{
	for (int i = 0; i < C_NR; i++)
		to->c[i] += from->c[i];
	add_gauge(to, &to->stranded_pages, &from->stranded_pages);
	add_gauge(to, &to->stranded_bound_pages, &from->stranded_bound_pages);
	to->pressure_ns += from->pressure_ns;
	to->pressure_sets += from->pressure_sets;
	if (times && from->times) {
		to->timed = true;
		add_times(&to->times, from->times);
	}
	/* one that is new has no times before: it counts from 0 */
	if (times && from->times_before) {
		to->timed_before = true;
		add_times(&to->times_before, from->times_before);
	}
	to->n++;
}

struct scope sums__scope(const struct sums *s, const struct model *m, const struct model_row *row)
{
	/* all slots of all CPUs hold no more, however many cgroups these are */
	const struct gauge *bound = &m->total.stranded_bound_pages;
	struct scope scope = {
		.c = s->c,
		.stock = m->total.stock,
		.in = IN_CGROUP,
		.hits_seen = m->total.hits_seen,
		.sock_apart = m->total.sock_apart,
		.sum = true,
		.times = s->timed ? &s->times : NULL,
		.times_before = s->timed_before ? &s->times_before : NULL,
		.stranded_pages = s->stranded_pages,
		.stranded_bound_pages = s->stranded_bound_pages,
		.pressure_ns = s->pressure_ns,
		.pressure_sets = s->pressure_sets,
	};

	if (bound->known && scope.stranded_bound_pages.value > bound->value)
		scope.stranded_bound_pages.value = bound->value;
	if (row) {
		scope.usage_updates = row->scope.usage_updates;
		scope.usage_cpus = row->scope.usage_cpus;
		scope.row = row->scope.row;
		scope.row_before = row->scope.row_before;
	}
	return scope;
}
