/* SPDX-License-Identifier: GPL-2.0-only */
/* Sample files for tests to change: a window with all there can be, and its document. */
#ifndef MEMCGTOP_STORE_FIXTURE_H
#define MEMCGTOP_STORE_FIXTURE_H

#include "sample_fixture.h"

#include <jansson.h>

#include "sample/store.h"

extern char file[64], other[64]; /* paths to write to */
extern char sentence[512];	 /* of the last failure */

/* A window with something in every member, some of it extreme. */
struct window full_window(void);

void save(const struct window *w, const char *path);

/* What is in a file, to be freed. */
char *slurp(const char *path, size_t *len);

/* The document of the full window. */
json_t *document(void);

/* Loads a document, and frees it; on failure the sentence must name the file and say so. */
int load_document(json_t *doc, const char *says);

/* The same of the full window's, with a member ("end.rows.1.depth") replaced; NULL: without it. */
int load_with(const char *path, const char *json, const char *says);

/* Loads a document that must load, and frees it; the caller releases the window. */
struct window loaded(json_t *doc);

/* Setup and teardown of a group. */
int make_dir(void **state);
int remove_dir(void **state);

#endif
