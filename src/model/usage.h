/* SPDX-License-Identifier: GPL-2.0-only */
/* Who writes a memory.usage: private to src/model. */
#ifndef MEMCGTOP_USAGE_H
#define MEMCGTOP_USAGE_H

#include "model/model.h"

/* Fills in usage_updates and usage_cpus of the rows and the total. 0 or -ENOMEM. */
int usage__init(struct model *m);

#endif
