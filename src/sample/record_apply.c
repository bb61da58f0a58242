// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a sample of the one before and of what changed. As with a stored
 * window, the file may be damaged or made by somebody else.
 */
#include "sample/record_apply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sample/record_places.h"
#include "sample/store_parts.h"

static void get_host(struct loader *l, const json_t *doc, struct sample *s)
{
	free(s->host.cgroup_root);
	s->host = (struct host){0};
	store__get_host(l, doc, &s->host);
}

/* Its counts are the total's. */
static void get_stock(struct loader *l, const json_t *doc, struct sample *s)
{
	struct stock before = s->stock;

	s->stock = (struct stock){.overflow_emptied = before.overflow_emptied,
				  .overflow_trimmed = before.overflow_trimmed};
	store__get_stock(l, doc, false, &s->stock);
}

/* Their counts stay those of the programs. */
static void get_probes(struct loader *l, const json_t *doc, struct sample *s)
{
	struct {
		uint64_t recorded, missed;
	} before[PROG_NR] = {0};

	for (size_t i = 0; i < s->nprobes; i++) {
		before[s->probes[i].prog].recorded = s->probes[i].recorded;
		before[s->probes[i].prog].missed = s->probes[i].missed;
	}
	memset(s->probes, 0, sizeof(s->probes));
	s->nprobes = 0;
	store__get_probes(l, doc, false, s);
	for (size_t i = 0; i < s->nprobes; i++) {
		s->probes[i].recorded = before[s->probes[i].prog].recorded;
		s->probes[i].missed = before[s->probes[i].prog].missed;
	}
}

static void get_fixed(struct loader *l, const json_t *doc, bool whole, struct sample *s)
{
	s->time_ns = loader__u64(l, doc, "time_ns");
	s->wall_ms = loader__int(l, doc, "wall_ms", INT64_MIN, INT64_MAX);
	if (whole || loader__has(l, doc, "kept"))
		store__get_kept(l, doc, s);
	if (whole || loader__has(l, doc, "host"))
		get_host(l, doc, s);
	if (whole || loader__has(l, doc, "stock"))
		get_stock(l, doc, s);
	if (whole || loader__has(l, doc, "probes"))
		get_probes(l, doc, s);
}

/* A part is there from now on, or no more. */
static void set_part(struct loader *l, const struct column *c, void *item, uint64_t delta,
		     struct sample *s)
{
	static const size_t sizes[PART_NR] = {
		[PART_TIMES] = sizeof(struct row_times),
		[PART_CPU_UPDATES] = sizeof(uint64_t),
		[PART_CPU_CHARGES] = sizeof(uint64_t),
		[PART_SPANS] = sizeof(struct hist),
		[PART_PAIRS] = sizeof(struct pair),
		[PART_DRAINS] = sizeof(struct drain_caller),
	};
	void *part = column__part(c, item);
	size_t n = 1;

	if (delta == 1 && !part) {
		if (c->part == PART_CPU_UPDATES || c->part == PART_CPU_CHARGES)
			n = s->ncpus;
		if (c->part == PART_SPANS)
			n = SPAN_NR;
		column__set_part(c, item, loader__room(l, n, sizes[c->part]));
	} else if (delta == UINT64_MAX && part) {
		free(part);
		column__set_part(c, item, NULL);
		if (c->part == PART_PAIRS)
			s->npairs = 0;
		if (c->part == PART_DRAINS)
			s->ndrains = 0;
	} else if (delta)
		loader__wrong(l, c->name, "1 where there is none, -1 where there is one");
}

/* Far more columns than there are, but for CPUs. */
#define DENSE_MAX (4096u + 2 * CPUS_IN_FILE_MAX)

/* A table that is being read. */
struct reading {
	struct loader *l;
	struct sample *s;
	enum table table;
	struct items items;
	size_t *rows; /* places of the items that changed; NO_PLACE: this build has none such */
	size_t nrows;
};

static void add_delta(const struct reading *t, const struct column *c, size_t row, uint64_t delta)
{
	char *item = t->items.at;

	if (row == NO_PLACE)
		return;
	item += row * t->items.size;
	if (c->width == WIDTH_PART)
		set_part(t->l, c, item, delta, t->s);
	else if (delta && !column__add(c, item, delta))
		loader__wrong(t->l, c->name, "a number that there is room for");
}

/* [5,0,3] by rows, or {"rows": [0,2], "unit": 1, "by": [5,3]}. */
static void get_column(const struct reading *t, const struct column *c, const json_t *value)
{
	size_t old = loader__enter(t->l, ".%s", c->name), n = t->nrows, *places = NULL;
	uint64_t unit = 1;

	if (json_is_object(value)) {
		if (loader__has(t->l, value, "unit"))
			unit = loader__u64(t->l, value, "unit");
		if (loader__has(t->l, value, "rows"))
			places = places__get(t->l, value, "rows", t->nrows, &n);
		value = loader__array(t->l, value, "by", t->nrows);
	}
	if (!t->l->rc && (!json_is_array(value) || json_array_size(value) != n))
		loader__fault(t->l, -EINVAL, "%s: expected %zu numbers", t->l->where, n);
	for (size_t i = 0; i < n && !t->l->rc; i++) {
		const json_t *delta = json_array_get(value, i);

		if (json_is_integer(delta))
			add_delta(t, c, t->rows[places ? places[i] : i],
				  (uint64_t)json_integer_value(delta) * unit);
		else
			loader__fault(t->l, -EINVAL, "%s: expected integers", t->l->where);
	}
	free(places);
	loader__leave(t->l, old);
}

