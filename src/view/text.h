/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the report's text, in the order of the screen.
 */
#ifndef MEMCGTOP_VIEW_TEXT_H
#define MEMCGTOP_VIEW_TEXT_H

#include "model/model.h"
#include "view/page.h"
#include "view/view.h"

/* What was measured, where, how and how well: the lines above the tables. */
void text__head(struct page *p, const struct model *m);

/* The lines that doctor shares. */
void text__host(struct page *p, const struct host *h);
void text__stock(struct page *p, const struct stock *s, const char *overflow, const char *walks);

/* What is wrong, the number behind it, and where somebody met it. */
void text__verdicts(struct page *p, const struct model *m);

/* CHARGE SIDE | UNCHARGE SIDE */
void text__sides(struct page *p, const struct model *m);

/* The cgroups and the CPUs. */
void text__rows(struct page *p, const struct model *m, const struct view_opts *o);

/* What a reader must know to read the tables right. */
void text__notes(struct page *p, const struct model *m);

#endif
