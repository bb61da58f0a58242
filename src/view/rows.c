// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of cgroups and CPUs. Its columns are fields; those that this
 * design has not are left out, and the least needed go first where the page
 * is narrow.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/number.h"
#include "view/text.h"

#define NAME_MIN   20 /* columns that a name gets before other columns give way */
#define NAME_WHOLE 4096
#define COLUMNS	   16
#define CELL	   NUM_LEN

struct column {
	const char *key; /* NULL: the largest miss reason */
	int keep;	 /* the lowest is dropped first */
	const struct field *field;
	int width;
};

static const struct column standard[] = {
	{.key = "charges", .keep = 11},	     {.key = "misses", .keep = 10},
	{.key = "miss_ratio", .keep = 9},    {.key = NULL, .keep = 8},
	{.key = "evictions", .keep = 7},     {.key = "evicted", .keep = 3},
	{.key = "walks", .keep = 6},	     {.key = "walks_under_lock", .keep = 4},
	{.key = "usage_updates", .keep = 2}, {.key = "usage_cpus", .keep = 1},
	{.key = "amplification", .keep = 5},
};

#define KEEP_SORT 12

/* A line of the table. */
struct item {
	char *name;	       /* as it is shown whole; owned */
	const struct row *row; /* its path is elided, not its name; NULL for other lines */
	struct scope scope;
	bool sum; /* of several lines: what does not add up is not shown */
};

struct table {
	struct page *page;
	const struct model *m;
	struct column columns[COLUMNS];
	size_t ncolumns;
	struct item *items;
	size_t nitems;
	uint64_t more[2][C_NR]; /* sums of the cgroups and of the CPUs that are cut */
	int name_width;
	bool si;
};

static bool applies(const struct field *f, const struct model *m)
{
	struct unmeasured why = field__unmeasured(f, NULL, m);

	return why.reason == REASON_NONE || why.applicable;
}

static void choose_columns(struct table *t, const struct field *sort)
{
	const struct field *reasons = field__find("miss_reasons");

	for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++) {
		struct column c = standard[i];

		c.field = c.key ? field__find(c.key) : reasons;
		if (!c.field || !(c.field->in & IN_CGROUP) || !applies(c.field, t->m))
			continue;
		if (c.field == sort)
			c.keep = KEEP_SORT;
		if (c.key && c.field == sort)
			sort = NULL;
		t->columns[t->ncolumns++] = c;
	}
	if (sort && sort->in & IN_CGROUP && !sort->parts)
		t->columns[t->ncolumns++] =
			(struct column){.key = sort->key, .keep = KEEP_SORT, .field = sort};
}

static bool is_share(const struct field *f)
{
	return strstr(f->key, "_ratio");
}

static const char *main_reason(const struct table *t, const struct item *item)
{
	const struct field *f = field__find("miss_reasons");
	const char *name = "-";
	uint64_t most = 0;

	for (const struct part *part = f->parts; part && part->name; part++) {
		uint64_t n;

		if (field__unmeasured(f, part, t->m).reason != REASON_NONE)
			continue;
		n = part__count(part, &item->scope);
		if (n > most) {
			most = n;
			name = part->name;
		}
	}
	return name;
}

static void cell(const struct table *t, const struct column *c, const struct item *item, char *buf)
{
	const struct field *f = c->field;
	const struct scope *s = &item->scope;
	double v;

	strcpy(buf, "-");
	if (!(f->in & s->in) || (item->sum && f->attr == ATTR_SUBTREE) ||
	    field__unmeasured(f, NULL, t->m).reason != REASON_NONE)
		return;
	if (!c->key) {
		snprintf(buf, CELL, "%s", main_reason(t, item));
		return;
	}
	if (f->count && t->si) {
		num__si(buf, f->count(s));
	} else if (f->count) {
		num__grouped(buf, f->count(s));
	} else {
		v = f->ratio ? f->ratio(s) : field__value(f, s);
		if (is_share(f))
			num__percent(buf, v, 1);
		else
			num__fixed(buf, v, f->ratio ? 3 : 0);
		if (is_share(f) && isfinite(v))
			strcat(buf, "%");
	}
}

static bool active(const struct scope *s)
{
	if (s->usage_updates)
		return true;
	for (int i = 0; i < C_NR; i++)
		if (s->c[i])
			return true;
	return false;
}

