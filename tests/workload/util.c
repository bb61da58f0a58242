// SPDX-License-Identifier: GPL-2.0-only
/* Messages, time, the count of a loop, the gates around it, JSON. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

int fail(int status, const char *fmt, ...)
{
	char text[8192];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* one write: workers may fail at the same time */
	dprintf(STDERR_FILENO, "workload: %s\n", text);
	return status;
}

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Ends early on a signal. */
void nap(double seconds)
{
	struct timespec ts = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};

	if (seconds > 0)
		nanosleep(&ts, NULL);
}

bool stopped(const struct run *run)
{
	return run->shared->stop;
}

long long count_of(const struct run *run)
{
	if (run->cfg->count)
		return run->cfg->count;
	return run->cfg->seconds ? 0 : run->mode->count;
}

long long pages_of(const struct run *run)
{
	return run->cfg->pages ? run->cfg->pages : run->mode->pages;
}

void loop__start(struct loop *loop, struct run *run)
{
	long long count = count_of(run);

	loop->run = run;
	loop->done = 0;
	loop->limit = count ? (uint64_t)count : UINT64_MAX;
	loop->start_ns = now_ns();
	loop->deadline_ns =
		run->cfg->seconds ? loop->start_ns + (uint64_t)(run->cfg->seconds * 1e9) : 0;
}

/* No system call and, without -t, no clock: the load stays the same for each operation. */
bool loop__more(const struct loop *loop)
{
	if (loop->done >= loop->limit || stopped(loop->run))
		return false;
	return !loop->deadline_ns || now_ns() < loop->deadline_ns;
}

static void wait_for_line(const struct run *run, const char *word)
{
	char c;
	ssize_t n;

	dprintf(STDERR_FILENO, "%s\n", word);
	do {
		n = read(STDIN_FILENO, &c, 1);
	} while (!stopped(run) && ((n == 1 && c != '\n') || (n < 0 && errno == EINTR)));
}

/* Between set-up and load: whoever measures can arm here. False = told to stop. */
int gate__before(struct run *run)
{
	if (run->cfg->wait)
		wait_for_line(run, "ready");
	if (!stopped(run))
		nap(run->cfg->bench && !run->cfg->settle ? 3 : run->cfg->settle);
	return !stopped(run);
}

/* Between load and clean-up: whoever measures can read here. */
void gate__after(struct run *run)
{
	if (run->cfg->wait && !stopped(run))
		wait_for_line(run, "done");
}

/* Bytes that are not ASCII are taken for Latin-1: a name need not be UTF-8, JSON must be. */
static void json_text(const char *text)
{
	putchar('"');
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			printf("\\%c", *p);
		else if (*p < 0x20 || *p >= 0x7f)
			printf("\\u%04x", *p);
		else
			putchar(*p);
	}
	putchar('"');
}

void json__string(const char *key, const char *value)
{
	printf(",\"%s\":", key);
	json_text(value);
}

void json__int(const char *key, unsigned long long value)
{
	printf(",\"%s\":%llu", key, value);
}

void json__real(const char *key, double value, int digits)
{
	printf(",\"%s\":%.*f", key, digits, value);
}

void json__open(const struct run *run)
{
	printf("{\"mode\":\"%s\"", run->mode->name);
	json__string("parent", run->parent_name);
	if (run->mode->bit != M_CHURN)
		json__int("cgroups", run->nr_cg);
	json__int("page_size", run->page_size);
}

void json__close(struct run *run)
{
	printf(",\"interrupted\":%s}\n", run->shared->interrupted ? "true" : "false");
	fflush(stdout);
}
