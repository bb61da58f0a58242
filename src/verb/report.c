// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "main.h"
#include "model/model.h"
#include "verb/measure.h"
#include "verb/output.h"
#include "view/view.h"

/* --width, else the terminal's, else COLUMNS, else a report's own. */
static int width(const struct options *o, FILE *f)
{
	const char *columns = getenv("COLUMNS");
	long n = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize ws;

	if (o->width)
		return o->width;
	if (isatty(fileno(f)) && !ioctl(fileno(f), TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col;
	return n >= VIEW_WIDTH_MIN && n <= OPTION_WIDTH_MAX ? (int)n : VIEW_WIDTH;
}

static bool colored(const struct options *o, FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->no_color || (no && *no) || !term || !*term)
		return false;
	return isatty(fileno(f)) && !(term[0] == 'd' && !__builtin_strcmp(term, "dumb"));
}

static int show(const struct options *o, struct model *m, struct error *e)
{
	const struct field *sort = field__find(o->sort ? o->sort : "charges");
	struct view_opts v;
	struct output out;
	int err;

	if (output__open(&out, o->out, e))
		return -1;
	model__sort(m, sort);
	if (o->filter)
		model__filter(m, o->filter);
	v = (struct view_opts){
		.width = width(o, out.stream),
		.rows = o->rows ? o->rows : VIEW_ROWS,
		.color = colored(o, out.stream),
		.ascii = o->ascii,
		.cpus = o->cpus,
		.sort = o->sort ? sort : NULL,
	};
	if (o->format == FORMAT_JSON)
		err = view__json(out.stream, m, o->ascii);
	else if (o->format == FORMAT_HTML)
		err = view__html(out.stream, m, &v);
	else
		err = view__text(out.stream, m, &v);
	if (err) {
		output__abandon(&out);
		return error__set(e, STATUS_UNTRUSTED, "the result was not written to %s: %s",
				  o->out ? o->out : "standard output", error__text(err));
	}
	return output__commit(&out, e);
}

static int save(const char *path, const struct window *w, struct error *e)
{
	struct output out;
	int err;

	if (output__open(&out, path, e))
		return -1;
	err = window__save(w, out.stream);
	if (!err)
		return output__commit(&out, e);
	output__abandon(&out);
	return error__set(e, STATUS_UNTRUSTED, "the window was not stored in %s: %s", path,
			  error__text(err));
}

/* A result that stands, with a status that says what it is worth. */
static int status_of(const struct options *o, const struct model *m)
{
	const struct command *cmd = &m->window->command;
	bool failed = cmd->argv && m->window->end_reason == END_COMMAND &&
		      (cmd->exit || cmd->signal) && !cmd->ignore_failure && !o->ignore_failure;

	if (m->quality.grade == GRADE_IDLE && !o->quiet)
		error__say("nothing was charged to a memory cgroup in %.3g s; the ratios are empty",
			   m->seconds);
	if (m->quality.grade == GRADE_UNTRUSTED) {
		if (!o->quiet)
			error__say("not to be trusted: %s",
				   m->quality.nreasons ? m->quality.reasons[0] : "see quality");
		return STATUS_UNTRUSTED;
	}
	if (failed) {
		if (!o->quiet)
			error__say("%s failed (%s %d); --ignore-failure accepts it", cmd->argv[0],
				   cmd->signal ? "signal" : "exit",
				   cmd->signal ? cmd->signal : cmd->exit);
		return STATUS_UNTRUSTED;
	}
	return STATUS_OK;
}

static int read_window(const struct options *o, struct window *w, struct error *e)
{
	char text[400];

	if (!window__load(w, o->read, text, sizeof(text)))
		return 0;
	return error__set(e, STATUS_USAGE,
			  "cannot report from %s; memcgtop report --save FILE makes "
			  "what -r reads",
			  text);
}

/* Can what is asked for be written? Better known before ten seconds of measuring. */
static int check_outputs(const struct options *o, struct error *e)
{
	if (o->out && output__check(o->out, e))
		return -1;
	return o->save ? output__check(o->save, e) : 0;
}

int verb_report(const struct options *o, struct error *e)
{
	struct window w = {};
	struct model m = {};
	int status = -1;

	if (check_outputs(o, e))
		return -1;
	if (!(o->read ? read_window(o, &w, e) : measure(o, &w, e))) {
		w.hold_budget_ns = o->hold_budget_ns;
		if (model__init(&m, &w))
			error__set(e, STATUS_CANNOT, "out of memory");
		else if (!(o->save && save(o->save, &w, e)) && !show(o, &m, e))
			status = status_of(o, &m);
		model__release(&m);
	}
	window__release(&w);
	return status;
}
