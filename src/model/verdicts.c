// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules, and their judge. A limit is "proposed" where nobody has published
 * one: it is ours, and to be moved when cases show that it is wrong.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"

#define PROPOSED "proposed"

/* The key of a field, or with a dot of a part of it. False: no such thing. */
static bool find(const char *key, const struct field **f, const struct part **part)
{
	const char *dot = strchr(key, '.');
	char name[40];

	snprintf(name, sizeof(name), "%.*s", dot ? (int)(dot - key) : (int)strlen(key), key);
	*f = field__find(name);
	*part = *f && dot ? (*f)->parts : NULL;
	while (*part && (*part)->name && strcmp((*part)->name, dot + 1))
		++*part;
	return *f && (!dot || (*part && (*part)->name));
}

/* All that the rules know of the measurement: the field table, by key. */
static double get(const struct place *p, const char *key)
{
	const struct field *f;
	const struct part *part;

	if (!find(key, &f, &part) || !(f->in & p->s->in) ||
	    field__unmeasured(f, part, p->m).reason != REASON_NONE)
		return NAN;
	return part ? (double)part__count(part, p->s) : field__value(f, p->s);
}

/* The same where a design that has no such thing has none of it. */
static double get_or_none(const struct place *p, const char *key)
{
	double v = get(p, key);

	return isnan(v) ? 0 : v;
}

#define GET(name, key)                            \
	static double name(const struct place *p) \
	{                                         \
		return get(p, key);               \
	}

GET(charges, "charges")
GET(failed, "failed")
GET(sock_failures, "sock_failures")
GET(sock_uncharges, "sock_uncharges")
GET(memcgs, "memcgs")
GET(evictions, "evictions")
GET(misses, "misses")
GET(try_walks, "try_walks")
GET(miss_ratio, "miss_ratio")
GET(miss_ratio_expected, "miss_ratio_expected")
GET(amplification, "amplification")
GET(lock_busy, "miss_reasons.lock_busy")
GET(direct_refills, "refill_outcomes.direct")

static double none(const struct place *p)
{
	(void)p;
	return 0;
}

static double one(const struct place *p)
{
	(void)p;
	return 1;
}

static double batch(const struct place *p)
{
	return p->m->end->stock.batch ? p->m->end->stock.batch : NAN;
}

static double slots(const struct place *p)
{
	return p->m->end->stock.slots ? p->m->end->stock.slots : NAN;
}

static double cpu(const struct place *p)
{
	return p->cpu ? p->cpu->cpu->cpu : NAN;
}

/* Only where it is more than the one that is named. */
static double cpus(const struct place *p)
{
	return p->cpus > 1 ? (double)p->cpus : NAN;
}

static double real_time(const struct place *p)
{
	return p->m->end->host.preempt_rt ? 1 : NAN;
}

static double pages_per_charge(const struct place *p)
{
	return get(p, "charge_pages") / charges(p);
}

static double failed_ratio(const struct place *p)
{
	return failed(p) / charges(p);
}

static double sock_failures_if_any(const struct place *p)
{
	return sock_failures(p) > 0 ? sock_failures(p) : NAN;
}

static double memcgs_per_slot(const struct place *p)
{
	return memcgs(p) / slots(p);
}

static double evictions_per_miss(const struct place *p)
{
	return evictions(p) / misses(p);
}

static double evictions_per_memcg(const struct place *p)
{
	return evictions(p) / memcgs(p);
}

static double walks_per_miss(const struct place *p)
{
	return try_walks(p) / misses(p);
}

static double retries_per_charge(const struct place *p)
{
	return (try_walks(p) - misses(p)) / charges(p);
}

/* Infinite where no miss was to be expected. */
static double misses_to_expected(const struct place *p)
{
	return miss_ratio(p) / miss_ratio_expected(p);
}

static double locked_ratio(const struct place *p)
{
	double walks = get(p, "walks");

	return walks > 0 ? get(p, "walks_under_lock") / walks : NAN;
}

static double overflow_ratio(const struct place *p)
{
	return get(p, "drain_causes.overflow") / get(p, "uncharges");
}

/*
 * Drained pages are known of evictions and of all drains. What a flush drains
 * was below the batch, so that this is the least that overflows gave back.
 */
