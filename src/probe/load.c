// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "caps.h"
#include "state.h"
#include "memcgtop.skel.h"
#include "probe/drains.h"
#include "probe/load.h"
#include "probe/log.h"

/* What the programs cannot ask by CO-RE: measured, or chosen. */
static void set_constants(struct memcgtop_bpf *skel, const struct kernel *k,
			  const struct choice choices[PROG_NR], const struct live_options *o,
			  const struct host_info *host, uint32_t max_rows)
{
	drains__set_isolated(skel, host);
	skel->rodata->hardirq_mask = k->hardirq_mask;
	skel->rodata->nmi_mask = k->nmi_mask;
	skel->rodata->irq_mask = kernel__irq_mask(k);
	skel->rodata->sk_memcg_flags = k->sk_memcg_flags;
	skel->rodata->page_size = (uint32_t)sysconf(_SC_PAGESIZE);
	skel->rodata->max_rows = max_rows;
	skel->rodata->verify = o->want.verify;
	skel->rodata->sample_every = o->want.asked.sample_every;
	skel->rodata->sock_ends_at_stat =
		o->want.asked.sample_every && !choices[PROG_SOCK_CHARGE_EXIT].alt;
	skel->rodata->sock_uncharge_has_exit = choices[PROG_SOCK_UNCHARGE_EXIT].alt != NULL;
	skel->rodata->refill_inside_lock =
		choices[PROG_REFILL].alt &&
		!strcmp(choices[PROG_REFILL].alt->function, "__refill_stock");
	if (!choices[PROG_OBJ_CHARGE].alt)
		skel->rodata->unannounced_kind = KIND_OBJ;
}

static int size_maps(struct memcgtop_bpf *skel, uint32_t max_rows, bool times, bool rt)
{
	struct bpf_map *maps[] = {skel->maps.rows, skel->maps.row_ids, skel->maps.row_by_serial,
				  skel->maps.free_rows, skel->maps.row_notes};
	size_t i;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (bpf_map__set_max_entries(maps[i], max_rows))
			return -1;
	if (bpf_map__set_max_entries(skel->maps.stock_looks, (uint32_t)libbpf_num_possible_cpus()))
		return -1;
	if (bpf_map__set_max_entries(skel->maps.task_acts, rt ? TASK_ACTS_MAX : 1))
		return -1;
	return bpf_map__set_max_entries(skel->maps.times, times ? max_rows : 1);
}

/* The program, or with time on its timed variant where it has one (BOTH in bpf/times.bpf.h). */
static struct bpf_program *find_program(const struct bpf_object *obj, const char *name, bool times)
{
	struct bpf_program *prog = NULL;
	char timed[64];

	snprintf(timed, sizeof(timed), "%s_timed", name);
	if (times)
		prog = bpf_object__find_program_by_name(obj, timed);
	return prog ? prog : bpf_object__find_program_by_name(obj, name);
}

/* Is that the name of the hook's program, or of its timed variant? */
static bool is_program(const char *name, const char *program)
{
	size_t len = strlen(program);

	return !strncmp(name, program, len) && (!name[len] || !strcmp(name + len, "_timed"));
}

static int choose_programs(struct loaded *l, const struct choice choices[PROG_NR])
{
	struct bpf_object *obj = l->skel->obj;
	struct bpf_program *prog;
	int i;

	bpf_object__for_each_program(prog, obj) bpf_program__set_autoload(prog, false);
	bpf_program__set_autoload(l->skel->progs.look_at_stock, l->stocks);
	for (i = 0; i < PROG_NR; i++) {
		const struct alternative *alt = choices[i].alt;

		if (!alt)
			continue;
		prog = find_program(obj, alt->program, l->times);
		if (!prog)
			return -ENOENT;
		bpf_program__set_autoload(prog, true);
		if ((alt->method == METHOD_FENTRY || alt->method == METHOD_FEXIT) &&
		    bpf_program__set_attach_target(prog, 0, alt->function))
			return -errno;
		l->programs[i] = prog;
	}
	return 0;
}

static void strike(struct choice *c, int err)
{
	c->error = abs(err);
	c->alt = NULL;
	c->state = PROBE_MISSING;
	c->reason = REASON_NOT_TRACEABLE;
}

