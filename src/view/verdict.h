/* SPDX-License-Identifier: GPL-2.0-only */
/* A verdict in words. Private to src/view. */
#ifndef MEMCGTOP_VIEW_VERDICT_H
#define MEMCGTOP_VIEW_VERDICT_H

#include "model/verdicts.h"

/*
 * A template of the rule with the verdict's numbers in it; `cgroup` and `by` are
 * their names as they are shown, or NULL. Between a number and what belongs to
 * it stands `gap`. Free it. NULL: out of memory.
 */
char *verdict__text(const struct verdict *v, const char *template, const char *cgroup,
		    const char *by, char gap);

/* The name of a number that is FORM_ITEM. */
const char *verdict__item(double v);

#endif
