/* SPDX-License-Identifier: GPL-2.0-only */
/* A charge: announced by an outer hook, perhaps walked for, ended. */
#ifndef CHARGE_BPF_H
#define CHARGE_BPF_H

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALK_SIZES);
	__type(key, __u32);
	__type(value, __u64);
} walk_sizes SEC(".maps");

/* The outer hook of a charge says whose it is, for the walk and the end to take. */
static __always_inline void announce_charge(struct cpu_state *st, __u32 level, __u64 memcg,
					    __u8 kind, bool expendable, bool timing)
{
	__u64 task = bpf_get_current_task();
	struct act *a = act_begin(st, SIDE_CHARGE, level, task);

	a->memcg = memcg;
	a->held = 0;
	a->stage = STAGE_ANNOUNCED;
	a->kind = kind;
	a->lock_was_free = false;
	a->expendable = expendable;
	if (timing)
		act_starts(a, task, sample_clock(st));
}

/* The end of a timed socket charge: at its statistic update, or where it returns. */
static __noinline int sock_charge_end(struct cpu_state *st, __u64 memcg, __u32 row, bool at_stat)
{
	__u64 now = bpf_ktime_get_ns(), since;
	struct act *a;

	if (!st)
		return 0;
	a = window_of(st, SIDE_CHARGE, current_level(), bpf_get_current_task(), memcg, &since);
	if (!a || a->stage != STAGE_CHARGED)
		return 0;
	span_add_row(SPAN_SOCK_CHARGE, row, elapsed(since, now));
	if (at_stat)
		span_add(SPAN_STAT, elapsed(a->mark, now));
	window_close(st, a);
	return 0;
}

/*
 * A socket charge is counted when it ends, with its charge, which then needs
 * one row and not two; here it is only announced. Flags in the low bits of
 * sk_memcg would hide its type from the verifier, so that it is read as a number.
 */
static __always_inline int sock_charge(struct cpu_state *st, __u64 memcg, bool timing)
{
	if (memcg)
		announce_charge(st, current_level(), memcg, KIND_SOCK, false, timing);
	return 0;
}

BOTH("fentry/mem_cgroup_sk_charge", sk_charge,
     sock_charge(begin(PROG_SOCK_CHARGE), sk_memcg_flags ? sk_memcg_plain(sk) : (__u64)sk->sk_memcg,
		 timing),
     struct sock *sk)

BOTH("fentry/mem_cgroup_charge_skmem", skmem_charge,
     sock_charge(begin(PROG_SOCK_CHARGE), (__u64)memcg, timing), struct mem_cgroup *memcg)

/*
 * On kernels whose socket charge tries the stock itself (nr_sock[]) an
 * announcement that try_charge_memcg did not take was a hit. Elsewhere this is
 * for the time alone, and such an announcement is of a charge that was lost.
 */
SEC("fexit/mem_cgroup_sk_charge")
int BPF_PROG(sk_charge_exit, struct sock *sk, unsigned int nr, unsigned int gfp, bool ok)
{
	struct cpu_state *st = begin(PROG_SOCK_CHARGE_EXIT);
	__u64 now = timed ? bpf_ktime_get_ns() : 0;
	struct memcg_row *r;
	struct act *a;
	__u32 level, row;
	__u64 task, since;

	level = current_level();
	task = bpf_get_current_task();
	a = act_mine(st, SIDE_CHARGE, level, task);
	if (!a || a->kind != KIND_SOCK || a->stage == STAGE_WALKED)
		return 0;
	row = row_of_address(a->memcg);
	since = timed ? since_of(a, task) : 0;
	if (since)
		span_add_row(SPAN_SOCK_CHARGE, row, elapsed(since, now));
	if (a->stage == STAGE_CHARGED) {
		window_close(st, a);
		return 0;
	}
	a->task = 0;
	if (!SOCK_IS_INLINED) {
		lose(LOSS_UNMATCHED);
		return 0;
	}
	r = row_at(row);
	if (r && ok) {
		r->c[C_SOCK_INLINE_LEVEL + level]++;
		r->c[C_SOCK_INLINE_PAGES] += nr;
	}
	return 0;
}

