// SPDX-License-Identifier: GPL-2.0-only
/* The words and numbers that every view of a comparison has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/compare.h"

const char *compare__label(char *buf, const struct comparison *c, const struct compared *row)
{
	static const char metrics[] = "metrics.", ratio[] = ".cpu_ratio";
	const char *key = row->key;
	size_t len;

	if (!row->measure && !strncmp(key, metrics, strlen(metrics)))
		key += strlen(metrics);
	len = strlen(key);
	if (row->measure && row->measure->how == HOW_CPUS)
		snprintf(buf, LABEL_LEN, "%.*s, share of CPUs", (int)(len - strlen(ratio)), key);
	else if (row->measure && row->measure->how == HOW_MEAN)
		snprintf(buf, LABEL_LEN, "%s, mean", key);
	else
		snprintf(buf, LABEL_LEN, "%s%s%s", key, row->divided ? "/" : "",
			 row->divided ? per__suffix(&c->per) : "");
	return buf;
}

const char *compare__robot_key(char *buf, const struct comparison *c, const struct compared *row)
{
	size_t n = 0;

	for (const char *s = row->key; *s && n < LABEL_LEN - 8; s++) {
		if (*s == '/')
			n += (size_t)snprintf(buf + n, LABEL_LEN - n, "_per_");
		else
			buf[n++] = *s == ' ' || *s == ':' ? '_' : *s;
	}
	buf[n] = '\0';
	if (row->divided)
		snprintf(buf + n, LABEL_LEN - n, "_per_%s", per__suffix(&c->per));
	return buf;
}

/* Three digits of a number below 1000, small ones too. */
static const char *three_digits(char *buf, double v)
{
	double size = fabs(v);
	int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;

	if (size >= 999.5)
		return num__si(buf, (uint64_t)llround(size));
	for (double least = 0.1; size > 0 && size < least && decimals < 6; least /= 10)
		decimals++;
	return num__fixed(buf, v, size == 0 ? 0 : decimals);
}

static void with_unit(char *buf, const char *unit)
{
	strncat(buf, unit, NUM_LEN - strlen(buf) - 1);
}

const char *compare__value(char *buf, enum measure_kind kind, double v)
{
	if (isnan(v))
		return strcpy(buf, "n/a");
	switch (kind) {
	case MEASURE_SHARE:
		num__percent(buf, v, v >= 0.09995 || v == 0 ? 1 : 2);
		if (v == 1)
			strcpy(buf, "100");
		with_unit(buf, "%");
		return buf;
	case MEASURE_NS:
	case MEASURE_TIME:
		return num__duration(buf, v);
	case MEASURE_BYTES:
		return num__bytes_short(buf, v > 0 ? (uint64_t)v : 0);
	case MEASURE_COUNT:
	case MEASURE_REAL:
		break;
	}
	return three_digits(buf, v);
}

const char *compare__delta(char *buf, const struct compared *row)
{
	const double off = row->ratio - 1;

	if (row->difference == DIFFERS_NOT)
		return strcpy(buf, "~");
	if (isnan(row->ratio))
		return strcpy(buf, "-");
	if (isinf(row->ratio))
		return strcpy(buf, "new");
	if (row->ratio >= 3) {
		buf[0] = 'x';
		three_digits(buf + 1, row->ratio);
		return buf;
	}
	/* what is there is not -100% */
	num__fixed(buf + 1,
		   fabs(off) * 100 > 99.9 && off < 0 && row->ratio > 0 ? 99.9 : fabs(off) * 100, 1);
	buf[0] = off < 0 ? '-' : '+';
	with_unit(buf, "%");
	return buf;
}

const char *compare__spread(char *buf, double spread)
{
	if (!isfinite(spread))
		return strcpy(buf, "-");
	if (spread > 9.99)
		return strcpy(buf, ">999%");
	num__fixed(buf, spread * 100, spread < 0.0995 ? 1 : 0);
	with_unit(buf, "%");
	return buf;
}

const char *compare__p(char *buf, double p)
{
	if (isnan(p))
		return strcpy(buf, "-");
	if (p < 0.001)
		return strcpy(buf, "<.001");
	return num__fixed(buf, p, 3);
}

const char *compare__difference(const struct compared *row)
{
	static const char *const names[] = {
		[DIFFERS_NOT] = "no",
		[DIFFERS] = "yes",
		[DIFFERS_UNTESTED] = "untested",
		[DIFFERS_ONE_SIDE] = "one_side",
		[DIFFERS_NOWHERE] = "unmeasured",
	};

	return names[row->difference];
}

