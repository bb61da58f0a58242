// SPDX-License-Identifier: GPL-2.0-only
/* What changed from one sample to the next, by column. */
#include "sample/record_encode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sample/record_match.h"
#include "sample/store_parts.h"

/* An array or object on its way: what stands between two members of it. */
struct open {
	FILE *f;
	bool any;
	size_t last; /* of steps: the place before */
};

static void next(struct open *o)
{
	if (o->any)
		putc_unlocked(',', o->f);
	o->any = true;
}

static void key(struct open *o, const char *name)
{
	next(o);
	fprintf(o->f, "\"%s\":", name);
}

static void number(FILE *f, uint64_t n)
{
	char digits[24], *at = digits + sizeof(digits);

	if (n > INT64_MAX) {
		putc_unlocked('-', f);
		n = -n;
	}
	do {
		*--at = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	for (; at < digits + sizeof(digits); at++)
		putc_unlocked(*at, f);
}

/* A signed number. */
static void element(struct open *o, uint64_t n)
{
	next(o);
	number(o->f, n);
}

/* The distance from the place before. */
static void step(struct open *o, size_t at)
{
	element(o, at - o->last);
	o->last = at;
}

/* What is not a number. Frees the value. */
static int value(FILE *f, json_t *v)
{
	int err = v && !json_dumpf(v, f, JSON_COMPACT | JSON_ENCODE_ANY) ? 0 : -ENOMEM;

	json_decref(v);
	return err;
}

/* One table, of the sample before and of this one. */
struct change {
	FILE *f;
	enum table table;
	struct items from, to;
	struct columns columns;
	struct match match;
	bool *any;    /* of each column: some item changed in it */
	size_t *rows; /* the places of the items that changed */
	size_t nrows;
	uint64_t *deltas; /* of one column, by rows */
	struct open members;
};

static const void *to_item(const struct change *c, size_t i)
{
	return (const char *)c->to.at + i * c->to.size;
}

/* What an item was before; a new one was nothing. */
static const void *from_item(const struct change *c, size_t i)
{
	static const union {
		struct sample sample;
		struct row row;
		struct hist hist;
	} nothing;
	size_t before = c->match.before[i];

	return before == NO_MATCH ? (const void *)&nothing
				  : (const char *)c->from.at + before * c->from.size;
}

/* What was in a part that is not there any more is gone with it. */
static uint64_t delta_of(const struct column *column, const void *from, const void *to)
{
	if (column->width != WIDTH_PART && !column__part(column, to))
		return 0;
	return column__get(column, to) - column__get(column, from);
}

static void find_changes(struct change *c)
{
	for (size_t i = 0; i < c->to.n; i++) {
		const void *from = from_item(c, i), *to = to_item(c, i);
		bool changed = false;

		for (size_t j = 0; j < c->columns.n; j++)
			if (delta_of(&c->columns.at[j], from, to))
				changed = c->any[j] = true;
		if (changed)
			c->rows[c->nrows++] = i;
	}
}

static void put_numbers(FILE *f, const uint64_t *n, size_t count, uint64_t unit, bool sparse)
{
	struct open list = {.f = f};

	putc('[', f);
	for (size_t i = 0; i < count; i++)
		if (n[i] || !sparse)
			element(&list, (uint64_t)((int64_t)n[i] / (int64_t)unit));
	putc(']', f);
}

static uint64_t magnitude(uint64_t delta)
{
	return delta > INT64_MAX ? -delta : delta;
}

/* What all deltas are multiples of, if that saves digits: of bytes it is the page. */
static uint64_t unit_of(const uint64_t *n, size_t count)
{
	uint64_t unit = 0;

	for (size_t i = 0; i < count && unit != 1; i++)
		for (uint64_t b = magnitude(n[i]), rest; b; b = rest) {
			rest = unit % b;
			unit = b;
		}
	return unit < 16 || unit > INT64_MAX ? 1 : unit;
}

/* [5,0,3] by rows; {"rows":[0,2],"unit":4096,"by":[5,3]} where that is shorter. */
static void put_column(struct change *c, const struct column *column)
{
	struct open o = {.f = c->f}, rows = {.f = c->f};
	size_t nonzero = 0;
	uint64_t unit;
	bool sparse;

	for (size_t i = 0; i < c->nrows; i++) {
		c->deltas[i] = delta_of(column, from_item(c, c->rows[i]), to_item(c, c->rows[i]));
		nonzero += c->deltas[i] != 0;
	}
	unit = c->nrows > 1 ? unit_of(c->deltas, c->nrows) : 1;
	sparse = c->nrows > 8 && nonzero < c->nrows / 2;
	if (!sparse && unit == 1) {
		put_numbers(c->f, c->deltas, c->nrows, 1, false);
		return;
	}
	putc('{', c->f);
	if (sparse) {
		key(&o, "rows");
		putc('[', c->f);
		for (size_t i = 0; i < c->nrows; i++)
			if (c->deltas[i])
				step(&rows, i);
		putc(']', c->f);
	}
	if (unit != 1) {
		key(&o, "unit");
		number(c->f, unit);
	}
	key(&o, "by");
	put_numbers(c->f, c->deltas, c->nrows, unit, sparse);
	putc('}', c->f);
}

/* The items that changed: by their places, or by their names where they have some. */
static void put_rows(struct change *c)
{
	struct open list = {.f = c->f};

	if (c->table == TABLE_TOTAL)
		return;
	key(&c->members, "rows");
	putc('[', c->f);
	for (size_t i = 0; i < c->nrows; i++) {
		const struct probe *probe = to_item(c, c->rows[i]);

		if (c->table != TABLE_SPANS && c->table != TABLE_PROBES) {
			step(&list, c->rows[i]);
			continue;
		}
		next(&list);
		fprintf(c->f, "\"%s\"",
			c->table == TABLE_SPANS ? span_names[c->rows[i]] : prog_names[probe->prog]);
	}
	putc(']', c->f);
}

static void put_columns(struct change *c)
{
	struct open columns = {.f = c->f};

	if (!c->nrows)
		return;
	put_rows(c);
	key(&c->members, "columns");
	putc('{', c->f);
	for (size_t i = 0; i < c->columns.n; i++)
		if (c->any[i]) {
			key(&columns, c->columns.at[i].name);
			put_column(c, &c->columns.at[i]);
		}
	putc('}', c->f);
}

static json_t *frames_of(const struct drain_caller *d, int *err)
{
	json_t *frames = json_array();

	for (uint32_t i = 0; i < d->nframes; i++)
		put__element(frames, put__text(d->frames[i]), err);
	return frames;
}

/* What tells an item from others, as up to two lists. */
static const char *const identities[TABLE_NR][2] = {
	[TABLE_CPUS] = {"cpu"},
	[TABLE_CGROUPS] = {"id"},
	[TABLE_PAIRS] = {"by", "of"},
	[TABLE_DRAINS] = {"cgroup", "frames"},
};

static json_t *identity_of(enum table t, int which, const void *item, int *err)
{
	const struct pair *p = item;
	const struct drain_caller *d = item;

	switch (t) {
	case TABLE_CPUS:
		return put__number(((const struct cpu *)item)->cpu);
	case TABLE_CGROUPS:
		return put__number(((const struct row *)item)->id);
	case TABLE_PAIRS:
		return put__number(which ? p->key.of : p->key.by);
	default:
		return which ? frames_of(d, err) : put__number(d->cgroup);
	}
}

/* The new items: where they are now, and who they are. */
static int put_new(struct change *c)
{
	struct open list = {.f = c->f};
	int err = 0;

	if (c->match.stay == c->to.n)
		return 0;
	key(&c->members, "new");
	putc('[', c->f);
	for (size_t i = 0; i < c->to.n; i++)
		if (c->match.before[i] == NO_MATCH)
			step(&list, i);
	putc(']', c->f);
	for (int which = 0; which < 2 && identities[c->table][which]; which++) {
		key(&c->members, identities[c->table][which]);
		putc('[', c->f);
		list = (struct open){.f = c->f};
		for (size_t i = 0; i < c->to.n && !err; i++) {
			if (c->match.before[i] != NO_MATCH)
				continue;
			next(&list);
			err = value(c->f, identity_of(c->table, which, to_item(c, i), &err));
		}
		putc(']', c->f);
	}
	return err;
}

/* Who is gone, and in which order the others are. */
static void put_order(struct change *c)
{
	struct open gone = {.f = c->f}, order = {.f = c->f};

	if (c->match.stay < c->from.n && identities[c->table][0]) {
		key(&c->members, "gone");
		putc('[', c->f);
		for (size_t i = 0; i < c->from.n; i++)
			if (c->match.rank[i] == NO_MATCH)
				step(&gone, i);
		putc(']', c->f);
	}
	if (!c->match.moved || !identities[c->table][0])
		return;
	key(&c->members, "order");
	putc('[', c->f);
	for (size_t i = 0; i < c->to.n; i++)
		if (c->match.before[i] != NO_MATCH)
			element(&order, c->match.rank[c->match.before[i]]);
	putc(']', c->f);
}

static bool same_path(const struct row *a, const struct row *b)
{
	if (!a->path || !b->path)
		return a->path == b->path;
	return a->path_len == b->path_len && !memcmp(a->path, b->path, a->path_len);
}

/* "path": {"rows": [...], "to": [...]} of the cgroups whose path is another one. */
static int put_paths(struct change *c)
{
	struct open list = {.f = c->f}, o = {.f = c->f};
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < c->to.n; i++)
		if (!same_path(from_item(c, i), to_item(c, i)))
			c->rows[n++] = i;
	if (!n)
		return 0;
	key(&c->members, "path");
	putc('{', c->f);
	key(&o, "rows");
	putc('[', c->f);
	for (size_t i = 0; i < n; i++)
		step(&list, c->rows[i]);
	fputs("],", c->f);
	o.any = false;
	key(&o, "to");
	putc('[', c->f);
	list = (struct open){.f = c->f};
	for (size_t i = 0; i < n && !err; i++) {
		next(&list);
		err = value(c->f, put__text(((const struct row *)to_item(c, c->rows[i]))->path));
	}
	fputs("]}", c->f);
	return err;
}

