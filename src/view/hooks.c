// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/hooks.h"

const char *hook__why(enum reason r)
{
	static const char *const why[REASON_NR] = {
		[REASON_NONE] = "not attached",
		[REASON_DESIGN] = "this design has no such place",
		[REASON_NOT_RT] = "only with PREEMPT_RT",
		[REASON_INLINED] = "inlined by the compiler",
		[REASON_NOT_TRACEABLE] = "the kernel does not let it be traced",
		[REASON_ABSENT] = "not in this kernel",
		[REASON_BLIND] = "attaches, but another copy of it runs",
		[REASON_CGROUP_V1] = "cgroup v1",
		[REASON_BOOT_OPTION] = "switched off by a boot option",
		[REASON_NO_CLOCK] = "no clock",
		[REASON_NOT_ASKED] = "not asked for",
		[REASON_NO_PMU] = "no PMU",
		[REASON_SILENT] = "attached, but it never ran",
		[REASON_NO_EVENTS] = "no events",
	};

	return (size_t)r < REASON_NR && why[r] ? why[r] : "unknown reason";
}

bool hook__works(const struct probe *p)
{
	return p->state == PROBE_ATTACHED || p->state == PROBE_ATTACHABLE;
}

const struct probe *hook__find(const struct sample *s, enum prog_id prog)
{
	for (size_t i = 0; i < s->nprobes; i++)
		if (s->probes[i].prog == prog)
			return &s->probes[i];
	return NULL;
}

/* A model whose hooks are as they are but for one. */
struct supposed {
	struct sample sample;
	struct window window;
	struct model model;
};

static void suppose(struct supposed *s, const struct model *m)
{
	s->sample = *m->end;
	s->window = *m->window;
	s->window.end = &s->sample;
	s->model = *m;
	s->model.window = &s->window;
	s->model.end = &s->sample;
	for (size_t i = 0; i < s->model.nprobes; i++)
		s->model.probes[i].probe = &s->sample.probes[i];
}

static void set_hook(struct supposed *s, enum prog_id prog, bool works, enum reason why)
{
	for (size_t i = 0; i < s->model.nprobes; i++) {
		struct probe *p = &s->sample.probes[i];

		if (p->prog != prog)
			continue;
		p->state = works ? PROBE_ATTACHED : PROBE_MISSING;
		p->reason = works ? REASON_NONE : why;
		s->model.probes[i].reason = works ? REASON_NONE : why ? why : REASON_ABSENT;
	}
	if (prog == PROG_CONSUME)
		s->model.total.hits_seen = works;
}

static bool has_value(const struct supposed *s, const struct loss_key *k)
{
	return field__find_unmeasured(k->field, k->part, &s->model).reason == REASON_NONE;
}

/*
 * The questions to the field table: with the hook restored as things are, and
 * with it the only one that is missing. The second keeps a loss that two
 * missing hooks share from vanishing from both.
 */
struct questions {
	struct supposed now, restored, whole, only;
};

static void ask(struct questions *q, const struct model *m, const struct model_probe *p)
{
	suppose(&q->now, m);
	suppose(&q->restored, m);
	set_hook(&q->restored, p->probe->prog, true, REASON_NONE);
	suppose(&q->whole, m);
	for (size_t i = 0; i < m->end->nprobes; i++)
		if (m->end->probes[i].state != PROBE_NOT_NEEDED)
			set_hook(&q->whole, m->end->probes[i].prog, true, REASON_NONE);
	suppose(&q->only, &q->whole.model);
	set_hook(&q->only, p->probe->prog, false, p->reason);
}

static bool is_lost(const struct questions *q, const struct loss_key *k)
{
	if (has_value(&q->now, k))
		return false;
	return has_value(&q->restored, k) || (has_value(&q->whole, k) && !has_value(&q->only, k));
}

size_t hook__loses(const struct model *m, const struct model_probe *p, struct loss_key *keys,
		   size_t max)
{
	struct questions q;
	size_t n = 0;

	if (p->reason == REASON_NONE)
		return 0;
	ask(&q, m, p);
	for (size_t i = 0; i < nfields; i++) {
		struct loss_key k = {&fields[i], NULL};

		if (is_lost(&q, &k)) {
			if (n < max)
				keys[n++] = k;
			continue;
		}
		for (k.part = fields[i].parts; k.part && k.part->name; k.part++)
			if (is_lost(&q, &k) && n < max)
				keys[n++] = k;
	}
	return n;
}

const char *hook__instead(const struct model *m, const struct probe *p)
{
	if (p->prog == PROG_CONSUME && m->hit_source && !strcmp(m->hit_source, "walk"))
		return "hits are derived from the walks";
	return NULL;
}

const char *loss_key__name(const struct loss_key *k, char *buf, size_t n)
{
	snprintf(buf, n, "%s%s%s", k->field->key, k->part ? "." : "", k->part ? k->part->name : "");
	return buf;
}

char *hook__losses(const struct model *m, const struct model_probe *p)
{
	struct loss_key keys[LOSS_KEYS];
	size_t size, n = hook__loses(m, p, keys, LOSS_KEYS);
	const char *instead = hook__instead(m, p->probe);
	char *text = NULL, name[80];
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	if (!n)
		fprintf(f, "%s%snothing is lost", instead ? instead : "", instead ? ", " : "");
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s %s",
			i ? "," : "lost:", loss_key__name(&keys[i], name, sizeof(name)));
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
