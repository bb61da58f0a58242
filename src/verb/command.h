/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CMD: started held back, let go when counting has begun, waited for.
 */
#ifndef MEMCGTOP_COMMAND_H
#define MEMCGTOP_COMMAND_H

#include <sys/types.h>

#include "error.h"
#include "sample/sample.h"

struct child {
	pid_t pid; /* 0: none, or it has ended */
	int go;	   /* closing it lets CMD run */
};

/* Can CMD be found? 0, or -1 with status 2, before anything is attached. */
int command__check(char **argv, struct error *e);

/*
 * Forks a child that will exec CMD. out is to be its standard output: ours, our
 * standard error, so that two texts do not mix, or a pipe. 0, or -1 with the
 * error.
 */
int command__start(struct child *c, char **argv, int out, struct error *e);

/* Lets CMD run. */
void command__go(struct child *c);

/* Has it ended? Then *cmd has how, and what it used, and c->pid is 0. */
bool command__ended(struct child *c, struct command *cmd);

/* Ends one that was never let go, or passes a signal on. */
void command__signal(struct child *c, int sig);

#endif