SEC("fentry/charge_memcg")
int BPF_PROG(folio_charge, struct folio *folio, struct mem_cgroup *memcg)
{
	struct cpu_state *st = begin(PROG_FOLIO_CHARGE);

	/* the root is not charged: try_charge() returns before try_charge_memcg() */
	if (!memcg || !memcg->css.parent)
		return 0;
	announce_charge(st, current_level(), (__u64)memcg, KIND_FOLIO, false, timed);
	return 0;
}

/* Where charge_memcg is inlined: the memcg is not known yet, so 0 stands for any. */
SEC("fentry/__mem_cgroup_charge")
int BPF_PROG(folio_charge_mm)
{
	struct cpu_state *st = begin(PROG_FOLIO_CHARGE);

	announce_charge(st, current_level(), 0, KIND_FOLIO, true, timed);
	return 0;
}

SEC("fentry/obj_cgroup_charge_pages")
int BPF_PROG(obj_charge, struct obj_cgroup *objcg)
{
	struct cpu_state *st = begin(PROG_OBJ_CHARGE);
	struct mem_cgroup *memcg;

	memcg = objcg->memcg;
	if (!memcg || !memcg->css.parent)
		return 0;
	announce_charge(st, current_level(), (__u64)memcg, KIND_OBJ, false, timed);
	return 0;
}

SEC("fentry/try_charge_memcg")
int BPF_PROG(check_charge, struct mem_cgroup *memcg, unsigned int gfp, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_CHECK);
	struct slot_look look;
	const void *stock;
	struct slot_check *c;
	__u64 task;
	__u32 level;

	level = current_level();
	task = bpf_get_current_task();
	stock = this_stock();
	stock_look(stock, (__u64)memcg, &look);
	c = &st->checks[level];
	c->task = task;
	c->memcg = (__u64)memcg;
	c->will_hit = nr <= batch && !stock_lock_busy(stock_holder(stock, task), level) &&
		      look.found && look.pages >= nr;
	return 0;
}

/* Where an outer hook may be missing, a charge that none announced begins here. */
SEC("fentry/try_charge_memcg")
int BPF_PROG(charge_begin, struct mem_cgroup *memcg)
{
	struct cpu_state *st = begin(PROG_CHARGE_BEGIN);
	__u64 task = bpf_get_current_task();
	__u32 level = current_level();
	/* not act_mine(): a charge nested in another's reclaim leaves that one parked */
	struct act *a = act_cell(st, SIDE_CHARGE, level, task);

	if (a->task == task && a->stage == STAGE_ANNOUNCED &&
	    (a->memcg == (__u64)memcg || !a->memcg))
		return 0;
	announce_charge(st, level, (__u64)memcg, unannounced_kind, false, true);
	return 0;
}

/* Attached where the compiler left it a function: then it is the truth. */
SEC("fexit/consume_stock")
int BPF_PROG(consume_exit, struct mem_cgroup *memcg, unsigned int nr, bool hit)
{
	struct memcg_row *r;

	begin(PROG_CONSUME);
	r = row_at(row_of(memcg));
	if (r)
		r->c[hit ? C_CONSUME_HIT : C_CONSUME_MISS]++;
	return 0;
}

static __always_inline void observe_batch(__u64 nr)
{
	__u32 i = nr < WALK_SIZES ? nr : WALK_SIZES - 1;
	__u64 *seen = bpf_map_lookup_elem(&walk_sizes, &i);

	if (seen)
		(*seen)++;
}

/*
 * Why the first walk of a charge happened: consume_stock()'s tests in its
 * order, on a stock that is still as it left it. Too few pages cannot be told
 * from enough before the charge's own size is known, at its exit: *held.
 */
