// SPDX-License-Identifier: GPL-2.0-only
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

const char *const window_names[] = {"demo", "idle", "per-counter", "old",   "untrusted", "names",
				    "huge", "many", "limit",	   "exact", NULL};

static const struct {
	enum prog_id prog;
	const char *hook, *function, *at, *method;
} hooks[] = {
	{PROG_CHARGE, "charge", "try_charge_memcg", "exit", "fexit"},
	{PROG_CONSUME, "consume", "consume_stock", "exit", ""},
	{PROG_TRY_WALK, "try_walk", "page_counter_try_charge", "exit", "fexit"},
	{PROG_STOCK_CHARGE, "stock_charge", "", "exit", ""},
	{PROG_FORCE, "force", "page_counter_charge", "entry", "fentry"},
	{PROG_SOCK_CHARGE, "sock_charge", "mem_cgroup_sk_charge", "entry", "fentry"},
	{PROG_FOLIO_CHARGE, "folio_charge", "charge_memcg", "entry", "fentry"},
	{PROG_OBJ_CHARGE, "obj_charge", "obj_cgroup_charge_pages", "entry", "fentry"},
	{PROG_SOCK_UNCHARGE, "sock_uncharge", "mem_cgroup_sk_uncharge", "entry", "fentry"},
	{PROG_OBJ_UNCHARGE, "obj_uncharge", "obj_cgroup_uncharge_pages", "entry", "fentry"},
	{PROG_OBJ_DRAIN, "obj_drain", "drain_obj_stock_slot", "entry", "fentry"},
	{PROG_FOLIO_UNCHARGE, "folio_uncharge", "uncharge_batch", "entry", "fentry"},
	{PROG_REFILL, "refill", "refill_stock", "entry", "fentry"},
	{PROG_DRAIN, "drain", "drain_stock", "entry", "fentry"},
	{PROG_FLUSH, "flush", "drain_local_memcg_stock", "entry", "fentry"},
	{PROG_FLUSH_EXIT, "flush_exit", "drain_local_memcg_stock", "exit", "fexit"},
	{PROG_HOTPLUG, "hotplug", "memcg_hotplug_cpu_dead", "entry", "fentry"},
	{PROG_HOTPLUG_EXIT, "hotplug_exit", "memcg_hotplug_cpu_dead", "exit", "fexit"},
	{PROG_WALK, "walk", "page_counter_uncharge", "entry", "fentry"},
	{PROG_STAT, "stat", "mod_memcg_state", "event", "tp_btf"},
	{PROG_CHARGE_BEGIN, "charge_begin", "", "entry", ""},
	{PROG_SOCK_CHARGE_EXIT, "sock_charge_exit", "", "exit", ""},
	{PROG_SOCK_UNCHARGE_EXIT, "sock_uncharge_exit", "", "exit", ""},
	{PROG_TRY_WALK_BEGIN, "try_walk_begin", "page_counter_try_charge", "entry", "fentry"},
	{PROG_REFILL_EXIT, "refill_exit", "refill_stock", "exit", "fexit"},
	{PROG_WALK_EXIT, "walk_exit", "page_counter_uncharge", "exit", "fexit"},
	{PROG_LOCK_TRY, "lock_try", "", "exit", ""},
	{PROG_LOCK_WAIT, "lock_wait", "", "entry", ""},
	{PROG_LOCK_TAKEN, "lock_taken", "", "exit", ""},
	{PROG_UNLOCK, "unlock", "", "entry", ""},
	{PROG_DRAIN_ALL, "drain_all", "drain_all_stock.part.0", "entry", "kprobe"},
	{PROG_DRAIN_BUSY, "drain_busy", "", "exit", ""},
	{PROG_PRESSURE, "pressure", "vmpressure", "exit", "fexit"},
	{PROG_RSTAT, "rstat", "", "entry", ""},
};

/* What only an option or another kernel has a use for. */
static const enum prog_id unneeded[] = {PROG_CHARGE_BEGIN,	 PROG_SOCK_CHARGE_EXIT,
					PROG_SOCK_UNCHARGE_EXIT, PROG_STOCK_CHARGE,
					PROG_LOCK_TRY,		 PROG_LOCK_WAIT,
					PROG_LOCK_TAKEN,	 PROG_UNLOCK,
					PROG_DRAIN_BUSY,	 PROG_RSTAT};