static void add_to(uint64_t *sum, const struct scope *s)
{
	for (int i = 0; i < C_NR; i++)
		sum[i] += s->c[i];
}

static struct item *new_item(struct table *t, const struct scope *s, char *name)
{
	struct item *item = &t->items[t->nitems];

	if (!name) {
		t->page->failed = true;
		return NULL;
	}
	t->nitems++;
	*item = (struct item){.name = name, .scope = *s};
	return item;
}

static void add_more(struct table *t, const struct scope *like, uint64_t *sum, size_t n,
		     const char *what)
{
	struct item *item;
	char *name;

	if (!n)
		return;
	if (asprintf(&name, "(%zu more%s: --rows)", n, what) < 0)
		name = NULL;
	item = new_item(t, like, name);
	if (item) {
		item->scope.c = sum;
		item->sum = true;
	}
}

/* The columns that the marks of a row take behind its path. */
static const char *mark_of(const struct row *r)
{
	return r->state == ROW_DELETED ? " (deleted)" : "";
}

static char *row_name(struct page *p, const struct row *r, int columns)
{
	char *path, *name;

	if (r->state == ROW_IS_OTHER)
		return strdup("(other)");
	if (!r->path) {
		if (asprintf(&name, "(id %" PRIu64 ")%s", r->id, mark_of(r)) < 0)
			name = NULL;
		return name;
	}
	path = page__name(p, r->path, r->path_len, columns - (int)strlen(mark_of(r)));
	if (!path || asprintf(&name, "%s%s", path, mark_of(r)) < 0)
		name = NULL;
	free(path);
	return name;
}

static void add_cgroups(struct table *t, int limit)
{
	const struct model *m = t->m;
	const struct model_row *cut = NULL, *other = NULL;
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < m->nrows; i++) {
		const struct model_row *r = &m->rows[i];
		struct item *item;

		if (!active(&r->scope))
			continue;
		if (r->row->state == ROW_IS_OTHER) {
			other = r;
		} else if (limit >= 0 && shown >= (size_t)limit) {
			cut = r;
			more++;
			add_to(t->more[0], &r->scope);
		} else {
			shown++;
			item = new_item(t, &r->scope, row_name(t->page, r->row, NAME_WHOLE));
			if (item)
				item->row = r->row;
		}
	}
	if (cut)
		add_more(t, &cut->scope, t->more[0], more, "");
	if (other)
		new_item(t, &other->scope, strdup("(other)"));
}

struct busy_cpu {
	const struct model_cpu *cpu;
	double value;
};

static int by_value(const void *a, const void *b)
{
	const struct busy_cpu *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->cpu->cpu->cpu < y->cpu->cpu->cpu ? -1 : 1;
}

static char *cpu_name(const struct cpu *c)
{
	char *name;

	if (asprintf(&name, "CPU %u%s%s", c->cpu, c->isolated ? " (isolated)" : "",
		     c->online ? "" : " (offline)") < 0)
		return NULL;
	return name;
}

/* By number; by charges where not all are shown. */
static void add_cpus(struct table *t, int limit)
{
	const struct field *by = field__find("charges");
	const struct model *m = t->m;
	struct busy_cpu *busy = calloc(m->ncpus + 1, sizeof(*busy));
	size_t n = 0, shown;

	if (!busy) {
		t->page->failed = true;
		return;
	}
	for (size_t i = 0; i < m->ncpus; i++)
		if (active(&m->cpus[i].scope))
			busy[n++] =
				(struct busy_cpu){&m->cpus[i], field__value(by, &m->cpus[i].scope)};
	shown = limit >= 0 && n > (size_t)limit ? (size_t)limit : n;
	if (shown < n)
		qsort(busy, n, sizeof(*busy), by_value);
	for (size_t i = 0; i < shown; i++)
		new_item(t, &busy[i].cpu->scope, cpu_name(busy[i].cpu->cpu));
	for (size_t i = shown; i < n; i++)
		add_to(t->more[1], &busy[i].cpu->scope);
	if (shown < n)
		add_more(t, &busy[n - 1].cpu->scope, t->more[1], n - shown, " CPUs");
	free(busy);
}

