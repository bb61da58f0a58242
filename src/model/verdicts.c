// SPDX-License-Identifier: GPL-2.0-only
/* The judge of the rules in rules.c. */
#include <math.h>
#include <string.h>

#include "model/rules.h"

static bool compares(const struct condition *c, const struct place *p)
{
	double v = c->of(p);

	switch (c->compare) {
	case COMPARE_ABOVE:
		return v > c->limit;
	case COMPARE_AT_LEAST:
		return v >= c->limit;
	case COMPARE_BELOW:
		break;
	}
	return v < c->limit;
}

static bool holds(const struct rule *r, const struct place *p)
{
	bool before = false; /* one of those that are or-ed with this one held */

	for (const struct condition *c = r->conditions; c->what; c++) {
		before = before || compares(c, p);
		if (c->or_next)
			continue;
		if (!before)
			return false;
		before = false;
	}
	return true;
}

static bool enough(const struct place *p)
{
	return of_charges(p) >= VERDICT_CHARGES;
}

/* Takes a place where the rule holds into account. */
static void consider(struct place *worst, double *most, const struct rule *r, const struct place *p)
{
	size_t places = worst->places + 1;
	double v = rule__get(p, r->worst);

	if (v > *most) {
		*most = v;
		*worst = *p;
	}
	worst->places = places;
}

/* The CPU or cgroup with most of it among those where the rule holds; no places: nowhere. */
static struct place worst_place(const struct rule *r, const struct model *m)
{
	struct place worst = {.m = m};
	double most = -1;

	for (size_t i = 0; r->each == EACH_CPU && i < m->ncpus; i++) {
		struct place p = {.m = m, .s = &m->cpus[i].scope, .cpu = &m->cpus[i]};

		if (enough(&p) && holds(r, &p))
			consider(&worst, &most, r, &p);
	}
	for (size_t i = 0; r->each == EACH_CGROUP && i < m->nrows; i++) {
		struct place p = {.m = m, .s = &m->rows[i].scope, .row = &m->rows[i]};

		if (p.row->row->state != ROW_IS_OTHER && holds(r, &p))
			consider(&worst, &most, r, &p);
	}
	if (!worst.s)
		worst.places = 0;
	return worst;
}

static bool found(const struct verdicts *v, const char *name)
{
	for (size_t i = 0; name && i < v->n; i++)
		if (!strcmp(v->list[i].rule->name, name))
			return true;
	return false;
}

static void judge(struct verdicts *v, const struct rule *r, const struct model *m)
{
	struct place p = {.m = m, .s = &m->total};
	struct verdict *verdict;

	if (v->n == VERDICTS_MAX || found(v, r->yields_to) || (r->last_resort && v->n))
		return;
	if (r->each == EACH_NONE)
		p.places = holds(r, &p);
	else
		p = worst_place(r, m);
	if (!p.places)
		return;
	verdict = &v->list[v->n++];
	verdict->rule = r;
	verdict->cgroup = p.row ? p.row->row : r->blame ? rule__most(m, r->blame) : NULL;
	verdict->by = r->by ? r->by(&p) : NULL;
	for (size_t i = 0; r->numbers[i].key; i++)
		verdict->values[i] = r->numbers[i].of(&p);
}

enum input { INPUT_KNOWN, INPUT_NO_SUCH_THING, INPUT_MISSING };

/*
 * A rule about what this machine has not, or what never happened, is void; one
 * whose measure is missing stays open.
 */
static enum input inputs_of(const struct rule *r, const struct model *m)
{
	enum input worst = INPUT_KNOWN;

	for (const char *const *key = r->inputs; *key; key++) {
		const struct field *f;
		const struct part *part;
		struct unmeasured why;

		if (!rule__find(*key, &f, &part))
			return INPUT_MISSING;
		why = field__unmeasured(f, part, m);
		if (why.reason == REASON_NONE)
			continue;
		if (!why.applicable || why.reason == REASON_NO_EVENTS)
			return INPUT_NO_SUCH_THING;
		worst = INPUT_MISSING;
	}
	return worst;
}

void verdicts__init(struct verdicts *v, const struct model *m)
{
	const struct place all = {.m = m, .s = &m->total};

	*v = (struct verdicts){.state = VERDICT_TOO_FEW};
	if (m->quality.grade == GRADE_UNTRUSTED)
		v->state = VERDICT_UNTRUSTED;
	else if (enough(&all))
		v->state = VERDICT_JUDGED;
	if (v->state != VERDICT_JUDGED)
		return;
	for (size_t i = 0; i < nrules; i++) {
		enum input inputs = inputs_of(&rules[i], m);

		if (inputs == INPUT_KNOWN)
			judge(v, &rules[i], m);
		else if (inputs == INPUT_MISSING)
			v->unjudged[v->nunjudged++] = &rules[i];
	}
}

const char *verdict_state__name(enum verdict_state s)
{
	static const char *const names[] = {
		[VERDICT_TOO_FEW] = "too_few_events",
		[VERDICT_UNTRUSTED] = "untrusted",
		[VERDICT_JUDGED] = "judged",
	};

	return names[s];
}
