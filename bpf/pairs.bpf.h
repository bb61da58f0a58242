/* SPDX-License-Identifier: GPL-2.0-only */
/* Who evicts whom: counted where an eviction is, by the kernfs ids of both. */
#ifndef PAIRS_BPF_H
#define PAIRS_BPF_H

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, PAIRS_MAX);
	__type(key, struct pair_key);
	__type(value, struct pair_count);
} pairs SEC(".maps");

/* In the map; user space takes some out when there are many. */
__u32 nr_pairs;

/* The kernfs id of a row; 0 is `other`. */
static __always_inline __u64 cgroup_of_row(__u32 row)
{
	struct row_id *who = row == ROW_OTHER ? NULL : bpf_map_lookup_elem(&row_ids, &row);

	return who ? who->cgroup : 0;
}

static __noinline int count_pair(__u32 by, __u32 of, __u32 pages)
{
	struct pair_key key = {.by = cgroup_of_row(by), .of = cgroup_of_row(of)};
	struct pair_count first = {}, *seen;

	seen = bpf_map_lookup_elem(&pairs, &key);
	if (!seen) {
		/* another CPU may be first: its element has a copy for this one, too */
		if (!bpf_map_update_elem(&pairs, &key, &first, BPF_NOEXIST))
			__sync_fetch_and_add(&nr_pairs, 1);
		seen = bpf_map_lookup_elem(&pairs, &key);
	}
	if (!seen) {
		lose(LOSS_PAIR_FULL);
		return 0;
	}
	seen->evictions++;
	seen->pages += pages;
	return 0;
}

#endif
