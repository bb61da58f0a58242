// SPDX-License-Identifier: GPL-2.0-only
/* What the lines of the tables are called. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/names.h"
#include "text/utf8.h"
#include "tui/ui_parts.h"

#define INDENT 2 /* of a level of the tree */

unsigned int name__flags(const struct ui *u)
{
	return u->o.ascii ? TEXT_ASCII : 0;
}

static char *cpu_name(const struct model_cpu *c, char *mark, size_t size)
{
	char *name;

	snprintf(mark, size, "%s%s", c->cpu->online ? "" : " (offline)",
		 c->cpu->isolated ? " (isolated)" : "");
	return asprintf(&name, "CPU %u", c->cpu->cpu) < 0 ? NULL : name;
}

/* twin: another cgroup has this name as well. Its whole path, byte by byte, is no other's. */
static char *path_name(const struct ui *u, const struct line *l, bool twin)
{
	const unsigned int flags =
		name__flags(u) | TEXT_BACKSLASH | (twin ? 0 : (unsigned int)TEXT_UNESCAPE);
	char *name, *last;

	if (!l->path)
		return asprintf(&name, "(id %" PRIu64 ")", l->row ? l->row->row->id : 0) < 0 ? NULL
											     : name;
	if (twin || u->full_names)
		name = text_display(l->path, l->path_len, flags);
	else
		name = name__short(l->path, l->path_len, flags);
	if (!name || !u->tree)
		return name;
	/* what is above stands above */
	last = strrchr(name, '/');
	if (last && last[1])
		memmove(name, last + 1, strlen(last));
	return name;
}

/* Indented, with a sign of what is below: "- system", "  + kubepods". */
static char *branch_name(const struct ui *u, const struct line *l, char *name)
{
	const char *sign = "  ";
	char *whole;

	if (l->has_children && u->o.ascii)
		sign = l->folded ? "+ " : "- ";
	else if (l->has_children)
		sign = l->folded ? "\u25b8 " : "\u25be ";
	if (asprintf(&whole, "%*s%s%s", (int)(l->depth * INDENT), "", sign, name) < 0)
		whole = NULL;
	free(name);
	return whole;
}

static char *line_name(const struct ui *u, const struct line *l, char *mark, size_t size)
{
	const bool twin = u->twins && u->twins[l - u->lines.list];
	char *name = NULL;

	*mark = '\0';
	switch (l->kind) {
	case LINE_OTHER:
		name = strdup("(other)");
		break;
	case LINE_DYING:
		snprintf(mark, size, "%s(%zu dying)", u->tree ? "" : " ", l->cgroups);
		name = u->tree ? strdup("") : path_name(u, l, twin);
		break;
	case LINE_CGROUP:
		if (l->row && l->row->row->state == ROW_DELETED)
			snprintf(mark, size, " (del)");
		name = path_name(u, l, twin);
		break;
	case LINE_PATH:
		name = path_name(u, l, twin);
		break;
	}
	return name && u->tree ? branch_name(u, l, name) : name;
}

char *name__of_item(const struct ui *u, const struct item *i, unsigned int view, char *mark,
		    size_t mark_size)
{
	if (view == IN_CPUS)
		return cpu_name(&u->seen.model.cpus[i->at], mark, mark_size);
	return line_name(u, &u->lines.list[i->at], mark, mark_size);
}

/* What a line is called, below which path: in a tree what is above tells names apart. */
struct called {
	char *name;
	const struct line *line;
	size_t parent_len; /* of the line's path; flat: 0 */
};

static int compare_called(const void *a, const void *b)
{
	const struct called *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = (x->parent_len > y->parent_len) - (x->parent_len < y->parent_len);
	return order ? order : memcmp(x->line->path, y->line->path, x->parent_len);
}

static bool same_path(const struct line *a, const struct line *b)
{
	return a->path_len == b->path_len && !memcmp(a->path, b->path, a->path_len);
}

/* Those that are called the same, as a deleted cgroup and its successor may be by right. */
static void mark_twins(const struct ui *u, const struct called *list, size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		bool differ = false;

		for (next = i + 1; next < n && !compare_called(&list[i], &list[next]); next++)
			differ |= !same_path(list[i].line, list[next].line);
		for (size_t j = i; differ && j < next; j++)
			u->twins[list[j].line - u->lines.list] = true;
	}
}

static size_t parent_len(const struct line *l)
{
	size_t n = l->path_len;

	while (n && l->path[n - 1] != '/')
		n--;
	return n;
}

int name__find_twins(struct ui *u)
{
	const size_t lines = u->lines.n;
	struct called *list = calloc(lines + 1, sizeof(list[0]));
	size_t n = 0;
	bool failed;

	u->twins = calloc(lines + 1, sizeof(u->twins[0]));
	failed = !list || !u->twins;
	for (size_t i = 0; !failed && i < lines; i++) {
		const struct line *l = &u->lines.list[i];

		/* dying ones have their parent's name, and its place in a tree */
		if (!l->path || (u->tree && l->kind == LINE_DYING))
			continue;
		list[n] = (struct called){path_name(u, l, false), l, u->tree ? parent_len(l) : 0};
		failed = !list[n].name;
		n += !failed;
	}
	if (!failed) {
		qsort(list, n, sizeof(list[0]), compare_called);
		mark_twins(u, list, n);
	}
	while (n)
		free(list[--n].name);
	free(list);
	return failed ? -ENOMEM : 0;
}

char *name__whole(const struct ui *u, const struct item *i, unsigned int view)
{
	const struct line *l;
	char mark[64];

	if (view == IN_CPUS)
		return cpu_name(&u->seen.model.cpus[i->at], mark, sizeof(mark));
	l = &u->lines.list[i->at];
	if (!l->path)
		return line_name(u, l, mark, sizeof(mark));
	return text_display(l->path, l->path_len, name__flags(u) | TEXT_UNESCAPE | TEXT_BACKSLASH);
}
