/* SPDX-License-Identifier: GPL-2.0-only */
/* Of the command line: what does not go together, and what is said of what is not known. */
#ifndef MEMCGTOP_OPTIONS_CHECK_H
#define MEMCGTOP_OPTIONS_CHECK_H

#include "options_table.h"

/* The choices of an option of that verb, with blanks between; "" if it has none. */
const char *options__choices(int key, enum verb verb);

/* The same as words: "text, json or html". Returns buf. */
const char *options__or(const char *choices, char *buf, size_t n);

/* Is the word one of them? */
bool options__is_choice(const char *choices, const char *word);

/* 0, or -1 with the error set. */
int options__check(const struct options *o, struct error *e);

/*
 * What getopt did not take: at is the argument that it read last, found what it
 * left in optopt. That is 0 for a long option that it does not know, the
 * character of a short one, and the key of a long one that was given an argument
 * and takes none. -1.
 */
int options__unknown(const struct options *o, const char *at, int found, struct error *e);

/* An argument is missing: at and found as above. -1. */
int options__no_argument(const struct options *o, const char *at, int found, struct error *e);

/* "memcgtop 1 10", as one types vmstat: args from the 1 on. -1. */
int options__intervals(char **args, struct error *e);

/* An argument that belongs to no option, and is not behind "--". -1. */
int options__leftover(const struct options *o, const char *arg, struct error *e);

#endif
