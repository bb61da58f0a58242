/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of text: a stream that knows its width, so that running text wraps
 * and headings are bold where colour is wanted.
 */
#ifndef MEMCGTOP_VIEW_PAGE_H
#define MEMCGTOP_VIEW_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A space at which a line does not break: "0.04" PAGE_GAP "%". No shown name contains it. */
#define PAGE_GAP "\037"

#define PAGE_INDENT 9  /* of running text behind its label */
#define PAGE_NARROW 50 /* below this width texts are indented less */

struct page {
	FILE *f;
	int width;
	bool color;
	bool ascii;
	int indent; /* of the running text's next lines */
	int column;
	bool bold;     /* what comes next is */
	bool begun;    /* a word stands in this line */
	bool chop;     /* what is longer than a line is broken within words */
	bool top;      /* nothing was written: no blank line comes first */
	bool parted;   /* a blank line is owed */
	char *pending; /* the last word, not written yet */
	bool failed;   /* out of memory: the page is not whole */
};

/* Running text: the label in bold, then words, wrapped with that indent. */
void page__open(struct page *p, const char *label, int indent);
void page__words(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page__close(struct page *p);

/* Turns the text's spaces into PAGE_GAP: it stays on one line. Returns it. */
char *page__glue(char *text);

/* A whole paragraph. */
void page__para(struct page *p, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A line as it is, in bold. */
void page__heading(struct page *p, const char *line);
void page__bold(struct page *p, bool on); /* until off or the end of the paragraph */
void page__blank(struct page *p);

/* A blank line before the next running text, if there will be any. */
void page__part(struct page *p);

/*
 * A name of any bytes as it is shown: escaped, and elided in the middle to at
 * most `columns`. Free it. NULL: out of memory, and the page has failed.
 */
char *page__name(struct page *p, const char *bytes, size_t n, int columns);

/* The same of a command line: its own backslashes stay single. */
char *page__command(struct page *p, const char *bytes, size_t n, int columns);

/* The same of text that is clean already. */
char *page__elide(struct page *p, const char *text, int columns);

/* Columns that clean text takes. */
int page__width(const char *text);

/* Flushes. 0 or a negative errno. */
int page__finish(struct page *p);

#endif
