// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

#define METRICS "metrics."

int per__parse(struct per *per, const char *key, char *err, size_t n)
{
	size_t nmeasures;
	const struct measure *list = measures__all(&nmeasures);
	int at = key ? measures__find(key) : -1;

	*per = (struct per){.key = key};
	if (!key)
		return 0;
	per->what = PER_WORK;
	if (!strcmp(key, "work"))
		return 0;
	per->work = key;
	if (!strncmp(key, METRICS, strlen(METRICS)) && key[strlen(METRICS)])
		return 0;
	*per = (struct per){.what = PER_MEASURE, .key = key, .measure = at};
	if (at >= 0 && list[at].kind == MEASURE_COUNT)
		return 0;
	if (at >= 0)
		snprintf(err, n, "--per takes something that is counted: '%s' is not", key);
	else
		snprintf(err, n, "no measure is called '%s'; is '%s' meant? --per help lists them",
			 key, field__nearest(key));
	return -EINVAL;
}

const char *per__suffix(const struct per *per)
{
	return per->what == PER_SECOND ? "s" : per->what == PER_WORK ? "work" : per->key;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* What CMD did: a metric that is a rate says so by its name. NAN: it told none. */
static double work_of(const struct run *r, const char *name)
{
	for (size_t i = 0; i < r->nwork; i++) {
		const struct work *w = &r->work[i];

		if (!w->metric || (name && strcmp(w->name, name) != 0))
			continue;
		return ends_with(w->name, "/s") || ends_with(w->name, "_per_s")
			       ? w->value * r->seconds
			       : w->value;
	}
	return NAN;
}

/* What the counts of a run are divided by. NAN: nothing. */
static double divisor(const struct per *per, const struct run *r)
{
	double v = r->seconds;

	if (per->what == PER_MEASURE)
		v = r->values[per->measure];
	else if (per->what == PER_WORK)
		v = work_of(r, per->work);
	return v > 0 ? v : NAN;
}

/* The values that a side has of a row, one a run. */
struct values {
	double v[STATS_MAX];
	size_t n;
	const char *why;
	bool unmeasured;
};

static const struct work *find_work(const struct run *r, const char *name)
{
	for (size_t i = 0; i < r->nwork; i++)
		if (!strcmp(r->work[i].name, name))
			return &r->work[i];
	return NULL;
}

/* The value of a row in one run, as it is compared. NAN: it has none. */
static double value_in(const struct comparison *c, const struct compared *row, const struct run *r)
{
	const struct work *w = row->measure ? NULL : find_work(r, row->key);
	double v = w ? w->value : NAN;

	if (row->measure)
		v = r->values[row->measure - measures__all(&(size_t){0})];
	return row->divided ? v / divisor(&c->per, r) : v;
}

static void collect(struct values *out, const struct comparison *c, const struct side *s,
		    const struct compared *row, size_t at)
{
	*out = (struct values){.why = "the command did not tell it", .unmeasured = true};
	for (size_t i = 0; i < s->n && out->n < STATS_MAX / 2; i++) {
		const struct run *r = &s->runs[i];
		double v = value_in(c, row, r);

		if (isfinite(v)) {
			out->v[out->n++] = v;
		} else if (row->measure && r->why[at]) {
			out->why = r->why[at];
			out->unmeasured = r->reasons[at] != REASON_NO_EVENTS;
		}
	}
}

bool comparison__values(const struct comparison *c, const struct side *s,
			const struct compared *row, double *v)
{
	const struct measure *list = measures__all(&(size_t){0});
	static struct values of;

	collect(&of, c, s, row, row->measure ? (size_t)(row->measure - list) : 0);
	if (of.n != s->n)
		return false;
	memcpy(v, of.v, of.n * sizeof(*v));
	return true;
}

static struct summary summary_of(const struct values *v)
{
	return (struct summary){
		.median = stats__median(v->v, v->n),
		.spread = stats__spread(v->v, v->n),
		.mean = stats__mean(v->v, v->n),
		.stddev = stats__stddev(v->v, v->n),
		.n = v->n,
		.why = v->why,
		.unmeasured = v->unmeasured,
	};
}

static double ratio_of(double a, double b)
{
	if (a == b)
		return 1;
	return a == 0 ? INFINITY : b / a;
}

/* Counts are low by what hooks missed, the middle run's on the side where that is more. */
static double least_of(const struct comparison *c)
{
	const struct side *const sides[] = {c->a, c->b};
	double least = COMPARE_LEAST, v[STATS_MAX];

	for (size_t s = 0; s < 2; s++) {
		size_t n = 0;

		for (size_t i = 0; i < sides[s]->n && n < STATS_MAX; i++)
			if (!isnan(sides[s]->runs[i].missed_ratio))
				v[n++] = sides[s]->runs[i].missed_ratio;
		least = fmax(least, stats__median(v, n));
	}
	return least;
}

/* By how much a row has to differ: times and what CMD took are not counted by hooks. */
static double row_least(const struct comparison *c, const struct compared *row)
{
	return row->measure && row->measure->topic != TOPIC_COST &&
			       row->measure->topic != TOPIC_MEMORY
		       ? c->least
		       : COMPARE_LEAST;
}

static enum difference difference_of(const struct comparison *c, const struct compared *row)
{
	double off = fabs(row->ratio - 1);

	if (!row->a.n && !row->b.n)
		return DIFFERS_NOWHERE;
	if (!row->a.n || !row->b.n)
		return DIFFERS_ONE_SIDE;
	if (stats__least_p(row->a.n, row->b.n) >= STATS_ALPHA || c->too_few)
		return off >= COMPARE_LEAST_UNTESTED ? DIFFERS_UNTESTED : DIFFERS_NOT;
	return row->p < STATS_ALPHA && off >= row_least(c, row) ? DIFFERS : DIFFERS_NOT;
}

/* Below this a change is of next to nothing: a thousandth of the charges, of 1, or of itself. */
static double little(const struct compared *row, double charges)
{
	if (row->divided && row->kind == MEASURE_COUNT)
		return charges / 1000;
	if (row->kind == MEASURE_SHARE)
		return 0.001;
	return fmax(row->a.median, row->b.median) / 1000;
}

static double heat_of(const struct compared *row, double charges)
{
	double least = little(row, charges), heat;

	if (row->difference == DIFFERS_ONE_SIDE || row->difference == DIFFERS_NOWHERE)
		return -1;
	/* what CMD says of itself is what was asked about */
	if (!row->measure && !strncmp(row->key, "metrics.", 8))
		return INFINITY;
	heat = fabs(log((row->b.median + least) / (row->a.median + least)));
	return isnan(heat) ? 0 : heat;
}

static void compare_row(struct comparison *c, struct compared *row, size_t at)
{
	static struct values a, b;

	collect(&a, c, c->a, row, at);
	collect(&b, c, c->b, row, at);
	row->a = summary_of(&a);
	row->b = summary_of(&b);
	row->ratio = row->a.n && row->b.n ? ratio_of(row->a.median, row->b.median) : NAN;
	row->p = stats__mann_whitney(a.v, a.n, b.v, b.n).p;
	row->adjusted = NAN;
	row->difference = difference_of(c, row);
	row->marked = row->measure && differs__marked(c, row->measure, at);
}

/* By --per some counts are what a quotient of the list is anyway, and one is 1. */
static bool is_said(const struct comparison *c, const struct measure *x)
{
	char quotient[2 * sizeof(x->key)];

	if (c->per.what != PER_MEASURE)
		return false;
	snprintf(quotient, sizeof(quotient), "%s/%s", x->key, c->per.key);
	return !strcmp(x->key, c->per.key) || measures__find(quotient) >= 0;
}

/* Is it in this comparison at all? */
static bool compares(const struct comparison *c, const struct measure *x)
{
	if (is_said(c, x))
		return false;
	return c->between_kernels ? !measure__only_within_kernel(x)
				  : !measure__only_between_kernels(x);
}

/* CMD's: all that a run of either side tells. */
static void add_work(struct comparison *c, const struct side *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t j = 0; j < s->runs[i].nwork; j++) {
			const struct work *w = &s->runs[i].work[j];
			struct compared *row = &c->rows[c->nrows];
			size_t at = 0;

			while (at < c->nrows && strcmp(c->rows[at].key, w->name) != 0)
				at++;
			if (at < c->nrows || c->nrows == WORK_MAX)
				continue;
			*row = (struct compared){.key = w->name,
						 .topic = TOPIC_WORK,
						 .kind = MEASURE_REAL,
						 .divided = w->counts};
			compare_row(c, row, 0);
			c->nrows++;
		}
	}
}

