// SPDX-License-Identifier: GPL-2.0-only
#include "main.h"

int verb_top(const struct options *o, struct error *e)
{
	(void)o;
	return error__set(e, STATUS_CANNOT, "top is not built yet");
}
