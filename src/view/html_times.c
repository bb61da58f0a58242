// SPDX-License-Identifier: GPL-2.0-only
/* The time table, and histograms as bars. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "view/html.h"
#include "view/number.h"

static const char *const bounds[][2] = {
	{"exact", "exact"},
	{"upper_bound", "upper bound"},
	{"lower_bound", "lower bound"},
};

static const char *bound_words(const char *bound)
{
	for (size_t i = 0; bound && i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (!strcmp(bounds[i][0], bound))
			return bounds[i][1];
	return bound ? bound : "";
}

static void duration(struct html *h, double ns)
{
	char buf[NUM_LEN];

	if (isfinite(ns))
		html__cell(h, num__duration(buf, ns));
	else
		html__dash(h, NULL);
}

static void function_row(struct html *h, const struct function_time *f)
{
	const struct field *field = field__find(f->key);
	struct histogram times = {0};
	char buf[NUM_LEN];

	if (field)
		times__histogram(&times, field, &h->m->total);
	html__row(h);
	html__head_cell(h, f->key, field ? field->help : NULL, "key");
	html__raw(h, "<td class=\"left\"><code>");
	html__put(h, f->function);
	html__raw(h, "</code></td>");
	html__cell(h, num__grouped(buf, f->calls));
	duration(h, histogram__mean(&times));
	duration(h, histogram__quantile(&times, 0.5));
	duration(h, histogram__quantile(&times, 0.9));
	duration(h, histogram__quantile(&times, 0.99));
	duration(h, times.total ? (double)times.max : NAN);
	duration(h, (double)f->ns);
	duration(h, (double)f->self_ns);
	num__percent(buf, f->cpu_ratio, 1);
	html__cell(h, isfinite(f->cpu_ratio) ? strcat(buf, " %") : buf);
	html__word(h, bound_words(f->bound));
	html__row_end(h);
}

void html__times(struct html *h)
{
	static const struct html_column columns[] = {
		{"measure", NULL, true},
		{"function", "of the kernel", true},
		{"calls", NULL, false},
		{"mean", NULL, false},
		{"p50", NULL, false},
		{"p90", NULL, false},
		{"p99", NULL, false},
		{"max", NULL, false},
		{"total", "of all calls", false},
		{"self", "total without the hooked functions that it calls, and their probes",
		 false},
		{"of a CPU", "total as a share of the window", false},
		{"is", "exact, or a bound of it", true},
		{0},
	};
	const struct times *t = &h->m->times;

	if (t->every > 1)
		html__raw(h,
			  "<p>One in %" PRIu32 " events was timed, chosen at random; totals are "
			  "scaled up.</p>\n",
			  t->every);
	html__table(h, "Time in the functions of the kernel", columns);
	for (size_t i = 0; i < t->nfunctions; i++)
		function_row(h, &t->functions[i]);
	html__table_end(h);
}

/* One or two histograms over the same buckets. */
#define SERIES_MAX 2

struct chart {
	const char *title;
	const char *help;
	const char *names[SERIES_MAX]; /* NULL where there is only one */
	struct histogram series[SERIES_MAX];
	size_t n;
	uint64_t le[HISTOGRAM_BUCKETS]; /* of the buckets that any has */
	size_t nle;
};

static uint64_t count_at(const struct histogram *x, uint64_t le)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->le[i] == le)
			return x->count[i];
	return 0;
}

/* Buckets of all series, ascending, and those between them that none has an event in. */
static void merge_buckets(struct chart *c)
{
	size_t at[SERIES_MAX] = {0};

	for (c->nle = 0; c->nle < HISTOGRAM_BUCKETS; c->nle++) {
		uint64_t least = 0;
		bool any = false;

		for (size_t i = 0; i < c->n; i++)
			if (at[i] < c->series[i].n && (!any || c->series[i].le[at[i]] < least)) {
				least = c->series[i].le[at[i]];
				any = true;
			}
		if (!any)
			break;
		for (size_t i = 0; i < c->n; i++)
			at[i] += at[i] < c->series[i].n && c->series[i].le[at[i]] == least;
		c->le[c->nle] = least;
	}
}

static void add_series(struct chart *c, const char *name, const struct histogram *x)
{
	histogram__octaves(&c->series[c->n], x);
	c->names[c->n++] = name;
}

