// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run as "key: value" lines, as the robots of kernel performance take the
 * output of a monitor. They know no null: what is not known has no line.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "view/compare.h"

static void put(FILE *f, const char *key, double v)
{
	char buf[NUM_LEN];

	if (isfinite(v))
		fprintf(f, "%s: %s\n", key, num__json(buf, v));
}

int view__lkp(FILE *f, const struct model *m)
{
	const struct per per = {.what = PER_SECOND};
	const struct comparison c = {.per = per};
	struct run r;
	size_t n;
	const struct measure *list = measures__all(&n);
	int err = run__init(&r, m, "", true);

	put(f, "duration_s", m->seconds);
	put(f, "trustworthy", m->quality.grade != GRADE_UNTRUSTED);
	put(f, "missed_ratio", m->quality.missed_ratio);
	for (size_t i = 0; i < n && !err; i++) {
		const struct measure *x = &list[i];
		const struct compared row = {.measure = x,
					     .key = x->key,
					     .divided = x->kind == MEASURE_COUNT ||
							x->kind == MEASURE_TIME};
		char key[LABEL_LEN];

		/* its two parts have their own */
		if (measure__only_between_kernels(x))
			continue;
		put(f, compare__robot_key(key, &c, &row),
		    row.divided ? r.values[i] / r.seconds : r.values[i]);
	}
	run__release(&r);
	errno = 0;
	if (fflush(f) || ferror(f))
		return errno ? -errno : -EIO;
	return err;
}
