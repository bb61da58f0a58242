/* SPDX-License-Identifier: GPL-2.0-only */
/* The chunks of a recording's file: where they are, and the text in them. */
#ifndef MEMCGTOP_RECORDING_FILE_H
#define MEMCGTOP_RECORDING_FILE_H

#include <jansson.h>

#include "sample/record_format.h"
#include "sample/store_get.h"

/* A chunk of the file, or the place of one. */
struct chunk {
	struct record_head head;
	uint64_t at; /* of its first byte */
	uint64_t data;
};

struct recording_file {
	int fd;
	uint64_t size;
	struct chunk header;
	struct chunk end; /* kind 0: there is none */
	struct chunk *samples;
	size_t n;
	uint64_t whole;	    /* bytes that are whole chunks in order */
	const char *damage; /* what is wrong behind them; NULL: nothing, or cut short */
	void *zstd;
};

/* Finds the chunks. A fault if the file is no recording. */
void recording_file__open(struct recording_file *file, struct loader *l);

/* Leaves samples at the end out, from the n-th on: they are damaged. */
void recording_file__cut(struct recording_file *file, size_t n, const char *damage);

void recording_file__close(struct recording_file *file);

/* The document in a chunk; NULL with a fault that says where it is damaged. */
json_t *recording_file__read(struct recording_file *file, const struct chunk *c, struct loader *l);

#endif
