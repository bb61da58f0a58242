// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "view/doctor.h"
#include "view/hooks.h"
#include "view/json.h"
#include "view/text.h"

#define CHECK_INDENT 19

static int column(int width, const char *text)
{
	int n = (int)strlen(text);

	return n > width ? n : width;
}

static const char *state_text(const struct probe *p)
{
	if (p->state == PROBE_NOT_NEEDED)
		return "not needed here";
	return hook__works(p) ? "can be attached" : hook__why(p->reason);
}

/* What goes with a missing hook, on lines of its own: the list may be long. */
static void losses(struct page *p, const struct model *m, const struct model_probe *mp)
{
	char *text;

	if (mp->reason == REASON_NONE)
		return;
	text = hook__losses(m, mp);
	if (!text) {
		p->failed = true;
		return;
	}
	page__open(p, "", 2);
	page__words(p, "%s", text);
	page__close(p);
	free(text);
}

static void hooks(struct page *p, const struct model *m)
{
	char line[256];
	int hook = 4, function = 8;

	for (size_t i = 0; i < m->nprobes; i++) {
		hook = column(hook, m->probes[i].probe->hook);
		function = column(function, m->probes[i].probe->function);
	}
	snprintf(line, sizeof(line), "%-*s  %-*s  %-6s  %s", hook, "HOOK", function, "FUNCTION",
		 "HOW", "STATE");
	if (m->nprobes)
		page__heading(p, line);
	for (size_t i = 0; i < m->nprobes; i++) {
		const struct probe *probe = m->probes[i].probe;

		page__open(p, "", 0);
		fprintf(p->f, "%-*s  %-*s  %-6s  %s", hook, probe->hook, function,
			*probe->function ? probe->function : "-",
			*probe->method ? probe->method : "-", state_text(probe));
		page__close(p);
		losses(p, m, &m->probes[i]);
	}
}

static void checks(struct page *p, const struct doctor *d)
{
	page__heading(p, "CHECK");
	for (size_t i = 0; i < d->nchecks; i++) {
		const struct check *c = &d->checks[i];
		char label[64];

		snprintf(label, sizeof(label), "%-4s  %-12s ", check_state__name(c->state),
			 c->name);
		page__open(p, label, CHECK_INDENT);
		page__words(p, "%s", c->text);
		if (c->hint)
			page__words(p, "; %s", c->hint);
		page__close(p);
	}
}

int view__doctor_text(FILE *f, const struct diagnosis *from, const struct view_opts *o)
{
	struct page p = {
		.f = f,
		.width = o->width < VIEW_WIDTH_MIN ? VIEW_WIDTH_MIN : o->width,
		.color = o->color,
		.ascii = o->ascii,
	};
	struct doctor d;
	int err = doctor__init(&d, from);

	if (err)
		return err;
	fprintf(f, "memcgtop %s doctor\n", from->version);
	text__host(&p, &d.sample.host);
	text__stock(&p, &d.sample.stock, NULL, NULL);
	page__blank(&p);
	hooks(&p, &d.model);
	page__blank(&p);
	checks(&p, &d);
	page__blank(&p);
	page__open(&p, "", 0);
	page__words(&p, "misses are %smeasurable: %s", d.measurable ? "" : "not ", d.why);
	page__close(&p);
	doctor__release(&d);
	return page__finish(&p);
}

static void json_checks(struct writer *w, const struct doctor *d)
{
	json__key(w, "checks");
	json__open(w, '[');
	for (size_t i = 0; i < d->nchecks; i++) {
		const struct check *c = &d->checks[i];

		json__open(w, '{');
		json__put_string(w, "check", c->name);
		json__put_string(w, "state", check_state__name(c->state));
		json__put_string(w, "text", c->text);
		json__put_string(w, "hint", c->hint);
		json__close(w, '}');
	}
	json__close(w, ']');
}

int view__doctor_json(FILE *f, const struct diagnosis *from, bool ascii)
{
	struct writer w = {.f = f, .lines = 2, .ascii = ascii};
	struct doctor d;
	int err = doctor__init(&d, from);

	if (err)
		return err;
	json__open(&w, '{');
	json__put_string(&w, "schema", JSON_SCHEMA);
	json__host(&w, &d.sample.host);
	json__stock(&w, &d.model);
	json__probes(&w, &d.model, false);
	json_checks(&w, &d);
	json__key(&w, "measurable");
	json__open(&w, '{');
	json__put_bool(&w, "misses", d.measurable);
	json__put_string(&w, "reason", d.reason ? reason__name(d.reason) : NULL);
	json__put_string(&w, "text", d.why);
	json__close(&w, '}');
	json__close(&w, '}');
	doctor__release(&d);
	return json__finish(&w);
}
