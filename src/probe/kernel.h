/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the running kernel is, read from its BTF: the design of the stock, where
 * its lock and the preempt count are, which functions there are. The one place
 * for kernel differences in user space; bpf/compat.bpf.h is its other half.
 */
#ifndef MEMCGTOP_KERNEL_H
#define MEMCGTOP_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "sample/sample.h"

struct btf;

/* The values of the constants in bpf/compat.bpf.h. */
enum stock_layout { STOCK_NONE, STOCK_SINGLE, STOCK_MULTI };
enum see_lock { SEE_NOTHING, SEE_BYTE, SEE_OWNER, SEE_OLD_OWNER };
enum preempt_count_in {
	PREEMPT_COUNT_NONE,
	PREEMPT_COUNT_VAR,	/* per-CPU __preempt_count */
	PREEMPT_COUNT_HOT,	/* pcpu_hot.preempt_count, 6.2 to 6.14 or so */
	PREEMPT_COUNT_TASK,	/* thread_info.preempt.count: arm64 */
};

struct kernel {
	struct btf *btf;
	const char *btf_path;		/* of --btf, or NULL */
	enum design design;
	uint32_t slots;
	bool round_robin;
	enum stock_layout layout;
	enum see_lock see_lock;
	bool lock_can_fail;		/* a trylock: the slow path instead of a wait */
	bool sk_memcg_flags;
	bool softirq_in_task;		/* PREEMPT_RT: task_struct.softirq_disable_cnt */
	enum preempt_count_in preempt_count_in;
	uint32_t preempt_count_size;	/* bytes; 8 since 7.3 */
	/* measured by calibrate.c */
	uint32_t hardirq_mask;
	uint32_t nmi_mask;
	bool masks_measured;
	uint64_t event_cost_ps;
};

/*
 * Reads the kernel's BTF, or that of btf_path if it is not NULL. 0, or -1 with
 * the error set: no BTF, or memory control groups are not built in.
 */
int kernel__open(struct kernel *k, const char *btf_path, struct error *e);

void kernel__close(struct kernel *k);

/* BTF id of a function, and how many arguments it takes; negative if there is none. */
int kernel__function(const struct kernel *k, const char *name, int *nargs);

/* BTF id to attach a tp_btf program to; negative if there is no such tracepoint. */
int kernel__tracepoint(const struct kernel *k, const char *name);

enum lock_source kernel__lock_source(const struct kernel *k);

#endif