/* The whole run of the demo. */
static const struct {
	int counter;
	uint64_t n;
} demo[] = {
	{CHARGE_AT(KIND_OBJ, LEVEL_TASK), 893},
	{CHARGE_AT(KIND_FOLIO, LEVEL_TASK), 771},
	{C_CHARGE_PAGES + KIND_SOCK, 72000},
	{C_CHARGE_PAGES + KIND_OBJ, 893},
	{C_CHARGE_PAGES + KIND_FOLIO, 771},
	{C_TRY_WALKS, 25534},
	{C_MISS_KIND + KIND_SOCK, 25516},
	{C_MISS_KIND + KIND_FOLIO, 18},
	{C_MISS_ABSENT, 25534},
	{CHARGE_AT(KIND_SOCK, LEVEL_TASK), 36000},
	{CHARGE_AT(KIND_SOCK, LEVEL_SOFTIRQ), 36000},
	{C_SOCK_UNCHARGES, 72000},
	{C_SOCK_UNCHARGE_PAGES, 72000},
	{C_OBJ_UNCHARGES, 880},
	{C_OBJ_UNCHARGE_PAGES, 880},
	{C_FOLIO_UNCHARGES, 72},
	{C_FOLIO_UNCHARGE_PAGES, 771},
	{C_REFILL + REFILL_MERGED, 46991},
	{C_REFILL + REFILL_NEW_SLOT, 25914},
	{C_REFILL + REFILL_EVICTED, 14636},
	{C_REFILL + REFILL_OVERFLOW, 10873},
	{C_SURPLUS_REFILLS, 25534},
	{C_EVICTIONS, 14636},
	{C_EVICTED, 14636},
	{C_EVICTED_PAGES, 925824},
	{C_DRAIN_CAUSE + CAUSE_OVERFLOW, 10873},
	{C_DRAIN_CAUSE + CAUSE_EVICT, 14636},
	{C_DRAINED_PAGES, 1632569},
	{C_WALK_CAUSE + CAUSE_OVERFLOW, 10873},
	{C_WALK_CAUSE + CAUSE_EVICT, 14636},
	{C_WALK_CAUSE + CAUSE_UNBATCHED, 72},
	{C_WALK_USER + USER_SOCK, 25136},
	{C_WALK_USER + USER_OBJ, 373},
	{C_WALK_USER + USER_FOLIO, 72},
	{C_WALK_PAGES, 1633340},
	{C_WALK_LEVELS, 76743},
	{C_WALK_UNDER_LOCK, 25509},
	{C_STAT + STAT_SOCK, 144000},
	{C_STAT + STAT_KMEM, 1930},
	{C_CHECKED, 73664},
	{C_LIFE_UNSEEN, 15034},
};

/* The same in ns, where all is timed. */
static const struct {
	int counter;
	uint64_t ns;
} demo_ns[] = {
	{C_TIMED_SOCK_NS, 250000000},
	{C_TIMED_REFILL_SOCK_NS, 212000000},
	{C_TIMED_REFILL_SURPLUS_NS, 60000000},
	{C_TIMED_WALK_REFILL_NS, 109900000},
};

/* A histogram of the demo: how many took up to 2^first ns, up to twice that, ... */
static const struct shape {
	enum span span;
	uint64_t sum, max;
	unsigned int first;
	uint64_t n[9];
} shapes[] = {
	{SPAN_CHARGE, 254877440, 170911, 10, {9000, 26000, 20000, 13000, 5000, 600, 55, 8, 1}},
	{SPAN_SOCK_CHARGE, 382320000, 188104, 11, {6200, 29900, 24100, 9800, 1750, 220, 25, 5}},
	{SPAN_SOCK_UNCHARGE,
	 332640000,
	 176201,
	 10,
	 {2000, 12000, 33000, 18000, 6400, 550, 45, 4, 1}},
	{SPAN_TRY_WALK, 51068000, 60417, 10, {5000, 13000, 6300, 1100, 120, 13, 1}},
	{SPAN_WALK, 110254110, 148903, 11, {1200, 14000, 9000, 1200, 160, 18, 2, 1}},
	{SPAN_HOLD, 92842242, 160911, 10, {28620, 38137, 6000, 95, 26, 20, 5, 1, 1}},
	{SPAN_HOLD_WALKED, 181450000, 152118, 11, {51, 3274, 15267, 6617, 270, 26, 3, 1}},
	{SPAN_WALK_LOCKED, 109900000, 148903, 11, {1150, 13980, 8999, 1200, 160, 17, 2, 1}},
	{SPAN_STAT, 21600000, 7204, 8, {20000, 47000, 4700, 270, 25, 5}},
	{SPAN_SLOT_LIFE, 60000000000, 15703144, 20, {3000, 9000, 11000, 2400, 109}},
};

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);

	assert(p);
	return p;
}

