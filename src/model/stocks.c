// SPDX-License-Identifier: GPL-2.0-only
/* What lies in the stocks of the CPUs at the window's end, against what can. */
#include "model/fields_count.h"
#include "model/stocks.h"

static struct gauge known(uint64_t value)
{
	return (struct gauge){.known = true, .value = value};
}

static void look_at_cpu(struct model_cpu *c, const struct stock *stock)
{
	uint64_t used = 0, pages = 0;

	c->scope.stranded_bound_pages = known((uint64_t)stock->slots * stock->batch);
	if (!c->cpu->stock_seen)
		return;
	for (size_t i = 0; i < SLOTS_MAX; i++) {
		used += c->cpu->slots[i].cgroup != 0;
		pages += c->cpu->slots[i].pages;
	}
	c->scope.slots_used = known(used);
	c->scope.stranded_pages = known(pages);
}

/* A cgroup has one slot a CPU at most; how many are behind `other` is not known. */
static void look_at_row(struct model_row *r, const struct sample *end)
{
	const uint64_t cpus = end->host.cpus_online;

	r->scope.stranded_pages = r->row->stranded_pages;
	if (r->row->state != ROW_IS_OTHER)
		r->scope.stranded_bound_pages = known(cpus * end->stock.batch);
	r->scope.pressure_ns = minus(r->row->pressure_ns, r->before ? r->before->pressure_ns : 0);
	r->scope.pressure_sets =
		minus(r->row->pressure_sets, r->before ? r->before->pressure_sets : 0);
}

static void look_for_gauges(struct model *m)
{
	for (size_t i = 0; i < m->end->nrows; i++) {
		const struct row *r = &m->end->rows[i];

		m->known.usage_bytes |= r->usage_bytes.known;
		m->known.limit_bytes |= r->limit_bytes.known;
		m->known.sock_bytes |= r->sock_bytes.known;
	}
	for (size_t i = 0; i < m->end->ncpus; i++)
		m->known.stocks |= m->end->cpus[i].stock_seen;
}

void stocks__init(struct model *m)
{
	const struct stock *stock = &m->end->stock;
	struct scope *total = &m->total;

	look_for_gauges(m);
	total->stranded_bound_pages =
		known((uint64_t)m->end->host.cpus_online * stock->slots * stock->batch);
	for (size_t i = 0; i < m->ncpus; i++) {
		struct scope *s = &m->cpus[i].scope;

		look_at_cpu(&m->cpus[i], stock);
		if (s->stranded_pages.known)
			total->stranded_pages =
				known(total->stranded_pages.value + s->stranded_pages.value);
	}
	for (size_t i = 0; i < m->nrows; i++) {
		look_at_row(&m->rows[i], m->end);
		total->pressure_ns += m->rows[i].scope.pressure_ns;
		total->pressure_sets += m->rows[i].scope.pressure_sets;
	}
}
