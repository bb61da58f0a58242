// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "view/number.h"

/* From here on without decimals: with six of them it would overflow 64 bits. */
#define WHOLE_FROM 1e12

static const double pow10_table[] = {1,	  1e1, 1e2, 1e3,  1e4,	1e5,  1e6,
				     1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13};
#define DECIMALS_MAX 12

const char *num__grouped(char *buf, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v);
	char *out = buf;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return buf;
}

const char *num__fixed(char *buf, double v, int decimals)
{
	uint64_t scaled, whole;
	size_t n = 0;

	if (!isfinite(v))
		return strcpy(buf, "-");
	if (fabs(v) >= WHOLE_FROM) {
		/* No decimal point in this conversion, so no locale. */
		if (v < 0 || v >= 1e18)
			snprintf(buf, NUM_LEN, "%.0f", fmin(v, 1e40));
		else
			num__grouped(buf, (uint64_t)v);
		return buf;
	}
	if (v < 0)
		buf[n++] = '-';
	scaled = (uint64_t)llround(fabs(v) * pow10_table[decimals]);
	whole = scaled / (uint64_t)pow10_table[decimals];
	num__grouped(buf + n, whole);
	n += strlen(buf + n);
	if (decimals)
		snprintf(buf + n, NUM_LEN - n, ".%0*" PRIu64, decimals,
			 scaled - whole * (uint64_t)pow10_table[decimals]);
	return buf;
}

/* What three digits leave of decimals. */
static int decimals_of(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

/* Three digits and the prefix; gap stands between them. */
static const char *si(char *buf, uint64_t v, const char *gap)
{
	static const char prefix[] = "kMGTPE";
	double scaled = (double)v;
	int p = -1;

	if (v < 1000) {
		snprintf(buf, NUM_LEN, "%" PRIu64, v);
		return buf;
	}
	/* 999.5 would round to 1000. */
	while (scaled >= 999.5) {
		scaled /= 1000;
		p++;
	}
	num__fixed(buf, scaled, decimals_of(scaled));
	snprintf(buf + strlen(buf), NUM_LEN - strlen(buf), "%s%c", gap, prefix[p]);
	return buf;
}

const char *num__si(char *buf, uint64_t v)
{
	return si(buf, v, "");
}

const char *num__si_text(char *buf, uint64_t v)
{
	return si(buf, v, " ");
}

const char *num__rate(char *buf, uint64_t count, double seconds, int si_form)
{
	double rate;

	if (!(seconds > 0))
		return strcpy(buf, "-");
	rate = (double)count / seconds;
	if (count && rate < 0.05)
		return strcpy(buf, "<0.1");
	if (rate > 0 && rate < 0.95)
		return num__fixed(buf, rate, 1);
	if (rate >= WHOLE_FROM || si_form)
		return num__si(buf, rate < 1.8e19 ? (uint64_t)llround(rate) : UINT64_MAX);
	return num__fixed(buf, rate, 0);
}

const char *num__percent(char *buf, double ratio, int decimals)
{
	double percent = ratio * 100, step;

	if (!isfinite(ratio))
		return strcpy(buf, "-");
	step = 1 / pow10_table[decimals];
	if (percent > 0 && percent < step / 2) {
		buf[0] = '<';
		num__fixed(buf + 1, step, decimals);
		return buf;
	}
	if (ratio < 1 && percent > 100 - step)
		percent = 100 - step;
	return num__fixed(buf, percent, decimals);
}

const char *num__duration(char *buf, double ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t u = 0;

	if (!isfinite(ns))
		return strcpy(buf, "-");
	/* 999.5 would round to 1000. */
	while (ns >= 999.5 && u < 3) {
		ns /= 1000;
		u++;
	}
	/* There is no half a nanosecond in one event, but there is in a mean. */
	num__fixed(buf, ns, !u && ns == floor(ns) ? 0 : decimals_of(ns));
	snprintf(buf + strlen(buf), NUM_LEN - strlen(buf), " %s", units[u]);
	return buf;
}

const char *num__bytes(char *buf, uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double scaled = (double)bytes;
	size_t u = 0;

	while (scaled >= 1024 && u < 4) {
		scaled /= 1024;
		u++;
	}
	num__fixed(buf, scaled, scaled == floor(scaled) ? 0 : 1);
	snprintf(buf + strlen(buf), NUM_LEN - strlen(buf), " %s", units[u]);
	return buf;
}

const char *num__bytes_short(char *buf, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double scaled = (double)bytes;
	size_t u = 0;

	/* 1023.5 would round to 1024. */
	while (scaled >= 1023.5 && u < 6) {
		scaled /= 1024;
		u++;
	}
	num__fixed(buf, scaled, lround(scaled * 10) % 10 == 0 || scaled >= 99.95 ? 0 : 1);
	/* without the comma */
	if (scaled >= 999.5)
		snprintf(buf, NUM_LEN, "%d", (int)lround(scaled));
	strcat(buf, units[u]);
	return buf;
}

const char *num__utc(char *buf, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;
	size_t n;

	if (ms < 0 || !gmtime_r(&seconds, &tm))
		return NULL;
	n = strftime(buf, NUM_LEN - 8, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!n)
		return NULL;
	snprintf(buf + n, NUM_LEN - n, ".%03dZ", (int)(ms % 1000));
	return buf;
}

/* Six digits of a number that is too small or too large to be written out. */
static const char *json_exponent(char *buf, double v)
{
	int exponent = (int)floor(log10(fabs(v)));
	double mantissa = v / pow(10, exponent);

	num__fixed(buf, mantissa, 5);
	snprintf(buf + strlen(buf), NUM_LEN - strlen(buf), "e%d", exponent);
	return buf;
}

const char *num__json(char *buf, double v)
{
	char *out = buf;
	int decimals, exponent;

	if (v == 0)
		return strcpy(buf, "0.0");
	exponent = (int)floor(log10(fabs(v)));
	if (exponent < -6 || exponent >= 12)
		return json_exponent(buf, v);
	decimals = exponent >= 5 ? 0 : 5 - exponent;
	num__fixed(buf, v, decimals);
	for (const char *in = buf; *in; in++)
		if (*in != ',')
			*out++ = *in;
	*out = '\0';
	if (!decimals)
		return strcat(buf, ".0");
	/* 0.500000 is 0.5, 1.00000 is 1.0: it stays a real for typed readers. */
	while (out[-1] == '0' && out[-2] != '.')
		*--out = '\0';
	return buf;
}
