// SPDX-License-Identifier: GPL-2.0-only
#include "completion/completion.h"
#include "options_table.h"

static const char head[] = "# Completes memcgtop in fish. Made by: memcgtop completion fish\n"
			   "\n"
			   "# The verb that the word at the cursor belongs to; none, replayed "
			   "(behind FILE) and command\n"
			   "# (behind --) are others.\n"
			   "function __memcgtop_verb\n"
			   "\tset -l verb none\n"
			   "\tfor word in (commandline -opc)[2..]\n"
			   "\t\tswitch $verb:$word\n"
			   "\t\t\tcase none:-q none:-v none:--quiet none:--verbose\n"
			   "\t\t\tcase 'none:-*' 'replayed:-*'\n"
			   "\t\t\t\tset verb top\n"
			   "\t\t\tcase 'none:*' 'replayed:*'\n"
			   "\t\t\t\tset verb $word\n"
			   "\t\t\tcase 'replay:-*'\n"
			   "\t\t\tcase 'replay:*'\n"
			   "\t\t\t\tset verb replayed\n"
			   "\t\t\tcase report:-- record:-- gate:--\n"
			   "\t\t\t\tset verb command\n"
			   "\t\tend\n"
			   "\tend\n"
			   "\techo $verb\n"
			   "end\n"
			   "\n"
			   "function __memcgtop_is\n"
			   "\tcontains -- (__memcgtop_verb) $argv\n"
			   "end\n"
			   "\n"
			   "function __memcgtop_keys\n"
			   "\tprintf '%s\\n'";

static const char columns[] =
	"\n"
	"end\n"
	"\n"
	"function __memcgtop_columns\n"
	"\tset -l before (string match -r '^.*,' -- (commandline -ct | string replace -r "
	"'^--[a-z]*=' ''))\n"
	"\tprintf \"$before\"'%s\\n' why (__memcgtop_keys)\n"
	"end\n"
	"\n"
	"complete -c memcgtop -f\n"
	"complete -c memcgtop -n '__memcgtop_is replay' -F\n"
	"complete -c memcgtop -n '__memcgtop_is compare' -F\n"
	"complete -c memcgtop -n '__memcgtop_is replayed' -a 'top report gate'\n"
	"complete -c memcgtop -n '__memcgtop_is command' -F -a '(__fish_complete_command)'\n";

static void put_argument(FILE *f, const struct option_row *r)
{
	switch (r->kind) {
	case ARG_NONE:
		return;
	case ARG_FILE:
		fputs(" -r -F", f);
		return;
	case ARG_DIRECTORY:
		fputs(" -x -a '(__fish_complete_directories)'", f);
		return;
	case ARG_KEY:
		fputs(" -x -a 'help (__memcgtop_keys)'", f);
		return;
	case ARG_KEYS:
		fputs(" -x -a '(__memcgtop_columns)'", f);
		return;
	case ARG_CHOICE:
		fprintf(f, " -x -a '%s'", r->choices);
		return;
	default:
		fputs(" -x", f);
	}
}

/* Options of top may stand where its verb is left out. */
static void put_option(FILE *f, const struct option_row *r)
{
	fputs("complete -c memcgtop -n '__memcgtop_is", f);
	if (option__is_of(r, VERB_TOP))
		fputs(" none replayed", f);
	for (size_t i = 0; i < nverb_rows; i++)
		if (option__is_of(r, verb_rows[i].verb))
			fprintf(f, " %s", verb_rows[i].name);
	fputc('\'', f);
	if (option__is_short(r))
		fprintf(f, " -s %c", r->key);
	fprintf(f, " -l %s", r->name);
	put_argument(f, r);
	fputs(" -d '", f);
	completion__escape(f, r->help, "\\");
	fputs("'\n", f);
}

void completion__fish(FILE *f)
{
	fputs(head, f);
	completion__keys(f, " ");
	fputs(columns, f);
	for (size_t i = 0; i < nverb_rows; i++) {
		const struct verb_row *v = &verb_rows[i];

		fprintf(f, "complete -c memcgtop -n '__memcgtop_is none' -a %s -d '", v->name);
		completion__escape(f, v->summary, "\\");
		fputs("'\n", f);
		if (v->choices)
			fprintf(f, "complete -c memcgtop -n '__memcgtop_is %s' -a '%s'\n", v->name,
				v->choices);
	}
	for (size_t i = 0; i < noption_rows; i++)
		put_option(f, &option_rows[i]);
}
