// SPDX-License-Identifier: GPL-2.0-only
/* Mode churn: cgroups that come, are charged, and go; some stay dying. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define REMOVE_SEC 15.0

/* The last few of something, oldest out first. */
struct churn {
	struct run *run;
	int *held;    /* ring of sockets, -1 = empty */
	char **alive; /* ring of paths, NULL = empty */
	uint64_t made;
	uint64_t removed;
	uint64_t charge_pages;
};

static int charge_anon(struct churn *churn, int procs_fd, const char *path)
{
	size_t bytes = pages_of(churn->run) * churn->run->page_size;
	int status = 0;
	pid_t pid;

	pid = fork();
	if (!pid) {
		volatile char *p;

		if (cgroup__join(procs_fd, path))
			_exit(EXIT_RUN);
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			_exit(fail(EXIT_RUN, "mmap failed (%s): lower --pages", strerror(errno)));
		madvise((void *)p, bytes, MADV_NOHUGEPAGE);
		for (size_t at = 0; at < bytes; at += churn->run->page_size)
			p[at] = 1;
		_exit(0);
	}
	if (pid < 0)
		return fail(EXIT_RUN, "fork failed (%s): free some memory", strerror(errno));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? EXIT_RUN : 0;
}

static int charge_socket(struct churn *churn, int procs_fd, const char *path)
{
	long long hold = churn->run->cfg->hold;
	int err, fd, *slot;

	err = cgroup__join(procs_fd, path);
	if (err)
		return err;
	fd = sockets__tcp();
	err = cgroups__leave(churn->run);
	if (fd < 0 || err)
		return EXIT_RUN;
	err = sockets__reserve(fd, pages_of(churn->run) * churn->run->page_size);
	if (err)
		return sockets__reserve_failed(err);
	if (!hold) {
		sockets__reserve(fd, 0);
		close(fd);
		return 0;
	}
	slot = &churn->held[churn->made % hold];
	if (*slot >= 0)
		close(*slot);
	*slot = fd;
	return 0;
}

static int remove_one(struct churn *churn, char *path)
{
	int err = cgroup__remove(path, REMOVE_SEC);

	free(path);
	churn->removed += !err;
	return err;
}

static int retire(struct churn *churn, char *path)
{
	long long alive = churn->run->cfg->alive;
	char **slot, *oldest;

	if (!alive)
		return remove_one(churn, path);
	slot = &churn->alive[churn->made % alive];
	oldest = *slot;
	*slot = path;
	return oldest ? remove_one(churn, oldest) : 0;
}

static int one_life(struct churn *churn)
{
	const struct config *cfg = churn->run->cfg;
	char number[32], *path;
	int err, procs_fd;

	snprintf(number, sizeof(number), "k%llu", (unsigned long long)churn->made);
	if (asprintf(&path, "%s/%s", churn->run->parent, cfg->nr_names ? cfg->names[0] : number) <
	    0)
		return fail(EXIT_RUN, "no memory for a path");
	if (mkdir(path, 0755))
		return fail(EXIT_RUN,
			    "cannot make the cgroup %s (%s): with ENOSPC or ENOMEM too many memory "
			    "cgroups "
			    "are dying, lower --hold or --alive",
			    path, strerror(errno));
	procs_fd = cgroup__open_procs(path);
	if (procs_fd < 0)
		return fail(EXIT_RUN, "cannot open cgroup.procs of %s (%s): raise ulimit -n", path,
			    strerror(errno));
	if (cfg->with && !strcmp(cfg->with, "anon"))
		err = charge_anon(churn, procs_fd, path);
	else
		err = charge_socket(churn, procs_fd, path);
	close(procs_fd);
	if (err)
		return err;
	err = retire(churn, path);
	churn->made++;
	churn->charge_pages += pages_of(churn->run);
	return err;
}

static int make_rings(struct churn *churn)
{
	const struct config *cfg = churn->run->cfg;

	churn->held = calloc(cfg->hold + 1, sizeof(*churn->held));
	churn->alive = calloc(cfg->alive + 1, sizeof(*churn->alive));
	if (!churn->held || !churn->alive)
		return fail(EXIT_RUN, "no memory: lower --hold or --alive");
	for (long long i = 0; i < cfg->hold; i++)
		churn->held[i] = -1;
	return 0;
}

int run_churn(struct run *run)
{
	struct churn churn = {.run = run};
	const struct config *cfg = run->cfg;
	struct loop loop;
	uint64_t start;
	int err;

	err = make_rings(&churn);
	if (err)
		return err;
	gate__before(run);
	start = now_ns();
	for (loop__start(&loop, run); loop__more(&loop) && !err; loop.done++)
		err = one_life(&churn);
	if (err)
		return err;
	json__open(run);
	json__int("made", churn.made);
	json__int("removed", churn.removed);
	json__int("alive", churn.made - churn.removed);
	json__int("held", (uint64_t)cfg->hold < churn.made ? (uint64_t)cfg->hold : churn.made);
	json__int("pages", pages_of(run));
	json__int("charge_pages", churn.charge_pages);
	json__real("seconds", (now_ns() - start) / 1e9, 6);
	json__close(run);
	gate__after(run);
	return 0;
}
