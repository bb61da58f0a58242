/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values of the field table by their keys, as the parts of a text ask for them.
 */
#ifndef MEMCGTOP_VIEW_MEASURE_H
#define MEMCGTOP_VIEW_MEASURE_H

#include "model/model.h"

/*
 * Whether the field has a value in that scope and in this run. Of a scope that
 * is the sum of several cgroups, which has no row, what includes descendants
 * does not add up.
 */
bool measure__has(const struct model *m, const struct field *f, const struct scope *s);

/*
 * The value in that scope. NAN: there is none: no such key, nothing happened,
 * this scope has it not, or it cannot be measured in this run.
 */
double measure__value(const struct model *m, const char *key, const struct scope *s);

/* The same as a count; 0 for none. Exact to 64 bits where the field counts. */
uint64_t measure__count(const struct model *m, const char *key, const struct scope *s);

/* One name of a split, or NULL. */
const struct part *measure__part(const struct field *f, const char *name);

/* The reason of most misses in that scope; "-" without misses. */
const char *measure__main_reason(const struct model *m, const struct scope *s);

/* The histogram of a key. False: there is none, or it is empty. */
bool measure__histogram(struct histogram *h, const struct model *m, const char *key,
			const struct scope *s);

#endif
