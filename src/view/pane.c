// SPDX-License-Identifier: GPL-2.0-only
/* What the live screen shows beside its tables. */
#include <inttypes.h>
#include <stdio.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/pane.h"
#include "view/text.h"

#define PANE_MIN 20

void pane__none(struct page *p, const struct model *m, const char *label, const char *key,
		const char *none)
{
	struct unmeasured why = field__unmeasured(field__find(key), NULL, m);

	if (why.reason == REASON_NONE)
		page__para(p, label, "none: %s.", none);
	else
		page__para(p, label, "%s: %s.", why.applicable ? "not measured" : "not applicable",
			   why.text);
}

static void evictions(struct page *p, const struct model *m, const struct view_opts *o)
{
	pane__matrix(p, m);
	text__evictions(p, m, o);
}

static void drains(struct page *p, const struct model *m, const struct view_opts *o)
{
	if (measure__count(m, "drain_all_calls", &m->total) || m->ndrains)
		text__drains(p, m, o);
	else
		pane__none(p, m, "drains", "drain_all_calls",
			   "nobody had the stocks of all CPUs drained in this time");
}

void pane__no_times(struct page *p, const struct model *m, const struct scope *s, const char *where)
{
	uint64_t n = measure__count(m, "charges", s) + measure__count(m, "uncharges", s);
	char none[160], a[NUM_LEN];

	if (n && m->times.every > 1)
		snprintf(none, sizeof(none),
			 "of %s charges and uncharges %s none was among the 1 in %" PRIu32
			 " that are timed",
			 num__grouped(a, n), where, m->times.every);
	else
		snprintf(none, sizeof(none), "nothing that is timed happened %s", where);
	pane__none(p, m, "times", "charge_ns", none);
}

static void times(struct page *p, const struct model *m)
{
	if (m->times.nfunctions || m->times.hold.plain.total || m->times.hold.walked.total)
		text__times(p, m);
	else
		pane__no_times(p, m, &m->total, "in this time");
}

static void verdict(struct page *p, const struct model *m)
{
	text__verdicts(p, m);
	page__part(p);
	text__notes(p, m);
	p->parted = false;
}

int view__pane(FILE *f, const struct model *m, const struct view_opts *o, const struct pane_of *of)
{
	struct page p = {
		.f = f,
		.width = o->width < PANE_MIN ? PANE_MIN : o->width,
		.color = o->color,
		.ascii = o->ascii,
		.chop = true,
		.top = true,
	};

	switch (of->pane) {
	case PANE_CGROUP:
		pane__cgroup(&p, m, o, of->row);
		break;
	case PANE_CPU:
		pane__cpu(&p, m, o, of->cpu);
		break;
	case PANE_EVICTIONS:
		evictions(&p, m, o);
		break;
	case PANE_DRAINS:
		drains(&p, m, o);
		break;
	case PANE_TIMES:
		times(&p, m);
		break;
	case PANE_PROBES:
		pane__probes(&p, m);
		break;
	case PANE_VERDICT:
		verdict(&p, m);
		break;
	}
	return page__finish(&p);
}
