// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/measures.h"

/* By the beginning of a key; the first that fits counts. */
static const struct {
	const char *begins;
	enum topic topic;
} topics[] = {
	{"charge_ns", TOPIC_COST},
	{"sock_charge_ns", TOPIC_COST},
	{"sock_uncharge_ns", TOPIC_COST},
	{"try_walk_ns", TOPIC_COST},
	{"walk_ns", TOPIC_COST},
	{"lock_", TOPIC_COST},
	{"stat_update_ns", TOPIC_COST},
	{"walk_levels/", TOPIC_COST},
	{"slot_life_ns", TOPIC_STOCK},
	{"sock_stat_updates", TOPIC_STATISTIC},
	{"stat_updates", TOPIC_STATISTIC},
	{"rstat_updates", TOPIC_STATISTIC},
	{"sock_", TOPIC_SOCKETS},
	{"pressure_", TOPIC_SOCKETS},
	{"drain_", TOPIC_DRAINS},
	{"drains", TOPIC_DRAINS},
	{"drained_pages", TOPIC_DRAINS},
	{"misses_after_flush", TOPIC_DRAINS},
	{"hit", TOPIC_STOCK},
	{"miss", TOPIC_STOCK},
	{"refill", TOPIC_STOCK},
	{"surplus_refills", TOPIC_STOCK},
	{"evict", TOPIC_STOCK},
	{"life_unseen", TOPIC_STOCK},
	{"charge", TOPIC_CHARGE},
	{"try_walks", TOPIC_CHARGE},
	{"limit_hits", TOPIC_CHARGE},
	{"forced", TOPIC_CHARGE},
	{"failed", TOPIC_CHARGE},
	{"uncharge", TOPIC_UNCHARGE},
	{"walk", TOPIC_UNCHARGE},
	{"pages_per_walk", TOPIC_UNCHARGE},
	{"amplification", TOPIC_UNCHARGE},
	{"obj_amplification", TOPIC_UNCHARGE},
	{"usage_", TOPIC_UNCHARGE},
	{"stranded_", TOPIC_MEMORY},
};

static enum topic topic_of(const char *key)
{
	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		if (!strncmp(key, topics[i].begins, strlen(topics[i].begins)))
			return topics[i].topic;
	return TOPIC_OTHER;
}

const char *topic__name(enum topic t)
{
	static const char *const names[TOPIC_NR] = {
		[TOPIC_WORK] = "work",		 [TOPIC_CHARGE] = "charge",
		[TOPIC_UNCHARGE] = "uncharge",	 [TOPIC_STOCK] = "stock",
		[TOPIC_DRAINS] = "drains",	 [TOPIC_SOCKETS] = "sockets",
		[TOPIC_STATISTIC] = "statistic", [TOPIC_COST] = "cost of an event",
		[TOPIC_MEMORY] = "memory",	 [TOPIC_OTHER] = "other",
	};

	return names[t];
}

/* What says more by another measure than by time. */
static const struct {
	const char *above, *below;
	enum measure_kind kind;
} quotients[] = {
	{"try_walks", "charges", MEASURE_REAL},
	{"walks", "uncharges", MEASURE_REAL},
	{"evictions", "charges", MEASURE_REAL},
	{"walks_under_lock", "walks", MEASURE_SHARE},
	/* the depth of the hierarchy: what a walk has to touch */
	{"walk_levels", "walks", MEASURE_REAL},
	{"charge_pages", "charges", MEASURE_REAL},
	{"sock_charge_pages", "sock_charges", MEASURE_REAL},
	{"sock_stat_updates", "sock_charges", MEASURE_REAL},
};

static struct {
	struct measure list[MEASURES_MAX];
	size_t n;
} all;

static struct measure *add(const struct field *f, enum measure_how how, enum measure_kind kind)
{
	struct measure *x = &all.list[all.n];

	if (all.n == MEASURES_MAX)
		return NULL;
	all.n++;
	*x = (struct measure){.field = f, .how = how, .kind = kind, .topic = topic_of(f->key)};
	snprintf(x->key, sizeof(x->key), "%s", f->key);
	return x;
}

static void add_parts(const struct field *f)
{
	for (const struct part *part = f->parts; part->name; part++) {
		struct measure *x = add(f, HOW_VALUE, MEASURE_COUNT);

		if (!x)
			return;
		x->part = part;
		snprintf(x->key, sizeof(x->key), "%s.%s", f->key, part->name);
	}
	if (!strcmp(f->key, "miss_reasons")) {
		struct measure *x = add(f, HOW_TOGETHER, MEASURE_COUNT);

		if (x)
			strcat(x->key, ".absent+short");
	}
}