static double pages_per_overflow(const struct place *p)
{
	double others =
		get_or_none(p, "drain_causes.flush") + get_or_none(p, "drain_causes.hotplug");
	double pages = get(p, "drained_pages") - get(p, "evicted_pages") - others * batch(p);

	return pages / get(p, "drain_causes.overflow");
}

static double overflow_to_batch(const struct place *p)
{
	return pages_per_overflow(p) / batch(p);
}

/* Walks for sockets that no slot and no busy lock explains, by socket uncharges. */
static double bypass_ratio(const struct place *p)
{
	double explained = get_or_none(p, "walk_causes.overflow") +
			   get_or_none(p, "walk_causes.evict") +
			   get_or_none(p, "walk_causes.direct");

	return (get(p, "walk_users.sock") - explained) / sock_uncharges(p);
}

static double amplification_base(const struct place *p)
{
	return 1 / batch(p);
}

static double levels_per_walk(const struct place *p)
{
	return get(p, "walk_levels") / get(p, "walks");
}

/* In a cgroup right below the root: its own counter, and the root's. */
static double levels_base(const struct place *p)
{
	(void)p;
	return 2;
}

/* Where a charge walks inside another function each miss is one. */
static double walks_per_second(const struct place *p)
{
	double up = get(p, "try_walks");

	if (isnan(up))
		up = get(p, "misses");
	return p->m->seconds > 0 ? (get(p, "walks") + up) / p->m->seconds : NAN;
}

static double lock_busy_ratio(const struct place *p)
{
	return lock_busy(p) / charges(p);
}

#define INPUTS(...)               \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}
#define CONDITIONS(...)              \
	(const struct condition[])   \
	{                            \
		__VA_ARGS__,         \
		{                    \
			.what = NULL \
		}                    \
	}
#define NUMBERS(...)                \
	(const struct number[])     \
	{                           \
		__VA_ARGS__,        \
		{                   \
			.key = NULL \
		}                   \
	}
#define IS(key, of, form)              \
	{                              \
		(key), of, form, false \
	}
#define BASE(key, of, form)           \
	{                             \
		(key), of, form, true \
	}
#define FIVE_TIMES                                                                           \
	{                                                                                    \
		"miss_ratio / miss_ratio_expected", misses_to_expected, false, 5, FORM_REAL, \
			PROPOSED                                                             \
	}

