// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as plain text of 80 columns, for a mail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/compare.h"
#include "view/page.h"

#define LABEL_COLUMNS  29
#define KERNEL_COLUMNS 26

/* What a side is, in the columns of the head. */
struct side_words {
	char *kernel;
	char design[40], cpus[24], seconds[24], missed[40];
};

static double worst_missed(const struct side *s)
{
	double worst = NAN;

	for (size_t i = 0; i < s->n; i++)
		worst = fmax(worst, s->runs[i].missed_ratio);
	return worst;
}

static double middle_seconds(const struct side *s)
{
	double v[STATS_MAX];
	size_t n = s->n < STATS_MAX ? s->n : STATS_MAX;

	for (size_t i = 0; i < n; i++)
		v[i] = s->runs[i].seconds;
	return stats__median(v, n);
}

static void words_of(struct page *p, const struct side *s, struct side_words *w)
{
	const struct run *r = &s->runs[0];
	char buf[NUM_LEN];

	w->kernel = page__name(p, r->host.kernel, strlen(r->host.kernel), KERNEL_COLUMNS);
	if (r->stock.slots)
		snprintf(w->design, sizeof(w->design), "%s, %ux%u", design__name(r->stock.design),
			 r->stock.slots, r->stock.batch);
	else
		snprintf(w->design, sizeof(w->design), "%s, x%u", design__name(r->stock.design),
			 r->stock.batch);
	snprintf(w->cpus, sizeof(w->cpus), "%u CPU%s", r->host.cpus_online,
		 r->host.cpus_online == 1 ? "" : "s");
	num__duration(w->seconds, middle_seconds(s) * 1e9);
	if (isnan(worst_missed(s)))
		strcpy(w->missed, "idle");
	else
		snprintf(w->missed, sizeof(w->missed), "missed <= %s%%",
			 num__percent(buf, worst_missed(s), 1));
}

/* Columns of the longer one. */
static int longer(const char *a, const char *b)
{
	int x = a ? page__width(a) : 0, y = b ? page__width(b) : 0;

	return x > y ? x : y;
}

static void put_side(struct page *p, char name, const struct side_words *w,
		     const struct side_words *other)
{
	const char *kernel = w->kernel ? w->kernel : "";

	fprintf(p->f, "  %c  %s%*s  %-*s  %-*s  %-*s  %s\n", name, kernel,
		longer(w->kernel, other->kernel) - page__width(kernel), "",
		longer(w->design, other->design), w->design, longer(w->cpus, other->cpus), w->cpus,
		longer(w->seconds, other->seconds), w->seconds, w->missed);
}

static void put_para(struct page *p, const char *label, int indent, const char *text)
{
	page__open(p, label, indent);
	page__words(p, "%s", text);
	page__close(p);
}

static void put_long_title(struct page *p, const char *line, const char *samples)
{
	put_para(p, "memcgtop", 4, line + strlen("memcgtop "));
	fprintf(p->f, "%*s\n", p->width, samples);
}

/* The command line, and the number of samples at its right. */
static void put_title(struct page *p, const struct comparison *c)
{
	char *a = page__name(p, c->a->name, strlen(c->a->name), p->width - 4);
	char *b = page__name(p, c->b->name, strlen(c->b->name), p->width - 4);
	char samples[LABEL_LEN], *line;

	compare__samples(samples, c);
	if (a && b &&
	    asprintf(&line, "memcgtop compare %s %s%s%s", a, b, c->per.key ? " --per " : "",
		     c->per.key ? c->per.key : "") >= 0) {
		int left = p->width - page__width(line) - page__width(samples);

		if (left >= 2)
			fprintf(p->f, "%s%*s%s\n", line, left, "", samples);
		else
			put_long_title(p, line, samples);
		free(line);
	}
	free(a);
	free(b);
}