static void add_times(const struct field *f)
{
	struct measure *x = add(f, HOW_MEAN, MEASURE_NS);

	x = x ? add(f, HOW_CPUS, MEASURE_SHARE) : NULL;
	if (x)
		strcat(x->key, ".cpu_ratio");
}

static enum measure_kind kind_of(const struct field *f)
{
	if (field__is_rate(f))
		return MEASURE_COUNT;
	if (f->unit == UNIT_NS)
		return MEASURE_TIME;
	if (f->unit == UNIT_BYTES)
		return MEASURE_BYTES;
	return f->share ? MEASURE_SHARE : MEASURE_REAL;
}

static void make(void)
{
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];

		if (!(f->in & IN_TOTAL))
			continue;
		if (f->parts)
			add_parts(f);
		else if (f->spans)
			add_times(f);
		else
			add(f, HOW_VALUE, kind_of(f));
	}
	for (size_t i = 0; i < sizeof(quotients) / sizeof(quotients[0]); i++) {
		struct measure *x =
			add(field__find(quotients[i].above), HOW_QUOTIENT, quotients[i].kind);

		if (!x)
			return;
		x->below = field__find(quotients[i].below);
		snprintf(x->key, sizeof(x->key), "%s/%s", quotients[i].above, quotients[i].below);
		x->topic = topic_of(x->key);
	}
}

const struct measure *measures__all(size_t *n)
{
	if (!all.n)
		make();
	*n = all.n;
	return all.list;
}

int measures__find(const char *key)
{
	size_t n;
	const struct measure *list = measures__all(&n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].key, key))
			return (int)i;
	return -1;
}

static double sum_of(const struct measure *x, const struct model *m, const char *const *names)
{
	double sum = 0;

	for (const struct part *part = x->field->parts; part->name; part++)
		for (size_t i = 0; names[i]; i++)
			if (!strcmp(part->name, names[i]) &&
			    field__unmeasured(x->field, part, m).reason == REASON_NONE)
				sum += (double)part__count(part, &m->total);
	return sum;
}

/* Of all CPUs that are online. */
static double cpu_share(const struct field *f, const struct model *m)
{
	for (size_t i = 0; i < m->times.nfunctions; i++)
		if (!strcmp(m->times.functions[i].key, f->key))
			return m->times.functions[i].cpu_ratio / m->end->host.cpus_online;
	return NAN;
}

static double mean_of(const struct field *f, const struct model *m)
{
	struct histogram h;

	return times__histogram(&h, f, &m->total) ? histogram__mean(&h) : NAN;
}

static double value_of(const struct measure *x, const struct model *m)
{
	static const char *const together[] = {"absent", "short", NULL};
	double below;

	switch (x->how) {
	case HOW_MEAN:
		return mean_of(x->field, m);
	case HOW_CPUS:
		return cpu_share(x->field, m);
	case HOW_TOGETHER:
		return sum_of(x, m, together);
	case HOW_QUOTIENT:
		below = field__value(x->below, &m->total);
		return below > 0 ? field__value(x->field, &m->total) / below : NAN;
	case HOW_VALUE:
		break;
	}
	return x->part ? (double)part__count(x->part, &m->total)
		       : field__value(x->field, &m->total);
}

double measure__of(const struct measure *x, const struct model *m, struct unmeasured *why)
{
	const struct unmeasured none = {REASON_NO_EVENTS, true, "nothing of the kind happened"};
	double v;

	*why = field__unmeasured(x->field, x->part, m);
	if (why->reason == REASON_NONE && x->below)
		*why = field__unmeasured(x->below, NULL, m);
	if (why->reason != REASON_NONE)
		return NAN;
	v = value_of(x, m);
	if (!isfinite(v)) {
		*why = none;
		return NAN;
	}
	return v;
}

uint64_t measure__programs(const struct measure *x)
{
	return x->field->needs | x->field->needs_unseen | (x->part ? x->part->needs : 0) |
	       (x->below ? x->below->needs | x->below->needs_unseen : 0);
}

bool measure__only_between_kernels(const struct measure *x)
{
	return x->how == HOW_TOGETHER;
}

bool measure__only_within_kernel(const struct measure *x)
{
	return !strcmp(x->key, "miss_reasons.absent") || !strcmp(x->key, "miss_reasons.short");
}
