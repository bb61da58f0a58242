// SPDX-License-Identifier: GPL-2.0-only
/* Fills a rule's templates; struct rule says what they may hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "view/number.h"
#include "view/verdict.h"

struct filling {
	const struct verdict *v;
	const char *cgroup, *by;
	char gap;
};

/* The place of a number among the rule's, or -1: there is none of it. */
static int number_of(const struct verdict *v, const char *key, size_t len, bool base)
{
	const struct number *n = v->rule->numbers;

	for (int i = 0; n[i].key; i++)
		if (n[i].base == base && strlen(n[i].key) == len && !strncmp(n[i].key, key, len) &&
		    !isnan(v->values[i]))
			return i;
	return -1;
}

/* A base is "about" so much: what is next to nothing is 0. */
static const char *share(char *buf, double v, const struct number *n, char gap)
{
	if (n->base && v < 0.0005)
		strcpy(buf, "0");
	else
		num__percent(buf, v, 1);
	snprintf(buf + strlen(buf), NUM_LEN - strlen(buf), "%c%%", gap);
	return buf;
}

/* Between a number and its unit. */
static const char *with_gap(const char *number, char *buf, char gap)
{
	for (char *s = buf; *s; s++)
		if (*s == ' ')
			*s = gap;
	return number;
}

const char *verdict__item(double v)
{
	return field__find("stat_updates")->parts[(size_t)v].name;
}

static const char *written(char *buf, double v, const struct number *n, char gap)
{
	uint64_t whole = !(v > 0) ? 0 : v < 1.8e19 ? (uint64_t)(v + 0.5) : UINT64_MAX;

	switch (n->form) {
	case FORM_NAME:
		snprintf(buf, NUM_LEN, "%llu", (unsigned long long)whole);
		return buf;
	case FORM_SHARE:
		return share(buf, v, n, gap);
	case FORM_REAL:
		return num__fixed(buf, v, 3);
	case FORM_PAGES:
		return num__fixed(buf, v, 1);
	case FORM_NS:
		return with_gap(num__duration(buf, v), buf, gap);
	case FORM_BYTES:
		return with_gap(num__bytes(buf, whole), buf, gap);
	case FORM_ITEM:
		return verdict__item(v);
	case FORM_FLAG:
		return strcpy(buf, "");
	case FORM_COUNT:
		break;
	}
	return num__grouped(buf, whole);
}

static bool put_name(FILE *f, const char *name)
{
	fputs(name ? name : "", f);
	return name;
}

/* What stands between the braces. False: there is no such number. */
static bool put_value(FILE *f, const struct filling *fill, const char *key, size_t len)
{
	const char *noun = memchr(key, ':', len);
	const bool silent = *key == '?', base = !strncmp(key, "base.", 5);
	size_t skip = silent ? 1 : base ? 5 : 0;
	size_t end = noun ? (size_t)(noun - key) : len;
	char buf[NUM_LEN];
	double v;
	int i;

	if (len == strlen("cgroup") && !strncmp(key, "cgroup", len))
		return put_name(f, fill->cgroup);
	if (len == strlen("by") && !strncmp(key, "by", len))
		return put_name(f, fill->by);
	i = number_of(fill->v, key + skip, end - skip, base);
	if (i < 0)
		return false;
	if (silent)
		return true;
	v = fill->v->values[i];
	fputs(written(buf, v, &fill->v->rule->numbers[i], fill->gap), f);
	if (noun)
		fprintf(f, "%c%.*s%s", fill->gap, (int)(len - end - 1), noun + 1,
			v == 1 ? "" : "s");
	return true;
}

/* One piece, up to the next | or the end. NULL: a number of it is not there, or no memory. */
static char *piece(const struct filling *fill, const char *template, size_t len, bool *failed)
{
	const char *end = template + len;
	char *text = NULL;
	bool whole = true;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	*failed = !f;
	if (!f)
		return NULL;
	for (const char *s = template; s < end && whole; s++) {
		size_t key = strcspn(s, "}") - 1;

		if (*s == '{') {
			whole = put_value(f, fill, s + 1, key);
			s += key + 1;
		} else {
			fputc(*s, f);
		}
	}
	*failed = fclose(f) != 0;
	if (!*failed && whole)
		return text;
	free(text);
	return NULL;
}

char *verdict__text(const struct verdict *v, const char *template, const char *cgroup,
		    const char *by, char gap)
{
	const struct filling fill = {.v = v, .cgroup = cgroup, .by = by, .gap = gap};
	char *text = NULL;
	bool failed = false;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	for (const char *s = template; *s && !failed;) {
		size_t len = strcspn(s, "|");
		char *part = piece(&fill, s, len, &failed);

		fputs(part ? part : "", f);
		free(part);
		s += len + (s[len] == '|');
	}
	if (fclose(f) || failed) {
		free(text);
		return NULL;
	}
	return text;
}
