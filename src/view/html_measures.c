// SPDX-License-Identifier: GPL-2.0-only
/* Tables of the whole window's measures: labels are keys, as in every other output. */
#include <math.h>
#include <string.h>

#include "view/html.h"
#include "view/number.h"

/* A field, and whose share it is. The parts of a split are shares of the same. */
struct line {
	const char *key;
	const char *of;
};

static const struct line charge_side[] = {
	{"charges", NULL},
	{"charge_pages", NULL},
	{"charge_kinds", "charges"},
	{"hits", "charges"},
	{"misses", "charges"},
	{"miss_ratio", NULL},
	{"hit_ratio", NULL},
	{"miss_ratio_expected", NULL},
	{"miss_ratio_small", NULL},
	{"miss_reasons", "misses"},
	{"miss_kinds", "misses"},
	{"misses_after_flush", "misses"},
	{"failed", "charges"},
	{"limit_hits", NULL},
	{"forced", NULL},
	{"try_walks", NULL},
	{0},
};

static const struct line uncharge_side[] = {
	{"uncharges", NULL},
	{"uncharge_pages", NULL},
	{"uncharge_kinds", "uncharges"},
	{"refills", NULL},
	{"surplus_refills", "refills"},
	{"refill_outcomes", "refills"},
	{"walks", NULL},
	{"walk_pages", NULL},
	{"walk_levels", NULL},
	{"walk_causes", "walks"},
	{"walk_users", "walks"},
	{"walks_under_lock", "walks"},
	{"walks_beside_lock", "walks"},
	{"pages_per_walk", NULL},
	{"amplification", NULL},
	{"obj_amplification", NULL},
	{0},
};

static const struct line evictions[] = {
	{"evictions", NULL}, {"evicted", NULL}, {"evicted_pages", NULL}, {"life_unseen", NULL}, {0},
};

static const struct line drains[] = {
	{"drains", NULL},
	{"drain_causes", "drains"},
	{"drained_pages", NULL},
	{"drain_all_calls", NULL},
	{"drain_all_cpus", NULL},
	{"drain_all_skipped", NULL},
	{"drain_flush_pages", NULL},
	{"drain_innocent_pages", "drain_flush_pages"},
	{"stranded_pages", NULL},
	{"stranded_seen_max", NULL},
	{"stranded_bound_pages", NULL},
	{0},
};

static const struct line statistic[] = {
	{"sock_stat_updates", NULL},
	{"stat_updates", NULL},
	{"rstat_updates", NULL},
	{0},
};

static const struct line sockets[] = {
	{"sock_charges", NULL},
	{"sock_charge_pages", NULL},
	{"sock_charge_contexts", "sock_charges"},
	{"sock_uncharges", NULL},
	{"sock_uncharge_pages", NULL},
	{"sock_failures", "sock_charges"},
	{"sock_failure_contexts", "sock_failures"},
	{"pressure_ns", NULL},
	{"pressure_sets", NULL},
	{0},
};

static const struct line *const tables[] = {charge_side, uncharge_side, evictions,
					    drains,	 statistic,	sockets};

static bool is_listed(const char *key)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct line *l = tables[i]; l->key; l++)
			if (!strcmp(l->key, key))
				return true;
	return false;
}

static void put_rate(struct html *h, const struct field *f, double count)
{
	char buf[NUM_LEN];

	if (!(f->count || f->parts) || (f->unit != UNIT_COUNT && f->unit != UNIT_PAGES) ||
	    !(count >= 0) || count > 1e19)
		html__cell(h, "");
	else
		html__cell(h, num__rate(buf, (uint64_t)count, h->m->seconds, 0));
}

/* What amplification comes to where each walk gives back a batch. */
static void put_ideal(struct html *h)
{
	char buf[NUM_LEN];

	html__raw(h, "<td>~%s</td>", num__fixed(buf, 1.0 / h->m->end->stock.batch, 3));
}

static void put_share(struct html *h, const char *of, double count)
{
	const struct field *f = of ? field__find(of) : NULL;
	double base = NAN;
	char buf[NUM_LEN];

	if (f && !field__unmeasured(f, NULL, h->m).reason)
		base = field__value(f, &h->m->total);
	num__percent(buf, base > 0 ? count / base : NAN, 1);
	if (strcmp(buf, "-"))
		strcat(buf, " %");
	else
		buf[0] = '\0';
	html__cell(h, buf);
}

