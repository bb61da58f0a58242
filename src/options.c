// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "options.h"
#include "view/view.h"

#define FOR_REPORT (1u << VERB_REPORT)
#define FOR_DOCTOR (1u << VERB_DOCTOR)
#define FOR_NONE   (1u << VERB_NONE)
#define FOR_ALL	   (FOR_REPORT | FOR_DOCTOR | FOR_NONE)

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
};

static const struct {
	int key;
	const char *name;
	const char *arg; /* NULL: takes none */
	unsigned verbs;
	const char *help;
} table[] = {
	{'d', "duration", "DURATION", FOR_REPORT,
	 "how long to measure: 10, 1.5s, 250ms, 2m, 1h, inf (default 10s)"},
	{'i', "interval", "DURATION", FOR_REPORT,
	 "length of a step of the timeline (default: a 60th of -d, at least 1s)"},
	{OPT_NO_TIME, "no-time", NULL, FOR_REPORT, "count only, time nothing: cheaper"},
	{OPT_SAMPLE, "sample", "1/N", FOR_REPORT,
	 "time one charge or uncharge in N, chosen at random (default 1/8; 1/1: all)"},
	{OPT_LOCK, "lock", "HOW", FOR_REPORT,
	 "holds of the stock's lock: bound (default), or exact, with PREEMPT_RT only: hooks on "
	 "every spinlock"},
	{OPT_DRAINS, "drains", NULL, FOR_REPORT,
	 "count the drains that found another one running: a hook on every mutex_trylock"},
	{OPT_RSTAT, "rstat", NULL, FOR_REPORT, "count the updates of rstat: one more hook"},
	{OPT_NO_STAT, "no-stat", NULL, FOR_REPORT, "leave the statistic out: cheaper"},
	{OPT_VERIFY, "verify", NULL, FOR_REPORT,
	 "check every charge against the slots, not only misses: one more hook"},
	{OPT_MAX_CGROUPS, "max-cgroups", "N", FOR_REPORT,
	 "cgroups to count apart, the rest goes to (other) (default: 256 and twice what there is)"},
	{OPT_EMPTY_PROBES, "empty-probes", NULL, FOR_REPORT,
	 "attach programs that do nothing, to measure what the hooks cost"},
	{OPT_IGNORE_FAILURE, "ignore-failure", NULL, FOR_REPORT, "do not fail because CMD did"},
	{OPT_SAVE, "save", "FILE", FOR_REPORT, "store the window there as well, for -r"},
	{'r', "read", "FILE", FOR_REPORT, "report from a window that --save stored"},
	{OPT_FORMAT, "format", "FORMAT", FOR_REPORT, "text (default), json or html"},
	{OPT_JSON, "json", NULL, FOR_REPORT | FOR_DOCTOR, "the same as --format json"},
	{OPT_HTML, "html", "FILE", FOR_REPORT, "the same as --format html -o FILE"},
	{'o', "output", "FILE", FOR_REPORT, "write the result there, by way of a temporary file"},
	{OPT_ROWS, "rows", "N", FOR_REPORT,
	 "cgroups, CPUs, and lines of other tables to show (default 10; all: every one)"},
	{'s', "sort", "KEY", FOR_REPORT, "order of the cgroups (default charges); -s help lists"},
	{'f', "filter", "GLOB", FOR_REPORT, "show only cgroups whose path matches; totals stay"},
	{OPT_CPUS, "cpus", NULL, FOR_REPORT, "show every CPU, its stock and what is in it"},
	{OPT_HOLD_BUDGET, "hold-budget", "DURATION", FOR_REPORT,
	 "tell the share of lock holds above it (default 27.6us)"},
	{'w', "width", "COLS", FOR_REPORT, "width of the text (default: of the terminal, or 100)"},
	{OPT_CGROUP_ROOT, "cgroup-root", "DIR", FOR_REPORT | FOR_DOCTOR,
	 "where the cgroups are mounted (default: from /proc/self/mountinfo)"},
	{OPT_BTF, "btf", "FILE", FOR_REPORT | FOR_DOCTOR, "the running kernel's BTF"},
	{'C', "no-color", NULL, FOR_REPORT | FOR_DOCTOR, "no colour; so does NO_COLOR"},
	{OPT_ASCII, "ascii", NULL, FOR_REPORT | FOR_DOCTOR, "no byte above 0x7f"},
	{'v', "verbose", NULL, FOR_REPORT | FOR_DOCTOR, "what libbpf says, on stderr"},
	{'q', "quiet", NULL, FOR_REPORT | FOR_DOCTOR, "no status on stderr"},
	{'h', "help", NULL, FOR_ALL, "this text"},
	{'V', "version", NULL, FOR_ALL, "the version"},
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

static const struct {
	const char *name;
	enum verb verb;
	const char *usage;
	const char *help;
} verbs[] = {
	{"report", VERB_REPORT, "report [OPTION]... [-- CMD [ARG]...]",
	 "Measures charging to memory cgroups on the whole system, for a while or as long\n"
	 "as CMD runs, and reports it once."},
	{"doctor", VERB_DOCTOR, "doctor [OPTION]...",
	 "Says what can be measured on this machine, and why not the rest."},
};

#define NVERBS (sizeof(verbs) / sizeof(verbs[0]))

#define HELP_LEFT  29 /* columns of the options, and of the whole */
#define HELP_WIDTH 80

/* An option and what it does, in lines that fit. */
static void put_help(const char *left, const char *help)
{
	int column = printf("  %-*s", HELP_LEFT - 2, left);

	while (*help) {
		int n = (int)strcspn(help, " ");

		if (column > HELP_LEFT && column + 1 + n > HELP_WIDTH)
			column = printf("\n%*s", HELP_LEFT, "") - 1;
		column += printf("%s%.*s", column > HELP_LEFT ? " " : "", n, help);
		help += n + (int)strspn(help + n, " ");
	}
	printf("\n");
}

void options__help(enum verb verb)
{
	char left[40];
	size_t i;

	for (i = 0; i < NVERBS; i++) {
		if (verb != VERB_NONE && verb != verbs[i].verb)
			continue;
		printf("%s memcgtop %s\n",
		       i && verb == VERB_NONE ? "      " : "usage:", verbs[i].usage);
	}
	if (verb == VERB_NONE)
		printf("\nMeasures what Linux does to charge sockets and other memory to memory "
		       "cgroups.\nmemcgtop VERB --help tells more; man memcgtop tells all.\n");
	for (i = 0; i < NVERBS; i++)
		if (verb == verbs[i].verb)
			printf("\n%s\n", verbs[i].help);
	printf("\n");
	for (i = 0; i < TABLE_SIZE; i++) {
		if (!(table[i].verbs & 1u << verb))
			continue;
		snprintf(left, sizeof(left), "%c%c%c --%s%s%s", table[i].key < 256 ? '-' : ' ',
			 table[i].key < 256 ? table[i].key : ' ', table[i].key < 256 ? ',' : ' ',
			 table[i].name, table[i].arg ? " " : "", table[i].arg ? table[i].arg : "");
		put_help(left, table[i].help);
	}
	printf("\nExit status: 0 done; 2 wrong usage; 3 cannot be measured here; 4 measured but\n"
	       "not to be trusted, result not written, or CMD failed.\n");
}

static int number(const char *text, const char *option, long min, long max, struct error *e,
		  long *out)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	if (*text && !*end && !errno && *out >= min && *out <= max)
		return 0;
	return error__set(e, STATUS_USAGE, "--%s takes a whole number from %ld to %ld, not '%s'",
			  option, min, max, text);
}

