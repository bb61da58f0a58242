// SPDX-License-Identifier: GPL-2.0-only
#include "text/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define ELLIPSIS    "\xe2\x80\xa6" /* U+2026 */

/*
 * Length of the valid sequence at s (len > 0 bytes left) and its code point; 0: s[0] is bad. The
 * second byte has a narrower range after some first bytes: that excludes overlong forms (E0, F0),
 * surrogates (ED) and everything above U+10FFFF (F4). See table 3-7 of the Unicode standard.
 */
static size_t decode(const unsigned char *s, size_t len, uint32_t *cp)
{
	unsigned char lo = 0x80, hi = 0xbf;
	size_t n;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (s[0] == 0xe0)
		lo = 0xa0;
	else if (s[0] == 0xed)
		hi = 0x9f;
	else if (s[0] == 0xf0)
		lo = 0x90;
	else if (s[0] == 0xf4)
		hi = 0x8f;
	if (len < n || s[1] < lo || s[1] > hi)
		return 0;
	*cp = s[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3f);
	}
	return n;
}

char *utf8_clean(const void *bytes, size_t len, size_t *out_len, bool *replaced)
{
	const unsigned char *s = bytes, *end = s + len;
	char *out, *o;
	bool bad = false;
	uint32_t cp;

	if (len > (SIZE_MAX - 1) / 3)
		return NULL;
	out = o = malloc(len * 3 + 1);
	if (!out)
		return NULL;
	while (s < end) {
		size_t n = decode(s, (size_t)(end - s), &cp);

		if (n && cp) {
			memcpy(o, s, n);
			o += n;
			s += n;
		} else {
			memcpy(o, REPLACEMENT, 3);
			o += 3;
			s++;
			bad = true;
		}
	}
	*o = '\0';
	if (out_len)
		*out_len = (size_t)(o - out);
	if (replaced)
		*replaced = bad;
	return out;
}

static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const void *bytes, size_t len)
{
	const char *digits = base64_digits;
	const unsigned char *s = bytes;
	char *out, *o;

	if (len > SIZE_MAX / 2)
		return NULL;
	out = o = malloc((len + 2) / 3 * 4 + 1);
	if (!out)
		return NULL;
	for (; len >= 3; len -= 3, s += 3) {
		*o++ = digits[s[0] >> 2];
		*o++ = digits[(s[0] & 3) << 4 | s[1] >> 4];
		*o++ = digits[(s[1] & 15) << 2 | s[2] >> 6];
		*o++ = digits[s[2] & 63];
	}
	if (len) {
		unsigned char second = len == 2 ? s[1] : 0;

		*o++ = digits[s[0] >> 2];
		*o++ = digits[(s[0] & 3) << 4 | second >> 4];
		*o++ = len == 2 ? digits[(second & 15) << 2] : '=';
		*o++ = '=';
	}
	*o = '\0';
	return out;
}

static int base64_value(char c)
{
	const char *digit = c ? strchr(base64_digits, c) : NULL;

	return digit ? (int)(digit - base64_digits) : -1;
}

char *base64_decode(const char *text, size_t len, size_t *nbytes)
{
	char *bytes = malloc(len / 4 * 3 + 1);
	size_t n = 0, pad = 0;

	if (!bytes || len % 4)
		goto fail;
	while (pad < 2 && pad < len && text[len - 1 - pad] == '=')
		pad++;
	for (size_t i = 0; i < len; i += 4) {
		unsigned int bits = 0;

		for (size_t j = i; j < i + 4; j++) {
			int value = j < len - pad ? base64_value(text[j]) : 0;

			if (value < 0)
				goto fail;
			bits = bits << 6 | (unsigned int)value;
		}
		bytes[n++] = (char)(bits >> 16);
		bytes[n++] = (char)(bits >> 8);
		bytes[n++] = (char)bits;
	}
	n -= pad;
	bytes[n] = '\0';
	*nbytes = n;
	return bytes;
fail:
	free(bytes);
	return NULL;
}

