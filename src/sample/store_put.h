/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values of a sample file. A value that could not be made is NULL, and adding
 * it sets *err: the document is not written then, so nobody else need look.
 */
#ifndef MEMCGTOP_STORE_PUT_H
#define MEMCGTOP_STORE_PUT_H

#include "sample/store.h"

/* Both take over the value, in any case. */
void put__member(json_t *object, const char *key, json_t *value, int *err);
void put__element(json_t *array, json_t *value, int *err);

/* jansson's integers are signed: above INT64_MAX it is a string of digits, so none is lost. */
json_t *put__number(uint64_t n);

/* Mostly UTF-8, but arguments may be any bytes: then {"base64": ...}. NULL is null. */
json_t *put__text(const char *s);

json_t *put__base64(const char *bytes, size_t len);

/* Those that are not 0, by name. */
json_t *put__counts(const uint64_t *c, const char *const *names, int n, int *err);

/* [ncpus] by the CPU's number, those that are not 0; NULL is null. */
json_t *put__on_cpus(const uint64_t *n, const struct sample *s, int *err);

#endif
