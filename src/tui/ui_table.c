// SPDX-License-Identifier: GPL-2.0-only
/* The tables of cgroups and of CPUs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/names.h"
#include "text/utf8.h"
#include "tui/ui_parts.h"
#include "view/measure.h"

#define WIDE	 100 /* columns from which those of a table stand further apart */
#define NAMES_AT 2   /* behind the sign of the selected line */
#define NAME_MIN 14  /* columns of a name, before columns of values go */
#define NAME_MAX 40  /* where there is room, unless names are longer */
#define ROWS_MAX 1024

struct table *ui__table(struct ui *u)
{
	return &u->tables[u->view == IN_CPUS];
}

bool table__has(const struct field *f, unsigned int view)
{
	return f->in & (view == IN_CPUS ? IN_CPU : IN_CGROUP);
}

static bool applies(const struct field *f, const struct model *m)
{
	const struct unmeasured why = field__unmeasured(f, NULL, m);

	return why.reason == REASON_NONE || why.applicable;
}

/* Where the screen is wide enough, what is measured of these as well. */
static void more_columns(struct table *t, const struct model *m, unsigned int view)
{
	static const char *const keys[] = {
		"misses",      "evicted",     "sock_charges",	"walks_under_lock",
		"usage_bytes", "limit_bytes", "sock_bytes",	"stranded_pages",
		"charge_ns",   "walk_ns",     "lock_hold_ns",	"limit_hits",
		"uncharges",   "refills",     "pages_per_walk", "drain_all_calls",
		"pressure_ns",
	};

	t->nstandard = t->ncolumns;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && t->ncolumns < COLUMNS_MAX; i++) {
		const struct field *f = field__find(keys[i]);
		bool there = !f || !table__has(f, view) ||
			     field__unmeasured(f, NULL, m).reason != REASON_NONE;

		for (size_t j = 0; j < t->ncolumns; j++)
			there |= t->columns[j].field == f;
		if (!there)
			t->columns[t->ncolumns++].field = f;
	}
}

static void cpu_columns(struct table *t, const struct model *m)
{
	static const char *const keys[] = {
		"charges",    "miss_ratio",	NULL,
		"evictions",  "walks",		"memcgs",
		"slots_used", "stranded_pages", "amplification",
	};

	t->ncolumns = 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct field *f = field__find(keys[i] ? keys[i] : "miss_reasons");

		if (f && applies(f, m))
			t->columns[t->ncolumns++].field = keys[i] ? f : NULL;
	}
}

void table__columns(struct ui *u, struct table *t, unsigned int view)
{
	if (t->chosen)
		return;
	if (view == IN_CPUS)
		cpu_columns(t, &u->seen.model);
	else
		t->ncolumns = columns__standard(t->columns, COLUMNS_MAX, &u->seen.model);
	more_columns(t, &u->seen.model, view);
}

void table__choose(struct table *t)
{
	size_t n = 0;

	if (t->chosen)
		return;
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->shown[i])
			t->columns[n++] = t->columns[i];
	t->ncolumns = n;
	t->chosen = true;
}

struct order {
	double value;
	struct item item;
};

static int compare_cpus(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	int order = !!isnan(x->value) - !!isnan(y->value);

	if (!order && !isnan(x->value))
		order = (x->value < y->value) - (x->value > y->value);
	return order ? order : (x->item.key > y->item.key) - (x->item.key < y->item.key);
}

static int fill_cpus(struct ui *u, struct table *t)
{
	const struct model *m = &u->seen.model;
	struct order *order = calloc(m->ncpus + 1, sizeof(order[0]));

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->ncpus; i++) {
		const struct scope *s = &m->cpus[i].scope;
		double v = t->sort && !ui__first_interval(u) ? field__value(t->sort, s) : NAN;

		order[i].value = t->ascending ? -v : v;
		order[i].item = (struct item){m->cpus[i].cpu->cpu, s, i};
	}
	qsort(order, m->ncpus, sizeof(order[0]), compare_cpus);
	for (size_t i = 0; i < m->ncpus; i++)
		t->items[i] = order[i].item;
	free(order);
	return 0;
}

