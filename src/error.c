// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

#define CUT " ... "

/* Arguments may be as long as they like: the middle goes, as the remedy stands last. */
static void put(char *to, size_t size, const char *text)
{
	size_t len = strlen(text), half = (size - sizeof(CUT)) / 2;

	if (len < size)
		memcpy(to, text, len + 1);
	else
		snprintf(to, size, "%.*s" CUT "%s", (int)half, text, text + len - half);
}

int error__set(struct error *e, enum status status, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	if (e->text[0])
		return -1;
	e->status = status;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	put(e->text, sizeof(e->text), text ? text : "out of memory");
	free(text);
	return -1;
}

void error__say(const char *fmt, ...)
{
	char *text, *c;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	/* names are quoted as they are: it stays one line, and no terminal obeys it */
	for (c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	fprintf(stderr, "memcgtop: %s\n", text);
	free(text);
}

const char *error__text(int err)
{
	err = abs(err);
	if (err == 524)
		return "operation not supported by this kernel (524)";
	return strerror(err);
}
