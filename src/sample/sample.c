// SPDX-License-Identifier: GPL-2.0-only
/* The life of a sample and the names of its enums, as every output spells them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* With a 0 byte behind it, as a path has; NULL stays NULL. */
static void *copy_of(const void *from, size_t size, bool *failed)
{
	char *copy;

	if (!from)
		return NULL;
	copy = malloc(size + 1);
	if (!copy) {
		*failed = true;
		return NULL;
	}
	memcpy(copy, from, size);
	copy[size] = '\0';
	return copy;
}

static void copy_row(struct row *to, const struct row *from, size_t ncpus, bool *failed)
{
	*to = *from;
	to->path = copy_of(from->path, from->path_len, failed);
	to->cpu_updates = copy_of(from->cpu_updates, ncpus * sizeof(uint64_t), failed);
	to->cpu_charges = copy_of(from->cpu_charges, ncpus * sizeof(uint64_t), failed);
	to->times = copy_of(from->times, sizeof(*from->times), failed);
}

struct sample *sample__copy(const struct sample *s)
{
	const char *root = s->host.cgroup_root;
	bool failed = false;
	struct sample *to = copy_of(s, sizeof(*s), &failed);

	if (!to)
		return NULL;
	to->host.cgroup_root = copy_of(root, root ? strlen(root) : 0, &failed);
	to->cpus = copy_of(s->cpus, s->ncpus * sizeof(s->cpus[0]), &failed);
	to->spans = copy_of(s->spans, SPAN_NR * sizeof(s->spans[0]), &failed);
	to->pairs = copy_of(s->pairs, s->npairs * sizeof(s->pairs[0]), &failed);
	to->drains = copy_of(s->drains, s->ndrains * sizeof(s->drains[0]), &failed);
	to->rows = malloc((s->nrows + 1) * sizeof(s->rows[0]));
	to->nrows = 0;
	for (; to->rows && to->nrows < s->nrows; to->nrows++)
		copy_row(&to->rows[to->nrows], &s->rows[to->nrows], s->ncpus, &failed);
	if (!failed && to->rows)
		return to;
	sample__free(to);
	return NULL;
}

bool metric__is_name(const char *name, size_t len)
{
	if (!len || len >= METRIC_NAME_MAX || isdigit((unsigned char)*name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return true;
}

void command__release(struct command *c)
{
	free_argv(c->argv);
	for (size_t i = 0; i < c->nmetrics; i++)
		free(c->metrics[i].name);
	free(c->metrics);
	*c = (struct command){0};
}

int command__copy(struct command *to, const struct command *from)
{
	bool failed = false;
	size_t n = 0;

	*to = *from;
	while (from->argv && from->argv[n])
		n++;
	to->argv = from->argv ? calloc(n + 1, sizeof(to->argv[0])) : NULL;
	to->metrics = copy_of(from->metrics, from->nmetrics * sizeof(from->metrics[0]), &failed);
	for (size_t i = 0; to->argv && i < n; i++)
		to->argv[i] = copy_of(from->argv[i], strlen(from->argv[i]), &failed);
	for (size_t i = 0; to->metrics && i < from->nmetrics; i++)
		to->metrics[i].name =
			copy_of(from->metrics[i].name, strlen(from->metrics[i].name), &failed);
	if (!failed && !from->argv == !to->argv)
		return 0;
	if (!to->metrics)
		to->nmetrics = 0;
	command__release(to);
	return -ENOMEM;
}

void window__release(struct window *w)
{
	sample__free(w->start);
	sample__free(w->end);
	free_argv(w->tool_argv);
	command__release(&w->command);
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
