// SPDX-License-Identifier: GPL-2.0-only
/* Elements, and what stands in them. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/html.h"
#include "view/number.h"

void html__raw(struct html *h, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vfprintf(h->f, fmt, args);
	va_end(args);
}

/* Clean text, which has no control characters and is UTF-8. */
static void escaped(struct html *h, const char *text)
{
	for (; *text; text++) {
		const char *entity = *text == '&'    ? "&amp;"
				     : *text == '<'  ? "&lt;"
				     : *text == '>'  ? "&gt;"
				     : *text == '"'  ? "&quot;"
				     : *text == '\'' ? "&#39;"
						     : NULL;

		if (entity)
			fputs(entity, h->f);
		else
			fputc(*text, h->f);
	}
}

static void put_shown(struct html *h, const char *bytes, size_t n, unsigned int flags)
{
	char *shown = text_display(bytes, n, flags | (h->o->ascii ? TEXT_ASCII : 0));

	if (shown)
		escaped(h, shown);
	else
		h->failed = true;
	free(shown);
}

void html__put(struct html *h, const char *text)
{
	put_shown(h, text, strlen(text), 0);
}

void html__put_bytes(struct html *h, const char *bytes, size_t n)
{
	put_shown(h, bytes, n, TEXT_UNESCAPE);
}

void html__percent(struct html *h, const char *attribute, double share)
{
	char buf[NUM_LEN];

	html__raw(h, " %s=\"%s%%\"", attribute, num__fixed(buf, share * 100, 2));
}

void html__cgroup(struct html *h, const struct row *r)
{
	if (r->state == ROW_IS_OTHER) {
		html__raw(h, "(other)");
		return;
	}
	html__raw(h, "<bdi>");
	if (r->path)
		html__put_bytes(h, r->path, r->path_len);
	else
		html__raw(h, "(id %" PRIu64 ")", r->id);
	html__raw(h, "</bdi>%s", r->state == ROW_DELETED ? " (deleted)" : "");
}

void html__cgroup_id(struct html *h, uint64_t id)
{
	const struct row *r = id ? sample__row(h->m->end, id) : NULL;

	if (r)
		html__cgroup(h, r);
	else if (id)
		html__raw(h, "(id %" PRIu64 ")", id);
	else
		html__raw(h, "(other)");
}

void html__head_cell(struct html *h, const char *text, const char *help, const char *class)
{
	html__raw(h, "<th scope=\"%s\" class=\"%s\"", class[0] == 'c' ? "col" : "row", class);
	if (help) {
		html__raw(h, " title=\"");
		html__put(h, help);
		html__raw(h, "\"");
	}
	html__raw(h, ">");
	/* a heading may break behind the words of a key */
	for (size_t n; class[0] == 'c' && text[n = strcspn(text, "_")]; text += n + 1) {
		html__put_bytes(h, text, n + 1);
		html__raw(h, "<wbr>");
	}
	html__put(h, text);
	html__raw(h, "</th>");
}

void html__table(struct html *h, const char *caption, const struct html_column *columns)
{
	html__raw(h, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
	html__put(h, caption);
	html__raw(h, "\"><table>\n<caption>");
	html__put(h, caption);
	html__raw(h, "</caption>\n<thead><tr>");
	for (; columns->title; columns++)
		html__head_cell(h, columns->title, columns->help,
				columns->left ? "col left" : "col");
	html__raw(h, "</tr></thead>\n<tbody>\n");
}

void html__table_end(struct html *h)
{
	html__raw(h, "</tbody></table></div>\n");
}

void html__row(struct html *h)
{
	html__raw(h, "<tr>");
}

void html__row_end(struct html *h)
{
	html__raw(h, "</tr>\n");
}

void html__cell(struct html *h, const char *text)
{
	html__raw(h, "<td>");
	html__put(h, text);
	html__raw(h, "</td>");
}

void html__word(struct html *h, const char *text)
{
	html__raw(h, "<td class=\"left\">");
	html__put(h, text);
	html__raw(h, "</td>");
}

static void dash(struct html *h, const char *why, const char *class)
{
	size_t i = 0;

	while (why && i < h->nwhys && strcmp(h->whys[i].text, why))
		i++;
	html__raw(h, "<td class=\"%s\" title=\"", class);
	html__put(h, why ? why : "no events");
	if (why && i < h->nwhys)
		html__raw(h, "\"><a class=\"why\" href=\"#why-%zu\">-</a></td>", i + 1);
	else
		html__raw(h, "\">-</td>");
}

void html__dash(struct html *h, const char *why)
{
	dash(h, why, "none");
}

void html__no_word(struct html *h, const char *why)
{
	dash(h, why, "none left");
}

char *html__sentences(struct html *h, void (*part)(struct page *p, const struct model *m))
{
	/* So wide that nothing wraps. */
	struct page p = {.width = 1 << 20};
	char *text = NULL;
	size_t n;

	p.f = open_memstream(&text, &n);
	if (p.f) {
		part(&p, h->m);
		if (fclose(p.f) || p.failed)
			h->failed = true;
	}
	if (!text)
		h->failed = true;
	return text;
}

char *html__next_line(char **text)
{
	char *line = *text + strspn(*text, "\n");
	size_t n = strcspn(line, "\n");

	if (!n)
		return NULL;
	*text = line + n + (line[n] == '\n');
	line[n] = '\0';
	return line;
}

char *html__next_sentence(char **text, size_t indent, char **label)
{
	char *line = html__next_line(text);
	size_t gap;

	if (!line)
		return NULL;
	gap = strcspn(line, " ");
	*label = gap < indent ? line : line + strlen(line);
	if (gap >= indent)
		return line;
	line[gap] = '\0';
	return line + gap + 1 + strspn(line + gap + 1, " ");
}
