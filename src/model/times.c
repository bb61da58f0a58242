// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time table and the lock. A function's time is the mean of those that were
 * timed, times all its calls: with --sample 1/N one in N is timed, and what is
 * nested in it as well, so that what a callee took can be taken off.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields_count.h"
#include "model/fields_null.h"
#include "model/times.h"

static bool histogram_of_total(struct histogram *h, const struct scope *s, enum span span)
{
	if (!s->spans)
		return false;
	histogram__of(h, &s->spans[span], s->spans_before ? &s->spans_before[span] : NULL);
	return true;
}

/* A row has fewer spans: what it has not is in another of them, or not kept. */
static bool histogram_of_row(struct histogram *h, const struct scope *s, enum span span)
{
	if (!s->times || span >= SPAN_ROW_NR)
		return false;
	histogram__of_row(h, &s->times->spans[span],
			  s->times_before ? &s->times_before->spans[span] : NULL);
	return true;
}

bool times__histogram(struct histogram *h, const struct field *f, const struct scope *s)
{
	bool any = false;

	*h = (struct histogram){};
	for (const short *span = f->spans; span && *span >= 0; span++) {
		struct histogram one;

		if (!(s->in & IN_TOTAL ? histogram_of_total(&one, s, *span)
				       : histogram_of_row(&one, s, *span)))
			continue;
		histogram__add(h, &one);
		any = true;
	}
	return any;
}

/*
 * What is known of a function: the times of its field, and what of them its own
 * callees and the programs in it took.
 */
struct source {
	const char *key;
	enum prog_id prog; /* whose function it is */
	const char *function;
	const char *bound;
	uint64_t (*calls)(const struct scope *s);
	/* NULL, or ns in hooked callees, of what was timed */
	double (*callees)(const struct model *m);
	/* NULL, or runs of programs beside the callees' time, of all calls */
	double (*probes)(const struct model *m);
};

static double c(const struct model *m, enum counter counter)
{
	return (double)m->total.c[counter];
}

/* How many of these programs run each time. */
static double attached(const struct model *m, uint64_t progs)
{
	double n = 0;

	for (int prog = 0; prog < PROG_NR; prog++)
		n += progs & BIT(prog) && model__attached(m, prog);
	return n;
}

#define CHARGE_PROGS   (BIT(PROG_CHARGE) | BIT(PROG_CHARGE_BEGIN) | BIT(PROG_CHECK))
#define TRY_WALK_PROGS (BIT(PROG_TRY_WALK) | BIT(PROG_TRY_WALK_BEGIN))
#define REFILL_PROGS   (BIT(PROG_REFILL) | BIT(PROG_REFILL_EXIT))
#define WALK_PROGS     (BIT(PROG_WALK) | BIT(PROG_WALK_EXIT))

static struct histogram total_of(const struct model *m, enum span span)
{
	struct histogram h = {};

	histogram_of_total(&h, &m->total, span);
	return h;
}

static double ns_of(const struct model *m, enum span span)
{
	struct histogram h = total_of(m, span);

	return (double)h.sum;
}

static bool has_refills(const struct model *m)
{
	return m->end->stock.design != DESIGN_PER_COUNTER;
}

static uint64_t calls_try_walk(const struct scope *s)
{
	return s->c[C_TRY_WALKS];
}

static uint64_t calls_sock_uncharge(const struct scope *s)
{
	return s->c[C_SOCK_UNCHARGES];
}

/* Of a charge alone, though its tracepoint sees those of uncharges too. */
static uint64_t calls_stat(const struct scope *s)
{
	/* nr_sock[] kernels update it once for many charges */
	if (s->stock->design == DESIGN_MULTI_SLOT_SOCK)
		return 0;
	return count_sock_charges(s);
}

/* nr_sock[] kernels have that of a socket inlined. */
static uint64_t calls_refill(const struct scope *s)
{
	uint64_t n = count_refills(s);

	for (int outcome = 0; outcome < REFILL_NR; outcome++)
		n = minus(n, s->c[C_SOCK_REFILL + outcome]);
	return n;
}

