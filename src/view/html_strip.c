// SPDX-License-Identifier: GPL-2.0-only
/* The window over time: how much was charged, and on which CPU it missed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/html.h"
#include "view/number.h"

#define STEPS_SHOWN 120 /* more are put together */
#define CPUS_SHOWN  24	/* the busiest; the rest shares a line */

#define LEFT 0.16 /* of the width, for names */
#define TOP  64	  /* of the bars of charges */
#define LINE 18	  /* a CPU */
#define CELL 16
#define AXIS 18

struct step {
	uint64_t start_ns, end_ns;
};

struct lane {
	char name[32];
	const struct model_cpu *cpu; /* NULL: several */
	uint64_t *charges;	     /* [nsteps] */
	uint64_t *misses;
	uint64_t all; /* charges of all steps */
};

struct strip {
	uint64_t start_ns, end_ns;
	struct step *steps;
	size_t nsteps;
	struct lane *lanes; /* the first is the sum of all CPUs */
	size_t nlanes;
	uint64_t *counts;
};

/* Classes of a miss ratio: the upper edge, inclusive. None is a class of its own. */
static const struct {
	double up_to;
	const char *name;
} classes[] = {
	{0, "no misses"},     {0.01, "up to 1 %"},  {0.05, "up to 5 %"},      {0.10, "up to 10 %"},
	{0.20, "up to 20 %"}, {0.50, "up to 50 %"}, {INFINITY, "above 50 %"},
};

#define CLASSES (sizeof(classes) / sizeof(classes[0]))

static double miss_ratio(uint64_t charges, uint64_t misses)
{
	return charges ? fmin((double)misses / (double)charges, 1) : NAN;
}

static size_t class_of(double ratio)
{
	size_t i = 0;

	while (ratio > classes[i].up_to)
		i++;
	return i;
}

static int class_height(size_t i)
{
	return CELL * (int)(i + 1) / (int)CLASSES;
}

static double seconds(const struct strip *s, uint64_t ns)
{
	return ns > s->start_ns ? (double)(ns - s->start_ns) / 1e9 : 0;
}

/* Where a moment lies, as a share of the width. */
static double at(const struct strip *s, uint64_t ns)
{
	double whole = seconds(s, s->end_ns);

	return LEFT + (whole > 0 ? seconds(s, ns) / whole : 0) * (1 - LEFT);
}

static int by_charges(const void *a, const void *b)
{
	const struct lane *x = a, *y = b;

	if (x->all != y->all)
		return x->all > y->all ? -1 : 1;
	return x->cpu->cpu->cpu < y->cpu->cpu->cpu ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
	const struct lane *x = a, *y = b;

	return x->cpu->cpu->cpu < y->cpu->cpu->cpu ? -1 : 1;
}

static void add_lane(const struct strip *s, struct lane *to, const struct lane *from)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		to->charges[i] += from->charges[i];
		to->misses[i] += from->misses[i];
	}
	to->all += from->all;
}

/* Room for the sum, each CPU, and the rest. */
static int allocate(struct strip *s, const struct window *w, size_t ncpus)
{
	const size_t per = (w->nintervals + STEPS_SHOWN - 1) / STEPS_SHOWN, lanes = ncpus + 2;

	s->nsteps = (w->nintervals + per - 1) / per;
	s->steps = calloc(s->nsteps, sizeof(*s->steps));
	s->lanes = calloc(lanes, sizeof(*s->lanes));
	s->counts = calloc(lanes * s->nsteps, 2 * sizeof(*s->counts));
	if (!s->steps || !s->lanes || !s->counts)
		return -1;
	for (size_t i = 0; i < lanes; i++) {
		s->lanes[i].charges = s->counts + 2 * i * s->nsteps;
		s->lanes[i].misses = s->lanes[i].charges + s->nsteps;
	}
	s->start_ns = w->start ? w->start->time_ns : 0;
	s->end_ns = w->end->time_ns;
	for (size_t i = 0; i < w->nintervals; i++)
		s->steps[i / per].end_ns = w->intervals[i].end_ns;
	for (size_t i = 0; i < s->nsteps; i++)
		s->steps[i].start_ns = i ? s->steps[i - 1].end_ns : s->start_ns;
	return 0;
}

