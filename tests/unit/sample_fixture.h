/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples as the lab's 7.3 guest gives them, for tests to change. */
#ifndef MEMCGTOP_SAMPLE_FIXTURE_H
#define MEMCGTOP_SAMPLE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/sample.h"

static const char *const fixture_functions[PROG_NR] = {
	[PROG_CHARGE] = "try_charge_memcg",
	[PROG_CONSUME] = "consume_stock",
	[PROG_TRY_WALK] = "page_counter_try_charge",
	[PROG_STOCK_CHARGE] = "page_counter_try_charge_stock",
	[PROG_FORCE] = "page_counter_charge",
	[PROG_SOCK_CHARGE] = "mem_cgroup_sk_charge",
	[PROG_SOCK_CHARGE_EXIT] = "mem_cgroup_sk_charge",
	[PROG_FOLIO_CHARGE] = "charge_memcg",
	[PROG_OBJ_CHARGE] = "obj_cgroup_charge_pages",
	[PROG_SOCK_UNCHARGE] = "mem_cgroup_sk_uncharge",
	[PROG_OBJ_UNCHARGE] = "obj_cgroup_uncharge_pages",
	[PROG_OBJ_DRAIN] = "drain_obj_stock_slot",
	[PROG_FOLIO_UNCHARGE] = "uncharge_batch",
	[PROG_REFILL] = "refill_stock",
	[PROG_DRAIN] = "drain_stock",
	[PROG_FLUSH] = "drain_local_memcg_stock",
	[PROG_FLUSH_EXIT] = "drain_local_memcg_stock",
	[PROG_HOTPLUG] = "memcg_hotplug_cpu_dead",
	[PROG_HOTPLUG_EXIT] = "memcg_hotplug_cpu_dead",
	[PROG_WALK] = "page_counter_uncharge",
	[PROG_STAT] = "mod_memcg_state",
	[PROG_CHECK] = "try_charge_memcg",
};

static inline void *fixture_room(size_t n, size_t size)
{
	void *room = calloc(n, size);

	assert_non_null(room);
	return room;
}

/* Row 0 is `other`; row i has the id 100 + i, no parent, and the path "/r<i>". */
static inline struct sample *fixture_sample(size_t nrows, size_t ncpus)
{
	struct sample *s = fixture_room(1, sizeof(*s));

	strcpy(s->host.hostname, "guest");
	strcpy(s->host.kernel, "7.3.4-test");
	strcpy(s->host.arch, "x86_64");
	strcpy(s->host.preempt, "lazy");
	s->host.socket_accounting = true;
	s->host.kmem_accounting = true;
	s->host.contexts_measured = true;
	s->host.page_size = 4096;
	s->host.cpus_possible = ncpus;
	s->host.cpus_online = ncpus;
	s->host.cgroup = CGROUP_V2;
	s->host.cgroup_root = strdup("/sys/fs/cgroup");
	s->stock = (struct stock){.design = DESIGN_MULTI_SLOT,
				  .slots = 7,
				  .batch = 64,
				  .round_robin = true,
				  .lock = LOCK_BYTE};
	s->nprobes = PROG_NR;
	for (int i = 0; i < PROG_NR; i++) {
		struct probe *p = &s->probes[i];

		p->prog = i;
		snprintf(p->hook, sizeof(p->hook), "hook%d", i);
		snprintf(p->function, sizeof(p->function), "%s", fixture_functions[i]);
		strcpy(p->at, "entry");
		strcpy(p->method, "fentry");
	}
	s->probes[PROG_CONSUME].state = PROBE_MISSING;
	s->probes[PROG_CONSUME].reason = REASON_INLINED;
	s->probes[PROG_STOCK_CHARGE].state = PROBE_NOT_NEEDED;
	s->probes[PROG_SOCK_CHARGE_EXIT].state = PROBE_NOT_NEEDED;
	s->probes[PROG_CHECK].state = PROBE_NOT_NEEDED;

	s->ncpus = ncpus;
	s->cpus = fixture_room(ncpus, sizeof(s->cpus[0]));
	for (size_t i = 0; i < ncpus; i++) {
		s->cpus[i].cpu = i;
		s->cpus[i].online = true;
	}
	s->nrows = nrows;
	s->rows = fixture_room(nrows, sizeof(s->rows[0]));
	s->rows[0].state = ROW_IS_OTHER;
	for (size_t i = 0; i < nrows; i++) {
		s->rows[i].cpu_updates = fixture_room(ncpus, sizeof(uint64_t));
		s->rows[i].cpu_charges = fixture_room(ncpus, sizeof(uint64_t));
		if (!i)
			continue;
		s->rows[i].id = 100 + i;
		s->rows[i].depth = 2;
		s->rows[i].path = fixture_room(1, 16);
		s->rows[i].path_len = snprintf(s->rows[i].path, 16, "/r%zu", i);
	}
	return s;
}

/* So many events of a row on a CPU, as the programs would count them. */
static inline void fixture_count(struct sample *s, size_t row, size_t cpu, int counter, uint64_t n)
{
	s->rows[row].c[counter] += n;
	s->cpus[cpu].c[counter] += n;
	if (counter == C_TRY_WALKS || (counter >= C_WALK_CAUSE && counter < C_WALK_USER))
		s->rows[row].cpu_updates[cpu] += n;
	if (counter < C_CHARGE_PAGES ||
	    (counter >= C_SOCK_INLINE_LEVEL && counter < C_SOCK_INLINE_PAGES))
		s->rows[row].cpu_charges[cpu] += n;
}

static inline void fixture_runs(struct sample *s, enum prog_id prog, uint64_t recorded,
				uint64_t missed)
{
	s->probes[prog].recorded = recorded;
	s->probes[prog].missed = missed;
}

static inline void fixture_missing(struct sample *s, enum prog_id prog, enum reason reason)
{
	s->probes[prog].state = PROBE_MISSING;
	s->probes[prog].reason = reason;
}

#endif
