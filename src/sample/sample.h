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

/* A value of the moment; not every one can be read everywhere. */
struct gauge {
	bool known;
	uint64_t value;
};

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
	uint64_t *cpu_updates;	 /* walks + try_walks of it */
	uint64_t *cpu_charges;	 /* its charges */
	struct row_times *times; /* summed over the CPUs (max: the largest); NULL without time */
	/* as they are at this sample */
	struct gauge stranded_pages;	/* in the stocks of all CPUs */
	struct gauge stranded_seen_max; /* the most that any look at the stocks found */
	struct gauge usage_bytes;	/* memory.current */
	struct gauge limit_bytes;	/* memory.max; not known: none, or nobody could say */
	struct gauge sock_bytes;	/* memory.stat's sock */
	/* counted like c[], but not by CPU */
	uint64_t pressure_ns;	  /* union of the times from a set to a second after it */
	uint64_t pressure_sets;	  /* times that vmpressure set it */
	uint64_t pressure_setter; /* cgroup that the last setter ran in; 0: none */
	/* at its last limit hit (C_LIMIT_HITS), in pages; 0: none */
	uint64_t hit_usage_pages;
	uint64_t hit_limit_pages;
};

/* One slot of a CPU's stock. */
struct slot {
	uint64_t cgroup; /* kernfs id; 0: free */
	uint32_t pages;
};

struct cpu {
	uint32_t cpu;
	bool online;
	bool isolated;
	uint64_t c[C_NR]; /* summed over the rows, `other` included */
	uint64_t lost[LOSS_NR];
	bool stock_seen; /* the slots below were read */
	bool flushing;	 /* a drain of this CPU is under way */
	struct slot slots[SLOTS_MAX];
};

/* A caller of drain_all_stock, by the cgroup that it drained for. */
struct drain_caller {
	uint64_t cgroup; /* kernfs id of the initiator; 0: unknown */
	uint64_t calls;
	uint32_t nframes;
	char frames[STACK_FRAMES][64]; /* functions, innermost first: "memory_max_write" */
};

/* Who evicted whom. */
struct pair {
	struct pair_key key;
	struct pair_count count;
};

/* What is asked for beside the counters. */
struct asked {
	uint32_t sample_every; /* --sample 1/N; 0: no time was taken */
	bool lock_exact;       /* --lock exact */
	bool drains;	       /* --drains */
	bool rstat;	       /* --rstat */
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
	struct asked asked;
	struct hist *spans; /* [SPAN_NR], summed over the CPUs; NULL without time */
	struct pair *pairs; /* by their keys, ascending */
	size_t npairs;
	struct drain_caller *drains;
	size_t ndrains;
	uint64_t drain_all_busy; /* --drains: returned at once since another ran */
	uint64_t breaches;	 /* slots above the batch, or two of a memcg: both looks the same */
	bool lacks[C_NR];	 /* of a file: who wrote it did not count this; not 0, unknown */
};

/* What happened in one interval of a window: for a strip. */
struct interval {
	uint64_t end_ns;   /* CLOCK_MONOTONIC */
	uint64_t *charges; /* [ncpus of the end] in the interval */
	uint64_t *misses;
};

#define METRIC_NAME_MAX 32

/* A number that CMD printed (--metric). */
struct metric {
	char *name;
	bool known; /* it was found in what CMD wrote */
	double value;
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
	struct metric *metrics;
	size_t nmetrics;
};

enum end_reason { END_DURATION, END_COMMAND, END_INTERRUPTED };

/* What a report is made from: two samples, and how they were taken. */
struct window {
	struct sample *start; /* NULL: all counters were 0 */
	struct sample *end;
	char **tool_argv; /* NULL-terminated */
	struct command command;
	enum end_reason end_reason;
	char *version;		    /* of the tool that measured */
	struct interval *intervals; /* NULL: the window was not cut up */
	size_t nintervals;
	uint64_t interval_ns;	 /* as asked for */
	uint64_t hold_budget_ns; /* --hold-budget; 0: the default. Of the reader: not stored */
	char *lost; /* a sentence: what a recording that was cut short lacks, or NULL; not stored */
};

/* Frees the sample and all in it; NULL is allowed. */
void sample__free(struct sample *s);

/* A copy of the sample and all in it; NULL: out of memory. */
struct sample *sample__copy(const struct sample *s);

/* Frees what it holds, not the command itself. */
void command__release(struct command *c);

/* A copy in *to; on failure (-ENOMEM) nothing is to be freed. */
int command__copy(struct command *to, const struct command *from);

/* Whether a metric can be called so: up to METRIC_NAME_MAX - 1 letters, digits and _, no digit first. */
bool metric__is_name(const char *name, size_t len);

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
