/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long things take. What is timed carries its start in the act that it is
 * part of, so that an interrupt, a nested charge, a charge that sleeps and
 * migrates, or softirqs that interleave each find their own (acts.bpf.h). With
 * --sample 1/N a charge or uncharge is chosen as it begins, and what is nested
 * in it goes with it, so that self times add up.
 */
#ifndef TIMES_BPF_H
#define TIMES_BPF_H

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SPAN_NR);
	__type(key, __u32);
	__type(value, struct hist);
} hists SEC(".maps");

/* By row; one entry without time. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ROWS_DEFAULT);
	__type(key, __u32);
	__type(value, struct row_times);
} times SEC(".maps");

/* N of --sample 1/N; 0: no time is taken */
const volatile __u32 sample_every;
/* The end of a socket charge is its statistic update; else its exit is hooked. */
const volatile bool sock_ends_at_stat;
/* The end of a socket uncharge is its exit, not its refill's. */
const volatile bool sock_uncharge_has_exit;
/* The refill hook is inside the lock: __refill_stock. */
const volatile bool refill_inside_lock;

#define timed (sample_every != 0)

/*
 * The programs on the path of every charge and uncharge, twice: NAME, which
 * knows at compile time that no time is taken, and NAME_timed. A switch in
 * .rodata would be loaded on each use.
 */
