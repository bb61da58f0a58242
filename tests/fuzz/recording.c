// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the reader of recordings with libFuzzer: opens, reads all samples,
 * forward and back, and reports the window from the first to the last. The
 * mutator unpacks a chunk, changes its text and packs it again, as no change of
 * packed bytes passes the checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "sample/record_format.h"
#include "sample/recording.h"
#include "view/view.h"

#define TEXT_MAX (256u << 10)

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void report(struct recording *r, size_t last)
{
	struct view_opts o = {.width = 100, .rows = 10, .cpus = true};
	char sentence[256];
	struct window w;
	struct model m;
	FILE *f;

	if (recording__window(r, 0, last, &w, sentence, sizeof(sentence)))
		return;
	f = fopen("/dev/null", "w");
	if (f && !model__init(&m, &w)) {
		view__text(f, &m, &o);
		model__release(&m);
	}
	if (f)
		fclose(f);
	window__release(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	char path[64], sentence[256];
	struct recording *r;
	size_t n;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = recording__open(path, sentence, sizeof(sentence));
	close(fd);
	if (!r)
		return 0;
	n = recording__count(r);
	for (size_t i = 0; i < n; i++) {
		struct moment at = recording__moment(r, i);

		sample__free(recording__sample(r, i, sentence, sizeof(sentence)));
		if (recording__find(r, at.time_ns) >= n)
			abort();
	}
	for (size_t i = n < 20 ? n : 20; i-- > 0;)
		sample__free(recording__sample(r, i, sentence, sizeof(sentence)));
	report(r, n - 1);
	recording__close(r);
	return 0;
}

/* The place of the n-th chunk, or of the last before what is no chunk; its size, or 0. */
static size_t find_chunk(const uint8_t *data, size_t size, unsigned int n, size_t *length)
{
	size_t at = 0, found = 0;

	*length = 0;
	while (at + RECORD_HEAD <= size) {
		uint32_t magic, packed;

		memcpy(&magic, data + at, sizeof(magic));
		memcpy(&packed, data + at + 12, sizeof(packed));
		if (magic != RECORD_MAGIC || packed > size - at - RECORD_HEAD)
			break;
		found = at;
		*length = RECORD_HEAD + packed;
		if (!n--)
			break;
		at += *length;
	}
	return found;
}

/* Packs the text behind the head that is there, whose sum is put right. */
static size_t pack(uint8_t *to, size_t room, const char *text, size_t n)
{
	static ZSTD_CCtx *zstd;
	uint32_t sum, packed;
	size_t size;

	if (!zstd)
		zstd = ZSTD_createCCtx();
	size = ZSTD_compressCCtx(zstd, to + RECORD_HEAD, room - RECORD_HEAD, text, n, 1);
	if (ZSTD_isError(size))
		return 0;
	packed = (uint32_t)size;
	memcpy(to + 12, &packed, sizeof(packed));
	sum = (uint32_t)crc32(0, to + 8, RECORD_PAYLOAD - 4);
	memcpy(to + 32, &sum, sizeof(sum));
	return RECORD_HEAD + size;
}

/* Another number for one in the text: what the bytes' mutations seldom hit. */
static size_t mutate_number(char *text, size_t n, unsigned int seed)
{
	static const char *const numbers[] = {"0",
					      "1",
					      "-1",
					      "7",
					      "65535",
					      "4294967296",
					      "9223372036854775807",
					      "-9223372036854775808",
					      "null",
					      "[]",
					      "{}",
					      "1.5"};
	const char *number = numbers[seed / 7 % (sizeof(numbers) / sizeof(numbers[0]))];
	size_t at = seed % n, end, length = strlen(number);

	while (at < n && !strchr("0123456789", text[at]))
		at++;
	for (end = at; end < n && strchr("0123456789", text[end]) && text[end];)
		end++;
	if (at == n || n - (end - at) + length >= TEXT_MAX)
		return n;
	memmove(text + at + length, text + end, n - end);
	memcpy(text + at, number, length);
	return n - (end - at) + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	static uint8_t copy[TEXT_MAX * 2];
	static char text[TEXT_MAX];
	size_t length, at = find_chunk(data, size, seed / 16 % 8, &length), n, now;

	if (!length || seed % 8 == 0 || max > sizeof(copy))
		return LLVMFuzzerMutate(data, size, max);
	n = ZSTD_decompress(text, sizeof(text) / 2, data + at + RECORD_HEAD, length - RECORD_HEAD);
	if (ZSTD_isError(n) || !n)
		return LLVMFuzzerMutate(data, size, max);
	n = seed % 8 < 5 ? mutate_number(text, n, seed / 64)
			 : LLVMFuzzerMutate((uint8_t *)text, n, sizeof(text) / 2);
	memcpy(copy, data, at + RECORD_HEAD);
	now = n ? pack(copy + at, sizeof(copy) - at, text, n) : 0;
	if (!now || at + now + (size - at - length) > max)
		return LLVMFuzzerMutate(data, size, max);
	memcpy(copy + at + now, data + at + length, size - at - length);
	size = at + now + (size - at - length);
	memcpy(data, copy, size);
	return size;
}