static int set_format(struct options *o, const char *arg, struct error *e)
{
	if (!strcmp(arg, "text"))
		o->format = FORMAT_TEXT;
	else if (!strcmp(arg, "json"))
		o->format = FORMAT_JSON;
	else if (!strcmp(arg, "html"))
		o->format = FORMAT_HTML;
	else
		return error__set(e, STATUS_USAGE, "no format is called '%s': text, json or html",
				  arg);
	return 0;
}

static int set_sort(struct options *o, const char *arg, struct error *e)
{
	const struct field *f;

	o->sort = arg;
	if (!strcmp(arg, "help")) {
		o->sort_help = true;
		return 0;
	}
	f = field__find(arg);
	if (!f)
		return error__set(e, STATUS_USAGE,
				  "no measure is called '%s'; is '%s' meant? -s help lists them",
				  arg, field__nearest(arg));
	if (!(f->in & IN_CGROUP))
		return error__set(e, STATUS_USAGE,
				  "cgroups have no '%s', so they cannot be sorted by it; -s help "
				  "lists what they have",
				  arg);
	return 0;
}

static int set_rows(struct options *o, const char *arg, struct error *e)
{
	long n;

	if (!strcmp(arg, "all")) {
		o->rows = -1;
		return 0;
	}
	if (number(arg, "rows", 1, INT_MAX, e, &n))
		return -1;
	o->rows = (int)n;
	return 0;
}

