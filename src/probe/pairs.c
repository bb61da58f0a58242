// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

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

static int read_pairs(int map, struct sample *s, struct pair_count *copies)
{
	struct pair_key key, *prev = NULL;

	while (s->npairs < PAIRS_MAX && !bpf_map_get_next_key(map, prev, &key)) {
		struct pair *p = &s->pairs[s->npairs];
		size_t cpu;

		if (bpf_map_lookup_elem(map, &key, copies))
			return -errno;
		p->key = key;
		for (cpu = 0; cpu < s->ncpus; cpu++) {
			p->count.evictions += copies[cpu].evictions;
			p->count.pages += copies[cpu].pages;
		}
		prev = &s->pairs[s->npairs++].key;
	}
	return 0;
}

int pairs__read(const struct loaded *l, struct sample *s)
{
	struct pair_count *copies = calloc(s->ncpus, sizeof(*copies));
	int err = -ENOMEM;

	s->pairs = calloc(PAIRS_MAX, sizeof(*s->pairs));
	if (copies && s->pairs)
		err = read_pairs(bpf_map__fd(l->skel->maps.pairs), s, copies);
	free(copies);
	if (!err)
		qsort(s->pairs, s->npairs, sizeof(*s->pairs), by_key);
	return err;
}
