/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a table of cgroups: a model's rows in the order of the screen,
 * flat or as a tree, with the sums of what is folded. Pure.
 */
#ifndef MEMCGTOP_LINES_H
#define MEMCGTOP_LINES_H

#include "model/model.h"

enum line_kind {
	LINE_CGROUP, /* one row */
	LINE_PATH,   /* tree: a part of a path that has no row of its own */
	LINE_DYING,  /* the deleted cgroups of one parent, together */
	LINE_OTHER,  /* what found no row */
};

struct line {
	enum line_kind kind;
	uint64_t key; /* stays with the line from window to window: selections keep it */
	const struct model_row *row; /* NULL: it has none of its own */
	const char *path;	     /* bytes below the cgroup root; NULL: unknown */
	size_t path_len;	     /* of LINE_PATH and LINE_DYING the parent's */
	unsigned int depth;	     /* in the tree; flat: 0 */
	bool has_children;
	bool folded;	    /* the values are the sums of it and all below */
	size_t cgroups;	    /* that it stands for */
	struct scope scope; /* values to show; what does not add up is unknown in a sum */
	double sort_value;  /* NAN: none; such lines come last */
	void *sums;	    /* what the scope of a sum points to; of lines.c */
};

struct lines {
	struct line *list;
	size_t n;
	size_t matched; /* cgroups that passed the filter, hidden ones included */
};

struct lines_options {
	bool tree;
	bool keep_dying;	  /* flat: a line each for deleted cgroups */
	bool ascending;		  /* turned round; what has no value stays last */
	const struct field *sort; /* of a cgroup; NULL: by path */
	/* fnmatch over the whole path, `*` crosses `/`; without any of `*?[` a part of it; NULL: all */
	const char *filter;
	bool (*folded)(uint64_t key, void *arg); /* tree; NULL: none is */
	void *arg;
};

/*
 * Flat: a line a cgroup; those that did nothing in the window are there as well.
 * Tree: children under their parents, each level sorted by what the subtree
 * has; above a match all stay; the root's row stands for itself. `other` is
 * last. 0 or -ENOMEM. The model must outlive it, and not be sorted anew.
 */
int lines__init(struct lines *l, const struct model *m, const struct lines_options *o);

void lines__release(struct lines *l);

/* The line of that key, or -1. */
long lines__find(const struct lines *l, uint64_t key);

#endif
