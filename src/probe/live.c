// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "caps.h"
#include "cgroup/mounts.h"
#include "cgroup/paths.h"
#include "host.h"
#include "state.h"
#include "memcgtop.skel.h"
#include "probe/calibrate.h"
#include "probe/gauges.h"
#include "probe/live.h"
#include "probe/log.h"
#include "probe/snapshot.h"

struct live {
	struct kernel kernel;
	struct choice choices[PROG_NR];
	struct loaded loaded;
	struct ledger ledger;
	struct host_info host;
	struct cgroup_mounts mounts;
	struct paths *paths;
	size_t ncpus;
	struct hook_request want;
	bool opened;	    /* loaded is valid */
	int empty[PROG_NR]; /* --empty-probes: what holds them */
};

static int check_privilege(struct live *l, const struct live_options *o, struct error *e)
{
	char text[400], exe[4096];
	struct caps c;
	ssize_t len;
	int err = caps__read(&c, NULL);

	(void)l;
	(void)o;
	if (err)
		return error__set(e, STATUS_CANNOT, "cannot read /proc/self/status: %s; mount proc",
				  error__text(err));
	/* setcap wants the path */
	len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	exe[len > 0 ? len : 0] = '\0';
	if (caps__missing(&c, len > 0 ? exe : NULL, text, sizeof(text)))
		return error__set(e, STATUS_CANNOT, "%s", text);
	return 0;
}

/*
 * Lockdown as it acts, where securityfs is not mounted to tell: the kernel then
 * does not know the function that reads its memory.
 */
static bool may_not_read_memory(void)
{
	static const struct bpf_insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .imm = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "memcgtop_trial", "GPL", code,
			       sizeof(code) / sizeof(code[0]), NULL);

	if (fd >= 0)
		close(fd);
	/* any other refusal has its own sentence later */
	return fd == -EINVAL;
}

static int check_lockdown(struct live *l, const struct live_options *o, struct error *e)
{
	(void)o;
	if (l->host.lockdown != LOCKDOWN_CONFIDENTIALITY &&
	    (l->host.lockdown != LOCKDOWN_UNKNOWN || !may_not_read_memory()))
		return 0;
	return error__set(e, STATUS_CANNOT,
			  "the kernel is locked down (confidentiality): BPF may not read kernel "
			  "memory; boot with lockdown=integrity or none to measure");
}

static int open_kernel(struct live *l, const struct live_options *o, struct error *e)
{
	struct btf *own;

	if (kernel__open(&l->kernel, o->btf_path, e))
		return -1;
	if (!o->btf_path || !access("/sys/kernel/btf/vmlinux", R_OK))
		return 0;
	/* libbpf looks for the function to attach to in a BTF that it finds itself */
	own = btf__load_vmlinux_btf();
	if (own) {
		btf__free(own);
		return 0;
	}
	return error__set(
		e, STATUS_CANNOT,
		"%s alone does not do: to attach, libbpf reads /sys/kernel/btf/vmlinux "
		"itself (or a vmlinux in /boot or /lib/modules), which is not there: mount "
		"/sys, or put the file into /boot/vmlinux-%s",
		o->btf_path, l->host.kernel);
}

static int try_hooks(struct live *l, const struct live_options *o, struct error *e)
{
	caps__raise_memlock(NULL);
	return hooks__choose(&l->kernel, &o->want, l->choices, e);
}