const struct rule rules[] = {
	/* Failures */
	{.name = "charge_failures",
	 .help = "Charges are refused: the cgroup or one above it is at its limit and nothing "
		 "could "
		 "be reclaimed in time",
	 .headline = "charges fail|: most of them in {cgroup}, which is at its limit or below one "
		     "that is",
	 .detail = "{failed:charge} failed, {failed_ratio} of all (expected: none)|; "
		   "{sock_failures} of sockets|.",
	 .blame = "failed",
	 .inputs = INPUTS("charges", "failed"),
	 .conditions =
		 CONDITIONS({"failed / charges", failed_ratio, false, 0.001, FORM_SHARE, PROPOSED}),
	 .numbers = NUMBERS(IS("failed", failed, FORM_COUNT),
			    IS("failed_ratio", failed_ratio, FORM_SHARE),
			    IS("sock_failures", sock_failures_if_any, FORM_COUNT),
			    BASE("failed", none, FORM_COUNT))},

	{.name = "reclaim_retries",
	 .help = "Charges find the limit reached, reclaim and walk the page counters again: a "
		 "cgroup works at its memory.max or below one that does",
	 .headline = "charges walk again after reclaim|: most of them in {cgroup}, which is at its "
		     "limit or below one that is",
	 .detail = "{walks_per_miss} walks a miss (expected: one)|; {miss_ratio} of charges miss|.",
	 .blame = "try_walks",
	 .inputs = INPUTS("charges", "try_walks", "misses"),
	 .conditions =
		 CONDITIONS({"try_walks / misses", walks_per_miss, false, 1.2, FORM_REAL, PROPOSED},
			    {"(try_walks - misses) / charges", retries_per_charge, false, 0.01,
			     FORM_SHARE, PROPOSED},
			    {"miss_ratio", miss_ratio, false, 0.01, FORM_SHARE, PROPOSED}),
	 .numbers = NUMBERS(IS("walks_per_miss", walks_per_miss, FORM_REAL),
			    IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("walks_per_miss", one, FORM_REAL))},

	/* Structure */
	{.name = "slot_thrash",
	 .help = "More cgroups charge on a CPU than its stock has slots, and each that comes takes "
		 "the slot of another, which will miss next",
	 .headline = "slot thrash on |{cpus} CPUs, most on |CPU {cpu}: {memcgs:memcg} share "
		     "{slots:slot} and evict each other",
	 .detail = "{miss_ratio} of charges miss there| (expected: about {base.miss_ratio})|; "
		   "{evictions:eviction}|; {locked_ratio} of walks under the lock|.",
	 .url = "https://lore.kernel.org/r/20250307055936.3988572-1-shakeel.butt@linux.dev",
	 .worst = "evictions",
	 .inputs = INPUTS("charges", "memcgs", "evictions", "misses", "miss_ratio_expected"),
	 .conditions =
		 CONDITIONS({"memcgs / slots", memcgs_per_slot, false, 1, FORM_REAL,
			     "the slots of this kernel"},
			    {"evictions / misses", evictions_per_miss, false, 0.2, FORM_SHARE,
			     "by arithmetic: 0.48 for eight cgroups in turn on seven slots"},
			    {"evictions / memcgs", evictions_per_memcg, false, 2, FORM_REAL,
			     "by arithmetic: a cgroup that comes once and goes is evicted once"},
			    FIVE_TIMES),
	 .numbers = NUMBERS(IS("cpu", cpu, FORM_NAME), IS("cpus", cpus, FORM_COUNT),
			    IS("memcgs", memcgs, FORM_COUNT), IS("slots", slots, FORM_COUNT),
			    IS("miss_ratio", miss_ratio, FORM_SHARE),
			    IS("evictions", evictions, FORM_COUNT),
			    IS("locked_ratio", locked_ratio, FORM_SHARE),
			    BASE("miss_ratio", miss_ratio_expected, FORM_SHARE))},
	{.name = "overflow_sawtooth",
	 .help = "Slots come above the batch and are emptied completely, so that the next charge "
		 "misses: a matter of the pages of a request and of how many come back together",
	 .headline = "overflow sawtooth: the stock overflows and is emptied completely, again and "
		     "again",
	 .detail = "{overflow_ratio} of uncharges overflow it, {pages_per_overflow} pages "
		   "each|; {miss_ratio} of charges miss| (expected: about {base.miss_ratio})|; "
		   "{pages_per_charge} pages a charge, batch {batch}|.",
	 .url = "https://lore.kernel.org/r/"
		"178984086009.3022106.3132346088383385164@gitolite.kernel.org",
	 .yields_to = "slot_thrash",
	 .inputs = INPUTS("charges", "drain_causes.overflow", "drained_pages", "evicted_pages",
			  "uncharges", "miss_ratio", "miss_ratio_expected"),
	 .conditions = CONDITIONS(
		 {"drain_causes.overflow / uncharges", overflow_ratio, false, 0.1, FORM_SHARE,
		  "by arithmetic: 0.17 for 16 pages with 8 requests outstanding, "
		  "0.50 for 33 pages with 2"},
		 {"pages of an overflow / batch", overflow_to_batch, true, 1, FORM_REAL,
		  "by arithmetic: a slot that is emptied held more than a batch"},
		 FIVE_TIMES),
	 .numbers =
		 NUMBERS(IS("overflow_ratio", overflow_ratio, FORM_SHARE),
			 IS("pages_per_overflow", pages_per_overflow, FORM_PAGES),
			 IS("pages_per_charge", pages_per_charge, FORM_PAGES),
			 IS("batch", batch, FORM_COUNT), IS("miss_ratio", miss_ratio, FORM_SHARE),
			 BASE("miss_ratio", miss_ratio_expected, FORM_SHARE))},
	{.name = "unbatched_uncharges",
	 .help = "Uncharges of sockets do not go into the stock: each walks the page counters, and "
		 "all CPUs write one memory.usage, while misses stay at 1 / batch",
	 .headline = "uncharges bypass the stock: each socket uncharge walks the hierarchy",
	 .detail = "{amplification} walks an uncharge (expected: about {base.amplification})|; "
		   "{miss_ratio} of charges miss, which does not show it|.",
	 .url = "https://lore.kernel.org/r/20260605153603.234296-1-joshua.hahnjy@gmail.com",
	 .inputs = INPUTS("charges", "walk_users.sock", "sock_uncharges", "walk_causes.unbatched"),
	 .conditions = CONDITIONS({"(walk_users.sock - walk_causes.overflow - walk_causes.evict - "
				   "walk_causes.direct) / sock_uncharges",
				   bypass_ratio, false, 0.5, FORM_REAL,
				   PROPOSED "; 1 is no batching, 1 / batch is all of it"},
				  {"sock_uncharges", sock_uncharges, true, VERDICT_CHARGES,
				   FORM_COUNT, PROPOSED}),
	 .numbers = NUMBERS(IS("amplification", amplification, FORM_REAL),
			    IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("amplification", amplification_base, FORM_REAL))},

	/* Cost */
	{.name = "deep_hierarchy",
	 .help = "Each walk touches the counter of the cgroup and of all above it; cgroups are "
		 "deep "
		 "here, and walks are many",
	 .headline = "deep cgroups: each walk costs {levels_per_walk} page counters",
	 .detail = "{walks_per_second:walk} a second| (a cgroup right below the root: "
		   "{base.levels_per_walk} page counters)|.",
	 .url = "https://lore.kernel.org/r/"
		"CAJD7tkbjZri4ayBOT9rJ0yMAi__c-1SVmRh_5oXezr7U6dvALg@mail.gmail.com",
	 .inputs = INPUTS("charges", "walk_levels", "walks", "misses"),
	 .conditions = CONDITIONS(
		 {"walk_levels / walks", levels_per_walk, false, 4, FORM_REAL, PROPOSED},
		 {"(walks + try_walks) / s", walks_per_second, false, 50000, FORM_COUNT, PROPOSED}),
	 .numbers = NUMBERS(IS("levels_per_walk", levels_per_walk, FORM_PAGES),
			    IS("walks_per_second", walks_per_second, FORM_COUNT),
			    BASE("levels_per_walk", levels_base, FORM_COUNT))},
	{.name = "lock_busy",
	 .help = "Charges find the lock of the stock held by the context that they interrupted or, "
		 "with PREEMPT_RT, by a task that was preempted; they do not wait and walk",
	 .headline = "the lock of the stock is busy|{?rt}, as tasks that hold it are preempted|: "
		     "charges pass the stock by",
	 .detail = "{lock_busy_ratio} of charges find it busy ({lock_busy}; expected: none)|; "
		   "{direct_refills:refill} passed it by as well|.",
	 .url = "https://lore.kernel.org/r/"
		"jilyoryfq7cg6xp4cxbipct5vfbhu7ivp2jmzzigufqd6r5uss@h2cmibfg3fdf",
	 .inputs = INPUTS("charges", "miss_reasons.lock_busy"),
	 .conditions = CONDITIONS({"miss_reasons.lock_busy / charges", lock_busy_ratio, false, 0.01,
				   FORM_SHARE, PROPOSED}),
	 .numbers = NUMBERS(IS("lock_busy", lock_busy, FORM_COUNT),
			    IS("lock_busy_ratio", lock_busy_ratio, FORM_SHARE),
			    IS("direct_refills", direct_refills, FORM_COUNT),
			    IS("rt", real_time, FORM_FLAG), BASE("lock_busy", none, FORM_COUNT))},

	/* Rather than that nothing is unusual */
	{.name = "unexplained_misses",
	 .help = "Far more charges miss than the pages that they keep ask for, and no other rule "
		 "says why: miss_reasons and the rules that could not be judged are the next look",
	 .headline = "many charges miss and no rule says why",
	 .detail = "{miss_ratio} of charges miss| (expected: about {base.miss_ratio})|.",
	 .last_resort = true,
	 .inputs = INPUTS("charges", "miss_ratio", "miss_ratio_expected"),
	 .conditions = CONDITIONS({"miss_ratio", miss_ratio, false, 0.1, FORM_SHARE, PROPOSED},
				  FIVE_TIMES),
	 .numbers = NUMBERS(IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("miss_ratio", miss_ratio_expected, FORM_SHARE))},
};

