/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording: the samples of a window, one after the other, as they came.
 * "memcgtop-recording/1" is a sequence of zstd frames, so that zstdcat shows
 * it: a header, then one a sample with what changed since the one before, each
 * of them JSON on a line; a whole sample every so often, and the end of the
 * window last. What was written is readable at any time: a file that was cut
 * short is read up to its last whole frame, and says so.
 */
#ifndef MEMCGTOP_RECORDING_H
#define MEMCGTOP_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"

struct recorder;

/*
 * Begins the file with the window's first sample. Of the window tool_argv,
 * version, command.argv and interval_ns are told now. A FILE that is there
 * becomes FILE.old. NULL with a sentence in err (of size n) and errno set.
 */
struct recorder *recorder__open(const char *path, const struct window *w,
				const struct sample *first, char *err, size_t n);

/*
 * Adds a sample, later than the last. 0 or a negative errno, as every later
 * call: the file ends with the last whole sample then.
 */
int recorder__add(struct recorder *r, const struct sample *s);

/* The window's end: why, and how CMD ended. 0 or a negative errno. */
int recorder__finish(struct recorder *r, const struct window *w);

uint64_t recorder__intervals(const struct recorder *r); /* whole ones in the file */
uint64_t recorder__bytes(const struct recorder *r);

/* Closes and frees; NULL is allowed. 0 or a negative errno of the close. */
int recorder__close(struct recorder *r);

struct recording;

/* When a sample was taken. */
struct moment {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	int64_t wall_ms;  /* ms since the epoch */
};

/*
 * Opens a recording, or a window that window__save() wrote, which has two
 * samples or one. NULL with a sentence in err that names the file: no such
 * file, not ours, written by a newer memcgtop, not one whole sample in it.
 */
struct recording *recording__open(const char *path, char *err, size_t n);

void recording__close(struct recording *r);

/* Whether it is a stored window, and no recording. */
bool recording__stored(const struct recording *r);

size_t recording__count(const struct recording *r); /* samples: 1 at least */

struct moment recording__moment(const struct recording *r, size_t i);

/* The last sample that is not later than that; the first if there is none. */
size_t recording__find(const struct recording *r, uint64_t time_ns);

/*
 * A copy of the i-th sample; free it with sample__free(). From one to the next
 * is cheap, elsewhere up to the distance of whole samples is read again. NULL
 * with a sentence: damaged there, or out of memory.
 */
struct sample *recording__sample(struct recording *r, size_t i, char *err, size_t n);

/* What is missing at the end of a file that was cut short, as a sentence; else NULL. */
const char *recording__lost(const struct recording *r);

/*
 * The window of the samples from..to: its samples (a stored window without a
 * start has none there), how it was taken and how it ended; with intervals only
 * if it is a stored window, which lacks the samples to make them of.
 * 0, or a negative errno with a sentence in err. Release it with
 * window__release().
 */
int recording__window(struct recording *r, size_t from, size_t to, struct window *w, char *err,
		      size_t n);

#endif
