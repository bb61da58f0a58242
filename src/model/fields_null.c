// SPDX-License-Identifier: GPL-2.0-only
/*
 * A zero needs a reason. Here is decided what has no value at all in a run:
 * this kernel has no such thing, a hook is missing, or it is there and silent.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields_count.h"
#include "model/fields_null.h"

static enum design design_of(const struct model *m)
{
	return m->end->stock.design;
}

static bool per_counter(const struct model *m)
{
	return design_of(m) == DESIGN_PER_COUNTER;
}

static bool single_slot(const struct model *m)
{
	return design_of(m) == DESIGN_SINGLE_SLOT;
}

static bool unknown_design(const struct model *m)
{
	return design_of(m) == DESIGN_UNKNOWN;
}

static bool cgroup_v1(const struct model *m)
{
	return m->end->host.cgroup == CGROUP_V1 || m->end->host.cgroup == CGROUP_HYBRID;
}

static bool nosocket(const struct model *m)
{
	return !m->end->host.socket_accounting;
}

static bool nokmem(const struct model *m)
{
	return !m->end->host.kmem_accounting;
}

static bool no_stat(const struct model *m)
{
	return m->end->no_stat;
}

static bool lock_not_seen(const struct model *m)
{
	return m->end->stock.lock == LOCK_NOT_SEEN;
}

static bool sock_charge_has_exit(const struct model *m)
{
	return model__attached(m, PROG_SOCK_CHARGE_EXIT);
}

static bool other_charged(const struct model *m)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (m->rows[i].row->state == ROW_IS_OTHER && count_charges(&m->rows[i].scope))
			return true;
	return false;
}

static bool no_cpu_charges(const struct model *m)
{
	for (size_t i = 0; i < m->end->nrows; i++)
		if (!m->end->rows[i].cpu_charges)
			return true;
	return false;
}

/* page_counter_try_charge() is then not called, or not under its own name. */
static bool walks_inside(const struct model *m)
{
	return per_counter(m) && !model__attached(m, PROG_TRY_WALK);
}

static bool obj_is_rest(const struct model *m)
{
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probes[i].probe->prog == PROG_OBJ_CHARGE)
			return m->probes[i].probe->state == PROBE_NOT_NEEDED;
	return false;
}

static bool not_timed(const struct model *m)
{
	return !m->end->spans;
}

static bool times_not_kept(const struct model *m)
{
	return not_timed(m) && m->end->lacks[C_TIMED_WALK_REFILL_NS];
}

static bool no_rstat(const struct model *m)
{
	return !m->end->asked.rstat;
}

static bool no_stock_seen(const struct model *m)
{
	return !m->known.stocks;
}

static bool no_usage_bytes(const struct model *m)
{
	return !m->known.usage_bytes;
}

static bool no_limit_bytes(const struct model *m)
{
	return !m->known.limit_bytes;
}

static bool no_sock_bytes(const struct model *m)
{
	return !m->known.sock_bytes;
}

static bool lacks_uncharge_pages(const struct model *m)
{
	return m->end->lacks[C_OBJ_UNCHARGE_PAGES] || m->end->lacks[C_OBJ_DRAIN_UNCHARGE_PAGES] ||
	       m->end->lacks[C_FOLIO_UNCHARGE_PAGES];
}

static bool not_rt(const struct model *m)
{
	return !m->end->host.preempt_rt;
}

static bool lock_not_asked(const struct model *m)
{
	return !m->end->asked.lock_exact;
}

/* Where all but a flush only try the lock: no wait was seen. */
static bool never_waits(const struct model *m)
{
	const struct sample *start = m->window->start;
	struct histogram h;

	if (single_slot(m) || not_timed(m))
		return false;
	histogram__of(&h, &m->end->spans[SPAN_LOCK_WAIT],
		      start && start->spans ? &start->spans[SPAN_LOCK_WAIT] : NULL);
	return !h.total;
}

#define SAYS(what, can, sentence)                                         \
	{                                                                 \
		.reason = (what), .applicable = (can), .text = (sentence) \
	}

#define RULE_CGROUP_V1                                                                           \
	{                                                                                        \
		cgroup_v1, SAYS(REASON_CGROUP_V1, true,                                          \
				"with cgroup v1 sockets are charged to a counter of their own, " \
				"past the stock")                                                \
	}
#define RULE_NOSOCKET                                                               \
	{                                                                           \
		nosocket, SAYS(REASON_BOOT_OPTION, true,                            \
			       "the kernel was booted with cgroup.memory=nosocket") \
	}
