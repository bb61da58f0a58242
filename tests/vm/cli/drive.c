// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs CMD on a terminal of its own and does what a script says; what CMD writes
 * goes to standard output as it is, to be read by a terminal emulator.
 *
 *	drive COLUMNSxROWS SCRIPT CMD [ARG...]
 *
 * SCRIPT has a step a line: "wait TEXT" until CMD has written that since the
 * last step, "send TEXT" (with \e, \r, \t, \n, \xHH), "sleep SECONDS", "resize
 * COLUMNSxROWS", "kill NAME" (a signal's number to CMD), "mark TEXT": an APC
 * sequence in the output, which emulators ignore, so that a reader knows where
 * it is. A wait that takes 60 s ends it with status 99. The status is CMD's, or
 * 128 + its signal; the terminal's settings at the end are told on standard
 * error: "echo", "icanon", "isig" or "-" each.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <utmp.h>
#include <unistd.h>

#define FAILED 99

static char said[1 << 20];
static size_t nsaid, seen; /* what "wait" has looked at */
static int terminal;
static pid_t child;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
	if (child)
		kill(child, SIGKILL);
	exit(FAILED);
}

/* What CMD writes within that time. False: it has closed its terminal. */
static int pump(double seconds)
{
	const double end = now() + seconds;

	for (;;) {
		struct pollfd p = {.fd = terminal, .events = POLLIN};
		const double left = end - now();
		ssize_t n;

		if (left < 0)
			return 1;
		if (poll(&p, 1, (int)(left * 1000) + 1) <= 0)
			continue;
		if (nsaid > sizeof(said) / 2)
			nsaid = seen = 0;
		n = read(terminal, said + nsaid, sizeof(said) - 1 - nsaid);
		if (n <= 0)
			return 0;
		if (write(STDOUT_FILENO, said + nsaid, (size_t)n) != n)
			die("write");
		nsaid += (size_t)n;
		said[nsaid] = '\0';
		return 1;
	}
}

static void wait_for(const char *text)
{
	const double end = now() + 60;

	for (;;) {
		char *at = memmem(said + seen, nsaid - seen, text, strlen(text));

		if (at) {
			seen = (size_t)(at - said) + strlen(text);
			return;
		}
		if (now() > end || !pump(0.2)) {
			fprintf(stderr, "drive: waited in vain for '%s'\n", text);
			kill(child, SIGKILL);
			exit(FAILED);
		}
	}
}

static void send_keys(const char *text)
{
	for (; *text; text++) {
		char c = *text;
		unsigned int x;

		if (c == '\\' && text[1]) {
			c = *++text;
			c = c == 'e' ? '\033' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
			if (c == 'n')
				c = '\n';
			if (c == 'x' && sscanf(text + 1, "%2x", &x) == 1) {
				c = (char)x;
				text += 2;
			}
		}
		if (write(terminal, &c, 1) != 1)
			die("send");
	}
}

static struct winsize size_of(const char *text)
{
	struct winsize s = {};

	if (sscanf(text, "%hux%hu", &s.ws_col, &s.ws_row) != 2)
		die(text);
	return s;
}

static void step(char *line)
{
	char *arg = strchr(line, ' ');
	struct winsize size;

	line[strcspn(line, "\n")] = '\0';
	if (arg)
		*arg++ = '\0';
	if (!strcmp(line, "wait")) {
		wait_for(arg);
	} else if (!strcmp(line, "send")) {
		seen = nsaid;
		send_keys(arg);
	} else if (!strcmp(line, "sleep")) {
		const double end = now() + atof(arg);

		while (now() < end && pump(end - now()))
			;
	} else if (!strcmp(line, "resize")) {
		size = size_of(arg);
		if (ioctl(terminal, TIOCSWINSZ, &size))
			die("resize");
	} else if (!strcmp(line, "kill")) {
		kill(child, atoi(arg));
	} else if (!strcmp(line, "mark")) {
		printf("\033_%s\033\\", arg);
		fflush(stdout);
	} else {
		die(line);
	}
}

static void tell_settings(void)
{
	struct termios t;

	if (tcgetattr(terminal, &t))
		fprintf(stderr, "drive: terminal: %s\n", strerror(errno));
	else
		fprintf(stderr, "drive: terminal: %s %s %s\n", t.c_lflag & ECHO ? "echo" : "-",
			t.c_lflag & ICANON ? "icanon" : "-", t.c_lflag & ISIG ? "isig" : "-");
}

int main(int argc, char **argv)
{
	struct winsize size;
	char line[512];
	int status, slave;
	FILE *script;

	if (argc < 4) {
		fprintf(stderr, "usage: drive COLUMNSxROWS SCRIPT CMD [ARG...]\n");
		return FAILED;
	}
	size = size_of(argv[1]);
	script = fopen(argv[2], "re");
	if (!script)
		die(argv[2]);
	/* kept open, so that the settings can be looked at when CMD is gone */
	if (openpty(&terminal, &slave, NULL, NULL, &size))
		die("openpty");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(terminal);
		login_tty(slave);
		execvp(argv[3], argv + 3);
		die(argv[3]);
	}
	while (fgets(line, sizeof(line), script))
		step(line);
	while (waitpid(child, &status, WNOHANG) == 0)
		pump(0.1);
	pump(0.2);
	tell_settings();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
