/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels, on the BPF side: one getter a difference.
 *
 * What the kernel's types say is asked by CO-RE (does a field exist, how large
 * is it), since that leaves an immediate in the program and the verifier drops
 * the branches of other kernels; a `const volatile` would be loaded each time.
 * What has to be measured is set by user space before load.
 */
#ifndef COMPAT_BPF_H
#define COMPAT_BPF_H

#define HAS(type, field) bpf_core_field_exists(((struct type *)0)->field)

/* To 6.14 the stock is one slot, since 6.16 an array of them; or there is none. */
#define STOCK_IS_SINGLE HAS(memcg_stock_pcp___single, cached)
#define STOCK_IS_MULTI	HAS(memcg_stock_pcp___multi, cached)
#define HAS_STOCK	(STOCK_IS_SINGLE || STOCK_IS_MULTI)
#define HAS_SLOT(i) \
	((i) * sizeof(void *) < bpf_core_field_size(struct memcg_stock_pcp___multi, cached))
#define STOCK_SLOTS \
	(STOCK_IS_SINGLE ? 1 : bpf_core_field_size(struct memcg_stock_pcp___multi, cached) / 8)
/* nr_sock[]: consume and refill are inlined into the socket paths */
#define SOCK_IS_INLINED HAS(memcg_stock_pcp___sock, nr_sock)
/* a trylock gives up instead of waiting: 6.16 and later */
#define LOCK_CAN_FAIL	STOCK_IS_MULTI
#define LOCK_IS_BYTE	HAS(memcg_stock_pcp___byte, lock.acquired)
#define LOCK_IS_RT	HAS(memcg_stock_pcp___rt, lock.lock.owner)
#define LOCK_IS_OLD_RT	HAS(memcg_stock_pcp___oldrt, stock_lock.lock.owner)
/* PREEMPT_RT counts softirqs in the task, not in the preempt count */
#define SOFTIRQ_IN_TASK HAS(task_struct___rt, softirq_disable_cnt)

/*
 * HARDIRQ is bits 16 to 19 before 7.3, 24 to 27 there (include/linux/preempt.h),
 * so the masks are measured, not tabled: src/probe/calibrate.c. irq_mask is
 * all that is not task context.
 */
const volatile __u32 hardirq_mask = 0x0f000000;
const volatile __u32 nmi_mask = 0xf0000000;
const volatile __u32 irq_mask = 0xff000100;
/* sk->sk_memcg has flags in its low bits */
const volatile bool sk_memcg_flags;

/* Bit 8 alone is "serving a softirq"; the bits above it are local_bh_disable(). */
#define SOFTIRQ_BIT 0x100

extern const struct memcg_stock_pcp memcg_stock __ksym __weak;
extern const int __preempt_count __ksym __weak;
extern const struct pcpu_hot pcpu_hot __ksym __weak;
extern const void memory_cgrp_subsys __ksym __weak;

static __always_inline __u32 preempt_count(void)
{
#ifdef __TARGET_ARCH_x86
	if (HAS(pcpu_hot, preempt_count)) {
		const struct pcpu_hot *hot = bpf_this_cpu_ptr(&pcpu_hot);

		return hot->preempt_count;
	}
	return *(const int *)bpf_this_cpu_ptr(&__preempt_count);
#else
	if (HAS(task_struct___arm64, thread_info.preempt.count)) {
		struct task_struct___arm64 *t = (void *)bpf_get_current_task_btf();

		return t->thread_info.preempt.count;
	}
	return 0;
#endif
}

static __noinline __u32 level_in_interrupt(__u32 count)
{
	if (count & nmi_mask)
		return LEVEL_NMI;
	return count & hardirq_mask ? LEVEL_HARDIRQ : LEVEL_SOFTIRQ;
}

/* The context that this event runs in: below LEVEL_NR. */
static __always_inline __u32 current_level(void)
{
	__u32 count = preempt_count();

	if (count & irq_mask)
		return level_in_interrupt(count) & (LEVEL_NR - 1);
	if (SOFTIRQ_IN_TASK) {
		struct task_struct___rt *t = (void *)bpf_get_current_task_btf();

		if (t->softirq_disable_cnt & SOFTIRQ_BIT)
			return LEVEL_SOFTIRQ;
	}
	return LEVEL_TASK;
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
	return HAS_STOCK ? bpf_this_cpu_ptr(&memcg_stock) : NULL;
}

