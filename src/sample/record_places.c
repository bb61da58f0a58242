// SPDX-License-Identifier: GPL-2.0-only
#include "sample/record_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sample/store_parts.h"

/* As the bounds of store_events.c: far above what memcgtop writes. */
#define PAIRS_IN_FILE_MAX  (16u * PAIRS_MAX)
#define DRAINS_IN_FILE_MAX 16384u

size_t *places__get(struct loader *l, const json_t *o, const char *key, size_t bound, size_t *n)
{
	const json_t *steps = loader__has(l, o, key) ? loader__array(l, o, key, bound) : NULL;
	size_t *places = loader__room(l, json_array_size(steps), sizeof(places[0]));
	json_int_t place = 0;

	*n = json_array_size(steps);
	for (size_t i = 0; i < *n && !l->rc; i++) {
		const json_t *step = json_array_get(steps, i);
		json_int_t by = json_integer_value(step);

		if (!json_is_integer(step) || by < (i > 0) || by >= (json_int_t)bound ||
		    place + by >= (json_int_t)bound) {
			loader__wrong(l, key, "steps from place to place of a table");
			break;
		}
		place += by;
		places[i] = (size_t)place;
	}
	return places;
}

/* Ranks in the new order, each once. NULL: they stay as they are, or a fault. */
static size_t *get_order(struct loader *l, const json_t *o, size_t n)
{
	const json_t *ranks;
	size_t *order;
	bool *taken;

	if (!loader__has(l, o, "order"))
		return NULL;
	ranks = loader__array(l, o, "order", n);
	order = loader__room(l, n, sizeof(order[0]));
	taken = loader__room(l, n, sizeof(taken[0]));
	if (json_array_size(ranks) != n)
		loader__wrong(l, "order", "a rank of each that stays");
	for (size_t i = 0; i < n && !l->rc; i++) {
		const json_t *rank = json_array_get(ranks, i);
		json_int_t to = json_integer_value(rank);

		if (!json_is_integer(rank) || to < 0 || to >= (json_int_t)n || taken[to]) {
			loader__wrong(l, "order", "each rank once");
			break;
		}
		taken[to] = true;
		order[i] = (size_t)to;
	}
	free(taken);
	return order;
}

/* Items on their way from one array to another. */
struct move {
	struct loader *l;
	enum table table;
	struct items from;
	char *to;
	size_t nto;
	size_t *gone, ngone;
	size_t *fresh, nfresh;
	size_t *order;
};

static const json_t *list(const struct move *m, const json_t *o, const char *key)
{
	const json_t *array = loader__array(m->l, o, key, m->nfresh);

	if (array && json_array_size(array) != m->nfresh)
		loader__wrong(m->l, key, "one for each that is new");
	return array;
}

/* An element is read by the getters of members: as one of an object. */
static json_t *as_member(const json_t *array, size_t i, const char *key)
{
	return json_pack("{s:O}", key, json_array_get(array, i));
}

static uint64_t number_at(struct loader *l, const json_t *array, size_t i, const char *key)
{
	json_t *o = as_member(array, i, key);
	uint64_t n = loader__u64(l, o, key);

	json_decref(o);
	return n;
}

static void get_frames(struct loader *l, const json_t *array, size_t i, struct drain_caller *d)
{
	json_t *o = as_member(array, i, "frames");
	const json_t *frames = loader__array(l, o, "frames", STACK_FRAMES);

	for (size_t j = 0; j < json_array_size(frames) && !l->rc; j++)
		loader__copy(l, "frames", json_array_get(frames, j), d->frames[d->nframes++],
			     sizeof(d->frames[0]));
	json_decref(o);
}

/* Who the new ones are. */
static void get_identities(const struct move *m, const json_t *o)
{
	static const char *const keys[TABLE_NR][2] = {
		[TABLE_CPUS] = {"cpu"},
		[TABLE_CGROUPS] = {"id"},
		[TABLE_PAIRS] = {"by", "of"},
		[TABLE_DRAINS] = {"cgroup", "frames"},
	};
	const char *first = keys[m->table][0], *second = keys[m->table][1];
	const json_t *a = list(m, o, first), *b = second ? list(m, o, second) : NULL;

	for (size_t i = 0; i < m->nfresh && !m->l->rc; i++) {
		char *item = m->to + m->fresh[i] * m->from.size;
		uint64_t n = number_at(m->l, a, i, first);
		struct pair *p = (struct pair *)item;
		struct drain_caller *d = (struct drain_caller *)item;

		if (m->table == TABLE_CPUS) {
			if (n >= CPUS_IN_FILE_MAX)
				loader__wrong(m->l, first, "numbers of CPUs");
			((struct cpu *)item)->cpu = (uint32_t)n;
		} else if (m->table == TABLE_CGROUPS) {
			((struct row *)item)->id = n;
		} else if (m->table == TABLE_PAIRS) {
			p->key.by = n;
			p->key.of = number_at(m->l, b, i, second);
		} else {
			d->cgroup = n;
			get_frames(m->l, b, i, d);
		}
	}
}

