// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads what window__save() wrote, and nothing else: a file may be damaged or
 * made by somebody else. It may not crash us, hang us or cost much memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/store_parts.h"

/* As the bounds of store_get.h: far above what memcgtop writes. */
#define FILE_MAX (128u << 20)

void store__get_host(struct loader *l, const json_t *sample, struct host *h)
{
	const json_t *o = loader__object(l, sample, "host");
	size_t old = loader__enter(l, ".host");

	loader__text(l, o, "hostname", h->hostname, sizeof(h->hostname));
	loader__text(l, o, "kernel", h->kernel, sizeof(h->kernel));
	loader__text(l, o, "arch", h->arch, sizeof(h->arch));
	loader__text(l, o, "preempt", h->preempt, sizeof(h->preempt));
	h->preempt_rt = loader__bool(l, o, "preempt_rt");
	h->emulated = loader__bool(l, o, "emulated");
	h->socket_accounting = loader__bool(l, o, "socket_accounting");
	h->kmem_accounting = loader__bool(l, o, "kmem_accounting");
	if (loader__has(l, o, "contexts_measured"))
		h->contexts_measured = loader__bool(l, o, "contexts_measured");
	h->page_size = loader__u32(l, o, "page_size");
	h->cpus_possible = loader__u32(l, o, "cpus_possible");
	h->cpus_online = loader__u32(l, o, "cpus_online");
	h->cgroup = loader__name(l, o, "cgroup", cgroup_mode_names, 4);
	h->cgroup_root = loader__text_or_null(l, o, "cgroup_root");
	loader__leave(l, old);
}

void store__get_stock(struct loader *l, const json_t *sample, bool counts, struct stock *s)
{
	const json_t *o = loader__object(l, sample, "stock");
	size_t old = loader__enter(l, ".stock");
	const char *designs[DESIGN_NR];

	for (int i = 0; i < DESIGN_NR; i++)
		designs[i] = design__name(i);
	s->design = loader__name(l, o, "design", designs, DESIGN_NR);
	s->slots = loader__u32(l, o, "slots");
	s->batch = loader__u32(l, o, "batch");
	s->batch_observed = loader__bool(l, o, "batch_observed");
	s->round_robin = loader__bool(l, o, "round_robin");
	s->lock = loader__name(l, o, "lock", lock_names, 3);
	if (counts) {
		s->overflow_emptied = loader__u64(l, o, "overflow_emptied");
		s->overflow_trimmed = loader__u64(l, o, "overflow_trimmed");
	}
	loader__leave(l, old);
}

/* The program, or PROG_NR: one of a build that has more of them. */
static int get_prog(struct loader *l, const json_t *o)
{
	const json_t *value = loader__member(l, o, "program");

	if (value && !json_is_string(value))
		loader__wrong(l, "program", "a name");
	for (int i = 0; !l->rc && i < PROG_NR; i++)
		if (!strcmp(prog_names[i], json_string_value(value)))
			return i;
	return PROG_NR;
}

static void load_probe(struct loader *l, const json_t *o, void *arg)
{
	const char *reasons[REASON_NR];
	struct sample *s = arg;
	int prog = get_prog(l, o);
	struct probe *p = &s->probes[s->nprobes];

	if (prog == PROG_NR)
		return;
	for (size_t i = 0; i < s->nprobes; i++)
		if ((int)s->probes[i].prog == prog)
			loader__fault(l, -EINVAL, "%s: a second entry for the program %s", l->where,
				      prog_names[prog]);
	if (l->rc)
		return;
	for (int i = 0; i < REASON_NR; i++)
		reasons[i] = reason__name(i);
	p->prog = prog;
	loader__text(l, o, "hook", p->hook, sizeof(p->hook));
	loader__text(l, o, "function", p->function, sizeof(p->function));
	loader__text(l, o, "at", p->at, sizeof(p->at));
	loader__text(l, o, "method", p->method, sizeof(p->method));
	p->state = loader__name(l, o, "state", probe_state_names, 4);
	p->reason = loader__name(l, o, "reason", reasons, REASON_NR);
	s->nprobes++;
}

