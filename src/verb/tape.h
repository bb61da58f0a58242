/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording that is made while something is measured: when a sample is due, and what went wrong. */
#ifndef MEMCGTOP_TAPE_H
#define MEMCGTOP_TAPE_H

#include "error.h"
#include "sample/recording.h"

struct tape {
	const char *path; /* NULL: nothing is recorded */
	struct recorder *recorder;
	uint64_t start_ns; /* CLOCK_MONOTONIC, as all times */
	uint64_t step_ns;
	uint64_t next_ns; /* UINT64_MAX: never */
	uint64_t last_ns; /* of the last whole sample in the file */
	int err;	  /* why it ended early, or 0 */
	bool progress;	  /* on a terminal: one line that is written again and again */
	size_t cgroups;	  /* rows of the samples, added up: for the size of one */
};

/*
 * Begins with the window's first sample. 0, or -1 with the error; path NULL
 * records nothing, and then all below do nothing.
 */
int tape__open(struct tape *t, const char *path, uint64_t step_ns, bool quiet,
	       const struct window *w, struct error *e);

/* Adds a sample that was taken now, and says when the next is due. */
void tape__add(struct tape *t, const struct sample *s, uint64_t now_ns);

/*
 * The window's end. 0, or -1 with the error if the file lacks something: what
 * is in it, from when on it is lost, and why.
 */
int tape__close(struct tape *t, const struct window *w, struct error *e);

#endif
