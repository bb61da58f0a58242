/* SPDX-License-Identifier: GPL-2.0-only */
/* The hierarchical uncharge: where an uncharge that the stock does not keep ends. */
#ifndef WALK_BPF_H
#define WALK_BPF_H

/* One hierarchical uncharge: whose, by whom, and why. */
struct walk {
	__u64 memcg;
	__u32 row;
	__u32 by;
	__u8 cause;
	__u8 user;
	bool lock_was_free;
	bool in_window; /* this context took the lock itself, if it is taken */
	bool chosen;	/* to be timed */
};

/* The walk that an act on the uncharge side leads to. */
static __always_inline bool walk_of_act(struct cpu_state *st, struct act *a, __u64 counter,
					__u64 nr, struct walk *w)
{
	/* kept after an inlined refill that had nothing to drain: not its walk */
	if (a->stage == STAGE_REFILL && !refill_walks(a->outcome))
		return false;
	w->by = a->row;
	w->user = a->kind;
	w->lock_was_free = a->lock_was_free;
	w->in_window = a->stage != STAGE_ANNOUNCED;
	/* what is part of something goes with it */
	if (timed)
		w->chosen =
			w->in_window || a->kind == USER_SOCK ? a->since != 0 : sample_chosen(st);
	if (a->stage == STAGE_DRAIN) {
		if (counter != counter_of(a->victim))
			return false;
		w->memcg = a->victim;
		w->row = a->victim_row;
		w->cause = a->cause;
	} else if (counter == counter_of(a->memcg)) {
		w->memcg = a->memcg;
		w->row = a->row;
		if (a->stage == STAGE_ANNOUNCED)
			w->cause = CAUSE_UNBATCHED;
		else
			w->cause = a->outcome == REFILL_DIRECT ? CAUSE_DIRECT : CAUSE_OVERFLOW;
	} else {
		bool known;

		/* an eviction without drain_stock: walks moved outside the lock */
		if (a->stage != STAGE_REFILL || a->outcome != REFILL_EVICTED)
			return false;
		w->memcg = memcg_of(counter, &known);
		if (!w->memcg)
			return false;
		w->row = row_of_address(w->memcg);
		w->cause = CAUSE_EVICT;
	}
	if (w->cause == CAUSE_OVERFLOW) {
		if (nr >= a->held)
			st->totals.overflow_emptied++;
		else
			st->totals.overflow_trimmed++;
	}
	/* one that evicts with more than a batch empties its own slot as well */
	if (STOCK_IS_SINGLE && w->cause == CAUSE_EVICT && a->held > batch) {
		a->stage = STAGE_REFILL;
		a->outcome = REFILL_OVERFLOW;
	} else {
		a->task = 0;
	}
	return true;
}

/* A walk that nothing on this side announced. */
static __always_inline bool walk_of_window(struct cpu_state *st, __u64 counter, __u32 level,
					   __u64 task, struct walk *w)
{
	bool known;

	w->memcg = memcg_of(counter, &known);
	if (!known)
		lose(LOSS_UNKNOWN_COUNTER);
	if (!w->memcg)
		return false;
	w->row = row_of_address(w->memcg);
	w->by = w->row;
	w->in_window = false;
	w->lock_was_free = false;
	w->chosen = timed && sample_chosen(st);
	if (level == LEVEL_TASK && st->flush_task == task) {
		w->cause = CAUSE_FLUSH;
		w->user = USER_FLUSH;
		w->in_window = true;
		w->lock_was_free = true;
	} else if (level == LEVEL_TASK && st->hotplug_task == task) {
		w->cause = CAUSE_HOTPLUG;
		w->user = USER_FLUSH;
	} else {
		w->cause = CAUSE_UNBATCHED;
		w->user = USER_OTHER;
	}
	return true;
}

/*
 * Under the lock: it is taken, and by this context, which found it free when
 * its refill or drain began. A byte set by the context that this one
 * interrupted is beside it.
 */
static __always_inline enum holder count_lock(struct memcg_row *r, const struct walk *w, __u64 task)
{
	enum holder h = stock_holder(this_stock(), task);

	if (h == HELD_BY_NOBODY)
		return h;
	if (h == HELD_BY_ME || (LOCK_IS_BYTE && w->in_window && w->lock_was_free)) {
		r->c[C_WALK_UNDER_LOCK]++;
		return HELD_BY_ME;
	}
	r->c[C_WALK_BESIDE_LOCK]++;
	return HELD_BY_OTHER;
}

/* Without a byte or an owner to look at, a walk for a slot is under the lock by construction. */
#define LOCK_IS_SEEN (LOCK_IS_BYTE || LOCK_IS_RT || LOCK_IS_OLD_RT)

