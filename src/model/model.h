/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a window to what the views show: differences, totals, per-CPU and
 * per-cgroup scopes, the quality of the measurement, verdicts. Pure: no I/O, no BPF.
 */
#ifndef MEMCGTOP_MODEL_H
#define MEMCGTOP_MODEL_H

#include "model/fields.h"
#include "model/times.h"
#include "model/verdicts.h"
#include "sample/sample.h"

enum grade { GRADE_IDLE, GRADE_GOOD, GRADE_FAIR, GRADE_UNTRUSTED };

struct quality {
	enum grade grade;
	uint64_t missed;	   /* of the worst program */
	double missed_ratio;	   /* of the worst program; NAN without events */
	const struct probe *worst; /* NULL without events */
	uint64_t worst_recorded;   /* its runs in the window */
	uint64_t dropped[LOSS_NR];
	uint64_t checked; /* charges of which both derivations are known */
	uint64_t differ;
	double agreement;    /* NAN if none was checked */
	uint64_t lost_walks; /* hits lie in [hits - lost_walks, hits] */
	/* --lock exact: holds of which bounds and exact time are known */
	uint64_t hold_checked;
	uint64_t hold_differ;
	uint64_t breaches; /* of the stock's own rules: see struct sample */
	char *reasons[8];  /* sentences: why it is untrusted, or fair */
	size_t nreasons;
	size_t nmissed_reasons; /* the first so many are of missed calls */
};

struct model_row {
	const struct row *row;	  /* of the window's end */
	const struct row *before; /* of its start; NULL: it is new */
	struct scope scope;
	double sort_value; /* of the field that the rows were sorted by; NAN: none */
};

struct model_cpu {
	const struct cpu *cpu;
	const struct cpu *before; /* the same at the start; NULL: there was none */
	struct scope scope;
	uint64_t c[C_NR];
};

struct model_probe {
	const struct probe *probe;
	uint64_t recorded; /* in the window */
	uint64_t missed;
	enum reason reason; /* why what needs it is null; REASON_NONE: it is fine */
	char text[160];	    /* the same as a sentence that names the function */
};

struct model {
	const struct window *window;
	const struct sample *end;
	double seconds; /* 0 if the window has no start */
	struct scope total;
	uint64_t total_c[C_NR];
	struct model_row *rows; /* sorted by model__sort; `other` last */
	size_t nrows;
	uint64_t (*rows_c)[C_NR]; /* their counters, which do not move with them */
	struct model_cpu *cpus;	  /* every possible CPU, by number */
	size_t ncpus;
	struct model_probe probes[PROG_NR];
	size_t nprobes;
	/* whether any cgroup, or CPU, has one: looked up once, as rows are many */
	struct known {
		bool usage_bytes;
		bool limit_bytes;
		bool sock_bytes;
		bool stocks;
	} known;
	struct quality quality;
	uint64_t events;	/* program runs in the window, all hooks */
	double overhead_ratio;	/* of one CPU; NAN if not calibrated */
	const char *hit_source; /* consume_stock, walk, none */
	const char *overflow;	/* emptied, trimmed, NULL until 10 were seen */
	const char *walks;	/* under_lock, outside_lock, mixed, NULL */
	struct times times;
	/* the window's eviction pairs, most evictions first */
	struct pair *pairs;
	size_t npairs;
	struct drain_caller *drains; /* the window's, most calls first */
	size_t ndrains;
	uint64_t drain_all_busy;
	struct verdicts verdicts;
	/* what field__unmeasured() says: [nfields], then [0] of the field, [1..] of its parts */
	struct unmeasured **why, *whys;
};

/* Why drain_all_stock was called, by its caller's stack (innermost first). */
enum drain_why {
	WHY_LIMIT,
	WHY_HIGH,
	WHY_CHARGE,
	WHY_RECLAIM,
	WHY_OFFLINE,
	WHY_RESIZE,
	WHY_FORCED,
	WHY_OTHER,
	WHY_NR
};
enum drain_why drain_caller__why(const struct drain_caller *d);
/* "memory.max", "memory.high", "charge at the limit", "offline", ... */
const char *drain_why__name(enum drain_why w);

/* Builds the model of a window. 0 or -ENOMEM. The window must outlive it. */
int model__init(struct model *m, const struct window *w);

/* Only what the total's values need: no verdicts and no quality, rows without their usage. */
int model__init_total(struct model *m, const struct window *w);

void model__release(struct model *m);

/*
 * What a row counted on one CPU in the window. The arrays are a row's at the
 * window's start and end, by the CPUs of their samples; NULL counts nothing.
 */
uint64_t model__on_cpu(const struct model *m, const struct model_cpu *c, const uint64_t *before,
		       const uint64_t *now);

/* Sorts the rows by a field, largest first, `other` last, ties by path. */
void model__sort(struct model *m, const struct field *by);

/* Keeps the rows whose path matches the glob (fnmatch, `*` crosses `/`), and `other`. */
void model__filter(struct model *m, const char *glob);

/* "idle", "good", "fair", "untrusted". */
const char *grade__name(enum grade g);

#endif