static void put_line(struct html *h, const struct line *l, const struct field *f,
		     const struct part *part)
{
	bool none = field__unmeasured(f, part, h->m).reason != REASON_NONE;
	const struct scope *s = &h->m->total;
	double count = none ? NAN : part ? (double)part__count(part, s) : field__value(f, s);

	html__row(h);
	if (part)
		html__head_cell(h, part->name, NULL, "part");
	else
		html__head_cell(h, f->key, f->help, "key");
	html__value(h, f, part, s);
	put_rate(h, f, count);
	if (!strcmp(f->key, "amplification") && h->m->end->stock.batch && isfinite(count))
		put_ideal(h);
	else
		put_share(h, l->of, f->count || f->parts ? count : NAN);
	html__row_end(h);
}

/* A split: its name, then its parts. */
static void put_split(struct html *h, const struct line *l, const struct field *f)
{
	if (field__unmeasured(f, NULL, h->m).reason != REASON_NONE) {
		put_line(h, l, f, NULL);
		return;
	}
	html__row(h);
	html__head_cell(h, f->key, f->help, "key");
	html__raw(h, "<td colspan=\"3\"></td>");
	html__row_end(h);
	for (const struct part *part = f->parts; part->name; part++)
		put_line(h, l, f, part);
}

static void put_field(struct html *h, const struct line *l)
{
	const struct field *f = field__find(l->key);

	if (!f || !(f->in & IN_TOTAL))
		return;
	if (f->parts)
		put_split(h, l, f);
	else
		put_line(h, l, f, NULL);
}

static void open_table(struct html *h, const char *caption)
{
	static const struct html_column columns[] = {
		{"measure", NULL, true},
		{"count", "in the whole window", false},
		{"/s", "a second", false},
		{"share", NULL, false},
		{0},
	};

	html__table(h, caption, columns);
}

static void measures(struct html *h, const char *caption, const struct line *lines)
{
	open_table(h, caption);
	for (; lines->key; lines++)
		put_field(h, lines);
	html__table_end(h);
}

void html__charges(struct html *h)
{
	html__raw(h, "<div class=\"pair\">\n");
	measures(h, "Charge side", charge_side);
	measures(h, "Uncharge side", uncharge_side);
	html__raw(h, "</div>\n");
}

void html__statistic(struct html *h)
{
	measures(h, "Updates of the statistic", statistic);
}

/* Pages as the kernel compared them; none: this cgroup met no limit. */
static void put_hit(struct html *h, uint64_t pages)
{
	char buf[NUM_LEN];

	if (pages)
		html__cell(h, num__grouped(buf, pages));
	else
		html__dash(h, NULL);
}

static void put_setter(struct html *h, const struct row *r)
{
	if (!r->pressure_setter) {
		html__no_word(h, r->pressure_sets ? "not known" : NULL);
		return;
	}
	html__raw(h, "<td class=\"left name\">");
	html__cgroup_id(h, r->pressure_setter);
	html__raw(h, "</td>");
}

/* Which limit stopped charges, and whose sockets were told to use less. */
static void limits(struct html *h)
{
	static const struct html_column columns[] = {
		{"cgroup", NULL, true},
		{"limit_hits", "charges that its limit stopped", false},
		{"usage", "in pages, at the last of them", false},
		{"limit", "in pages", false},
		{"pressure_ns", "time under socket pressure", false},
		{"pressure_sets", "times that reclaim set it", false},
		{"last set by", "the cgroup that reclaimed", true},
		{0},
	};
	static const char *const keys[] = {"limit_hits", "pressure_ns", "pressure_sets"};
	const struct model *m = h->m;
	size_t n = 0;

	for (size_t i = 0; i < m->nrows; i++) {
		const struct scope *s = &m->rows[i].scope;
		const struct row *r = m->rows[i].row;
		double any = 0;

		for (size_t k = 0; k < 3; k++)
			any += fmax(0, field__value(field__find(keys[k]), s));
		if (!(any > 0))
			continue;
		if (!n++)
			html__table(h, "Cgroups at a limit or under pressure", columns);
		html__raw(h, "<tr><th scope=\"row\" class=\"name\">");
		html__cgroup(h, r);
		html__raw(h, "</th>");
		html__value(h, field__find(keys[0]), NULL, s);
		put_hit(h, r->hit_usage_pages);
		put_hit(h, r->hit_limit_pages);
		html__value(h, field__find(keys[1]), NULL, s);
		html__value(h, field__find(keys[2]), NULL, s);
		put_setter(h, r);
		html__row_end(h);
	}
	if (n)
		html__table_end(h);
}

