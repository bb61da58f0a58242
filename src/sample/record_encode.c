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
	int *widths;	  /* of each column, if it is dense; else NOT_DENSE */
	bool *was_dense;  /* in the sample before; NULL: there was no list */
	long digits_at;	  /* where those of cgroups begin */
	struct open members;
};

/* Fewer rows than that are no gain, nor are fewer columns worth another list. */
#define DENSE_MIN     8
#define DENSE_COLUMNS 4
#define NOT_DENSE     (-1)

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

static size_t get_deltas(struct change *c, const struct column *column)
{
	size_t nonzero = 0;

	for (size_t i = 0; i < c->nrows; i++) {
		c->deltas[i] = delta_of(column, from_item(c, c->rows[i]), to_item(c, c->rows[i]));
		nonzero += c->deltas[i] != 0;
	}
	return nonzero;
}

static bool is_sparse(const struct change *c, size_t nonzero)
{
	return c->nrows > DENSE_MIN && nonzero < c->nrows / 2;
}

/* [5,0,3] by rows; {"rows":[0,2],"unit":4096,"by":[5,3]} where that is shorter. */
static void put_column(struct change *c, const struct column *column)
{
	struct open o = {.f = c->f}, rows = {.f = c->f};
	bool sparse = is_sparse(c, get_deltas(c, column));
	uint64_t unit = c->nrows > 1 ? unit_of(c->deltas, c->nrows) : 1;

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

static int digits_of(uint64_t n)
{
	int digits = 1;

	for (; n > 9; n /= 10)
		digits++;
	return digits;
}

/*
 * The digits that each number of a column needs, if most are about as long and
 * none is negative: the commas between them would cost more than zeros before.
 * What was dense before stays so if it can.
 */
static int dense_width(struct change *c, const struct column *column, bool was)
{
	size_t nonzero = get_deltas(c, column), sum = 0;
	int width = 0;

	if (column->width == WIDTH_PART)
		return NOT_DENSE;
	for (size_t i = 0; i < c->nrows; i++) {
		int digits = digits_of(c->deltas[i]);

		if (c->deltas[i] > INT64_MAX)
			return NOT_DENSE;
		sum += digits;
		width = digits > width ? digits : width;
	}
	if (was)
		return nonzero ? width : 0;
	if (c->nrows < DENSE_MIN || is_sparse(c, nonzero) || unit_of(c->deltas, c->nrows) != 1)
		return NOT_DENSE;
	return width * c->nrows - sum <= c->nrows + c->nrows / 2 ? width : NOT_DENSE;
}

/* Finds the dense columns. True: they are those of the sample before. */
static bool find_dense(struct change *c)
{
	size_t fresh = 0;
	bool lost = false;

	for (size_t i = 0; i < c->columns.n; i++) {
		bool was = c->was_dense && c->was_dense[i];

		c->widths[i] =
			c->any[i] || was ? dense_width(c, &c->columns.at[i], was) : NOT_DENSE;
		lost |= was && c->widths[i] == NOT_DENSE;
		fresh += !was && c->widths[i] != NOT_DENSE;
	}
	if (!c->was_dense || lost || fresh >= DENSE_COLUMNS)
		return false;
	for (size_t i = 0; i < c->columns.n; i++)
		if (!c->was_dense[i])
			c->widths[i] = NOT_DENSE;
	return true;
}

static void put_dense_names(struct change *c)
{
	struct open names = {.f = c->f};

	key(&c->members, "dense");
	putc('[', c->f);
	for (size_t i = 0; i < c->columns.n; i++)
		if (c->widths[i] != NOT_DENSE) {
			next(&names);
			fprintf(c->f, "\"%s\"", c->columns.at[i].name);
		}
	putc(']', c->f);
}

/* "widths": digits of each number of a dense column, "digits": theirs, column by column */
static void put_dense(struct change *c)
{
	struct open widths = {.f = c->f};
	char room[24];

	key(&c->members, "widths");
	putc('[', c->f);
	for (size_t i = 0; i < c->columns.n; i++)
		if (c->widths[i] != NOT_DENSE)
			element(&widths, c->widths[i]);
	putc(']', c->f);
	key(&c->members, "digits");
	putc('"', c->f);
	if (c->table == TABLE_CGROUPS && !fflush(c->f))
		c->digits_at = ftell(c->f);
	for (size_t i = 0; i < c->columns.n; i++) {
		if (c->widths[i] <= 0)
			continue;
		get_deltas(c, &c->columns.at[i]);
		for (size_t j = 0; j < c->nrows; j++) {
			uint64_t n = c->deltas[j];

			for (int k = c->widths[i]; k--; n /= 10)
				room[k] = (char)('0' + n % 10);
			fwrite_unlocked(room, 1, c->widths[i], c->f);
		}
	}
	putc('"', c->f);
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
	bool same, any = false;

	if (!c->nrows)
		return;
	put_rows(c);
	same = find_dense(c);
	key(&c->members, "columns");
	putc('{', c->f);
	for (size_t i = 0; i < c->columns.n; i++) {
		any |= c->widths[i] != NOT_DENSE;
		if (!c->any[i] || c->widths[i] != NOT_DENSE)
			continue;
		key(&columns, c->columns.at[i].name);
		put_column(c, &c->columns.at[i]);
	}
	putc('}', c->f);
	if (!any && !c->was_dense)
		return;
	if (!same)
		put_dense_names(c);
	put_dense(c);
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

/* The list as the reader has it now. */
static int remember_dense(const struct change *c, struct record_dense *dense)
{
	bool any = false;

	if (!c->nrows)
		return 0;
	for (size_t i = 0; i < c->columns.n; i++)
		any |= c->widths[i] != NOT_DENSE;
	if (!any && !dense->is[c->table])
		return 0;
	if (!dense->is[c->table])
		dense->is[c->table] = calloc(c->columns.n + 1, sizeof(bool));
	if (!dense->is[c->table])
		return -ENOMEM;
	for (size_t i = 0; i < c->columns.n; i++)
		dense->is[c->table][i] = c->widths[i] != NOT_DENSE;
	return 0;
}

void record_dense__release(struct record_dense *d)
{
	for (int t = 0; t < TABLE_NR; t++)
		free(d->is[t]);
	*d = (struct record_dense){0};
}

static int encode_table(struct open *sample, enum table t, const struct sample *from,
			const struct sample *to, struct record_dense *dense, size_t *digits)
{
	struct change c = {
		.f = sample->f, .table = t, .members.f = sample->f, .was_dense = dense->is[t]};
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
	c.widths = calloc(c.columns.n + 1, sizeof(c.widths[0]));
	c.rows = calloc(c.to.n + 1, sizeof(c.rows[0]));
	c.deltas = calloc(c.to.n + 1, sizeof(c.deltas[0]));
	if (!err && (!c.any || !c.widths || !c.rows || !c.deltas))
		err = -ENOMEM;
	if (!err) {
		key(sample, table_names[t]);
		err = put_table(&c);
		*digits = c.digits_at > 0 ? (size_t)c.digits_at : *digits;
		if (!err)
			err = remember_dense(&c, dense);
	}
	columns__release(&c.columns);
	match__release(&c.match);
	free(c.any);
	free(c.widths);
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

int record__encode(FILE *f, const struct sample *from, const struct sample *to,
		   struct record_dense *dense, size_t *digits)
{
	struct open o = {.f = f};
	int err;

	if (!from)
		record_dense__release(dense);
	fprintf(f, "{\"time_ns\":");
	value(f, put__number(to->time_ns));
	fprintf(f, ",\"wall_ms\":%" PRId64, to->wall_ms);
	o.any = true;
	*digits = 0;
	err = put_fixed(&o, from, to);
	for (int t = 0; t < TABLE_NR && !err; t++)
		err = encode_table(&o, t, from, to, dense, digits);
	fputs("}\n", f);
	return err ? err : ferror(f) ? -ENOMEM : 0;
}
