// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "verb/relay.h"

/* A longer line is looked at in pieces. */
#define LINE_MAX_LEN 65536u
#define CHUNK	     4096u

/* So long CMD's last words may take once it has ended. */
#define LAST_WORDS_MS 1000

struct found {
	volatile bool known;
	volatile double value;
};

int relay__describe(const struct list *metrics, struct command *cmd)
{
	if (!metrics->n)
		return 0;
	cmd->metrics = calloc(metrics->n, sizeof(cmd->metrics[0]));
	if (!cmd->metrics)
		return -1;
	for (size_t i = 0; i < metrics->n; i++) {
		cmd->metrics[i].name =
			strndup(metrics->text[i], metric__name_len(metrics->text[i]));
		if (!cmd->metrics[i].name)
			return -1;
		cmd->nmetrics++;
	}
	return 0;
}

/* What is being read, and looked at line by line. */
struct reading {
	struct relay *r;
	regex_t *regex; /* [n] */
	char line[LINE_MAX_LEN + 1];
	size_t len;
};

/* A number, with blanks around it at most, in the C locale. */
static bool parse_number(const char *from, size_t len, double *value)
{
	char text[64], *end;

	if (!len || len >= sizeof(text))
		return false;
	memcpy(text, from, len);
	text[len] = '\0';
	*value = strtod(text, &end);
	if (end == text || !isfinite(*value))
		return false;
	while (isspace((unsigned char)*end))
		end++;
	return !*end;
}

/* The last line that has it counts: what stands before is progress. */
static void look(struct reading *in)
{
	regmatch_t groups[2];

	in->line[in->len] = '\0';
	for (size_t i = 0; i < in->r->n; i++) {
		double value;

		if (regexec(&in->regex[i], in->line, 2, groups, 0) || groups[1].rm_so < 0 ||
		    !parse_number(in->line + groups[1].rm_so,
				  (size_t)(groups[1].rm_eo - groups[1].rm_so), &value))
			continue;
		in->r->found[i].value = value;
		in->r->found[i].known = true;
	}
	in->len = 0;
}

static void take(struct reading *in, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n' || in->len == LINE_MAX_LEN)
			look(in);
		if (text[i] != '\n')
			in->line[in->len++] = text[i] ? text[i] : ' ';
	}
}

/* A reader that is gone ends the output, not CMD: it is read on. */
static void pass_on(int *out, const char *text, size_t n)
{
	while (*out >= 0 && n) {
		ssize_t done = write(*out, text, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			*out = -1;
			return;
		}
		text += done;
		n -= (size_t)done;
	}
}

/*
 * It may live as long as CMD: what it inherited would keep the programs attached
 * when we are gone. The pipe becomes standard input.
 */
static void let_go(int from)
{
	dup2(from, STDIN_FILENO);
	if (!close_range(STDERR_FILENO + 1, ~0u, 0))
		return;
	for (int fd = (int)sysconf(_SC_OPEN_MAX) - 1; fd > STDERR_FILENO; fd--)
		close(fd);
}

/* In the child. ^C is for CMD, whose last words are still to be read. */
static void run(struct relay *r, const struct list *metrics, int from, int out)
{
	struct reading *in = calloc(1, sizeof(*in));
	static char chunk[CHUNK];
	ssize_t n;

	let_go(from);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (in)
		in->regex = calloc(r->n, sizeof(in->regex[0]));
	if (!in || !in->regex)
		_exit(1);
	in->r = r;
	/* that they are right was seen before */
	for (size_t i = 0; i < r->n; i++)
		if (regcomp(&in->regex[i],
			    metrics->text[i] + metric__name_len(metrics->text[i]) + 1,
			    REG_EXTENDED | REG_NEWLINE))
			_exit(1);
	while ((n = read(STDIN_FILENO, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		/* first: who sees the text may ask for the value */
		take(in, chunk, (size_t)n);
		pass_on(&out, chunk, (size_t)n);
	}
	look(in);
	_exit(0);
}

int relay__start(struct relay *r, const struct list *metrics, int out, struct error *e)
{
	int fds[2];

	*r = (struct relay){.in = -1, .n = metrics->n};
	if (!r->n)
		return 0;
	r->found = mmap(NULL, r->n * sizeof(r->found[0]), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r->found == MAP_FAILED) {
		r->found = NULL;
		return error__set(e, STATUS_CANNOT, "out of memory");
	}
	if (pipe2(fds, O_CLOEXEC))
		return error__set(e, STATUS_CANNOT, "cannot make a pipe: %s", error__text(errno));
	fflush(NULL);
	r->pid = fork();
	if (!r->pid) {
		close(fds[1]);
		run(r, metrics, fds[0], out);
	}
	close(fds[0]);
	r->in = fds[1];
	if (r->pid > 0)
		return 0;
	r->pid = 0;
	return error__set(e, STATUS_CANNOT, "cannot fork: %s", error__text(errno));
}

void relay__started(struct relay *r)
{
	if (r->in >= 0)
		close(r->in);
	r->in = -1;
}

static void wait_for_it(struct relay *r)
{
	const struct timespec ms = {0, 1000000};

	for (int i = 0; i < LAST_WORDS_MS; i++) {
		pid_t pid = waitpid(r->pid, NULL, WNOHANG);

		if (pid == r->pid || (pid < 0 && errno != EINTR))
			return;
		nanosleep(&ms, NULL);
	}
}

void relay__finish(struct relay *r, struct command *cmd, bool ended, bool quiet)
{
	relay__started(r);
	if (r->pid && ended)
		wait_for_it(r);
	for (size_t i = 0; r->pid && i < r->n; i++) {
		struct metric *m = &cmd->metrics[i];

		m->known = r->found[i].known;
		m->value = r->found[i].value;
		if (!m->known && !quiet)
			error__say("the metric '%s' was not found in what %s printed: its value is "
				   "not known; see what its regular expression should match",
				   m->name, cmd->argv[0]);
	}
	if (r->found)
		munmap(r->found, r->n * sizeof(r->found[0]));
	r->found = NULL;
}
