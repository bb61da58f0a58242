/* SPDX-License-Identifier: GPL-2.0-only */
/* How a text is to look: what the options say, and what the stream it goes to is. */
#ifndef MEMCGTOP_LOOK_H
#define MEMCGTOP_LOOK_H

#include <stdio.h>

#include "options.h"
#include "view/view.h"

/* -C, NO_COLOR (any value), TERM: whether colour is wanted at all. */
bool look__colored(const struct options *o);

struct view_opts look__at(const struct options *o, FILE *f);

/* The order of the rows, and which: -s and -f. */
void look__order(const struct options *o, struct model *m);

#endif
