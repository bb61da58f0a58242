// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs, in the order in which a charge and then an uncharge meet them.
 *
 * A program counts its run before anything else, and adds only to counters that
 * no other program adds to. Where alternatives of a kernel function have one signature they
 * share a program, and user space sets its target (src/probe/hooks.c).
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "memcgtop.h"
#include "compat.bpf.h"
#include "acts.bpf.h"
#include "rows.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* --empty-probes: the same hooks with nothing behind them, to measure by. */
const volatile bool empty;
/* A charge that no outer hook announced is of this kind: KIND_OBJ where the obj
 * path has no page-level function to hook and is known by exclusion. */
const volatile __u32 unannounced_kind = KIND_OTHER;
const volatile bool verify;

/* Set by user space once all is attached, so that attaching is not measured. */
__u32 enabled;
/* Pages that a miss takes; user space writes here what it observed. */
__u32 batch = 64;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALK_SIZES);
	__type(key, __u32);
	__type(value, __u64);
} walk_sizes SEC(".maps");

/* This CPU's state with the run counted; NULL: there is nothing to do. */
static __always_inline struct cpu_state *begin(enum prog_id prog)
{
	struct cpu_state *st;

	if (empty || !enabled)
		return NULL;
	st = state();
	if (st)
		st->totals.runs[prog]++;
	return st;
}

/* ---- charging ---- */

/* The outer hook of a charge says whose it is, for the walk and the end to take. */
static __always_inline void announce_charge(struct cpu_state *st, __u32 level, __u64 memcg,
					    __u8 kind, bool expendable)
{
	__u64 task = bpf_get_current_task();
	struct act *a = act_begin(st, SIDE_CHARGE, level, task);

	a->memcg = memcg;
	a->kind = kind;
	a->stage = STAGE_ANNOUNCED;
	a->held = 0;
	a->expendable = expendable;
}

/*
 * A socket charge is counted when it ends, with its charge, which then needs
 * one row and not two; here it is only announced. Flags in the low bits of
 * sk_memcg would hide its type from the verifier, so that it is read as a number.
 */
SEC("fentry/mem_cgroup_sk_charge")
int BPF_PROG(sk_charge, struct sock *sk, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_SOCK_CHARGE);
	__u64 memcg;

	if (!st)
		return 0;
	memcg = sk_memcg_flags ? sk_memcg_plain(sk) : (__u64)sk->sk_memcg;
	if (memcg)
		announce_charge(st, current_level(), memcg, KIND_SOCK, false);
	return 0;
}

SEC("fentry/mem_cgroup_charge_skmem")
int BPF_PROG(skmem_charge, struct mem_cgroup *memcg, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_SOCK_CHARGE);

	if (st && memcg)
		announce_charge(st, current_level(), (__u64)memcg, KIND_SOCK, false);
	return 0;
}

/*
 * Only on kernels whose socket charge tries the stock itself (nr_sock[]): an
 * announcement that try_charge_memcg did not take was a hit.
 */
SEC("fexit/mem_cgroup_sk_charge")
int BPF_PROG(sk_charge_exit, struct sock *sk, unsigned int nr, unsigned int gfp, bool ok)
{
	struct cpu_state *st = begin(PROG_SOCK_CHARGE_EXIT);
	struct memcg_row *r;
	struct act *a;
	__u32 level;

	if (!st)
		return 0;
	level = current_level();
	a = act_mine(st, SIDE_CHARGE, level, bpf_get_current_task());
	if (!a || a->kind != KIND_SOCK || a->stage != STAGE_ANNOUNCED)
		return 0;
	a->task = 0;
	r = row_at(row_of_address(st, a->memcg));
	if (r && ok) {
		r->c[C_SOCK_INLINE_LEVEL + (level & (LEVEL_NR - 1))]++;
		r->c[C_SOCK_INLINE_PAGES] += nr;
	}
	return 0;
}

