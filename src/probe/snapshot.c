// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "cgroup/paths.h"
#include "state.h"
#include "memcgtop.skel.h"
#include "probe/snapshot.h"
#include "probe/times.h"

/* All CPUs' copies of one row. */
static int read_row(const struct loaded *l, uint32_t row, struct memcg_row *copies)
{
	return bpf_map_lookup_elem(bpf_map__fd(l->skel->maps.rows), &row, copies);
}

static void add(uint64_t to[C_NR], const uint64_t from[C_NR])
{
	int i;

	for (i = 0; i < C_NR; i++)
		to[i] += from[i];
}

static void add_on_cpus(uint64_t *to, const uint64_t *from, size_t ncpus)
{
	size_t cpu;

	for (cpu = 0; cpu < ncpus; cpu++)
		to[cpu] += from[cpu];
}

static uint64_t sum_of(const uint64_t *c, int first, int n)
{
	uint64_t sum = 0;

	while (n--)
		sum += c[first++];
	return sum;
}

/* Each of these is one atomic on the counter's usage. */
static uint64_t updates(const uint64_t *c)
{
	return c[C_TRY_WALKS] + sum_of(c, C_WALK_CAUSE, CAUSE_NR);
}

static uint64_t charges(const uint64_t *c)
{
	return sum_of(c, C_CHARGE, KIND_NR * LEVEL_NR) + sum_of(c, C_SOCK_INLINE_LEVEL, LEVEL_NR);
}

/* A row of the sample; until name_rows() its path is the cgroup's own name. */
static int new_row(struct row *r, size_t ncpus, const char *name, bool times)
{
	memset(r, 0, sizeof(*r));
	r->times = times ? calloc(1, sizeof(*r->times)) : NULL;
	r->cpu_updates = calloc(ncpus, sizeof(*r->cpu_updates));
	r->cpu_charges = calloc(ncpus, sizeof(*r->cpu_charges));
	r->path = strndup(name, CGROUP_NAME - 1);
	return r->cpu_updates && r->cpu_charges && r->path && (r->times || !times) ? 0 : -ENOMEM;
}

/* Adds one row of the maps to its row of the sample and to the CPUs. */
static void add_copies(struct sample *s, struct row *r, const struct memcg_row *copies)
{
	size_t cpu;

	for (cpu = 0; cpu < s->ncpus; cpu++) {
		const uint64_t *c = (const uint64_t *)copies[cpu].c;

		add(r->c, c);
		add(s->cpus[cpu].c, c);
		r->cpu_updates[cpu] += updates(c);
		r->cpu_charges[cpu] += charges(c);
	}
}

static void add_note(struct row *r, const struct row_note *note)
{
	if (note->hit_usage) {
		r->hit_usage_pages = note->hit_usage;
		r->hit_limit_pages = note->hit_limit;
	}
	r->pressure_sets = note->pressure_sets;
	r->pressure_setter = note->pressure_setter;
}

static int add_live_rows(const struct loaded *l, const struct ledger *g, uint32_t used,
			 struct sample *s, struct memcg_row *copies)
{
	uint32_t row;

	for (row = 0; row < used; row++) {
		struct row *r = &s->rows[s->nrows];
		struct row_id who = l->ids[row];
		struct row_note note = l->notes[row];

		if (row != ROW_OTHER && !who.serial)
			continue;
		if (read_row(l, row, copies))
			return -errno;
		if (new_row(r, s->ncpus, who.name, l->times))
			return -ENOMEM;
		if (r->times && row_times__read(l, row, s->ncpus, r->times))
			return -errno;
		r->id = who.cgroup;
		r->parent = who.parent;
		r->depth = who.depth;
		if (row == ROW_OTHER)
			r->state = ROW_IS_OTHER;
		s->nrows++;
		add_copies(s, r, copies);
		add_note(r, &note);
		r->pressure_ns = g->pressure.ns[row];
		stock_looks__read_row(&g->stocks, row, r);
	}
	return 0;
}

