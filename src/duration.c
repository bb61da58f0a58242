// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "options.h"

#define NS_PER_MS 1000000ull
#define NS_MAX	  (366ull * 24 * 3600 * 1000 * NS_PER_MS)

/* Decimal digits only: strtod would take 1e30, nan and 0x10, and ask the locale. */
int duration__parse(const char *text, uint64_t *ns)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = {
		{"", 1000 * NS_PER_MS},
		{"ms", NS_PER_MS},
		{"s", 1000 * NS_PER_MS},
		{"m", 60 * 1000 * NS_PER_MS},
		{"h", 3600 * 1000 * NS_PER_MS},
		{"us", 1000},
		{"ns", 1},
	};
	uint64_t whole = 0, part = 0, scale = 1;
	const char *p = text;
	size_t i;

	if (!strcmp(text, "inf")) {
		*ns = DURATION_INF;
		return 0;
	}
	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	for (; isdigit((unsigned char)*p); p++) {
		whole = whole * 10 + (uint64_t)(*p - '0');
		if (whole > NS_MAX)
			return -EINVAL;
	}
	if (*p == '.') {
		if (!isdigit((unsigned char)*++p))
			return -EINVAL;
		for (; isdigit((unsigned char)*p); p++) {
			/* below a nanosecond nothing counts */
			if (scale < 1000000000) {
				part = part * 10 + (uint64_t)(*p - '0');
				scale *= 10;
			}
		}
	}
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(p, units[i].suffix))
			continue;
		if (whole > NS_MAX / units[i].ns)
			return -EINVAL;
		/* scale divides the unit, or the rest is below a nanosecond */
		*ns = whole * units[i].ns + (uint64_t)((long double)part / scale * units[i].ns);
		return *ns ? 0 : -EINVAL;
	}
	return -EINVAL;
}
