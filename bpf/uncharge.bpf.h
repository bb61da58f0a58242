/* SPDX-License-Identifier: GPL-2.0-only */
/* An uncharge: announced, refilled into the stock, which may drain a slot. */
#ifndef UNCHARGE_BPF_H
#define UNCHARGE_BPF_H

static __always_inline struct act *announce_uncharge(struct cpu_state *st, __u32 level, __u64 memcg,
						     __u32 row, __u8 user, bool timing)
{
	__u64 task = bpf_get_current_task();
	struct act *a = act_begin(st, SIDE_UNCHARGE, level, task);

	a->memcg = memcg;
	a->row = row;
	a->held = 0;
	a->stage = STAGE_ANNOUNCED;
	a->kind = user;
	a->lock_was_free = false;
	a->expendable = false;
	if (timing)
		act_starts(a, task, user == USER_SOCK ? sample_clock(st) : 0);
	return a;
}

/* A refill as it begins. */
struct refill {
	__u64 memcg;
	__u32 row;
	__u32 held;   /* what the slot will hold before it is drained */
	__u8 user;    /* enum walk_user */
	__u8 outcome; /* as it will be */
	bool lock_was_free;
	bool counted;	  /* at the hook of the function that it is inlined into */
	bool chosen;	  /* to be timed */
	__u64 sock_since; /* when its socket uncharge began, if that is timed */
};

static __always_inline enum refill_outcome refill_predict(struct refill *f, __u32 nr, __u32 level)
{
	const void *stock = this_stock();
	enum holder holder = stock_holder(stock, bpf_get_current_task());
	struct slot_look look;
	__u32 max = batch;

	f->held = nr;
	f->lock_was_free = holder == HELD_BY_NOBODY;
	if (STOCK_IS_MULTI && (nr > max || stock_lock_busy(holder, level)))
		return REFILL_DIRECT;
	stock_look(stock, f->memcg, &look);
	if (!look.found) {
		if (!look.has_free)
			return REFILL_EVICTED;
		return nr > max ? REFILL_OVERFLOW : REFILL_NEW_SLOT;
	}
	f->held = look.pages + nr;
	return f->held > max ? REFILL_OVERFLOW : REFILL_MERGED;
}

static __always_inline bool refill_walks(enum refill_outcome outcome)
{
	return outcome != REFILL_MERGED && outcome != REFILL_NEW_SLOT;
}

/* From now to the walk that must follow. */
static __noinline int refill_begin(const struct refill *f, __u32 level)
{
	struct act *a;

	if (!f)
		return 0;
	a = act_begin(state(), SIDE_UNCHARGE, level & (LEVEL_NR - 1), bpf_get_current_task());
	a->memcg = f->memcg;
	a->row = f->row;
	a->kind = f->user;
	a->stage = STAGE_REFILL;
	a->outcome = f->outcome;
	a->held = f->held;
	a->lock_was_free = f->lock_was_free;
	a->expendable = !refill_walks(f->outcome);
	/* a mark for the walk, not a time */
	a->since = f->chosen;
	return 0;
}

/* From here to the exit: in it the lock is taken, and let go again. */
static __always_inline void refill_window_open(struct cpu_state *st, const struct refill *f,
					       __u32 level, __u64 task)
{
	struct act *w = window_open(st, SIDE_REFILL, level, task, f->memcg, f->row);

	w->kind = f->user;
	w->outcome = f->outcome;
	w->mark = f->sock_since;
	act_starts(w, task, bpf_ktime_get_ns());
}

/* A slot begins to live; where its last life ended was not seen if it is still noted. */
static __always_inline void slot_taken(struct cpu_state *st, struct memcg_row *r, __u32 row)
{
	struct row_times *t = bpf_map_lookup_elem(&times, &row);

	if (!t)
		return;
	if (t->slot_since)
		r->c[C_LIFE_UNSEEN]++;
	t->slot_since = sample_clock(st);
}

static __always_inline void slot_ended(__u32 row, enum walk_cause cause)
{
	struct row_times *t = bpf_map_lookup_elem(&times, &row);

	if (!t || !t->slot_since)
		return;
	if (cause == CAUSE_OVERFLOW || cause == CAUSE_EVICT)
		span_add(SPAN_SLOT_LIFE, elapsed(t->slot_since, bpf_ktime_get_ns()));
	t->slot_since = 0;
}

