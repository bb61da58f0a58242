/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_BATCH_H
#define MEMCGTOP_BATCH_H

#include "verb/feed.h"

/*
 * A block of text, or with --json a line, for each interval, until -n of them
 * are written, a signal comes, or the recording ends. The exit status, or -1
 * with the error.
 */
int batch(struct feed *f, struct error *e);

#endif