SEC("fentry/charge_memcg")
int BPF_PROG(folio_charge, struct folio *folio, struct mem_cgroup *memcg)
{
	struct cpu_state *st = begin(PROG_FOLIO_CHARGE);

	/* the root is not charged: try_charge() returns before try_charge_memcg() */
	if (!st || !memcg || !memcg->css.parent)
		return 0;
	announce_charge(st, current_level(), (__u64)memcg, KIND_FOLIO, false);
	return 0;
}

/* Where charge_memcg is inlined: the memcg is not known yet, so 0 stands for any. */
SEC("fentry/__mem_cgroup_charge")
int BPF_PROG(folio_charge_mm)
{
	struct cpu_state *st = begin(PROG_FOLIO_CHARGE);

	if (st)
		announce_charge(st, current_level(), 0, KIND_FOLIO, true);
	return 0;
}

SEC("fentry/obj_cgroup_charge_pages")
int BPF_PROG(obj_charge, struct obj_cgroup *objcg)
{
	struct cpu_state *st = begin(PROG_OBJ_CHARGE);
	struct mem_cgroup *memcg;

	if (!st)
		return 0;
	memcg = objcg->memcg;
	if (!memcg || !memcg->css.parent)
		return 0;
	announce_charge(st, current_level(), (__u64)memcg, KIND_OBJ, false);
	return 0;
}

SEC("fentry/try_charge_memcg")
int BPF_PROG(check_charge, struct mem_cgroup *memcg, unsigned int gfp, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_CHECK);
	struct slot_look look;
	const void *stock;
	struct check *c;
	__u64 task;
	__u32 level;

	if (!st)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	stock = this_stock();
	stock_look(stock, memcg, &look);
	c = &st->checks[level & (LEVEL_NR - 1)];
	c->task = task;
	c->memcg = (__u64)memcg;
	c->will_hit = nr <= batch && !stock_lock_busy(stock_holder(stock, task), level) &&
		      look.found && look.pages >= nr;
	return 0;
}

/* Attached where the compiler left it a function: then it is the truth. */
SEC("fexit/consume_stock")
int BPF_PROG(consume_exit, struct mem_cgroup *memcg, unsigned int nr, bool hit)
{
	struct cpu_state *st = begin(PROG_CONSUME);
	struct memcg_row *r;

	if (!st)
		return 0;
	r = row_at(row_of(st, memcg));
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
	if (stock_layout == STOCK_NONE)
		return;
	stock = this_stock();
	if (stock_lock_busy(stock_holder(stock, task), level)) {
		r->c[C_MISS_LOCK_BUSY]++;
		return;
	}
	stock_look(stock, (void *)memcg, &look);
	if (!look.found)
		r->c[C_MISS_ABSENT]++;
	else if (!look.pages)
		r->c[C_MISS_SHORT_EMPTY]++;
	else
		*held = look.pages;
}

/*
 * A miss is counted here, at the first walk of a charge, so that no hit has to
 * look for one: a walk that succeeds ends its charge, and one that fails leaves
 * a note for those that follow it.
 */
