// SPDX-License-Identifier: GPL-2.0-only
/* A gate's result as text, and as annotations. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/gate.h"
#include "view/number.h"

#define CONDITION_WIDTH 48 /* columns that shorter conditions are filled up to, at most */

static int decimals_of(double v)
{
	v = fabs(v);
	if (v == floor(v) && v < 1e15)
		return 0;
	return v < 9.995 ? 3 : v < 99.95 ? 2 : v < 999.5 ? 1 : 0;
}

/* 2.00 is 2, and 0.50 is 0.5: what was typed as a limit looks as it was typed. */
static char *trim(char *buf)
{
	size_t len = strlen(buf);

	if (!strchr(buf, '.'))
		return buf;
	while (buf[len - 1] == '0')
		buf[--len] = '\0';
	if (buf[len - 1] == '.')
		buf[len - 1] = '\0';
	return buf;
}

/* A value in its unit. */
static const char *amount(char buf[NUM_LEN], double v, enum expr_unit unit)
{
	if (isnan(v))
		return strcpy(buf, "-");
	if (isinf(v))
		return strcpy(buf, "unknown");
	switch (unit) {
	case EXPR_RATIO:
		num__percent(buf, v, fabs(v) < 0.0995 ? 2 : 1);
		return strcat(trim(buf), " %");
	case EXPR_NS:
		return num__duration(buf, v);
	case EXPR_BYTES:
		return num__bytes(buf, v > 0 ? (uint64_t)v : 0);
	case EXPR_RATE:
		num__fixed(buf, v, decimals_of(v));
		return strcat(trim(buf), "/s");
	default:
		num__fixed(buf, v, decimals_of(v));
		return trim(buf);
	}
}

static void __attribute__((format(printf, 2, 3))) add(char buf[GATE_SENTENCE], const char *fmt, ...)
{
	size_t at = strlen(buf);
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf + at, GATE_SENTENCE - at, fmt, args);
	va_end(args);
}

/* A name of somebody else's, for eyes. */
static void add_name(char buf[GATE_SENTENCE], const char *before, const char *name, bool ascii)
{
	char *text = text_display(name, strlen(name), ascii ? TEXT_ASCII : 0);

	add(buf, "%s%.200s", before, text ? text : "?");
	free(text);
}

/* "34.7 % (34.6 % to 34.9 %) at /web1" */
static void add_value(char buf[GATE_SENTENCE], const struct judged *j, bool ascii)
{
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN];

	add(buf, "%s", amount(a, j->value, j->unit));
	amount(b, j->low, j->unit);
	amount(c, j->high, j->unit);
	if (strcmp(a, b) != 0 || strcmp(a, c) != 0)
		add(buf, " (%s to %s)", b, c);
	if (j->shown && j->shown->where)
		add_name(buf, j->shown->where[0] == '/' ? " at " : " on ", j->shown->where, ascii);
}

static void add_limit(char buf[GATE_SENTENCE], const struct judged *j)
{
	char a[NUM_LEN], b[NUM_LEN];

	if (!j->from || isnan(j->limit_low))
		return;
	amount(a, j->limit_low, j->unit);
	amount(b, j->limit_high, j->unit);
	add(buf, ", limit %s", a);
	if (strcmp(a, b) != 0)
		add(buf, " to %s", b);
}

static void add_runs(char buf[GATE_SENTENCE], const struct judged *j, const struct gate *g)
{
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN];

	if (g->nruns < 2 || !j->from || isnan(j->median))
		return;
	add(buf, "; %zu of %zu runs over; min %s, median %s, max %s", j->over, g->nruns,
	    amount(a, j->min, j->unit), amount(b, j->median, j->unit), amount(c, j->max, j->unit));
}

const char *gate__sentence(char buf[GATE_SENTENCE], const struct judged *j, const struct gate *g,
			   bool ascii)
{
	buf[0] = '\0';
	if (!isnan(j->value)) {
		add_value(buf, j, ascii);
		add_limit(buf, j);
		add_runs(buf, j, g);
		if (j->shown && j->shown->left_out)
			add(buf, "; %zu with too few events left out", j->shown->left_out);
	}
	if (j->why[0])
		add_name(buf, buf[0] ? "; " : "", j->why, ascii);
	return buf;
}

const char *gate__summary(char *buf, size_t n, const struct gate *g)
{
	const char *s = g->njudged == 1 ? "" : "s";
	size_t at;

	if (g->result == GATE_PASSED) {
		snprintf(buf, n, "passed, %zu condition%s", g->njudged, s);
		return buf;
	}
	at = (size_t)snprintf(buf, n, "%s, %zu of %zu condition%s", gate_result__name(g->result),
			      g->nfailed ? g->nfailed : g->nuntold, g->njudged, s);
	if (g->nfailed && g->nuntold)
		snprintf(buf + at, n - at, "; %zu cannot be told", g->nuntold);
	return buf;
}

/* Text that a condition is called by: what was typed, shown. NULL: no memory. */
static char *name_of(const struct judged *j, bool ascii)
{
	return text_display(j->text, strlen(j->text), ascii ? TEXT_ASCII : 0);
}

static size_t widest(const struct gate *g)
{
	size_t width = 0;

	for (size_t i = 0; i < g->njudged; i++) {
		size_t len = strlen(g->judged[i].text);

		if (len > width && len <= CONDITION_WIDTH)
			width = len;
	}
	return width;
}

static int ended(FILE *f)
{
	errno = 0;
	return fflush(f) || ferror(f) ? -(errno ? errno : EIO) : 0;
}

int view__gate_text(FILE *f, const struct gate *g, const struct gate_opts *o)
{
	char text[GATE_SENTENCE];
	size_t width = widest(g);
	int err = 0;

	for (size_t i = 0; i < g->njudged; i++) {
		const struct judged *j = &g->judged[i];
		char *name = name_of(j, o->ascii);

		if (!name)
			return -ENOMEM;
		fprintf(f, "%-11s  %-*s  %s\n", gate_result__name(j->result), (int)width, name,
			gate__sentence(text, j, g, o->ascii));
		free(name);
	}
	if (o->annotate)
		err = view__gate_annotations(f, g, o);
	fprintf(f, "gate: %s\n", gate__summary(text, sizeof(text), g));
	return err ? err : ended(f);
}

/* Of a workflow command: what would end it is escaped, and more in a property. */
static void escape(FILE *f, const char *text, bool property)
{
	for (; *text; text++) {
		if (strchr("%\r\n", *text) || (property && strchr(":,", *text)))
			fprintf(f, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, f);
	}
}

int view__gate_annotations(FILE *f, const struct gate *g, const struct gate_opts *o)
{
	char text[GATE_SENTENCE];

	for (size_t i = 0; i < g->njudged; i++) {
		const struct judged *j = &g->judged[i];
		char *name;

		if (j->result == GATE_PASSED)
			continue;
		name = name_of(j, o->ascii);
		if (!name)
			return -ENOMEM;
		fputs(j->result == GATE_FAILED ? "::error " : "::warning ", f);
		if (j->from && j->from->file) {
			fputs("file=", f);
			escape(f, j->from->file, true);
			fprintf(f, ",line=%u,", j->from->line);
		}
		fprintf(f, "title=memcgtop gate %s::", gate_result__name(j->result));
		escape(f, name, false);
		fputs(": ", f);
		escape(f, gate__sentence(text, j, g, o->ascii), false);
		fputc('\n', f);
		free(name);
	}
	return ended(f);
}
