// SPDX-License-Identifier: GPL-2.0-only
/* The table of modes, and the supervisor, which cleans up whatever happens. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static const struct mode modes[] = {
	{"reserve", M_RESERVE, 1000, 1, run_reserve,
	 "exact socket charges in task context (SO_RESERVE_MEM)",
	 "TCP sockets are made in each cgroup, then the process goes back. An operation (-c) is "
	 "one loop: for\n"
	 "each cgroup in turn, charge P pages on each of its K sockets, then uncharge them. "
	 "Nothing else charges\n"
	 "the cgroups, apart from a few kmem charges of set-up (before --wait and --settle) and "
	 "clean-up.\n"
	 "  workload reserve --pages 33 --sockets 2 -c 2000 -p 0     misses 3000, walks 2000\n"
	 "  workload reserve -n 8 -c 1000 -p 0                       perfect alternation of 8 "
	 "cgroups\n"
	 "  workload reserve --bench --settle 30 -p 0                cost of a pair"},
	{"rr", M_RR, 1000, 4, run_flows,
	 "TCP ping-pong over loopback, both ends in the same cgroup",
	 "An operation (-c) is one message of one flow; the direction changes with each. Socket "
	 "charges and\n"
	 "uncharges of a message, seen on 6.12 and 7.3: 1000 bytes 1 and 1, 2000 bytes 2 and 2 (of "
	 "one page each),\n"
	 "4 to 32 KiB 3 and 2 (together as many pages).\n"
	 "  workload rr -n 9 -p 1 --yield --fifo -c 2000   9 processes on one CPU, in turn after "
	 "each message\n"
	 "  workload rr -n 8 -p 1 --single --size 2000     one process, message by message"},
	{"unix", M_UNIX, 1000, 4, run_flows, "AF_UNIX stream ping-pong; charged as kernel memory",
	 "An operation (-c) is one message. Charges go to the sender's cgroup, so the workers stay "
	 "in theirs.\n"
	 "  workload unix -n 2 -c 500"},
	{"udp", M_UDP, 1000, 1, run_flows, "UDP ping-pong over loopback",
	 "An operation (-c) is one datagram, 65507 bytes at most. Not exact: the kernel carries "
	 "amounts over.\n"
	 "  workload udp -n 2 --size 8000 -c 500"},
	{"sctp", M_SCTP, 1000, 4, run_flows,
	 "SCTP ping-pong over loopback, where the kernel has it (else exit 77)",
	 "An operation (-c) is one message, sent in pieces of 16 KiB at most.\n"
	 "  workload sctp -c 200"},
	{"anon", M_ANON, 100, 256, run_memory, "anonymous memory: map, touch and unmap P pages",
	 "An operation (-c) is one mapping. Small pages only; page tables are charged as well.\n"
	 "  workload anon -n 2 --pages 512 -c 100"},
	{"file", M_FILE, 100, 256, run_memory, "page cache: write a file of P pages and delete it",
	 "An operation (-c) is one file, on tmpfs (memfd) unless --dir says another place.\n"
	 "  workload file --pages 512 -c 100"},
	{"churn", M_CHURN, 100, 1, run_churn,
	 "make a cgroup, charge it, remove it, again and again",
	 "An operation (-c) is one cgroup. With --hold its socket stays, charged with P pages, and "
	 "so the removed\n"
	 "cgroup stays dying. Before --wait ends, at `done`, held sockets and living cgroups are "
	 "still there.\n"
	 "  workload churn -c 2000 --hold 2000 --wait    2000 dying cgroups\n"
	 "  workload churn -c 500 --name same            one name, 500 ids"},
	{"limit", M_LIMIT, 200, 64, run_limit,
	 "one cgroup at its memory.max, beside others that charge",
	 "The first cgroup gets memory.max and one worker touches P pages an operation (-c), which "
	 "the kernel may\n"
	 "drop again (MADV_FREE), so that it reclaims at the limit for ever without an OOM kill or "
	 "swap. Each other\n"
	 "cgroup (-n) has a worker that charges and uncharges one page by SO_RESERVE_MEM until the "
	 "first one ends.\n"
	 "  workload limit -n 4 --max 1024 -c 500\n"
	 "  workload limit -n 8 --refuse --yield -c 500        drains of all stocks\n"
	 "  workload limit --hop -c 500                        charges that migrate\n"
	 "  workload limit --pages 16 --vain 256 -c 500        reclaim that is in vain: socket "
	 "pressure"},
	{"exec", M_EXEC, 0, 0, run_exec, "run a command in a cgroup of its own",
	 "  workload exec --cgroup web -- nginx -g 'daemon off;'\n"
	 "  workload exec --cgroup /system.slice/x.service --keep -- true"},
};

#define NR_MODES (sizeof(modes) / sizeof(modes[0]))

static int usage(void)
{
	puts("workload: makes memory-cgroup charges whose number is known beforehand.\n\n"
	     "  workload MODE [OPTION]...\n  workload MODE --help\n\nModes:");
	for (size_t i = 0; i < NR_MODES; i++)
		printf("  %-8s %s\n", modes[i].name, modes[i].what);
	puts("\nPrints one line of JSON at the end: what was done. Runs as root, with the memory "
	     "controller in cgroup\n"
	     "v2, whose root keeps the controller enabled for children afterwards. The cgroups are "
	     "removed at the\n"
	     "end, also after an error or a signal. Processes go back to the cgroup that they came "
	     "from where the\n"
	     "mode allows it.\n");
	options__help(NULL);
	return EXIT_OK;
}

static const struct mode *find_mode(const char *name)
{
	for (size_t i = 0; i < NR_MODES; i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	return NULL;
}

static int mode_help(const struct mode *mode)
{
	printf("workload %s [OPTION]...%s: %s\n\n%s\n\n", mode->name,
	       mode->bit == M_EXEC ? " -- COMMAND [ARG]..." : "", mode->what, mode->details);
	options__help(mode);
	return EXIT_OK;
}

static struct shared *shared_of_runner;

static void on_signal(int sig)
{
	(void)sig;
	shared_of_runner->interrupted = 1;
	shared_of_runner->stop = 1;
}

/* No SA_RESTART: a signal ends sleeps and reads, the loops look at the flag. */
static void catch_signals(struct run *run, const sigset_t *old)
{
	struct sigaction action = {.sa_handler = on_signal};

	shared_of_runner = run->shared;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_SETMASK, old, NULL);
}

