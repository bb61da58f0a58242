// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
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

int output__open(struct output *o, const char *path, struct error *e)
{
	mode_t mask;
	int fd;

	memset(o, 0, sizeof(*o));
	o->path = path;
	if (!path) {
		o->stream = stdout;
		return 0;
	}
	if (in_place(path)) {
		o->stream = fopen(path, "we");
	} else if (asprintf(&o->temporary, "%s.XXXXXX", path) >= 0) {
		fd = mkostemp(o->temporary, O_CLOEXEC);
		if (fd >= 0) {
			/* mkostemp makes it private; a result is as readable as any file */
			mask = umask(0);
			umask(mask);
			fchmod(fd, 0666 & ~mask);
			o->stream = fdopen(fd, "w");
			if (!o->stream) {
				unlink(o->temporary);
				close(fd);
			}
		}
	}
	if (o->stream)
		return 0;
	say_open(path, errno, e);
	free(o->temporary);
	o->temporary = NULL;
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
	free(o->temporary);
	o->temporary = NULL;
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
	free(o->temporary);
	memset(o, 0, sizeof(*o));
}