static __noinline int walk_window_open(struct cpu_state *st, const struct walk *w, __u64 counter,
				       __u32 level, __u32 held)
{
	__u64 task = bpf_get_current_task(), now = bpf_ktime_get_ns();
	struct act *a, *refill;

	if (!st || !w)
		return 0;
	level &= LEVEL_NR - 1;
	if (LOCK_IS_SEEN && held == HELD_BY_NOBODY && w->in_window) {
		/* the walk of a refill that has let go of the lock: its hold is over */
		refill = act_mine(st, SIDE_REFILL, level, task);
		if (refill && !refill->until)
			refill->until = now;
	}
	a = window_open(st, SIDE_WALK, level, task, counter, w->row);
	a->lock_was_free = LOCK_IS_SEEN ? held == HELD_BY_ME : w->in_window;
	act_starts(a, task, bpf_ktime_get_ns());
	return 0;
}

/* Users and causes are below it; old verifiers see a bound in a mask alone. */
#define WALK_MASK 7

SEC("fentry/page_counter_uncharge")
int BPF_PROG(walk, struct page_counter *counter, unsigned long nr)
{
	struct cpu_state *st = begin(PROG_WALK);
	struct memcg_row *r;
	struct walk w = {};
	enum holder held;
	bool announced;
	struct act *a;
	__u64 task;
	__u32 level;

	level = current_level();
	task = bpf_get_current_task();
	a = act_mine(st, SIDE_UNCHARGE, level, task);
	announced = a && walk_of_act(st, a, (__u64)counter, nr, &w);
	if (!announced && !walk_of_window(st, (__u64)counter, level, task, &w))
		return 0;
	r = row_at(w.by);
	if (r) {
		r->c[C_WALK_USER + (w.user & WALK_MASK)]++;
		if (w.user == USER_OTHER && !announced)
			r->c[C_OTHER_UNCHARGES]++;
	}
	r = row_at(w.row);
	if (!r)
		return 0;
	r->c[C_WALK_CAUSE + (w.cause & WALK_MASK)]++;
	r->c[C_WALK_PAGES] += nr;
	r->c[C_WALK_LEVELS] += row_depth(w.row, (__u64)counter);
	held = count_lock(r, &w, task);
	if (!announced && w.cause != CAUSE_UNBATCHED) {
		/* drain_stock is inlined here: this walk is the drain */
		r->c[w.cause == CAUSE_FLUSH ? C_WALK_DRAIN_FLUSH : C_WALK_DRAIN_HOTPLUG]++;
		r->c[C_WALK_DRAINED_PAGES] += nr;
	}
	if (w.cause == CAUSE_FLUSH)
		count_flush_walk(st, w.memcg, nr);
	if (timed && w.chosen)
		walk_window_open(st, &w, (__u64)counter, level, held);
	else if (timed)
		window_drop(st, SIDE_WALK, level, task);
	return 0;
}

/* The time of a walk is that of its cgroup, and of the refill that it is in. */
static __noinline int walk_timed(struct cpu_state *st, __u32 row, __u32 level, __u64 ns,
				 bool locked)
{
	struct memcg_row *r;
	struct act *refill;

	if (!st)
		return 0;
	level &= LEVEL_NR - 1;
	span_add_row(SPAN_WALK, row, ns);
	refill = act_mine(st, SIDE_REFILL, level, bpf_get_current_task());
	/* not of its hold if that was over, or if there was none */
	if (!refill || refill->until || refill->outcome == REFILL_DIRECT)
		return 0;
	if (locked)
		span_add(SPAN_WALK_LOCKED, ns);
	refill->inner += ns;
	r = row_at(refill->row);
	if (r)
		r->c[C_TIMED_WALK_REFILL_NS] += ns;
	return 0;
}

SEC("fexit/page_counter_uncharge")
int BPF_PROG(walk_exit, struct page_counter *counter)
{
	struct cpu_state *st = begin(PROG_WALK_EXIT);
	__u64 task = bpf_get_current_task();
	__u32 level, row;
	struct act *w;
	bool locked;
	__u64 ns, since;

	if (!is_timing(st))
		return 0;
	ns = bpf_ktime_get_ns();
	level = current_level();
	w = window_of(st, SIDE_WALK, level, task, (__u64)counter, &since);
	if (!w)
		return 0;
	ns = elapsed(since, ns);
	row = w->row;
	locked = w->lock_was_free;
	window_close(st, w);
	/* on a kernel without a stock there is no lock, whatever the window says */
	walk_timed(st, row, level, ns, HAS_STOCK && locked);
	return 0;
}

#endif