/* The runner and its workers. */
static int pin_load(const struct config *cfg)
{
	cpu_set_t set;

	if (cfg->cpu < 0)
		return 0;
	CPU_ZERO(&set);
	if (cfg->cpu < CPU_SETSIZE)
		CPU_SET(cfg->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return fail(EXIT_USAGE,
			    "cannot run on CPU %lld (%s): take one that is online and allowed here",
			    cfg->cpu, strerror(errno));
	return 0;
}

/*
 * The supervisor keeps off the CPU of the load, where there are others: making
 * a cgroup charges its parent, which would take a slot of that CPU's stock.
 */
static void pin_supervisor(const struct config *cfg)
{
	cpu_set_t set;

	if (cfg->cpu < 0 || cfg->cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof(set), &set))
		return;
	CPU_CLR(cfg->cpu, &set);
	if (CPU_COUNT(&set))
		sched_setaffinity(0, sizeof(set), &set);
}

/* In the runner. exec's command gets the signals as they were. */
static int run_load(struct run *run, const sigset_t *old)
{
	/* above the workers, to hear signals */
	struct sched_param above = {.sched_priority = 2};
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (run->mode->bit != M_EXEC)
		catch_signals(run, old);
	else
		sigprocmask(SIG_SETMASK, old, NULL);
	err = pin_load(run->cfg);
	if (err)
		return err;
	if (run->cfg->fifo && sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &above))
		return fail(EXIT_SKIP,
			    "SCHED_FIFO was refused (%s): run as root without RT group scheduling, "
			    "or leave "
			    "out --fifo",
			    strerror(errno));
	err = run->mode->run(run);
	fflush(stdout);
	return err;
}

/*
 * Waits for the runner with the signals blocked, so that none is missed. A stop
 * is passed on; the runner then ends its loops and reports, for two seconds.
 */
