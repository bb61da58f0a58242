// SPDX-License-Identifier: GPL-2.0-only
/* Mode limit: a cgroup that reclaims at its memory.max, and innocent ones beside it. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "workload.h"

#define MAX_PAGES 1024

struct hog {
	volatile char *map;
	size_t bytes;
	size_t chunk;
	size_t at;
};

static long long max_pages(const struct run *run)
{
	return run->cfg->max_pages ? run->cfg->max_pages : MAX_PAGES;
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
	hog->map = mmap(NULL, hog->bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (hog->map == MAP_FAILED)
		return fail(EXIT_RUN, "mmap of %zu bytes failed (%s): lower --max", hog->bytes,
			    strerror(errno));
	madvise((void *)hog->map, hog->bytes, MADV_NOHUGEPAGE);
	return cgroups__enter(run, 0);
}

static int setup(struct run *run, int worker, void **state)
{
	struct hog *hog;
	int err, *fd;

	if (!worker) {
		*state = hog = calloc(1, sizeof(*hog));
		return hog ? setup_hog(run, hog) : EXIT_RUN;
	}
	*state = fd = malloc(sizeof(*fd));
	err = fd ? cgroups__enter(run, worker) : EXIT_RUN;
	if (err)
		return err;
	*fd = sockets__tcp();
	return *fd < 0 ? EXIT_RUN : cgroups__leave(run);
}

static int hit_limit(struct run *run, struct hog *hog, struct result *result)
{
	struct loop loop;

	for (loop__start(&loop, run); loop__more(&loop); loop.done++) {
		if (hog->at + hog->chunk > hog->bytes)
			hog->at = 0;
		for (size_t at = hog->at; at < hog->at + hog->chunk; at += run->page_size)
			hog->map[at] = 1;
		if (madvise((void *)(hog->map + hog->at), hog->chunk, MADV_FREE))
			return fail(EXIT_RUN,
				    "madvise(MADV_FREE) failed (%s): it needs kernel 4.12",
				    strerror(errno));
		hog->at += hog->chunk;
		result->ops++;
		result->pages += hog->chunk / run->page_size;
		if (run->cfg->yield)
			sched_yield();
	}
	run->shared->stop = 1;
	return 0;
}

static int load(struct run *run, int worker, void **state)
{
	struct result *result = &run->shared->result[worker];
	int err;

	if (!worker)
		return hit_limit(run, *state, result);
	while (!stopped(run)) {
		int fd = *(int *)*state;

		err = sockets__reserve(fd, run->page_size);
		if (!err)
			err = sockets__reserve(fd, 0);
		if (err)
			return sockets__reserve_failed(err);
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

	if (pages_of(run) * 2 > max_pages(run))
		return fail(EXIT_USAGE, "--pages must be at most half of --max, else the kernel "
					"has nothing to reclaim");
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