void html__sockets(struct html *h)
{
	measures(h, "Charges, failures and pressure of sockets", sockets);
	limits(h);
}

/* Whatever the field table has and no other table shows. */
void html__others(struct html *h)
{
	open_table(h, "Measures of no other table");
	for (size_t i = 0; i < nfields; i++)
		if (!fields[i].spans && !is_listed(fields[i].key))
			put_field(h, &(struct line){fields[i].key, NULL});
	html__table_end(h);
}

#define PAIRS_SHOWN 50

static void pairs(struct html *h)
{
	static const struct html_column columns[] = {
		{"by", "the cgroup that took the slot", true},
		{"of", "the cgroup that lost it", true},
		{"evictions", NULL, false},
		{"share", NULL, false},
		{"pages", "that the slots held", false},
		{0},
	};
	const struct model *m = h->m;
	double all = 0;
	char buf[NUM_LEN];

	for (size_t i = 0; i < m->npairs; i++)
		all += (double)m->pairs[i].count.evictions;
	html__table(h, "Who evicts whom", columns);
	for (size_t i = 0; i < m->npairs && i < PAIRS_SHOWN; i++) {
		const struct pair *p = &m->pairs[i];

		html__raw(h, "<tr><th scope=\"row\" class=\"name\">");
		html__cgroup_id(h, p->key.by);
		html__raw(h, "</th><td class=\"left name\">");
		html__cgroup_id(h, p->key.of);
		html__raw(h, "</td>");
		html__cell(h, num__grouped(buf, p->count.evictions));
		num__percent(buf, all > 0 ? (double)p->count.evictions / all : NAN, 1);
		html__cell(h, strcat(buf, " %"));
		html__cell(h, num__grouped(buf, p->count.pages));
		html__row_end(h);
	}
	html__table_end(h);
	if (m->npairs > PAIRS_SHOWN)
		html__raw(h, "<p>%zu more pairs with fewer evictions: --json has all.</p>\n",
			  m->npairs - PAIRS_SHOWN);
}

void html__evictions(struct html *h)
{
	measures(h, "Slots taken from others", evictions);
	if (h->m->npairs)
		pairs(h);
}

static void put_stack(struct html *h, const struct drain_caller *d)
{
	html__raw(h, "<td class=\"words\"><code>");
	for (uint32_t i = 0; i < d->nframes; i++) {
		html__raw(h, "%s", i ? " &lt;- " : "");
		html__put(h, d->frames[i]);
	}
	html__raw(h, "</code></td>");
}

#define CALLERS_SHOWN 20

static void callers(struct html *h)
{
	static const struct html_column columns[] = {
		{"for", "the cgroup whose limit asked for it", true},
		{"calls", NULL, false},
		{"why", NULL, true},
		{"called by", "innermost first", true},
		{0},
	};
	const struct model *m = h->m;
	char buf[NUM_LEN];

	html__table(h, "Callers of drain_all_stock", columns);
	for (size_t i = 0; i < m->ndrains && i < CALLERS_SHOWN; i++) {
		const struct drain_caller *d = &m->drains[i];

		html__raw(h, "<tr><th scope=\"row\" class=\"name\">");
		if (d->cgroup)
			html__cgroup_id(h, d->cgroup);
		else
			html__raw(h, "(unknown)");
		html__raw(h, "</th>");
		html__cell(h, num__grouped(buf, d->calls));
		html__word(h, drain_why__name(drain_caller__why(d)));
		put_stack(h, d);
		html__row_end(h);
	}
	html__table_end(h);
	if (m->ndrains > CALLERS_SHOWN)
		html__raw(h, "<p>%zu more callers with fewer calls: --json has all.</p>\n",
			  m->ndrains - CALLERS_SHOWN);
}

void html__drains(struct html *h)
{
	char buf[NUM_LEN];

	measures(h, "Stocks emptied, and pages that lie in them", drains);
	if (h->m->ndrains)
		callers(h);
	if (h->m->end->asked.drains)
		html__raw(h, "<p>%s calls returned at once, since another drain ran.</p>\n",
			  num__grouped(buf, h->m->drain_all_busy));
}