SEC("fexit/page_counter_try_charge")
int BPF_PROG(try_walk, struct page_counter *counter, unsigned long nr, struct page_counter **fail,
	     bool ok)
{
	struct cpu_state *st = begin(PROG_TRY_WALK);
	bool known = true, retry;
	struct memcg_row *r;
	__u32 level, row;
	struct act *a;
	__u64 memcg, task;

	if (!st)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	a = act_mine(st, SIDE_CHARGE, level, task);
	if (a && a->memcg && (__u64)counter == counter_of(a->memcg)) {
		memcg = a->memcg;
		row = a->stage == STAGE_WALKED ? a->row : row_of_address(st, memcg);
	} else {
		memcg = memcg_of((__u64)counter, &known);
		if (!known)
			st->totals.lost[LOSS_UNKNOWN_COUNTER]++;
		if (!memcg)
			return 0;
		row = row_of_address(st, memcg);
		if (!a || a->memcg) {
			a = act_begin(st, SIDE_CHARGE, level, task);
			a->kind = unannounced_kind;
		}
		a->memcg = memcg;
	}
	a->row = row;
	retry = walk_is_retry(task, level, memcg);
	if (!retry) {
		a->held = 0;
		a->expendable = false;
	}
	a->stage = STAGE_WALKED;
	r = row_at(row);
	if (r) {
		r->c[C_TRY_WALKS]++;
		if (!retry && stock_layout != STOCK_NONE) {
			r->c[C_MISS_KIND + (a->kind & (KIND_NR - 1))]++;
			observe_batch(nr);
			count_reason(r, memcg, nr, level, task, &a->held);
		}
	}
	if (!ok) {
		/* reclaim may sleep and come back on another CPU */
		retry_begin(task, level, memcg);
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
	__u32 level, kind = unannounced_kind;
	unsigned long charged = 0;
	struct memcg_row *r;
	__u64 memcg, task;
	struct act *a;
	bool known;

	if (!st)
		return 0;
	bpf_probe_read_kernel(&charged, sizeof(charged), nr_charged);
	if (ok && !charged)
		return 0;
	memcg = memcg_of((__u64)counter, &known);
	if (!known)
		st->totals.lost[LOSS_UNKNOWN_COUNTER]++;
	if (!memcg)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	if (walk_is_retry(task, level, memcg))
		return 0;
	if (!ok)
		retry_begin(task, level, memcg);
	a = act_mine(st, SIDE_CHARGE, level, task);
	if (a && (!a->memcg || a->memcg == memcg)) {
		kind = a->kind;
		a->stage = STAGE_WALKED;
	}
	r = row_at(row_of_address(st, memcg));
	if (!r)
		return 0;
	r->c[C_STOCK_MISS_KIND + (kind & (KIND_NR - 1))]++;
	observe_batch(charged);
	r->c[charged > batch ? C_STOCK_MISS_OVERSIZE : C_STOCK_MISS_SHORT]++;
	return 0;
}

static __always_inline void compare_with_slots(struct cpu_state *st, struct memcg_row *r,
					       __u64 memcg, __u32 level, __u64 task, bool missed)
{
	struct check *c = &st->checks[level & (LEVEL_NR - 1)];

	if (c->task != task || c->memcg != memcg)
		return;
	c->task = 0;
	r->c[C_CHECKED]++;
	if (c->will_hit == missed)
		r->c[C_CHECK_DIFFER]++;
}

SEC("fexit/try_charge_memcg")
int BPF_PROG(charge_exit, struct mem_cgroup *memcg, unsigned int gfp, unsigned int nr, int ret)
{
	struct cpu_state *st = begin(PROG_CHARGE);
	__u32 level, held = 0, kind = unannounced_kind;
	bool missed = false;
	struct memcg_row *r;
	struct act *a;
	__u64 task;

	if (!st)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	a = act_mine(st, SIDE_CHARGE, level, task);
	if (a && (a->memcg == (__u64)memcg || !a->memcg)) {
		kind = a->kind;
		held = a->held;
		missed = a->stage == STAGE_WALKED;
		a->task = 0;
	}
	retry_end(task, level);
	r = row_at(row_of(st, memcg));
	if (!r)
		return 0;
	if (verify)
		compare_with_slots(st, r, (__u64)memcg, level, task, missed);
	r->c[C_CHARGE_KIND + (kind & (KIND_NR - 1))]++;
	r->c[C_CHARGE_PAGES] += nr;
	if (kind == KIND_SOCK) {
		r->c[C_SOCK_CHARGE_LEVEL + (level & (LEVEL_NR - 1))]++;
		r->c[C_SOCK_CHARGE_PAGES] += nr;
	}
	if (held)
		r->c[held < nr ? C_MISS_SHORT_LATE : C_MISS_RACED]++;
	if (ret) {
		r->c[C_FAILED]++;
		if (kind == KIND_SOCK)
			r->c[C_SOCK_FAILED]++;
	}
	return 0;
}

SEC("fentry/page_counter_charge")
int BPF_PROG(force_charge, struct page_counter *counter)
{
	struct cpu_state *st = begin(PROG_FORCE);
	struct memcg_row *r;
	__u64 memcg;
	bool known;

	if (!st)
		return 0;
	memcg = memcg_of((__u64)counter, &known);
	if (!memcg)
		return 0;
	r = row_at(row_of_address(st, memcg));
	if (r)
		r->c[C_FORCED]++;
	return 0;
}

/* ---- uncharging ---- */

static __always_inline void announce_uncharge(struct cpu_state *st, __u32 level, __u64 memcg,
					      __u32 row, __u8 user)
{
	struct act *a = act_begin(st, SIDE_UNCHARGE, level, bpf_get_current_task());

	a->memcg = memcg;
	a->row = row;
	a->kind = user;
	a->stage = STAGE_ANNOUNCED;
	a->expendable = false;
}

/* What this refill will do, and what the slot will hold before it is drained. */
static __always_inline enum refill_outcome refill_predict(const struct mem_cgroup *memcg, __u32 nr,
							  __u32 level, __u64 task, __u32 *held,
							  bool *lock_was_free)
{
	const void *stock = this_stock();
	enum holder holder = stock_holder(stock, task);
	struct slot_look look;

	*held = nr;
	*lock_was_free = holder == HELD_BY_NOBODY;
	if (stock_layout == STOCK_MULTI && (nr > batch || stock_lock_busy(holder, level)))
		return REFILL_DIRECT;
	stock_look(stock, memcg, &look);
	if (!look.found) {
		if (!look.has_free)
			return REFILL_EVICTED;
		return nr > batch ? REFILL_OVERFLOW : REFILL_NEW_SLOT;
	}
	*held = look.pages + nr;
	return *held > batch ? REFILL_OVERFLOW : REFILL_MERGED;
}

/* From now to the walk that must follow, if one must. */
static __always_inline void refill_begin(struct cpu_state *st, __u32 level, __u64 task, __u64 memcg,
					 __u32 row, __u8 user, enum refill_outcome outcome,
					 __u32 held, bool lock_was_free)
{
	struct act *a;

	if (outcome == REFILL_MERGED || outcome == REFILL_NEW_SLOT) {
		a = &st->acts[SIDE_UNCHARGE][level & (LEVEL_NR - 1)];
		if (a->task == task)
			a->task = 0;
		return;
	}
	a = act_begin(st, SIDE_UNCHARGE, level, task);
	a->memcg = memcg;
	a->row = row;
	a->kind = user;
	a->stage = STAGE_REFILL;
	a->outcome = outcome;
	a->held = held;
	a->lock_was_free = lock_was_free;
	a->expendable = false;
}

static __always_inline int sock_uncharge(struct cpu_state *st, struct mem_cgroup *memcg, __u32 nr)
{
	__u32 level = current_level(), row;
	struct memcg_row *r;

	if (!memcg)
		return 0;
	row = row_of(st, memcg);
	r = row_at(row);
	if (r) {
		r->c[C_SOCK_UNCHARGES]++;
		r->c[C_SOCK_UNCHARGE_PAGES] += nr;
	}
	if (sock_inlined) {
		__u64 task = bpf_get_current_task();
		enum refill_outcome outcome;
		bool lock_was_free;
		__u32 held;

		outcome = refill_predict(memcg, nr, level, task, &held, &lock_was_free);
		if (r)
			r->c[C_SOCK_REFILL + outcome]++;
		refill_begin(st, level, task, (__u64)memcg, row, USER_SOCK, outcome, held,
			     lock_was_free);
	} else {
		announce_uncharge(st, level, (__u64)memcg, row, USER_SOCK);
	}
	return 0;
}

SEC("fentry/mem_cgroup_sk_uncharge")
int BPF_PROG(sk_uncharge, struct sock *sk, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_SOCK_UNCHARGE);

	if (!st)
		return 0;
	if (sk_memcg_flags) {
		__u64 memcg = sk_memcg_plain(sk);
		struct memcg_row *r;
		__u32 row;

		if (!memcg)
			return 0;
		row = row_of_address(st, memcg);
		announce_uncharge(st, current_level(), memcg, row, USER_SOCK);
		r = row_at(row);
		if (r) {
			r->c[C_SOCK_UNCHARGES]++;
			r->c[C_SOCK_UNCHARGE_PAGES] += nr;
		}
		return 0;
	}
	return sock_uncharge(st, sk->sk_memcg, nr);
}

