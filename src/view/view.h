/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The views: what a model or a sample looks like. They write to a stream and
 * nothing else; each returns 0 or a negative errno of the write.
 */
#ifndef MEMCGTOP_VIEW_H
#define MEMCGTOP_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "model/model.h"
#include "sample/sample.h"

#define VIEW_WIDTH_MIN 50
#define VIEW_WIDTH     100 /* of a report that is not on a terminal */
#define VIEW_ROWS      10
#define VIEW_COLUMNS   32 /* that --columns takes */

struct view_opts {
	int width; /* columns; VIEW_WIDTH_MIN at least is used */
	int rows;  /* cgroups, and CPUs, at most; negative: all */
	bool color;
	bool ascii;		  /* no byte above 0x7f */
	bool cpus;		  /* every CPU and its stock */
	const struct field *sort; /* as model__sort() was told: its column is shown */
	const char *columns;	  /* of a batch: keys, all of them right; NULL: the standard ones */
};

int view__text(FILE *f, const struct model *m, const struct view_opts *o);

/* One strict JSON document; ascii: no byte above 0x7f, others are \u escapes. */
int view__json(FILE *f, const struct model *m, bool ascii);

/* One page that needs neither network nor script. All rows are shown; of the options cpus counts. */
int view__html(FILE *f, const struct model *m, const struct view_opts *o);

/* The same document on one line, flushed: one of a stream (NDJSON). */
int view__json_line(FILE *f, const struct model *m, bool ascii);

/*
 * One block of the batch mode: the time, what was measured and how well, the
 * totals and a table of cgroups. first: with the whole header.
 */
int view__batch(FILE *f, const struct model *m, const struct view_opts *o, bool first);

/* What the live screen shows beside its tables, as text of the page's width. */
enum pane {
	PANE_CGROUP,	/* one cgroup: all that is known of it */
	PANE_CPU,	/* one CPU: the same, and its stock */
	PANE_EVICTIONS, /* who evicts whom, as a matrix, and the list */
	PANE_DRAINS,
	PANE_TIMES,
	PANE_PROBES,  /* hooks, quality and cost: what doctor says of them */
	PANE_VERDICT, /* in full */
};

struct pane_of {
	enum pane pane;
	const struct model_row *row; /* of PANE_CGROUP */
	const struct model_cpu *cpu; /* of PANE_CPU */
};

/* Lines of text; with o->color what is bold stands between "\033[1m" and "\033[0m". */
int view__pane(FILE *f, const struct model *m, const struct view_opts *o, const struct pane_of *p);

enum check_state { CHECK_OK, CHECK_WARN, CHECK_FAIL };

/* One thing that doctor looked at beside the hooks. */
struct check {
	const char *name;	/* a word: "privilege", "btf" */
	enum check_state state; /* CHECK_FAIL: nothing can be measured */
	const char *text;	/* what was found */
	const char *hint;	/* what to do about it, or NULL */
};

/*
 * The sample's probes tell what can be attached. The checks are those that
 * only the caller can make (privilege, BTF, context bits); what the sample
 * says of cgroups, design and lock is added.
 */
struct diagnosis {
	const struct sample *sample;
	const struct check *checks;
	size_t nchecks;
	const char *version;
};

int view__doctor_text(FILE *f, const struct diagnosis *d, const struct view_opts *o);

int view__doctor_json(FILE *f, const struct diagnosis *d, bool ascii);

/*
 * 1: misses can be measured here, so doctor's exit status is 0; 0: they
 * cannot, and it is 3. Negative: -ENOMEM.
 */
int view__doctor_measurable(const struct diagnosis *d);

#endif
