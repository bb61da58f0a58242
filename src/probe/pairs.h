/* SPDX-License-Identifier: GPL-2.0-only */
/* Who evicted whom, from the map of the programs. */
#ifndef MEMCGTOP_PAIRS_H
#define MEMCGTOP_PAIRS_H

#include "probe/load.h"

struct paths;

/* Pairs of cgroups that are gone, taken out of the map to make room. */
struct kept_pairs {
	struct pair *pairs;
	size_t n;
	uint32_t next_turn; /* pairs in the map that make another turn worth while */
};

/* Beyond so many the rarest become one pair of `other`. */
#define KEPT_PAIRS_MAX 16384

void kept_pairs__release(struct kept_pairs *k);

/* When the map runs full: takes out the pairs of which one cgroup is gone. */
void pairs__make_room(struct kept_pairs *k, const struct loaded *l, struct paths *paths);

/* Fills s->pairs, sorted by the keys. 0 or a negative errno. */
int pairs__read(const struct kept_pairs *k, const struct loaded *l, struct sample *s);

#endif