/* Without a bucket a histogram does not add up; anything else can be left out. */
static void check_unknown(const struct reading *t, const char *name)
{
	const char *bucket = name;

	for (int i = 0; t->table == TABLE_CGROUPS && i < SPAN_ROW_NR; i++) {
		size_t n = strlen(span_names[i]);

		if (!strncmp(name, span_names[i], n) && name[n] == '.')
			bucket = name + n + 1;
	}
	if (t->table != TABLE_SPANS && bucket == name)
		return;
	if (*bucket == '>' || (*bucket >= '0' && *bucket <= '9'))
		loader__fault(t->l, -EINVAL,
			      "%s: this memcgtop has no bucket of %.24s ns; "
			      "read the file with the memcgtop that wrote it",
			      t->l->where, bucket);
}

/* Parts come first: the others may lie in them. */
static void get_columns(const struct reading *t, const struct columns *columns, const json_t *o)
{
	const json_t *from = loader__object(t->l, o, "columns");
	size_t old = loader__enter(t->l, ".columns");

	for (int parts = 1; parts >= 0; parts--) {
		const char *name;
		json_t *value;

		json_object_foreach ((json_t *)from, name, value) {
			const struct column *c = columns__find(columns, name);

			if (!c && !parts)
				check_unknown(t, name);
			if (c && (c->width == WIDTH_PART) == parts && !t->l->rc)
				get_column(t, c, value);
		}
	}
	loader__leave(t->l, old);
}

/* The names of the dense columns, each with its width; bytes of all their digits. */
static size_t get_widths(const struct reading *t, const json_t *names, const json_t *widths)
{
	size_t total = 0;

	if (json_array_size(names) != json_array_size(widths))
		loader__wrong(t->l, "widths", "one of each dense column");
	for (size_t i = 0; i < json_array_size(names) && !t->l->rc; i++) {
		json_int_t width = json_integer_value(json_array_get(widths, i));

		if (width < 0 || width > 19 || !json_is_integer(json_array_get(widths, i)) ||
		    !json_is_string(json_array_get(names, i)))
			loader__wrong(t->l, "dense and widths", "names, and numbers of digits");
		total += (size_t)width * t->nrows;
	}
	return total;
}

/*
 * "dense": names, if they are not those of the sample before, "widths": digits
 * of each number, "digits": theirs, column by column.
 */
static void get_dense(const struct reading *t, const struct columns *columns, const json_t *o,
		      json_t **names_before)
{
	const json_t *widths = loader__array(t->l, o, "widths", DENSE_MAX), *names;
	const json_t *digits = loader__member(t->l, o, "digits");
	const char *at = json_string_value(digits);
	size_t total;

	if (loader__has(t->l, o, "dense")) {
		json_decref(*names_before);
		*names_before = json_incref((json_t *)loader__array(t->l, o, "dense", DENSE_MAX));
	}
	names = *names_before;
	total = get_widths(t, names, widths);
	if (!t->l->rc && (!at || strlen(at) != total || strspn(at, "0123456789") != total))
		loader__fault(t->l, -EINVAL, "%s.digits: expected %zu digits", t->l->where, total);
	for (size_t i = 0; i < json_array_size(names) && !t->l->rc; i++) {
		const char *name = json_string_value(json_array_get(names, i));
		const struct column *c = columns__find(columns, name);
		json_int_t width = json_integer_value(json_array_get(widths, i));

		if (!c)
			check_unknown(t, name);
		for (size_t row = 0; row < t->nrows && !t->l->rc; row++) {
			uint64_t n = 0;

			for (json_int_t k = 0; k < width; k++)
				n = 10 * n + (uint64_t)(*at++ - '0');
			if (c)
				add_delta(t, c, t->rows[row], n);
		}
	}
}

static size_t place_of_name(const struct reading *t, const char *name)
{
	if (t->table == TABLE_SPANS) {
		for (size_t i = 0; i < t->items.n; i++)
			if (!strcmp(span_names[i], name))
				return i;
		return NO_PLACE;
	}
	for (size_t i = 0; i < t->items.n; i++)
		if (!strcmp(prog_names[t->s->probes[i].prog], name))
			return i;
	return NO_PLACE;
}

/* Far more than there are spans or programs. */
#define NAMES_MAX 4096u

