/* SPDX-License-Identifier: GPL-2.0-only */
/* The times that the programs took, from their maps into a sample. */
#ifndef MEMCGTOP_PROBE_TIMES_H
#define MEMCGTOP_PROBE_TIMES_H

#include "probe/load.h"

/* Adds b to a; the largest of both is kept as the largest. */
void row_times__add(struct row_times *a, const struct row_times *b);

/* A row's times, added up over the CPUs, into `to`. 0 or a negative errno. */
int row_times__read(const struct loaded *l, uint32_t row, size_t ncpus, struct row_times *to);

/* For the next that gets the row. */
void row_times__clear(const struct loaded *l, uint32_t row, size_t ncpus);

/* Fills s->spans, added up over the CPUs. 0 or a negative errno. */
int spans__read(const struct loaded *l, struct sample *s);

#endif
