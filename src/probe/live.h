/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of this machine: loaded, attached, and read into samples.
 */
#ifndef MEMCGTOP_LIVE_H
#define MEMCGTOP_LIVE_H

#include "error.h"
#include "probe/hooks.h"
#include "sample/sample.h"

struct live;

struct live_options {
	struct hook_request want;
	const char *btf_path;	 /* --btf */
	const char *cgroup_root; /* --cgroup-root */
	uint32_t max_rows;	 /* 0: by the number of cgroups there are */
	bool empty_probes;	 /* the same hooks with nothing behind them */
	bool verbose;		 /* libbpf's own words on stderr */
};

/*
 * Finds out what can be measured here and attaches it, and counts from then on.
 * NULL with the error set if misses cannot be measured.
 */
struct live *live__open(const struct live_options *o, struct error *e);

/* Why cgroups, or some of them, cannot be seen here, and so have no names; else NULL. */
const char *live__unseen(const struct live *l);

/* One step of finding out, in the order in which they are taken; the first that fails is the last. */
enum step_id { STEP_PRIVILEGE, STEP_LOCKDOWN, STEP_CGROUPS, STEP_BTF, STEP_BPF, STEP_NR };

struct step {
	const char *name; /* a word */
	bool taken;
	bool ok;
	char text[640]; /* what was found, or the error */
};

/*
 * Only finds out, by trial attach, for doctor: loads none of the programs.
 * Fills all the steps, and *s with as much as is known. NULL: out of memory.
 */
struct live *live__examine(const struct live_options *o, struct step steps[STEP_NR],
			   struct sample **s);

/* All counters since the programs were attached. NULL with the error set. Free with sample__free. */
struct sample *live__sample(struct live *l, struct error *e);

/*
 * To be called a few times a second: learns the names of new cgroups while they
 * are there, takes back the rows of those that are gone, and tells the programs
 * the batch that was observed.
 */
void live__tick(struct live *l);

void live__close(struct live *l);

#endif