/* "state": {"deleted": [...]}: who became that; a new one begins live. */
static void put_states(struct change *c)
{
	struct open states = {.f = c->f};

	for (int state = 0; state < 3; state++) {
		struct open list = {.f = c->f};

		for (size_t i = 0; i < c->to.n; i++) {
			const struct row *from = from_item(c, i), *to = to_item(c, i);

			if (from->state == to->state || (int)to->state != state)
				continue;
			if (!states.any)
				key(&c->members, "state");
			if (!states.any)
				putc('{', c->f);
			if (!list.any) {
				key(&states, row_state_names[state]);
				putc('[', c->f);
			}
			step(&list, i);
		}
		if (list.any)
			putc(']', c->f);
	}
	if (states.any)
		putc('}', c->f);
}

static int put_table(struct change *c)
{
	int err;

	putc('{', c->f);
	put_order(c);
	err = identities[c->table][0] ? put_new(c) : 0;
	if (!err && c->table == TABLE_CGROUPS) {
		err = put_paths(c);
		put_states(c);
	}
	find_changes(c);
	put_columns(c);
	putc('}', c->f);
	return err;
}

static int encode_table(struct open *sample, enum table t, const struct sample *from,
			const struct sample *to)
{
	struct change c = {.f = sample->f, .table = t, .members.f = sample->f};
	int err;

	c.to = items_of(to, t);
	if (from)
		c.from = items_of(from, t);
	/* a list that is not there any more is told by the total */
	if (!c.to.n && (!c.from.n || !c.to.at || !identities[t][0]))
		return 0;
	err = columns__init(&c.columns, t, to);
	if (err)
		return err;
	err = match__init(&c.match, t, &c.from, &c.to);
	c.any = calloc(c.columns.n + 1, sizeof(c.any[0]));
	c.rows = calloc(c.to.n + 1, sizeof(c.rows[0]));
	c.deltas = calloc(c.to.n + 1, sizeof(c.deltas[0]));
	if (!err && (!c.any || !c.rows || !c.deltas))
		err = -ENOMEM;
	if (!err) {
		key(sample, table_names[t]);
		err = put_table(&c);
	}
	columns__release(&c.columns);
	match__release(&c.match);
	free(c.any);
	free(c.rows);
	free(c.deltas);
	return err;
}

