// SPDX-License-Identifier: GPL-2.0-only
/* Writes a recording: a chunk at a time, so that what is in the file is whole. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "sample/record_encode.h"
#include "sample/record_format.h"
#include "sample/recording.h"
#include "sample/store_parts.h"

/*
 * Numbers as text have few matches, and short ones cost more than they save:
 * what packs them is entropy coding, as good at any level.
 */
#define LEVEL	  3
#define MIN_MATCH 7

struct recorder {
	int fd;
	int err; /* of the first failure; nothing is written after it */
	uint64_t bytes;
	uint64_t samples;
	unsigned int since_whole;
	struct sample *last;
	struct record_dense dense;
	ZSTD_CCtx *zstd;
};

static int write_all(int fd, const char *at, size_t n)
{
	while (n) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (!done)
			return -EIO;
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

/* What was written of a chunk is cut off again; from a pipe or device it cannot be. */
static int fail(struct recorder *r, int err)
{
	int cut = ftruncate(r->fd, (off_t)r->bytes);

	(void)cut;
	r->err = err;
	return err;
}

static void put32(char *to, uint32_t n)
{
	n = htole32(n);
	memcpy(to, &n, sizeof(n));
}

static void put64(char *to, uint64_t n)
{
	n = htole64(n);
	memcpy(to, &n, sizeof(n));
}

static void put_head(char *to, const struct record_head *h)
{
	put32(to, RECORD_MAGIC);
	put32(to + 4, RECORD_PAYLOAD);
	put32(to + 8, h->kind);
	put32(to + 12, h->size);
	put64(to + 16, h->time_ns);
	put64(to + 24, (uint64_t)h->wall_ms);
	put32(to + 32, (uint32_t)crc32(0, (const unsigned char *)to + 8, RECORD_PAYLOAD - 4));
}

/*
 * Packs the text. What is from the digits on is a block of its own: they have
 * other frequencies than the names before.
 */
static int pack(struct recorder *r, char *to, size_t *room, const char *text, size_t n,
		size_t digits)
{
	ZSTD_outBuffer out = {to, *room, 0};
	ZSTD_inBuffer in = {text, digits, 0};
	size_t left;

	ZSTD_CCtx_reset(r->zstd, ZSTD_reset_session_and_parameters);
	ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_minMatch, MIN_MATCH);
	left = ZSTD_CCtx_setPledgedSrcSize(r->zstd, n);
	if (!ZSTD_isError(left) && digits)
		left = ZSTD_compressStream2(r->zstd, &out, &in, ZSTD_e_flush);
	in.size = n;
	if (!ZSTD_isError(left))
		left = ZSTD_compressStream2(r->zstd, &out, &in, ZSTD_e_end);
	*room = out.pos;
	return left ? -ENOMEM : 0;
}

/* Both frames in one piece. The text ends in a newline. */
static int write_chunk(struct recorder *r, struct record_head h, const char *text, size_t n,
		       size_t digits)
{
	size_t size = ZSTD_compressBound(n) + 1024;
	char *chunk = malloc(RECORD_HEAD + size);
	int err = chunk ? pack(r, chunk + RECORD_HEAD, &size, text, n, digits) : -ENOMEM;

	if (!err && size > UINT32_MAX)
		err = -EFBIG;
	if (!err) {
		h.size = (uint32_t)size;
		put_head(chunk, &h);
		err = write_all(r->fd, chunk, RECORD_HEAD + size);
	}
	free(chunk);
	if (err)
		return fail(r, err);
	r->bytes += RECORD_HEAD + size;
	return 0;
}

/* Takes over the document. */
static int write_document(struct recorder *r, enum record_kind kind, json_t *o, int err,
			  const struct sample *at)
{
	struct record_head h = {
		.kind = kind, .time_ns = at ? at->time_ns : 0, .wall_ms = at ? at->wall_ms : 0};
	char *text = err ? NULL : json_dumps(o, JSON_COMPACT);
	size_t n = text ? strlen(text) : 0;

	json_decref(o);
	if (!text)
		return fail(r, -ENOMEM);
	text[n] = '\n'; /* where the NUL was */
	err = write_chunk(r, h, text, n + 1, 0);
	free(text);
	return err;
}

