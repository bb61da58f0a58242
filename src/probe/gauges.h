/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of a cgroup say of it now. */
#ifndef MEMCGTOP_GAUGES_H
#define MEMCGTOP_GAUGES_H

#include "sample/sample.h"

/*
 * Fills usage_bytes, limit_bytes and sock_bytes of rows that are live and have
 * charged, the busiest first, for GAUGES_NS at most: what is left then stays
 * unknown. root is where the cgroups are mounted; v1 says which files they have.
 */
void gauges__read(struct sample *s, const char *root, bool v1);

/* A read of memory.stat alone can take a millisecond, and there may be thousands of cgroups. */
#define GAUGES_NS  100000000ULL
#define GAUGES_MIN 16 /* however long these take */

#endif
