// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of cgroups and CPUs. Its columns are fields; those that this
 * design has not are left out, and the least needed go first where the page
 * is narrow.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/cell.h"
#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define NOTE_INDENT 2

struct table_column {
	struct column column;
	const struct field *field; /* of it; also of the miss reasons */
	int keep;		   /* the lowest is dropped first */
};

struct table {
	struct grid grid;
	const struct model *m;
	struct table_column columns[GRID_COLUMNS];
	size_t ncolumns;
	uint64_t more_c[C_NR];
	struct scope more; /* sums of the lines that are cut */
	bool deleted;	   /* a cgroup is shown that is no more */
	bool rates;	   /* the live screen's columns, counts a second */
	char titles[GRID_COLUMNS][NUM_LEN];
};

static void add_column(struct table *t, struct column c, int keep)
{
	struct table_column *to = &t->columns[t->ncolumns];

	to->column = c;
	to->field = c.field ? c.field : field__find("miss_reasons");
	to->keep = keep;
	cell__title(t->titles[t->ncolumns], &c, t->rates ? CELL_RATE : CELL_DELTA);
	grid__column(&t->grid, t->titles[t->ncolumns++], keep, c.field ? 0 : GRID_LEFT);
}

static void choose_columns(struct table *t, const struct field *sort)
{
	grid__column(&t->grid, "CGROUP", GRID_ALWAYS, GRID_NAME);
	for (size_t i = 0; i < nstandard_columns; i++) {
		const struct standard_column *s = &standard_columns[i];
		struct column c = {s->key ? field__find(s->key) : NULL};
		bool sorted;

		if ((s->key && !c.field) || !column__applies(&c, t->m) || (t->rates && !s->live))
			continue;
		sorted = sort && sort == (c.field ? c.field : field__find("miss_reasons"));
		add_column(t, c, sorted ? GRID_ALWAYS : s->keep);
		if (sorted && s->key)
			sort = NULL;
	}
	if (sort && sort->in & IN_CGROUP && !sort->parts)
		add_column(t, (struct column){sort}, GRID_ALWAYS);
}

_Static_assert(VIEW_COLUMNS < GRID_COLUMNS, "beside the names");

/* As on the screen, the last goes first where the page is narrow. */
static void given_columns(struct table *t, const char *keys)
{
	struct column given[VIEW_COLUMNS];
	char bad[64];
	int n = columns__parse(given, VIEW_COLUMNS, keys, bad, sizeof(bad));

	grid__column(&t->grid, "CGROUP", GRID_ALWAYS, GRID_NAME);
	for (int i = 0; i < n; i++)
		add_column(t, given[i], n - i);
}

static void value_cell(struct grid *g, const struct field *f, const struct scope *s)
{
	double v = field__value(f, s);
	char a[NUM_LEN];

	if (f->share)
		grid__percent(g, v);
	else if (f->ratio)
		grid__fixed(g, v, 3);
	else if (f->spans || f->unit == UNIT_NS)
		grid__duration(g, v);
	else if (isnan(v))
		grid__text(g, NULL);
	else if (f->unit == UNIT_BYTES)
		grid__text(g, num__bytes(a, (uint64_t)v));
	else
		grid__count(g, f->count ? f->count(s) : (uint64_t)v);
}

static void cells(struct table *t, const struct scope *s)
{
	char buf[NUM_LEN];

	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct table_column *c = &t->columns[i];

		if (t->rates)
			grid__text(&t->grid, cell__text(buf, t->m, &c->column, s, CELL_RATE));
		else if (!measure__has(t->m, c->field, s))
			grid__text(&t->grid, NULL);
		else if (!c->column.field)
			grid__text(&t->grid, measure__main_reason(t->m, s));
		else
			value_cell(&t->grid, c->field, s);
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

/* Something of its own to show; what its descendants do is in their lines. */
static bool shows(const struct table *t, const struct scope *s)
{
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct field *f = t->columns[i].field;

		if (f->attr != ATTR_SUBTREE && f->in & s->in && field__value(f, s) > 0)
			return true;
	}
	return false;
}

