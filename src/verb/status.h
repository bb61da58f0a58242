/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_STATUS_H
#define MEMCGTOP_STATUS_H

#include "model/model.h"
#include "options.h"

/* Why CMD's failure counts against the window, as a sentence in buf; NULL: it does not. */
const char *status__failure(const struct options *o, const struct window *w, char *buf, size_t n);

/* What a result that stands is worth: the exit status, and a line on stderr that says why. */
int status__of(const struct options *o, const struct model *m);

#endif
