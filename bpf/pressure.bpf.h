/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Socket pressure: when reclaim is in trouble vmpressure() sets socket_pressure
 * of the memcg to a second from now, and until then it and all below it keep
 * their socket buffers small. The setter is inlined, so its effect is looked at.
 */
#ifndef PRESSURE_BPF_H
#define PRESSURE_BPF_H

/* Where current's memory is charged. */
static __always_inline __u64 current_memory_cgroup(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct css_set *set = BPF_CORE_READ(task, cgroups);

	return cgroup_id_of(memory_css(&set->subsys));
}

static __noinline int pressure_is_set(struct row_note *note)
{
	__u64 now = bpf_ktime_get_ns();

	if (!note)
		return 0;
	note->pressure_sets++;
	note->pressure_setter = current_memory_cgroup();
	if (now >= note->pressure_until) {
		note->pressure_past += note->pressure_until - note->pressure_since;
		note->pressure_since = now;
	}
	note->pressure_until = now + PRESSURE_NS;
	return 0;
}

static __always_inline int look_at_pressure(struct mem_cgroup *memcg)
{
	struct row_note *note;
	__u64 seen, until;
	__u32 row;

	if (!memcg)
		return 0;
	until = memcg->socket_pressure;
	/* in jiffies; what lies in the past was not set now: it is `jiffies` in a new memcg */
	if (until <= bpf_jiffies64())
		return 0;
	row = row_of(memcg);
	note = row == ROW_OTHER ? NULL : bpf_map_lookup_elem(&row_notes, &row);
	if (!note)
		return 0;
	/* reclaim runs on many CPUs: who changes it counts it */
	seen = note->pressure_jiffies;
	if (until == seen ||
	    __sync_val_compare_and_swap(&note->pressure_jiffies, seen, until) != seen)
		return 0;
	return pressure_is_set(note);
}

SEC("fexit/vmpressure")
int BPF_PROG(pressure_old, unsigned int gfp, struct mem_cgroup *memcg)
{
	begin(PROG_PRESSURE);
	return look_at_pressure(memcg);
}

/* since 7.3 or so, with the order before it */
SEC("fexit/vmpressure")
int BPF_PROG(pressure, unsigned int gfp, int order, struct mem_cgroup *memcg)
{
	begin(PROG_PRESSURE);
	return look_at_pressure(memcg);
}

#endif