static char *copy(const char *bytes, size_t n)
{
	char *s = zeroed(n + 1, 1);

	memcpy(s, bytes, n);
	return s;
}

static char **words(const char *line)
{
	char **argv = zeroed(16, sizeof(*argv)), *s = copy(line, strlen(line)), *save = NULL;
	size_t n = 0;

	for (char *word = strtok_r(s, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[n++] = copy(word, strlen(word));
	free(s);
	return argv;
}

static void make_host(struct sample *s)
{
	struct host *h = &s->host;

	strcpy(h->hostname, "guest");
	strcpy(h->kernel, "7.3.4+deb13-cloud-amd64");
	strcpy(h->arch, "x86_64");
	strcpy(h->preempt, "lazy");
	h->emulated = h->socket_accounting = h->kmem_accounting = h->contexts_measured = true;
	h->page_size = 4096;
	h->cpus_possible = h->cpus_online = s->ncpus;
	h->cgroup = CGROUP_V2;
	h->cgroup_root = copy("/sys/fs/cgroup", strlen("/sys/fs/cgroup"));
	s->stock = (struct stock){.design = DESIGN_MULTI_SLOT,
				  .slots = 7,
				  .batch = 64,
				  .batch_observed = true,
				  .round_robin = true,
				  .lock = LOCK_BYTE};
}

static void make_probes(struct sample *s)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		struct probe *p = &s->probes[s->nprobes++];

		p->prog = hooks[i].prog;
		strcpy(p->hook, hooks[i].hook);
		strcpy(p->function, hooks[i].function);
		strcpy(p->at, hooks[i].at);
		strcpy(p->method, hooks[i].method);
		p->state = *p->method ? PROBE_ATTACHED : PROBE_MISSING;
		if (p->prog == PROG_CONSUME)
			p->reason = REASON_INLINED;
		for (size_t j = 0; j < sizeof(unneeded) / sizeof(unneeded[0]); j++)
			if (p->prog == unneeded[j])
				p->state = PROBE_NOT_NEEDED;
	}
}

static struct probe *probe_of(struct sample *s, enum prog_id prog)
{
	for (size_t i = 0; i < s->nprobes; i++)
		if (s->probes[i].prog == prog)
			return &s->probes[i];
	abort();
}

static void ran(struct sample *s, enum prog_id prog, uint64_t recorded, uint64_t missed)
{
	struct probe *p = probe_of(s, prog);

	p->recorded = recorded;
	p->missed = missed;
}

static void demo_runs(struct sample *s)
{
	ran(s, PROG_CHARGE, 73664, 0);
	ran(s, PROG_TRY_WALK, 25534, 0);
	ran(s, PROG_SOCK_CHARGE, 72000, 0);
	ran(s, PROG_FOLIO_CHARGE, 771, 0);
	ran(s, PROG_OBJ_CHARGE, 893, 0);
	ran(s, PROG_SOCK_UNCHARGE, 72000, 0);
	ran(s, PROG_OBJ_UNCHARGE, 880, 0);
	ran(s, PROG_FOLIO_UNCHARGE, 72, 0);
	ran(s, PROG_REFILL, 98414, 0);
	ran(s, PROG_DRAIN, 25509, 0);
	ran(s, PROG_WALK, 25581, 0);
	ran(s, PROG_STAT, 145930, 58);
}

static struct sample *make_sample(uint32_t ncpus, size_t nrows)
{
	struct sample *s = zeroed(1, sizeof(*s));

	s->ncpus = ncpus;
	s->cpus = zeroed(ncpus, sizeof(*s->cpus));
	for (uint32_t i = 0; i < ncpus; i++)
		s->cpus[i] = (struct cpu){.cpu = i, .online = true};
	make_host(s);
	make_probes(s);
	s->event_cost_ps = 620000;
	s->rows = zeroed(nrows + 1, sizeof(*s->rows));
	s->rows[0] = (struct row){.state = ROW_IS_OTHER,
				  .cpu_updates = zeroed(ncpus, sizeof(uint64_t)),
				  .cpu_charges = zeroed(ncpus, sizeof(uint64_t))};
	s->nrows = 1;
	return s;
}

static struct row *add_row(struct sample *s, const char *path, size_t n)
{
	struct row *r = &s->rows[s->nrows++];

	*r = (struct row){.id = 410 + 2 * s->nrows,
			  .parent = 398,
			  .depth = 3,
			  .path = copy(path, n),
			  .path_len = n,
			  .cpu_updates = zeroed(s->ncpus, sizeof(uint64_t)),
			  .cpu_charges = zeroed(s->ncpus, sizeof(uint64_t))};
	return r;
}

