// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as one document, "memcgtop-compare/1": all rows, changed or not. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "view/compare.h"
#include "view/writer.h"

static void put_run(struct writer *w, const struct run *r)
{
	json__open(w, '{');
	json__put_string(w, "file", r->name);
	json__put_real(w, "duration_s", r->seconds);
	json__put_string(w, "grade", grade__name(r->grade));
	json__put_real(w, "missed_ratio", r->missed_ratio);
	json__close(w, '}');
}

static void put_side(struct writer *w, const char *key, const struct side *s)
{
	const struct run *r = &s->runs[0];

	json__key(w, key);
	json__open(w, '{');
	json__put_string(w, "name", s->name);
	json__put_string(w, "kernel", r->host.kernel);
	json__put_string(w, "arch", r->host.arch);
	json__put_bool(w, "emulated", r->host.emulated);
	json__put_u64(w, "cpus_online", r->host.cpus_online);
	json__put_u64(w, "page_size", r->host.page_size);
	json__put_string(w, "design", design__name(r->stock.design));
	json__put_u64(w, "slots", r->stock.slots);
	json__put_u64(w, "batch", r->stock.batch);
	json__put_bool(w, "within_one_run", s->within);
	json__key(w, "runs");
	json__open(w, '[');
	for (size_t i = 0; i < s->n; i++)
		put_run(w, &s->runs[i]);
	json__close(w, ']');
	json__close(w, '}');
}

static void put_summary(struct writer *w, const char *key, const struct summary *s)
{
	json__key(w, key);
	json__open(w, '{');
	json__put_u64(w, "n", s->n);
	json__put_real(w, "median", s->median);
	json__put_real(w, "spread", s->spread);
	json__put_real(w, "mean", s->mean);
	json__put_real(w, "stddev", s->stddev);
	json__put_string(w, "why", s->n ? NULL : s->why);
	json__close(w, '}');
}

static const char *unit_of(enum measure_kind kind)
{
	static const char *const units[] = {
		[MEASURE_COUNT] = "count", [MEASURE_TIME] = "ns", [MEASURE_REAL] = "number",
		[MEASURE_SHARE] = "share", [MEASURE_NS] = "ns",	  [MEASURE_BYTES] = "bytes",
	};

	return units[kind];
}

static void put_row(struct writer *w, const struct comparison *c, const struct compared *row)
{
	json__open(w, '{');
	json__put_string(w, "key", row->key);
	json__put_string(w, "per", row->divided ? per__suffix(&c->per) : NULL);
	json__put_string(w, "topic", topic__name(row->topic));
	json__put_string(w, "unit", unit_of(row->kind));
	put_summary(w, "a", &row->a);
	put_summary(w, "b", &row->b);
	json__put_real(w, "ratio", row->ratio);
	json__put_real(w, "p", row->p);
	json__put_real(w, "p_adjusted", row->adjusted);
	json__put_string(w, "differs", compare__difference(row));
	json__put_bool(w, "marked", row->marked);
	json__put_bool(w, "repeats", row->repeats);
	json__close(w, '}');
}

static bool put_rule(struct writer *w, const struct comparison *c, const struct change_rule *r)
{
	char *headline = compare__fill(c, r->headline, ' '), *detail;
	bool ok;

	detail = headline ? compare__fill(c, r->detail, ' ') : NULL;
	json__open(w, '{');
	json__put_string(w, "rule", r->name);
	json__put_string(w, "text", headline);
	json__put_string(w, "detail", detail);
	json__close(w, '}');
	ok = detail;
	free(headline);
	free(detail);
	return ok;
}

static void put_moved(struct writer *w, const struct change_verdict *v)
{
	json__key(w, "counts_moved");
	json__open(w, '[');
	for (size_t i = 0; i < v->ncounts; i++)
		json__string(w, v->moved[i]);
	json__close(w, ']');
	json__key(w, "costs_moved");
	json__open(w, '[');
	for (size_t i = v->ncounts; v->moved[i]; i++)
		json__string(w, v->moved[i]);
	json__close(w, ']');
}

static bool put_verdict(struct writer *w, const struct comparison *c)
{
	static const char *const sureness[] = {
		[SURE] = "adjusted",
		[SURE_IF_REPEATED] = "too_few_runs",
	};
	const struct change_verdict *v = &c->verdict;
	char *text = compare__verdict(c, ' ');
	bool ok = text;

	json__key(w, "verdict");
	json__open(w, '{');
	json__put_string(w, "state", v->untrusted ? "untrusted" : sureness[v->sureness]);
	json__put_u64(w, "measures", v->measures);
	json__key(w, "rules");
	json__open(w, '[');
	for (size_t i = 0; i < v->n; i++)
		ok = put_rule(w, c, v->rules[i]) && ok;
	json__close(w, ']');
	put_moved(w, v);
	json__put_string(w, "text", text);
	json__close(w, '}');
	free(text);
	return ok;
}

int view__compare_json(FILE *f, const struct comparison *c, const struct compare_view *v)
{
	struct writer w = {.f = f, .lines = 2};
	bool ok;
	int err;

	json__open(&w, '{');
	json__put_string(&w, "schema", "memcgtop-compare/1");
	json__put_string(&w, "version", v->version);
	put_side(&w, "a", c->a);
	put_side(&w, "b", c->b);
	json__put_string(&w, "per", per__suffix(&c->per));
	json__put_real(&w, "least_change", c->least);
	json__put_bool(&w, "too_few_runs", c->too_few);
	json__put_bool(&w, "exact", c->exact);
	json__key(&w, "differs");
	json__open(&w, '[');
	for (size_t i = 0; c->differs[i]; i++)
		json__string(&w, c->differs[i]);
	json__close(&w, ']');
	json__key(&w, "rows");
	json__open(&w, '[');
	for (size_t i = 0; i < c->nrows; i++)
		put_row(&w, c, &c->rows[i]);
	json__close(&w, ']');
	ok = put_verdict(&w, c);
	json__close(&w, '}');
	err = json__finish(&w);
	return err ? err : ok ? 0 : -ENOMEM;
}