static int set_duration(const char *option, const char *arg, uint64_t *ns, struct error *e)
{
	if (!duration__parse(arg, ns))
		return 0;
	return error__set(e, STATUS_USAGE,
			  "%s takes a duration above 0 and up to a year, such as 10, 1.5s, 250ms, "
			  "2m, 1h or inf, not '%s'",
			  option, arg);
}

static int set_sample(struct asked *a, const char *arg, struct error *e)
{
	long n;

	if (strncmp(arg, "1/", 2) || number(arg + 2, "sample 1/", 1, 1000000, e, &n)) {
		e->text[0] = '\0';
		return error__set(
			e, STATUS_USAGE,
			"--sample takes 1/N, as in --sample 1/64, with N from 1 to 1000000, "
			"not '%s'",
			arg);
	}
	a->sample_every = (uint32_t)n;
	return 0;
}

static int set_lock(struct asked *a, const char *arg, struct error *e)
{
	a->lock_exact = !strcmp(arg, "exact");
	if (a->lock_exact || !strcmp(arg, "bound"))
		return 0;
	return error__set(e, STATUS_USAGE, "--lock is bound or exact, not '%s'", arg);
}

/* What is to be probed, and how. */
static int set_probes(struct options *o, int key, const char *arg, struct error *e)
{
	struct live_options *live = &o->live;
	long n = 0;

	switch (key) {
	case OPT_NO_TIME:
		o->no_time = true;
		return 0;
	case OPT_SAMPLE:
		return set_sample(&live->want.asked, arg, e);
	case OPT_LOCK:
		return set_lock(&live->want.asked, arg, e);
	case OPT_DRAINS:
		live->want.asked.drains = true;
		return 0;
	case OPT_RSTAT:
		live->want.asked.rstat = true;
		return 0;
	case OPT_NO_STAT:
		live->want.no_stat = true;
		return 0;
	case OPT_VERIFY:
		live->want.verify = true;
		return 0;
	case OPT_MAX_CGROUPS:
		if (number(arg, "max-cgroups", 1, INDEX_SIZE - 2, e, &n))
			return -1;
		live->max_rows = (uint32_t)n;
		return 0;
	case OPT_EMPTY_PROBES:
		live->empty_probes = true;
		return 0;
	case OPT_CGROUP_ROOT:
		live->cgroup_root = arg;
		return 0;
	case OPT_BTF:
		live->btf_path = arg;
		return 0;
	default:
		live->verbose = true;
		return 0;
	}
}