/* n of a counter to the row on that CPU. */
static void count(struct sample *s, struct row *r, uint32_t cpu, int counter, uint64_t n)
{
	r->c[counter] += n;
	s->cpus[cpu].c[counter] += n;
	if (counter == C_TRY_WALKS ||
	    (counter >= C_WALK_CAUSE && counter < C_WALK_CAUSE + CAUSE_NR))
		r->cpu_updates[cpu] += n;
	if (counter < C_CHARGE_PAGES)
		r->cpu_charges[cpu] += n;
}

/* The demo's counters, dealt to rows 1 to n; the first get what does not divide. */
static void deal(struct sample *s, size_t n, uint32_t cpu)
{
	for (size_t i = 0; i < sizeof(demo) / sizeof(demo[0]); i++)
		for (size_t r = 0; r < n; r++)
			count(s, &s->rows[1 + r], cpu, demo[i].counter,
			      demo[i].n / n + (r < demo[i].n % n));
	demo_runs(s);
	s->stock.overflow_emptied = 10873;
	s->verify = true;
}

/* So many up to 2^octave ns, in the quarters of that octave. */
static void shape_octave(struct sample *s, const struct shape *h, unsigned int octave, uint64_t n,
			 size_t nrows)
{
	/* what ends at 2^octave is in bucket 4 * octave - 4, of a cgroup in octave - 5 */
	for (unsigned int quarter = 0; quarter < 4; quarter++)
		s->spans[h->span].buckets[4 * octave - 4 - quarter] += n / 4 + (quarter < n % 4);
	for (size_t r = 0; r < nrows && (h->span < SPAN_ROW_NR || h->span == SPAN_HOLD_WALKED);
	     r++) {
		enum span span = h->span < SPAN_ROW_NR ? h->span : SPAN_HOLD;
		struct row_span *of = &s->rows[1 + r].times->spans[span];

		of->octaves[octave - OCTAVE_FIRST] += n / nrows + (r < n % nrows);
		of->sum += h->sum / nrows * !!(octave == h->first);
		of->max = of->max > h->max - r ? of->max : h->max - r;
	}
}

static void take_times(struct sample *s, uint32_t every)
{
	s->asked.sample_every = every;
	s->spans = zeroed(SPAN_NR, sizeof(*s->spans));
	for (size_t i = 0; i < s->nrows; i++)
		s->rows[i].times = zeroed(1, sizeof(*s->rows[i].times));
}

/* The demo's times, of which one in `every` was taken, dealt to rows 1 to n. */
static void deal_times(struct sample *s, size_t nrows, uint32_t cpu, uint32_t every)
{
	take_times(s, every);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct shape h = shapes[i];

		h.sum /= every;
		s->spans[h.span].sum = h.sum;
		s->spans[h.span].max = h.max;
		for (size_t j = 0; j < sizeof(h.n) / sizeof(h.n[0]); j++)
			shape_octave(s, &h, h.first + j, h.n[j] / every, nrows);
	}
	for (size_t i = 0; i < sizeof(demo_ns) / sizeof(demo_ns[0]); i++)
		for (size_t r = 0; r < nrows; r++)
			count(s, &s->rows[1 + r], cpu, demo_ns[i].counter,
			      demo_ns[i].ns / every / nrows);
	ran(s, PROG_TRY_WALK_BEGIN, 25534, 0);
	ran(s, PROG_REFILL_EXIT, 98414, 0);
	ran(s, PROG_WALK_EXIT, 25581, 0);
}

static void gauge(struct gauge *g, uint64_t value)
{
	*g = (struct gauge){.known = true, .value = value};
}

/* The first rows are in the slots of that CPU; the others of it, and other CPUs, hold nothing. */
static void fill_slots(struct sample *s, uint32_t cpu, const uint32_t *pages, size_t n)
{
	for (size_t i = 0; i < s->ncpus; i++)
		s->cpus[i].stock_seen = true;
	for (size_t i = 1; i < s->nrows; i++) {
		struct row *r = &s->rows[i];
		uint32_t held = i <= n ? pages[i - 1] : 0;

		if (i <= n)
			s->cpus[cpu].slots[i - 1] = (struct slot){.cgroup = r->id, .pages = held};
		gauge(&r->stranded_pages, held);
		gauge(&r->stranded_seen_max, held < 64 ? 64 : held);
		gauge(&r->usage_bytes, (3 + i) << 20);
		gauge(&r->sock_bytes, i << 16);
	}
	gauge(&s->rows[1].limit_bytes, 64 << 20);
}

