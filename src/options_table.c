// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "options_table.h"

#define REPORT	(1u << VERB_REPORT)
#define DOCTOR	(1u << VERB_DOCTOR)
#define TOP	(1u << VERB_TOP)
#define RECORD	(1u << VERB_RECORD)
#define GATE	(1u << VERB_GATE)
#define PROBING (TOP | REPORT | RECORD | GATE)
#define TOLD	(TOP | REPORT | DOCTOR)
#define RUNS	(REPORT | RECORD | GATE)
#define RUNNING (PROBING | DOCTOR)
#define COMPARE (1u << VERB_COMPARE)
#define ALL	(RUNNING | 1u << VERB_NONE | 1u << VERB_REPLAY | 1u << VERB_COMPLETION | COMPARE)

const struct option_row option_rows[] = {
	{OPT_FAIL_IF, "fail-if", "EXPR", ARG_OTHER, GATE,
	 "fail if this holds, such as 'miss_ratio > 2%'; may be repeated", NULL},
	{OPT_MAX_MISS_RATE, "max-miss-rate", "P", ARG_OTHER, GATE,
	 "the same as --fail-if 'miss_ratio > P', such as 2%", NULL},
	{OPT_CONFIG, "config", "FILE", ARG_FILE, GATE,
	 "conditions from there, one EXPR a line; # begins a comment", NULL},
	{OPT_BASELINE, "baseline", "FILE", ARG_FILE, GATE,
	 "what relative limits are of, such as +10%: a recording, or a window that --save stored",
	 NULL},
	{OPT_MIN_EVENTS, "min-events", "N", ARG_NUMBER, GATE,
	 "nobody can tell from fewer events (default 100)", NULL},
	{OPT_MAX_MISSED, "max-missed", "P", ARG_OTHER, GATE,
	 "nobody can tell if a hook missed more of its calls (default 10%)", NULL},
	{OPT_RUNS, "runs", "N", ARG_NUMBER, GATE, "measure so many times, and judge all of it",
	 NULL},
	{OPT_WARMUP, "warmup", "DURATION", ARG_DURATION, GATE,
	 "count only what comes after that time; CMD runs from its beginning", NULL},
	{'d', "duration", "DURATION", ARG_DURATION, GATE,
	 "how long to measure: 10, 1.5s, 250ms, 2m, 1h, inf (default 10s)", NULL},
	{'r', "read", "FILE", ARG_FILE, GATE,
	 "judge a recording, or a window that --save stored; more of them are more runs", NULL},
	{OPT_FORMAT, "format", "FORMAT", ARG_CHOICE, GATE, "text (default), json, tap or junit",
	 "text json tap junit"},
	{OPT_JSON, "json", NULL, ARG_NONE, GATE, "the same as --format json", NULL},
	{OPT_TAP, "tap", NULL, ARG_NONE, GATE, "the same as --format tap", NULL},
	{OPT_JUNIT, "junit", "FILE", ARG_FILE, GATE, "write JUnit there, beside the result", NULL},
	{OPT_ANNOTATE, "annotate", NULL, ARG_NONE, GATE,
	 "GitHub's ::error and ::warning as well, for what has not passed", NULL},
	{'o', "output", "FILE", ARG_FILE, GATE,
	 "write the result there, by way of a temporary file", NULL},
	{OPT_ASCII, "ascii", NULL, ARG_NONE, GATE, "no byte above 0x7f", NULL},
	{OPT_METRIC, "metric", "NAME=REGEX", ARG_OTHER, RUNS,
	 "a number that CMD prints: the first group of the regular expression, as in "
	 "'tps=([0-9.]+) per second'; may be repeated",
	 NULL},
	{'d', "delay", "DURATION", ARG_DURATION, TOP,
	 "how long an interval is: 2, 1.5s, 250ms, 1m, at least 10ms (default 2s; with -r: as "
	 "recorded)",
	 NULL},
	{'d', "duration", "DURATION", ARG_DURATION, REPORT,
	 "how long to measure: 10, 1.5s, 250ms, 2m, 1h, inf (default 10s)", NULL},
	{'d', "duration", "DURATION", ARG_DURATION, RECORD,
	 "how long to record: 10, 2m, 1h, inf (default inf: until ^C, or until CMD ends)", NULL},
	{'i', "interval", "DURATION", ARG_DURATION, TOP, "the same as -d", NULL},
	{'i', "interval", "DURATION", ARG_DURATION, REPORT,
	 "length of a step of the timeline (default: a 60th of -d, at least 1s)", NULL},
	{'i', "interval", "DURATION", ARG_DURATION, RECORD,
	 "how long an interval is: 1, 250ms, 1m, at least 10ms (default 1s)", NULL},
	{'n', "iterations", "N", ARG_NUMBER, TOP, "quit after N intervals", NULL},
	{'b', "batch", NULL, ARG_NONE, TOP,
	 "print a block of text an interval; so does an output that is no terminal", NULL},
	{OPT_JSON, "json", NULL, ARG_NONE, TOP,
	 "batch, as NDJSON: one document of JSON on a line, an interval each", NULL},
	{'o', "output", "FILE", ARG_FILE, RECORD,
	 "write the recording there; a FILE that is there becomes FILE.old", NULL},
	{OPT_NO_TIME, "no-time", NULL, ARG_NONE, PROBING, "count only, time nothing: cheaper",
	 NULL},
	{OPT_SAMPLE, "sample", "1/N", ARG_OTHER, PROBING,
	 "time one charge or uncharge in N, chosen at random (default 1/8; 1/1: all)", NULL},
	{OPT_LOCK, "lock", "HOW", ARG_CHOICE, PROBING,
	 "holds of the stock's lock: bound (default), or exact, with PREEMPT_RT only: hooks on "
	 "every spinlock",
	 "bound exact"},
	{OPT_DRAINS, "drains", NULL, ARG_NONE, PROBING,
	 "count the drains that found another one running: a hook on every mutex_trylock", NULL},
	{OPT_RSTAT, "rstat", NULL, ARG_NONE, PROBING, "count the updates of rstat: one more hook",
	 NULL},
	{OPT_NO_STAT, "no-stat", NULL, ARG_NONE, PROBING, "leave the statistic out: cheaper", NULL},
	{OPT_VERIFY, "verify", NULL, ARG_NONE, PROBING,
	 "check every charge against the slots, not only misses: one more hook", NULL},
	{OPT_MAX_CGROUPS, "max-cgroups", "N", ARG_NUMBER, PROBING,
	 "cgroups to count apart, the rest goes to (other) (default: 256 and twice what there is)",
	 NULL},
	{OPT_EMPTY_PROBES, "empty-probes", NULL, ARG_NONE, REPORT,
	 "attach programs that do nothing, to measure what the hooks cost", NULL},
	{OPT_IGNORE_FAILURE, "ignore-failure", NULL, ARG_NONE, RUNS, "do not fail because CMD did",
	 NULL},
	{OPT_SAVE, "save", "FILE", ARG_FILE, REPORT, "store the window there as well, for -r",
	 NULL},
	{OPT_RECORD, "record", "FILE", ARG_FILE, REPORT,
	 "record the intervals there as well, for -r and replay", NULL},
	{'r', "read", "FILE", ARG_FILE, TOP,
	 "show what record, or --record or --save of report, stored; replay FILE is the same",
	 NULL},
	{'r', "read", "FILE", ARG_FILE, REPORT,
	 "report from a window that --save stored, or from a recording", NULL},
	{OPT_FROM, "from", "TIME", ARG_OTHER, TOP | REPORT | GATE,
	 "with -r: only from there on, as 90 or 1m30s behind the start, or as HH:MM:SS", NULL},
	{OPT_TO, "to", "TIME", ARG_OTHER, TOP | REPORT | GATE, "with -r: only until then", NULL},
	{OPT_FORMAT, "format", "FORMAT", ARG_CHOICE, REPORT,
	 "text (default), json, html, or lkp: key: value lines", "text json html lkp"},
	{OPT_JSON, "json", NULL, ARG_NONE, REPORT, "the same as --format json", NULL},
	{OPT_JSON, "json", NULL, ARG_NONE, DOCTOR, "as JSON", NULL},
	{OPT_HTML, "html", "FILE", ARG_FILE, REPORT, "the same as --format html -o FILE", NULL},
	{'o', "output", "FILE", ARG_FILE, REPORT,
	 "write the result there, by way of a temporary file", NULL},
	{'o', "output", "FILE", ARG_FILE, TOP, "with -b: write there", NULL},
	{OPT_ROWS, "rows", "N", ARG_NUMBER, REPORT,
	 "cgroups, CPUs, and lines of other tables to show (default 10; all: every one)", NULL},
	{OPT_ROWS, "rows", "N", ARG_NUMBER, TOP,
	 "with -b: cgroups, and CPUs, to show (default 10; all: every one)", NULL},
	{'s', "sort", "KEY", ARG_KEY, TOP | REPORT,
	 "order of the cgroups (default charges); -s help lists", NULL},
	{'f', "filter", "GLOB", ARG_GLOB, TOP | REPORT,
	 "show only cgroups whose path matches; totals stay", NULL},
	{OPT_COLUMNS, "columns", "KEYS", ARG_KEYS, TOP,
	 "columns of the cgroups, such as charges,miss_ratio,why; --columns help lists", NULL},
	{'t', "tree", NULL, ARG_NONE, TOP, "the screen: the cgroups as a tree", NULL},
	{OPT_FULL_NAMES, "full-names", NULL, ARG_NONE, TOP,
	 "the screen: whole paths, not the short names of slices, scopes and containers", NULL},
	{OPT_CPUS, "cpus", NULL, ARG_NONE, REPORT, "show every CPU, its stock and what is in it",
	 NULL},
	{OPT_CPUS, "cpus", NULL, ARG_NONE, TOP, "with -b: show every CPU too", NULL},
	{OPT_HOLD_BUDGET, "hold-budget", "DURATION", ARG_DURATION, TOP | REPORT,
	 "tell the share of lock holds above it (default 27.6us)", NULL},
	/* of compare */
	{OPT_PER, "per", "KEY", ARG_KEY, COMPARE,
	 "compare counts by that measure, or by work, what CMD did (default: by time); --per help "
	 "lists",
	 NULL},
	{'a', "all", NULL, ARG_NONE, COMPARE, "show the rows that did not change as well", NULL},
	{OPT_FORMAT, "format", "FORMAT", ARG_CHOICE, COMPARE,
	 "text (default), markdown, csv, json, or lkp: as a kernel robot reports it",
	 "text markdown csv json lkp"},
	{OPT_JSON, "json", NULL, ARG_NONE, COMPARE, "the same as --format json", NULL},
	{'o', "output", "FILE", ARG_FILE, COMPARE,
	 "write the result there, by way of a temporary file", NULL},
	{'q', "quiet", NULL, ARG_NONE, COMPARE, "no status on stderr", NULL},
	{'w', "width", "COLS", ARG_NUMBER, REPORT,
	 "width of the text (default: of the terminal, or 100)", NULL},
	{'w', "width", "COLS", ARG_NUMBER, TOP,
	 "with -b: width of the text (default: of the terminal, or 100)", NULL},
	{OPT_CGROUP_ROOT, "cgroup-root", "DIR", ARG_DIRECTORY, RUNNING,
	 "where the cgroups are mounted (default: from /proc/self/mountinfo)", NULL},
	{OPT_BTF, "btf", "FILE", ARG_FILE, RUNNING, "the running kernel's BTF", NULL},
	{'C', "no-color", NULL, ARG_NONE, TOLD, "no colour; so does NO_COLOR", NULL},
	{OPT_ASCII, "ascii", NULL, ARG_NONE, TOLD, "no byte above 0x7f", NULL},
	{'v', "verbose", NULL, ARG_NONE, RUNNING, "what libbpf says, on stderr", NULL},
	{'q', "quiet", NULL, ARG_NONE, RUNNING, "no status on stderr", NULL},
	{'h', "help", NULL, ARG_NONE, ALL, "list the options", NULL},
	{'V', "version", NULL, ARG_NONE, ALL, "print the version", NULL},
};

