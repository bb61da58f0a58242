/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the report's page, in the order of the page. Private to src/view.
 * Markup is written with html__raw(), whatever else with html__put(): names of
 * cgroups, commands and functions are bytes that somebody else chose.
 */
#ifndef MEMCGTOP_VIEW_HTML_H
#define MEMCGTOP_VIEW_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/model.h"
#include "view/page.h"
#include "view/view.h"

#define HTML_WHYS 64
#define HTML_GAPS 512

/* A key, or one name of its split, that this run has no value of. */
struct html_gap {
	const struct field *field;
	const struct part *part;
	size_t why; /* its place in whys[] */
};

struct html {
	FILE *f;
	const struct model *m;
	const struct view_opts *o;
	struct unmeasured whys[HTML_WHYS]; /* each sentence once: dashes refer to it by its place */
	size_t nwhys;
	struct html_gap gaps[HTML_GAPS];
	size_t ngaps;
	bool failed; /* out of memory: the page is not whole */
};

/* Markup of ours. */
void html__raw(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Text of any bytes: as a screen would show it, and inert in elements and attributes. */
void html__put(struct html *h, const char *text);
void html__put_bytes(struct html *h, const char *bytes, size_t n);

/* A length in percent, for x and width in a drawing. */
void html__percent(struct html *h, const char *attribute, double share);

/* A cgroup by its path, or by its id where it has none; with its state. */
void html__cgroup(struct html *h, const struct row *r);
void html__cgroup_id(struct html *h, uint64_t id);

struct html_column {
	const char *title; /* NULL ends a list of them */
	const char *help;  /* or NULL */
	bool left;	   /* of words, not of numbers */
};

/*
 * A table in a box of its own, in which it scrolls when it is wider than the
 * page. The caption is its name, shown if it says more than the heading.
 */
void html__table(struct html *h, const char *caption, const struct html_column *columns);
void html__table_end(struct html *h);
void html__row(struct html *h); /* its first cell is a <th>: the caller's */
void html__row_end(struct html *h);
void html__head_cell(struct html *h, const char *text, const char *help, const char *class);
void html__cell(struct html *h, const char *text); /* a number */
void html__word(struct html *h, const char *text); /* stands left */

/* A dash, which says why: NULL is "no events". */
void html__dash(struct html *h, const char *why);
void html__no_word(struct html *h, const char *why); /* in a column of words */

/* The cell of a field, or of a part of it, in that scope: the number, or a dash. */
void html__value(struct html *h, const struct field *f, const struct part *part,
		 const struct scope *s);

/* What this run has no value of, and why: before the page is written. */
void html__collect_gaps(struct html *h);

/* The largest part of miss_reasons in a scope, or NULL. */
const char *html__main_reason(const struct html *h, const struct scope *s);

/* Whether anything was counted there. */
bool html__active(const struct scope *s);

/*
 * The sentences of the text's part, one a line: "label" and its words. To be freed; NULL: out of
 * memory.
 */
char *html__sentences(struct html *h, void (*part)(struct page *p, const struct model *m));

/* Takes the next of these lines; NULL: no more. */
char *html__next_line(char **text);

/* The same without its label, which stands before column `indent`; *label may be empty. */
char *html__next_sentence(char **text, size_t indent, char **label);

/* The sections. Each writes what stands under its heading. */
void html__verdicts(struct html *h);
void html__about(struct html *h);
void html__strip(struct html *h);
void html__charges(struct html *h);
void html__times(struct html *h);
void html__histograms(struct html *h);
void html__evictions(struct html *h);
void html__drains(struct html *h);
void html__statistic(struct html *h);
void html__sockets(struct html *h);
void html__cgroups(struct html *h);
void html__cpus(struct html *h);
void html__others(struct html *h);
void html__unmeasured(struct html *h);

extern const char html_style[];

#endif
