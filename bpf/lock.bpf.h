/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --lock exact: on PREEMPT_RT the lock of the stock is a spinlock that goes
 * through functions, so that taking it and letting it go can be seen. They are
 * hot everywhere: a compare of addresses sends nearly all calls back.
 * A local lock disables migration before it is taken, so that "this CPU's" is
 * right from the entry of the lock function on.
 */
#ifndef LOCK_BPF_H
#define LOCK_BPF_H

static __always_inline bool is_stock_lock(__u64 lock)
{
	__u64 stock = (__u64)this_stock();

	if (LOCK_IS_RT)
		return lock == stock + bpf_core_field_offset(struct memcg_stock_pcp___rt, lock);
	if (LOCK_IS_OLD_RT)
		return lock ==
		       stock + bpf_core_field_offset(struct memcg_stock_pcp___oldrt, stock_lock);
	return false;
}

static __always_inline void lock_taken_at(struct cpu_state *st, __u64 now)
{
	st->lock_task = bpf_get_current_task();
	st->lock_since = now;
	st->lock_inside = 0;
}

SEC("fexit/rt_spin_trylock")
int BPF_PROG(lock_try, void *lock, int taken)
{
	struct cpu_state *st = begin(PROG_LOCK_TRY);

	if (taken && is_stock_lock((__u64)lock))
		lock_taken_at(st, bpf_ktime_get_ns());
	return 0;
}

SEC("fentry/rt_spin_lock")
int BPF_PROG(lock_wait, void *lock)
{
	struct cpu_state *st = begin(PROG_LOCK_WAIT);
	__u64 task = bpf_get_current_task();
	struct act *w;

	if (!is_stock_lock((__u64)lock))
		return 0;
	w = window_open(st, SIDE_LOCK, current_level(), task, (__u64)lock, 0);
	act_starts(w, task, bpf_ktime_get_ns());
	return 0;
}

SEC("fexit/rt_spin_lock")
int BPF_PROG(lock_taken, void *lock)
{
	struct cpu_state *st = begin(PROG_LOCK_TAKEN);
	__u64 now, since;
	struct act *w;

	if (!is_stock_lock((__u64)lock))
		return 0;
	now = bpf_ktime_get_ns();
	w = window_of(st, SIDE_LOCK, current_level(), bpf_get_current_task(), (__u64)lock, &since);
	if (w) {
		span_add(SPAN_LOCK_WAIT, elapsed(since, now));
		window_close(st, w);
	}
	lock_taken_at(st, now);
	return 0;
}

/* A hold is over: the refill that it is in learns of it, or is in it. */
static __noinline int hold_ended(struct cpu_state *st, __u64 ns)
{
	struct memcg_row *r;
	struct act *w;

	if (!st)
		return 0;
	span_add(SPAN_HOLD_EXACT, ns);
	if (!refill_inside_lock) {
		w = act_mine(st, SIDE_REFILL, current_level(), bpf_get_current_task());
		if (w)
			w->exact += ns;
		return 0;
	}
	if (!st->lock_inside)
		return 0;
	r = row_at(ROW_OTHER);
	if (r)
		hold_counted(r, st->lock_inside <= ns);
	return 0;
}

SEC("fentry/rt_spin_unlock")
int BPF_PROG(unlock, void *lock)
{
	struct cpu_state *st = begin(PROG_UNLOCK);

	if (!is_stock_lock((__u64)lock) || st->lock_task != bpf_get_current_task())
		return 0;
	st->lock_task = 0;
	hold_ended(st, elapsed(st->lock_since, bpf_ktime_get_ns()));
	return 0;
}

#endif