static void load_counted_probe(struct loader *l, const json_t *o, void *arg)
{
	struct sample *s = arg;
	size_t before = s->nprobes;

	load_probe(l, o, arg);
	if (l->rc || s->nprobes == before)
		return;
	s->probes[before].recorded = loader__u64(l, o, "recorded");
	s->probes[before].missed = loader__u64(l, o, "missed");
}

void store__get_probes(struct loader *l, const json_t *o, bool counts, struct sample *s)
{
	loader__each(l, loader__array(l, o, "probes", 4 * PROG_NR), "probes",
		     counts ? load_counted_probe : load_probe, s);
}

static void load_cpu(struct loader *l, const json_t *o, void *arg)
{
	struct sample *s = arg;
	struct cpu *c = &s->cpus[s->ncpus];

	c->cpu = (uint32_t)loader__int(l, o, "cpu", 0, CPUS_IN_FILE_MAX - 1);
	c->online = loader__bool(l, o, "online");
	c->isolated = loader__bool(l, o, "isolated");
	loader__counts(l, o, "counters", c->c, counter_names, C_NR);
	loader__counts(l, o, "lost", c->lost, loss_names, LOSS_NR);
	store__get_slots(l, o, c);
	/* In order, so none is there twice, and each is found fast. */
	if (s->ncpus && c->cpu <= c[-1].cpu)
		loader__wrong(l, "cpu", "a number above that of the CPU before");
	s->ncpus++;
}

static void load_row(struct loader *l, const json_t *o, void *arg)
{
	const json_t *path = loader__member(l, o, "path_b64");
	struct sample *s = arg;
	struct row *r = &s->rows[s->nrows++];

	r->id = loader__u64(l, o, "id");
	r->parent = loader__u64(l, o, "parent");
	r->depth = loader__u32(l, o, "depth");
	r->state = loader__name(l, o, "state", row_state_names, 3);
	if (path && !json_is_null(path))
		r->path = loader__bytes(l, "path_b64", path, &r->path_len);
	loader__counts(l, o, "counters", r->c, counter_names, C_NR);
	r->cpu_updates = loader__on_cpus(l, loader__member(l, o, "cpu_updates"), "cpu_updates", s);
	r->cpu_charges = loader__on_cpus(l, json_object_get(o, "cpu_charges"), "cpu_charges", s);
	store__get_times(l, o, r);
	store__get_gauges(l, o, r);
}

void store__check_other(struct loader *l, const struct sample *s)
{
	size_t others = 0;

	for (size_t i = 0; i < s->nrows; i++)
		others += s->rows[i].state == ROW_IS_OTHER;
	if (others != 1)
		loader__fault(l, -EINVAL, "%s.rows: %zu rows are the \"other\" one, expected 1",
			      l->where, others);
}

static void load_arrays(struct loader *l, const json_t *o, struct sample *s)
{
	const json_t *cpus = loader__array(l, o, "cpus", CPUS_IN_FILE_MAX);
	const json_t *rows = loader__array(l, o, "rows", ROWS_MAX);

	if (l->rc)
		return;
	if (json_array_size(rows) * json_array_size(cpus) > CELLS_MAX) {
		loader__fault(l, -EINVAL, "%s: %zu rows of %zu CPUs are more than can be", l->where,
			      json_array_size(rows), json_array_size(cpus));
		return;
	}
	s->cpus = loader__room(l, json_array_size(cpus), sizeof(s->cpus[0]));
	s->rows = loader__room(l, json_array_size(rows), sizeof(s->rows[0]));
	store__get_probes(l, o, true, s);
	loader__each(l, cpus, "cpus", load_cpu, s);
	loader__each(l, rows, "rows", load_row, s);
	if (!l->rc)
		store__check_other(l, s);
}