static void cut_line(struct table *t, const struct scope *s)
{
	for (int i = 0; i < C_NR; i++)
		t->more_c[i] += s->c[i];
	t->more.pressure_ns += s->pressure_ns;
	t->more.pressure_sets += s->pressure_sets;
	t->more.stock = s->stock;
	t->more.in = s->in;
	t->more.hits_seen = s->hits_seen;
	t->more.sock_apart = s->sock_apart;
}

static void more_line(struct table *t, size_t n, const char *what)
{
	char name[64];

	if (!n)
		return;
	t->more.c = t->more_c;
	snprintf(name, sizeof(name), "(%zu more%s: --rows)", n, what);
	grid__line(&t->grid);
	grid__text(&t->grid, name);
	cells(t, &t->more);
	memset(t->more_c, 0, sizeof(t->more_c));
	t->more = (struct scope){0};
}

static void cgroup_line(struct table *t, const struct model_row *r)
{
	grid__line(&t->grid);
	text__cell(&t->grid, r->row);
	cells(t, &r->scope);
	t->deleted |= r->row->state == ROW_DELETED;
}

/* Those with nothing to show come last, so that they are the first to be cut. */
static size_t order(const struct table *t, const struct model_row **rows)
{
	const struct model *m = t->m;
	size_t n = 0;

	for (int showing = 1; showing >= 0; showing--)
		for (size_t i = 0; i < m->nrows; i++) {
			const struct model_row *r = &m->rows[i];
			bool other = r->row->state == ROW_IS_OTHER;

			if (shows(t, &r->scope) != showing || (other && showing))
				continue;
			if (showing || active(&r->scope))
				rows[n++] = r;
		}
	return n;
}

static void add_cgroups(struct table *t, int limit)
{
	const struct model *m = t->m;
	const struct model_row **rows = calloc(m->nrows + 1, sizeof(rows[0]));
	size_t n, showing = 0, shown;

	if (!rows) {
		t->grid.page->failed = true;
		return;
	}
	n = order(t, rows);
	while (showing < n && shows(t, &rows[showing]->scope))
		showing++;
	shown = limit < 0 ? n : (size_t)limit < showing ? (size_t)limit : showing;
	/* To say that one more is there takes the line that would show it. */
	if (limit && n - shown == 1)
		shown = n;
	for (size_t i = 0; i < shown; i++)
		cgroup_line(t, rows[i]);
	for (size_t i = shown; i < n; i++)
		cut_line(t, &rows[i]->scope);
	more_line(t, n - shown, "");
	for (size_t i = 0; i < m->nrows; i++)
		if (m->rows[i].row->state == ROW_IS_OTHER && shows(t, &m->rows[i].scope))
			cgroup_line(t, &m->rows[i]);
	free(rows);
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

static void cpu_line(struct table *t, const struct model_cpu *c)
{
	char name[64];

	snprintf(name, sizeof(name), "CPU %u%s%s", c->cpu->cpu,
		 c->cpu->isolated ? " (isolated)" : "", c->cpu->online ? "" : " (offline)");
	grid__line(&t->grid);
	grid__text(&t->grid, name);
	cells(t, &c->scope);
}

/* By number; by charges where not all are shown. */
static void add_cpus(struct table *t, int limit)
{
	const struct field *by = field__find("charges");
	const struct model *m = t->m;
	struct busy_cpu *busy = calloc(m->ncpus + 1, sizeof(*busy));
	size_t n = 0, shown;

	if (!busy) {
		t->grid.page->failed = true;
		return;
	}
	for (size_t i = 0; i < m->ncpus; i++)
		if (active(&m->cpus[i].scope))
			busy[n++] =
				(struct busy_cpu){&m->cpus[i], field__value(by, &m->cpus[i].scope)};
	shown = limit >= 0 && n > (size_t)limit ? (size_t)limit : n;
	if (limit && n - shown == 1)
		shown = n;
	if (shown < n)
		qsort(busy, n, sizeof(*busy), by_value);
	for (size_t i = 0; i < shown; i++)
		cpu_line(t, busy[i].cpu);
	for (size_t i = shown; i < n; i++)
		cut_line(t, &busy[i].cpu->scope);
	more_line(t, n - shown, " CPUs");
	free(busy);
}

static void note(struct page *p, const char *text)
{
	page__open(p, "", NOTE_INDENT);
	page__words(p, "%s", text);
	page__close(p);
}

/* The columns that the page had room for are known only now. */
static void notes_of(const struct table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->columns[i].field->attr == ATTR_SUBTREE && !t->grid.columns[1 + i].dropped) {
			page__open(t->grid.page, "", NOTE_INDENT);
			page__words(t->grid.page,
				    "%s includes the descendants: a measure of each cgroup, that "
				    "does not add up.",
				    t->columns[i].field->title);
			page__close(t->grid.page);
			break;
		}
	if (t->deleted)
		note(t->grid.page, "(del): the cgroup was deleted before the end.");
}

