// SPDX-License-Identifier: GPL-2.0-only
#include "main.h"
#include "model/model.h"
#include "verb/measure.h"
#include "verb/status.h"

int verb_record(const struct options *o, struct error *e)
{
	struct window w = {};
	struct model m = {};
	int status = -1;

	if (!measure(o, &w, e)) {
		if (model__init(&m, &w))
			error__set(e, STATUS_CANNOT, "out of memory");
		else
			status = status__of(o, &m);
		model__release(&m);
	}
	window__release(&w);
	/* what the file lacks is told in any case */
	return e->text[0] ? -1 : status;
}
