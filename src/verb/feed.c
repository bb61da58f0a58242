// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "verb/feed.h"
#include "verb/source.h"
#include "verb/wait.h"

#define STEP_DEFAULT (2 * NS_PER_S)

static int open_live(struct feed *f, struct error *e)
{
	f->live = live__open(&f->o->live, e);
	if (!f->live)
		return -1;
	if (live__unseen(f->live) && !f->o->quiet)
		error__say("cgroups may have no names: %s", live__unseen(f->live));
	wait__block(&f->signals, &f->before);
	f->tick_ns = now_ns() + TICK_NS;
	return 0;
}

/* Who recorded it, and with what command. */
static int read_origin(struct feed *f, struct error *e)
{
	char text[400];

	if (recording__window(f->rec, f->from, f->from, &f->origin, text, sizeof(text)))
		return error__set(e, STATUS_USAGE, "cannot read %s", text);
	return 0;
}

static int open_recording(struct feed *f, struct error *e)
{
	f->rec = source__open(f->o, e);
	if (!f->rec)
		return -1;
	if (source__range(f->o, f->rec, &f->from, &f->to, e) || read_origin(f, e)) {
		recording__close(f->rec);
		return -1;
	}
	f->at = f->from;
	wait__block(&f->signals, &f->before);
	return 0;
}

int feed__open(struct feed *f, const struct options *o, struct error *e)
{
	*f = (struct feed){.o = o, .step_ns = o->interval_ns};
	if (!f->step_ns && !o->read)
		f->step_ns = STEP_DEFAULT;
	return o->read ? open_recording(f, e) : open_live(f, e);
}

void feed__close(struct feed *f)
{
	if (f->live)
		live__close(f->live);
	if (f->rec)
		recording__close(f->rec);
	window__release(&f->origin);
	sigprocmask(SIG_SETMASK, &f->before, NULL);
}

/* With -d the recording's intervals are put together until they are that long. */
static struct sample *sample_of_recording(struct feed *f, struct error *e)
{
	struct sample *s;
	char text[400];

	if (f->at > f->to)
		return NULL;
	if (f->at > f->from && f->step_ns) {
		const uint64_t due = recording__moment(f->rec, f->at - 1).time_ns + f->step_ns;

		while (f->at < f->to && recording__moment(f->rec, f->at).time_ns < due)
			f->at++;
	}
	s = recording__sample(f->rec, f->at++, text, sizeof(text));
	if (!s)
		error__set(e, STATUS_USAGE, "cannot read %s", text);
	return s;
}

struct sample *feed__sample(struct feed *f, struct error *e)
{
	uint64_t now;
	struct sample *s;

	if (f->rec)
		return sample_of_recording(f, e);
	s = live__sample(f->live, e);
	now = now_ns();
	if (!f->start_ns && s)
		f->start_ns = s->time_ns;
	/* on the grid of steps, so that lateness does not add up; what is past is left out */
	if (f->start_ns)
		f->next_ns = f->start_ns + ((now - f->start_ns) / f->step_ns + 1) * f->step_ns;
	return s;
}

uint64_t feed__tick(struct feed *f)
{
	if (!f->live)
		return UINT64_MAX;
	if (now_ns() >= f->tick_ns) {
		live__tick(f->live);
		f->tick_ns = now_ns() + TICK_NS;
	}
	return f->tick_ns < f->next_ns ? f->tick_ns : f->next_ns;
}

bool feed__wait(struct feed *f)
{
	siginfo_t info;

	for (;;) {
		const uint64_t until = f->live ? feed__tick(f) : 0;
		const int sig = wait__until(&f->signals, until, &info);

		if (sig && sig != SIGCHLD)
			return false;
		if (!f->live)
			return f->at <= f->to;
		if (now_ns() >= f->next_ns)
			return true;
	}
}

void feed__set_step(struct feed *f, uint64_t step_ns)
{
	const uint64_t now = now_ns();

	f->step_ns = step_ns;
	f->start_ns = now;
	f->next_ns = now + step_ns;
}

struct window feed__window(const struct feed *f, struct sample *before, struct sample *now)
{
	static char version[] = MEMCGTOP_VERSION;

	return (struct window){
		.start = before,
		.end = now,
		.tool_argv = f->rec ? f->origin.tool_argv : f->o->tool_argv,
		.command = {.exit = -1},
		.end_reason = END_DURATION,
		.version = f->rec ? f->origin.version : version,
		.hold_budget_ns = f->o->hold_budget_ns,
	};
}
