/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_DRAINS_H
#define MEMCGTOP_DRAINS_H

#include "host.h"
#include "probe/load.h"

struct paths;

/* Before load: tells the programs which CPUs drain_all_stock passes over on this kernel. */
void drains__set_isolated(struct memcgtop_bpf *skel, const struct host_info *host);

/* Callers for cgroups that are gone, taken out of the map to make room. */
struct kept_callers {
	struct drain_caller *callers;
	size_t n;
	uint32_t next_turn; /* callers in the map that make another turn worth while */
};

/* Beyond so many the half with the fewest calls is only known by its stacks. */
#define KEPT_CALLERS_MAX 2048

void kept_callers__release(struct kept_callers *k);

/* When the map runs full: takes out the callers for cgroups that are gone. */
void drains__make_room(struct kept_callers *k, const struct loaded *l, struct paths *paths);

/* Fills s->drains, most calls first, and s->drain_all_busy. 0 or a negative errno. */
int drains__read(const struct kept_callers *k, const struct loaded *l, struct sample *s);

#endif
