// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/report_file.h"
#include "sample/recording.h"
#include "verb/sides.h"

/* Intervals are put together until there are no more than these. */
#define INTERVALS_MAX 500
#define RUNS_MAX      (STATS_MAX / 2)

struct paths {
	char **list;
	size_t n;
};

static void paths__release(struct paths *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->list[i]);
	free(p->list);
	*p = (struct paths){};
}

static int out_of_memory(struct error *e)
{
	return error__set(e, STATUS_CANNOT, "out of memory");
}

/* Takes the path, which was allocated. */
static int add_path(struct paths *p, char *path, struct error *e)
{
	char **more = path ? reallocarray(p->list, p->n + 1, sizeof(*more)) : NULL;

	if (!more) {
		free(path);
		return out_of_memory(e);
	}
	p->list = more;
	p->list[p->n++] = path;
	return 0;
}

/* What a replaced recording leaves behind, and what is being written, is no run. */
static int is_run(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return d->d_name[0] != '.' && (n < 4 || strcmp(d->d_name + n - 4, ".old") != 0);
}

static int list_directory(struct paths *p, const char *dir, struct error *e)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_run, alphasort), err = 0;

	if (n < 0)
		return error__set(e, STATUS_USAGE, "cannot list %s: %s", dir, error__text(errno));
	for (int i = 0; i < n; i++) {
		struct stat st;
		char *path;

		if (!err && asprintf(&path, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/",
				     entries[i]->d_name) < 0)
			err = out_of_memory(e);
		else if (!err && !stat(path, &st) && S_ISREG(st.st_mode))
			err = add_path(p, path, e);
		else if (!err)
			free(path);
		free(entries[i]);
	}
	free(entries);
	if (!err && !p->n)
		return error__set(e, STATUS_USAGE,
				  "there is no file in %s: a side of a comparison is what record "
				  "-o, report --save or report --json wrote, one run a file",
				  dir);
	return err;
}

static int list_glob(struct paths *p, const char *name, struct error *e)
{
	glob_t found;
	int err = glob(name, 0, NULL, &found);

	if (err == GLOB_NOMATCH)
		return error__set(e, STATUS_USAGE,
				  "there is no file or directory '%s', and as a pattern it matches "
				  "none",
				  name);
	if (err)
		return error__set(e, STATUS_USAGE, "cannot look for '%s': %s", name,
				  error__text(errno));
	for (size_t i = 0; i < found.gl_pathc && !err; i++)
		err = add_path(p, strdup(found.gl_pathv[i]), e);
	globfree(&found);
	return err;
}

static int list(struct paths *p, const char *name, struct error *e)
{
	struct stat st;
	int err;

	if (stat(name, &st))
		err = list_glob(p, name, e);
	else if (S_ISDIR(st.st_mode))
		err = list_directory(p, name, e);
	else
		err = add_path(p, strdup(name), e);
	if (!err && p->n > RUNS_MAX)
		return error__set(e, STATUS_USAGE, "%s has %zu runs; at most %d are compared", name,
				  p->n, RUNS_MAX);
	return err;
}

static struct recording *open_run(const char *path, struct error *e)
{
	char text[400];
	struct recording *r = recording__open(path, text, sizeof(text));

	if (!r) {
		error__set(
			e, STATUS_USAGE,
			"cannot read %s; a side of a comparison is what record -o, report --save "
			"or report --json wrote",
			text);
		return NULL;
	}
	if (recording__lost(r))
		error__say("%s: %s", path, recording__lost(r));
	return r;
}

static int add_run(struct side *s, struct recording *rec, size_t from, size_t to, const char *path,
		   struct error *e)
{
	struct window w = {};
	struct model m = {};
	char text[400];
	int err = 0;

	if (recording__window(rec, from, to, &w, text, sizeof(text)))
		err = error__set(e, STATUS_USAGE, "cannot read %s", text);
	else if (model__init(&m, &w) || run__init(&s->runs[s->n++], &m, path, !s->within))
		err = out_of_memory(e);
	model__release(&m);
	window__release(&w);
	return err;
}

/* The intervals, put together where they are too many. */
static int add_intervals(struct side *s, struct recording *rec, const char *path, struct error *e)
{
	const size_t n = recording__count(rec) - 1, step = (n + INTERVALS_MAX - 1) / INTERVALS_MAX;
	int err = 0;

	s->runs = calloc(n / step, sizeof(*s->runs));
	if (!s->runs)
		return out_of_memory(e);
	for (size_t i = 0; i + step <= n && !err; i += step)
		err = add_run(s, rec, i, i + step, path, e);
	return err;
}

/* 1: it is no report; 0; or -1. */
static int add_report(struct side *s, const char *path, struct error *e)
{
	char text[400];
	int err = report_file__load(&s->runs[s->n], path, text, sizeof(text));

	if (err == 1)
		return 1;
	s->n++;
	if (err == -EINVAL)
		return error__set(e, STATUS_USAGE, "%s", text);
	return err ? out_of_memory(e) : 0;
}

static int read_side(struct side *s, const struct paths *p, struct error *e)
{
	int err = 0;

	if (!s->within)
		s->runs = calloc(p->n, sizeof(*s->runs));
	if (!s->within && !s->runs)
		return out_of_memory(e);
	for (size_t i = 0; i < p->n && !err; i++) {
		int report = s->within ? 1 : add_report(s, p->list[i], e);
		struct recording *rec = report == 1 ? open_run(p->list[i], e) : NULL;

		if (!report)
			continue;
		if (!rec)
			return -1;
		err = s->within ? add_intervals(s, rec, p->list[i], e)
				: add_run(s, rec, 0, recording__count(rec) - 1, p->list[i], e);
		recording__close(rec);
	}
	return err;
}

/* A single recording, of more than one interval. What cannot be read is told later. */
static bool has_intervals(const struct paths *p)
{
	char text[400];
	struct recording *rec = p->n == 1 ? recording__open(p->list[0], text, sizeof(text)) : NULL;
	bool has = rec && !recording__stored(rec) && recording__count(rec) > 2;

	if (rec)
		recording__close(rec);
	return has;
}

int sides__read(struct side sides[2], const char *const names[2], struct error *e)
{
	struct paths paths[2] = {};
	bool within[2] = {};
	int err = 0;

	for (size_t i = 0; i < 2 && !err; i++) {
		sides[i] = (struct side){.name = names[i]};
		err = list(&paths[i], names[i], e);
		within[i] = !err && has_intervals(&paths[i]);
	}
	for (size_t i = 0; i < 2 && !err; i++) {
		sides[i].within = within[0] && within[1];
		err = read_side(&sides[i], &paths[i], e);
	}
	paths__release(&paths[0]);
	paths__release(&paths[1]);
	return err;
}

void sides__release(struct side sides[2])
{
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < sides[i].n; j++)
			run__release(&sides[i].runs[j]);
		free(sides[i].runs);
		sides[i] = (struct side){};
	}
}
