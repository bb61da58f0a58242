// SPDX-License-Identifier: GPL-2.0-only
/* One process for each cgroup; all of them start their load together. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

struct gate {
	int ready[2]; /* a byte from each worker whose set-up is done */
	int go[2];    /* closed by the runner: end of file starts the load */
};

static int work(struct run *run, int worker, const struct gate *gate, worker_fn setup,
		worker_fn load)
{
	struct result *result = &run->shared->result[worker];
	struct sched_param lowest = {.sched_priority = 1};
	void *state = NULL;
	char c;
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(gate->ready[0]);
	close(gate->go[1]);
	err = setup(run, worker, &state);
	if (err)
		return err;
	/* before `ready`: all have the class when the load starts, and the runner wakes them in one go */
	if (run->cfg->fifo && sched_setscheduler(0, SCHED_FIFO, &lowest))
		return fail(EXIT_RUN, "SCHED_FIFO was refused (%s): leave out --fifo",
			    strerror(errno));
	if (write(gate->ready[1], "r", 1) != 1)
		return EXIT_RUN;
	while (read(gate->go[0], &c, 1) < 0 && errno == EINTR)
		;
	result->start_ns = now_ns();
	err = stopped(run) ? 0 : load(run, worker, &state);
	result->end_ns = now_ns();
	return err;
}

static int start(struct run *run, int nr, const struct gate *gate, worker_fn setup, worker_fn load)
{
	pid_t pid;

	for (int i = 0; i < nr; i++) {
		pid = fork();
		if (!pid)
			_exit(work(run, i, gate, setup, load));
		if (pid < 0)
			return fail(EXIT_RUN, "cannot start worker %d of %d (%s): lower -n", i + 1,
				    nr, strerror(errno));
	}
	return 0;
}

/* All the workers, the first failure counts. */
static int reap(struct run *run)
{
	int status, err = 0;

	for (;;) {
		if (wait(&status) < 0) {
			if (errno == EINTR)
				continue;
			return err;
		}
		if (WIFSIGNALED(status) && !run->shared->interrupted && !err)
			err = fail(EXIT_RUN,
				   "a worker was killed by signal %d: at 9 look for the OOM killer "
				   "in dmesg and "
				   "raise the limit or lower --pages",
				   WTERMSIG(status));
		else if (WIFEXITED(status) && WEXITSTATUS(status) && !err)
			err = WEXITSTATUS(status);
		if (err)
			run->shared->stop = 1;
	}
}

int workers__run(struct run *run, int nr, worker_fn setup, worker_fn load)
{
	struct gate gate;
	int err, ready = 0;
	ssize_t n = 1;
	char c;

	if (pipe(gate.ready) || pipe(gate.go))
		return fail(EXIT_RUN, "pipe failed (%s): raise ulimit -n", strerror(errno));
	err = start(run, nr, &gate, setup, load);
	close(gate.ready[1]);
	while (!err && ready < nr && n) {
		n = read(gate.ready[0], &c, 1);
		ready += n == 1;
	}
	if (err || ready < nr)
		run->shared->stop = 1;
	else
		gate__before(run);
	close(gate.go[1]);
	n = reap(run);
	return err ? err : (int)n;
}

/* From the first start to the last end. */
uint64_t workers__seconds_ns(const struct run *run, int nr)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (int i = 0; i < nr; i++) {
		const struct result *r = &run->shared->result[i];

		if (r->start_ns && r->start_ns < first)
			first = r->start_ns;
		if (r->end_ns > last)
			last = r->end_ns;
	}
	return last > first ? last - first : 0;
}
