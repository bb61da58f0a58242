// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules, in the order in which they are told. The verdict tests few measures
 * together, as each more is one more that can be wrong.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

#define CONDITIONS(...)                   \
	(const struct change_condition[]) \
	{                                 \
		__VA_ARGS__,              \
		{                         \
			.key = NULL       \
		}                         \
	}
#define UP(k)                   \
	{                       \
		k, CHANGE_UP, 0 \
	}
#define DOWN(k)                   \
	{                         \
		k, CHANGE_DOWN, 0 \
	}
#define SAME(k)                   \
	{                         \
		k, CHANGE_SAME, 0 \
	}
#define ABOVE(k, l)                  \
	{                            \
		k, CHANGE_B_ABOVE, l \
	}
#define BELOW(k, l)                  \
	{                            \
		k, CHANGE_B_BELOW, l \
	}
#define TESTED_MAX  16
#define SAME_COUNTS SAME("miss_ratio"), SAME("walks/uncharges")

const char *const change_counts[] = {"charges", "miss_ratio", "walks/uncharges", NULL};
const char *const change_costs[] = {"charge_ns", "walk_ns", "lock_hold_ns", NULL};

const struct change_rule change_rules[] = {
	{.name = "bypass",
	 .help = "Uncharges go past the stock: each of them walks the page counters",
	 .headline = "uncharges bypass the stock",
	 .detail = "{b:amplification} walks a socket uncharge, {a:amplification} in A|; "
		   "{b:pages_per_walk} pages a walk, {a:pages_per_walk} in A|.",
	 .conditions = CONDITIONS(UP("walks/uncharges"), ABOVE("amplification", 0.5))},
	{.name = "more_slots",
	 .help = "Fewer charges miss, and the stock has more slots",
	 .headline = "fewer misses: more slots",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A; slots of a CPU: "
		   "{b:slots}, {a:slots} in A.",
	 .conditions = CONDITIONS(DOWN("miss_ratio"), UP("slots"))},
	{.name = "fewer_slots",
	 .help = "More charges miss, and the stock has fewer slots",
	 .headline = "more misses: fewer slots",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A; slots of a CPU: "
		   "{b:slots}, {a:slots} in A.",
	 .conditions = CONDITIONS(UP("miss_ratio"), DOWN("slots"), ABOVE("slots", 0))},
	{.name = "no_slots",
	 .help = "More charges miss, and there are no slots: what is given back is not kept",
	 .headline = "more misses: nothing is put back",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A.",
	 .conditions = CONDITIONS(UP("miss_ratio"), BELOW("slots", 1))},
	{.name = "more_evictions",
	 .help = "More charges miss, with as many slots: cgroups take each other's",
	 .headline = "more misses: cgroups evict each other",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A; {b:evictions/charges} "
		   "evictions a charge, {a:evictions/charges} in A.",
	 .yields_to = "fewer_slots no_slots",
	 .conditions = CONDITIONS(UP("miss_ratio"), UP("evictions/charges"))},
	{.name = "fewer_evictions",
	 .help = "Fewer charges miss, with as many slots: cgroups take each other's less often",
	 .headline = "fewer misses: fewer evictions",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A; {b:evictions/charges} "
		   "evictions a charge, {a:evictions/charges} in A.",
	 .yields_to = "more_slots",
	 .conditions = CONDITIONS(DOWN("miss_ratio"), DOWN("evictions/charges"))},
	{.name = "more_misses",
	 .help = "More charges miss",
	 .headline = "more misses",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A.",
	 .yields_to = "fewer_slots no_slots more_evictions",
	 .conditions = CONDITIONS(UP("miss_ratio"))},
	{.name = "fewer_misses",
	 .help = "Fewer charges miss",
	 .headline = "fewer misses",
	 .detail = "{b:miss_ratio} of charges miss, {a:miss_ratio} in A.",
	 .yields_to = "more_slots fewer_evictions",
	 .conditions = CONDITIONS(DOWN("miss_ratio"))},
	{.name = "more_walks",
	 .help = "An uncharge makes more walks of the page counters than it did",
	 .headline = "more walks an uncharge",
	 .detail = "{b:walks/uncharges} walks an uncharge, {a:walks/uncharges} in A|; "
		   "{b:pages_per_walk} pages a walk, {a:pages_per_walk} in A|.",
	 .yields_to = "bypass",
	 .conditions = CONDITIONS(UP("walks/uncharges"))},
	{.name = "fewer_walks",
	 .help = "An uncharge makes fewer walks of the page counters than it did",
	 .headline = "fewer walks an uncharge",
	 .detail = "{b:walks/uncharges} walks an uncharge, {a:walks/uncharges} in A|; "
		   "{b:pages_per_walk} pages a walk, {a:pages_per_walk} in A|.",
	 .conditions = CONDITIONS(DOWN("walks/uncharges"))},
	{.name = "more_charges",
	 .help = "The same work (--per) charges more often",
	 .headline = "more charges for the same work",
	 .detail = "{b:charges}, {a:charges} in A|; {b:charge_pages/charges} pages a charge, "
		   "{a:charge_pages/charges} in A|.",
	 .conditions = CONDITIONS(UP("charges"))},
	{.name = "fewer_charges",
	 .help = "The same work (--per) charges less often",
	 .headline = "fewer charges for the same work",
	 .detail = "{b:charges}, {a:charges} in A|; {b:charge_pages/charges} pages a charge, "
		   "{a:charge_pages/charges} in A|.",
	 .conditions = CONDITIONS(DOWN("charges"))},
	{.name = "same_slower_walks",
	 .help = "As many misses and walks, and each walk takes longer",
	 .headline = "same counts, each walk slower",
	 .detail = "{b:walk_ns} a walk, {a:walk_ns} in A|; it touches {b:walk_levels/walks} "
		   "counters, {a:walk_levels/walks} in A|.",
	 .conditions = CONDITIONS(UP("walk_ns"), SAME_COUNTS)},
	{.name = "same_faster_walks",
	 .help = "As many misses and walks, and each walk takes less",
	 .headline = "same counts, each walk faster",
	 .detail = "{b:walk_ns} a walk, {a:walk_ns} in A|; it touches {b:walk_levels/walks} "
		   "counters, {a:walk_levels/walks} in A|.",
	 .conditions = CONDITIONS(DOWN("walk_ns"), SAME_COUNTS)},
	{.name = "slower_walks",
	 .help = "Counts changed, and each walk takes longer",
	 .headline = "each walk is slower",
	 .detail = "{b:walk_ns} a walk, {a:walk_ns} in A: {x:walk_ns} as long.",
	 .yields_to = "same_slower_walks",
	 .conditions = CONDITIONS(UP("walk_ns"))},
	{.name = "faster_walks",
	 .help = "Counts changed, and each walk takes less",
	 .headline = "each walk is faster",
	 .detail = "{b:walk_ns} a walk, {a:walk_ns} in A.",
	 .yields_to = "same_faster_walks",
	 .conditions = CONDITIONS(DOWN("walk_ns"))},
	{.name = "same_slower_charges",
	 .help = "As many misses and walks, and each charge takes longer",
	 .headline = "same counts, each charge slower",
	 .detail = "{b:charge_ns} a charge, {a:charge_ns} in A.",
	 .conditions = CONDITIONS(UP("charge_ns"), SAME_COUNTS)},
	{.name = "same_faster_charges",
	 .help = "As many misses and walks, and each charge takes less",
	 .headline = "same counts, each charge faster",
	 .detail = "{b:charge_ns} a charge, {a:charge_ns} in A.",
	 .conditions = CONDITIONS(DOWN("charge_ns"), SAME_COUNTS)},
	{.name = "slower_charges",
	 .help = "Counts changed, and a charge takes longer",
	 .headline = "each charge is slower",
	 .detail = "{b:charge_ns} a charge, {a:charge_ns} in A.",
	 .yields_to = "same_slower_charges",
	 .conditions = CONDITIONS(UP("charge_ns"))},
	{.name = "faster_charges",
	 .help = "Counts changed, and a charge takes less",
	 .headline = "each charge is faster",
	 .detail = "{b:charge_ns} a charge, {a:charge_ns} in A.",
	 .yields_to = "same_faster_charges",
	 .conditions = CONDITIONS(DOWN("charge_ns"))},
	{.name = "longer_holds",
	 .help = "A refill holds the lock of the stock longer",
	 .headline = "the stock's lock is held longer",
	 .detail = "{b:lock_hold_ns} a refill, {a:lock_hold_ns} in A.",
	 .conditions = CONDITIONS(UP("lock_hold_ns"))},
	{.name = "shorter_holds",
	 .help = "A refill holds the lock of the stock shorter",
	 .headline = "the stock's lock is held shorter",
	 .detail = "{b:lock_hold_ns} a refill, {a:lock_hold_ns} in A.",
	 .conditions = CONDITIONS(DOWN("lock_hold_ns"))},
};