static void attach(struct loaded *l, struct choice choices[PROG_NR])
{
	int i;

	for (i = 0; i < PROG_NR; i++) {
		if (!l->programs[i])
			continue;
		l->links[i] = choices[i].alt->method == METHOD_KPROBE
				      ? bpf_program__attach_kprobe(l->programs[i], false,
								   choices[i].alt->function)
				      : bpf_program__attach(l->programs[i]);
		if (l->links[i])
			continue;
		strike(&choices[i], errno);
		l->programs[i] = NULL;
	}
}

/* NULL and errno. */
static void *map_array(const struct bpf_map *map, int prot)
{
	size_t size = bpf_map__max_entries(map) * (size_t)bpf_map__value_size(map);
	void *at = mmap(NULL, size, prot, MAP_SHARED, bpf_map__fd(map), 0);

	return at == MAP_FAILED ? NULL : at;
}

static void unmap_array(const struct bpf_map *map, const volatile void *at)
{
	if (at)
		munmap((void *)at, bpf_map__max_entries(map) * (size_t)bpf_map__value_size(map));
}

static int map_arrays(struct loaded *l)
{
	l->notes = map_array(l->skel->maps.row_notes, PROT_READ | PROT_WRITE);
	l->ids = map_array(l->skel->maps.row_ids, PROT_READ);
	l->looks = l->stocks ? map_array(l->skel->maps.stock_looks, PROT_READ) : NULL;
	return l->notes && l->ids && (l->looks || !l->stocks) ? 0 : -errno;
}

static int load_once(struct loaded *l, const struct kernel *k, const struct choice choices[PROG_NR],
		     const struct live_options *o, const struct host_info *host, uint32_t max_rows)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = k->btf_path);
	int err;

	l->max_rows = max_rows;
	l->times = o->want.asked.sample_every;
	l->skel = memcgtop_bpf__open_opts(&opts);
	if (!l->skel)
		return -errno;
	set_constants(l->skel, k, choices, o, host, max_rows);
	err = size_maps(l->skel, max_rows, l->times, k->softirq_in_task);
	if (!err)
		err = choose_programs(l, choices);
	if (!err)
		err = memcgtop_bpf__load(l->skel);
	if (!err)
		err = map_arrays(l);
	if (err)
		programs__unload(l);
	return err;
}

/*
 * One function whose arguments are not as we know them must not take all the
 * rest with it: the program that the kernel refused is struck, and the others
 * are loaded without it. False: it is not known which one that was.
 */
static bool strike_refused(struct choice choices[PROG_NR], bool *stocks, int err)
{
	bool found = false;
	char name[64];
	int i;

	log__failed_program(name);
	if (*stocks && is_program(name, "look_at_stock")) {
		*stocks = false;
		return true;
	}
	for (i = 0; i < PROG_NR && name[0]; i++) {
		if (!choices[i].alt || !is_program(name, choices[i].alt->program))
			continue;
		strike(&choices[i], err);
		found = true;
	}
	return found;
}

int programs__load(struct loaded *l, const struct kernel *k, struct choice choices[PROG_NR],
		   const struct live_options *o, const struct host_info *host, uint32_t max_rows,
		   struct error *e)
{
	bool stocks = k->slots;
	char text[400];
	int err;

	do {
		*l = (struct loaded){.stocks = stocks};
		err = load_once(l, k, choices, o, host, max_rows);
	} while (err && strike_refused(choices, &stocks, err));
	if (!err) {
		attach(l, choices);
		return 0;
	}
	if (err == -EPERM && caps__memlock_low(NULL, text, sizeof(text)))
		return error__set(e, STATUS_CANNOT, "%s", text);
	if (err == -ENOMEM)
		return error__set(e, STATUS_CANNOT,
				  "no memory for %u rows of counters on every CPU; give a smaller "
				  "--max-cgroups N",
				  max_rows);
	return error__set(
		e, STATUS_CANNOT,
		"the kernel does not take our BPF programs: %s; please report it with the "
		"output of memcgtop -v report -d 1 and of uname -r",
		error__text(err));
}

uint32_t loaded__rows(const struct loaded *l)
{
	uint32_t n = l->skel->data->next_row;

	return n < l->max_rows ? n : l->max_rows;
}

void programs__unload(struct loaded *l)
{
	int i;

	for (i = 0; i < PROG_NR; i++)
		bpf_link__destroy(l->links[i]);
	if (l->skel) {
		unmap_array(l->skel->maps.row_notes, l->notes);
		unmap_array(l->skel->maps.row_ids, l->ids);
		unmap_array(l->skel->maps.stock_looks, l->looks);
	}
	memcgtop_bpf__destroy(l->skel);
	memset(l, 0, sizeof(*l));
}
