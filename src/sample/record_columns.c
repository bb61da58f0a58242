// SPDX-License-Identifier: GPL-2.0-only
#include "sample/record_columns.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/store_parts.h"

const char *const table_names[TABLE_NR] = {
	[TABLE_TOTAL] = "total",   [TABLE_SPANS] = "spans",	[TABLE_PROBES] = "probe_runs",
	[TABLE_CPUS] = "cpus",	   [TABLE_CGROUPS] = "cgroups", [TABLE_PAIRS] = "pairs",
	[TABLE_DRAINS] = "drains",
};

struct items items_of(const struct sample *s, enum table t)
{
	switch (t) {
	case TABLE_SPANS:
		return (struct items){s->spans, s->spans ? SPAN_NR : 0, sizeof(s->spans[0])};
	case TABLE_PROBES:
		return (struct items){(void *)s->probes, s->nprobes, sizeof(s->probes[0])};
	case TABLE_CPUS:
		return (struct items){s->cpus, s->ncpus, sizeof(s->cpus[0])};
	case TABLE_CGROUPS:
		return (struct items){s->rows, s->nrows, sizeof(s->rows[0])};
	case TABLE_PAIRS:
		return (struct items){s->pairs, s->npairs, sizeof(s->pairs[0])};
	case TABLE_DRAINS:
		return (struct items){s->drains, s->ndrains, sizeof(s->drains[0])};
	default:
		return (struct items){(void *)s, 1, sizeof(*s)};
	}
}

/* Collects columns; room grows as they come. */
struct builder {
	struct columns *to;
	size_t room;
	bool failed;
};

static void add(struct builder *b, enum part part, enum width width, size_t offset, const char *fmt,
		...) __attribute__((format(printf, 5, 6)));

static void add(struct builder *b, enum part part, enum width width, size_t offset, const char *fmt,
		...)
{
	struct columns *to = b->to;
	struct column *c;
	va_list args;

	if (to->n == b->room) {
		b->room = b->room ? 2 * b->room : 512;
		c = reallocarray(to->at, b->room, sizeof(*c));
		if (!c) {
			b->failed = true;
			return;
		}
		to->at = c;
	}
	c = &to->at[to->n++];
	*c = (struct column){.width = width, .part = part, .offset = offset};
	va_start(args, fmt);
	vsnprintf(c->name, sizeof(c->name), fmt, args);
	va_end(args);
}

/* The members whose name is the file's. */
#define U64(type, member)  add(b, PART_SELF, WIDTH_U64, offsetof(type, member), #member)
#define U32(type, member)  add(b, PART_SELF, WIDTH_U32, offsetof(type, member), #member)
#define BOOL(type, member) add(b, PART_SELF, WIDTH_BOOL, offsetof(type, member), #member)

static void add_total(struct builder *b)
{
	BOOL(struct sample, verify);
	BOOL(struct sample, no_stat);
	U64(struct sample, event_cost_ps);
	add(b, PART_SELF, WIDTH_U32, offsetof(struct sample, asked.sample_every), "sample_every");
	add(b, PART_SELF, WIDTH_BOOL, offsetof(struct sample, asked.lock_exact), "lock_exact");
	add(b, PART_SELF, WIDTH_BOOL, offsetof(struct sample, asked.drains), "drains_asked");
	add(b, PART_SELF, WIDTH_BOOL, offsetof(struct sample, asked.rstat), "rstat");
	add(b, PART_SELF, WIDTH_U64, offsetof(struct sample, stock.overflow_emptied),
	    "overflow_emptied");
	add(b, PART_SELF, WIDTH_U64, offsetof(struct sample, stock.overflow_trimmed),
	    "overflow_trimmed");
	U64(struct sample, drain_all_busy);
	U64(struct sample, breaches);
	add(b, PART_SPANS, WIDTH_PART, 0, "spans");
	add(b, PART_PAIRS, WIDTH_PART, 0, "pairs");
	add(b, PART_DRAINS, WIDTH_PART, 0, "drains");
}

