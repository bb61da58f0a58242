// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "compare/measures.h"
#include "completion/completion.h"
#include "main.h"
#include "model/fields.h"

static void list_keys(bool columns)
{
	size_t i;

	if (columns)
		printf("%-22s %s\n", "why", "The reason of most misses");
	for (i = 0; i < nfields; i++)
		if (fields[i].in & IN_CGROUP)
			printf("%-22s %s\n", fields[i].key, fields[i].help);
}

/* What --per takes. */
static void list_counts(void)
{
	size_t n;
	const struct measure *list = measures__all(&n);

	printf("%-22s %s\n", "work", "What CMD did, by --metric of the run");
	for (size_t i = 0; i < n; i++)
		if (list[i].kind == MEASURE_COUNT && !measure__only_between_kernels(&list[i]))
			printf("%-22s %s\n", list[i].key, list[i].part ? "" : list[i].field->help);
}

static int measure_or_show(const struct options *o, struct error *e)
{
	switch (o->verb) {
	case VERB_DOCTOR:
		return verb_doctor(o, e);
	case VERB_REPORT:
		return verb_report(o, e);
	case VERB_COMPARE:
		return verb_compare(o, e);
	case VERB_GATE:
		return verb_gate(o, e);
	case VERB_RECORD:
		return verb_record(o, e);
	default:
		return verb_top(o, e);
	}
}

static int run(const struct options *o, struct error *e)
{
	if (o->help)
		options__help(o->verb);
	else if (o->version)
		printf("memcgtop %s\n", MEMCGTOP_VERSION);
	else if (o->sort_help || o->columns_help)
		list_keys(o->columns_help);
	else if (o->per_help)
		list_counts();
	else if (o->verb == VERB_COMPLETION)
		completion__print(stdout, o->shell);
	else
		return measure_or_show(o, e);
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
