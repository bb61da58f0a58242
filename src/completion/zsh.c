// SPDX-License-Identifier: GPL-2.0-only
#include "completion/completion.h"
#include "options_table.h"

/* words and CURRENT are cut down to the verb and what is behind it, as _arguments wants them. */
static const char tail[] =
	"\n"
	"_memcgtop() {\n"
	"\twhile (( CURRENT > 2 )) && [[ ${words[2]} == (-q|-v|--quiet|--verbose) ]]; do\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\tdone\n"
	"\tif (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then\n"
	"\t\t_memcgtop_verbs\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tif [[ ${words[2]} != -* ]]; then\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\telse\n"
	"\t\twords[1]=top\n"
	"\tfi\n"
	"\tif [[ ${words[1]} == replay ]] && (( CURRENT > 2 )) && [[ ${words[2]} != -* ]]; then\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\t\tif (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then\n"
	"\t\t\t_values verb top report gate\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\t\tif [[ ${words[2]} != -* ]]; then\n"
	"\t\t\tshift words\n"
	"\t\t\t(( CURRENT-- ))\n"
	"\t\telse\n"
	"\t\t\twords[1]=top\n"
	"\t\tfi\n"
	"\tfi\n"
	"\tif [[ ${words[1]} == (report|record|gate) ]] && (( words[(i)--] < CURRENT )); then\n"
	"\t\tlocal n=${words[(i)--]}\n"
	"\t\tshift $n words\n"
	"\t\t(( CURRENT -= n ))\n"
	"\t\t_normal\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tcase ${words[1]} in\n";

static const char end[] = "\tesac\n"
			  "}\n"
			  "\n"
			  "if [[ ${funcstack[1]} == _memcgtop ]]; then\n"
			  "\t_memcgtop \"$@\"\n"
			  "else\n"
			  "\tcompdef _memcgtop memcgtop\n"
			  "fi\n";

static const char *action(const struct option_row *r)
{
	switch (r->kind) {
	case ARG_FILE:
		return "_files";
	case ARG_DIRECTORY:
		return "_files -/";
	case ARG_KEY:
		return "_memcgtop_key";
	case ARG_KEYS:
		return "_sequence _memcgtop_keys";
	default:
		return " ";
	}
}

static void put_option(FILE *f, const struct option_row *r)
{
	fputs(" \\\n\t\t\t", f);
	if (option__is_short(r))
		fprintf(f, "'(-%c --%s)'{-%c%s,--%s%s}'[", r->key, r->name, r->key,
			r->arg ? "+" : "", r->name, r->arg ? "=" : "");
	else
		fprintf(f, "'--%s%s[", r->name, r->arg ? "=" : "");
	completion__escape(f, r->help, "\\[]");
	fputc(']', f);
	if (r->choices)
		fprintf(f, ":%s:(%s)", r->arg, r->choices);
	else if (r->arg)
		fprintf(f, ":%s:%s", r->arg, action(r));
	fputc('\'', f);
}

static void put_verb(FILE *f, const struct verb_row *v)
{
	fprintf(f, "\t%s)\n\t\t_arguments -s -S :", v->name);
	for (size_t i = 0; i < noption_rows; i++)
		if (option__is_of(&option_rows[i], v->verb))
			put_option(f, &option_rows[i]);
	if (v->choices)
		fprintf(f, " \\\n\t\t\t'1: :(%s)'", v->choices);
	if (v->verb == VERB_REPLAY)
		fputs(" \\\n\t\t\t'1:FILE:_files'", f);
	if (v->verb == VERB_COMPARE)
		fputs(" \\\n\t\t\t'1:A:_files' '2:B:_files'", f);
	fputs("\n\t\t;;\n", f);
}

void completion__zsh(FILE *f)
{
	fputs("#compdef memcgtop\n"
	      "# Completes memcgtop in zsh. Made by: memcgtop completion zsh\n"
	      "_memcgtop_verbs() {\n"
	      "\tlocal -a verbs=(",
	      f);
	for (size_t i = 0; i < nverb_rows; i++) {
		fprintf(f, "\n\t\t'%s:", verb_rows[i].name);
		completion__escape(f, verb_rows[i].summary, "\\:");
		fputc('\'', f);
	}
	fputs("\n\t)\n\t_describe verb verbs\n}\n\n_memcgtop_key() {\n\tcompadd \"$@\" help", f);
	completion__keys(f, " ");
	fputs("\n}\n\n_memcgtop_keys() {\n\tcompadd \"$@\" why", f);
	completion__keys(f, " ");
	fputs("\n}\n", f);
	fputs(tail, f);
	for (size_t i = 0; i < nverb_rows; i++)
		put_verb(f, &verb_rows[i]);
	fputs(end, f);
}
