// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "calib.skel.h"
#include "probe/calibrate.h"

#define COST_CALLS   1000
/* batches in a row that were no faster than the fastest, and in all */
#define COST_SETTLED 8
#define COST_BATCHES 100

/* The preempt count as a program on that CPU sees it; negative errno on failure. */
static int64_t preempt_count_on(struct bpf_program *prog, int cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);
	int err = bpf_prog_test_run_opts(bpf_program__fd(prog), &opts);

	return err ? err : (int64_t)opts.retval;
}

static void set_masks(struct kernel *k, uint32_t bit)
{
	k->hardirq_mask = 0xfu << bit;
	k->nmi_mask = 0xfu << (bit + 4);
}

/*
 * A test run on another CPU arrives there by an inter-processor interrupt, so
 * the lowest bit from 16 up that is set there and not here is HARDIRQ_OFFSET.
 */
static bool measure_masks(struct kernel *k, struct bpf_program *prog)
{
	cpu_set_t before, one;
	int64_t here, there;
	uint32_t bits;
	bool ok = false;
	int cpu, self;

	if (sched_getaffinity(0, sizeof(before), &before))
		return false;
	self = sched_getcpu();
	CPU_ZERO(&one);
	CPU_SET(self, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return false;
	here = preempt_count_on(prog, self);
	for (cpu = 0; cpu < CPU_SETSIZE && !ok && here >= 0; cpu++) {
		if (cpu == self || !CPU_ISSET(cpu, &before))
			continue;
		there = preempt_count_on(prog, cpu);
		if (there < 0)
			continue;
		/* bit 31 is x86's inverted need-resched on kernels with a 4-byte count */
		bits = (uint32_t)there & ~(uint32_t)here & 0x7fff0000u;
		if (!bits)
			continue;
		set_masks(k, (uint32_t)__builtin_ctz(bits));
		ok = true;
	}
	sched_setaffinity(0, sizeof(before), &before);
	return ok;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * The least that a batch of getppid() took, in ns: noise only ever adds. What
 * the kernel still tidies up after the trial attaches is waited for.
 */
static uint64_t batch_ns(void)
{
	uint64_t least = UINT64_MAX, t;
	int batch, settled = 0, i;

	for (batch = 0; batch < COST_BATCHES && settled < COST_SETTLED; batch++, settled++) {
		t = now_ns();
		for (i = 0; i < COST_CALLS; i++)
			syscall(SYS_getppid);
		t = now_ns() - t;
		if (t < least) {
			least = t;
			settled = 0;
		}
	}
	return least;
}

static void measure_cost(struct kernel *k, struct calib_bpf *skel)
{
	uint64_t without, with;
	struct bpf_link *link;

	without = batch_ns();
	link = bpf_program__attach(skel->progs.usual_event);
	if (!link)
		return;
	with = batch_ns();
	bpf_link__destroy(link);
	if (with > without)
		k->event_cost_ps = (with - without) * 1000 / COST_CALLS;
}

/* The calibration programs, loaded; without that of the cost where the kernel will not have it. */
static struct calib_bpf *load_calib(const struct kernel *k, bool cost)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = k->btf_path);
	struct calib_bpf *skel = calib_bpf__open_opts(&opts);

	if (!skel)
		return NULL;
	bpf_program__set_autoload(skel->progs.usual_event, cost);
	if (!calib_bpf__load(skel))
		return skel;
	calib_bpf__destroy(skel);
	return NULL;
}

/* On a machine that is busy with other things a turn may come to nothing. */
#define TURNS 3

void kernel__calibrate(struct kernel *k)
{
	struct calib_bpf *skel;
	int turn;

	set_masks(k, k->preempt_count_size == 8 ? 24 : 16);
	for (turn = 0; turn < TURNS && !(k->masks_measured && k->event_cost_ps); turn++) {
		skel = load_calib(k, true);
		if (skel && !k->event_cost_ps)
			measure_cost(k, skel);
		if (!skel)
			skel = load_calib(k, false);
		if (skel && !k->masks_measured)
			k->masks_measured = measure_masks(k, skel->progs.preempt_bits);
		calib_bpf__destroy(skel);
	}
}
