/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What two sides are compared by: each number of the field table's total, the
 * names of its splits one by one, the means of its times, and quotients that
 * are not in it. To add a field is enough to have it compared.
 */
#ifndef MEMCGTOP_COMPARE_MEASURES_H
#define MEMCGTOP_COMPARE_MEASURES_H

#include "model/model.h"

/* What causes it: rows stand in these groups. */
enum topic {
	TOPIC_WORK, /* what CMD did, and took */
	TOPIC_CHARGE,
	TOPIC_UNCHARGE,
	TOPIC_STOCK,
	TOPIC_DRAINS,
	TOPIC_SOCKETS,
	TOPIC_STATISTIC,
	TOPIC_COST, /* of one event, and of all */
	TOPIC_MEMORY,
	TOPIC_OTHER,
	TOPIC_NR
};

enum measure_kind {
	MEASURE_COUNT, /* of events or pages: compared by time, or by --per */
	MEASURE_TIME,  /* ns that add up: the same */
	MEASURE_REAL,  /* a quotient, or a level */
	MEASURE_SHARE, /* 0..1, shown in percent */
	MEASURE_NS,    /* the mean of one event */
	MEASURE_BYTES,
};

enum measure_how {
	HOW_VALUE,    /* of the field, or of the part */
	HOW_MEAN,     /* of the field's histogram */
	HOW_CPUS,     /* the time of all events by that of all CPUs */
	HOW_QUOTIENT, /* field / below */
	HOW_TOGETHER, /* absent + short: see measure__only_between_kernels() */
};

struct measure {
	char key[64]; /* as an expression names it: "miss_reasons.absent", "walks/uncharges" */
	enum topic topic;
	enum measure_kind kind;
	enum measure_how how;
	const struct field *field;
	const struct part *part;   /* NULL: the whole field */
	const struct field *below; /* of a quotient */
};

#define MEASURES_MAX 160

/* All of them, in the order of the field table; *n of them. */
const struct measure *measures__all(size_t *n);

/* The place of a key among them, or -1. */
int measures__find(const char *key);

/* Its value in that run, in its own unit; counts are not yet by time. NAN: *why says why. */
double measure__of(const struct measure *x, const struct model *m, struct unmeasured *why);

/* Bits of the programs that it comes from. */
uint64_t measure__programs(const struct measure *x);

/*
 * Some kernels free a slot with its last page and some keep it, so that the
 * same miss is `absent` on one and `short` on the other: between kernels only
 * their sum compares, and within one only each of them.
 */
bool measure__only_between_kernels(const struct measure *x);
bool measure__only_within_kernel(const struct measure *x);

/* "charge", "cost of an event", ... */
const char *topic__name(enum topic t);

#endif
