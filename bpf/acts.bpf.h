/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is going on: a charge or an uncharge as it passes through several hooks.
 *
 * The hooks of one charge (sock, walk, charge) or uncharge (sock, refill,
 * drain, walk) hand over to each other in a cell of this CPU, one for each side
 * and context level, since interrupts nest. The cell names its task: on
 * PREEMPT_RT softirqs of several tasks interleave on a CPU, and a charge that
 * reclaims sleeps and migrates. A cell that another task needs is parked in a
 * small hash by (task, level) and found there again.
 */
#ifndef ACTS_BPF_H
#define ACTS_BPF_H

enum side { SIDE_CHARGE, SIDE_UNCHARGE, SIDE_NR };

enum stage {
	STAGE_ANNOUNCED,	/* an outer hook said what comes next */
	STAGE_WALKED,		/* charge: it missed */
	STAGE_REFILL,		/* uncharge: in refill_stock, and a walk is expected */
	STAGE_DRAIN,		/* uncharge: in drain_stock, of `victim` */
};

struct act {
	__u64 task;		/* 0: the cell is free */
	__u64 memcg;
	__u64 victim;		/* whose slot is drained */
	__u32 row;
	__u32 victim_row;
	__u32 held;		/* overflow: pages in the slot. charge: those it fell short with */
	__u8 stage;
	__u8 kind;		/* enum kind; of a refill: enum walk_user */
	__u8 outcome;		/* refill: enum refill_outcome */
	__u8 cause;		/* drain: enum walk_cause */
	bool lock_was_free;	/* at the start of the refill */
	bool expendable;	/* a mere hint: overwritten, not parked */
};

/* --verify: what the slots said when the charge began. */
struct check {
	__u64 task;
	__u64 memcg;
	bool will_hit;
};

struct cpu_state {
	struct cpu_totals totals;
	struct act acts[SIDE_NR][LEVEL_NR];
	struct check checks[LEVEL_NR];
	__u64 flush_task;
	__u64 hotplug_task;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cpu_state);
} states SEC(".maps");

struct act_key {
	__u64 task;
	__u32 level;
	__u32 side;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct act_key);
	__type(value, struct act);
} parked SEC(".maps");

/* No entry is looked for while this is 0, which it nearly always is. */
__u32 nr_parked;

/* Charges that failed a walk and may try again: (task, level) -> memcg. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct act_key);
	__type(value, __u64);
} retrying SEC(".maps");

__u32 nr_retrying;

static __always_inline struct cpu_state *state(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&states, &zero);
}

static __noinline int act_park(struct act *a, __u32 side, __u32 level)
{
	struct act_key key;

	if (!a)
		return 0;
	key.task = a->task;
	key.level = level;
	key.side = side;
	if (!bpf_map_update_elem(&parked, &key, a, BPF_ANY))
		__sync_fetch_and_add(&nr_parked, 1);
	a->task = 0;
	return 0;
}

static __noinline bool act_unpark(struct act *a, __u64 task, __u32 side, __u32 level)
{
	struct act_key key = { .task = task, .level = level, .side = side };
	struct act *found;

	if (!a)
		return false;
	found = bpf_map_lookup_elem(&parked, &key);
	if (!found)
		return false;
	if (a->task && !a->expendable)
		act_park(a, side, level);
	*a = *found;
	bpf_map_delete_elem(&parked, &key);
	__sync_fetch_and_add(&nr_parked, -1);
	return true;
}

/* The cell of this side and level, to be written anew by this task. */
static __always_inline struct act *act_begin(struct cpu_state *st, __u32 side, __u32 level,
					     __u64 task)
{
	struct act *a = &st->acts[side][level & (LEVEL_NR - 1)];

	if (a->task && a->task != task && !a->expendable)
		act_park(a, side, level);
	a->task = task;
	return a;
}

/* The cell if it is this task's, wherever it is; else NULL. */
static __always_inline struct act *act_mine(struct cpu_state *st, __u32 side, __u32 level,
					    __u64 task)
{
	struct act *a = &st->acts[side][level & (LEVEL_NR - 1)];

	if (a->task == task)
		return a;
	if (nr_parked && act_unpark(a, task, side, level))
		return a;
	return NULL;
}

/* Is this walk one more of a charge that has missed already? */
static __always_inline bool walk_is_retry(__u64 task, __u32 level, __u64 memcg)
{
	struct act_key key = { .task = task, .level = level };
	__u64 *m;

	if (!nr_retrying)
		return false;
	m = bpf_map_lookup_elem(&retrying, &key);
	return m && *m == memcg;
}

static __always_inline void retry_begin(__u64 task, __u32 level, __u64 memcg)
{
	struct act_key key = { .task = task, .level = level };

	if (!bpf_map_lookup_elem(&retrying, &key))
		__sync_fetch_and_add(&nr_retrying, 1);
	bpf_map_update_elem(&retrying, &key, &memcg, BPF_ANY);
}

static __always_inline void retry_end(__u64 task, __u32 level)
{
	struct act_key key = { .task = task, .level = level };

	if (nr_retrying && !bpf_map_delete_elem(&retrying, &key))
		__sync_fetch_and_add(&nr_retrying, -1);
}

#endif
