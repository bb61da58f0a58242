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

#include "model/histogram.h"
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
	[PROG_CHARGE_BEGIN] = "try_charge_memcg",
	[PROG_TRY_WALK_BEGIN] = "page_counter_try_charge",
	[PROG_REFILL_EXIT] = "refill_stock",
	[PROG_SOCK_UNCHARGE_EXIT] = "mem_cgroup_sk_uncharge",
	[PROG_WALK_EXIT] = "page_counter_uncharge",
	[PROG_LOCK_TRY] = "rt_spin_trylock",
	[PROG_LOCK_WAIT] = "rt_spin_lock",
	[PROG_LOCK_TAKEN] = "rt_spin_lock",
	[PROG_UNLOCK] = "rt_spin_unlock",
	[PROG_DRAIN_ALL] = "drain_all_stock.part.0",
	[PROG_DRAIN_BUSY] = "mutex_trylock",
	[PROG_PRESSURE] = "vmpressure",
	[PROG_RSTAT] = "css_rstat_updated",
};

/* Neither this kernel nor a run without options has a use for them. */
static const enum prog_id fixture_unneeded[] = {
	PROG_STOCK_CHARGE,
	PROG_SOCK_CHARGE_EXIT,
	PROG_CHECK,
	PROG_CHARGE_BEGIN,
	PROG_TRY_WALK_BEGIN,
	PROG_REFILL_EXIT,
	PROG_SOCK_UNCHARGE_EXIT,
	PROG_WALK_EXIT,
	PROG_LOCK_TRY,
	PROG_LOCK_WAIT,
	PROG_LOCK_TAKEN,
	PROG_UNLOCK,
	PROG_DRAIN_BUSY,
	PROG_RSTAT,
};

static inline void *fixture_room(size_t n, size_t size)
{
	void *room = calloc(n, size);

	assert_non_null(room);
	return room;
}

/*
 * Row 0 is `other`; row i has the id 100 + i, no parent, and the path "/r<i>".
 * No time was taken, no gauge is known, no stock was seen: see below.
 */
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
	for (size_t i = 0; i < sizeof(fixture_unneeded) / sizeof(fixture_unneeded[0]); i++)
		s->probes[fixture_unneeded[i]].state = PROBE_NOT_NEEDED;

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

/* From now on one event in so many was timed. */
static inline void fixture_times(struct sample *s, uint32_t every)
{
	static const enum prog_id timing[] = {PROG_TRY_WALK_BEGIN, PROG_REFILL_EXIT,
					      PROG_WALK_EXIT};

	s->asked.sample_every = every;
	s->spans = fixture_room(SPAN_NR, sizeof(s->spans[0]));
	for (size_t i = 0; i < s->nrows; i++)
		s->rows[i].times = fixture_room(1, sizeof(*s->rows[i].times));
	for (size_t i = 0; i < sizeof(timing) / sizeof(timing[0]); i++)
		s->probes[timing[i]].state = PROBE_ATTACHED;
}

/* So many spans of a row that took so long each. Links model/histogram.c. */
static inline void fixture_span(struct sample *s, size_t row, enum span span, uint64_t ns,
				uint64_t n)
{
	enum span of_row = span == SPAN_HOLD_WALKED ? SPAN_HOLD : span;
	struct hist *h = &s->spans[span];
	struct row_span *r;

	h->sum += ns * n;
	h->max = h->max < ns ? ns : h->max;
	h->buckets[hist__bucket(ns)] += n;
	if (of_row >= SPAN_ROW_NR)
		return;
	r = &s->rows[row].times->spans[of_row];
	r->sum += ns * n;
	r->max = r->max < ns ? ns : r->max;
	r->octaves[octave__bucket(ns)] += n;
}

static inline void fixture_gauge(struct gauge *g, uint64_t value)
{
	*g = (struct gauge){.known = true, .value = value};
}

/* What a slot of a CPU holds; from then on that CPU's stock was seen. */
static inline void fixture_slot(struct sample *s, size_t cpu, size_t slot, uint64_t cgroup,
				uint32_t pages)
{
	s->cpus[cpu].stock_seen = true;
	s->cpus[cpu].slots[slot] = (struct slot){.cgroup = cgroup, .pages = pages};
}

/* Pairs are by their keys, ascending: add them so. */
static inline void fixture_pair(struct sample *s, uint64_t by, uint64_t of, uint64_t evictions,
				uint64_t pages)
{
	s->pairs = realloc(s->pairs, (s->npairs + 1) * sizeof(s->pairs[0]));
	assert_non_null(s->pairs);
	s->pairs[s->npairs++] = (struct pair){.key = {.by = by, .of = of},
					      .count = {.evictions = evictions, .pages = pages}};
}

/* The functions of the stack with blanks between them, innermost first. */
static inline void fixture_drain(struct sample *s, uint64_t cgroup, uint64_t calls,
				 const char *stack)
{
	struct drain_caller *d;

	s->drains = realloc(s->drains, (s->ndrains + 1) * sizeof(s->drains[0]));
	assert_non_null(s->drains);
	d = &s->drains[s->ndrains++];
	*d = (struct drain_caller){.cgroup = cgroup, .calls = calls};
	while (*stack && d->nframes < STACK_FRAMES) {
		size_t len = strcspn(stack, " ");

		snprintf(d->frames[d->nframes++], sizeof(d->frames[0]), "%.*s", (int)len, stack);
		stack += len + (stack[len] == ' ');
	}
}

/* Cuts the window into n equal intervals in which nothing happened. */
static inline void fixture_intervals(struct window *w, size_t n)
{
	uint64_t start = w->start ? w->start->time_ns : 0, length = w->end->time_ns - start;

	w->intervals = fixture_room(n, sizeof(w->intervals[0]));
	w->nintervals = n;
	w->interval_ns = length / n;
	for (size_t i = 0; i < n; i++)
		w->intervals[i] = (struct interval){
			.end_ns = start + length / n * (i + 1),
			.charges = fixture_room(w->end->ncpus, sizeof(uint64_t)),
			.misses = fixture_room(w->end->ncpus, sizeof(uint64_t)),
		};
}

#endif