/* Of a socket uncharge whose own exit is hooked. */
static __always_inline void sock_window_open(struct cpu_state *st, __u64 memcg, __u32 row,
					     __u32 level)
{
	__u64 task = bpf_get_current_task();
	struct act *w = window_open(st, SIDE_REFILL, level, task, memcg, row);

	w->kind = USER_SOCK;
	act_starts(w, task, bpf_ktime_get_ns());
}

static __always_inline int sock_uncharge(struct cpu_state *st, __u64 memcg, __u32 row, __u32 nr,
					 bool timing)
{
	struct memcg_row *r = row_at(row);
	__u32 level;

	if (!r)
		return 0;
	r->c[C_SOCK_UNCHARGES]++;
	r->c[C_SOCK_UNCHARGE_PAGES] += nr;
	level = current_level();
	if (SOCK_IS_INLINED) {
		struct refill f = {.memcg = memcg, .row = row, .user = USER_SOCK};

		f.outcome = refill_predict(&f, nr, level);
		f.chosen = timing && sample_chosen(st);
		r->c[C_SOCK_REFILL + (f.outcome & 7)]++;
		/* kept in any case, so that a refill_stock inside is not counted again */
		refill_begin(&f, level);
		if (f.chosen)
			sock_window_open(st, memcg, row, level);
	} else {
		struct act *announced = announce_uncharge(st, level, memcg, row, USER_SOCK, timing);

		if (timing && sock_uncharge_has_exit && announced->since)
			sock_window_open(st, memcg, row, level);
	}
	return 0;
}

/* Where no refill can be hooked, or not for sockets. */
static __always_inline int sock_uncharge_end(void)
{
	struct cpu_state *st = begin(PROG_SOCK_UNCHARGE_EXIT);
	__u64 now = bpf_ktime_get_ns(), task, since;
	struct act *w;

	if (!is_timing(st))
		return 0;
	task = bpf_get_current_task();
	w = act_mine(st, SIDE_REFILL, current_level(), task);
	if (!w || w->kind != USER_SOCK)
		return 0;
	since = since_of(w, task);
	if (since)
		span_add_row(SPAN_SOCK_UNCHARGE, w->row, elapsed(since, now));
	window_close(st, w);
	return 0;
}

SEC("fexit/mem_cgroup_sk_uncharge")
int BPF_PROG(sk_uncharge_exit)
{
	return sock_uncharge_end();
}

static __always_inline int sk_uncharge_begin(struct sock *sk, unsigned int nr, bool timing)
{
	struct cpu_state *st = begin(PROG_SOCK_UNCHARGE);
	struct mem_cgroup *memcg;
	__u64 plain;

	if (sk_memcg_flags) {
		plain = sk_memcg_plain(sk);
		return plain ? sock_uncharge(st, plain, row_of_address(plain), nr, timing) : 0;
	}
	memcg = sk->sk_memcg;
	return memcg ? sock_uncharge(st, (__u64)memcg, row_of(memcg), nr, timing) : 0;
}

BOTH("fentry/mem_cgroup_sk_uncharge", sk_uncharge, sk_uncharge_begin(sk, nr, timing),
     struct sock *sk, unsigned int nr)

static __always_inline int skmem_uncharge_begin(struct mem_cgroup *memcg, unsigned int nr,
						bool timing)
{
	struct cpu_state *st = begin(PROG_SOCK_UNCHARGE);

	return memcg ? sock_uncharge(st, (__u64)memcg, row_of(memcg), nr, timing) : 0;
}

BOTH("fentry/mem_cgroup_uncharge_skmem", skmem_uncharge, skmem_uncharge_begin(memcg, nr, timing),
     struct mem_cgroup *memcg, unsigned int nr)

/* Announces an uncharge and counts it, and its pages in the counter behind that. */
static __always_inline int count_uncharge(struct cpu_state *st, __u64 memcg, __u32 row, __u8 user,
					  enum counter counter, __u64 pages)
{
	struct memcg_row *r;

	announce_uncharge(st, current_level(), memcg, row, user, timed);
	r = row_at(row);
	if (r) {
		r->c[counter]++;
		r->c[counter + 1] += pages;
	}
	return 0;
}

/* The root is not charged. */
static __always_inline int count_uncharge_of(struct cpu_state *st, struct mem_cgroup *memcg,
					     __u8 user, enum counter counter, __u64 pages)
{
	if (!memcg || !memcg->css.parent)
		return 0;
	return count_uncharge(st, (__u64)memcg, row_of(memcg), user, counter, pages);
}

