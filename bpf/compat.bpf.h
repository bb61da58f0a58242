/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels, on the BPF side: one getter a difference. The
 * constants are set before load (src/probe/load.c) from BTF and a calibration
 * run, so that the verifier drops the branches of other kernels. Their
 * defaults take the widest path that loads on a 7.x kernel.
 */
#ifndef COMPAT_BPF_H
#define COMPAT_BPF_H

/* The layout of the stock. */
enum { STOCK_NONE, STOCK_SINGLE, STOCK_MULTI };
enum { SEE_NOTHING, SEE_BYTE, SEE_OWNER, SEE_OLD_OWNER };
enum { PREEMPT_COUNT_NONE, PREEMPT_COUNT_VAR, PREEMPT_COUNT_HOT, PREEMPT_COUNT_TASK };

const volatile __u32 stock_layout = STOCK_MULTI;
const volatile __u32 stock_slots = 7;
const volatile __u32 stock_lock = SEE_BYTE;
/* trylock gives up instead of waiting: 6.16 and later */
const volatile bool lock_can_fail = true;
/* nr_sock[]: consume and refill are inlined into the socket paths */
const volatile bool sock_inlined;
const volatile bool sk_memcg_flags;
const volatile __u32 preempt_count_in = PREEMPT_COUNT_VAR;
/*
 * HARDIRQ is bits 16 to 19 before 7.3, 24 to 27 there (include/linux/preempt.h),
 * so the masks are measured, not tabled: src/probe/calibrate.c.
 */
const volatile __u32 hardirq_mask = 0x0f000000;
const volatile __u32 nmi_mask = 0xf0000000;
const volatile bool softirq_in_task;

/* Bit 8 alone is "serving a softirq"; the bits above it are local_bh_disable(). */
#define SOFTIRQ_BIT 0x100

extern const struct memcg_stock_pcp memcg_stock __ksym __weak;
extern const int __preempt_count __ksym __weak;
extern const struct pcpu_hot pcpu_hot __ksym __weak;
extern const void memory_cgrp_subsys __ksym __weak;

static __always_inline __u32 preempt_count(void)
{
	if (preempt_count_in == PREEMPT_COUNT_VAR)
		return *(const int *)bpf_this_cpu_ptr(&__preempt_count);
	if (preempt_count_in == PREEMPT_COUNT_HOT) {
		const struct pcpu_hot *hot = bpf_this_cpu_ptr(&pcpu_hot);

		return hot->preempt_count;
	}
	if (preempt_count_in == PREEMPT_COUNT_TASK) {
		struct task_struct___arm64 *t = (void *)bpf_get_current_task_btf();

		return t->thread_info.preempt.count;
	}
	return 0;
}

/* The context that this event runs in. */
static __always_inline __u32 current_level(void)
{
	__u32 count = preempt_count();

	if (softirq_in_task) {
		if (!(count & (hardirq_mask | nmi_mask))) {
			struct task_struct___rt *t = (void *)bpf_get_current_task_btf();

			return t->softirq_disable_cnt & SOFTIRQ_BIT ? LEVEL_SOFTIRQ : LEVEL_TASK;
		}
	} else if (!(count & (hardirq_mask | nmi_mask | SOFTIRQ_BIT))) {
		return LEVEL_TASK;
	}
	if (count & nmi_mask)
		return LEVEL_NMI;
	return count & hardirq_mask ? LEVEL_HARDIRQ : LEVEL_SOFTIRQ;
}

/* Who has this CPU's stock locked. */
enum holder { HELD_BY_NOBODY, HELD_BY_ME, HELD_BY_OTHER };

static __always_inline enum holder holder_by_owner(struct task_struct *const *at, __u64 task)
{
	const struct task_struct *owner = *at;
	__u64 plain = 0;

	if (!owner)
		return HELD_BY_NOBODY;
	if ((__u64)owner == task)
		return HELD_BY_ME;
	/* bit 0 says that there are waiters; a typed pointer cannot be masked, so read it anew */
	bpf_probe_read_kernel(&plain, sizeof(plain), at);
	plain &= ~1ULL;
	if (!plain)
		return HELD_BY_NOBODY;
	return plain == task ? HELD_BY_ME : HELD_BY_OTHER;
}

/* This CPU's stock. Only where there is one: the verifier drops the rest. */
static __always_inline const void *this_stock(void)
{
	return stock_layout == STOCK_NONE ? NULL : bpf_this_cpu_ptr(&memcg_stock);
}

/*
 * A byte does not say whose it is: HELD_BY_OTHER then means "set", and the
 * caller knows from its own window whether it may be its own.
 */
static __always_inline enum holder stock_holder(const void *stock, __u64 task)
{
	if (stock_layout == STOCK_NONE || stock_lock == SEE_NOTHING)
		return HELD_BY_NOBODY;
	if (stock_lock == SEE_BYTE)
		return ((const struct memcg_stock_pcp___byte *)stock)->lock.acquired ?
			       HELD_BY_OTHER :
			       HELD_BY_NOBODY;
	if (stock_lock == SEE_OWNER)
		return holder_by_owner(
			&((const struct memcg_stock_pcp___rt *)stock)->lock.lock.owner, task);
	return holder_by_owner(
		&((const struct memcg_stock_pcp___oldrt *)stock)->stock_lock.lock.owner, task);
}

