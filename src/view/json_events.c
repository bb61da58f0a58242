// SPDX-License-Identifier: GPL-2.0-only
/* Who does what to whom, what the stocks hold, and when it happened. */
#include <math.h>

#include "view/json.h"

void json__put_id(struct writer *w, const char *key, uint64_t id)
{
	json__key(w, key);
	if (id)
		json__u64(w, id);
	else
		json__null(w);
}

void json__pairs(struct writer *w, const struct model *m)
{
	json__key(w, "eviction_pairs");
	json__open(w, '[');
	for (size_t i = 0; i < m->npairs; i++) {
		const struct pair *p = &m->pairs[i];

		json__open(w, '{');
		json__put_id(w, "by", p->key.by);
		json__put_id(w, "of", p->key.of);
		json__put_u64(w, "evictions", p->count.evictions);
		json__put_u64(w, "pages", p->count.pages);
		json__close(w, '}');
	}
	json__close(w, ']');
}

static void drain_caller(struct writer *w, const struct drain_caller *d)
{
	json__open(w, '{');
	json__put_id(w, "cgroup", d->cgroup);
	json__put_string(w, "why", drain_why__name(drain_caller__why(d)));
	json__put_u64(w, "calls", d->calls);
	json__key(w, "stack");
	json__open(w, '[');
	for (uint32_t i = 0; i < d->nframes; i++)
		json__string(w, d->frames[i]);
	json__close(w, ']');
	json__close(w, '}');
}

void json__drains(struct writer *w, const struct model *m)
{
	json__key(w, "drain_callers");
	json__open(w, '[');
	for (size_t i = 0; i < m->ndrains; i++)
		drain_caller(w, &m->drains[i]);
	json__close(w, ']');
	json__key(w, "drain_all_busy");
	if (json__why_no_busy(m).reason == REASON_NONE)
		json__u64(w, m->drain_all_busy);
	else
		json__null(w);
}

/* Those that are taken, in the order of the stock. */
void json__slots(struct writer *w, const struct cpu *c)
{
	if (!c->stock_seen) {
		json__put_null(w, "slots");
		json__put_null(w, "flushing");
		return;
	}
	json__key(w, "slots");
	json__open(w, '[');
	for (int i = 0; i < SLOTS_MAX; i++) {
		if (!c->slots[i].cgroup && !c->slots[i].pages)
			continue;
		json__open(w, '{');
		json__put_id(w, "cgroup", c->slots[i].cgroup);
		json__put_u64(w, "pages", c->slots[i].pages);
		json__close(w, '}');
	}
	json__close(w, ']');
	json__put_bool(w, "flushing", c->flushing);
}

void json__pressure(struct writer *w, const struct row *r)
{
	bool hit = r->hit_usage_pages || r->hit_limit_pages;

	json__put_id(w, "pressure_setter", r->pressure_setter);
	if (!hit) {
		json__put_null(w, "hit_usage_pages");
		json__put_null(w, "hit_limit_pages");
		return;
	}
	json__put_u64(w, "hit_usage_pages", r->hit_usage_pages);
	json__put_u64(w, "hit_limit_pages", r->hit_limit_pages);
}

static uint64_t sum(const uint64_t *n, size_t ncpus)
{
	uint64_t all = 0;

	for (size_t i = 0; i < ncpus; i++)
		all += n[i];
	return all;
}

void json__timeline(struct writer *w, const struct window *win)
{
	json__key(w, "timeline");
	json__open(w, '[');
	for (size_t i = 0; i < win->nintervals; i++) {
		const struct interval *in = &win->intervals[i];
		double end = NAN;

		if (win->start)
			end = (double)(int64_t)(in->end_ns - win->start->time_ns) / 1e9;
		json__open(w, '{');
		json__put_real(w, "end_s", end);
		json__put_u64(w, "charges", sum(in->charges, win->end->ncpus));
		json__put_u64(w, "misses", sum(in->misses, win->end->ncpus));
		json__close(w, '}');
	}
	json__close(w, ']');
}