SEC("fentry/obj_cgroup_uncharge_pages")
int BPF_PROG(obj_uncharge, struct obj_cgroup *objcg, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_OBJ_UNCHARGE);

	return count_uncharge_of(st, objcg->memcg, USER_OBJ, C_OBJ_UNCHARGES, nr);
}

/* drain_obj_stock gives back whole pages only; below one nothing follows. */
const volatile __u32 page_size = 4096;

static __always_inline int obj_drain_of(struct cpu_state *st, struct obj_cgroup *objcg, __u32 bytes)
{
	__u32 size = page_size;

	if (!objcg || bytes < size)
		return 0;
	return count_uncharge_of(st, objcg->memcg, USER_OBJ, C_OBJ_DRAIN_UNCHARGES, bytes / size);
}

SEC("fentry/drain_obj_stock")
int BPF_PROG(obj_drain_old, struct memcg_stock_pcp___single *stock)
{
	return obj_drain_of(begin(PROG_OBJ_DRAIN), stock->cached_objcg, stock->nr_bytes);
}

SEC("fentry/drain_obj_stock")
int BPF_PROG(obj_drain, struct obj_stock_pcp___single *stock)
{
	return obj_drain_of(begin(PROG_OBJ_DRAIN), stock->cached_objcg, stock->nr_bytes);
}

SEC("fentry/drain_obj_stock_slot")
int BPF_PROG(obj_drain_slot, struct obj_stock_pcp___multi *stock, int i)
{
	struct cpu_state *st = begin(PROG_OBJ_DRAIN);
	const char *base = (const char *)stock;
	struct obj_cgroup *objcg = NULL;
	__u32 size = page_size;
	struct mem_cgroup *memcg;
	__u16 bytes = 0;

	i &= SLOTS_MAX - 1;
	bpf_probe_read_kernel(&bytes, sizeof(bytes),
			      base + bpf_core_field_offset(struct obj_stock_pcp___multi, nr_bytes) +
				      i * sizeof(bytes));
	if (bytes < size)
		return 0;
	bpf_probe_read_kernel(&objcg, sizeof(objcg),
			      base + bpf_core_field_offset(struct obj_stock_pcp___multi, cached) +
				      i * sizeof(objcg));
	memcg = objcg ? BPF_CORE_READ(objcg, memcg) : NULL;
	if (!memcg || !BPF_CORE_READ(memcg, css.parent))
		return 0;
	return count_uncharge(st, (__u64)memcg, row_of_address((__u64)memcg), USER_OBJ,
			      C_OBJ_DRAIN_UNCHARGES, bytes / size);
}

SEC("fentry/uncharge_batch")
int BPF_PROG(folio_uncharge, struct uncharge_gather *ug)
{
	struct cpu_state *st = begin(PROG_FOLIO_UNCHARGE);

	if (!ug->nr_memory)
		return 0;
	return count_uncharge_of(st, gathered_memcg(ug), USER_FOLIO, C_FOLIO_UNCHARGES,
				 ug->nr_memory);
}

/* An announced refill takes over from its announcement. */
static __always_inline void refill_take(struct cpu_state *st, struct refill *f, struct act *a,
					bool timing)
{
	f->user = a->kind;
	f->row = a->row;
	if (timing) {
		f->sock_since = a->timer == a->task ? a->since : 0;
		f->chosen = a->kind == USER_SOCK ? f->sock_since != 0 : sample_chosen(st);
	}
	a->task = 0;
}

/* Whose refill this is, when no uncharge announced it: f->row, f->user and f->counted. */
static __noinline int refill_find(struct refill *f, __u32 level)
{
	__u64 task = bpf_get_current_task();
	struct cpu_state *st = state();
	struct act *a, *walked;

	if (!f)
		return 0;
	level &= LEVEL_NR - 1;
	a = act_mine(st, SIDE_UNCHARGE, level, task);
	if (a && a->stage == STAGE_ANNOUNCED && a->memcg == f->memcg) {
		refill_take(st, f, a, timed);
		return 0;
	}
	walked = act_mine(st, SIDE_CHARGE, level, task);
	if (walked && walked->stage == STAGE_WALKED && walked->memcg == f->memcg) {
		f->user = USER_SURPLUS;
		f->row = walked->row;
		f->chosen = timed && walked->since;
		return 0;
	}
	f->counted = SOCK_IS_INLINED && a && a->stage == STAGE_REFILL && a->kind == USER_SOCK &&
		     a->memcg == f->memcg;
	if (f->counted)
		return 0;
	if (a)
		a->task = 0;
	f->user = unannounced_kind == KIND_OBJ ? USER_OBJ : USER_OTHER;
	f->row = row_of_address(f->memcg);
	f->chosen = timed && sample_chosen(st);
	return 0;
}

