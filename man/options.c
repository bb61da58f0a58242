// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the options of a verb as an mdoc list, for the @OPTIONS@ line of its
 * page: options VERB FILE. What each does in a sentence comes from the table of
 * options, as in --help, so that the two cannot differ; what there is to say
 * beyond stands in FILE, behind a line "%NAME [VERB]...", for the option --NAME of
 * these verbs or of all. Runs at build time.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options_table.h"

#define LINE_LEN 256

static const char *page; /* the verb's name, or memcgtop */

/* Upper case in --help, an argument here. */
static size_t argument(const char *word, const char **name)
{
	static const struct {
		const char *word, *name;
	} all[] = {{"CMD", "command"}, {"FILE", "file"}, {"N", "n"}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t len = strlen(all[i].word);

		*name = all[i].name;
		if (!strncmp(word, all[i].word, len) && !isalnum((unsigned char)word[len]) &&
		    word[len] != '_')
			return len;
	}
	return 0;
}

/* A macro's line: the rest is punctuation, or belongs to the word. */
static void macro(bool *begun, const char *name, const char *text, size_t len, const char *rest)
{
	printf("%s.%s %.*s", *begun ? "\n" : "", name, (int)len, text);
	if (*rest)
		printf(" %s%s", strspn(rest, ",.;:)") == strlen(rest) ? "" : "Ns ", rest);
	putchar('\n');
	*begun = false;
}

/* What --help says, as a sentence. */
static void sentence(const char *help)
{
	char text[LINE_LEN], *state, *word;
	bool begun = false, first = true;

	snprintf(text, sizeof(text), "%s.", help);
	for (word = strtok_r(text, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		const char *name;
		size_t len = argument(word, &name);

		if (first)
			word[0] = (char)toupper((unsigned char)word[0]);
		first = false;
		if (len) {
			macro(&begun, "Ar", name, strlen(name), word + len);
		} else if (word[0] == '-' && word[1]) {
			len = strcspn(word, ",.;:)");
			macro(&begun, "Fl", word + 1, len - 1, word + len);
		} else {
			printf("%s%s%s", begun ? " " : "",
			       !begun && strchr(".'", word[0]) ? "\\&" : "", word);
			begun = true;
		}
	}
	if (begun)
		putchar('\n');
}

static void heading(const struct option_row *r)
{
	fputs(".It ", stdout);
	if (option__is_short(r))
		printf("Fl %c , ", r->key);
	printf("Fl -%s", r->name);
	if (r->choices) {
		fputs(" Cm ", stdout);
		for (const char *c = r->choices; *c; c++)
			printf("%s", *c == ' ' ? " | " : (char[2]){*c, '\0'});
	} else if (r->arg && !strcmp(r->arg, "1/N")) {
		fputs(" Cm 1/ Ns Ar n", stdout);
	} else if (r->arg) {
		fputs(" Ar ", stdout);
		for (const char *c = r->arg; *c; c++)
			putchar(tolower((unsigned char)*c));
	}
	putchar('\n');
}

/* Is the line "%NAME [VERB]..." of that option, and of this page? */
static bool is_about(const char *line, const char *name)
{
	char copy[LINE_LEN], *state, *word;

	snprintf(copy, sizeof(copy), "%s", line + 1);
	word = strtok_r(copy, " \n", &state);
	if (!word || strcmp(word, name) != 0)
		return false;
	word = strtok_r(NULL, " \n", &state);
	if (!word)
		return true;
	for (; word; word = strtok_r(NULL, " \n", &state))
		if (!strcmp(word, page))
			return true;
	return false;
}

static void prose(FILE *f, const char *name)
{
	char line[LINE_LEN];
	bool on = false;

	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '%')
			on = is_about(line, name);
		else if (on)
			fputs(line, stdout);
	}
}

/* What is said of an option that there is no more would be lost unseen. */
static bool is_known(const char *line)
{
	size_t len = strcspn(line + 1, " \n");

	for (size_t i = 0; i < noption_rows; i++)
		if (strlen(option_rows[i].name) == len &&
		    !strncmp(option_rows[i].name, line + 1, len))
			return true;
	fprintf(stderr, "no option --%s", line + 1);
	return false;
}

static bool all_known(FILE *f)
{
	char line[LINE_LEN];
	bool known = true;

	while (fgets(line, sizeof(line), f))
		if (line[0] == '%')
			known &= is_known(line);
	return known;
}

int main(int argc, char **argv)
{
	const struct verb_row *v = argc == 3 ? verb__find(argv[1]) : NULL;
	FILE *f = argc == 3 ? fopen(argv[2], "r") : NULL;

	if (!f || !all_known(f))
		return 1;
	page = argv[1];
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!option__is_of(r, v ? v->verb : VERB_NONE))
			continue;
		heading(r);
		sentence(r->help);
		prose(f, r->name);
	}
	puts(".El");
	fclose(f);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
