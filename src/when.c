// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "options.h"

#define NS_PER_S  1000000000ull
#define NS_PER_MS 1000000ull
#define S_PER_DAY 86400ull
#define PIECE_MAX 40
#define UNTIL_MAX (UINT64_MAX / 4)

/* One number with its unit; unlike a duration it may be 0. */
static int piece(const char *text, size_t len, uint64_t *ns)
{
	char buf[PIECE_MAX];

	if (len >= sizeof(buf))
		return -EINVAL;
	memcpy(buf, text, len);
	buf[len] = '\0';
	*ns = 0;
	if (buf[0] == '0' && strspn(buf, "0.") == strspn(buf, "0123456789.")) {
		/* a zero is no duration: it is well written if a 1 in its place is */
		uint64_t one;

		buf[0] = '1';
		return duration__parse(buf, &one);
	}
	return duration__parse(buf, ns) || *ns == DURATION_INF ? -EINVAL : 0;
}

static int since_start(const char *text, uint64_t *ns)
{
	*ns = 0;
	do {
		size_t len = strspn(text, "0123456789.");
		size_t unit = strspn(text + len, "abcdefghijklmnopqrstuvwxyz");
		uint64_t one;

		/* "1m30": of what? */
		if (!len || (!unit && *ns))
			return -EINVAL;
		len += unit;
		if (piece(text, len, &one) || one > UNTIL_MAX - *ns)
			return -EINVAL;
		*ns += one;
		text += len;
		if (*text && !unit)
			return -EINVAL;
	} while (*text);
	return 0;
}

/* Two digits, less than the limit. */
static int two_digits(const char *text, unsigned limit, uint64_t *n)
{
	if (!isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]))
		return -EINVAL;
	*n = (uint64_t)(text[0] - '0') * 10 + (uint64_t)(text[1] - '0');
	return *n < limit ? 0 : -EINVAL;
}

static int of_the_day(const char *text, uint64_t *ns)
{
	uint64_t h, m, s = 0;
	size_t len = strlen(text);

	if ((len != 5 && len != 8) || text[2] != ':' || (len == 8 && text[5] != ':'))
		return -EINVAL;
	if (two_digits(text, 24, &h) || two_digits(text + 3, 60, &m) ||
	    (len == 8 && two_digits(text + 6, 60, &s)))
		return -EINVAL;
	*ns = ((h * 60 + m) * 60 + s) * NS_PER_S;
	return 0;
}

int when__parse(const char *text, struct time_point *w)
{
	w->how = strchr(text, ':') ? WHEN_CLOCK : WHEN_SINCE_START;
	return w->how == WHEN_CLOCK ? of_the_day(text, &w->ns) : since_start(text, &w->ns);
}

uint64_t when__since_start(const struct time_point *w, int64_t start_wall_ms)
{
	time_t start = (time_t)(start_wall_ms / 1000);
	uint64_t s = w->ns / NS_PER_S;
	struct tm tm;
	time_t at;

	if (w->how != WHEN_CLOCK || !localtime_r(&start, &tm))
		return w->ns;
	tm.tm_hour = (int)(s / 3600);
	tm.tm_min = (int)(s / 60 % 60);
	tm.tm_sec = (int)(s % 60);
	tm.tm_isdst = -1;
	at = mktime(&tm);
	if (at < start) {
		/* the day after; a day may be 23 or 25 hours long */
		tm.tm_mday++;
		tm.tm_hour = (int)(s / 3600);
		tm.tm_min = (int)(s / 60 % 60);
		tm.tm_sec = (int)(s % 60);
		tm.tm_isdst = -1;
		at = mktime(&tm);
	}
	if (at <= start)
		return 0;
	return (uint64_t)(at - start) * NS_PER_S - (uint64_t)(start_wall_ms % 1000) * NS_PER_MS;
}
