/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The field table: every measure once. JSON, text, sort keys, the man page's
 * list and later the columns, metrics and expressions come from it. To add a
 * measure: a counter in bpf/memcgtop.h, and a row in fields.c.
 */
#ifndef MEMCGTOP_FIELDS_H
#define MEMCGTOP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"

enum unit { UNIT_COUNT, UNIT_PAGES, UNIT_RATIO, UNIT_CPUS, UNIT_NS, UNIT_BYTES };

enum attribution {
	ATTR_BY,      /* the memcg that acts */
	ATTR_OF,      /* the memcg whose pages move */
	ATTR_SUBTREE, /* the memcg and its descendants; no sum over rows */
};

/* Scopes in which a field has a value. */
#define IN_TOTAL  1
#define IN_CPU	  2
#define IN_CGROUP 4
#define IN_ALL	  7

/* The counters of one scope over the window: the total's, a CPU's or a row's. */
struct scope {
	const uint64_t *c;	   /* [C_NR] differences */
	const struct stock *stock; /* of the window's end */
	uint64_t usage_updates;	   /* of the subtree; total and rows only */
	uint32_t usage_cpus;
	uint32_t memcgs; /* that charged here; CPUs only */
	uint32_t in;	 /* IN_TOTAL, IN_CPU or IN_CGROUP */
	bool hits_seen;	 /* consume_stock's return value was seen: hits are counted */
	bool sock_apart; /* cgroup v1: sockets charge and uncharge past the stock */
	bool sum;	 /* of several cgroups: what does not add up is unknown */
	/* times; NULL: none were taken, or not of this scope */
	const struct hist *spans;	 /* [SPAN_NR] of the end: total only */
	const struct hist *spans_before; /* of the start, or NULL */
	const struct row_times *times;	 /* rows only */
	const struct row_times *times_before;
	const struct row *row; /* rows only: its gauges */
	const struct row *row_before;
	/* of the stocks at the window's end */
	struct gauge slots_used; /* CPUs only */
	struct gauge stranded_pages;
	struct gauge stranded_bound_pages;
	/* total and rows: under socket pressure */
	uint64_t pressure_ns;
	uint64_t pressure_sets;
};

/* One name of a split. */
struct part {
	const char *name;
	const short *counters; /* ended by -1, added up; NULL: see count */
	uint64_t (*count)(const struct scope *s);
	/* As in struct field: this name alone may be null. */
	const struct null_rule *unless;
	uint64_t needs;
};

struct model;

/* Why a value is null for the whole run: `unmeasured` in the JSON. */
struct unmeasured {
	enum reason reason; /* REASON_NONE: it is measured */
	bool applicable;    /* false: the machine has no such thing */
	const char *text;   /* a sentence */
};

/* A condition under which a field, or one name of its split, has no value. */
struct null_rule {
	bool (*holds)(const struct model *m);
	struct unmeasured why;
};

struct field {
	const char *key;   /* JSON key, label, sort key */
	const char *title; /* column title, <= 9 characters */
	const char *per_s; /* of its rate, where the title without a plural's S is too long */
	enum unit unit;
	enum attribution attr;
	uint32_t in;
	const struct part *parts;		  /* a split, else NULL; ended by a NULL name */
	uint64_t (*count)(const struct scope *s); /* a number, else NULL */
	bool (*gauge)(const struct scope *s, uint64_t *value); /* a number that may be unknown */
	const short *spans;			/* a histogram: enum span, ended by -1; else NULL */
	double (*ratio)(const struct scope *s); /* NAN: no events */
	/* of a ratio: what it divides, KEY or KEY.PART; NULL: it is not that simple */
	const char *num;
	const char *den;
	bool share;			/* a ratio of a part to its whole: in percent */
	bool level;			/* a count, but not of events: it has no rate */
	uint64_t needs;			/* bits of prog_id that it cannot do without */
	uint64_t needs_unseen;		/* more of them, unless consume_stock shows the hits */
	const struct null_rule *unless; /* ended by a NULL holds; the first that holds counts */
	const char *help;		/* one sentence, for the man page and -s help */
};

extern const struct field fields[];
extern const size_t nfields;

/* The field of that key, or NULL. */
const struct field *field__find(const char *key);

/* Counts events, so that it has a rate and sums over windows: not a level, a gauge, a ratio or a time. */
bool field__is_rate(const struct field *f);

/* The key nearest to a wrong one, to suggest. Never NULL. */
const char *field__nearest(const char *key);

/*
 * The value as a number to sort or show by; a split's is the sum of its parts, a
 * histogram's its mean. NAN: none, or not known.
 */
double field__value(const struct field *f, const struct scope *s);

/* The sum of one part's counters. */
uint64_t part__count(const struct part *p, const struct scope *s);

/*
 * Why the whole run has no value of this field, or of one part of it (part may
 * be NULL): a null rule, a hook that it needs and that is not attached, or one
 * that is attached but silent while its neighbour fired.
 */
struct unmeasured field__unmeasured(const struct field *f, const struct part *part,
				    const struct model *m);

/* The same of a model that was changed since model__init(), whose answers it has kept. */
struct unmeasured field__find_unmeasured(const struct field *f, const struct part *part,
					 const struct model *m);

/* The hooks that it, or that one part of it (may be NULL), is counted by here: bits of prog_id. */
uint64_t field__hooks(const struct field *f, const struct part *part, const struct model *m);

/* Calls in the window that these hooks missed. */
uint64_t hooks__missed(uint64_t hooks, const struct model *m);

#endif
