// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/store_put.h"
#include "text/utf8.h"

void put__member(json_t *object, const char *key, json_t *value, int *err)
{
	if (json_object_set_new(object, key, value))
		*err = -ENOMEM;
}

void put__element(json_t *array, json_t *value, int *err)
{
	if (json_array_append_new(array, value))
		*err = -ENOMEM;
}

json_t *put__number(uint64_t n)
{
	char digits[24];

	if (n <= INT64_MAX)
		return json_integer((json_int_t)n);
	snprintf(digits, sizeof(digits), "%" PRIu64, n);
	return json_string(digits);
}

json_t *put__base64(const char *bytes, size_t len)
{
	char *text = base64_encode(bytes, len);
	json_t *json = text ? json_string(text) : NULL;

	free(text);
	return json;
}

json_t *put__text(const char *s)
{
	json_t *json;

	if (!s)
		return json_null();
	json = json_string(s);
	return json ? json : json_pack("{s:o}", "base64", put__base64(s, strlen(s)));
}

json_t *put__counts(const uint64_t *c, const char *const *names, int n, int *err)
{
	json_t *object = json_object();

	for (int i = 0; i < n; i++)
		if (c[i])
			put__member(object, names[i], put__number(c[i]), err);
	return object;
}

json_t *put__on_cpus(const uint64_t *n, const struct sample *s, int *err)
{
	json_t *object;
	char key[16];

	if (!n)
		return json_null();
	object = json_object();
	for (size_t i = 0; i < s->ncpus; i++) {
		if (!n[i])
			continue;
		snprintf(key, sizeof(key), "%" PRIu32, s->cpus[i].cpu);
		put__member(object, key, put__number(n[i]), err);
	}
	return object;
}
