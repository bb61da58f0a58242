// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of a table. Both forms are a list of nodes that know their parent:
 * rows and the parts of paths between them make a tree, rows and the deleted of
 * one directory the flat list. They get their values, then one sort puts them
 * below their parents and in order.
 *
 * The root cgroup's row stands at the top level for itself, as the line `/` of
 * systemd-cgtop does, not as the parent of all: what all have together is the
 * total above the table, and one level less leaves more room for names.
 */
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/lines.h"
#include "model/sums.h"

struct node {
	enum line_kind kind;
	const struct model_row *row;
	const char *path;
	size_t path_len;
	size_t up; /* 1 + the parent's index; 0: none */
	unsigned int depth;
	bool shown;
	bool has_children; /* that are shown */
	bool folded;
	bool hidden; /* below a folded one */
	size_t cgroups;
	struct sums *sums;
	double value;
	size_t place; /* in the order */
	size_t first; /* the place of its first child */
};

struct work {
	const struct model *m;
	const struct lines_options *o;
	struct node *nodes; /* parents before their children */
	size_t n;
	size_t room;
	size_t matched;
};

/* Parts of a path compare one by one: what is below a cgroup comes right after it. */
static int compare_paths(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t n = alen < blen ? alen : blen, i = 0;

	/* What has no path comes after what has one. */
	if (!a || !b)
		return !a - !b;
	/* in words, as long paths begin alike */
	for (; i + 8 <= n; i += 8)
		if (memcmp(a + i, b + i, 8))
			break;
	while (i < n && a[i] == b[i])
		i++;
	if (i == n || a[i] == '/' || b[i] == '/')
		return i == n ? (alen > blen) - (alen < blen) : a[i] == '/' ? -1 : 1;
	return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
}

/*
 * Eight bytes of a path from a place on up to which all paths are the same, so
 * that they compare as the whole paths do, or are equal: then the rest tells.
 */
static uint64_t head_of(const char *path, size_t len, size_t from)
{
	uint64_t head = 0;

	if (!path)
		return UINT64_MAX;
	for (size_t i = from; i < from + 8; i++) {
		unsigned char c = i < len ? (unsigned char)path[i] : 0;

		head <<= 8;
		/* the end, then `/`, then all others; of 1 and 2 the rest tells */
		if (i < len)
			head |= c == '/' ? 1 : c < 2 ? 2 : c;
		if (i < len && c <= 2)
			return head << 8 * (from + 7 - i);
	}
	return head;
}

/* Up to where all these paths are the same, as far as they are known. */
static size_t common_length(const struct node *nodes, size_t n)
{
	const struct node *first = NULL;
	size_t common = 0;

	for (size_t i = 0; i < n; i++) {
		const struct node *node = &nodes[i];

		if (!node->path)
			continue;
		if (!first) {
			first = node;
			common = node->path_len;
		}
		if (node->path_len < common)
			common = node->path_len;
		while (common && memcmp(first->path, node->path, common))
			common--;
	}
	return common;
}

static uint64_t hash(const char *bytes, size_t len, uint64_t h)
{
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3;
	return h;
}

/* An id never has the top bit: that would take the kernel ages. */
static uint64_t key_of(const struct node *n)
{
	if (n->kind == LINE_CGROUP)
		return n->row->row->id;
	return hash(n->path, n->path ? n->path_len : 0, 0xcbf29ce484222325 + n->kind) | 1ull << 63;
}

/* A word is looked for anywhere, as one types it; a pattern is of the whole path. */
static bool matches(const char *filter, const struct row *r)
{
	const char *path = r->path ? r->path : "";

	if (!filter)
		return true;
	return strpbrk(filter, "*?[") ? !fnmatch(filter, path, 0) : !!strstr(path, filter);
}

/* The index of a new node; NULL nodes: no memory. */
static struct node *add_node(struct work *w, enum line_kind kind, const struct model_row *row)
{
	struct node *n;

	if (w->n == w->room) {
		size_t room = w->room ? 2 * w->room : 256;

		n = realloc(w->nodes, room * sizeof(*n));
		if (!n)
			return NULL;
		w->nodes = n;
		w->room = room;
	}
	n = &w->nodes[w->n++];
	*n = (struct node){.kind = kind, .row = row};
	if (row) {
		n->path = row->row->path;
		n->path_len = n->path ? row->row->path_len : 0;
	}
	return n;
}

/* ---- flat ---- */

struct gone {
	const struct model_row *row;
	size_t parent_len; /* of the path, without the last `/` */
	uint64_t hash;
};

