/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the panes. Private to src/view. */
#ifndef MEMCGTOP_VIEW_PANE_H
#define MEMCGTOP_VIEW_PANE_H

#include "model/model.h"
#include "view/page.h"
#include "view/view.h"

/*
 * Every field that the scope has, by the sections of the field table: counts,
 * rates and shares, then times with a histogram, then what has no value and why.
 */
void pane__fields(struct page *p, const struct model *m, const struct scope *s);
void pane__times_of(struct page *p, const struct model *m, const struct scope *s);
void pane__unmeasured(struct page *p, const struct model *m, const struct scope *s);

void pane__cgroup(struct page *p, const struct model *m, const struct view_opts *o,
		  const struct model_row *r);
void pane__cpu(struct page *p, const struct model *m, const struct view_opts *o,
	       const struct model_cpu *c);

/*
 * Says of what is not there that it is none, in that sentence, or why it is not
 * known: what the measure of that key has as its reason. label: in front of it.
 */
void pane__none(struct page *p, const struct model *m, const char *label, const char *key,
		const char *none);
/* Of a scope without a time. where: "here", "in this time". */
void pane__no_times(struct page *p, const struct model *m, const struct scope *s,
		    const char *where);

/* Who (rows) evicts whom (columns): the most active cgroups that the page has room for. */
void pane__matrix(struct page *p, const struct model *m);

void pane__probes(struct page *p, const struct model *m);

#endif
