// SPDX-License-Identifier: GPL-2.0-only
/*
 * Its keys are never renamed, and what is not there is not known: a value of the
 * wrong type is as good as none.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/report_file.h"
#include "sample/store.h"

/* NAN: no number, null, or not there. */
static double number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static uint32_t number_u32(const json_t *o, const char *key)
{
	double v = number(o, key);

	return v >= 0 && v <= UINT32_MAX ? (uint32_t)v : 0;
}

static const char *string(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static bool flag(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

/* The place of a name in a table; 0 if it is none of them. */
static int place(const char *name, const char *(*of)(int), int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(of(i), name))
			return i;
	return 0;
}

static const char *design_of(int i)
{
	return design__name((enum design)i);
}

static const char *cgroup_of(int i)
{
	return cgroup_mode__name((enum cgroup_mode)i);
}

static const char *grade_of(int i)
{
	return grade__name((enum grade)i);
}

static void load_machine(struct run *r, const json_t *doc)
{
	const json_t *h = json_object_get(doc, "host"), *s = json_object_get(doc, "stock");

	snprintf(r->host.kernel, sizeof(r->host.kernel), "%s", string(h, "kernel"));
	snprintf(r->host.arch, sizeof(r->host.arch), "%s", string(h, "arch"));
	snprintf(r->host.preempt, sizeof(r->host.preempt), "%s", string(h, "preempt"));
	r->host.preempt_rt = flag(h, "preempt_rt");
	r->host.emulated = flag(h, "emulated");
	r->host.page_size = number_u32(h, "page_size");
	r->host.cpus_online = number_u32(h, "cpus_online");
	r->host.cgroup = (enum cgroup_mode)place(string(h, "cgroup"), cgroup_of, CGROUP_NONE + 1);
	r->stock.design = (enum design)place(string(s, "design"), design_of, DESIGN_NR);
	r->stock.slots = number_u32(s, "slots");
	r->stock.batch = number_u32(s, "batch");
}

static void load_probes(struct run *r, const json_t *doc)
{
	const json_t *all = json_object_get(doc, "probes"), *p;

	for (size_t i = 0; (p = json_array_get(all, i)); i++) {
		for (int prog = 0; prog < PROG_NR; prog++) {
			struct probe *to = &r->probes[prog];

			if (strcmp(prog_names[prog], string(p, "hook")) != 0)
				continue;
			to->prog = prog;
			to->state = strcmp(string(p, "state"), "attached") ? PROBE_MISSING
									   : PROBE_ATTACHED;
			snprintf(to->hook, sizeof(to->hook), "%s", string(p, "hook"));
			snprintf(to->function, sizeof(to->function), "%s", string(p, "function"));
			snprintf(to->at, sizeof(to->at), "%s", string(p, "at"));
			snprintf(to->method, sizeof(to->method), "%s", string(p, "method"));
		}
	}
	r->asked.sample_every = number_u32(json_object_get(doc, "sampling"), "every");
	r->asked.drains = r->probes[PROG_DRAIN_BUSY].state == PROBE_ATTACHED &&
			  *r->probes[PROG_DRAIN_BUSY].hook;
	r->asked.rstat =
		r->probes[PROG_RSTAT].state == PROBE_ATTACHED && *r->probes[PROG_RSTAT].hook;
	r->asked.lock_exact =
		r->probes[PROG_LOCK_TRY].state == PROBE_ATTACHED && *r->probes[PROG_LOCK_TRY].hook;
}

/* One entry of functions[], by the measure that it comes from; NULL. */
static const json_t *function_of(const json_t *doc, const char *key)
{
	const json_t *all = json_object_get(doc, "functions"), *f;

	for (size_t i = 0; (f = json_array_get(all, i)); i++)
		if (!strcmp(string(f, "measure"), key))
			return f;
	return NULL;
}

static double total_of(const json_t *doc, const struct field *f, const struct part *part)
{
	const json_t *total = json_object_get(doc, "total");

	return part ? number(json_object_get(total, f->key), part->name) : number(total, f->key);
}

static double value_of(const struct measure *x, const json_t *doc, const struct run *r)
{
	const json_t *split, *h;
	double a, b;

	switch (x->how) {
	case HOW_MEAN:
		h = json_object_get(json_object_get(doc, "histograms"), x->field->key);
		return number(h, "mean");
	case HOW_CPUS:
		return number(function_of(doc, x->field->key), "cpu_ratio") / r->host.cpus_online;
	case HOW_TOGETHER:
		split = json_object_get(json_object_get(doc, "total"), x->field->key);
		a = number(split, "absent");
		b = number(split, "short");
		return isnan(a) ? b : isnan(b) ? a : a + b;
	case HOW_QUOTIENT:
		b = total_of(doc, x->below, NULL);
		return b > 0 ? total_of(doc, x->field, NULL) / b : NAN;
	case HOW_VALUE:
		break;
	}
	return total_of(doc, x->field, x->part);
}

/* "exact", "upper_bound" and "lower_bound", as text that stays. */
static const char *bound_of(const json_t *doc, const char *key)
{
	static const char *const bounds[] = {"exact", "upper_bound", "lower_bound"};
	const char *bound = string(function_of(doc, key), "bound");

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(bound, bounds[i]))
			return bounds[i];
	return NULL;
}

