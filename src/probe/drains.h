/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_DRAINS_H
#define MEMCGTOP_DRAINS_H

#include "host.h"
#include "probe/load.h"

/* Before load: tells the programs which CPUs drain_all_stock passes over on this kernel. */
void drains__set_isolated(struct memcgtop_bpf *skel, const struct host_info *host);

/* Fills s->drains, most calls first, and s->drain_all_busy. 0 or a negative errno. */
int drains__read(const struct loaded *l, struct sample *s);

#endif
