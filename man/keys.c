// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the keys as mdoc lists, for the @KEYS@ line of memcgtop-top.1.in: the
 * manual and the screen cannot differ. Linked with all but main(); runs at
 * build time.
 */
#include <stdio.h>

#include "tui/keys.h"

/* What roff would take for something else. */
static void name(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '^')
			fputs("\\(ha", stdout);
		else if (*text == '\'' || *text == '.')
			printf("\\&%c", *text);
		else
			putchar(*text);
	}
}

static void item(const struct action *a)
{
	const char *gap = ".It ";
	char buf[KEY_NAME_LEN];

	for (const int *k = a->keys; *k; k++) {
		/* quoted: a key may be what mdoc takes for punctuation */
		printf("%sCm \"\\&", gap);
		name(key__name(buf, *k));
		putchar('"');
		gap = " , ";
	}
	printf("\n%s%s.\n", a->help[0] == '.' || a->help[0] == '\'' ? "\\&" : "", a->help);
}

int main(void)
{
	const char *end = "";

	for (size_t i = 0; i < nactions; i++) {
		const struct action *a = &actions[i];

		if (!a->run) {
			printf("%s.Ss %s%s\n.Bl -tag -width \"PgDn, \\(haF\" -compact\n", end,
			       a->help, a->when == WHEN_REPLAY ? ", of a recording" : "");
			end = ".El\n";
		} else if (a->help) {
			item(a);
		}
	}
	fputs(end, stdout);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