SEC("fentry/mem_cgroup_uncharge_skmem")
int BPF_PROG(skmem_uncharge, struct mem_cgroup *memcg, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_SOCK_UNCHARGE);

	return st ? sock_uncharge(st, memcg, nr) : 0;
}

static __always_inline int obj_uncharge_of(struct cpu_state *st, struct mem_cgroup *memcg,
					   enum counter counter)
{
	struct memcg_row *r;
	__u32 row;

	if (!memcg || !memcg->css.parent)
		return 0;
	row = row_of(st, memcg);
	announce_uncharge(st, current_level(), (__u64)memcg, row, USER_OBJ);
	r = row_at(row);
	if (r)
		r->c[counter]++;
	return 0;
}

SEC("fentry/obj_cgroup_uncharge_pages")
int BPF_PROG(obj_uncharge, struct obj_cgroup *objcg)
{
	struct cpu_state *st = begin(PROG_OBJ_UNCHARGE);

	return st ? obj_uncharge_of(st, objcg->memcg, C_OBJ_UNCHARGES) : 0;
}

/* drain_obj_stock gives back whole pages only; below one nothing follows. */
#define PAGE_SIZE_MIN 4096

SEC("fentry/drain_obj_stock")
int BPF_PROG(obj_drain_old, struct memcg_stock_pcp___single *stock)
{
	struct cpu_state *st = begin(PROG_OBJ_DRAIN);

	if (!st || !stock->cached_objcg || stock->nr_bytes < PAGE_SIZE_MIN)
		return 0;
	return obj_uncharge_of(st, stock->cached_objcg->memcg, C_OBJ_DRAIN_UNCHARGES);
}