/* The lanes of CPUs start at 1; those that did nothing are left out. */
static void fill(struct strip *s, const struct model *m)
{
	const struct window *w = m->window;
	const size_t per = (w->nintervals + STEPS_SHOWN - 1) / STEPS_SHOWN;
	size_t shown, n = 1;

	for (size_t c = 0; c < m->ncpus; c++) {
		struct lane *lane = &s->lanes[n];
		const size_t place = (size_t)(m->cpus[c].cpu - m->end->cpus);

		lane->cpu = &m->cpus[c];
		for (size_t i = 0; i < w->nintervals; i++) {
			lane->charges[i / per] += w->intervals[i].charges[place];
			lane->misses[i / per] += w->intervals[i].misses[place];
			lane->all += w->intervals[i].charges[place];
		}
		snprintf(lane->name, sizeof(lane->name), "CPU %" PRIu32, lane->cpu->cpu->cpu);
		if (!lane->all)
			continue;
		add_lane(s, &s->lanes[0], lane);
		n++;
	}
	shown = n - 1 > CPUS_SHOWN ? CPUS_SHOWN : n - 1;
	qsort(s->lanes + 1, n - 1, sizeof(*s->lanes), by_charges);
	qsort(s->lanes + 1, shown, sizeof(*s->lanes), by_number);
	s->nlanes = 1 + shown;
	if (shown < n - 1) {
		struct lane *rest = &s->lanes[n];

		for (size_t i = 1 + shown; i < n; i++)
			add_lane(s, rest, &s->lanes[i]);
		snprintf(rest->name, sizeof(rest->name), "%zu others", n - 1 - shown);
		rest->cpu = NULL;
		s->lanes[s->nlanes++] = *rest;
	}
	strcpy(s->lanes[0].name, "all CPUs");
}

static double rate(const struct strip *s, const struct lane *lane, size_t i)
{
	double length = seconds(s, s->steps[i].end_ns) - seconds(s, s->steps[i].start_ns);

	return length > 0 ? (double)lane->charges[i] / length : 0;
}

/* "3.0 s to 4.0 s" */
static void put_span(struct html *h, const struct strip *s, const struct step *step)
{
	char a[NUM_LEN], b[NUM_LEN];

	html__raw(h, "%s s to %s s", num__fixed(a, seconds(s, step->start_ns), 1),
		  num__fixed(b, seconds(s, step->end_ns), 1));
}

static void put_tip(struct html *h, const struct strip *s, const struct lane *lane, size_t i)
{
	char a[NUM_LEN], b[NUM_LEN];

	html__raw(h, "<title>%s, ", lane->name);
	put_span(h, s, &s->steps[i]);
	html__raw(h, ": %s charges, %s %% miss</title>", num__grouped(a, lane->charges[i]),
		  num__percent(b, miss_ratio(lane->charges[i], lane->misses[i]), 1));
}

static void open_rect(struct html *h, const struct strip *s, size_t i, const char *class, int y,
		      int height)
{
	const double x = at(s, s->steps[i].start_ns);

	html__raw(h, "<rect class=\"%s\" y=\"%d\" height=\"%d\"", class, y, height);
	html__percent(h, "x", x);
	html__percent(h, "width", at(s, s->steps[i].end_ns) - x);
	html__raw(h, ">");
}

static void label(struct html *h, double x, int y, const char *anchor, const char *text)
{
	html__raw(h, "<text y=\"%d\" text-anchor=\"%s\"", y, anchor);
	html__percent(h, "x", x);
	html__raw(h, ">%s</text>\n", text);
}

static void put_rates(struct html *h, const struct strip *s)
{
	char buf[NUM_LEN];
	double most = 1;

	for (size_t i = 0; i < s->nsteps; i++)
		most = fmax(most, rate(s, &s->lanes[0], i));
	num__si(buf, (uint64_t)most);
	label(h, LEFT - 0.01, 10, "end", strcat(buf, "/s"));
	label(h, LEFT - 0.01, TOP, "end", "0");
	for (size_t i = 0; i < s->nsteps; i++) {
		const int height = (int)lround(rate(s, &s->lanes[0], i) / most * (TOP - 4));

		if (!s->lanes[0].charges[i])
			continue;
		open_rect(h, s, i, "one", TOP - (height ? height : 1), height ? height : 1);
		put_tip(h, s, &s->lanes[0], i);
		html__raw(h, "</rect>\n");
	}
}

