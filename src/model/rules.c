// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules. A limit is "proposed" where nobody has published one: it is ours,
 * and to be moved when cases show that it is wrong. Two that were thought of are
 * not here: that sockets charge more often than they did needs another run to
 * compare with, and how many ancestors an update of the statistic touches is not
 * seen from outside.
 */
#include <stddef.h>

#include "model/rules.h"

#define PROPOSED "proposed"

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
/* Of rule_values.c, by name. */
#define IS(key, name, form)                   \
	{                                     \
		(key), of_##name, form, false \
	}
#define BASE(key, name, form)                \
	{                                    \
		(key), of_##name, form, true \
	}
#define COMPARED(what, name, how, limit, form, from)               \
	{                                                          \
		(what), of_##name, how, limit, form, (from), false \
	}
#define ABOVE(what, name, ...)	  COMPARED(what, name, COMPARE_ABOVE, __VA_ARGS__)
#define AT_LEAST(what, name, ...) COMPARED(what, name, COMPARE_AT_LEAST, __VA_ARGS__)
#define BELOW(what, name, ...)	  COMPARED(what, name, COMPARE_BELOW, __VA_ARGS__)
/* This one, or the next. */
#define ABOVE_OR(what, name, limit, form, from)                             \
	{                                                                   \
		(what), of_##name, COMPARE_ABOVE, limit, form, (from), true \
	}
#define FIVE_TIMES \
	ABOVE("miss_ratio / miss_ratio_expected", misses_to_expected, 5, FORM_REAL, PROPOSED)

static const struct row *by_limit(const struct place *p)
{
	return rule__most(p->m, "limit_hits");
}

static const struct row *by_setter(const struct place *p)
{
	uint64_t setter = p->row ? p->row->row->pressure_setter : 0;

	return setter ? sample__row(p->m->end, setter) : NULL;
}

static const struct row *by_drain(const struct place *p)
{
	return rule__most(p->m, "drain_all_calls");
}