/* Hits of the inlined kind never call it. */
static uint64_t calls_charge(const struct scope *s)
{
	return minus(count_charges(s), count_inline_hits(s));
}

static double callees_of_sock_charge(const struct model *m)
{
	return c(m, C_TIMED_SOCK_NS) + ns_of(m, SPAN_STAT);
}

static double probes_in_sock_charge(const struct model *m)
{
	double charges = (double)(count_sock_charges(&m->total) - count_inline_hits(&m->total));

	return charges * attached(m, CHARGE_PROGS) +
	       (double)calls_stat(&m->total) * attached(m, BIT(PROG_STAT));
}

static double callees_of_charge(const struct model *m)
{
	return ns_of(m, SPAN_TRY_WALK) + c(m, C_TIMED_REFILL_SURPLUS_NS);
}

static double probes_in_charge(const struct model *m)
{
	return c(m, C_TRY_WALKS) * attached(m, TRY_WALK_PROGS) +
	       c(m, C_SURPLUS_REFILLS) * attached(m, REFILL_PROGS);
}

/* Without refills each uncharge walks, and that of a socket is not told apart. */
static double callees_of_sock_uncharge(const struct model *m)
{
	struct histogram walks = total_of(m, SPAN_WALK);
	double all = (double)count_walks(&m->total);

	if (has_refills(m))
		return c(m, C_TIMED_REFILL_SOCK_NS);
	return all > 0 ? (double)walks.sum * c(m, C_WALK_USER + USER_SOCK) / all : 0;
}

static double probes_in_sock_uncharge(const struct model *m)
{
	double progs = attached(m, has_refills(m) ? REFILL_PROGS : WALK_PROGS);

	return c(m, C_SOCK_UNCHARGES) * (progs + attached(m, BIT(PROG_STAT)));
}

static double callees_of_refill(const struct model *m)
{
	return c(m, C_TIMED_WALK_REFILL_NS);
}

static double probes_in_refill(const struct model *m)
{
	double drains = c(m, C_DRAIN_CAUSE + CAUSE_OVERFLOW) + c(m, C_DRAIN_CAUSE + CAUSE_EVICT);
	double walks = c(m, C_WALK_CAUSE + CAUSE_OVERFLOW) + c(m, C_WALK_CAUSE + CAUSE_EVICT) +
		       c(m, C_WALK_CAUSE + CAUSE_DIRECT);

	return drains * attached(m, BIT(PROG_DRAIN)) + walks * attached(m, WALK_PROGS);
}

static const struct source sources[] = {
	{"sock_charge_ns", PROG_SOCK_CHARGE, "mem_cgroup_sk_charge", "exact", count_sock_charges,
	 callees_of_sock_charge, probes_in_sock_charge},
	/* begins in the function around it */
	{"charge_ns", PROG_CHARGE, "try_charge_memcg", "upper_bound", calls_charge,
	 callees_of_charge, probes_in_charge},
	{"try_walk_ns", PROG_TRY_WALK, "page_counter_try_charge", "exact", calls_try_walk, NULL,
	 NULL},
	{"sock_uncharge_ns", PROG_SOCK_UNCHARGE, "mem_cgroup_sk_uncharge", "exact",
	 calls_sock_uncharge, callees_of_sock_uncharge, probes_in_sock_uncharge},
	{"lock_hold_ns", PROG_REFILL, "refill_stock", "exact", calls_refill, callees_of_refill,
	 probes_in_refill},
	{"walk_ns", PROG_WALK, "page_counter_uncharge", "exact", count_walks, NULL, NULL},
	/* begins where the charge before it ends */
	{"stat_update_ns", PROG_STAT, "mod_memcg_state", "upper_bound", calls_stat, NULL, NULL},
};

_Static_assert(sizeof(sources) / sizeof(sources[0]) <= FUNCTIONS_MAX, "FUNCTIONS_MAX");

