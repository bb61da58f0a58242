// SPDX-License-Identifier: GPL-2.0-only
/* Writes a window as one JSON document. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "sample/store_parts.h"

static json_t *seconds(double s)
{
	return json_real(isfinite(s) ? s : 0);
}

json_t *store__put_arguments(char *const *argv, int *err)
{
	json_t *array;

	if (!argv)
		return json_null();
	array = json_array();
	for (; *argv; argv++)
		put__element(array, put__text(*argv), err);
	return array;
}

json_t *store__put_host(const struct host *h, int *err)
{
	json_t *o = json_object();

	put__member(o, "hostname", put__text(h->hostname), err);
	put__member(o, "kernel", put__text(h->kernel), err);
	put__member(o, "arch", put__text(h->arch), err);
	put__member(o, "preempt", put__text(h->preempt), err);
	put__member(o, "preempt_rt", json_boolean(h->preempt_rt), err);
	put__member(o, "emulated", json_boolean(h->emulated), err);
	put__member(o, "socket_accounting", json_boolean(h->socket_accounting), err);
	put__member(o, "kmem_accounting", json_boolean(h->kmem_accounting), err);
	put__member(o, "contexts_measured", json_boolean(h->contexts_measured), err);
	put__member(o, "page_size", put__number(h->page_size), err);
	put__member(o, "cpus_possible", put__number(h->cpus_possible), err);
	put__member(o, "cpus_online", put__number(h->cpus_online), err);
	put__member(o, "cgroup", json_string(cgroup_mode_names[h->cgroup]), err);
	put__member(o, "cgroup_root", put__text(h->cgroup_root), err);
	return o;
}

json_t *store__put_stock(const struct stock *s, bool counts, int *err)
{
	json_t *o = json_object();

	put__member(o, "design", json_string(design__name(s->design)), err);
	put__member(o, "slots", put__number(s->slots), err);
	put__member(o, "batch", put__number(s->batch), err);
	put__member(o, "batch_observed", json_boolean(s->batch_observed), err);
	put__member(o, "round_robin", json_boolean(s->round_robin), err);
	put__member(o, "lock", json_string(lock_names[s->lock]), err);
	if (!counts)
		return o;
	put__member(o, "overflow_emptied", put__number(s->overflow_emptied), err);
	put__member(o, "overflow_trimmed", put__number(s->overflow_trimmed), err);
	return o;
}

json_t *store__put_probes(const struct sample *s, bool counts, int *err)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->nprobes; i++) {
		const struct probe *p = &s->probes[i];
		json_t *o = json_object();

		put__member(o, "program", json_string(prog_names[p->prog]), err);
		put__member(o, "hook", put__text(p->hook), err);
		put__member(o, "function", put__text(p->function), err);
		put__member(o, "at", put__text(p->at), err);
		put__member(o, "method", put__text(p->method), err);
		put__member(o, "state", json_string(probe_state_names[p->state]), err);
		put__member(o, "reason", json_string(reason__name(p->reason)), err);
		if (counts) {
			put__member(o, "recorded", put__number(p->recorded), err);
			put__member(o, "missed", put__number(p->missed), err);
		}
		put__element(array, o, err);
	}
	return array;
}

static json_t *cpus(const struct sample *s, int *err)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->ncpus; i++) {
		const struct cpu *c = &s->cpus[i];
		json_t *o = json_object();

		put__member(o, "cpu", put__number(c->cpu), err);
		put__member(o, "online", json_boolean(c->online), err);
		put__member(o, "isolated", json_boolean(c->isolated), err);
		put__member(o, "counters", put__counts(c->c, counter_names, C_NR, err), err);
		put__member(o, "lost", put__counts(c->lost, loss_names, LOSS_NR, err), err);
		put__member(o, "stock", store__put_slots(c, err), err);
		put__element(array, o, err);
	}
	return array;
}

static json_t *rows(const struct sample *s, int *err)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->nrows; i++) {
		const struct row *r = &s->rows[i];
		json_t *o = json_object();

		put__member(o, "id", put__number(r->id), err);
		put__member(o, "parent", put__number(r->parent), err);
		put__member(o, "depth", put__number(r->depth), err);
		put__member(o, "state", json_string(row_state_names[r->state]), err);
		put__member(o, "path_b64",
			    r->path ? put__base64(r->path, r->path_len) : json_null(), err);
		put__member(o, "counters", put__counts(r->c, counter_names, C_NR, err), err);
		put__member(o, "cpu_updates", put__on_cpus(r->cpu_updates, s, err), err);
		put__member(o, "cpu_charges", put__on_cpus(r->cpu_charges, s, err), err);
		put__member(o, "times", store__put_times(r, err), err);
		store__put_gauges(o, r, err);
		put__element(array, o, err);
	}
	return array;
}

static json_t *asked(const struct asked *a, int *err)
{
	json_t *o = json_object();

	put__member(o, "sample_every", put__number(a->sample_every), err);
	put__member(o, "lock_exact", json_boolean(a->lock_exact), err);
	put__member(o, "drains", json_boolean(a->drains), err);
	put__member(o, "rstat", json_boolean(a->rstat), err);
	return o;
}

static json_t *sample(const struct sample *s, int *err)
{
	json_t *o;

	if (!s)
		return json_null();
	o = json_object();
	put__member(o, "time_ns", put__number(s->time_ns), err);
	put__member(o, "wall_ms", json_integer(s->wall_ms), err);
	put__member(o, "verify", json_boolean(s->verify), err);
	put__member(o, "no_stat", json_boolean(s->no_stat), err);
	put__member(o, "event_cost_ps", put__number(s->event_cost_ps), err);
	put__member(o, "kept", store__put_kept(s, err), err);
	put__member(o, "asked", asked(&s->asked, err), err);
	put__member(o, "host", store__put_host(&s->host, err), err);
	put__member(o, "stock", store__put_stock(&s->stock, true, err), err);
	put__member(o, "probes", store__put_probes(s, true, err), err);
	put__member(o, "cpus", cpus(s, err), err);
	put__member(o, "rows", rows(s, err), err);
	put__member(o, "spans", store__put_spans(s, err), err);
	put__member(o, "pairs", store__put_pairs(s, err), err);
	put__member(o, "drains", store__put_drains(s, err), err);
	put__member(o, "drain_all_busy", put__number(s->drain_all_busy), err);
	put__member(o, "breaches", put__number(s->breaches), err);
	return o;
}

/* One that was not found is null. */
static json_t *metrics(const struct command *c, int *err)
{
	json_t *o = json_object();

	for (size_t i = 0; i < c->nmetrics; i++)
		put__member(o, c->metrics[i].name,
			    c->metrics[i].known ? json_real(c->metrics[i].value) : json_null(),
			    err);
	return o;
}

