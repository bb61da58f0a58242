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

enum verb { VERB_NONE, VERB_REPORT, VERB_DOCTOR };
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML };

#define DURATION_INF	 UINT64_MAX
#define OPTION_WIDTH_MAX 10000
/* Of --sample 1/N: what timing adds to a charge and uncharge is then a third of what counting does. */
#define SAMPLE_DEFAULT	 8

struct options {
	enum verb verb;
	char **tool_argv;
	bool help;
	bool version;
	bool sort_help; /* -s help */
	bool quiet;
	bool no_color;
	bool ascii;
	bool ignore_failure;
	bool no_time;
	bool cpus;		 /* --cpus: every CPU and its stock */
	uint64_t hold_budget_ns; /* --hold-budget; 0: the default */
	uint64_t interval_ns;	 /* -i; 0: the default */
	enum format format;
	uint64_t duration_ns; /* 0: the default; DURATION_INF: until a signal */
	int width;	      /* 0: find out */
	int rows;	      /* 0: the default */
	const char *sort;
	const char *filter;
	const char *out;
	const char *read; /* -r */
	const char *save;
	struct live_options live;
	char **command; /* NULL-terminated, or NULL */
};

/* 0, or -1 with the error set (status 2). */
int options__parse(struct options *o, int argc, char **argv, struct error *e);

/* The help of a verb, or of the program. */
void options__help(enum verb verb);

/*
 * "10", "1.5s", "250ms", "2m", "1h" or "inf" in ns. 0, or -EINVAL: no number,
 * zero, negative, an exponent, or above a year.
 */
int duration__parse(const char *text, uint64_t *ns);

#endif
