// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three results. A condition passed or failed only if all of the interval in
 * which its value lies does; else nobody can tell.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/gate.h"

/* The text of what R7 of the stock's rules makes a condition of every gate. */
static const char breaches_text[] = "stock_breaches > 0";

const char *gate_result__name(enum gate_result r)
{
	static const char *const names[] = {
		[GATE_PASSED] = "passed",
		[GATE_FAILED] = "failed",
		[GATE_CANNOT_TELL] = "cannot tell",
	};

	return names[r];
}

/* Why a window is not to be judged by, though there are numbers; NULL: it is. */
static const char *distrust(const struct model *m, const struct trust *t, char *buf, size_t n)
{
	const struct quality *q = &m->quality;

	if (q->worst && q->missed_ratio > t->max_missed) {
		snprintf(buf, n, "the hook %s missed %.2f %% of its calls, --max-missed is %g %%",
			 q->worst->hook, 100 * q->missed_ratio, 100 * t->max_missed);
		return buf;
	}
	/* more than 10 % missed is what --max-missed allowed; the bounds tell what it means */
	if (q->grade != GRADE_UNTRUSTED || q->nreasons <= q->nmissed_reasons)
		return NULL;
	snprintf(buf, n, "not to be trusted: %s", q->reasons[q->nmissed_reasons]);
	return buf;
}

/* Of all conditions, in one window. */
static int evaluate(struct value *to, const struct gate *g, const struct model *m, const char *why)
{
	char text[256];
	int err = 0;

	if (!why)
		why = distrust(m, &g->trust, text, sizeof(text));
	for (size_t i = 0; i < g->nconditions && !err; i++) {
		if (why)
			value__none(&to[i], why);
		else
			err = value__of(&to[i], &g->conditions[i].expr, m, &g->trust);
	}
	return err;
}

/* Where and when the first run was. */
static void describe(struct gate *g, const struct model *m)
{
	const struct host *h = &m->end->host;

	g->start_ms = m->end->wall_ms - (int64_t)llround(m->seconds * 1000);
	snprintf(g->hostname, sizeof(g->hostname), "%s", h->hostname);
	snprintf(g->kernel, sizeof(g->kernel), "%s", h->kernel);
}

int gate__add_run(struct gate *g, const struct model *m, const char *why)
{
	const size_t n = g->nconditions;
	struct value *values = realloc(g->values, ((g->nruns + 1) * n + 1) * sizeof(values[0]));

	if (!values)
		return -ENOMEM;
	g->values = values;
	memset(&values[g->nruns * n], 0, n * sizeof(values[0]));
	g->breaches += m->quality.breaches;
	g->seconds += m->seconds;
	if (!g->nruns++)
		describe(g, m);
	return evaluate(&values[(g->nruns - 1) * n], g, m, why);
}

int gate__set_baseline(struct gate *g, const struct model *m)
{
	g->baseline = calloc(g->nconditions + 1, sizeof(g->baseline[0]));
	return g->baseline ? evaluate(g->baseline, g, m, NULL) : -ENOMEM;
}

const char *gate__wants_baseline(const struct gate *g)
{
	for (size_t i = 0; i < g->nconditions; i++)
		if (expr__is_relative(&g->conditions[i].expr))
			return g->conditions[i].expr.text;
	return NULL;
}

static bool wants(const struct operand *o, bool (*known)(const char *name, const void *arg),
		  const void *arg)
{
	return !o->field && o->metric[0] && !known(o->metric, arg);
}

const char *gate__wants_metric(const struct gate *g,
			       bool (*known)(const char *name, const void *arg), const void *arg)
{
	for (size_t i = 0; i < g->nconditions; i++) {
		const struct expr *x = &g->conditions[i].expr;

		if (wants(&x->a, known, arg) || wants(&x->b, known, arg))
			return x->text;
	}
	return NULL;
}

const struct value *judged__run(const struct judged *j, const struct gate *g, size_t run)
{
	return j->first ? j->first + run * g->nconditions : NULL;
}