static void add_pair(struct sample *s, uint64_t by, uint64_t of, uint64_t evictions, uint64_t pages)
{
	s->pairs = realloc(s->pairs, (s->npairs + 1) * sizeof(*s->pairs));
	assert(s->pairs);
	s->pairs[s->npairs++] = (struct pair){.key = {.by = by, .of = of},
					      .count = {.evictions = evictions, .pages = pages}};
}

/* Each takes the slot of the one after the next, as rows 1 to n come in turn. */
static void pair_up(struct sample *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *by = &s->rows[1 + i], *of = &s->rows[1 + (i + 2) % n];

		add_pair(s, by->id, of->id, by->c[C_EVICTIONS], by->c[C_EVICTED_PAGES]);
	}
}

static uint64_t sum(const uint64_t *c, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += c[i];
	return all;
}

/* Cuts the window up; the misses go up and down, and all adds up to what the CPUs count. */
static void cut_up(struct window *w, size_t n)
{
	const struct sample *s = w->end;
	uint64_t step = (s->time_ns - w->start->time_ns) / n;

	w->intervals = zeroed(n, sizeof(*w->intervals));
	w->nintervals = n;
	w->interval_ns = step;
	for (size_t i = 0; i < n; i++)
		w->intervals[i] = (struct interval){.end_ns = w->start->time_ns + step * (i + 1),
						    .charges = zeroed(s->ncpus, sizeof(uint64_t)),
						    .misses = zeroed(s->ncpus, sizeof(uint64_t))};
	for (size_t cpu = 0; cpu < s->ncpus; cpu++) {
		uint64_t charges = sum(&s->cpus[cpu].c[C_CHARGE], C_CHARGE_PAGES - C_CHARGE);
		uint64_t misses = sum(&s->cpus[cpu].c[C_MISS_KIND], KIND_NR), left = misses;

		for (size_t i = 0; i < n; i++) {
			/* 7 has no divisor in common with n: each of 0 to n - 1 once */
			uint64_t part = i + 1 < n ? misses * (i * 7 % n) / (n * (n - 1) / 2) : left;

			w->intervals[i].charges[cpu] = charges / n + (i < charges % n);
			w->intervals[i].misses[cpu] = part;
			left -= part;
		}
	}
}

static struct window make_window(struct sample *end, const char *command)
{
	struct window w = {.start = zeroed(1, sizeof(*w.start)), .end = end};

	w.start->wall_ms = 1796067487112;
	w.start->time_ns = 5000000000;
	end->wall_ms = w.start->wall_ms + 10420;
	end->time_ns = w.start->time_ns + 10420000000;
	w.version = copy("0.1.0", 5);
	w.tool_argv = words("memcgtop report");
	w.end_reason = END_DURATION;
	if (command) {
		w.command = (struct command){.argv = words(command),
					     .user_s = 1.91,
					     .system_s = 8.02,
					     .voluntary_switches = 36211,
					     .involuntary_switches = 88};
		w.end_reason = END_COMMAND;
	}
	return w;
}

static struct sample *demo_sample(void)
{
	struct sample *s = make_sample(2, 9);
	char path[] = "/demo/c0";

	for (int i = 0; i < 9; i++, path[7]++)
		add_row(s, path, strlen(path));
	deal(s, 9, 1);
	deal_times(s, 9, 1, 1);
	fill_slots(s, 1, (const uint32_t[]){63, 61, 57, 64, 44, 50, 49}, 7);
	pair_up(s, 9);
	return s;
}

static struct sample *idle_sample(void)
{
	struct sample *s = make_sample(2, 2);

	add_row(s, "/demo", 5);
	s->verify = true;
	take_times(s, 1);
	return s;
}