json_t *store__put_command(const struct command *c, int *err)
{
	json_t *o;

	if (!c->argv)
		return json_null();
	o = json_object();
	put__member(o, "argv", store__put_arguments(c->argv, err), err);
	put__member(o, "exit", json_integer(c->exit), err);
	put__member(o, "signal", json_integer(c->signal), err);
	put__member(o, "ignore_failure", json_boolean(c->ignore_failure), err);
	put__member(o, "user_s", seconds(c->user_s), err);
	put__member(o, "system_s", seconds(c->system_s), err);
	put__member(o, "voluntary_switches", put__number(c->voluntary_switches), err);
	put__member(o, "involuntary_switches", put__number(c->involuntary_switches), err);
	if (c->nmetrics)
		put__member(o, "metrics", metrics(c, err), err);
	return o;
}

static int write_document(const json_t *document, FILE *f)
{
	/* jansson does not say why it could not write; the stream's own calls do. */
	errno = 0;
	if (json_dumpf(document, f, JSON_INDENT(1)) || putc('\n', f) == EOF || fflush(f) ||
	    ferror(f))
		return errno ? -errno : -EIO;
	return 0;
}

int window__save(const struct window *w, void *file)
{
	json_t *o = json_object();
	char schema[32];
	int err = 0;

	snprintf(schema, sizeof(schema), STORE_FAMILY "%d", STORE_VERSION);
	put__member(o, "schema", json_string(schema), &err);
	put__member(o, "version", put__text(w->version), &err);
	put__member(o, "tool", store__put_arguments(w->tool_argv, &err), &err);
	put__member(o, "end_reason", json_string(end_reason_names[w->end_reason]), &err);
	put__member(o, "command", store__put_command(&w->command, &err), &err);
	put__member(o, "start", sample(w->start, &err), &err);
	put__member(o, "end", sample(w->end, &err), &err);
	put__member(o, "interval_ns", put__number(w->interval_ns), &err);
	put__member(o, "intervals", store__put_intervals(w, &err), &err);
	if (!err)
		err = write_document(o, file);
	json_decref(o);
	return err;
}