SEC("fentry/drain_obj_stock")
int BPF_PROG(obj_drain, struct obj_stock_pcp___single *stock)
{
	struct cpu_state *st = begin(PROG_OBJ_DRAIN);

	if (!st || !stock->cached_objcg || stock->nr_bytes < PAGE_SIZE_MIN)
		return 0;
	return obj_uncharge_of(st, stock->cached_objcg->memcg, C_OBJ_DRAIN_UNCHARGES);
}

SEC("fentry/drain_obj_stock_slot")
int BPF_PROG(obj_drain_slot, struct obj_stock_pcp___multi *stock, int i)
{
	struct cpu_state *st = begin(PROG_OBJ_DRAIN);
	const char *base = (const char *)stock;
	struct obj_cgroup *objcg = NULL;
	struct mem_cgroup *memcg;
	struct memcg_row *r;
	__u16 bytes = 0;
	__u32 row;

	if (!st)
		return 0;
	i &= SLOTS_MAX - 1;
	bpf_probe_read_kernel(&bytes, sizeof(bytes),
			      base + bpf_core_field_offset(struct obj_stock_pcp___multi, nr_bytes) +
				      i * sizeof(bytes));
	if (bytes < PAGE_SIZE_MIN)
		return 0;
	bpf_probe_read_kernel(&objcg, sizeof(objcg),
			      base + bpf_core_field_offset(struct obj_stock_pcp___multi, cached) +
				      i * sizeof(objcg));
	memcg = objcg ? BPF_CORE_READ(objcg, memcg) : NULL;
	if (!memcg || !BPF_CORE_READ(memcg, css.parent))
		return 0;
	row = row_of_address(st, (__u64)memcg);
	announce_uncharge(st, current_level(), (__u64)memcg, row, USER_OBJ);
	r = row_at(row);
	if (r)
		r->c[C_OBJ_DRAIN_UNCHARGES]++;
	return 0;
}

