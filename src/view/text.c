// SPDX-License-Identifier: GPL-2.0-only
#include "view/text.h"

int view__text(FILE *f, const struct model *m, const struct view_opts *o)
{
	struct page p = {
		.f = f,
		.width = o->width < VIEW_WIDTH_MIN ? VIEW_WIDTH_MIN : o->width,
		.color = o->color,
		.ascii = o->ascii,
	};

	text__head(&p, m);
	page__blank(&p);
	text__verdicts(&p, m);
	page__blank(&p);
	text__sides(&p, m);
	text__times(&p, m);
	text__rows(&p, m, o);
	if (o->cpus)
		text__cpus(&p, m);
	text__evictions(&p, m, o);
	text__drains(&p, m, o);
	text__statistic(&p, m);
	text__stocks(&p, m, o);
	text__sockets(&p, m, o);
	page__part(&p);
	text__notes(&p, m);
	return page__finish(&p);
}
