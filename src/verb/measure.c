// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe/live.h"
#include "verb/command.h"
#include "verb/measure.h"
#include "verb/relay.h"
#include "verb/tape.h"
#include "verb/timeline.h"
#include "verb/wait.h"

#define DURATION_DEFAULT (10 * NS_PER_S)

/* One that is under way. */
struct run {
	const struct options *o;
	struct live *l;
	struct child child;
	struct relay relay;
	sigset_t signals;
	struct timeline t;
	struct tape tape;
	uint64_t end_ns; /* CLOCK_MONOTONIC; UINT64_MAX: not by the clock */
};

static uint64_t end_of(const struct options *o, uint64_t start)
{
	/* CMD alone says when to end, unless a time is given as well */
	if (o->duration_ns == DURATION_INF || (o->command && !o->duration_ns))
		return UINT64_MAX;
	return start + (o->duration_ns ? o->duration_ns : DURATION_DEFAULT);
}

static uint64_t first(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A sample that cannot be had does not end the window: the interval goes on. */
static void cut(struct run *r)
{
	uint64_t start = now_ns();
	struct error ignored = {};
	struct sample *s = live__sample(r->l, &ignored);
	uint64_t now = now_ns();

	if (now >= r->t.next_ns)
		timeline__cut(&r->t, s, now, now - start);
	if (s)
		tape__add(&r->tape, s, now);
	sample__free(s);
}

/* Runs the window until its end; returns why it ended. */
static enum end_reason run(struct run *r, struct command *cmd)
{
	uint64_t tick = now_ns() + TICK_NS;

	for (;;) {
		uint64_t sample = first(r->t.next_ns, r->tape.next_ns);
		siginfo_t info;
		int sig = wait__until(&r->signals, first(first(tick, sample), r->end_ns), &info);

		if (sig == SIGCHLD) {
			if (command__ended(&r->child, cmd))
				return END_COMMAND;
			continue;
		}
		if (sig) {
			/* a terminal's ^C reached CMD already; what kill(1) sends comes to us alone */
			if (info.si_code != SI_KERNEL)
				command__signal(&r->child, sig);
			return END_INTERRUPTED;
		}
		if (now_ns() >= r->end_ns)
			return END_DURATION;
		if (now_ns() >= tick) {
			live__tick(r->l);
			/* from now: after a stall none is made up for */
			tick = now_ns() + TICK_NS;
		}
		if (now_ns() >= sample)
			cut(r);
		/* a report goes on without its recording */
		if (r->tape.err && r->o->verb == VERB_RECORD)
			return END_INTERRUPTED;
	}
}

/* A CMD that was told to end with us gets a moment, so that its end can be told. */
static void see_it_end(struct child *c, struct command *cmd)
{
	int i;

	for (i = 0; i < 20 && c->pid; i++) {
		struct timespec ts = {0, 50000000};

		if (command__ended(c, cmd))
			return;
		nanosleep(&ts, NULL);
	}
}

static void say_start(const struct run *r, const struct sample *s)
{
	const char *doing = r->o->verb == VERB_RECORD ? "recording" : "measuring";
	size_t attached = 0, wanted = 0, i;
	char text[64];

	if (r->o->quiet)
		return;
	for (i = 0; i < s->nprobes; i++) {
		attached += s->probes[i].state == PROBE_ATTACHED;
		wanted += s->probes[i].state != PROBE_NOT_NEEDED;
	}
	if (r->end_ns != UINT64_MAX)
		snprintf(text, sizeof(text), "for %g s, ^C ends it early",
			 (double)(r->o->duration_ns ? r->o->duration_ns : DURATION_DEFAULT) /
				 NS_PER_S);
	else
		snprintf(text, sizeof(text), "until ^C");
	if (r->o->command && r->end_ns == UINT64_MAX)
		error__say("%zu of %zu hooks attached to %s; %s while %s runs", attached, wanted,
			   s->host.kernel, doing, r->o->command[0]);
	else
		error__say("%zu of %zu hooks attached to %s; %s %s", attached, wanted,
			   s->host.kernel, doing, text);
}

static int copy_argv(char ***to, char **from)
{
	size_t n = 0, i;

	while (from[n])
		n++;
	*to = calloc(n + 1, sizeof(**to));
	if (!*to)
		return -1;
	for (i = 0; i < n; i++) {
		(*to)[i] = strdup(from[i]);
		if (!(*to)[i])
			return -1;
	}
	return 0;
}

static int describe_run(const struct options *o, struct window *w)
{
	w->version = strdup(MEMCGTOP_VERSION);
	w->command.exit = -1;
	w->command.ignore_failure = o->ignore_failure;
	if (!w->version || copy_argv(&w->tool_argv, o->tool_argv) ||
	    relay__describe(&o->metrics, &w->command))
		return -1;
	return o->command ? copy_argv(&w->command.argv, o->command) : 0;
}

/* What cuts the window up: the timeline of a report, and a recording. */
static int begin(struct run *r, struct window *w, uint64_t start, struct error *e)
{
	const struct options *o = r->o;
	const bool record = o->verb == VERB_RECORD;
	uint64_t step = o->interval_ns;

	if (record) {
		r->t.next_ns = UINT64_MAX;
	} else {
		timeline__init(&r->t, w->start,
			       r->end_ns == UINT64_MAX ? UINT64_MAX : r->end_ns - start, step);
		step = r->t.asked_ns;
	}
	w->interval_ns = step;
	return tape__open(&r->tape, record ? o->out : o->record, step, o->quiet, w, e);
}

/* CMD runs already, and nothing is counted yet. */
static int warm_up(struct run *r, struct window *w, struct error *e)
{
	const double seconds = (double)r->o->gate.warmup_ns / NS_PER_S;

	r->t.next_ns = r->tape.next_ns = UINT64_MAX;
	r->end_ns = now_ns() + r->o->gate.warmup_ns;
	if (!r->o->quiet)
		error__say("warming up for %g s", seconds);
	switch (run(r, &w->command)) {
	case END_DURATION:
		return 0;
	case END_COMMAND:
		return error__set(e, STATUS_UNTRUSTED,
				  "%s ended within the --warmup of %g s (%s %d): nothing was "
				  "counted; give a shorter one",
				  r->o->command[0], seconds, w->command.signal ? "signal" : "exit",
				  w->command.signal ? w->command.signal : w->command.exit);
	default:
		return error__set(e, STATUS_UNTRUSTED,
				  "cut short by a signal within the --warmup: nothing was counted");
	}
}

static int measure_with(struct run *r, struct window *w, struct error *e)
{
	uint64_t start;

	if (r->o->gate.warmup_ns) {
		command__go(&r->child);
		if (warm_up(r, w, e))
			return -1;
	}
	w->start = live__sample(r->l, e);
	if (!w->start)
		return -1;
	start = now_ns();
	r->end_ns = end_of(r->o, start);
	if (begin(r, w, start, e))
		return -1;
	say_start(r, w->start);
	if (!r->o->gate.warmup_ns)
		command__go(&r->child);
	w->end_reason = run(r, &w->command);
	w->end = live__sample(r->l, e);
	if (w->end_reason == END_INTERRUPTED)
		see_it_end(&r->child, &w->command);
	/* without memory for it the window is as good, but for the strip */
	if (w->end && r->o->verb != VERB_RECORD)
		timeline__finish(&r->t, w);
	return w->end ? 0 : -1;
}

/* Its output is ours where ours is free. */
static int start_command(struct run *r, struct error *e)
{
	const struct options *o = r->o;
	int out = o->out || o->verb == VERB_RECORD ? STDOUT_FILENO : STDERR_FILENO, err;

	if (!o->command)
		return 0;
	if (relay__start(&r->relay, &o->metrics, out, e))
		return -1;
	err = command__start(&r->child, o->command, r->relay.in < 0 ? out : r->relay.in, e);
	relay__started(&r->relay);
	return err;
}

int measuring__open(struct measuring *s, const struct options *o, struct error *e)
{
	*s = (struct measuring){.o = o};
	if (o->command && command__check(o->command, e))
		return -1;
	s->live = live__open(&o->live, e);
	if (!s->live)
		return -1;
	if (live__unseen(s->live) && !o->quiet)
		error__say("cgroups may have no names: %s", live__unseen(s->live));
	/* from here on a signal ends the window, not us: nothing stays attached */
	wait__block(&s->signals, &s->before);
	return 0;
}

int measuring__window(struct measuring *s, struct window *w, struct error *e)
{
	struct run r = {.o = s->o, .l = s->live, .signals = s->signals, .relay.in = -1};
	int err;

	memset(w, 0, sizeof(*w));
	if (describe_run(s->o, w))
		return error__set(e, STATUS_CANNOT, "out of memory");
	err = start_command(&r, e);
	if (!err) {
		err = measure_with(&r, w, e);
		if (err)
			command__signal(&r.child, SIGKILL);
	}
	relay__finish(&r.relay, &w->command, !r.child.pid, s->o->quiet || err);
	timeline__release(&r.t);
	/* the result stands, with what the recording lacks as the error: w->end is there */
	tape__close(&r.tape, w, e);
	return err;
}

void measuring__close(struct measuring *s)
{
	if (!s->live)
		return;
	live__close(s->live);
	/* a second ^C is for us */
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	s->live = NULL;
}

int measure(const struct options *o, struct window *w, struct error *e)
{
	struct measuring s;
	int err;

	memset(w, 0, sizeof(*w));
	if (measuring__open(&s, o, e))
		return -1;
	err = measuring__window(&s, w, e);
	measuring__close(&s);
	return err;
}
