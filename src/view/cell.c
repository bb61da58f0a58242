// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/cell.h"
#include "view/measure.h"

#define WHY_KEY "why"

const struct standard_column standard_columns[] = {
	{.key = "charges", .keep = 11, .live = true},
	{.key = "misses", .keep = 10},
	{.key = "miss_ratio", .keep = 9, .live = true},
	{.key = NULL, .keep = 8, .live = true},
	{.key = "evictions", .keep = 7, .live = true},
	{.key = "evicted", .keep = 3},
	{.key = "walks", .keep = 6, .live = true},
	{.key = "walks_under_lock", .keep = 4},
	{.key = "usage_updates", .keep = 2},
	{.key = "usage_cpus", .keep = 1, .live = true},
	{.key = "amplification", .keep = 5, .live = true},
};
const size_t nstandard_columns = sizeof(standard_columns) / sizeof(standard_columns[0]);

/* The split's sum is that of the misses; what a column can say of it is the largest part. */
static bool is_why(const struct column *c)
{
	return !c->field || !strcmp(c->field->key, "miss_reasons");
}

static const struct field *field_of(const struct column *c)
{
	return c->field ? c->field : field__find("miss_reasons");
}

bool column__applies(const struct column *c, const struct model *m)
{
	const struct field *f = field_of(c);
	struct unmeasured why;

	if (!f || !(f->in & IN_CGROUP))
		return false;
	why = field__unmeasured(f, NULL, m);
	return why.reason == REASON_NONE || why.applicable;
}

bool cell__counts(const struct column *c)
{
	return !is_why(c) && field__is_rate(c->field);
}

double cell__value(const struct model *m, const struct column *c, const struct scope *s,
		   enum cell_mode mode)
{
	double v;

	if (is_why(c) || !measure__has(m, c->field, s))
		return NAN;
	v = field__value(c->field, s);
	if (mode != CELL_RATE || !cell__counts(c))
		return v;
	return m->seconds > 0 ? v / m->seconds : NAN;
}

static uint64_t to_count(double v)
{
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

/* Not 0 if it is not 0. */
static void real_text(char *buf, double v)
{
	if (isfinite(v) && v >= 99.95)
		num__si(buf, to_count(v + 0.5));
	else if (v > 0 && v < 0.005)
		strcpy(buf, "<0.01");
	else
		num__fixed(buf, v, v < 9.995 ? 2 : 1);
}

static void without_spaces(char *text)
{
	char *to = text;

	for (const char *s = text; *s; s++)
		if (*s != ' ')
			*to++ = *s;
	*to = '\0';
}

const char *cell__number(char *buf, const struct field *f, double v)
{
	if (f->share) {
		num__percent(buf, v, 1);
		strcat(buf, isfinite(v) ? "%" : "");
	} else if (f->ratio) {
		real_text(buf, v);
	} else if (f->spans || f->unit == UNIT_NS) {
		num__duration(buf, v);
		without_spaces(buf);
	} else if (isnan(v)) {
		strcpy(buf, "-");
	} else if (f->unit == UNIT_BYTES) {
		num__bytes_short(buf, to_count(v));
	} else {
		num__si(buf, to_count(v));
	}
	return buf;
}

/* A value that is there. */
static void value_text(char *buf, const struct model *m, const struct column *c,
		       const struct scope *s, enum cell_mode mode)
{
	const struct field *f = c->field;
	double v = field__value(f, s);

	if (mode == CELL_RATE && cell__counts(c) && !isnan(v))
		num__rate(buf, f->count ? f->count(s) : to_count(v), m->seconds, 1);
	else if (f->count && f->unit != UNIT_NS)
		num__si(buf, f->count(s));
	else
		cell__number(buf, f, v);
}

const char *cell__text(char *buf, const struct model *m, const struct column *c,
		       const struct scope *s, enum cell_mode mode)
{
	const struct field *f = field_of(c);

	if (!f || !measure__has(m, f, s))
		strcpy(buf, "-");
	else if (is_why(c))
		snprintf(buf, NUM_LEN, "%s", measure__main_reason(m, s));
	else
		value_text(buf, m, c, s, mode);
	return buf;
}

const char *cell__title(char *buf, const struct column *c, enum cell_mode mode)
{
	const char *title = is_why(c) ? "WHY" : c->field->title;
	size_t n = strlen(title);

	if (mode != CELL_RATE || !cell__counts(c))
		snprintf(buf, NUM_LEN, "%s", title);
	else if (c->field->per_s)
		snprintf(buf, NUM_LEN, "%s", c->field->per_s);
	else
		snprintf(buf, NUM_LEN, "%.*s/s", (int)(n && title[n - 1] == 'S' ? n - 1 : n),
			 title);
	return buf;
}

/* The longest name that can stand there. */
static int why_width(void)
{
	const struct field *f = field__find("miss_reasons");
	int width = 1;

	for (const struct part *part = f ? f->parts : NULL; part && part->name; part++)
		if ((int)strlen(part->name) > width)
			width = (int)strlen(part->name);
	return width;
}

int cell__width(const struct column *c, enum cell_mode mode)
{
	char buf[NUM_LEN];
	int title = (int)strlen(cell__title(buf, c, mode));
	int value = 5; /* 96.2k */

	if (is_why(c))
		value = why_width();
	else if (c->field->share)
		value = 6; /* 100.0% */
	else if (c->field->spans || c->field->unit == UNIT_NS)
		value = 6; /* 5.31us */
	else if (c->field->unit == UNIT_BYTES)
		value = 7; /* 1023KiB */
	return value > title ? value : title;
}

size_t columns__standard(struct column *to, size_t max, const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < nstandard_columns && n < max; i++) {
		const struct standard_column *s = &standard_columns[i];
		struct column c = {s->key ? field__find(s->key) : NULL};

		if (s->live && (!s->key || c.field) && column__applies(&c, m))
			to[n++] = c;
	}
	return n;
}

/* A field that only the total has makes no column. */
static bool is_column(const struct column *c, const char *key)
{
	return c->field ? c->field->in & (IN_CGROUP | IN_CPU) : !strcmp(key, WHY_KEY);
}

int columns__parse(struct column *to, size_t max, const char *list, char *bad, size_t bad_size)
{
	size_t n = 0;

	for (;; list++) {
		size_t len = strcspn(list, ",");
		struct column c = {NULL};
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)(len < 60 ? len : 60), list);
		if (strcmp(key, WHY_KEY))
			c.field = field__find(key);
		if (n == max || !is_column(&c, key)) {
			snprintf(bad, bad_size, "%s", key);
			return -EINVAL;
		}
		to[n++] = c;
		list += len;
		if (!*list)
			return (int)n;
	}
}