const size_t nchange_rules = sizeof(change_rules) / sizeof(change_rules[0]);

bool change__fact(const struct comparison *c, const char *key, double *a, double *b)
{
	const struct compared *row = comparison__row(c, key);

	if (!strcmp(key, "slots")) {
		*a = c->a->runs->stock.slots;
		*b = c->b->runs->stock.slots;
		return c->a->runs->stock.design != DESIGN_UNKNOWN &&
		       c->b->runs->stock.design != DESIGN_UNKNOWN;
	}
	if (!row || !row->a.n || !row->b.n)
		return false;
	*a = row->a.median;
	*b = row->b.median;
	return true;
}

/*
 * A bound from above and one from below are no two values of one thing, and how
 * often a second something happened is the speed of the whole. What an emulated
 * CPU takes is not what a real one would take.
 */
static bool testable(const struct comparison *c, const struct compared *row)
{
	const struct measure *list = measures__all(&(size_t){0});
	const char *a, *b;

	if (!row || !row->measure || !row->a.n || !row->b.n)
		return false;
	if (row->divided && c->per.what == PER_SECOND)
		return false;
	if (row->kind == MEASURE_NS && comparison__emulated(c))
		return false;
	a = c->a->runs->bounds[row->measure - list];
	b = c->b->runs->bounds[row->measure - list];
	return !a || !b || !strcmp(a, b);
}

