// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "verb/source.h"
#include "verb/timeline.h"

struct recording *source__open(const struct options *o, struct error *e)
{
	char text[400];
	struct recording *r = recording__open(o->read, text, sizeof(text));

	if (!r) {
		error__set(e, STATUS_USAGE,
			   "cannot read %s; memcgtop record -o FILE and report --save FILE make "
			   "what -r reads",
			   text);
		return NULL;
	}
	if (recording__lost(r) && !o->quiet)
		error__say("%s", recording__lost(r));
	return r;
}

/* The sample that a time in the recording falls on; `otherwise` where none was asked for. */
static size_t sample_at(const struct recording *r, const struct time_point *w, size_t otherwise)
{
	const struct moment start = recording__moment(r, 0);
	uint64_t ns;

	if (w->how == WHEN_NONE)
		return otherwise;
	ns = when__since_start(w, start.wall_ms);
	return recording__find(r,
			       ns < UINT64_MAX - start.time_ns ? start.time_ns + ns : UINT64_MAX);
}

int source__range(const struct options *o, const struct recording *r, size_t *from, size_t *to,
		  struct error *e)
{
	const size_t last = recording__count(r) - 1;

	*from = sample_at(r, &o->from, 0);
	*to = sample_at(r, &o->to, last);
	if (*from < *to || (!last && o->from.how == WHEN_NONE && o->to.how == WHEN_NONE))
		return 0;
	return error__set(
		e, STATUS_USAGE,
		"there is no interval of %s between --from and --to: it lasts %.3g s, and "
		"has one every %.3g s",
		o->read,
		(double)(recording__moment(r, last).time_ns - recording__moment(r, 0).time_ns) /
			1e9,
		(double)(recording__moment(r, last).time_ns - recording__moment(r, 0).time_ns) /
			1e9 / (double)(last ? last : 1));
}

/* The intervals as the live window had them: a sample between two of its steps was a recording's. */
static int cut_up(struct recording *r, size_t from, size_t to, struct window *w, struct error *e)
{
	const uint64_t duration = w->end->time_ns - w->start->time_ns;
	struct timeline t;
	char text[400];

	timeline__init(&t, w->start, duration, w->interval_ns);
	for (size_t i = from + 1; i < to; i++) {
		struct sample *s;

		if (recording__moment(r, i).time_ns < t.next_ns)
			continue;
		s = recording__sample(r, i, text, sizeof(text));
		if (!s) {
			timeline__release(&t);
			return error__set(e, STATUS_USAGE, "cannot read %s", text);
		}
		timeline__cut(&t, s, s->time_ns, 0);
		sample__free(s);
	}
	/* without memory for it the window is as good, but for the strip */
	timeline__finish(&t, w);
	timeline__release(&t);
	return 0;
}

static int read_window(const struct options *o, struct recording *r, struct window *w,
		       struct error *e)
{
	char text[400];
	size_t from, to;

	if (source__range(o, r, &from, &to, e))
		return -1;
	if (recording__window(r, from, to, w, text, sizeof(text)))
		return error__set(e, STATUS_USAGE, "cannot read %s", text);
	if (recording__lost(r)) {
		w->lost = strdup(recording__lost(r));
		if (!w->lost)
			return error__set(e, STATUS_CANNOT, "out of memory");
	}
	return recording__stored(r) ? 0 : cut_up(r, from, to, w, e);
}

int source__window(const struct options *o, struct window *w, struct error *e)
{
	struct recording *r = source__open(o, e);
	int err;

	if (!r)
		return -1;
	err = read_window(o, r, w, e);
	recording__close(r);
	return err;
}
