// SPDX-License-Identifier: GPL-2.0-only
/* The report as JSON. What a measure is called, and when it is null, the field table says. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sample/store.h"
#include "view/json.h"
#include "view/number.h"
#include "view/view.h"

static void argv(struct writer *w, const char *key, char **args)
{
	json__key(w, key);
	json__open(w, '[');
	for (; args && *args; args++)
		json__string(w, *args);
	json__close(w, ']');
}

static void tool(struct writer *w, const struct window *win)
{
	json__key(w, "tool");
	json__open(w, '{');
	json__put_string(w, "version", win->version);
	argv(w, "command", win->tool_argv);
	json__close(w, '}');
}

static void start_time(struct writer *w, const struct model *m)
{
	const struct window *win = m->window;
	int64_t ms = win->start ? win->start->wall_ms
				: win->end->wall_ms - (int64_t)llround(m->seconds * 1000);
	char date[NUM_LEN];

	json__put_string(w, "start", num__utc(date, ms));
}

/* What --metric took from CMD's output; null: it was not found there. */
static void metrics(struct writer *w, const struct command *c)
{
	json__key(w, "metrics");
	json__open(w, '{');
	for (size_t i = 0; i < c->nmetrics; i++)
		json__put_real(w, c->metrics[i].name,
			       c->metrics[i].known ? c->metrics[i].value : NAN);
	json__close(w, '}');
}

static void command(struct writer *w, const struct command *c)
{
	json__key(w, "command");
	if (!c->argv || !c->argv[0]) {
		json__null(w);
		return;
	}
	json__open(w, '{');
	argv(w, "argv", c->argv);
	json__key(w, "exit");
	if (c->exit >= 0 && !c->signal)
		json__i64(w, c->exit);
	else
		json__null(w);
	json__key(w, "signal");
	if (c->signal)
		json__i64(w, c->signal);
	else
		json__null(w);
	json__put_real(w, "user_s", c->user_s);
	json__put_real(w, "system_s", c->system_s);
	json__put_u64(w, "voluntary_switches", c->voluntary_switches);
	json__put_u64(w, "involuntary_switches", c->involuntary_switches);
	metrics(w, c);
	json__close(w, '}');
}

static void window(struct writer *w, const struct model *m)
{
	static const char *const ends[] = {
		[END_DURATION] = "duration",
		[END_COMMAND] = "command_exit",
		[END_INTERRUPTED] = "interrupted",
	};

	json__key(w, "window");
	json__open(w, '{');
	start_time(w, m);
	json__put_real(w, "duration_s", m->seconds);
	json__put_u64(w, "intervals", m->window->nintervals ? m->window->nintervals : 1);
	json__put_string(w, "end_reason", ends[m->window->end_reason]);
	command(w, &m->window->command);
	json__close(w, '}');
}

static void checks(struct writer *w, const char *key, double ratio, uint64_t checked,
		   uint64_t differ)
{
	json__key(w, key);
	json__open(w, '{');
	json__put_real(w, "ratio", ratio);
	json__put_u64(w, "checked", checked);
	json__put_u64(w, "differ", differ);
	json__close(w, '}');
}

static void quality(struct writer *w, const struct quality *q, const struct model *m)
{
	json__key(w, "quality");
	json__open(w, '{');
	json__put_string(w, "grade", grade__name(q->grade));
	json__put_bool(w, "trustworthy", q->grade != GRADE_UNTRUSTED);
	json__key(w, "reasons");
	json__open(w, '[');
	for (size_t i = 0; i < q->nreasons; i++)
		json__string(w, q->reasons[i]);
	json__close(w, ']');
	json__put_u64(w, "missed", q->missed);
	json__put_real(w, "missed_ratio", q->missed_ratio);
	json__put_string(w, "missed_worst_hook", q->worst ? q->worst->hook : NULL);
	json__key(w, "dropped");
	json__open(w, '{');
	for (int i = 0; i < LOSS_NR; i++)
		json__put_u64(w, loss_names[i], q->dropped[i]);
	json__close(w, '}');
	json__put_string(w, "hit_source", m->hit_source);
	checks(w, "agreement", q->agreement, q->checked, q->differ);
	checks(w, "hold_check",
	       q->hold_checked ? 1 - (double)q->hold_differ / (double)q->hold_checked : NAN,
	       q->hold_checked, q->hold_differ);
	json__key(w, "stock_breaches");
	if (json__stocks_seen(m))
		json__u64(w, q->breaches);
	else
		json__null(w);
	json__put_u64(w, "lost_walks", q->lost_walks);
	json__put_bool(w, "truncated", m->window->lost);
	json__close(w, '}');
}

