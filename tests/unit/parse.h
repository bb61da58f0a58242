/* SPDX-License-Identifier: GPL-2.0-only */
/* Command lines for tests: taken, or refused with words. */
#ifndef MEMCGTOP_TEST_PARSE_H
#define MEMCGTOP_TEST_PARSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "options.h"

/* getopt reads argv[]; "memcgtop" stands in front. */
#define ARGS_MAX 24

struct parsed {
	struct options o; /* points into argv[] of the last parse() */
	struct error e;
	int rc;
};

static inline struct parsed parse(const char *const *args)
{
	static char *argv[ARGS_MAX];
	struct parsed p = {};
	int n = 1;

	argv[0] = (char *)"memcgtop";
	for (; *args; args++)
		argv[n++] = (char *)*args;
	assert_true(n < ARGS_MAX);
	argv[n] = NULL;
	p.rc = options__parse(&p.o, n, argv, &p.e);
	return p;
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static inline void is_wrong(struct parsed p, const char *words)
{
	if (!p.rc || p.e.status != STATUS_USAGE || !strstr(p.e.text, words))
		fail_msg("%d, status %d, \"%s\": not about \"%s\"", p.rc, p.e.status, p.e.text,
			 words);
}

static inline void is_right(struct parsed p)
{
	if (p.rc || p.e.text[0])
		fail_msg("\"%s\"", p.e.text);
}

#endif
