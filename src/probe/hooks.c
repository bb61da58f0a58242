// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "probe/hooks.h"

static bool single_slot(const struct kernel *k)
{
	return k->design == DESIGN_SINGLE_SLOT;
}

static bool multi_slot(const struct kernel *k)
{
	return k->design == DESIGN_MULTI_SLOT || k->design == DESIGN_MULTI_SLOT_SOCK;
}

static bool has_stock(const struct kernel *k)
{
	return single_slot(k) || multi_slot(k);
}

static bool per_counter(const struct kernel *k)
{
	return k->design == DESIGN_PER_COUNTER;
}

static bool sock_inlined(const struct kernel *k)
{
	return k->design == DESIGN_MULTI_SLOT_SOCK;
}

/* obj_cgroup_charge_pages is a function of its own since 7.2; before, obj charges are the rest. */
static bool obj_charge_split(const struct kernel *k)
{
	return kernel__function(k, "obj_cgroup_charge_pages", NULL) > 0;
}

static bool stat_asked(const struct asking *a)
{
	return !a->want->no_stat;
}

static bool verify_asked(const struct asking *a)
{
	return a->want->verify;
}

static bool time_asked(const struct asking *a)
{
	return a->want->asked.sample_every;
}

/* With time on: where the statistic's tracepoint does not tell the end. */
static bool sock_charge_exit_asked(const struct asking *a)
{
	const struct alternative *stat = a->choices[PROG_STAT].alt;

	return sock_inlined(a->kernel) ||
	       (time_asked(a) && (!stat || stat->method != METHOD_TP_BTF));
}

static bool charge_begin_asked(const struct asking *a)
{
	return time_asked(a) &&
	       (!a->choices[PROG_SOCK_CHARGE].alt || !a->choices[PROG_OBJ_CHARGE].alt ||
		!a->choices[PROG_FOLIO_CHARGE].alt);
}

/* The refill, where it is a function of its own, is the last that an uncharge does. */
static bool sock_uncharge_exit_asked(const struct asking *a)
{
	return time_asked(a) && (sock_inlined(a->kernel) || !a->choices[PROG_REFILL_EXIT].alt);
}

static bool lock_is_rt(const struct kernel *k)
{
	return k->lock == LOCK_OWNER;
}

static bool lock_asked(const struct asking *a)
{
	return a->want->asked.lock_exact;
}

static bool rstat_asked(const struct asking *a)
{
	return a->want->asked.rstat;
}

static bool drains_asked(const struct asking *a)
{
	return a->want->asked.drains;
}

