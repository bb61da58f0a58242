/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs of stopwatch count. */
#ifndef STOPWATCH_H
#define STOPWATCH_H

enum timed {
	TIMED_CHARGE,
	TIMED_TRY_WALK,
	TIMED_WALK,
	TIMED_REFILL,
	TIMED_SOCK_CHARGE,
	TIMED_SOCK_UNCHARGE,
	TIMED_LOCK_WAIT,
	TIMED_FLUSH,
	TIMED_NR, /* a power of two: a mask bounds the index */
};

struct duration {
	__u64 calls;
	__u64 timed;	 /* calls whose beginning is known */
	__u64 unmatched; /* and the others */
	__u64 ns;
	__u64 max;
	__u64 migrated; /* of the timed ones: ended on another CPU */
	__u64 migrated_ns;
	__u64 nested; /* charges of a softirq that interrupted a charge */
};

struct by_cgroup {
	__u64 walks; /* timed ones */
	__u64 walk_ns;
	__u64 flushes; /* walks of it inside drain_local_memcg_stock */
	__u64 flush_pages;
	__u64 limit_hits; /* walks that ended at its limit */
	__u64 pressure_sets;
};

#endif
