// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "view/measure.h"

bool measure__has(const struct model *m, const struct field *f, const struct scope *s)
{
	if (!(f->in & s->in) || (f->attr == ATTR_SUBTREE && s->in == IN_CGROUP && !s->row))
		return false;
	return field__unmeasured(f, NULL, m).reason == REASON_NONE;
}

/* The field of a key if this run has it in that scope, else NULL. */
static const struct field *measured(const struct model *m, const char *key, const struct scope *s)
{
	const struct field *f = field__find(key);

	return f && measure__has(m, f, s) ? f : NULL;
}

double measure__value(const struct model *m, const char *key, const struct scope *s)
{
	const struct field *f = measured(m, key, s);

	return f ? field__value(f, s) : NAN;
}

uint64_t measure__count(const struct model *m, const char *key, const struct scope *s)
{
	const struct field *f = measured(m, key, s);
	uint64_t gauge;
	double v;

	if (!f)
		return 0;
	if (f->count)
		return f->count(s);
	if (f->gauge)
		return f->gauge(s, &gauge) ? gauge : 0;
	v = field__value(f, s);
	return v > 0 ? (uint64_t)v : 0;
}

const struct part *measure__part(const struct field *f, const char *name)
{
	for (const struct part *part = f->parts; part && part->name; part++)
		if (!strcmp(part->name, name))
			return part;
	return NULL;
}

const char *measure__main_reason(const struct model *m, const struct scope *s)
{
	const struct field *f = field__find("miss_reasons");
	const char *name = "-";
	uint64_t most = 0;

	for (const struct part *part = f->parts; part && part->name; part++) {
		uint64_t n;

		if (field__unmeasured(f, part, m).reason != REASON_NONE)
			continue;
		n = part__count(part, s);
		if (n > most) {
			most = n;
			name = part->name;
		}
	}
	return name;
}

bool measure__histogram(struct histogram *h, const struct model *m, const char *key,
			const struct scope *s)
{
	const struct field *f = measured(m, key, s);

	return f && f->spans && times__histogram(h, f, s) && h->total;
}