const struct model_cpu *text__worst_cpu(const struct model *m)
{
	const struct model_cpu *most = NULL;

	for (size_t i = 0; i < m->ncpus; i++) {
		const struct model_cpu *c = &m->cpus[i];

		if (!active(&c->scope) || !c->scope.memcgs)
			continue;
		if (!most || c->scope.memcgs > most->scope.memcgs ||
		    (c->scope.memcgs == most->scope.memcgs &&
		     measure__value(m, "charges", &c->scope) >
			     measure__value(m, "charges", &most->scope)))
			most = c;
	}
	return most;
}

const char *text__at_least(const struct model *m)
{
	return field__unmeasured(field__find("memcgs"), NULL, m).reason ? "at least " : "";
}

static size_t idle_cpus(const struct model *m)
{
	size_t idle = 0;

	for (size_t i = 0; i < m->ncpus; i++)
		idle += !active(&m->cpus[i].scope) && m->cpus[i].cpu->online;
	return idle;
}

static void slots_and_cpus(struct page *p, const struct model *m, bool all_shown)
{
	const struct model_cpu *worst = text__worst_cpu(m);
	uint32_t slots = m->end->stock.slots;
	size_t idle = all_shown || m->quality.grade == GRADE_IDLE ? 0 : idle_cpus(m);

	/* EVICTIONS has it too. */
	if (!slots || m->npairs)
		worst = NULL;
	if (!worst && !idle)
		return;
	page__open(p, "", NOTE_INDENT);
	if (worst)
		page__words(p, "CPU %u: %s%u memcg%s on %u slot%s%s", worst->cpu->cpu,
			    text__at_least(m), worst->scope.memcgs,
			    worst->scope.memcgs == 1 ? "" : "s", slots, slots == 1 ? "" : "s",
			    idle ? ";" : ".");
	if (idle)
		page__words(p, "%zu idle CPU%s not shown.", idle, idle == 1 ? "" : "s");
	page__close(p);
}

/* -f leaves `other`, and rows that it took are in the sample still. */
static bool filtered_out(const struct model *m)
{
	size_t named = 0;

	for (size_t i = 0; i < m->nrows; i++)
		named += m->rows[i].row->state != ROW_IS_OTHER;
	return !named && m->nrows < m->end->nrows;
}

void text__rows(struct page *p, const struct model *m, const struct view_opts *o)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t) {
		p->failed = true;
		return;
	}
	grid__init(&t->grid, p);
	t->m = m;
	choose_columns(t, o->sort);
	add_cgroups(t, o->rows);
	if (!o->cpus)
		add_cpus(t, o->rows);
	if (t->grid.nlines)
		page__blank(p);
	grid__print(&t->grid);
	notes_of(t);
	if (filtered_out(m))
		note(p, "No cgroup's path matches -f; `*` crosses `/`.");
	slots_and_cpus(p, m, o->cpus);
	free(t);
}

void text__rates(struct page *p, const struct model *m, const struct view_opts *o)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t) {
		p->failed = true;
		return;
	}
	grid__init(&t->grid, p);
	t->m = m;
	t->rates = true;
	if (o->columns)
		given_columns(t, o->columns);
	else
		choose_columns(t, o->sort);
	add_cgroups(t, o->rows);
	if (o->cpus)
		add_cpus(t, o->rows);
	grid__line(&t->grid);
	grid__text(&t->grid, "total");
	cells(t, &m->total);
	grid__print(&t->grid);
	if (filtered_out(m))
		note(p, "No cgroup's path matches -f; `*` crosses `/`.");
	free(t);
}
