/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload: makes memory-cgroup charges whose number is known beforehand.
 *
 * Three kinds of process take part. The supervisor makes the cgroups, waits
 * and removes them, whatever happens to the others. The runner, its child,
 * carries out the mode. Workers, children of the runner, are there in modes
 * that need one process for each cgroup.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Exit statuses. A stop by signal N exits with 128 + N. */
#define EXIT_OK	   0
#define EXIT_RUN   1 /* the load could not be run to its end */
#define EXIT_USAGE 2
#define EXIT_SKIP  77 /* this kernel or machine cannot do it */

#define MAX_CGROUPS 60000
#define MAX_MADE    64 /* levels that one run creates above its leaves */

/* One bit for each mode, so that the options table can say whose option it is. */
enum mode_bit {
	M_RESERVE = 1 << 0,
	M_RR = 1 << 1,
	M_UNIX = 1 << 2,
	M_UDP = 1 << 3,
	M_SCTP = 1 << 4,
	M_ANON = 1 << 5,
	M_FILE = 1 << 6,
	M_CHURN = 1 << 7,
	M_LIMIT = 1 << 8,
	M_EXEC = 1 << 9,
	M_FLOWS = M_RR | M_UNIX | M_UDP | M_SCTP,
	M_LOADS = M_RESERVE | M_FLOWS | M_ANON | M_FILE | M_CHURN | M_LIMIT,
	M_ALL = M_LOADS | M_EXEC,
};

struct run;

struct mode {
	const char *name;
	unsigned int bit;
	long long count; /* default of -c, 0 = until a signal */
	long long pages; /* default of --pages */
	int (*run)(struct run *run);
	const char *what;    /* one line */
	const char *details; /* what exactly is charged, with an example */
};

/* What the command line said. Zero or NULL = not said. */
struct config {
	long long cgroups;
	long long cpu; /* -1 = not pinned */
	long long count;
	double seconds;
	double settle;
	const char *parent;
	const char *root;
	const char **names;
	int nr_names;
	long long depth;
	long long pages;
	long long size;
	long long sockets;
	long long flows;
	long long warm;
	long long hold;
	long long alive;
	long long max_pages;
	long long vain;
	const char *pattern;
	const char *with;
	const char *dir;
	const char *cgroup;
	bool bench;
	bool charged;
	bool hop;
	bool refuse;
	bool wait;
	bool keep;
	bool yield;
	bool single;
	bool inside;
	bool fifo;
	bool help;
	char **command; /* of exec, after -- */
};

struct cgroup {
	char *path;   /* absolute, below the mount point */
	int procs_fd; /* its cgroup.procs, open for writing */
	bool made;    /* by us: removed at the end */
};

/* One for each worker, in memory shared with the runner. */
struct result {
	uint64_t ops;
	uint64_t pages;
	uint64_t lost;
	uint64_t start_ns;
	uint64_t end_ns;
};

struct shared {
	volatile int stop;	  /* set by a signal, or by limit's first worker */
	volatile int interrupted; /* by a signal */
	struct result result[];
};

struct run {
	const struct mode *mode;
	const struct config *cfg;
	long page_size;
	char root[4096];	 /* mount point of cgroup2 */
	char parent[4096];	 /* absolute path of the parent */
	const char *parent_name; /* the parent as a cgroup path */
	int home_fd;		 /* cgroup.procs of the cgroup that we came from */
	struct cgroup *cg;
	int nr_cg;
	char *made[MAX_MADE]; /* parents and levels that we created */
	int nr_made;
	struct shared *shared; /* with nr_cg results, at least one */
};

/* Counts operations against -c, -t and signals. */
struct loop {
	struct run *run;
	uint64_t done;
	uint64_t limit;
	uint64_t start_ns;
	uint64_t deadline_ns;
};

/* options.c: fills cfg, returns 0, or EXIT_USAGE after a message */
int options__parse(int argc, char **argv, const struct mode *mode, struct config *cfg);
void options__help(const struct mode *mode);

/* cgroups.c */
int cgroups__create(struct run *run);
int cgroups__destroy(struct run *run);
int cgroups__enter(const struct run *run, int index);
int cgroups__leave(const struct run *run);
int cgroup__open_procs(const char *path);
int cgroup__write(const char *dir, const char *file, const char *text);
long long cgroup__read_key(const char *dir, const char *file, const char *key);
int cgroup__join(int procs_fd, const char *path);
int cgroup__remove(const char *path, double patience);

/* workers.c */
typedef int (*worker_fn)(struct run *run, int worker, void **state);
int workers__run(struct run *run, int nr, worker_fn setup, worker_fn load);
uint64_t workers__seconds_ns(const struct run *run, int nr);

/* sockets.c: connected pairs over loopback; 0, or an exit status after a message */
int sockets__tcp_pair(int fd[2], size_t message);
int sockets__sctp_pair(int fd[2], size_t message);
int sockets__udp_pair(int fd[2], size_t message);
int sockets__unix_pair(int fd[2], size_t message);
int sockets__tcp(void);
int sockets__reserve(int fd, long long bytes);
int sockets__reserve_failed(int err);
void sockets__raise_limit(void);

/* util.c */
int fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
uint64_t now_ns(void);
void nap(double seconds);
bool stopped(const struct run *run);
void loop__start(struct loop *loop, struct run *run);
bool loop__more(const struct loop *loop);
long long count_of(const struct run *run);
long long pages_of(const struct run *run);
int gate__before(struct run *run);
void gate__after(struct run *run);
void json__open(const struct run *run);
void json__string(const char *key, const char *value);
void json__int(const char *key, unsigned long long value);
void json__real(const char *key, double value, int digits);
void json__close(struct run *run);

/* one for each mode */
int run_reserve(struct run *run);
int run_flows(struct run *run);
int run_memory(struct run *run);
int run_churn(struct run *run);
int run_limit(struct run *run);
int run_exec(struct run *run);

#endif
