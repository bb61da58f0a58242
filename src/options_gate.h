/* SPDX-License-Identifier: GPL-2.0-only */
/* The options that gate has for itself, and --metric. All return 0, or -1 with the error set. */
#ifndef MEMCGTOP_OPTIONS_GATE_H
#define MEMCGTOP_OPTIONS_GATE_H

#include "options_table.h"

void options__gate_defaults(struct gate_options *g);

/* Is the key one that options__gate() sets? */
bool options__is_of_gate(int key);
int options__gate(struct options *o, int key, const char *arg, struct error *e);

/* A FILE of -r, or behind it: one more run. */
int options__gate_read(struct options *o, const char *arg, struct error *e);

/* The FILEs behind all options; dashes: they stand behind "--", and may begin with one. */
int options__gate_files(struct options *o, char **args, bool dashes, struct error *e);

/* NAME=REGEX, for any verb that runs CMD. */
int options__metric(struct options *o, const char *arg, struct error *e);

/* What of gate's options, and --metric, does not go together. */
int options__gate_check(const struct options *o, struct error *e);

#endif