/*
 * Would local_trylock fail? On PREEMPT_RT it also gives up in hardirq and NMI
 * context without a look at the owner (local_lock_internal.h).
 */
static __always_inline bool stock_lock_busy(enum holder holder, __u32 level)
{
	if (!lock_can_fail)
		return false;
	if (stock_lock == SEE_OWNER && level >= LEVEL_HARDIRQ)
		return true;
	return holder == HELD_BY_OTHER;
}

/* What this CPU's stock holds of a memcg. */
struct slot_look {
	bool found;
	bool has_free;
	__u32 pages;
};

#define LOOK_AT(i)                                                                                 \
	do {                                                                                       \
		if ((i) < stock_slots) {                                                           \
			const struct mem_cgroup *cached = m->cached[i];                            \
                                                                                                   \
			if (cached == memcg) {                                                     \
				look->found = true;                                                \
				look->pages = m->nr_pages[i];                                      \
				return;                                                            \
			}                                                                          \
			if (!cached)                                                               \
				look->has_free = true;                                             \
		}                                                                                  \
	} while (0)

/* libbpf 1.1 relocates constant indices only, hence no loop. */
static __always_inline void stock_look(const void *stock, const struct mem_cgroup *memcg,
				       struct slot_look *look)
{
	look->found = false;
	look->has_free = false;
	look->pages = 0;
	if (stock_layout == STOCK_SINGLE) {
		const struct memcg_stock_pcp___single *s = stock;

		look->found = s->cached == memcg;
		look->has_free = !s->cached;
		if (look->found)
			look->pages = s->nr_pages;
	} else if (stock_layout == STOCK_MULTI) {
		const struct memcg_stock_pcp___multi *m = stock;

		LOOK_AT(0);
		LOOK_AT(1);
		LOOK_AT(2);
		LOOK_AT(3);
		LOOK_AT(4);
		LOOK_AT(5);
		LOOK_AT(6);
		LOOK_AT(7);
		LOOK_AT(8);
		LOOK_AT(9);
		LOOK_AT(10);
		LOOK_AT(11);
		LOOK_AT(12);
		LOOK_AT(13);
		LOOK_AT(14);
		LOOK_AT(15);
	}
}

/* The memcg and pages of one slot, whichever it is: by reads, for rare events only. */
static __always_inline __u64 stock_slot(const void *stock, __u32 i, __u32 *pages)
{
	__u64 memcg = 0;

	*pages = 0;
	if (stock_layout == STOCK_SINGLE) {
		const struct memcg_stock_pcp___single *s = stock;

		*pages = s->nr_pages;
		return (__u64)s->cached;
	}
	if (stock_layout == STOCK_MULTI) {
		const char *base = stock;
		__u8 nr = 0;

		i &= SLOTS_MAX - 1;
		bpf_probe_read_kernel(
			&memcg, sizeof(memcg),
			base + bpf_core_field_offset(struct memcg_stock_pcp___multi, cached) +
				i * sizeof(memcg));
		bpf_probe_read_kernel(
			&nr, sizeof(nr),
			base + bpf_core_field_offset(struct memcg_stock_pcp___multi, nr_pages) + i);
		*pages = nr;
	}
	return memcg;
}

/* Flags in the low bits of sk_memcg hide its type from the verifier. */
static __always_inline __u64 sk_memcg_plain(struct sock *sk)
{
	return (__u64)BPF_CORE_READ(sk, sk_memcg) & ~7ULL;
}

/* Whose folios a batch of uncharges is. */
static __always_inline struct mem_cgroup *gathered_memcg(struct uncharge_gather *ug)
{
	struct uncharge_gather___objcg *o = (void *)ug;

	if (bpf_core_field_exists(ug->memcg))
		return ug->memcg;
	return o->objcg ? o->objcg->memcg : NULL;
}

static __always_inline __u64 counter_of(__u64 memcg)
{
	return memcg + bpf_core_field_offset(struct mem_cgroup, memory);
}

/*
 * The memcg whose `memory` counter this is, or 0: swap, memsw, hugetlb and dmem
 * counters go through the same functions, and only their container's css.ss
 * tells them apart. *known is false if that could not be read.
 */
static __always_inline __u64 memcg_of(__u64 counter, bool *known)
{
	__u64 memcg = counter - bpf_core_field_offset(struct mem_cgroup, memory);
	__u64 ss = 0;

	*known = !bpf_probe_read_kernel(
		&ss, sizeof(ss),
		(void *)(memcg + bpf_core_field_offset(struct mem_cgroup, css) +
			 bpf_core_field_offset(struct cgroup_subsys_state, ss)));
	return ss == (__u64)&memory_cgrp_subsys ? memcg : 0;
}

#endif
