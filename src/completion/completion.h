/* SPDX-License-Identifier: GPL-2.0-only */
/* What completes a command line in a shell, made of the tables of options and of measures. */
#ifndef MEMCGTOP_COMPLETION_H
#define MEMCGTOP_COMPLETION_H

#include <stdio.h>

/* The script of that shell: bash, zsh or fish. The caller looks at ferror(). */
void completion__print(FILE *f, const char *shell);

void completion__bash(FILE *f);
void completion__zsh(FILE *f);
void completion__fish(FILE *f);

/* The keys of the measures that cgroups have, each with the text before it. */
void completion__keys(FILE *f, const char *before);

/* As it stands between single quotes, in all three shells; a backslash is put before any of the specials. */
void completion__escape(FILE *f, const char *text, const char *specials);

#endif
