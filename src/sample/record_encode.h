/* SPDX-License-Identifier: GPL-2.0-only */
/* A sample as a line of JSON: see record_format.h. */
#ifndef MEMCGTOP_RECORD_ENCODE_H
#define MEMCGTOP_RECORD_ENCODE_H

#include <stdio.h>

#include "sample/record_columns.h"

/*
 * Whether a sample can be told as what changed since another: the CPUs are the
 * same ones, else all rows would change.
 */
bool record__comparable(const struct sample *from, const struct sample *to);

/* Which columns the last sample had as digits: they need not be named again. */
struct record_dense {
	bool *is[TABLE_NR]; /* of each column; NULL: no list was written */
};

void record_dense__release(struct record_dense *d);

/*
 * Writes what changed between two comparable samples, or the whole of one if
 * from is NULL. From *digits on, if that is not 0, most are digits. 0 or a
 * negative errno; the sample must have been the last one that was encoded.
 */
int record__encode(FILE *f, const struct sample *from, const struct sample *to,
		   struct record_dense *dense, size_t *digits);

#endif
