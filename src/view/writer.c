// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/number.h"
#include "view/writer.h"

static void new_line(struct writer *w)
{
	if (w->depth > w->lines)
		return;
	fprintf(w->f, "\n%*s", w->depth, "");
}

/* What stands before a value or a key: nothing after a key, else the comma and the line. */
static void before(struct writer *w)
{
	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (w->follows)
		fputs(w->depth > w->lines ? ", " : ",", w->f);
	if (w->depth)
		new_line(w);
}

/* The character at s, which is UTF-8 beyond ASCII, as UTF-16 escapes; its last byte. */
static const char *escaped(struct writer *w, const char *s)
{
	unsigned char first = (unsigned char)*s;
	int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
	uint32_t c = first & (0x3f >> more);

	while (more--)
		c = c << 6 | (*++s & 0x3f);
	if (c < 0x10000)
		fprintf(w->f, "\\u%04" PRIx32, c);
	else
		fprintf(w->f, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd7c0 + (c >> 10),
			0xdc00 + (c & 0x3ff));
	return s;
}

/* s is UTF-8. */
static void quoted(struct writer *w, const char *s)
{
	fputc('"', w->f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(w->f, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", w->f);
		else if (c == '\t')
			fputs("\\t", w->f);
		else if (c < 0x20 || c == 0x7f)
			fprintf(w->f, "\\u%04x", c);
		else if (c >= 0x80 && w->ascii)
			s = escaped(w, s);
		else
			putc_unlocked(c, w->f); /* nearly all there is: no lock for each */
	}
	fputc('"', w->f);
}

void json__key(struct writer *w, const char *key)
{
	before(w);
	quoted(w, key);
	fputs(": ", w->f);
	w->keyed = true;
}

void json__open(struct writer *w, char bracket)
{
	before(w);
	fputc(bracket, w->f);
	w->depth++;
	w->follows = false;
}

void json__close(struct writer *w, char bracket)
{
	bool any = w->follows;

	w->depth--;
	/* An object that spread its values over lines ends on one of its own. */
	if (any && w->depth < w->lines)
		new_line(w);
	fputc(bracket, w->f);
	w->follows = true;
}

void json__null(struct writer *w)
{
	before(w);
	fputs("null", w->f);
	w->follows = true;
}

void json__bool(struct writer *w, bool v)
{
	before(w);
	fputs(v ? "true" : "false", w->f);
	w->follows = true;
}

void json__u64(struct writer *w, uint64_t v)
{
	before(w);
	fprintf(w->f, "%" PRIu64, v);
	w->follows = true;
}

void json__i64(struct writer *w, int64_t v)
{
	before(w);
	fprintf(w->f, "%" PRId64, v);
	w->follows = true;
}

void json__real(struct writer *w, double v)
{
	char buf[NUM_LEN];

	if (!isfinite(v)) {
		json__null(w);
		return;
	}
	before(w);
	fputs(num__json(buf, v), w->f);
	w->follows = true;
}

void json__string(struct writer *w, const char *s)
{
	char *clean;

	if (!s) {
		json__null(w);
		return;
	}
	clean = utf8_clean(s, strlen(s), NULL, NULL);
	if (!clean)
		w->failed = true;
	before(w);
	quoted(w, clean ? clean : "");
	w->follows = true;
	free(clean);
}

void json__put_null(struct writer *w, const char *key)
{
	json__key(w, key);
	json__null(w);
}

void json__put_bool(struct writer *w, const char *key, bool v)
{
	json__key(w, key);
	json__bool(w, v);
}

void json__put_u64(struct writer *w, const char *key, uint64_t v)
{
	json__key(w, key);
	json__u64(w, v);
}

void json__put_real(struct writer *w, const char *key, double v)
{
	json__key(w, key);
	json__real(w, v);
}

void json__put_string(struct writer *w, const char *key, const char *s)
{
	json__key(w, key);
	json__string(w, s);
}

void json__put_bytes(struct writer *w, const char *key, const char *key_b64, const char *bytes,
		     size_t n)
{
	bool replaced = false;
	char *clean = NULL, *raw = NULL;

	if (bytes) {
		clean = utf8_clean(bytes, n, NULL, &replaced);
		raw = replaced ? base64_encode(bytes, n) : NULL;
		if (!clean || (replaced && !raw))
			w->failed = true;
	}
	json__put_string(w, key, clean);
	json__put_string(w, key_b64, raw);
	free(raw);
	free(clean);
}

int json__finish(struct writer *w)
{
	fputc('\n', w->f);
	errno = 0;
	if (fflush(w->f) || ferror(w->f))
		return errno ? -errno : -EIO;
	return w->failed ? -ENOMEM : 0;
}
