// SPDX-License-Identifier: GPL-2.0-only
/* A gate's result as TAP 13, with a YAML block for what has not passed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/gate.h"
#include "view/number.h"

/* A # would begin a directive, and ours are conditions about globs. */
static void put_name(FILE *f, const char *name)
{
	for (; *name; name++) {
		if (strchr("#\\", *name))
			fputc('\\', f);
		fputc(*name, f);
	}
}

/* In double quotes, as YAML has JSON's. Control characters are escaped already. */
static void put_quoted(FILE *f, const char *key, const char *text)
{
	fprintf(f, "  %s: \"", key);
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			fputc('\\', f);
		fputc(*text, f);
	}
	fputs("\"\n", f);
}

static void put_number(FILE *f, const char *key, double v)
{
	char buf[NUM_LEN];

	fprintf(f, "  %s: %s\n", key, isfinite(v) ? num__json(buf, v) : "null");
}

static void put_diagnostics(FILE *f, const struct judged *j, const struct gate *g, bool ascii)
{
	char text[GATE_SENTENCE];

	fputs("  ---\n", f);
	put_quoted(f, "message", gate__sentence(text, j, g, ascii));
	fprintf(f, "  severity: %s\n", j->result == GATE_FAILED ? "fail" : "unknown");
	put_quoted(f, "result", gate_result__name(j->result));
	put_number(f, "value", j->value);
	put_number(f, "low", j->low);
	put_number(f, "high", j->high);
	put_number(f, "limit", j->limit_high);
	fprintf(f, "  runs: %zu\n  over: %zu\n  ...\n", g->nruns, j->over);
}

int view__gate_tap(FILE *f, const struct gate *g, const struct gate_opts *o)
{
	char text[GATE_SENTENCE];

	fprintf(f, "TAP version 13\n1..%zu\n", g->njudged);
	for (size_t i = 0; i < g->njudged; i++) {
		const struct judged *j = &g->judged[i];
		char *name = text_display(j->text, strlen(j->text), o->ascii ? TEXT_ASCII : 0);

		if (!name)
			return -ENOMEM;
		fprintf(f, "%sok %zu - ", j->result == GATE_PASSED ? "" : "not ", i + 1);
		put_name(f, name);
		fputc('\n', f);
		if (j->result != GATE_PASSED)
			put_diagnostics(f, j, g, o->ascii);
		free(name);
	}
	fprintf(f, "# gate: %s\n", gate__summary(text, sizeof(text), g));
	errno = 0;
	return fflush(f) || ferror(f) ? -(errno ? errno : EIO) : 0;
}