#define RULE_NO_SLOTS                                                                 \
	{                                                                             \
		per_counter, SAYS(REASON_DESIGN, false,                               \
				  "this kernel keeps its stock in the page counter: " \
				  "it has no slots to refill, evict or drain")        \
	}
#define RULE_NO_LOCK                                                                            \
	{                                                                                       \
		per_counter,                                                                    \
			SAYS(REASON_DESIGN, false,                                              \
			     "this kernel keeps its stock in the page counter: it has no lock") \
	}
#define RULE_UNKNOWN                                                                               \
	{                                                                                          \
		unknown_design, SAYS(REASON_DESIGN, true,                                          \
				     "the layout of this kernel's stock is not known to memcgtop") \
	}

static const char not_kept[] = "this sample is of a memcgtop that did not count it";

/* Two: a first file has no times, whatever was asked for. */
#define RULE_NOT_TIMED                                                               \
	{times_not_kept, SAYS(REASON_ABSENT, true, not_kept)},                       \
	{                                                                            \
		not_timed, SAYS(REASON_NOT_ASKED, true,                              \
				"no time was taken: --no-time leaves the clock out") \
	}
#define RULE_NO_STAT                                                                        \
	{                                                                                   \
		no_stat, SAYS(REASON_NOT_ASKED, true, "--no-stat leaves the statistic out") \
	}
#define RULE_WALKS_INSIDE                                                       \
	{                                                                       \
		walks_inside, SAYS(REASON_DESIGN, true,                         \
				   "on this kernel a charge walks inside "      \
				   "page_counter_try_charge_stock: see misses") \
	}
#define RULE_NO_USAGE                                                                          \
	{                                                                                      \
		no_usage_bytes,                                                                \
			SAYS(REASON_ABSENT, true, "memory.current of no cgroup could be read") \
	}
#define RULE_NO_LIMIT                                                                           \
	{                                                                                       \
		no_limit_bytes, SAYS(REASON_NO_EVENTS, true, "no cgroup here has a memory.max") \
	}
#define RULE_NO_SOCK_BYTES                                                                         \
	{                                                                                          \
		no_sock_bytes, SAYS(REASON_ABSENT, true, "memory.stat of no cgroup could be read") \
	}

const struct null_rule null_sock[] = {RULE_CGROUP_V1, RULE_NOSOCKET, {}};

const struct null_rule null_sock_stat[] = {RULE_CGROUP_V1, RULE_NOSOCKET, RULE_NO_STAT, {}};

const struct null_rule null_stat[] = {RULE_NO_STAT, {}};

const struct null_rule null_rstat[] = {
	{no_rstat, SAYS(REASON_NOT_ASKED, true, "updates of rstat are counted with --rstat")}, {}};

const struct null_rule null_time[] = {RULE_NOT_TIMED, {}};

const struct null_rule null_timed_stock[] = {RULE_NO_SLOTS, RULE_UNKNOWN, RULE_NOT_TIMED, {}};

const struct null_rule null_sock_time[] = {RULE_CGROUP_V1, RULE_NOSOCKET, RULE_NOT_TIMED, {}};

const struct null_rule null_try_walk_time[] = {RULE_WALKS_INSIDE, RULE_NOT_TIMED, {}};

const struct null_rule null_stat_time[] = {
	RULE_CGROUP_V1,
	RULE_NOSOCKET,
	RULE_NO_STAT,
	RULE_NOT_TIMED,
	{sock_charge_has_exit,
	 SAYS(REASON_BLIND, true,
	      "a socket charge is timed to where it returns on this kernel, as no tracepoint tells "
	      "the end of its statistic update")},
	{}};

const struct null_rule null_lock_wait[] = {
	RULE_NO_LOCK,
	RULE_UNKNOWN,
	{not_rt, SAYS(REASON_NOT_RT, false, "a local lock is not waited for without PREEMPT_RT")},
	{lock_not_asked,
	 SAYS(REASON_NOT_ASKED, true, "waits for the lock are seen with --lock exact")},
	RULE_NOT_TIMED,
	{never_waits, SAYS(REASON_NO_EVENTS, true,
			   "on this kernel only a flush waits for the lock, and none did: "
			   "a charge or a refill tries it and passes it by")},
	{}};

const struct null_rule null_stock_seen[] = {
	RULE_NO_SLOTS,
	RULE_UNKNOWN,
	{no_stock_seen, SAYS(REASON_ABSENT, true, "the stock of no CPU could be looked at")},
	{}};

const struct null_rule null_usage[] = {RULE_NO_USAGE, {}};

