// SPDX-License-Identifier: GPL-2.0-only
/* The list of conditions: from the command line, and from files that a project keeps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/gate.h"

/* What no file of conditions is: a device that never ends, or a core dump by mistake. */
#define CONDITIONS_MAX 10000u
#define LINE_MAX_LEN   4096u

int gate__add(struct gate *g, const char *text, const char *file, unsigned int line,
	      struct error *e)
{
	struct gate_condition *c = realloc(g->conditions, (g->nconditions + 1) * sizeof(c[0]));
	struct error inner = {};

	if (!c)
		return error__set(e, STATUS_CANNOT, "out of memory");
	g->conditions = c;
	c = &c[g->nconditions];
	*c = (struct gate_condition){.line = line};
	if (expr__parse(&c->expr, text, &inner)) {
		if (!file)
			return error__set(e, inner.status, "%s", inner.text);
		return error__set(e, inner.status, "%s:%u: %s", file, line, inner.text);
	}
	c->file = file ? strdup(file) : NULL;
	g->nconditions++;
	return file && !c->file ? error__set(e, STATUS_CANNOT, "out of memory") : 0;
}

/* A comment begins with a # at the line's start or behind a blank, but not in quotes. */
static void cut_comment(char *line)
{
	bool quoted = false;

	line[strcspn(line, "\r\n")] = '\0';
	for (char *c = line; *c; c++) {
		quoted ^= *c == '"';
		if (*c != '#' || quoted || (c > line && !strchr(" \t", c[-1])))
			continue;
		*c = '\0';
		return;
	}
}

/* A whole line, and text: what is too long, or has a NUL, is cut off without an end. */
static bool is_text(const char *line, FILE *f)
{
	size_t len = strlen(line);

	return len && (line[len - 1] == '\n' || (len < LINE_MAX_LEN - 1 && feof(f)));
}

static int read_lines(struct gate *g, FILE *f, const char *path, struct error *e)
{
	char line[LINE_MAX_LEN];
	unsigned int nr = 0;
	int err = 0;

	while (!err && fgets(line, sizeof(line), f)) {
		if (++nr > CONDITIONS_MAX || !is_text(line, f))
			return error__set(e, STATUS_USAGE,
					  "%s:%u: that is no file of conditions, which has one a "
					  "line, such as miss_ratio > 2%%",
					  path, nr);
		cut_comment(line);
		if (line[strspn(line, " \t")])
			err = gate__add(g, line, path, nr, e);
	}
	if (!err && ferror(f))
		err = error__set(e, STATUS_USAGE, "cannot read %s: %s", path, error__text(errno));
	return err;
}

int gate__read_config(struct gate *g, const char *path, struct error *e)
{
	const size_t before = g->nconditions;
	FILE *f = fopen(path, "re");
	int err;

	if (!f)
		return error__set(
			e, STATUS_USAGE,
			"cannot read %s: %s; --config takes a file with a condition a line", path,
			error__text(errno));
	err = read_lines(g, f, path, e);
	fclose(f);
	if (!err && g->nconditions == before)
		return error__set(e, STATUS_USAGE, "%s has no condition, such as miss_ratio > 2%%",
				  path);
	return err;
}
