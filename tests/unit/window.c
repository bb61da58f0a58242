// SPDX-License-Identifier: GPL-2.0-only
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

const char *const window_names[] = {"demo",  "idle", "per-counter", "old", "untrusted",
				    "names", "huge", "many",	    NULL};

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
};

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
	{C_FOLIO_UNCHARGES, 72},
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
	{C_CHECKED, 73664},
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
		if (p->prog == PROG_STOCK_CHARGE)
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
	return s;
}

static struct sample *idle_sample(void)
{
	struct sample *s = make_sample(2, 2);

	add_row(s, "/demo", 5);
	s->verify = true;
	return s;
}

/* A kernel whose page counters have the stock: 1 walk an uncharge, no slots, no lock. */
static struct sample *per_counter_sample(void)
{
	static const enum prog_id gone[] = {PROG_TRY_WALK, PROG_REFILL, PROG_DRAIN, PROG_FLUSH,
					    PROG_FLUSH_EXIT};
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

struct window window_of(const char *name)
{
	const char *workload = "workload rr -n 9 -p 1 --yield";
	struct window w;

	if (!strcmp(name, "demo"))
		return make_window(demo_sample(), workload);
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
	return s;
}
