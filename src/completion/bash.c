// SPDX-License-Identifier: GPL-2.0-only
#include "completion/completion.h"
#include "options_table.h"

/* bash makes words of "=" and of what stands around it: --format=json is three. */
static const char head[] =
	"# Completes memcgtop in bash. Made by: memcgtop completion bash\n"
	"_memcgtop()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} verb='' prev='' kind=words words='' options='' i\n"
	"\n"
	"\tCOMPREPLY=()\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tcase \"$verb:${COMP_WORDS[i]}\" in\n"
	"\t\t*:=) continue ;;\n"
	"\t\t:-q | :-v | :--quiet | :--verbose) continue ;;\n"
	"\t\t:-* | replayed:-*) verb=top ;;\n"
	"\t\t:* | replayed:*) verb=${COMP_WORDS[i]} ;;\n"
	"\t\treplay:[!-]*) verb=replayed ;;\n"
	"\t\treport:-- | record:-- | gate:--)\n"
	"\t\t\tif declare -F _command_offset > /dev/null; then\n"
	"\t\t\t\t_command_offset $((i + 1))\n"
	"\t\t\telse\n"
	"\t\t\t\tkind=c\n"
	"\t\t\t\t((i + 1 < COMP_CWORD)) && kind=f\n"
	"\t\t\t\tmapfile -t COMPREPLY < <(compgen -$kind -- \"$cur\")\n"
	"\t\t\tfi\n"
	"\t\t\treturn\n"
	"\t\t\t;;\n"
	"\t\tesac\n"
	"\t\tprev=${COMP_WORDS[i]}\n"
	"\tdone\n"
	"\t[ \"$cur\" = = ] && cur=''\n"
	"\n";

static const char tail[] =
	"\tesac\n"
	"\tcase $kind in\n"
	"\twords)\n"
	"\t\t[[ $cur == -* || -z $words ]] && words+=\" $options\"\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	"\t\t;;\n"
	"\tkey) mapfile -t COMPREPLY < <(compgen -W \"$keys help\" -- \"$cur\") ;;\n"
	"\tkeys)\n"
	"\t\tprev=''\n"
	"\t\t[[ $cur == *,* ]] && prev=${cur%,*},\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -P \"$prev\" -W \"why$keys\" -- \"${cur##*,}\")\n"
	"\t\tcompopt -o nospace 2> /dev/null\n"
	"\t\t;;\n"
	"\tfile | directory)\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -A \"$kind\" -- \"$cur\")\n"
	"\t\tcompopt -o filenames 2> /dev/null\n"
	"\t\t;;\n"
	"\tesac\n"
	"}\n"
	"complete -F _memcgtop memcgtop\n";

static void put_options(FILE *f, enum verb verb)
{
	const char *gap = "";

	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!option__is_of(r, verb))
			continue;
		fprintf(f, "%s--%s", gap, r->name);
		if (option__is_short(r))
			fprintf(f, " -%c", r->key);
		gap = " ";
	}
}

/* What is at the place where no option has its argument. */
static void put_verb(FILE *f, const struct verb_row *v)
{
	fprintf(f, "\t%s)\n\t\toptions='", v->name);
	put_options(f, v->verb);
	fputs("'\n", f);
	if (v->verb == VERB_REPLAY || v->verb == VERB_COMPARE)
		fputs("\t\t[[ $cur == -* ]] || kind='file'\n", f);
	if (v->choices)
		fprintf(f, "\t\t[ \"$prev\" = %s ] && words='%s'\n", v->name, v->choices);
	fputs("\t\t;;\n", f);
}

static void put_argument(FILE *f, const char *verb, const struct option_row *r)
{
	static const char *const kinds[] = {
		[ARG_NONE] = "",	 [ARG_FILE] = "file",	 [ARG_DIRECTORY] = "directory",
		[ARG_DURATION] = "none", [ARG_NUMBER] = "none",	 [ARG_KEY] = "key",
		[ARG_KEYS] = "keys",	 [ARG_CHOICE] = "words", [ARG_GLOB] = "none",
		[ARG_OTHER] = "none",
	};

	fprintf(f, "\t%s:--%s", verb, r->name);
	if (option__is_short(r))
		fprintf(f, " | %s:-%c", verb, r->key);
	fprintf(f, ") kind='%s'", kinds[r->kind]);
	if (r->choices)
		fprintf(f, " words='%s'", r->choices);
	fputs(" ;;\n", f);
}

void completion__bash(FILE *f)
{
	fputs(head, f);
	fputs("\tlocal keys='", f);
	completion__keys(f, " ");
	fputs("'\n\n\tcase $verb in\n\t'')\n\t\twords='", f);
	for (size_t i = 0; i < nverb_rows; i++)
		fprintf(f, "%s%s", i ? " " : "", verb_rows[i].name);
	fputs("'\n\t\toptions='", f);
	put_options(f, VERB_TOP);
	fputs("'\n\t\t;;\n\treplayed)\n\t\twords='top report gate'\n\t\toptions='", f);
	put_options(f, VERB_TOP);
	fputs("'\n\t\t;;\n", f);
	for (size_t i = 0; i < nverb_rows; i++)
		put_verb(f, &verb_rows[i]);
	fputs("\tesac\n\tcase $verb:$prev in\n", f);
	for (size_t i = 0; i < nverb_rows; i++)
		for (size_t j = 0; j < noption_rows; j++)
			if (option_rows[j].arg && option__is_of(&option_rows[j], verb_rows[i].verb))
				put_argument(f, verb_rows[i].name, &option_rows[j]);
	fputs(tail, f);
}
