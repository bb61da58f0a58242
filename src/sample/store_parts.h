/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a sample file that later files have, each with its writing and its
 * reading. store__put_*() return the value of the member, or add members to an
 * object; store__get_*() find their members in the object, or their absence.
 */
#ifndef MEMCGTOP_STORE_PARTS_H
#define MEMCGTOP_STORE_PARTS_H

#include "sample/store_get.h"
#include "sample/store_put.h"

/* "spans": {"walk": {"sum", "max", "buckets": {"1024": 5, ">6442450944": 1}}, ...} */
json_t *store__put_spans(const struct sample *s, int *err);
void store__get_spans(struct loader *l, const json_t *o, struct sample *s);

/* "times" of a row: the same, but empty ones are left out. */
json_t *store__put_times(const struct row *r, int *err);
void store__get_times(struct loader *l, const json_t *o, struct row *r);

/* The name of a bucket; of_row: an octave. */
const char *store__bucket(char key[24], unsigned int bucket, bool of_row);

/* "intervals": [{"end_ns", "charges": {"0": 17}, "misses": {}}] */
json_t *store__put_intervals(const struct window *w, int *err);
void store__get_intervals(struct loader *l, const json_t *o, struct window *w);

/* "kept": ["charge_sock_task", ...] */
json_t *store__put_kept(const struct sample *s, int *err);
void store__get_kept(struct loader *l, const json_t *o, struct sample *s);

/* A row's gauges that are known, and its numbers that are not 0, into its object. */
void store__put_gauges(json_t *o, const struct row *r, int *err);
void store__get_gauges(struct loader *l, const json_t *o, struct row *r);

/* "stock" of a CPU: {"flushing", "slots": [{"cgroup", "pages"}]}; null: not seen */
json_t *store__put_slots(const struct cpu *c, int *err);
void store__get_slots(struct loader *l, const json_t *o, struct cpu *c);

/* "pairs": [{"by", "of", "evictions", "pages"}], by their keys, ascending */
json_t *store__put_pairs(const struct sample *s, int *err);
void store__get_pairs(struct loader *l, const json_t *o, struct sample *s);

/* "drains": [{"cgroup", "calls", "frames": [...]}] */
json_t *store__put_drains(const struct sample *s, int *err);
void store__get_drains(struct loader *l, const json_t *o, struct sample *s);

/* "host": {...}, and "stock" and "probes" with their counts or without */
json_t *store__put_host(const struct host *h, int *err);
void store__get_host(struct loader *l, const json_t *sample, struct host *h);
json_t *store__put_stock(const struct stock *s, bool counts, int *err);
void store__get_stock(struct loader *l, const json_t *sample, bool counts, struct stock *s);
json_t *store__put_probes(const struct sample *s, bool counts, int *err);
void store__get_probes(struct loader *l, const json_t *o, bool counts, struct sample *s);

/* "command": {..., "metrics": {"tps": 900.5, "lost": null}}; null: there was none */
json_t *store__put_command(const struct command *c, int *err);
void store__get_command(struct loader *l, const json_t *doc, struct command *c);

/* "version", "tool": ["memcgtop", ...] */
json_t *store__put_arguments(char *const *argv, int *err);
void store__get_tool(struct loader *l, const json_t *doc, struct window *w);

/* A fault unless "schema" is the family with a number up to version. */
void store__check_schema(struct loader *l, const json_t *doc, const char *family, int version);

/* A fault unless exactly one row is `other`. */
void store__check_other(struct loader *l, const struct sample *s);

/* The sentence may quote the file, which must not write to the terminal what it likes. */
void store__disarm(char *sentence);

#endif
