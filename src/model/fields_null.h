/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules for a null and what a program is needed for: private to src/model. */
#ifndef MEMCGTOP_FIELDS_NULL_H
#define MEMCGTOP_FIELDS_NULL_H

#include "model/model.h"

#define BIT(prog) (1ull << (prog))

extern const struct null_rule null_sock[];	    /* sockets are not accounted */
extern const struct null_rule null_sock_stat[];	    /* nor is their statistic asked for */
extern const struct null_rule null_obj[];	    /* kernel memory is not accounted */
extern const struct null_rule null_stock[];	    /* it has no slots, or unknown ones */
extern const struct null_rule null_memcgs[];	    /* charges were not kept by CPU */
extern const struct null_rule null_unknown[];	    /* the layout of the stock is unknown */
extern const struct null_rule null_expected[];	    /* nor is it known what came back */
extern const struct null_rule null_lock_busy[];	    /* the lock cannot be found busy */
extern const struct null_rule null_direct_refill[]; /* a refill cannot pass the stock */
extern const struct null_rule null_lock_seen[];	    /* nobody can tell who holds the lock */
extern const struct null_rule null_obj_rest[];	    /* other charges count as obj */
extern const struct null_rule null_try_walks[];	    /* they walk inside another function */
extern const struct null_rule null_stat[];	    /* no statistic is asked for */
extern const struct null_rule null_rstat[];	    /* nor rstat */
extern const struct null_rule null_stock_seen[];    /* nobody looked into the stocks */
extern const struct null_rule null_usage[];	    /* files of the cgroups were not read */
extern const struct null_rule null_limit[];
extern const struct null_rule null_sock_bytes[];
extern const struct null_rule null_sock_share[];
extern const struct null_rule null_time[]; /* no time was taken */
extern const struct null_rule null_timed_stock[];
extern const struct null_rule null_sock_time[];
extern const struct null_rule null_try_walk_time[];
extern const struct null_rule null_stat_time[];
extern const struct null_rule null_lock_wait[]; /* nobody waits, or nobody asked */

/* Whether the program runs. */
bool model__attached(const struct model *m, enum prog_id prog);

/*
 * Fills in reason and text of each probe of the model: it is missing, or it is
 * silent while a neighbour fired. Needs the model's total.
 */
void probes__judge(struct model *m);

/*
 * Finds out once what field__unmeasured() says of each field and part, as it is
 * asked for every value. Needs all else of the model that a rule for a null looks
 * at; until then each question is answered anew. 0 or -ENOMEM.
 */
int unmeasured__init(struct model *m);

void unmeasured__release(struct model *m);

#endif