const struct null_rule null_limit[] = {RULE_NO_USAGE, RULE_NO_LIMIT, {}};

const struct null_rule null_sock_bytes[] = {RULE_CGROUP_V1, RULE_NOSOCKET, RULE_NO_SOCK_BYTES, {}};

const struct null_rule null_sock_share[] = {
	RULE_CGROUP_V1, RULE_NOSOCKET, RULE_NO_SOCK_BYTES, RULE_NO_LIMIT, {}};

const struct null_rule null_obj[] = {
	{nokmem, SAYS(REASON_BOOT_OPTION, true, "the kernel was booted with cgroup.memory=nokmem")},
	{}};

const struct null_rule null_stock[] = {RULE_NO_SLOTS, RULE_UNKNOWN, {}};

const struct null_rule null_memcgs[] = {
	{no_cpu_charges, SAYS(REASON_ABSENT, true,
			      "this sample is of a memcgtop that did not keep charges by CPU")},
	{other_charged, SAYS(REASON_BLIND, true,
			     "there were more cgroups than rows: those in (other) are not told "
			     "apart, see --max-cgroups")},
	{}};

const struct null_rule null_unknown[] = {RULE_UNKNOWN, {}};

const struct null_rule null_expected[] = {
	RULE_UNKNOWN, {lacks_uncharge_pages, SAYS(REASON_ABSENT, true, not_kept)}, {}};

const struct null_rule null_lock_busy[] = {RULE_NO_LOCK,
					   {single_slot,
					    SAYS(REASON_DESIGN, false,
						 "this kernel turns interrupts off or waits: "
						 "it cannot find the lock of the stock busy")},
					   RULE_UNKNOWN,
					   {}};

const struct null_rule null_direct_refill[] = {
	{single_slot,
	 SAYS(REASON_DESIGN, false, "on this kernel every refill goes into the stock")},
	{}};

const struct null_rule null_obj_rest[] = {
	{obj_is_rest, SAYS(REASON_DESIGN, true,
			   "obj_cgroup_charge_pages is no function of its own on this kernel: "
			   "what is neither a socket's nor a folio's counts as obj")},
	{}};

const struct null_rule null_lock_seen[] = {RULE_NO_LOCK,
					   {lock_not_seen,
					    SAYS(REASON_DESIGN, true,
						 "no lock byte on this kernel; "
						 "a stock walk is under the lock by construction")},
					   {}};

const struct null_rule null_try_walks[] = {RULE_WALKS_INSIDE, {}};

/*
 * An attached program that never ran, and what proves that it should have: the
 * neighbour's count in the same window. One such event may be a race of attach
 * time, 64 are not.
 */
#define SILENT_FLOOR 64

struct neighbour {
	enum prog_id prog;
	uint64_t (*expected)(const struct model *m);
	const char *what;
};

/* Only what walks a memory counter for a charge is a try_charge_memcg. */
static uint64_t expect_charges(const struct model *m)
{
	return m->total.c[C_TRY_WALKS];
}

/* Surplus exists only after a walk of a whole batch. */
static uint64_t expect_try_walks(const struct model *m)
{
	return per_counter(m) ? 0 : m->total.c[C_SURPLUS_REFILLS];
}

/* A socket's uncharge that did not walk must have refilled; nr_sock[] kernels inline that. */
static uint64_t expect_refills(const struct model *m)
{
	if (per_counter(m) || design_of(m) == DESIGN_MULTI_SLOT_SOCK)
		return 0;
	return minus(m->total.c[C_SOCK_UNCHARGES], m->total.c[C_WALK_USER + USER_SOCK]);
}

/* A slot above the batch and another memcg's slot leave by drain_stock(). */
static uint64_t expect_drains(const struct model *m)
{
	return m->total.c[C_REFILL + REFILL_EVICTED];
}

/* A slot above the batch is never empty: its drain walks. */
static uint64_t expect_walks(const struct model *m)
{
	return m->total.c[C_DRAIN_CAUSE + CAUSE_OVERFLOW];
}

/* Each socket charge updates the statistic, or every 64th does where nr_sock[] batches it. */
static uint64_t expect_stats(const struct model *m)
{
	uint64_t n = count_sock_charges(&m->total);

	return design_of(m) == DESIGN_MULTI_SLOT_SOCK ? n / 64 : n;
}

/* What the statistic saw beyond the uncharges were charges, and the other way round. */
static uint64_t expect_sock_charges(const struct model *m)
{
	if (design_of(m) == DESIGN_MULTI_SLOT_SOCK)
		return 0;
	return minus(m->total.c[C_STAT + STAT_SOCK], m->total.c[C_SOCK_UNCHARGES]);
}

