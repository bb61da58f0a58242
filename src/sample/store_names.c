// SPDX-License-Identifier: GPL-2.0-only
/* The names in a sample file. They are for ever: see store.h. */
#include "sample/store.h"

#define KINDS(base, name)                                                       \
	[(base) + KIND_SOCK] = name "_sock", [(base) + KIND_OBJ] = name "_obj", \
		  [(base) + KIND_FOLIO] = name "_folio", [(base) + KIND_OTHER] = name "_other"

#define LEVELS(base, name)                                                                \
	[(base) + LEVEL_TASK] = name "_task", [(base) + LEVEL_SOFTIRQ] = name "_softirq", \
		  [(base) + LEVEL_HARDIRQ] = name "_hardirq", [(base) + LEVEL_NMI] = name "_nmi"

#define OUTCOMES(base, name)                                                                      \
	[(base) + REFILL_MERGED] = name "_merged", [(base) + REFILL_NEW_SLOT] = name "_new_slot", \
		  [(base) + REFILL_EVICTED] = name "_evicted",                                    \
		  [(base) + REFILL_OVERFLOW] = name "_overflow",                                  \
		  [(base) + REFILL_DIRECT] = name "_direct"

#define DRAIN_CAUSES(base, name)                                                              \
	[(base) + CAUSE_OVERFLOW] = name "_overflow", [(base) + CAUSE_EVICT] = name "_evict", \
		  [(base) + CAUSE_FLUSH] = name "_flush",                                     \
		  [(base) + CAUSE_HOTPLUG] = name "_hotplug"

const char *const counter_names[C_NR] = {
	LEVELS(CHARGE_AT(KIND_SOCK, 0), "charge_sock"),
	LEVELS(CHARGE_AT(KIND_OBJ, 0), "charge_obj"),
	LEVELS(CHARGE_AT(KIND_FOLIO, 0), "charge_folio"),
	LEVELS(CHARGE_AT(KIND_OTHER, 0), "charge_other"),
	KINDS(C_CHARGE_PAGES, "charge_pages"),
	[C_FAILED] = "failed",
	LEVELS(C_SOCK_FAILED, "sock_failed"),
	[C_MISS_SHORT_LATE] = "miss_short_late",
	[C_MISS_RACED] = "miss_raced",
	[C_TIMED_SOCK_NS] = "timed_sock_ns",
	[C_TRY_WALKS] = "try_walks",
	KINDS(C_MISS_KIND, "miss"),
	[C_MISS_OVERSIZE] = "miss_oversize",
	[C_MISS_LOCK_BUSY] = "miss_lock_busy",
	[C_MISS_ABSENT] = "miss_absent",
	[C_MISS_SHORT_EMPTY] = "miss_short_empty",
	[C_MISS_AFTER_FLUSH] = "miss_after_flush",
	[C_LIMIT_HITS] = "limit_hits",
	KINDS(C_STOCK_MISS_KIND, "stock_miss"),
	[C_STOCK_MISS_OVERSIZE] = "stock_miss_oversize",
	[C_STOCK_MISS_SHORT] = "stock_miss_short",
	[C_CONSUME_HIT] = "consume_hit",
	[C_CONSUME_MISS] = "consume_miss",
	[C_FORCED] = "forced",
	LEVELS(C_SOCK_INLINE_LEVEL, "sock_inline"),
	[C_SOCK_INLINE_PAGES] = "sock_inline_pages",
	[C_SOCK_UNCHARGES] = "sock_uncharges",
	[C_SOCK_UNCHARGE_PAGES] = "sock_uncharge_pages",
	OUTCOMES(C_SOCK_REFILL, "sock_refill"),
	[C_OBJ_UNCHARGES] = "obj_uncharges",
	[C_OBJ_UNCHARGE_PAGES] = "obj_uncharge_pages",
	[C_OBJ_DRAIN_UNCHARGES] = "obj_drain_uncharges",
	[C_OBJ_DRAIN_UNCHARGE_PAGES] = "obj_drain_uncharge_pages",
	[C_FOLIO_UNCHARGES] = "folio_uncharges",
	[C_FOLIO_UNCHARGE_PAGES] = "folio_uncharge_pages",
	OUTCOMES(C_REFILL, "refill"),
	[C_SURPLUS_REFILLS] = "surplus_refills",
	[C_LIFE_UNSEEN] = "life_unseen",
	[C_TIMED_REFILL_SOCK_NS] = "timed_refill_sock_ns",
	[C_TIMED_REFILL_SURPLUS_NS] = "timed_refill_surplus_ns",
	[C_HOLD_CHECKED] = "hold_checked",
	[C_HOLD_DIFFER] = "hold_differ",
	[C_EVICTIONS] = "evictions",
	[C_EVICTED] = "evicted",
	[C_EVICTED_PAGES] = "evicted_pages",
	DRAIN_CAUSES(C_DRAIN_CAUSE, "drain"),
	[C_DRAINED_PAGES] = "drained_pages",
	DRAIN_CAUSES(C_WALK_CAUSE, "walk"),
	[C_WALK_CAUSE + CAUSE_DIRECT] = "walk_direct",
	[C_WALK_CAUSE + CAUSE_UNBATCHED] = "walk_unbatched",
	[C_WALK_USER + USER_SOCK] = "walk_user_sock",
	[C_WALK_USER + USER_OBJ] = "walk_user_obj",
	[C_WALK_USER + USER_FOLIO] = "walk_user_folio",
	[C_WALK_USER + USER_SURPLUS] = "walk_user_surplus",
	[C_WALK_USER + USER_FLUSH] = "walk_user_flush",
	[C_WALK_USER + USER_OTHER] = "walk_user_other",
	[C_WALK_PAGES] = "walk_pages",
	[C_WALK_LEVELS] = "walk_levels",
	[C_WALK_UNDER_LOCK] = "walk_under_lock",
	[C_WALK_BESIDE_LOCK] = "walk_beside_lock",
	[C_OTHER_UNCHARGES] = "other_uncharges",
	[C_WALK_DRAIN_FLUSH] = "walk_drain_flush",
	[C_WALK_DRAIN_HOTPLUG] = "walk_drain_hotplug",
	[C_WALK_DRAINED_PAGES] = "walk_drained_pages",
	[C_FLUSH_PAGES] = "flush_pages",
	[C_FLUSH_INNOCENT_PAGES] = "flush_innocent_pages",
	[C_TIMED_WALK_REFILL_NS] = "timed_walk_refill_ns",
	[C_FLUSH_CPUS] = "flush_cpus",
	[C_DRAIN_ALL_CALLS] = "drain_all_calls",
	[C_DRAIN_ALL_SKIPPED] = "drain_all_skipped",
	[C_STAT + STAT_SOCK] = "sock_stat_updates",
	[C_STAT + STAT_KMEM] = "stat_kmem",
	[C_STAT + STAT_PERCPU] = "stat_percpu",
	[C_STAT + STAT_VMALLOC] = "stat_vmalloc",
	[C_STAT + STAT_SWAP] = "stat_swap",
	[C_STAT + STAT_ZSWAP] = "stat_zswap",
	[C_STAT + STAT_OTHER] = "stat_other",
	[C_RSTAT_UPDATES] = "rstat_updates",
	[C_CHECKED] = "checked",
	[C_CHECK_DIFFER] = "check_differ",
};