/* A kernel whose page counters have the stock: 1 walk an uncharge, no slots, no lock. */
static struct sample *per_counter_sample(void)
{
	static const enum prog_id gone[] = {PROG_TRY_WALK,    PROG_TRY_WALK_BEGIN, PROG_REFILL,
					    PROG_DRAIN,	      PROG_FLUSH,	   PROG_FLUSH_EXIT,
					    PROG_REFILL_EXIT, PROG_DRAIN_ALL};
	struct sample *s = make_sample(2, 1);
	struct row *r = add_row(s, "/demo/c0", 8);
	struct probe *p = probe_of(s, PROG_STOCK_CHARGE);

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		*probe_of(s, gone[i]) = (struct probe){.prog = gone[i],
						       .hook = "unused",
						       .state = PROBE_NOT_NEEDED,
						       .at = "entry"};
	strcpy(p->function, "page_counter_try_charge_stock");
	strcpy(p->method, "fexit");
	p->state = PROBE_ATTACHED;
	s->stock = (struct stock){.design = DESIGN_PER_COUNTER, .batch = 64};
	strcpy(s->host.kernel, "7.4.0-percounter");
	count(s, r, 0, C_CHARGE_PAGES + KIND_SOCK, 72000);
	count(s, r, 0, C_STOCK_MISS_KIND + KIND_SOCK, 1125);
	count(s, r, 0, C_STOCK_MISS_SHORT, 1125);
	count(s, r, 0, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 36000);
	count(s, r, 0, CHARGE_AT(KIND_SOCK, LEVEL_SOFTIRQ), 36000);
	count(s, r, 0, C_SOCK_UNCHARGES, 72000);
	count(s, r, 0, C_SOCK_UNCHARGE_PAGES, 72000);
	count(s, r, 0, C_WALK_CAUSE + CAUSE_UNBATCHED, 72000);
	count(s, r, 0, C_WALK_USER + USER_SOCK, 72000);
	count(s, r, 0, C_WALK_PAGES, 72000);
	count(s, r, 0, C_WALK_LEVELS, 216000);
	count(s, r, 0, C_STAT + STAT_SOCK, 144000);
	ran(s, PROG_CHARGE, 72000, 0);
	ran(s, PROG_STOCK_CHARGE, 72000, 0);
	ran(s, PROG_SOCK_CHARGE, 72000, 0);
	ran(s, PROG_SOCK_UNCHARGE, 72000, 0);
	ran(s, PROG_WALK, 72000, 0);
	ran(s, PROG_STAT, 144000, 0);
	return s;
}

/* 6.1: one slot, interrupts off in place of a lock byte, and some hooks are not there. */
static struct sample *old_sample(void)
{
	struct sample *s = make_sample(2, 2);
	struct probe *p;

	add_row(s, "/demo/c0", 8);
	add_row(s, "/demo/c1", 8)->state = ROW_DELETED;
	deal(s, 2, 0);
	s->verify = false;
	s->stock.design = DESIGN_SINGLE_SLOT;
	s->stock.slots = 1;
	s->stock.round_robin = false;
	s->stock.lock = LOCK_NOT_SEEN;
	strcpy(s->host.kernel, "6.1.0-50-cloud-amd64");
	strcpy(s->host.preempt, "voluntary");
	for (size_t i = 0; i < s->nrows; i++)
		s->rows[i].c[C_WALK_UNDER_LOCK] = 0;
	s->cpus[0].c[C_WALK_UNDER_LOCK] = 0;
	p = probe_of(s, PROG_OBJ_CHARGE);
	p->function[0] = p->method[0] = '\0';
	p->state = PROBE_MISSING;
	p->reason = REASON_ABSENT;
	p->recorded = 0;
	p = probe_of(s, PROG_STAT);
	p->method[0] = '\0';
	p->state = PROBE_MISSING;
	p->reason = REASON_NOT_TRACEABLE;
	p->recorded = p->missed = 0;
	return s;
}

static struct sample *untrusted_sample(void)
{
	struct sample *s = demo_sample();

	ran(s, PROG_WALK, 18418, 7163);
	ran(s, PROG_TRY_WALK, 25100, 434);
	s->cpus[1].lost[LOSS_UNMATCHED] = 83;
	s->cpus[1].lost[LOSS_MAP_FULL] = 1204;
	count(s, &s->rows[0], 1, CHARGE_AT(KIND_OBJ, LEVEL_TASK), 1204);
	s->cpus[0].online = false;
	s->cpus[1].isolated = true;
	s->host.cpus_online = 1;
	return s;
}

static struct sample *names_sample(void)
{
	static const char *const paths[] = {
		"/a\"b",
		"/a\\b",
		"/x y",
		"/l1\nl2",
		"/bad\xff"
		"byte",
		"/esc\033[31mred",
		"/system.slice/firefox\\x2desr.scope",
		"/sl\xc3\xbc\xc3\x9f/\xe6\x97\xa5\xe6\x9c\xac",
	};
	struct sample *s = make_sample(2, 12);
	char longest[1 + 255];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		add_row(s, paths[i], strlen(paths[i]));
	memset(longest, 'n', sizeof(longest));
	longest[0] = '/';
	longest[255] = '1';
	add_row(s, longest, sizeof(longest));
	longest[255] = '2';
	add_row(s, longest, sizeof(longest))->state = ROW_DELETED;
	deal(s, 10, 1);
	free(s->rows[8].path);
	s->rows[8].path = NULL;
	s->rows[8].path_len = 0;
	return s;
}

