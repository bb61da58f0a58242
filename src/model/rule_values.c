// SPDX-License-Identifier: GPL-2.0-only
/* What the rules compare and say. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/fields_null.h"
#include "model/rules.h"

bool rule__find(const char *key, const struct field **f, const struct part **part)
{
	const char *dot = strchr(key, '.');
	char name[40];

	*part = NULL;
	if (!dot) {
		*f = field__find(key);
		return *f;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(dot - key), key);
	*f = field__find(name);
	*part = *f ? (*f)->parts : NULL;
	while (*part && (*part)->name && strcmp((*part)->name, dot + 1))
		++*part;
	return *part && (*part)->name;
}

/* Whether scopes of that kind, as IN_CGROUP, have a value of it in this run. */
static bool is_measured(const struct model *m, const struct field *f, const struct part *part,
			uint32_t in)
{
	return f->in & in && field__unmeasured(f, part, m).reason == REASON_NONE;
}

static double value_of(const struct field *f, const struct part *part, const struct scope *s)
{
	return part ? (double)part__count(part, s) : field__value(f, s);
}

double rule__get(const struct place *p, const char *key)
{
	const struct field *f;
	const struct part *part;

	if (!rule__find(key, &f, &part) || !is_measured(p->m, f, part, p->s->in))
		return NAN;
	return value_of(f, part, p->s);
}

const struct row *rule__most(const struct model *m, const char *key)
{
	const struct row *worst = NULL;
	const struct field *f;
	const struct part *part;
	double most = 0;

	if (!rule__find(key, &f, &part) || !is_measured(m, f, part, IN_CGROUP))
		return NULL;
	for (size_t i = 0; i < m->nrows; i++) {
		double v = value_of(f, part, &m->rows[i].scope);

		if (m->rows[i].row->state != ROW_IS_OTHER && v > most) {
			most = v;
			worst = m->rows[i].row;
		}
	}
	return worst;
}

/* The same where a design that has no such thing has none of it. */
static double get_or_none(const struct place *p, const char *key)
{
	double v = rule__get(p, key);

	return isnan(v) ? 0 : v;
}

#define GET(name, key)                          \
	double of_##name(const struct place *p) \
	{                                       \
		return rule__get(p, key);       \
	}

GET(charges, "charges")
GET(failed, "failed")
GET(sock_failures, "sock_failures")
GET(sock_uncharges, "sock_uncharges")
GET(memcgs, "memcgs")
GET(evictions, "evictions")
GET(misses, "misses")
GET(drain_all_calls, "drain_all_calls")
GET(innocent_ratio, "drain_innocent_ratio")
GET(misses_after_flush, "misses_after_flush")
GET(usage_cpus, "usage_cpus")
GET(pressure_sets, "pressure_sets")
GET(sock_bytes, "sock_bytes")
GET(limit_bytes, "limit_bytes")
GET(sock_share, "sock_share")
GET(miss_ratio, "miss_ratio")
GET(miss_ratio_expected, "miss_ratio_expected")
GET(amplification, "amplification")
GET(lock_busy, "miss_reasons.lock_busy")
GET(direct_refills, "refill_outcomes.direct")

double of_none(const struct place *p)
{
	(void)p;
	return 0;
}

double of_one(const struct place *p)
{
	(void)p;
	return 1;
}

double of_batch(const struct place *p)
{
	return p->m->end->stock.batch ? p->m->end->stock.batch : NAN;
}

double of_slots(const struct place *p)
{
	return p->m->end->stock.slots ? p->m->end->stock.slots : NAN;
}

double of_cpu(const struct place *p)
{
	return p->cpu ? p->cpu->cpu->cpu : NAN;
}

/* Only where it is more than the one that is named. */
double of_cpus(const struct place *p)
{
	return p->cpu && p->places > 1 ? (double)p->places : NAN;
}

double of_real_time(const struct place *p)
{
	return p->m->end->host.preempt_rt ? 1 : NAN;
}

double of_pages_per_charge(const struct place *p)
{
	return rule__get(p, "charge_pages") / of_charges(p);
}

double of_failed_ratio(const struct place *p)
{
	return of_failed(p) / of_charges(p);
}

double of_sock_failures_if_any(const struct place *p)
{
	return of_sock_failures(p) > 0 ? of_sock_failures(p) : NAN;
}

double of_memcgs_per_slot(const struct place *p)
{
	return of_memcgs(p) / of_slots(p);
}

double of_evictions_per_miss(const struct place *p)
{
	return of_evictions(p) / of_misses(p);
}

double of_evictions_per_memcg(const struct place *p)
{
	return of_evictions(p) / of_memcgs(p);
}

double of_walks_per_miss(const struct place *p)
{
	return rule__get(p, "try_walks") / of_misses(p);
}

