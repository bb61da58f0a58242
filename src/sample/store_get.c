// SPDX-License-Identifier: GPL-2.0-only
/* One member of a sample file at a time, strict about its type. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/store_get.h"
#include "text/utf8.h"

void loader__fault(struct loader *l, int rc, const char *fmt, ...)
{
	va_list args;
	int n;

	if (l->rc)
		return;
	l->rc = rc;
	n = snprintf(l->err, l->n, "%s: ", l->file);
	if (n < 0 || (size_t)n >= l->n)
		return;
	va_start(args, fmt);
	vsnprintf(l->err + n, l->n - n, fmt, args);
	va_end(args);
}

void loader__wrong(struct loader *l, const char *key, const char *expected)
{
	loader__fault(l, -EINVAL, "%s%s%s: expected %s", l->where, *l->where ? "." : "", key,
		      expected);
}

size_t loader__enter(struct loader *l, const char *fmt, ...)
{
	size_t old = strlen(l->where);
	va_list args;

	va_start(args, fmt);
	vsnprintf(l->where + old, sizeof(l->where) - old, fmt, args);
	va_end(args);
	return old;
}

void loader__leave(struct loader *l, size_t old)
{
	l->where[old] = '\0';
}

bool loader__has(const struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = l->rc ? NULL : json_object_get(o, key);

	return value && !json_is_null(value);
}

const json_t *loader__member(struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = l->rc ? NULL : json_object_get(o, key);

	if (!value)
		loader__fault(l, -EINVAL, "%s%s%s is missing", l->where, *l->where ? "." : "", key);
	return value;
}

/* An integer, or the string that stands for one above INT64_MAX. */
static bool to_u64(const json_t *value, uint64_t *n)
{
	const char *s, *end;
	char *stop;

	if (json_is_integer(value)) {
		if (json_integer_value(value) < 0)
			return false;
		*n = (uint64_t)json_integer_value(value);
		return true;
	}
	if (!json_is_string(value))
		return false;
	s = json_string_value(value);
	end = s + json_string_length(value);
	if (s == end || end - s > 20 || strspn(s, "0123456789") != (size_t)(end - s))
		return false;
	errno = 0;
	*n = strtoull(s, &stop, 10);
	return !errno && stop == end && *n > INT64_MAX;
}

uint64_t loader__u64(struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = loader__member(l, o, key);
	uint64_t n = 0;

	if (value && !to_u64(value, &n)) {
		loader__wrong(l, key, "a count");
		return 0;
	}
	return n;
}

int64_t loader__int(struct loader *l, const json_t *o, const char *key, int64_t min, int64_t max)
{
	const json_t *value = loader__member(l, o, key);
	int64_t n = min;

	if (!value)
		return 0;
	if (json_is_integer(value))
		n = json_integer_value(value);
	if (!json_is_integer(value) || n < min || n > max) {
		loader__fault(l, -EINVAL,
			      "%s%s%s: expected an integer from %" PRId64 " to %" PRId64, l->where,
			      *l->where ? "." : "", key, min, max);
		return 0;
	}
	return n;
}

uint32_t loader__u32(struct loader *l, const json_t *o, const char *key)
{
	return (uint32_t)loader__int(l, o, key, 0, UINT32_MAX);
}

bool loader__bool(struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = loader__member(l, o, key);

	if (value && !json_is_boolean(value))
		loader__wrong(l, key, "true or false");
	return value && json_is_true(value);
}

double loader__seconds(struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = loader__member(l, o, key);

	if (!value)
		return 0;
	if (!json_is_number(value) || json_number_value(value) < 0) {
		loader__wrong(l, key, "seconds");
		return 0;
	}
	return json_number_value(value);
}

int loader__name(struct loader *l, const json_t *o, const char *key, const char *const *names,
		 int n)
{
	const json_t *value = loader__member(l, o, key);

	if (!value)
		return 0;
	if (!json_is_string(value)) {
		loader__wrong(l, key, "a name");
		return 0;
	}
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], json_string_value(value)))
			return i;
	loader__fault(l, -EINVAL, "%s%s%s: this memcgtop does not know the name %.40s", l->where,
		      *l->where ? "." : "", key, json_string_value(value));
	return 0;
}

const json_t *loader__object(struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = loader__member(l, o, key);

	if (!value || json_is_object(value))
		return value;
	loader__wrong(l, key, "an object");
	return NULL;
}

const json_t *loader__array(struct loader *l, const json_t *o, const char *key, size_t max)
{
	const json_t *value = loader__member(l, o, key);

	if (!value)
		return NULL;
	if (!json_is_array(value)) {
		loader__wrong(l, key, "an array");
		return NULL;
	}
	if (json_array_size(value) > max) {
		loader__fault(l, -EINVAL, "%s%s%s: %zu elements, more than the %zu that can be",
			      l->where, *l->where ? "." : "", key, json_array_size(value), max);
		return NULL;
	}
	return value;
}

/* One more than asked for, as calloc(0) may give NULL. */
void *loader__room(struct loader *l, size_t n, size_t size)
{
	void *room = l->rc ? NULL : calloc(n + 1, size);

	if (!room && !l->rc)
		loader__fault(l, -ENOMEM, "not enough memory");
	return room;
}