const size_t noption_rows = sizeof(option_rows) / sizeof(option_rows[0]);

_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) <= OPTION_ROWS_MAX, "the bound");

const struct verb_row verb_rows[] = {
	{"top", VERB_TOP, "[top] [OPTION]...", "the live screen: what is meant if no verb is given",
	 "Shows what charging to memory cgroups costs, on the whole system, interval by\n"
	 "interval: as a screen (F1 lists its keys), or with -b as text or JSON.",
	 NULL},
	{"report", VERB_REPORT, "report [OPTION]... [-- CMD [ARG]...]",
	 "measures for a while, or while CMD runs, and reports once",
	 "Measures charging to memory cgroups on the whole system, for a while or as long\n"
	 "as CMD runs, and reports it once.",
	 NULL},
	{"gate", VERB_GATE, "gate --fail-if EXPR... [OPTION]... [-- CMD [ARG]...]",
	 "measures, and fails if a limit is crossed",
	 "Measures charging to memory cgroups on the whole system, for a while or as long\n"
	 "as CMD runs, or reads what was measured, and judges it. EXPR is a measure, one\n"
	 "of > >= < <= == !=, and a limit:\n"
	 "  miss_ratio > 2%                      evictions/s > 10\n"
	 "  max(cgroup:/web*, miss_ratio) > 5%   max(cpu, evictions/s) > 10\n"
	 "  p99(lock_hold_ns) > 20us             walks_under_lock/charges > 1%\n"
	 "  miss_kinds.sock > 1k                 miss_ratio > +10% (of --baseline)\n"
	 "memcgtop-gate(1) has all of it, memcgtop(1) the measures.",
	 NULL},
	{"record", VERB_RECORD, "record -o FILE [OPTION]... [-- CMD [ARG]...]",
	 "measures and writes every interval to a file",
	 "Measures charging to memory cgroups on the whole system, until ^C or as long as\n"
	 "CMD runs, and writes what each interval counted to FILE, for replay.",
	 NULL},
	{"replay", VERB_REPLAY, "replay FILE [VERB] [OPTION]...",
	 "shows a recording as top does, or VERB",
	 "Shows what record stored, anywhere and without privilege: the same as\n"
	 "memcgtop VERB -r FILE. VERB is top (default), report or gate, OPTION one of\n"
	 "VERB's.",
	 NULL},
	{"compare", VERB_COMPARE, "compare [OPTION]... A B",
	 "says what changed between two sets of runs",
	 "Says what changed from A to B, by how much, whether it is more than noise, and\n"
	 "what it means. Each is what record, report --save or report --json wrote: a file,\n"
	 "a directory with a run a file, or a glob in quotes.",
	 NULL},
	{"doctor", VERB_DOCTOR, "doctor [OPTION]...",
	 "says what can be measured here, and why not the rest",
	 "Says what can be measured on this machine, and why not the rest.", NULL},
	{"completion", VERB_COMPLETION, "completion SHELL",
	 "prints what completes a command line in SHELL",
	 "Prints the script by which bash, zsh or fish completes what is typed behind\n"
	 "memcgtop. make install puts it where the shells look; else, in bash:\n"
	 "source <(memcgtop completion bash)",
	 "bash zsh fish"},
};

