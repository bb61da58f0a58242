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
	__u64 drain_all_busy;	/* --drains: calls that found another at work */
};

/* Acts that wait for their task; user space clears them when they pile up. */
#define PARKED_MAX 8192

/* On PREEMPT_RT: acts of tasks that charge at about the same time, five a task at most. */
#define TASK_ACTS_MAX 16384

/* The last three are for times alone. */
enum side { SIDE_CHARGE, SIDE_UNCHARGE, SIDE_REFILL, SIDE_WALK, SIDE_LOCK, SIDE_NR };

enum stage {
	STAGE_ANNOUNCED, /* an outer hook said what comes next */
	STAGE_WALKED,	 /* charge: it missed */
	STAGE_CHARGED,	 /* timed socket charge: only its statistic is left to update */
	STAGE_REFILL,	 /* uncharge: in refill_stock, and a walk is expected */
	STAGE_DRAIN,	 /* uncharge: in drain_stock, of `victim` */
};

struct act {
	__u64 task; /* 0: the cell is free */
	__u64 memcg;
	__u64 victim; /* whose slot is drained */
	/* ns; all of these are 0 or not looked at unless it is timed */
	__u64 since; /* when it began; 0: not timed */
	__u64 timer; /* the task that noted it: a program that was preempted writes into another's */
	__u64 mark;  /* charge: when it was granted. refill: when its socket uncharge began */
	__u64 inner; /* refill: time of the walks inside */
	__u64 until; /* refill: a walk saw the lock free here, so that the hold ended before */
	__u64 exact; /* refill: what the lock was held by --lock exact */
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

/* Stacks of drain_all_stock, and functions in them. */
#define CALLERS_MAX   1024
/* More than are shown: our own trampolines are among them. */
#define CALLER_FRAMES (STACK_FRAMES + 4)

/* Calls for one cgroup from one place. */
struct caller_key {
	__u64 cgroup; /* kernfs id of the initiator; 0: unknown */
	__u64 frames[CALLER_FRAMES];
};

struct frame_name {
	char text[64];
};

/* A CPU's stock at one moment. */
struct stock_look {
	__u64 looks;		 /* taken so far */
	__u64 memcgs[SLOTS_MAX]; /* addresses: a cgroup may have had two, one after the other */
	__u64 cgroups[SLOTS_MAX];
	__u32 rows[SLOTS_MAX]; /* ROW_OTHER: it has none */
	__u32 pages[SLOTS_MAX];
	__u32 flushing;
	__u32 locked;
};

/* Isolated CPUs that are looked at when a flush passes over them. */
#define ISOLATED_MAX 256

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
	__u32 skip;	  /* charges and uncharges until the next that is timed */
	__u32 timing;	  /* windows open, more or less: 0 says that there are none */
	__u64 flushed_at; /* ns; 0: long ago */
	/* --lock exact: this CPU's stock was locked by, and at */
	__u64 lock_task;
	__u64 lock_since;
	__u64 lock_inside; /* ns of timed refills within the hold */
	__u64 flush_task;
	__u64 flush_serial; /* css.serial_nr of whom it is for; 0: unknown */
	__u32 flush_row;
	__u64 hotplug_task;
} __attribute__((aligned(128)));

#endif
