// SPDX-License-Identifier: GPL-2.0-only
/* What the lines of the tables are called. */
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

static char *path_name(const struct ui *u, const struct line *l, bool whole)
{
	const unsigned int flags = name__flags(u) | TEXT_UNESCAPE | TEXT_BACKSLASH;
	char *name, *last;

	if (!l->path)
		return asprintf(&name, "(id %" PRIu64 ")", l->row ? l->row->row->id : 0) < 0 ? NULL
											     : name;
	if (whole)
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

static char *line_name(const struct ui *u, const struct line *l, bool whole, char *mark,
		       size_t size)
{
	char *name = NULL;

	*mark = '\0';
	switch (l->kind) {
	case LINE_OTHER:
		name = strdup("(other)");
		break;
	case LINE_DYING:
		snprintf(mark, size, "%s(%zu dying)", u->tree ? "" : " ", l->cgroups);
		name = u->tree ? strdup("") : path_name(u, l, whole);
		break;
	case LINE_CGROUP:
		if (l->row && l->row->row->state == ROW_DELETED)
			snprintf(mark, size, " (del)");
		name = path_name(u, l, whole);
		break;
	case LINE_PATH:
		name = path_name(u, l, whole);
		break;
	}
	return name && u->tree ? branch_name(u, l, name) : name;
}

char *name__of_item(const struct ui *u, const struct item *i, unsigned int view, bool whole,
		    char *mark, size_t mark_size)
{
	if (view == IN_CPUS)
		return cpu_name(&u->seen.model.cpus[i->at], mark, mark_size);
	return line_name(u, &u->lines.list[i->at], whole, mark, mark_size);
}

/* Its length up to the last slash: the parent's. */
static size_t parent_len(const struct line *l)
{
	size_t n = l->path_len;

	while (n && l->path[n - 1] != '/')
		n--;
	return n;
}

bool name__are_twins(const struct ui *u, const struct item *a, const struct item *b)
{
	const struct line *x = &u->lines.list[a->at], *y = &u->lines.list[b->at];

	if (!x->path || !y->path ||
	    (x->path_len == y->path_len && !memcmp(x->path, y->path, x->path_len)))
		return false;
	/* in a tree what is above tells them apart */
	return !u->tree ||
	       (parent_len(x) == parent_len(y) && !memcmp(x->path, y->path, parent_len(x)));
}

char *name__whole(const struct ui *u, const struct item *i, unsigned int view)
{
	const struct line *l;
	char mark[64];

	if (view == IN_CPUS)
		return cpu_name(&u->seen.model.cpus[i->at], mark, sizeof(mark));
	l = &u->lines.list[i->at];
	if (!l->path)
		return line_name(u, l, true, mark, sizeof(mark));
	return text_display(l->path, l->path_len, name__flags(u) | TEXT_UNESCAPE | TEXT_BACKSLASH);
}
