// SPDX-License-Identifier: GPL-2.0-only
#include "completion.h"

void completion__print(FILE *f, const char *shell)
{
	(void)f;
	(void)shell;
}
