/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's state: the counts that are no row's, which user space reads, and what
 * is going on, which only the programs use (acts.bpf.h).
 */
#ifndef STATE_H
#define STATE_H

#include "memcgtop.h"

#ifndef VMLINUX_H
#include <stdbool.h>
#endif

/* CPUs that there is a state for, in .bss: cheaper to reach than a map's. */
#define CPUS_MAX 4096

/* What is not a row's, a copy a CPU. */
struct cpu_totals {
	__u64 runs[PROG_NR]; /* counted before anything else in the program */
	__u64 lost[LOSS_NR];
	__u64 overflow_emptied; /* overflow walks of all that the slot held */
	__u64 overflow_trimmed; /* of less */
};

/* Acts that wait for their task; user space clears them when they pile up. */
#define PARKED_MAX 8192

enum side { SIDE_CHARGE, SIDE_UNCHARGE, SIDE_NR };

enum stage {
	STAGE_ANNOUNCED, /* an outer hook said what comes next */
	STAGE_WALKED,	 /* charge: it missed */
	STAGE_REFILL,	 /* uncharge: in refill_stock, and a walk is expected */
	STAGE_DRAIN,	 /* uncharge: in drain_stock, of `victim` */
};

struct act {
	__u64 task; /* 0: the cell is free */
	__u64 memcg;
	__u64 victim; /* whose slot is drained */
	__u32 row;
	__u32 victim_row;
	/* these eight bytes change in one store */
	__u32 held; /* overflow: pages in the slot. charge: those it fell short with */
	__u8 stage;
	__u8 kind;	    /* enum kind; of a refill: enum walk_user */
	bool lock_was_free; /* at the start of the refill */
	bool expendable;    /* a mere hint: overwritten, not parked */
	__u8 outcome;	    /* refill: enum refill_outcome */
	__u8 cause;	    /* drain: enum walk_cause */
};

/* Where an act is parked. */
struct act_key {
	__u64 task;
	__u32 level;
	__u32 side;
};

/* --verify: what the slots said when the charge began. */
struct slot_check {
	__u64 task;
	__u64 memcg;
	bool will_hit;
};

struct cpu_state {
	struct cpu_totals totals;
	struct act acts[SIDE_NR][LEVEL_NR];
	struct slot_check checks[LEVEL_NR];
	__u64 flush_task;
	__u64 hotplug_task;
} __attribute__((aligned(128)));

#endif