static void add_measures(struct comparison *c)
{
	size_t n;
	const struct measure *list = measures__all(&n);

	for (size_t i = 0; i < n; i++) {
		struct compared *row = &c->rows[c->nrows];
		const struct measure *x = &list[i];

		if (!compares(c, x))
			continue;
		*row = (struct compared){.measure = x,
					 .key = x->key,
					 .topic = x->topic,
					 .kind = x->kind,
					 .divided = x->kind == MEASURE_COUNT ||
						    x->kind == MEASURE_TIME};
		compare_row(c, row, i);
		c->nrows++;
	}
}

static bool differs(const struct compared *row)
{
	return row->difference != DIFFERS_NOT && row->difference != DIFFERS_NOWHERE;
}

/* Numbers of events, of pages or of nothing; else only of one kind. */
static bool comparable(const struct compared *x, const struct compared *y)
{
	static const bool plain[] = {
		[MEASURE_COUNT] = true, [MEASURE_TIME] = false, [MEASURE_REAL] = true,
		[MEASURE_SHARE] = true, [MEASURE_NS] = false,	[MEASURE_BYTES] = false,
	};

	return x->kind == y->kind || (plain[x->kind] && plain[y->kind]);
}

/* Run by run the same, to a hundredth: one says it all. */
static bool same_numbers(const struct comparison *c, const struct side *s, const struct compared *x,
			 const struct compared *y)
{
	for (size_t i = 0; i < s->n; i++) {
		double u = value_in(c, x, &s->runs[i]), v = value_in(c, y, &s->runs[i]);

		if (isnan(u) != isnan(v) || fabs(u - v) > COMPARE_LEAST * fmax(fabs(u), fabs(v)))
			return false;
	}
	return true;
}

