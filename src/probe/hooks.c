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
	[PROG_SOCK_CHARGE_EXIT] =
		{
			.prog = PROG_SOCK_CHARGE_EXIT,
			.name = "sock_charge_exit",
			.at = "exit",
			.alt = {{"mem_cgroup_sk_charge", METHOD_FEXIT, 3, "sk_charge_exit", NULL}},
			.applies = sock_inlined,
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
			.reason_if_absent = REASON_INLINED,
		},
	[PROG_CHECK] =
		{
			.prog = PROG_CHECK,
			.name = "check",
			.at = "entry",
			.alt = {{"try_charge_memcg", METHOD_FENTRY, 3, "check_charge", NULL}},
			.applies = has_stock,
			.reason_if_absent = REASON_INLINED,
		},
};

const char *method__name(enum method m)
{
	static const char *const names[] = {"fentry", "fexit", "tp_btf"};

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