static void add_spans(struct builder *b)
{
	char key[24];

	U64(struct hist, sum);
	U64(struct hist, max);
	for (unsigned int i = 0; i < HIST_BUCKETS; i++)
		add(b, PART_SELF, WIDTH_U64, offsetof(struct hist, buckets) + i * sizeof(__u64),
		    "%s", store__bucket(key, i, false));
}

static void add_counters(struct builder *b, size_t offset)
{
	for (int i = 0; i < C_NR; i++)
		add(b, PART_SELF, WIDTH_U64, offset + i * sizeof(uint64_t), "%s", counter_names[i]);
}

static void add_cpus(struct builder *b)
{
	BOOL(struct cpu, online);
	BOOL(struct cpu, isolated);
	BOOL(struct cpu, stock_seen);
	BOOL(struct cpu, flushing);
	add_counters(b, offsetof(struct cpu, c));
	for (int i = 0; i < LOSS_NR; i++)
		add(b, PART_SELF, WIDTH_U64, offsetof(struct cpu, lost) + i * sizeof(uint64_t),
		    "%s", loss_names[i]);
	for (int i = 0; i < SLOTS_MAX; i++) {
		size_t slot = offsetof(struct cpu, slots) + i * sizeof(struct slot);

		add(b, PART_SELF, WIDTH_U64, slot + offsetof(struct slot, cgroup), "slot%d.cgroup",
		    i);
		add(b, PART_SELF, WIDTH_U32, slot + offsetof(struct slot, pages), "slot%d.pages",
		    i);
	}
}

static void add_row_span(struct builder *b, int span)
{
	size_t offset = offsetof(struct row_times, spans) + span * sizeof(struct row_span);
	char key[24];

	add(b, PART_TIMES, WIDTH_U64, offset + offsetof(struct row_span, sum), "%s.sum",
	    span_names[span]);
	add(b, PART_TIMES, WIDTH_U64, offset + offsetof(struct row_span, max), "%s.max",
	    span_names[span]);
	for (unsigned int i = 0; i < OCTAVES; i++)
		add(b, PART_TIMES, WIDTH_U64,
		    offset + offsetof(struct row_span, octaves) + i * sizeof(__u64), "%s.%s",
		    span_names[span], store__bucket(key, i, true));
}

static void add_cgroups(struct builder *b, const struct sample *s)
{
	U64(struct row, parent);
	U32(struct row, depth);
	add_counters(b, offsetof(struct row, c));
	for (size_t i = 0; i < sizeof(row_gauges) / sizeof(row_gauges[0]); i++) {
		add(b, PART_SELF, WIDTH_U64, row_gauges[i].offset + offsetof(struct gauge, value),
		    "%s", row_gauges[i].name);
		add(b, PART_SELF, WIDTH_BOOL, row_gauges[i].offset + offsetof(struct gauge, known),
		    "%s.known", row_gauges[i].name);
	}
	for (size_t i = 0; i < sizeof(row_numbers) / sizeof(row_numbers[0]); i++)
		add(b, PART_SELF, WIDTH_U64, row_numbers[i].offset, "%s", row_numbers[i].name);
	add(b, PART_TIMES, WIDTH_PART, offsetof(struct row, times), "times");
	add(b, PART_CPU_UPDATES, WIDTH_PART, offsetof(struct row, cpu_updates), "cpu_updates");
	add(b, PART_CPU_CHARGES, WIDTH_PART, offsetof(struct row, cpu_charges), "cpu_charges");
	for (int i = 0; i < SPAN_ROW_NR; i++)
		add_row_span(b, i);
	add(b, PART_TIMES, WIDTH_U64, offsetof(struct row_times, slot_since), "slot_since");
	for (size_t i = 0; i < s->ncpus; i++) {
		add(b, PART_CPU_UPDATES, WIDTH_U64, i * sizeof(uint64_t), "cpu_updates.%u",
		    s->cpus[i].cpu);
		add(b, PART_CPU_CHARGES, WIDTH_U64, i * sizeof(uint64_t), "cpu_charges.%u",
		    s->cpus[i].cpu);
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct column *const *)a)->name,
		      (*(const struct column *const *)b)->name);
}

