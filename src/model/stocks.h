/* SPDX-License-Identifier: GPL-2.0-only */
/* What the stocks hold, and what was drained out of them: private to src/model. */
#ifndef MEMCGTOP_STOCKS_H
#define MEMCGTOP_STOCKS_H

#include "model/model.h"

/* Fills in the gauges and the pressure of all scopes. Needs the model's rows and CPUs. */
void stocks__init(struct model *m);

/* Fills in the window's pairs and drains. 0 or -ENOMEM; what was made, drains__release() frees. */
int drains__init(struct model *m);

void drains__release(struct model *m);

#endif
