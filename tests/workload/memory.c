// SPDX-License-Identifier: GPL-2.0-only
/* Modes anon and file: pages of a process and of the page cache, one worker inside each cgroup. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

#define WRITE_BYTES 65536

/* These charges go to the cgroup of the process that makes them. */
static int setup(struct run *run, int worker, void **state)
{
	*state = NULL;
	return cgroups__enter(run, worker);
}

static int touch_anon(struct run *run)
{
	size_t bytes = pages_of(run) * run->page_size;
	volatile char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return fail(EXIT_RUN, "mmap of %zu bytes failed (%s): lower --pages", bytes,
			    strerror(errno));
	madvise((void *)p, bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < bytes; at += run->page_size)
		p[at] = 1;
	munmap((void *)p, bytes);
	return 0;
}

static int open_file(const struct run *run, int worker, char *path, size_t size)
{
	path[0] = '\0';
	if (!run->cfg->dir)
		return memfd_create("workload", MFD_CLOEXEC);
	snprintf(path, size, "%s/workload.%d.%d", run->cfg->dir, getppid(), worker);
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static int write_file(struct run *run, int worker)
{
	static char buf[WRITE_BYTES];
	size_t left = pages_of(run) * run->page_size;
	char path[4096];
	int fd = open_file(run, worker, path, sizeof(path)), err = 0;

	if (fd < 0)
		return fail(EXIT_RUN, "cannot make a file (%s): give a writable --dir",
			    strerror(errno));
	/* deleted before it is written: no signal can leave it behind */
	if (path[0])
		unlink(path);
	while (left && !err) {
		ssize_t n = write(fd, buf, left < WRITE_BYTES ? left : WRITE_BYTES);

		if (n > 0)
			left -= n;
		else if (errno != EINTR)
			err = fail(EXIT_RUN,
				   "write failed (%s): lower --pages or give another --dir",
				   strerror(errno));
	}
	close(fd);
	return err;
}

static int load(struct run *run, int worker, void **state)
{
	struct result *result = &run->shared->result[worker];
	struct loop loop;
	int err;

	(void)state;
	for (loop__start(&loop, run); loop__more(&loop); loop.done++) {
		err = run->mode->bit == M_FILE ? write_file(run, worker) : touch_anon(run);
		if (err)
			return err;
		result->ops++;
		if (run->cfg->yield)
			sched_yield();
	}
	return 0;
}

int run_memory(struct run *run)
{
	uint64_t ops = 0;
	int err;

	err = workers__run(run, run->nr_cg, setup, load);
	if (err)
		return err;
	for (int i = 0; i < run->nr_cg; i++)
		ops += run->shared->result[i].ops;
	json__open(run);
	json__int("pages", pages_of(run));
	json__int("operations", ops);
	json__int("charge_pages", ops * pages_of(run));
	json__real("seconds", workers__seconds_ns(run, run->nr_cg) / 1e9, 6);
	json__close(run);
	gate__after(run);
	return 0;
}