static __always_inline int refill_stock_begin(struct mem_cgroup *memcg, unsigned int nr,
					      bool timing)
{
	struct cpu_state *st = begin(PROG_REFILL);
	struct refill f = {.memcg = (__u64)memcg};
	enum refill_outcome outcome;
	struct memcg_row *r;
	struct act *a;
	__u32 level;
	__u64 task;

	level = current_level();
	task = bpf_get_current_task();
	a = act_cell(st, SIDE_UNCHARGE, level, task);
	if (a->task == task && a->stage == STAGE_ANNOUNCED && a->memcg == (__u64)memcg) {
		refill_take(st, &f, a, timing);
	} else {
		refill_find(&f, level);
		if (f.counted)
			return 0;
	}
	outcome = refill_predict(&f, nr, level);
	f.outcome = outcome;
	if (refill_walks(outcome)) {
		refill_begin(&f, level);
	}
	r = row_at(f.row);
	if (r) {
		r->c[C_REFILL + outcome]++;
		if (f.user == USER_SURPLUS)
			r->c[C_SURPLUS_REFILLS]++;
		if (timing && (outcome == REFILL_NEW_SLOT || outcome == REFILL_EVICTED))
			slot_taken(st, r, f.row);
	}
	if (timing && f.chosen)
		refill_window_open(st, &f, level, task);
	else if (timing)
		window_drop(st, SIDE_REFILL, level, task);
	return 0;
}

BOTH("fentry/refill_stock", refill, refill_stock_begin(memcg, nr, timing), struct mem_cgroup *memcg,
     unsigned int nr)

static __always_inline void hold_counted(struct memcg_row *r, bool right)
{
	r->c[C_HOLD_CHECKED]++;
	if (!right)
		r->c[C_HOLD_DIFFER]++;
}

/* The lock is held in it, unless it goes past the stock; the bounds: struct act in state.h. */
static __always_inline void hold_timed(struct cpu_state *st, struct act *w, struct memcg_row *r,
				       __u64 since, __u64 now)
{
	__u64 hold = elapsed(since, w->until ? w->until : now);

	span_add(w->inner ? SPAN_HOLD_WALKED : SPAN_HOLD, hold);
	row_span(SPAN_HOLD, w->row, hold);
	if (refill_inside_lock)
		st->lock_inside += hold;
	if (w->exact)
		hold_counted(r, w->inner <= w->exact && w->exact <= hold);
}

static __noinline int refill_ended(struct cpu_state *st, struct act *w, __u64 since, __u64 now)
{
	struct memcg_row *r;
	__u64 ns;

	if (!st || !w)
		return 0;
	r = row_at(w->row);
	if (!r)
		return 0;
	ns = elapsed(since, now);
	if (w->outcome != REFILL_DIRECT)
		hold_timed(st, w, r, since, now);
	if (w->mark)
		span_add_row(SPAN_SOCK_UNCHARGE, w->row, elapsed(w->mark, now));
	if (w->kind == USER_SOCK)
		r->c[C_TIMED_REFILL_SOCK_NS] += ns;
	else if (w->kind == USER_SURPLUS)
		r->c[C_TIMED_REFILL_SURPLUS_NS] += ns;
	return 0;
}

SEC("fexit/refill_stock")
int BPF_PROG(refill_exit, struct mem_cgroup *memcg)
{
	struct cpu_state *st = begin(PROG_REFILL_EXIT);
	__u64 now, since;
	struct act *w;

	if (!is_timing(st))
		return 0;
	now = bpf_ktime_get_ns();
	w = window_of(st, SIDE_REFILL, current_level(), bpf_get_current_task(), (__u64)memcg,
		      &since);
	/* that of a socket uncharge which has its own exit, where a refill is not counted again */
	if (!w || (SOCK_IS_INLINED && w->kind == USER_SOCK))
		return 0;
	refill_ended(st, w, since, now);
	window_close(st, w);
	return 0;
}

