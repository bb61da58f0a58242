// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/utf8.h"
#include "view/json.h"
#include "view/number.h"
#include "view/verdict.h"

static void number(struct writer *w, const struct number *n, double v)
{
	if (n->form == FORM_FLAG)
		json__put_bool(w, n->key, true);
	else if (n->form == FORM_ITEM)
		json__put_string(w, n->key, verdict__item(v));
	else if (n->form == FORM_COUNT || n->form == FORM_NAME || n->form == FORM_NS ||
		 n->form == FORM_BYTES)
		json__put_u64(w, n->key, v < 1.8e19 ? (uint64_t)(v + 0.5) : UINT64_MAX);
	else
		json__put_real(w, n->key, v);
}

static void numbers(struct writer *w, const char *key, const struct verdict *v, bool base)
{
	const struct number *n = v->rule->numbers;

	json__key(w, key);
	json__open(w, '{');
	if (!base && v->cgroup) {
		json__put_u64(w, "cgroup_id", v->cgroup->id);
		json__put_bytes(w, "cgroup", "cgroup_b64", v->cgroup->path, v->cgroup->path_len);
	}
	if (!base && v->by) {
		json__put_u64(w, "by_id", v->by->id);
		json__put_bytes(w, "by", "by_b64", v->by->path, v->by->path_len);
	}
	for (int i = 0; n[i].key; i++)
		if (n[i].base == base && !isnan(v->values[i]))
			number(w, &n[i], v->values[i]);
	json__close(w, '}');
}

static char *name(const struct row *r)
{
	return r && r->path ? utf8_clean(r->path, r->path_len, NULL, NULL) : NULL;
}

/* The headline, and how far to trust it: the sentence may be all that is read. */
static void sentence(struct writer *w, const struct verdict *v, const struct quality *q)
{
	char *cgroup = name(v->cgroup), *by = name(v->by);
	char *text = verdict__text(v, v->rule->headline, cgroup, by, ' '), *whole = NULL;
	char low[NUM_LEN];

	if (text && q->grade == GRADE_FAIR &&
	    asprintf(&whole, "%s; counts low by up to %s %%", text,
		     num__percent(low, q->missed_ratio, 1)) < 0)
		whole = NULL;
	if (!text || (q->grade == GRADE_FAIR && !whole))
		w->failed = true;
	json__put_string(w, "text", whole ? whole : text);
	free(whole);
	free(text);
	free(cgroup);
	free(by);
}

void json__verdicts(struct writer *w, const struct model *m)
{
	const struct verdicts *v = &m->verdicts;

	json__put_string(w, "verdict_state", verdict_state__name(v->state));
	json__key(w, "verdicts");
	json__open(w, '[');
	for (size_t i = 0; i < v->n; i++) {
		json__open(w, '{');
		json__put_string(w, "rule", v->list[i].rule->name);
		json__put_string(w, "rank", i ? "other" : "main");
		sentence(w, &v->list[i], &m->quality);
		numbers(w, "evidence", &v->list[i], false);
		numbers(w, "base", &v->list[i], true);
		json__put_string(w, "url", v->list[i].rule->url);
		json__close(w, '}');
	}
	json__close(w, ']');
	json__key(w, "verdicts_unjudged");
	json__open(w, '[');
	for (size_t i = 0; i < v->nunjudged; i++)
		json__string(w, v->unjudged[i]->name);
	json__close(w, ']');
}
