// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verb/command.h"

static int runnable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return access(path, X_OK) ? -errno : 0;
}

/* As execvp looks: along PATH unless there is a slash in the name. */
static int find(const char *name)
{
	const char *path = getenv("PATH"), *dir;
	char file[4096];
	int err = -ENOENT, this;

	if (strchr(name, '/'))
		return runnable(name);
	for (dir = path ? path : "/bin:/usr/bin"; *dir;) {
		size_t len = strcspn(dir, ":");

		snprintf(file, sizeof(file), "%.*s/%s", len ? (int)len : 1, len ? dir : ".", name);
		this = runnable(file);
		if (!this)
			return 0;
		if (this != -ENOENT && this != -ENOTDIR)
			err = this;
		dir += len + (dir[len] == ':');
	}
	return err;
}

int command__check(char **argv, struct error *e)
{
	int err = *argv[0] ? find(argv[0]) : -ENOENT;

	if (!err)
		return 0;
	if (err == -EACCES)
		return error__set(e, STATUS_USAGE,
				  "cannot run '%s': %s; is it executable (chmod +x)?", argv[0],
				  error__text(err));
	return error__set(e, STATUS_USAGE,
			  "cannot run '%s': %s; give a command in PATH, or its path", argv[0],
			  error__text(err));
}

/* In the child: wait until told, then become CMD. */
static void become(char **argv, int wait_fd, pid_t parent, int out)
{
	sigset_t none;
	char byte;

	/* the end of the pipe is the word; a parent that dies says it too, so look */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	while (read(wait_fd, &byte, 1) < 0 && errno == EINTR)
		;
	/* not whether it is 1: in a container that is who started us */
	if (getppid() != parent)
		_exit(127);
	prctl(PR_SET_PDEATHSIG, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (out != STDOUT_FILENO)
		dup2(out, STDOUT_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "memcgtop: cannot run '%s': %s\n", argv[0], error__text(errno));
	_exit(127);
}

int command__start(struct child *c, char **argv, int out, struct error *e)
{
	pid_t parent = getpid();
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return error__set(e, STATUS_CANNOT, "cannot make a pipe: %s", error__text(errno));
	fflush(NULL);
	c->pid = fork();
	if (c->pid < 0) {
		int err = errno;

		c->pid = 0;
		close(fds[0]);
		close(fds[1]);
		return error__set(e, STATUS_CANNOT, "cannot fork: %s", error__text(err));
	}
	if (!c->pid) {
		close(fds[1]);
		become(argv, fds[0], parent, out);
	}
	close(fds[0]);
	c->go = fds[1];
	return 0;
}

void command__go(struct child *c)
{
	if (c->pid)
		close(c->go);
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

bool command__ended(struct child *c, struct command *cmd)
{
	struct rusage used;
	int status;

	if (!c->pid || wait4(c->pid, &status, WNOHANG, &used) != c->pid)
		return false;
	c->pid = 0;
	cmd->exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	cmd->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	cmd->user_s = seconds(used.ru_utime);
	cmd->system_s = seconds(used.ru_stime);
	cmd->voluntary_switches = (uint64_t)used.ru_nvcsw;
	cmd->involuntary_switches = (uint64_t)used.ru_nivcsw;
	return true;
}

void command__signal(struct child *c, int sig)
{
	if (c->pid)
		kill(c->pid, sig);
}
