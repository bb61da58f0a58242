/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_LOAD_H
#define MEMCGTOP_LOAD_H

#include "probe/live.h"

struct host_info;
struct memcgtop_bpf;
struct stock_look;
struct bpf_link;

/* The object as loaded, and what holds each program in place. */
struct loaded {
	struct memcgtop_bpf *skel;
	struct bpf_link *links[PROG_NR];
	struct bpf_program *programs[PROG_NR];
	uint32_t max_rows;
	bool times;  /* are taken */
	bool stocks; /* can be looked at */
	/* maps of the programs */
	volatile struct row_note *notes;	 /* [max_rows] */
	const volatile struct row_id *ids;	 /* [max_rows] */
	const volatile struct stock_look *looks; /* [possible CPUs]; NULL without stocks */
};

/*
 * Loads the chosen programs for this kernel and attaches them. A program that
 * loads and does not attach is struck from the choices. 0, or -1 with the error.
 */
int programs__load(struct loaded *l, const struct kernel *k, struct choice choices[PROG_NR],
		   const struct live_options *o, const struct host_info *host, uint32_t max_rows,
		   struct error *e);

/* Rows handed out so far. */
uint32_t loaded__rows(const struct loaded *l);

void programs__unload(struct loaded *l);

#endif
