// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzes the parser of conditions: what it refuses it explains, what it takes is whole. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gate/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct error e = {};
	struct expr x;

	if (!text)
		abort();
	if (expr__parse(&x, text, &e)) {
		if (!e.text[0] || e.status != STATUS_USAGE || x.text)
			abort();
	} else {
		if (e.text[0] || !isfinite(x.limit.value) || (!x.a.field && !x.a.metric[0]) ||
		    (x.in == IN_CGROUP) != !!x.glob)
			abort();
		expr__release(&x);
	}
	free(text);
	return 0;
}
