/* SPDX-License-Identifier: GPL-2.0-only */
/* Of the command line: what compare alone takes. */
#ifndef MEMCGTOP_OPTIONS_COMPARE_H
#define MEMCGTOP_OPTIONS_COMPARE_H

#include "options.h"

/* The two sides: args is what is left of the line. 0, or -1 with the error set. */
int options__sides(struct options *o, char **args, struct error *e);

#endif