#define LATER(base, n) [(base)...(base) + (n)-1] = true

const bool counter_is_later[C_NR] = {
	/* the first files had one number, "sock_failed" */
	LATER(C_SOCK_FAILED, LEVEL_NR),
	[C_TIMED_SOCK_NS] = true,
	[C_MISS_AFTER_FLUSH] = true,
	[C_LIMIT_HITS] = true,
	[C_OBJ_UNCHARGE_PAGES] = true,
	[C_OBJ_DRAIN_UNCHARGE_PAGES] = true,
	[C_FOLIO_UNCHARGE_PAGES] = true,
	[C_LIFE_UNSEEN] = true,
	[C_TIMED_REFILL_SOCK_NS] = true,
	[C_TIMED_REFILL_SURPLUS_NS] = true,
	[C_HOLD_CHECKED] = true,
	[C_HOLD_DIFFER] = true,
	[C_FLUSH_PAGES] = true,
	[C_FLUSH_INNOCENT_PAGES] = true,
	[C_TIMED_WALK_REFILL_NS] = true,
	[C_FLUSH_CPUS] = true,
	[C_DRAIN_ALL_CALLS] = true,
	[C_DRAIN_ALL_SKIPPED] = true,
	LATER(C_STAT + STAT_SOCK + 1, STAT_NR - 1),
	[C_RSTAT_UPDATES] = true,
};

#define MEMBER(name)                              \
	{                                         \
#name, offsetof(struct row, name) \
	}

const struct row_member row_gauges[5] = {
	MEMBER(stranded_pages), MEMBER(stranded_seen_max), MEMBER(usage_bytes),
	MEMBER(limit_bytes),	MEMBER(sock_bytes),
};