static int measure(struct table *t)
{
	char buf[CELL];
	int width = 0;

	for (size_t i = 0; i < t->ncolumns; i++) {
		struct column *c = &t->columns[i];

		c->width = (int)strlen(c->field->title);
		for (size_t j = 0; j < t->nitems; j++) {
			cell(t, c, &t->items[j], buf);
			if ((int)strlen(buf) > c->width)
				c->width = (int)strlen(buf);
		}
		width += c->width + 2;
	}
	return width;
}

static void drop_column(struct table *t)
{
	size_t least = 0;

	for (size_t i = 1; i < t->ncolumns; i++)
		if (t->columns[i].keep < t->columns[least].keep)
			least = i;
	memmove(&t->columns[least], &t->columns[least + 1],
		(t->ncolumns - least - 1) * sizeof(t->columns[0]));
	t->ncolumns--;
}

/* Exact counts if they fit, else short ones, else fewer columns. */
static void fit(struct table *t)
{
	int natural = (int)strlen("CGROUP"), wanted, width;

	for (size_t i = 0; i < t->nitems; i++) {
		int w = page__width(t->items[i].name);

		natural = w > natural ? w : natural;
	}
	wanted = natural < NAME_MIN ? natural : NAME_MIN;
	width = measure(t);
	if (width + wanted > t->page->width) {
		t->si = true;
		width = measure(t);
	}
	while (width + wanted > t->page->width && t->ncolumns > 1) {
		drop_column(t);
		width = measure(t);
	}
	/* Room that dropped columns left may serve exact counts again. */
	t->si = false;
	width = measure(t);
	if (width + wanted > t->page->width) {
		t->si = true;
		width = measure(t);
	}
	t->name_width = t->page->width - width;
	if (t->name_width > natural)
		t->name_width = natural;
	if (t->name_width < wanted)
		t->name_width = wanted;
}

/* A cell with its gap; the reason stands left, and unpadded where it ends the line. */
static void put_cell(const struct table *t, size_t i, const char *text)
{
	const struct column *c = &t->columns[i];

	if (c->key)
		fprintf(t->page->f, "  %*s", c->width, text);
	else
		fprintf(t->page->f, "  %-*s", i + 1 < t->ncolumns ? c->width : 0, text);
}

static void heading(const struct table *t)
{
	page__bold(t->page, true);
	fprintf(t->page->f, "%-*s", t->name_width, "CGROUP");
	for (size_t i = 0; i < t->ncolumns; i++)
		put_cell(t, i, t->columns[i].field->title);
	page__bold(t->page, false);
	fputc('\n', t->page->f);
}

static void print_item(const struct table *t, const struct item *item)
{
	FILE *f = t->page->f;
	char *elided = NULL, buf[CELL];
	const char *name = item->name;

	if (item->row && page__width(name) > t->name_width)
		elided = row_name(t->page, item->row, t->name_width);
	if (elided)
		name = elided;
	fprintf(f, "%s%*s", name, t->name_width - page__width(name), "");
	for (size_t i = 0; i < t->ncolumns; i++) {
		cell(t, &t->columns[i], item, buf);
		put_cell(t, i, buf);
	}
	fputc('\n', f);
	free(elided);
}

static void subtree_note(const struct table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->columns[i].field->attr == ATTR_SUBTREE) {
			page__open(t->page, "", 2);
			page__words(t->page,
				    "%s includes the descendants: a measure of each cgroup, that "
				    "does not add up.",
				    t->columns[i].field->title);
			page__close(t->page);
			return;
		}
}

void text__rows(struct page *p, const struct model *m, const struct view_opts *o)
{
	struct table *t = calloc(1, sizeof(*t));
	/* Two lines for what is cut, and `other` is among the rows. */
	struct item *items = calloc(m->nrows + m->ncpus + 2, sizeof(*items));

	if (!t || !items) {
		p->failed = true;
		goto out;
	}
	t->page = p;
	t->m = m;
	t->items = items;
	choose_columns(t, o->sort);
	add_cgroups(t, o->rows);
	add_cpus(t, o->rows);
	page__blank(p);
	if (!t->nitems)
		goto out;
	fit(t);
	heading(t);
	for (size_t i = 0; i < t->nitems; i++)
		print_item(t, &t->items[i]);
	subtree_note(t);
	for (size_t i = 0; i < t->nitems; i++)
		free(t->items[i].name);
out:
	free(items);
	free(t);
}
