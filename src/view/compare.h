/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison looks like. Each returns 0 or a negative errno of the write. */
#ifndef MEMCGTOP_VIEW_COMPARE_H
#define MEMCGTOP_VIEW_COMPARE_H

#include <stdio.h>

#include "compare/compare.h"
#include "view/number.h"

#define COMPARE_WIDTH 80

struct compare_view {
	bool all;	     /* rows that did not change as well */
	const char *version; /* of the tool */
};

/* Plain text of at most 80 columns, to be pasted into a mail. */
int view__compare_text(FILE *f, const struct comparison *c, const struct compare_view *v);

int view__compare_markdown(FILE *f, const struct comparison *c, const struct compare_view *v);

/* All rows, a line each, behind a heading. */
int view__compare_csv(FILE *f, const struct comparison *c, const struct compare_view *v);

/* "memcgtop-compare/1": all rows. */
int view__compare_json(FILE *f, const struct comparison *c, const struct compare_view *v);

/* The table of a kernel robot's report: "%stddev  %change  %stddev". */
int view__compare_lkp(FILE *f, const struct comparison *c, const struct compare_view *v);

/* One run as "key: value" lines, as a robot takes them. Counts are those of a second. */
int view__lkp(FILE *f, const struct model *m);

/*
 * Private to src/view, in compare_words.c. A label is at most LABEL_LEN long;
 * they return buf.
 */
#define LABEL_LEN 128

/* The key as it is read: "walks/work", "walk_ns, mean". */
const char *compare__label(char *buf, const struct comparison *c, const struct compared *row);

/* The same in the alphabet of a robot's keys: "walks_per_work". */
const char *compare__robot_key(char *buf, const struct comparison *c, const struct compared *row);

/* Three digits and the unit; "n/a" for NAN. Of NUM_LEN. */
const char *compare__value(char *buf, enum measure_kind kind, double v);

/* "-73.9%", "x36", "new" behind 0; of a row that did not change "~". */
const char *compare__delta(char *buf, const struct compared *row);

/* "2.1%"; "-" where there is none. */
const char *compare__spread(char *buf, double spread);

/* "0.008", "<.001"; "-": not tested. */
const char *compare__p(char *buf, double p);

/* "yes", "no", "untested", "one_side", "unmeasured". */
const char *compare__difference(const struct compared *row);

/* Is the row in the text? */
bool compare__shown(const struct compared *row, const struct compare_view *v);

/*
 * A rule's headline or detail with its numbers, between which and their units
 * stands gap. Free it. NULL: out of memory.
 */
char *compare__fill(const struct comparison *c, const char *template, char gap);

/* The whole verdict in running text. Free it. NULL: out of memory. */
char *compare__verdict(const struct comparison *c, char gap);

/* How many samples, of what, tested how: "5 + 5, exact U test". Returns buf of LABEL_LEN. */
const char *compare__samples(char *buf, const struct comparison *c);

/* What must be known of the samples, or NULL: too few, of one run, not to be trusted. Free it. */
char *compare__warning(const struct comparison *c);

/*
 * Why rows have no value on one side, a sentence for each reason, and what a
 * mark means; "" if there is nothing. Lines. Free it. NULL: out of memory.
 */
char *compare__footnotes(const struct comparison *c, const struct compare_view *v);

#endif
