// SPDX-License-Identifier: GPL-2.0-only
/* Who evicts whom, who drains, what the stocks hold, and what of it was looked at. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sample/store_parts.h"

/* Far above what memcgtop writes. */
#define PAIRS_IN_FILE_MAX  (16u * PAIRS_MAX)
#define DRAINS_IN_FILE_MAX 16384u
#define KEPT_IN_FILE_MAX   4096u

json_t *store__put_kept(const struct sample *s, int *err)
{
	json_t *array = json_array();

	for (int i = 0; i < C_NR; i++)
		if (!s->lacks[i])
			put__element(array, json_string(counter_names[i]), err);
	return array;
}

static void keep(struct loader *l, const char *name, struct sample *s)
{
	if (!name) {
		loader__wrong(l, "kept", "names");
		return;
	}
	for (int i = 0; i < C_NR; i++)
		if (!strcmp(counter_names[i], name))
			s->lacks[i] = false;
}

void store__get_kept(struct loader *l, const json_t *o, struct sample *s)
{
	const json_t *array;

	memcpy(s->lacks, counter_is_later, sizeof(s->lacks));
	if (!loader__has(l, o, "kept"))
		return;
	array = loader__array(l, o, "kept", KEPT_IN_FILE_MAX);
	memset(s->lacks, true, sizeof(s->lacks));
	for (size_t i = 0; i < json_array_size(array) && !l->rc; i++)
		keep(l, json_string_value(json_array_get(array, i)), s);
	for (int i = 0; i < C_NR; i++)
		if (s->lacks[i] && !counter_is_later[i])
			loader__fault(l, -EINVAL,
				      "%s.kept: %s is missing, which every memcgtop counts",
				      l->where, counter_names[i]);
}

static const struct gauge *gauge_of(const struct row *r, const struct row_member *m)
{
	return (const void *)((const char *)r + m->offset);
}

static const uint64_t *number_of(const struct row *r, const struct row_member *m)
{
	return (const void *)((const char *)r + m->offset);
}

#define MEMBERS(table) (sizeof(table) / sizeof((table)[0]))

void store__put_gauges(json_t *o, const struct row *r, int *err)
{
	for (size_t i = 0; i < MEMBERS(row_gauges); i++) {
		const struct gauge *g = gauge_of(r, &row_gauges[i]);

		if (g->known)
			put__member(o, row_gauges[i].name, put__number(g->value), err);
	}
	for (size_t i = 0; i < MEMBERS(row_numbers); i++) {
		uint64_t n = *number_of(r, &row_numbers[i]);

		if (n)
			put__member(o, row_numbers[i].name, put__number(n), err);
	}
}

void store__get_gauges(struct loader *l, const json_t *o, struct row *r)
{
	for (size_t i = 0; i < MEMBERS(row_gauges); i++) {
		const char *name = row_gauges[i].name;

		if (loader__has(l, o, name))
			*(struct gauge *)gauge_of(r, &row_gauges[i]) = (struct gauge){
				.known = true,
				.value = loader__u64(l, o, name),
			};
	}
	for (size_t i = 0; i < MEMBERS(row_numbers); i++) {
		const char *name = row_numbers[i].name;

		if (loader__has(l, o, name))
			*(uint64_t *)number_of(r, &row_numbers[i]) = loader__u64(l, o, name);
	}
}

json_t *store__put_slots(const struct cpu *c, int *err)
{
	json_t *o, *array;
	int n = SLOTS_MAX;

	if (!c->stock_seen)
		return json_null();
	while (n && !c->slots[n - 1].cgroup && !c->slots[n - 1].pages)
		n--;
	array = json_array();
	for (int i = 0; i < n; i++) {
		json_t *slot = json_object();

		put__member(slot, "cgroup", put__number(c->slots[i].cgroup), err);
		put__member(slot, "pages", put__number(c->slots[i].pages), err);
		put__element(array, slot, err);
	}
	o = json_object();
	put__member(o, "flushing", json_boolean(c->flushing), err);
	put__member(o, "slots", array, err);
	return o;
}

struct slots {
	struct slot *slot;
	size_t n;
};