static void load_asked(struct loader *l, const json_t *sample, struct asked *a)
{
	const json_t *o;
	size_t old;

	if (!loader__has(l, sample, "asked"))
		return;
	o = loader__object(l, sample, "asked");
	old = loader__enter(l, ".asked");
	a->sample_every = loader__u32(l, o, "sample_every");
	a->lock_exact = loader__bool(l, o, "lock_exact");
	a->drains = loader__bool(l, o, "drains");
	a->rstat = loader__bool(l, o, "rstat");
	loader__leave(l, old);
}

/* What the first files do not have, but for what is in their parts. */
static void load_later(struct loader *l, const json_t *o, struct sample *s)
{
	store__get_kept(l, o, s);
	load_asked(l, o, &s->asked);
	store__get_spans(l, o, s);
	store__get_pairs(l, o, s);
	store__get_drains(l, o, s);
	if (loader__has(l, o, "drain_all_busy"))
		s->drain_all_busy = loader__u64(l, o, "drain_all_busy");
	if (loader__has(l, o, "breaches"))
		s->breaches = loader__u64(l, o, "breaches");
}

static struct sample *load_sample(struct loader *l, const json_t *doc, const char *key)
{
	const json_t *o = loader__object(l, doc, key);
	struct sample *s = o ? loader__room(l, 0, sizeof(*s)) : NULL;
	size_t old;

	if (!s)
		return NULL;
	old = loader__enter(l, "%s", key);
	s->time_ns = loader__u64(l, o, "time_ns");
	s->wall_ms = loader__int(l, o, "wall_ms", INT64_MIN, INT64_MAX);
	s->verify = loader__bool(l, o, "verify");
	s->no_stat = loader__bool(l, o, "no_stat");
	s->event_cost_ps = loader__u64(l, o, "event_cost_ps");
	store__get_host(l, o, &s->host);
	store__get_stock(l, o, true, &s->stock);
	load_arrays(l, o, s);
	load_later(l, o, s);
	loader__leave(l, old);
	return s;
}

static void get_metrics(struct loader *l, const json_t *command, struct command *c)
{
	const json_t *o, *value;
	const char *name;

	if (!loader__has(l, command, "metrics"))
		return;
	o = loader__object(l, command, "metrics");
	c->metrics = loader__room(l, json_object_size(o), sizeof(c->metrics[0]));
	json_object_foreach ((json_t *)o, name, value) {
		struct metric *m;

		if (!c->metrics || !metric__is_name(name, strlen(name)) ||
		    !(json_is_number(value) || json_is_null(value))) {
			loader__wrong(l, "metrics", "numbers by the names of metrics");
			return;
		}
		m = &c->metrics[c->nmetrics];
		m->name = strdup(name);
		if (!m->name) {
			loader__fault(l, -ENOMEM, "out of memory");
			return;
		}
		m->known = json_is_number(value);
		m->value = json_number_value(value);
		c->nmetrics++;
	}
}

void store__get_command(struct loader *l, const json_t *doc, struct command *c)
{
	const json_t *o = loader__member(l, doc, "command");
	size_t old;

	if (!o || json_is_null(o))
		return;
	o = loader__object(l, doc, "command");
	old = loader__enter(l, "command");
	c->argv = loader__arguments(l, o, "argv");
	c->exit = (int)loader__int(l, o, "exit", -1, 255);
	c->signal = (int)loader__int(l, o, "signal", 0, 127);
	c->ignore_failure = loader__bool(l, o, "ignore_failure");
	c->user_s = loader__seconds(l, o, "user_s");
	c->system_s = loader__seconds(l, o, "system_s");
	c->voluntary_switches = loader__u64(l, o, "voluntary_switches");
	c->involuntary_switches = loader__u64(l, o, "involuntary_switches");
	get_metrics(l, o, c);
	loader__leave(l, old);
}