static __always_inline void count_reason(struct memcg_row *r, __u64 memcg, __u64 walk_nr,
					 __u32 level, __u64 task, __u32 *held)
{
	const void *stock;
	struct slot_look look;

	if (walk_nr > batch) {
		r->c[C_MISS_OVERSIZE]++;
		return;
	}
	if (!HAS_STOCK)
		return;
	stock = this_stock();
	if (stock_lock_busy(stock_holder(stock, task), level)) {
		r->c[C_MISS_LOCK_BUSY]++;
		return;
	}
	stock_look(stock, memcg, &look);
	if (!look.found)
		r->c[C_MISS_ABSENT]++;
	else if (!look.pages)
		r->c[C_MISS_SHORT_EMPTY]++;
	else
		*held = look.pages;
}

/*
 * The charge that walks this counter: the one announced, or one that begins
 * here unannounced. NULL: it is not the `memory` counter of a memcg.
 */
static __always_inline struct act *walking_act(struct cpu_state *st, __u64 counter, __u32 level,
					       __u64 task)
{
	struct act *a = act_mine(st, SIDE_CHARGE, level, task);
	__u64 memcg;
	bool known;

	if (a && a->memcg && counter == counter_of(a->memcg)) {
		/* also when it has walked: it may have slept since, and the row been taken back */
		a->row = row_of_address(a->memcg);
		return a;
	}
	memcg = memcg_of(counter, &known);
	if (!known)
		lose(LOSS_UNKNOWN_COUNTER);
	if (!memcg)
		return NULL;
	if (!a || a->memcg) {
		a = act_begin(st, SIDE_CHARGE, level, task);
		a->kind = unannounced_kind;
		a->stage = STAGE_ANNOUNCED;
		a->since = 0;
	}
	a->held = 0;
	a->expendable = false;
	a->memcg = memcg;
	a->row = row_of_address(memcg);
	return a;
}

/* Timed with its charge; a charge that nothing announced is not known before it walks. */
SEC("fentry/page_counter_try_charge")
int BPF_PROG(try_walk_begin, struct page_counter *counter)
{
	struct cpu_state *st = begin(PROG_TRY_WALK_BEGIN);
	__u64 task = bpf_get_current_task();
	__u32 level = current_level();
	struct act *a = act_mine(st, SIDE_CHARGE, level, task), *w;

	if (a && !a->since) {
		window_drop(st, SIDE_WALK, level, task);
		return 0;
	}
	w = window_open(st, SIDE_WALK, level, task, (__u64)counter, 0);
	act_starts(w, task, bpf_ktime_get_ns());
	return 0;
}

/* The end of a walk's window, if there is one: its ns, else 0. */
static __always_inline __u64 walk_window_close(struct cpu_state *st, __u64 counter, __u32 level,
					       __u64 task, __u64 now)
{
	__u64 since;
	struct act *w = window_of(st, SIDE_WALK, level, task, counter, &since);

	if (!w)
		return 0;
	window_close(st, w);
	/* 0 would say that there was none */
	return now > since ? now - since : 1;
}

static __always_inline bool soon_after_flush(struct cpu_state *st)
{
	if (!st->flushed_at)
		return false;
	if (bpf_ktime_get_ns() - st->flushed_at < FLUSH_SHADOW_NS)
		return true;
	st->flushed_at = 0;
	return false;
}

/* Whose limit made a walk fail, and how full it was. */
static __noinline int count_limit_hit(__u64 failed)
{
	struct page_counter *counter = NULL;
	struct row_note *note;
	struct memcg_row *r;
	__u64 memcg;
	__u32 row;
	bool known;

	bpf_probe_read_kernel(&counter, sizeof(counter), (void *)failed);
	memcg = memcg_of((__u64)counter, &known);
	if (!memcg)
		return 0;
	row = row_of_address(memcg);
	r = row_at(row);
	if (r)
		r->c[C_LIMIT_HITS]++;
	note = bpf_map_lookup_elem(&row_notes, &row);
	if (note) {
		note->hit_usage = BPF_CORE_READ(counter, usage.counter);
		note->hit_limit = BPF_CORE_READ(counter, max);
	}
	return 0;
}