/* Characters that cannot be seen but change how their neighbours look. */
static bool is_invisible_format(uint32_t cp)
{
	return cp == 0xad || cp == 0x61c || cp == 0x180e || (cp >= 0x200b && cp <= 0x200f) ||
	       (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff ||
	       (cp >= 0xfff9 && cp <= 0xfffb);
}

static int hex_digit(unsigned char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "\xHH" as systemd writes it (lower case) for a printable ASCII character, else 0. */
static char systemd_escape(const unsigned char *s, size_t len)
{
	int hi, lo;

	if (len < 4 || s[0] != '\\' || s[1] != 'x')
		return 0;
	hi = hex_digit(s[2]);
	lo = hex_digit(s[3]);
	if (hi < 0 || lo < 0 || hi << 4 < 0x20 || (hi << 4 | lo) >= 0x7f)
		return 0;
	return (char)(hi << 4 | lo);
}

/* One character at s into o, which has room for 4 bytes a byte read; bytes read. */
static size_t display_one(const unsigned char *s, size_t len, unsigned int flags, char **o)
{
	uint32_t cp = 0;
	size_t n;
	char c;

	/* nearly all */
	if (*s >= 0x20 && *s < 0x7f && *s != '\\') {
		*(*o)++ = (char)*s;
		return 1;
	}
	n = decode(s, len, &cp);
	c = flags & TEXT_UNESCAPE ? systemd_escape(s, len) : 0;
	if (c) {
		*(*o)++ = c;
		return 4;
	}
	if (!n)
		cp = s[0];
	if (n && cp == '\n') {
		*o += sprintf(*o, "\\n");
	} else if (n && cp == '\t') {
		*o += sprintf(*o, "\\t");
	} else if (n && cp == '\\' && flags & TEXT_BACKSLASH) {
		*o += sprintf(*o, "\\\\");
	} else if (!n || cp < 0x20 || (cp >= 0x7f && cp < 0xa0)) {
		*o += sprintf(*o, "\\x%02x", (unsigned int)cp);
	} else if (cp >= 0x80 && flags & TEXT_ASCII) {
		for (size_t i = 0; i < n; i++)
			*o += sprintf(*o, "\\x%02x", s[i]);
	} else if (is_invisible_format(cp)) {
		*o += sprintf(*o, "\\u%04x", (unsigned int)cp);
	} else {
		memcpy(*o, s, n);
		*o += n;
	}
	return n ? n : 1;
}

char *text_display(const void *bytes, size_t len, unsigned int flags)
{
	const unsigned char *s = bytes, *end = s + len;
	char *out, *o;

	if (len > (SIZE_MAX - 1) / 4)
		return NULL;
	/* the longest form is \xHH for one byte; \uHHHH (6) stands for two bytes at least */
	out = o = malloc(len * 4 + 1);
	if (!out)
		return NULL;
	while (s < end)
		s += display_one(s, (size_t)(end - s), flags, &o);
	*o = '\0';
	return out;
}

size_t text_char(const char *s, size_t *len)
{
	uint32_t cp;
	size_t n;
	int w;

	*len = 1;
	if ((unsigned char)*s < 0x80)
		return 1;
	n = decode((const unsigned char *)s, strnlen(s, 4), &cp);
	if (!n)
		return 1;
	*len = n;
	w = wcwidth((wchar_t)cp);
	return w < 0 ? 1 : (size_t)w;
}

size_t text_width(const char *text)
{
	size_t width = 0, n;

	for (; *text; text += n)
		width += text_char(text, &n);
	return width;
}

size_t text_head(const char *text, size_t width)
{
	size_t at = 0, used = 0, n, w;

	while (text[at]) {
		w = text_char(text + at, &n);
		if (used + w > width)
			break;
		used += w;
		at += n;
	}
	return at;
}

size_t text_tail(const char *text, size_t total, size_t width)
{
	size_t at = 0, n, w;

	while (text[at] && (total > width || !text_char(text + at, &n))) {
		w = text_char(text + at, &n);
		total -= w < total ? w : total;
		at += n;
	}
	return at;
}

char *text_elide(const char *text, size_t width, unsigned int flags)
{
	const char *dots = flags & TEXT_ASCII ? "..." : ELLIPSIS;
	const size_t dots_width = flags & TEXT_ASCII ? 3 : 1;
	const size_t total = text_width(text);
	size_t head, head_len, tail;
	char *out;

	if (total <= width)
		return strdup(text);
	/* less than one column on each side of the dots tells nothing */
	if (width < dots_width + 2)
		return strdup(text + text_tail(text, total, width));
	head = (width - dots_width) / 3;
	head = head ? head : 1;
	head_len = text_head(text, head);
	tail = text_tail(text, total, width - dots_width - head);
	if (asprintf(&out, "%.*s%s%s", (int)head_len, text, dots, text + tail) < 0)
		return NULL;
	return out;
}
