/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of counts, rates and shares, one or two of them beside each other.
 * Private to src/view.
 */
#ifndef MEMCGTOP_VIEW_SIDES_H
#define MEMCGTOP_VIEW_SIDES_H

#include "model/model.h"
#include "view/number.h"
#include "view/page.h"

#define SIDE_LINES 64

struct side_line {
	char label[40];
	char count[NUM_LEN]; /* "-": it is not measured; "": the label heads those below it */
	char rate[NUM_LEN];
	char share[NUM_LEN];
};

struct side {
	const char *heading;
	struct side_line lines[SIDE_LINES];
	size_t n;
};

/* Count and rate, and the share of base (0: none). si: in three digits. */
void side__count(struct side_line *l, uint64_t count, double seconds, double base, bool si);

/* Whether both, or one if b is NULL, fit the page with all columns, below one another. */
bool sides__fit(const struct page *p, const struct side *a, const struct side *b);

/*
 * Beside each other where there is room, else below one another; of a page that
 * is narrower still the share goes first, then the rate. b may be NULL.
 */
void sides__print(struct page *p, const struct side *a, const struct side *b);

/* The key of what the report shows a share of beside that one, or NULL. */
const char *sides__base(const char *key);

#endif
