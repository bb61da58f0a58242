// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "view/text.h"

#define KEYS_MAX    160
#define NOTE_INDENT 2

/* A key without a value, and the sentence that says why. */
struct dash {
	const struct field *field;
	const struct part *part;
	struct unmeasured why;
	bool said;
};

static size_t collect(struct dash *dashes, const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < nfields && n < KEYS_MAX; i++) {
		const struct field *f = &fields[i];
		struct dash d = {.field = f, .why = field__unmeasured(f, NULL, m)};

		if (d.why.reason != REASON_NONE) {
			dashes[n++] = d;
			continue;
		}
		for (d.part = f->parts; d.part && d.part->name && n < KEYS_MAX; d.part++) {
			d.why = field__unmeasured(f, d.part, m);
			if (d.why.reason != REASON_NONE)
				dashes[n++] = d;
		}
	}
	return n;
}

/* One note for each sentence: the keys it holds for, then the sentence. */
static void unmeasured(struct page *p, const struct model *m)
{
	struct dash dashes[KEYS_MAX];
	size_t n = collect(dashes, m);

	for (size_t i = 0; i < n; i++) {
		if (dashes[i].said)
			continue;
		page__open(p, "-", NOTE_INDENT);
		for (size_t j = i, keys = 0; j < n; j++) {
			struct dash *d = &dashes[j];

			if (strcmp(d->why.text, dashes[i].why.text))
				continue;
			d->said = true;
			page__words(p, "%s%s%s%s", keys++ ? ", " : "", d->field->key,
				    d->part ? "." : "", d->part ? d->part->name : "");
		}
		page__words(p, ": %s%s",
			    dashes[i].why.applicable ? "" : "not applicable: ", dashes[i].why.text);
		page__close(p);
	}
}

static double charges_of(const struct model_cpu *c)
{
	return field__value(field__find("charges"), &c->scope);
}

static void slots_and_cpus(struct page *p, const struct model *m)
{
	const struct model_cpu *most = NULL;
	uint32_t slots = m->end->stock.slots;
	size_t idle = 0;

	for (size_t i = 0; i < m->ncpus; i++) {
		const struct model_cpu *c = &m->cpus[i];
		bool any = false;

		for (int j = 0; j < C_NR && !any; j++)
			any = c->c[j];
		idle += !any && c->cpu->online;
		if (any &&
		    (!most || c->scope.memcgs > most->scope.memcgs ||
		     (c->scope.memcgs == most->scope.memcgs && charges_of(c) > charges_of(most))))
			most = c;
	}
	if (!most || (!idle && !(slots && most->scope.memcgs)))
		return;
	page__open(p, "", NOTE_INDENT);
	if (slots && most->scope.memcgs)
		page__words(p, "CPU %u: %u memcg%s on %u slot%s%s", most->cpu->cpu,
			    most->scope.memcgs, most->scope.memcgs == 1 ? "" : "s", slots,
			    slots == 1 ? "" : "s", idle ? ";" : ".");
	if (idle)
		page__words(p, "%zu idle CPU%s not shown.", idle, idle == 1 ? "" : "s");
	page__close(p);
}

static void note(struct page *p, const char *text)
{
	page__open(p, "", NOTE_INDENT);
	page__words(p, "%s", text);
	page__close(p);
}

static bool amplifies(const struct model *m)
{
	const struct field *f = field__find("amplification");

	return m->end->stock.batch && f->ratio && !field__unmeasured(f, NULL, m).reason &&
	       isfinite(f->ratio(&m->total));
}

void text__notes(struct page *p, const struct model *m)
{
	const struct host *h = &m->end->host;
	const struct field *sock = field__find("sock_charges");
	bool sock_seen = sock && !field__unmeasured(sock, NULL, m).reason;

	if (m->quality.grade == GRADE_IDLE)
		note(p, "Nothing was charged or uncharged in this window: counts are 0, and a "
			"ratio of nothing is `-`.");
	slots_and_cpus(p, m);
	if (amplifies(m))
		note(p, "The ~ beside amplification is 1/batch: what it is where each walk gives "
			"back a batch.");
	if (sock_seen && !(field__value(sock, &m->total) > 0) && h->socket_accounting)
		note(p, "No socket charges: sockets made in the root cgroup are not charged, nor "
			"are those that a service was handed from there.");
	if (m->window->command.argv && m->window->command.argv[0])
		note(p, "All numbers are of the whole system while the command ran.");
	unmeasured(p, m);
}
