/* SPDX-License-Identifier: GPL-2.0-only */
/* Who writes a memory.usage: private to src/model. */
#ifndef MEMCGTOP_USAGE_H
#define MEMCGTOP_USAGE_H

#include "model/model.h"

/* Fill in usage_updates and usage_cpus of the total, and of the rows. 0 or -ENOMEM. */
int usage__init_total(struct model *m);
int usage__init_rows(struct model *m);

#endif
