// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probe/live.h"
#include "verb/command.h"
#include "verb/measure.h"
#include "verb/timeline.h"

#define NS_PER_S	 1000000000ull
#define DURATION_DEFAULT (10 * NS_PER_S)
/* Short, since a cgroup may be gone soon, and its name with it. */
#define TICK_NS		 (NS_PER_S / 4)

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* What ends or moves a window on. SIGCHLD is asked for so that CMD's end wakes us. */
static void block_signals(sigset_t *set, sigset_t *before)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction now;
	size_t i;

	sigemptyset(set);
	/* what is ignored stays so (nohup): blocked, it would be queued and end the window */
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(set, ends[i]);
	sigaddset(set, SIGCHLD);
	sigprocmask(SIG_BLOCK, set, before);
	/* who started us may have ignored it; then CMD would end unseen */
	signal(SIGCHLD, SIG_DFL);
}

/* The next signal, or 0 when the time has come. */
static int wait_until(const sigset_t *set, uint64_t until, siginfo_t *info)
{
	uint64_t now = now_ns(), left = until > now ? until - now : 0;
	struct timespec ts = {(time_t)(left / NS_PER_S), (long)(left % NS_PER_S)};
	int sig = sigtimedwait(set, info, &ts);

	return sig > 0 ? sig : 0;
}

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
static void cut(struct live *l, struct timeline *t)
{
	uint64_t start = now_ns();
	struct error ignored = {};
	struct sample *s = live__sample(l, &ignored);
	uint64_t now = now_ns();

	timeline__cut(t, s, now, now - start);
	sample__free(s);
}

/* Runs the window until then; returns why it ended. */
static enum end_reason run(struct live *l, struct child *c, struct command *cmd,
			   const sigset_t *signals, struct timeline *t, uint64_t end)
{
	uint64_t tick = now_ns() + TICK_NS;

	for (;;) {
		siginfo_t info;
		int sig = wait_until(signals, first(first(tick, t->next_ns), end), &info);

		if (sig == SIGCHLD) {
			if (command__ended(c, cmd))
				return END_COMMAND;
			continue;
		}
		if (sig) {
			/* a terminal's ^C reached CMD already; what kill(1) sends comes to us alone */
			if (info.si_code != SI_KERNEL)
				command__signal(c, sig);
			return END_INTERRUPTED;
		}
		if (now_ns() >= end)
			return END_DURATION;
		if (now_ns() >= tick) {
			live__tick(l);
			/* from now: after a stall none is made up for */
			tick = now_ns() + TICK_NS;
		}
		if (now_ns() >= t->next_ns)
			cut(l, t);
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

static void say_start(const struct options *o, const struct sample *s)
{
	size_t attached = 0, wanted = 0, i;
	char text[64];

	if (o->quiet)
		return;
	for (i = 0; i < s->nprobes; i++) {
		attached += s->probes[i].state == PROBE_ATTACHED;
		wanted += s->probes[i].state != PROBE_NOT_NEEDED;
	}
	snprintf(text, sizeof(text), "for %g s, ^C ends it early",
		 (double)(o->duration_ns ? o->duration_ns : DURATION_DEFAULT) / NS_PER_S);
	if (o->command && !o->duration_ns)
		error__say("%zu of %zu hooks attached to %s; measuring while %s runs", attached,
			   wanted, s->host.kernel, o->command[0]);
	else
		error__say("%zu of %zu hooks attached to %s; measuring %s", attached, wanted,
			   s->host.kernel, o->duration_ns == DURATION_INF ? "until ^C" : text);
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
	if (!w->version || copy_argv(&w->tool_argv, o->tool_argv))
		return -1;
	return o->command ? copy_argv(&w->command.argv, o->command) : 0;
}

static int measure_with(const struct options *o, struct live *l, struct child *c,
			const sigset_t *signals, struct window *w, struct error *e)
{
	struct timeline t;
	uint64_t start, end;

	w->start = live__sample(l, e);
	if (!w->start)
		return -1;
	say_start(o, w->start);
	start = now_ns();
	end = end_of(o, start);
	timeline__init(&t, w->start, end == UINT64_MAX ? end : end - start, o->interval_ns);
	command__go(c);
	w->end_reason = run(l, c, &w->command, signals, &t, end);
	w->end = live__sample(l, e);
	if (w->end_reason == END_INTERRUPTED)
		see_it_end(c, &w->command);
	/* without memory for it the window is as good, but for the strip */
	if (w->end)
		timeline__finish(&t, w);
	timeline__release(&t);
	return w->end ? 0 : -1;
}

int measure(const struct options *o, struct window *w, struct error *e)
{
	struct child child = {};
	sigset_t signals, before;
	struct live *l;
	int err;

	memset(w, 0, sizeof(*w));
	if (o->command && command__check(o->command, e))
		return -1;
	if (describe_run(o, w))
		return error__set(e, STATUS_CANNOT, "out of memory");
	l = live__open(&o->live, e);
	if (!l)
		return -1;
	if (live__unseen(l) && !o->quiet)
		error__say("cgroups may have no names: %s", live__unseen(l));
	/* from here on a signal ends the window, not us: nothing stays attached */
	block_signals(&signals, &before);
	err = o->command ? command__start(&child, o->command, o->out != NULL, e) : 0;
	if (!err) {
		err = measure_with(o, l, &child, &signals, w, e);
		if (err)
			command__signal(&child, SIGKILL);
	}
	live__close(l);
	/* a second ^C is for us */
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}
