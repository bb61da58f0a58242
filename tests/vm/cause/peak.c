// SPDX-License-Identifier: GPL-2.0-only
/*
 * peak FILE COMMAND [ARG]...: runs it, and writes the most memory that it had
 * and how long it ran to FILE, as JSON. Exits with its status.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage used;
	double start = now();
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		return 2;
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
		return 2;
	f = fopen(argv[1], "w");
	if (!f)
		return 2;
	/* ru_maxrss is in KiB */
	fprintf(f, "{\"kib\": %ld, \"seconds\": %.3f, \"cpu_s\": %.3f}\n", used.ru_maxrss,
		now() - start,
		used.ru_utime.tv_sec + used.ru_stime.tv_sec +
			(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
