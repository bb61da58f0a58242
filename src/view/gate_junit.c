// SPDX-License-Identifier: GPL-2.0-only
/* A gate's result as JUnit XML: one testcase a condition. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/gate.h"
#include "view/number.h"

/*
 * Text is what text_display() left, without control characters; in an attribute
 * quotes end it as well. XML knows neither U+FFFE nor U+FFFF.
 */
static void put_escaped(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (!strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3)) {
			fputs("\xef\xbf\xbd", f);
			text += 2;
			continue;
		}
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			fputc(*text, f);
		}
	}
}

static int put_attribute(FILE *f, const char *name, const char *text, bool ascii)
{
	char *shown = text_display(text, strlen(text), ascii ? TEXT_ASCII : 0);

	if (!shown)
		return -ENOMEM;
	fprintf(f, " %s=\"", name);
	put_escaped(f, shown);
	fputc('"', f);
	free(shown);
	return 0;
}

/* Seconds as the schema's decimal: no exponent, no commas. */
static void put_seconds(FILE *f, double seconds)
{
	uint64_t ms = seconds > 0 && seconds < 1e12 ? (uint64_t)llround(seconds * 1000) : 0;

	fprintf(f, " time=\"%" PRIu64 ".%03" PRIu64 "\"", ms / 1000, ms % 1000);
}

static int put_property(FILE *f, const char *name, const char *value, bool ascii)
{
	int err;

	fprintf(f, "   <property name=\"%s\"", name);
	err = put_attribute(f, "value", value, ascii);
	fputs("/>\n", f);
	return err;
}

static int put_case(FILE *f, const struct judged *j, const struct gate *g, bool ascii)
{
	const char *element = j->result == GATE_FAILED ? "failure" : "error";
	char text[GATE_SENTENCE];
	int err;

	fputs("  <testcase", f);
	err = put_attribute(f, "name", j->text, ascii);
	fputs(" classname=\"memcgtop.gate\"", f);
	put_seconds(f, 0);
	gate__sentence(text, j, g, ascii);
	if (j->result == GATE_PASSED) {
		fputs(">\n   <system-out>", f);
		put_escaped(f, text);
		fputs("</system-out>\n  </testcase>\n", f);
		return err;
	}
	fprintf(f, ">\n   <%s message=\"", element);
	put_escaped(f, text);
	fprintf(f, "\" type=\"%s\">", j->result == GATE_FAILED ? "limit" : "cannot_tell");
	put_escaped(f, text);
	fprintf(f, "</%s>\n  </testcase>\n", element);
	return err;
}

static void put_counts(FILE *f, const struct gate *g)
{
	fprintf(f, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", g->njudged, g->nfailed,
		g->nuntold);
}

int view__gate_junit(FILE *f, const struct gate *g, const struct gate_opts *o)
{
	char number[NUM_LEN], date[NUM_LEN] = "";
	int err;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"memcgtop\"", f);
	put_counts(f, g);
	put_seconds(f, g->seconds);
	fputs(">\n <testsuite name=\"memcgtop.gate\"", f);
	put_counts(f, g);
	fputs(" skipped=\"0\"", f);
	put_seconds(f, g->seconds);
	/* the schema's dates have no fraction and no zone */
	if (num__utc(date, g->start_ms))
		fprintf(f, " timestamp=\"%.19s\"", date);
	err = put_attribute(f, "hostname", g->hostname[0] ? g->hostname : "localhost", o->ascii);
	fputs(">\n  <properties>\n", f);
	if (!err)
		err = put_property(f, "kernel", g->kernel, o->ascii);
	snprintf(number, sizeof(number), "%zu", g->nruns);
	if (!err)
		err = put_property(f, "runs", number, o->ascii);
	fputs("  </properties>\n", f);
	for (size_t i = 0; i < g->njudged && !err; i++)
		err = put_case(f, &g->judged[i], g, o->ascii);
	fputs(" </testsuite>\n</testsuites>\n", f);
	if (err)
		return err;
	errno = 0;
	return fflush(f) || ferror(f) ? -(errno ? errno : EIO) : 0;
}