/*
 * A miss is counted here, at the first walk of a charge, so that no hit has to
 * look for one: a walk that succeeds ends its charge, and one that fails leaves
 * the act as walked for those that follow it.
 */
SEC("fexit/page_counter_try_charge")
int BPF_PROG(try_walk, struct page_counter *counter, unsigned long nr, struct page_counter **unused,
	     bool ok)
{
	struct cpu_state *st = begin(PROG_TRY_WALK);
	__u64 ns = 0;
	__u64 task = bpf_get_current_task();
	__u32 level = current_level();
	struct memcg_row *r;
	bool first;
	struct act *a;

	if (timed && is_timing(st))
		ns = walk_window_close(st, (__u64)counter, level, task, bpf_ktime_get_ns());
	a = walking_act(st, (__u64)counter, level, task);
	if (!a)
		return 0;
	if (ns)
		span_add_row(SPAN_TRY_WALK, a->row, ns);
	/* without a stock this may be a walk inside page_counter_try_charge_stock, which judges */
	first = HAS_STOCK && a->stage != STAGE_WALKED;
	if (HAS_STOCK)
		a->stage = STAGE_WALKED;
	r = row_at(a->row);
	if (r) {
		r->c[C_TRY_WALKS]++;
		if (first) {
			r->c[C_MISS_KIND + (a->kind & (KIND_NR - 1))]++;
			observe_batch(nr);
			count_reason(r, a->memcg, nr, level, task, &a->held);
			if (timed && soon_after_flush(st))
				r->c[C_MISS_AFTER_FLUSH]++;
		}
	}
	if (!ok) {
		__u64 fail = 0;

		/* a batch that does not fit is tried again as the pages asked for: that decides */
		if (!first || nr > batch) {
			/* old verifiers refuse a pointer to a pointer as an argument */
			bpf_probe_read_kernel(&fail, sizeof(fail), &ctx[2]);
			count_limit_hit(fail);
		}
		/* reclaim may sleep and come back on another CPU */
		act_park(a, SIDE_CHARGE, level);
	}
	return 0;
}

/* The per-counter design: what was charged past the stock is in *nr_charged. */
SEC("fexit/page_counter_try_charge_stock")
int BPF_PROG(stock_charge, struct page_counter *counter, unsigned long nr,
	     struct page_counter **fail, unsigned long *nr_charged, bool ok)
{
	struct cpu_state *st = begin(PROG_STOCK_CHARGE);
	unsigned long charged = 0;
	struct memcg_row *r;
	struct act *a;
	__u32 level;
	bool first;

	bpf_probe_read_kernel(&charged, sizeof(charged), nr_charged);
	if (ok && !charged)
		return 0;
	level = current_level();
	a = walking_act(st, (__u64)counter, level, bpf_get_current_task());
	if (!a)
		return 0;
	first = a->stage != STAGE_WALKED;
	a->stage = STAGE_WALKED;
	r = row_at(a->row);
	if (r && first) {
		r->c[C_STOCK_MISS_KIND + (a->kind & (KIND_NR - 1))]++;
		observe_batch(charged);
		r->c[charged > batch ? C_STOCK_MISS_OVERSIZE : C_STOCK_MISS_SHORT]++;
	}
	if (!ok)
		act_park(a, SIDE_CHARGE, level);
	return 0;
}

static __always_inline void compare_with_slots(struct cpu_state *st, struct memcg_row *r,
					       __u64 memcg, __u32 level, __u64 task, bool missed)
{
	struct slot_check *c = &st->checks[level];

	if (c->task != task || c->memcg != memcg)
		return;
	c->task = 0;
	r->c[C_CHECKED]++;
	if (c->will_hit == missed)
		r->c[C_CHECK_DIFFER]++;
}