/* The last one is open. */
static const char *bucket_name(char *buf, const struct chart *c, size_t i)
{
	char edge[NUM_LEN];

	if (c->le[i] == UINT64_MAX)
		snprintf(buf, 2 * NUM_LEN, "above %s",
			 num__duration(edge, i ? (double)c->le[i - 1] : 0));
	else
		snprintf(buf, 2 * NUM_LEN, "up to %s", num__duration(edge, (double)c->le[i]));
	return buf;
}

#define BAR   12
#define GAP   6
#define LONG  1000000 /* counts from here on are cut to three digits */
/* Shares of the width: of the names, and of the longest bar, behind which stands its count. */
#define NAMES 0.28
#define BARS  0.52

static void bars(struct html *h, const struct chart *c)
{
	const int step = (int)c->n * BAR + GAP;
	char name[2 * NUM_LEN], count[NUM_LEN];
	uint64_t most = 1;

	for (size_t s = 0; s < c->n; s++)
		for (size_t i = 0; i < c->nle; i++)
			if (count_at(&c->series[s], c->le[i]) > most)
				most = count_at(&c->series[s], c->le[i]);
	html__raw(h, "<svg role=\"img\" width=\"100%%\" height=\"%d\" aria-label=\"",
		  (int)c->nle * step + GAP);
	html__put(h, c->title);
	html__raw(h, ": how many events took how long, as bars; the numbers are in the table "
		     "below\">\n");
	for (size_t i = 0; i < c->nle; i++) {
		const int y = (int)i * step + GAP;

		html__raw(h, "<text y=\"%d\" text-anchor=\"end\"", y + (step - GAP) / 2 + 4);
		html__percent(h, "x", NAMES - 0.01);
		html__raw(h, ">");
		html__put(h, bucket_name(name, c, i));
		html__raw(h, "</text>\n");
		for (size_t s = 0; s < c->n; s++) {
			const uint64_t n = count_at(&c->series[s], c->le[i]);
			const double width = (double)n / (double)most * BARS;

			html__raw(h, "<rect class=\"%s\" y=\"%d\" height=\"%d\"", s ? "two" : "one",
				  y + (int)s * BAR, BAR - 1);
			html__percent(h, "x", NAMES);
			html__percent(h, "width", width);
			html__raw(h, "/><text y=\"%d\" dx=\"4\"", y + (int)s * BAR + BAR - 2);
			html__percent(h, "x", NAMES + width);
			html__raw(h, ">%s</text>\n",
				  n < LONG ? num__grouped(count, n) : num__si(count, n));
		}
	}
	html__raw(h, "</svg>\n");
}

static void numbers(struct html *h, const struct chart *c)
{
	struct html_column columns[SERIES_MAX + 2] = {{"took", NULL, true}};
	char name[2 * NUM_LEN], count[NUM_LEN];

	for (size_t s = 0; s < c->n; s++)
		columns[1 + s].title = c->names[s] ? c->names[s] : "events";
	html__raw(h, "<details><summary>The numbers</summary>\n");
	html__table(h, c->title, columns);
	for (size_t i = 0; i < c->nle; i++) {
		html__row(h);
		html__head_cell(h, bucket_name(name, c, i), NULL, "row");
		for (size_t s = 0; s < c->n; s++)
			html__cell(h, num__grouped(count, count_at(&c->series[s], c->le[i])));
		html__row_end(h);
	}
	html__table_end(h);
	html__raw(h, "</details>\n");
}

static void summary(struct html *h, const char *name, const struct histogram *x)
{
	static const struct {
		const char *name;
		double q;
	} quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
	char buf[NUM_LEN];

	html__raw(h, "<p class=\"quiet\">");
	if (name) {
		html__put(h, name);
		html__raw(h, ": ");
	}
	html__raw(h, "%s %sevents", num__grouped(buf, x->total),
		  h->m->times.every > 1 ? "timed " : "");
	if (x->total) {
		html__raw(h, ", mean %s", num__duration(buf, histogram__mean(x)));
		for (size_t i = 0; i < 3; i++)
			html__raw(h, ", %s %s", quantiles[i].name,
				  num__duration(buf, histogram__quantile(x, quantiles[i].q)));
		html__raw(h, ", max %s", num__duration(buf, (double)x->max));
	}
	html__raw(h, "</p>\n");
}

