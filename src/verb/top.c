// SPDX-License-Identifier: GPL-2.0-only
/* The live screen, of the probes or of a recording; a batch where there is no terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "main.h"
#include "tui/term.h"
#include "tui/ui.h"
#include "verb/batch.h"
#include "verb/feed.h"
#include "verb/look.h"
#include "verb/wait.h"

#define HISTORY 60 /* intervals before the one that is jumped to */

struct top {
	struct feed *feed;
	struct term *term;
	struct screen *screen;
	struct ui *ui;
	uint64_t intervals; /* shown so far */
	size_t at;	    /* recording: the sample that is shown */
	uint64_t play_ns;   /* CLOCK_MONOTONIC: recording: when the next one is due */
	bool quit;
	bool draw;
};

static int show_sample(struct top *t, struct sample *s, struct error *e)
{
	t->draw = true;
	if (!ui__sample(t->ui, s))
		return 0;
	return error__set(e, STATUS_CANNOT, "out of memory");
}

/* A sample that cannot be had is told, and the next may do. */
static int next_live(struct top *t, struct error *e)
{
	const uint64_t count = t->feed->o->count;
	struct error why = {};
	struct sample *s = feed__sample(t->feed, &why);

	t->draw = true;
	if (!s) {
		ui__message(t->ui, why.text);
		return 0;
	}
	if (show_sample(t, s, e))
		return -1;
	t->quit = count && t->intervals++ >= count;
	return 0;
}

static struct sample *recorded(struct top *t, size_t i, struct error *e)
{
	char text[400];
	struct sample *s = recording__sample(t->feed->rec, i, text, sizeof(text));

	if (!s)
		error__set(e, STATUS_USAGE, "cannot read %s", text);
	return s;
}

/* When the one behind the sample that is shown comes, at the speed of the ui. */
static void plan_play(struct top *t)
{
	const struct recording *r = t->feed->rec;
	const double speed = ui__speed(t->ui);

	t->play_ns = UINT64_MAX;
	if (speed > 0 && t->at < t->feed->to)
		t->play_ns =
			now_ns() + (uint64_t)((double)(recording__moment(r, t->at + 1).time_ns -
						       recording__moment(r, t->at).time_ns) /
					      speed);
}

static void arrive(struct top *t, size_t at)
{
	t->at = at;
	ui__position(t->ui, at - t->feed->from, t->feed->to - t->feed->from);
	plan_play(t);
}

/* The interval that ends with that sample, and those before it for the history. */
static int jump(struct top *t, size_t at, struct error *e)
{
	const size_t from = t->feed->from;
	size_t i = at > from + HISTORY ? at - HISTORY : from;
	struct sample *first, *before, *now;

	first = recorded(t, from, e);
	before = recorded(t, i, e);
	now = recorded(t, ++i, e);
	if (!first || !before || !now) {
		sample__free(first);
		sample__free(before);
		sample__free(now);
		return -1;
	}
	if (ui__jump(t->ui, first, before, now))
		return error__set(e, STATUS_CANNOT, "out of memory");
	while (i < at) {
		now = recorded(t, ++i, e);
		if (!now || show_sample(t, now, e))
			return -1;
	}
	arrive(t, at);
	t->draw = true;
	return 0;
}

static int play(struct top *t, struct error *e)
{
	struct sample *s = recorded(t, t->at + 1, e);

	if (!s || show_sample(t, s, e))
		return -1;
	arrive(t, t->at + 1);
	return 0;
}

/* The place in the recording that a key asks for: the first interval at least, the last at most. */
static size_t place(const struct top *t, const struct ui_seek *seek)
{
	const struct recording *r = t->feed->rec;
	const size_t from = t->feed->from + 1, to = t->feed->to;
	const struct moment now = recording__moment(r, t->at);
	double ns = (double)now.time_ns, i = (double)t->at;

	/* cut short in its first interval */
	if (from > to)
		return t->at;
	switch (seek->how) {
	case SEEK_STEP:
		i += seek->value;
		break;
	case SEEK_SECONDS:
		ns += seek->value * 1e9;
		i = (double)recording__find(r, ns > 0 ? (uint64_t)ns : 0);
		break;
	case SEEK_TIME:
		ns += (seek->value - (double)now.wall_ms) * 1e6;
		i = (double)recording__find(r, ns > 0 ? (uint64_t)ns : 0);
		break;
	case SEEK_FIRST:
		return from;
	case SEEK_LAST:
		return to;
	}
	return i <= (double)from ? from : i >= (double)to ? to : (size_t)i;
}

