/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong, in words: one table of rules, each with its condition, its
 * thresholds and where they come from. The views, the manual and the tests
 * read the same table.
 */
#ifndef MEMCGTOP_VERDICTS_H
#define MEMCGTOP_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"

struct model;
struct model_cpu;
struct scope;

/* How a number is written. */
enum number_form {
	FORM_COUNT, /* 14,636 */
	FORM_NAME,  /* 1, of a CPU; never grouped */
	FORM_SHARE, /* 0.347 is 34.7 % */
	FORM_REAL,  /* 1.00 */
	FORM_PAGES, /* 96.0 */
	FORM_FLAG,  /* true, or there is none */
};

/* Where a rule is looked at: the whole system, or a CPU that charged enough. */
struct place {
	const struct model *m;
	const struct scope *s;
	const struct model_cpu *cpu; /* NULL: the whole system */
	size_t cpus;		     /* on how many CPUs the rule holds */
};

/* All of a rule's conditions have to hold. Not a number: it does not. */
struct condition {
	const char *what; /* what is compared, for the manual */
	double (*of)(const struct place *p);
	bool or_equal; /* >= and not > */
	double limit;
	enum number_form form;
	const char *from; /* where the limit comes from */
};

/* A number of a verdict; not a number: it is left out. */
struct number {
	const char *key;
	double (*of)(const struct place *p);
	enum number_form form;
	bool base; /* what it would be if all were well */
};

/*
 * In a template {key} is a number, {base.key} its base, {key:noun} a number
 * with its noun, {cgroup} the cgroup; | parts it into pieces, and a piece is
 * left out if it has a number that there is none of. {?key} shows nothing.
 */
struct rule {
	const char *name;
	const char *help;	   /* for the manual: what happens, in a sentence */
	const char *headline;	   /* template: what is wrong */
	const char *detail;	   /* template: the number behind it, and its base */
	const char *url;	   /* where somebody met it, or NULL */
	bool last_resort;	   /* only where no other rule holds */
	const char *yields_to;	   /* the rule that explains this one as well, or NULL */
	const char *worst;	   /* key: looked at on each CPU, shown for the one with most */
	const char *blame;	   /* key: the cgroup with most of it is named, or NULL */
	const char *const *inputs; /* keys; without one of them the rule is not judged */
	const struct condition *conditions; /* ended by a NULL what */
	const struct number *numbers;	    /* ended by a NULL key */
};

/* In the order of evaluation: the first that holds is the main verdict. */
extern const struct rule rules[];
extern const size_t nrules;

/* Fewer charges than this, in the window or on a CPU, are too few to judge. */
#define VERDICT_CHARGES 1000
#define VERDICTS_MAX	3
#define VERDICT_NUMBERS 12
#define RULES_MAX	16

struct verdict {
	const struct rule *rule;
	double values[VERDICT_NUMBERS]; /* of rule->numbers */
	const struct row *cgroup;	/* NULL: none to name */
};

enum verdict_state { VERDICT_TOO_FEW, VERDICT_UNTRUSTED, VERDICT_JUDGED };

struct verdicts {
	enum verdict_state state;
	struct verdict list[VERDICTS_MAX]; /* the main one first */
	size_t n;
	const struct rule *unjudged[RULES_MAX]; /* one of their inputs cannot be measured here */
	size_t nunjudged;
};

/* Judges a model whose scopes and quality are known. */
void verdicts__init(struct verdicts *v, const struct model *m);

/* "judged", "too_few_events", "untrusted" */
const char *verdict_state__name(enum verdict_state s);

#endif
