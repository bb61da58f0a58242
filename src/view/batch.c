// SPDX-License-Identifier: GPL-2.0-only
/* The batch mode: one block an interval. */
#include "view/text.h"

int view__batch(FILE *f, const struct model *m, const struct view_opts *o, bool first)
{
	struct page p = {
		.f = f,
		.width = o->width < VIEW_WIDTH_MIN ? VIEW_WIDTH_MIN : o->width,
		.color = o->color,
		.ascii = o->ascii,
	};

	if (first)
		text__head(&p, m);
	text__rows(&p, m, o);
	page__blank(&p);
	return page__finish(&p);
}
