/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * drain_all_stock: for whom the stocks of all CPUs are flushed, from where it
 * was called, and whose pages that moved.
 */
#ifndef DRAINS_BPF_H
#define DRAINS_BPF_H

#include "state.h"

/*
 * css.serial_nr of the memcg that drain_all_stock last ran for. It runs under a
 * mutex and leaves the other CPUs to a work item, so a flush belongs to this
 * one, unless a second call came before the work item did. 0: none, or unknown.
 */
__u64 drain_initiator;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALLERS_MAX);
	__type(key, struct caller_key);
	__type(value, __u64);
} drain_callers SEC(".maps");

/* In the map; user space takes some out when there are many. */
__u32 nr_callers;
/* Calls that found no room there. */
__u64 unnamed_callers;

/* What the kernel calls them: it names its own functions to everyone who may load this. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALLERS_MAX);
	__type(key, __u64);
	__type(value, struct frame_name);
} frame_names SEC(".maps");

/* CPUs that a flush passes over; none before 6.4. */
const volatile __u32 isolated_cpus[ISOLATED_MAX];
const volatile __u32 nr_isolated;

/* mm/memcontrol.c: serializes drain_all_stock */
extern const void percpu_charge_mutex __ksym __weak;

/* Is this memcg, or one above it, the one with that css.serial_nr? */
__noinline bool is_below(__u64 memcg, __u64 serial)
{
	struct cgroup_subsys_state *css;
	__u32 i;

	css = (void *)(memcg + bpf_core_field_offset(struct mem_cgroup, css));
	for (i = 0; i < DEPTH_MAX && css; i++) {
		if (BPF_CORE_READ(css, serial_nr) == serial)
			return true;
		css = BPF_CORE_READ(css, parent);
	}
	return false;
}

/* Global, so that it is verified once and not for every CPU. */
__noinline int holds_pages_of(__u32 cpu, __u64 serial)
{
	const void *stock = HAS_STOCK ? bpf_per_cpu_ptr(&memcg_stock, cpu) : NULL;
	__u32 i, pages;
	__u64 memcg;

	if (!stock)
		return 0;
	for (i = 0; i < SLOTS_MAX; i++) {
		if (i >= STOCK_SLOTS)
			return 0;
		memcg = stock_slot(stock, i, &pages);
		if (memcg && pages && is_below(as_number(memcg), serial))
			return 1;
	}
	return 0;
}

static __noinline int name_frame(__u64 addr)
{
	struct frame_name name = {};
	/* the address is that of the return, which may be beyond the end of the function */
	__u64 call = addr - 1;

	if (bpf_map_lookup_elem(&frame_names, &addr))
		return 0;
	BPF_SNPRINTF(name.text, sizeof(name.text), "%ps", call);
	bpf_map_update_elem(&frame_names, &addr, &name, BPF_NOEXIST);
	return 0;
}

static __always_inline void count_caller(void *ctx, __u64 cgroup)
{
	struct caller_key key = {.cgroup = cgroup};
	__u64 *calls, first = 0;
	__u32 i;

	/* without the function itself */
	bpf_get_stack(ctx, key.frames, sizeof(key.frames), 1);
	calls = bpf_map_lookup_elem(&drain_callers, &key);
	if (!calls) {
		if (!bpf_map_update_elem(&drain_callers, &key, &first, BPF_NOEXIST))
			__sync_fetch_and_add(&nr_callers, 1);
		calls = bpf_map_lookup_elem(&drain_callers, &key);
		if (!calls) {
			__sync_fetch_and_add(&unnamed_callers, 1);
			return;
		}
		for (i = 0; i < CALLER_FRAMES && key.frames[i]; i++)
			name_frame(key.frames[i]);
	}
	__sync_fetch_and_add(calls, 1);
}

/*
 * What the compiler left of drain_all_stock behind its mutex_trylock. Its first
 * argument still is the memcg, or it is not counted for one.
 */
SEC("kprobe")
int BPF_KPROBE(drain_all, __u64 memcg)
{
	struct memcg_row *r;
	__u64 serial = 0, cgroup = 0;
	__u32 i, row = ROW_OTHER;
	bool known;

	begin(PROG_DRAIN_ALL);
	memcg = memcg_of(counter_of(memcg), &known);
	if (memcg) {
		serial = BPF_CORE_READ((struct mem_cgroup *)memcg, css.serial_nr);
		cgroup = cgroup_id_of(&((struct mem_cgroup *)memcg)->css);
		row = row_of_address(memcg);
	}
	drain_initiator = serial;
	r = row_at(row);
	if (r) {
		r->c[C_DRAIN_ALL_CALLS]++;
		for (i = 0; i < ISOLATED_MAX && i < nr_isolated; i++)
			if (holds_pages_of(isolated_cpus[i], serial))
				r->c[C_DRAIN_ALL_SKIPPED]++;
	}
	count_caller(ctx, cgroup);
	return 0;
}

/* A drain_all_stock that finds another at work returns at once, above all that is left to hook. */
SEC("fexit/mutex_trylock")
int BPF_PROG(drain_busy, void *lock, int taken)
{
	struct cpu_state *st = begin(PROG_DRAIN_BUSY);

	if ((__u64)lock == (__u64)&percpu_charge_mutex && !taken)
		st->totals.drain_all_busy++;
	return 0;
}

/* The flush of this CPU begins: it is owed to the initiator. */
static __always_inline void flush_for_initiator(struct cpu_state *st)
{
	struct memcg_row *r;

	st->flush_serial = drain_initiator;
	st->flush_row = row_known(st->flush_serial);
	r = row_at(st->flush_row);
	if (r)
		r->c[C_FLUSH_CPUS]++;
}

/* The walk of a flush, of another memcg perhaps than the one that it is for. */
static __noinline int count_flush_walk(struct cpu_state *st, __u64 memcg, __u64 pages)
{
	struct memcg_row *r;

	if (!st)
		return 0;
	r = row_at(st->flush_row);
	if (!r)
		return 0;
	r->c[C_FLUSH_PAGES] += pages;
	if (st->flush_serial && !is_below(as_number(memcg), st->flush_serial))
		r->c[C_FLUSH_INNOCENT_PAGES] += pages;
	return 0;
}

#endif
