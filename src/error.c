// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

int error__set(struct error *e, enum status status, const char *fmt, ...)
{
	va_list ap;

	if (e->text[0])
		return -1;
	e->status = status;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	return -1;
}

const char *error__text(int err)
{
	err = abs(err);
	if (err == 524)
		return "operation not supported by this kernel (524)";
	return strerror(err);
}
