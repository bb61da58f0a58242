/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong, in words: one table of rules (rules.c), each with its condition, its
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
struct model_row;
struct scope;

/* How a number is written. */
enum number_form {
	FORM_COUNT, /* 14,636 */
	FORM_NAME,  /* 1, of a CPU; never grouped */
	FORM_SHARE, /* 0.347 is 34.7 % */
	FORM_REAL,  /* 1.00 */
	FORM_PAGES, /* 96.0 */
	FORM_NS,    /* 1,234 is 1.23 us */
	FORM_BYTES, /* 1048576 is 1 MiB */
	FORM_ITEM,  /* the name of that part of stat_updates */
	FORM_FLAG,  /* true, or there is none */
};

/* Where a rule is looked at: the whole system, a CPU that charged enough, or a cgroup. */
struct place {
	const struct model *m;
	const struct scope *s;
	const struct model_cpu *cpu; /* NULL: not of a CPU */
	const struct model_row *row; /* NULL: not of a cgroup */
	size_t places;		     /* at how many of them the rule holds */
};

enum each { EACH_NONE, EACH_CPU, EACH_CGROUP };

enum compare { COMPARE_ABOVE, COMPARE_AT_LEAST, COMPARE_BELOW };

/* All of a rule's conditions have to hold. Not a number: it does not. */
struct condition {
	const char *what; /* what is compared, for the manual */
	double (*of)(const struct place *p);
	enum compare compare;
	double limit;
	enum number_form form;
	const char *from; /* where the limit comes from */
	bool or_next;	  /* it is enough if this one or the next holds */
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
 * with its noun, {cgroup} the cgroup, {by} the one that makes it so; | parts it
 * into pieces, and a piece is left out if it has a number that there is none of.
 * {?key} shows nothing.
 */
struct rule {
	const char *name;
	const char *help;      /* for the manual: what happens, in a sentence */
	const char *headline;  /* template: what is wrong */
	const char *detail;    /* template: the number behind it, and its base */
	const char *url;       /* where somebody met it, or NULL */
	bool last_resort;      /* only where no other rule holds */
	const char *yields_to; /* the rule that explains this one as well, or NULL */
	enum each each;	       /* looked at on each of them, and then */
	const char *worst;     /* key: shown for the one with most of it; else NULL */
	const char *blame;     /* key: the cgroup with most of it is named, or NULL */
	const struct row *(*by)(const struct place *p); /* who makes it so; NULL: nobody else */
	const char *const *inputs;	    /* keys; without one of them the rule is not judged */
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
#define RULES_MAX	24

struct verdict {
	const struct rule *rule;
	double values[VERDICT_NUMBERS]; /* of rule->numbers */
	const struct row *cgroup;	/* NULL: none to name */
	const struct row *by;		/* the same */
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
