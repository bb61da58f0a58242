/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, and the signals that end what a verb does: they are waited for, never handled. */
#ifndef MEMCGTOP_WAIT_H
#define MEMCGTOP_WAIT_H

#include <signal.h>
#include <stdint.h>

#define NS_PER_S 1000000000ull

/*
 * To be called a few times a second while probes are attached (live__tick()):
 * short, since a cgroup may be gone soon, and its name with it.
 */
#define TICK_NS (NS_PER_S / 4)

/* CLOCK_MONOTONIC. */
uint64_t now_ns(void);

/*
 * Blocks SIGINT, SIGTERM and SIGHUP, of which those that are ignored stay so
 * (nohup), and SIGCHLD, so that CMD's end wakes us. *before is for
 * sigprocmask(SIG_SETMASK).
 */
void wait__block(sigset_t *set, sigset_t *before);

/* The next of these signals, or 0 when the time has come; a time that is past only looks. */
int wait__until(const sigset_t *set, uint64_t until_ns, siginfo_t *info);

#endif