SEC("fentry/uncharge_batch")
int BPF_PROG(folio_uncharge, struct uncharge_gather *ug)
{
	struct cpu_state *st = begin(PROG_FOLIO_UNCHARGE);
	struct mem_cgroup *memcg;
	struct memcg_row *r;
	__u32 row;

	if (!st || !ug->nr_memory)
		return 0;
	memcg = gathered_memcg(ug);
	if (!memcg || !memcg->css.parent)
		return 0;
	row = row_of(st, memcg);
	announce_uncharge(st, current_level(), (__u64)memcg, row, USER_FOLIO);
	r = row_at(row);
	if (r)
		r->c[C_FOLIO_UNCHARGES]++;
	return 0;
}

SEC("fentry/refill_stock")
int BPF_PROG(refill, struct mem_cgroup *memcg, unsigned int nr)
{
	struct cpu_state *st = begin(PROG_REFILL);
	__u8 user = unannounced_kind == KIND_OBJ ? USER_OBJ : USER_OTHER;
	enum refill_outcome outcome;
	bool lock_was_free;
	struct memcg_row *r;
	__u32 level, row, held;
	struct act *a;
	__u64 task;

	if (!st)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	a = act_mine(st, SIDE_UNCHARGE, level, task);
	if (a && a->stage == STAGE_ANNOUNCED && a->memcg == (__u64)memcg) {
		user = a->kind;
		row = a->row;
	} else {
		/* the inlined copy was counted at the socket's hook */
		if (sock_inlined && a && a->stage == STAGE_REFILL && a->kind == USER_SOCK &&
		    a->memcg == (__u64)memcg)
			return 0;
		a = act_mine(st, SIDE_CHARGE, level, task);
		if (a && a->stage == STAGE_WALKED && a->memcg == (__u64)memcg) {
			user = USER_SURPLUS;
			row = a->row;
		} else {
			row = row_of(st, memcg);
		}
	}
	outcome = refill_predict(memcg, nr, level, task, &held, &lock_was_free);
	refill_begin(st, level, task, (__u64)memcg, row, user, outcome, held, lock_was_free);
	r = row_at(row);
	if (r) {
		r->c[C_REFILL + outcome]++;
		if (user == USER_SURPLUS)
			r->c[C_SURPLUS_REFILLS]++;
	}
	return 0;
}