const size_t nrules = sizeof(rules) / sizeof(rules[0]);

_Static_assert(sizeof(rules) / sizeof(rules[0]) <= RULES_MAX, "RULES_MAX is too small");

static bool holds(const struct rule *r, const struct place *p)
{
	for (const struct condition *c = r->conditions; c->what; c++) {
		double v = c->of(p);

		if (!(v > c->limit || (c->or_equal && v == c->limit)))
			return false;
	}
	return true;
}

static bool enough(const struct place *p)
{
	return charges(p) >= VERDICT_CHARGES;
}

/* The CPU with most of it among those where the rule holds; NULL there: it holds nowhere. */
static struct place worst_cpu(const struct rule *r, const struct model *m)
{
	struct place worst = {.m = m};
	double most = -1;

	for (size_t i = 0; i < m->ncpus; i++) {
		struct place p = {.m = m, .s = &m->cpus[i].scope, .cpu = &m->cpus[i]};

		if (!enough(&p) || !holds(r, &p))
			continue;
		worst.cpus++;
		if (!(get(&p, r->worst) > most))
			continue;
		most = get(&p, r->worst);
		worst.s = p.s;
		worst.cpu = p.cpu;
	}
	return worst;
}

static const struct row *to_blame(const struct rule *r, const struct model *m)
{
	const struct row *worst = NULL;
	double most = 0;

	for (size_t i = 0; r->blame && i < m->nrows; i++) {
		struct place p = {.m = m, .s = &m->rows[i].scope};
		double v = get(&p, r->blame);

		if (m->rows[i].row->state != ROW_IS_OTHER && v > most) {
			most = v;
			worst = m->rows[i].row;
		}
	}
	return worst;
}

