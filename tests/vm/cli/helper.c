// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the guest's busybox lacks, static:
 *
 *	helper as UID CAPS CMD...	run CMD with these capabilities only ("-": none)
 *	helper nobpf CMD...		run CMD; bpf(2) is refused with EPERM, as seccomp profiles do
 *	helper programs			print how many BPF programs the kernel has
 *	helper when TEXT N CMD...	run CMD; when its standard error has TEXT send it signal N
 *	helper tty TEXT CMD...		run CMD on a terminal of 70 columns; when it shows TEXT type ^C
 *	helper flash DIR		make the cgroup DIR, charge it, remove it; print the ms that took
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAILED 126

static int die(const char *what)
{
	fprintf(stderr, "helper: %s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static int become(char **argv)
{
	execvp(argv[0], argv);
	return die(argv[0]);
}

static unsigned long long caps_of(char *names)
{
	static const struct {
		const char *name;
		int bit;
	} known[] = {{"bpf", 39}, {"perfmon", 38}, {"sys_admin", 21}, {"dac_read_search", 2}};
	unsigned long long set = 0;
	char *name;
	size_t i;

	for (name = strtok(names, ","); name && *name != '-'; name = strtok(NULL, ",")) {
		for (i = 0; i < 4 && strcmp(name, known[i].name); i++)
			;
		if (i == 4) {
			errno = EINVAL;
			die(name);
		}
		set |= 1ull << known[i].bit;
	}
	return set;
}

/* A root that a container left these: by the bounding set. Another user: by ambient ones. */
static int as(uid_t uid, unsigned long long set, char **argv)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
	int i;

	for (i = 0; prctl(PR_CAPBSET_READ, i) >= 0; i++)
		if (!(set >> i & 1) && prctl(PR_CAPBSET_DROP, i))
			die("PR_CAPBSET_DROP");
	if (uid && (prctl(PR_SET_KEEPCAPS, 1) || setgid(uid) || setuid(uid)))
		die("setuid");
	for (i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = data[i].inheritable =
			(__u32)(set >> 32 * i);
	if (syscall(SYS_capset, &head, data))
		die("capset");
	for (i = 0; i < 64; i++)
		if (set >> i & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0))
			die("PR_CAP_AMBIENT_RAISE");
	return become(argv);
}

static int nobpf(char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {sizeof(code) / sizeof(code[0]), code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
	return become(argv);
}

static int programs(void)
{
	union bpf_attr attr = {};
	int n = 0;

	while (!syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr))) {
		attr.start_id = attr.next_id;
		n++;
	}
	if (errno != ENOENT)
		die("BPF_PROG_GET_NEXT_ID");
	printf("%d\n", n);
	return 0;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Copies what CMD says until it is done, and acts once it has said text. */
static int watch(int in, int out, pid_t pid, const char *text, int sig)
{
	static char said[1 << 16];
	size_t len = 0;
	bool acted = false;
	int status;
	ssize_t n;

	while ((n = read(in, said + len, sizeof(said) - 1 - len)) > 0) {
		if (write(out, said + len, (size_t)n) != n)
			die("write");
		len += (size_t)n;
		said[len] = '\0';
		if (!acted && strstr(said, text)) {
			acted = true;
			/* it may need a moment after it has said so */
			usleep(500000);
			if (sig ? kill(pid, sig) : write(in, "\003", 1) != 1)
				die("signal");
		}
		if (len > sizeof(said) / 2)
			len = 0;
	}
	/* a terminal whose other side is closed gives EIO */
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int when(const char *text, int sig, char **argv)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		dup2(fds[1], STDERR_FILENO);
		become(argv);
	}
	close(fds[1]);
	return watch(fds[0], STDERR_FILENO, pid, text, sig);
}

static int tty(const char *text, char **argv)
{
	struct winsize size = {.ws_row = 24, .ws_col = 70};
	int fd;
	pid_t pid = forkpty(&fd, NULL, NULL, &size);

	if (pid < 0)
		die("forkpty");
	if (!pid)
		become(argv);
	return watch(fd, STDOUT_FILENO, pid, text, 0);
}

static int flash(const char *dir)
{
	double start = now();
	char path[4096];
	char *memory;
	int fd;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	if (mkdir(dir, 0755))
		die(dir);
	pid = fork();
	if (!pid) {
		fd = open(path, O_WRONLY);
		if (fd < 0 || write(fd, "0", 1) != 1)
			die(path);
		memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
		if (memory == MAP_FAILED)
			die("mmap");
		memset(memory, 1, 1 << 20);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		die("fork");
	if (rmdir(dir))
		die(dir);
	printf("%.0f\n", (now() - start) * 1000);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 4 && !strcmp(argv[1], "as"))
		return as((uid_t)atoi(argv[2]), caps_of(argv[3]), argv + 4);
	if (argc > 2 && !strcmp(argv[1], "nobpf"))
		return nobpf(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "programs"))
		return programs();
	if (argc > 3 && !strcmp(argv[1], "tty"))
		return tty(argv[2], argv + 3);
	if (argc > 4 && !strcmp(argv[1], "when"))
		return when(argv[2], atoi(argv[3]), argv + 4);
	if (argc == 3 && !strcmp(argv[1], "flash"))
		return flash(argv[2]);
	fprintf(stderr, "helper: wrong use\n");
	return FAILED;
}
