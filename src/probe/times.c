// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "state.h"
#include "memcgtop.skel.h"
#include "probe/times.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void row_times__add(struct row_times *a, const struct row_times *b)
{
	int span, i;

	for (span = 0; span < SPAN_ROW_NR; span++) {
		struct row_span *to = &a->spans[span];
		const struct row_span *from = &b->spans[span];

		to->sum += from->sum;
		to->max = larger(to->max, from->max);
		for (i = 0; i < OCTAVES; i++)
			to->octaves[i] += from->octaves[i];
	}
}

int row_times__read(const struct loaded *l, uint32_t row, size_t ncpus, struct row_times *to)
{
	struct row_times *copies = calloc(ncpus, sizeof(*copies));
	size_t cpu;
	int err = 0;

	if (!copies)
		return -ENOMEM;
	if (bpf_map_lookup_elem(bpf_map__fd(l->skel->maps.times), &row, copies))
		err = -errno;
	for (cpu = 0; cpu < ncpus && !err; cpu++)
		row_times__add(to, &copies[cpu]);
	free(copies);
	return err;
}

void row_times__clear(const struct loaded *l, uint32_t row, size_t ncpus)
{
	struct row_times *none = calloc(ncpus, sizeof(*none));

	if (none)
		bpf_map_update_elem(bpf_map__fd(l->skel->maps.times), &row, none, BPF_ANY);
	free(none);
}

static void hist_add(struct hist *to, const struct hist *from)
{
	int i;

	to->sum += from->sum;
	to->max = larger(to->max, from->max);
	for (i = 0; i < HIST_BUCKETS; i++)
		to->buckets[i] += from->buckets[i];
}

int spans__read(const struct loaded *l, struct sample *s)
{
	struct hist *copies = calloc(s->ncpus, sizeof(*copies));
	uint32_t span;
	size_t cpu;
	int err = 0;

	s->spans = calloc(SPAN_NR, sizeof(*s->spans));
	if (!copies || !s->spans)
		err = -ENOMEM;
	for (span = 0; span < SPAN_NR && !err; span++) {
		if (bpf_map_lookup_elem(bpf_map__fd(l->skel->maps.hists), &span, copies)) {
			err = -errno;
			break;
		}
		for (cpu = 0; cpu < s->ncpus; cpu++)
			hist_add(&s->spans[span], &copies[cpu]);
	}
	free(copies);
	return err;
}
