// SPDX-License-Identifier: GPL-2.0-only
#include "sample/record_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Equal for the same item, and seldom for others. */
static uint64_t key_of(enum table t, const void *item)
{
	const struct drain_caller *d = item;
	const struct probe *p = item;
	const struct pair *pair = item;
	uint64_t key;

	switch (t) {
	case TABLE_PROBES:
		return p->prog;
	case TABLE_CPUS:
		return ((const struct cpu *)item)->cpu;
	case TABLE_CGROUPS:
		return ((const struct row *)item)->id;
	case TABLE_PAIRS:
		return pair->key.by * 0x9e3779b97f4a7c15ull + pair->key.of;
	case TABLE_DRAINS:
		key = d->cgroup;
		for (uint32_t i = 0; i < d->nframes; i++)
			for (const char *c = d->frames[i]; *c; c++)
				key = (key ^ (unsigned char)*c) * 0x100000001b3ull + i;
		return key;
	default:
		return 0;
	}
}

static bool same_drain(const struct drain_caller *a, const struct drain_caller *b)
{
	if (a->cgroup != b->cgroup || a->nframes != b->nframes)
		return false;
	for (uint32_t i = 0; i < a->nframes; i++)
		if (strcmp(a->frames[i], b->frames[i]))
			return false;
	return true;
}

static bool same(enum table t, const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	if (t == TABLE_DRAINS)
		return same_drain(a, b);
	if (t == TABLE_PAIRS)
		return p->key.by == q->key.by && p->key.of == q->key.of;
	return key_of(t, a) == key_of(t, b);
}

struct entry {
	uint64_t key;
	size_t at;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static const void *item_at(const struct items *items, size_t i)
{
	return (const char *)items->at + i * items->size;
}

static struct entry *sorted(enum table t, const struct items *items)
{
	struct entry *index = calloc(items->n + 1, sizeof(*index));

	for (size_t i = 0; index && i < items->n; i++)
		index[i] = (struct entry){key_of(t, item_at(items, i)), i};
	if (index)
		qsort(index, items->n, sizeof(*index), compare_entries);
	return index;
}

/* The first with that key. */
static size_t lower(const struct entry *index, size_t n, uint64_t key)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (index[middle].key < key)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Each one before is taken once: two of the same identity are two items. */
static int look_up(struct match *m, enum table t, const struct items *from, const struct items *to)
{
	struct entry *index = NULL;

	for (size_t i = 0; i < to->n; i++) {
		const void *item = item_at(to, i);
		uint64_t key;

		if (i < from->n && m->rank[i] == NO_MATCH && same(t, item, item_at(from, i))) {
			m->before[i] = i;
			m->rank[i] = 0;
			continue;
		}
		if (!index)
			index = sorted(t, from);
		if (!index)
			return -ENOMEM;
		key = key_of(t, item);
		for (size_t j = lower(index, from->n, key);
		     j < from->n && index[j].key == key && m->before[i] == NO_MATCH; j++)
			if (m->rank[index[j].at] == NO_MATCH &&
			    same(t, item, item_at(from, index[j].at))) {
				m->before[i] = index[j].at;
				m->rank[index[j].at] = 0;
			}
	}
	free(index);
	return 0;
}

int match__init(struct match *m, enum table t, const struct items *from, const struct items *to)
{
	size_t last = 0;
	int err;

	*m = (struct match){
		.before = malloc((to->n + 1) * sizeof(m->before[0])),
		.rank = malloc((from->n + 1) * sizeof(m->rank[0])),
	};
	if (!m->before || !m->rank) {
		match__release(m);
		return -ENOMEM;
	}
	for (size_t i = 0; i < to->n; i++)
		m->before[i] = NO_MATCH;
	for (size_t i = 0; i < from->n; i++)
		m->rank[i] = NO_MATCH;
	err = look_up(m, t, from, to);
	if (err) {
		match__release(m);
		return err;
	}
	for (size_t i = 0; i < from->n; i++)
		if (m->rank[i] != NO_MATCH)
			m->rank[i] = m->stay++;
	for (size_t i = 0; i < to->n; i++) {
		if (m->before[i] == NO_MATCH)
			continue;
		m->moved |= m->before[i] < last;
		last = m->before[i];
	}
	return 0;
}

void match__release(struct match *m)
{
	free(m->before);
	free(m->rank);
	*m = (struct match){0};
}
