/* SPDX-License-Identifier: GPL-2.0-only */
/* The derived measures of the field table: private to src/model. */
#ifndef MEMCGTOP_FIELDS_COUNT_H
#define MEMCGTOP_FIELDS_COUNT_H

#include "model/fields.h"

/* Adds up the counters of a list that -1 ends. */
uint64_t counters__sum(const struct scope *s, const short *list);

/* a - b, or 0: losses and races may leave a part above its whole. */
static inline uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t count_inline_hits(const struct scope *s);
uint64_t count_charges(const struct scope *s);
uint64_t count_hits(const struct scope *s);
uint64_t count_misses(const struct scope *s);
uint64_t count_miss_unknown(const struct scope *s);
uint64_t count_uncharges(const struct scope *s);
uint64_t count_uncharge_pages(const struct scope *s);
uint64_t count_refills(const struct scope *s);
uint64_t count_drains(const struct scope *s);
uint64_t count_walks(const struct scope *s);
uint64_t count_sock_charges(const struct scope *s);
uint64_t count_usage_updates(const struct scope *s);
uint64_t count_usage_cpus(const struct scope *s);
uint64_t count_memcgs(const struct scope *s);
uint64_t count_pressure_ns(const struct scope *s);
uint64_t count_pressure_sets(const struct scope *s);

double ratio_misses(const struct scope *s);
double ratio_misses_expected(const struct scope *s);
double ratio_hits(const struct scope *s);
double ratio_misses_small(const struct scope *s);
double ratio_pages_per_walk(const struct scope *s);
double ratio_amplification(const struct scope *s);
double ratio_obj_amplification(const struct scope *s);
double ratio_drain_innocent(const struct scope *s);
double ratio_sock_share(const struct scope *s);

/* False: not known. */
bool gauge_slots_used(const struct scope *s, uint64_t *value);
bool gauge_stranded_pages(const struct scope *s, uint64_t *value);
bool gauge_stranded_bound_pages(const struct scope *s, uint64_t *value);
bool gauge_stranded_seen_max(const struct scope *s, uint64_t *value);
bool gauge_usage_bytes(const struct scope *s, uint64_t *value);
bool gauge_limit_bytes(const struct scope *s, uint64_t *value);
bool gauge_sock_bytes(const struct scope *s, uint64_t *value);

#endif
