// SPDX-License-Identifier: GPL-2.0-only
/* The field table. Its order is that of the JSON, of `-s help` and of the man page. */
#include <string.h>

#include "model/fields_count.h"
#include "model/fields_null.h"

/* A part that is the sum of counters. */
#define ADDS(part, ...)                             \
	.name = (part), .counters = (const short[]) \
	{                                           \
		__VA_ARGS__, -1                     \
	}

/* A number that is the sum of counters. */
#define SUM(name, ...)                                         \
	static uint64_t count_##name(const struct scope *s)    \
	{                                                      \
		static const short list[] = {__VA_ARGS__, -1}; \
                                                               \
		return counters__sum(s, list);                 \
	}

SUM(charge_pages, C_CHARGE_PAGES + KIND_SOCK, C_CHARGE_PAGES + KIND_OBJ,
    C_CHARGE_PAGES + KIND_FOLIO, C_CHARGE_PAGES + KIND_OTHER, C_SOCK_INLINE_PAGES)
SUM(forced, C_FORCED)
SUM(failed, C_FAILED)
SUM(surplus_refills, C_SURPLUS_REFILLS)
SUM(evictions, C_EVICTIONS)
SUM(evicted, C_EVICTED)
SUM(evicted_pages, C_EVICTED_PAGES)
SUM(drained_pages, C_DRAINED_PAGES, C_WALK_DRAINED_PAGES)
SUM(try_walks, C_TRY_WALKS)
SUM(walk_pages, C_WALK_PAGES)
SUM(walk_levels, C_WALK_LEVELS)
SUM(walks_under_lock, C_WALK_UNDER_LOCK)
SUM(walks_beside_lock, C_WALK_BESIDE_LOCK)
SUM(sock_charge_pages, C_CHARGE_PAGES + KIND_SOCK, C_SOCK_INLINE_PAGES)
SUM(sock_uncharges, C_SOCK_UNCHARGES)
SUM(sock_uncharge_pages, C_SOCK_UNCHARGE_PAGES)
SUM(sock_failures, C_SOCK_FAILED + LEVEL_TASK, C_SOCK_FAILED + LEVEL_SOFTIRQ,
    C_SOCK_FAILED + LEVEL_HARDIRQ, C_SOCK_FAILED + LEVEL_NMI)
SUM(sock_stat_updates, C_STAT + STAT_SOCK)
SUM(misses_after_flush, C_MISS_AFTER_FLUSH)
SUM(limit_hits, C_LIMIT_HITS)
SUM(life_unseen, C_LIFE_UNSEEN)
SUM(drain_all_calls, C_DRAIN_ALL_CALLS)
SUM(drain_all_cpus, C_FLUSH_CPUS)
SUM(drain_all_skipped, C_DRAIN_ALL_SKIPPED)
SUM(drain_flush_pages, C_FLUSH_PAGES)
SUM(drain_innocent_pages, C_FLUSH_INNOCENT_PAGES)
SUM(rstat_updates, C_RSTAT_UPDATES)

/* What each measure cannot do without; what a machine has no use for is waived. */
#define CHARGE	     (BIT(PROG_CHARGE) | BIT(PROG_SOCK_CHARGE_EXIT))
#define MISS	     (BIT(PROG_TRY_WALK) | BIT(PROG_STOCK_CHARGE))
#define OBJ_UNCHARGE (BIT(PROG_OBJ_UNCHARGE) | BIT(PROG_OBJ_DRAIN))
#define UNCHARGE     (BIT(PROG_SOCK_UNCHARGE) | OBJ_UNCHARGE | BIT(PROG_FOLIO_UNCHARGE))
#define FLUSH	     (BIT(PROG_FLUSH) | BIT(PROG_FLUSH_EXIT))
#define HOTPLUG	     (BIT(PROG_HOTPLUG) | BIT(PROG_HOTPLUG_EXIT))
/* whose slot a drain takes, and why, only the refill or the flush around it tells */
#define EVICT	     (BIT(PROG_DRAIN) | BIT(PROG_REFILL) | FLUSH)
#define DRAIN	     (EVICT | BIT(PROG_WALK))
/* for whom a CPU is flushed, its caller alone tells */
#define DRAIN_ALL    (BIT(PROG_DRAIN_ALL) | FLUSH)

