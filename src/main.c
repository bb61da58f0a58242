// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "main.h"
#include "model/fields.h"

static void list_sort_keys(void)
{
	size_t i;

	for (i = 0; i < nfields; i++)
		if (fields[i].in & IN_CGROUP)
			printf("%-22s %s\n", fields[i].key, fields[i].help);
}

static int run(const struct options *o, struct error *e)
{
	if (o->help)
		options__help(o->verb);
	else if (o->version)
		printf("memcgtop %s\n", MEMCGTOP_VERSION);
	else if (o->sort_help)
		list_sort_keys();
	else
		return o->verb == VERB_DOCTOR ? verb_doctor(o, e) : verb_report(o, e);
	if (fflush(stdout) || ferror(stdout))
		return error__set(e, STATUS_UNTRUSTED, "cannot write to standard output: %s",
				  error__text(errno ? errno : EIO));
	return STATUS_OK;
}

int main(int argc, char **argv)
{
	struct error e = {};
	struct options o;
	int status = -1;

	/* how wide a character is; numbers stay in the C locale */
	setlocale(LC_CTYPE, "");

	if (!options__parse(&o, argc, argv, &e))
		status = run(&o, &e);
	if (status >= 0)
		return status;
	error__say("%s", e.text);
	return e.status;
}
