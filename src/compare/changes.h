/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the differences mean: one table of rules (changes.c) over a few measures
 * of which p is adjusted for being several, and over facts of both sides.
 */
#ifndef MEMCGTOP_COMPARE_CHANGES_H
#define MEMCGTOP_COMPARE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

struct comparison;

enum change_how {
	CHANGE_UP,
	CHANGE_DOWN,
	CHANGE_SAME,	/* known on both sides, and no change */
	CHANGE_B_ABOVE, /* B's median, whatever A's is */
	CHANGE_B_BELOW,
};

/* All of a rule's have to hold. key: a measure's, or "slots". */
struct change_condition {
	const char *key;
	enum change_how how;
	double limit; /* of CHANGE_B_ */
};

/*
 * In a template {a:KEY} and {b:KEY} are the medians, {x:KEY} is how many times
 * as much the larger one is, {kernel_a}, {kernel_b}, {design_a}, {design_b} are facts; | parts it into
 * pieces, and a piece is left out if it has a number that there is none of.
 */
struct change_rule {
	const char *name;
	const char *help;      /* for the manual */
	const char *headline;  /* template */
	const char *detail;    /* template */
	const char *yields_to; /* names with blanks between: said by one of these already */
	const struct change_condition *conditions; /* ended by a NULL key */
};

extern const struct change_rule change_rules[];
extern const size_t nchange_rules;

/* The measures that the verdict tests, ended by NULL: counts of events, and the cost of one. */
extern const char *const change_counts[];
extern const char *const change_costs[];

/* How sure the verdict is. */
enum sureness {
	SURE,		  /* by adjusted p */
	SURE_IF_REPEATED, /* too few runs for any p: by size alone */
};

#define CHANGES_MAX 8

struct change_verdict {
	enum sureness sureness;
	bool untrusted; /* a run is not to be trusted: nothing is judged */
	const struct change_rule *rules[CHANGES_MAX]; /* none: nothing that matters changed */
	size_t n;
	size_t measures;	 /* that were tested together */
	bool jointly;		 /* by stats__joint(), else by Holm */
	const char *untested[8]; /* not known on both sides, or not of one kind; ended by NULL */
	const char *moved[16];	 /* their keys, counts first; ended by NULL */
	size_t ncounts;		 /* how many of them are counts */
};

/* Is it one of these? */
bool change__tests(const char *key);

/* Fills in rows' adjusted p as well. */
void changes__judge(struct change_verdict *v, struct comparison *c);

/* A number of a template: its row, or a fact. False: there is none. */
bool change__fact(const struct comparison *c, const char *key, double *a, double *b);

#endif