static bool found(const struct verdicts *v, const char *name)
{
	for (size_t i = 0; name && i < v->n; i++)
		if (!strcmp(v->list[i].rule->name, name))
			return true;
	return false;
}

static void judge(struct verdicts *v, const struct rule *r, const struct model *m)
{
	struct place p = {.m = m, .s = &m->total};
	struct verdict *verdict;

	if (r->worst)
		p = worst_cpu(r, m);
	if (v->n == VERDICTS_MAX || found(v, r->yields_to) || (r->last_resort && v->n))
		return;
	if (r->worst ? !p.cpu : !holds(r, &p))
		return;
	verdict = &v->list[v->n++];
	verdict->rule = r;
	verdict->cgroup = to_blame(r, m);
	for (size_t i = 0; r->numbers[i].key; i++)
		verdict->values[i] = r->numbers[i].of(&p);
}

enum input { INPUT_KNOWN, INPUT_NO_SUCH_THING, INPUT_MISSING };

/* A rule about what this machine has not is void; one whose measure is missing stays open. */
static enum input inputs_of(const struct rule *r, const struct model *m)
{
	enum input worst = INPUT_KNOWN;

	for (const char *const *key = r->inputs; *key; key++) {
		const struct field *f;
		const struct part *part;
		struct unmeasured why;

		if (!find(*key, &f, &part))
			return INPUT_MISSING;
		why = field__unmeasured(f, part, m);
		if (why.reason == REASON_NONE)
			continue;
		if (!why.applicable)
			return INPUT_NO_SUCH_THING;
		worst = INPUT_MISSING;
	}
	return worst;
}

void verdicts__init(struct verdicts *v, const struct model *m)
{
	const struct place all = {.m = m, .s = &m->total};

	*v = (struct verdicts){.state = VERDICT_TOO_FEW};
	if (m->quality.grade == GRADE_UNTRUSTED)
		v->state = VERDICT_UNTRUSTED;
	else if (enough(&all))
		v->state = VERDICT_JUDGED;
	if (v->state != VERDICT_JUDGED)
		return;
	for (size_t i = 0; i < nrules; i++) {
		enum input inputs = inputs_of(&rules[i], m);

		if (inputs == INPUT_KNOWN)
			judge(v, &rules[i], m);
		else if (inputs == INPUT_MISSING)
			v->unjudged[v->nunjudged++] = &rules[i];
	}
}

const char *verdict_state__name(enum verdict_state s)
{
	static const char *const names[] = {
		[VERDICT_TOO_FEW] = "too_few_events",
		[VERDICT_UNTRUSTED] = "untrusted",
		[VERDICT_JUDGED] = "judged",
	};

	return names[s];
}
