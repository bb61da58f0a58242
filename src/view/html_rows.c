// SPDX-License-Identifier: GPL-2.0-only
/* The cgroups, and the CPUs with their stocks. Columns are fields that this run has. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "view/html.h"
#include "view/number.h"

#define COLUMNS 32
#define WHY	"why" /* no field: the largest of miss_reasons */

static const char *const cgroup_keys[] = {
	"charges",
	"misses",
	"miss_ratio",
	WHY,
	"evictions",
	"evicted",
	"walks",
	"walks_under_lock",
	"amplification",
	"usage_updates",
	"usage_cpus",
	"sock_charges",
	"sock_failures",
	"stranded_pages",
	"usage_bytes",
	"limit_bytes",
	"sock_bytes",
	"sock_share",
	"limit_hits",
	"drain_all_calls",
	"drain_innocent_pages",
	"pressure_ns",
	"charge_ns",
	"walk_ns",
	"lock_hold_ns",
	NULL,
};

static const char *const cpu_keys[] = {
	"charges",	 "misses",     "miss_ratio",	 WHY,  "evictions", "walks", "memcgs",
	"amplification", "slots_used", "stranded_pages", NULL,
};

struct columns {
	struct html_column head[COLUMNS + 3];
	const struct field *fields[COLUMNS]; /* NULL: WHY */
	char titles[COLUMNS][48];
	size_t n;
};

/* A column of dashes tells nothing that the list of what is not measured does not. */
static bool applies(const struct html *h, const struct field *f, uint32_t in)
{
	return f && f->in & in && field__unmeasured(f, NULL, h->m).reason == REASON_NONE;
}

/* first, then those of the keys that apply; what follows them is the caller's. */
static void choose(struct columns *c, const struct html *h, const char *first,
		   const char *const *keys, uint32_t in)
{
	memset(c, 0, sizeof(*c));
	c->head[0] = (struct html_column){first, NULL, true};
	for (; *keys && c->n < COLUMNS; keys++) {
		bool why = !strcmp(*keys, WHY);
		const struct field *f = field__find(why ? "miss_reasons" : *keys);

		if (!applies(h, f, in))
			continue;
		snprintf(c->titles[c->n], sizeof(c->titles[0]), "%s%s", *keys,
			 f->spans ? ", p99" : "");
		c->head[1 + c->n] = (struct html_column){
			c->titles[c->n], why ? "the most frequent of miss_reasons" : f->help, why};
		c->fields[c->n++] = why ? NULL : f;
	}
}

static void cells(struct html *h, const struct columns *c, const struct scope *s)
{
	for (size_t i = 0; i < c->n; i++) {
		const char *why = c->fields[i] ? NULL : html__main_reason(h, s);

		if (c->fields[i])
			html__value(h, c->fields[i], NULL, s);
		else if (why)
			html__word(h, why);
		else
			html__no_word(h, NULL);
	}
}

void html__cgroups(struct html *h)
{
	const struct model *m = h->m;
	struct columns c;
	size_t silent = 0;

	choose(&c, h, "cgroup", cgroup_keys, IN_CGROUP);
	html__table(h, "Cgroups that counted something", c.head);
	for (size_t i = 0; i < m->nrows; i++) {
		const struct model_row *r = &m->rows[i];

		if (!html__active(&r->scope)) {
			silent += r->row->state != ROW_IS_OTHER;
			continue;
		}
		html__raw(h, "<tr><th scope=\"row\" class=\"name\">");
		html__cgroup(h, r->row);
		html__raw(h, "</th>");
		cells(h, &c, &r->scope);
		html__row_end(h);
	}
	html__table_end(h);
	if (silent)
		html__raw(h, "<p>%zu more without any event: --json has all.</p>\n", silent);
}

static void put_slots(struct html *h, const struct cpu *c)
{
	bool any = false;

	if (!c->stock_seen) {
		html__no_word(h, "the stock of this CPU was not read");
		return;
	}
	html__raw(h, "<td class=\"words\">");
	for (size_t i = 0; i < SLOTS_MAX; i++) {
		const struct slot *slot = &c->slots[i];

		if (!slot->cgroup)
			continue;
		html__raw(h, "%s", any ? ", " : "");
		html__cgroup_id(h, slot->cgroup);
		html__raw(h, ": %" PRIu32, slot->pages);
		any = true;
	}
	html__raw(h, "%s%s</td>", any ? "" : "empty", c->flushing ? " (being flushed)" : "");
}

void html__cpus(struct html *h)
{
	const struct model *m = h->m;
	bool stocks = false;
	struct columns c;

	choose(&c, h, "CPU", cpu_keys, IN_CPU);
	for (size_t i = 0; i < m->ncpus; i++)
		stocks |= m->cpus[i].cpu->stock_seen;
	if (stocks)
		c.head[1 + c.n] = (struct html_column){
			"slots", "at the end of the window: cgroup and its pages", true};
	html__table(h, "CPUs and their stocks", c.head);
	for (size_t i = 0; i < m->ncpus; i++) {
		const struct model_cpu *cpu = &m->cpus[i];

		if (!html__active(&cpu->scope) && !h->o->cpus)
			continue;
		html__raw(h, "<tr><th scope=\"row\">CPU %" PRIu32 "%s%s</th>", cpu->cpu->cpu,
			  cpu->cpu->isolated ? " (isolated)" : "",
			  cpu->cpu->online ? "" : " (offline)");
		cells(h, &c, &cpu->scope);
		if (stocks)
			put_slots(h, cpu->cpu);
		html__row_end(h);
	}
	html__table_end(h);
}
