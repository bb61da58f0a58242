/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_PAIRS_H
#define MEMCGTOP_PAIRS_H

#include "probe/load.h"

/* Who evicted whom, from the map into the sample, sorted by the keys. 0 or a negative errno. */
int pairs__read(const struct loaded *l, struct sample *s);

#endif
