// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run before the main programs are loaded: where the bits of the preempt count
 * are, and what an event costs here.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "memcgtop.h"
#include "compat.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LEVEL_NR);
	__type(key, __u32);
	__type(value, __u64);
} places SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct memcg_row);
} rows SEC(".maps");

__u64 runs;

/* Run by BPF_PROG_TEST_RUN on another CPU it arrives in an interrupt. */
SEC("raw_tp")
int preempt_bits(void *ctx)
{
	return preempt_count();
}

/*
 * As much as a usual event does: its run, the level, an index, a row, two adds.
 * It hangs on what getppid() calls, which is exported and so a function everywhere, while user space calls that in a loop.
 */
SEC("fentry/__task_pid_nr_ns")
int BPF_PROG(usual_event)
{
	__u32 level = current_level() & (LEVEL_NR - 1), zero = 0;
	struct memcg_row *r;
	__u64 *place;

	runs++;
	place = bpf_map_lookup_elem(&places, &level);
	if (!place || *place)
		return 0;
	r = bpf_map_lookup_elem(&rows, &zero);
	if (r) {
		r->c[CHARGE_AT(KIND_SOCK, level & (LEVEL_NR - 1))]++;
		r->c[C_CHARGE_PAGES]++;
	}
	return 0;
}
