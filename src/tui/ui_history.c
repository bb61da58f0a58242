// SPDX-License-Identifier: GPL-2.0-only
/* The totals of the last intervals, and the sort column of them as a line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui_parts.h"

#define STEPS 8

static const char *const blocks[STEPS + 1] = {
	" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588",
};
/* 9 of them as well: the first is no value above 0 */
static const char *const ascii_blocks[STEPS + 1] = {
	" ", ".", ":", "-", "=", "+", "*", "%", "@",
};

void history__release(struct ui *u)
{
	for (size_t i = 0; i < u->nhistory; i++)
		free(u->history[i].values);
	free(u->history);
	u->history = NULL;
	u->nhistory = 0;
}

/* Where the interval that ends then is, or belongs. */
static size_t place_of(const struct ui *u, uint64_t end_ns)
{
	size_t at = u->nhistory;

	while (at && u->history[at - 1].end_ns >= end_ns)
		at--;
	return at;
}

void history__add(struct ui *u, const struct sample *before, const struct model *m)
{
	const uint64_t end_ns = m->end->time_ns;
	size_t at = place_of(u, end_ns);
	double *values;

	if (at < u->nhistory && u->history[at].end_ns == end_ns)
		return;
	if (!u->history)
		u->history = calloc(HISTORY_LEN, sizeof(u->history[0]));
	values = calloc(nfields, sizeof(values[0]));
	/* a line that is not whole is better than none */
	if (!u->history || !values || (u->nhistory == HISTORY_LEN && !at)) {
		free(values);
		return;
	}
	if (u->nhistory == HISTORY_LEN) {
		free(u->history[0].values);
		u->nhistory--;
		at--;
		memmove(u->history, u->history + 1, u->nhistory * sizeof(u->history[0]));
	}
	memmove(u->history + at + 1, u->history + at, (u->nhistory - at) * sizeof(u->history[0]));
	for (size_t i = 0; i < nfields; i++) {
		const struct column c = {&fields[i]};

		values[i] = NAN;
		if (fields[i].in & IN_TOTAL)
			values[i] = cell__value(m, &c, &m->total, CELL_DELTA);
	}
	u->history[at] = (struct moment_values){
		.end_ns = end_ns,
		.seconds = (double)(end_ns - before->time_ns) / 1e9,
		.values = values,
	};
	u->nhistory++;
}

/* As the column shows it: by second, if it counts; intervals are not all as long. */
static double value_at(const struct ui *u, size_t i, const struct field *f)
{
	const struct moment_values *h = &u->history[i];
	const struct column c = {f};
	double v = h->values[f - fields];

	return cell__counts(&c) && u->mode == CELL_RATE ? v / h->seconds : v;
}

/* As the column has it. */
static const char *value_text(char *buf, const struct ui *u, size_t i, const struct field *f)
{
	const struct moment_values *h = &u->history[i];
	const struct column c = {f};
	double v = h->values[f - fields];

	if (u->mode != CELL_RATE || !cell__counts(&c) || isnan(v))
		return cell__number(buf, f, v);
	return num__rate(buf, v < 0x1p64 ? (uint64_t)v : UINT64_MAX, h->seconds, 1);
}

static void span_text(char *buf, size_t size, double seconds)
{
	if (seconds < 90)
		snprintf(buf, size, "%.0f s", seconds);
	else
		snprintf(buf, size, "%.0f min", seconds / 60);
}

struct strip {
	size_t from, to; /* in the history */
	size_t most;	 /* the place of the largest value */
	double max;
	double seconds;
};

static struct strip strip_of(const struct ui *u, const struct field *f, int room)
{
	struct strip s = {.max = NAN};

	s.to = place_of(u, u->samples[SAMPLE_NOW]->time_ns + 1);
	s.from = s.to > (size_t)room ? s.to - (size_t)room : 0;
	for (size_t i = s.from; i < s.to; i++) {
		double v = value_at(u, i, f);

		if (isnan(s.max) || v > s.max) {
			s.max = v;
			s.most = i;
		}
		s.seconds += u->history[i].seconds;
	}
	return s;
}

static void draw_strip(const struct ui *u, struct screen *to, int y, int x, const struct strip *s,
		       const struct field *f)
{
	const char *const *block = u->o.ascii ? ascii_blocks : blocks;

	for (size_t i = s->from; i < s->to; i++, x++) {
		double v = value_at(u, i, f);
		int step = v > 0 ? (int)ceil(v / s->max * STEPS) : 0;

		/* a value of 0 is not one that is not there */
		if (isnan(v))
			screen__put(to, y, x, 1, STYLE_DIM, "?");
		else
			screen__put(to, y, x, 1, STYLE_PLAIN,
				    step	 ? block[step]
				    : u->o.ascii ? "_"
						 : block[1]);
	}
}

void history__draw(struct ui *u, struct screen *s, int y)
{
	const struct table *t = ui__table(u);
	const struct field *f = t->sort;
	char title[NUM_LEN], span[24], label[96], now[NUM_LEN], max[NUM_LEN], right[128];
	const struct column c = {f};
	int x, room, tail;
	struct strip strip;

	if (!f || !(f->in & IN_TOTAL) || !u->samples[SAMPLE_NOW])
		return;
	cell__title(title, &c, u->mode == CELL_TOTAL ? CELL_DELTA : u->mode);
	room = screen__width(s) - 50 > 10 ? screen__width(s) - 50 : 10;
	strip = strip_of(u, f, room);
	if (strip.from == strip.to)
		return;
	span_text(span, sizeof(span), strip.seconds);
	snprintf(label, sizeof(label), " %s %s  ", title, span);
	x = screen__put(s, y, 0, screen__width(s), STYLE_PLAIN, label);
	snprintf(right, sizeof(right), "  now %s  max %s", value_text(now, u, strip.to - 1, f),
		 value_text(max, u, strip.most, f));
	tail = x + (int)(strip.to - strip.from);
	draw_strip(u, s, y, x, &strip, f);
	screen__put(s, y, tail, screen__width(s) - tail, STYLE_PLAIN, right);
}