static void add(struct table *t, const struct scope *s, uint64_t sign)
{
	if (s->c)
		for (int i = 0; i < C_NR; i++)
			t->rest[i] += sign * s->c[i];
	t->rest_pressure_ns += sign * s->pressure_ns;
	t->rest_pressure_sets += sign * s->pressure_sets;
}

/* A selected line that is gone leaves the selection at its place. */
static void find_again(struct table *t)
{
	for (size_t i = 0; t->has_key && i < t->n; i++)
		if (t->items[i].key == t->key) {
			t->selected = i;
			return;
		}
	if (t->selected >= t->n)
		t->selected = t->n ? t->n - 1 : 0;
	if (t->has_key && t->n)
		t->key = t->items[t->selected].key;
}

int table__fill(struct ui *u, struct table *t, unsigned int view)
{
	const size_t n = view == IN_CPUS ? u->seen.model.ncpus : u->lines.n;
	struct item *items = realloc(t->items, (n + 1) * sizeof(items[0]));
	int err = 0;

	if (!items)
		return -ENOMEM;
	t->items = items;
	t->n = n;
	if (view == IN_CPUS)
		err = fill_cpus(u, t);
	else
		for (size_t i = 0; i < n; i++)
			items[i] = (struct item){u->lines.list[i].key, &u->lines.list[i].scope, i};
	if (err) {
		t->n = 0;
		return err;
	}
	memset(t->all, 0, sizeof(t->all));
	memset(t->rest, 0, sizeof(t->rest));
	t->rest_pressure_ns = t->rest_pressure_sets = 0;
	for (size_t i = 0; i < n; i++)
		add(t, items[i].scope, 1);
	memcpy(t->all, t->rest, sizeof(t->all));
	t->all_pressure_ns = t->rest_pressure_ns;
	t->all_pressure_sets = t->rest_pressure_sets;
	find_again(t);
	return 0;
}

void table__select(struct table *t, size_t at)
{
	if (!t->n)
		return;
	t->selected = at < t->n ? at : t->n - 1;
	t->key = t->items[t->selected].key;
	t->has_key = true;
}

const struct item *table__selected(const struct table *t)
{
	return t->selected < t->n ? &t->items[t->selected] : NULL;
}

/* Which columns there is room for. */
struct layout {
	const struct column *columns[COLUMNS_MAX];
	int widths[COLUMNS_MAX];
	bool sorted[COLUMNS_MAX];
	size_t n;
	size_t best; /* of them that go only if names have next to no room */
	int names;   /* columns of the name */
	int gap;     /* between columns */
};

static int width_of(const struct layout *l, size_t i)
{
	return l->gap + l->widths[i] + l->sorted[i];
}

/* The best come first, so the last goes first; what it is sorted by is the last to go. */
static void drop_column(struct layout *l)
{
	size_t i = l->n - 1;

	if (i && l->sorted[i])
		i--;
	l->n--;
	if (i < l->best)
		l->best--;
	memmove(&l->columns[i], &l->columns[i + 1], (l->n - i) * sizeof(l->columns[0]));
	memmove(&l->widths[i], &l->widths[i + 1], (l->n - i) * sizeof(l->widths[0]));
	memmove(&l->sorted[i], &l->sorted[i + 1], (l->n - i) * sizeof(l->sorted[0]));
}

static int width_of_all(const struct layout *l)
{
	int sum = 0;

	for (size_t i = 0; i < l->n; i++)
		sum += width_of(l, i);
	return sum;
}

static void lay_out(const struct ui *u, struct table *t, struct layout *l, int width)
{
	const int room = width - NAMES_AT;

	l->gap = width < WIDE ? 1 : 2;
	l->n = t->ncolumns;
	l->best = t->chosen ? l->n : t->nstandard;
	for (size_t i = 0; i < l->n; i++) {
		l->columns[i] = &t->columns[i];
		l->widths[i] = cell__width(&t->columns[i], u->mode);
		l->sorted[i] = t->sort && t->columns[i].field == t->sort;
		t->shown[i] = false;
	}
	while (l->n && room - width_of_all(l) < (l->n > l->best ? NAME_MAX : NAME_MIN))
		drop_column(l);
	l->names = room - width_of_all(l);
	for (size_t i = 0; i < l->n; i++)
		t->shown[l->columns[i] - t->columns] = true;
}

