/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that -r reads: recordings, and windows that --save stored. */
#ifndef MEMCGTOP_SOURCE_H
#define MEMCGTOP_SOURCE_H

#include "options.h"
#include "sample/recording.h"

/* Opens -r's file, and says on stderr what is missing at its end. NULL with the error (status 2). */
struct recording *source__open(const struct options *o, struct error *e);

/* The samples that --from and --to leave. 0, or -1 with the error. */
int source__range(const struct options *o, const struct recording *r, size_t *from, size_t *to,
		  struct error *e);

/* The window of -r's file that is asked for, with its timeline. 0, or -1 with the error. */
int source__window(const struct options *o, struct window *w, struct error *e);

#endif