static int find_cgroups(struct live *l, const struct live_options *o, struct error *e)
{
	struct paths_opts po = {};
	char text[400];
	int err = cgroup_mounts__read(NULL, &l->mounts);

	if (err)
		return error__set(e, STATUS_CANNOT, "cannot read /proc/self/mountinfo: %s",
				  error__text(err));
	if (o->cgroup_root &&
	    cgroup_mounts__override(&l->mounts, o->cgroup_root, text, sizeof(text)))
		return error__set(e, STATUS_USAGE, "%s", text);
	/* a kernel without cgroup v1 lists no controllers: it need not lack this one */
	if (l->mounts.why == CGROUP_WHY_NOT_BUILT && !l->mounts.cgroup2_root)
		l->mounts.why = CGROUP_WHY_NOT_MOUNTED;
	if (l->mounts.mode == CGROUP_NONE && l->mounts.why != CGROUP_WHY_NOT_MOUNTED)
		return error__set(e, STATUS_CANNOT, "%s", cgroup_why__str(l->mounts.why));
	if (!l->mounts.root)
		return 0;
	po.root = l->mounts.root;
	err = paths__new(&po, &l->paths);
	if (err)
		return error__set(e, STATUS_CANNOT, "cannot open the cgroup root %s: %s",
				  l->mounts.root, error__text(err));
	return 0;
}

/* A number out of a "key value" file such as cgroup.stat; 0 if it is not there. */
static unsigned long stat_value(const char *dir, const char *file, const char *key)
{
	char path[4096], *text, *at;
	unsigned long value = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	text = host__read_file(path, NULL);
	if (!text)
		return 0;
	at = strstr(text, key);
	if (at && (at == text || at[-1] == '\n'))
		value = strtoul(at + strlen(key), NULL, 10);
	free(text);
	return value;
}

/* Rows for twice the cgroups that there are, dying ones included. */
static uint32_t rows_wanted(const struct live *l, const struct live_options *o)
{
	unsigned long n = 0;

	if (o->max_rows)
		return o->max_rows + 1;
	if (l->mounts.root)
		n = stat_value(l->mounts.root, "cgroup.stat", "nr_descendants") +
		    stat_value(l->mounts.root, "cgroup.stat", "nr_dying_descendants");
	n = 2 * n + 256;
	return n < 16384 ? (uint32_t)n : 16384;
}

static const struct {
	const char *name;
	int (*take)(struct live *l, const struct live_options *o, struct error *e);
	const char *ok;
} steps_table[STEP_NR] = {
	[STEP_PRIVILEGE] = {"privilege", check_privilege, "enough to load and attach BPF"},
	[STEP_LOCKDOWN] = {"lockdown", check_lockdown, "BPF may read kernel memory"},
	[STEP_CGROUPS] = {"cgroups", find_cgroups, "memory control groups are there"},
	[STEP_BTF] = {"btf", open_kernel, "the kernel describes its types"},
	[STEP_BPF] = {"bpf", try_hooks, "tracing programs attach"},
};

const char *live__unseen(const struct live *l)
{
	return l->mounts.why == CGROUP_WHY_NOTHING ? NULL : cgroup_why__str(l->mounts.why);
}

static struct live *new_live(const struct live_options *o)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	memset(l->empty, -1, sizeof(l->empty));
	log__listen(o->verbose);
	l->want = o->want;
	l->ncpus = (size_t)libbpf_num_possible_cpus();
	if (!host_info__read(&l->host, NULL))
		return l;
	free(l);
	return NULL;
}

static int need_misses(const struct live *l, struct error *e)
{
	const struct choice *charge = &l->choices[PROG_CHARGE];
	const struct choice *walk =
		&l->choices[l->kernel.design == DESIGN_PER_COUNTER ? PROG_STOCK_CHARGE
								   : PROG_TRY_WALK];
	const struct choice *bad = !charge->alt ? charge : !walk->alt ? walk : NULL;

	if (!bad)
		return 0;
	return error__set(e, STATUS_CANNOT,
			  "misses cannot be measured here: the kernel function %s is %s; run "
			  "memcgtop doctor for the whole picture",
			  bad->function, reason__name(bad->reason));
}

/* libbpf before 1.2 looks through the BTF of modules, or gives up. */
static void say_modules(struct error *e)
{
	struct caps c;
	uint32_t id;

	if (caps__read(&c, NULL) || c.sys_admin || bpf_btf_get_next_id(0, &id) != -EPERM)
		return;
	e->text[0] = '\0';
	error__set(
		e, STATUS_CANNOT,
		"CAP_BPF and CAP_PERFMON are there, but libbpf %u.%u wants CAP_SYS_ADMIN too, to "
		"look through the types of modules: run as root, or build with libbpf 1.2 or later",
		libbpf_major_version(), libbpf_minor_version());
}

