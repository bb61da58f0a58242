/* SPDX-License-Identifier: GPL-2.0-only */
/* Which item of a table is which of the same table a sample before. */
#ifndef MEMCGTOP_RECORD_MATCH_H
#define MEMCGTOP_RECORD_MATCH_H

#include "sample/record_columns.h"

#define NO_MATCH SIZE_MAX

struct match {
	size_t *before; /* of each item its place before, or NO_MATCH: it is new */
	size_t *rank;	/* of each one before its place among those that stay, or NO_MATCH: gone */
	size_t stay;	/* so many */
	bool moved;	/* they are in another order */
};

/* 0 or -ENOMEM. */
int match__init(struct match *m, enum table t, const struct items *from, const struct items *to);
void match__release(struct match *m);

#endif
