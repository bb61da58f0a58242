// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a window as one JSON document. jansson's integers are signed: a count
 * above INT64_MAX is written as a string of decimal digits, so none is lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sample/store.h"

/*
 * Adds a member; a value that could not be made, or be added, makes the whole
 * document NULL in the end. jansson steals the value in any case.
 */
static void add(json_t *object, const char *key, json_t *value, int *err)
{
	if (json_object_set_new(object, key, value))
		*err = -ENOMEM;
}

static void append(json_t *array, json_t *value, int *err)
{
	if (json_array_append_new(array, value))
		*err = -ENOMEM;
}

static json_t *number(uint64_t n)
{
	char digits[24];

	if (n <= INT64_MAX)
		return json_integer((json_int_t)n);
	snprintf(digits, sizeof(digits), "%" PRIu64, n);
	return json_string(digits);
}

static json_t *seconds(double s)
{
	return json_real(isfinite(s) ? s : 0);
}

/* Text is mostly UTF-8, but arguments and paths may be any bytes. */
static json_t *text(const char *s)
{
	json_t *json;

	if (!s)
		return json_null();
	json = json_string(s);
	return json ? json : json_pack("{s:o}", "base64", base64__json(s, strlen(s)));
}

static json_t *arguments(char *const *argv, int *err)
{
	json_t *array;

	if (!argv)
		return json_null();
	array = json_array();
	for (; *argv; argv++)
		append(array, text(*argv), err);
	return array;
}

/* Those that are not 0, by name. */
static json_t *counts(const uint64_t *c, const char *const *names, int n, int *err)
{
	json_t *object = json_object();

	for (int i = 0; i < n; i++)
		if (c[i])
			add(object, names[i], number(c[i]), err);
	return object;
}

static json_t *host(const struct host *h, int *err)
{
	json_t *o = json_object();

	add(o, "hostname", text(h->hostname), err);
	add(o, "kernel", text(h->kernel), err);
	add(o, "arch", text(h->arch), err);
	add(o, "preempt", text(h->preempt), err);
	add(o, "preempt_rt", json_boolean(h->preempt_rt), err);
	add(o, "emulated", json_boolean(h->emulated), err);
	add(o, "socket_accounting", json_boolean(h->socket_accounting), err);
	add(o, "kmem_accounting", json_boolean(h->kmem_accounting), err);
	add(o, "contexts_measured", json_boolean(h->contexts_measured), err);
	add(o, "page_size", number(h->page_size), err);
	add(o, "cpus_possible", number(h->cpus_possible), err);
	add(o, "cpus_online", number(h->cpus_online), err);
	add(o, "cgroup", json_string(cgroup_mode_names[h->cgroup]), err);
	add(o, "cgroup_root", text(h->cgroup_root), err);
	return o;
}

static json_t *stock(const struct stock *s, int *err)
{
	json_t *o = json_object();

	add(o, "design", json_string(design__name(s->design)), err);
	add(o, "slots", number(s->slots), err);
	add(o, "batch", number(s->batch), err);
	add(o, "batch_observed", json_boolean(s->batch_observed), err);
	add(o, "round_robin", json_boolean(s->round_robin), err);
	add(o, "lock", json_string(lock_names[s->lock]), err);
	add(o, "overflow_emptied", number(s->overflow_emptied), err);
	add(o, "overflow_trimmed", number(s->overflow_trimmed), err);
	return o;
}

static json_t *probes(const struct sample *s, int *err)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->nprobes; i++) {
		const struct probe *p = &s->probes[i];
		json_t *o = json_object();

		add(o, "program", json_string(prog_names[p->prog]), err);
		add(o, "hook", text(p->hook), err);
		add(o, "function", text(p->function), err);
		add(o, "at", text(p->at), err);
		add(o, "method", text(p->method), err);
		add(o, "state", json_string(probe_state_names[p->state]), err);
		add(o, "reason", json_string(reason__name(p->reason)), err);
		add(o, "recorded", number(p->recorded), err);
		add(o, "missed", number(p->missed), err);
		append(array, o, err);
	}
	return array;
}