struct live *live__open(const struct live_options *o, struct error *e)
{
	struct live *l = new_live(o);
	int i;

	if (!l) {
		error__set(e, STATUS_CANNOT, "out of memory");
		return NULL;
	}
	for (i = 0; i < STEP_NR; i++)
		if (steps_table[i].take(l, o, e))
			goto fail;
	/* doctor has looked further, as this may not be all */
	if (l->mounts.mode == CGROUP_NONE) {
		error__set(e, STATUS_CANNOT, "%s", cgroup_why__str(l->mounts.why));
		goto fail;
	}
	if (need_misses(l, e))
		goto fail;
	if (l->ncpus > CPUS_MAX) {
		error__set(e, STATUS_CANNOT,
			   "this machine may have %zu CPUs, and memcgtop was built for %d; build "
			   "it with a larger CPUS_MAX in bpf/state.h",
			   l->ncpus, CPUS_MAX);
		goto fail;
	}
	if (o->empty_probes) {
		hooks__attach_empty(&l->kernel, l->choices, l->empty);
		return l;
	}
	kernel__calibrate(&l->kernel);
	if (programs__load(&l->loaded, &l->kernel, l->choices, o, &l->host, rows_wanted(l, o), e)) {
		say_modules(e);
		goto fail;
	}
	l->opened = true;
	if (need_misses(l, e))
		goto fail;
	if (ledger__init(&l->ledger, &l->host, l->ncpus, l->loaded.max_rows)) {
		error__set(e, STATUS_CANNOT, "out of memory");
		goto fail;
	}
	return l;
fail:
	live__close(l);
	return NULL;
}

/* recursion_misses of a program: runs that the kernel skipped. */
static uint64_t missed(const struct live *l, int i)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	if (!l->loaded.programs[i] ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(l->loaded.programs[i]), &info, &len))
		return 0;
	return info.recursion_misses;
}

static int describe_host(const struct live *l, struct sample *s)
{
	struct host *h = &s->host;
	char *online = host__read_file("/sys/devices/system/cpu/online", NULL);
	size_t i;

	snprintf(h->hostname, sizeof(h->hostname), "%s", l->host.hostname);
	snprintf(h->kernel, sizeof(h->kernel), "%s", l->host.kernel);
	snprintf(h->arch, sizeof(h->arch), "%s", l->host.arch);
	snprintf(h->preempt, sizeof(h->preempt), "%s", l->host.preempt);
	h->preempt_rt = l->host.preempt_rt;
	h->emulated = l->host.emulated == HOST_YES;
	h->socket_accounting = l->host.socket_accounting;
	h->kmem_accounting = l->host.kmem_accounting;
	h->contexts_measured = l->kernel.masks_measured;
	h->page_size = (uint32_t)l->host.page_size;
	h->cpus_possible = (uint32_t)l->ncpus;
	h->cgroup = l->mounts.mode;
	h->cgroup_root = strdup(l->mounts.root ? l->mounts.root : "");
	s->ncpus = l->ncpus;
	s->cpus = calloc(l->ncpus, sizeof(*s->cpus));
	if (!h->cgroup_root || !s->cpus) {
		free(online);
		return -ENOMEM;
	}
	for (i = 0; i < s->ncpus; i++) {
		s->cpus[i].cpu = (uint32_t)i;
		s->cpus[i].online = !online || cpulist__has(online, (int)i);
		s->cpus[i].isolated = host_info__cpu_isolated(&l->host, (int)i);
		h->cpus_online += s->cpus[i].online;
	}
	free(online);
	return 0;
}