static __always_inline int drain(struct cpu_state *st, __u64 victim, __u32 pages)
{
	__u32 level = current_level(), victim_row;
	__u64 task = bpf_get_current_task();
	struct memcg_row *r;
	struct act *a;
	__u8 cause;

	if (!victim)
		return 0;
	victim_row = row_of_address(st, victim);
	a = act_mine(st, SIDE_UNCHARGE, level, task);
	if (level == LEVEL_TASK && st->flush_task == task)
		cause = CAUSE_FLUSH;
	else if (level == LEVEL_TASK && st->hotplug_task == task)
		cause = CAUSE_HOTPLUG;
	else
		cause = a && a->memcg == victim ? CAUSE_OVERFLOW : CAUSE_EVICT;
	if (!a || cause >= CAUSE_FLUSH) {
		a = act_begin(st, SIDE_UNCHARGE, level, task);
		a->row = ROW_OTHER;
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
	}
	r = row_at(victim_row);
	if (r) {
		r->c[C_DRAIN_CAUSE + (cause & 3)]++;
		r->c[C_DRAINED_PAGES] += pages;
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

	if (!st)
		return 0;
	victim = stock_slot(stock, 0, &pages);
	return drain(st, victim, pages);
}

SEC("fentry/drain_stock")
int BPF_PROG(drain_slot, struct memcg_stock_pcp *stock, int i)
{
	struct cpu_state *st = begin(PROG_DRAIN);
	__u32 pages;
	__u64 victim;

	if (!st)
		return 0;
	victim = stock_slot(stock, i, &pages);
	return drain(st, victim, pages);
}

SEC("fentry/drain_local_memcg_stock")
int BPF_PROG(flush_begin)
{
	struct cpu_state *st = begin(PROG_FLUSH);

	if (st)
		st->flush_task = bpf_get_current_task();
	return 0;
}

SEC("fexit/drain_local_memcg_stock")
int BPF_PROG(flush_end)
{
	struct cpu_state *st = begin(PROG_FLUSH_EXIT);

	if (st)
		st->flush_task = 0;
	return 0;
}

SEC("fentry/memcg_hotplug_cpu_dead")
int BPF_PROG(hotplug_begin)
{
	struct cpu_state *st = begin(PROG_HOTPLUG);

	if (st)
		st->hotplug_task = bpf_get_current_task();
	return 0;
}

SEC("fexit/memcg_hotplug_cpu_dead")
int BPF_PROG(hotplug_end)
{
	struct cpu_state *st = begin(PROG_HOTPLUG_EXIT);

	if (st)
		st->hotplug_task = 0;
	return 0;
}

/* One hierarchical uncharge: whose, by whom, and why. */
struct walk {
	__u64 memcg;
	__u32 row;
	__u32 by;
	__u8 cause;
	__u8 user;
	bool lock_was_free;
	bool in_window;		/* this context took the lock itself, if it is taken */
};

/* The walk that an act on the uncharge side leads to. */
static __always_inline bool walk_of_act(struct cpu_state *st, struct act *a, __u64 counter,
					__u64 nr, struct walk *w)
{
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
		w->row = row_of_address(st, w->memcg);
		w->cause = CAUSE_EVICT;
	}
	if (w->cause == CAUSE_OVERFLOW) {
		if (nr >= a->held)
			st->totals.overflow_emptied++;
		else
			st->totals.overflow_trimmed++;
	}
	/* one that evicts with more than a batch empties its own slot as well */
	if (stock_layout == STOCK_SINGLE && w->cause == CAUSE_EVICT && a->held > batch) {
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
		st->totals.lost[LOSS_UNKNOWN_COUNTER]++;
	if (!w->memcg)
		return false;
	w->row = row_of_address(st, w->memcg);
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
	if (h == HELD_BY_ME || (stock_lock == SEE_BYTE && w->in_window && w->lock_was_free))
		r->c[C_WALK_UNDER_LOCK]++;
	else
		r->c[C_WALK_BESIDE_LOCK]++;
}

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

	if (!st)
		return 0;
	level = current_level();
	task = bpf_get_current_task();
	a = act_mine(st, SIDE_UNCHARGE, level, task);
	announced = a && walk_of_act(st, a, (__u64)counter, nr, &w);
	if (!announced && !walk_of_window(st, (__u64)counter, level, task, &w))
		return 0;
	r = row_at(w.by);
	if (r) {
		r->c[C_WALK_USER + (w.user < USER_NR ? w.user : USER_OTHER)]++;
		if (w.user == USER_OTHER && !announced)
			r->c[C_OTHER_UNCHARGES]++;
	}
	r = row_at(w.row);
	if (!r)
		return 0;
	r->c[C_WALK_CAUSE + (w.cause < CAUSE_NR ? w.cause : CAUSE_UNBATCHED)]++;
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

/* ---- the MEMCG_SOCK statistic ---- */

static __always_inline int stat_update(struct cpu_state *st, struct mem_cgroup *memcg, int item)
{
	struct memcg_row *r;

	if (item != (int)bpf_core_enum_value(enum memcg_stat_item, MEMCG_SOCK))
		return 0;
	r = row_at(row_of(st, memcg));
	if (r)
		r->c[C_SOCK_STAT_UPDATES]++;
	return 0;
}

SEC("tp_btf/mod_memcg_state")
int BPF_PROG(stat_event, struct mem_cgroup *memcg, int item)
{
	struct cpu_state *st = begin(PROG_STAT);

	return st ? stat_update(st, memcg, item) : 0;
}

SEC("fentry/__mod_memcg_state")
int BPF_PROG(stat_call, struct mem_cgroup *memcg, int item)
{
	struct cpu_state *st = begin(PROG_STAT);

	return st ? stat_update(st, memcg, item) : 0;
}
