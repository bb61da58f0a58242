// SPDX-License-Identifier: GPL-2.0-only
/*
 * readings [SETTLE]: how often the kprobes hit, and how often memcgtop's
 * programs ran, at one moment of a running memcgtop. One line of JSON.
 *
 * The root cgroup's own memory passes some of the hooked functions as well, so
 * the counts never stand still between two processes that read one each. Here
 * the programs are read between two equal readings of the kprobes: nothing
 * happened meanwhile. With SETTLE it first waits until what the root cgroup
 * does not call has been still for so many seconds.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "memcgtop.h"
#include "state.h"

#define PROFILE "/sys/kernel/tracing/kprobe_profile"
#define TRIES	200

/* The names of src/probe/hooks.c: of the hook, and of the programs for it. */
static const struct {
	const char *hook;
	const char *programs[3];
} hooks[PROG_NR] = {
	[PROG_CHARGE] = {"charge", {"charge_exit"}},
	[PROG_CONSUME] = {"consume", {"consume_exit"}},
	[PROG_TRY_WALK] = {"try_walk", {"try_walk"}},
	[PROG_STOCK_CHARGE] = {"stock_charge", {"stock_charge"}},
	[PROG_FORCE] = {"force", {"force_charge"}},
	[PROG_SOCK_CHARGE] = {"sock_charge", {"sk_charge", "skmem_charge"}},
	[PROG_SOCK_CHARGE_EXIT] = {"sock_charge_exit", {"sk_charge_exit"}},
	[PROG_FOLIO_CHARGE] = {"folio_charge", {"folio_charge", "folio_charge_mm"}},
	[PROG_OBJ_CHARGE] = {"obj_charge", {"obj_charge"}},
	[PROG_SOCK_UNCHARGE] = {"sock_uncharge", {"sk_uncharge", "skmem_uncharge"}},
	[PROG_OBJ_UNCHARGE] = {"obj_uncharge", {"obj_uncharge"}},
	[PROG_OBJ_DRAIN] = {"obj_drain", {"obj_drain_slot", "obj_drain_old", "obj_drain"}},
	[PROG_FOLIO_UNCHARGE] = {"folio_uncharge", {"folio_uncharge"}},
	[PROG_REFILL] = {"refill", {"refill"}},
	[PROG_DRAIN] = {"drain", {"drain_single", "drain_slot"}},
	[PROG_FLUSH] = {"flush", {"flush_begin"}},
	[PROG_FLUSH_EXIT] = {"flush_exit", {"flush_end"}},
	[PROG_HOTPLUG] = {"hotplug", {"hotplug_begin"}},
	[PROG_HOTPLUG_EXIT] = {"hotplug_exit", {"hotplug_end"}},
	[PROG_WALK] = {"walk", {"walk"}},
	[PROG_STAT] = {"stat", {"stat_event", "stat_call"}},
	[PROG_CHECK] = {"check", {"check_charge"}},
	[PROG_CHARGE_BEGIN] = {"charge_begin", {"charge_begin"}},
	[PROG_TRY_WALK_BEGIN] = {"try_walk_begin", {"try_walk_begin"}},
	[PROG_REFILL_EXIT] = {"refill_exit", {"refill_exit"}},
	[PROG_SOCK_UNCHARGE_EXIT] = {"sock_uncharge_exit", {"sk_uncharge_exit"}},
	[PROG_WALK_EXIT] = {"walk_exit", {"walk_exit"}},
	[PROG_DRAIN_ALL] = {"drain_all", {"drain_all"}},
	[PROG_PRESSURE] = {"pressure", {"pressure", "pressure_old"}},
};

/* What only charges of cgroups other than the root call, whatever the kernel. */
static const char *const quiet[] = {"try_charge_memcg",	       "page_counter_uncharge",
				    "page_counter_try_charge", "mem_cgroup_sk_charge",
				    "mem_cgroup_charge_skmem", "drain_local_stock",
				    "drain_local_memcg_stock"};

static char profile[2][1 << 16], settled[1 << 16];
static uint64_t runs[PROG_NR], missed[PROG_NR];
static int prog_fds[PROG_NR];
/* memcgtop's own, in the .bss of its programs. */
static const volatile struct cpu_state *states;
static size_t ncpus;

static int fail(const char *what)
{
	fprintf(stderr, "readings: %s: %s\n", what, strerror(errno));
	return 1;
}

/* Where in the section `states` is, or -1: this is not memcgtop's. */
static long offset_of_states(const struct bpf_map_info *info)
{
	struct btf *btf = btf__load_from_kernel_by_id(info->btf_id);
	const struct btf_type *section, *type;
	long offset = -1;

	section = btf ? btf__type_by_id(btf, info->btf_value_type_id) : NULL;
	for (int i = 0; section && btf_is_datasec(section) && i < btf_vlen(section); i++) {
		const struct btf_var_secinfo *var = btf_var_secinfos(section) + i;

		type = btf__type_by_id(btf, var->type);
		if (!strcmp(btf__name_by_offset(btf, type->name_off), "states") &&
		    var->size == CPUS_MAX * sizeof(struct cpu_state))
			offset = var->offset;
	}
	btf__free(btf);
	return offset;
}