/* The charges of a kind, in all contexts. */
#define AT_LEVELS(kind)                                              \
	CHARGE_AT(kind, LEVEL_TASK), CHARGE_AT(kind, LEVEL_SOFTIRQ), \
		CHARGE_AT(kind, LEVEL_HARDIRQ), CHARGE_AT(kind, LEVEL_NMI)

static const struct part charge_kinds[] = {
	{ADDS("sock", AT_LEVELS(KIND_SOCK), C_SOCK_INLINE_LEVEL + LEVEL_TASK,
	      C_SOCK_INLINE_LEVEL + LEVEL_SOFTIRQ, C_SOCK_INLINE_LEVEL + LEVEL_HARDIRQ,
	      C_SOCK_INLINE_LEVEL + LEVEL_NMI),
	 .unless = null_sock, .needs = BIT(PROG_SOCK_CHARGE)},
	{ADDS("obj", AT_LEVELS(KIND_OBJ)), .unless = null_obj, .needs = BIT(PROG_OBJ_CHARGE)},
	{ADDS("folio", AT_LEVELS(KIND_FOLIO)), .needs = BIT(PROG_FOLIO_CHARGE)},
	{ADDS("other", AT_LEVELS(KIND_OTHER)), .unless = null_obj_rest},
	{}};

static const struct part miss_kinds[] = {
	{ADDS("sock", C_MISS_KIND + KIND_SOCK, C_STOCK_MISS_KIND + KIND_SOCK), .unless = null_sock,
	 .needs = BIT(PROG_SOCK_CHARGE)},
	{ADDS("obj", C_MISS_KIND + KIND_OBJ, C_STOCK_MISS_KIND + KIND_OBJ), .unless = null_obj,
	 .needs = BIT(PROG_OBJ_CHARGE)},
	{ADDS("folio", C_MISS_KIND + KIND_FOLIO, C_STOCK_MISS_KIND + KIND_FOLIO),
	 .needs = BIT(PROG_FOLIO_CHARGE)},
	{ADDS("other", C_MISS_KIND + KIND_OTHER, C_STOCK_MISS_KIND + KIND_OTHER),
	 .unless = null_obj_rest},
	{}};

static const struct part miss_reasons[] = {
	{ADDS("oversize", C_MISS_OVERSIZE, C_STOCK_MISS_OVERSIZE)},
	{ADDS("lock_busy", C_MISS_LOCK_BUSY), .unless = null_lock_busy},
	{ADDS("absent", C_MISS_ABSENT), .unless = null_stock},
	{ADDS("short", C_MISS_SHORT_LATE, C_MISS_SHORT_EMPTY, C_STOCK_MISS_SHORT),
	 .unless = null_unknown},
	{ADDS("raced", C_MISS_RACED), .unless = null_stock},
	{.name = "unknown", .count = count_miss_unknown},
	{}};

static const struct part uncharge_kinds[] = {
	{ADDS("sock", C_SOCK_UNCHARGES), .unless = null_sock, .needs = BIT(PROG_SOCK_UNCHARGE)},
	{ADDS("obj", C_OBJ_UNCHARGES, C_OBJ_DRAIN_UNCHARGES), .unless = null_obj,
	 .needs = OBJ_UNCHARGE},
	{ADDS("folio", C_FOLIO_UNCHARGES), .needs = BIT(PROG_FOLIO_UNCHARGE)},
	{ADDS("other", C_OTHER_UNCHARGES), .needs = BIT(PROG_WALK)},
	{}};

static const struct part refill_outcomes[] = {
	{ADDS("merged", C_REFILL + REFILL_MERGED, C_SOCK_REFILL + REFILL_MERGED)},
	{ADDS("new_slot", C_REFILL + REFILL_NEW_SLOT, C_SOCK_REFILL + REFILL_NEW_SLOT)},
	{ADDS("evicted", C_REFILL + REFILL_EVICTED, C_SOCK_REFILL + REFILL_EVICTED)},
	{ADDS("overflow", C_REFILL + REFILL_OVERFLOW, C_SOCK_REFILL + REFILL_OVERFLOW)},
	{ADDS("direct", C_REFILL + REFILL_DIRECT, C_SOCK_REFILL + REFILL_DIRECT),
	 .unless = null_direct_refill},
	{}};