static int set(struct options *o, int key, const char *arg, struct error *e)
{
	long n = 0;

	switch (key) {
	case 'd':
		return set_duration("-d", arg, &o->duration_ns, e);
	case OPT_FORMAT:
		return set_format(o, arg, e);
	case OPT_JSON:
		o->format = FORMAT_JSON;
		return 0;
	case 'o':
		o->out = arg;
		return 0;
	case OPT_ROWS:
		return set_rows(o, arg, e);
	case 's':
		return set_sort(o, arg, e);
	case 'w':
		if (number(arg, "width", VIEW_WIDTH_MIN, OPTION_WIDTH_MAX, e, &n))
			return -1;
		o->width = (int)n;
		return 0;
	case 'f':
		o->filter = arg;
		return 0;
	case 'r':
		o->read = arg;
		return 0;
	case OPT_SAVE:
		o->save = arg;
		return 0;
	case OPT_CPUS:
		o->cpus = true;
		return 0;
	case OPT_HTML:
		o->format = FORMAT_HTML;
		o->out = arg;
		return 0;
	case 'i':
		return set_duration("-i", arg, &o->interval_ns, e);
	case OPT_HOLD_BUDGET:
		return set_duration("--hold-budget", arg, &o->hold_budget_ns, e);
	case OPT_IGNORE_FAILURE:
		o->ignore_failure = true;
		return 0;
	case 'C':
		o->no_color = true;
		return 0;
	case OPT_ASCII:
		o->ascii = true;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	case 'h':
		o->help = true;
		return 0;
	case 'V':
		o->version = true;
		return 0;
	default:
		return set_probes(o, key, arg, e);
	}
}

/* The long options and the short ones that a verb takes. */
static void getopt_tables(enum verb verb, struct option longs[TABLE_SIZE + 1], char *shorts)
{
	size_t i, n = 0;

	/* ':' tells a missing argument from an unknown option; '+' stops at CMD */
	*shorts++ = '+';
	*shorts++ = ':';
	for (i = 0; i < TABLE_SIZE; i++) {
		if (!(table[i].verbs & 1u << verb))
			continue;
		longs[n++] = (struct option){table[i].name,
					     table[i].arg ? required_argument : no_argument, NULL,
					     table[i].key};
		if (table[i].key < 256) {
			*shorts++ = (char)table[i].key;
			if (table[i].arg)
				*shorts++ = ':';
		}
	}
	longs[n] = (struct option){};
	*shorts = 0;
}

static int find_verb(struct options *o, const char *name, struct error *e)
{
	size_t i;

	for (i = 0; i < NVERBS; i++) {
		if (!strcmp(name, verbs[i].name)) {
			o->verb = verbs[i].verb;
			return 0;
		}
	}
	return error__set(e, STATUS_USAGE,
			  "there is no verb '%s': report or doctor; see memcgtop "
			  "--help",
			  name);
}

/* "memcgtop 1 10", as one types vmstat: what comes nearest is one window of that time. */
static int say_intervals(char **args, struct error *e)
{
	uint64_t ns = 0, n = 0;

	duration__parse(args[0], &ns);
	if (args[1] && args[1][strspn(args[1], "0123456789")] == '\0')
		n = strtoull(args[1], NULL, 10);
	if (ns == DURATION_INF || n < 2 || n > 1000000)
		return error__set(
			e, STATUS_USAGE,
			"'%s' is no verb, and a table every so often is not built yet; to "
			"measure once for that time: memcgtop report -d %s",
			args[0], args[0]);
	return error__set(
		e, STATUS_USAGE,
		"'%s' is no verb, and a table of %s intervals is not built yet; to measure "
		"once for the whole time: memcgtop report -d %.9g",
		args[0], args[1], (double)ns / 1e9 * (double)n);
}

