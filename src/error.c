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

/* The errors that libbpf has beside those of errno: enum libbpf_errno in its header. */
static const char *const libbpf_texts[] = {
	"libelf cannot read it",
	"not in the format of BPF or BTF",
	"the kernel version in it is wrong",
	"made for the other byte order",
	"an error inside libbpf",
	"a reference in the program cannot be resolved",
	"the kernel did not take the program",
	"the kernel's verifier refused the program",
	"the program is too large for this kernel",
	"made for another kernel version",
	"this kernel has no such type of program",
	"netlink answered another process",
	"netlink answered out of order",
	"an answer of netlink cannot be read",
};

const char *error__text(int err)
{
	const int base = 4000, n = sizeof(libbpf_texts) / sizeof(libbpf_texts[0]);

	err = abs(err);
	if (err == 524)
		return "operation not supported by this kernel (524)";
	if (err >= base && err < base + n)
		return libbpf_texts[err - base];
	return strerror(err);
}
