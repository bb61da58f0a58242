// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each walk of a cgroup is one atomic operation on its own usage and on that
 * of every ancestor. So a cgroup's usage is written by all below it.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/fields_count.h"
#include "model/usage.h"

/* Working space: everything is by the index of a row in m->rows. */
struct tree {
	const struct row **by_id; /* rows of the end, sorted by id */
	size_t *parent;		  /* index, or nrows */
	size_t *children;	  /* how many are not added up yet */
	size_t *ready;		  /* rows whose children are all added up */
	uint64_t *cpu;		  /* [nrows][ncpus] updates in the window */
};

static int compare_id(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

static void tree__free(struct tree *t)
{
	free(t->by_id);
	free(t->parent);
	free(t->children);
	free(t->ready);
	free(t->cpu);
}

static int tree__init(struct tree *t, const struct model *m)
{
	const struct sample *end = m->end;
	const size_t n = m->nrows, ncpus = end->ncpus;

	/* One more of each: calloc(0) may give NULL. */
	t->by_id = calloc(n + 1, sizeof(t->by_id[0]));
	t->parent = calloc(n + 1, sizeof(t->parent[0]));
	t->children = calloc(n + 1, sizeof(t->children[0]));
	t->ready = calloc(n + 1, sizeof(t->ready[0]));
	t->cpu = calloc(n * ncpus + 1, sizeof(t->cpu[0]));
	if (!t->by_id || !t->parent || !t->children || !t->ready || !t->cpu)
		return -ENOMEM;

	for (size_t i = 0; i < n; i++)
		t->by_id[i] = &end->rows[i];
	qsort(t->by_id, n, sizeof(t->by_id[0]), compare_id);

	for (size_t i = 0; i < n; i++) {
		const struct row key = {.id = end->rows[i].parent}, *k = &key;
		const struct row **found = NULL;

		if (key.id && end->rows[i].state != ROW_IS_OTHER)
			found = bsearch(&k, t->by_id, n, sizeof(t->by_id[0]), compare_id);
		t->parent[i] = found ? (size_t)(*found - end->rows) : n;
		if (found)
			t->children[t->parent[i]]++;
	}
	return 0;
}

static void cpu_updates(const struct model *m, const struct model_row *r, uint64_t *updates)
{
	const uint64_t *before = r->before ? r->before->cpu_updates : NULL;

	for (size_t i = 0; i < m->ncpus; i++)
		updates[i] = model__on_cpu(m, &m->cpus[i], before, r->row->cpu_updates);
}

/* CPUs that made at least 1% of these updates, rounded up without overflow. */
static uint32_t count_cpus(const uint64_t *updates, size_t ncpus)
{
	uint64_t sum = 0, least;
	uint32_t n = 0;

	for (size_t i = 0; i < ncpus; i++)
		sum += updates[i];
	least = sum / 100 + !!(sum % 100);
	for (size_t i = 0; i < ncpus; i++)
		n += updates[i] && updates[i] >= least;
	return n;
}

/*
 * Adds each row to its parent once all its own children are in. A cycle, which
 * only a broken file can hold, never gets ready and keeps its own counts.
 */
static void add_up(struct tree *t, struct model *m)
{
	const size_t n = m->nrows, ncpus = m->end->ncpus;
	size_t nready = 0;

	for (size_t i = 0; i < n; i++)
		if (!t->children[i])
			t->ready[nready++] = i;
	while (nready) {
		size_t i = t->ready[--nready], up = t->parent[i];

		if (up == n)
			continue;
		m->rows[up].scope.usage_updates += m->rows[i].scope.usage_updates;
		for (size_t cpu = 0; cpu < ncpus; cpu++)
			t->cpu[up * ncpus + cpu] += t->cpu[i * ncpus + cpu];
		if (!--t->children[up])
			t->ready[nready++] = up;
	}
}

static uint64_t updates_of(const struct scope *s)
{
	return count_walks(s) + s->c[C_TRY_WALKS];
}

int usage__init_total(struct model *m)
{
	uint64_t *updates = calloc(m->ncpus + 1, sizeof(updates[0]));

	if (!updates)
		return -ENOMEM;
	m->total.usage_updates = updates_of(&m->total);
	for (size_t i = 0; i < m->ncpus; i++)
		updates[i] = updates_of(&m->cpus[i].scope);
	m->total.usage_cpus = count_cpus(updates, m->ncpus);
	free(updates);
	return 0;
}

int usage__init_rows(struct model *m)
{
	const size_t ncpus = m->end->ncpus;
	struct tree t = {};
	int err = tree__init(&t, m);

	if (err)
		goto out;
	for (size_t i = 0; i < m->nrows; i++) {
		m->rows[i].scope.usage_updates = updates_of(&m->rows[i].scope);
		cpu_updates(m, &m->rows[i], &t.cpu[i * ncpus]);
	}
	add_up(&t, m);
	for (size_t i = 0; i < m->nrows; i++)
		m->rows[i].scope.usage_cpus = count_cpus(&t.cpu[i * ncpus], ncpus);
out:
	tree__free(&t);
	return err;
}
