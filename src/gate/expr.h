/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The conditions of a gate: MEASURE OP LIMIT over the field table.
 *
 *	condition  = measure ( ">" | ">=" | "<" | "<=" | "==" | "!=" ) limit
 *	measure    = value | ( "max" | "min" | "sum" | "any" ) "(" scope "," value ")"
 *	scope      = "cgroup:" GLOB | "cgroup:" '"' GLOB '"' | "cpu"
 *	value      = operand [ "/s" | "/" operand ]
 *	operand    = KEY | KEY "." PART | "metric:" NAME
 *		   | ( "p50" | "p90" | "p99" | "max" | "mean" ) "(" KEY ")"
 *	limit      = [ "+" | "-" ] NUMBER [ UNIT ]
 *
 * UNIT is % or pp of a ratio, ns, us, ms or s of a time, KiB, MiB or GiB of
 * bytes, k, M or G of counts. With a sign the limit is relative to a baseline:
 * by so many percent of it, or by so much. Pure: no I/O.
 */
#ifndef MEMCGTOP_EXPR_H
#define MEMCGTOP_EXPR_H

#include "error.h"
#include "model/fields.h"

enum expr_op { OP_GT, OP_GE, OP_LT, OP_LE, OP_EQ, OP_NE };

enum expr_pick { PICK_TOTAL, PICK_MAX, PICK_MIN, PICK_SUM };

enum expr_stat { STAT_NONE, STAT_P50, STAT_P90, STAT_P99, STAT_MAX, STAT_MEAN };

/* What the value, and the limit, is told in. */
enum expr_unit {
	EXPR_COUNT, /* pages included */
	EXPR_RATE,  /* of these, a second */
	EXPR_RATIO,
	EXPR_NS,
	EXPR_BYTES,
	EXPR_PLAIN, /* of a metric, or by one */
};

struct operand {
	const struct field *field; /* NULL: a metric */
	const struct part *part;
	enum expr_stat stat;	      /* of a histogram */
	char metric[METRIC_NAME_MAX]; /* its name */
};

enum limit_kind {
	LIMIT_FIXED,
	LIMIT_PERCENT, /* the baseline's value and so much of it: value is 0.1 for +10% */
	LIMIT_ADD,     /* the baseline's value and so much */
};

struct limit {
	enum limit_kind kind;
	double value; /* ns, bytes, a ratio, or as typed */
};

struct expr {
	char *text; /* as typed, without blanks around it */
	enum expr_pick pick;
	uint32_t in; /* IN_TOTAL, IN_CGROUP or IN_CPU: what is picked from */
	char *glob;  /* of cgroups */
	struct operand a;
	struct operand b; /* what a is divided by, if quotient */
	bool quotient;
	bool rate;
	bool share; /* a part of a whole: never above 1 */
	enum expr_unit unit;
	enum expr_op op;
	struct limit limit;
};

/* 0, or -1 with the error (status 2), which tells the column. */
int expr__parse(struct expr *x, const char *text, struct error *e);

void expr__release(struct expr *x);

/* ">", ... */
const char *expr__op(enum expr_op op);

/* KEY or KEY.PART of the field table. False: there is no such thing. */
bool operand__find(struct operand *o, const char *name);

/* Does the expression need a baseline? */
static inline bool expr__is_relative(const struct expr *x)
{
	return x->limit.kind != LIMIT_FIXED;
}

#endif
