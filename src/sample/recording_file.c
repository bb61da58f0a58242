// SPDX-License-Identifier: GPL-2.0-only
#include "sample/recording_file.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "sample/store_get.h"

/*
 * What a chunk may become: samples are packed by 5 to 10, those of a machine at
 * rest by 100.
 */
#define CONTENT_MIN  (1u << 20)
#define CONTENT_MAX  (64u << 20)
#define CONTENT_RATE 200u

static bool read_at(const struct recording_file *f, uint64_t at, void *to, size_t n)
{
	char *into = to;

	while (n) {
		ssize_t got = pread(f->fd, into, n, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		into += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return true;
}

static uint32_t get32(const unsigned char *from)
{
	uint32_t n;

	memcpy(&n, from, sizeof(n));
	return le32toh(n);
}

static uint64_t get64(const unsigned char *from)
{
	uint64_t n;

	memcpy(&n, from, sizeof(n));
	return le64toh(n);
}

/* Reads the chunk's head. False: it is not there as a whole, or damaged. */
static bool read_chunk(struct recording_file *f, uint64_t at, struct chunk *c)
{
	unsigned char head[RECORD_HEAD];
	uint64_t left = f->size - at;
	unsigned char magic[4];
	uint32_t length;

	if (left < RECORD_HEAD || !read_at(f, at, head, RECORD_HEAD))
		return false;
	length = get32(head + 4);
	if (get32(head) != RECORD_MAGIC || length < RECORD_PAYLOAD || length > RECORD_PAYLOAD_MAX ||
	    get32(head + 32) != (uint32_t)crc32(0, head + 8, RECORD_PAYLOAD - 4)) {
		f->damage = "no chunk begins there";
		return false;
	}
	*c = (struct chunk){
		.head = {get32(head + 8), get32(head + 12), get64(head + 16),
			 (int64_t)get64(head + 24)},
		.at = at,
		.data = at + 8 + length,
	};
	if (left < 8 + (uint64_t)length || left - 8 - length < c->head.size)
		return false;
	if (c->head.size < sizeof(magic) || !read_at(f, c->data, magic, sizeof(magic)) ||
	    get32(magic) != ZSTD_MAGICNUMBER) {
		f->damage = "what follows the chunk's head is not packed by zstd";
		return false;
	}
	return true;
}

static bool add_sample(struct recording_file *f, const struct chunk *c, size_t *room)
{
	struct chunk *more;

	if (f->n == *room) {
		*room = *room ? 2 * *room : 64;
		more = reallocarray(f->samples, *room, sizeof(*more));
		if (!more)
			return false;
		f->samples = more;
	}
	f->samples[f->n++] = *c;
	return true;
}

/* Whether a chunk can stand where it stands. */
static const char *misplaced(const struct recording_file *f, const struct chunk *c)
{
	if (!f->header.head.kind)
		return c->head.kind == RECORD_HEADER ? NULL : "no header is before it";
	if (c->head.kind == RECORD_HEADER)
		return "another header is there";
	if (c->head.kind == RECORD_CHANGES && !f->n)
		return "no whole sample is before it";
	if ((c->head.kind == RECORD_CHANGES || c->head.kind == RECORD_WHOLE) && f->n &&
	    c->head.time_ns <= f->samples[f->n - 1].head.time_ns)
		return "its time is not later than that of the sample before";
	return NULL;
}

static void find_chunks(struct recording_file *f, struct loader *l)
{
	size_t room = 0;

	while (f->whole < f->size && !f->end.head.kind) {
		struct chunk c;

		if (!read_chunk(f, f->whole, &c))
			return;
		f->damage = misplaced(f, &c);
		if (f->damage)
			return;
		if (c.head.kind == RECORD_HEADER)
			f->header = c;
		else if (c.head.kind == RECORD_END)
			f->end = c;
		else if (c.head.kind == RECORD_WHOLE || c.head.kind == RECORD_CHANGES)
			if (!add_sample(f, &c, &room)) {
				loader__fault(l, -ENOMEM, "not enough memory");
				return;
			}
		f->whole = c.data + c.head.size;
	}
	if (f->whole < f->size)
		f->damage = "nothing should be behind the recording's end";
}

void recording_file__open(struct recording_file *f, struct loader *l)
{
	unsigned char magic[4];
	struct stat st;

	f->zstd = ZSTD_createDCtx();
	if (!f->zstd || fstat(f->fd, &st)) {
		loader__fault(l, f->zstd ? -errno : -ENOMEM, "%s",
			      strerror(f->zstd ? errno : ENOMEM));
		return;
	}
	f->size = (uint64_t)st.st_size;
	if (!f->size) {
		loader__fault(l, -EINVAL, "it is empty");
		return;
	}
	if (f->size < 4 || !read_at(f, 0, magic, 4) || get32(magic) != RECORD_MAGIC) {
		loader__fault(l, -EINVAL, "neither a recording nor a stored window of memcgtop");
		return;
	}
	find_chunks(f, l);
	if (!f->header.head.kind)
		loader__fault(l, -EINVAL, "no recording: it has no whole header%s%s",
			      f->damage ? ": " : "", f->damage ? f->damage : "");
}

void recording_file__cut(struct recording_file *f, size_t n, const char *damage)
{
	if (n < f->n)
		f->whole = f->samples[n].at;
	f->n = n;
	f->damage = damage;
	f->end = (struct chunk){0};
}

void recording_file__close(struct recording_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	ZSTD_freeDCtx(f->zstd);
	free(f->samples);
	*f = (struct recording_file){.fd = -1};
}

/* The text in a chunk, to be freed; NULL with a fault. */
static char *unpack(struct recording_file *f, const struct chunk *c, struct loader *l, size_t *n)
{
	uint64_t most = CONTENT_MIN + (uint64_t)CONTENT_RATE * c->head.size;
	char *packed = loader__room(l, c->head.size, 1), *text = NULL;
	unsigned long long size = 0;

	if (packed && !read_at(f, c->data, packed, c->head.size))
		loader__fault(l, -EIO, "cannot be read at byte %" PRIu64, c->data);
	if (!l->rc)
		size = ZSTD_getFrameContentSize(packed, c->head.size);
	if (most > CONTENT_MAX)
		most = CONTENT_MAX;
	/* the two that are no size are the largest numbers */
	if (size > most)
		loader__fault(l, -EINVAL, "damaged at byte %" PRIu64 ": more than memcgtop writes",
			      c->data);
	text = loader__room(l, size, 1);
	if (!l->rc) {
		*n = ZSTD_decompressDCtx(f->zstd, text, size, packed, c->head.size);
		if (ZSTD_isError(*n) || *n != size)
			loader__fault(l, -EINVAL, "damaged at byte %" PRIu64 ": %s", c->data,
				      ZSTD_isError(*n) ? ZSTD_getErrorName(*n) : "too short");
	}
	free(packed);
	if (!l->rc)
		return text;
	free(text);
	return NULL;
}

json_t *recording_file__read(struct recording_file *f, const struct chunk *c, struct loader *l)
{
	size_t n = 0;
	char *text = l->rc ? NULL : unpack(f, c, l, &n);
	json_error_t e;
	json_t *doc;

	if (!text)
		return NULL;
	doc = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
	free(text);
	if (!doc)
		loader__fault(l, -EINVAL, "damaged at byte %" PRIu64 ": column %d: %s", c->data,
			      e.column, e.text);
	return doc;
}
