// SPDX-License-Identifier: GPL-2.0-only
/* Durations: the table of functions, and histograms. What is taken of no events is null. */
#include <math.h>
#include <string.h>

#include "view/json.h"

/* Nanoseconds, whole. */
static void put_ns(struct writer *w, const char *key, double ns)
{
	json__key(w, key);
	if (isnan(ns))
		json__null(w);
	else
		json__u64(w, ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX);
}

static void numbers(struct writer *w, const struct histogram *h)
{
	json__put_u64(w, "count", h->total);
	json__put_u64(w, "sum", h->sum);
	json__put_real(w, "mean", histogram__mean(h));
	put_ns(w, "p50", histogram__quantile(h, 0.50));
	put_ns(w, "p90", histogram__quantile(h, 0.90));
	put_ns(w, "p99", histogram__quantile(h, 0.99));
	json__key(w, "max");
	if (h->total)
		json__u64(w, h->max);
	else
		json__null(w);
}

static void buckets(struct writer *w, const struct histogram *h)
{
	json__key(w, "buckets");
	json__open(w, '[');
	for (size_t i = 0; i < h->n; i++) {
		if (!h->count[i])
			continue;
		json__open(w, '{');
		json__key(w, "le");
		if (h->le[i] == UINT64_MAX)
			json__null(w);
		else
			json__u64(w, h->le[i]);
		json__put_u64(w, "count", h->count[i]);
		json__close(w, '}');
	}
	json__close(w, ']');
}

void json__histogram_of_row(struct writer *w, const struct field *f, const struct scope *s)
{
	struct histogram h;

	if (!times__histogram(&h, f, s)) {
		json__null(w);
		return;
	}
	json__open(w, '{');
	numbers(w, &h);
	json__close(w, '}');
}

/* h is NULL: null. */
static void part(struct writer *w, const char *key, const struct histogram *h)
{
	json__key(w, key);
	if (!h) {
		json__null(w);
		return;
	}
	json__open(w, '{');
	numbers(w, h);
	buckets(w, h);
	json__close(w, '}');
}

static bool is_measured(const char *key, const struct model *m)
{
	return field__unmeasured(field__find(key), NULL, m).reason == REASON_NONE;
}

static void hold(struct writer *w, const struct model *m)
{
	const struct hold_times *t = &m->times.hold;

	part(w, "plain", &t->plain);
	part(w, "walked", &t->walked);
	part(w, "lower", is_measured("walks_under_lock", m) ? &t->locked : NULL);
	part(w, "exact", t->exact.total ? &t->exact : NULL);
	json__put_real(w, "walked_share", t->walked_share);
	json__put_u64(w, "budget_ns", t->budget_ns);
	json__put_real(w, "above_budget", t->above_budget);
}

/* What a duration of the kind is to the thing that it is named for. */
static const char *kind_of(const struct field *f, const struct model *m, bool is_hold)
{
	if (is_hold)
		return m->times.hold.kind;
	for (size_t i = 0; i < m->times.nfunctions; i++)
		if (!strcmp(m->times.functions[i].key, f->key))
			return m->times.functions[i].bound;
	return "exact";
}

static void histogram(struct writer *w, const struct field *f, const struct model *m)
{
	bool is_hold = !strcmp(f->key, "lock_hold_ns");
	struct histogram h;

	json__key(w, f->key);
	if (field__unmeasured(f, NULL, m).reason != REASON_NONE ||
	    !times__histogram(&h, f, &m->total)) {
		json__null(w);
		return;
	}
	json__open(w, '{');
	json__put_string(w, "unit", "ns");
	json__put_string(w, "kind", h.total ? kind_of(f, m, is_hold) : NULL);
	if (is_hold) {
		json__key(w, "covers");
		json__open(w, '[');
		json__string(w, "refill");
		json__close(w, ']');
	}
	json__put_u64(w, "sample", m->times.every);
	numbers(w, &h);
	buckets(w, &h);
	if (is_hold)
		hold(w, m);
	json__close(w, '}');
}

static void functions(struct writer *w, const struct times *t)
{
	json__key(w, "functions");
	json__open(w, '[');
	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct function_time *f = &t->functions[i];

		json__open(w, '{');
		json__put_string(w, "function", f->function);
		json__put_string(w, "measure", f->key);
		json__put_u64(w, "calls", f->calls);
		json__put_u64(w, "ns", f->ns);
		json__put_u64(w, "self_ns", f->self_ns);
		json__put_real(w, "cpu_ratio", f->cpu_ratio);
		json__put_string(w, "bound", f->bound);
		json__close(w, '}');
	}
	json__close(w, ']');
}

static void sampling(struct writer *w, const struct times *t)
{
	json__key(w, "sampling");
	if (!t->taken) {
		json__null(w);
		return;
	}
	json__open(w, '{');
	json__put_u64(w, "every", t->every);
	json__close(w, '}');
}

void json__times(struct writer *w, const struct model *m)
{
	sampling(w, &m->times);
	functions(w, &m->times);
	json__key(w, "histograms");
	json__open(w, '{');
	for (size_t i = 0; i < nfields; i++)
		if (fields[i].spans && fields[i].in & IN_TOTAL)
			histogram(w, &fields[i], m);
	json__close(w, '}');
}