const struct rule rules[] = {
	/* Trust */
	{.name = "stock_invariant",
	 .help = "Two looks at a stock, some time apart, found the same slot above the batch, or "
		 "the same cgroup in two slots of a CPU: no kernel should do that",
	 .headline = "the kernel breaks a rule of its own stock",
	 .detail = "{breaches:slot} held more than {batch:page}, or a cgroup that has another slot "
		   "of the CPU (expected: none).",
	 .url = "https://lore.kernel.org/r/d542d18f-1caa-6fea-e2c3-3555c87bcf64@google.com",
	 .inputs = INPUTS("stranded_pages"),
	 .conditions = CONDITIONS(ABOVE("breaches of it that were seen", breaches, 0, FORM_COUNT,
					"exact: there should be none")),
	 .numbers = NUMBERS(IS("breaches", breaches, FORM_COUNT), IS("batch", batch, FORM_COUNT),
			    BASE("breaches", none, FORM_COUNT))},

	/* Failures */
	{.name = "charge_failures",
	 .help = "Charges are refused: the cgroup or one above it is at its limit and nothing "
		 "could "
		 "be reclaimed in time",
	 .headline = "charges fail|: most of them in {cgroup}, which is at its limit or below one "
		     "that is",
	 .detail = "{failed:charge} failed, {failed_ratio} of all (expected: none)|; "
		   "{sock_failures} of sockets|; the limit that stopped most is that of {by}|.",
	 .blame = "failed",
	 .by = by_limit,
	 .inputs = INPUTS("charges", "failed"),
	 .conditions =
		 CONDITIONS(ABOVE("failed / charges", failed_ratio, 0.001, FORM_SHARE, PROPOSED)),
	 .numbers = NUMBERS(IS("failed", failed, FORM_COUNT),
			    IS("failed_ratio", failed_ratio, FORM_SHARE),
			    IS("sock_failures", sock_failures_if_any, FORM_COUNT),
			    BASE("failed", none, FORM_COUNT))},

	{.name = "reclaim_retries",
	 .help = "Charges find the limit reached, reclaim and walk the page counters again: a "
		 "cgroup works at its memory.max or below one that does",
	 .headline = "charges walk again after reclaim|: most of them in {cgroup}, which is at its "
		     "limit or below one that is",
	 .detail = "{walks_per_miss} walks a miss (expected: one)|; {miss_ratio} of charges miss|; "
		   "the limit that stopped most is that of {by}|.",
	 .blame = "try_walks",
	 .by = by_limit,
	 .inputs = INPUTS("charges", "try_walks", "misses"),
	 .conditions =
		 CONDITIONS(ABOVE("try_walks / misses", walks_per_miss, 1.2, FORM_REAL, PROPOSED),
			    ABOVE("(try_walks - misses) / charges", retries_per_charge, 0.01,
				  FORM_SHARE, PROPOSED),
			    ABOVE("miss_ratio", miss_ratio, 0.01, FORM_SHARE, PROPOSED)),
	 .numbers = NUMBERS(IS("walks_per_miss", walks_per_miss, FORM_REAL),
			    IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("walks_per_miss", one, FORM_REAL))},

	{.name = "socket_pressure",
	 .help = "Reclaim put a cgroup under socket pressure, which keeps the windows of its "
		 "connections small, although it is far from its limit and no charge failed",
	 .headline = "socket pressure keeps the windows of {cgroup}| and {more} more| small|, last "
		     "set by reclaim of {by}|",
	 .detail = "{pressure_ratio} of the time (expected: none), set {pressure_sets:time}, and "
		   "no charge of a socket failed|; {usage_to_limit} of its limit used|.",
	 .url = "https://lore.kernel.org/r/"
		"CABWYdi0G7cyNFbndM-ELTDAR3x4Ngm0AehEp5aP0tfNkXUE+Uw@mail.gmail.com",
	 .each = EACH_CGROUP,
	 .worst = "pressure_ns",
	 .by = by_setter,
	 .inputs = INPUTS("pressure_ns", "sock_failures"),
	 .conditions = CONDITIONS(ABOVE("pressure_ns / window", pressure_ratio, 0.01, FORM_SHARE,
					PROPOSED),
				  ABOVE("sock_charges + sock_bytes", sock_use, 0, FORM_COUNT,
					"reclaim sets it for cgroups without sockets as well"),
				  BELOW("sock_failures", sock_failures_or_none, 1, FORM_COUNT,
					"with failures it is out of memory"),
				  BELOW("usage_bytes / limit_bytes, if it has a limit",
					usage_to_limit_or_none, 0.9, FORM_SHARE, PROPOSED)),
	 .numbers = NUMBERS(IS("pressure_ratio", pressure_ratio, FORM_SHARE),
			    IS("pressure_sets", pressure_sets, FORM_COUNT),
			    IS("usage_to_limit", usage_to_limit, FORM_SHARE),
			    IS("more", more_cgroups, FORM_COUNT),
			    BASE("pressure_ratio", none, FORM_SHARE))},
	{.name = "socket_hog",
	 .help = "The buffers of sockets take most of what a cgroup may use",
	 .headline = "socket buffers fill {cgroup}| and {more} more|",
	 .detail = "{sock_bytes}, {sock_share} of its limit of {limit_bytes}.",
	 .each = EACH_CGROUP,
	 .worst = "sock_bytes",
	 .inputs = INPUTS("sock_share"),
	 .conditions = CONDITIONS(ABOVE("sock_bytes / limit_bytes", sock_share, 0.5, FORM_SHARE,
					PROPOSED ", after a case of 76%")),
	 .numbers = NUMBERS(
		 IS("sock_bytes", sock_bytes, FORM_BYTES), IS("sock_share", sock_share, FORM_SHARE),
		 IS("limit_bytes", limit_bytes, FORM_BYTES), IS("more", more_cgroups, FORM_COUNT))},

	/* Structure */
	{.name = "slot_thrash",
	 .help = "More cgroups charge on a CPU than its stock has slots, and each that comes takes "
		 "the slot of another, which will miss next",
	 .headline = "slot thrash on |{cpus} CPUs, most on |CPU {cpu}: {memcgs:memcg} share "
		     "{slots:slot} and evict each other",
	 .detail = "{miss_ratio} of charges miss there| (expected: about {base.miss_ratio})|; "
		   "{evictions:eviction}|; {locked_ratio} of walks under the lock|.",
	 .url = "https://lore.kernel.org/r/20250307055936.3988572-1-shakeel.butt@linux.dev",
	 .each = EACH_CPU,
	 .worst = "evictions",
	 .inputs = INPUTS("charges", "memcgs", "evictions", "misses", "miss_ratio_expected"),
	 .conditions = CONDITIONS(
		 ABOVE("memcgs / slots", memcgs_per_slot, 1, FORM_REAL, "the slots of this kernel"),
		 ABOVE("evictions / misses", evictions_per_miss, 0.2, FORM_SHARE,
		       "by arithmetic: 0.48 for eight cgroups in turn on seven slots"),
		 ABOVE("evictions / memcgs", evictions_per_memcg, 2, FORM_REAL,
		       "by arithmetic: a cgroup that comes once and goes is evicted once"),
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
		 ABOVE("drain_causes.overflow / uncharges", overflow_ratio, 0.1, FORM_SHARE,
		       "by arithmetic: 0.17 for 16 pages with 8 requests outstanding, "
		       "0.50 for 33 pages with 2"),
		 AT_LEAST("pages of an overflow / batch", overflow_to_batch, 1, FORM_REAL,
			  "by arithmetic: a slot that is emptied held more than a batch"),
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
	 .conditions = CONDITIONS(
		 ABOVE("(walk_users.sock - walk_causes.overflow - walk_causes.evict - "
		       "walk_causes.direct) / sock_uncharges",
		       bypass_ratio, 0.5, FORM_REAL,
		       PROPOSED "; 1 is no batching, 1 / batch is all of it"),
		 AT_LEAST("sock_uncharges", sock_uncharges, VERDICT_CHARGES, FORM_COUNT, PROPOSED)),
	 .numbers = NUMBERS(IS("amplification", amplification, FORM_REAL),
			    IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("amplification", amplification_base, FORM_REAL))},
	{.name = "drain_storm",
	 .help = "The stocks of all CPUs are drained again and again, for cgroups at their limit "
		 "or on their way out, and with them what others have there",
	 .headline = "drain storm: the stocks of all CPUs are drained| {drains_per_second:time} a "
		     "second|, most of them for {cgroup}|",
	 .detail = "{drain_all_calls:drain}|; {innocent_ratio} of the pages that they drained were "
		   "not its own|; {drain_busy_ratio} of all calls found another one running|.",
	 .url = "https://lore.kernel.org/r/20260626201855.2966118-1-joshua.hahnjy@gmail.com",
	 .blame = "drain_all_calls",
	 .inputs = INPUTS("charges", "drain_all_calls"),
	 .conditions = CONDITIONS(
		 ABOVE_OR("drain_all_calls / s", drains_per_second, 10, FORM_COUNT, PROPOSED),
		 ABOVE("calls that found another one running, with --drains", drain_busy_ratio, 0.5,
		       FORM_SHARE, PROPOSED),
		 ABOVE("calls / s, these included", drain_tries_per_second, 1, FORM_COUNT,
		       PROPOSED ": two calls a minute that meet are no storm")),
	 .numbers = NUMBERS(IS("drains_per_second", drains_per_second, FORM_COUNT),
			    IS("drain_all_calls", drain_all_calls, FORM_COUNT),
			    IS("innocent_ratio", innocent_ratio, FORM_SHARE),
			    IS("drain_busy_ratio", drain_busy_ratio, FORM_SHARE),
			    BASE("drain_all_calls", none, FORM_COUNT))},
	{.name = "drain_misses",
	 .help = "Charges miss because a drain has just emptied the stock of their CPU, and not "
		 "because it is too small",
	 .headline = "drains make charges miss|: most of them for {by}|",
	 .detail = "{flushed_miss_ratio} of misses came within 1 ms of a drain of their CPU|; "
		   "{miss_ratio} of charges miss| (expected: about {base.miss_ratio})|.",
	 .url = "https://lore.kernel.org/r/20260626201855.2966118-1-joshua.hahnjy@gmail.com",
	 .by = by_drain,
	 .inputs = INPUTS("charges", "misses", "misses_after_flush"),
	 .conditions = CONDITIONS(ABOVE("misses_after_flush / misses", flushed_miss_ratio, 0.3,
					FORM_SHARE, PROPOSED),
				  ABOVE("miss_ratio", miss_ratio, 0.01, FORM_SHARE, PROPOSED)),
	 .numbers = NUMBERS(IS("flushed_miss_ratio", flushed_miss_ratio, FORM_SHARE),
			    IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("miss_ratio", miss_ratio_expected, FORM_SHARE))},

	/* Cost */
	{.name = "contended_counter",
	 .help = "Each walk takes long, and more than one CPU walks: they write the same page "
		 "counters, or these share cache lines, and the stock is not to blame; on an "
		 "emulated CPU not judged",
	 .headline = "walks are slow: {usage_cpus:CPU} write the same page counters|, most of "
		     "{cgroup}|",
	 .detail = "{walk_p50} a walk (median; expected: below {base.walk_p50})|; "
		   "{walks_per_second:walk} a second|.",
	 .url = "https://lore.kernel.org/r/"
		"CANn89iLSWm-c4XE79rUsxzOp3VwXVDhOEPTQnWgeQ48UwM=u7Q@mail.gmail.com",
	 .blame = "usage_updates",
	 .inputs = INPUTS("walk_ns", "usage_cpus"),
	 .conditions = CONDITIONS(
		 ABOVE("median of walk_ns", walk_p50, SLOW_WALK_NS, FORM_NS, PROPOSED),
		 ABOVE("usage_cpus", usage_cpus, 1, FORM_COUNT, "one CPU contends with nobody"),
		 AT_LEAST("walks that were timed", walks_timed, 100, FORM_COUNT, PROPOSED)),
	 .numbers = NUMBERS(IS("walk_p50", walk_p50, FORM_NS),
			    IS("usage_cpus", usage_cpus, FORM_COUNT),
			    IS("walks_per_second", walks_per_second, FORM_COUNT),
			    BASE("walk_p50", slow_walk, FORM_NS))},
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
		 ABOVE("walk_levels / walks", levels_per_walk, 4, FORM_REAL, PROPOSED),
		 ABOVE("(walks + try_walks) / s", walks_per_second, 50000, FORM_COUNT, PROPOSED)),
	 .numbers = NUMBERS(IS("levels_per_walk", levels_per_walk, FORM_PAGES),
			    IS("walks_per_second", walks_per_second, FORM_COUNT),
			    BASE("levels_per_walk", levels_base, FORM_COUNT))},
	{.name = "stat_traffic",
	 .help = "Nearly all updates of the statistic are of one item, and it is not sock, whose "
		 "updates come with what sockets charge: whoever looks for their cost there is at "
		 "the wrong place",
	 .headline = "the statistic is busy with {stat_item}, not with sock",
	 .detail = "{stat_item_per_second:update} a second, {stat_item_ratio} of all.",
	 .url = "https://lore.kernel.org/r/55854a94-681e-4142-9160-98b22fa64d61@kernel.org",
	 .inputs = INPUTS("stat_updates"),
	 .conditions = CONDITIONS(ABOVE("its updates / stat_updates", stat_item_ratio, 0.8,
					FORM_SHARE, PROPOSED),
				  ABOVE("its updates / s", stat_item_per_second, 50000, FORM_COUNT,
					PROPOSED ", after a case of 216,000")),
	 .numbers = NUMBERS(IS("stat_item", stat_item, FORM_ITEM),
			    IS("stat_item_per_second", stat_item_per_second, FORM_COUNT),
			    IS("stat_item_ratio", stat_item_ratio, FORM_SHARE))},
	{.name = "hold_over_budget",
	 .help = "The lock of the stock is held for longer than a packet may take; on an emulated "
		 "CPU judged only by a --hold-budget that was given",
	 .headline = "the lock of the stock is held for longer than {hold_budget}",
	 .detail = "{holds_above} of holds (expected: none)|, {holds_above_per_second} a second|; "
		   "the longest took {hold_max}.",
	 .url = "https://lore.kernel.org/r/55854a94-681e-4142-9160-98b22fa64d61@kernel.org",
	 .inputs = INPUTS("lock_hold_ns"),
	 .conditions =
		 CONDITIONS(ABOVE("holds above --hold-budget", holds_above, 0.001, FORM_SHARE,
				  PROPOSED "; 27.6 us is one reporter's budget of a packet"),
			    AT_LEAST("holds that were timed", holds, 1000, FORM_COUNT, PROPOSED)),
	 .numbers =
		 NUMBERS(IS("hold_budget", hold_budget, FORM_NS),
			 IS("holds_above", holds_above, FORM_SHARE),
			 IS("holds_above_per_second", holds_above_per_second, FORM_COUNT),
			 IS("hold_max", hold_max, FORM_NS), BASE("holds_above", none, FORM_SHARE))},
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
	 .conditions = CONDITIONS(ABOVE("miss_reasons.lock_busy / charges", lock_busy_ratio, 0.01,
					FORM_SHARE, PROPOSED)),
	 .numbers = NUMBERS(IS("lock_busy", lock_busy, FORM_COUNT),
			    IS("lock_busy_ratio", lock_busy_ratio, FORM_SHARE),
			    IS("direct_refills", direct_refills, FORM_COUNT),
			    IS("rt", real_time, FORM_FLAG), BASE("lock_busy", none, FORM_COUNT))},
	{.name = "lock_wait",
	 .help = "With PREEMPT_RT the lock of the stock is waited for, and for longer than it is "
		 "held: whoever holds it is preempted, or many wait in a row",
	 .headline = "the lock of the stock is waited for longer than it is held",
	 .detail = "99 % of waits took up to {wait_p99}, of holds up to {hold_p99}.",
	 .url = "https://lore.kernel.org/r/"
		"jilyoryfq7cg6xp4cxbipct5vfbhu7ivp2jmzzigufqd6r5uss@h2cmibfg3fdf",
	 .inputs = INPUTS("lock_wait_ns", "lock_hold_ns"),
	 .conditions =
		 CONDITIONS(ABOVE("99 % of lock_wait_ns / that of lock_hold_ns", wait_to_hold, 1,
				  FORM_REAL, PROPOSED),
			    AT_LEAST("waits that were timed", waits, 100, FORM_COUNT, PROPOSED)),
	 .numbers = NUMBERS(IS("wait_p99", wait_p99, FORM_NS), IS("hold_p99", hold_p99, FORM_NS))},

	/* What lies about */
	{.name = "stranded_stock",
	 .help = "Pages are charged to a cgroup and lie in the stocks of CPUs, used by nobody: "
		 "it meets its limit earlier by so much",
	 .headline = "stranded stock: {stranded_bytes} of {cgroup} are charged and used by "
		     "nobody|; {more} more like it|",
	 .detail = "{stranded_to_bound} of what its slots can hold|; {stranded_to_usage} of what "
		   "it uses|; on {stranded_cpus:CPU}|, {isolated_cpus} of them isolated|.",
	 .url = "https://lore.kernel.org/r/20230125073502.743446-1-leobras@redhat.com",
	 .each = EACH_CGROUP,
	 .worst = "stranded_pages",
	 .inputs = INPUTS("stranded_pages"),
	 .conditions = CONDITIONS(ABOVE_OR("stranded_pages in bytes / usage_bytes",
					   stranded_to_usage, 0.05, FORM_SHARE, PROPOSED),
				  ABOVE("stranded_pages / stranded_bound_pages", stranded_to_bound,
					0.25, FORM_SHARE, PROPOSED),
				  ABOVE("of usage_bytes at least, if it is known",
					stranded_to_usage_or_all, 0.01, FORM_SHARE,
					PROPOSED ": slots that are in use are half full"),
				  AT_LEAST("stranded_pages in bytes", stranded_bytes, 1 << 20,
					   FORM_BYTES, PROPOSED ": less is no loss")),
	 .numbers = NUMBERS(IS("stranded_bytes", stranded_bytes, FORM_BYTES),
			    IS("stranded_to_bound", stranded_to_bound, FORM_SHARE),
			    IS("stranded_to_usage", stranded_to_usage, FORM_SHARE),
			    IS("stranded_cpus", stranded_cpus, FORM_COUNT),
			    IS("isolated_cpus", isolated_cpus, FORM_COUNT),
			    IS("more", more_cgroups, FORM_COUNT))},

	/* Rather than that nothing is unusual */
	{.name = "unexplained_misses",
	 .help = "Far more charges miss than the pages that they keep ask for, and no other rule "
		 "says why: miss_reasons and the rules that could not be judged are the next look",
	 .headline = "many charges miss and no rule says why",
	 .detail = "{miss_ratio} of charges miss| (expected: about {base.miss_ratio})|.",
	 .last_resort = true,
	 .inputs = INPUTS("charges", "miss_ratio", "miss_ratio_expected"),
	 .conditions =
		 CONDITIONS(ABOVE("miss_ratio", miss_ratio, 0.1, FORM_SHARE, PROPOSED), FIVE_TIMES),
	 .numbers = NUMBERS(IS("miss_ratio", miss_ratio, FORM_SHARE),
			    BASE("miss_ratio", miss_ratio_expected, FORM_SHARE))},
};

const size_t nrules = sizeof(rules) / sizeof(rules[0]);

_Static_assert(sizeof(rules) / sizeof(rules[0]) <= RULES_MAX, "RULES_MAX is too small");
