// SPDX-License-Identifier: GPL-2.0-only
/* What cgroups are called on the screen. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "view/text.h"

#define WHOLE 4096 /* columns: longer than any table */

const char *text__mark(const struct row *r)
{
	return r->state == ROW_DELETED ? " (del)" : NULL;
}

char *text__id(struct page *p, uint64_t id)
{
	char *name;

	if (asprintf(&name, "(id %" PRIu64 ")", id) < 0) {
		p->failed = true;
		return NULL;
	}
	return name;
}

char *text__name(struct page *p, const struct row *r)
{
	if (r->state == ROW_IS_OTHER)
		return strdup("(other)");
	return r->path ? page__name(p, r->path, r->path_len, WHOLE) : text__id(p, r->id);
}

char *text__name_of(struct page *p, const struct model *m, uint64_t id)
{
	const struct row *r = id ? sample__row(m->end, id) : NULL;

	if (!id)
		return strdup("(other)");
	return r ? text__name(p, r) : text__id(p, id);
}

char *text__word(struct page *p, char *name, int columns)
{
	char *word = name ? page__elide(p, name, columns) : NULL;

	free(name);
	return word ? page__glue(word) : NULL;
}