static void get_slot(struct loader *l, const json_t *o, void *arg)
{
	struct slots *to = arg;
	struct slot *slot = &to->slot[to->n++];

	slot->cgroup = loader__u64(l, o, "cgroup");
	slot->pages = loader__u32(l, o, "pages");
}

void store__get_slots(struct loader *l, const json_t *o, struct cpu *c)
{
	struct slots to = {c->slots, 0};
	const json_t *from;
	size_t old;

	if (!loader__has(l, o, "stock"))
		return;
	from = loader__object(l, o, "stock");
	old = loader__enter(l, ".stock");
	c->stock_seen = true;
	c->flushing = loader__bool(l, from, "flushing");
	loader__each(l, loader__array(l, from, "slots", SLOTS_MAX), "slots", get_slot, &to);
	loader__leave(l, old);
}

json_t *store__put_pairs(const struct sample *s, int *err)
{
	json_t *array;

	if (!s->pairs)
		return json_null();
	array = json_array();
	for (size_t i = 0; i < s->npairs; i++) {
		const struct pair *p = &s->pairs[i];
		json_t *o = json_object();

		put__member(o, "by", put__number(p->key.by), err);
		put__member(o, "of", put__number(p->key.of), err);
		put__member(o, "evictions", put__number(p->count.evictions), err);
		put__member(o, "pages", put__number(p->count.pages), err);
		put__element(array, o, err);
	}
	return array;
}

static void get_pair(struct loader *l, const json_t *o, void *arg)
{
	struct sample *s = arg;
	struct pair *p = &s->pairs[s->npairs++];

	p->key.by = loader__u64(l, o, "by");
	p->key.of = loader__u64(l, o, "of");
	p->count.evictions = loader__u64(l, o, "evictions");
	p->count.pages = loader__u64(l, o, "pages");
	/* In order, so none is there twice, and each is found fast. */
	if (s->npairs > 1 &&
	    (p[-1].key.by > p->key.by || (p[-1].key.by == p->key.by && p[-1].key.of >= p->key.of)))
		loader__wrong(l, "by and of", "a pair above the one before");
}

void store__get_pairs(struct loader *l, const json_t *o, struct sample *s)
{
	const json_t *array;

	if (!loader__has(l, o, "pairs"))
		return;
	array = loader__array(l, o, "pairs", PAIRS_IN_FILE_MAX);
	s->pairs = loader__room(l, json_array_size(array), sizeof(s->pairs[0]));
	loader__each(l, array, "pairs", get_pair, s);
}

json_t *store__put_drains(const struct sample *s, int *err)
{
	json_t *array;

	if (!s->drains)
		return json_null();
	array = json_array();
	for (size_t i = 0; i < s->ndrains; i++) {
		const struct drain_caller *d = &s->drains[i];
		json_t *o = json_object(), *frames = json_array();

		for (uint32_t j = 0; j < d->nframes; j++)
			put__element(frames, put__text(d->frames[j]), err);
		put__member(o, "cgroup", put__number(d->cgroup), err);
		put__member(o, "calls", put__number(d->calls), err);
		put__member(o, "frames", frames, err);
		put__element(array, o, err);
	}
	return array;
}

static void get_drain(struct loader *l, const json_t *o, void *arg)
{
	const json_t *frames = loader__array(l, o, "frames", STACK_FRAMES);
	struct sample *s = arg;
	struct drain_caller *d = &s->drains[s->ndrains++];

	d->cgroup = loader__u64(l, o, "cgroup");
	d->calls = loader__u64(l, o, "calls");
	for (size_t i = 0; i < json_array_size(frames) && !l->rc; i++)
		loader__copy(l, "frames", json_array_get(frames, i), d->frames[d->nframes++],
			     sizeof(d->frames[0]));
}

void store__get_drains(struct loader *l, const json_t *o, struct sample *s)
{
	const json_t *array;

	if (!loader__has(l, o, "drains"))
		return;
	array = loader__array(l, o, "drains", DRAINS_IN_FILE_MAX);
	s->drains = loader__room(l, json_array_size(array), sizeof(s->drains[0]));
	loader__each(l, array, "drains", get_drain, s);
}