static int compare_parents(const struct gone *x, const struct gone *y)
{
	int order = (x->hash > y->hash) - (x->hash < y->hash);

	if (!order)
		order = (x->parent_len > y->parent_len) - (x->parent_len < y->parent_len);
	return order ? order : memcmp(x->row->row->path, y->row->row->path, x->parent_len);
}

static int compare_gone(const void *a, const void *b)
{
	return compare_parents(a, b);
}

static struct gone gone_of(const struct model_row *r)
{
	const char *slash = memrchr(r->row->path, '/', r->row->path_len);
	size_t len = slash ? (size_t)(slash - r->row->path) : 0;

	return (struct gone){
		.row = r, .parent_len = len, .hash = hash(r->row->path, len, 0xcbf29ce484222325)};
}

static int add_shown(struct work *w, enum line_kind kind, const struct model_row *r)
{
	struct node *n = add_node(w, kind, r);

	if (!n)
		return -ENOMEM;
	n->shown = true;
	n->cgroups = kind == LINE_CGROUP;
	return 0;
}

static int add_dying(struct work *w, const struct gone *gone, size_t n)
{
	bool of_root = !gone->parent_len;
	struct node *node;

	if (n == 1)
		return add_shown(w, LINE_CGROUP, gone->row);
	node = add_node(w, LINE_DYING, NULL);
	if (!node)
		return -ENOMEM;
	node->path = of_root ? "/" : gone->row->row->path;
	node->path_len = of_root ? 1 : gone->parent_len;
	node->shown = true;
	node->cgroups = n;
	node->sums = calloc(1, sizeof(*node->sums));
	if (!node->sums)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sums__add(node->sums, &gone[i].row->scope, true);
	return 0;
}

static int add_all_dying(struct work *w, struct gone *gone, size_t n)
{
	int err = 0;

	qsort(gone, n, sizeof(*gone), compare_gone);
	for (size_t i = 0, next; !err && i < n; i = next) {
		next = i + 1;
		while (next < n && !compare_parents(&gone[i], &gone[next]))
			next++;
		err = add_dying(w, &gone[i], next - i);
	}
	return err;
}

static int add_flat(struct work *w)
{
	struct gone *gone = calloc(w->m->nrows + 1, sizeof(*gone));
	size_t ngone = 0;
	int err = gone ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < w->m->nrows; i++) {
		const struct model_row *r = &w->m->rows[i];
		bool together = r->row->state == ROW_DELETED && r->row->path && !w->o->keep_dying;

		if (r->row->state == ROW_IS_OTHER || !matches(w->o->filter, r->row))
			continue;
		w->matched++;
		if (together)
			gone[ngone++] = gone_of(r);
		else
			err = add_shown(w, LINE_CGROUP, r);
	}
	if (!err)
		err = add_all_dying(w, gone, ngone);
	free(gone);
	return err;
}

/* ---- tree ---- */

/* What its order needs, beside each other: rows are large. */
struct tree_row {
	const char *path;
	size_t len;
	const struct model_row *row;
};

/* Of several cgroups of one path the first has what is below: one that lives, or the newest. */
static int compare_rows(const void *a, const void *b)
{
	const struct tree_row *m = a, *n = b;
	const struct row *x, *y;
	int order = compare_paths(m->path, m->len, n->path, n->len);

	if (order)
		return order;
	x = m->row->row;
	y = n->row->row;
	order = (x->state == ROW_DELETED) - (y->state == ROW_DELETED);
	return order ? order : (x->id < y->id) - (x->id > y->id);
}

static bool is_below(const struct node *n, const char *path, size_t len)
{
	return n->path_len < len && path[n->path_len] == '/' && !memcmp(n->path, path, n->path_len);
}

static void put_below(struct work *w, struct node *n, size_t up)
{
	n->up = up;
	n->depth = up ? w->nodes[up - 1].depth + 1 : 0;
}

/* Where the part of the path that begins at `at` ends; len if there is none. */
static size_t part_end(const char *path, size_t len, size_t at)
{
	while (at < len && path[at] == '/')
		at++;
	while (at < len && path[at] != '/')
		at++;
	return at;
}

/*
 * Adds a row below *up, the last node or one above it, and what is missing
 * between them. *up becomes what the next row may be below.
 */
