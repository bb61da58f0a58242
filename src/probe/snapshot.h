/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the maps to a sample, and the taking back of rows.
 */
#ifndef MEMCGTOP_SNAPSHOT_H
#define MEMCGTOP_SNAPSHOT_H

#include "probe/drains.h"
#include "probe/load.h"
#include "probe/pairs.h"
#include "probe/pressure.h"
#include "probe/stocks.h"

struct paths;

/* What a memcg had counted when its row was taken back; merged into each later sample. */
struct gone {
	uint64_t cgroup;
	uint64_t parent;
	uint32_t depth;
	char name[CGROUP_NAME];
	uint64_t c[C_NR];
	struct row_note note;
	uint64_t pressure_ns;
	uint64_t stranded_max; /* pages */
	uint64_t *cpu_updates; /* [ncpus], as in struct row */
	uint64_t *cpu_charges;
	struct row_times *times; /* NULL without time */
};

/* A row that is being taken back. */
struct takeback {
	uint64_t serial;   /* 0: not under way */
	uint64_t activity; /* of the row at the last turn, plus 1 */
	uint32_t turns;	   /* since it was made unreachable */
};

struct ledger {
	size_t ncpus;
	struct gone *gone;
	size_t ngone;
	uint64_t (*cpu_c)[C_NR];    /* [ncpus], of the gone */
	uint64_t *named;	    /* [max_rows]: serial whose name was asked for */
	struct takeback *takebacks; /* [max_rows] */
	struct stock_looks stocks;
	struct pressure pressure;
	struct kept_pairs kept_pairs;
	struct kept_callers kept_callers;
};

/* At most this many gone cgroups keep a row of their own; the rest goes to `other`. */
#define GONE_MAX 16384

int ledger__init(struct ledger *g, const struct host_info *host, size_t ncpus, uint32_t max_rows);
void ledger__release(struct ledger *g);

/* Reads rows, CPUs, losses and the observed batch into s. 0 or a negative errno. */
int snapshot__read(const struct loaded *l, const struct ledger *g, struct paths *paths,
		   struct sample *s);

/* Looks at what is only there at the moment: to be called often, and before a sample. */
void ledger__look(struct ledger *g, const struct loaded *l, uint64_t now);

/* MEMCG_CHARGE_BATCH since 6.1 (commit 1813e51eece0): what is assumed until it is observed. */
#define BATCH_ASSUMED 64

/* The batch, from the sizes of first walks, or 0 if there was none. */
uint32_t snapshot__batch(const struct loaded *l);

/*
 * One turn of the upkeep: names new rows, and when rows run short takes back
 * those whose cgroup is gone and that did not count since the last turn. A row
 * is first made unreachable, and read and cleared two turns later, when no
 * program can still be adding to it.
 */
void ledger__tick(struct ledger *g, const struct loaded *l, struct paths *paths);

#endif
