/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_CAPS_H
#define MEMCGTOP_CAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct caps {
	uint64_t effective;
	uid_t euid;
	bool bpf;	      /* CAP_BPF: maps and programs */
	bool perfmon;	      /* CAP_PERFMON: tracing and reading kernel memory */
	bool sys_admin;	      /* stands for both */
	bool sys_resource;    /* may raise RLIMIT_MEMLOCK, needed before 5.11 only */
	bool dac_read_search; /* cgroup paths by handle; without it the tree is walked */
};

/* Read the status file (NULL: /proc/self/status). -errno, -EPROTO if it lacks CapEff or Uid. */
int caps__read(struct caps *c, const char *status_path);

/*
 * Can programs be loaded and attached? 0: yes. 1: no, buf has one sentence with what is missing
 * and the exact remedy. exe: path of the program for the setcap line, NULL: "memcgtop".
 */
int caps__missing(const struct caps *c, const char *exe, char *buf, size_t size);

/*
 * Lift RLIMIT_MEMLOCK, or raise it as far as allowed. 0, or -errno if it could not be lifted,
 * which only matters on kernels before 5.11, so it is for the caller to tell after a failed load.
 * limit_bytes (may be NULL): limit in force afterwards, UINT64_MAX: none.
 */
int caps__raise_memlock(uint64_t *limit_bytes);

/*
 * Can RLIMIT_MEMLOCK be why BPF was refused with EPERM? 0: no. 1: a kernel before 5.11 counts BPF's
 * memory against it, and there is one; buf has a sentence. release: NULL is uname's.
 */
int caps__memlock_low(const char *release, char *buf, size_t size);

#endif
