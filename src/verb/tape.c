// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verb/tape.h"
#include "view/number.h"

int tape__open(struct tape *t, const char *path, uint64_t step_ns, bool quiet,
	       const struct window *w, struct error *e)
{
	char text[400];

	*t = (struct tape){.path = path, .step_ns = step_ns, .next_ns = UINT64_MAX};
	if (!path)
		return 0;
	/* a limit to the size of files is an error to tell, as a full disk is */
	signal(SIGXFSZ, SIG_IGN);
	t->recorder = recorder__open(path, w, w->start, text, sizeof(text));
	if (!t->recorder)
		return error__set(
			e, errno == ENOSPC || errno == EFBIG ? STATUS_UNTRUSTED : STATUS_USAGE,
			"cannot record: %s", text);
	t->start_ns = t->last_ns = w->start->time_ns;
	t->next_ns = t->start_ns + step_ns;
	t->progress = !quiet && isatty(STDERR_FILENO);
	return 0;
}

static void say_progress(const struct tape *t)
{
	char a[NUM_LEN], b[NUM_LEN];

	const uint64_t n = recorder__intervals(t->recorder);

	fprintf(stderr, "\rmemcgtop: %s: %s interval%s, %s, ^C ends it \033[K", t->path,
		num__grouped(a, n), n == 1 ? "" : "s", num__bytes(b, recorder__bytes(t->recorder)));
	fflush(stderr);
}

void tape__add(struct tape *t, const struct sample *s, uint64_t now_ns)
{
	if (!t->recorder || t->err)
		return;
	t->err = recorder__add(t->recorder, s);
	if (t->err) {
		t->next_ns = UINT64_MAX;
		return;
	}
	t->last_ns = s->time_ns;
	t->cgroups += s->nrows;
	/* on the grid of steps, so that lateness does not add up; what is past is left out */
	t->next_ns = t->start_ns + ((now_ns - t->start_ns) / t->step_ns + 1) * t->step_ns;
	if (t->progress)
		say_progress(t);
}

static void say_end(const struct tape *t)
{
	const uint64_t n = recorder__intervals(t->recorder);
	const uint64_t bytes = recorder__bytes(t->recorder);
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN], d[NUM_LEN];

	error__say("%s: %s interval%s over %s s, %s (%s bytes a cgroup and interval)", t->path,
		   num__grouped(a, n), n == 1 ? "" : "s",
		   num__fixed(b, (double)(t->last_ns - t->start_ns) / 1e9, 1), num__bytes(c, bytes),
		   num__fixed(d, t->cgroups ? (double)bytes / (double)t->cgroups : 0, 0));
}

int tape__close(struct tape *t, const struct window *w, struct error *e)
{
	char a[NUM_LEN];
	int err;

	if (!t->recorder)
		return 0;
	if (t->progress)
		fputs("\r\033[K", stderr);
	if (!t->err && w->end)
		tape__add(t, w->end, w->end->time_ns);
	if (!t->err)
		t->err = recorder__finish(t->recorder, w);
	say_end(t);
	err = recorder__close(t->recorder);
	t->recorder = NULL;
	if (!t->err)
		t->err = err;
	if (!t->err)
		return 0;
	return error__set(e, STATUS_UNTRUSTED,
			  "the recording %s ends %s s after its start, since %s; what is in it can "
			  "be read, what came later is lost",
			  t->path, num__fixed(a, (double)(t->last_ns - t->start_ns) / 1e9, 1),
			  error__text(t->err));
}