static void legend(struct html *h, const struct chart *c)
{
	html__raw(h, "<ul class=\"legend\">");
	for (size_t s = 0; s < c->n; s++) {
		html__raw(h,
			  "<li><svg aria-hidden=\"true\" width=\"14\" height=\"10\"><rect "
			  "class=\"%s\" width=\"14\" height=\"10\"/></svg>%s bar: ",
			  s ? "two" : "one", s ? "lower" : "upper");
		html__put(h, c->names[s]);
		html__raw(h, "</li>");
	}
	html__raw(h, "</ul>\n");
}

static void figure(struct html *h, struct chart *c, const struct histogram *whole)
{
	merge_buckets(c);
	html__raw(h, "<figure><figcaption><h3 class=\"key\">");
	html__put(h, c->title);
	html__raw(h, "</h3><p>");
	html__put(h, c->help);
	html__raw(h, "</p>\n");
	for (size_t s = 0; s < c->n; s++)
		summary(h, c->names[s], &whole[s]);
	if (c->n > 1)
		legend(h, c);
	html__raw(h, "</figcaption>\n");
	bars(h, c);
	numbers(h, c);
	html__raw(h, "</figure>\n");
}

static void lock_hold(struct html *h, const struct field *f)
{
	const struct hold_times *hold = &h->m->times.hold;
	const struct histogram whole[] = {hold->plain, hold->walked};
	struct chart c = {.title = f->key, .help = f->help};
	char a[NUM_LEN], b[NUM_LEN];

	add_series(&c, "no walk inside", &hold->plain);
	add_series(&c, "a walk inside", &hold->walked);
	figure(h, &c, whole);
	html__raw(h, "<p>Holds are told as %s",
		  hold->kind && !strcmp(hold->kind, "lower_bound") ? "a lower bound."
								   : "an upper bound.");
	if (isfinite(hold->walked_share))
		html__raw(h, " Walks take %s %% of the time that the lock is held.",
			  num__percent(a, hold->walked_share, 1));
	if (isfinite(hold->above_budget))
		html__raw(h, " %s %% of the holds are above %s.",
			  num__percent(a, hold->above_budget, 1),
			  num__duration(b, (double)hold->budget_ns));
	html__raw(h, "</p>\n");
	if (!hold->exact.total)
		return;
	c = (struct chart){.title = "lock_hold_ns, exact",
			   .help = "from the lock taken to the lock given back"};
	add_series(&c, NULL, &hold->exact);
	figure(h, &c, &hold->exact);
	if (hold->checked)
		html__raw(h, "<p>%s of %s holds lie outside of their bounds.</p>\n",
			  num__grouped(a, hold->differ), num__grouped(b, hold->checked));
}

/* Of a field that this run has: the histogram may be empty. */
static bool histogram_of(struct histogram *x, const struct html *h, const struct field *f)
{
	*x = (struct histogram){0};
	if (!f->spans || !(f->in & IN_TOTAL) ||
	    field__unmeasured(f, NULL, h->m).reason != REASON_NONE)
		return false;
	times__histogram(x, f, &h->m->total);
	return true;
}

static void put_histogram(struct html *h, const struct field *f, const struct histogram *whole)
{
	struct chart c = {.title = f->key, .help = f->help};

	html__raw(h, "<div>\n");
	if (!strcmp(f->key, "lock_hold_ns")) {
		lock_hold(h, f);
	} else {
		add_series(&c, NULL, whole);
		figure(h, &c, whole);
	}
	html__raw(h, "</div>\n");
}

void html__histograms(struct html *h)
{
	struct histogram whole;
	size_t empty = 0;

	html__raw(h, "<div class=\"pair\">\n");
	for (size_t i = 0; i < nfields; i++)
		if (histogram_of(&whole, h, &fields[i]) && whole.total)
			put_histogram(h, &fields[i], &whole);
	html__raw(h, "</div>\n");
	for (size_t i = 0; i < nfields; i++)
		if (histogram_of(&whole, h, &fields[i]) && !whole.total)
			html__raw(h, "%s<li>%s</li>\n",
				  empty++ ? "" : "<p>Without events:</p>\n<ul class=\"keys\">",
				  fields[i].key);
	html__raw(h, "%s", empty ? "</ul>\n" : "");
}
