// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long calls take, which of them migrate or nest, whom a flush drains: what
 * memcgtop's times, evictions and drains are checked against. Nothing here is
 * memcgtop's, and calls are matched in another way: the programs at the entry
 * and the exit of one call run on its trampoline's frame, whose address, the
 * context pointer, no other call that has not ended can have.
 */
#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "stopwatch.h"

char LICENSE[] SEC("license") = "GPL";

extern const struct memcg_stock_pcp memcg_stock __ksym __weak;

/* Bytes of memcg_stock, as BTF says. */
const volatile __u32 stock_size;

/* Which argument of vmpressure() is the memcg. */
const volatile __u32 pressure_arg;

struct call {
	__u64 since;
	__u64 task;
	__u32 cpu;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, struct call);
} calls SEC(".maps");

/* Added to atomically: programs nest on a CPU. */
struct duration durations[TIMED_NR];

/* By cgroup: what flushes took from it; who evicts, who is evicted. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct by_cgroup);
} cgroups SEC(".maps");

/* A CPU's: tasks that are in the function, and how deep charges are nested. */
struct per_cpu {
	__u64 flushing;
	__u64 charging;
	__u64 serving;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct per_cpu);
} states SEC(".maps");

static __always_inline struct per_cpu *state(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&states, &zero);
}

static __always_inline void max_to(__u64 *max, __u64 ns)
{
	/* a lost race keeps a smaller maximum: it is only printed */
	if (ns > *max)
		*max = ns;
}

/* In plain steps, unlike memcgtop's: the octave that ns is in, by halving. */
static __noinline int count_octave(__u32 what, __u64 ns)
{
	__u64 *octaves = durations[what < TIMED_NR ? what : 0].octaves;
	__u32 octave = 0;

	for (ns = ns ? ns - 1 : 0; ns && octave < OCTAVES_NR - 1; ns >>= 1)
		octave++;
	if (octave < OCTAVES_NR)
		__sync_fetch_and_add(&octaves[octave], 1);
	return 0;
}

/*
 * The clock is read last here, and first at the end: an interrupt that waited
 * while the map was locked is taken before the call begins.
 */
static __noinline int call_begins(__u64 frame)
{
	struct call c = {.task = bpf_get_current_task()}, *kept;

	c.cpu = bpf_get_smp_processor_id();
	bpf_map_update_elem(&calls, &frame, &c, BPF_ANY);
	kept = bpf_map_lookup_elem(&calls, &frame);
	if (kept)
		kept->since = bpf_ktime_get_ns();
	return 0;
}

/* Its ns, or 0 if its beginning is not known. */
static __noinline __u64 call_ends(__u64 frame, __u32 what)
{
	__u64 ns = bpf_ktime_get_ns();
	struct call *c = bpf_map_lookup_elem(&calls, &frame);
	struct duration *d;

	d = &durations[what < TIMED_NR ? what : 0];
	__sync_fetch_and_add(&d->calls, 1);
	if (!c || c->task != bpf_get_current_task()) {
		__sync_fetch_and_add(&d->unmatched, 1);
		return 0;
	}
	ns -= c->since;
	__sync_fetch_and_add(&d->timed, 1);
	__sync_fetch_and_add(&d->ns, ns);
	max_to(&d->max, ns);
	count_octave(what, ns);
	if (c->cpu != bpf_get_smp_processor_id()) {
		__sync_fetch_and_add(&d->migrated, 1);
		__sync_fetch_and_add(&d->migrated_ns, ns);
	}
	bpf_map_delete_elem(&calls, &frame);
	return ns;
}