const struct hook hooks[PROG_NR] = {
	[PROG_CHARGE] =
		{
			.prog = PROG_CHARGE,
			.name = "charge",
			.at = "exit",
			.alt = {{"try_charge_memcg", METHOD_FEXIT, 3, "charge_exit", NULL}},
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_CONSUME] =
		{
			.prog = PROG_CONSUME,
			.name = "consume",
			.at = "exit",
			.alt = {{"consume_stock", METHOD_FEXIT, 2, "consume_exit", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_TRY_WALK] =
		{
			.prog = PROG_TRY_WALK,
			.name = "try_walk",
			.at = "exit",
			.alt = {{"page_counter_try_charge", METHOD_FEXIT, 3, "try_walk", NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_STOCK_CHARGE] =
		{
			.prog = PROG_STOCK_CHARGE,
			.name = "stock_charge",
			.at = "exit",
			.alt = {{"page_counter_try_charge_stock", METHOD_FEXIT, 4, "stock_charge",
				 NULL}},
			.applies = per_counter,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_FORCE] =
		{
			.prog = PROG_FORCE,
			.name = "force",
			.at = "entry",
			.alt = {{"page_counter_charge", METHOD_FENTRY, 2, "force_charge", NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_SOCK_CHARGE] =
		{
			.prog = PROG_SOCK_CHARGE,
			.name = "sock_charge",
			.at = "entry",
			.alt = {{"mem_cgroup_sk_charge", METHOD_FENTRY, 3, "sk_charge", NULL},
				{"mem_cgroup_charge_skmem", METHOD_FENTRY, 3, "skmem_charge",
				 NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_FOLIO_CHARGE] =
		{
			.prog = PROG_FOLIO_CHARGE,
			.name = "folio_charge",
			.at = "entry",
			.alt = {{"charge_memcg", METHOD_FENTRY, 3, "folio_charge", NULL},
				{"__mem_cgroup_charge", METHOD_FENTRY, 3, "folio_charge_mm", NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_OBJ_CHARGE] =
		{
			.prog = PROG_OBJ_CHARGE,
			.name = "obj_charge",
			.at = "entry",
			.alt = {{"obj_cgroup_charge_pages", METHOD_FENTRY, 3, "obj_charge", NULL}},
			.applies = obj_charge_split,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_SOCK_UNCHARGE] =
		{
			.prog = PROG_SOCK_UNCHARGE,
			.name = "sock_uncharge",
			.at = "entry",
			.alt = {{"mem_cgroup_sk_uncharge", METHOD_FENTRY, 2, "sk_uncharge", NULL},
				{"mem_cgroup_uncharge_skmem", METHOD_FENTRY, 2, "skmem_uncharge",
				 NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_OBJ_UNCHARGE] =
		{
			.prog = PROG_OBJ_UNCHARGE,
			.name = "obj_uncharge",
			.at = "entry",
			.alt = {{"obj_cgroup_uncharge_pages", METHOD_FENTRY, 2, "obj_uncharge",
				 NULL}},
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_OBJ_DRAIN] =
		{
			.prog = PROG_OBJ_DRAIN,
			.name = "obj_drain",
			.at = "entry",
			.alt = {{"drain_obj_stock_slot", METHOD_FENTRY, 2, "obj_drain_slot", NULL},
				{"drain_obj_stock", METHOD_FENTRY, 1, "obj_drain_old", single_slot},
				{"drain_obj_stock", METHOD_FENTRY, 1, "obj_drain", NULL}},
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_FOLIO_UNCHARGE] =
		{
			.prog = PROG_FOLIO_UNCHARGE,
			.name = "folio_uncharge",
			.at = "entry",
			.alt = {{"uncharge_batch", METHOD_FENTRY, 1, "folio_uncharge", NULL}},
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_REFILL] =
		{
			.prog = PROG_REFILL,
			.name = "refill",
			.at = "entry",
			/* where both are functions refill_stock calls the other, and not alone */
			.alt = {{"__refill_stock", METHOD_FENTRY, 2, "refill", NULL},
				{"refill_stock", METHOD_FENTRY, 2, "refill", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_DRAIN] =
		{
			.prog = PROG_DRAIN,
			.name = "drain",
			.at = "entry",
			.alt = {{"drain_stock", METHOD_FENTRY, 1, "drain_single", single_slot},
				{"drain_stock", METHOD_FENTRY, 2, "drain_slot", multi_slot}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	/* drain_all_stock itself attaches and never fires: its callers call a .part.0 of it */
	[PROG_FLUSH] =
		{
			.prog = PROG_FLUSH,
			.name = "flush",
			.at = "entry",
			.alt = {{"drain_local_memcg_stock", METHOD_FENTRY, 1, "flush_begin", NULL},
				{"drain_local_stock", METHOD_FENTRY, 1, "flush_begin", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_FLUSH_EXIT] =
		{
			.prog = PROG_FLUSH_EXIT,
			.name = "flush_exit",
			.at = "exit",
			.alt = {{"drain_local_memcg_stock", METHOD_FEXIT, 1, "flush_end", NULL},
				{"drain_local_stock", METHOD_FEXIT, 1, "flush_end", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_HOTPLUG] =
		{
			.prog = PROG_HOTPLUG,
			.name = "hotplug",
			.at = "entry",
			.alt = {{"memcg_hotplug_cpu_dead", METHOD_FENTRY, 1, "hotplug_begin",
				 NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_HOTPLUG_EXIT] =
		{
			.prog = PROG_HOTPLUG_EXIT,
			.name = "hotplug_exit",
			.at = "exit",
			.alt = {{"memcg_hotplug_cpu_dead", METHOD_FEXIT, 1, "hotplug_end", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_WALK] =
		{
			.prog = PROG_WALK,
			.name = "walk",
			.at = "entry",
			.alt = {{"page_counter_uncharge", METHOD_FENTRY, 2, "walk", NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	/*
	 * 7.1 and 7.2 call __mod_memcg_state straight from the uncharge side and by
	 * mod_memcg_state from the charge side: the inner one, or the tracepoint, sees both.
	 */
	[PROG_STAT] =
		{
			.prog = PROG_STAT,
			.name = "stat",
			.at = "event",
			.alt = {{"mod_memcg_state", METHOD_TP_BTF, 0, "stat_event", NULL},
				{"__mod_memcg_state", METHOD_FENTRY, 3, "stat_call", NULL},
				{"mod_memcg_state", METHOD_FENTRY, 3, "stat_call", NULL}},
			.asked = stat_asked,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_CHECK] =
		{
			.prog = PROG_CHECK,
			.name = "check",
			.at = "entry",
			.alt = {{"try_charge_memcg", METHOD_FENTRY, 3, "check_charge", NULL}},
			.applies = has_stock,
			.asked = verify_asked,
			.reason_if_absent = REASON_INLINED,
		},
	/* needed where the socket path has the stock inlined, and else for its time alone */
	[PROG_SOCK_CHARGE_EXIT] =
		{
			.prog = PROG_SOCK_CHARGE_EXIT,
			.name = "sock_charge_exit",
			.at = "exit",
			.alt = {{"mem_cgroup_sk_charge", METHOD_FEXIT, 3, "sk_charge_exit", NULL},
				{"mem_cgroup_charge_skmem", METHOD_FEXIT, 3, "sk_charge_exit",
				 NULL}},
			.asked = sock_charge_exit_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	/* unannounced charges begin here; the others where their outer hook announced them */
	[PROG_CHARGE_BEGIN] =
		{
			.prog = PROG_CHARGE_BEGIN,
			.name = "charge_begin",
			.at = "entry",
			.alt = {{"try_charge_memcg", METHOD_FENTRY, 3, "charge_begin", NULL}},
			.asked = charge_begin_asked,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_TRY_WALK_BEGIN] =
		{
			.prog = PROG_TRY_WALK_BEGIN,
			.name = "try_walk_begin",
			.at = "entry",
			.alt = {{"page_counter_try_charge", METHOD_FENTRY, 3, "try_walk_begin",
				 NULL}},
			.asked = time_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_REFILL_EXIT] =
		{
			.prog = PROG_REFILL_EXIT,
			.name = "refill_exit",
			.at = "exit",
			.alt = {{"__refill_stock", METHOD_FEXIT, 2, "refill_exit", NULL},
				{"refill_stock", METHOD_FEXIT, 2, "refill_exit", NULL}},
			.applies = has_stock,
			.asked = time_asked,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_SOCK_UNCHARGE_EXIT] =
		{
			.prog = PROG_SOCK_UNCHARGE_EXIT,
			.name = "sock_uncharge_exit",
			.at = "exit",
			.alt = {{"mem_cgroup_sk_uncharge", METHOD_FEXIT, 2, "sk_uncharge_exit",
				 NULL},
				{"mem_cgroup_uncharge_skmem", METHOD_FEXIT, 2, "sk_uncharge_exit",
				 NULL}},
			.asked = sock_uncharge_exit_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_WALK_EXIT] =
		{
			.prog = PROG_WALK_EXIT,
			.name = "walk_exit",
			.at = "exit",
			.alt = {{"page_counter_uncharge", METHOD_FEXIT, 2, "walk_exit", NULL}},
			.asked = time_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	/* every spinlock of the kernel goes through these: on request only */
	[PROG_LOCK_TRY] =
		{
			.prog = PROG_LOCK_TRY,
			.name = "lock_try",
			.at = "exit",
			.alt = {{"rt_spin_trylock", METHOD_FEXIT, 1, "lock_try", NULL}},
			.applies = lock_is_rt,
			.asked = lock_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_LOCK_WAIT] =
		{
			.prog = PROG_LOCK_WAIT,
			.name = "lock_wait",
			.at = "entry",
			.alt = {{"rt_spin_lock", METHOD_FENTRY, 1, "lock_wait", NULL}},
			.applies = lock_is_rt,
			.asked = lock_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_LOCK_TAKEN] =
		{
			.prog = PROG_LOCK_TAKEN,
			.name = "lock_taken",
			.at = "exit",
			.alt = {{"rt_spin_lock", METHOD_FEXIT, 1, "lock_taken", NULL}},
			.applies = lock_is_rt,
			.asked = lock_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_UNLOCK] =
		{
			.prog = PROG_UNLOCK,
			.name = "unlock",
			.at = "entry",
			.alt = {{"rt_spin_unlock", METHOD_FENTRY, 1, "unlock", NULL}},
			.applies = lock_is_rt,
			.asked = lock_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	/* what is left of drain_all_stock behind its mutex_trylock; see PROG_FLUSH */
	[PROG_DRAIN_ALL] =
		{
			.prog = PROG_DRAIN_ALL,
			.name = "drain_all",
			.at = "entry",
			.alt = {{"drain_all_stock.part.0", METHOD_KPROBE, 0, "drain_all", NULL},
				{"drain_all_stock.isra.0", METHOD_KPROBE, 0, "drain_all", NULL},
				{"drain_all_stock.constprop.0", METHOD_KPROBE, 0, "drain_all",
				 NULL},
				/* last: it is there in any case, and called where it is whole */
				{"drain_all_stock", METHOD_KPROBE, 0, "drain_all", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_DRAIN_BUSY] =
		{
			.prog = PROG_DRAIN_BUSY,
			.name = "drain_busy",
			.at = "exit",
			.alt = {{"mutex_trylock", METHOD_FEXIT, 1, "drain_busy", NULL}},
			.applies = has_stock,
			.asked = drains_asked,
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_PRESSURE] =
		{
			.prog = PROG_PRESSURE,
			.name = "pressure",
			.at = "exit",
			.alt = {{"vmpressure", METHOD_FEXIT, 5, "pressure_old", NULL},
				{"vmpressure", METHOD_FEXIT, 6, "pressure", NULL}},
			.reason_if_absent = REASON_ABSENT,
		},
	[PROG_RSTAT] =
		{
			.prog = PROG_RSTAT,
			.name = "rstat",
			.at = "entry",
			.alt = {{"__css_rstat_updated", METHOD_FENTRY, 2, "rstat_css", NULL},
				{"css_rstat_updated", METHOD_FENTRY, 2, "rstat_css", NULL},
				{"__cgroup_rstat_updated", METHOD_FENTRY, 2, "rstat_cgroup", NULL},
				{"cgroup_rstat_updated", METHOD_FENTRY, 2, "rstat_cgroup", NULL}},
			.asked = rstat_asked,
			.reason_if_absent = REASON_ABSENT,
		},
};

const char *method__name(enum method m)
{
	static const char *const names[] = {"fentry", "fexit", "tp_btf", "kprobe"};

	return names[m];
}

void hooks__describe(const struct choice choices[PROG_NR], struct sample *s)
{
	int i;

	s->nprobes = PROG_NR;
	for (i = 0; i < PROG_NR; i++) {
		const struct choice *c = &choices[i];
		struct probe *p = &s->probes[i];

		memset(p, 0, sizeof(*p));
		p->prog = i;
		p->state = c->state;
		p->reason = c->reason;
		snprintf(p->hook, sizeof(p->hook), "%s", hooks[i].name);
		snprintf(p->at, sizeof(p->at), "%s", hooks[i].at);
		snprintf(p->function, sizeof(p->function), "%s", c->function ? c->function : "");
		if (c->alt)
			snprintf(p->method, sizeof(p->method), "%s", method__name(c->alt->method));
	}
}
