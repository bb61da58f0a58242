/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of a sample file, "memcgtop-sample/1": what writing and reading
 * share. Rules: everything has a name and is found by it, never by its number
 * in an enum; a name is never changed or used again; a reader ignores members
 * and counters that it does not know; a counter that is not there is 0. What
 * breaks one of these needs "memcgtop-sample/2".
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

/* The bytes as a JSON string in base64, or NULL. */
json_t *base64__json(const char *bytes, size_t len);

/* The bytes of base64 text, with a NUL after them; NULL if it is none or without memory. */
char *base64__bytes(const char *text, size_t len, size_t *nbytes);

#endif