#define ENTRY(name, function)                   \
	SEC("fentry/" #function)                \
	int name##_begins(__u64 *ctx)           \
	{                                       \
		return call_begins((__u64)ctx); \
	}

#define EXIT(name, function, what)           \
	SEC("fexit/" #function)              \
	int name##_ends(__u64 *ctx)          \
	{                                    \
		call_ends((__u64)ctx, what); \
		return 0;                    \
	}

ENTRY(try_walk, page_counter_try_charge)
EXIT(try_walk, page_counter_try_charge, TIMED_TRY_WALK)
ENTRY(refill, refill_stock)
EXIT(refill, refill_stock, TIMED_REFILL)
ENTRY(sock_charge, mem_cgroup_sk_charge)
EXIT(sock_charge, mem_cgroup_sk_charge, TIMED_SOCK_CHARGE)
ENTRY(sock_uncharge, mem_cgroup_sk_uncharge)
EXIT(sock_uncharge, mem_cgroup_sk_uncharge, TIMED_SOCK_UNCHARGE)

/* Softirqs are known from their tracepoints; on PREEMPT_RT the CPU's flag is of no use, and not used. */
SEC("tp_btf/softirq_entry")
int softirq_begins(__u64 *ctx)
{
	struct per_cpu *st = state();

	if (st)
		st->serving = 1;
	return 0;
}

SEC("tp_btf/softirq_exit")
int softirq_ends(__u64 *ctx)
{
	struct per_cpu *st = state();

	if (st)
		st->serving = 0;
	return 0;
}

SEC("fentry/try_charge_memcg")
int charge_begins(__u64 *ctx)
{
	struct per_cpu *st = state();

	if (st && st->serving) {
		/* charging: a task's charge is open on this CPU, and this one interrupts it */
		if (st->charging == bpf_get_current_task())
			__sync_fetch_and_add(&durations[TIMED_CHARGE].nested, 1);
	} else if (st) {
		st->charging = bpf_get_current_task();
	}
	return call_begins((__u64)ctx);
}

SEC("fexit/try_charge_memcg")
int charge_ends(__u64 *ctx)
{
	struct per_cpu *st = state();

	if (st && !st->serving)
		st->charging = 0;
	call_ends((__u64)ctx, TIMED_CHARGE);
	return 0;
}

/* Of a type that old verifiers do not let a program load from the context. */
static __always_inline __u64 argument(__u64 *ctx, __u32 n)
{
	__u64 value = 0;

	bpf_get_func_arg(ctx, n, &value);
	return value;
}

/* A number, not a pointer: a counter need not be a memcg's. */
static __always_inline __u64 cgroup_of(__u64 counter)
{
	struct mem_cgroup *memcg =
		(void *)(counter - bpf_core_field_offset(struct mem_cgroup, memory));

	return BPF_CORE_READ(memcg, css.cgroup, kn, id);
}

static __noinline struct by_cgroup *cgroup_at(__u64 id)
{
	struct by_cgroup none = {}, *found = bpf_map_lookup_elem(&cgroups, &id);

	if (found)
		return found;
	bpf_map_update_elem(&cgroups, &id, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&cgroups, &id);
}

SEC("fentry/drain_local_memcg_stock")
int flush_begins(__u64 *ctx)
{
	struct per_cpu *st = state();

	if (st)
		st->flushing = bpf_get_current_task();
	return call_begins((__u64)ctx);
}

SEC("fexit/drain_local_memcg_stock")
int flush_ends(__u64 *ctx)
{
	struct per_cpu *st = state();

	if (st)
		st->flushing = 0;
	call_ends((__u64)ctx, TIMED_FLUSH);
	return 0;
}

SEC("fentry/page_counter_uncharge")
int walk_begins(__u64 *ctx)
{
	struct per_cpu *st = state();
	struct by_cgroup *c;

	/* a softirq in a flush would walk for its own uncharge */
	if (st && st->flushing == bpf_get_current_task() && !st->serving) {
		c = cgroup_at(cgroup_of(ctx[0]));
		if (c) {
			__sync_fetch_and_add(&c->flushes, 1);
			__sync_fetch_and_add(&c->flush_pages, ctx[1]);
		}
	}
	return call_begins((__u64)ctx);
}

SEC("fexit/page_counter_uncharge")
int walk_ends(__u64 *ctx)
{
	__u64 ns = call_ends((__u64)ctx, TIMED_WALK);
	struct by_cgroup *c = ns ? cgroup_at(cgroup_of(ctx[0])) : NULL;

	if (c) {
		__sync_fetch_and_add(&c->walks, 1);
		__sync_fetch_and_add(&c->walk_ns, ns);
		if (!c->walk_min || ns < c->walk_min)
			c->walk_min = ns;
	}
	return 0;
}

/* A walk that a limit ended: of the counter in *fail. */
SEC("fexit/page_counter_try_charge")
int try_walk_fails(__u64 *ctx)
{
	struct by_cgroup *c;
	__u64 counter = 0, ok = 0;

	if (bpf_get_func_ret(ctx, &ok) || (ok & 1))
		return 0;
	bpf_probe_read_kernel(&counter, sizeof(counter), (void *)argument(ctx, 2));
	c = cgroup_at(cgroup_of(counter));
	if (c)
		__sync_fetch_and_add(&c->limit_hits, 1);
	return 0;
}

/* The part that the tree's own vmlinux.h leaves out. */
struct mem_cgroup___pressure {
	unsigned long socket_pressure;
} __attribute__((preserve_access_index));

/* Socket pressure: vmpressure() moved its end while it ran. */
SEC("fentry/vmpressure")
int pressure_begins(__u64 *ctx)
{
	struct mem_cgroup___pressure *memcg = (void *)argument(ctx, pressure_arg);
	struct call c = {.task = bpf_get_current_task()};
	__u64 frame = (__u64)ctx;

	c.since = BPF_CORE_READ(memcg, socket_pressure);
	bpf_map_update_elem(&calls, &frame, &c, BPF_ANY);
	return 0;
}

SEC("fexit/vmpressure")
int pressure_ends(__u64 *ctx)
{
	__u64 frame = (__u64)ctx;
	struct call *before = bpf_map_lookup_elem(&calls, &frame);
	__u64 memcg = argument(ctx, pressure_arg);
	struct by_cgroup *c;

	if (!before || !memcg)
		return 0;
	if (before->task == bpf_get_current_task() &&
	    before->since !=
		    BPF_CORE_READ((struct mem_cgroup___pressure *)memcg, socket_pressure)) {
		c = cgroup_at(BPF_CORE_READ((struct mem_cgroup *)memcg, css.cgroup, kn, id));
		if (c)
			__sync_fetch_and_add(&c->pressure_sets, 1);
	}
	bpf_map_delete_elem(&calls, &frame);
	return 0;
}

extern const void percpu_charge_mutex __ksym __weak;

/* A drain of all stocks that finds another one under way returns at once. */
__u64 drains_busy;

SEC("fexit/mutex_trylock")
int drain_all_tried(__u64 *ctx)
{
	__u64 taken = 0;

	if (argument(ctx, 0) == (__u64)&percpu_charge_mutex && !bpf_get_func_ret(ctx, &taken) &&
	    !taken)
		__sync_fetch_and_add(&drains_busy, 1);
	return 0;
}

/* Waits on a lock inside this CPU's stock, which on PREEMPT_RT is a sleeping one. */
SEC("tp_btf/contention_begin")
int wait_begins(__u64 *ctx)
{
	struct call c = {.task = bpf_get_current_task()};
	__u64 stock = (__u64)bpf_this_cpu_ptr(&memcg_stock), lock = ctx[0];

	if (lock < stock || lock >= stock + stock_size)
		return 0;
	c.since = bpf_ktime_get_ns();
	/* a task waits for one lock at a time; frames are above any task's address plus one */
	lock = c.task + 1;
	bpf_map_update_elem(&calls, &lock, &c, BPF_ANY);
	return 0;
}

SEC("tp_btf/contention_end")
int wait_ends(__u64 *ctx)
{
	__u64 key = bpf_get_current_task() + 1;
	struct duration *d = &durations[TIMED_LOCK_WAIT];
	struct call *c = bpf_map_lookup_elem(&calls, &key);
	__u64 ns;

	if (!c)
		return 0;
	ns = bpf_ktime_get_ns() - c->since;
	__sync_fetch_and_add(&d->calls, 1);
	__sync_fetch_and_add(&d->timed, 1);
	__sync_fetch_and_add(&d->ns, ns);
	max_to(&d->max, ns);
	bpf_map_delete_elem(&calls, &key);
	return 0;
}
