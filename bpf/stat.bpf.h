/* SPDX-License-Identifier: GPL-2.0-only */
/* The statistic: what a charge or an uncharge books beside the counters. */
#ifndef STAT_BPF_H
#define STAT_BPF_H

#define ITEM_IS(name)                                              \
	(bpf_core_enum_value_exists(enum memcg_stat_item, name) && \
	 item == (int)bpf_core_enum_value(enum memcg_stat_item, name))

static __always_inline enum stat_item stat_item(int item)
{
	if (ITEM_IS(MEMCG_KMEM))
		return STAT_KMEM;
	if (ITEM_IS(MEMCG_PERCPU_B))
		return STAT_PERCPU;
	if (ITEM_IS(MEMCG_VMALLOC))
		return STAT_VMALLOC;
	if (ITEM_IS(MEMCG_SWAP))
		return STAT_SWAP;
	if (ITEM_IS(MEMCG_ZSWAP_B) || ITEM_IS(MEMCG_ZSWAPPED) || ITEM_IS(MEMCG_ZSWAP_INCOMP))
		return STAT_ZSWAP;
	return STAT_OTHER;
}

static __always_inline int stat_update(struct mem_cgroup *memcg, int item, int val, bool timing)
{
	struct cpu_state *st = begin(PROG_STAT);
	__u32 row = row_of(memcg);
	struct memcg_row *r = row_at(row);

	if (!r)
		return 0;
	/* sockets first: theirs is the path that every cost counts on */
	if (!ITEM_IS(MEMCG_SOCK)) {
		r->c[C_STAT + stat_item(item)]++;
		return 0;
	}
	r->c[C_STAT + STAT_SOCK]++;
	/* an uncharge books less than nothing */
	if (timing && val > 0 && sock_ends_at_stat && is_timing(st))
		sock_charge_end(st, (__u64)memcg, row, true);
	return 0;
}

BOTH("tp_btf/mod_memcg_state", stat_event, stat_update(memcg, item, val, timing),
     struct mem_cgroup *memcg, int item, int val)

SEC("fentry/__mod_memcg_state")
int BPF_PROG(stat_call, struct mem_cgroup *memcg, int item)
{
	return stat_update(memcg, item, 0, false);
}

static __always_inline int count_rstat(__u64 memcg, __u64 serial)
{
	struct memcg_row *r = row_at(row_find(memcg, serial));

	if (r)
		r->c[C_RSTAT_UPDATES]++;
	return 0;
}

SEC("fentry/css_rstat_updated")
int BPF_PROG(rstat_css, struct cgroup_subsys_state *css)
{
	begin(PROG_RSTAT);
	if ((__u64)css->ss != memory_subsys())
		return 0;
	return count_rstat((__u64)css - bpf_core_field_offset(struct mem_cgroup, css),
			   css->serial_nr);
}

/* To 6.14 or so the updates are a cgroup's, whatever controller makes them. */
SEC("fentry/cgroup_rstat_updated")
int BPF_PROG(rstat_cgroup, struct cgroup *cgroup)
{
	struct cgroup_subsys_state *css;

	begin(PROG_RSTAT);
	css = memory_css(&cgroup->subsys);
	if (!css)
		return 0;
	return count_rstat((__u64)css - bpf_core_field_offset(struct mem_cgroup, css),
			   BPF_CORE_READ(css, serial_nr));
}

#endif
