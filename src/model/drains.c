// SPDX-License-Identifier: GPL-2.0-only
/* Who takes whose slot, and who has the stocks of all CPUs drained, in the window. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields_count.h"
#include "model/stocks.h"

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_keys(const struct pair *x, const struct pair *y)
{
	int order = THREE_WAY(x->key.by, y->key.by);

	return order ? order : THREE_WAY(x->key.of, y->key.of);
}

static int most_evictions(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = THREE_WAY(y->count.evictions, x->count.evictions);

	if (!order)
		order = THREE_WAY(y->count.pages, x->count.pages);
	return order ? order : compare_keys(x, y);
}

static int compare_callers(const struct drain_caller *x, const struct drain_caller *y)
{
	int order = THREE_WAY(x->cgroup, y->cgroup);

	if (!order)
		order = THREE_WAY(x->nframes, y->nframes);
	for (uint32_t i = 0; !order && i < x->nframes && i < STACK_FRAMES; i++)
		order = strcmp(x->frames[i], y->frames[i]);
	return order;
}

static int by_caller(const void *a, const void *b)
{
	return compare_callers(*(const struct drain_caller *const *)a,
			       *(const struct drain_caller *const *)b);
}

static int most_calls(const void *a, const void *b)
{
	const struct drain_caller *x = a, *y = b;
	int order = THREE_WAY(y->calls, x->calls);

	return order ? order : compare_callers(x, y);
}

/* Both samples have their pairs by key. */
static int init_pairs(struct model *m)
{
	const struct sample *start = m->window->start;
	const size_t nstart = start ? start->npairs : 0;
	size_t at = 0;

	m->pairs = calloc(m->end->npairs + 1, sizeof(m->pairs[0]));
	if (!m->pairs)
		return -ENOMEM;
	for (size_t i = 0; i < m->end->npairs; i++) {
		struct pair p = m->end->pairs[i];

		while (at < nstart && compare_keys(&start->pairs[at], &p) < 0)
			at++;
		if (at < nstart && !compare_keys(&start->pairs[at], &p)) {
			const struct pair_count *before = &start->pairs[at].count;

			p.count.evictions = minus(p.count.evictions, before->evictions);
			p.count.pages = minus(p.count.pages, before->pages);
		}
		if (p.count.evictions)
			m->pairs[m->npairs++] = p;
	}
	qsort(m->pairs, m->npairs, sizeof(m->pairs[0]), most_evictions);
	return 0;
}

static int init_drains(struct model *m)
{
	const struct sample *start = m->window->start;
	const size_t nstart = start ? start->ndrains : 0;
	const struct drain_caller **before = calloc(nstart + 1, sizeof(before[0]));

	m->drains = calloc(m->end->ndrains + 1, sizeof(m->drains[0]));
	if (!m->drains || !before) {
		free(before);
		return -ENOMEM;
	}
	for (size_t i = 0; i < nstart; i++)
		before[i] = &start->drains[i];
	qsort(before, nstart, sizeof(before[0]), by_caller);
	for (size_t i = 0; i < m->end->ndrains; i++) {
		const struct drain_caller *now = &m->end->drains[i], **found;
		struct drain_caller *d = &m->drains[m->ndrains];

		found = bsearch(&now, before, nstart, sizeof(before[0]), by_caller);
		*d = *now;
		d->calls = minus(d->calls, found ? (*found)->calls : 0);
		m->ndrains += d->calls != 0;
	}
	free(before);
	qsort(m->drains, m->ndrains, sizeof(m->drains[0]), most_calls);
	return 0;
}

int drains__init(struct model *m)
{
	const struct sample *start = m->window->start;
	int err = init_pairs(m);

	m->drain_all_busy = minus(m->end->drain_all_busy, start ? start->drain_all_busy : 0);
	return err ? err : init_drains(m);
}

void drains__release(struct model *m)
{
	free(m->pairs);
	free(m->drains);
	m->pairs = NULL;
	m->drains = NULL;
	m->npairs = m->ndrains = 0;
}

/* The functions that call drain_all_stock(), or are called for nothing else. */
static const struct {
	const char *function;
	enum drain_why why;
} callers[] = {
	{"try_charge_memcg", WHY_CHARGE},	 {"memory_max_write", WHY_LIMIT},
	{"memory_high_write", WHY_HIGH},	 {"memory_reclaim", WHY_RECLAIM},
	{"user_proactive_reclaim", WHY_RECLAIM}, {"mem_cgroup_css_offline", WHY_OFFLINE},
	{"memcg_offline_kmem", WHY_OFFLINE},	 {"mem_cgroup_resize_max", WHY_RESIZE},
	{"mem_cgroup_force_empty", WHY_FORCED},
};

/* The compiler's copies have a suffix: mem_cgroup_resize_max.isra.0. */
static bool is_function(const char *frame, const char *function)
{
	size_t len = strlen(function);

	return !strncmp(frame, function, len) && (!frame[len] || frame[len] == '.');
}

enum drain_why drain_caller__why(const struct drain_caller *d)
{
	const size_t n = sizeof(callers) / sizeof(callers[0]);

	for (uint32_t frame = 0; frame < d->nframes && frame < STACK_FRAMES; frame++)
		for (size_t i = 0; i < n; i++)
			if (is_function(d->frames[frame], callers[i].function))
				return callers[i].why;
	return WHY_OTHER;
}

const char *drain_why__name(enum drain_why w)
{
	static const char *const names[WHY_NR] = {
		[WHY_LIMIT] = "memory.max",
		[WHY_HIGH] = "memory.high",
		[WHY_CHARGE] = "charge at the limit",
		[WHY_RECLAIM] = "memory.reclaim",
		[WHY_OFFLINE] = "offline",
		[WHY_RESIZE] = "memory.limit_in_bytes",
		[WHY_FORCED] = "memory.force_empty",
		[WHY_OTHER] = "other",
	};

	return names[w];
}
