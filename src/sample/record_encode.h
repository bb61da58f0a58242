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

/*
 * Writes what changed between two comparable samples, or the whole of one if
 * from is NULL. 0 or a negative errno.
 */
int record__encode(FILE *f, const struct sample *from, const struct sample *to);

#endif
