// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as plain text of 80 columns, for a mail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/compare.h"
#include "view/page.h"

#define LABEL_COLUMNS 29

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

static void words_of(const struct side *s, struct side_words *w)
{
	const struct run *r = &s->runs[0];
	char buf[NUM_LEN];

	if (r->stock.slots)
		snprintf(w->design, sizeof(w->design), "%s, %ux%u", design__name(r->stock.design),
			 r->stock.slots, r->stock.batch);
	else
		snprintf(w->design, sizeof(w->design), "%s, x%u", design__name(r->stock.design),
			 r->stock.batch);
	snprintf(w->cpus, sizeof(w->cpus), "%u CPU%s", r->host.cpus_online,
		 r->host.cpus_online == 1 ? "" : "s");
	num__duration(w->seconds, side__seconds(s) * 1e9);
	if (isnan(worst_missed(s)))
		strcpy(w->missed, "idle");
	else
		snprintf(w->missed, sizeof(w->missed), "missed %s%%",
			 num__percent(buf, worst_missed(s), 1));
}

/* Columns of the longer one. */
static int longer(const char *a, const char *b)
{
	int x = a ? page__width(a) : 0, y = b ? page__width(b) : 0;

	return x > y ? x : y;
}

/* What the other columns leave of a line. */
static int room_of_kernel(const struct side_words *a, const struct side_words *b)
{
	return COMPARE_WIDTH - 13 - longer(a->design, b->design) - longer(a->cpus, b->cpus) -
	       longer(a->seconds, b->seconds) - longer(a->missed, b->missed);
}

static char *kernel_of(struct page *p, const struct side *s, int room)
{
	const char *kernel = s->runs[0].host.kernel;

	return page__command(p, kernel, strlen(kernel), room);
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

/* Text of others' words: file names, kernels, functions. */
static void put_para(struct page *p, const char *label, int indent, const char *text)
{
	char *clean = text_display(text, strlen(text), 0);

	if (!clean) {
		p->failed = true;
		return;
	}
	page__open(p, label, indent);
	page__words(p, "%s", clean);
	page__close(p);
	free(clean);
}

static void put_long_title(struct page *p, const char *line, const char *samples)
{
	put_para(p, "memcgtop", 4, line + strlen("memcgtop "));
	fprintf(p->f, "%*s\n", p->width, samples);
}

/* The command line, and the number of samples at its right. */
static void put_title(struct page *p, const struct comparison *c)
{
	const char *per = c->per.key ? c->per.key : "";
	char samples[LABEL_LEN], *line = NULL, *clean = NULL;
	int left;

	compare__samples(samples, c);
	if (asprintf(&line, "memcgtop compare %s %s%s%s", c->a->name, c->b->name,
		     *per ? " --per " : "", per) >= 0)
		clean = page__command(p, line, strlen(line), 4 * p->width);
	else
		p->failed = true;
	left = clean ? p->width - page__width(clean) - page__width(samples) : 0;
	if (left >= 2)
		fprintf(p->f, "%s%*s%s\n", clean, left, "", samples);
	else if (clean)
		put_long_title(p, clean, samples);
	free(line);
	free(clean);
}

static void put_differs(struct page *p, const struct comparison *c)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	for (size_t i = 0; f && c->differs[i]; i++)
		fprintf(f, "%s%s", i ? ", " : "", c->differs[i]);
	if (!f || fclose(f))
		p->failed = true;
	else
		put_para(p, "  differs:", 4, *text ? text : "nothing");
	free(text);
}

static void put_head(struct page *p, const struct comparison *c)
{
	struct side_words a, b;
	char *warning = compare__warning(c);

	put_title(p, c);
	words_of(c->a, &a);
	words_of(c->b, &b);
	a.kernel = kernel_of(p, c->a, room_of_kernel(&a, &b));
	b.kernel = kernel_of(p, c->b, room_of_kernel(&a, &b));
	put_side(p, 'A', &a, &b);
	put_side(p, 'B', &b, &a);
	free(a.kernel);
	free(b.kernel);
	put_differs(p, c);
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

/* Clean, with its mark. Free it. NULL: out of memory, and the page has failed. */
static char *label_of(struct page *p, const struct comparison *c, const struct compared *row)
{
	char label[LABEL_LEN + 1];

	compare__label(label, c, row);
	if (row->marked)
		strcat(label, "*");
	return page__command(p, label, strlen(label), p->width - 2);
}

static void put_row(struct page *p, const struct comparison *c, const struct compared *row)
{
	char *label, a[NUM_LEN], b[NUM_LEN], spread_a[NUM_LEN], spread_b[NUM_LEN];
	char delta[NUM_LEN], pvalue[NUM_LEN];

	label = label_of(p, c, row);
	if (!label)
		return;
	if (page__width(label) > LABEL_COLUMNS)
		fprintf(p->f, "  %s\n%*s", label, 2 + LABEL_COLUMNS, "");
	else
		fprintf(p->f, "  %s%*s", label, LABEL_COLUMNS - page__width(label), "");
	fprintf(p->f, "%9s %5s  %9s %5s  %8s  %5s\n", compare__value(a, row->kind, row->a.median),
		row->a.n > 1 ? compare__spread(spread_a, row->a.spread) : "",
		compare__value(b, row->kind, row->b.median),
		row->b.n > 1 ? compare__spread(spread_b, row->b.spread) : "",
		compare__delta(delta, row), put_p(pvalue, c, row));
	free(label);
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
		page__words(p, "%zu more repeat%s the numbers of another to 1%%.", c->nrepeats,
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