const struct row_member row_numbers[5] = {
	MEMBER(pressure_ns),	 MEMBER(pressure_sets),	  MEMBER(pressure_setter),
	MEMBER(hit_usage_pages), MEMBER(hit_limit_pages),
};

const char *const prog_names[PROG_NR] = {
	[PROG_CHARGE] = "charge",
	[PROG_CONSUME] = "consume",
	[PROG_TRY_WALK] = "try_walk",
	[PROG_STOCK_CHARGE] = "stock_charge",
	[PROG_FORCE] = "force",
	[PROG_SOCK_CHARGE] = "sock_charge",
	[PROG_FOLIO_CHARGE] = "folio_charge",
	[PROG_OBJ_CHARGE] = "obj_charge",
	[PROG_SOCK_UNCHARGE] = "sock_uncharge",
	[PROG_OBJ_UNCHARGE] = "obj_uncharge",
	[PROG_OBJ_DRAIN] = "obj_drain",
	[PROG_FOLIO_UNCHARGE] = "folio_uncharge",
	[PROG_REFILL] = "refill",
	[PROG_DRAIN] = "drain",
	[PROG_FLUSH] = "flush",
	[PROG_FLUSH_EXIT] = "flush_exit",
	[PROG_HOTPLUG] = "hotplug",
	[PROG_HOTPLUG_EXIT] = "hotplug_exit",
	[PROG_WALK] = "walk",
	[PROG_STAT] = "stat",
	[PROG_CHECK] = "check",
	[PROG_SOCK_CHARGE_EXIT] = "sock_charge_exit",
	[PROG_CHARGE_BEGIN] = "charge_begin",
	[PROG_TRY_WALK_BEGIN] = "try_walk_begin",
	[PROG_REFILL_EXIT] = "refill_exit",
	[PROG_SOCK_UNCHARGE_EXIT] = "sock_uncharge_exit",
	[PROG_WALK_EXIT] = "walk_exit",
	[PROG_LOCK_TRY] = "lock_try",
	[PROG_LOCK_WAIT] = "lock_wait",
	[PROG_LOCK_TAKEN] = "lock_taken",
	[PROG_UNLOCK] = "unlock",
	[PROG_DRAIN_ALL] = "drain_all",
	[PROG_DRAIN_BUSY] = "drain_busy",
	[PROG_PRESSURE] = "pressure",
	[PROG_RSTAT] = "rstat",
};

const char *const loss_names[LOSS_NR] = {
	[LOSS_MAP_FULL] = "map_full",	     [LOSS_INSERT_FAILED] = "insert_failed",
	[LOSS_UNMATCHED] = "unmatched_exit", [LOSS_UNKNOWN_COUNTER] = "unknown_counter",
	[LOSS_PAIR_FULL] = "pair_full",
};

const char *const span_names[SPAN_NR] = {
	[SPAN_CHARGE] = "charge",
	[SPAN_SOCK_CHARGE] = "sock_charge",
	[SPAN_SOCK_UNCHARGE] = "sock_uncharge",
	[SPAN_TRY_WALK] = "try_walk",
	[SPAN_WALK] = "walk",
	[SPAN_HOLD] = "hold",
	[SPAN_HOLD_WALKED] = "hold_walked",
	[SPAN_WALK_LOCKED] = "walk_locked",
	[SPAN_STAT] = "stat",
	[SPAN_HOLD_EXACT] = "hold_exact",
	[SPAN_LOCK_WAIT] = "lock_wait",
	[SPAN_SLOT_LIFE] = "slot_life",
};

const char *const lock_names[] = {
	[LOCK_NOT_SEEN] = "not_seen",
	[LOCK_BYTE] = "byte",
	[LOCK_OWNER] = "owner",
};

const char *const cgroup_mode_names[] = {
	[CGROUP_V2] = "v2",
	[CGROUP_V1] = "v1",
	[CGROUP_HYBRID] = "hybrid",
	[CGROUP_NONE] = "none",
};

const char *const probe_state_names[] = {
	[PROBE_ATTACHED] = "attached",
	[PROBE_ATTACHABLE] = "attachable",
	[PROBE_MISSING] = "missing",
	[PROBE_NOT_NEEDED] = "not_needed",
};

const char *const row_state_names[] = {
	[ROW_LIVE] = "live",
	[ROW_DELETED] = "deleted",
	[ROW_IS_OTHER] = "other",
};

const char *const end_reason_names[] = {
	[END_DURATION] = "duration",
	[END_COMMAND] = "command",
	[END_INTERRUPTED] = "interrupted",
};