/* Where the limit lies. False: it is not known, and j has why. */
static bool find_limit(struct judged *j, const struct limit *l, const struct value *base)
{
	j->limit_low = j->limit_high = l->value;
	if (l->kind == LIMIT_FIXED)
		return true;
	if (base->why[0]) {
		j->limit_low = j->limit_high = NAN;
		snprintf(j->why, sizeof(j->why), "the baseline does not tell: %s", base->why);
		return false;
	}
	if (l->kind == LIMIT_ADD) {
		j->limit_low = base->low + l->value;
		j->limit_high = base->high + l->value;
		return true;
	}
	/* INFINITY * 0 would be no number */
	j->limit_low = l->value <= -1 ? 0 : base->low * (1 + l->value);
	j->limit_high = l->value <= -1 ? 0 : base->high * (1 + l->value);
	if (j->limit_low > j->limit_high) {
		/* a metric below 0 */
		double low = j->limit_high;

		j->limit_high = j->limit_low;
		j->limit_low = low;
	}
	return true;
}

/* Is a value somewhere in [low, high] above a limit in [from, to]? -1: nobody can tell. */
static int is_above(double low, double high, double from, double to, bool or_equal)
{
	if (or_equal ? low >= to : low > to)
		return 1;
	return (or_equal ? high < from : high <= from) ? 0 : -1;
}

static int is_equal(double low, double high, double from, double to)
{
	if (low == high && from == to && low == from)
		return 1;
	return high < from || low > to ? 0 : -1;
}

/* The expression holds: the condition failed. */
static enum gate_result compare(enum expr_op op, double low, double high, const struct judged *j)
{
	const double from = j->limit_low, to = j->limit_high;
	bool inverse = op == OP_LT || op == OP_LE || op == OP_NE;
	int holds;