static uint64_t expect_sock_uncharges(const struct model *m)
{
	if (design_of(m) == DESIGN_MULTI_SLOT_SOCK)
		return 0;
	return minus(m->total.c[C_STAT + STAT_SOCK], count_sock_charges(&m->total));
}

static const struct neighbour neighbours[] = {
	{PROG_CHARGE, expect_charges, "charges walked the hierarchy"},
	{PROG_TRY_WALK, expect_try_walks, "surplus refills followed a walk"},
	{PROG_REFILL, expect_refills, "socket uncharges did not walk"},
	{PROG_DRAIN, expect_drains, "refills took the slot of another memcg"},
	{PROG_WALK, expect_walks, "slots overflowed"},
	{PROG_STAT, expect_stats, "socket charges had to update it"},
	{PROG_SOCK_CHARGE, expect_sock_charges, "updates of the socket statistic were no uncharge"},
	{PROG_SOCK_UNCHARGE, expect_sock_uncharges,
	 "updates of the socket statistic were no charge"},
};

static void judge_silent(const struct model *m, struct model_probe *p)
{
	const size_t n = sizeof(neighbours) / sizeof(neighbours[0]);

	if (p->recorded || p->missed)
		return;
	for (size_t i = 0; i < n; i++) {
		uint64_t expected;

		if (neighbours[i].prog != p->probe->prog)
			continue;
		expected = neighbours[i].expected(m);
		if (expected < SILENT_FLOOR)
			continue;
		p->reason = REASON_SILENT;
		snprintf(p->text, sizeof(p->text),
			 "%s is attached but never ran while %" PRIu64 " %s", p->probe->function,
			 expected, neighbours[i].what);
	}
}

static void judge_missing(struct model_probe *p)
{
	const char *hook = p->probe->hook, *function = p->probe->function;

	p->reason = p->probe->reason == REASON_NONE ? REASON_ABSENT : p->probe->reason;
	if (!*function) {
		snprintf(p->text, sizeof(p->text), "this kernel has no function for the hook %s",
			 hook);
		return;
	}
	switch (p->reason) {
	case REASON_INLINED:
		snprintf(p->text, sizeof(p->text), "%s is inlined by the compiler", function);
		break;
	case REASON_NOT_TRACEABLE:
		snprintf(p->text, sizeof(p->text), "%s cannot be traced on this kernel", function);
		break;
	case REASON_ABSENT:
		snprintf(p->text, sizeof(p->text), "%s does not exist on this kernel", function);
		break;
	case REASON_BLIND:
		snprintf(p->text, sizeof(p->text), "%s sees only some of its calls", function);
		break;
	case REASON_NOT_ASKED:
		snprintf(p->text, sizeof(p->text), "%s was left out on request", function);
		break;
	default:
		snprintf(p->text, sizeof(p->text), "%s is not attached: %s", function,
			 reason__name(p->reason));
		break;
	}
}

void probes__judge(struct model *m)
{
	for (size_t i = 0; i < m->nprobes; i++) {
		struct model_probe *p = &m->probes[i];

		if (p->probe->state == PROBE_MISSING)
			judge_missing(p);
		else if (p->probe->state == PROBE_ATTACHED)
			judge_silent(m, p);
	}
}

static const struct model_probe *probe_of(const struct model *m, enum prog_id prog)
{
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probes[i].probe->prog == prog)
			return &m->probes[i];
	return NULL;
}

bool model__attached(const struct model *m, enum prog_id prog)
{
	const struct model_probe *p = probe_of(m, prog);

	return p && p->probe->state == PROBE_ATTACHED;
}

/* What this machine has no use for, whoever asks. */
static uint64_t waived(const struct model *m, uint64_t needs, bool timed)
{
	const uint64_t sock =
		BIT(PROG_SOCK_CHARGE) | BIT(PROG_SOCK_CHARGE_EXIT) | BIT(PROG_SOCK_UNCHARGE);
	const uint64_t obj = BIT(PROG_OBJ_CHARGE) | BIT(PROG_OBJ_UNCHARGE) | BIT(PROG_OBJ_DRAIN);
	const uint64_t slots = BIT(PROG_REFILL) | BIT(PROG_DRAIN);
	uint64_t w = 0;

	/* elsewhere it tells a time alone */
	if (design_of(m) != DESIGN_MULTI_SLOT_SOCK && !timed)
		w |= BIT(PROG_SOCK_CHARGE_EXIT);
	if (cgroup_v1(m) || nosocket(m))
		w |= sock;
	if (nokmem(m))
		w |= obj;
	if (!per_counter(m))
		return w | BIT(PROG_STOCK_CHARGE);
	w |= slots;
	/* There page_counter_try_charge_stock() alone tells a miss. */
	if (needs & BIT(PROG_STOCK_CHARGE))
		w |= BIT(PROG_TRY_WALK);
	return w;
}