double of_retries_per_charge(const struct place *p)
{
	return (rule__get(p, "try_walks") - of_misses(p)) / of_charges(p);
}

/* Infinite where no miss was to be expected. */
double of_misses_to_expected(const struct place *p)
{
	return of_miss_ratio(p) / of_miss_ratio_expected(p);
}

double of_locked_ratio(const struct place *p)
{
	double walks = rule__get(p, "walks");

	return walks > 0 ? rule__get(p, "walks_under_lock") / walks : NAN;
}

double of_overflow_ratio(const struct place *p)
{
	return rule__get(p, "drain_causes.overflow") / rule__get(p, "uncharges");
}

/*
 * Drained pages are known of evictions and of all drains. What a flush drains
 * was below the batch, so that this is the least that overflows gave back.
 */
double of_pages_per_overflow(const struct place *p)
{
	double others =
		get_or_none(p, "drain_causes.flush") + get_or_none(p, "drain_causes.hotplug");
	double pages = rule__get(p, "drained_pages") - rule__get(p, "evicted_pages") -
		       others * of_batch(p);

	return pages / rule__get(p, "drain_causes.overflow");
}

double of_overflow_to_batch(const struct place *p)
{
	return of_pages_per_overflow(p) / of_batch(p);
}

/* Walks for sockets that no slot and no busy lock explains, by socket uncharges. */
double of_bypass_ratio(const struct place *p)
{
	double explained = get_or_none(p, "walk_causes.overflow") +
			   get_or_none(p, "walk_causes.evict") +
			   get_or_none(p, "walk_causes.direct");

	return (rule__get(p, "walk_users.sock") - explained) / of_sock_uncharges(p);
}

double of_amplification_base(const struct place *p)
{
	return 1 / of_batch(p);
}

double of_levels_per_walk(const struct place *p)
{
	return rule__get(p, "walk_levels") / rule__get(p, "walks");
}

/* In a cgroup right below the root: its own counter, and the root's. */
double of_levels_base(const struct place *p)
{
	(void)p;
	return 2;
}

/* Where a charge walks inside another function each miss is one. */
double of_walks_per_second(const struct place *p)
{
	double up = rule__get(p, "try_walks");

	if (isnan(up))
		up = rule__get(p, "misses");
	return p->m->seconds > 0 ? (rule__get(p, "walks") + up) / p->m->seconds : NAN;
}

double of_lock_busy_ratio(const struct place *p)
{
	return of_lock_busy(p) / of_charges(p);
}

static double per_second(const struct place *p, double n)
{
	return p->m->seconds > 0 ? n / p->m->seconds : NAN;
}

double of_more_cgroups(const struct place *p)
{
	return p->row && p->places > 1 ? (double)p->places - 1 : NAN;
}

double of_sock_failures_or_none(const struct place *p)
{
	return get_or_none(p, "sock_failures");
}

/* Charges in the window, or bytes held: whoever has neither has no connection to keep small. */
double of_sock_use(const struct place *p)
{
	return get_or_none(p, "sock_charges") + get_or_none(p, "sock_bytes");
}

double of_drains_per_second(const struct place *p)
{
	return per_second(p, of_drain_all_calls(p));
}

/* Calls that found another one running are known only if they were asked for. */
static double drains_busy(const struct place *p)
{
	return model__attached(p->m, PROG_DRAIN_BUSY) ? (double)p->m->drain_all_busy : NAN;
}

double of_drain_tries_per_second(const struct place *p)
{
	double busy = drains_busy(p);

	return per_second(p, of_drain_all_calls(p) + (isnan(busy) ? 0 : busy));
}

double of_drain_busy_ratio(const struct place *p)
{
	double busy = drains_busy(p);

	return busy / (busy + of_drain_all_calls(p));
}

double of_flushed_miss_ratio(const struct place *p)
{
	return of_misses_after_flush(p) / of_misses(p);
}

/* What no clock of an emulated CPU can tell. */
static bool times_mean_nothing(const struct place *p)
{
	return p->m->end->host.emulated;
}

static struct histogram times_of(const struct place *p, const char *key)
{
	const struct field *f = field__find(key);
	struct histogram h = {};

	if (field__unmeasured(f, NULL, p->m).reason == REASON_NONE)
		times__histogram(&h, f, p->s);
	return h;
}

double of_walks_timed(const struct place *p)
{
	struct histogram h = times_of(p, "walk_ns");

	return (double)h.total;
}

double of_walk_p50(const struct place *p)
{
	struct histogram h = times_of(p, "walk_ns");

	return times_mean_nothing(p) ? NAN : histogram__quantile(&h, 0.5);
}

double of_slow_walk(const struct place *p)
{
	(void)p;
	return SLOW_WALK_NS;
}

