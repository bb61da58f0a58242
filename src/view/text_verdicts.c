// SPDX-License-Identifier: GPL-2.0-only
/* The verdict block of the text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"
#include "view/verdict.h"

#define MOST_UNJUDGED "most rules could not be judged"

/* Shorter than a line. */
static char *cgroup_name(struct page *p, const struct row *r)
{
	if (!r)
		return NULL;
	return r->path ? text__word(p, text__name(p, r), p->width - PAGE_INDENT - 1)
		       : strdup("a cgroup of unknown path");
}

static void put_template(struct page *p, const struct verdict *v, const char *template,
			 const char *end)
{
	char *cgroup = cgroup_name(p, v->cgroup), *by = cgroup_name(p, v->by);
	char *text = verdict__text(v, template, cgroup, by, PAGE_GAP[0]);

	if (text)
		page__words(p, "%s%s", text, end);
	else
		p->failed = true;
	free(text);
	free(cgroup);
	free(by);
}

/* An address is never broken: where the line is too short it gets one of its own. */
static void put_url(struct page *p, const char *url)
{
	const int len = (int)strlen(url), lead = (int)strlen("Looks like ");

	page__open(p, "", PAGE_INDENT);
	page__words(p, "Looks" PAGE_GAP "like");
	if (PAGE_INDENT + lead + len <= p->width) {
		page__words(p, "%s", url);
		page__close(p);
		return;
	}
	page__close(p);
	page__open(p, "", PAGE_INDENT + len <= p->width ? PAGE_INDENT : 2);
	page__words(p, "%s", url);
	page__close(p);
}

static void counts_are_low(struct page *p, const struct quality *q)
{
	char a[NUM_LEN];

	if (q->grade == GRADE_FAIR)
		page__words(p, "Counts are low by up to %s" PAGE_GAP "%%.",
			    num__percent(a, q->missed_ratio, 1));
}

static void put_verdict(struct page *p, const struct model *m, const struct verdict *v,
			const char *label)
{
	page__open(p, label, PAGE_INDENT);
	put_template(p, v, v->rule->headline, ".");
	page__close(p);
	page__open(p, "", PAGE_INDENT);
	put_template(p, v, v->rule->detail, "");
	counts_are_low(p, &m->quality);
	page__close(p);
	if (v->rule->url)
		put_url(p, v->rule->url);
}

/* Where most rules lack a measure, their silence says little. */
static bool most_unjudged(const struct verdicts *v)
{
	return v->nunjudged * 2 > nrules;
}

static void nothing_unusual(struct page *p, const struct model *m)
{
	double misses = measure__value(m, "miss_ratio", &m->total),
	       expected = measure__value(m, "miss_ratio_expected", &m->total);
	const size_t n = m->verdicts.nunjudged;
	char a[NUM_LEN], b[NUM_LEN];

	page__open(p, "verdict", PAGE_INDENT);
	page__words(p, "%s", most_unjudged(&m->verdicts) ? MOST_UNJUDGED : "nothing unusual");
	if (n && !most_unjudged(&m->verdicts))
		page__words(p, ", %zu" PAGE_GAP "rule%s not judged", n, n == 1 ? "" : "s");
	if (isnan(misses))
		page__words(p, ".");
	else
		page__words(p, ": %s" PAGE_GAP "%% of charges miss%s", num__percent(a, misses, 1),
			    isnan(expected) ? "." : "");
	if (!isnan(misses) && !isnan(expected))
		page__words(p, "(expected: about" PAGE_GAP "%s" PAGE_GAP "%%).",
			    expected < 0.0005 ? "0" : num__percent(b, expected, 1));
	counts_are_low(p, &m->quality);
	page__close(p);
}

static void not_judged(struct page *p, const struct verdicts *v)
{
	if (!v->nunjudged)
		return;
	page__open(p, "", PAGE_INDENT);
	page__words(p, "Not judged, for want of a measure:");
	for (size_t i = 0; i < v->nunjudged; i++)
		page__words(p, "%s%s", v->unjudged[i]->name, i + 1 < v->nunjudged ? "," : ".");
	page__close(p);
}

static void none(struct page *p, const struct model *m)
{
	double charges = measure__value(m, "charges", &m->total);
	char a[NUM_LEN], b[NUM_LEN];

	if (m->verdicts.state == VERDICT_UNTRUSTED)
		page__para(p, "verdict",
			   "none: this measurement is not to be trusted, see quality.");
	else if (isnan(charges))
		page__para(p, "verdict", "none: charges cannot be measured here.");
	else
		page__para(p, "verdict", "none: %s" PAGE_GAP "charge%s are too few, it takes %s.",
			   num__fixed(a, charges, 0), charges == 1 ? "" : "s",
			   num__grouped(b, VERDICT_CHARGES));
}

void text__verdicts(struct page *p, const struct model *m)
{
	const struct verdicts *v = &m->verdicts;

	if (v->state != VERDICT_JUDGED) {
		none(p, m);
		return;
	}
	for (size_t i = 0; i < v->n; i++)
		put_verdict(p, m, &v->list[i], i ? "also" : "verdict");
	if (!v->n)
		nothing_unusual(p, m);
	not_judged(p, v);
}

void text__headline(struct page *p, const struct model *m)
{
	const struct verdicts *v = &m->verdicts;

	if (v->state != VERDICT_JUDGED || (!v->n && !most_unjudged(v)))
		return;
	page__open(p, "", 0);
	p->indent = 2;
	page__bold(p, true);
	if (v->n) {
		page__words(p, "!");
		put_template(p, &v->list[0], v->list[0].rule->headline, ".");
	} else {
		page__words(p, MOST_UNJUDGED ", for want of a measure.");
	}
	page__close(p);
}
