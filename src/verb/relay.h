/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --metric: what CMD prints passes through a process of ours, which looks for
 * the numbers and hands the text on. A process, as CMD may outlive us (-d), and
 * a pipe whose reader is gone would kill it.
 */
#ifndef MEMCGTOP_RELAY_H
#define MEMCGTOP_RELAY_H

#include <sys/types.h>

#include "options.h"

struct found;

struct relay {
	pid_t pid;	     /* 0: there is none */
	int in;		     /* to be CMD's standard output; -1: none */
	struct found *found; /* [n], shared with the process */
	size_t n;
};

/* Names the metrics in *cmd, none of them known yet. 0 or -1: out of memory. */
int relay__describe(const struct list *metrics, struct command *cmd);

/*
 * Starts the process, if there are metrics. out: the descriptor that the text
 * goes on to. 0, or -1 with the error.
 */
int relay__start(struct relay *r, const struct list *metrics, int out, struct error *e);

/* CMD has been started: who else holds the pipe open would keep its end from being seen. */
void relay__started(struct relay *r);

/*
 * Fills in what was found. Where CMD has ended, waits a moment for the last of
 * what it wrote. quiet: says nothing of what was not found.
 */
void relay__finish(struct relay *r, struct command *cmd, bool ended, bool quiet);

#endif
