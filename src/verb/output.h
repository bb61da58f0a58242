/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a result goes: standard output, or a file that appears whole or not at all. */
#ifndef MEMCGTOP_OUTPUT_H
#define MEMCGTOP_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

struct output {
	FILE *stream;
	const char *path; /* NULL: standard output */
	char *temporary;
};

/* 0, or -1 with status 2: the directory is not there, or not ours to write. */
int output__open(struct output *o, const char *path, struct error *e);

/* Could it be opened? The same as output__open, but nothing is changed. */
int output__check(const char *path, struct error *e);

/* Brings the file into its place. 0, or -1 with status 4: the result was not written. */
int output__commit(struct output *o, struct error *e);

/* Forgets it: the temporary file goes, an earlier FILE stays. */
void output__abandon(struct output *o);

#endif
