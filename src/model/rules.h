/* SPDX-License-Identifier: GPL-2.0-only */
/* What the rules compare and say, of a place: private to src/model. */
#ifndef MEMCGTOP_RULES_H
#define MEMCGTOP_RULES_H

#include "model/model.h"

/* The key of a field, or with a dot of a part of it. False: no such thing. */
bool rule__find(const char *key, const struct field **f, const struct part **part);

/* All that the rules know of the measurement: the field table, by key. NAN: none of it. */
double rule__get(const struct place *p, const char *key);

/* The cgroup with most of a measure, (other) aside; NULL: none has any. */
const struct row *rule__most(const struct model *m, const char *key);

/* From here on a walk is slow, as long as there is no other run to compare with. */
#define SLOW_WALK_NS 500

/* The values, each as `double of_NAME(const struct place *p)`; NAN: there is none. */
#define RULE_VALUES(X)              \
	X(none)                     \
	X(one)                      \
	X(batch)                    \
	X(slots)                    \
	X(cpu)                      \
	X(cpus)                     \
	X(more_cgroups)             \
	X(real_time)                \
	/* charges */               \
	X(charges)                  \
	X(failed)                   \
	X(failed_ratio)             \
	X(sock_failures)            \
	X(sock_failures_if_any)     \
	X(sock_failures_or_none)    \
	X(sock_use)                 \
	X(misses)                   \
	X(miss_ratio)               \
	X(miss_ratio_expected)      \
	X(misses_to_expected)       \
	X(pages_per_charge)         \
	X(walks_per_miss)           \
	X(retries_per_charge)       \
	/* slots */                 \
	X(memcgs)                   \
	X(memcgs_per_slot)          \
	X(evictions)                \
	X(evictions_per_miss)       \
	X(evictions_per_memcg)      \
	X(locked_ratio)             \
	X(overflow_ratio)           \
	X(pages_per_overflow)       \
	X(overflow_to_batch)        \
	X(sock_uncharges)           \
	X(bypass_ratio)             \
	X(amplification)            \
	X(amplification_base)       \
	/* drains */                \
	X(drain_all_calls)          \
	X(drains_per_second)        \
	X(drain_tries_per_second)   \
	X(drain_busy_ratio)         \
	X(innocent_ratio)           \
	X(misses_after_flush)       \
	X(flushed_miss_ratio)       \
	/* cost */                  \
	X(levels_per_walk)          \
	X(levels_base)              \
	X(walks_per_second)         \
	X(walks_timed)              \
	X(walk_p50)                 \
	X(slow_walk)                \
	X(usage_cpus)               \
	X(lock_busy)                \
	X(lock_busy_ratio)          \
	X(direct_refills)           \
	X(stat_item)                \
	X(stat_item_ratio)          \
	X(stat_item_per_second)     \
	X(holds)                    \
	X(holds_above)              \
	X(holds_above_per_second)   \
	X(hold_budget)              \
	X(hold_max)                 \
	X(waits)                    \
	X(wait_p99)                 \
	X(hold_p99)                 \
	X(wait_to_hold)             \
	/* memory */                \
	X(breaches)                 \
	X(pressure_ratio)           \
	X(pressure_sets)            \
	X(usage_to_limit)           \
	X(usage_to_limit_or_none)   \
	X(sock_bytes)               \
	X(limit_bytes)              \
	X(sock_share)               \
	X(stranded_bytes)           \
	X(stranded_to_usage)        \
	X(stranded_to_usage_or_all) \
	X(stranded_to_bound)        \
	X(stranded_cpus)            \
	X(isolated_cpus)

#define RULE_VALUE(name) double of_##name(const struct place *p);
RULE_VALUES(RULE_VALUE)
#undef RULE_VALUE

#endif
