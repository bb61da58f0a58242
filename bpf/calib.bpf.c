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
#include "acts.bpf.h"
#include "rows.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Run by BPF_PROG_TEST_RUN on another CPU it arrives in an interrupt. */
SEC("raw_tp")
int preempt_bits(void *ctx)
{
	return preempt_count();
}

/*
 * As much as a usual event does: the state, the level, an index, a row, two
 * adds. It hangs on a system call that nothing else makes in that moment.
 */
SEC("fentry/__x64_sys_getppid")
int BPF_PROG(usual_event)
{
	struct cpu_state *st = state();
	__u32 level = current_level(), id = level + 1;
	struct memcg_row *r;
	__u64 *entry;

	if (!st)
		return 0;
	st->totals.runs[PROG_CHARGE]++;
	entry = bpf_map_lookup_elem(&row_index, &id);
	if (!entry)
		return 0;
	r = row_at(*entry & 1);
	if (r) {
		r->c[C_CHARGE_KIND]++;
		r->c[C_CHARGE_PAGES] += id;
	}
	return 0;
}