static void put_lane(struct html *h, const struct strip *s, size_t which, int y)
{
	const struct lane *lane = &s->lanes[which];
	char class[8];

	label(h, LEFT - 0.01, y + CELL - 4, "end", lane->name);
	for (size_t i = 0; i < s->nsteps; i++) {
		size_t k = class_of(miss_ratio(lane->charges[i], lane->misses[i]));

		if (!lane->charges[i])
			continue;
		snprintf(class, sizeof(class), "h%zu", k);
		open_rect(h, s, i, class, y + CELL - class_height(k), class_height(k));
		put_tip(h, s, lane, i);
		html__raw(h, "</rect>\n");
	}
	html__raw(h, "<line class=\"axis\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"", y + CELL, y + CELL);
	html__percent(h, "x1", LEFT);
	html__raw(h, "/>\n");
}

static void draw(struct html *h, const struct strip *s)
{
	/* the lane of all CPUs is the bars; of one CPU it would be said twice */
	const int height = TOP + 8 + (int)(s->nlanes - 1) * LINE + AXIS;
	const double length = seconds(s, s->end_ns);
	char buf[NUM_LEN];

	html__raw(h,
		  "<svg class=\"strip\" role=\"img\" width=\"100%%\" height=\"%d\" "
		  "aria-label=\"Over time: charges a second of all CPUs as bars, and for each CPU "
		  "the share of its charges that missed, as colour and height; the numbers are in "
		  "the tables below\">\n<g class=\"cells\">\n",
		  height);
	put_rates(h, s);
	for (size_t i = 1; i < s->nlanes; i++)
		put_lane(h, s, i, TOP + 8 + (int)(i - 1) * LINE);
	html__raw(h, "</g>\n");
	label(h, LEFT, height - 4, "start", "0 s");
	for (int i = 1; i <= 2; i++) {
		strcat(strcpy(buf, num__fixed((char[NUM_LEN]){0}, length * i / 2, 1)), " s");
		label(h, LEFT + (1 - LEFT) * i / 2, height - 4, i == 2 ? "end" : "middle", buf);
	}
	html__raw(h, "</svg>\n");
}

static void put_legend(struct html *h)
{
	html__raw(h, "<p>Bars: charges a second, all CPUs. Lines: each CPU's share of charges "
		     "that missed, as colour and height.</p>\n<ul class=\"legend\">");
	for (size_t i = 0; i < CLASSES; i++)
		html__raw(h,
			  "<li><svg aria-hidden=\"true\" width=\"12\" height=\"%d\"><rect "
			  "class=\"h%zu\" width=\"12\" y=\"%d\" height=\"%d\"/></svg>%s</li>",
			  CELL, i, CELL - class_height(i), class_height(i), classes[i].name);
	html__raw(h, "<li>(blank) no charges</li></ul>\n");
}

static void put_counts(struct html *h, uint64_t charges, uint64_t misses)
{
	const double ratio = miss_ratio(charges, misses);
	char buf[NUM_LEN];

	html__cell(h, num__grouped(buf, charges));
	html__cell(h, num__grouped(buf, misses));
	if (isnan(ratio))
		html__dash(h, NULL);
	else
		html__cell(h,
			   strcat(strcpy(buf, num__percent((char[NUM_LEN]){0}, ratio, 1)), " %"));
}

static void table_of_steps(struct html *h, const struct strip *s)
{
	static const struct html_column columns[] = {
		{"time", NULL, true},	     {"charges", NULL, false},	 {"misses", NULL, false},
		{"miss_ratio", NULL, false}, {"charges/s", NULL, false}, {0},
	};
	char buf[NUM_LEN];

	html__table(h, "All CPUs, by time", columns);
	for (size_t i = 0; i < s->nsteps; i++) {
		html__raw(h, "<tr><th scope=\"row\">");
		put_span(h, s, &s->steps[i]);
		html__raw(h, "</th>");
		put_counts(h, s->lanes[0].charges[i], s->lanes[0].misses[i]);
		html__cell(h, num__grouped(buf, (uint64_t)rate(s, &s->lanes[0], i)));
		html__row_end(h);
	}
	html__table_end(h);
}

/* Each CPU's worst step: what the eye finds in the strip. */
static void table_of_cpus(struct html *h, const struct strip *s)
{
	static const struct html_column columns[] = {
		{"CPU", NULL, true},
		{"worst time", NULL, true},
		{"charges", "in that time", false},
		{"misses", "in that time", false},
		{"miss_ratio", "in that time", false},
		{0},
	};

	html__table(h, "Where each CPU missed most", columns);
	for (size_t l = 1; l < s->nlanes; l++) {
		const struct lane *lane = &s->lanes[l];
		size_t worst = 0;

		for (size_t i = 1; i < s->nsteps; i++) {
			const double most = miss_ratio(lane->charges[worst], lane->misses[worst]);

			if (isnan(most) || miss_ratio(lane->charges[i], lane->misses[i]) > most)
				worst = i;
		}
		html__raw(h, "<tr><th scope=\"row\">%s</th><td class=\"left\">", lane->name);
		put_span(h, s, &s->steps[worst]);
		html__raw(h, "</td>");
		put_counts(h, lane->charges[worst], lane->misses[worst]);
		html__row_end(h);
	}
	html__table_end(h);
}

void html__strip(struct html *h)
{
	struct strip s = {0};

	if (!h->m->window->nintervals) {
		html__raw(h, "<p>This window was not cut into intervals.</p>\n");
		return;
	}
	if (allocate(&s, h->m->window, h->m->ncpus)) {
		h->failed = true;
	} else {
		fill(&s, h->m);
		html__raw(h, "<figure><figcaption>");
		put_legend(h);
		html__raw(h, "</figcaption>\n");
		draw(h, &s);
		html__raw(h, "<details><summary>The numbers</summary>\n");
		table_of_steps(h, &s);
		table_of_cpus(h, &s);
		html__raw(h, "</details></figure>\n");
	}
	free(s.steps);
	free(s.lanes);
	free(s.counts);
}
