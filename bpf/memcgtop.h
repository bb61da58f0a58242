/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the BPF programs and user space share: the row of counters, the
 * programs, the layout constants. Fixed-width types only.
 *
 * One field, one writer: programs nest on a CPU (only the same program is
 * skipped) and row->c[x]++ is load, add, store. Each counter below is added to
 * by exactly one program, named at its group. Where a measure has two sources
 * it has two counters, and the field table in src/model/fields.c adds them.
 */
#ifndef MEMCGTOP_H
#define MEMCGTOP_H

#ifndef VMLINUX_H
#include <linux/types.h>
#endif

/* The programs; the order is that of probes[] in every output. */
enum prog_id {
	PROG_CHARGE,	     /* fexit  try_charge_memcg */
	PROG_CONSUME,	     /* fexit  consume_stock, where it is a function */
	PROG_TRY_WALK,	     /* fexit  page_counter_try_charge */
	PROG_STOCK_CHARGE,   /* fexit  page_counter_try_charge_stock (per-counter) */
	PROG_FORCE,	     /* fentry page_counter_charge */
	PROG_SOCK_CHARGE,    /* fentry mem_cgroup_sk_charge or _charge_skmem */
	PROG_FOLIO_CHARGE,   /* fentry charge_memcg or __mem_cgroup_charge */
	PROG_OBJ_CHARGE,     /* fentry obj_cgroup_charge_pages */
	PROG_SOCK_UNCHARGE,  /* fentry mem_cgroup_sk_uncharge or _uncharge_skmem */
	PROG_OBJ_UNCHARGE,   /* fentry obj_cgroup_uncharge_pages */
	PROG_OBJ_DRAIN,	     /* fentry drain_obj_stock or drain_obj_stock_slot */
	PROG_FOLIO_UNCHARGE, /* fentry uncharge_batch */
	PROG_REFILL,	     /* fentry __refill_stock or refill_stock */
	PROG_DRAIN,	     /* fentry drain_stock */
	PROG_FLUSH,	     /* fentry drain_local_memcg_stock or drain_local_stock */
	PROG_FLUSH_EXIT,
	PROG_HOTPLUG, /* fentry memcg_hotplug_cpu_dead */
	PROG_HOTPLUG_EXIT,
	PROG_WALK,	       /* fentry page_counter_uncharge */
	PROG_STAT,	       /* tp_btf mod_memcg_state, or fentry (__)mod_memcg_state */
	PROG_CHECK,	       /* fentry try_charge_memcg, with --verify only */
	PROG_SOCK_CHARGE_EXIT, /* fexit  mem_cgroup_sk_charge, where no inner hook tells the end */
	/* with time on */
	PROG_CHARGE_BEGIN,	 /* fentry try_charge_memcg, where an outer hook may be missing */
	PROG_TRY_WALK_BEGIN,	 /* fentry page_counter_try_charge */
	PROG_REFILL_EXIT,	 /* fexit  of PROG_REFILL's function */
	PROG_SOCK_UNCHARGE_EXIT, /* fexit  where no refill tells the end */
	PROG_WALK_EXIT,		 /* fexit  page_counter_uncharge */
	/* with --lock exact */
	PROG_LOCK_TRY,	 /* fexit  rt_spin_trylock */
	PROG_LOCK_WAIT,	 /* fentry rt_spin_lock */
	PROG_LOCK_TAKEN, /* fexit  rt_spin_lock */
	PROG_UNLOCK,	 /* fentry rt_spin_unlock */
	/* rare events, and what is asked for */
	PROG_DRAIN_ALL,	 /* kprobe drain_all_stock.part.N */
	PROG_DRAIN_BUSY, /* fexit  mutex_trylock, with --drains */
	PROG_PRESSURE,	 /* fexit  vmpressure */
	PROG_RSTAT,	 /* fentry css_rstat_updated and its like, with --rstat */
	PROG_NR
};

/* Who asked: the kinds of a charge or an uncharge. */
enum kind { KIND_SOCK, KIND_OBJ, KIND_FOLIO, KIND_OTHER, KIND_NR };

/* Context levels; the order is that of sock_charge_contexts. */
enum level { LEVEL_TASK, LEVEL_SOFTIRQ, LEVEL_HARDIRQ, LEVEL_NMI, LEVEL_NR };

