/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line: one table of options, from which parsing and every --help
 * come.
 */
#ifndef MEMCGTOP_OPTIONS_H
#define MEMCGTOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "probe/live.h"

enum verb {
	VERB_NONE,
	VERB_TOP,
	VERB_REPORT,
	VERB_RECORD,
	VERB_REPLAY, /* of its --help; else it is the verb behind FILE */
	VERB_DOCTOR,
	VERB_COMPLETION,
	VERB_COMPARE,
	VERB_GATE,
};
enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_HTML,
	FORMAT_LKP,
	FORMAT_CSV,
	FORMAT_MARKDOWN,
	FORMAT_TAP,
	FORMAT_JUNIT,
};

#define DURATION_INF	 UINT64_MAX
#define OPTION_WIDTH_MAX 10000
#define COUNT_MAX	 1000000000ull /* of -n */
/* Of --sample 1/N: what timing adds to a charge and uncharge is then a third of what counting does. */
#define SAMPLE_DEFAULT	 8

#define TOP_INTERVAL_NS	   2000000000ull
#define RECORD_INTERVAL_NS 1000000000ull
#define INTERVAL_LEAST_NS  10000000ull

/* A time in a recording. */
struct time_point {
	enum { WHEN_NONE, WHEN_SINCE_START, WHEN_CLOCK } how;
	uint64_t ns; /* since the start; or of the day, in local time */
};

#define LIST_MAX 64
#define RUNS_MAX 1000

/* What an option that may be repeated was given. */
struct list {
	const char *text[LIST_MAX];
	size_t n;
};

/* Of gate. */
struct gate_options {
	struct list fail_if;
	struct list configs;
	struct list reads;	   /* -r: a run each */
	const char *max_miss_rate; /* the limit, as typed */
	const char *baseline;
	uint64_t min_events;
	double max_missed; /* 0 to 1 */
	uint64_t warmup_ns;
	uint64_t runs;
	const char *junit;
	bool annotate;
};

struct options {
	enum verb verb;
	bool no_verb; /* none was typed: it is top */
	bool replay;  /* as replay FILE; read is FILE */
	char **tool_argv;
	bool help;
	bool version;
	bool sort_help;	   /* -s help */
	bool columns_help; /* --columns help */
	bool quiet;
	bool no_color;
	bool ascii;
	bool ignore_failure;
	bool no_time;
	bool cpus;		 /* --cpus: every CPU and its stock */
	uint64_t hold_budget_ns; /* --hold-budget; 0: the default */
	uint64_t interval_ns;	 /* -i, and -d of top; 0: report's default, else it is filled in */
	enum format format;
	uint64_t duration_ns; /* 0: report's default; DURATION_INF: until a signal, or CMD's end */
	bool batch;	      /* -b, or --json of top */
	bool tree;
	bool full_names;
	uint64_t count;	     /* -n: intervals; 0: no end */
	const char *columns; /* --columns: keys with commas between, all of them right; or NULL */
	int width;	     /* 0: find out */
	int rows;	     /* 0: the default */
	const char *sort;
	const char *filter;
	const char *out;
	const char *read; /* -r, or FILE of replay */
	const char *save;
	const char *record;	/* --record */
	struct time_point from; /* --from, --to */
	struct time_point to;
	const char *shell; /* of completion */
	/* of compare */
	const char *sides[2];
	const char *per; /* --per; NULL: by time */
	bool per_help;	 /* --per help */
	bool all;	 /* -a */
	struct gate_options gate;
	struct list metrics; /* --metric: NAME=REGEX, all of them right */
	struct live_options live;
	char **command; /* NULL-terminated, or NULL */
};

/* 0, or -1 with the error set (status 2). */
int options__parse(struct options *o, int argc, char **argv, struct error *e);

/* The length of NAME in NAME=REGEX. */
size_t metric__name_len(const char *metric);

/* The help of a verb, or of the program. */
void options__help(enum verb verb);

/*
 * "10", "1.5s", "250ms", "2m", "1h" or "inf" in ns. 0, or -EINVAL: no number,
 * zero, negative, an exponent, or above a year.
 */
int duration__parse(const char *text, uint64_t *ns);

/*
 * "90", "1m30s" and "0" since a recording's start, or "14:02" and "14:02:31"
 * by the clock. 0, or -EINVAL.
 */
int when__parse(const char *text, struct time_point *w);

/*
 * In ns since the start of a recording that began at start_wall_ms (ms since the
 * epoch): a time by the clock is the first such after the start. May lie beyond
 * its end. w->how is not WHEN_NONE.
 */
uint64_t when__since_start(const struct time_point *w, int64_t start_wall_ms);

#endif
