// SPDX-License-Identifier: GPL-2.0-only
#include "options_compare.h"

int options__sides(struct options *o, char **args, struct error *e)
{
	if (!args[0] || !args[1])
		return error__set(e, STATUS_USAGE,
				  "compare needs two sides: memcgtop compare A B, each a file, a "
				  "directory of runs or a quoted glob");
	if (args[2])
		return error__set(e, STATUS_USAGE,
				  "compare takes two sides, not more: several runs of a side are a "
				  "directory, or a glob in quotes, as in memcgtop compare 'a/*' "
				  "'b/*'");
	o->sides[0] = args[0];
	o->sides[1] = args[1];
	return 0;
}