static int supervise(const struct run *run, pid_t runner, const sigset_t *signals, int *stop_signal)
{
	struct timespec grace = {2, 0};
	int status, sig;

	for (;;) {
		if (waitpid(runner, &status, WNOHANG) == runner)
			break;
		sig = *stop_signal ? sigtimedwait(signals, NULL, &grace)
				   : sigwaitinfo(signals, NULL);
		if (sig == SIGCHLD || (sig < 0 && errno == EINTR))
			continue;
		if (sig < 0 || *stop_signal) {
			kill(runner, SIGKILL);
			waitpid(runner, &status, 0);
			break;
		}
		*stop_signal = sig;
		kill(runner, sig);
	}
	if (*stop_signal)
		return 128 + *stop_signal;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (run->mode->bit == M_EXEC)
		return 128 + WTERMSIG(status);
	return fail(EXIT_RUN,
		    "the runner was killed by signal %d: at 9 look for the OOM killer in dmesg",
		    WTERMSIG(status));
}

static int run_mode(struct run *run)
{
	sigset_t signals, old;
	int stop_signal = 0, err, cleanup;
	pid_t runner;

	sigemptyset(&signals);
	for (const int *s = (const int[]){SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0}; *s; s++)
		sigaddset(&signals, *s);
	sigprocmask(SIG_BLOCK, &signals, &old);
	err = cgroups__create(run);
	if (!err) {
		runner = fork();
		if (!runner)
			_exit(run_load(run, &old));
		err = runner < 0 ? fail(EXIT_RUN, "fork failed (%s): free some memory",
					strerror(errno))
				 : supervise(run, runner, &signals, &stop_signal);
	}
	cleanup = cgroups__destroy(run);
	return err ? err : cleanup;
}

static int prepare(struct run *run, struct config *cfg, char *name, size_t size)
{
	size_t bytes;
	char *slash;

	if (run->mode->bit == M_EXEC) {
		/* /a/b/NAME is the cgroup NAME below the parent /a/b */
		slash = strrchr(cfg->cgroup, '/');
		if (slash == cfg->cgroup + strlen(cfg->cgroup) - 1 ||
		    (slash && cfg->cgroup[0] != '/'))
			return fail(EXIT_USAGE,
				    "--cgroup: `%s` is neither a name nor a path from the root",
				    cfg->cgroup);
		cfg->names = calloc(1, sizeof(*cfg->names));
		if (!cfg->names)
			return fail(EXIT_RUN, "no memory");
		cfg->names[0] = slash ? slash + 1 : cfg->cgroup;
		cfg->nr_names = 1;
		if (slash)
			cfg->parent = strndup(cfg->cgroup, slash - cfg->cgroup);
	}
	if (cfg->parent)
		snprintf(name, size, "%s%s", cfg->parent[0] == '/' ? "" : "/", cfg->parent);
	else
		snprintf(name, size, "/workload.%d", getpid());
	run->parent_name = name;
	run->page_size = sysconf(_SC_PAGESIZE);
	bytes = sizeof(struct shared) + (cfg->cgroups + 1) * sizeof(struct result);
	run->shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	return run->shared == MAP_FAILED ? fail(EXIT_RUN, "no memory for the results") : 0;
}

int main(int argc, char **argv)
{
	static struct config cfg;
	static struct run run;
	static char parent_name[4096];
	int err;

	if (argc < 2)
		return fail(EXIT_USAGE, "no mode given: see workload --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return usage();
	run.mode = find_mode(argv[1]);
	run.cfg = &cfg;
	if (!run.mode)
		return fail(EXIT_USAGE, "unknown mode `%s`: see workload --help", argv[1]);
	err = options__parse(argc - 1, argv + 1, run.mode, &cfg);
	if (err)
		return err;
	if (cfg.help)
		return mode_help(run.mode);
	err = prepare(&run, &cfg, parent_name, sizeof(parent_name));
	if (err)
		return err;
	pin_supervisor(&cfg);
	if (run.mode->bit != M_EXEC)
		sockets__raise_limit();
	return run_mode(&run);
}
