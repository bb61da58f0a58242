// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/value.h"
#include "model/sums.h"

/* A count, and between what it lies. */
struct count {
	double v;
	double low;
	double high;
};

/* An expression in one scope. */
struct measured {
	double v; /* NAN: nothing happened, or it is not known */
	double low;
	double high;
	double events;	  /* that it is made of */
	const char *what; /* these are; NULL: it is judged by what the whole window saw */
};

static void __attribute__((format(printf, 2, 3))) say(struct value *v, const char *fmt, ...)
{
	va_list args;

	if (v->why[0])
		return;
	v->value = NAN;
	va_start(args, fmt);
	vsnprintf(v->why, sizeof(v->why), fmt, args);
	va_end(args);
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* What is known only by exclusion: a missed call of the others is counted there. */
static bool is_rest(const struct part *part)
{
	return part && (!strcmp(part->name, "other") || !strcmp(part->name, "unknown") ||
			!strcmp(part->name, "unbatched"));
}

static uint64_t missed_of(const struct operand *o, const struct model *m)
{
	return hooks__missed(field__hooks(o->field, o->part, m), m);
}

/* By how much it may be too large. */
static double excess(const struct operand *o, const struct model *m)
{
	uint64_t hooks = 0;

	/* a walk that was not seen makes a hit of a miss */
	if (!strcmp(o->field->key, "hits"))
		return (double)m->quality.lost_walks;
	if (!is_rest(o->part))
		return 0;
	for (const struct part *part = o->field->parts; part->name; part++)
		hooks |= field__hooks(o->field, part, m);
	return (double)hooks__missed(hooks, m);
}

/* What one missed call may have counted. */
static double weight(const struct field *f)
{
	if (f->unit == UNIT_PAGES)
		return MISSED_PAGES_MAX;
	/* pressure lasts a second from each time that it was set */
	return f->unit == UNIT_NS ? 1e9 : 1;
}

static const struct metric *find_metric(const struct model *m, const char *name)
{
	const struct command *c = &m->window->command;

	for (size_t i = 0; i < c->nmetrics; i++)
		if (!strcmp(c->metrics[i].name, name))
			return &c->metrics[i];
	return NULL;
}

static struct count count_of(const struct operand *o, const struct scope *s, const struct model *m)
{
	struct count c;
	double v;

	if (!o->field) {
		v = find_metric(m, o->metric)->value;
		return (struct count){v, v, v};
	}
	v = o->part ? (double)part__count(o->part, s) : field__value(o->field, s);
	c = (struct count){v, v, v};
	if (o->field->gauge)
		return c;
	c.low = larger(0, v - excess(o, m) * weight(o->field));
	c.high = v + (double)missed_of(o, m) * weight(o->field);
	return c;
}

/* Whether each call that b's hooks miss is one that a's miss too: b is the whole that a is of. */
static bool is_whole(const struct operand *b, const struct operand *a, const struct model *m)
{
	uint64_t hooks;

	if (!a->field || !b->field || b->part || a->field->unit != b->field->unit)
		return false;
	hooks = field__hooks(b->field, NULL, m);
	return (hooks & field__hooks(a->field, a->part, m)) == hooks;
}

/*
 * With d missed a/b lies in [a / (b + d), (a + d) / (b + d)] where each of these
 * calls is one of b; where it may be of a alone, up to (a + d) / b.
 */
static void divide(struct measured *r, const struct count *a, const struct count *b, bool whole)
{
	double missed = b->high - b->v;

	r->v = a->v / b->v;
	r->low = a->low / b->high;
	r->high = b->low > 0 ? a->high / b->low : INFINITY;
	if (whole)
		r->high = larger(a->high / b->high, (a->high - missed) / b->v);
}

static void at_most_1(struct measured *r)
{
	r->v = smaller(r->v, 1);
	r->low = smaller(r->low, 1);
	r->high = smaller(r->high, 1);
}

static const char *name_of(const struct operand *o)
{
	static const struct {
		const char *key, *text;
	} parts[] = {{"charge_kinds", "charges of that kind"},
		     {"uncharge_kinds", "uncharges of that kind"}};

	for (size_t i = 0; o->part && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(o->field->key, parts[i].key))
			return parts[i].text;
	return o->field->key;
}

static void quotient(struct measured *r, const struct operand *a, const struct operand *b,
		     const struct scope *s, const struct model *m)
{
	struct count x = count_of(a, s, m), y = count_of(b, s, m);

	if (b->field && !b->field->gauge) {
		r->events = y.v;
		r->what = name_of(b);
	}
	/* 0/0, and a/0 as well: nothing happened that it could be a ratio of */
	if (y.v == 0 || isnan(x.v) || isnan(y.v)) {
		r->v = NAN;
		return;
	}
	divide(r, &x, &y, is_whole(b, a, m));
}

/* As if what was missed had been charged, or given back, a large folio each. */
static void bound_expected(struct measured *r, const struct scope *s, const struct model *m)
{
	struct operand in = {}, out = {}, all = {};
	double pages, batch = s->stock->batch;
	struct count charges;

	operand__find(&in, "charge_pages");
	operand__find(&out, "uncharge_pages");
	operand__find(&all, "charges");
	charges = count_of(&all, s, m);
	r->events = charges.v;
	r->what = "charges";
	pages = MISSED_PAGES_MAX / batch / larger(charges.v, 1);
	r->low = larger(0, r->v * charges.v / larger(charges.high, 1) -
				   (double)missed_of(&out, m) * pages);
	r->high = smaller(1, r->v + (double)missed_of(&in, m) * pages);
}

/* What is more than a batch misses by design, and is in neither count. */
static void bound_small(struct measured *r, const struct operand *a, const struct operand *b,
			const struct scope *s, const struct model *m)
{
	struct operand large = {};
	struct count x = count_of(a, s, m), y = count_of(b, s, m);
	double n;

	operand__find(&large, "miss_reasons.oversize");
	n = (double)part__count(large.part, s);
	x = (struct count){larger(0, x.v - n), larger(0, x.low - n), x.high - n};
	y = (struct count){larger(0, y.v - n), larger(0, y.low - n), y.high - n};
	r->events = y.v;
	r->what = "charges of up to a batch";
	if (y.v > 0)
		divide(r, &x, &y, true);
}

static void ratio(struct measured *r, const struct field *f, const struct scope *s,
		  const struct model *m)
{
	struct operand a = {}, b = {};

	if (!f->num) {
		r->v = r->low = r->high = f->ratio(s);
		bound_expected(r, s, m);
		return;
	}
	operand__find(&a, f->num);
	operand__find(&b, f->den);
	if (strcmp(f->key, "miss_ratio_small") != 0)
		quotient(r, &a, &b, s, m);
	else
		bound_small(r, &a, &b, s, m);
	r->v = f->ratio(s);
}

/* The value at a rank of n, of which none is missing. */
static double at_rank(const struct histogram *h, double rank)
{
	if (rank <= 0)
		return 0;
	if (rank > (double)h->total)
		return INFINITY;
	return histogram__quantile(h, rank / (double)h->total);
}

/*
 * A percentile lies between that which it had if all that was missed were
 * shorter, and if all were longer. Of the mean and the longest nobody can say
 * that: they are of what was timed.
 */
static void time_of(struct measured *r, const struct operand *o, const struct scope *s,
		    const struct model *m)
{
	static const double shares[] = {[STAT_P50] = 0.5, [STAT_P90] = 0.9, [STAT_P99] = 0.99};
	double missed, rank;
	struct histogram h;

	r->what = "timed calls";
	if (!times__histogram(&h, o->field, s) || !h.total) {
		r->v = NAN;
		return;
	}
	r->events = (double)h.total;
	if (o->stat == STAT_MAX || o->stat == STAT_MEAN) {
		r->v = o->stat == STAT_MAX ? (double)h.max : histogram__mean(&h);
		r->low = r->high = r->v;
		return;
	}
	missed = ceil((double)missed_of(o, m) / (m->times.every ? m->times.every : 1));
	r->v = histogram__quantile(&h, shares[o->stat]);
	rank = shares[o->stat] * ((double)h.total + missed);
	r->low = smaller(r->v, at_rank(&h, rank - missed));
	r->high = larger(r->v, at_rank(&h, rank));
}

static void measure(struct measured *r, const struct expr *x, const struct scope *s,
		    const struct model *m)
{
	struct count c;

	*r = (struct measured){};
	if (x->quotient) {
		quotient(r, &x->a, &x->b, s, m);
	} else if (x->a.stat) {
		time_of(r, &x->a, s, m);
	} else if (x->a.field && x->a.field->ratio) {
		ratio(r, x->a.field, s, m);
	} else {
		c = count_of(&x->a, s, m);
		*r = (struct measured){.v = c.v, .low = c.low, .high = c.high};
	}
	if (x->share)
		at_most_1(r);
	if (!x->rate)
		return;
	r->v /= m->seconds;
	r->low /= m->seconds;
	r->high /= m->seconds;
}

/* Can this window tell it at all? False: v says why not. */
static bool is_measured(struct value *v, const struct operand *o, const struct model *m)
{
	const struct metric *metric;
	struct unmeasured why;

	if (!o->field) {
		metric = find_metric(m, o->metric);
		if (!metric)
			say(v,
			    "there is no metric '%s' in this run: --metric %s=REGEX takes it from "
			    "what CMD prints",
			    o->metric, o->metric);
		else if (!metric->known)
			say(v, "the metric '%s' was not found in what CMD printed", o->metric);
		return metric && metric->known;
	}
	why = field__unmeasured(o->field, o->part, m);
	if (why.reason == REASON_NONE)
		return true;
	say(v, "%s%s%s is not measured: %s", o->field->key, o->part ? "." : "",
	    o->part ? o->part->name : "", why.text);
	return false;
}

static bool has_events(const struct measured *r, const struct trust *t)
{
	return !r->what || r->events >= (double)t->min_events;
}

static void take_over(struct value *v, const struct measured *r)
{
	v->value = r->v;
	v->low = r->low;
	v->high = r->high;
	v->events = r->what ? (uint64_t)r->events : v->events;
}

static void value_of_one(struct value *v, const struct expr *x, const struct scope *s,
			 const struct model *m, const struct trust *t)
{
	struct measured r;

	measure(&r, x, s, m);
	if (!has_events(&r, t))
		say(v, "too few events: %.0f %s, and --min-events is %" PRIu64, r.events, r.what,
		    t->min_events);
	else if (isnan(r.v))
		say(v, "there is no value: nothing happened that it could be taken of");
	else
		take_over(v, &r);
}

/* One after the other of those that are picked from. */
struct pick {
	const struct expr *x;
	const struct model *m;
	const struct trust *t;
	size_t matched;
	size_t kept;
	const char *what; /* of what those that are left out had too few */
	bool hidden;	  /* some may be in (other) */
	struct measured best;
};

/* Is it the worst up to now? */
static bool pick_one(struct pick *p, const struct scope *s)
{
	struct measured r;
	bool best;

	p->matched++;
	measure(&r, p->x, s, p->m);
	if (isnan(r.v) || !has_events(&r, p->t)) {
		p->what = r.what;
		return false;
	}
	if (!p->kept++) {
		p->best = r;
		return true;
	}
	best = p->x->pick == PICK_MAX ? r.v > p->best.v : r.v < p->best.v;
	/* the worst of all lies between the worst of both bounds */
	if (p->x->pick == PICK_MAX) {
		p->best.low = larger(p->best.low, r.low);
		p->best.high = larger(p->best.high, r.high);
	} else {
		p->best.low = smaller(p->best.low, r.low);
		p->best.high = smaller(p->best.high, r.high);
	}
	if (best) {
		p->best.v = r.v;
		p->best.events = r.events;
	}
	return best;
}

static bool row_matches(struct pick *p, const struct model_row *r)
{
	if (r->row->state == ROW_IS_OTHER) {
		p->hidden |= field__value(field__find("charges"), &r->scope) > 0;
		return false;
	}
	return !fnmatch(p->x->glob, r->row->path ? r->row->path : "", 0);
}

static int pick_rows(struct value *v, struct pick *p)
{
	const struct model_row *best = NULL;

	for (size_t i = 0; i < p->m->nrows; i++)
		if (row_matches(p, &p->m->rows[i]) && pick_one(p, &p->m->rows[i].scope))
			best = &p->m->rows[i];
	if (!best)
		return 0;
	v->where = strdup(best->row->path ? best->row->path : "(a cgroup without a name)");
	return v->where ? 0 : -ENOMEM;
}

static int pick_cpus(struct value *v, struct pick *p)
{
	const struct model_cpu *best = NULL;

	for (size_t i = 0; i < p->m->ncpus; i++)
		if (pick_one(p, &p->m->cpus[i].scope))
			best = &p->m->cpus[i];
	if (best && asprintf(&v->where, "CPU %u", best->cpu->cpu) < 0) {
		v->where = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* A cgroup without a row of its own may be worse than any that is seen. */
static void add_hidden(struct value *v, const struct pick *p)
{
	const struct expr *x = p->x;
	bool divided = x->quotient || x->a.field->ratio;

	if (!p->hidden)
		return;
	if (x->pick != PICK_MIN)
		v->high = INFINITY;
	if (x->pick == PICK_MIN || (x->pick == PICK_SUM && divided))
		v->low = 0;
	if (x->share)
		v->high = smaller(v->high, 1);
}

static int pick_worst(struct value *v, struct pick *p)
{
	const bool cpus = p->x->in == IN_CPU;
	int err = cpus ? pick_cpus(v, p) : pick_rows(v, p);

	v->left_out = p->matched - p->kept;
	if (!p->matched)
		say(v, "no cgroup matches '%s'", p->x->glob);
	else if (!p->kept && p->what)
		say(v, "too few events: none of %zu %s has %" PRIu64 " %s (--min-events)",
		    p->matched, cpus ? "CPUs" : "cgroups", p->t->min_events, p->what);
	else if (!p->kept)
		say(v, "it is not known of any of %zu %s", p->matched, cpus ? "CPUs" : "cgroups");
	else
		take_over(v, &p->best);
	add_hidden(v, p);
	return err;
}

static int pick_sum(struct value *v, struct pick *p)
{
	struct sums *sums = calloc(1, sizeof(*sums));
	struct scope s;

	if (!sums)
		return -ENOMEM;
	for (size_t i = 0; i < p->m->nrows; i++)
		if (row_matches(p, &p->m->rows[i]))
			sums__add(sums, &p->m->rows[i].scope, true);
	s = sums__scope(sums, p->m, NULL);
	if (sums->n)
		value_of_one(v, p->x, &s, p->m, p->t);
	else
		say(v, "no cgroup matches '%s'", p->x->glob);
	add_hidden(v, p);
	free(sums);
	return 0;
}

/* What the window saw at all: a gate that saw nothing passes nothing. */
static bool saw_enough(struct value *v, const struct model *m, const struct trust *t)
{
	double charges = field__value(field__find("charges"), &m->total);

	v->events = charges > 0 ? (uint64_t)charges : 0;
	if (v->events >= t->min_events)
		return true;
	say(v, "too few events: %" PRIu64 " charges, and --min-events is %" PRIu64, v->events,
	    t->min_events);
	return false;
}

int value__of(struct value *v, const struct expr *x, const struct model *m, const struct trust *t)
{
	struct pick p = {.x = x, .m = m, .t = t};

	*v = (struct value){.value = NAN};
	if (!is_measured(v, &x->a, m) || (x->quotient && !is_measured(v, &x->b, m)))
		return 0;
	if (!saw_enough(v, m, t))
		return 0;
	if (x->rate && !(m->seconds > 0)) {
		say(v, "the window has no length: there is no rate");
		return 0;
	}
	if (x->pick == PICK_SUM)
		return pick_sum(v, &p);
	if (x->pick != PICK_TOTAL)
		return pick_worst(v, &p);
	value_of_one(v, x, &m->total, m, t);
	return 0;
}

void value__none(struct value *v, const char *why)
{
	*v = (struct value){.value = NAN};
	say(v, "%s", why);
}

void value__release(struct value *v)
{
	free(v->where);
	v->where = NULL;
}
