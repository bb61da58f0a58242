/* SPDX-License-Identifier: GPL-2.0-only */
/* What completes a command line in a shell, made of the table of options. */
#ifndef MEMCGTOP_COMPLETION_H
#define MEMCGTOP_COMPLETION_H

#include <stdio.h>

/* The script of that shell: bash, zsh or fish. The caller looks at ferror(). */
void completion__print(FILE *f, const char *shell);

#endif
