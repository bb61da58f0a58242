// SPDX-License-Identifier: GPL-2.0-only
/* All that one scope counts, by the field table: a new field is shown by itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/bars.h"
#include "view/measure.h"
#include "view/pane.h"
#include "view/sides.h"
#include "view/text.h"

/* The field table's sections, each from its first field on. */
static const struct section {
	const char *from;
	const char *heading;
	bool pair; /* stands beside the one before, where there is room */
} sections[] = {
	{"charges", "CHARGE SIDE", false},     {"uncharges", "UNCHARGE SIDE", true},
	{"evictions", "SLOTS TAKEN", false},   {"drain_all_calls", "DRAINS OF ALL CPUS", true},
	{"try_walks", "WALKS", false},	       {"sock_charges", "SOCKETS", true},
	{"stat_updates", "STATISTICS", false}, {"memcgs", "HELD AT THE END", true},
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

static const struct section *starts(const struct field *f)
{
	for (size_t i = 0; i < SECTIONS; i++)
		if (!strcmp(sections[i].from, f->key))
			return &sections[i];
	return NULL;
}

/* What the value is a share of; 0: of nothing. */
static double base_of(const struct model *m, const struct field *f, const struct scope *s)
{
	const char *key = sides__base(f->key);

	return key ? measure__value(m, key, s) : 0;
}

static struct side_line *add(struct side *side, const char *indent, const char *label)
{
	struct side_line *l;

	if (side->n == SIDE_LINES)
		return NULL;
	l = &side->lines[side->n++];
	memset(l, 0, sizeof(*l));
	snprintf(l->label, sizeof(l->label), "%s%s", indent, label);
	return l;
}

/* A number that is no count of events. */
static void plain_value(struct side_line *l, const struct field *f, double v, bool si)
{
	if (isnan(v))
		strcpy(l->count, "-");
	else if (f->share)
		strcat(strcpy(l->count, num__percent((char[NUM_LEN]){0}, v, 1)), "%");
	else if (f->ratio && si && v >= 1000)
		num__si(l->count, v < 0x1p64 ? (uint64_t)v : UINT64_MAX);
	else if (f->ratio)
		num__fixed(l->count, v, f->unit == UNIT_PAGES ? 1 : 3);
	else if (f->unit == UNIT_NS)
		num__duration(l->count, v);
	else if (f->unit == UNIT_BYTES)
		num__bytes(l->count, (uint64_t)v);
	else if (si)
		num__si(l->count, (uint64_t)v);
	else
		num__grouped(l->count, (uint64_t)v);
}

static void add_part(struct side *side, const struct model *m, const struct field *f,
		     const struct part *part, const struct scope *s, double sum, bool si)
{
	struct unmeasured why = field__unmeasured(f, part, m);
	struct side_line *l;

	if (why.reason != REASON_NONE && !why.applicable)
		return;
	l = add(side, "  ", part->name);
	if (l && why.reason != REASON_NONE)
		strcpy(l->count, "-");
	else if (l)
		side__count(l, part__count(part, s), m->seconds, sum, si);
}

/* A part that is not known is not in the sum. */
static bool whole(const struct model *m, const struct field *f)
{
	for (const struct part *part = f->parts; part->name; part++) {
		struct unmeasured why = field__unmeasured(f, part, m);

		if (why.reason != REASON_NONE && why.applicable)
			return false;
	}
	return true;
}

/* Of nothing there are no parts. */
static void add_split(struct side *side, struct side_line *l, const struct model *m,
		      const struct field *f, const struct scope *s, bool si)
{
	uint64_t sum = 0;

	for (const struct part *part = f->parts; part->name; part++)
		if (field__unmeasured(f, part, m).reason == REASON_NONE)
			sum += part__count(part, s);
	if (whole(m, f))
		side__count(l, sum, m->seconds, 0, si);
	else if (!sum)
		strcpy(l->count, "-");
	for (const struct part *part = f->parts; sum && part->name; part++)
		add_part(side, m, f, part, s, (double)sum, si);
}

static void add_field(struct side *side, const struct model *m, const struct field *f,
		      const struct scope *s, bool si)
{
	struct unmeasured why = field__unmeasured(f, NULL, m);
	struct side_line *l;

	if (why.reason != REASON_NONE && !why.applicable)
		return;
	l = add(side, "", f->key);
	if (!l)
		return;
	if (why.reason != REASON_NONE)
		strcpy(l->count, "-");
	else if (f->parts)
		add_split(side, l, m, f, s, si);
	else if (field__is_rate(f))
		side__count(l, f->count(s), m->seconds, base_of(m, f, s), si);
	else
		plain_value(l, f, field__value(f, s), si);
}

static void fill(struct side *sides, const struct model *m, const struct scope *s, bool si)
{
	struct side *side = NULL;

	memset(sides, 0, SECTIONS * sizeof(*sides));
	for (size_t i = 0; i < nfields; i++) {
		const struct section *section = starts(&fields[i]);

		if (section) {
			side = &sides[section - sections];
			side->heading = section->heading;
		}
		if (side && !fields[i].spans && fields[i].in & s->in)
			add_field(side, m, &fields[i], s, si);
	}
}

static bool all_fit(const struct page *p, const struct side *sides)
{
	for (size_t i = 0; i < SECTIONS; i++)
		if (!sides__fit(p, &sides[i], NULL))
			return false;
	return true;
}

void pane__fields(struct page *p, const struct model *m, const struct scope *s)
{
	struct side *sides = calloc(SECTIONS, sizeof(*sides));

	if (!sides) {
		p->failed = true;
		return;
	}
	fill(sides, m, s, false);
	if (!all_fit(p, sides))
		fill(sides, m, s, true);
	for (size_t i = 0; i < SECTIONS; i++) {
		bool pair =
			i + 1 < SECTIONS && sections[i + 1].pair && sides[i].n && sides[i + 1].n;

		if (!sides[i].n)
			continue;
		page__blank(p);
		sides__print(p, &sides[i], pair ? &sides[i + 1] : NULL);
		i += pair;
	}
	free(sides);
}

static void times_line(struct grid *g, const char *key, const struct histogram *h)
{
	grid__line(g);
	grid__text(g, key);
	grid__count(g, h->total);
	text__duration_cells(g, h);
}

/* How the time went: of the holds of the lock, or else of what charges. */
static void drawn(struct page *p, const struct model *m, const struct scope *s)
{
	static const char *const keys[] = {"lock_hold_ns", "charge_ns", "sock_charge_ns"};
	struct histogram h;
	char n[NUM_LEN];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct bars bars = {keys[i], {n}, &h};

		if (!measure__histogram(&h, m, keys[i], s))
			continue;
		num__grouped(n, h.total);
		page__blank(p);
		bars__print(p, &bars, 1);
		return;
	}
}

void pane__times_of(struct page *p, const struct model *m, const struct scope *s)
{
	struct histogram h;
	struct grid g;
	bool any = false;

	grid__init(&g, p);
	grid__column(&g, "TIME", GRID_ALWAYS, GRID_LEFT);
	grid__column(&g, "timed", 10, 0);
	text__duration_columns(&g);
	for (size_t i = 0; i < nfields; i++)
		if (fields[i].spans && measure__histogram(&h, m, fields[i].key, s)) {
			times_line(&g, fields[i].key, &h);
			any = true;
		}
	if (any)
		page__blank(p);
	grid__print(&g);
	if (any)
		drawn(p, m, s);
	if (any || s->in & IN_CPU || !m->times.taken)
		return;
	page__blank(p);
	pane__no_times(p, m, s, "here");
}

void pane__unmeasured(struct page *p, const struct model *m, const struct scope *s)
{
	page__part(p);
	text__unmeasured(p, m, s->in, true);
	p->parted = false;
}
