/* SPDX-License-Identifier: GPL-2.0-only */
/* What a CPU's stock holds at this moment: run by user space, on that CPU where it may. */
#ifndef STOCKS_BPF_H
#define STOCKS_BPF_H

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stock_look);
} stock_looks SEC(".maps");

static __noinline int look_at_slot(struct stock_look *look, __u32 i, __u64 addr, __u32 pages)
{
	struct mem_cgroup *memcg = (void *)addr;

	if (!look)
		return 0;
	i &= SLOTS_MAX - 1;
	look->pages[i] = addr ? pages : 0;
	look->memcgs[i] = addr;
	look->cgroups[i] = addr ? cgroup_id_of(&memcg->css) : 0;
	look->rows[i] = addr ? row_known(BPF_CORE_READ(memcg, css.serial_nr)) : ROW_OTHER;
	return 0;
}

/*
 * By BPF_PROG_TEST_RUN it runs in an interrupt of the CPU asked for, so that
 * what it reads belongs together: only a section under the lock can be in the
 * middle of a change, and that is seen. From another CPU, as for isolated ones,
 * it is the caller who has to look twice.
 */
SEC("raw_tp")
int BPF_PROG(look_at_stock, __u64 cpu)
{
	const void *stock = HAS_STOCK ? bpf_per_cpu_ptr(&memcg_stock, cpu) : NULL;
	const struct memcg_stock_pcp *flags = stock;
	struct stock_look *look;
	__u32 i, pages, at = cpu;
	__u64 memcg;

	look = bpf_map_lookup_elem(&stock_looks, &at);
	if (!stock || !look)
		return 0;
	look->locked = stock_holder(stock, 0) != HELD_BY_NOBODY;
	/* FLUSHING_CACHED_CHARGE is bit 0 */
	look->flushing = flags->flags & 1;
	for (i = 0; i < SLOTS_MAX; i++) {
		if (i >= STOCK_SLOTS)
			break;
		memcg = stock_slot(stock, i, &pages);
		look_at_slot(look, i, memcg, pages);
	}
	look->looks++;
	return 0;
}

#endif