static int seek(struct top *t, struct error *e)
{
	const struct ui_seek seek = ui__seek(t->ui);
	const size_t at = place(t, &seek);

	if (at == t->at + 1)
		return play(t, e);
	if (at != t->at)
		return jump(t, at, e);
	plan_play(t);
	return 0;
}

static int key(struct top *t, int key, struct error *e)
{
	const unsigned int todo = ui__key(t->ui, key);

	t->draw |= todo != UI_NOTHING;
	t->quit |= todo & UI_QUIT;
	if (todo & UI_SUSPEND)
		term__suspend(t->term);
	if (todo & UI_REDRAW)
		term__redraw(t->term);
	if (todo & UI_INTERVAL && t->feed->live)
		feed__set_step(t->feed, ui__interval(t->ui));
	if (todo & UI_SAMPLE && t->feed->live)
		return next_live(t, e);
	if (t->feed->rec && todo & UI_SEEK)
		return seek(t, e);
	if (t->feed->rec && todo)
		plan_play(t);
	return 0;
}

static void draw(struct top *t)
{
	int width, height;

	term__size(t->term, &width, &height);
	if (screen__resize(t->screen, width, height))
		return;
	ui__draw(t->ui, t->screen);
	term__flush(t->term, t->screen);
	t->draw = false;
}

/* Milliseconds until there is something to do beside keys. */
static int patience(struct top *t)
{
	const uint64_t tick = now_ns() + TICK_NS; /* signals are looked for so often */
	uint64_t due = t->feed->live ? feed__tick(t->feed) : t->play_ns, now = now_ns();

	if (due > tick)
		due = tick;
	return due > now ? (int)((due - now) / 1000000) + 1 : 0;
}

static bool is_due(const struct top *t)
{
	return now_ns() >= (t->feed->live ? t->feed->next_ns : t->play_ns);
}

static int loop(struct top *t, struct error *e)
{
	while (!t->quit) {
		siginfo_t info;
		int k, err = 0;

		if (t->draw)
			draw(t);
		k = term__key(t->term, patience(t));
		if (wait__until(&t->feed->signals, 0, &info) > 0 && info.si_signo != SIGCHLD)
			break;
		if (k != K_NONE)
			err = key(t, k, e);
		if (!err && !t->quit && is_due(t))
			err = t->feed->live ? next_live(t, e) : play(t, e);
		if (err)
			return -1;
	}
	return 0;
}

static struct ui *new_ui(const struct options *o, const struct feed *f, const struct term *term)
{
	const struct ui_options u = {
		.ascii = term__ascii(term),
		.tree = o->tree,
		.full_names = o->full_names,
		.filter = o->filter,
		.columns = o->columns,
		.sort = o->sort ? field__find(o->sort) : NULL,
		.interval_ns = f->step_ns,
		.hold_budget_ns = o->hold_budget_ns,
		.replay = f->rec != NULL,
	};

	return ui__new(&u);
}

static int begin(struct top *t, struct error *e)
{
	struct sample *s;

	if (t->feed->rec && t->feed->to > t->feed->from)
		return jump(t, t->feed->from + 1, e);
	s = feed__sample(t->feed, e);
	return s ? show_sample(t, s, e) : -1;
}

static int on_terminal(struct feed *f, struct term *term, struct error *e)
{
	struct top t = {.feed = f, .term = term, .play_ns = UINT64_MAX};
	int err;

	t.screen = screen__new(1, 1);
	t.ui = new_ui(f->o, f, term);
	if (!t.screen || !t.ui)
		err = error__set(e, STATUS_CANNOT, "out of memory");
	else
		err = begin(&t, e) || loop(&t, e) ? -1 : STATUS_OK;
	term__close(term);
	ui__free(t.ui);
	screen__free(t.screen);
	return err;
}

/* The terminal, or NULL: it is a batch then, and why is said if that may surprise. */
static struct term *open_terminal(const struct options *o)
{
	const char *why = NULL;
	struct term *t;

	if (o->batch || o->out || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return NULL;
	t = term__open(!look__colored(o), o->ascii, &why);
	if (!t && !o->quiet)
		error__say("%s: one block an interval instead, as with -b", why);
	return t;
}

int verb_top(const struct options *o, struct error *e)
{
	struct term *term;
	struct feed f;
	int status;

	if (feed__open(&f, o, e))
		return -1;
	/* only now: until here there may be something to tell */
	term = open_terminal(o);
	status = term ? on_terminal(&f, term, e) : batch(&f, e);
	feed__close(&f);
	return status;
}
