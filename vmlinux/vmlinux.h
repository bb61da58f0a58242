/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel types that the programs touch, and no more. Offsets are relocated
 * from the running kernel's BTF (CO-RE), so only names and shapes matter here.
 * Where kernels differ a type stands once for each shape, with a ___flavour;
 * bpf/compat.bpf.h picks between them. A full header for development:
 *	bpftool btf dump file /sys/kernel/btf/vmlinux format c
 */
#ifndef VMLINUX_H
#define VMLINUX_H
#define __VMLINUX_H__ /* to libbpf: fields of pt_regs have the kernel's names */

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;

enum { false, true };

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_QUEUE = 22,
};

enum { BPF_F_MMAPABLE = 1024 };

enum { BPF_ANY = 0, BPF_NOEXIST = 1, BPF_EXIST = 2 };

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kernfs_node {
	const char *name;
	__u64 id;
};

struct cgroup_subsys;

struct cgroup_subsys_state;

struct cgroup {
	struct kernfs_node *kn;
	struct cgroup_subsys_state *subsys[16];
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys *ss;
	__u64 serial_nr;
	struct cgroup_subsys_state *parent;
};

struct page_counter {
	struct {
		__s64 counter;
	} usage;
	unsigned long max;
	struct page_counter *parent;
};

struct mem_cgroup {
	struct cgroup_subsys_state css;
	unsigned long socket_pressure;
	struct page_counter memory;
};

struct obj_cgroup {
	struct mem_cgroup *memcg;
};

struct sock {
	struct mem_cgroup *sk_memcg;
};

struct folio;

struct uncharge_gather {
	struct mem_cgroup *memcg; /* to 7.0 or so */
	unsigned long nr_memory;
};

struct uncharge_gather___objcg {
	struct obj_cgroup *objcg; /* instead, since folios point to one */
};

/* The base type of the per-CPU symbol; what is in it, the flavours say. */
struct memcg_stock_pcp {
	unsigned long flags;
};

/* to 6.14: one memcg a CPU, with the objcg stock in the same struct */
struct memcg_stock_pcp___single {
	struct mem_cgroup *cached;
	unsigned int nr_pages;
	struct obj_cgroup *cached_objcg;
	unsigned int nr_bytes;
};

/* 6.16 and later; the number of slots is read from BTF */
struct memcg_stock_pcp___multi {
	__u8 nr_pages[16];
	struct mem_cgroup *cached[16];
};

/* proposed 2026-10: MEMCG_SOCK is batched beside the pages */
struct memcg_stock_pcp___sock {
	__s8 nr_sock[6];
};

/* The lock as a byte: local_trylock_t without PREEMPT_RT, 6.16 and later. */
struct local_trylock___byte {
	__u8 acquired;
};

struct memcg_stock_pcp___byte {
	struct local_trylock___byte lock;
};

/* The lock as an rt_mutex: PREEMPT_RT; `stock_lock` to 6.14, then `lock`. */
struct rt_mutex_base {
	struct task_struct *owner;
};

struct spinlock___rt {
	struct rt_mutex_base lock;
};

struct memcg_stock_pcp___rt {
	struct spinlock___rt lock;
};

struct memcg_stock_pcp___oldrt {
	struct spinlock___rt stock_lock;
};

/* 6.16 to 7.1 */
struct obj_stock_pcp___single {
	unsigned int nr_bytes;
	struct obj_cgroup *cached_objcg;
};

/* 7.2 and later */
struct obj_stock_pcp___multi {
	__u16 nr_bytes[5];
	struct obj_cgroup *cached[5];
};

struct thread_info___arm64 {
	struct {
		__u32 count;
	} preempt;
};

struct css_set {
	struct cgroup_subsys_state *subsys[16];
};

struct task_struct {
	struct css_set *cgroups;
};

/* The arguments at a kprobe: x86, and arm64. */
struct pt_regs {
	unsigned long di;
};

struct user_pt_regs {
	__u64 regs[31];
};

struct task_struct___rt {
	int softirq_disable_cnt;
};

struct task_struct___arm64 {
	struct thread_info___arm64 thread_info;
};

/* 6.2 to 6.13 or so, x86: the hot per-CPU variables together */
struct pcpu_hot {
	int preempt_count;
};

#pragma clang attribute pop

/* The values are the running kernel's; not each kernel has all of them. */
enum memcg_stat_item {
	MEMCG_SWAP,
	MEMCG_SOCK,
	MEMCG_PERCPU_B,
	MEMCG_VMALLOC,
	MEMCG_KMEM,
	MEMCG_ZSWAP_B,
	MEMCG_ZSWAPPED,
	MEMCG_ZSWAP_INCOMP,
};

enum cgroup_subsys_id {
	memory_cgrp_id,
};

/* Low bits of sk->sk_memcg, on kernels that keep flags there (proposed 2025). */
enum sk_memcg_flag {
	SK_MEMCG_EXCLUSIVE = 1,
};

#endif