static const struct part drain_causes[] = {
	{ADDS("overflow", C_DRAIN_CAUSE + CAUSE_OVERFLOW)},
	{ADDS("evict", C_DRAIN_CAUSE + CAUSE_EVICT)},
	{ADDS("flush", C_DRAIN_CAUSE + CAUSE_FLUSH, C_WALK_DRAIN_FLUSH)},
	{ADDS("hotplug", C_DRAIN_CAUSE + CAUSE_HOTPLUG, C_WALK_DRAIN_HOTPLUG), .needs = HOTPLUG},
	{}};

static const struct part walk_causes[] = {
	{ADDS("overflow", C_WALK_CAUSE + CAUSE_OVERFLOW), .unless = null_unknown},
	{ADDS("evict", C_WALK_CAUSE + CAUSE_EVICT), .unless = null_stock},
	{ADDS("flush", C_WALK_CAUSE + CAUSE_FLUSH), .unless = null_stock, .needs = FLUSH},
	{ADDS("hotplug", C_WALK_CAUSE + CAUSE_HOTPLUG), .unless = null_stock, .needs = HOTPLUG},
	{ADDS("direct", C_WALK_CAUSE + CAUSE_DIRECT)},
	{ADDS("unbatched", C_WALK_CAUSE + CAUSE_UNBATCHED)},
	{}};

static const struct part walk_users[] = {
	{ADDS("sock", C_WALK_USER + USER_SOCK), .unless = null_sock,
	 .needs = BIT(PROG_SOCK_UNCHARGE)},
	{ADDS("obj", C_WALK_USER + USER_OBJ), .unless = null_obj, .needs = OBJ_UNCHARGE},
	{ADDS("folio", C_WALK_USER + USER_FOLIO), .needs = BIT(PROG_FOLIO_UNCHARGE)},
	{ADDS("surplus", C_WALK_USER + USER_SURPLUS), .unless = null_stock,
	 .needs = BIT(PROG_REFILL)},
	{ADDS("flush", C_WALK_USER + USER_FLUSH), .unless = null_stock, .needs = FLUSH},
	{ADDS("other", C_WALK_USER + USER_OTHER)},
	{}};

static const struct part sock_charge_contexts[] = {
	{ADDS("task", CHARGE_AT(KIND_SOCK, LEVEL_TASK), C_SOCK_INLINE_LEVEL + LEVEL_TASK)},
	{ADDS("softirq", CHARGE_AT(KIND_SOCK, LEVEL_SOFTIRQ), C_SOCK_INLINE_LEVEL + LEVEL_SOFTIRQ)},
	{ADDS("hardirq", CHARGE_AT(KIND_SOCK, LEVEL_HARDIRQ), C_SOCK_INLINE_LEVEL + LEVEL_HARDIRQ)},
	{ADDS("nmi", CHARGE_AT(KIND_SOCK, LEVEL_NMI), C_SOCK_INLINE_LEVEL + LEVEL_NMI)},
	{}};

static const struct part sock_failure_contexts[] = {
	{ADDS("task", C_SOCK_FAILED + LEVEL_TASK)},
	{ADDS("softirq", C_SOCK_FAILED + LEVEL_SOFTIRQ)},
	{ADDS("hardirq", C_SOCK_FAILED + LEVEL_HARDIRQ)},
	{ADDS("nmi", C_SOCK_FAILED + LEVEL_NMI)},
	{}};

static const struct part stat_updates[] = {{ADDS("sock", C_STAT + STAT_SOCK), .unless = null_sock},
					   {ADDS("kmem", C_STAT + STAT_KMEM), .unless = null_obj},
					   {ADDS("percpu", C_STAT + STAT_PERCPU)},
					   {ADDS("vmalloc", C_STAT + STAT_VMALLOC)},
					   {ADDS("swap", C_STAT + STAT_SWAP)},
					   {ADDS("zswap", C_STAT + STAT_ZSWAP)},
					   {ADDS("other", C_STAT + STAT_OTHER)},
					   {}};

/* What a histogram is made of; of a cgroup SPAN_HOLD has both kinds of holds. */
#define SPANS(...)              \
	(const short[])         \
	{                       \
		__VA_ARGS__, -1 \
	}

