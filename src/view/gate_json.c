// SPDX-License-Identifier: GPL-2.0-only
/* A gate's result as JSON. A null value has its reason beside it. */
#include <math.h>
#include <string.h>

#include "view/gate.h"
#include "view/number.h"
#include "view/writer.h"

static const char *const result_names[] = {
	[GATE_PASSED] = "passed",
	[GATE_FAILED] = "failed",
	[GATE_CANNOT_TELL] = "cannot_tell",
};

static const char *unit_name(enum expr_unit unit)
{
	static const char *const names[] = {
		[EXPR_COUNT] = "count", [EXPR_RATE] = "per_second", [EXPR_RATIO] = "ratio",
		[EXPR_NS] = "ns",	[EXPR_BYTES] = "bytes",	    [EXPR_PLAIN] = NULL,
	};

	return names[unit];
}

static void put_where(struct writer *w, const struct value *v)
{
	const char *where = v && !v->why[0] ? v->where : NULL;

	json__put_bytes(w, "where", "where_b64", where, where ? strlen(where) : 0);
}

static void put_run(struct writer *w, const struct value *v, enum gate_result result)
{
	bool known = !v->why[0];

	json__open(w, '{');
	json__put_string(w, "result", result_names[result]);
	json__put_string(w, "reason", known ? NULL : v->why);
	json__put_real(w, "value", known ? v->value : NAN);
	json__put_real(w, "low", known ? v->low : NAN);
	json__put_real(w, "high", known ? v->high : NAN);
	json__put_u64(w, "events", v->events);
	json__put_u64(w, "left_out", v->left_out);
	put_where(w, v);
	json__close(w, '}');
}

static void put_runs(struct writer *w, const struct judged *j, const struct gate *g)
{
	json__put_u64(w, "over", j->over);
	json__put_real(w, "min", j->min);
	json__put_real(w, "median", j->median);
	json__put_real(w, "max", j->max);
	json__key(w, "runs");
	json__open(w, '[');
	for (size_t i = 0; j->first && i < g->nruns; i++)
		put_run(w, judged__run(j, g, i), j->each[i]);
	json__close(w, ']');
}

static void put_condition(struct writer *w, const struct judged *j, const struct gate *g)
{
	bool fixed = j->limit_low == j->limit_high;

	json__open(w, '{');
	json__put_string(w, "condition", j->text);
	json__put_string(w, "file", j->from ? j->from->file : NULL);
	json__key(w, "line");
	if (j->from && j->from->line)
		json__u64(w, j->from->line);
	else
		json__null(w);
	json__put_string(w, "result", result_names[j->result]);
	json__put_string(w, "reason", j->why[0] ? j->why : NULL);
	json__put_string(w, "unit", unit_name(j->unit));
	json__put_real(w, "value", j->value);
	json__put_real(w, "low", j->low);
	json__put_real(w, "high", j->high);
	json__put_string(w, "op", j->from ? expr__op(j->from->expr.op) : ">");
	json__put_real(w, "limit", fixed ? j->limit_low : (j->limit_low + j->limit_high) / 2);
	json__put_real(w, "limit_low", j->limit_low);
	json__put_real(w, "limit_high", j->limit_high);
	put_where(w, j->shown);
	put_runs(w, j, g);
	json__close(w, '}');
}

static void put_arguments(struct writer *w, char *const *argv)
{
	json__key(w, "tool");
	json__open(w, '{');
	json__put_string(w, "version", MEMCGTOP_VERSION);
	json__key(w, "command");
	json__open(w, '[');
	for (; argv && *argv; argv++)
		json__string(w, *argv);
	json__close(w, ']');
	json__close(w, '}');
}

int view__gate_json(FILE *f, const struct gate *g, const struct gate_opts *o)
{
	struct writer w = {.f = f, .lines = 2, .ascii = o->ascii};
	char date[NUM_LEN];

	json__open(&w, '{');
	json__put_string(&w, "schema", "memcgtop-gate/1");
	put_arguments(&w, o->argv);
	json__put_string(&w, "hostname", g->hostname);
	json__put_string(&w, "kernel", g->kernel);
	json__put_string(&w, "start", num__utc(date, g->start_ms));
	json__put_real(&w, "duration_s", g->seconds);
	json__put_u64(&w, "runs", g->nruns);
	json__put_u64(&w, "min_events", g->trust.min_events);
	json__put_real(&w, "max_missed", g->trust.max_missed);
	json__put_string(&w, "result", result_names[g->result]);
	json__put_u64(&w, "exit_status", (uint64_t)o->status);
	json__put_u64(&w, "failed", g->nfailed);
	json__put_u64(&w, "cannot_tell", g->nuntold);
	json__key(&w, "conditions");
	json__open(&w, '[');
	for (size_t i = 0; i < g->njudged; i++)
		put_condition(&w, &g->judged[i], g);
	json__close(&w, ']');
	json__close(&w, '}');
	return json__finish(&w);
}
