// SPDX-License-Identifier: GPL-2.0-only
/* From counters to measures: the formulas that are more than one counter. */
#include <math.h>

#include "model/fields_count.h"
#include "model/times.h"

uint64_t counters__sum(const struct scope *s, const short *list)
{
	uint64_t sum = 0;

	for (; *list >= 0; list++)
		sum += s->c[*list];
	return sum;
}

static uint64_t sum_range(const struct scope *s, int first, int n)
{
	uint64_t sum = 0;

	for (int i = first; i < first + n; i++)
		sum += s->c[i];
	return sum;
}

/* NAN without events: a ratio of nothing is not 0. */
static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : NAN;
}

/* Hits that never reach try_charge_memcg: nr_sock[] kernels. */
uint64_t count_inline_hits(const struct scope *s)
{
	return sum_range(s, C_SOCK_INLINE_LEVEL, LEVEL_NR);
}

uint64_t count_charges(const struct scope *s)
{
	return sum_range(s, C_CHARGE, KIND_NR * LEVEL_NR) + count_inline_hits(s);
}

uint64_t count_hits(const struct scope *s)
{
	if (s->hits_seen)
		return s->c[C_CONSUME_HIT] + count_inline_hits(s);
	return minus(count_charges(s), count_misses(s));
}

uint64_t count_misses(const struct scope *s)
{
	if (s->hits_seen)
		return minus(count_charges(s), count_hits(s));
	return sum_range(s, C_MISS_KIND, KIND_NR) + sum_range(s, C_STOCK_MISS_KIND, KIND_NR);
}

static uint64_t count_oversize(const struct scope *s)
{
	return s->c[C_MISS_OVERSIZE] + s->c[C_STOCK_MISS_OVERSIZE];
}

/*
 * Misses whose slot look was skipped or gave nothing. Reasons are named by
 * other programs than misses are, and each loses runs of its own.
 */
uint64_t count_miss_unknown(const struct scope *s)
{
	uint64_t named = count_oversize(s) + s->c[C_MISS_LOCK_BUSY] + s->c[C_MISS_ABSENT] +
			 s->c[C_MISS_SHORT_LATE] + s->c[C_MISS_SHORT_EMPTY] +
			 s->c[C_STOCK_MISS_SHORT] + s->c[C_MISS_RACED];

	return minus(count_misses(s), named);
}

uint64_t count_uncharges(const struct scope *s)
{
	return s->c[C_SOCK_UNCHARGES] + s->c[C_OBJ_UNCHARGES] + s->c[C_OBJ_DRAIN_UNCHARGES] +
	       s->c[C_FOLIO_UNCHARGES] + s->c[C_OTHER_UNCHARGES];
}

uint64_t count_refills(const struct scope *s)
{
	return sum_range(s, C_REFILL, REFILL_NR) + sum_range(s, C_SOCK_REFILL, REFILL_NR);
}

uint64_t count_drains(const struct scope *s)
{
	return sum_range(s, C_DRAIN_CAUSE, 4) + s->c[C_WALK_DRAIN_FLUSH] +
	       s->c[C_WALK_DRAIN_HOTPLUG];
}

uint64_t count_walks(const struct scope *s)
{
	return sum_range(s, C_WALK_CAUSE, CAUSE_NR);
}

uint64_t count_sock_charges(const struct scope *s)
{
	return sum_range(s, CHARGE_AT(KIND_SOCK, 0), LEVEL_NR) + count_inline_hits(s);
}

uint64_t count_usage_updates(const struct scope *s)
{
	return s->usage_updates;
}

uint64_t count_usage_cpus(const struct scope *s)
{
	return s->usage_cpus;
}

uint64_t count_memcgs(const struct scope *s)
{
	return s->memcgs;
}

/* A share: a miss whose charge was lost may leave more misses than charges. */
static double share(uint64_t a, uint64_t b)
{
	return ratio(a < b ? a : b, b);
}

double ratio_misses(const struct scope *s)
{
	return share(count_misses(s), count_charges(s));
}

/* With cgroup v1 sockets give back what they did not charge here. */
uint64_t count_uncharge_pages(const struct scope *s)
{
	uint64_t pages = s->c[C_OBJ_UNCHARGE_PAGES] + s->c[C_OBJ_DRAIN_UNCHARGE_PAGES] +
			 s->c[C_FOLIO_UNCHARGE_PAGES];

	return s->sock_apart ? pages : pages + s->c[C_SOCK_UNCHARGE_PAGES];
}