/* What says how to measure: the first of these that is given, or NULL. */
static const char *probe_option(const struct options *o)
{
	const struct live_options *l = &o->live;
	const struct {
		bool given;
		const char *name;
	} all[] = {
		{l->btf_path, "--btf"},
		{l->cgroup_root, "--cgroup-root"},
		{l->max_rows, "--max-cgroups"},
		{l->want.no_stat, "--no-stat"},
		{l->want.verify, "--verify"},
		{o->no_time, "--no-time"},
		{l->want.asked.sample_every, "--sample"},
		{l->want.asked.lock_exact, "--lock"},
		{l->want.asked.drains, "--drains"},
		{l->want.asked.rstat, "--rstat"},
		{o->interval_ns, "--interval"},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

static int check_times(const struct options *o, struct error *e)
{
	if (o->no_time && (o->live.want.asked.sample_every || o->live.want.asked.lock_exact))
		return error__set(e, STATUS_USAGE,
				  "--no-time times nothing: it goes with no --sample and no --lock "
				  "exact");
	if (o->interval_ns == DURATION_INF || o->hold_budget_ns == DURATION_INF)
		return error__set(e, STATUS_USAGE, "%s cannot be inf",
				  o->interval_ns == DURATION_INF ? "--interval" : "--hold-budget");
	return 0;
}

static int check_together(const struct options *o, struct error *e)
{
	if (check_times(o, e))
		return -1;
	if (o->read && (o->command || o->duration_ns || o->save))
		return error__set(e, STATUS_USAGE,
				  "-r reads a window that was measured before: it goes with no "
				  "CMD, no -d and no --save");
	if (o->read && probe_option(o))
		return error__set(e, STATUS_USAGE,
				  "-r reads a window that was measured before: %s says how to "
				  "measure one",
				  probe_option(o));
	if ((o->out && o->save && !strcmp(o->out, o->save)) ||
	    (o->out && o->read && !strcmp(o->out, o->read)))
		return error__set(e, STATUS_USAGE,
				  "the result and the stored window are both to be '%s': give -o "
				  "another file",
				  o->out);
	if (o->live.empty_probes && (o->save || o->read))
		return error__set(e, STATUS_USAGE,
				  "--empty-probes counts nothing, so there is "
				  "nothing to store or read");
	return 0;
}

/* dashes: they end with "--", behind which CMD stands. */
static int leftover(struct options *o, int argc, char **argv, bool dashes, struct error *e)
{
	const char *arg = argv[optind];
	uint64_t ns;

	if (dashes && o->verb == VERB_REPORT) {
		if (optind >= argc)
			return error__set(e, STATUS_USAGE,
					  "no command is given behind --, as in: "
					  "memcgtop report -- sleep 5");
		o->command = argv + optind;
	}
	if (optind >= argc || o->command) {
		if (check_together(o, e))
			return -1;
		if (!o->no_time && !o->live.want.asked.sample_every)
			o->live.want.asked.sample_every = SAMPLE_DEFAULT;
		return 0;
	}
	if (!strcmp(arg, "report") || !strcmp(arg, "doctor"))
		return error__set(e, STATUS_USAGE, "one verb at a time: both %s and '%s' are given",
				  o->verb == VERB_REPORT ? "'report'" : "'doctor'", arg);
	if (o->verb == VERB_REPORT && !duration__parse(arg, &ns))
		return error__set(
			e, STATUS_USAGE,
			"'%s' is not an option; a duration goes behind -d: memcgtop report "
			"-d %s",
			arg, arg);
	if (o->verb == VERB_REPORT)
		return error__set(e, STATUS_USAGE,
				  "'%s' is not an option; a command to run goes behind --, as in: "
				  "memcgtop report -- %s",
				  arg, arg);
	return error__set(e, STATUS_USAGE,
			  "doctor takes no argument '%s'; see memcgtop doctor "
			  "--help",
			  arg);
}

/* The long option that arg, "--name" or "--name=...", begins, among those of all verbs. */
static int find_long(const char *arg, size_t *found)
{
	size_t len = strcspn(arg + 2, "="), i;
	int n = 0;

	for (i = 0; i < TABLE_SIZE; i++) {
		if (strncmp(table[i].name, arg + 2, len))
			continue;
		*found = i;
		if (!table[i].name[len])
			return 1;
		n++;
	}
	return n;
}

static int find_short(int key, size_t *found)
{
	size_t i;

	for (i = 0; i < TABLE_SIZE; i++) {
		if (table[i].key != key)
			continue;
		*found = i;
		return 1;
	}
	return 0;
}

/*
 * What getopt did not take: at is the argument that it read last. optopt is 0
 * for a long option that it does not know, the character of a short one, and the
 * key of a long one that was given an argument and takes none.
 */
static int say_unknown(const struct options *o, const char *at, struct error *e)
{
	const char *verb = o->verb == VERB_REPORT   ? "report "
			   : o->verb == VERB_DOCTOR ? "doctor "
						    : "";
	const char *other = o->verb == VERB_REPORT ? "doctor" : "report";
	bool is_long = !optopt;
	char name[64];
	size_t i = 0;
	int n;

	if (optopt && find_short(optopt, &i) && table[i].verbs & 1u << o->verb)
		return error__set(e, STATUS_USAGE, "--%s takes no argument; see memcgtop %s--help",
				  table[i].name, verb);
	if (is_long)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, "="), at);
	else
		snprintf(name, sizeof(name), "-%c", optopt);
	n = is_long ? find_long(at, &i) : find_short(optopt, &i);
	if (n > 1)
		return error__set(e, STATUS_USAGE,
				  "%s is the beginning of several options, --%s "
				  "among them; see memcgtop %s--help",
				  name, table[i].name, verb);
	if (n && o->verb == VERB_NONE)
		return error__set(e, STATUS_USAGE,
				  "%s belongs to a verb, which is missing: "
				  "memcgtop report %s ...",
				  name, name);
	if (n)
		return error__set(e, STATUS_USAGE,
				  "%shas no option %s: it is one of %s; see "
				  "memcgtop %s--help",
				  verb, name, other, verb);
	return error__set(e, STATUS_USAGE, "there is no option %s; see memcgtop %s--help", name,
			  verb);
}

