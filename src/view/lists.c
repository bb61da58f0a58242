// SPDX-License-Identifier: GPL-2.0-only
/* The lists of the text's sections: their order, and where they are cut. */
#include <stdlib.h>

#include "view/measure.h"
#include "view/text.h"

size_t text__shown(size_t n, const struct view_opts *o)
{
	size_t limit = o->rows < 0 ? n : ((size_t)o->rows + 1) / 2;

	/* To say that one more is there takes the line that would show it. */
	return limit && n <= limit + 1 ? n : limit;
}

void text__cut(struct page *p, size_t n)
{
	if (n)
		fprintf(p->f, "(%zu more: --rows)\n", n);
}

struct listed {
	const struct model_row *row;
	uint64_t value;
	size_t at; /* ties keep the order of the rows */
};

static int by_value(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

const struct model_row **text__by(struct page *p, const struct model *m, const char *key, size_t *n)
{
	struct listed *list = calloc(m->nrows + 1, sizeof(*list));
	const struct model_row **rows = calloc(m->nrows + 1, sizeof(rows[0]));

	*n = 0;
	if (!list || !rows) {
		p->failed = true;
		free(rows);
		free(list);
		return NULL;
	}
	for (size_t i = 0; i < m->nrows; i++) {
		uint64_t value = measure__count(m, key, &m->rows[i].scope);

		if (value)
			list[(*n)++] = (struct listed){&m->rows[i], value, i};
	}
	qsort(list, *n, sizeof(*list), by_value);
	for (size_t i = 0; i < *n; i++)
		rows[i] = list[i].row;
	free(list);
	return rows;
}

void text__cell(struct grid *g, const struct row *r)
{
	char *name = text__name(g->page, r);

	grid__marked(g, name, text__mark(r));
	free(name);
}

void text__cell_of(struct grid *g, const struct model *m, uint64_t id)
{
	const struct row *r = id ? sample__row(m->end, id) : NULL;
	char *name;

	/* Looked up once: the list of pairs is long, and so is that of the rows. */
	if (r) {
		text__cell(g, r);
		return;
	}
	name = id ? text__id(g->page, id) : text__name_of(g->page, m, 0);
	grid__text(g, name);
	free(name);
}