static int find_states(uint32_t *id)
{
	uint32_t at = 0;

	while (!bpf_map_get_next_id(at, &at)) {
		struct bpf_map_info info = {};
		uint32_t len = sizeof(info);
		int fd = bpf_map_get_fd_by_id(at);
		long offset = -1;
		char *bss;

		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) &&
		    strstr(info.name, ".bss"))
			offset = offset_of_states(&info);
		if (offset >= 0) {
			bss = mmap(NULL, info.value_size, PROT_READ, MAP_SHARED, fd, 0);
			if (bss == MAP_FAILED)
				return fail("memcgtop's .bss");
			states = (const void *)(bss + offset);
			*id = at;
			return 0;
		}
		close(fd);
	}
	errno = ENOENT;
	return fail("memcgtop's map");
}

/* The kernel cuts the names of programs. */
static bool is_called(const char *name, const char *program, const char *suffix)
{
	char full[64];

	snprintf(full, sizeof(full), "%s%s", program, suffix);
	return !strncmp(full, name, BPF_OBJ_NAME_LEN - 1);
}

static int hook_of(const char *name)
{
	for (int i = 0; i < PROG_NR; i++)
		for (int k = 0; k < 3 && hooks[i].programs[k]; k++)
			if (is_called(name, hooks[i].programs[k], "") ||
			    is_called(name, hooks[i].programs[k], "_timed"))
				return i;
	return -1;
}

static void find_programs(uint32_t states_id)
{
	uint32_t at = 0;

	for (int i = 0; i < PROG_NR; i++)
		prog_fds[i] = -1;
	while (!bpf_prog_get_next_id(at, &at)) {
		struct bpf_prog_info info = {};
		uint32_t maps[64], len = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(at), hook;
		bool ours = false;

		info.nr_map_ids = 64;
		info.map_ids = (uintptr_t)maps;
		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len))
			continue;
		for (uint32_t i = 0; i < info.nr_map_ids && i < 64; i++)
			ours |= maps[i] == states_id;
		hook = ours ? hook_of(info.name) : -1;
		if (hook >= 0)
			prog_fds[hook] = fd;
		else
			close(fd);
	}
}

static int read_profile(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET))
		return -1;
	while ((n = read(fd, text + len, size - 1 - len)) > 0)
		len += n;
	text[len] = 0;
	return n ? -1 : 0;
}

static int read_programs(void)
{
	memset(runs, 0, sizeof(runs));
	for (size_t cpu = 0; cpu < ncpus; cpu++)
		for (int i = 0; i < PROG_NR; i++)
			runs[i] += states[cpu].totals.runs[i];
	for (int i = 0; i < PROG_NR; i++) {
		struct bpf_prog_info info = {};
		uint32_t len = sizeof(info);

		if (prog_fds[i] < 0)
			continue;
		if (bpf_obj_get_info_by_fd(prog_fds[i], &info, &len))
			return -1;
		missed[i] = info.recursion_misses;
	}
	return 0;
}

/* The hits of one kprobe in the text of kprobe_profile, or 0. */
static unsigned long long hits_of(const char *text, const char *name)
{
	char found[128];
	unsigned long long hits;

	while (text && *text) {
		if (sscanf(text, "%127s %llu", found, &hits) == 2 && !strcmp(found, name))
			return hits;
		text = strchr(text, '\n');
		text += !!text;
	}
	return 0;
}

static bool still(const char *a, const char *b)
{
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
		if (hits_of(a, quiet[i]) != hits_of(b, quiet[i]))
			return false;
	return true;
}

static bool settle(int fd, unsigned int seconds)
{
	for (int i = 0; i < 20; i++) {
		if (read_profile(fd, settled, sizeof(settled)))
			return false;
		sleep(seconds);
		if (read_profile(fd, profile[0], sizeof(profile[0])))
			return false;
		if (still(settled, profile[0]))
			return true;
	}
	return false;
}

static void print(void)
{
	unsigned long long hits, nmissed;
	const char *at = profile[0];
	const char *comma = "";
	char name[128];

	printf("{\"kprobes\": {");
	while (at && sscanf(at, "%127s %llu %llu", name, &hits, &nmissed) == 3) {
		printf("%s\"%s\": [%llu, %llu]", comma, name, hits, nmissed);
		comma = ", ";
		at = strchr(at, '\n');
		at += !!at;
	}
	printf("}, \"programs\": {");
	comma = "";
	for (int i = 0; i < PROG_NR; i++) {
		if (prog_fds[i] < 0)
			continue;
		printf("%s\"%s\": [%llu, %llu]", comma, hooks[i].hook, (unsigned long long)runs[i],
		       (unsigned long long)missed[i]);
		comma = ", ";
	}
	printf("}}\n");
}

int main(int argc, char **argv)
{
	unsigned int seconds = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	uint32_t states_id = 0;
	int fd = open(PROFILE, O_RDONLY);

	if (fd < 0)
		return fail(PROFILE);
	ncpus = (size_t)libbpf_num_possible_cpus();
	if (find_states(&states_id))
		return 1;
	find_programs(states_id);
	if (seconds && !settle(fd, seconds)) {
		fprintf(stderr, "readings: the charges do not stop\n");
		return 1;
	}
	/* The first try also faults in what the second must not. */
	for (int i = 0; i < TRIES; i++) {
		if (read_profile(fd, profile[0], sizeof(profile[0])) || read_programs() ||
		    read_profile(fd, profile[1], sizeof(profile[1])))
			return fail("reading");
		if (i && !strcmp(profile[0], profile[1])) {
			print();
			return 0;
		}
		usleep(20000);
	}
	fprintf(stderr, "readings: never two equal readings of the kprobes\n");
	return 1;
}
