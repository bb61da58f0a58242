/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A JSON writer. Not jansson's: its integers are signed, and a counter may
 * have all of its 64 bits. Commas and line ends are the writer's business;
 * what is nested deeper than `lines` stands on one line.
 */
#ifndef MEMCGTOP_VIEW_WRITER_H
#define MEMCGTOP_VIEW_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct writer {
	FILE *f;
	int lines; /* depth down to which each value has its own line */
	int depth;
	bool follows; /* a value stands before in the same array or object */
	bool keyed;   /* a key was just written */
	bool failed;  /* out of memory */
	bool ascii;   /* no byte above 0x7f: \u escapes */
};

/* A key of the object that is open; then a value. */
void json__key(struct writer *w, const char *key);

void json__open(struct writer *w, char bracket);  /* '{' or '[' */
void json__close(struct writer *w, char bracket); /* '}' or ']' */

void json__null(struct writer *w);
void json__bool(struct writer *w, bool v);
void json__u64(struct writer *w, uint64_t v);
void json__i64(struct writer *w, int64_t v);
void json__real(struct writer *w, double v);	    /* NAN and infinity are null */
void json__string(struct writer *w, const char *s); /* NULL is null; cleaned to UTF-8 */

/* Key and value in one. */
void json__put_null(struct writer *w, const char *key);
void json__put_bool(struct writer *w, const char *key, bool v);
void json__put_u64(struct writer *w, const char *key, uint64_t v);
void json__put_real(struct writer *w, const char *key, double v);
void json__put_string(struct writer *w, const char *key, const char *s);

/* `key` as UTF-8, and `key_b64` with the raw bytes if some of them were not; else null. */
void json__put_bytes(struct writer *w, const char *key, const char *key_b64, const char *bytes,
		     size_t n);

/* Ends the document. 0 or a negative errno. */
int json__finish(struct writer *w);

#endif