static const json_t *why_not(const json_t *doc, const struct measure *x)
{
	const json_t *all = json_object_get(doc, "unmeasured");
	const json_t *why = json_object_get(all, x->key);

	why = why ? why : json_object_get(all, x->field->key);
	return why || !x->below ? why : json_object_get(all, x->below->key);
}

static int load_values(struct run *r, const json_t *doc)
{
	size_t n;
	const struct measure *list = measures__all(&n);

	for (size_t i = 0; i < n; i++) {
		const json_t *why = why_not(doc, &list[i]);
		const char *text = string(why, "text");

		r->values[i] = value_of(&list[i], doc, r);
		if (list[i].field->spans)
			r->bounds[i] = bound_of(doc, list[i].field->key);
		if (isfinite(r->values[i]))
			continue;
		r->values[i] = NAN;
		r->reasons[i] = why ? REASON_ABSENT : REASON_NO_EVENTS;
		if (!strcmp(string(why, "reason"), reason__name(REASON_NO_EVENTS)))
			r->reasons[i] = REASON_NO_EVENTS;
		r->why[i] = strdup(*text ? text : "nothing of the kind happened");
		if (!r->why[i])
			return -ENOMEM;
	}
	return 0;
}

static int load_command(struct run *r, const json_t *window)
{
	const json_t *c = json_object_get(window, "command");
	const struct command command = {
		.user_s = number(c, "user_s"),
		.system_s = number(c, "system_s"),
		.voluntary_switches = number_u32(c, "voluntary_switches"),
		.involuntary_switches = number_u32(c, "involuntary_switches"),
	};
	json_t *metrics = json_object_get(c, "metrics");
	int err = 0;

	if (!json_is_object(c))
		return 0;
	if (!strcmp(string(window, "end_reason"), "command_exit"))
		err = run__add_command(r, &command);
	for (void *at = json_object_iter(metrics); at && !err;
	     at = json_object_iter_next(metrics, at)) {
		const json_t *v = json_object_iter_value(at);

		if (json_is_number(v))
			err = run__add_metric(r, json_object_iter_key(at), json_number_value(v));
	}
	return err;
}

static char *command_line(const json_t *window)
{
	const json_t *argv = json_object_get(json_object_get(window, "command"), "argv"), *arg;
	char *text = NULL;
	size_t n;
	FILE *f = json_is_array(argv) ? open_memstream(&text, &n) : NULL;

	if (!f)
		return NULL;
	for (size_t i = 0; (arg = json_array_get(argv, i)); i++)
		fprintf(f, "%s%s", i ? " " : "", json_is_string(arg) ? json_string_value(arg) : "");
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

int report_file__load(struct run *r, const char *path, char *err, size_t n)
{
	json_t *doc = json_load_file(path, JSON_DECODE_INT_AS_REAL, NULL), *window;
	const json_t *quality = json_object_get(doc, "quality");
	int ret;

	if (strcmp(string(doc, "schema"), "memcgtop/1") != 0) {
		json_decref(doc);
		return 1;
	}
	window = json_object_get(doc, "window");
	*r = (struct run){
		.name = strdup(path),
		.hit_source = strdup(string(quality, "hit_source")),
		.command = command_line(window),
		.seconds = number(window, "duration_s"),
		.grade = (enum grade)place(string(quality, "grade"), grade_of, GRADE_UNTRUSTED + 1),
		.missed_ratio = number(quality, "missed_ratio"),
	};
	load_machine(r, doc);
	load_probes(r, doc);
	ret = r->name && r->hit_source ? load_values(r, doc) : -ENOMEM;
	ret = ret ? ret : load_command(r, window);
	if (!ret && (!(r->seconds > 0) || !r->host.page_size || !r->host.cpus_online)) {
		snprintf(err, n, "%s is no whole report: it lacks its duration or its host", path);
		ret = -EINVAL;
	}
	json_decref(doc);
	return ret;
}
