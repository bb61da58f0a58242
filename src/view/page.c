// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/page.h"

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

#define NARROW_INDENT 2

void page__bold(struct page *p, bool on)
{
	if (p->color && on != p->bold)
		fputs(on ? BOLD : PLAIN, p->f);
	p->bold = on;
}

/* The bytes of a character, which is UTF-8, and its columns. */
static size_t character(const char *text, int *columns)
{
	char one[8];
	size_t n = 1;

	while (n < sizeof(one) - 1 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n++;
	memcpy(one, text, n);
	one[n] = '\0';
	*columns = page__width(one);
	return n;
}

static void next_line(struct page *p)
{
	const bool bold = p->bold;

	/* No line leaves it to the next to end what is bold. */
	page__bold(p, false);
	fprintf(p->f, "\n%*s", p->indent, "");
	page__bold(p, bold);
	p->column = p->indent;
	p->begun = false;
}

/* A word that no line has room for: it fills this one and those that it needs. */
static void put_chopped(struct page *p, const char *word)
{
	if (p->begun)
		p->column += fprintf(p->f, " ");
	p->begun = true;
	while (*word) {
		int columns;
		size_t n = character(word, &columns);

		if (p->column + columns > p->width)
			next_line(p);
		p->column += columns;
		fwrite(word, 1, n, p->f);
		word += n;
	}
}

/* Writes the word that waits; it waits because a comma may still belong to it. */
static void put_pending(struct page *p)
{
	int columns;

	if (!p->pending)
		return;
	for (char *c = p->pending; *c; c++)
		if (*c == PAGE_GAP[0])
			*c = ' ';
	columns = page__width(p->pending);
	if (p->chop && p->indent + columns > p->width) {
		put_chopped(p, p->pending);
		free(p->pending);
		p->pending = NULL;
		return;
	}
	if (p->begun && p->column + 1 + columns > p->width) {
		next_line(p);
	} else if (p->begun) {
		fputc(' ', p->f);
		p->column++;
	}
	fputs(p->pending, p->f);
	p->begun = true;
	p->column += columns;
	free(p->pending);
	p->pending = NULL;
}

/* One word, or several that PAGE_GAP keeps together. */
static void put_word(struct page *p, const char *word, size_t n)
{
	char *whole;

	if (!p->pending || !strchr(",;:", *word))
		put_pending(p);
	if (asprintf(&whole, "%s%.*s", p->pending ? p->pending : "", (int)n, word) < 0) {
		p->failed = true;
		return;
	}
	free(p->pending);
	p->pending = whole;
}

static void put_words(struct page *p, const char *fmt, va_list args)
{
	char *text;

	if (vasprintf(&text, fmt, args) < 0) {
		p->failed = true;
		return;
	}
	for (const char *s = text; *s;) {
		size_t n = strcspn(s, " ");

		if (n)
			put_word(p, s, n);
		s += n + strspn(s + n, " ");
	}
	free(text);
}

void page__open(struct page *p, const char *label, int indent)
{
	int gap, len = (int)strlen(label);

	if (p->width < PAGE_NARROW && indent > NARROW_INDENT)
		indent = NARROW_INDENT;
	gap = indent - len;
	if (len && gap < 1 && label[len - 1] != ' ')
		gap = 1;
	if (p->parted)
		page__blank(p);
	p->parted = false;
	p->top = false;
	p->indent = indent;
	p->column = len + (gap > 0 ? gap : 0);
	p->begun = false;
	if (*label) {
		page__bold(p, true);
		fputs(label, p->f);
		page__bold(p, false);
	}
	fprintf(p->f, "%*s", gap > 0 ? gap : 0, "");
}

char *page__glue(char *text)
{
	for (char *s = text; *s; s++)
		if (*s == ' ')
			*s = PAGE_GAP[0];
	return text;
}

void page__words(struct page *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_words(p, fmt, args);
	va_end(args);
}

void page__close(struct page *p)
{
	put_pending(p);
	page__bold(p, false);
	fputc('\n', p->f);
	p->column = 0;
}

void page__para(struct page *p, const char *label, const char *fmt, ...)
{
	va_list args;

	page__open(p, label, PAGE_INDENT);
	va_start(args, fmt);
	put_words(p, fmt, args);
	va_end(args);
	page__close(p);
}

void page__heading(struct page *p, const char *line)
{
	p->top = false;
	page__bold(p, true);
	fputs(line, p->f);
	page__bold(p, false);
	fputc('\n', p->f);
}

void page__blank(struct page *p)
{
	if (!p->top)
		fputc('\n', p->f);
	p->top = false;
}

void page__part(struct page *p)
{
	p->parted = true;
}

char *page__elide(struct page *p, const char *text, int columns)
{
	char *s = text_elide(text, columns > 0 ? (size_t)columns : 0, p->ascii ? TEXT_ASCII : 0);

	if (!s)
		p->failed = true;
	return s;
}

static char *display(struct page *p, const char *bytes, size_t n, int columns, unsigned int flags)
{
	char *whole = text_display(bytes, n, flags | (p->ascii ? TEXT_ASCII : 0));
	char *s = whole ? page__elide(p, whole, columns) : NULL;

	free(whole);
	if (!s)
		p->failed = true;
	return s;
}

char *page__name(struct page *p, const char *bytes, size_t n, int columns)
{
	return display(p, bytes, n, columns, TEXT_UNESCAPE | TEXT_BACKSLASH);
}

char *page__command(struct page *p, const char *bytes, size_t n, int columns)
{
	return display(p, bytes, n, columns, 0);
}

int page__width(const char *text)
{
	return (int)text_width(text);
}

int page__finish(struct page *p)
{
	errno = 0;
	if (fflush(p->f) || ferror(p->f))
		return errno ? -errno : -EIO;
	return p->failed ? -ENOMEM : 0;
}