static int add_gone_rows(const struct ledger *g, struct sample *s)
{
	size_t i, cpu;

	for (i = 0; i < g->ngone; i++) {
		struct row *r = &s->rows[s->nrows];

		if (new_row(r, s->ncpus, g->gone[i].name, g->gone[i].times))
			return -ENOMEM;
		if (r->times)
			row_times__add(r->times, g->gone[i].times);
		r->id = g->gone[i].cgroup;
		r->parent = g->gone[i].parent;
		r->depth = g->gone[i].depth;
		s->nrows++;
		add(r->c, g->gone[i].c);
		add_note(r, &g->gone[i].note);
		r->pressure_ns = g->gone[i].pressure_ns;
		r->stranded_pages = (struct gauge){g->stocks.complete, 0};
		r->stranded_seen_max = (struct gauge){g->stocks.complete, g->gone[i].stranded_max};
		add_on_cpus(r->cpu_updates, g->gone[i].cpu_updates, s->ncpus);
		add_on_cpus(r->cpu_charges, g->gone[i].cpu_charges, s->ncpus);
	}
	for (cpu = 0; cpu < s->ncpus; cpu++)
		add(s->cpus[cpu].c, g->cpu_c[cpu]);
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Of two rows of one cgroup either's last hit, or setter, will do. */
static void merge_notes(struct row *to, const struct row *from)
{
	to->pressure_ns += from->pressure_ns;
	to->pressure_sets += from->pressure_sets;
	if (!to->pressure_setter)
		to->pressure_setter = from->pressure_setter;
	to->stranded_pages.value += from->stranded_pages.value;
	if (to->stranded_seen_max.value < from->stranded_seen_max.value)
		to->stranded_seen_max.value = from->stranded_seen_max.value;
	if (!to->hit_usage_pages) {
		to->hit_usage_pages = from->hit_usage_pages;
		to->hit_limit_pages = from->hit_limit_pages;
	}
}

/*
 * A css that was re-made (-memory +memory), or a dying one that got a row anew,
 * has another serial and the same cgroup: one row. What has no cgroup id any
 * more goes to `other`, which has id 0.
 */
static void merge_rows(struct sample *s)
{
	size_t i, n = 0;

	qsort(s->rows, s->nrows, sizeof(*s->rows), by_id);
	for (i = 1; i < s->nrows; i++) {
		struct row *to = &s->rows[n], *from = &s->rows[i];

		if (from->id != to->id) {
			s->rows[++n] = *from;
			continue;
		}
		add(to->c, from->c);
		merge_notes(to, from);
		add_on_cpus(to->cpu_updates, from->cpu_updates, s->ncpus);
		add_on_cpus(to->cpu_charges, from->cpu_charges, s->ncpus);
		if (from->state == ROW_IS_OTHER)
			to->state = ROW_IS_OTHER;
		if (to->times && from->times)
			row_times__add(to->times, from->times);
		free(from->times);
		free(from->cpu_updates);
		free(from->cpu_charges);
		free(from->path);
	}
	s->nrows = s->nrows ? n + 1 : 0;
}

static struct row *row_by_id(struct sample *s, uint64_t id)
{
	struct row key = {.id = id};

	return bsearch(&key, s->rows, s->nrows, sizeof(*s->rows), by_id);
}

static int set_path(struct row *r, char *path, size_t len)
{
	free(r->path);
	r->path = path;
	r->path_len = path ? len : 0;
	return path ? 0 : -ENOMEM;
}

/*
 * The path of a cgroup that was gone before anybody asked: its parent's, and
 * the name that the programs took down. A parent that is unknown as well is "..".
 */
static int name_gone_row(struct sample *s, struct row *r, struct paths *paths, int depth)
{
	struct row *parent = row_by_id(s, r->parent);
	struct cgroup_path p = {};
	const char *above = "/..";
	char *path;
	int n;

	if (r->path_len)
		return 0;
	if (paths && r->parent)
		paths__resolve(paths, r->parent, &p);
	if (p.bytes) {
		above = p.len > 1 ? p.bytes : "";
	} else if (parent && parent->state != ROW_IS_OTHER && depth < 32) {
		if (name_gone_row(s, parent, paths, depth + 1))
			return -ENOMEM;
		above = parent->path;
	}
	n = asprintf(&path, "%s/%s", above, r->path);
	return n < 0 ? -ENOMEM : set_path(r, path, (size_t)n);
}

static int name_rows(struct sample *s, struct paths *paths)
{
	size_t i;

	for (i = 0; i < s->nrows; i++) {
		struct row *r = &s->rows[i];
		struct cgroup_path p = {};

		if (r->state == ROW_IS_OTHER) {
			free(r->path);
			r->path = NULL;
			continue;
		}
		/* counts without a name are better than none: it stays unknown */
		if (paths && paths__resolve(paths, r->id, &p))
			p.bytes = NULL;
		r->state = !paths || paths__alive(paths, r->id) ? ROW_LIVE : ROW_DELETED;
		if (p.bytes && set_path(r, strndup(p.bytes, p.len), p.len))
			return -ENOMEM;
	}
	for (i = 0; i < s->nrows; i++)
		if (s->rows[i].state != ROW_IS_OTHER && name_gone_row(s, &s->rows[i], paths, 0))
			return -ENOMEM;
	return 0;
}

static int read_rows(const struct loaded *l, const struct ledger *g, struct paths *paths,
		     struct sample *s)
{
	struct memcg_row *copies = calloc(s->ncpus, sizeof(*copies));
	uint32_t used = loaded__rows(l);
	int err = -ENOMEM;

	/* once: the programs hand out rows meanwhile */
	s->rows = calloc(used + g->ngone, sizeof(*s->rows));
	if (copies && s->rows)
		err = add_live_rows(l, g, used, s, copies);
	if (!err)
		err = add_gone_rows(g, s);
	free(copies);
	if (err)
		return err;
	merge_rows(s);
	return name_rows(s, paths);
}

static void read_states(const struct loaded *l, struct sample *s)
{
	size_t cpu;
	int i;

	for (cpu = 0; cpu < s->ncpus; cpu++) {
		const struct cpu_totals *t = &l->skel->bss->states[cpu].totals;

		for (i = 0; i < PROG_NR; i++)
			s->probes[i].recorded += t->runs[i];
		for (i = 0; i < LOSS_NR; i++)
			s->cpus[cpu].lost[i] = t->lost[i];
		s->stock.overflow_emptied += t->overflow_emptied;
		s->stock.overflow_trimmed += t->overflow_trimmed;
	}
}

/* First walks of this size, or UINT64_MAX if that cannot be read. */
static uint64_t walks_of_size(const struct loaded *l, uint32_t size, uint64_t *seen, size_t ncpus)
{
	uint64_t sum = 0;
	size_t cpu;

	if (bpf_map_lookup_elem(bpf_map__fd(l->skel->maps.walk_sizes), &size, seen))
		return UINT64_MAX;
	for (cpu = 0; cpu < ncpus; cpu++)
		sum += seen[cpu];
	return sum;
}

/*
 * A first walk takes max(batch, pages), so large folios walk for more than a
 * batch: a size above the usual one is the batch only where hardly any walk was
 * for less.
 */
uint32_t snapshot__batch(const struct loaded *l)
{
	size_t ncpus = (size_t)libbpf_num_possible_cpus();
	uint64_t *seen = calloc(ncpus, sizeof(*seen)), n, small = 0, all = 0, most[2] = {};
	uint32_t i, batch[2] = {};

	if (!seen)
		return 0;
	/* the last one stands for all larger walks, which are oversize */
	for (i = 1; i < WALK_SIZES - 1; i++) {
		bool large = i > BATCH_ASSUMED;

		n = walks_of_size(l, i, seen, ncpus);
		if (n == UINT64_MAX)
			break;
		all += n;
		small += large ? 0 : n;
		if (n > most[large]) {
			most[large] = n;
			batch[large] = i;
		}
	}
	free(seen);
	return small > all / 100 ? batch[0] : batch[1];
}

int snapshot__read(const struct loaded *l, const struct ledger *g, struct paths *paths,
		   struct sample *s)
{
	uint32_t batch = snapshot__batch(l);
	int err = l->times ? spans__read(l, s) : 0;

	if (err)
		return err;
	read_states(l, s);
	stock_looks__read(&g->stocks, s);
	if (batch) {
		s->stock.batch = batch;
		s->stock.batch_observed = true;
	}
	err = read_rows(l, g, paths, s);
	if (!err)
		err = pairs__read(&g->kept_pairs, l, s);
	return err ? err : drains__read(&g->kept_callers, l, s);
}

int ledger__init(struct ledger *g, const struct host_info *host, size_t ncpus, uint32_t max_rows)
{
	memset(g, 0, sizeof(*g));
	g->ncpus = ncpus;
	g->cpu_c = calloc(ncpus, sizeof(*g->cpu_c));
	g->named = calloc(max_rows, sizeof(*g->named));
	g->takebacks = calloc(max_rows, sizeof(*g->takebacks));
	if (g->cpu_c && g->named && g->takebacks &&
	    !stock_looks__init(&g->stocks, host, ncpus, max_rows) &&
	    !pressure__init(&g->pressure, max_rows))
		return 0;
	ledger__release(g);
	return -ENOMEM;
}

void ledger__release(struct ledger *g)
{
	size_t i;

	for (i = 0; i < g->ngone; i++) {
		free(g->gone[i].times);
		free(g->gone[i].cpu_updates);
		free(g->gone[i].cpu_charges);
	}
	free(g->gone);
	free(g->cpu_c);
	free(g->named);
	free(g->takebacks);
	stock_looks__release(&g->stocks);
	pressure__release(&g->pressure);
	kept_pairs__release(&g->kept_pairs);
	kept_callers__release(&g->kept_callers);
	memset(g, 0, sizeof(*g));
}

/* The gone cgroup to book on: its own, a new one, or that of `other` (id 0) when there are many. */
static struct gone *gone_of(struct ledger *g, const struct row_id *who, bool times)
{
	struct gone *gone, *other = NULL;
	size_t i;

	for (i = 0; i < g->ngone; i++) {
		if (g->gone[i].cgroup == who->cgroup)
			return &g->gone[i];
		if (!g->gone[i].cgroup)
			other = &g->gone[i];
	}
	if (g->ngone >= GONE_MAX && other)
		return other;
	gone = reallocarray(g->gone, g->ngone + 1, sizeof(*gone));
	if (!gone)
		return NULL;
	g->gone = gone;
	gone = &g->gone[g->ngone];
	memset(gone, 0, sizeof(*gone));
	gone->cpu_updates = calloc(g->ncpus, sizeof(*gone->cpu_updates));
	gone->cpu_charges = calloc(g->ncpus, sizeof(*gone->cpu_charges));
	gone->times = times ? calloc(1, sizeof(*gone->times)) : NULL;
	if (!gone->cpu_updates || !gone->cpu_charges || (times && !gone->times)) {
		free(gone->times);
		free(gone->cpu_updates);
		free(gone->cpu_charges);
		return NULL;
	}
	if (g->ngone++ < GONE_MAX) {
		gone->cgroup = who->cgroup;
		gone->parent = who->parent;
		gone->depth = who->depth;
		memcpy(gone->name, who->name, sizeof(gone->name));
	}
	return gone;
}

static void take_note(struct row_note *to, volatile struct row_note *from)
{
	if (from->hit_usage) {
		to->hit_usage = from->hit_usage;
		to->hit_limit = from->hit_limit;
	}
	to->pressure_sets += from->pressure_sets;
	if (from->pressure_setter)
		to->pressure_setter = from->pressure_setter;
	*from = (struct row_note){};
}

/* The second step: nothing finds the row any more, so it is read for good and cleared. */
static void take_back(struct ledger *g, const struct loaded *l, uint32_t row,
		      const struct row_id *who, struct memcg_row *copies)
{
	struct gone *gone;
	struct row_id nobody = {};
	size_t cpu;

	if (read_row(l, row, copies))
		return;
	gone = gone_of(g, who, l->times);
	if (!gone)
		return;
	for (cpu = 0; cpu < g->ncpus; cpu++) {
		const uint64_t *c = (const uint64_t *)copies[cpu].c;

		add(gone->c, c);
		add(g->cpu_c[cpu], c);
		gone->cpu_updates[cpu] += updates(c);
		gone->cpu_charges[cpu] += charges(c);
	}
	if (gone->times && !row_times__read(l, row, g->ncpus, gone->times))
		row_times__clear(l, row, g->ncpus);
	take_note(&gone->note, &l->notes[row]);
	gone->pressure_ns += g->pressure.ns[row];
	pressure__forget_row(&g->pressure, row);
	if (gone->stranded_max < g->stocks.peak[row])
		gone->stranded_max = g->stocks.peak[row];
	g->stocks.peak[row] = 0;
	g->stocks.pages[row] = 0;
	memset(copies, 0, g->ncpus * sizeof(*copies));
	bpf_map_update_elem(bpf_map__fd(l->skel->maps.rows), &row, copies, BPF_ANY);
	bpf_map_update_elem(bpf_map__fd(l->skel->maps.row_ids), &row, &nobody, BPF_ANY);
	bpf_map_update_elem(bpf_map__fd(l->skel->maps.free_rows), NULL, &row, BPF_ANY);
}

/* The first step. */
static void unreach(const struct loaded *l, uint32_t row, const struct row_id *who)
{
	uint64_t *place = (uint64_t *)&l->skel->bss->row_index[who->serial & (INDEX_SIZE - 1)];

	bpf_map_delete_elem(bpf_map__fd(l->skel->maps.row_by_serial), &who->serial);
	if (*place == (who->serial << INDEX_ROW_BITS | row))
		*place = 0;
}

static uint64_t activity(const struct memcg_row *copies, size_t ncpus)
{
	uint64_t sum = 0;
	size_t cpu;

	for (cpu = 0; cpu < ncpus; cpu++)
		sum += sum_of((const uint64_t *)copies[cpu].c, 0, C_NR);
	return sum;
}

/* Turns from unreached to taken back: more than any program that found the row can take. */
#define TURNS_UNREACHED 2

static void tick_row(struct ledger *g, const struct loaded *l, struct paths *paths, uint32_t row,
		     const struct row_id *who, struct memcg_row *copies)
{
	struct takeback *t = &g->takebacks[row];
	uint64_t now;

	if (t->serial == who->serial) {
		if (++t->turns < TURNS_UNREACHED) {
			unreach(l, row, who);
			return;
		}
		take_back(g, l, row, who, copies);
		memset(t, 0, sizeof(*t));
		return;
	}
	if (paths__alive(paths, who->cgroup) || read_row(l, row, copies))
		return;
	/* one more than what was counted, so that 0 is "not looked at yet" */
	now = activity(copies, g->ncpus) + 1;
	if (t->activity == now) {
		unreach(l, row, who);
		t->serial = who->serial;
		t->turns = 0;
	}
	t->activity = now;
}

void ledger__look(struct ledger *g, const struct loaded *l, uint64_t now)
{
	stock_looks__look(&g->stocks, l);
	pressure__look(&g->pressure, l, now);
}

void ledger__tick(struct ledger *g, const struct loaded *l, struct paths *paths)
{
	struct memcg_row *copies = calloc(g->ncpus, sizeof(*copies));
	uint32_t row, used = loaded__rows(l);
	struct cgroup_path p;

	if (!copies || !paths) {
		free(copies);
		return;
	}
	pairs__make_room(&g->kept_pairs, l, paths);
	drains__make_room(&g->kept_callers, l, paths);
	for (row = 1; row < used; row++) {
		struct row_id who = l->ids[row];

		if (!who.serial)
			continue;
		if (g->named[row] != who.serial && !paths__resolve(paths, who.cgroup, &p) &&
		    p.bytes)
			g->named[row] = who.serial;
		if (used > l->max_rows / 4 * 3)
			tick_row(g, l, paths, row, &who, copies);
	}
	free(copies);
}