static void describe_stock(const struct live *l, struct stock *st)
{
	st->design = l->kernel.design;
	st->slots = l->kernel.slots;
	st->round_robin = l->kernel.round_robin;
	st->lock = l->kernel.lock;
	st->batch = BATCH_ASSUMED;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What is known without a single event. */
static struct sample *describe(const struct live *l, struct error *e)
{
	struct sample *s = calloc(1, sizeof(*s));
	struct timespec wall;

	if (!s || describe_host(l, s)) {
		sample__free(s);
		error__set(e, STATUS_CANNOT, "out of memory");
		return NULL;
	}
	clock_gettime(CLOCK_REALTIME, &wall);
	s->time_ns = now_ns();
	s->wall_ms = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
	s->verify = l->want.verify && l->choices[PROG_CHECK].alt;
	s->no_stat = l->want.no_stat;
	s->asked = l->want.asked;
	s->event_cost_ps = l->kernel.event_cost_ps;
	describe_stock(l, &s->stock);
	hooks__describe(l->choices, s);
	return s;
}

struct live *live__examine(const struct live_options *o, struct step steps[STEP_NR],
			   struct sample **s)
{
	struct live *l = new_live(o);
	struct error e = {};
	bool failed = false;
	int i;

	if (!l)
		return NULL;
	for (i = 0; i < STEP_NR; i++) {
		memset(&steps[i], 0, sizeof(steps[i]));
		steps[i].name = steps_table[i].name;
		if (failed)
			continue;
		steps[i].taken = true;
		failed = steps_table[i].take(l, o, &e);
		steps[i].ok = !failed;
		snprintf(steps[i].text, sizeof(steps[i].text), "%s",
			 failed					? e.text
			 : i == STEP_CGROUPS && live__unseen(l) ? live__unseen(l)
								: steps_table[i].ok);
	}
	if (!failed)
		kernel__calibrate(&l->kernel);
	*s = describe(l, &e);
	if (*s)
		return l;
	live__close(l);
	return NULL;
}

struct sample *live__sample(struct live *l, struct error *e)
{
	struct sample *s = describe(l, e);
	int i, err;

	if (!s)
		return NULL;
	for (i = 0; i < PROG_NR; i++) {
		if (s->probes[i].state == PROBE_ATTACHABLE)
			s->probes[i].state = PROBE_ATTACHED;
		s->probes[i].missed = missed(l, i);
	}
	if (l->opened)
		ledger__look(&l->ledger, &l->loaded, s->time_ns);
	err = l->opened ? snapshot__read(&l->loaded, &l->ledger, l->paths, s) : 0;
	/* last: the counters are read already */
	if (!err && l->mounts.root)
		gauges__read(s, l->mounts.root, l->mounts.mode != CGROUP_V2);
	if (!err)
		return s;
	sample__free(s);
	error__set(e, STATUS_CANNOT, "cannot read the counters: %s", error__text(err));
	return NULL;
}

/* Acts whose end was lost stay parked; when many have piled up all are given up. */
static void clear_parked(const struct loaded *l)
{
	int parked = bpf_map__fd(l->skel->maps.parked);
	struct act_key key;

	if (l->skel->bss->nr_parked < PARKED_MAX / 2)
		return;
	while (!bpf_map_get_next_key(parked, NULL, &key))
		if (!bpf_map_delete_elem(parked, &key))
			__sync_fetch_and_add(&l->skel->bss->nr_parked, -1);
}

void live__tick(struct live *l)
{
	uint32_t batch;

	if (!l->opened)
		return;
	batch = snapshot__batch(&l->loaded);
	if (batch)
		l->loaded.skel->data->batch = batch;
	clear_parked(&l->loaded);
	ledger__look(&l->ledger, &l->loaded, now_ns());
	ledger__tick(&l->ledger, &l->loaded, l->paths);
}

void live__close(struct live *l)
{
	int i;

	if (!l)
		return;
	for (i = 0; i < PROG_NR; i++)
		if (l->empty[i] >= 0)
			close(l->empty[i]);
	if (l->opened)
		programs__unload(&l->loaded);
	ledger__release(&l->ledger);
	paths__free(l->paths);
	cgroup_mounts__free(&l->mounts);
	kernel__close(&l->kernel);
	host_info__free(&l->host);
	free(l);
}