#define BOTH(section, name, expression, ...)      \
	SEC(section)                              \
	int BPF_PROG(name, ##__VA_ARGS__)         \
	{                                         \
		const bool timing = false;        \
                                                  \
		return expression;                \
	}                                         \
                                                  \
	SEC(section)                              \
	int BPF_PROG(name##_timed, ##__VA_ARGS__) \
	{                                         \
		const bool timing = true;         \
                                                  \
		return expression;                \
	}

/* A miss so soon after a flush of its CPU is put down to it (ns). */
#define FLUSH_SHADOW_NS 1000000

static __noinline __u32 next_skip(void)
{
	/* gaps of 1 to 2N - 1: a fixed one would beat with the batch */
	return bpf_get_prandom_u32() % (2 * sample_every - 1);
}

static __always_inline bool sample_chosen(struct cpu_state *st)
{
	if (sample_every > 1) {
		if (st->skip) {
			st->skip--;
			return false;
		}
		st->skip = next_skip();
	}
	return true;
}

/* Now, or 0 if this one is not to be timed. */
static __always_inline __u64 sample_clock(struct cpu_state *st)
{
	return sample_chosen(st) ? bpf_ktime_get_ns() : 0;
}

/* floor(log2(x)) of an x above 0, below 2^32. */
static __always_inline __u32 log2_of(__u32 x)
{
	__u32 e, s;

	e = (x > 0xffff) << 4;
	x >>= e;
	s = (x > 0xff) << 3;
	x >>= s;
	e |= s;
	s = (x > 0xf) << 2;
	x >>= s;
	e |= s;
	s = (x > 0x3) << 1;
	x >>= s;
	return e | s | x >> 1;
}

/* The same of any x, at most what the last bucket needs. */
static __always_inline __u32 log2_of_ns(__u64 x)
{
	return x >> 32 ? 32 + log2_of(x >> 32) : log2_of(x);
}

/*
 * An index that the verifier knows to be at most max: without the barrier the
 * compiler adds it to a pointer before it is compared.
 */
static __always_inline __u32 at_most(__u32 index, __u32 max)
{
	if (index > max)
		index = max;
	asm volatile("" : "+r"(index));
	return index;
}

/* Four buckets an octave, upper edges inclusive: see hist__bucket() in src/model/histogram.c. */
static __always_inline void hist_add(enum span span, __u64 ns, __u32 e)
{
	__u32 key = span, bucket;
	struct hist *h = bpf_map_lookup_elem(&hists, &key);

	if (!h)
		return;
	bucket = ns <= 4 ? ns : 5 + (e - 2) * 4 + (((ns - 1) >> (e - 2)) & 3);
	h->sum += ns;
	if (ns > h->max)
		h->max = ns;
	h->buckets[at_most(bucket, HIST_BUCKETS - 1)]++;
}

static __always_inline void row_span_add(enum span span, __u32 row, __u64 ns, __u32 e)
{
	struct row_times *t = bpf_map_lookup_elem(&times, &row);
	__u32 octave = e < OCTAVE_FIRST ? 0 : e + 1 - OCTAVE_FIRST;
	struct row_span *s;

	if (!t)
		return;
	/* the verifier sees no bound in the enum of a global function's argument */
	s = &t->spans[at_most(span, SPAN_ROW_NR - 1)];
	s->sum += ns;
	if (ns > s->max)
		s->max = ns;
	s->octaves[at_most(octave, OCTAVES - 1)]++;
}

/* The exponent that both kinds of buckets are found by. */
static __always_inline __u32 exponent(__u64 ns)
{
	return ns > 4 ? log2_of_ns(ns - 1) : 2;
}

/* These are global so that they are verified once, and not at each call. */
__noinline int span_add(__u32 span, __u64 ns)
{
	hist_add(span, ns, exponent(ns));
	return 0;
}

__noinline int row_span(__u32 span, __u32 row, __u64 ns)
{
	row_span_add(span, row, ns, exponent(ns));
	return 0;
}

__noinline int span_add_row(__u32 span, __u32 row, __u64 ns)
{
	__u32 e = exponent(ns);

	hist_add(span, ns, e);
	row_span_add(span, row, ns, e);
	return 0;
}

/* The clocks of two CPUs may be apart a little. */
static __always_inline __u64 elapsed(__u64 since, __u64 now)
{
	return now > since ? now - since : 0;
}

/* `at` is 0 if it is not to be timed. */
static __always_inline void act_starts(struct act *a, __u64 task, __u64 at)
{
	a->since = at;
	a->timer = task;
}

/*
 * When it began, or 0 if it is not timed. Read once: a task that preempts this
 * program and takes the cell sets it to 0.
 */
static __always_inline __u64 since_of(const struct act *a, __u64 task)
{
	__u64 since = *(const volatile __u64 *)&a->since;

	return a->timer == task ? since : 0;
}

/* Opens a window that its exit will close; NULL if there is nothing to time. */
static __always_inline struct act *window_open(struct cpu_state *st, __u32 side, __u32 level,
					       __u64 task, __u64 what, __u32 row)
{
	struct act *a = act_begin(st, side, level, task);

	a->memcg = what;
	a->row = row;
	a->mark = 0;
	a->inner = 0;
	a->until = 0;
	a->exact = 0;
	a->outcome = REFILL_NR;
	a->expendable = false;
	st->timing++;
	return a;
}

/* The window that this exit closes, and when it was opened; NULL: there is none. */
static __always_inline struct act *window_of(struct cpu_state *st, __u32 side, __u32 level,
					     __u64 task, __u64 what, __u64 *since)
{
	struct act *a = act_mine(st, side, level, task);

	if (!a || a->memcg != what)
		return NULL;
	*since = since_of(a, task);
	return *since ? a : NULL;
}

/* Most exits have no window to close: one look says so. */
static __always_inline bool is_timing(const struct cpu_state *st)
{
	/* PREEMPT_RT: it may have been opened on another CPU */
	return SOFTIRQ_IN_TASK || st->timing || nr_parked;
}

static __always_inline void window_close(struct cpu_state *st, struct act *a)
{
	a->task = 0;
	/* it may have been opened on another CPU */
	if (st->timing)
		st->timing--;
}

/*
 * An entry that is not timed: a window of this task that is still open here lost
 * its exit, and must not be closed by the exit that comes now.
 */
static __always_inline void window_drop(struct cpu_state *st, __u32 side, __u32 level, __u64 task)
{
	struct act *a;

	if (!is_timing(st))
		return;
	a = act_mine(st, side, level, task);
	if (!a)
		return;
	window_close(st, a);
	lose(LOSS_UNMATCHED);
}

#endif
