// SPDX-License-Identifier: GPL-2.0-only
/* Prints what compare's verdict can say as an mdoc list, for the @CHANGES@ line of memcgtop-compare.1.in. */
#include <stdio.h>

#include "compare/changes.h"

static void condition(const struct change_condition *k)
{
	printf(".It\n%s ", k->key);
	switch (k->how) {
	case CHANGE_UP:
		puts("rose");
		break;
	case CHANGE_DOWN:
		puts("fell");
		break;
	case CHANGE_SAME:
		puts("is known on both sides and did not change");
		break;
	case CHANGE_B_ABOVE:
		printf("is above %g in B\n", k->limit);
		break;
	case CHANGE_B_BELOW:
		printf("is below %g in B\n", k->limit);
		break;
	}
}

int main(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < nchange_rules; i++) {
		const struct change_rule *r = &change_rules[i];

		printf(".It Cm %s\n%s.\n", r->name, r->help);
		if (r->yields_to)
			printf("Left out behind\n.Cm %s .\n", r->yields_to);
		puts(".Bl -bullet -compact");
		for (const struct change_condition *k = r->conditions; k->key; k++)
			condition(k);
		puts(".El");
	}
	puts(".El");
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
