/* SPDX-License-Identifier: GPL-2.0-only */
/* How far the window can be trusted: private to src/model. */
#ifndef MEMCGTOP_QUALITY_H
#define MEMCGTOP_QUALITY_H

#include "model/model.h"

/* Fills in m->quality from the model's total and probes. 0 or -ENOMEM. */
int quality__init(struct model *m);

void quality__release(struct quality *q);

#endif