#define COUNT(name) .unit = UNIT_COUNT, .count = count_##name
#define PAGES(name) .unit = UNIT_PAGES, .count = count_##name
#define CPUS(name)  .unit = UNIT_CPUS, .count = count_##name
#define RATIO(name) .unit = UNIT_RATIO, .ratio = ratio_##name
#define SHARE(name) RATIO(name), .share = true
#define SPLIT(name) .unit = UNIT_COUNT, .parts = name
#define NS(...)	    .unit = UNIT_NS, .spans = SPANS(__VA_ARGS__)
#define GAUGE(name) .gauge = gauge_##name

const struct field fields[] = {
	/* The charge side */
	{"charges", "CHARGES", COUNT(charges), .attr = ATTR_BY, .in = IN_ALL, .needs = CHARGE,
	 .help = "requests to charge a cgroup other than the root, granted or not"},
	{"charge_pages", "CHGPAGES", PAGES(charge_pages), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = CHARGE, .help = "pages that these requests asked for"},
	{"charge_kinds", "KINDS", SPLIT(charge_kinds), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = CHARGE, .help = "charges by who asked: sockets, kernel objects, folios, others"},
	{"hits", "HITS", COUNT(hits), .attr = ATTR_BY, .in = IN_ALL, .needs = CHARGE,
	 .needs_unseen = MISS, .unless = null_unknown,
	 .help = "charges that the stock of their CPU paid"},
	{"misses", "MISSES", COUNT(misses), .per_s = "MISS/s", .attr = ATTR_BY, .in = IN_ALL,
	 .needs = CHARGE, .needs_unseen = MISS, .unless = null_unknown,
	 .help = "charges that had to walk the page counters"},
	{"miss_ratio", "MISS%", SHARE(misses), .num = "misses", .den = "charges", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = CHARGE, .needs_unseen = MISS, .unless = null_unknown,
	 .help = "misses / charges"},
	{"miss_ratio_expected", "EXPECTED%", SHARE(misses_expected), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = CHARGE | UNCHARGE, .unless = null_expected,
	 .help = "the misses that growth alone makes: (charge_pages - uncharge_pages) / batch / "
		 "charges, from 0 to 1; charges that failed are in it"},
	{"hit_ratio", "HIT%", SHARE(hits), .num = "hits", .den = "charges", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = CHARGE, .needs_unseen = MISS, .unless = null_unknown,
	 .help = "hits / charges"},
	{"miss_kinds", "MISSKINDS", SPLIT(miss_kinds), .per_s = "MISSKD/s", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = MISS, .unless = null_unknown, .help = "misses by who asked"},
	{"miss_reasons", "WHY", SPLIT(miss_reasons), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = CHARGE | MISS, .unless = null_unknown,
	 .help = "misses by what consume_stock() met: more than a batch, a busy lock, no slot, too "
		 "few pages, or a slot that would have sufficed"},
	{"miss_ratio_small", "SMALL%", SHARE(misses_small), .num = "misses", .den = "charges",
	 .attr = ATTR_BY, .in = IN_ALL, .needs = CHARGE | MISS, .unless = null_unknown,
	 .help = "miss_ratio of the charges that fit into a batch: large folios miss by design"},
	{"misses_after_flush", "FLUSHMISS", COUNT(misses_after_flush), .per_s = "FLMISS/s",
	 .attr = ATTR_BY, .in = IN_ALL, .needs = BIT(PROG_TRY_WALK) | FLUSH,
	 .unless = null_timed_stock, .help = "misses within 1 ms of a flush of their CPU's stock"},
	{"limit_hits", "LIMITHITS", COUNT(limit_hits), .per_s = "LIMHIT/s", .attr = ATTR_OF,
	 .in = IN_ALL, .needs = BIT(PROG_TRY_WALK), .unless = null_try_walks,
	 .help = "walks to charge that the limit of this cgroup stopped, whoever below it charged"},
	{"forced", "FORCED", COUNT(forced), .attr = ATTR_OF, .in = IN_ALL, .needs = BIT(PROG_FORCE),
	 .help = "charges made past the limit, which cannot fail"},
	{"failed", "FAILED", COUNT(failed), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_CHARGE), .help = "charges that were refused"},

	/* The uncharge side */
	{"uncharges", "UNCHARGES", COUNT(uncharges), .per_s = "UNCHG/s", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = UNCHARGE | BIT(PROG_WALK), .help = "requests to give pages back"},
	{"uncharge_pages", "UNPAGES", PAGES(uncharge_pages), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = UNCHARGE, .help = "pages that these requests gave back"},
	{"uncharge_kinds", "UNKINDS", SPLIT(uncharge_kinds), .attr = ATTR_BY, .in = IN_ALL,
	 .help = "uncharges by who asked"},
	{"refills", "REFILLS", COUNT(refills), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_REFILL), .unless = null_stock,
	 .help = "times that pages were put into the stock"},
	{"surplus_refills", "SURPLUS", COUNT(surplus_refills), .per_s = "SURPLUS/s",
	 .attr = ATTR_BY, .in = IN_ALL, .needs = BIT(PROG_REFILL), .unless = null_stock,
	 .help = "refills with what a missed charge took beyond its need"},
	{"refill_outcomes", "OUTCOMES", SPLIT(refill_outcomes), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_REFILL), .unless = null_stock,
	 .help = "refills by what they did to the stock"},
	{"evictions", "EVICTIONS", COUNT(evictions), .per_s = "EVICT/s", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = EVICT, .unless = null_stock,
	 .help = "slots that this cgroup took from another, empty ones included"},
	{"evicted", "EVICTED", COUNT(evicted), .attr = ATTR_OF, .in = IN_ALL, .needs = EVICT,
	 .unless = null_stock, .help = "slots that another cgroup took from this one"},
	{"evicted_pages", "EVPAGES", PAGES(evicted_pages), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = EVICT, .unless = null_stock, .help = "pages that these slots held"},
	{"drains", "DRAINS", COUNT(drains), .attr = ATTR_OF, .in = IN_ALL, .needs = DRAIN,
	 .unless = null_stock, .help = "slots that were emptied or trimmed by a walk"},
	{"drain_causes", "DRCAUSES", SPLIT(drain_causes), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = DRAIN, .unless = null_stock, .help = "drains by their cause"},
	{"drained_pages", "DRPAGES", PAGES(drained_pages), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = DRAIN, .unless = null_stock, .help = "pages that drains gave back"},
	{"life_unseen", "UNSEEN", COUNT(life_unseen), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_REFILL), .unless = null_timed_stock,
	 .help = "slots that were given up unseen, used up or flushed: they are not in "
		 "slot_life_ns"},

	/* Drains of all CPUs */
	{"drain_all_calls", "DRAINALL", COUNT(drain_all_calls), .per_s = "DRALL/s", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = BIT(PROG_DRAIN_ALL), .unless = null_stock,
	 .help = "times that the stocks of all CPUs were to be drained for this cgroup"},
	{"drain_all_cpus", "DRCPUS", COUNT(drain_all_cpus), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = DRAIN_ALL, .unless = null_stock, .help = "CPUs that were flushed by these calls"},
	{"drain_all_skipped", "SKIPPED", COUNT(drain_all_skipped), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_DRAIN_ALL), .unless = null_stock,
	 .help = "isolated CPUs that these calls passed over although they held its pages"},
	{"drain_flush_pages", "FLPAGES", PAGES(drain_flush_pages), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = DRAIN_ALL | BIT(PROG_WALK), .unless = null_stock,
	 .help = "pages that these calls drained, whosever they were"},
	{"drain_innocent_pages", "INNOCENT", PAGES(drain_innocent_pages), .per_s = "INNOC/s",
	 .attr = ATTR_BY, .in = IN_ALL, .needs = DRAIN_ALL | BIT(PROG_WALK), .unless = null_stock,
	 .help = "pages of these that belonged neither to the cgroup nor to one below it"},
	{"drain_innocent_ratio", "INNOCENT%", SHARE(drain_innocent), .num = "drain_innocent_pages",
	 .den = "drain_flush_pages", .attr = ATTR_BY, .in = IN_ALL,
	 .needs = DRAIN_ALL | BIT(PROG_WALK), .unless = null_stock,
	 .help = "drain_innocent_pages / drain_flush_pages"},

	/* Walks of the page counters */
	{"try_walks", "TRYWALKS", COUNT(try_walks), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_TRY_WALK), .unless = null_try_walks,
	 .help = "walks up the page counters to charge, retries included"},
	{"walks", "WALKS", COUNT(walks), .attr = ATTR_OF, .in = IN_ALL, .needs = BIT(PROG_WALK),
	 .help = "walks up the page counters to uncharge"},
	{"walk_pages", "WALKPAGES", PAGES(walk_pages), .per_s = "WKPAGE/s", .attr = ATTR_OF,
	 .in = IN_ALL, .needs = BIT(PROG_WALK), .help = "pages that walks gave back"},
	{"walk_levels", "LEVELS", COUNT(walk_levels), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_WALK), .help = "page counters that walks touched"},
	{"walk_causes", "CAUSES", SPLIT(walk_causes), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_WALK) | BIT(PROG_REFILL), .help = "walks by what made them necessary"},
	{"walk_users", "USERS", SPLIT(walk_users), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_WALK), .help = "walks by who gave the pages back"},
	{"walks_under_lock", "LOCKED", COUNT(walks_under_lock), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_WALK) | BIT(PROG_REFILL), .unless = null_lock_seen,
	 .help = "walks made while holding the lock of the stock"},
	{"walks_beside_lock", "BESIDE", COUNT(walks_beside_lock), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_WALK) | BIT(PROG_REFILL), .unless = null_lock_seen,
	 .help = "walks made while another context of the CPU held the lock"},
	{"pages_per_walk", "PG/WALK", .unit = UNIT_PAGES, .ratio = ratio_pages_per_walk,
	 .num = "walk_pages", .den = "walks", .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_WALK), .help = "walk_pages / walks"},
	{"amplification", "AMPL", RATIO(amplification), .num = "walk_users.sock",
	 .den = "sock_uncharges", .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_WALK) | BIT(PROG_SOCK_UNCHARGE), .unless = null_sock,
	 .help = "walks for sockets / socket uncharges; 1/batch is ideal, 1 is no batching"},
	{"obj_amplification", "OBJAMPL", RATIO(obj_amplification), .num = "walk_users.obj",
	 .den = "uncharge_kinds.obj", .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_WALK) | OBJ_UNCHARGE, .unless = null_obj,
	 .help = "the same for kernel objects"},
	{"usage_updates", "USAGE", COUNT(usage_updates), .attr = ATTR_SUBTREE,
	 .in = IN_TOTAL | IN_CGROUP, .needs = BIT(PROG_WALK) | BIT(PROG_TRY_WALK),
	 .unless = null_try_walks,
	 .help = "walks of both directions by the cgroup and those below it: atomic operations on "
		 "its usage"},
	{"usage_cpus", "CPUS", CPUS(usage_cpus), .attr = ATTR_SUBTREE, .in = IN_TOTAL | IN_CGROUP,
	 .needs = BIT(PROG_WALK) | BIT(PROG_TRY_WALK), .unless = null_try_walks,
	 .help = "CPUs that made at least 1% of usage_updates"},

	/* Sockets */
	{"sock_charges", "SKCHARGES", COUNT(sock_charges), .per_s = "SKCHG/s", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = BIT(PROG_SOCK_CHARGE), .unless = null_sock,
	 .help = "calls by which sockets charge"},
	{"sock_charge_pages", "SKPAGES", PAGES(sock_charge_pages), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_SOCK_CHARGE), .unless = null_sock,
	 .help = "pages that sockets asked for"},
	{"sock_charge_contexts", "CONTEXTS", SPLIT(sock_charge_contexts), .attr = ATTR_BY,
	 .in = IN_ALL, .needs = BIT(PROG_SOCK_CHARGE), .unless = null_sock,
	 .help = "sock_charges by the context in which they came"},
	{"sock_uncharges", "SKUNCHG", COUNT(sock_uncharges), .attr = ATTR_BY, .in = IN_ALL,
	 .needs = BIT(PROG_SOCK_UNCHARGE), .unless = null_sock,
	 .help = "calls by which sockets give back"},
	{"sock_uncharge_pages", "SKUNPAGES", PAGES(sock_uncharge_pages), .per_s = "SKUNPG/s",
	 .attr = ATTR_BY, .in = IN_ALL, .needs = BIT(PROG_SOCK_UNCHARGE), .unless = null_sock,
	 .help = "pages that sockets gave back"},
	{"sock_failures", "SKFAILED", COUNT(sock_failures), .per_s = "SKFAIL/s", .attr = ATTR_BY,
	 .in = IN_ALL, .needs = BIT(PROG_CHARGE) | BIT(PROG_SOCK_CHARGE), .unless = null_sock,
	 .help = "socket charges that were refused"},
	{"sock_failure_contexts", "FAILCTX", SPLIT(sock_failure_contexts), .attr = ATTR_BY,
	 .in = IN_ALL, .needs = BIT(PROG_CHARGE) | BIT(PROG_SOCK_CHARGE), .unless = null_sock,
	 .help = "sock_failures by the context in which they came"},
	{"sock_stat_updates", "SKSTAT", COUNT(sock_stat_updates), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_STAT), .unless = null_sock_stat,
	 .help = "updates of the statistic of socket memory"},

	{"pressure_ns", "PRESSURE", .unit = UNIT_NS, .count = count_pressure_ns, .attr = ATTR_OF,
	 .in = IN_TOTAL | IN_CGROUP, .needs = BIT(PROG_PRESSURE), .unless = null_sock,
	 .help = "time under socket pressure: a second from each time that reclaim set it; the "
		 "total adds up cgroups"},
	{"pressure_sets", "PRSETS", COUNT(pressure_sets), .attr = ATTR_OF,
	 .in = IN_TOTAL | IN_CGROUP, .needs = BIT(PROG_PRESSURE), .unless = null_sock,
	 .help = "times that reclaim put the cgroup under socket pressure"},

	/* Statistics */
	{"stat_updates", "STATS", SPLIT(stat_updates), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_STAT), .unless = null_stat,
	 .help = "updates of the statistic of memory, by its item"},
	{"rstat_updates", "RSTAT", COUNT(rstat_updates), .attr = ATTR_OF, .in = IN_ALL,
	 .needs = BIT(PROG_RSTAT), .unless = null_rstat,
	 .help = "times that a cgroup was put on a list for its statistic to be added up"},

	/* What is held */
	{"memcgs", "MEMCGS", COUNT(memcgs), .level = true, .attr = ATTR_BY, .in = IN_CPU,
	 .needs = CHARGE, .unless = null_memcgs, .help = "cgroups that charged on this CPU"},
	{"slots_used", "SLOTS", .unit = UNIT_COUNT, GAUGE(slots_used), .attr = ATTR_OF,
	 .in = IN_CPU, .unless = null_stock_seen,
	 .help = "slots of this CPU's stock that a cgroup had at the end"},
	{"stranded_pages", "STRANDED", .unit = UNIT_PAGES, GAUGE(stranded_pages), .attr = ATTR_OF,
	 .in = IN_ALL, .unless = null_stock_seen,
	 .help = "pages that lay in the stocks at the end: charged, and used by nobody"},
	{"stranded_seen_max", "STRMAX", .unit = UNIT_PAGES, GAUGE(stranded_seen_max),
	 .attr = ATTR_OF, .in = IN_CGROUP, .unless = null_stock_seen,
	 .help = "the most that any look at the stocks found, since the start"},
	{"stranded_bound_pages", "STRBOUND", .unit = UNIT_PAGES, GAUGE(stranded_bound_pages),
	 .attr = ATTR_OF, .in = IN_ALL, .unless = null_stock,
	 .help = "the most that can lie there: a batch in each slot, of a cgroup one slot a CPU"},
	{"usage_bytes", "BYTES", .unit = UNIT_BYTES, GAUGE(usage_bytes), .attr = ATTR_SUBTREE,
	 .in = IN_CGROUP, .unless = null_usage, .help = "memory.current at the end"},
	{"limit_bytes", "LIMIT", .unit = UNIT_BYTES, GAUGE(limit_bytes), .attr = ATTR_SUBTREE,
	 .in = IN_CGROUP, .unless = null_limit, .help = "memory.max at the end"},
	{"sock_bytes", "SKBYTES", .unit = UNIT_BYTES, GAUGE(sock_bytes), .attr = ATTR_SUBTREE,
	 .in = IN_CGROUP, .unless = null_sock_bytes,
	 .help = "memory of sockets at the end, by memory.stat"},
	{"sock_share", "SOCK%", SHARE(sock_share), .num = "sock_bytes", .den = "limit_bytes",
	 .attr = ATTR_SUBTREE, .in = IN_CGROUP, .unless = null_sock_share,
	 .help = "sock_bytes / limit_bytes"},

	/* Times */
	{"charge_ns", "CHARGENS", NS(SPAN_CHARGE), .attr = ATTR_BY, .in = IN_TOTAL | IN_CGROUP,
	 .needs = BIT(PROG_CHARGE) | BIT(PROG_CHARGE_BEGIN), .unless = null_time,
	 .help = "what a charge takes, from the function around it that announced it"},
	{"sock_charge_ns", "SKCHGNS", NS(SPAN_SOCK_CHARGE), .attr = ATTR_BY,
	 .in = IN_TOTAL | IN_CGROUP, .needs = BIT(PROG_SOCK_CHARGE) | BIT(PROG_SOCK_CHARGE_EXIT),
	 .unless = null_sock_time, .help = "what a charge of a socket takes, statistic included"},
	{"sock_uncharge_ns", "SKUNCHGNS", NS(SPAN_SOCK_UNCHARGE), .attr = ATTR_BY,
	 .in = IN_TOTAL | IN_CGROUP,
	 .needs = BIT(PROG_SOCK_UNCHARGE) | BIT(PROG_SOCK_UNCHARGE_EXIT), .unless = null_sock_time,
	 .help = "what an uncharge of a socket takes"},
	{"try_walk_ns", "TRYWALKNS", NS(SPAN_TRY_WALK), .attr = ATTR_BY, .in = IN_TOTAL | IN_CGROUP,
	 .needs = BIT(PROG_TRY_WALK) | BIT(PROG_TRY_WALK_BEGIN), .unless = null_try_walk_time,
	 .help = "what a walk to charge takes"},
	{"walk_ns", "WALKNS", NS(SPAN_WALK), .attr = ATTR_OF, .in = IN_TOTAL | IN_CGROUP,
	 .needs = BIT(PROG_WALK) | BIT(PROG_WALK_EXIT), .unless = null_time,
	 .help = "what a walk to uncharge takes"},
	{"lock_hold_ns", "HOLDNS", NS(SPAN_HOLD, SPAN_HOLD_WALKED), .attr = ATTR_BY,
	 .in = IN_TOTAL | IN_CGROUP, .needs = BIT(PROG_REFILL) | BIT(PROG_REFILL_EXIT),
	 .unless = null_timed_stock,
	 .help = "how long a refill holds the lock of the stock: bounded by the time of its "
		 "function, from above if it takes the lock itself, from below if it is called "
		 "with the lock held; a refill past the stock holds none"},
	{"stat_update_ns", "STATNS", NS(SPAN_STAT), .attr = ATTR_OF, .in = IN_TOTAL,
	 .needs = BIT(PROG_SOCK_CHARGE) | BIT(PROG_STAT), .unless = null_stat_time,
	 .help = "what the update of the statistic takes that a socket charge makes"},
	{"lock_wait_ns", "WAITNS", NS(SPAN_LOCK_WAIT), .attr = ATTR_BY, .in = IN_TOTAL,
	 .needs = BIT(PROG_LOCK_WAIT) | BIT(PROG_LOCK_TAKEN), .unless = null_lock_wait,
	 .help = "how long the lock of a stock was waited for, with PREEMPT_RT"},
	{"slot_life_ns", "LIFENS", NS(SPAN_SLOT_LIFE), .attr = ATTR_OF, .in = IN_TOTAL,
	 .needs = BIT(PROG_REFILL) | BIT(PROG_DRAIN), .unless = null_timed_stock,
	 .help = "how long a cgroup kept its slot, where an eviction or an overflow ended it"},
};

const size_t nfields = sizeof(fields) / sizeof(fields[0]);

const struct field *field__find(const char *key)
{
	for (size_t i = 0; i < nfields; i++)
		/* the call alone is most of what it takes */
		if (*fields[i].key == *key && !strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

bool field__is_rate(const struct field *f)
{
	if (f->level || (f->unit != UNIT_COUNT && f->unit != UNIT_PAGES))
		return false;
	return f->count || f->parts;
}

#define KEY_MAX 32

/* Levenshtein's distance; a is a key of ours, b may be anything and is cut. */
static unsigned int distance(const char *a, const char *b)
{
	size_t la = strnlen(a, KEY_MAX), lb = strnlen(b, KEY_MAX);
	unsigned int row[KEY_MAX + 1];

	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		unsigned int diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned int best = diagonal + (a[i - 1] != b[j - 1]);

			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[lb];
}

const char *field__nearest(const char *key)
{
	const char *nearest = fields[0].key;
	unsigned int least = distance(nearest, key);

	for (size_t i = 1; i < nfields; i++) {
		unsigned int d = distance(fields[i].key, key);

		if (d < least) {
			least = d;
			nearest = fields[i].key;
		}
	}
	return nearest;
}