static struct compared *tested_row(const struct comparison *c, const char *key)
{
	/* the rows are the comparison's own */
	struct compared *row = (struct compared *)comparison__row(c, key);

	return testable(c, row) ? row : NULL;
}

/* Did the row move, as far as this verdict can be sure? */
static bool moved(const struct change_verdict *v, const struct compared *row)
{
	if (row->difference == DIFFERS_UNTESTED)
		return v->sureness == SURE_IF_REPEATED;
	if (row->difference != DIFFERS)
		return false;
	/* what is not among the verdict's own stands by its own p */
	if (v->sureness == SURE && change__tests(row->key))
		return row->adjusted < STATS_ALPHA;
	return true;
}

bool change__tests(const char *key)
{
	for (size_t i = 0; change_counts[i]; i++)
		if (!strcmp(key, change_counts[i]))
			return true;
	for (size_t i = 0; change_costs[i]; i++)
		if (!strcmp(key, change_costs[i]))
			return true;
	return false;
}

static bool condition_holds(const struct change_verdict *v, const struct comparison *c,
			    const struct change_condition *k)
{
	const struct compared *row = comparison__row(c, k->key);
	bool up, change;
	double a, b;

	if (!change__fact(c, k->key, &a, &b) || (change__tests(k->key) && !testable(c, row)))
		return false;
	up = b > a;
	change = row ? moved(v, row) : a != b;
	switch (k->how) {
	case CHANGE_UP:
		return change && up;
	case CHANGE_DOWN:
		return change && !up;
	case CHANGE_SAME:
		return !change;
	case CHANGE_B_ABOVE:
		return b > k->limit;
	case CHANGE_B_BELOW:
		break;
	}
	return b < k->limit;
}

