// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "state.h"
#include "memcgtop.skel.h"
#include "probe/stocks.h"

int stock_looks__init(struct stock_looks *t, const struct host_info *host, size_t ncpus,
		      uint32_t max_rows)
{
	size_t cpu;

	memset(t, 0, sizeof(*t));
	t->ncpus = ncpus;
	t->max_rows = max_rows;
	t->isolated = calloc(ncpus, sizeof(*t->isolated));
	t->seen = calloc(ncpus, sizeof(*t->seen));
	t->looks = calloc(ncpus, sizeof(*t->looks));
	t->pages = calloc(max_rows, sizeof(*t->pages));
	t->peak = calloc(max_rows, sizeof(*t->peak));
	if (!t->isolated || !t->seen || !t->looks || !t->pages || !t->peak) {
		stock_looks__release(t);
		return -ENOMEM;
	}
	for (cpu = 0; cpu < ncpus; cpu++)
		t->isolated[cpu] = host_info__cpu_isolated(host, (int)cpu);
	return 0;
}

void stock_looks__release(struct stock_looks *t)
{
	free(t->isolated);
	free(t->seen);
	free(t->looks);
	free(t->pages);
	free(t->peak);
	memset(t, 0, sizeof(*t));
}

/* One look at a CPU's stock; false if it is offline. */
static bool look_once(const struct loaded *l, uint64_t cpu, bool remote, struct stock_look *look)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &cpu, .ctx_size_in = sizeof(cpu));
	uint64_t looks = l->looks[cpu].looks;

	if (!remote) {
		opts.flags = BPF_F_TEST_RUN_ON_CPU;
		opts.cpu = (uint32_t)cpu;
	}
	if (bpf_prog_test_run_opts(bpf_program__fd(l->skel->progs.look_at_stock), &opts))
		return false;
	*look = l->looks[cpu];
	return look->looks != looks;
}

static bool same(const struct stock_look *a, const struct stock_look *b)
{
	return !memcmp(a->cgroups, b->cgroups, sizeof(a->cgroups)) &&
	       !memcmp(a->pages, b->pages, sizeof(a->pages));
}

/* From another CPU the parts of a stock are read one after the other: two reads have to agree. */
#define TRIES 8

static bool look_from_afar(const struct loaded *l, uint64_t cpu, struct stock_look *look)
{
	struct stock_look before;
	int i;

	if (!look_once(l, cpu, true, look))
		return false;
	for (i = 0; i < TRIES; i++) {
		before = *look;
		if (!look_once(l, cpu, true, look))
			return false;
		if (same(&before, look))
			return true;
	}
	return false;
}

static bool look_at(const struct stock_looks *t, const struct loaded *l, size_t cpu,
		    struct stock_look *look)
{
	return t->isolated[cpu] ? look_from_afar(l, cpu, look) : look_once(l, cpu, false, look);
}

/* What no healthy stock looks like from outside its lock; inside it the sum comes before the drain. */
static bool is_breach(const struct stock_look *look, uint32_t batch)
{
	int i, j;

	if (look->locked)
		return false;
	for (i = 0; i < SLOTS_MAX; i++) {
		if (look->pages[i] > batch)
			return true;
		for (j = 0; j < i; j++)
			if (look->memcgs[i] && look->memcgs[i] == look->memcgs[j])
				return true;
	}
	return false;
}

static void check(struct stock_looks *t, const struct loaded *l, size_t cpu)
{
	uint32_t batch = l->skel->data->batch;
	struct stock_look again;

	if (is_breach(&t->looks[cpu], batch) && look_at(t, l, cpu, &again) &&
	    is_breach(&again, batch) && same(&t->looks[cpu], &again))
		t->breaches++;
}

static void book(struct stock_looks *t, const struct stock_look *look)
{
	int i;

	for (i = 0; i < SLOTS_MAX; i++)
		if (look->rows[i] < t->max_rows)
			t->pages[look->rows[i]] += look->pages[i];
}

static bool is_online(const char *online, size_t cpu)
{
	return !online || cpulist__has(online, (int)cpu);
}

void stock_looks__look(struct stock_looks *t, const struct loaded *l)
{
	char *online;
	uint32_t row;
	size_t cpu;

	if (!l->looks)
		return;
	online = host__read_file("/sys/devices/system/cpu/online", NULL);
	memset(t->pages, 0, t->max_rows * sizeof(*t->pages));
	t->complete = true;
	for (cpu = 0; cpu < t->ncpus; cpu++) {
		t->seen[cpu] = is_online(online, cpu) && look_at(t, l, cpu, &t->looks[cpu]);
		if (t->seen[cpu]) {
			check(t, l, cpu);
			book(t, &t->looks[cpu]);
		} else if (is_online(online, cpu)) {
			t->complete = false;
		}
	}
	free(online);
	for (row = 0; t->complete && row < t->max_rows; row++)
		if (t->pages[row] > t->peak[row])
			t->peak[row] = t->pages[row];
}

void stock_looks__read(const struct stock_looks *t, struct sample *s)
{
	size_t cpu;
	int i;

	s->breaches = t->breaches;
	for (cpu = 0; cpu < s->ncpus; cpu++) {
		struct cpu *c = &s->cpus[cpu];

		c->stock_seen = t->seen[cpu];
		if (!c->stock_seen)
			continue;
		c->flushing = t->looks[cpu].flushing;
		for (i = 0; i < SLOTS_MAX; i++) {
			c->slots[i].cgroup = t->looks[cpu].cgroups[i];
			c->slots[i].pages = t->looks[cpu].pages[i];
		}
	}
}

void stock_looks__read_row(const struct stock_looks *t, uint32_t row, struct row *r)
{
	r->stranded_pages = (struct gauge){t->complete, t->pages[row]};
	r->stranded_seen_max = (struct gauge){t->complete, t->peak[row]};
}
