// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "completion/completion.h"
#include "model/fields.h"

void completion__print(FILE *f, const char *shell)
{
	if (!strcmp(shell, "bash"))
		completion__bash(f);
	else if (!strcmp(shell, "zsh"))
		completion__zsh(f);
	else
		completion__fish(f);
}

void completion__keys(FILE *f, const char *before)
{
	for (size_t i = 0; i < nfields; i++)
		if (fields[i].in & IN_CGROUP)
			fprintf(f, "%s%s", before, fields[i].key);
}

void completion__escape(FILE *f, const char *text, const char *specials)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", f); /* ends, one that stands alone, begins again */
		else if (strchr(specials, *text))
			fputc('\\', f);
		fputc(*text, f);
	}
}