static struct unmeasured by_rule(const struct null_rule *rule, const struct model *m)
{
	for (; rule && rule->holds; rule++)
		if (rule->holds(m))
			return rule->why;
	return (struct unmeasured){.reason = REASON_NONE, .applicable = true};
}

static struct unmeasured by_hook(uint64_t needs, const struct model *m)
{
	for (int prog = 0; prog < PROG_NR; prog++) {
		const struct model_probe *p;

		if (!(needs & BIT(prog)))
			continue;
		p = probe_of(m, prog);
		if (!p)
			return (struct unmeasured)SAYS(
				REASON_ABSENT, true, "a hook that this needs is not in the sample");
		if (p->reason != REASON_NONE)
			return (struct unmeasured)SAYS(p->reason, true, p->text);
	}
	return (struct unmeasured){.reason = REASON_NONE, .applicable = true};
}

static bool counts(const struct field *f, const struct part *part, const struct scope *s)
{
	if (part)
		return part__count(part, s);
	if (f->ratio)
		return f->in & IN_TOTAL && !isnan(f->ratio(s));
	return f->count && f->count(s);
}

/*
 * A file may be of a memcgtop that did not keep a counter. What a measure is
 * made of its function alone knows: one that such a counter makes more than 0,
 * or a ratio of it.
 */
static struct unmeasured by_file(const struct field *f, const struct part *part,
				 const struct model *m)
{
	uint64_t one[C_NR] = {};
	const struct scope s = {
		.c = one, .stock = &m->end->stock, .in = IN_TOTAL, .hits_seen = m->total.hits_seen};

	for (int i = 0; i < C_NR; i++) {
		bool lacked;

		if (!m->end->lacks[i])
			continue;
		one[i] = 1;
		lacked = counts(f, part, &s);
		one[i] = 0;
		if (lacked)
			return (struct unmeasured)SAYS(REASON_ABSENT, true, not_kept);
	}
	return (struct unmeasured){.reason = REASON_NONE, .applicable = true};
}

uint64_t field__hooks(const struct field *f, const struct part *part, const struct model *m)
{
	uint64_t needs = f->needs | (part ? part->needs : 0);

	if (!m->total.hits_seen)
		needs |= f->needs_unseen;
	return needs & ~waived(m, needs, f->spans);
}

uint64_t hooks__missed(uint64_t hooks, const struct model *m)
{
	uint64_t missed = 0;

	for (size_t i = 0; i < m->nprobes; i++)
		if (hooks & BIT(m->probes[i].probe->prog))
			missed += m->probes[i].missed;
	return missed;
}

struct unmeasured field__find_unmeasured(const struct field *f, const struct part *part,
					 const struct model *m)
{
	struct unmeasured why = by_rule(f->unless, m);

	if (why.reason == REASON_NONE && part)
		why = by_rule(part->unless, m);
	if (why.reason == REASON_NONE)
		why = by_file(f, part, m);
	if (why.reason != REASON_NONE)
		return why;
	return by_hook(field__hooks(f, part, m), m);
}

static size_t count_parts(const struct field *f)
{
	size_t n = 0;

	while (f->parts && f->parts[n].name)
		n++;
	return n;
}

int unmeasured__init(struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < nfields; i++)
		n += 1 + count_parts(&fields[i]);
	m->why = calloc(nfields, sizeof(m->why[0]));
	m->whys = calloc(n, sizeof(m->whys[0]));
	if (!m->why || !m->whys) {
		unmeasured__release(m);
		return -ENOMEM;
	}
	n = 0;
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];

		m->why[i] = &m->whys[n];
		m->whys[n++] = field__find_unmeasured(f, NULL, m);
		for (size_t part = 0; part < count_parts(f); part++)
			m->whys[n++] = field__find_unmeasured(f, &f->parts[part], m);
	}
	return 0;
}

void unmeasured__release(struct model *m)
{
	free(m->why);
	free(m->whys);
	m->why = NULL;
	m->whys = NULL;
}

struct unmeasured field__unmeasured(const struct field *f, const struct part *part,
				    const struct model *m)
{
	if (!m->why)
		return field__find_unmeasured(f, part, m);
	return m->why[f - fields][part ? 1 + (part - f->parts) : 0];
}
