// SPDX-License-Identifier: GPL-2.0-only
/* What the live screen shows beside its tables. */
#include "view/measure.h"
#include "view/pane.h"
#include "view/text.h"

#define PANE_MIN 20

static void evictions(struct page *p, const struct model *m, const struct view_opts *o)
{
	pane__matrix(p, m);
	text__evictions(p, m, o);
}

static void drains(struct page *p, const struct model *m, const struct view_opts *o)
{
	struct unmeasured why = field__unmeasured(field__find("drain_all_calls"), NULL, m);

	if (why.reason != REASON_NONE)
		page__para(p, "drains", "%s", why.text);
	else if (!measure__count(m, "drain_all_calls", &m->total) && !m->ndrains)
		page__para(p, "drains",
			   "none: nobody had the stocks of all CPUs drained in this time.");
	else
		text__drains(p, m, o);
}

static void times(struct page *p, const struct model *m)
{
	struct unmeasured why = field__unmeasured(field__find("charge_ns"), NULL, m);

	if (m->times.nfunctions || m->times.hold.plain.total || m->times.hold.walked.total)
		text__times(p, m);
	else if (!m->times.taken)
		page__para(p, "times", "none: %s", why.text ? why.text : "no time was taken");
	else
		page__para(p, "times", "none: nothing that is timed happened in this time.");
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