static void put_head(struct page *p, const struct comparison *c)
{
	struct side_words a, b;
	char *warning = compare__warning(c);

	put_title(p, c);
	words_of(p, c->a, &a);
	words_of(p, c->b, &b);
	put_side(p, 'A', &a, &b);
	put_side(p, 'B', &b, &a);
	free(a.kernel);
	free(b.kernel);
	page__open(p, "  differs:", 4);
	for (size_t i = 0; c->differs[i]; i++)
		page__words(p, "%s%s", c->differs[i], c->differs[i + 1] ? "," : "");
	if (!c->differs[0])
		page__words(p, "nothing");
	page__close(p);
	if (!warning)
		p->failed = true;
	else if (*warning)
		put_para(p, "  note:", 4, warning);
	free(warning);
}

/* Where a row has fewer values than there are runs, too few for a p: how many. */
static const char *put_p(char *buf, const struct comparison *c, const struct compared *row)
{
	if (c->too_few || row->difference != DIFFERS_UNTESTED)
		return compare__p(buf, c->too_few ? NAN : row->p);
	snprintf(buf, NUM_LEN, "n=%zu", row->a.n < row->b.n ? row->a.n : row->b.n);
	return buf;
}

static void put_row(struct page *p, const struct comparison *c, const struct compared *row)
{
	char label[LABEL_LEN], a[NUM_LEN], b[NUM_LEN], spread_a[NUM_LEN], spread_b[NUM_LEN];
	char delta[NUM_LEN], pvalue[NUM_LEN];

	compare__label(label, c, row);
	if (row->marked)
		strcat(label, "*");
	if (page__width(label) > LABEL_COLUMNS)
		fprintf(p->f, "  %s\n%*s", label, 2 + LABEL_COLUMNS, "");
	else
		fprintf(p->f, "  %s%*s", label, LABEL_COLUMNS - page__width(label), "");
	fprintf(p->f, "%9s %5s  %9s %5s  %8s  %5s\n", compare__value(a, row->kind, row->a.median),
		row->a.n > 1 ? compare__spread(spread_a, row->a.spread) : "",
		compare__value(b, row->kind, row->b.median),
		row->b.n > 1 ? compare__spread(spread_b, row->b.spread) : "",
		compare__delta(delta, row), put_p(pvalue, c, row));
}

static void put_rows(struct page *p, const struct comparison *c, const struct compare_view *v)
{
	int topic = -1;

	for (size_t i = 0; i < c->nrows; i++) {
		const struct compared *row = &c->rows[i];

		if (!compare__shown(row, v))
			continue;
		if (topic < 0)
			fprintf(p->f, "\n%*s%9s %5s  %9s %5s  %8s  %5s\n", 2 + LABEL_COLUMNS, "",
				"A", "+-", "B", "+-", "B vs A", "p");
		if (topic != (int)row->topic)
			fprintf(p->f, "%s\n", topic__name(row->topic));
		topic = (int)row->topic;
		put_row(p, c, row);
	}
	fprintf(p->f, "\n");
}

static void put_footnotes(struct page *p, const struct comparison *c, const struct compare_view *v)
{
	char *notes = compare__footnotes(c, v);

	if (!notes)
		p->failed = true;
	for (char *line = notes; line && *line;) {
		size_t n = strcspn(line, "\n");

		line[n] = '\0';
		put_para(p, "  ", 2, line);
		line += n + 1;
	}
	if (notes && *notes)
		fprintf(p->f, "\n");
	free(notes);
}

static void put_verdict(struct page *p, const struct comparison *c, const struct compare_view *v)
{
	char *text = compare__verdict(c, PAGE_GAP[0]);

	if (!text) {
		p->failed = true;
		return;
	}
	page__open(p, "Verdict:", 0);
	page__words(p, "%s", text);
	if (!v->all && c->nequal)
		page__words(p, "%zu%sequal row%s: -a.", c->nequal, PAGE_GAP,
			    c->nequal == 1 ? "" : "s");
	if (!v->all && c->nrepeats)
		page__words(p, "%zu more repeat%s the numbers of another.", c->nrepeats,
			    c->nrepeats == 1 ? "s" : "");
	page__close(p);
	free(text);
}

int view__compare_text(FILE *f, const struct comparison *c, const struct compare_view *v)
{
	struct page p = {.f = f, .width = COMPARE_WIDTH, .chop = true};

	put_head(&p, c);
	put_rows(&p, c, v);
	put_footnotes(&p, c, v);
	put_verdict(&p, c, v);
	return page__finish(&p);
}
