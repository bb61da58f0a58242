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
static __always_inline void count_lock(struct memcg_row *r, const struct walk *w, __u64 task)
{
	enum holder h = stock_holder(this_stock(), task);

	if (h == HELD_BY_NOBODY)
		return;
	if (h == HELD_BY_ME || (LOCK_IS_BYTE && w->in_window && w->lock_was_free))
		r->c[C_WALK_UNDER_LOCK]++;
	else
		r->c[C_WALK_BESIDE_LOCK]++;
}

/* Users and causes are below it; old verifiers see a bound in a mask alone. */
#define WALK_MASK 7

SEC("fentry/page_counter_uncharge")
int BPF_PROG(walk, struct page_counter *counter, unsigned long nr)
{
	struct cpu_state *st = begin(PROG_WALK);
	struct memcg_row *r;
	struct walk w = {};
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
	count_lock(r, &w, task);
	if (!announced && w.cause != CAUSE_UNBATCHED) {
		/* drain_stock is inlined here: this walk is the drain */
		r->c[w.cause == CAUSE_FLUSH ? C_WALK_DRAIN_FLUSH : C_WALK_DRAIN_HOTPLUG]++;
		r->c[C_WALK_DRAINED_PAGES] += nr;
	}
	return 0;
}

#endif
