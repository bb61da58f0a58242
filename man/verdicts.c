// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the rules as an mdoc list, for the @VERDICTS@ line of memcgtop.1.in:
 * the manual's limits and those that are judged by cannot differ.
 */
#include <stdio.h>

#include "model/verdicts.h"

static void limit(const struct condition *c)
{
	static const char *const signs[] = {
		[COMPARE_ABOVE] = ">",
		[COMPARE_AT_LEAST] = ">=",
		[COMPARE_BELOW] = "<",
	};

	printf(".It\n%s %s ", c->what, signs[c->compare]);
	if (c->form == FORM_SHARE)
		printf("%g%%", 100 * c->limit);
	else
		printf("%.15g", c->limit);
	if (c->form == FORM_NS)
		fputs(" ns", stdout);
	printf("\n(%s)%s\n", c->from, c->or_next ? ", or" : "");
}

static void looked_at(const struct rule *r)
{
	static const char *const each[] = {
		[EACH_CPU] = "on each CPU that made as many",
		[EACH_CGROUP] = "for each cgroup",
	};

	if (r->each != EACH_NONE)
		printf("Looked at %s; the one with most\n.Cm %s\nis shown.\n", each[r->each],
		       r->worst);
}

int main(void)
{
	printf(".Pp\nFewer than %d charges in the window are too few to judge.\n", VERDICT_CHARGES);
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < nrules; i++) {
		const struct rule *r = &rules[i];

		printf(".It Cm %s\n%s.\n", r->name, r->help);
		looked_at(r);
		if (r->yields_to)
			printf("Left out where\n.Cm %s\nholds, which explains it.\n", r->yields_to);
		puts(".Bl -bullet -compact");
		for (const struct condition *c = r->conditions; c->what; c++)
			limit(c);
		puts(".El");
		if (r->url)
			printf("Seen in\n.Lk %s .\n", r->url);
	}
	puts(".El");
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
