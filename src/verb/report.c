// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "main.h"
#include "model/model.h"
#include "verb/look.h"
#include "verb/measure.h"
#include "verb/output.h"
#include "verb/source.h"
#include "verb/status.h"
#include "view/compare.h"
#include "view/view.h"

static int show(const struct options *o, struct model *m, struct error *e)
{
	struct view_opts v;
	struct output out;
	int err;

	if (output__open(&out, o->out, e))
		return -1;
	look__order(o, m);
	v = look__at(o, out.stream);
	if (o->format == FORMAT_JSON)
		err = view__json(out.stream, m, o->ascii);
	else if (o->format == FORMAT_LKP)
		err = view__lkp(out.stream, m);
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
	if (!(o->read ? source__window(o, &w, e) : measure(o, &w, e))) {
		w.hold_budget_ns = o->hold_budget_ns;
		if (model__init(&m, &w))
			error__set(e, STATUS_CANNOT, "out of memory");
		else if (!(o->save && save(o->save, &w, e)) && !show(o, &m, e))
			status = status__of(o, &m);
		model__release(&m);
	}
	window__release(&w);
	/* the report is whole, its recording is not */
	return e->text[0] ? -1 : status;
}
