// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verb/output.h"

/*
 * A device or a pipe is written to as it is; a file that is to be is replaced by
 * rename. So is no symbolic link: /dev/stdout is one, to a file at times.
 */
static bool in_place(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && !S_ISREG(st.st_mode);
}

static int say_open(const char *path, int err, struct error *e)
{
	return error__set(e, STATUS_USAGE,
			  "cannot write %s: %s; give the path of a file in a "
			  "directory that can be written to",
			  path, error__text(err));
}

int output__check(const char *path, struct error *e)
{
	struct output o;
	struct stat st;

	if (!*path)
		return say_open("''", ENOENT, e);
	if (!in_place(path)) {
		if (output__open(&o, path, e))
			return -1;
		output__abandon(&o);
		return 0;
	}
	/* opening would wait for the reader of a pipe, or empty what a link points to */
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return say_open(path, EISDIR, e);
	if (access(path, W_OK) && errno != ENOENT)
		return say_open(path, errno, e);
	return 0;
}

/* The temporary file that a signal must not leave behind. One is written at a time. */
static char *volatile unfinished;

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

#define NDEADLY (sizeof(deadly) / sizeof(deadly[0]))

/* What is raised comes when we return. */
static void die(int sig)
{
	if (unfinished)
		unlink(unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* A limit to the size of files is an error to tell, as a full disk is. */
static void go_on(int sig)
{
	(void)sig;
}

/* Who ignores a signal (nohup), or waits for it, goes on doing so. */
static void replace_handler(int sig, void (*from)(int sig), void (*to)(int sig))
{
	struct sigaction now, then = {.sa_handler = to};

	sigemptyset(&then.sa_mask);
	if (!sigaction(sig, NULL, &now) && now.sa_handler == from)
		sigaction(sig, &then, NULL);
}

/* A temporary file beside path, which is gone again if we are killed (but with SIGKILL). */
static int make_temporary(struct output *o, const char *path)
{
	sigset_t all, before;
	size_t i;
	int fd;

	if (asprintf(&o->temporary, "%s.XXXXXX", path) < 0) {
		o->temporary = NULL;
		return -1;
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	fd = mkostemp(o->temporary, O_CLOEXEC);
	if (fd >= 0) {
		unfinished = o->temporary;
		for (i = 0; i < NDEADLY; i++)
			replace_handler(deadly[i], SIG_DFL, die);
		replace_handler(SIGXFSZ, SIG_DFL, go_on);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

/* The temporary file is in its place, or removed. */
static void forget_temporary(struct output *o)
{
	size_t i;

	if (o->temporary) {
		for (i = 0; i < NDEADLY; i++)
			replace_handler(deadly[i], die, SIG_DFL);
		replace_handler(SIGXFSZ, go_on, SIG_DFL);
		unfinished = NULL;
	}
	free(o->temporary);
	o->temporary = NULL;
}

/*
 * mkostemp makes it private; a result is as readable as the file that it
 * replaces, or as any new one. Its owner is kept if we may.
 */
static void set_mode(int fd, const char *path)
{
	mode_t mask = umask(0), mode;
	struct stat st;

	umask(mask);
	if (lstat(path, &st)) {
		fchmod(fd, 0666 & ~mask);
		return;
	}
	mode = st.st_mode & 0777;
	/* a group that is not kept gets no more than anybody */
	if (fchown(fd, st.st_uid, st.st_gid) && fchown(fd, (uid_t)-1, st.st_gid))
		mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
	fchmod(fd, mode);
}

static FILE *open_temporary(struct output *o, const char *path)
{
	int fd = make_temporary(o, path), err;
	FILE *f;

	if (fd < 0)
		return NULL;
	set_mode(fd, path);
	f = fdopen(fd, "w");
	if (!f) {
		err = errno;
		unlink(o->temporary);
		close(fd);
		errno = err;
	}
	return f;
}

int output__open(struct output *o, const char *path, struct error *e)
{
	memset(o, 0, sizeof(*o));
	o->path = path;
	if (!path) {
		o->stream = stdout;
		return 0;
	}
	o->stream = in_place(path) ? fopen(path, "we") : open_temporary(o, path);
	if (o->stream)
		return 0;
	say_open(path, errno, e);
	forget_temporary(o);
	return -1;
}

int output__commit(struct output *o, struct error *e)
{
	const char *name = o->path ? o->path : "standard output";
	int err = 0;

	if (fflush(o->stream) || ferror(o->stream))
		err = errno ? errno : EIO;
	if (!err && o->temporary && fsync(fileno(o->stream)))
		err = errno;
	if (o->stream != stdout && fclose(o->stream) && !err)
		err = errno;
	o->stream = NULL;
	if (!err && o->temporary && rename(o->temporary, o->path))
		err = errno;
	if (err && o->temporary)
		unlink(o->temporary);
	forget_temporary(o);
	if (!err)
		return 0;
	return error__set(e, STATUS_UNTRUSTED, "the result was not written to %s: %s", name,
			  error__text(err));
}

void output__abandon(struct output *o)
{
	if (o->stream && o->stream != stdout)
		fclose(o->stream);
	if (o->temporary)
		unlink(o->temporary);
	forget_temporary(o);
	memset(o, 0, sizeof(*o));
}
