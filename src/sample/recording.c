// SPDX-License-Identifier: GPL-2.0-only
/* Reads a recording: its samples in any order, and how it was made. */
#include "sample/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sample/record_apply.h"
#include "sample/recording_file.h"
#include "sample/store_parts.h"

/* What a file is worth, beside what any may cost: see struct record_limits. */
#define ITEMS_MIN 4096u
#define CELLS_MIN (1u << 20)

struct recording {
	char *path;
	struct recording_file file;
	struct window window; /* how it was taken; of a stored window its samples too */
	bool stored;
	struct record_state state; /* the sample that was read last */
	size_t at;		   /* its number, if there is one */
	char *lost;
};

static bool out_of_memory(struct loader *l)
{
	loader__fault(l, -ENOMEM, "not enough memory");
	return false;
}

static struct loader loader_of(const char *path, char *err, size_t n)
{
	if (n)
		*err = '\0';
	return (struct loader){.file = path, .err = err, .n = n};
}

/* 2026-12-01T04:46:01Z */
static void date(char room[32], int64_t wall_ms)
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm tm;

	if (wall_ms < 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(room, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(room, 32, "its last interval");
}

static void read_header(struct recording *r, struct loader *l)
{
	json_t *doc = recording_file__read(&r->file, &r->file.header, l);
	struct window *w = &r->window;

	if (!l->rc && !json_is_object(doc))
		loader__fault(l, -EINVAL, "no recording of memcgtop: its header is no object");
	if (!l->rc)
		store__check_schema(l, doc, RECORD_FAMILY, RECORD_VERSION);
	store__get_tool(l, doc, w);
	store__get_command(l, doc, &w->command);
	w->interval_ns = loader__u64(l, doc, "interval_ns");
	w->end_reason = END_INTERRUPTED;
	w->command.exit = w->command.argv ? -1 : 0;
	w->command.signal = 0;
	json_decref(doc);
}

/* What it ended with, if that is whole: the samples are there without it. */
static void read_end(struct recording *r)
{
	char sentence[256];
	struct loader l = loader_of(r->path, sentence, sizeof(sentence));
	struct window w = {0};
	json_t *doc;

	if (!r->file.end.head.kind)
		return;
	doc = recording_file__read(&r->file, &r->file.end, &l);
	w.end_reason = loader__name(&l, doc, "end_reason", end_reason_names, 3);
	store__get_command(&l, doc, &w.command);
	json_decref(doc);
	if (l.rc) {
		window__release(&w);
		r->file.whole = r->file.end.at;
		recording_file__cut(&r->file, r->file.n, "its end cannot be read");
		return;
	}
	command__release(&r->window.command);
	r->window.command = w.command;
	r->window.end_reason = w.end_reason;
}

/* Makes the i-th sample of the state before it, or of nothing. */
static bool step_to(struct recording *r, size_t i, struct loader *l)
{
	const struct chunk *c = &r->file.samples[i];
	size_t old = loader__enter(l, "sample %zu", i);
	json_t *doc = recording_file__read(&r->file, c, l);

	if (!l->rc)
		record__apply(l, doc, c->head.kind == RECORD_WHOLE, &r->state);
	json_decref(doc);
	if (!l->rc &&
	    (r->state.s->time_ns != c->head.time_ns || r->state.s->wall_ms != c->head.wall_ms))
		loader__fault(l, -EINVAL, "damaged at byte %" PRIu64 ": two times of one sample",
			      c->at);
	loader__leave(l, old);
	r->at = i;
	if (!l->rc)
		return true;
	sample__free(r->state.s);
	r->state.s = NULL;
	return false;
}

static bool go_to(struct recording *r, size_t i, struct loader *l)
{
	size_t from = i;

	while (from && r->file.samples[from].head.kind != RECORD_WHOLE &&
	       !(r->state.s && r->at == from - 1))
		from--;
	if (r->state.s && r->at == i)
		return true;
	for (; from <= i; from++)
		if (!step_to(r, from, l))
			return false;
	return true;
}

/* After a crash of the machine the last chunks may be there without what was in them. */
static void cut_damaged_end(struct recording *r)
{
	size_t n = r->file.n;

	while (!r->file.end.head.kind && n > 1) {
		char sentence[256];
		struct loader l = loader_of(r->path, sentence, sizeof(sentence));

		json_decref(recording_file__read(&r->file, &r->file.samples[n - 1], &l));
		if (!l.rc)
			break;
		n--;
	}
	if (n < r->file.n)
		recording_file__cut(&r->file, n, "what is in the chunk is damaged");
}

static void say_lost(struct recording *r, struct loader *l)
{
	const struct recording_file *f = &r->file;
	uint64_t left = f->size - f->whole;
	char when[32];
	int n;

	if (f->end.head.kind && !left)
		return;
	date(when, f->samples[f->n - 1].head.wall_ms);
	if (f->end.head.kind)
		n = asprintf(&r->lost,
			     "%s: %" PRIu64 " bytes behind the recording's end are not read",
			     r->path, left);
	else if (f->damage)
		n = asprintf(&r->lost,
			     "%s: damaged at byte %" PRIu64 " (%s): its last %" PRIu64
			     " bytes cannot be read, so nothing is known after %s",
			     r->path, f->whole, f->damage, left, when);
	else if (left)
		n = asprintf(&r->lost,
			     "%s: cut short: its last %" PRIu64
			     " bytes are not a whole interval, so "
			     "nothing is known after %s",
			     r->path, left, when);
	else
		n = asprintf(&r->lost,
			     "%s: was not ended: its recorder was killed or still writes, so "
			     "nothing is known after %s",
			     r->path, when);
	if (n < 0) {
		r->lost = NULL;
		out_of_memory(l);
	} else {
		store__disarm(r->lost);
	}
}

static void open_file(struct recording *r, struct loader *l)
{
	struct record_limits *limits = &r->state.limits;

	recording_file__open(&r->file, l);
	if (l->rc)
		return;
	read_header(r, l);
	if (!l->rc && !r->file.n)
		loader__fault(l, -EINVAL, "not one whole sample is in it%s%s",
			      r->file.damage ? ": " : "", r->file.damage ? r->file.damage : "");
	if (l->rc)
		return;
	limits->items = ITEMS_MIN + r->file.size / 4;
	limits->cells = CELLS_MIN + r->file.size * 64;
	if (limits->cells > CELLS_MAX)
		limits->cells = CELLS_MAX;
	read_end(r);
	cut_damaged_end(r);
	go_to(r, 0, l);
	if (!l->rc)
		say_lost(r, l);
}

/* JSON, or what cannot be read from any place: a stored window may come from a pipe. */
static bool is_window(int fd)
{
	struct stat st;
	char first;

	if (!fstat(fd, &st) && !S_ISREG(st.st_mode))
		return true;
	return pread(fd, &first, 1, 0) == 1 && strchr("{[ \t\r\n", first) && first;
}

static void open_window(struct recording *r, struct loader *l)
{
	l->rc = window__load(&r->window, r->path, l->err, l->n);
	r->stored = true;
}

struct recording *recording__open(const char *path, char *err, size_t n)
{
	struct recording *r = calloc(1, sizeof(*r));
	struct loader l = loader_of(path, err, n);

	if (r)
		r->file.fd = -1;
	if (r)
		r->path = strdup(path);
	if (!r || !r->path)
		out_of_memory(&l);
	else
		r->file.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (!l.rc && r->file.fd < 0)
		loader__fault(&l, -errno, "%s", strerror(errno));
	else if (!l.rc && is_window(r->file.fd))
		open_window(r, &l);
	else if (!l.rc)
		open_file(r, &l);
	if (!l.rc)
		return r;
	store__disarm(err);
	recording__close(r);
	errno = -l.rc;
	return NULL;
}

void recording__close(struct recording *r)
{
	if (!r)
		return;
	recording_file__close(&r->file);
	record__release(&r->state);
	window__release(&r->window);
	free(r->lost);
	free(r->path);
	free(r);
}

bool recording__stored(const struct recording *r)
{
	return r->stored;
}

size_t recording__count(const struct recording *r)
{
	if (r->stored)
		return r->window.start ? 2 : 1;
	return r->file.n;
}

static const struct sample *stored_sample(const struct recording *r, size_t i)
{
	return i || !r->window.start ? r->window.end : r->window.start;
}

struct moment recording__moment(const struct recording *r, size_t i)
{
	const struct sample *s;

	if (!r->stored)
		return (struct moment){r->file.samples[i].head.time_ns,
				       r->file.samples[i].head.wall_ms};
	s = stored_sample(r, i);
	return (struct moment){s->time_ns, s->wall_ms};
}

size_t recording__find(const struct recording *r, uint64_t time_ns)
{
	size_t low = 0, high = recording__count(r);

	/* the first that is later lies in low..high */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (recording__moment(r, middle).time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

struct sample *recording__sample(struct recording *r, size_t i, char *err, size_t n)
{
	struct loader l = loader_of(r->path, err, n);
	struct sample *s = NULL;

	if (i >= recording__count(r))
		loader__fault(&l, -ERANGE, "it has no sample %zu", i);
	else if (r->stored)
		s = sample__copy(stored_sample(r, i));
	else if (go_to(r, i, &l))
		s = sample__copy(r->state.s);
	if (!s && !l.rc)
		out_of_memory(&l);
	if (l.rc)
		store__disarm(err);
	return s;
}

const char *recording__lost(const struct recording *r)
{
	return r->lost;
}

static char **copy_argv(char *const *argv, bool *failed)
{
	size_t n = 0;
	char **copy;

	if (!argv)
		return NULL;
	while (argv[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	*failed |= !copy;
	for (size_t i = 0; i < n && !*failed; i++) {
		copy[i] = strdup(argv[i]);
		*failed = !copy[i];
	}
	return copy;
}

static uint64_t *copy_counts(const uint64_t *counts, size_t n, bool *failed)
{
	uint64_t *copy = calloc(n + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, counts, n * sizeof(*copy));
	*failed |= !copy;
	return copy;
}

/* A stored window has its own, and not the samples to make them of. */
static void copy_intervals(const struct window *from, struct window *to, bool *failed)
{
	const size_t n = from->end->ncpus;

	to->intervals = calloc(from->nintervals + 1, sizeof(*to->intervals));
	*failed |= !to->intervals;
	while (!*failed && to->nintervals < from->nintervals) {
		const struct interval *i = &from->intervals[to->nintervals];

		to->intervals[to->nintervals++] = (struct interval){
			.end_ns = i->end_ns,
			.charges = copy_counts(i->charges, n, failed),
			.misses = copy_counts(i->misses, n, failed),
		};
	}
}

int recording__window(struct recording *r, size_t from, size_t to, struct window *w, char *err,
		      size_t n)
{
	struct loader l = loader_of(r->path, err, n);
	bool failed = false;

	*w = (struct window){
		.end_reason = r->window.end_reason,
		.interval_ns = r->window.interval_ns,
		.tool_argv = copy_argv(r->window.tool_argv, &failed),
		.version = r->window.version ? strdup(r->window.version) : NULL,
	};
	failed |= command__copy(&w->command, &r->window.command);
	if (r->window.intervals && to > from)
		copy_intervals(&r->window, w, &failed);
	if (failed || (r->window.version && !w->version))
		out_of_memory(&l);
	else if (from > to)
		loader__fault(&l, -ERANGE, "sample %zu is not before sample %zu", from, to);
	else if (!r->stored || r->window.start)
		w->start = recording__sample(r, from, err, n);
	if (!l.rc && (w->start || (r->stored && !r->window.start)))
		w->end = recording__sample(r, to, err, n);
	if (w->end)
		return 0;
	window__release(w);
	return l.rc ? l.rc : -EINVAL;
}
