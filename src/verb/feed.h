/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples one after the other: from the probes, in their time, or from a recording. */
#ifndef MEMCGTOP_FEED_H
#define MEMCGTOP_FEED_H

#include <signal.h>

#include "options.h"
#include "probe/live.h"
#include "sample/recording.h"

struct feed {
	const struct options *o;
	struct live *live;     /* or */
	struct recording *rec; /* of which */
	size_t from, to;       /* these samples are asked for, and */
	size_t at;	       /* this one comes next */
	struct window origin;  /* who recorded it */
	uint64_t step_ns;      /* live: between two samples */
	uint64_t start_ns;     /* CLOCK_MONOTONIC, as the next ones */
	uint64_t next_ns;
	uint64_t tick_ns;
	sigset_t signals, before;
};

/* Attaches the probes, or opens the recording. 0, or -1 with the error. */
int feed__open(struct feed *f, const struct options *o, struct error *e);

void feed__close(struct feed *f);

/*
 * The next sample, without waiting. NULL: at the recording's end (no error is
 * set), or with the error. Free it with sample__free().
 */
struct sample *feed__sample(struct feed *f, struct error *e);

/* Waits until the next sample is due. False: a signal, or the recording has no more. */
bool feed__wait(struct feed *f);

/* What is due beside samples; until when nothing is. CLOCK_MONOTONIC. */
uint64_t feed__tick(struct feed *f);

/* Another step from now on. */
void feed__set_step(struct feed *f, uint64_t step_ns);

/* The window of two samples in a row: how it was taken. Takes over neither; nothing is to be freed. */
struct window feed__window(const struct feed *f, struct sample *before, struct sample *now);

#endif
