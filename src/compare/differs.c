// SPDX-License-Identifier: GPL-2.0-only
/* What two sides do not share: what forbids to compare them, what a reader must know, what marks a measure. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

#define DIFFERS_MAX 32
#define FACT_LEN    200

/* A fact of a run, in words; "" where there is nothing to say. Returns buf. */
struct fact {
	const char *name;
	const char *(*of)(const struct run *r, char *buf);
	bool silent; /* its values stand above, or are long */
};

#define TEXT(name, ...)                                         \
	static const char *name(const struct run *r, char *buf) \
	{                                                       \
		snprintf(buf, FACT_LEN, __VA_ARGS__);           \
		return buf;                                     \
	}

TEXT(of_kernel, "%s", r->host.kernel)
TEXT(of_arch, "%s", r->host.arch)
TEXT(of_preempt, "%s", r->host.preempt)
TEXT(of_emulated, "%s", r->host.emulated ? "emulated" : "real")
TEXT(of_cpus, "%u", r->host.cpus_online)
TEXT(of_design, "%s", design__name(r->stock.design))
TEXT(of_slots, "%u", r->stock.slots)
TEXT(of_batch, "%u", r->stock.batch)
TEXT(of_hits, "%s", r->hit_source)
TEXT(of_statistic, "%s", r->no_stat ? "--no-stat" : "counted")
TEXT(of_command, "%s", r->command ? r->command : "")

static const char *of_interval(const struct run *r, char *buf)
{
	if (r->interval_ns)
		snprintf(buf, FACT_LEN, "%.6g s", (double)r->interval_ns / 1e9);
	else
		strcpy(buf, "none");
	return buf;
}

static const char *of_times(const struct run *r, char *buf)
{
	if (r->asked.sample_every)
		snprintf(buf, FACT_LEN, "1/%u", r->asked.sample_every);
	else
		strcpy(buf, "--no-time");
	return buf;
}

/* The options that attach more. */
static const char *of_probes(const struct run *r, char *buf)
{
	snprintf(buf, FACT_LEN, "%s%s%s", r->asked.lock_exact ? "--lock exact " : "",
		 r->asked.drains ? "--drains " : "", r->asked.rstat ? "--rstat " : "");
	if (*buf)
		buf[strlen(buf) - 1] = '\0';
	else
		strcpy(buf, "the usual");
	return buf;
}

static const struct fact facts[] = {
	{"kernel", of_kernel, true},	    {"design", of_design, false},
	{"slots", of_slots, false},	    {"batch", of_batch, false},
	{"CPUs", of_cpus, false},	    {"arch", of_arch, false},
	{"preemption", of_preempt, false},  {"CPU", of_emulated, false},
	{"probes", of_probes, false},	    {"times", of_times, false},
	{"statistic", of_statistic, false}, {"hits seen by", of_hits, false},
	{"interval", of_interval, false},   {"command", of_command, true},
};

static int add(struct comparison *c, size_t *n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int add(struct comparison *c, size_t *n, const char *fmt, ...)
{
	va_list args;
	int len;

	if (*n + 1 >= DIFFERS_MAX)
		return 0;
	va_start(args, fmt);
	len = vasprintf(&c->differs[*n], fmt, args);
	va_end(args);
	if (len < 0) {
		c->differs[*n] = NULL;
		return -ENOMEM;
	}
	(*n)++;
	return 0;
}

/* Do the runs of one side agree with its first? */
static bool agree(const struct side *s, const struct fact *f)
{
	char first[FACT_LEN], other[FACT_LEN];

	f->of(&s->runs[0], first);
	for (size_t i = 1; i < s->n; i++)
		if (strcmp(first, f->of(&s->runs[i], other)) != 0)
			return false;
	return true;
}

double side__seconds(const struct side *s)
{
	double v[STATS_MAX];
	size_t n = s->n < STATS_MAX ? s->n : STATS_MAX;

	for (size_t i = 0; i < n; i++)
		v[i] = s->runs[i].seconds;
	return stats__median(v, n);
}

static int list(struct comparison *c)
{
	char a[FACT_LEN], b[FACT_LEN];
	size_t n = 0;
	int err = 0;

	c->differs = calloc(DIFFERS_MAX, sizeof(*c->differs));
	if (!c->differs)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]) && !err; i++) {
		const struct fact *f = &facts[i];

		if (!agree(c->a, f))
			err = add(c, &n, "%s (not one within A)", f->name);
		if (!err && !agree(c->b, f))
			err = add(c, &n, "%s (not one within B)", f->name);
		if (err || !strcmp(f->of(c->a->runs, a), f->of(c->b->runs, b)))
			continue;
		if (f->silent)
			err = add(c, &n, "%s", f->name);
		else
			err = add(c, &n, "%s (%s, %s)", f->name, a, b);
	}
	return err;
}

