/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sample counts, as tables: of each kind of thing the items, and the
 * columns that each of them has a number in. Recorder and reader know a number
 * by its column's name and nothing else.
 */
#ifndef MEMCGTOP_RECORD_COLUMNS_H
#define MEMCGTOP_RECORD_COLUMNS_H

#include "sample/sample.h"

enum table {
	TABLE_TOTAL, /* the sample itself: one item */
	TABLE_SPANS, /* its items have fixed names, as those of the probes */
	TABLE_PROBES,
	TABLE_CPUS,
	TABLE_PAIRS,
	TABLE_DRAINS,
	TABLE_CGROUPS, /* last, as what is at the end of a line is packed by itself */
	TABLE_NR
};

/* Where a number lies: in the item, or behind a pointer of it. */
enum part {
	PART_SELF,
	PART_TIMES,
	PART_CPU_UPDATES,
	PART_CPU_CHARGES,
	PART_SPANS,
	PART_PAIRS,
	PART_DRAINS,
	PART_NR
};

enum width {
	WIDTH_U64,
	WIDTH_U32,
	WIDTH_BOOL,
	WIDTH_PART /* whether the part is there: the others of it are 0 if not */
};

struct column {
	char name[48];
	enum width width;
	enum part part;
	size_t offset; /* bytes into the part */
};

struct columns {
	struct column *at;
	const struct column **by_name; /* sorted */
	size_t n;
};

/* The columns of a table; those of cgroups depend on the sample's CPUs. 0 or -ENOMEM. */
int columns__init(struct columns *c, enum table t, const struct sample *s);
void columns__release(struct columns *c);

/* The column of that name, or NULL. */
const struct column *columns__find(const struct columns *c, const char *name);

/* The number; 0 if its part is not there. */
uint64_t column__get(const struct column *c, const void *item);

/* Adds to it, modulo 2^64. False: no part, or more than there is room for. */
bool column__add(const struct column *c, void *item, uint64_t delta);

/* The part that it lies in, or NULL; another one. */
void *column__part(const struct column *c, const void *item);
void column__set_part(const struct column *c, void *item, void *part);

/* The items of a table. */
struct items {
	void *at;
	size_t n;
	size_t size; /* of one */
};

struct items items_of(const struct sample *s, enum table t);

/* "total", "spans", "probe_runs", "cpus", "pairs", "drains", "cgroups" */
extern const char *const table_names[TABLE_NR];

#endif