static void free_item(enum table t, void *item)
{
	struct row *r = item;

	if (t != TABLE_CGROUPS)
		return;
	free(r->path);
	free(r->cpu_updates);
	free(r->cpu_charges);
	free(r->times);
}

/* Nothing can fail here: no item is in both arrays, or in none. */
static void move_items(const struct move *m, size_t *stay)
{
	size_t n = 0, size = m->from.size;
	char *from = m->from.at;

	for (size_t i = 0, g = 0; i < m->from.n; i++) {
		if (g < m->ngone && m->gone[g] == i) {
			free_item(m->table, from + i * size);
			g++;
		} else {
			stay[n++] = i;
		}
	}
	for (size_t i = 0, f = 0, k = 0; i < m->nto; i++) {
		if (f < m->nfresh && m->fresh[f] == i) {
			f++;
			continue;
		}
		memcpy(m->to + i * size, from + stay[m->order ? m->order[k] : k] * size, size);
		k++;
	}
}

static void set_items(struct sample *s, enum table t, void *at, size_t n)
{
	if (t == TABLE_CPUS) {
		s->cpus = at;
		s->ncpus = n;
	} else if (t == TABLE_CGROUPS) {
		s->rows = at;
		s->nrows = n;
	} else if (t == TABLE_PAIRS) {
		s->pairs = at;
		s->npairs = n;
	} else {
		s->drains = at;
		s->ndrains = n;
	}
}

static size_t most_of(enum table t, const struct sample *s, const struct record_limits *limits)
{
	size_t most = limits->items;

	switch (t) {
	case TABLE_CPUS:
		return most < CPUS_IN_FILE_MAX ? most : CPUS_IN_FILE_MAX;
	case TABLE_PAIRS:
		return PAIRS_IN_FILE_MAX;
	case TABLE_DRAINS:
		return DRAINS_IN_FILE_MAX;
	default:
		if (most > ROWS_MAX)
			most = ROWS_MAX;
		if (s->ncpus && most > limits->cells / s->ncpus)
			most = limits->cells / s->ncpus;
		return most;
	}
}

/* In order, so none is there twice, and each is found fast. */
static void check_order(struct loader *l, const struct sample *s, enum table t)
{
	for (size_t i = 1; t == TABLE_CPUS && i < s->ncpus; i++)
		if (s->cpus[i].cpu <= s->cpus[i - 1].cpu)
			loader__wrong(l, "cpu", "a number above that of the CPU before");
	for (size_t i = 1; t == TABLE_PAIRS && i < s->npairs; i++) {
		const struct pair_key *a = &s->pairs[i - 1].key, *b = &s->pairs[i].key;

		if (a->by > b->by || (a->by == b->by && a->of >= b->of))
			loader__wrong(l, "by and of", "a pair above the one before");
	}
}

static void reshape(struct move *m, const json_t *o, struct sample *s,
		    const struct record_limits *limits)
{
	struct loader *l = m->l;
	size_t most = most_of(m->table, s, limits), *stay;

	m->gone = places__get(l, o, "gone", m->from.n, &m->ngone);
	m->nfresh = loader__has(l, o, "new") ? json_array_size(json_object_get(o, "new")) : 0;
	m->nto = m->from.n - (l->rc ? 0 : m->ngone) + m->nfresh;
	if (m->nto > most)
		loader__fault(l, -EINVAL, "%s: %zu items, more than the %zu that can be", l->where,
			      m->nto, most);
	m->fresh = places__get(l, o, "new", m->nto, &m->nfresh);
	m->order = get_order(l, o, m->nto - m->nfresh);
	m->to = loader__room(l, m->nto, m->from.size);
	stay = loader__room(l, m->from.n, sizeof(stay[0]));
	if (!l->rc && m->nfresh)
		get_identities(m, o);
	if (l->rc) {
		free(m->to);
	} else {
		move_items(m, stay);
		free(m->from.at);
		set_items(s, m->table, m->to, m->nto);
	}
	free(stay);
}

void places__reshape(struct loader *l, const json_t *o, enum table t, struct sample *s,
		     const struct record_limits *limits)
{
	struct move m = {.l = l, .table = t, .from = items_of(s, t)};

	if (t == TABLE_TOTAL || t == TABLE_SPANS || t == TABLE_PROBES)
		return;
	if (!loader__has(l, o, "gone") && !loader__has(l, o, "new") && !loader__has(l, o, "order"))
		return;
	/* what cgroups have of each CPU lies in their order */
	if (t == TABLE_CPUS && s->nrows) {
		loader__fault(l, -EINVAL, "%s: other CPUs, and not a whole sample", l->where);
		return;
	}
	reshape(&m, o, s, limits);
	free(m.gone);
	free(m.fresh);
	free(m.order);
	if (!l->rc)
		check_order(l, s, t);
}