static int refuse(char *err, size_t n, const struct run *a, const struct run *b, const char *what,
		  const char *why)
{
	snprintf(err, n, "%s and %s do not compare: %s differs; %s", a->name, b->name, what, why);
	return -EINVAL;
}

static int check(const struct run *a, const struct run *b, char *err, size_t n)
{
	const uint32_t x = a->asked.sample_every, y = b->asked.sample_every;

	if (a->host.page_size != b->host.page_size)
		return refuse(err, n, a, b, "the size of a page", "all counts are in pages");
	if (a->host.cgroup != b->host.cgroup)
		return refuse(err, n, a, b, "the version of cgroups",
			      "v1 has other counters, and no stock for sockets");
	/* without times on one side, those rows have no value there, and say so */
	if (x && y && x != y)
		return refuse(err, n, a, b, "--sample",
			      "what timing costs is in the times: measure both with the same");
	return 0;
}

static int check_all(const struct comparison *c, char *err, size_t n)
{
	const struct side *const sides[] = {c->a, c->b};
	int ret = 0;

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->n && !ret; i++)
			ret = check(c->a->runs, &sides[s]->runs[i], err, n);
	return ret;
}

bool differs__marked(const struct comparison *c, const struct measure *x, size_t at)
{
	const struct run *a = c->a->runs, *b = c->b->runs;
	const uint64_t programs = measure__programs(x);
	const char *bound_a = a->bounds[at], *bound_b = b->bounds[at];

	for (int prog = 0; prog < PROG_NR; prog++)
		if (programs & 1ull << prog && !run__same_probe(a, b, prog))
			return true;
	if (x->field->needs_unseen && strcmp(a->hit_source, b->hit_source) != 0)
		return true;
	return bound_a && bound_b && strcmp(bound_a, bound_b) != 0;
}

/* Which hooks and which bounds they are: "mem_cgroup_charge_skmem is mem_cgroup_sk_charge". */
static int explain(struct comparison *c)
{
	const struct run *a = c->a->runs, *b = c->b->runs;
	size_t n, nmeasures;
	const struct measure *list = measures__all(&nmeasures);
	const char *gap = "";
	FILE *f = open_memstream(&c->mark, &n);

	if (!f)
		return -ENOMEM;
	for (int prog = 0; prog < PROG_NR; prog++) {
		const struct probe *x = &a->probes[prog], *y = &b->probes[prog];

		/* fentry and fexit of a function: once; nothing to say where one has none */
		if (run__same_probe(a, b, prog) || !*x->function || !*y->function ||
		    !strcmp(x->function, y->function) || !strcmp(x->at, "exit"))
			continue;
		fprintf(f, "%s%s is %s", gap, x->function, y->function);
		gap = ", ";
	}
	for (size_t i = 0; i < nmeasures; i++) {
		if (list[i].how != HOW_MEAN || !a->bounds[i] || !b->bounds[i] ||
		    !strcmp(a->bounds[i], b->bounds[i]))
			continue;
		fprintf(f, "%s%s is %.5s and %.5s bound", gap, list[i].key, a->bounds[i],
			b->bounds[i]);
		gap = ", ";
	}
	return fclose(f) ? -ENOMEM : 0;
}

int differs__init(struct comparison *c, char *err, size_t n)
{
	double a = side__seconds(c->a), b = side__seconds(c->b);
	int ret = check_all(c, err, n);
	size_t end = 0;

	ret = ret ? ret : list(c);
	ret = ret ? ret : explain(c);
	while (!ret && c->differs[end])
		end++;
	/* a command's own time is its result, and has a row */
	if (!ret && !c->within && !c->a->runs->nwork && fmax(a, b) > 1.1 * fmin(a, b))
		ret = add(c, &end, "duration (%.3g s, %.3g s)", a, b);
	return ret;
}
