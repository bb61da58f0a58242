// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "options_table.h"

#define HELP_LEFT  29 /* columns of the options, and of the whole */
#define HELP_WIDTH 80
#define VERB_LEFT  13 /* of the verbs */

/* An option and what it does, in lines that fit. */
static void put_help(const char *left, const char *help)
{
	int column = printf("  %-*s", HELP_LEFT - 2, left);

	while (*help) {
		int n = (int)strcspn(help, " ");

		if (column > HELP_LEFT && column + 1 + n > HELP_WIDTH)
			column = printf("\n%*s", HELP_LEFT, "") - 1;
		column += printf("%s%.*s", column > HELP_LEFT ? " " : "", n, help);
		help += n + (int)strspn(help + n, " ");
	}
	printf("\n");
}

static void put_verbs(void)
{
	printf("\nMeasures what Linux does to charge sockets and other memory to memory cgroups.\n"
	       "memcgtop VERB --help tells more, memcgtop top --help of the screen, which is\n"
	       "shown if no verb is given; man memcgtop tells all.\n\n");
	for (size_t i = 0; i < nverb_rows; i++)
		printf("  %-*s%s\n", VERB_LEFT - 2, verb_rows[i].name, verb_rows[i].summary);
}

static void put_options(enum verb verb)
{
	char left[40];

	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *r = &option_rows[i];
		bool is_short = option__is_short(r);

		if (!option__is_of(r, verb))
			continue;
		snprintf(left, sizeof(left), "%c%c%c --%s%s%s", is_short ? '-' : ' ',
			 is_short ? r->key : ' ', is_short ? ',' : ' ', r->name, r->arg ? " " : "",
			 r->arg ? r->arg : "");
		put_help(left, r->help);
	}
}

void options__help(enum verb verb)
{
	const char *lead = "usage:";

	for (size_t i = 0; i < nverb_rows; i++) {
		if (verb != VERB_NONE && verb != verb_rows[i].verb)
			continue;
		printf("%-6s memcgtop %s\n", lead, verb_rows[i].usage);
		lead = "";
	}
	if (verb == VERB_NONE)
		put_verbs();
	for (size_t i = 0; i < nverb_rows; i++)
		if (verb == verb_rows[i].verb)
			printf("\n%s\n", verb_rows[i].help);
	printf("\n");
	put_options(verb);
	if (verb == VERB_GATE) {
		printf("\nExit status: 0 passed; 1 a limit was crossed; 2 wrong usage; 3 cannot "
		       "be\n"
		       "measured here; 4 nobody can tell: too few events, too many missed calls, "
		       "CMD\n"
		       "failed, cut short, or result not written.\n");
		return;
	}
	printf("\nExit status: 0 done; 2 wrong usage; 3 cannot be measured here; 4 measured but\n"
	       "not to be trusted, result not written, or CMD failed.\n");
}
