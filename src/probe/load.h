/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_LOAD_H
#define MEMCGTOP_LOAD_H

#include "probe/live.h"

struct host_info;
struct memcgtop_bpf;
struct bpf_link;

/* The object as loaded, and what holds each program in place. */
struct loaded {
	struct memcgtop_bpf *skel;
	struct bpf_link *links[PROG_NR];
	struct bpf_program *programs[PROG_NR];
	uint32_t max_rows;
	bool times;			 /* are taken */
	volatile struct row_note *notes; /* [max_rows], as the programs write them */
};

/*
 * Loads the chosen programs for this kernel and attaches them. A program that
 * loads and does not attach is struck from the choices. 0, or -1 with the error.
 */
int programs__load(struct loaded *l, const struct kernel *k, struct choice choices[PROG_NR],
		   const struct live_options *o, const struct host_info *host, uint32_t max_rows,
		   struct error *e);

void programs__unload(struct loaded *l);

#endif
