// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "cgroup/paths.h"
#include "state.h"
#include "memcgtop.skel.h"
#include "probe/pairs.h"

static int by_key(const void *a, const void *b)
{
	const struct pair_key *x = &((const struct pair *)a)->key;
	const struct pair_key *y = &((const struct pair *)b)->key;

	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

static int most_first(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->count.evictions == y->count.evictions)
		return 0;
	return x->count.evictions > y->count.evictions ? -1 : 1;
}

static void add(struct pair_count *to, const struct pair_count *from)
{
	to->evictions += from->evictions;
	to->pages += from->pages;
}

/* Sorted, each key once; the new number of pairs. */
static size_t merge(struct pair *p, size_t n)
{
	size_t i, to = 0;

	if (!n)
		return 0;
	qsort(p, n, sizeof(*p), by_key);
	for (i = 1; i < n; i++) {
		if (by_key(&p[to], &p[i]))
			p[++to] = p[i];
		else
			add(&p[to].count, &p[i].count);
	}
	return to + 1;
}

static void sum_copies(struct pair *p, const struct pair_count *copies, size_t ncpus)
{
	size_t cpu;

	for (cpu = 0; cpu < ncpus; cpu++)
		add(&p->count, &copies[cpu]);
}

/* The keys of the map into p, which has room for PAIRS_MAX; how many. */
static size_t read_keys(int map, struct pair *p)
{
	struct pair_key *prev = NULL;
	size_t n = 0;

	while (n < PAIRS_MAX && !bpf_map_get_next_key(map, prev, &p[n].key))
		prev = &p[n++].key;
	return n;
}

void kept_pairs__release(struct kept_pairs *k)
{
	free(k->pairs);
	memset(k, 0, sizeof(*k));
}

static bool is_gone(struct paths *paths, uint64_t cgroup)
{
	return cgroup && !paths__alive(paths, cgroup);
}

static void keep_few(struct kept_pairs *k)
{
	struct pair *other;

	k->n = merge(k->pairs, k->n);
	if (k->n <= KEPT_PAIRS_MAX)
		return;
	qsort(k->pairs, k->n, sizeof(*k->pairs), most_first);
	other = &k->pairs[KEPT_PAIRS_MAX - 1];
	other->key = (struct pair_key){};
	while (k->n > KEPT_PAIRS_MAX)
		add(&other->count, &k->pairs[--k->n].count);
}

void pairs__make_room(struct kept_pairs *k, const struct loaded *l, struct paths *paths)
{
	uint32_t there = l->skel->bss->nr_pairs, taken = 0;
	size_t ncpus = (size_t)libbpf_num_possible_cpus(), n, i;
	int map = bpf_map__fd(l->skel->maps.pairs);
	struct pair_count *copies;
	struct pair *all;

	if (there < PAIRS_MAX / 4 * 3 || there < k->next_turn)
		return;
	copies = calloc(ncpus, sizeof(*copies));
	all = reallocarray(k->pairs, k->n + PAIRS_MAX, sizeof(*all));
	if (all)
		k->pairs = all;
	if (!all || !copies) {
		free(copies);
		return;
	}
	all += k->n;
	memset(all, 0, PAIRS_MAX * sizeof(*all));
	n = read_keys(map, all);
	for (i = 0; i < n; i++) {
		struct pair p = all[i];

		if (!is_gone(paths, p.key.by) && !is_gone(paths, p.key.of))
			continue;
		if (bpf_map_lookup_and_delete_elem(map, &p.key, copies))
			continue;
		sum_copies(&p, copies, ncpus);
		all[taken++] = p;
	}
	free(copies);
	k->n += taken;
	keep_few(k);
	__sync_fetch_and_sub(&l->skel->bss->nr_pairs, taken);
	/* not at every turn when all are alive */
	k->next_turn = there - taken + PAIRS_MAX / 64;
	if (k->next_turn > PAIRS_MAX)
		k->next_turn = PAIRS_MAX;
}

int pairs__read(const struct kept_pairs *k, const struct loaded *l, struct sample *s)
{
	struct pair_count *copies = calloc(s->ncpus, sizeof(*copies));
	int map = bpf_map__fd(l->skel->maps.pairs), err = 0;
	size_t n, i;

	s->pairs = calloc(PAIRS_MAX + k->n, sizeof(*s->pairs));
	if (!copies || !s->pairs) {
		free(copies);
		return -ENOMEM;
	}
	n = read_keys(map, s->pairs);
	for (i = 0; i < n && !err; i++) {
		if (bpf_map_lookup_elem(map, &s->pairs[i].key, copies))
			err = -errno;
		else
			sum_copies(&s->pairs[i], copies, s->ncpus);
	}
	free(copies);
	if (k->n)
		memcpy(&s->pairs[n], k->pairs, k->n * sizeof(*k->pairs));
	s->npairs = merge(s->pairs, n + k->n);
	return err;
}