int columns__init(struct columns *c, enum table t, const struct sample *s)
{
	struct builder builder = {.to = c}, *b = &builder;

	*c = (struct columns){0};
	if (t == TABLE_TOTAL)
		add_total(b);
	else if (t == TABLE_SPANS)
		add_spans(b);
	else if (t == TABLE_CPUS)
		add_cpus(b);
	else if (t == TABLE_CGROUPS)
		add_cgroups(b, s);
	if (t == TABLE_PROBES) {
		U64(struct probe, recorded);
		U64(struct probe, missed);
	}
	if (t == TABLE_PAIRS) {
		add(b, PART_SELF, WIDTH_U64, offsetof(struct pair, count.evictions), "evictions");
		add(b, PART_SELF, WIDTH_U64, offsetof(struct pair, count.pages), "pages");
	}
	if (t == TABLE_DRAINS)
		U64(struct drain_caller, calls);
	c->by_name = b->failed ? NULL : calloc(c->n + 1, sizeof(c->by_name[0]));
	if (!c->by_name) {
		columns__release(c);
		return -ENOMEM;
	}
	for (size_t i = 0; i < c->n; i++)
		c->by_name[i] = &c->at[i];
	qsort(c->by_name, c->n, sizeof(c->by_name[0]), compare_names);
	return 0;
}

void columns__release(struct columns *c)
{
	free(c->at);
	free(c->by_name);
	*c = (struct columns){0};
}

const struct column *columns__find(const struct columns *c, const char *name)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, c->by_name[middle]->name);

		if (!order)
			return c->by_name[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

void *column__part(const struct column *c, const void *item)
{
	const struct sample *s = item;
	const struct row *r = item;

	switch (c->part) {
	case PART_TIMES:
		return r->times;
	case PART_CPU_UPDATES:
		return r->cpu_updates;
	case PART_CPU_CHARGES:
		return r->cpu_charges;
	case PART_SPANS:
		return s->spans;
	case PART_PAIRS:
		return s->pairs;
	case PART_DRAINS:
		return s->drains;
	default:
		return (void *)item;
	}
}

void column__set_part(const struct column *c, void *item, void *part)
{
	struct sample *s = item;
	struct row *r = item;

	if (c->part == PART_TIMES)
		r->times = part;
	else if (c->part == PART_CPU_UPDATES)
		r->cpu_updates = part;
	else if (c->part == PART_CPU_CHARGES)
		r->cpu_charges = part;
	else if (c->part == PART_SPANS)
		s->spans = part;
	else if (c->part == PART_PAIRS)
		s->pairs = part;
	else if (c->part == PART_DRAINS)
		s->drains = part;
}

/* Where it lies; NULL: its part is not there. */
static char *place(const struct column *c, const void *item)
{
	char *base = column__part(c, item);

	return base ? base + c->offset : NULL;
}

/* The types of 64 bits differ by their names: bytes are copied. */
uint64_t column__get(const struct column *c, const void *item)
{
	const char *at = place(c, item);
	uint64_t n = 0;
	uint32_t word;

	if (c->width == WIDTH_PART)
		return column__part(c, item) != NULL;
	if (!at)
		return 0;
	if (c->width == WIDTH_BOOL)
		return *(const bool *)at;
	if (c->width == WIDTH_U64)
		memcpy(&n, at, sizeof(n));
	else {
		memcpy(&word, at, sizeof(word));
		n = word;
	}
	return n;
}

bool column__add(const struct column *c, void *item, uint64_t delta)
{
	uint64_t n = column__get(c, item) + delta;
	uint32_t word = (uint32_t)n;
	char *at = place(c, item);

	if (!at || c->width == WIDTH_PART || (c->width == WIDTH_U32 && n > UINT32_MAX) ||
	    (c->width == WIDTH_BOOL && n > 1))
		return false;
	if (c->width == WIDTH_U64)
		memcpy(at, &n, sizeof(n));
	else if (c->width == WIDTH_U32)
		memcpy(at, &word, sizeof(word));
	else
		*(bool *)at = n;
	return true;
}