static int say_argument(const char *at, struct error *e)
{
	size_t i = 0;

	if (optopt < 256 && strncmp(at, "--", 2) && find_short(optopt, &i))
		return error__set(e, STATUS_USAGE,
				  "-%c needs an argument, %s; see memcgtop report "
				  "--help",
				  optopt, table[i].arg);
	find_short(optopt, &i);
	return error__set(e, STATUS_USAGE, "--%s needs an argument, %s; see memcgtop report --help",
			  table[i].name, table[i].arg);
}

/* memcgtop -v report is as good as memcgtop report -v. */
static bool before_verb(struct options *o, const char *arg)
{
	if (!strcmp(arg, "-v") || !strcmp(arg, "--verbose"))
		return o->live.verbose = true;
	if (!strcmp(arg, "-q") || !strcmp(arg, "--quiet"))
		return o->quiet = true;
	return false;
}

int options__parse(struct options *o, int argc, char **argv, struct error *e)
{
	struct option longs[TABLE_SIZE + 1];
	char shorts[2 * TABLE_SIZE + 3];
	const char *last = NULL;
	int key;

	memset(o, 0, sizeof(*o));
	o->tool_argv = argv;
	while (argc > 1 && before_verb(o, argv[1])) {
		argc--;
		argv++;
	}
	if (argc > 1 && argv[1][0] != '-') {
		uint64_t ns;

		if (!duration__parse(argv[1], &ns))
			return say_intervals(argv + 1, e);
		if (find_verb(o, argv[1], e))
			return -1;
		argc--;
		argv++;
	}
	getopt_tables(o->verb, longs, shorts);
	opterr = 0;
	optind = 0; /* glibc: as 1, and forgets a former argument that it has read half of */
	while ((key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (key == ':')
			return say_argument(argv[optind - 1], e);
		if (key == '?')
			return say_unknown(o, argv[optind - 1], e);
		last = optarg;
		if (set(o, key, optarg, e))
			return -1;
		if (o->help || o->version || o->sort_help)
			return 0;
	}
	if (o->verb == VERB_NONE)
		return error__set(e, STATUS_USAGE,
				  "no verb is given: report or doctor; see memcgtop "
				  "--help");
	/* not the "--" of -f -- */
	return leftover(o, argc, argv,
			optind > 1 && argv[optind - 1] != last && !strcmp(argv[optind - 1], "--"),
			e);
}