static bool said(const struct change_verdict *v, const char *names)
{
	for (size_t i = 0; names && i < v->n; i++) {
		size_t len = strlen(v->rules[i]->name);

		for (const char *s = names; (s = strstr(s, v->rules[i]->name)); s += len)
			if ((s == names || s[-1] == ' ') && (!s[len] || s[len] == ' '))
				return true;
	}
	return false;
}

static void judge(struct change_verdict *v, const struct comparison *c, const struct change_rule *r)
{
	if (v->n == CHANGES_MAX || said(v, r->yields_to))
		return;
	for (const struct change_condition *k = r->conditions; k->key; k++)
		if (!condition_holds(v, c, k))
			return;
	v->rules[v->n++] = r;
}

/* By all ways to deal the runs, where each has all measures and they are not too many. */
static bool adjust_jointly(const struct comparison *c, struct compared *const *rows, size_t n,
			   double *p)
{
	const size_t na = c->a->n, nb = c->b->n;
	const double *values[TESTED_MAX];
	double *all = calloc(n * (na + nb) + 1, sizeof(*all));
	bool done = all;

	for (size_t i = 0; done && i < n; i++) {
		double *v = all + i * (na + nb);

		values[i] = v;
		done = comparison__values(c, c->a, rows[i], v) &&
		       comparison__values(c, c->b, rows[i], v + na);
	}
	done = done && stats__joint(values, n, na, nb, p);
	free(all);
	return done;
}

/* The p of all that is tested, together. */
static void adjust(struct change_verdict *v, struct comparison *c)
{
	const char *const *const lists[] = {change_counts, change_costs};
	struct compared *rows[TESTED_MAX] = {};
	size_t untested = 0;
	double p[TESTED_MAX];

	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; lists[l][i]; i++) {
			struct compared *row = tested_row(c, lists[l][i]);

			if (row && row->a.n == c->a->n && row->b.n == c->b->n)
				rows[v->measures++] = row;
			else if (strcmp(lists[l][i], "charges") != 0 &&
				 !(l && comparison__emulated(c)))
				v->untested[untested++] = lists[l][i];
		}
	for (size_t i = 0; i < v->measures; i++)
		p[i] = rows[i]->p;
	v->jointly = adjust_jointly(c, rows, v->measures, p);
	if (!v->jointly)
		stats__holm(p, p, v->measures);
	for (size_t i = 0; i < v->measures; i++)
		rows[i]->adjusted = p[i];
}

static void list_moved(struct change_verdict *v, const struct comparison *c)
{
	const char *const *const lists[] = {change_counts, change_costs};
	size_t n = 0;

	for (size_t l = 0; l < 2; l++) {
		for (size_t i = 0; lists[l][i]; i++) {
			const struct compared *row = tested_row(c, lists[l][i]);

			if (row && moved(v, row))
				v->moved[n++] = row->key;
		}
		v->ncounts = l ? v->ncounts : n;
	}
}

/* One run is enough; of one run's intervals, most of them. */
static bool untrusted(const struct side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->runs[i].grade == GRADE_UNTRUSTED;
	return s->within ? 2 * n > s->n : n;
}

void changes__judge(struct change_verdict *v, struct comparison *c)
{
	*v = (struct change_verdict){};
	adjust(v, c);
	if (c->too_few)
		v->sureness = SURE_IF_REPEATED;
	v->untrusted = untrusted(c->a) || untrusted(c->b);
	if (v->untrusted)
		return;
	list_moved(v, c);
	for (size_t i = 0; i < nchange_rules; i++)
		judge(v, c, &change_rules[i]);
}