/*
 * What grows must walk once a batch, however well the stock works. An upper
 * bound by what failed, which is in charge_pages.
 */
double ratio_misses_expected(const struct scope *s)
{
	uint64_t charged = sum_range(s, C_CHARGE_PAGES, KIND_NR) + s->c[C_SOCK_INLINE_PAGES];
	uint64_t charges = count_charges(s);
	double batches;

	if (!charges || !s->stock->batch)
		return NAN;
	batches = (double)minus(charged, count_uncharge_pages(s)) / s->stock->batch;
	return batches < (double)charges ? batches / (double)charges : 1;
}

double ratio_hits(const struct scope *s)
{
	return share(count_hits(s), count_charges(s));
}

/*
 * Of the charges that fit into a batch. A 512-page folio misses by design, and
 * page cache made of such folios drowns what the sockets see.
 */
double ratio_misses_small(const struct scope *s)
{
	uint64_t oversize = count_oversize(s);

	return share(minus(count_misses(s), oversize), minus(count_charges(s), oversize));
}

double ratio_pages_per_walk(const struct scope *s)
{
	return ratio(s->c[C_WALK_PAGES], count_walks(s));
}

double ratio_amplification(const struct scope *s)
{
	return ratio(s->c[C_WALK_USER + USER_SOCK], s->c[C_SOCK_UNCHARGES]);
}

double ratio_obj_amplification(const struct scope *s)
{
	return ratio(s->c[C_WALK_USER + USER_OBJ],
		     s->c[C_OBJ_UNCHARGES] + s->c[C_OBJ_DRAIN_UNCHARGES]);
}

double ratio_drain_innocent(const struct scope *s)
{
	return share(s->c[C_FLUSH_INNOCENT_PAGES], s->c[C_FLUSH_PAGES]);
}

uint64_t count_pressure_ns(const struct scope *s)
{
	return s->pressure_ns;
}

uint64_t count_pressure_sets(const struct scope *s)
{
	return s->pressure_sets;
}

static bool known(const struct gauge *g, uint64_t *value)
{
	*value = g->value;
	return g->known;
}

bool gauge_slots_used(const struct scope *s, uint64_t *value)
{
	return known(&s->slots_used, value);
}

bool gauge_stranded_pages(const struct scope *s, uint64_t *value)
{
	return known(&s->stranded_pages, value);
}

bool gauge_stranded_bound_pages(const struct scope *s, uint64_t *value)
{
	return known(&s->stranded_bound_pages, value);
}

bool gauge_stranded_seen_max(const struct scope *s, uint64_t *value)
{
	/* the largest of each, at times of their own */
	return s->row && !s->sum && known(&s->row->stranded_seen_max, value);
}

bool gauge_usage_bytes(const struct scope *s, uint64_t *value)
{
	return s->row && known(&s->row->usage_bytes, value);
}

bool gauge_limit_bytes(const struct scope *s, uint64_t *value)
{
	return s->row && known(&s->row->limit_bytes, value);
}

bool gauge_sock_bytes(const struct scope *s, uint64_t *value)
{
	return s->row && known(&s->row->sock_bytes, value);
}

double ratio_sock_share(const struct scope *s)
{
	uint64_t sock, limit;

	if (!gauge_sock_bytes(s, &sock) || !gauge_limit_bytes(s, &limit))
		return NAN;
	return ratio(sock, limit);
}

uint64_t part__count(const struct part *p, const struct scope *s)
{
	return p->counters ? counters__sum(s, p->counters) : p->count(s);
}

double field__value(const struct field *f, const struct scope *s)
{
	struct histogram h;
	uint64_t sum = 0;

	if (!(f->in & s->in))
		return NAN;
	/* of one cgroup and all below it, which a sum without that cgroup cannot tell */
	if (f->attr == ATTR_SUBTREE && s->sum && !s->row)
		return NAN;
	if (f->ratio)
		return f->ratio(s);
	if (f->count)
		return (double)f->count(s);
	if (f->gauge)
		return f->gauge(s, &sum) ? (double)sum : NAN;
	if (f->spans)
		return times__histogram(&h, f, s) ? histogram__mean(&h) : NAN;
	for (const struct part *p = f->parts; p->name; p++)
		sum += part__count(p, s);
	return (double)sum;
}
