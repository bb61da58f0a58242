// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/run.h"

static int add_work(struct run *r, const char *prefix, const char *name, double value, bool counts)
{
	struct work *more = reallocarray(r->work, r->nwork + 1, sizeof(*more));
	char *whole = NULL;

	if (!more)
		return -ENOMEM;
	r->work = more;
	if (asprintf(&whole, "%s%s", prefix, name) < 0)
		return -ENOMEM;
	more[r->nwork++] =
		(struct work){.name = whole, .value = value, .counts = counts, .metric = *prefix};
	return 0;
}

int run__add_metric(struct run *r, const char *name, double value)
{
	return add_work(r, "metrics.", name, value, false);
}

int run__add_command(struct run *r, const struct command *c)
{
	int err = add_work(r, "", "duration_s", r->seconds, false);

	err = err ? err : add_work(r, "", "user_s", c->user_s, true);
	err = err ? err : add_work(r, "", "system_s", c->system_s, true);
	err = err ? err
		  : add_work(r, "", "voluntary_switches", (double)c->voluntary_switches, true);
	return err ? err
		   : add_work(r, "", "involuntary_switches", (double)c->involuntary_switches, true);
}

/* Only of a command that ended by itself: else it is how long we looked. */
static int take_command(struct run *r, const struct window *w)
{
	const struct command *c = &w->command;
	int err = 0;

	if (c->argv && w->end_reason == END_COMMAND)
		err = run__add_command(r, c);
	for (size_t i = 0; !err && i < c->nmetrics; i++)
		if (c->metrics[i].known)
			err = run__add_metric(r, c->metrics[i].name, c->metrics[i].value);
	return err;
}

static char *joined(char *const *argv)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	for (size_t i = 0; argv[i]; i++)
		fprintf(f, "%s%s", i ? " " : "", argv[i]);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

static const char *bound_of(const struct measure *x, const struct model *m)
{
	for (size_t i = 0; x->field->spans && i < m->times.nfunctions; i++)
		if (!strcmp(m->times.functions[i].key, x->field->key))
			return m->times.functions[i].bound;
	return NULL;
}

static int take_values(struct run *r, const struct model *m)
{
	size_t n;
	const struct measure *list = measures__all(&n);

	for (size_t i = 0; i < n; i++) {
		struct unmeasured why;

		r->values[i] = measure__of(&list[i], m, &why);
		r->bounds[i] = bound_of(&list[i], m);
		if (!isnan(r->values[i]))
			continue;
		r->reasons[i] = why.reason;
		r->why[i] = strdup(why.text);
		if (!r->why[i])
			return -ENOMEM;
	}
	return 0;
}

int run__init(struct run *r, const struct model *m, const char *name, bool whole)
{
	const struct sample *s = m->end;
	const struct window *w = m->window;

	*r = (struct run){
		.name = strdup(name),
		.host = s->host,
		.stock = s->stock,
		.asked = s->asked,
		.no_stat = s->no_stat,
		.hit_source = strdup(m->hit_source),
		.seconds = m->seconds,
		.interval_ns = w->interval_ns,
		.grade = m->quality.grade,
		.missed_ratio = m->quality.missed_ratio,
		.command = w->command.argv ? joined(w->command.argv) : NULL,
	};
	r->host.cgroup_root = NULL;
	for (size_t i = 0; i < s->nprobes; i++)
		r->probes[s->probes[i].prog] = s->probes[i];
	if (!r->name || !r->hit_source || (w->command.argv && !r->command))
		return -ENOMEM;
	return take_values(r, m) || (whole && take_command(r, w)) ? -ENOMEM : 0;
}

void run__release(struct run *r)
{
	for (size_t i = 0; i < MEASURES_MAX; i++)
		free(r->why[i]);
	for (size_t i = 0; i < r->nwork; i++)
		free(r->work[i].name);
	free(r->work);
	free(r->command);
	free(r->hit_source);
	free(r->name);
	*r = (struct run){};
}

/* What the compiler adds to a name is not the source's. */
static bool same_function(const char *a, const char *b)
{
	size_t n = strcspn(a, ".");

	return n == strcspn(b, ".") && !strncmp(a, b, n);
}

bool run__same_probe(const struct run *a, const struct run *b, enum prog_id prog)
{
	const struct probe *x = &a->probes[prog], *y = &b->probes[prog];

	return (x->state == PROBE_ATTACHED) == (y->state == PROBE_ATTACHED) &&
	       same_function(x->function, y->function) && !strcmp(x->at, y->at) &&
	       !strcmp(x->method, y->method);
}
