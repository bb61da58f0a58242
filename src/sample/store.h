/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of a sample file, "memcgtop-sample/1": what writing and reading
 * share. Rules: everything has a name and is found by it, never by its number
 * in an enum, a bucket by its upper edge; a name is never changed or used
 * again; a reader ignores members and names that it does not know. What breaks
 * one of these needs "memcgtop-sample/2".
 *
 * What the first files had must be there. What came later may be missing, and
 * is then not known, never 0: a list is NULL, a gauge unknown, a flag false (it
 * says "not measured"), and of the counters "kept" lists those that were
 * counted: a counter of the list that an object lacks is 0, one that is not in
 * the list is struct sample's lacks[]. The first files have no list: they lack
 * what came later.
 */
#ifndef MEMCGTOP_STORE_H
#define MEMCGTOP_STORE_H

#include <jansson.h>

#include "sample/sample.h"

#define STORE_FAMILY  "memcgtop-sample/"
#define STORE_VERSION 1

/* Names by the number that they have in this build; NULL where there is none. */
extern const char *const counter_names[C_NR];
extern const char *const prog_names[PROG_NR];
extern const char *const loss_names[LOSS_NR];
extern const char *const span_names[SPAN_NR];
extern const char *const lock_names[3];
extern const char *const cgroup_mode_names[4];
extern const char *const probe_state_names[4];
extern const char *const row_state_names[3];
extern const char *const end_reason_names[3];

/* Counters that the first files do not have. */
extern const bool counter_is_later[C_NR];

/* Members of struct row that a file may lack: a gauge is unknown then, a number 0. */
struct row_member {
	const char *name;
	size_t offset;
};

extern const struct row_member row_gauges[5];
extern const struct row_member row_numbers[5];

#endif
