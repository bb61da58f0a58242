// SPDX-License-Identifier: GPL-2.0-only
/*
 * Socket charges in and out of softirq, known from the tracepoints around a
 * softirq alone: no preempt_count, no layout, nothing of memcgtop's.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

/* On PREEMPT_RT softirqs of several tasks interleave on a CPU: the flag is a task's there. */
const volatile bool by_task;

/* Added to atomically: on PREEMPT_RT programs of several tasks nest on a CPU. */
__u64 in_softirq, outside;
__u64 lost_begins, lost_ends;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} serving SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, __u8);
} serving_tasks SEC(".maps");

static __always_inline bool is_serving(void)
{
	__u64 task = bpf_get_current_task(), *flag;
	__u32 zero = 0;

	if (by_task)
		return bpf_map_lookup_elem(&serving_tasks, &task);
	flag = bpf_map_lookup_elem(&serving, &zero);
	return flag && *flag;
}

static __always_inline void set_serving(bool yes)
{
	__u64 task = bpf_get_current_task(), *flag;
	__u32 zero = 0;
	__u8 one = 1;

	if (by_task) {
		if (yes)
			bpf_map_update_elem(&serving_tasks, &task, &one, BPF_ANY);
		else
			bpf_map_delete_elem(&serving_tasks, &task);
		return;
	}
	flag = bpf_map_lookup_elem(&serving, &zero);
	if (flag)
		*flag = yes;
}

/*
 * Each event has two programs, since the kernel skips one that a task on this
 * CPU was preempted in. That both are skipped is seen by the first at the next
 * event: an end without a beginning, or the reverse. They run in this order.
 */
SEC("tp_btf/softirq_entry")
int BPF_PROG(softirq_begin)
{
	if (is_serving())
		__sync_fetch_and_add(&lost_ends, 1);
	set_serving(true);
	return 0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(softirq_begin_again)
{
	set_serving(true);
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(softirq_end)
{
	if (!is_serving())
		__sync_fetch_and_add(&lost_begins, 1);
	set_serving(false);
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(softirq_end_again)
{
	set_serving(false);
	return 0;
}

/* The target is set at load: the name of the function differs between kernels. */
SEC("fentry/mem_cgroup_sk_charge")
int BPF_PROG(sock_charge)
{
	__sync_fetch_and_add(is_serving() ? &in_softirq : &outside, 1);
	return 0;
}
