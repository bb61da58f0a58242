/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a memcg to its row of counters.
 *
 * A memcg is known by css.serial_nr, unique for the boot: pointers and
 * memcg->id.id are re-used, and id.id is 0 once it is offline. The serial is
 * both the place in the index (one array load) and the tag of what is found
 * there. Where two live ones share a place a hash by serial finds the second.
 * Rows come from a bounded pool; user space takes back those of the gone
 * (src/probe/snapshot.c). Without a free row events go to row 0, `other`, so
 * that sums hold.
 */
#ifndef ROWS_BPF_H
#define ROWS_BPF_H

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ROWS_DEFAULT);
	__type(key, __u32);
	__type(value, struct memcg_row);
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ROWS_DEFAULT);
	__type(key, __u32);
	__type(value, struct row_id);
} row_ids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ROWS_DEFAULT);
	__type(key, __u32);
	__type(value, struct row_note);
} row_notes SEC(".maps");

/* By css.serial_nr modulo INDEX_SIZE; in .bss, as that is cheaper to reach than a map. */
__u64 row_index[INDEX_SIZE];

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ROWS_DEFAULT);
	__type(key, __u64);
	__type(value, __u32);
} row_by_serial SEC(".maps");

/* Rows that user space has harvested and cleared. */
struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, ROWS_DEFAULT);
	__type(value, __u32);
} free_rows SEC(".maps");

/* The first row never handed out yet; 0 is `other`. */
__u32 next_row = 1;
/* Set before load with the sizes of the maps above. */
const volatile __u32 max_rows = ROWS_DEFAULT;

/* A hierarchy is at most this deep (cgroup.max.depth is unlimited; the rest is not counted). */
#define DEPTH_MAX 64

static __always_inline __u64 index_entry(__u64 serial, __u32 row)
{
	return serial << INDEX_ROW_BITS | row;
}

/*
 * A pointer that the verifier knows as one, as a plain number: only that may go
 * to a global function, which is verified once and not at each call.
 */
static __always_inline __u64 as_number(__u64 addr)
{
	__u64 number = 0;

	bpf_probe_read_kernel(&number, sizeof(number), &addr);
	return number;
}

/* How many counters a walk from here touches. */
__noinline __u32 counter_depth(__u64 counter)
{
	__u32 depth = 0;

	while (depth < DEPTH_MAX && counter) {
		depth++;
		if (bpf_probe_read_kernel(
			    &counter, sizeof(counter),
			    (void *)(counter + bpf_core_field_offset(struct page_counter, parent))))
			break;
	}
	return depth;
}

static __always_inline __u64 cgroup_id_of(struct cgroup_subsys_state *css)
{
	return css ? BPF_CORE_READ(css, cgroup, kn, id) : 0;
}

static __always_inline void note_above(struct row_id *who, struct cgroup_subsys_state *css)
{
	__u32 i;

	for (i = 0; i < ABOVE_MAX; i++) {
		who->above[i] = cgroup_id_of(css);
		css = css ? BPF_CORE_READ(css, parent) : NULL;
	}
}

/* A row from the pool, or 0. */
static __always_inline __u32 take_free_row(void)
{
	__u32 row = 0;

	if (!bpf_map_pop_elem(&free_rows, &row))
		return row;
	if (next_row >= max_rows)
		return 0;
	row = __sync_fetch_and_add(&next_row, 1);
	return row < max_rows ? row : 0;
}

/* The slow path, once a memcg: rows are handed out here. */
__noinline __u32 row_make(__u64 addr, __u64 serial)
{
	struct mem_cgroup *memcg = (void *)addr;
	__u32 place = serial & (INDEX_SIZE - 1), *known, row;
	struct row_id *who;

	if (!learned_subsys)
		learned_subsys = (__u64)BPF_CORE_READ(memcg, css.ss);
	known = bpf_map_lookup_elem(&row_by_serial, &serial);
	if (known) {
		row = *known;
	} else {
		row = take_free_row();
		who = bpf_map_lookup_elem(&row_ids, &row);
		if (!row || !who) {
			lose(LOSS_MAP_FULL);
			return ROW_OTHER;
		}
		who->cgroup = cgroup_id_of(&memcg->css);
		note_above(who, BPF_CORE_READ(memcg, css.parent));
		who->parent = who->above[0];
		who->depth = counter_depth(counter_of(addr));
		bpf_probe_read_kernel_str(who->name, sizeof(who->name),
					  BPF_CORE_READ(memcg, css.cgroup, kn, name));
		/* last: it tells user space that the rest is there */
		__sync_lock_test_and_set(&who->serial, serial);
		if (bpf_map_update_elem(&row_by_serial, &serial, &row, BPF_NOEXIST)) {
			/* another CPU was first: its row it is */
			who->serial = 0;
			bpf_map_push_elem(&free_rows, &row, 0);
			known = bpf_map_lookup_elem(&row_by_serial, &serial);
			if (!known) {
				lose(LOSS_INSERT_FAILED);
				return ROW_OTHER;
			}
			row = *known;
		}
	}
	if (!row_index[place]) {
		row_index[place] = index_entry(serial, row);
		/* user space may have taken the row back meanwhile: then not that way */
		known = bpf_map_lookup_elem(&row_by_serial, &serial);
		if (!known || *known != row)
			row_index[place] = 0;
	}
	return row;
}

static __always_inline __u32 row_find(__u64 memcg, __u64 serial)
{
	__u64 entry = row_index[serial & (INDEX_SIZE - 1)];

	if (entry >> INDEX_ROW_BITS == serial)
		return entry & ((1 << INDEX_ROW_BITS) - 1);
	return row_make(as_number(memcg), serial);
}

/* The row that was handed out for it, if there is one, without a look at the memcg. */
static __always_inline __u32 row_known(__u64 serial)
{
	__u64 entry = row_index[serial & (INDEX_SIZE - 1)];
	__u32 *known;

	if (entry >> INDEX_ROW_BITS == serial)
		return entry & ((1 << INDEX_ROW_BITS) - 1);
	known = bpf_map_lookup_elem(&row_by_serial, &serial);
	return known ? *known : ROW_OTHER;
}

/* The row of a memcg that the verifier knows as one: a load and a compare. */
static __always_inline __u32 row_of(struct mem_cgroup *memcg)
{
	return row_find((__u64)memcg, memcg->css.serial_nr);
}

/* The same of an address, by reads: for walks and drains. */
static __always_inline __u32 row_of_address(__u64 addr)
{
	struct mem_cgroup *memcg = (void *)addr;

	return row_find(addr, BPF_CORE_READ(memcg, css.serial_nr));
}

/* Never NULL in practice: row is below max_rows; the verifier wants the test. */
static __always_inline struct memcg_row *row_at(__u32 row)
{
	return bpf_map_lookup_elem(&rows, &row);
}

static __always_inline __u32 row_depth(__u32 row, __u64 counter)
{
	struct row_id *who;

	if (row == ROW_OTHER)
		return counter_depth(as_number(counter));
	who = bpf_map_lookup_elem(&row_ids, &row);
	return who ? who->depth : 0;
}

#endif