static int write_header(struct recorder *r, const struct window *w)
{
	json_t *o = json_object();
	char schema[32];
	int err = 0;

	snprintf(schema, sizeof(schema), RECORD_FAMILY "%d", RECORD_VERSION);
	put__member(o, "schema", json_string(schema), &err);
	put__member(o, "version", put__text(w->version), &err);
	put__member(o, "tool", store__put_arguments(w->tool_argv, &err), &err);
	put__member(o, "command", store__put_command(&w->command, &err), &err);
	put__member(o, "interval_ns", put__number(w->interval_ns), &err);
	return write_document(r, RECORD_HEADER, o, err, NULL);
}

int recorder__add(struct recorder *r, const struct sample *s)
{
	struct record_head h = {.time_ns = s->time_ns, .wall_ms = s->wall_ms};
	const struct sample *from = r->last;
	char *text = NULL;
	size_t n = 0, digits = 0;
	FILE *f;
	int err;

	if (r->err)
		return r->err;
	if (from && (r->since_whole >= RECORD_WHOLE_EVERY || !record__comparable(from, s)))
		from = NULL;
	h.kind = from ? RECORD_CHANGES : RECORD_WHOLE;
	f = open_memstream(&text, &n);
	if (!f)
		return fail(r, -ENOMEM);
	err = record__encode(f, from, s, &r->dense, &digits);
	if (fclose(f) && !err)
		err = -ENOMEM;
	if (err) {
		free(text);
		return fail(r, err);
	}
	err = write_chunk(r, h, text, n, digits);
	free(text);
	if (err)
		return err;
	r->samples++;
	r->since_whole = from ? r->since_whole + 1 : 1;
	sample__free(r->last);
	r->last = sample__copy(s);
	return r->last ? 0 : fail(r, -ENOMEM);
}

int recorder__finish(struct recorder *r, const struct window *w)
{
	json_t *o;
	int err = 0;

	if (r->err)
		return r->err;
	o = json_object();
	put__member(o, "end_reason", json_string(end_reason_names[w->end_reason]), &err);
	put__member(o, "command", store__put_command(&w->command, &err), &err);
	return write_document(r, RECORD_END, o, err, r->last);
}

/* As perf does. A link into /dev or /proc is what it leads to: standard output. */
static int keep_old(const char *path)
{
	struct stat st;
	char *old;
	int err = 0;

	if (lstat(path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(st.st_mode) && (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)))
		return 0;
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return -ENOMEM;
	if (rename(path, old))
		err = -errno;
	free(old);
	return err;
}

static int begin(struct recorder *r, const char *path, const struct window *w,
		 const struct sample *first)
{
	int err = keep_old(path);

	if (err)
		return err;
	r->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (r->fd < 0)
		return -errno;
	r->zstd = ZSTD_createCCtx();
	if (!r->zstd)
		return -ENOMEM;
	err = write_header(r, w);
	return err ? err : recorder__add(r, first);
}

struct recorder *recorder__open(const char *path, const struct window *w,
				const struct sample *first, char *err, size_t n)
{
	struct recorder *r = calloc(1, sizeof(*r));
	struct stat st;
	int rc = -ENOMEM;

	if (r) {
		r->fd = -1;
		rc = begin(r, path, w, first);
	}
	if (!rc)
		return r;
	/* a file without one sample is none */
	if (r && r->fd >= 0 && !lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
	recorder__close(r);
	snprintf(err, n, "%s: %s", path, strerror(-rc));
	errno = -rc;
	return NULL;
}

uint64_t recorder__intervals(const struct recorder *r)
{
	return r->samples ? r->samples - 1 : 0;
}

uint64_t recorder__bytes(const struct recorder *r)
{
	return r->bytes;
}

int recorder__close(struct recorder *r)
{
	int err = 0;

	if (!r)
		return 0;
	if (r->fd >= 0 && close(r->fd))
		err = -errno;
	ZSTD_freeCCtx(r->zstd);
	sample__free(r->last);
	record_dense__release(&r->dense);
	free(r);
	return err;
}
