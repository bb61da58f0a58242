// SPDX-License-Identifier: GPL-2.0-only
/*
 * stopwatch: times the calls of charging. Prints what was so far as a line of
 * JSON at each SIGUSR1, and ends at SIGTERM. Only `missed` and the largest
 * durations are of the time since the last line. Says `ready` on standard error
 * once it counts.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/types.h>

#include "stopwatch.h"
#include "stopwatch.skel.h"

/* The names differ between kernels; where there is none of them nothing is timed. */
static const struct {
	const char *begins, *ends; /* programs */
	const char *functions[3];  /* the first that is there */
} timed[] = {
	{"sock_charge_begins",
	 "sock_charge_ends",
	 {"mem_cgroup_sk_charge", "mem_cgroup_charge_skmem"}},
	{"sock_uncharge_begins",
	 "sock_uncharge_ends",
	 {"mem_cgroup_sk_uncharge", "mem_cgroup_uncharge_skmem"}},
	{"refill_begins", "refill_ends", {"__refill_stock", "refill_stock"}},
	{"flush_begins", "flush_ends", {"drain_local_memcg_stock", "drain_local_stock"}},
};

static const char *const names[TIMED_NR] = {
	[TIMED_CHARGE] = "charge",
	[TIMED_TRY_WALK] = "try_walk",
	[TIMED_WALK] = "walk",
	[TIMED_REFILL] = "refill",
	[TIMED_SOCK_CHARGE] = "sock_charge",
	[TIMED_SOCK_UNCHARGE] = "sock_uncharge",
	[TIMED_LOCK_WAIT] = "lock_wait",
	[TIMED_FLUSH] = "flush",
};

static struct stopwatch_bpf *skel;

static int fail(const char *what)
{
	fprintf(stderr, "stopwatch: %s (%s)\n", what, strerror(errno));
	return 1;
}

static int choose_functions(const struct btf *btf)
{
	for (size_t i = 0; i < sizeof(timed) / sizeof(timed[0]); i++) {
		const char *const programs[] = {timed[i].begins, timed[i].ends};
		const char *function = NULL;

		for (int k = 0; timed[i].functions[k] && !function; k++)
			if (btf__find_by_name_kind(btf, timed[i].functions[k], BTF_KIND_FUNC) > 0)
				function = timed[i].functions[k];
		for (int k = 0; k < 2; k++) {
			struct bpf_program *prog =
				bpf_object__find_program_by_name(skel->obj, programs[k]);

			if (function ? bpf_program__set_attach_target(prog, 0, function)
				     : bpf_program__set_autoload(prog, false))
				return fail(programs[k]);
		}
	}
	return 0;
}

/* gfp, memcg, tree, scanned, reclaimed; with a sixth the order is before the memcg. */
static __u32 pressure_arg(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, "vmpressure", BTF_KIND_FUNC);
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;

	type = type ? btf__type_by_id(btf, type->type) : NULL;
	return type && btf_vlen(type) > 5 ? 2 : 1;
}

static int load(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int id, err;

	skel = stopwatch_bpf__open();
	if (!btf || !skel)
		return fail("cannot read the kernel's BTF or open the BPF object");
	id = btf__find_by_name_kind(btf, "memcg_stock_pcp", BTF_KIND_STRUCT);
	if (id < 0)
		return fail("the kernel has no struct memcg_stock_pcp");
	skel->rodata->stock_size = btf__type_by_id(btf, id)->size;
	skel->rodata->pressure_arg = pressure_arg(btf);
	err = choose_functions(btf);
	btf__free(btf);
	if (err)
		return err;
	if (stopwatch_bpf__load(skel) || stopwatch_bpf__attach(skel))
		return fail("cannot attach");
	return 0;
}

/* Runs that the kernel skipped since the last time. */
static unsigned long long missed(const struct bpf_program *prog, unsigned long long *last)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);
	unsigned long long since = 0;

	if (bpf_program__fd(prog) >= 0 &&
	    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len)) {
		since = info.recursion_misses - *last;
		*last = info.recursion_misses;
	}
	return since;
}

static void print_missed(const char *key)
{
	static unsigned long long last[64];
	struct bpf_program *prog;
	const char *comma = "";
	int i = 0;

	printf("\"%s\": {", key);
	bpf_object__for_each_program(prog, skel->obj)
	{
		printf("%s\"%s\": %llu", comma, bpf_program__name(prog),
		       missed(prog, &last[i++ & 63]));
		comma = ", ";
	}
	printf("}");
}

static void print_durations(void)
{
	const struct duration *d = skel->bss->durations;
	const char *comma = "";

	printf("\"durations\": {");
	for (int i = 0; i < TIMED_NR; i++, d++) {
		printf("%s\"%s\": {\"calls\": %llu, \"timed\": %llu, \"unmatched\": %llu, "
		       "\"ns\": %llu, \"max\": %llu, \"migrated\": %llu, \"migrated_ns\": %llu, "
		       "\"nested\": %llu, \"octaves\": [",
		       comma, names[i], d->calls, d->timed, d->unmatched, d->ns, d->max,
		       d->migrated, d->migrated_ns, d->nested);
		for (int k = 0; k < OCTAVES_NR; k++)
			printf("%s%llu", k ? ", " : "", d->octaves[k]);
		printf("]}");
		comma = ", ";
	}
	printf("}");
}

static void print_cgroups(void)
{
	int map = bpf_map__fd(skel->maps.cgroups);
	const char *comma = "";
	struct by_cgroup c;
	uint64_t at, id, *previous = NULL;

	printf("\"cgroups\": {");
	for (; !bpf_map_get_next_key(map, previous, &id); previous = &at) {
		at = id;
		if (bpf_map_lookup_elem(map, &id, &c))
			continue;
		printf("%s\"%llu\": {\"walks\": %llu, \"walk_ns\": %llu, \"walk_min\": %llu, "
		       "\"flushes\": %llu, \"flush_pages\": %llu, \"limit_hits\": %llu, "
		       "\"pressure_sets\": %llu}",
		       comma, (unsigned long long)id, c.walks, c.walk_ns, c.walk_min, c.flushes,
		       c.flush_pages, c.limit_hits, c.pressure_sets);
		comma = ", ";
	}
	printf("}");
}

static void print(void)
{
	printf("{");
	print_missed("missed");
	printf(", \"drains_busy\": %llu, ", skel->bss->drains_busy);
	print_durations();
	printf(", ");
	print_cgroups();
	printf("}\n");
	fflush(stdout);
	for (int i = 0; i < TIMED_NR; i++)
		skel->bss->durations[i].max = 0;
}

int main(void)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (load())
		return 1;
	/* What began before its entry was attached has ended by now. */
	usleep(100000);
	memset(skel->bss->durations, 0, sizeof(skel->bss->durations));
	fprintf(stderr, "ready\n");
	while (!sigwait(&set, &sig) && sig == SIGUSR1)
		print();
	stopwatch_bpf__destroy(skel);
	return 0;
}
