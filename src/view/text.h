/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the report's text, in the order of the screen.
 */
#ifndef MEMCGTOP_VIEW_TEXT_H
#define MEMCGTOP_VIEW_TEXT_H

#include "model/model.h"
#include "view/grid.h"
#include "view/page.h"
#include "view/view.h"

/* What was measured, where, how and how well: the lines above the tables. */
void text__head(struct page *p, const struct model *m);

/* The lines that doctor shares. */
void text__host(struct page *p, const struct host *h);
void text__stock(struct page *p, const struct stock *s, const char *overflow, const char *walks);

/* Its lines one by one. */
void text__probes(struct page *p, const struct model *m);
void text__quality(struct page *p, const struct model *m);
void text__cost(struct page *p, const struct model *m);

/* What a recording that was cut short lacks; nothing if it is whole. */
void text__lost(struct page *p, const struct model *m);

/* What is wrong, the number behind it, and where somebody met it. */
void text__verdicts(struct page *p, const struct model *m);

/* The main one in a line, behind a `!`; nothing if nothing is wrong and most could be judged. */
void text__headline(struct page *p, const struct model *m);

/* CHARGE SIDE | UNCHARGE SIDE */
void text__sides(struct page *p, const struct model *m);

/* TIME, and the histogram of the lock's holds. */
void text__times(struct page *p, const struct model *m);

/* The cgroups and the CPUs. */
void text__rows(struct page *p, const struct model *m, const struct view_opts *o);

/* The cgroups in rates, with the total; CPUs only if they are asked for. */
void text__rates(struct page *p, const struct model *m, const struct view_opts *o);

/* --cpus: every CPU and its stock. */
void text__cpus(struct page *p, const struct model *m);

/*
 * Sections that are there only if they have something to say; each begins with
 * a blank line. Their lists are cut at half of --rows.
 */
void text__evictions(struct page *p, const struct model *m, const struct view_opts *o);
void text__drains(struct page *p, const struct model *m, const struct view_opts *o);
void text__statistic(struct page *p, const struct model *m);
void text__stocks(struct page *p, const struct model *m, const struct view_opts *o);
void text__sockets(struct page *p, const struct model *m, const struct view_opts *o);

/* Of n lines of a section's list, how many are shown; never all but one. */
size_t text__shown(size_t n, const struct view_opts *o);

/* Says how many lines of a list are cut, if any are. */
void text__cut(struct page *p, size_t n);

/* What a reader must know to read the tables right. */
void text__notes(struct page *p, const struct model *m);

/*
 * The keys of those scopes that have no value, and why: one note for each
 * sentence. shown: each of them, not only those whose sections a report has.
 */
void text__unmeasured(struct page *p, const struct model *m, uint32_t in, bool shown);

/* A cgroup's name, clean and whole; free it. NULL: out of memory, and the page has failed. */
char *text__name(struct page *p, const struct row *r);

/* The same by its id, of which 0 is `other`. */
char *text__name_of(struct page *p, const struct model *m, uint64_t id);

/* "(id 428)", of a cgroup of which nothing else is known. Free it. */
char *text__id(struct page *p, uint64_t id);

/* A name as one word of running text, of at most so many columns. Frees the name. */
char *text__word(struct page *p, char *name, int columns);

/* What stands behind the name, or NULL. */
const char *text__mark(const struct row *r);

/* The name as a cell; by its id, of which 0 is `other`. */
void text__cell(struct grid *g, const struct row *r);
void text__cell_of(struct grid *g, const struct model *m, uint64_t id);

/* The CPU for which the most cgroups charged, with its slots; NULL: none did. */
const struct model_cpu *text__worst_cpu(const struct model *m);

/* "at least ": cgroups without a row are not among those that charged on a CPU; or "". */
const char *text__at_least(const struct model *m);

/* Whom that cgroup evicts, and who evicts it. */
void text__partners(struct page *p, const struct model *m, const struct model_row *r,
		    const struct view_opts *o);

/* The drains of all stocks for that cgroup, with their callers; nothing if there were none. */
void text__drains_for(struct page *p, const struct model *m, const struct model_row *r);

/* Heading and cells of a histogram: mean, p50, p90, p99, max. */
void text__duration_columns(struct grid *g);
void text__duration_cells(struct grid *g, const struct histogram *h);

/* The rows in which a measure is above 0, most first. Free it; *n of them. */
const struct model_row **text__by(struct page *p, const struct model *m, const char *key,
				  size_t *n);

#endif
