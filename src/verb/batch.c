// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>

#include "model/model.h"
#include "verb/batch.h"
#include "verb/look.h"

static int say_written(const struct options *o, int err, struct error *e)
{
	return error__set(e, STATUS_UNTRUSTED, "the result was not written to %s: %s",
			  o->out ? o->out : "standard output", error__text(err));
}

static int block(struct feed *f, FILE *out, struct window *w, bool first, struct error *e)
{
	const struct options *o = f->o;
	struct model m;
	int err;

	if (model__init(&m, w))
		return error__set(e, STATUS_CANNOT, "out of memory");
	look__order(o, &m);
	if (o->format == FORMAT_JSON) {
		err = view__json_line(out, &m, o->ascii);
	} else {
		const struct view_opts v = look__at(o, out);

		err = view__batch(out, &m, &v, first);
	}
	model__release(&m);
	return err ? say_written(o, err, e) : 0;
}

static int blocks(struct feed *f, FILE *out, struct error *e)
{
	struct sample *before = feed__sample(f, e), *now = NULL;
	uint64_t n = 0;
	int err = 0;

	while (before && !err && (!f->o->count || n < f->o->count) && feed__wait(f)) {
		struct window w;

		now = feed__sample(f, e);
		if (!now)
			break;
		w = feed__window(f, before, now);
		err = block(f, out, &w, !n++, e);
		sample__free(before);
		before = now;
	}
	sample__free(before);
	if (err || e->text[0])
		return -1;
	if (f->rec && !n && !f->o->quiet)
		error__say("%s has no interval that could be shown", f->o->read);
	return 0;
}

int batch(struct feed *f, struct error *e)
{
	FILE *out = f->o->out ? fopen(f->o->out, "we") : stdout;
	int err;

	if (!out)
		return error__set(
			e, STATUS_USAGE,
			"cannot write %s: %s; give the path of a file in a directory that "
			"can be written to",
			f->o->out, error__text(errno));
	err = blocks(f, out, e);
	if (out != stdout && fclose(out) && !err)
		err = say_written(f->o, errno, e);
	return err ? -1 : STATUS_OK;
}
