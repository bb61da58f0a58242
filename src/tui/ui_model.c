// SPDX-License-Identifier: GPL-2.0-only
/* From samples to what is shown: the model, its lines, the items of the tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui_parts.h"

const struct model *ui__model(const struct ui *u)
{
	return u->seen.there ? &u->seen.model : NULL;
}

bool ui__first_interval(const struct ui *u)
{
	return !u->samples[SAMPLE_BEFORE];
}

/* The model of two samples. 0 or -ENOMEM. */
static int seen__init(struct seen *s, const struct ui *u, struct sample *before, struct sample *now)
{
	s->window = (struct window){
		/* without one before, all that has happened is not of an interval */
		.start = before ? before : now,	       .end = now,
		.version = (char *)MEMCGTOP_VERSION,   .interval_ns = u->interval_ns,
		.hold_budget_ns = u->o.hold_budget_ns,
	};
	s->there = !model__init(&s->model, &s->window);
	return s->there ? 0 : -ENOMEM;
}

static void seen__release(struct seen *s)
{
	if (s->there)
		model__release(&s->model);
	s->there = false;
}

static void release_lines(struct ui *u)
{
	if (u->lines_there)
		lines__release(&u->lines);
	u->lines_there = false;
	free(u->twins);
	u->twins = NULL;
}

void ui__release_model(struct ui *u)
{
	release_lines(u);
	for (size_t i = 0; i < 2; i++)
		u->tables[i].n = 0;
	seen__release(&u->seen);
}

static bool is_placed(const struct ui *u, const struct sample *s)
{
	for (size_t i = 0; i < SAMPLES; i++)
		if (u->samples[i] == s)
			return true;
	return false;
}

/* The model points into the samples shown: it goes before them. */
void ui__place(struct ui *u, struct sample *const to[SAMPLES])
{
	struct sample *old[SAMPLES];
	bool shown = false;

	memcpy(old, u->samples, sizeof(old));
	for (size_t i = 0; i <= SAMPLE_NOW; i++)
		shown |= to[i] != old[i];
	if (shown) {
		ui__release_model(u);
		u->stale_model = true;
	}
	memcpy(u->samples, to, sizeof(u->samples));
	for (size_t i = 0; i < SAMPLES; i++) {
		bool again = false;

		for (size_t j = 0; j < i; j++)
			again |= old[j] == old[i];
		if (old[i] && !again && !is_placed(u, old[i]))
			sample__free(old[i]);
	}
}

void ui__catch_up(struct ui *u)
{
	struct sample *to[SAMPLES];

	memcpy(to, u->samples, sizeof(to));
	to[SAMPLE_BEFORE] = to[SAMPLE_LAST_BEFORE];
	to[SAMPLE_NOW] = to[SAMPLE_LAST];
	ui__place(u, to);
}

static int compare_keys(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool ui__is_folded(uint64_t key, void *ui)
{
	const struct ui *u = ui;

	return u->nfolded &&
	       bsearch(&key, u->folded, u->nfolded, sizeof(u->folded[0]), compare_keys);
}

int ui__fold(struct ui *u, uint64_t key, bool folded)
{
	uint64_t *keys;

	if (ui__is_folded(key, u) == folded)
		return 0;
	u->stale_lines = true;
	if (!folded) {
		keys = bsearch(&key, u->folded, u->nfolded, sizeof(key), compare_keys);
		u->nfolded--;
		memmove(keys, keys + 1, (size_t)(u->folded + u->nfolded - keys) * sizeof(key));
		return 0;
	}
	keys = realloc(u->folded, (u->nfolded + 1) * sizeof(key));
	if (!keys)
		return -ENOMEM;
	u->folded = keys;
	keys[u->nfolded++] = key;
	qsort(keys, u->nfolded, sizeof(key), compare_keys);
	return 0;
}

static int build_model(struct ui *u)
{
	struct sample *before = u->samples[u->mode == CELL_TOTAL ? SAMPLE_FIRST : SAMPLE_BEFORE];

	ui__release_model(u);
	if (ui__first_interval(u))
		before = NULL;
	if (seen__init(&u->seen, u, before, u->samples[SAMPLE_NOW]))
		return -ENOMEM;
	u->stamp++;
	u->stale_model = false;
	u->stale_lines = true;
	if (u->mode != CELL_TOTAL && before)
		history__add(u, before, &u->seen.model);
	return 0;
}

static int build_lines(struct ui *u)
{
	const struct table *t = &u->tables[0];
	const struct lines_options o = {
		.tree = u->tree,
		.keep_dying = u->keep_dying,
		.ascending = t->ascending,
		/* as long as there are no values, by their names */
		.sort = ui__first_interval(u) ? NULL : t->sort,
		.filter = u->filter,
		.folded = ui__is_folded,
		.arg = u,
	};
	int err;

	release_lines(u);
	err = lines__init(&u->lines, &u->seen.model, &o);
	if (err)
		return err;
	u->lines_there = true;
	err = name__find_twins(u);
	for (size_t i = 0; i < 2; i++) {
		table__columns(u, &u->tables[i], 1U << i);
		err = err ? err : table__fill(u, &u->tables[i], 1U << i);
	}
	u->stale_lines = err != 0;
	return err;
}

int ui__prepare_model(struct ui *u)
{
	int err = 0;

	if (u->samples[SAMPLE_NOW] && u->stale_model)
		err = build_model(u);
	return err;
}

int ui__prepare(struct ui *u)
{
	int err = ui__prepare_model(u);

	if (!err && u->seen.there && u->stale_lines)
		err = build_lines(u);
	return err;
}
