// SPDX-License-Identifier: GPL-2.0-only
/* Mode limit: a cgroup that reclaims at its memory.max, and innocent ones beside it. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "workload.h"

#define MAX_PAGES 1024
#define HOP_SEC	  0.001

struct hog {
	volatile char *map;
	size_t bytes;
	size_t chunk;
	size_t at;
	volatile char *vain; /* behind the map: freed and written again */
	size_t vain_bytes;
	int fd; /* --refuse */
};

static long long max_pages(const struct run *run)
{
	return run->cfg->max_pages ? run->cfg->max_pages : MAX_PAGES;
}

static void touch(const struct run *run, volatile char *map, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += run->page_size)
		map[at] = 1;
}

/*
 * --hop: a charge that sleeps in reclaim may then end on another CPU. The
 * mover is forked before the worker enters its cgroup, and ends with it.
 */
static int start_mover(void)
{
	cpu_set_t allowed, one[2];
	int nr = 0;
	pid_t worker = getpid(), pid;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return fail(EXIT_RUN, "sched_getaffinity failed (%s)", strerror(errno));
	for (int cpu = 0; cpu < CPU_SETSIZE && nr < 2; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		CPU_ZERO(&one[nr]);
		CPU_SET(cpu, &one[nr++]);
	}
	if (nr < 2)
		return fail(EXIT_SKIP, "--hop needs two CPUs, and only one may be used here");
	pid = fork();
	if (pid < 0)
		return fail(EXIT_RUN, "fork failed (%s): free some memory", strerror(errno));
	if (pid)
		return 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; getppid() == worker; i ^= 1) {
		sched_setaffinity(worker, sizeof(one[i]), &one[i]);
		nap(HOP_SEC);
	}
	_exit(0);
}

/*
 * Pages behind MADV_FREE are clean for reclaim, without swap and without a file
 * system: the limit is hit for ever and nothing is killed. The mapping is twice
 * the limit, so that each turn finds the old pages gone.
 */
static int setup_hog(struct run *run, struct hog *hog)
{
	hog->bytes = 2 * max_pages(run) * run->page_size;
	hog->chunk = pages_of(run) * run->page_size;
	hog->vain_bytes = run->cfg->vain * run->page_size;
	hog->map = mmap(NULL, hog->bytes + hog->vain_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (hog->map == MAP_FAILED)
		return fail(EXIT_RUN, "mmap of %zu bytes failed (%s): lower --max", hog->bytes,
			    strerror(errno));
	madvise((void *)hog->map, hog->bytes + hog->vain_bytes, MADV_NOHUGEPAGE);
	hog->vain = hog->map + hog->bytes;
	if (run->cfg->hop && start_mover())
		return EXIT_RUN;
	return cgroups__enter(run, 0);
}

/* A socket of the cgroup; the worker itself goes back. */
static int setup_socket(struct run *run, int worker, int *fd)
{
	int err = cgroups__enter(run, worker);

	if (err)
		return err;
	*fd = sockets__tcp();
	return *fd < 0 ? EXIT_RUN : cgroups__leave(run);
}

static int setup(struct run *run, int worker, void **state)
{
	struct hog *hog = calloc(1, sizeof(*hog));

	*state = hog;
	if (!hog)
		return EXIT_RUN;
	if (worker || run->cfg->refuse)
		return setup_socket(run, worker, &hog->fd);
	return setup_hog(run, hog);
}

static int free_lazily(volatile char *map, size_t bytes)
{
	if (!madvise((void *)map, bytes, MADV_FREE))
		return 0;
	return fail(EXIT_RUN, "madvise(MADV_FREE) failed (%s): it needs kernel 4.12",
		    strerror(errno));
}

static int hit_limit(struct run *run, struct hog *hog, struct result *result)
{
	struct loop loop;

	for (loop__start(&loop, run); loop__more(&loop); loop.done++) {
		if (hog->at + hog->chunk > hog->bytes)
			hog->at = 0;
		touch(run, hog->map + hog->at, hog->chunk);
		if (free_lazily(hog->map + hog->at, hog->chunk))
			return EXIT_RUN;
		if (hog->vain_bytes) {
			touch(run, hog->vain, hog->vain_bytes);
			if (free_lazily(hog->vain, hog->vain_bytes))
				return EXIT_RUN;
			touch(run, hog->vain, hog->vain_bytes);
		}
		hog->at += hog->chunk;
		result->ops++;
		result->pages += hog->chunk / run->page_size;
		if (run->cfg->yield)
			sched_yield();
	}
	run->shared->stop = 1;
	return 0;
}

static int pair(const struct run *run, int fd, long long pages)
{
	int err = sockets__reserve(fd, pages * run->page_size);

	if (!err)
		err = sockets__reserve(fd, 0);
	return err ? sockets__reserve_failed(err) : 0;
}

static int be_refused(struct run *run, struct hog *hog, struct result *result)
{
	struct loop loop;
	int err = 0;

	for (loop__start(&loop, run); loop__more(&loop) && !err; loop.done++) {
		err = pair(run, hog->fd, pages_of(run));
		if (err)
			break;
		if (sockets__reserve(hog->fd, 2 * max_pages(run) * run->page_size) != -ENOMEM)
			err = fail(EXIT_RUN, "twice memory.max was not refused: is %s limited?",
				   run->cg[0].path);
		result->ops++;
		if (run->cfg->yield)
			sched_yield();
	}
	run->shared->stop = 1;
	return err;
}

static int load(struct run *run, int worker, void **state)
{
	struct result *result = &run->shared->result[worker];
	struct hog *hog = *state;
	int err;

	if (!worker)
		return run->cfg->refuse ? be_refused(run, hog, result)
					: hit_limit(run, hog, result);
	while (!stopped(run)) {
		err = pair(run, hog->fd, 1);
		if (err)
			return err;
		result->ops++;
		if (run->cfg->yield)
			sched_yield();
	}
	return 0;
}

int run_limit(struct run *run)
{
	char text[32];
	uint64_t others = 0;
	long long before;
	int err;

	if (pages_of(run) * 2 + run->cfg->vain > max_pages(run))
		return fail(EXIT_USAGE, "--max must hold twice --pages and also --vain, else the "
					"kernel has nothing to reclaim");
	snprintf(text, sizeof(text), "%lld", max_pages(run) * run->page_size);
	err = cgroup__write(run->cg[0].path, "memory.max", text);
	if (err)
		return fail(EXIT_RUN, "cannot set memory.max of %s (%s): run as root",
			    run->cg[0].path, strerror(-err));
	before = cgroup__read_key(run->cg[0].path, "memory.events", "max");
	err = workers__run(run, run->nr_cg, setup, load);
	if (err)
		return err;
	for (int i = 1; i < run->nr_cg; i++)
		others += run->shared->result[i].ops;
	json__open(run);
	json__int("max_pages", max_pages(run));
	json__int("operations", run->shared->result[0].ops);
	json__int("touched_pages", run->shared->result[0].pages);
	json__int("max_events", cgroup__read_key(run->cg[0].path, "memory.events", "max") - before);
	json__int("other_pairs", others);
	json__real("seconds", workers__seconds_ns(run, run->nr_cg) / 1e9, 6);
	json__close(run);
	/* a stop that the first worker gave is none for the gate */
	run->shared->stop = run->shared->interrupted;
	gate__after(run);
	return 0;
}
