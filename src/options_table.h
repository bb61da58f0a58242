/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options and the verbs, as data: parsing, every --help, the OPTIONS of
 * each man page and the completions of the shells come from here.
 */
#ifndef MEMCGTOP_OPTIONS_TABLE_H
#define MEMCGTOP_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/* Keys of options without a short name. */
enum {
	OPT_FORMAT = 256,
	OPT_JSON,
	OPT_ROWS,
	OPT_SAVE,
	OPT_NO_STAT,
	OPT_VERIFY,
	OPT_MAX_CGROUPS,
	OPT_EMPTY_PROBES,
	OPT_CGROUP_ROOT,
	OPT_BTF,
	OPT_IGNORE_FAILURE,
	OPT_ASCII,
	OPT_NO_TIME,
	OPT_SAMPLE,
	OPT_LOCK,
	OPT_DRAINS,
	OPT_RSTAT,
	OPT_HOLD_BUDGET,
	OPT_CPUS,
	OPT_HTML,
	OPT_FULL_NAMES,
	OPT_COLUMNS,
	OPT_RECORD,
	OPT_FROM,
	OPT_TO,
	OPT_PER,
	/* of gate */
	OPT_FAIL_IF,
	OPT_MAX_MISS_RATE,
	OPT_CONFIG,
	OPT_BASELINE,
	OPT_MIN_EVENTS,
	OPT_MAX_MISSED,
	OPT_WARMUP,
	OPT_RUNS,
	OPT_METRIC,
	OPT_TAP,
	OPT_JUNIT,
	OPT_ANNOTATE,
};

/* What an argument is, for who completes it. */
enum arg_kind {
	ARG_NONE,
	ARG_FILE,
	ARG_DIRECTORY,
	ARG_DURATION,
	ARG_NUMBER,
	ARG_KEY,    /* of a measure */
	ARG_KEYS,   /* several, with commas between */
	ARG_CHOICE, /* one of choices */
	ARG_GLOB,
	ARG_OTHER,
};

/* A name may stand in several rows, for different verbs; of VERB_NONE are those of the program. */
struct option_row {
	int key; /* the short name, or OPT_ */
	const char *name;
	const char *arg; /* NULL: takes none */
	enum arg_kind kind;
	unsigned verbs; /* bits of enum verb */
	const char *help;
	const char *choices; /* of ARG_CHOICE, with spaces between */
};

#define OPTION_ROWS_MAX 96

extern const struct option_row option_rows[];
extern const size_t noption_rows;

struct verb_row {
	const char *name;
	enum verb verb;
	const char *usage;
	const char *summary; /* a line, for the list of verbs */
	const char *help;    /* what it does, in lines that fit */
	const char *choices; /* its argument is one of these, with spaces between; or NULL */
};

extern const struct verb_row verb_rows[];
extern const size_t nverb_rows;

/* Has the option a short name? */
static inline bool option__is_short(const struct option_row *r)
{
	return r->key < 256;
}

static inline bool option__is_of(const struct option_row *r, enum verb verb)
{
	return r->verbs & 1u << verb;
}

/* The name as it is typed; "" of VERB_NONE. */
const char *verb__name(enum verb verb);

/* Does it run CMD? */
static inline bool verb__runs(enum verb verb)
{
	return verb == VERB_REPORT || verb == VERB_RECORD || verb == VERB_GATE;
}

/* The verb with what it cannot do without, to stand in front of -- CMD: "record -o FILE". */
const char *verb__example(enum verb verb);

/* NULL: there is none of that name. */
const struct verb_row *verb__find(const char *name);

/*
 * The verbs of a set as words, "top, report and doctor", with last (" and ",
 * " or ") before the last one. Returns buf.
 */
char *verb__list(unsigned verbs, const char *last, char *buf, size_t n);

#endif
