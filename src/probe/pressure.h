/* SPDX-License-Identifier: GPL-2.0-only */
/* For how long each cgroup was under socket pressure, its own or that of a cgroup above it. */
#ifndef MEMCGTOP_PRESSURE_H
#define MEMCGTOP_PRESSURE_H

#include "probe/load.h"

struct pressure {
	uint32_t max_rows;
	uint64_t looked;       /* CLOCK_MONOTONIC, ns, of the last look */
	uint64_t *ns;	       /* [max_rows] up to then */
	uint64_t *until;       /* [max_rows] as the last look found it */
	struct pressed *found; /* [max_rows], of one look */
};

/* 0 or -ENOMEM. */
int pressure__init(struct pressure *p, uint32_t max_rows);
void pressure__release(struct pressure *p);

/*
 * Adds what has passed since the last look. Exact if that is less than a
 * second ago, which is how long a set lasts; else short ones between are lost.
 */
void pressure__look(struct pressure *p, const struct loaded *l, uint64_t now);

/* The row goes to another cgroup. */
void pressure__forget_row(struct pressure *p, uint32_t row);

#endif
