// SPDX-License-Identifier: GPL-2.0-only
/* What the live screen shows beside its tables. */
#include "view/text.h"

#define PANE_MIN 20

int view__pane(FILE *f, const struct model *m, const struct view_opts *o, const struct pane_of *of)
{
	struct page p = {
		.f = f,
		.width = o->width < PANE_MIN ? PANE_MIN : o->width,
		.color = o->color,
		.ascii = o->ascii,
	};

	switch (of->pane) {
	case PANE_CGROUP:
	case PANE_CPU:
		text__sides(&p, m);
		break;
	case PANE_EVICTIONS:
		text__evictions(&p, m, o);
		break;
	case PANE_DRAINS:
		text__drains(&p, m, o);
		break;
	case PANE_TIMES:
		text__times(&p, m);
		break;
	case PANE_PROBES:
		text__head(&p, m);
		break;
	case PANE_VERDICT:
		text__verdicts(&p, m);
		page__part(&p);
		text__notes(&p, m);
		break;
	}
	return page__finish(&p);
}
