/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_HOST_H
#define MEMCGTOP_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* Facts about the machine that the header of every result states. */

enum host_tristate { HOST_UNKNOWN = -1, HOST_NO = 0, HOST_YES = 1 };

enum host_lockdown {
	LOCKDOWN_UNKNOWN = 0, /* no such file: not built, or securityfs not mounted */
	LOCKDOWN_NONE = 1,
	LOCKDOWN_INTEGRITY = 2,
	LOCKDOWN_CONFIDENTIALITY = 3, /* BPF may not read kernel memory */
};

struct host_info {
	char hostname[65];
	char kernel[65];  /* release, "6.1.0-37-amd64" */
	char version[65]; /* build text, "#1 SMP PREEMPT_DYNAMIC ..." */
	char arch[65];
	long page_size; /* bytes */
	int cpus_possible, cpus_online;
	char *isolated;		     /* CPU list as in sysfs, "" if none */
	char *nohz_full;	     /* the same, or "(null)", or NULL */
	enum host_tristate emulated; /* by TCG; unknown where the CPU does not tell */
	const char *preempt;	     /* none, voluntary, full, lazy, rt, unknown */
	bool preempt_rt;
	bool socket_accounting, kmem_accounting; /* not off by cgroup.memory= at boot */
	enum host_lockdown lockdown;
};

/*
 * Fill *h from the running machine; with a root prefix, from the files below it (/proc, /sys,
 * /boot), uname and sysconf filling what is not there. What cannot be read is "unknown", never
 * an error. 0 or -ENOMEM.
 */
int host_info__read(struct host_info *h, const char *root);
void host_info__free(struct host_info *h);
/* Is this CPU kept free of other work: isolated, or without a tick? */
bool host_info__cpu_isolated(const struct host_info *h, int cpu);
const char *host_lockdown__str(enum host_lockdown lockdown);

/* Number of CPUs in a list as "0-3,8,10-20:2/5", -EINVAL if it is not one. Empty list: 0. */
int cpulist__count(const char *list);
bool cpulist__has(const char *list, int cpu);

/*
 * Does the kernel command line have key=...,word,...? All occurrences count; what follows "--" is
 * for init.
 */
bool cmdline__has(const char *cmdline, const char *key, const char *word);

/*
 * Whole file as malloc'ed text with a NUL after *len bytes (len may be NULL). NULL and errno. Any
 * size, also files that report size 0 as in /proc.
 */
char *host__read_file(const char *path, size_t *len);

#endif
