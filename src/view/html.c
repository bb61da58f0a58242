// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report as a page: one file without a script, that fetches nothing. The
 * sentences are those of the text, so that they are written in one place.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/html.h"
#include "view/text.h"

#define NOTE_INDENT 2 /* of text__notes() */

static bool cut(const struct model *m)
{
	return m->window->nintervals > 0;
}

static bool timed(const struct model *m)
{
	return m->times.taken;
}

static bool ran(const struct model *m)
{
	return m->times.nfunctions > 0;
}

static bool has_stock(const struct model *m)
{
	return m->end->stock.slots > 0;
}

static const struct section {
	const char *id;
	const char *title;
	bool (*applies)(const struct model *m); /* NULL: always */
	void (*put)(struct html *h);
} sections[] = {
	{"verdict", "Verdict", NULL, html__verdicts},
	{"about", "What was measured", NULL, html__about},
	{"time", "Over time", cut, html__strip},
	{"charges", "Charges and uncharges", NULL, html__charges},
	{"functions", "Time in functions", ran, html__times},
	{"histograms", "Histograms", timed, html__histograms},
	{"evictions", "Evictions", has_stock, html__evictions},
	{"drains", "Drains", has_stock, html__drains},
	{"statistic", "Statistic", NULL, html__statistic},
	{"sockets", "Sockets", NULL, html__sockets},
	{"cgroups", "Cgroups", NULL, html__cgroups},
	{"cpus", "CPUs", NULL, html__cpus},
	{"others", "Other measures", NULL, html__others},
	{"unmeasured", "Not measured", NULL, html__unmeasured},
};

#define NSECTIONS (sizeof(sections) / sizeof(sections[0]))

static bool shown(const struct section *s, const struct model *m)
{
	return !s->applies || s->applies(m);
}

/* The line "Looks like URL", with the address as a link. */
static bool put_link(struct html *h, const char *line, const char *url)
{
	size_t n = strlen(line), len = url ? strlen(url) : 0;

	if (!len || n < len || strcmp(line + n - len, url))
		return false;
	html__raw(h, "<p>");
	html__put_bytes(h, line, n - len);
	html__raw(h, "<a href=\"");
	html__put(h, url);
	html__raw(h, "\">");
	html__put(h, url);
	html__raw(h, "</a></p>\n");
	return true;
}

void html__verdicts(struct html *h)
{
	const struct verdicts *v = &h->m->verdicts;
	char *text = html__sentences(h, text__verdicts), *rest = text, *label, *line;
	size_t n = 0;

	while (text && (line = html__next_sentence(&rest, PAGE_INDENT, &label))) {
		if (*label) {
			html__raw(h, "%s<div class=\"verdict%s\">\n", n ? "</div>\n" : "",
				  n ? "" : " main");
			n++;
			html__raw(h, "<p class=\"head\">");
			html__put(h, line);
			html__raw(h, "</p>\n");
		} else if (!n || n > v->n || !put_link(h, line, v->list[n - 1].rule->url)) {
			html__raw(h, "<p>");
			html__put(h, line);
			html__raw(h, "</p>\n");
		}
	}
	html__raw(h, "%s", n ? "</div>\n" : "");
	free(text);
}

/* The lines above the tables, but the first, which is the title. */
void html__about(struct html *h)
{
	char *text = html__sentences(h, text__head), *rest = text, *label, *line;
	bool open = false;

	html__raw(h, "<dl>\n");
	if (text)
		html__next_line(&rest);
	while (text && (line = html__next_sentence(&rest, PAGE_INDENT, &label))) {
		if (*label) {
			html__raw(h, "%s<dt>", open ? "</dd>\n" : "");
			html__put(h, label);
			html__raw(h, "</dt>\n<dd>");
			open = true;
		} else {
			html__raw(h, "<br>\n");
		}
		html__put(h, line);
	}
	html__raw(h, "%s</dl>\n", open ? "</dd>\n" : "");
	free(text);
}

/* What a reader must know; the reasons for dashes, "- key: why", have a section of their own. */
static void notes(struct html *h)
{
	char *text = html__sentences(h, text__notes), *rest = text, *label, *line;

	while (text && (line = html__next_sentence(&rest, NOTE_INDENT, &label))) {
		if (*label == '-')
			continue;
		html__raw(h, "<p class=\"quiet\">");
		html__put(h, line);
		html__raw(h, "</p>\n");
	}
	free(text);
}

static void head(struct html *h, const char *title)
{
	html__raw(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		     "<meta name=\"color-scheme\" content=\"light dark\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		     "style-src 'unsafe-inline'\">\n<title>");
	html__put(h, title);
	html__raw(h, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", html_style);
	html__put(h, title);
	html__raw(h, "</h1>\n<nav aria-label=\"Sections\"><ul>\n");
	for (size_t i = 0; i < NSECTIONS; i++)
		if (shown(&sections[i], h->m))
			html__raw(h, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
				  sections[i].title);
	html__raw(h, "</ul></nav>\n</header>\n<main>\n");
}

/* The first line of the text: what ran, how long. */
static void put_head(struct html *h)
{
	char *text = html__sentences(h, text__head), *rest = text;
	char *title = text ? html__next_line(&rest) : NULL;

	head(h, title ? title : "memcgtop report");
	free(text);
}

int view__html(FILE *f, const struct model *m, const struct view_opts *o)
{
	struct html *h = calloc(1, sizeof(*h));
	bool failed;

	if (!h)
		return -ENOMEM;
	h->f = f;
	h->m = m;
	h->o = o;
	html__collect_gaps(h);
	put_head(h);
	for (size_t i = 0; i < NSECTIONS; i++) {
		if (!shown(&sections[i], m))
			continue;
		html__raw(h, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
			  sections[i].id, sections[i].id, sections[i].title);
		sections[i].put(h);
		html__raw(h, "</section>\n");
	}
	html__raw(h, "</main>\n<footer>\n");
	notes(h);
	html__raw(h, "</footer>\n</body>\n</html>\n");
	failed = h->failed;
	free(h);
	errno = 0;
	if (fflush(f) || ferror(f))
		return errno ? -errno : -EIO;
	return failed ? -ENOMEM : 0;
}
