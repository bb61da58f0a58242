// SPDX-License-Identifier: GPL-2.0-only
/* The life of a sample and the names of its enums, as every output spells them. */
#include <stdlib.h>

#include "sample/sample.h"

static void free_argv(char **argv)
{
	if (!argv)
		return;
	for (char **arg = argv; *arg; arg++)
		free(*arg);
	free(argv);
}

void sample__free(struct sample *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nrows; i++) {
		free(s->rows[i].path);
		free(s->rows[i].cpu_updates);
		free(s->rows[i].cpu_charges);
		free(s->rows[i].times);
	}
	free(s->rows);
	free(s->cpus);
	free(s->spans);
	free(s->pairs);
	free(s->drains);
	free(s->host.cgroup_root);
	free(s);
}

void window__release(struct window *w)
{
	sample__free(w->start);
	sample__free(w->end);
	free_argv(w->tool_argv);
	free_argv(w->command.argv);
	free(w->version);
	free(w->lost);
	for (size_t i = 0; i < w->nintervals; i++) {
		free(w->intervals[i].charges);
		free(w->intervals[i].misses);
	}
	free(w->intervals);
	*w = (struct window){0};
}

const struct row *sample__row(const struct sample *s, uint64_t id)
{
	for (size_t i = 0; i < s->nrows; i++)
		if (s->rows[i].id == id)
			return &s->rows[i];
	return NULL;
}

const char *reason__name(enum reason r)
{
	static const char *const names[REASON_NR] = {
		[REASON_NONE] = "none",
		[REASON_DESIGN] = "design",
		[REASON_NOT_RT] = "not_rt",
		[REASON_INLINED] = "inlined",
		[REASON_NOT_TRACEABLE] = "not_traceable",
		[REASON_ABSENT] = "absent",
		[REASON_BLIND] = "blind",
		[REASON_CGROUP_V1] = "cgroup_v1",
		[REASON_BOOT_OPTION] = "boot_option",
		[REASON_NO_CLOCK] = "no_clock",
		[REASON_NOT_ASKED] = "not_asked",
		[REASON_NO_PMU] = "no_pmu",
		[REASON_SILENT] = "silent",
		[REASON_NO_EVENTS] = "no_events",
	};

	return names[r];
}

const char *design__name(enum design d)
{
	static const char *const names[DESIGN_NR] = {
		[DESIGN_UNKNOWN] = "unknown",	      [DESIGN_SINGLE_SLOT] = "single-slot",
		[DESIGN_MULTI_SLOT] = "multi-slot",   [DESIGN_MULTI_SLOT_SOCK] = "multi-slot+sock",
		[DESIGN_PER_COUNTER] = "per-counter",
	};

	return names[d];
}

const char *probe_state__name(const struct probe *p)
{
	switch (p->state) {
	case PROBE_ATTACHED:
		return "attached";
	case PROBE_ATTACHABLE:
		return "attachable";
	case PROBE_NOT_NEEDED:
		return "not_needed";
	case PROBE_MISSING:
		break;
	}
	/* A place for which no function was found is an absent one. */
	return reason__name(p->reason == REASON_NONE ? REASON_ABSENT : p->reason);
}

const char *cgroup_mode__name(enum cgroup_mode m)
{
	switch (m) {
	case CGROUP_V2:
		return "v2";
	case CGROUP_V1:
		return "v1";
	case CGROUP_HYBRID:
		return "hybrid";
	case CGROUP_NONE:
		break;
	}
	return "none";
}
