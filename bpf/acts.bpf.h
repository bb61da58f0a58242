/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is going on: a charge or an uncharge as it passes through several hooks.
 *
 * The hooks of one charge (sock, walk, charge) or uncharge (sock, refill,
 * drain, walk) hand over to each other in a cell of this CPU, one for each side
 * and context level, since interrupts nest. The cell names its task, since a
 * charge that reclaims sleeps and migrates. A cell that another task needs is
 * parked in a small hash by (task, level) and found there again. On PREEMPT_RT
 * tasks and softirqs have cells of their own (act_cell()).
 */
#ifndef ACTS_BPF_H
#define ACTS_BPF_H

#include "state.h"

struct cpu_state states[CPUS_MAX];

/* PREEMPT_RT: the cells of tasks and softirqs; one entry elsewhere. The oldest gives way. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, TASK_ACTS_MAX);
	__type(key, struct act_key);
	__type(value, struct act);
} task_acts SEC(".maps");

struct act no_act;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PARKED_MAX);
	__type(key, struct act_key);
	__type(value, struct act);
} parked SEC(".maps");

/* No entry is looked for while this is 0, which it nearly always is. */
__u32 nr_parked;

static __always_inline struct cpu_state *state(void)
{
	return &states[bpf_get_smp_processor_id() & (CPUS_MAX - 1)];
}

/*
 * This CPU's state with the run counted, which comes before all else. Programs
 * count from the moment they are attached: what came before a window is in its
 * first sample, and no event has to ask whether it is wanted.
 */
static __always_inline struct cpu_state *begin(enum prog_id prog)
{
	struct cpu_state *st = state();

	st->totals.runs[prog]++;
	return st;
}

/* Programs nest and share these, unlike all other counters. */
static __always_inline void lose(enum loss what)
{
	__sync_fetch_and_add(&state()->totals.lost[what], 1);
}

/* An act that cannot be parked, or that stands in for an older one, is a loss. */
static __noinline int act_park(struct act *a, __u32 side, __u32 level)
{
	struct act_key key;

	if (!a)
		return 0;
	key.task = a->task;
	key.level = level;
	key.side = side;
	if (!bpf_map_update_elem(&parked, &key, a, BPF_NOEXIST)) {
		__sync_fetch_and_add(&nr_parked, 1);
	} else {
		bpf_map_update_elem(&parked, &key, a, BPF_EXIST);
		lose(LOSS_UNMATCHED);
	}
	a->task = 0;
	return 0;
}

static __noinline bool act_unpark(struct act *a, __u64 task, __u32 side, __u32 level)
{
	struct act_key key = {.task = task, .level = level, .side = side};
	struct act *found;

	if (!a)
		return false;
	found = bpf_map_lookup_elem(&parked, &key);
	if (!found)
		return false;
	if (a->task && !a->expendable)
		act_park(a, side, level);
	*a = *found;
	if (!bpf_map_delete_elem(&parked, &key))
		__sync_fetch_and_add(&nr_parked, -1);
	return true;
}

static __noinline struct act *act_of_task(__u64 task, __u32 side, __u32 level)
{
	struct act_key key = {.task = task, .level = level, .side = side};
	struct act *a = bpf_map_lookup_elem(&task_acts, &key);

	if (a)
		return a;
	bpf_map_update_elem(&task_acts, &key, &no_act, BPF_NOEXIST);
	return bpf_map_lookup_elem(&task_acts, &key);
}

/*
 * Where the act of this side and level is. On PREEMPT_RT tasks and softirqs
 * interleave at any point, in the middle of a program too: in a cell of the CPU
 * two of them would write at a time.
 */
static __always_inline struct act *act_cell(struct cpu_state *st, __u32 side, __u32 level,
					    __u64 task)
{
	struct act *a;

	if (SOFTIRQ_IN_TASK && level <= LEVEL_SOFTIRQ) {
		a = act_of_task(task, side, level);
		if (a)
			return a;
	}
	return &st->acts[side][level];
}

/* The cell of this side and level, to be written anew by this task. */
static __always_inline struct act *act_begin(struct cpu_state *st, __u32 side, __u32 level,
					     __u64 task)
{
	struct act *a = act_cell(st, side, level, task);

	if (a->task && !a->expendable) {
		/* this task's last one never came to its end: that event was lost */
		if (a->task == task)
			lose(LOSS_UNMATCHED);
		else
			act_park(a, side, level);
	}
	/* before it is this task's: a copy that is parked half-written has no start */
	a->since = 0;
	a->task = task;
	return a;
}

/* The cell if it is this task's, wherever it is; else NULL. */
static __always_inline struct act *act_mine(struct cpu_state *st, __u32 side, __u32 level,
					    __u64 task)
{
	struct act *a = act_cell(st, side, level, task);

	if (a->task == task)
		return a;
	if (nr_parked && act_unpark(a, task, side, level))
		return a;
	return NULL;
}

#endif
