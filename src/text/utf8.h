/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_TEXT_UTF8_H
#define MEMCGTOP_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Cgroup names are bytes somebody else chose. utf8_clean is for documents (JSON, labels),
 * text_display for screens. Every function that returns char * returns malloc'ed, NUL terminated
 * text, NULL: no memory.
 */

enum text_flags {
	TEXT_ASCII = 1 << 0,	 /* the terminal shows ASCII only */
	TEXT_UNESCAPE = 1 << 1,	 /* show systemd's \x2d as '-' (printable ASCII only) */
	TEXT_BACKSLASH = 1 << 2, /* show a backslash of the name's own as two: \n is a newline */
};

/*
 * Strict UTF-8 of any bytes: each byte that is not part of a valid sequence (overlong, surrogate,
 * above U+10FFFF, cut off) and each NUL becomes U+FFFD. *replaced tells whether that happened: the
 * raw bytes have to be given beside the text then. out_len and replaced may be NULL.
 */
char *utf8_clean(const void *bytes, size_t len, size_t *out_len, bool *replaced);

/* RFC 4648 with padding, one line. */
char *base64_encode(const void *bytes, size_t len);

/* The bytes that base64_encode() made text of, with a NUL after them; NULL also if it is none. */
char *base64_decode(const char *text, size_t len, size_t *nbytes);

/*
 * For the screen: valid UTF-8 in which nothing moves the cursor, starts an escape sequence or
 * turns the direction of writing. Newline and tab are \n and \t, other control characters, C1 and
 * bad bytes \xHH, invisible format characters \uHHHH; with TEXT_ASCII each byte of a character
 * beyond ASCII is \xHH. For eyes only: it cannot be turned back into the name.
 */
char *text_display(const void *bytes, size_t len, unsigned int flags);

/*
 * Columns of text from text_display on a terminal. By wcwidth: needs setlocale(LC_CTYPE, "") and a
 * UTF-8 locale for more than ASCII; a character it does not know counts 1.
 */
size_t text_width(const char *text);

/* Columns of the first character of such text that is not empty, and its bytes into *len. */
size_t text_char(const char *text, size_t *len);

/*
 * Shorten text from text_display to at most width columns by leaving out the middle: a third of
 * the room for the head, the rest for the tail, where names with a long common prefix differ.
 * "..." with TEXT_ASCII, else U+2026. No room for both: the tail only.
 */
char *text_elide(const char *text, size_t width, unsigned int flags);

/* Bytes of the longest head of text that fits into width columns, with its combining marks. */
size_t text_head(const char *text, size_t width);

/*
 * Where the longest tail that fits into width columns starts, never at a combining mark; total:
 * the columns of the text.
 */
size_t text_tail(const char *text, size_t total, size_t width);

#endif
