// SPDX-License-Identifier: GPL-2.0-only
/* --cpus: every CPU, its state and what its stock holds. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/measure.h"
#include "view/number.h"
#include "view/text.h"

#define GAP PAGE_GAP

#define SLOT_NAME  32 /* columns of a name among the slots */
#define SLOT_LINES 80 /* from this width on the slots are named */

static const char *state_of(const struct cpu *c, char *buf, size_t n)
{
	snprintf(buf, n, "%s%s%s", c->online ? "online" : "offline",
		 c->isolated ? ", isolated" : "", c->flushing ? ", flushing" : "");
	return buf;
}

static void slots_cell(struct grid *g, const struct model *m, const struct cpu *c)
{
	uint32_t used = 0, slots = m->end->stock.slots;
	char text[32];

	for (uint32_t i = 0; i < slots && i < SLOTS_MAX; i++)
		used += c->slots[i].cgroup != 0;
	snprintf(text, sizeof(text), "%" PRIu32 " of %" PRIu32, used, slots);
	grid__text(g, c->stock_seen && slots ? text : NULL);
}

static void pages_cell(struct grid *g, const struct cpu *c)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < SLOTS_MAX; i++)
		pages += c->slots[i].pages;
	if (c->stock_seen)
		grid__count(g, pages);
	else
		grid__text(g, NULL);
}

static void slot_words(FILE *f, struct page *p, const struct model *m, const struct slot *s,
		       bool first)
{
	char *name = text__word(p, text__name_of(p, m, s->cgroup), SLOT_NAME);

	fprintf(f, "%s%s" GAP "%" PRIu32, first ? "" : ", ", name ? name : "", s->pages);
	free(name);
}

/* The contents of the slots: cgroup and pages, in the slots' order. */
static void slots_below(struct grid *g, const struct model *m, const struct cpu *c)
{
	char *text = NULL;
	size_t size, n = 0;
	FILE *f;

	if (!c->stock_seen || g->page->width < SLOT_LINES)
		return;
	f = open_memstream(&text, &size);
	if (!f) {
		g->page->failed = true;
		return;
	}
	for (uint32_t i = 0; i < SLOTS_MAX; i++)
		if (c->slots[i].cgroup)
			slot_words(f, g->page, m, &c->slots[i], !n++);
	if (fclose(f))
		g->page->failed = true;
	else if (n)
		grid__below(g, text);
	free(text);
}

static void number_cell(struct grid *g, const struct model *m, const char *key,
			const struct scope *s)
{
	if (isnan(measure__value(m, key, s)))
		grid__text(g, NULL);
	else
		grid__count(g, measure__count(m, key, s));
}

static void line(struct grid *g, const struct model *m, const struct model_cpu *c)
{
	char name[32], state[48];

	snprintf(name, sizeof(name), "CPU %" PRIu32, c->cpu->cpu);
	grid__line(g);
	grid__text(g, name);
	grid__text(g, state_of(c->cpu, state, sizeof(state)));
	slots_cell(g, m, c->cpu);
	pages_cell(g, c->cpu);
	number_cell(g, m, "memcgs", &c->scope);
	number_cell(g, m, "charges", &c->scope);
	grid__percent(g, measure__value(m, "miss_ratio", &c->scope));
	grid__text(g, measure__main_reason(m, &c->scope));
	number_cell(g, m, "evictions", &c->scope);
	number_cell(g, m, "walks", &c->scope);
	slots_below(g, m, c->cpu);
}

void text__cpus(struct page *p, const struct model *m)
{
	struct grid g;

	grid__init(&g, p);
	grid__column(&g, "CPUS", GRID_ALWAYS, GRID_LEFT);
	grid__column(&g, "STATE", 6, GRID_LEFT);
	grid__column(&g, "SLOTS", 8, 0);
	grid__column(&g, "PAGES", 7, 0);
	grid__column(&g, "MEMCGS", 3, 0);
	grid__column(&g, "CHARGES", 10, 0);
	grid__column(&g, "MISS%", 9, 0);
	grid__column(&g, "WHY", 2, GRID_LEFT);
	grid__column(&g, "EVICTIONS", 5, 0);
	grid__column(&g, "WALKS", 4, 0);
	for (size_t i = 0; i < m->ncpus; i++)
		line(&g, m, &m->cpus[i]);
	page__blank(p);
	grid__print(&g);
}