/* Why a charge missed the stock: consume_stock()'s own tests, in its order. */
enum miss_reason {
	MISS_OVERSIZE,	/* more than a batch: the stock is not tried */
	MISS_LOCK_BUSY, /* the trylock would fail */
	MISS_ABSENT,	/* no slot holds this memcg */
	MISS_SHORT,	/* its slot has too few pages */
	MISS_RACED,	/* at the walk the slot would have sufficed */
	MISS_NR
};

/* What a refill does to the stock. */
enum refill_outcome {
	REFILL_MERGED,	 /* added to the slot that this memcg has */
	REFILL_NEW_SLOT, /* took a free slot */
	REFILL_EVICTED,	 /* took the slot of another memcg */
	REFILL_OVERFLOW, /* the slot came above the batch */
	REFILL_DIRECT,	 /* past the stock: oversize or lock busy */
	REFILL_NR
};

enum walk_cause {
	CAUSE_OVERFLOW,
	CAUSE_EVICT,
	CAUSE_FLUSH, /* drain_all_stock: memory.max or .high, offline */
	CAUSE_HOTPLUG,
	CAUSE_DIRECT,
	CAUSE_UNBATCHED, /* never tried the stock */
	CAUSE_NR
};

enum walk_user { USER_SOCK, USER_OBJ, USER_FOLIO, USER_SURPLUS, USER_FLUSH, USER_OTHER, USER_NR };

/* Items of the statistic that mod_memcg_state() updates: what the stat hook sees. */
enum stat_item {
	STAT_SOCK,
	STAT_KMEM,
	STAT_PERCPU,
	STAT_VMALLOC,
	STAT_SWAP,
	STAT_ZSWAP,
	STAT_OTHER,
	STAT_NR
};