/*
 * The act of a charge ends. If it is timed, that of a socket goes on to its
 * statistic; what was refused is not booked there.
 */
static __always_inline void act_charged(struct cpu_state *st, struct act *a, struct memcg_row *r,
					__u32 row, __u64 task, int ret)
{
	__u64 since = since_of(a, task), now, ns;
	bool sock = a->kind == KIND_SOCK && !(ret && sock_ends_at_stat);

	if (!since) {
		a->task = 0;
		return;
	}
	now = bpf_ktime_get_ns();
	ns = elapsed(since, now);
	if (sock) {
		a->mark = now;
		a->stage = STAGE_CHARGED;
		a->expendable = false;
		st->timing++;
		r->c[C_TIMED_SOCK_NS] += ns;
	} else {
		a->task = 0;
	}
	span_add_row(SPAN_CHARGE, row, ns);
}

/* The end of a charge that missed, failed, or was not announced. Its kind. */
static __noinline __u32 charge_end_slow(struct memcg_row *r, __u64 memcg, __u32 level, __u32 nr,
					int ret)
{
	__u64 task = bpf_get_current_task();
	struct cpu_state *st = state();
	__u32 held = 0, kind = unannounced_kind;
	bool missed = false;
	struct act *a;

	if (!r)
		return kind;
	level &= LEVEL_NR - 1;
	a = act_mine(st, SIDE_CHARGE, level, task);
	if (a && (a->memcg == memcg || !a->memcg)) {
		kind = a->kind;
		held = a->held;
		missed = a->stage == STAGE_WALKED;
		if (timed)
			act_charged(st, a, r, row_of_address(memcg), task, ret);
		else
			a->task = 0;
	}
	if (verify)
		compare_with_slots(st, r, memcg, level, task, missed);
	if (held)
		r->c[held < nr ? C_MISS_SHORT_LATE : C_MISS_RACED]++;
	if (ret) {
		r->c[C_FAILED]++;
		if (kind == KIND_SOCK)
			r->c[C_SOCK_FAILED + level]++;
	}
	return kind;
}

static __always_inline int charge_end(struct mem_cgroup *memcg, unsigned int nr, int ret,
				      bool timing)
{
	struct cpu_state *st = begin(PROG_CHARGE);
	__u32 level, kind, row;
	struct memcg_row *r;
	struct act *a;
	__u64 task;

	row = row_of(memcg);
	r = row_at(row);
	if (!r)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	a = act_cell(st, SIDE_CHARGE, level, task);
	if (a->task == task && a->memcg == (__u64)memcg && a->stage == STAGE_ANNOUNCED && !ret &&
	    !verify) {
		kind = a->kind;
		if (timing)
			act_charged(st, a, r, row, task, ret);
		else
			a->task = 0;
	} else {
		kind = charge_end_slow(r, (__u64)memcg, level, nr, ret);
	}
	kind &= KIND_NR - 1;
	r->c[CHARGE_AT(kind, level)]++;
	r->c[C_CHARGE_PAGES + kind] += nr;
	return 0;
}

BOTH("fexit/try_charge_memcg", charge_exit, charge_end(memcg, nr, ret, timing),
     struct mem_cgroup *memcg, unsigned int gfp, unsigned int nr, int ret)

SEC("fentry/page_counter_charge")
int BPF_PROG(force_charge, struct page_counter *counter)
{
	struct memcg_row *r;
	__u64 memcg;
	bool known;

	begin(PROG_FORCE);
	memcg = memcg_of((__u64)counter, &known);
	if (!memcg)
		return 0;
	r = row_at(row_of_address(memcg));
	if (r)
		r->c[C_FORCED]++;
	return 0;
}

#endif