bool compare__shown(const struct compared *row, const struct compare_view *v)
{
	const double there = row->a.n ? row->a.median : row->b.median;

	switch (row->difference) {
	case DIFFERS_NOWHERE:
		return false;
	case DIFFERS_NOT:
		return v->all;
	case DIFFERS_ONE_SIDE:
		/* that none of it happened where it can be told is little news */
		return v->all || (there != 0 && !row->repeats);
	case DIFFERS:
	case DIFFERS_UNTESTED:
		break;
	}
	return v->all || !row->repeats;
}

const char *compare__samples(char *buf, const struct comparison *c)
{
	const char *test = c->too_few ? "too few to test" : c->exact ? "exact U test" : "U test";

	snprintf(buf, LABEL_LEN, "n = %zu + %zu%s, %s", c->a->n, c->b->n,
		 c->within ? " intervals" : "", test);
	return buf;
}

static void put_names(FILE *f, const struct side *s, const char **gap)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->runs[i].grade != GRADE_UNTRUSTED)
			continue;
		fprintf(f, "%s%s", *gap, s->runs[i].name);
		*gap = ", ";
	}
}

char *compare__warning(const struct comparison *c)
{
	const char *gap = "";
	char buf[NUM_LEN];
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	if (c->within)
		fprintf(f,
			"Within one run: the samples are the intervals of one recording a side, "
			"which are not independent. What is said holds of these two runs, not of "
			"others. ");
	if (c->too_few)
		fprintf(f,
			"need >= 4 runs a side: with %zu + %zu no difference can be told from "
			"noise. Rows below differ by 10%% at least. ",
			c->a->n, c->b->n);
	if (c->least > COMPARE_LEAST && !c->too_few)
		fprintf(f,
			"Hooks missed events: counts that differ by less than %s%% do not count "
			"as changed. ",
			num__fixed(buf, c->least * 100, 1));
	if (c->verdict.untrusted && !c->within) {
		fprintf(f, "Not to be trusted: ");
		put_names(f, c->a, &gap);
		put_names(f, c->b, &gap);
		fprintf(f, ": leave it out, or measure anew. ");
	} else if (c->verdict.untrusted) {
		fprintf(f, "Not to be trusted: most intervals of a side. ");
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The reason of a row on the side where it has no value. */
static const struct summary *lacks(const struct compared *row)
{
	return !row->a.n ? &row->a : &row->b;
}

static bool has_reason(const struct compared *row, const struct compare_view *v)
{
	return row->difference == DIFFERS_ONE_SIDE && compare__shown(row, v);
}

/* All rows of that side with the reason of row i, unless one before i has it. */
static void put_reason(FILE *f, const struct comparison *c, const struct compare_view *v, size_t i)
{
	const struct compared *row = &c->rows[i];
	const struct summary *s = lacks(row);
	const char *gap = "";

	for (size_t j = 0; j < i; j++)
		if (has_reason(&c->rows[j], v) && !c->rows[j].a.n == !row->a.n &&
		    !strcmp(lacks(&c->rows[j])->why, s->why))
			return;
	fprintf(f, "n/a in %c (%s): ", !row->a.n ? 'A' : 'B', s->why);
	for (size_t j = i; j < c->nrows; j++) {
		if (!has_reason(&c->rows[j], v) || !c->rows[j].a.n != !row->a.n ||
		    strcmp(lacks(&c->rows[j])->why, s->why) != 0)
			continue;
		fprintf(f, "%s%s", gap, c->rows[j].key);
		gap = ", ";
	}
	fprintf(f, ".\n");
}

static bool has_moved(const struct comparison *c, const char *key)
{
	const struct compared *row = comparison__row(c, key);

	return row && (row->difference == DIFFERS || row->difference == DIFFERS_UNTESTED);
}

char *compare__footnotes(const struct comparison *c, const struct compare_view *v)
{
	bool marked = false, together = false;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	for (size_t i = 0; i < c->nrows; i++) {
		const struct compared *row = &c->rows[i];
		bool shown = compare__shown(row, v);

		marked = marked || (row->marked && shown);
		together = together ||
			   (shown && row->measure && measure__only_between_kernels(row->measure));
		if (has_reason(row, v))
			put_reason(f, c, v, i);
	}
	if (marked)
		fprintf(f, "* measured in another way on the two sides%s%s.\n",
			*c->mark ? ": " : "", c->mark);
	if (c->per.what == PER_SECOND && has_moved(c, "charges"))
		fprintf(f, "Counts a second follow the speed of the whole: --per charges compares "
			   "them by charge.\n");
	if (together)
		fprintf(f, "absent+short: which of the two a miss is differs between kernels, "
			   "the sum does not.\n");
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
