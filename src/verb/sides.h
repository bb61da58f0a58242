/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a comparison: what stands for a side, and the runs in it. */
#ifndef MEMCGTOP_SIDES_H
#define MEMCGTOP_SIDES_H

#include "compare/compare.h"
#include "error.h"

/*
 * Reads both sides: each name is a file, a directory of files, or a glob. Where
 * each of them is a single recording, their intervals are the samples. 0, or -1
 * with status 2 (or 3: out of memory). Release them in any case.
 */
int sides__read(struct side sides[2], const char *const names[2], struct error *e);

void sides__release(struct side sides[2]);

#endif