/* Of two that say the same the verdict's own stays, else the first. */
static bool stays_instead(const struct comparison *c, const struct compared *other,
			  const struct compared *row)
{
	bool first = change__tests(other->key) || other < row;

	return first && other != row && other->measure && differs(other) && !other->repeats &&
	       comparable(row, other) && same_numbers(c, c->a, row, other) &&
	       same_numbers(c, c->b, row, other);
}

static void find_repeats(struct comparison *c)
{
	for (size_t i = 0; i < c->nrows; i++) {
		struct compared *row = &c->rows[i];

		c->nequal += row->difference == DIFFERS_NOT;
		if (!row->measure || !differs(row) || change__tests(row->key))
			continue;
		for (size_t j = 0; j < c->nrows && !row->repeats; j++)
			row->repeats = stays_instead(c, &c->rows[j], row);
		c->nrepeats += row->repeats;
	}
}

/* Rows are in the order of their topics' heat, then of their own. */
static double topic_heat[TOPIC_NR];

static int by_heat(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;
	double hx = x->heat, hy = y->heat;

	if (x->topic != y->topic) {
		hx = topic_heat[x->topic];
		hy = topic_heat[y->topic];
		if (hx == hy)
			return (int)x->topic - (int)y->topic;
	}
	if (hx != hy)
		return hx < hy ? 1 : -1;
	if (!x->measure || !y->measure)
		return strcmp(x->key, y->key);
	return x->measure < y->measure ? -1 : x->measure > y->measure;
}

static void sort(struct comparison *c)
{
	const struct compared *charges = comparison__row(c, "charges");
	double base = charges ? fmax(charges->a.median, charges->b.median) : 1;

	memset(topic_heat, 0, sizeof(topic_heat));
	for (size_t i = 0; i < c->nrows; i++) {
		struct compared *row = &c->rows[i];

		row->heat = heat_of(row, isnan(base) ? 1 : base);
		if (differs(row) && !row->repeats)
			topic_heat[row->topic] = fmax(topic_heat[row->topic], row->heat);
	}
	topic_heat[TOPIC_WORK] = INFINITY;
	if (comparison__emulated(c))
		topic_heat[TOPIC_COST] = 0;
	qsort(c->rows, c->nrows, sizeof(*c->rows), by_heat);
}

const struct compared *comparison__row(const struct comparison *c, const char *key)
{
	for (size_t i = 0; i < c->nrows; i++)
		if (!strcmp(c->rows[i].key, key))
			return &c->rows[i];
	return NULL;
}

bool comparison__emulated(const struct comparison *c)
{
	return c->a->runs->host.emulated || c->b->runs->host.emulated;
}

static int check_work(const struct comparison *c, char *err, size_t n)
{
	const struct side *const sides[] = {c->a, c->b};

	if (c->per.what != PER_WORK)
		return 0;
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->n; i++)
			if (!(divisor(&c->per, &sides[s]->runs[i]) > 0)) {
				snprintf(err, n,
					 "%s tells no work to divide by%s%s: --metric NAME=REGEX "
					 "takes it from what CMD prints",
					 sides[s]->runs[i].name, c->per.work ? " of the name " : "",
					 c->per.work ? c->per.work : "");
				return -EINVAL;
			}
	return 0;
}

int comparison__init(struct comparison *c, const struct side *a, const struct side *b,
		     const struct per *per, char *err, size_t n)
{
	int ret;

	*c = (struct comparison){.a = a, .b = b, .per = *per};
	c->within = a->within && b->within;
	c->least = least_of(c);
	c->too_few = stats__least_p(a->n, b->n) >= STATS_ALPHA;
	c->exact = a->n + b->n <= STATS_EXACT_MAX;
	c->between_kernels = strcmp(a->runs[0].host.kernel, b->runs[0].host.kernel) != 0 ||
			     a->runs[0].stock.design != b->runs[0].stock.design;
	ret = differs__init(c, err, n);
	ret = ret ? ret : check_work(c, err, n);
	if (ret)
		return ret;
	c->rows = calloc(WORK_MAX + MEASURES_MAX, sizeof(*c->rows));
	if (!c->rows)
		return -ENOMEM;
	add_work(c, a);
	add_work(c, b);
	add_measures(c);
	find_repeats(c);
	sort(c);
	changes__judge(&c->verdict, c);
	return 0;
}

void comparison__release(struct comparison *c)
{
	for (size_t i = 0; c->differs && c->differs[i]; i++)
		free(c->differs[i]);
	free(c->differs);
	free(c->mark);
	free(c->rows);
	*c = (struct comparison){};
}