/* Numbers stand right, words left. */
static void put_value(struct screen *s, int y, int x, const struct layout *l, size_t i,
		      unsigned int style, const char *text)
{
	if (l->columns[i]->field)
		screen__right(s, y, x + l->gap, l->widths[i], style, text);
	else
		screen__put(s, y, x + l->gap, l->widths[i], style, text);
}

/* A filter is seen wherever there is a table: what it hides is not forgotten then. */
static void draw_name_heading(const struct ui *u, struct screen *s, int y, int width)
{
	const char *title = u->view == IN_CPUS ? "CPU" : "CGROUP";
	char *filter = NULL;
	int x = NAMES_AT;

	x += screen__put(s, y, x, width, STYLE_REVERSE, title);
	if (u->filter && u->view == IN_CGROUPS)
		filter = text_display(u->filter, strlen(u->filter), name__flags(u));
	if (filter) {
		x += screen__put(s, y, x, NAMES_AT + width - x, STYLE_REVERSE, "  filter ");
		screen__put(s, y, x, NAMES_AT + width - x, STYLE_REVERSE | STYLE_BOLD, filter);
	}
	free(filter);
}

static void draw_heading(const struct ui *u, struct screen *s, int y, const struct layout *l,
			 const struct table *t)
{
	const char *down = u->o.ascii ? "v" : "\u25bc", *up = u->o.ascii ? "^" : "\u25b2";
	int x = NAMES_AT + l->names;
	char title[NUM_LEN];

	screen__style(s, y, 0, screen__width(s), STYLE_REVERSE);
	draw_name_heading(u, s, y, l->names);
	for (size_t i = 0; i < l->n; i++) {
		put_value(s, y, x, l, i, l->sorted[i] ? STYLE_REVERSE | STYLE_BOLD : STYLE_REVERSE,
			  cell__title(title, l->columns[i], u->mode));
		x += width_of(l, i);
		if (l->sorted[i])
			screen__put(s, y, x - 1, 1, STYLE_REVERSE | STYLE_BOLD,
				    t->ascending ? up : down);
	}
}

static void draw_cells(const struct ui *u, struct screen *s, int y, const struct layout *l,
		       const struct scope *scope, unsigned int style, bool sum)
{
	int x = NAMES_AT + l->names;

	for (size_t i = 0; i < l->n; i++) {
		const struct field *f = l->columns[i]->field;
		/* what a CPU holds is of that CPU */
		const bool none = ui__first_interval(u) || (sum && f && f->in == IN_CPU);
		char text[NUM_LEN] = "-";

		if (!none)
			cell__text(text, &u->seen.model, l->columns[i], scope, u->mode);
		put_value(s, y, x, l, i, style, text);
		x += width_of(l, i);
	}
}

/* Their names, elided so that they differ. */
struct names {
	char *list[ROWS_MAX];
	char marks[ROWS_MAX][32];
	size_t n;
};

static void name_rows(const struct ui *u, const struct table *t, struct names *names, size_t n)
{
	for (names->n = 0; names->n < n; names->n++) {
		size_t i = names->n;

		names->list[i] = name__of_item(u, &t->items[t->top + i], u->view, names->marks[i],
					       sizeof(names->marks[0]));
		if (!names->list[i])
			names->list[i] = strdup("?");
		if (!names->list[i])
			return;
	}
}

/* Where there is room for all, the values stand near the names. */
static void fit_names(const struct names *names, struct layout *l)
{
	int longest = NAME_MAX;

	for (size_t i = 0; i < names->n; i++) {
		int width = (int)(text_width(names->list[i]) + strlen(names->marks[i]));

		longest = width > longest ? width : longest;
	}
	if (longest < l->names)
		l->names = longest;
}

/* What stands behind a name is never elided. */
static void elide_names(const struct ui *u, struct names *names, const struct layout *l)
{
	const size_t width = l->names > 0 ? (size_t)l->names : 0;
	size_t taken[ROWS_MAX];

	for (size_t i = 0; i < names->n; i++) {
		const size_t mark = strlen(names->marks[i]);

		taken[i] = mark < width ? mark : 0;
	}
	/* without memory they are clipped */
	names__elide(names->list, taken, names->n, width, name__flags(u));
}

