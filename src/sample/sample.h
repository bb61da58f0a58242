/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam of the house: a sample is one snapshot of cumulative counters with
 * what is known of the machine and the probes. It comes live from the maps,
 * from a file, or from a test; model and views know nothing of BPF.
 */
#ifndef MEMCGTOP_SAMPLE_H
#define MEMCGTOP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h> /* __u64, which the BPF side has from vmlinux.h */

#include "memcgtop.h"

enum design {
	DESIGN_UNKNOWN,
	DESIGN_SINGLE_SLOT,
	DESIGN_MULTI_SLOT,
	DESIGN_MULTI_SLOT_SOCK,
	DESIGN_PER_COUNTER,
	DESIGN_NR
};

/* How the programs learn who holds the lock of the stock. */
enum lock_source {
	LOCK_NOT_SEEN, /* interrupts off, no byte: 6.1 and 6.12 */
	LOCK_BYTE,     /* local_trylock's `acquired` */
	LOCK_OWNER,    /* PREEMPT_RT: the owner of the rt_mutex */
};

enum cgroup_mode { CGROUP_V2, CGROUP_V1, CGROUP_HYBRID, CGROUP_NONE };

/* The closed list of reasons for a null. */
enum reason {
	REASON_NONE,
	REASON_DESIGN,
	REASON_NOT_RT,
	REASON_INLINED,
	REASON_NOT_TRACEABLE,
	REASON_ABSENT,
	REASON_BLIND,
	REASON_CGROUP_V1,
	REASON_BOOT_OPTION,
	REASON_NO_CLOCK,
	REASON_NOT_ASKED,
	REASON_NO_PMU,
	REASON_SILENT,
	REASON_NO_EVENTS,
	REASON_NR
};

enum probe_state {
	PROBE_ATTACHED,
	PROBE_ATTACHABLE, /* doctor: a trial attach worked */
	PROBE_MISSING,	  /* see reason */
	PROBE_NOT_NEEDED, /* this design or this run has no use for it */
};

struct host {
	char hostname[65];
	char kernel[65];
	char arch[65];
	char preempt[16]; /* none, voluntary, full, lazy, rt, unknown */
	bool preempt_rt;
	bool emulated;
	bool socket_accounting;
	bool kmem_accounting;
	bool contexts_measured; /* the preempt count's bits, else assumed by its size */
	uint32_t page_size;	/* bytes */
	uint32_t cpus_possible;
	uint32_t cpus_online;
	enum cgroup_mode cgroup;
	char *cgroup_root;
};

struct stock {
	enum design design;
	uint32_t slots;	     /* a CPU; 0: the design has none */
	uint32_t batch;	     /* pages */
	bool batch_observed; /* else assumed */
	bool round_robin;    /* victims in turn (drain_idx), else at random */
	enum lock_source lock;
	uint64_t overflow_emptied; /* overflow walks of the whole slot */
	uint64_t overflow_trimmed; /* overflow walks of less than the slot held */
};

/* One program. fentry and fexit of one function lose different events: one row each. */
struct probe {
	enum prog_id prog;
	char hook[24];	   /* our name of the place */
	char function[64]; /* the kernel's; empty if none was found */
	char at[8];	   /* entry, exit, event */
	char method[8];	   /* fentry, fexit, tp_btf; empty if none */
	enum probe_state state;
	enum reason reason; /* of PROBE_MISSING */
	uint64_t recorded;  /* runs since it was attached */
	uint64_t missed;    /* runs that the kernel skipped: recursion_misses */
};

enum row_state { ROW_LIVE, ROW_DELETED, ROW_IS_OTHER };

/* A cgroup and its counters, summed over the CPUs. */
struct row {
	uint64_t id;	 /* kernfs id; 0 for `other` */
	uint64_t parent; /* kernfs id, 0 if none */
	uint32_t depth;
	enum row_state state;
	char *path; /* raw bytes below the cgroup root, "/a/b"; NULL if unknown */
	size_t path_len;
	uint64_t c[C_NR];
	/* [ncpus], or NULL: on each CPU, in the order of the sample's CPUs */
	uint64_t *cpu_updates; /* walks + try_walks of it */
	uint64_t *cpu_charges; /* its charges */
};

struct cpu {
	uint32_t cpu;
	bool online;
	bool isolated;
	uint64_t c[C_NR]; /* summed over the rows, `other` included */
	uint64_t lost[LOSS_NR];
};

struct sample {
	struct host host;
	struct stock stock;
	struct probe probes[PROG_NR];
	size_t nprobes;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	int64_t wall_ms;  /* ms since the epoch */
	struct row *rows; /* `other` always among them */
	size_t nrows;
	struct cpu *cpus; /* by their numbers, ascending */
	size_t ncpus;
	bool verify;		/* every charge was checked against the slots */
	bool no_stat;		/* --no-stat: the statistic was not asked for */
	uint64_t event_cost_ps; /* ps an event, calibrated; 0 if not */
};

/* What ran while we measured; from wait4. */
struct command {
	char **argv; /* NULL-terminated; NULL if there was none */
	int exit;    /* -1 if killed or still running */
	int signal;  /* 0 if it exited */
	bool ignore_failure;
	double user_s;
	double system_s;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
};

enum end_reason { END_DURATION, END_COMMAND, END_INTERRUPTED };

/* What a report is made from: two samples, and how they were taken. */
struct window {
	struct sample *start; /* NULL: all counters were 0 */
	struct sample *end;
	char **tool_argv; /* NULL-terminated */
	struct command command;
	enum end_reason end_reason;
	char *version; /* of the tool that measured */
};

/* Frees the sample and all in it; NULL is allowed. */
void sample__free(struct sample *s);

/* Frees what the window holds, not the window itself. */
void window__release(struct window *w);

/*
 * Writes the window as one JSON document to the stream, complete enough that
 * a report from it equals the live one. 0 or a negative errno.
 */
int window__save(const struct window *w, void *file);

/*
 * Reads what window__save() wrote. On failure a sentence for the user is in
 * err (of size n) and the return is a negative errno.
 */
int window__load(struct window *w, const char *path, char *err, size_t n);

/* The row of that id, or NULL. */
const struct row *sample__row(const struct sample *s, uint64_t id);

/* "inlined", ... as in the JSON. */
const char *reason__name(enum reason r);

const char *design__name(enum design d);

const char *probe_state__name(const struct probe *p);

const char *cgroup_mode__name(enum cgroup_mode m);

#endif