static int add_branch(struct work *w, const struct model_row *r, size_t *up)
{
	const char *path = r->row->path;
	const size_t len = path ? r->row->path_len : 0;
	const bool root = strspn(path ? path : "", "/") == len;
	struct node *n;
	size_t end;

	while (*up && (root || !is_below(&w->nodes[*up - 1], path, len))) {
		const struct node *top = &w->nodes[*up - 1];

		/* the same path again: beside it */
		if (!root && top->path_len == len && !memcmp(top->path, path, len)) {
			n = add_node(w, LINE_CGROUP, r);
			if (n)
				put_below(w, n, w->nodes[*up - 1].up);
			return n ? 0 : -ENOMEM;
		}
		*up = top->up;
	}
	end = *up ? w->nodes[*up - 1].path_len : 0;
	while (!root && (end = part_end(path, len, end)) < len) {
		n = add_node(w, LINE_PATH, NULL);
		if (!n)
			return -ENOMEM;
		n->path = path;
		n->path_len = end;
		put_below(w, n, *up);
		*up = w->n;
	}
	n = add_node(w, LINE_CGROUP, r);
	if (!n)
		return -ENOMEM;
	put_below(w, n, *up);
	if (!root)
		*up = w->n;
	return 0;
}

/* What matches, and all above it. Children come after their parents. */
static void show_matches(struct work *w)
{
	for (size_t i = w->n; i-- > 0;) {
		struct node *n = &w->nodes[i];

		if (n->row && matches(w->o->filter, n->row->row)) {
			n->shown = true;
			w->matched++;
		}
		if (n->shown && n->up) {
			w->nodes[n->up - 1].shown = true;
			w->nodes[n->up - 1].has_children = true;
		}
	}
}

static void fold(struct work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct node *n = &w->nodes[i];
		const struct node *up = n->up ? &w->nodes[n->up - 1] : NULL;

		n->hidden = up && (up->hidden || up->folded);
		n->folded = n->has_children && w->o->folded && w->o->folded(key_of(n), w->o->arg);
	}
}

static int add_tree(struct work *w)
{
	struct tree_row *rows = calloc(w->m->nrows + 1, sizeof(*rows));
	size_t n = 0, up = 0;
	int err = rows ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < w->m->nrows; i++) {
		const struct row *r = w->m->rows[i].row;

		if (r->state != ROW_IS_OTHER)
			rows[n++] = (struct tree_row){r->path, r->path_len, &w->m->rows[i]};
	}
	if (!err)
		qsort(rows, n, sizeof(rows[0]), compare_rows);
	for (size_t i = 0; !err && i < n; i++)
		err = add_branch(w, rows[i].row, &up);
	free(rows);
	if (err)
		return err;
	show_matches(w);
	fold(w);
	return 0;
}

/* ---- values ---- */

/* Of a row alone; a part of a path has counted nothing, and nobody would have seen it. */
static struct scope own_scope(const struct model *m, const struct node *n)
{
	static const uint64_t nothing[C_NR];

	if (n->row)
		return n->row->scope;
	return (struct scope){.c = nothing, .stock = m->total.stock};
}

/* Of it and all below it. */
static struct scope whole_scope(const struct model *m, const struct node *n)
{
	return n->sums ? sums__scope(n->sums, m, n->row) : own_scope(m, n);
}

/* Times are many numbers: only what is shown or sorted by is added up. */
static bool wants_times(const struct work *w, const struct node *n)
{
	return n->folded || n->hidden || (w->o->sort && w->o->sort->spans);
}

static int add_to(struct work *w, struct node *n, const struct scope *s)
{
	if (!n->sums)
		n->sums = calloc(1, sizeof(*n->sums));
	if (!n->sums)
		return -ENOMEM;
	sums__add(n->sums, s, wants_times(w, n));
	return 0;
}

/* Each is complete when its turn comes, as all below it came before. */
static int evaluate(struct work *w)
{
	for (size_t i = w->n; i-- > 0;) {
		struct node *n = &w->nodes[i];
		struct scope s;

		if (!n->shown)
			continue;
		if (n->sums && n->row)
			sums__add(n->sums, &n->row->scope, wants_times(w, n));
		n->cgroups += w->o->tree && n->kind == LINE_CGROUP;
		s = whole_scope(w->m, n);
		n->value = w->o->sort ? field__value(w->o->sort, &s) : NAN;
		if (n->up) {
			struct node *up = &w->nodes[n->up - 1];

			up->cgroups += n->cgroups;
			if (add_to(w, up, &s))
				return -ENOMEM;
		}
		if (n->has_children && (n->hidden || !n->folded)) {
			free(n->sums);
			n->sums = NULL;
		}
	}
	return 0;
}

/* ---- order ---- */

/* What the order needs, beside each other: nodes are large. */
struct rank {
	size_t up;
	double value;  /* the least comes first */
	int by_path;   /* -1: the other way round */
	uint64_t head; /* of the path: see head_of() */
	size_t nth;    /* of a tree's nodes, which are in the order of their paths */
	const struct node *node;
};

