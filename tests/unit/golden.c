// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"

static void write_anew(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static char *whole(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text;
	long n;

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	text = calloc((size_t)n + 1, 1);
	assert_int_equal(fread(text, 1, (size_t)n, f), n);
	fclose(f);
	return text;
}

void golden__compare(const char *text, const char *file)
{
	const char *top = getenv("TOP");
	char path[256], *expected;

	snprintf(path, sizeof(path), "%s/tests/golden/%s", top ? top : ".", file);
	if (getenv("REGENERATE")) {
		write_anew(path, text);
		return;
	}
	expected = whole(path);
	if (strcmp(expected, text))
		print_error("%s differs; REGENERATE=1 writes it anew\n", path);
	assert_string_equal(text, expected);
	free(expected);
}