const size_t nverb_rows = sizeof(verb_rows) / sizeof(verb_rows[0]);

const char *verb__name(enum verb verb)
{
	for (size_t i = 0; i < nverb_rows; i++)
		if (verb_rows[i].verb == verb)
			return verb_rows[i].name;
	return "";
}

const char *verb__example(enum verb verb)
{
	if (verb == VERB_RECORD)
		return "record -o FILE";
	return verb == VERB_GATE ? "gate --max-miss-rate 2%" : verb__name(verb);
}

const struct verb_row *verb__find(const char *name)
{
	for (size_t i = 0; i < nverb_rows; i++)
		if (!strcmp(name, verb_rows[i].name))
			return &verb_rows[i];
	return NULL;
}

char *verb__list(unsigned verbs, const char *last, char *buf, size_t n)
{
	const char *gap = "";
	unsigned known = 0;
	size_t at = 0;

	for (size_t i = 0; i < nverb_rows; i++)
		known |= 1u << verb_rows[i].verb;
	verbs &= known;
	*buf = '\0';
	for (size_t i = 0; i < nverb_rows && at < n; i++) {
		unsigned bit = 1u << verb_rows[i].verb;

		if (!(verbs & bit))
			continue;
		verbs &= ~bit;
		if (at)
			gap = verbs ? ", " : last;
		at += (size_t)snprintf(buf + at, n - at, "%s%s", gap, verb_rows[i].name);
	}
	return buf;
}
