/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the running kernel is, read from its BTF: the design of the stock, how
 * its lock can be seen, which functions there are. The one place for kernel
 * differences in user space; bpf/compat.bpf.h is its other half and asks the
 * same types by CO-RE.
 */
#ifndef MEMCGTOP_KERNEL_H
#define MEMCGTOP_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "sample/sample.h"

struct btf;

struct kernel {
	struct btf *btf;
	const char *btf_path; /* of --btf, or NULL */
	enum design design;
	uint32_t slots;
	bool round_robin;
	enum lock_source lock;
	bool sk_memcg_flags;
	bool softirq_in_task;	     /* PREEMPT_RT: task_struct.softirq_disable_cnt */
	uint32_t preempt_count_size; /* bytes; 8 since 7.3 */
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

/* The bits of the preempt count that say: not task context. */
uint32_t kernel__irq_mask(const struct kernel *k);

#endif
