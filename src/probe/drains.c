// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "cgroup/paths.h"
#include "state.h"
#include "memcgtop.skel.h"
#include "probe/drains.h"

/* Isolated CPUs are left alone since commit 6a792697a53a. */
static bool leaves_isolated(const struct host_info *host)
{
	unsigned int major, minor;

	return sscanf(host->kernel, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 4));
}

void drains__set_isolated(struct memcgtop_bpf *skel, const struct host_info *host)
{
	uint32_t n = 0;
	int cpu;

	for (cpu = 0; leaves_isolated(host) && cpu < host->cpus_possible; cpu++)
		if (n < ISOLATED_MAX && host_info__cpu_isolated(host, cpu))
			skel->rodata->isolated_cpus[n++] = (uint32_t)cpu;
	skel->rodata->nr_isolated = n;
}

/* Our own trampolines on the stack are not what called. */
static bool is_callers(const char *name)
{
	return strncmp(name, "bpf_trampoline_", 15) && strncmp(name, "bpf_prog_", 9);
}

static void name_frames(const struct loaded *l, const struct caller_key *key,
			struct drain_caller *to)
{
	int names = bpf_map__fd(l->skel->maps.frame_names), i;
	struct frame_name name;

	for (i = 0; i < CALLER_FRAMES && key->frames[i] && to->nframes < STACK_FRAMES; i++) {
		if (bpf_map_lookup_elem(names, &key->frames[i], &name))
			break;
		if (!is_callers(name.text))
			continue;
		/* without the module */
		name.text[strcspn(name.text, " ")] = '\0';
		memcpy(to->frames[to->nframes++], name.text, sizeof(name.text));
	}
}

/* Calls from one place in the source may be from several in the code: by the names. */
static int by_stack(const void *a, const void *b)
{
	const struct drain_caller *x = a, *y = b;

	if (x->cgroup != y->cgroup)
		return x->cgroup < y->cgroup ? -1 : 1;
	return memcmp(x->frames, y->frames, sizeof(x->frames));
}

static int most_first(const void *a, const void *b)
{
	const struct drain_caller *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return by_stack(a, b);
}

/* Each stack of a cgroup once, those with most calls first; the new number. */
static size_t merge(struct drain_caller *c, size_t n)
{
	size_t i, to = 0;

	if (!n)
		return 0;
	qsort(c, n, sizeof(*c), by_stack);
	for (i = 1; i < n; i++) {
		if (by_stack(&c[to], &c[i]))
			c[++to] = c[i];
		else
			c[to].calls += c[i].calls;
	}
	qsort(c, to + 1, sizeof(*c), most_first);
	return to + 1;
}

/* The keys of the map, malloc'ed; NULL without memory. */
static struct caller_key *read_keys(const struct loaded *l, size_t *n)
{
	struct caller_key *keys = calloc(CALLERS_MAX, sizeof(*keys)), *prev = NULL;
	int map = bpf_map__fd(l->skel->maps.drain_callers);

	*n = 0;
	while (keys && *n < CALLERS_MAX && !bpf_map_get_next_key(map, prev, &keys[*n]))
		prev = &keys[(*n)++];
	return keys;
}

void kept_callers__release(struct kept_callers *k)
{
	free(k->callers);
	memset(k, 0, sizeof(*k));
}

/* The stacks of all cgroups together are few. */
static void keep_few(struct kept_callers *k)
{
	size_t i;

	k->n = merge(k->callers, k->n);
	if (k->n <= KEPT_CALLERS_MAX)
		return;
	for (i = KEPT_CALLERS_MAX / 2; i < k->n; i++)
		k->callers[i].cgroup = 0;
	k->n = merge(k->callers, k->n);
}

void drains__make_room(struct kept_callers *k, const struct loaded *l, struct paths *paths)
{
	uint32_t there = l->skel->bss->nr_callers, taken = 0;
	int map = bpf_map__fd(l->skel->maps.drain_callers);
	struct drain_caller *all;
	struct caller_key *keys;
	size_t n, i;

	if (there < CALLERS_MAX / 4 * 3 || there < k->next_turn)
		return;
	keys = read_keys(l, &n);
	all = reallocarray(k->callers, k->n + CALLERS_MAX, sizeof(*all));
	if (all)
		k->callers = all;
	for (i = 0; keys && all && i < n; i++) {
		struct drain_caller c = {.cgroup = keys[i].cgroup};

		if (!c.cgroup || paths__alive(paths, c.cgroup) ||
		    bpf_map_lookup_and_delete_elem(map, &keys[i], &c.calls))
			continue;
		name_frames(l, &keys[i], &c);
		all[k->n++] = c;
		taken++;
	}
	free(keys);
	if (taken)
		keep_few(k);
	__sync_fetch_and_sub(&l->skel->bss->nr_callers, taken);
	/* not at every turn when all are alive */
	k->next_turn = there - taken + CALLERS_MAX / 64;
	if (k->next_turn > CALLERS_MAX)
		k->next_turn = CALLERS_MAX;
}

int drains__read(const struct kept_callers *k, const struct loaded *l, struct sample *s)
{
	int map = bpf_map__fd(l->skel->maps.drain_callers);
	struct drain_caller *c;
	struct caller_key *keys;
	size_t n, i, cpu;

	keys = read_keys(l, &n);
	s->drains = c = calloc(n + k->n + 1, sizeof(*c));
	if (!keys || !c) {
		free(keys);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++, c++) {
		c->cgroup = keys[i].cgroup;
		bpf_map_lookup_elem(map, &keys[i], &c->calls);
		name_frames(l, &keys[i], c);
	}
	free(keys);
	if (k->n)
		memcpy(c, k->callers, k->n * sizeof(*c));
	c += k->n;
	if (l->skel->bss->unnamed_callers)
		(c++)->calls = l->skel->bss->unnamed_callers;
	s->ndrains = merge(s->drains, (size_t)(c - s->drains));
	for (cpu = 0; cpu < s->ncpus; cpu++)
		s->drain_all_busy += l->skel->bss->states[cpu].totals.drain_all_busy;
	return 0;
}