static __always_inline int drain(struct cpu_state *st, __u64 victim, __u32 pages)
{
	__u32 level = current_level(), victim_row;
	__u64 task = bpf_get_current_task();
	struct memcg_row *r;
	struct act *a;
	bool refilling;
	__u8 cause;

	if (!victim)
		return 0;
	victim_row = row_of_address(victim);
	a = act_mine(st, SIDE_UNCHARGE, level, task);
	refilling = a && a->stage == STAGE_REFILL;
	/* first: a flush of the obj stock refills, and that may evict as any refill */
	if (refilling)
		cause = a->memcg == victim ? CAUSE_OVERFLOW : CAUSE_EVICT;
	else if (level == LEVEL_TASK && st->flush_task == task)
		cause = CAUSE_FLUSH;
	else if (level == LEVEL_TASK && st->hotplug_task == task)
		cause = CAUSE_HOTPLUG;
	else
		cause = CAUSE_EVICT;
	if (!refilling) {
		a = act_begin(st, SIDE_UNCHARGE, level, task);
		a->row = ROW_OTHER;
		a->since = timed && sample_chosen(st);
		a->kind = cause >= CAUSE_FLUSH ? USER_FLUSH : USER_OTHER;
		a->outcome = REFILL_EVICTED;
		a->memcg = 0;
		a->held = 0;
		a->lock_was_free = true;
		a->expendable = false;
	}
	if (cause == CAUSE_EVICT) {
		r = row_at(a->row);
		if (r)
			r->c[C_EVICTIONS]++;
		count_pair(a->row, victim_row, pages);
	}
	r = row_at(victim_row);
	if (r) {
		r->c[C_DRAIN_CAUSE + (cause & 3)]++;
		r->c[C_DRAINED_PAGES] += pages;
		if (timed)
			slot_ended(victim_row, cause);
		if (cause == CAUSE_EVICT) {
			r->c[C_EVICTED]++;
			r->c[C_EVICTED_PAGES] += pages;
		}
	}
	if (!pages) {
		/* nothing to walk for (a slot may be live with 0 pages before 7.2) */
		a->task = 0;
		return 0;
	}
	a->stage = STAGE_DRAIN;
	a->cause = cause;
	a->victim = victim;
	a->victim_row = victim_row;
	return 0;
}

SEC("fentry/drain_stock")
int BPF_PROG(drain_single, struct memcg_stock_pcp *stock)
{
	struct cpu_state *st = begin(PROG_DRAIN);
	__u32 pages;
	__u64 victim;

	victim = stock_slot(stock, 0, &pages);
	return drain(st, victim, pages);
}

SEC("fentry/drain_stock")
int BPF_PROG(drain_slot, struct memcg_stock_pcp *stock, int i)
{
	struct cpu_state *st = begin(PROG_DRAIN);
	__u32 pages;
	__u64 victim;

	victim = stock_slot(stock, i, &pages);
	return drain(st, victim, pages);
}

SEC("fentry/drain_local_memcg_stock")
int BPF_PROG(flush_begin)
{
	struct cpu_state *st = begin(PROG_FLUSH);
	__u64 task = bpf_get_current_task();
	struct act *a = act_mine(st, SIDE_UNCHARGE, LEVEL_TASK, task);

	/* an uncharge of this task that is still announced lost its refill: the walks to come are not its */
	if (a) {
		if (!a->expendable)
			lose(LOSS_UNMATCHED);
		a->task = 0;
	}
	st->flush_task = task;
	flush_for_initiator(st);
	return 0;
}

SEC("fexit/drain_local_memcg_stock")
int BPF_PROG(flush_end)
{
	struct cpu_state *st = begin(PROG_FLUSH_EXIT);

	st->flush_task = 0;
	if (timed)
		st->flushed_at = bpf_ktime_get_ns();
	return 0;
}

SEC("fentry/memcg_hotplug_cpu_dead")
int BPF_PROG(hotplug_begin)
{
	struct cpu_state *st = begin(PROG_HOTPLUG);

	st->hotplug_task = bpf_get_current_task();
	return 0;
}

SEC("fexit/memcg_hotplug_cpu_dead")
int BPF_PROG(hotplug_end)
{
	struct cpu_state *st = begin(PROG_HOTPLUG_EXIT);

	st->hotplug_task = 0;
	return 0;
}

#endif