static int compare_nodes(const struct node *x, const struct node *y)
{
	uint64_t a, b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	a = key_of(x);
	b = key_of(y);
	return (a > b) - (a < b);
}

static int compare_ranks(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	const struct node *m = x->node, *n = y->node;
	int order = (x->up > y->up) - (x->up < y->up);

	if (!order)
		order = (m->kind == LINE_OTHER) - (n->kind == LINE_OTHER);
	if (!order)
		order = !!isnan(x->value) - !!isnan(y->value);
	if (!order && !isnan(x->value))
		order = (x->value > y->value) - (x->value < y->value);
	if (!order)
		order = x->by_path * ((x->nth > y->nth) - (x->nth < y->nth));
	if (!order)
		order = x->by_path * ((x->head > y->head) - (x->head < y->head));
	if (!order)
		order = x->by_path * compare_paths(m->path, m->path_len, n->path, n->path_len);
	return order ? order : compare_nodes(m, n);
}

/* The shown nodes, those of one parent beside each other. */
static size_t sort_nodes(struct work *w, struct rank *ranks)
{
	const bool ascending = w->o->ascending;
	const size_t common = w->o->tree ? 0 : common_length(w->nodes, w->n);
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct node *node = &w->nodes[i];

		if (node->shown)
			ranks[n++] = (struct rank){
				.up = node->up,
				.value = ascending ? node->value : -node->value,
				.by_path = ascending && !w->o->sort ? -1 : 1,
				.head = w->o->tree ? 0
						   : head_of(node->path, node->path_len, common),
				.nth = w->o->tree ? i : 0,
				.node = node,
			};
	}
	qsort(ranks, n, sizeof(*ranks), compare_ranks);
	for (size_t i = n; i-- > 0;) {
		w->nodes[ranks[i].node - w->nodes].place = i;
		if (ranks[i].up)
			w->nodes[ranks[i].up - 1].first = i;
	}
	return n;
}

static void emit(struct lines *l, const struct work *w, struct node *n)
{
	struct line *line = &l->list[l->n++];

	*line = (struct line){
		.kind = n->kind,
		.key = key_of(n),
		.row = n->row,
		.path = n->path,
		.path_len = n->path_len,
		.depth = n->depth,
		.has_children = n->has_children,
		.folded = n->folded,
		.cgroups = n->has_children && !n->folded ? !!n->row : n->cgroups,
		.scope = whole_scope(w->m, n),
		.sort_value = n->value,
		.sums = n->sums,
	};
	n->sums = NULL;
}

/* From a node to its first child, to its next sibling, or to the next of those above. */
static void emit_all(struct lines *l, struct work *w, const struct rank *ranks, size_t n)
{
	size_t at = 0;

	while (at < n) {
		struct node *node = &w->nodes[ranks[at].node - w->nodes];

		emit(l, w, node);
		if (node->has_children && !node->folded) {
			at = node->first;
			continue;
		}
		while (at + 1 == n || ranks[at + 1].up != ranks[at].up) {
			if (!ranks[at].up)
				return;
			at = w->nodes[ranks[at].up - 1].place;
		}
		at++;
	}
}

static int order(struct lines *l, struct work *w)
{
	struct rank *ranks = calloc(w->n + 1, sizeof(*ranks));
	int err = -ENOMEM;

	l->list = calloc(w->n + 1, sizeof(l->list[0]));
	if (ranks && l->list) {
		emit_all(l, w, ranks, sort_nodes(w, ranks));
		err = 0;
	}
	free(ranks);
	return err;
}

static int add_other(struct work *w)
{
	for (size_t i = 0; i < w->m->nrows; i++)
		if (w->m->rows[i].row->state == ROW_IS_OTHER)
			return add_shown(w, LINE_OTHER, &w->m->rows[i]);
	return 0;
}

int lines__init(struct lines *l, const struct model *m, const struct lines_options *o)
{
	struct work w = {.m = m, .o = o};
	int err;

	*l = (struct lines){};
	err = o->tree ? add_tree(&w) : add_flat(&w);
	if (!err)
		err = add_other(&w);
	if (!err)
		err = evaluate(&w);
	if (!err)
		err = order(l, &w);
	l->matched = w.matched;
	for (size_t i = 0; i < w.n; i++)
		free(w.nodes[i].sums);
	free(w.nodes);
	if (err)
		lines__release(l);
	return err;
}

void lines__release(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->list[i].sums);
	free(l->list);
	*l = (struct lines){};
}

long lines__find(const struct lines *l, uint64_t key)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->list[i].key == key)
			return (long)i;
	return -1;
}
