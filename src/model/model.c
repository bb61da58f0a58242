// SPDX-License-Identifier: GPL-2.0-only
/* From two samples to the scopes that the views show. Pure: no I/O, no BPF. */
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields_count.h"
#include "model/fields_null.h"
#include "model/model.h"
#include "model/quality.h"
#include "model/stocks.h"
#include "model/usage.h"

/* So few events say nothing about how the kernel behaves. */
#define BEHAVIOUR_FLOOR 10

/* consume_stock() is blind if it saw less than this share of the charges. */
#define CONSUME_SHARE 0.9

static void subtract(uint64_t *c, const uint64_t *end, const uint64_t *start)
{
	if (!start) {
		memcpy(c, end, C_NR * sizeof(c[0]));
		return;
	}
	for (int i = 0; i < C_NR; i++)
		c[i] = minus(end[i], start[i]);
}

static struct scope scope_of(const struct model *m, const uint64_t *c, uint32_t in)
{
	const enum cgroup_mode mode = m->end->host.cgroup;

	return (struct scope){.c = c,
			      .stock = &m->end->stock,
			      .in = in,
			      .sock_apart = mode == CGROUP_V1 || mode == CGROUP_HYBRID};
}

static int compare_row_id(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	int order = (x->state == ROW_IS_OTHER) - (y->state == ROW_IS_OTHER);

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static int init_rows(struct model *m)
{
	const struct sample *start = m->window->start;
	const size_t nstart = start ? start->nrows : 0;
	const struct row **by_id = calloc(nstart + 1, sizeof(by_id[0]));

	m->nrows = m->end->nrows;
	m->rows = calloc(m->nrows + 1, sizeof(m->rows[0]));
	/* many, and all are set below */
	m->rows_c = malloc((m->nrows + 1) * sizeof(m->rows_c[0]));
	if (!m->rows || !m->rows_c || !by_id) {
		free(by_id);
		return -ENOMEM;
	}
	for (size_t i = 0; i < nstart; i++)
		by_id[i] = &start->rows[i];
	qsort(by_id, nstart, sizeof(by_id[0]), compare_row_id);

	for (size_t i = 0; i < m->nrows; i++) {
		struct model_row *r = &m->rows[i];
		const struct row **found;

		r->row = &m->end->rows[i];
		found = bsearch(&r->row, by_id, nstart, sizeof(by_id[0]), compare_row_id);
		/* A row that is new counts from 0. */
		r->before = found ? *found : NULL;
		subtract(m->rows_c[i], r->row->c, r->before ? r->before->c : NULL);
		r->scope = scope_of(m, m->rows_c[i], IN_CGROUP);
		r->scope.row = r->row;
		r->scope.row_before = r->before;
		r->scope.times = r->row->times;
		r->scope.times_before = r->before ? r->before->times : NULL;
	}
	free(by_id);
	return 0;
}

uint64_t model__on_cpu(const struct model *m, const struct model_cpu *c, const uint64_t *before,
		       const uint64_t *now)
{
	uint64_t n = now ? now[c->cpu - m->end->cpus] : 0;

	if (before && c->before)
		n = minus(n, before[c->before - m->window->start->cpus]);
	return n;
}

/* Which cgroups are behind `other` is not known, so it counts as none. */
static void find_memcgs(struct model *m)
{
	for (size_t i = 0; i < m->nrows; i++) {
		const struct model_row *r = &m->rows[i];
		const uint64_t *before = r->before ? r->before->cpu_charges : NULL;

		for (size_t j = 0; r->row->state != ROW_IS_OTHER && j < m->ncpus; j++) {
			struct model_cpu *c = &m->cpus[j];

			c->scope.memcgs += model__on_cpu(m, c, before, r->row->cpu_charges) != 0;
		}
	}
}

static int compare_cpu(const void *a, const void *b)
{
	const struct model_cpu *x = a, *y = b;

	return (x->cpu->cpu > y->cpu->cpu) - (x->cpu->cpu < y->cpu->cpu);
}

/* Both samples have their CPUs by number, nearly always the same ones. */
static void find_cpus_before(struct model *m)
{
	const struct sample *start = m->window->start;
	size_t at = 0;

	for (size_t i = 0; start && i < m->ncpus; i++) {
		struct model_cpu *c = &m->cpus[i];

		while (at < start->ncpus && start->cpus[at].cpu < c->cpu->cpu)
			at++;
		if (at < start->ncpus && start->cpus[at].cpu == c->cpu->cpu)
			c->before = &start->cpus[at];
	}
}

static int init_cpus(struct model *m)
{
	m->ncpus = m->end->ncpus;
	m->cpus = calloc(m->ncpus + 1, sizeof(m->cpus[0]));
	if (!m->cpus)
		return -ENOMEM;
	for (size_t i = 0; i < m->ncpus; i++)
		m->cpus[i].cpu = &m->end->cpus[i];
	qsort(m->cpus, m->ncpus, sizeof(m->cpus[0]), compare_cpu);
	find_cpus_before(m);
	for (size_t i = 0; i < m->ncpus; i++) {
		struct model_cpu *c = &m->cpus[i];

		subtract(c->c, c->cpu->c, c->before ? c->before->c : NULL);
		for (int j = 0; j < C_NR; j++)
			m->total_c[j] += c->c[j];
		c->scope = scope_of(m, c->c, IN_CPU);
	}
	m->total = scope_of(m, m->total_c, IN_TOTAL);
	m->total.spans = m->end->spans;
	m->total.spans_before = m->window->start ? m->window->start->spans : NULL;
	return 0;
}

static const struct probe *probe_before(const struct sample *start, enum prog_id prog)
{
	for (size_t i = 0; start && i < start->nprobes; i++)
		if (start->probes[i].prog == prog)
			return &start->probes[i];
	return NULL;
}

static void init_probes(struct model *m)
{
	m->nprobes = m->end->nprobes;
	for (size_t i = 0; i < m->nprobes; i++) {
		struct model_probe *p = &m->probes[i];
		const struct probe *before;

		p->probe = &m->end->probes[i];
		before = probe_before(m->window->start, p->probe->prog);
		p->recorded = minus(p->probe->recorded, before ? before->recorded : 0);
		p->missed = minus(p->probe->missed, before ? before->missed : 0);
		m->events += p->recorded;
	}
	probes__judge(m);
}

/* Its return value is the truth, unless the compiler inlined some of its copies. */
static bool sees_hits(const struct model *m)
{
	double seen = (double)m->total_c[C_CONSUME_HIT] + (double)m->total_c[C_CONSUME_MISS] +
		      (double)count_inline_hits(&m->total);

	return model__attached(m, PROG_CONSUME) &&
	       seen >= CONSUME_SHARE * (double)count_charges(&m->total);
}

static void init_hits(struct model *m)
{
	const struct unmeasured why = field__unmeasured(field__find("miss_kinds"), NULL, m);
	bool seen = sees_hits(m);

	if (seen)
		m->hit_source = "consume_stock";
	else
		m->hit_source = why.reason == REASON_NONE ? "walk" : "none";

	m->total.hits_seen = seen;
	for (size_t i = 0; i < m->nrows; i++)
		m->rows[i].scope.hits_seen = seen;
	for (size_t i = 0; i < m->ncpus; i++)
		m->cpus[i].scope.hits_seen = seen;
}

static void init_behaviour(struct model *m)
{
	const struct stock *stock = &m->end->stock;
	const struct sample *start = m->window->start;
	uint64_t emptied =
		minus(stock->overflow_emptied, start ? start->stock.overflow_emptied : 0);
	uint64_t trimmed =
		minus(stock->overflow_trimmed, start ? start->stock.overflow_trimmed : 0);
	const uint64_t *causes = &m->total_c[C_WALK_CAUSE];
	uint64_t slots = causes[CAUSE_OVERFLOW] + causes[CAUSE_EVICT];
	double share;

	if (emptied + trimmed >= BEHAVIOUR_FLOOR)
		m->overflow = emptied >= trimmed ? "emptied" : "trimmed";

	if (field__unmeasured(field__find("walks_under_lock"), NULL, m).reason != REASON_NONE ||
	    slots < BEHAVIOUR_FLOOR)
		return;
	/* A flush walks under the lock as well, and is counted there. */
	share = (double)m->total_c[C_WALK_UNDER_LOCK] /
		((double)slots + (double)causes[CAUSE_FLUSH]);
	if (share >= 0.95)
		m->walks = "under_lock";
	else
		m->walks = share <= 0.05 ? "outside_lock" : "mixed";
}

static void init_overhead(struct model *m)
{
	double ns = (double)m->events * (double)m->end->event_cost_ps / 1e3;

	m->overhead_ratio = NAN;
	if (m->end->event_cost_ps && m->seconds > 0)
		m->overhead_ratio = ns / (m->seconds * 1e9);
}

int model__init_total(struct model *m, const struct window *w)
{
	int err;

	*m = (struct model){.window = w, .end = w->end};
	if (w->start)
		m->seconds = (double)minus(w->end->time_ns, w->start->time_ns) / 1e9;
	err = init_cpus(m);
	if (!err)
		err = init_rows(m);
	if (err)
		goto fail;
	init_probes(m);
	init_hits(m);
	init_behaviour(m);
	init_overhead(m);
	stocks__init(m);
	times__init(&m->times, m, w->hold_budget_ns);
	err = usage__init_total(m);
	if (!err)
		return 0;
fail:
	model__release(m);
	return err;
}

int model__init(struct model *m, const struct window *w)
{
	int err = model__init_total(m, w);

	if (err)
		return err;
	find_memcgs(m);
	err = usage__init_rows(m);
	if (!err)
		err = drains__init(m);
	if (!err)
		err = quality__init(m);
	if (!err)
		err = unmeasured__init(m);
	if (err) {
		model__release(m);
		return err;
	}
	verdicts__init(&m->verdicts, m);
	model__sort(m, field__find("charges"));
	return 0;
}

void model__release(struct model *m)
{
	free(m->rows);
	free(m->rows_c);
	free(m->cpus);
	drains__release(m);
	quality__release(&m->quality);
	unmeasured__release(m);
	m->rows = NULL;
	m->rows_c = NULL;
	m->cpus = NULL;
	m->nrows = 0;
	m->ncpus = 0;
}

static int compare_paths(const struct row *x, const struct row *y)
{
	size_t n = x->path_len < y->path_len ? x->path_len : y->path_len;
	int order;

	/* What has no path comes after what has one. */
	if (!x->path || !y->path)
		return !x->path - !y->path;
	order = memcmp(x->path, y->path, n);
	return order ? order : (x->path_len > y->path_len) - (x->path_len < y->path_len);
}

static int compare_rows(const void *a, const void *b)
{
	const struct model_row *x = a, *y = b;
	int order = (x->row->state == ROW_IS_OTHER) - (y->row->state == ROW_IS_OTHER);

	if (!order)
		order = !!isnan(x->sort_value) - !!isnan(y->sort_value);
	if (!order && !isnan(x->sort_value))
		order = (x->sort_value < y->sort_value) - (x->sort_value > y->sort_value);
	if (!order)
		order = compare_paths(x->row, y->row);
	if (!order)
		order = (x->row->id > y->row->id) - (x->row->id < y->row->id);
	return order;
}

void model__sort(struct model *m, const struct field *by)
{
	for (size_t i = 0; i < m->nrows; i++)
		m->rows[i].sort_value = field__value(by, &m->rows[i].scope);
	qsort(m->rows, m->nrows, sizeof(m->rows[0]), compare_rows);
}

void model__filter(struct model *m, const char *glob)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->nrows; i++) {
		const struct row *row = m->rows[i].row;

		if (row->state != ROW_IS_OTHER && fnmatch(glob, row->path ? row->path : "", 0))
			continue;
		if (kept != i)
			m->rows[kept] = m->rows[i];
		kept++;
	}
	m->nrows = kept;
}
