/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a sample file member by member. The first fault is kept as a sentence
 * that names the file and the member; after it every getter returns 0, and
 * objects and arrays are NULL, which they all allow.
 */
#ifndef MEMCGTOP_STORE_GET_H
#define MEMCGTOP_STORE_GET_H

#include "sample/store.h"

/* Far above what memcgtop writes; what a file may cost has a bound. */
#define CPUS_IN_FILE_MAX 65536u
#define ROWS_MAX	 131072u
#define CELLS_MAX	 (1u << 24) /* of all arrays by CPU of a kind */

struct loader {
	const char *file;
	char *err;
	size_t n;
	int rc;		 /* of the first fault */
	char where[128]; /* the member that is being read, "end.rows[3]" */
};

/* Keeps the sentence, if it is the first. */
void loader__fault(struct loader *l, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for a member that is not what was expected. */
void loader__wrong(struct loader *l, const char *key, const char *expected);

/* Goes down into a member, ".host"; loader__leave() restores what was there. */
size_t loader__enter(struct loader *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void loader__leave(struct loader *l, size_t old);

/* Whether it is there, and not null: what the first files do not have may be missing. */
bool loader__has(const struct loader *l, const json_t *o, const char *key);

/* Any member; NULL is a fault. */
const json_t *loader__member(struct loader *l, const json_t *o, const char *key);

uint64_t loader__u64(struct loader *l, const json_t *o, const char *key);
int64_t loader__int(struct loader *l, const json_t *o, const char *key, int64_t min, int64_t max);
uint32_t loader__u32(struct loader *l, const json_t *o, const char *key);
bool loader__bool(struct loader *l, const json_t *o, const char *key);
double loader__seconds(struct loader *l, const json_t *o, const char *key);

/* The number of a name in a table of n. */
int loader__name(struct loader *l, const json_t *o, const char *key, const char *const *names,
		 int n);

const json_t *loader__object(struct loader *l, const json_t *o, const char *key);
const json_t *loader__array(struct loader *l, const json_t *o, const char *key, size_t max);

/* Zeroed memory for n things. */
void *loader__room(struct loader *l, size_t n, size_t size);

/* Bytes in base64, with a NUL after them and none among them. */
char *loader__bytes(struct loader *l, const char *key, const json_t *value, size_t *len);

/* Text into a room of that size, or as a copy where the member may be null. */
void loader__text(struct loader *l, const json_t *o, const char *key, char *room, size_t size);
void loader__copy(struct loader *l, const char *key, const json_t *value, char *room, size_t size);
char *loader__text_or_null(struct loader *l, const json_t *o, const char *key);

/* Text of any bytes but 0: a string, or {"base64": ...}; NULL for null. */
char *loader__any_text(struct loader *l, const char *key, const json_t *value);

/* Reads each element of an array of objects. */
void loader__each(struct loader *l, const json_t *array, const char *key,
		  void (*load)(struct loader *l, const json_t *o, void *arg), void *arg);

/* Numbers by CPU, into the order of the sample's CPUs. NULL: there are none. */
uint64_t *loader__on_cpus(struct loader *l, const json_t *o, const char *name,
			  const struct sample *s);

/* Ended by NULL. */
char **loader__arguments(struct loader *l, const json_t *o, const char *key);

/* Those of the names that are there; the rest stay, and unknown names are not read. */
void loader__counts(struct loader *l, const json_t *o, const char *key, uint64_t *c,
		    const char *const *names, int n);

#endif