/* Counters of a row. "by": the row of the memcg that acts; "of": whose pages move. */
enum counter {
	/* PROG_CHARGE, by */
	C_CHARGE,					/* [KIND_NR][LEVEL_NR]: CHARGE_AT */
	C_CHARGE_PAGES = C_CHARGE + KIND_NR * LEVEL_NR, /* [KIND_NR] */
	C_FAILED = C_CHARGE_PAGES + KIND_NR,
	C_SOCK_FAILED,				      /* [LEVEL_NR] */
	C_MISS_SHORT_LATE = C_SOCK_FAILED + LEVEL_NR, /* slot too small, known when nr is */
	C_MISS_RACED,
	C_TIMED_SOCK_NS, /* of SPAN_CHARGE: what sockets charged */
	/* PROG_TRY_WALK, by */
	C_TRY_WALKS,
	C_MISS_KIND, /* [KIND_NR] */
	C_MISS_OVERSIZE = C_MISS_KIND + KIND_NR,
	C_MISS_LOCK_BUSY,
	C_MISS_ABSENT,
	C_MISS_SHORT_EMPTY, /* slot with 0 pages */
	C_MISS_AFTER_FLUSH, /* within 1 ms of a flush of this CPU, with time on */
	C_LIMIT_HITS,	    /* of: its limit made the walk fail, and not for the sake of a batch */
	/* PROG_STOCK_CHARGE, by: the per-counter design */
	C_STOCK_MISS_KIND, /* [KIND_NR] */
	C_STOCK_MISS_OVERSIZE = C_STOCK_MISS_KIND + KIND_NR,
	C_STOCK_MISS_SHORT,
	/* PROG_CONSUME, by */
	C_CONSUME_HIT,
	C_CONSUME_MISS,
	/* PROG_FORCE, of */
	C_FORCED,
	/* PROG_SOCK_CHARGE_EXIT, by: hits inlined into the socket path */
	C_SOCK_INLINE_LEVEL, /* [LEVEL_NR] */
	C_SOCK_INLINE_PAGES = C_SOCK_INLINE_LEVEL + LEVEL_NR,
	/* PROG_SOCK_UNCHARGE, by */
	C_SOCK_UNCHARGES,
	C_SOCK_UNCHARGE_PAGES,
	C_SOCK_REFILL, /* [REFILL_NR], nr_sock[] kernels */
	/* PROG_OBJ_UNCHARGE, PROG_OBJ_DRAIN, PROG_FOLIO_UNCHARGE, by */
	C_OBJ_UNCHARGES = C_SOCK_REFILL + REFILL_NR,
	C_OBJ_UNCHARGE_PAGES,
	C_OBJ_DRAIN_UNCHARGES,
	C_OBJ_DRAIN_UNCHARGE_PAGES,
	C_FOLIO_UNCHARGES,
	C_FOLIO_UNCHARGE_PAGES,
	/* PROG_REFILL, by */
	C_REFILL, /* [REFILL_NR] */
	C_SURPLUS_REFILLS = C_REFILL + REFILL_NR,
	C_LIFE_UNSEEN, /* a slot whose life ended unseen: used up, or flushed inline */
	/* PROG_REFILL_EXIT, by: of the holds' ns */
	C_TIMED_REFILL_SOCK_NS,
	C_TIMED_REFILL_SURPLUS_NS,
	C_HOLD_CHECKED, /* --lock exact: holds of which bound and exact are known */
	C_HOLD_DIFFER,	/* not lower <= exact <= upper */
	/* PROG_DRAIN: evictions by, the rest of */
	C_EVICTIONS,
	C_EVICTED,
	C_EVICTED_PAGES,
	C_DRAIN_CAUSE, /* [4]: overflow to hotplug */
	C_DRAINED_PAGES = C_DRAIN_CAUSE + 4,
	/* PROG_WALK: users by, the rest of */
	C_WALK_CAUSE,			       /* [CAUSE_NR] */
	C_WALK_USER = C_WALK_CAUSE + CAUSE_NR, /* [USER_NR] */
	C_WALK_PAGES = C_WALK_USER + USER_NR,
	C_WALK_LEVELS,
	C_WALK_UNDER_LOCK,
	C_WALK_BESIDE_LOCK,
	C_OTHER_UNCHARGES,  /* walks that no uncharge hook announced */
	C_WALK_DRAIN_FLUSH, /* drains whose drain_stock is inlined */
	C_WALK_DRAIN_HOTPLUG,
	C_WALK_DRAINED_PAGES,
	/* PROG_WALK, by the initiator of the flush */
	C_FLUSH_PAGES,
	C_FLUSH_INNOCENT_PAGES, /* of cgroups that are not below it */
	/* PROG_WALK_EXIT, by: of SPAN_WALK, what was inside a refill */
	C_TIMED_WALK_REFILL_NS,
	/* PROG_FLUSH, by the initiator: CPUs whose stock was flushed for it */
	C_FLUSH_CPUS,
	/* PROG_DRAIN_ALL, by the initiator */
	C_DRAIN_ALL_CALLS,
	C_DRAIN_ALL_SKIPPED, /* isolated CPUs that hold pages of it and are passed over */
	/* PROG_STAT, of */
	C_STAT, /* [STAT_NR] */
	/* PROG_RSTAT, of */
	C_RSTAT_UPDATES = C_STAT + STAT_NR,
	/* PROG_CHECK with PROG_CHARGE, by */
	C_CHECKED,
	C_CHECK_DIFFER,
	C_NR
};

#define CHARGE_AT(kind, level) (C_CHARGE + (kind)*LEVEL_NR + (level))

/* Rows. Row 0 is `other`: what found no free row, so that sums still add up. */
#define ROW_OTHER      0
#define ROWS_DEFAULT   4096
/*
 * A memcg's place in the index is css.serial_nr modulo this. Serials are given
 * out one after the other, so two live memcgs share a place only when more
 * than so many css of any kind were made between them.
 */
#define INDEX_SIZE     65536
/* An index entry is css.serial_nr << 16 | row: one word, so it changes in one store. */
#define INDEX_ROW_BITS 16

struct memcg_row {
	__u64 c[C_NR];
};

/* NAME_MAX and a NUL. */
#define CGROUP_NAME 256

/* Of what is above a cgroup no more is known. */
#define ABOVE_MAX 16