static void overhead(struct writer *w, const struct model *m)
{
	bool calibrated = isfinite(m->overhead_ratio);
	double ns = (double)m->end->event_cost_ps / 1000;

	json__key(w, "overhead");
	json__open(w, '{');
	json__put_u64(w, "events", m->events);
	json__put_real(w, "ns_per_event", calibrated ? ns : NAN);
	json__key(w, "ns_total");
	if (calibrated)
		json__u64(w, (uint64_t)(m->overhead_ratio * m->seconds * 1e9 + 0.5));
	else
		json__null(w);
	json__put_real(w, "cpu_ratio", m->overhead_ratio);
	json__put_string(w, "source", calibrated ? "calibrated" : NULL);
	json__close(w, '}');
}

static void split(struct writer *w, const struct field *f, const struct scope *s,
		  const struct model *m)
{
	json__open(w, '{');
	for (const struct part *part = f->parts; part->name; part++) {
		json__key(w, part->name);
		if (field__unmeasured(f, part, m).reason != REASON_NONE)
			json__null(w);
		else
			json__u64(w, part__count(part, s));
	}
	json__close(w, '}');
}

static void measure(struct writer *w, const struct field *f, const struct scope *s,
		    const struct model *m)
{
	uint64_t value;

	if (field__unmeasured(f, NULL, m).reason != REASON_NONE)
		json__null(w);
	else if (f->spans)
		json__histogram_of_row(w, f, s);
	else if (f->parts)
		split(w, f, s, m);
	else if (f->ratio)
		json__real(w, f->ratio(s));
	else if (f->count)
		json__u64(w, f->count(s));
	else if (f->gauge(s, &value))
		json__u64(w, value);
	else
		json__null(w);
}

/*
 * The field table's keys of a scope, into the object that is open. The total's
 * histograms are an object of their own.
 */
static void measures(struct writer *w, const struct scope *s, const struct model *m)
{
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];

		if (!(f->in & s->in) || (f->spans && s->in & IN_TOTAL))
			continue;
		json__key(w, f->key);
		measure(w, f, s, m);
	}
}

static void cpus(struct writer *w, const struct model *m)
{
	json__key(w, "cpus");
	json__open(w, '[');
	for (size_t i = 0; i < m->ncpus; i++) {
		const struct model_cpu *c = &m->cpus[i];

		json__open(w, '{');
		json__put_u64(w, "cpu", c->cpu->cpu);
		json__put_string(w, "state", c->cpu->online ? "online" : "offline");
		json__put_bool(w, "isolated", c->cpu->isolated);
		json__slots(w, c->cpu);
		measures(w, &c->scope, m);
		json__close(w, '}');
	}
	json__close(w, ']');
}

static void cgroups(struct writer *w, const struct model *m)
{
	static const char *const states[] = {
		[ROW_LIVE] = "live",
		[ROW_DELETED] = "deleted",
		[ROW_IS_OTHER] = "other",
	};

	json__key(w, "cgroups");
	json__open(w, '[');
	for (size_t i = 0; i < m->nrows; i++) {
		const struct row *r = m->rows[i].row;

		json__open(w, '{');
		json__put_id(w, "id", r->state == ROW_IS_OTHER ? 0 : r->id);
		json__put_id(w, "parent", r->state == ROW_IS_OTHER ? 0 : r->parent);
		json__put_bytes(w, "path", "path_b64", r->path, r->path_len);
		json__put_string(w, "state", states[r->state]);
		measures(w, &m->rows[i].scope, m);
		json__pressure(w, r);
		json__close(w, '}');
	}
	json__close(w, ']');
}

static int document(struct writer *w, const struct model *m)
{
	json__open(w, '{');
	json__put_string(w, "schema", JSON_SCHEMA);
	tool(w, m->window);
	json__host(w, &m->end->host);
	json__stock(w, m);
	json__probes(w, m, true);
	window(w, m);
	quality(w, &m->quality, m);
	overhead(w, m);
	json__unmeasured(w, m);
	json__key(w, "total");
	json__open(w, '{');
	measures(w, &m->total, m);
	json__close(w, '}');
	cpus(w, m);
	cgroups(w, m);
	json__pairs(w, m);
	json__drains(w, m);
	json__times(w, m);
	json__timeline(w, m->window);
	json__verdicts(w, m);
	json__close(w, '}');
	return json__finish(w);
}

int view__json(FILE *f, const struct model *m, bool ascii)
{
	struct writer w = {.f = f, .lines = 2, .ascii = ascii};

	return document(&w, m);
}

int view__json_line(FILE *f, const struct model *m, bool ascii)
{
	struct writer w = {.f = f, .lines = 0, .ascii = ascii};

	return document(&w, m);
}