static void get_named_rows(struct reading *t, const json_t *o)
{
	const json_t *names = loader__array(t->l, o, "rows", NAMES_MAX);

	t->nrows = json_array_size(names);
	t->rows = loader__room(t->l, t->nrows, sizeof(t->rows[0]));
	for (size_t i = 0; i < t->nrows && !t->l->rc; i++) {
		const char *name = json_string_value(json_array_get(names, i));

		if (name)
			t->rows[i] = place_of_name(t, name);
		else
			loader__wrong(t->l, "rows", "names");
	}
}

static void get_rows(struct reading *t, const json_t *o)
{
	if (t->table == TABLE_TOTAL) {
		t->nrows = 1;
		t->rows = loader__room(t->l, 1, sizeof(t->rows[0]));
	} else if (t->table == TABLE_SPANS || t->table == TABLE_PROBES) {
		get_named_rows(t, o);
	} else {
		t->rows = places__get(t->l, o, "rows", t->items.n, &t->nrows);
	}
}

/* "path" and "state" of cgroups. */
static void get_paths(const struct reading *t, const json_t *o)
{
	const json_t *from, *to;
	size_t n = 0, *places;

	if (!loader__has(t->l, o, "path"))
		return;
	from = loader__object(t->l, o, "path");
	places = places__get(t->l, from, "rows", t->items.n, &n);
	to = loader__array(t->l, from, "to", t->items.n);
	if (json_array_size(to) != n)
		loader__wrong(t->l, "path", "as many paths as rows");
	for (size_t i = 0; i < n && !t->l->rc; i++) {
		struct row *r = &t->s->rows[places[i]];

		free(r->path);
		r->path = loader__any_text(t->l, "path", json_array_get(to, i));
		r->path_len = r->path ? strlen(r->path) : 0;
	}
	free(places);
}

static void get_states(const struct reading *t, const json_t *o)
{
	const json_t *from;
	const char *name;
	json_t *value;

	if (!loader__has(t->l, o, "state"))
		return;
	from = loader__object(t->l, o, "state");
	json_object_foreach ((json_t *)from, name, value) {
		size_t n = 0, *places = places__get(t->l, from, name, t->items.n, &n);
		int state = 0;

		while (state < 3 && strcmp(row_state_names[state], name))
			state++;
		if (state == 3)
			loader__fault(t->l, -EINVAL, "%s.state: this memcgtop does not know %.40s",
				      t->l->where, name);
		for (size_t i = 0; i < n && !t->l->rc; i++)
			t->s->rows[places[i]].state = state;
		free(places);
		if (t->l->rc)
			break;
	}
}

/* The columns of cgroups are those of the CPUs: made anew with them. */
static const struct columns *columns_of(struct loader *l, struct record_state *state, enum table t)
{
	struct columns *c = &state->columns[t];

	if (!c->by_name && columns__init(c, t, state->s))
		loader__fault(l, -ENOMEM, "not enough memory");
	return c;
}

static void get_table(struct loader *l, const json_t *doc, enum table table,
		      struct record_state *state)
{
	struct reading t = {.l = l, .s = state->s, .table = table};
	const struct columns *columns;
	const json_t *o;
	size_t old;

	if (!loader__has(l, doc, table_names[table]))
		return;
	o = loader__object(l, doc, table_names[table]);
	old = loader__enter(l, ".%s", table_names[table]);
	places__reshape(l, o, table, state->s, &state->limits);
	t.items = items_of(state->s, table);
	if (!l->rc && table == TABLE_CGROUPS) {
		get_paths(&t, o);
		get_states(&t, o);
	}
	if (loader__has(l, o, "columns")) {
		columns = columns_of(l, state, table);
		get_rows(&t, o);
		if (!l->rc)
			get_columns(&t, columns, o);
		if (loader__has(l, o, "widths"))
			get_dense(&t, columns, o, &state->dense[table]);
		free(t.rows);
	}
	loader__leave(l, old);
}

static void forget_dense(struct record_state *state)
{
	for (int t = 0; t < TABLE_NR; t++) {
		json_decref(state->dense[t]);
		state->dense[t] = NULL;
	}
}

void record__apply(struct loader *l, const json_t *doc, bool whole, struct record_state *state)
{
	if (whole) {
		sample__free(state->s);
		state->s = loader__room(l, 0, sizeof(*state->s));
		columns__release(&state->columns[TABLE_CGROUPS]);
		forget_dense(state);
	}
	if (l->rc)
		return;
	if (!json_is_object(doc)) {
		loader__fault(l, -EINVAL, "%s: expected an object", l->where);
		return;
	}
	get_fixed(l, doc, whole, state->s);
	for (int t = 0; t < TABLE_NR && !l->rc; t++)
		get_table(l, doc, t, state);
	if (!l->rc)
		store__check_other(l, state->s);
}

void record__release(struct record_state *state)
{
	sample__free(state->s);
	state->s = NULL;
	forget_dense(state);
	for (int t = 0; t < TABLE_NR; t++)
		columns__release(&state->columns[t]);
}
