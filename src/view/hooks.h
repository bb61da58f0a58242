/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the views say of a hook: why it is missing, and what is lost with it.
 */
#ifndef MEMCGTOP_VIEW_HOOKS_H
#define MEMCGTOP_VIEW_HOOKS_H

#include "model/model.h"
#include "sample/sample.h"

/* A key that is lost: a field, or one part of it. */
struct loss_key {
	const struct field *field;
	const struct part *part; /* NULL: the whole field */
};

#define LOSS_KEYS 160

/* "inlined by the compiler" */
const char *hook__why(enum reason r);

/* Attached, or a trial attach worked. */
bool hook__works(const struct probe *p);

/* The hook of that program, or NULL if the sample does not list it. */
const struct probe *hook__find(const struct sample *s, enum prog_id prog);

/*
 * The keys that have no value because this hook is missing or silent; none if
 * it works or is not needed. Found by asking the field table with and without
 * it, so that no list of losses has to be kept.
 */
size_t hook__loses(const struct model *m, const struct model_probe *p, struct loss_key *keys,
		   size_t max);

/* How its measure is had without it, or NULL. */
const char *hook__instead(const struct model *m, const struct probe *p);

/*
 * "lost: misses, hits", or that nothing is, and how it is had instead. Free it.
 * NULL: out of memory.
 */
char *hook__losses(const struct model *m, const struct model_probe *p);

/* "misses", "miss_reasons.absent"; into buf, of size n. */
const char *loss_key__name(const struct loss_key *k, char *buf, size_t n);

#endif