/* What seldom changes, and is told whole then. */
static json_t *fixed_part(const char *name, const struct sample *s, int *err)
{
	if (!strcmp(name, "kept"))
		return store__put_kept(s, err);
	if (!strcmp(name, "host"))
		return store__put_host(&s->host, err);
	if (!strcmp(name, "stock"))
		return store__put_stock(&s->stock, false, err);
	return store__put_probes(s, false, err);
}

static int put_fixed(struct open *o, const struct sample *from, const struct sample *to)
{
	static const char *const names[] = {"kept", "host", "stock", "probes"};
	int err = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !err; i++) {
		json_t *now = fixed_part(names[i], to, &err);
		json_t *before = from ? fixed_part(names[i], from, &err) : NULL;

		if (err || (from && !before))
			json_decref(now);
		else if (!before || !json_equal(now, before)) {
			key(o, names[i]);
			err = value(o->f, now);
		} else
			json_decref(now);
		json_decref(before);
	}
	return err;
}

bool record__comparable(const struct sample *from, const struct sample *to)
{
	if (from->ncpus != to->ncpus)
		return false;
	for (size_t i = 0; i < to->ncpus; i++)
		if (from->cpus[i].cpu != to->cpus[i].cpu)
			return false;
	return true;
}

int record__encode(FILE *f, const struct sample *from, const struct sample *to)
{
	struct open o = {.f = f};
	int err;

	fprintf(f, "{\"time_ns\":");
	value(f, put__number(to->time_ns));
	fprintf(f, ",\"wall_ms\":%" PRId64, to->wall_ms);
	o.any = true;
	err = put_fixed(&o, from, to);
	for (int t = 0; t < TABLE_NR && !err; t++)
		err = encode_table(&o, t, from, to);
	fputs("}\n", f);
	return err ? err : ferror(f) ? -ENOMEM : 0;
}
