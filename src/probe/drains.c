// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

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

static struct drain_caller *caller_like(struct sample *s, const struct drain_caller *c)
{
	size_t i;

	for (i = 0; i < s->ndrains; i++)
		if (s->drains[i].cgroup == c->cgroup && s->drains[i].nframes == c->nframes &&
		    !memcmp(s->drains[i].frames, c->frames, sizeof(c->frames)))
			return &s->drains[i];
	return NULL;
}

static int by_calls(const void *a, const void *b)
{
	const struct drain_caller *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->cgroup < y->cgroup ? -1 : x->cgroup > y->cgroup;
}

static void read_callers(const struct loaded *l, struct sample *s)
{
	int map = bpf_map__fd(l->skel->maps.drain_callers);
	struct caller_key key, *prev = NULL;

	while (s->ndrains < CALLERS_MAX && !bpf_map_get_next_key(map, prev, &key)) {
		struct drain_caller c = {.cgroup = key.cgroup}, *same;

		prev = &key;
		if (bpf_map_lookup_elem(map, &key, &c.calls))
			continue;
		name_frames(l, &key, &c);
		/* two calls within one function differ by address alone */
		same = caller_like(s, &c);
		if (same)
			same->calls += c.calls;
		else
			s->drains[s->ndrains++] = c;
	}
	qsort(s->drains, s->ndrains, sizeof(*s->drains), by_calls);
}

int drains__read(const struct loaded *l, struct sample *s)
{
	size_t cpu;

	s->drains = calloc(CALLERS_MAX, sizeof(*s->drains));
	if (!s->drains)
		return -ENOMEM;
	read_callers(l, s);
	for (cpu = 0; cpu < s->ncpus; cpu++)
		s->drain_all_busy += l->skel->bss->states[cpu].totals.drain_all_busy;
	return 0;
}