static struct sample *huge_sample(void)
{
	struct sample *s = demo_sample();

	count(s, &s->rows[1], 1, C_WALK_PAGES, UINT64_MAX - s->cpus[1].c[C_WALK_PAGES]);
	s->spans[SPAN_CHARGE].buckets[40] += 1ull << 40;
	s->spans[SPAN_CHARGE].sum += UINT64_MAX / 2;
	count(s, &s->rows[1], 1, C_STAT + STAT_SOCK, 3000000000000);
	return s;
}

static struct sample *many_sample(void)
{
	struct sample *s = make_sample(4, 41);
	char path[] = "/kubepods.slice/kubepods-burstable.slice/pod-00/workload";

	for (int i = 0; i < 40; i++) {
		path[45] = (char)('0' + i / 10);
		path[46] = (char)('0' + i % 10);
		add_row(s, path, strlen(path));
	}
	deal(s, 40, 0);
	deal(s, 13, 2);
	deal(s, 7, 3);
	s->verify = false;
	return s;
}

static void attach(struct sample *s, enum prog_id prog, const char *function, const char *method,
		   uint64_t recorded)
{
	struct probe *p = probe_of(s, prog);

	strcpy(p->function, function);
	strcpy(p->method, method);
	p->state = PROBE_ATTACHED;
	p->recorded = recorded;
}

/* The first of six cgroups works at its memory.max: what it drains is mostly the others'. */
static struct sample *limit_sample(void)
{
	struct sample *s = make_sample(4, 7);
	char path[] = "/shop/c0";
	struct row *a;

	for (int i = 0; i < 7; i++, path[7]++)
		add_row(s, path, strlen(path));
	deal(s, 6, 0);
	deal(s, 6, 3);
	deal_times(s, 6, 0, 1);
	fill_slots(s, 3, (const uint32_t[]){3, 12, 40, 64, 7, 1}, 6);
	/* one that charges and gives back what it has */
	count(s, &s->rows[2], 3, CHARGE_AT(KIND_SOCK, LEVEL_TASK), 100000);
	count(s, &s->rows[2], 3, C_CHARGE_PAGES + KIND_SOCK, 100000);
	count(s, &s->rows[2], 3, C_SOCK_UNCHARGES, 100000);
	count(s, &s->rows[2], 3, C_SOCK_UNCHARGE_PAGES, 100000);
	count(s, &s->rows[2], 3, C_REFILL + REFILL_MERGED, 100000);
	a = &s->rows[1];
	count(s, a, 0, C_FAILED, 310);
	count(s, a, 0, C_SOCK_FAILED + LEVEL_SOFTIRQ, 201);
	count(s, a, 0, C_SOCK_FAILED + LEVEL_TASK, 109);
	count(s, a, 0, C_LIMIT_HITS, 2604);
	count(s, a, 0, C_DRAIN_ALL_CALLS, 2410);
	count(s, a, 0, C_DRAIN_ALL_SKIPPED, 2410);
	count(s, a, 0, C_FLUSH_CPUS, 4117);
	count(s, a, 0, C_FLUSH_PAGES, 98208);
	count(s, a, 0, C_FLUSH_INNOCENT_PAGES, 88460);
	count(s, a, 0, C_MISS_AFTER_FLUSH, 240);
	count(s, &s->rows[3], 3, C_MISS_AFTER_FLUSH, 20200);
	count(s, &s->rows[7], 3, C_DRAIN_ALL_CALLS, 1);
	a->hit_usage_pages = a->hit_limit_pages = (8 << 20) / 4096;
	gauge(&a->limit_bytes, 8 << 20);
	gauge(&a->usage_bytes, (8 << 20) - 4096);
	gauge(&a->sock_bytes, 2 << 20);
	s->rows[4].pressure_sets = 17;
	s->rows[4].pressure_ns = 3170000000;
	s->rows[4].pressure_setter = a->id;
	s->cpus[1].isolated = true;
	s->cpus[2].flushing = true;
	s->asked.drains = true;
	s->drain_all_busy = 87;
	attach(s, PROG_DRAIN_BUSY, "mutex_trylock", "fexit", 61200);
	s->ndrains = 2;
	s->drains = zeroed(2, sizeof(*s->drains));
	s->drains[0] =
		(struct drain_caller){.cgroup = a->id,
				      .calls = 2410,
				      .nframes = 4,
				      .frames = {"drain_all_stock.part.0", "try_charge_memcg",
						 "charge_memcg", "__mem_cgroup_charge"}};
	s->drains[1] =
		(struct drain_caller){.cgroup = s->rows[7].id,
				      .calls = 1,
				      .nframes = 3,
				      .frames = {"drain_all_stock.part.0", "mem_cgroup_css_offline",
						 "css_killed_work_fn"}};
	s->rows[7].state = ROW_DELETED;
	ran(s, PROG_DRAIN_ALL, 2411, 0);
	ran(s, PROG_PRESSURE, 301, 0);
	return s;
}

