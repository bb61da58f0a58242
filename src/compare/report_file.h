/* SPDX-License-Identifier: GPL-2.0-only */
/* A run from the JSON of a report, where the window itself was not stored. */
#ifndef MEMCGTOP_COMPARE_REPORT_FILE_H
#define MEMCGTOP_COMPARE_REPORT_FILE_H

#include "compare/run.h"

/*
 * Reads a document of schema "memcgtop/1". 0; 1: it is none; -ENOMEM, or -EINVAL
 * with a sentence in err that names the file. Release the run unless it is 1.
 */
int report_file__load(struct run *r, const char *path, char *err, size_t n);

#endif