/*
 * A byte does not say whose it is: HELD_BY_OTHER then means "set", and the
 * caller knows from its own window whether it may be its own.
 */
static __always_inline enum holder stock_holder(const void *stock, __u64 task)
{
	const struct memcg_stock_pcp___byte *byte = stock;
	const struct memcg_stock_pcp___rt *rt = stock;
	const struct memcg_stock_pcp___oldrt *oldrt = stock;

	if (LOCK_IS_BYTE)
		return byte->lock.acquired ? HELD_BY_OTHER : HELD_BY_NOBODY;
	if (LOCK_IS_RT)
		return holder_by_owner(&rt->lock.lock.owner, task);
	if (LOCK_IS_OLD_RT)
		return holder_by_owner(&oldrt->stock_lock.lock.owner, task);
	return HELD_BY_NOBODY;
}

/*
 * Would local_trylock fail? On PREEMPT_RT it also gives up in hardirq and NMI
 * context without a look at the owner (local_lock_internal.h).
 */
static __always_inline bool stock_lock_busy(enum holder holder, __u32 level)
{
	if (!LOCK_CAN_FAIL)
		return false;
	if (LOCK_IS_RT && level >= LEVEL_HARDIRQ)
		return true;
	return holder == HELD_BY_OTHER;
}

/* What this CPU's stock holds of a memcg. */
struct slot_look {
	bool found;
	bool has_free;
	__u32 pages;
};

/* libbpf 1.1 relocates constant indices only, hence no loop. */
#define LOOK_AT(i)                                            \
	do {                                                  \
		if (HAS_SLOT(i)) {                            \
			__u64 cached = (__u64)m->cached[i];   \
                                                              \
			if (cached == memcg) {                \
				look->found = true;           \
				look->pages = m->nr_pages[i]; \
				return;                       \
			}                                     \
			if (!cached)                          \
				look->has_free = true;        \
		}                                             \
	} while (0)

static __always_inline void stock_look(const void *stock, __u64 memcg, struct slot_look *look)
{
	const struct memcg_stock_pcp___single *s = stock;
	const struct memcg_stock_pcp___multi *m = stock;

	look->found = false;
	look->has_free = false;
	look->pages = 0;
	if (STOCK_IS_MULTI) {
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
	} else if (STOCK_IS_SINGLE) {
		look->found = (__u64)s->cached == memcg;
		look->has_free = !s->cached;
		if (look->found)
			look->pages = s->nr_pages;
	}
}

/* The memcg and pages of one slot, whichever it is: by reads, for rare events only. */
static __always_inline __u64 stock_slot(const void *stock, __u32 i, __u32 *pages)
{
	const struct memcg_stock_pcp___single *s = stock;
	const char *base = stock;
	__u64 memcg = 0;
	__u8 nr = 0;

	*pages = 0;
	if (STOCK_IS_SINGLE) {
		*pages = s->nr_pages;
		return (__u64)s->cached;
	}
	if (!STOCK_IS_MULTI)
		return 0;
	i &= SLOTS_MAX - 1;
	bpf_probe_read_kernel(&memcg, sizeof(memcg),
			      base + bpf_core_field_offset(struct memcg_stock_pcp___multi, cached) +
				      i * sizeof(memcg));
	bpf_probe_read_kernel(
		&nr, sizeof(nr),
		base + bpf_core_field_offset(struct memcg_stock_pcp___multi, nr_pages) + i);
	*pages = nr;
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

/* The memory controller's css in an array of them, as cgroup.subsys and css_set.subsys are. */
static __always_inline struct cgroup_subsys_state *memory_css(void *array)
{
	struct cgroup_subsys_state *css = NULL;

	bpf_probe_read_kernel(&css, sizeof(css),
			      (const char *)array +
				      bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id) *
					      sizeof(css));
	return css;
}

/*
 * &memory_cgrp_subsys, from the first memcg that got a row: the symbol's address
 * is not to be had where kernel.kptr_restrict hides it.
 */
__u64 learned_subsys;

static __always_inline __u64 memory_subsys(void)
{
	__u64 symbol = (__u64)&memory_cgrp_subsys;

	return symbol ? symbol : learned_subsys;
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
	return ss && ss == memory_subsys() ? memcg : 0;
}

#endif
