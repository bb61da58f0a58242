/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is in a table, and where: the part of record__apply() that moves items. */
#ifndef MEMCGTOP_RECORD_PLACES_H
#define MEMCGTOP_RECORD_PLACES_H

#include "sample/record_apply.h"

#define NO_PLACE SIZE_MAX

/* Places told as steps, ascending and below bound; *n of them. Free it. Not there: none. */
size_t *places__get(struct loader *l, const json_t *o, const char *key, size_t bound, size_t *n);

/* Takes items away, puts others in, and orders them. */
void places__reshape(struct loader *l, const json_t *o, enum table t, struct sample *s,
		     const struct record_limits *limits);

#endif