/* 6.12 with PREEMPT_RT and --lock exact; one in 64 is timed. */
static struct sample *exact_sample(void)
{
	struct sample *s = make_sample(2, 2);

	add_row(s, "/demo/c0", 8);
	add_row(s, "/demo/c1", 8);
	deal(s, 2, 0);
	deal_times(s, 2, 0, 64);
	s->stock = (struct stock){.design = DESIGN_SINGLE_SLOT,
				  .slots = 1,
				  .batch = 64,
				  .batch_observed = true,
				  .lock = LOCK_OWNER};
	fill_slots(s, 0, (const uint32_t[]){31}, 1);
	strcpy(s->host.kernel, "6.12.117+deb13-rt-amd64");
	strcpy(s->host.preempt, "rt");
	s->host.preempt_rt = true;
	s->verify = false;
	s->asked.lock_exact = true;
	attach(s, PROG_LOCK_TRY, "rt_spin_trylock", "fexit", 1200);
	attach(s, PROG_LOCK_WAIT, "rt_spin_lock", "fentry", 4012000);
	attach(s, PROG_LOCK_TAKEN, "rt_spin_lock", "fexit", 4010800);
	attach(s, PROG_UNLOCK, "rt_spin_unlock", "fentry", 4013100);
	strcpy(probe_of(s, PROG_REFILL)->function, "__refill_stock");
	strcpy(probe_of(s, PROG_REFILL_EXIT)->function, "__refill_stock");
	s->spans[SPAN_HOLD_EXACT] = s->spans[SPAN_HOLD];
	s->spans[SPAN_HOLD_EXACT].sum -= s->spans[SPAN_HOLD].sum / 4;
	s->spans[SPAN_LOCK_WAIT] = s->spans[SPAN_STAT];
	count(s, &s->rows[1], 0, C_HOLD_CHECKED, 1130);
	count(s, &s->rows[1], 0, C_HOLD_DIFFER, 2);
	return s;
}

struct window window_of(const char *name)
{
	const char *workload = "workload rr -n 9 -p 1 --yield";
	struct window w;

	if (!strcmp(name, "demo")) {
		w = make_window(demo_sample(), workload);
		cut_up(&w, 20);
		return w;
	}
	if (!strcmp(name, "idle"))
		return make_window(idle_sample(), NULL);
	if (!strcmp(name, "per-counter"))
		return make_window(per_counter_sample(), workload);
	if (!strcmp(name, "old"))
		return make_window(old_sample(), NULL);
	if (!strcmp(name, "names"))
		return make_window(names_sample(), "sh -c a\xff");
	if (!strcmp(name, "huge"))
		return make_window(huge_sample(), NULL);
	if (!strcmp(name, "many"))
		return make_window(many_sample(), NULL);
	if (!strcmp(name, "limit"))
		return make_window(limit_sample(), NULL);
	if (!strcmp(name, "exact"))
		return make_window(exact_sample(), NULL);
	assert(!strcmp(name, "untrusted"));
	w = make_window(untrusted_sample(), "sleep 60");
	w.end_reason = END_INTERRUPTED;
	w.command.exit = -1;
	w.command.signal = 2;
	w.command.voluntary_switches = w.command.involuntary_switches = 0;
	return w;
}

struct sample *doctor_sample(const char *name)
{
	struct window w = window_of(name);
	struct sample *s = w.end;

	w.end = NULL;
	window__release(&w);
	for (size_t i = 0; i < s->nprobes; i++) {
		if (s->probes[i].state == PROBE_ATTACHED)
			s->probes[i].state = PROBE_ATTACHABLE;
		s->probes[i].recorded = s->probes[i].missed = 0;
	}
	for (size_t i = 0; i < s->ncpus; i++)
		memset(s->cpus[i].c, 0, sizeof(s->cpus[i].c));
	for (size_t i = 0; i < s->nrows; i++)
		memset(s->rows[i].c, 0, sizeof(s->rows[i].c));
	free(s->spans);
	s->spans = NULL;
	return s;
}
