// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <time.h>

#include "verb/wait.h"

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

void wait__block(sigset_t *set, sigset_t *before)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction now;

	sigemptyset(set);
	/* what is ignored stays so: blocked, it would be queued and end the window */
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(set, ends[i]);
	sigaddset(set, SIGCHLD);
	sigprocmask(SIG_BLOCK, set, before);
	/* who started us may have ignored it; then CMD would end unseen */
	signal(SIGCHLD, SIG_DFL);
}

int wait__until(const sigset_t *set, uint64_t until_ns, siginfo_t *info)
{
	uint64_t now = now_ns(), left = until_ns > now ? until_ns - now : 0;
	struct timespec ts = {(time_t)(left / NS_PER_S), (long)(left % NS_PER_S)};
	int sig = sigtimedwait(set, info, &ts);

	return sig > 0 ? sig : 0;
}
