/* SPDX-License-Identifier: GPL-2.0-only */
/* Members of the documents. A list is empty and an object or a number null where unmeasured says why. */
#ifndef MEMCGTOP_VIEW_JSON_H
#define MEMCGTOP_VIEW_JSON_H

#include "model/model.h"
#include "view/writer.h"

#define JSON_SCHEMA "memcgtop/1"

void json__host(struct writer *w, const struct host *h);
void json__stock(struct writer *w, const struct model *m);

/* A cgroup's id; 0 is null. */
void json__put_id(struct writer *w, const char *key, uint64_t id);

/* unmeasured: why what is null, or an empty list, for the whole run is so */
void json__unmeasured(struct writer *w, const struct model *m);

/* Whether anybody looked into the stocks of the CPUs. */
bool json__stocks_seen(const struct model *m);

/* Why drain_all_busy has no value; REASON_NONE: it has one. */
struct unmeasured json__why_no_busy(const struct model *m);

/* sampling, functions, histograms */
void json__times(struct writer *w, const struct model *m);

/* The value of a field with spans in a cgroup. */
void json__histogram_of_row(struct writer *w, const struct field *f, const struct scope *s);

/* eviction_pairs */
void json__pairs(struct writer *w, const struct model *m);

/* drain_callers, drain_all_busy */
void json__drains(struct writer *w, const struct model *m);

/* slots, flushing: of a CPU */
void json__slots(struct writer *w, const struct cpu *c);

/* pressure_setter, hit_usage_pages, hit_limit_pages: of a cgroup */
void json__pressure(struct writer *w, const struct row *r);

/* timeline */
void json__timeline(struct writer *w, const struct window *win);

/* verdict_state, verdicts, verdicts_unjudged */
void json__verdicts(struct writer *w, const struct model *m);

/* A doctor ran nothing: `recorded` and `missed` are null then. */
void json__probes(struct writer *w, const struct model *m, bool ran);

#endif