/* Who a row belongs to; written once, when the row is handed out. */
struct row_id {
	__u64 serial;		/* css.serial_nr: unique for the boot */
	__u64 cgroup;		/* kernfs id */
	__u64 parent;		/* kernfs id of the parent memcg's cgroup, 0 for the root */
	__u32 depth;		/* counters that a walk touches, the root's included */
	__u64 above[ABOVE_MAX]; /* kernfs ids of all above it, the parent first */
	char name[CGROUP_NAME]; /* of the cgroup alone: it may be gone before user space looks */
};

/*
 * What happens to a row too rarely to have a copy for each CPU. User space maps
 * these; each group has one program that writes it.
 */
struct row_note {
	/* PROG_TRY_WALK, of: at the last walk that its limit made fail, in pages */
	__u64 hit_usage;
	__u64 hit_limit;
	/* PROG_PRESSURE, of: under socket pressure since .. until, and in the past, in ns */
	__u64 pressure_since;
	__u64 pressure_until;
	__u64 pressure_past;
	__u64 pressure_sets;
	__u64 pressure_setter;	/* kernfs id of the cgroup that it ran in */
	__u64 pressure_jiffies; /* what the kernel set last */
};

/* How long a set lasts: mem_cgroup_set_socket_pressure() says HZ. */
#define PRESSURE_NS 1000000000ULL

/*
 * What is timed, in ns. The first ones are kept for each cgroup too. With
 * --sample 1/N one in N is timed, at random: what is nested in it goes with it.
 */
enum span {
	SPAN_CHARGE,	  /* by: from the outer hook that announced it to try_charge_memcg's exit */
	SPAN_SOCK_CHARGE, /* by: mem_cgroup_sk_charge to its statistic update, or its exit */
	SPAN_SOCK_UNCHARGE, /* by: mem_cgroup_sk_uncharge to its refill's exit, or its own */
	SPAN_TRY_WALK,	    /* by: page_counter_try_charge */
	SPAN_WALK,	    /* of: page_counter_uncharge */
	SPAN_HOLD, /* by: refill_stock; as a histogram of all: those without a walk inside */
	SPAN_ROW_NR,
	SPAN_HOLD_WALKED = SPAN_ROW_NR, /* refills with a walk inside */
	SPAN_WALK_LOCKED,		/* walks under the lock: a hold is at least so long */
	SPAN_STAT,			/* the statistic update of a socket charge */
	SPAN_HOLD_EXACT,		/* --lock exact: from taken to unlocked */
	SPAN_LOCK_WAIT,			/* --lock exact: rt_spin_lock of a stock */
	SPAN_SLOT_LIFE,			/* from new_slot or evicted to the drain of the slot */
	SPAN_NR
};

/*
 * Buckets: 0 and 1 each their own, then four an octave with inclusive upper
 * edges (hist_edge() in src/model/histogram.h); the last is open.
 */
#define HIST_BUCKETS 128

struct hist {
	__u64 sum; /* ns */
	__u64 max; /* since attach */
	__u64 buckets[HIST_BUCKETS];
};

/* Of a cgroup: up to 2^OCTAVE_FIRST ns, then one an octave; the last is open. */
#define OCTAVE_FIRST 5
#define OCTAVES	     24

struct row_times {
	__u64 slot_since; /* when this memcg got its slot on this CPU, 0: not known */
	struct row_span {
		__u64 sum;
		__u64 max;
		__u64 octaves[OCTAVES];
	} spans[SPAN_ROW_NR];
};

/* Who evicts whom. */
struct pair_key {
	__u64 by; /* kernfs id, 0: other */
	__u64 of;
};

struct pair_count {
	__u64 evictions;
	__u64 pages;
};

#define PAIRS_MAX 4096

/* Losses that are no row's, per CPU. */
enum loss {
	LOSS_MAP_FULL,
	LOSS_INSERT_FAILED,
	LOSS_UNMATCHED,
	LOSS_UNKNOWN_COUNTER,
	LOSS_PAIR_FULL,
	LOSS_NR
};

/* Sizes of first walks, to observe the batch: index min(nr, WALK_SIZES - 1). */
#define WALK_SIZES 256

/* Functions of a caller's stack that are kept. */
#define STACK_FRAMES 12

/* Slots of a stock that the programs can look at; a larger design is `unknown`. */
#define SLOTS_MAX 16

#endif
