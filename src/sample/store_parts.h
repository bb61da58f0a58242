/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a sample file that later files have, each with its writing and its
 * reading. store__put_*() return the value of the member, or add members to an
 * object; store__get_*() find their members in the object, or their absence.
 */
#ifndef MEMCGTOP_STORE_PARTS_H
#define MEMCGTOP_STORE_PARTS_H

#include "sample/store_get.h"
#include "sample/store_put.h"

/* "spans": {"walk": {"sum", "max", "buckets": {"1024": 5, ">6442450944": 1}}, ...} */
json_t *store__put_spans(const struct sample *s, int *err);
void store__get_spans(struct loader *l, const json_t *o, struct sample *s);

/* "times" of a row: the same, but empty ones are left out. */
json_t *store__put_times(const struct row *r, int *err);
void store__get_times(struct loader *l, const json_t *o, struct row *r);

/* "intervals": [{"end_ns", "charges": {"0": 17}, "misses": {}}] */
json_t *store__put_intervals(const struct window *w, int *err);
void store__get_intervals(struct loader *l, const json_t *o, struct window *w);

/* "kept": ["charge_sock_task", ...] */
json_t *store__put_kept(const struct sample *s, int *err);
void store__get_kept(struct loader *l, const json_t *o, struct sample *s);

/* A row's gauges that are known, and its numbers that are not 0, into its object. */
void store__put_gauges(json_t *o, const struct row *r, int *err);
void store__get_gauges(struct loader *l, const json_t *o, struct row *r);

/* "stock" of a CPU: {"flushing", "slots": [{"cgroup", "pages"}]}; null: not seen */
json_t *store__put_slots(const struct cpu *c, int *err);
void store__get_slots(struct loader *l, const json_t *o, struct cpu *c);

/* "pairs": [{"by", "of", "evictions", "pages"}], by their keys, ascending */
json_t *store__put_pairs(const struct sample *s, int *err);
void store__get_pairs(struct loader *l, const json_t *o, struct sample *s);

/* "drains": [{"cgroup", "calls", "frames": [...]}] */
json_t *store__put_drains(const struct sample *s, int *err);
void store__get_drains(struct loader *l, const json_t *o, struct sample *s);

#endif
