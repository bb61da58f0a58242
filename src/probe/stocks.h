/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages that the stocks of all CPUs hold, looked at from time to time. */
#ifndef MEMCGTOP_STOCKS_H
#define MEMCGTOP_STOCKS_H

#include "host.h"
#include "probe/load.h"
#include "state.h"

struct stock_looks {
	size_t ncpus;
	uint32_t max_rows;
	bool *isolated;		  /* [ncpus] */
	bool *seen;		  /* [ncpus], at the last look */
	struct stock_look *looks; /* [ncpus], the last */
	bool complete;		  /* every CPU that is online was seen */
	uint64_t *pages;   /* [max_rows] at the last look; of cgroups without a row in `other` */
	uint64_t *peak;	   /* [max_rows], the most that a look found */
	uint64_t breaches; /* in all looks: see struct sample */
};

/* 0 or -ENOMEM. */
int stock_looks__init(struct stock_looks *t, const struct host_info *host, size_t ncpus,
		      uint32_t max_rows);
void stock_looks__release(struct stock_looks *t);

/*
 * Looks at all stocks: in an interrupt on each CPU, except for isolated ones,
 * which are read from here. Does nothing on a design without per-CPU slots.
 */
void stock_looks__look(struct stock_looks *t, const struct loaded *l);

/* Fills slots, flags and breaches into the sample. */
void stock_looks__read(const struct stock_looks *t, struct sample *s);

/* The gauges of the row that has this number in the maps. */
void stock_looks__read_row(const struct stock_looks *t, uint32_t row, struct row *r);

#endif