	if (op == OP_EQ || op == OP_NE)
		holds = is_equal(low, high, from, to);
	else
		holds = is_above(low, high, from, to, op == OP_GE || op == OP_LT);
	if (holds < 0)
		return GATE_CANNOT_TELL;
	return (holds == 1) != inverse ? GATE_FAILED : GATE_PASSED;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them; of an even number it is the mean of the two in the middle. */
static double median(double *v, size_t n)
{
	if (!n)
		return NAN;
	qsort(v, n, sizeof(v[0]), compare_doubles);
	return n % 2 || v[n / 2 - 1] == v[n / 2] ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* The distribution over the runs, and the median's bounds. room: [nruns] */
static size_t distribute(struct judged *j, const struct gate *g, double *room)
{
	size_t n = 0;

	for (int which = 0; which < 3; which++) {
		n = 0;
		for (size_t i = 0; i < g->nruns; i++) {
			const struct value *v = judged__run(j, g, i);

			if (!v->why[0])
				room[n++] = which == 0 ? v->low : which == 1 ? v->high : v->value;
		}
		*(which == 0 ? &j->low : which == 1 ? &j->high : &j->value) = median(room, n);
	}
	j->median = j->value;
	j->min = n ? room[0] : NAN;
	j->max = n ? room[n - 1] : NAN;
	return n;
}

static void find_shown(struct judged *j, const struct gate *g)
{
	for (size_t i = 0; i < g->nruns; i++) {
		const struct value *v = judged__run(j, g, i);

		if (v->why[0])
			continue;
		if (!j->shown || fabs(v->value - j->median) < fabs(j->shown->value - j->median))
			j->shown = v;
	}
}

static void say_open(struct judged *j, size_t runs)
{
	if (j->why[0])
		return;
	if (runs > 1)
		snprintf(j->why, sizeof(j->why),
			 "%zu of %zu runs crossed the limit; with %d runs or more the median "
			 "decides",
			 j->over, runs, MEDIAN_RUNS);
	else
		snprintf(j->why, sizeof(j->why),
			 "the calls that were missed leave it open on which side of the limit it "
			 "is");
}

/* All runs over: failed; none: passed; mixed: by the median, if there are enough. */
static void judge_runs(struct judged *j, const struct gate *g, enum expr_op op)
{
	size_t passed = 0;

	for (size_t i = 0; i < g->nruns; i++) {
		const struct value *v = judged__run(j, g, i);

		j->each[i] = compare(op, v->low, v->high, j);
		j->over += j->each[i] == GATE_FAILED;
		passed += j->each[i] == GATE_PASSED;
	}
	if (j->over == g->nruns)
		j->result = GATE_FAILED;
	else if (passed == g->nruns)
		j->result = GATE_PASSED;
	else if (g->nruns >= MEDIAN_RUNS)
		j->result = compare(op, j->low, j->high, j);
	if (j->result == GATE_CANNOT_TELL && g->nruns >= MEDIAN_RUNS)
		snprintf(j->why, sizeof(j->why),
			 "the calls that were missed leave it open on which side of the limit the "
			 "median is");
	if (j->result == GATE_CANNOT_TELL)
		say_open(j, g->nruns);
}

/* A run without a value: the others say nothing of it. */
static void say_missing(struct judged *j, const struct gate *g)
{
	for (size_t i = 0; i < g->nruns; i++) {
		const struct value *v = judged__run(j, g, i);

		if (!v->why[0])
			continue;
		if (g->nruns > 1)
			snprintf(j->why, sizeof(j->why), "run %zu of %zu: %s", i + 1, g->nruns,
				 v->why);
		else
			snprintf(j->why, sizeof(j->why), "%s", v->why);
		return;
	}
}

static int judge_condition(struct judged *j, const struct gate *g, size_t at)
{
	const struct gate_condition *c = &g->conditions[at];
	double *room = calloc(g->nruns + 1, sizeof(room[0]));
	size_t known;

	*j = (struct judged){.text = c->expr.text,
			     .from = c,
			     .unit = c->expr.unit,
			     .result = GATE_CANNOT_TELL,
			     .first = &g->values[at],
			     .each = calloc(g->nruns + 1, sizeof(j->each[0]))};
	if (!room || !j->each) {
		free(room);
		return -ENOMEM;
	}
	for (size_t i = 0; i < g->nruns; i++)
		j->each[i] = GATE_CANNOT_TELL;
	known = distribute(j, g, room);
	free(room);
	find_shown(j, g);
	if (!find_limit(j, &c->expr.limit, g->baseline ? &g->baseline[at] : NULL))
		return 0;
	if (known < g->nruns)
		say_missing(j, g);
	else
		judge_runs(j, g, c->expr.op);
	return 0;
}

/* The stock broke its own rules: nothing that is configured can make that pass. */
static void judge_breaches(struct gate *g)
{
	struct judged *j = &g->judged[g->njudged];
	double n = (double)g->breaches;

	if (!g->breaches)
		return;
	*j = (struct judged){.text = breaches_text,
			     .unit = EXPR_COUNT,
			     .result = GATE_FAILED,
			     .value = n,
			     .low = n,
			     .high = n,
			     .over = g->nruns,
			     .min = n,
			     .median = n,
			     .max = n};
	g->njudged++;
}

int gate__judge(struct gate *g)
{
	int err = 0;

	g->judged = calloc(g->nconditions + 1, sizeof(g->judged[0]));
	if (!g->judged)
		return -ENOMEM;
	for (; g->njudged < g->nconditions && !err; g->njudged++)
		err = judge_condition(&g->judged[g->njudged], g, g->njudged);
	if (err)
		return err;
	judge_breaches(g);
	for (size_t i = 0; i < g->njudged; i++) {
		g->nfailed += g->judged[i].result == GATE_FAILED;
		g->nuntold += g->judged[i].result == GATE_CANNOT_TELL;
	}
	g->result = g->nfailed ? GATE_FAILED : g->nuntold ? GATE_CANNOT_TELL : GATE_PASSED;
	return 0;
}

void gate__release(struct gate *g)
{
	for (size_t i = 0; i < g->njudged; i++)
		free(g->judged[i].each);
	free(g->judged);
	for (size_t i = 0; i < g->nruns * g->nconditions; i++)
		value__release(&g->values[i]);
	free(g->values);
	for (size_t i = 0; g->baseline && i < g->nconditions; i++)
		value__release(&g->baseline[i]);
	free(g->baseline);
	for (size_t i = 0; i < g->nconditions; i++) {
		expr__release(&g->conditions[i].expr);
		free(g->conditions[i].file);
	}
	free(g->conditions);
	*g = (struct gate){};
}
