/* SPDX-License-Identifier: GPL-2.0-only */
/* The reader's side of record_encode.h. */
#ifndef MEMCGTOP_RECORD_APPLY_H
#define MEMCGTOP_RECORD_APPLY_H

#include "sample/record_columns.h"
#include "sample/store_get.h"

/* What a file may cost: little text can stand for very many items. */
struct record_limits {
	size_t items; /* of a table */
	size_t cells; /* cgroups times CPUs */
};

/* A sample on its way through the recording. */
struct record_state {
	struct sample *s;
	struct columns columns[TABLE_NR]; /* as far as they were needed */
	json_t *dense[TABLE_NR];	  /* the names of the dense columns */
	struct record_limits limits;
};

/*
 * Makes the next sample of the state's, or of nothing if it is whole. After a
 * fault the sample is good for nothing but to be freed.
 */
void record__apply(struct loader *l, const json_t *doc, bool whole, struct record_state *state);

void record__release(struct record_state *state);

#endif