void store__check_schema(struct loader *l, const json_t *doc, const char *family, int version)
{
	const json_t *value = json_object_get(doc, "schema");
	const char *schema = json_is_string(value) ? json_string_value(value) : NULL;
	const char *digits;

	if (!schema) {
		loader__fault(l, -EINVAL, "not a sample of memcgtop: it has no schema");
		return;
	}
	if (strncmp(schema, family, strlen(family))) {
		loader__fault(l, -EINVAL, "not a sample of memcgtop: its schema is %.40s", schema);
		return;
	}
	digits = schema + strlen(family);
	if (!*digits || *digits == '0' || digits[strspn(digits, "0123456789")]) {
		loader__fault(l, -EINVAL, "the schema %.40s is none that memcgtop has written",
			      schema);
		return;
	}
	if (strtoul(digits, NULL, 10) > (unsigned long)version)
		loader__fault(l, -EPROTONOSUPPORT,
			      "written by a newer memcgtop (%.40s); this one reads %s%d", schema,
			      family, version);
}

void store__get_tool(struct loader *l, const json_t *doc, struct window *w)
{
	const json_t *tool;

	w->version = loader__text_or_null(l, doc, "version");
	tool = loader__member(l, doc, "tool");
	if (tool && !json_is_null(tool))
		w->tool_argv = loader__arguments(l, doc, "tool");
}

static void load_window(struct loader *l, const json_t *doc, struct window *w)
{
	const json_t *start;

	if (!json_is_object(doc)) {
		loader__fault(l, -EINVAL, "not a sample of memcgtop: it is no JSON object");
		return;
	}
	store__check_schema(l, doc, STORE_FAMILY, STORE_VERSION);
	store__get_tool(l, doc, w);
	w->end_reason = loader__name(l, doc, "end_reason", end_reason_names, 3);
	store__get_command(l, doc, &w->command);
	start = loader__member(l, doc, "start");
	if (start && !json_is_null(start))
		w->start = load_sample(l, doc, "start");
	w->end = load_sample(l, doc, "end");
	store__get_intervals(l, doc, w);
}

/* Gives the parser the file in pieces and stops at FILE_MAX, whatever kind of file it is. */
struct source {
	FILE *f;
	size_t given;
	bool too_large;
};

static size_t read_piece(void *buffer, size_t size, void *data)
{
	struct source *src = data;
	size_t n = fread(buffer, 1, size, src->f);

	if (ferror(src->f))
		return (size_t)-1;
	src->given += n;
	src->too_large = src->given > FILE_MAX;
	return src->too_large ? (size_t)-1 : n;
}

static json_t *read_document(struct loader *l)
{
	struct source src = {.f = fopen(l->file, "re")};
	json_t *doc;
	json_error_t e;
	int err;

	if (!src.f) {
		loader__fault(l, -errno, "%s", strerror(errno));
		return NULL;
	}
	errno = 0;
	doc = json_load_callback(read_piece, &src, JSON_REJECT_DUPLICATES, &e);
	err = errno ? errno : EIO;
	if (ferror(src.f))
		loader__fault(l, -err, "%s", strerror(err));
	else if (src.too_large)
		loader__fault(l, -EFBIG, "larger than %u MiB: memcgtop has not written it",
			      FILE_MAX >> 20);
	else if (!doc)
		loader__fault(l, -EINVAL, "damaged or cut short: line %d, column %d: %s", e.line,
			      e.column, e.text);
	fclose(src.f);
	return doc;
}

void store__disarm(char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)s[0], next = (unsigned char)s[1];

		/* C0 and DEL, and C1 in UTF-8 */
		if (c < ' ' || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0))
			*s = '?';
	}
}

int window__load(struct window *w, const char *path, char *err, size_t n)
{
	struct loader l = {.file = path, .err = err, .n = n};
	json_t *doc = read_document(&l);

	*w = (struct window){0};
	if (!l.rc)
		load_window(&l, doc, w);
	json_decref(doc);
	if (l.rc) {
		store__disarm(err);
		window__release(w);
	}
	return l.rc;
}