/* Bytes without a NUL, which no path or argument can hold. */
char *loader__bytes(struct loader *l, const char *key, const json_t *value, size_t *len)
{
	char *bytes = NULL;

	if (json_is_string(value))
		bytes = base64_decode(json_string_value(value), json_string_length(value), len);
	if (bytes && strlen(bytes) == *len)
		return bytes;
	free(bytes);
	loader__wrong(l, key, "base64 of bytes other than 0");
	return NULL;
}

/* C0, DEL, and C1 as UTF-8 has it: what a terminal may act on. */
static bool has_control(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	for (; *s; s++)
		if (*s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0))
			return true;
	return false;
}

/* A string, or {"base64": ...} where the text is not UTF-8. NULL with a fault. */
static char *text_of(struct loader *l, const char *key, const json_t *value, bool plain)
{
	char *copy;
	size_t len;

	if (json_is_object(value) && !plain)
		return loader__bytes(l, key, json_object_get(value, "base64"), &len);
	if (!json_is_string(value)) {
		loader__wrong(l, key, "text");
		return NULL;
	}
	/* what goes to a terminal as it is; CMD's words are escaped there, these are not */
	if (plain && has_control(json_string_value(value))) {
		loader__wrong(l, key, "text without control characters");
		return NULL;
	}
	copy = strdup(json_string_value(value));
	if (!copy)
		loader__fault(l, -ENOMEM, "not enough memory");
	return copy;
}

char *loader__any_text(struct loader *l, const char *key, const json_t *value)
{
	return !value || json_is_null(value) ? NULL : text_of(l, key, value, false);
}

char *loader__text_or_null(struct loader *l, const json_t *o, const char *key)
{
	const json_t *value = loader__member(l, o, key);

	return !value || json_is_null(value) ? NULL : text_of(l, key, value, true);
}

void loader__copy(struct loader *l, const char *key, const json_t *value, char *room, size_t size)
{
	char *s = text_of(l, key, value, true);

	if (s && strlen(s) >= size)
		loader__fault(l, -EINVAL, "%s%s%s: longer than %zu bytes", l->where,
			      *l->where ? "." : "", key, size - 1);
	if (s && !l->rc)
		strcpy(room, s);
	free(s);
}

void loader__text(struct loader *l, const json_t *o, const char *key, char *room, size_t size)
{
	const json_t *value = loader__member(l, o, key);

	if (value)
		loader__copy(l, key, value, room, size);
}

void loader__each(struct loader *l, const json_t *array, const char *key,
		  void (*load)(struct loader *l, const json_t *o, void *arg), void *arg)
{
	for (size_t i = 0; i < json_array_size(array) && !l->rc; i++) {
		const json_t *o = json_array_get(array, i);
		size_t old = loader__enter(l, "%s%s[%zu]", *l->where ? "." : "", key, i);

		if (json_is_object(o))
			load(l, o, arg);
		else
			loader__fault(l, -EINVAL, "%s: expected an object", l->where);
		loader__leave(l, old);
	}
}

static int compare_cpu(const void *key, const void *cpu)
{
	uint32_t a = *(const uint32_t *)key, b = ((const struct cpu *)cpu)->cpu;

	return (a > b) - (a < b);
}

uint64_t *loader__on_cpus(struct loader *l, const json_t *o, const char *name,
			  const struct sample *s)
{
	uint64_t *counts;
	json_t *value;
	const char *key;
	size_t old;

	if (!o || json_is_null(o))
		return NULL;
	if (!json_is_object(o)) {
		loader__wrong(l, name, "an object");
		return NULL;
	}
	old = loader__enter(l, ".%s", name);
	counts = loader__room(l, s->ncpus, sizeof(counts[0]));
	json_object_foreach ((json_t *)o, key, value) {
		char *end;
		unsigned long n = strtoul(key, &end, 10);
		uint32_t cpu = n < CPUS_IN_FILE_MAX ? (uint32_t)n : CPUS_IN_FILE_MAX;
		const struct cpu *c;

		if (l->rc)
			break;
		c = bsearch(&cpu, s->cpus, s->ncpus, sizeof(*c), compare_cpu);
		if (!c || *end || key[strspn(key, "0123456789")])
			loader__wrong(l, "a key", "the number of a CPU of the sample");
		else
			counts[c - s->cpus] = loader__u64(l, o, key);
	}
	loader__leave(l, old);
	return counts;
}

char **loader__arguments(struct loader *l, const json_t *o, const char *key)
{
	const json_t *array = loader__array(l, o, key, SIZE_MAX);
	char **argv = array ? loader__room(l, json_array_size(array), sizeof(argv[0])) : NULL;

	for (size_t i = 0; argv && i < json_array_size(array) && !l->rc; i++)
		argv[i] = text_of(l, key, json_array_get(array, i), false);
	return argv;
}

/* Those of the names that are there; the rest are 0, and unknown names are not read. */
void loader__counts(struct loader *l, const json_t *o, const char *key, uint64_t *c,
		    const char *const *names, int n)
{
	const json_t *counts = loader__object(l, o, key);
	size_t old = loader__enter(l, "%s%s", *l->where ? "." : "", key);

	for (int i = 0; counts && i < n; i++)
		if (json_object_get(counts, names[i]))
			c[i] = loader__u64(l, counts, names[i]);
	loader__leave(l, old);
}