static const char *function_of(const struct model *m, const struct source *from)
{
	for (size_t i = 0; i < m->nprobes; i++) {
		const struct probe *p = m->probes[i].probe;

		if (p->prog == from->prog && *p->function)
			return p->function;
	}
	return from->function;
}

static uint64_t rounded(double ns)
{
	if (!(ns > 0))
		return 0;
	return ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
}

static void time_function(struct times *t, const struct model *m, const struct source *from)
{
	const struct field *f = field__find(from->key);
	struct function_time *to = &t->functions[t->nfunctions];
	struct histogram h;
	double scale, self;

	if (field__unmeasured(f, NULL, m).reason != REASON_NONE ||
	    !times__histogram(&h, f, &m->total) || !h.total || !from->calls(&m->total))
		return;
	*to = (struct function_time){
		.key = from->key, .bound = from->bound, .calls = from->calls(&m->total)};
	scale = (double)to->calls / (double)h.total;
	self = (double)h.sum * scale;
	to->ns = rounded(self);
	if (from->callees)
		self -= from->callees(m) * scale;
	if (from->probes)
		self -= from->probes(m) * (double)m->end->event_cost_ps / 1000;
	to->self_ns = rounded(self);
	to->cpu_ratio = m->seconds > 0 ? (double)to->ns / (m->seconds * 1e9) : NAN;
	snprintf(to->function, sizeof(to->function), "%s", function_of(m, from));
	t->nfunctions++;
}

static int compare_ns(const void *a, const void *b)
{
	const struct function_time *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

/* Of a kernel on which nobody sees the lock, all that a refill walks is under it. */
static double locked_ns(const struct model *m, const struct hold_times *hold)
{
	if (m->end->stock.lock == LOCK_NOT_SEEN)
		return c(m, C_TIMED_WALK_REFILL_NS);
	return (double)hold->locked.sum;
}

/*
 * refill_stock takes the lock and gives it back: a hold is not longer than it.
 * __refill_stock (up to 6.14) is called with the lock held: a hold is not shorter.
 */
static void time_holds(struct hold_times *hold, const struct model *m, uint64_t budget_ns)
{
	const struct source refill = {.prog = PROG_REFILL, .function = ""};
	struct histogram all;
	double ns;

	hold->plain = total_of(m, SPAN_HOLD);
	hold->walked = total_of(m, SPAN_HOLD_WALKED);
	hold->locked = total_of(m, SPAN_WALK_LOCKED);
	hold->exact = total_of(m, SPAN_HOLD_EXACT);
	hold->wait = total_of(m, SPAN_LOCK_WAIT);
	hold->kind = strncmp(function_of(m, &refill), "__", 2) ? "upper_bound" : "lower_bound";
	all = hold->plain;
	histogram__add(&all, &hold->walked);
	ns = locked_ns(m, hold);
	hold->walked_share = NAN;
	if (all.sum)
		hold->walked_share = ns < (double)all.sum ? ns / (double)all.sum : 1;
	hold->budget_ns = budget_ns ? budget_ns : HOLD_BUDGET_NS;
	/* exact ones are of every path that takes the lock */
	hold->above_budget =
		histogram__above(hold->exact.total ? &hold->exact : &all, hold->budget_ns);
	hold->checked = m->total.c[C_HOLD_CHECKED];
	hold->differ = m->total.c[C_HOLD_DIFFER];
}

void times__init(struct times *t, const struct model *m, uint64_t budget_ns)
{
	*t = (struct times){.taken = m->total.spans, .every = m->end->asked.sample_every};
	t->hold.kind = "upper_bound";
	t->hold.walked_share = t->hold.above_budget = NAN;
	t->hold.budget_ns = budget_ns ? budget_ns : HOLD_BUDGET_NS;
	if (!t->taken)
		return;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		time_function(t, m, &sources[i]);
	qsort(t->functions, t->nfunctions, sizeof(t->functions[0]), compare_ns);
	time_holds(&t->hold, m, budget_ns);
}
