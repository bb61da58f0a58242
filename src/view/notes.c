// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "view/text.h"

#define KEYS_MAX    320
#define NOTE_INDENT 2

/* A key without a value, and the sentence that says why. */
struct dash {
	const struct field *field;
	const struct part *part;
	struct unmeasured why;
	bool said;
};

/* Their sections are left out, so that there is no `-` to explain. */
static bool unshown(const struct dash *d)
{
	static const struct {
		const char *key;
		enum reason reason;
	} keys[] = {
		{"rstat_updates", REASON_NOT_ASKED}, {"lock_wait_ns", REASON_NOT_ASKED},
		{"lock_wait_ns", REASON_NOT_RT},     {"limit_bytes", REASON_NO_EVENTS},
		{"sock_share", REASON_NO_EVENTS},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (d->why.reason == keys[i].reason && !strcmp(d->field->key, keys[i].key))
			return true;
	return false;
}

/* Every name of a split, for one reason: the key says it. */
static bool all_alike(const struct dash *dashes, size_t n, const struct field *f)
{
	size_t parts = 0;

	while (f->parts && f->parts[parts].name)
		parts++;
	for (size_t i = 0; i < n; i++)
		if (strcmp(dashes[i].why.text, dashes[0].why.text))
			return false;
	return n > 1 && n == parts;
}

static size_t collect(struct dash *dashes, const struct model *m, uint32_t in, bool shown)
{
	size_t n = 0, first;

	for (size_t i = 0; i < nfields && n < KEYS_MAX; i++) {
		const struct field *f = &fields[i];
		struct dash d = {.field = f, .why = field__unmeasured(f, NULL, m)};

		if (!(f->in & in))
			continue;
		if (d.why.reason != REASON_NONE) {
			if (shown || !unshown(&d))
				dashes[n++] = d;
			continue;
		}
		first = n;
		for (d.part = f->parts; d.part && d.part->name && n < KEYS_MAX; d.part++) {
			d.why = field__unmeasured(f, d.part, m);
			if (d.why.reason != REASON_NONE)
				dashes[n++] = d;
		}
		if (all_alike(&dashes[first], n - first, f)) {
			dashes[first].part = NULL;
			n = first + 1;
		}
	}
	return n;
}

static void note(struct page *p, const char *text)
{
	page__open(p, "", NOTE_INDENT);
	page__words(p, "%s", text);
	page__close(p);
}

void text__unmeasured(struct page *p, const struct model *m, uint32_t in, bool shown)
{
	struct dash dashes[KEYS_MAX];
	size_t n = collect(dashes, m, in, shown);

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
	if (amplifies(m))
		note(p, "The ~ beside amplification is 1/batch: what it is where each walk gives "
			"back a batch.");
	if (sock_seen && !(field__value(sock, &m->total) > 0) && h->socket_accounting)
		note(p, "No socket charges: sockets made in the root cgroup are not charged, nor "
			"are those that a service was handed from there.");
	if (m->window->command.argv && m->window->command.argv[0])
		note(p, "All numbers are of the whole system while the command ran.");
	text__unmeasured(p, m, IN_ALL, false);
}
