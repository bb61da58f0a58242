/* SPDX-License-Identifier: GPL-2.0-only */
/* Members that more than one JSON document has. */
#ifndef MEMCGTOP_VIEW_JSON_H
#define MEMCGTOP_VIEW_JSON_H

#include "model/model.h"
#include "view/writer.h"

#define JSON_SCHEMA "memcgtop/1"

void json__host(struct writer *w, const struct host *h);
void json__stock(struct writer *w, const struct model *m);

/* verdict_state, verdicts, verdicts_unjudged */
void json__verdicts(struct writer *w, const struct model *m);

/* A doctor ran nothing: `recorded` and `missed` are null then. */
void json__probes(struct writer *w, const struct model *m, bool ran);

#endif