/* The most frequent item beside sock, whose updates come with what is charged. */
static const struct part *top_item(const struct place *p, double *ratio)
{
	const struct field *f = field__find("stat_updates");
	const struct part *top = NULL;
	double most = 0, all = 0;

	for (const struct part *item = f->parts; item->name; item++) {
		char key[48];
		double n;

		snprintf(key, sizeof(key), "stat_updates.%s", item->name);
		n = get_or_none(p, key);
		all += n;
		if (n <= most || !strcmp(item->name, "sock"))
			continue;
		most = n;
		top = item;
	}
	*ratio = all > 0 ? most / all : NAN;
	return top;
}

/* Its place among the parts of stat_updates. */
double of_stat_item(const struct place *p)
{
	double ratio;
	const struct part *top = top_item(p, &ratio);

	return top ? (double)(top - field__find("stat_updates")->parts) : NAN;
}

double of_stat_item_ratio(const struct place *p)
{
	double ratio;

	top_item(p, &ratio);
	return ratio;
}

double of_stat_item_per_second(const struct place *p)
{
	double ratio;
	const struct part *top = top_item(p, &ratio);

	return top ? per_second(p, (double)part__count(top, p->s)) : NAN;
}

/* Those that are known exactly, or else the bounds of all. */
static struct histogram holds_of(const struct place *p)
{
	const struct hold_times *hold = &p->m->times.hold;

	return hold->exact.total ? hold->exact : times_of(p, "lock_hold_ns");
}

double of_holds(const struct place *p)
{
	struct histogram h = holds_of(p);

	return (double)h.total;
}

/* A budget that was given is meant for the machine at hand, whatever its clock. */
double of_holds_above(const struct place *p)
{
	if (times_mean_nothing(p) && !p->m->window->hold_budget_ns)
		return NAN;
	return p->m->times.hold.above_budget;
}

double of_holds_above_per_second(const struct place *p)
{
	/* exact holds are all there, whatever is sampled */
	uint32_t every = p->m->times.hold.exact.total || !p->m->times.every ? 1 : p->m->times.every;

	return per_second(p, p->m->times.hold.above_budget * of_holds(p) * every);
}

double of_hold_budget(const struct place *p)
{
	return (double)p->m->times.hold.budget_ns;
}

double of_hold_max(const struct place *p)
{
	struct histogram h = holds_of(p);

	return h.total ? (double)h.max : NAN;
}

double of_hold_p99(const struct place *p)
{
	struct histogram h = holds_of(p);

	return histogram__quantile(&h, 0.99);
}

double of_waits(const struct place *p)
{
	struct histogram h = times_of(p, "lock_wait_ns");

	return (double)h.total;
}

double of_wait_p99(const struct place *p)
{
	struct histogram h = times_of(p, "lock_wait_ns");

	return histogram__quantile(&h, 0.99);
}

double of_wait_to_hold(const struct place *p)
{
	return of_wait_p99(p) / of_hold_p99(p);
}

double of_breaches(const struct place *p)
{
	return (double)p->m->quality.breaches;
}

double of_pressure_ratio(const struct place *p)
{
	return per_second(p, rule__get(p, "pressure_ns") / 1e9);
}

double of_usage_to_limit(const struct place *p)
{
	return rule__get(p, "usage_bytes") / of_limit_bytes(p);
}

/* What has no limit is far from it. */
double of_usage_to_limit_or_none(const struct place *p)
{
	double v = of_usage_to_limit(p);

	return isnan(v) ? 0 : v;
}

double of_stranded_bytes(const struct place *p)
{
	return rule__get(p, "stranded_pages") * p->m->end->host.page_size;
}

double of_stranded_to_usage(const struct place *p)
{
	return of_stranded_bytes(p) / rule__get(p, "usage_bytes");
}

/* Where the usage could not be read, it is not what speaks against it. */
double of_stranded_to_usage_or_all(const struct place *p)
{
	double v = of_stranded_to_usage(p);

	return isnan(v) ? 1 : v;
}

double of_stranded_to_bound(const struct place *p)
{
	return rule__get(p, "stranded_pages") / rule__get(p, "stranded_bound_pages");
}

static double cpus_holding(const struct place *p, bool isolated)
{
	size_t n = 0;

	for (size_t i = 0; p->row && i < p->m->ncpus; i++) {
		const struct cpu *c = p->m->cpus[i].cpu;
		bool held = false;

		for (size_t slot = 0; slot < SLOTS_MAX; slot++)
			held = held ||
			       (c->slots[slot].cgroup == p->row->row->id && c->slots[slot].pages);
		n += held && (c->isolated || !isolated);
	}
	return n ? (double)n : NAN;
}

double of_stranded_cpus(const struct place *p)
{
	return cpus_holding(p, false);
}

double of_isolated_cpus(const struct place *p)
{
	return cpus_holding(p, true);
}
