/* SPDX-License-Identifier: GPL-2.0-only */
/* What several cgroups did, added up. */
#ifndef MEMCGTOP_SUMS_H
#define MEMCGTOP_SUMS_H

#include "model/model.h"

struct sums {
	size_t n; /* scopes that were added */
	uint64_t c[C_NR];
	struct gauge stranded_pages;
	struct gauge stranded_bound_pages;
	uint64_t pressure_ns;
	uint64_t pressure_sets;
	bool timed;
	bool timed_before;
	struct row_times times; /* kept only if `timed` */
	struct row_times times_before;
};

/* Adds what a row, or other sums, counted; its times only if they are asked for. */
void sums__add(struct sums *to, const struct scope *from, bool times);

/*
 * The sums as a scope of m. With a row it is that cgroup and all below it: what
 * includes the descendants anyway is the row's own.
 */
struct scope sums__scope(const struct sums *s, const struct model *m, const struct model_row *row);

#endif