static void draw_row(const struct ui *u, struct screen *s, int y, const struct layout *l,
		     const struct table *t, const struct names *names, size_t i)
{
	const bool selected = t->top + i == t->selected;
	const unsigned int style = selected ? STYLE_REVERSE : STYLE_PLAIN;
	int x;

	screen__style(s, y, 0, screen__width(s), style);
	screen__put(s, y, 0, 1, style, selected ? ">" : " ");
	x = NAMES_AT + screen__put(s, y, NAMES_AT, l->names, style, names->list[i]);
	screen__put(s, y, x, NAMES_AT + l->names - x, style, names->marks[i]);
	draw_cells(u, s, y, l, t->items[t->top + i].scope, style, false);
}

static struct scope sum_scope(const struct model *m, const uint64_t *c, const struct table *t,
			      unsigned int view)
{
	const struct scope *total = &m->total;

	return (struct scope){
		.c = c,
		.stock = total->stock,
		.in = view == IN_CPUS ? IN_CPU : IN_CGROUP,
		.sum = true,
		.hits_seen = total->hits_seen,
		.sock_apart = total->sock_apart,
		.pressure_ns = t->rest_pressure_ns,
		.pressure_sets = t->rest_pressure_sets,
	};
}

/* What is above and below, so that the lines add up to the total. */
static void draw_rest(struct ui *u, struct screen *s, int y, const struct layout *l,
		      struct table *t, size_t shown)
{
	struct scope scope;
	char text[64];

	memcpy(t->rest, t->all, sizeof(t->rest));
	t->rest_pressure_ns = t->all_pressure_ns;
	t->rest_pressure_sets = t->all_pressure_sets;
	for (size_t i = t->top; i < t->top + shown; i++)
		add(t, t->items[i].scope, UINT64_MAX); /* -1 */
	scope = sum_scope(&u->seen.model, t->rest, t, u->view);
	snprintf(text, sizeof(text), "%zu more", t->n - shown);
	screen__put(s, y, NAMES_AT, l->names, STYLE_PLAIN, text);
	draw_cells(u, s, y, l, &scope, STYLE_PLAIN, true);
}

static void scroll(struct table *t, size_t rows)
{
	if (t->top + rows > t->n)
		t->top = t->n > rows ? t->n - rows : 0;
	if (t->selected < t->top)
		t->top = t->selected;
	if (rows && t->selected >= t->top + rows)
		t->top = t->selected - rows + 1;
}

static void draw_none(const struct ui *u, struct screen *s, int y)
{
	char text[PROMPT_LEN + 64] = "no cgroup has charged";

	if (u->filter && u->view == IN_CGROUPS)
		snprintf(text, sizeof(text), "no cgroup matches the filter %s", u->filter);
	screen__put(s, y, NAMES_AT, screen__width(s), STYLE_PLAIN, text);
}

static void draw_total(const struct ui *u, struct screen *s, int y, const struct layout *l)
{
	screen__put(s, y, NAMES_AT, l->names, STYLE_BOLD, "total");
	draw_cells(u, s, y, l, &u->seen.model.total, STYLE_BOLD, false);
}

/* Heading, lines, and the total in the last of them. */
void table__draw(struct ui *u, struct screen *s, int y, int height, bool total)
{
	struct table *t = ui__table(u);
	struct names *names = calloc(1, sizeof(*names));
	int rows = height - 1 - total;
	struct layout l;
	size_t shown;

	if (!names)
		return;
	rows = rows > ROWS_MAX ? ROWS_MAX : rows > 0 ? rows : 0;
	/* one line tells of those that are not shown */
	if (t->n > (size_t)rows && rows > 1)
		rows--;
	t->rows = rows;
	scroll(t, (size_t)rows);
	shown = t->n - t->top < (size_t)rows ? t->n - t->top : (size_t)rows;
	lay_out(u, t, &l, screen__width(s));
	name_rows(u, t, names, shown);
	fit_names(names, &l);
	elide_names(u, names, &l);
	draw_heading(u, s, y++, &l, t);
	for (size_t i = 0; i < names->n; i++)
		draw_row(u, s, y++, &l, t, names, i);
	if (!t->n && rows > 0)
		draw_none(u, s, y++);
	if (t->n > shown && height - 1 - total > 1)
		draw_rest(u, s, y++, &l, t, shown);
	if (total)
		draw_total(u, s, y, &l);
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names);
}
