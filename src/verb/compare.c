// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>

#include "main.h"
#include "verb/output.h"
#include "verb/sides.h"
#include "view/compare.h"

static int view(FILE *f, const struct options *o, const struct comparison *c)
{
	const struct compare_view v = {.all = o->all, .version = MEMCGTOP_VERSION};

	switch (o->format) {
	case FORMAT_JSON:
		return view__compare_json(f, c, &v);
	case FORMAT_CSV:
		return view__compare_csv(f, c, &v);
	case FORMAT_MARKDOWN:
		return view__compare_markdown(f, c, &v);
	case FORMAT_LKP:
		return view__compare_lkp(f, c, &v);
	default:
		return view__compare_text(f, c, &v);
	}
}

static int show(const struct options *o, const struct comparison *c, struct error *e)
{
	struct output out;
	int err;

	if (output__open(&out, o->out, e))
		return -1;
	err = view(out.stream, o, c);
	if (!err)
		return output__commit(&out, e);
	output__abandon(&out);
	return error__set(e, STATUS_UNTRUSTED, "the result was not written to %s: %s",
			  o->out ? o->out : "standard output", error__text(err));
}

static int status_of(const struct options *o, const struct comparison *c)
{
	if (!c->verdict.untrusted)
		return STATUS_OK;
	if (!o->quiet)
		error__say("not to be trusted: in a run hooks missed too many events; see quality "
			   "in its report");
	return STATUS_UNTRUSTED;
}

int verb_compare(const struct options *o, struct error *e)
{
	struct side sides[2] = {};
	struct comparison c = {};
	struct per per;
	char text[400];
	int err = 0, status = -1;

	if (per__parse(&per, o->per, text, sizeof(text)))
		return error__set(e, STATUS_USAGE, "%s", text);
	if (o->out && output__check(o->out, e))
		return -1;
	if (!sides__read(sides, o->sides, e)) {
		err = comparison__init(&c, &sides[0], &sides[1], &per, text, sizeof(text));
		if (err == -EINVAL)
			error__set(e, STATUS_USAGE, "%s", text);
		else if (err)
			error__set(e, STATUS_CANNOT, "out of memory");
		else if (!show(o, &c, e))
			status = status_of(o, &c);
		comparison__release(&c);
	}
	sides__release(sides);
	return status;
}