static json_t *cpus(const struct sample *s, int *err)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->ncpus; i++) {
		const struct cpu *c = &s->cpus[i];
		json_t *o = json_object();

		add(o, "cpu", number(c->cpu), err);
		add(o, "online", json_boolean(c->online), err);
		add(o, "isolated", json_boolean(c->isolated), err);
		add(o, "counters", counts(c->c, counter_names, C_NR, err), err);
		add(o, "lost", counts(c->lost, loss_names, LOSS_NR, err), err);
		append(array, o, err);
	}
	return array;
}

/* By the CPU's number; most cgroups run on few of the CPUs. */
static json_t *on_cpus(const uint64_t *n, const struct sample *s, int *err)
{
	json_t *object;
	char key[16];

	if (!n)
		return json_null();
	object = json_object();
	for (size_t i = 0; i < s->ncpus; i++) {
		if (!n[i])
			continue;
		snprintf(key, sizeof(key), "%" PRIu32, s->cpus[i].cpu);
		add(object, key, number(n[i]), err);
	}
	return object;
}

static json_t *rows(const struct sample *s, int *err)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->nrows; i++) {
		const struct row *r = &s->rows[i];
		json_t *o = json_object();

		add(o, "id", number(r->id), err);
		add(o, "parent", number(r->parent), err);
		add(o, "depth", number(r->depth), err);
		add(o, "state", json_string(row_state_names[r->state]), err);
		add(o, "path_b64", r->path ? base64__json(r->path, r->path_len) : json_null(), err);
		add(o, "counters", counts(r->c, counter_names, C_NR, err), err);
		add(o, "cpu_updates", on_cpus(r->cpu_updates, s, err), err);
		add(o, "cpu_charges", on_cpus(r->cpu_charges, s, err), err);
		append(array, o, err);
	}
	return array;
}

static json_t *sample(const struct sample *s, int *err)
{
	json_t *o;

	if (!s)
		return json_null();
	o = json_object();
	add(o, "time_ns", number(s->time_ns), err);
	add(o, "wall_ms", json_integer(s->wall_ms), err);
	add(o, "verify", json_boolean(s->verify), err);
	add(o, "no_stat", json_boolean(s->no_stat), err);
	add(o, "event_cost_ps", number(s->event_cost_ps), err);
	add(o, "host", host(&s->host, err), err);
	add(o, "stock", stock(&s->stock, err), err);
	add(o, "probes", probes(s, err), err);
	add(o, "cpus", cpus(s, err), err);
	add(o, "rows", rows(s, err), err);
	return o;
}

static json_t *command(const struct command *c, int *err)
{
	json_t *o;

	if (!c->argv)
		return json_null();
	o = json_object();
	add(o, "argv", arguments(c->argv, err), err);
	add(o, "exit", json_integer(c->exit), err);
	add(o, "signal", json_integer(c->signal), err);
	add(o, "ignore_failure", json_boolean(c->ignore_failure), err);
	add(o, "user_s", seconds(c->user_s), err);
	add(o, "system_s", seconds(c->system_s), err);
	add(o, "voluntary_switches", number(c->voluntary_switches), err);
	add(o, "involuntary_switches", number(c->involuntary_switches), err);
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
	add(o, "schema", json_string(schema), &err);
	add(o, "version", text(w->version), &err);
	add(o, "tool", arguments(w->tool_argv, &err), &err);
	add(o, "end_reason", json_string(end_reason_names[w->end_reason]), &err);
	add(o, "command", command(&w->command, &err), &err);
	add(o, "start", sample(w->start, &err), &err);
	add(o, "end", sample(w->end, &err), &err);
	if (!err)
		err = write_document(o, file);
	json_decref(o);
	return err;
}
