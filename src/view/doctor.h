/* SPDX-License-Identifier: GPL-2.0-only */
/* What both forms of the doctor's report are made from. Private to src/view. */
#ifndef MEMCGTOP_VIEW_DOCTOR_H
#define MEMCGTOP_VIEW_DOCTOR_H

#include "model/model.h"
#include "view/view.h"

#define CHECKS_MAX 32

struct doctor {
	struct sample sample; /* as if all that can be attached were */
	struct window window;
	struct model model;
	struct check checks[CHECKS_MAX];
	size_t nchecks;
	bool measurable;
	const char *why;    /* a sentence: how, or why not */
	enum reason reason; /* of not; REASON_NONE: a check failed */
};

/* 0 or -ENOMEM. */
int doctor__init(struct doctor *d, const struct diagnosis *from);

void doctor__release(struct doctor *d);

/* "ok", "warn", "fail" */
const char *check_state__name(enum check_state s);

#endif
