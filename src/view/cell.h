/* SPDX-License-Identifier: GPL-2.0-only */
/* A value of the field table as a live table shows it: three digits, in few columns. */
#ifndef MEMCGTOP_VIEW_CELL_H
#define MEMCGTOP_VIEW_CELL_H

#include "model/model.h"
#include "view/number.h"

enum cell_mode {
	CELL_RATE,  /* counts a second */
	CELL_DELTA, /* counts of the interval */
	CELL_TOTAL, /* counts since the first sample: the model is of that window */
};

/* A column: a field, or, with field == NULL, the reason of most misses. */
struct column {
	const struct field *field;
};

/*
 * "1.84M", "4.9%", "5.31us", "0.35", "64KiB", "absent", or "-": unmeasured, no
 * events, or not of this scope. Writes into buf (NUM_LEN) and returns it.
 */
const char *cell__text(char *buf, const struct model *m, const struct column *c,
		       const struct scope *s, enum cell_mode mode);

/* A value of the field that is no rate, as a cell has it; "-" for NAN. Writes into buf (NUM_LEN). */
const char *cell__number(char *buf, const struct field *f, double v);

/* The heading: "CHARGE/s", "CHARGES", "MISS%", "WHY". */
const char *cell__title(char *buf, const struct column *c, enum cell_mode mode);

/* How many columns a value and its heading take at most. */
int cell__width(const struct column *c, enum cell_mode mode);

/* Whether counting, so that modes make a difference. */
bool cell__counts(const struct column *c);

/* The value by which its column is drawn over time; NAN: none. */
double cell__value(const struct model *m, const struct column *c, const struct scope *s,
		   enum cell_mode mode);

/* A column that a table of cgroups has by itself; in the tables' order. */
struct standard_column {
	const char *key; /* NULL: the reason of most misses */
	int keep;	 /* the lowest is dropped first where the page is narrow */
	bool live;	 /* of the first screen, else of the report alone */
};

extern const struct standard_column standard_columns[];
extern const size_t nstandard_columns;

/* Whether this machine has such a thing for cgroups, be it measured in this run or not. */
bool column__applies(const struct column *c, const struct model *m);

/* The columns of the first screen that apply to this model, best first. Returns how many. */
size_t columns__standard(struct column *to, size_t max, const struct model *m);

/*
 * Columns by a list of keys, "charges,miss_ratio,why". On a wrong one -EINVAL,
 * and *bad of size bad_size is the key. Returns how many.
 */
int columns__parse(struct column *to, size_t max, const char *list, char *bad, size_t bad_size);

#endif
