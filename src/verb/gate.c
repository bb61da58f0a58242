// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "main.h"
#include "view/gate.h"
#include "verb/measure.h"
#include "verb/output.h"
#include "verb/source.h"
#include "verb/status.h"

/* The conditions, in the order in which the help lists them. */
static int collect(struct gate *g, const struct options *o, struct error *e)
{
	const struct gate_options *from = &o->gate;
	char text[64];
	int n;

	g->trust = (struct trust){.min_events = from->min_events, .max_missed = from->max_missed};
	for (size_t i = 0; i < from->fail_if.n; i++)
		if (gate__add(g, from->fail_if.text[i], NULL, 0, e))
			return -1;
	if (from->max_miss_rate) {
		n = snprintf(text, sizeof(text), "miss_ratio > %s", from->max_miss_rate);
		if (n >= (int)sizeof(text))
			return error__set(e, STATUS_USAGE,
					  "--max-miss-rate takes a share of the charges, such as "
					  "2%%, not '%s'",
					  from->max_miss_rate);
		if (gate__add(g, text, NULL, 0, e))
			return -1;
	}
	for (size_t i = 0; i < from->configs.n; i++)
		if (gate__read_config(g, from->configs.text[i], e))
			return -1;
	return 0;
}

static bool is_asked(const char *name, const void *arg)
{
	const struct list *metrics = arg;

	for (size_t i = 0; i < metrics->n; i++)
		if (metric__name_len(metrics->text[i]) == strlen(name) &&
		    !strncmp(metrics->text[i], name, strlen(name)))
			return true;
	return false;
}

/* What the conditions need, and whether the result can be written: known before a minute of measuring. */
static int check(const struct gate *g, const struct options *o, struct error *e)
{
	const char *text = gate__wants_baseline(g);

	if (text && !o->gate.baseline)
		return error__set(e, STATUS_USAGE,
				  "the limit of '%s' is relative: it needs a --baseline FILE, as "
				  "record -o or report --save make one",
				  text);
	text = gate__wants_metric(g, is_asked, &o->metrics);
	if (text && !o->read)
		return error__set(e, STATUS_USAGE,
				  "'%s' needs a number that CMD prints: --metric NAME=REGEX", text);
	if (o->out && output__check(o->out, e))
		return -1;
	return o->gate.junit ? output__check(o->gate.junit, e) : 0;
}

static int read_baseline(struct gate *g, const struct options *o, struct error *e)
{
	struct options at = *o;
	struct window w = {};
	struct model m = {};
	int err;

	if (!o->gate.baseline)
		return 0;
	at.read = o->gate.baseline;
	at.from.how = at.to.how = WHEN_NONE;
	err = source__window(&at, &w, e);
	if (!err && (model__init(&m, &w) || gate__set_baseline(g, &m)))
		err = error__set(e, STATUS_CANNOT, "out of memory");
	model__release(&m);
	window__release(&w);
	return err;
}

/* One run. s: what is attached, or NULL. *last: there is no use in another one. */
static int add_run(struct gate *g, const struct options *o, struct measuring *s, size_t i,
		   bool *last, struct error *e)
{
	struct options at = *o;
	struct window w = {};
	struct model m = {};
	const char *why;
	char text[256];
	int err;

	if (!s)
		at.read = o->gate.reads.text[i];
	err = s ? measuring__window(s, &w, e) : source__window(&at, &w, e);
	if (!err && model__init(&m, &w))
		err = error__set(e, STATUS_CANNOT, "out of memory");
	if (!err) {
		why = status__failure(o, &w, text, sizeof(text));
		/* a recording ends so */
		if (s && w.end_reason == END_INTERRUPTED)
			why = "cut short by a signal";
		*last = why && s;
		if (gate__add_run(g, &m, why))
			err = error__set(e, STATUS_CANNOT, "out of memory");
	}
	model__release(&m);
	window__release(&w);
	return err;
}

static int add_runs(struct gate *g, const struct options *o, struct error *e)
{
	size_t n = o->read ? o->gate.reads.n : o->gate.runs;
	struct measuring s = {};
	bool last = false;
	int err = 0;

	if (!o->read && measuring__open(&s, o, e))
		return -1;
	for (size_t i = 0; i < n && !last && !err; i++) {
		if (s.live && n > 1 && !o->quiet)
			error__say("run %zu of %zu", i + 1, n);
		err = add_run(g, o, s.live ? &s : NULL, i, &last, e);
	}
	measuring__close(&s);
	return err;
}

typedef int (*view_fn)(FILE *f, const struct gate *g, const struct gate_opts *v);

/* A reader that went away knows enough: the verdict stands. */
static int write_to(const char *path, view_fn view, const struct gate *g, const struct gate_opts *v,
		    struct error *e)
{
	struct error quiet = {};
	struct output out;
	int err;

	if (output__open(&out, path, e))
		return -1;
	err = view(out.stream, g, v);
	if (err == -EPIPE)
		return 0;
	if (err) {
		output__abandon(&out);
		return error__set(e, STATUS_UNTRUSTED, "the result was not written to %s: %s",
				  path ? path : "standard output", error__text(err));
	}
	errno = 0;
	if (!output__commit(&out, &quiet) || errno == EPIPE)
		return 0;
	return error__set(e, quiet.status, "%s", quiet.text);
}

static int show(const struct gate *g, const struct options *o, struct gate_opts *v, struct error *e)
{
	static const view_fn views[] = {
		[FORMAT_TEXT] = view__gate_text,
		[FORMAT_JSON] = view__gate_json,
		[FORMAT_TAP] = view__gate_tap,
		[FORMAT_JUNIT] = view__gate_junit,
	};

	/* CMD had it as it was */
	signal(SIGPIPE, SIG_IGN);
	if (o->gate.junit && write_to(o->gate.junit, view__gate_junit, g, v, e))
		return -1;
	if (write_to(o->out, views[o->format], g, v, e))
		return -1;
	/* beside a document or a file they are still for who reads the job's log */
	if (o->gate.annotate && (o->format != FORMAT_TEXT || o->out))
		view__gate_annotations(stderr, g, v);
	return 0;
}

int verb_gate(const struct options *o, struct error *e)
{
	static const enum status statuses[] = {
		[GATE_PASSED] = STATUS_OK,
		[GATE_FAILED] = STATUS_CROSSED,
		[GATE_CANNOT_TELL] = STATUS_UNTRUSTED,
	};
	struct gate_opts v = {
		.ascii = o->ascii, .annotate = o->gate.annotate && !o->out, .argv = o->tool_argv};
	struct gate g = {};
	int status = -1;

	if (!collect(&g, o, e) && !check(&g, o, e) && !read_baseline(&g, o, e) &&
	    !add_runs(&g, o, e)) {
		if (gate__judge(&g)) {
			error__set(e, STATUS_CANNOT, "out of memory");
		} else {
			v.status = (int)statuses[g.result];
			if (!show(&g, o, &v, e))
				status = v.status;
		}
	}
	gate__release(&g);
	return status;
}
