// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "options_check.h"
#include "options_compare.h"
#include "options_gate.h"
#include "options_table.h"
#include "view/view.h"

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

/* The formats of a verb are the choices of its option. */
static int set_format(struct options *o, const char *arg, struct error *e)
{
	static const struct {
		const char *name;
		enum format format;
	} all[] = {
		{"text", FORMAT_TEXT}, {"json", FORMAT_JSON},	{"html", FORMAT_HTML},
		{"lkp", FORMAT_LKP},   {"csv", FORMAT_CSV},	{"markdown", FORMAT_MARKDOWN},
		{"tap", FORMAT_TAP},   {"junit", FORMAT_JUNIT},
	};
	const char *choices = options__choices(OPT_FORMAT, o->verb);
	char list[80];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(arg, all[i].name) != 0 || !options__is_choice(choices, arg))
			continue;
		o->format = all[i].format;
		return 0;
	}
	return error__set(e, STATUS_USAGE, "no format of %s is called '%s': %s",
			  verb__name(o->verb), arg, options__or(choices, list, sizeof(list)));
}

/* Have cgroups such a measure? what: that they could then; option: whose help lists them. */
static int check_key(const char *key, const char *what, const char *option, struct error *e)
{
	const struct field *f = field__find(key);

	if (!f)
		return error__set(e, STATUS_USAGE,
				  "no measure is called '%s'; is '%s' meant? %s help lists them",
				  key, field__nearest(key), option);
	if (!(f->in & IN_CGROUP))
		return error__set(e, STATUS_USAGE,
				  "cgroups have no '%s', so %s; %s help lists what they have", key,
				  what, option);
	return 0;
}

static int set_sort(struct options *o, const char *arg, struct error *e)
{
	o->sort = arg;
	o->sort_help = !strcmp(arg, "help");
	return o->sort_help ? 0 : check_key(arg, "they cannot be sorted by it", "-s", e);
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

/* inf: may it be that? */
static int set_duration(const char *option, const char *arg, bool inf, uint64_t *ns,
			struct error *e)
{
	if (!duration__parse(arg, ns) && (inf || *ns != DURATION_INF))
		return 0;
	return error__set(e, STATUS_USAGE,
			  "%s takes a duration above 0 and up to a year, such as 10, 1.5s, 250ms, "
			  "2m%s, not '%s'",
			  option, inf ? ", 1h or inf" : " or 1h", arg);
}

static int set_interval(const char *option, const char *arg, uint64_t *ns, struct error *e)
{
	if (set_duration(option, arg, false, ns, e))
		return -1;
	if (*ns >= INTERVAL_LEAST_NS)
		return 0;
	return error__set(e, STATUS_USAGE,
			  "%s %s is too short an interval: the least is 10ms, as reading the "
			  "counters takes its time as well",
			  option, arg);
}

static int set_when(const char *option, const char *arg, struct time_point *w, struct error *e)
{
	if (!when__parse(arg, w))
		return 0;
	return error__set(
		e, STATUS_USAGE,
		"%s takes a time since the start of the recording, such as 90 or 1m30s, or "
		"one by the clock, such as 14:02:31, not '%s'",
		option, arg);
}

static int set_columns(struct options *o, const char *arg, struct error *e)
{
	char key[64];
	size_t len, n = 0;

	o->columns = arg;
	if (!strcmp(arg, "help")) {
		o->columns_help = true;
		return 0;
	}
	do {
		len = strcspn(arg, ",");
		snprintf(key, sizeof(key), "%.*s", (int)len, arg);
		if (len >= sizeof(key) ||
		    (strcmp(key, "why") != 0 && check_key(key, "it is no column", "--columns", e)))
			return error__set(e, STATUS_USAGE, "no measure has a name as long as that");
		if (++n > VIEW_COLUMNS)
			return error__set(e, STATUS_USAGE,
					  "--columns takes up to %d columns: leave some out",
					  VIEW_COLUMNS);
		arg += len + 1;
	} while (arg[-1]);
	return 0;
}

/* Of top the time from one interval to the next, else how long it is measured. */
static int set_d(struct options *o, const char *arg, struct error *e)
{
	if (o->verb == VERB_TOP)
		return set_interval("-d", arg, &o->interval_ns, e);
	return set_duration("-d", arg, true, &o->duration_ns, e);
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

/* What is shown, and how. */
static int set_shown(struct options *o, int key, const char *arg, struct error *e)
{
	long n = 0;

	switch (key) {
	case OPT_FORMAT:
		return set_format(o, arg, e);
	case OPT_JSON:
		o->format = FORMAT_JSON;
		o->batch = o->verb == VERB_TOP;
		return 0;
	case OPT_PER:
		o->per = arg;
		o->per_help = !strcmp(arg, "help");
		return 0;
	case 'a':
		o->all = true;
		return 0;
	case OPT_HTML:
		o->format = FORMAT_HTML;
		o->out = arg;
		return 0;
	case 'b':
		o->batch = true;
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
	case OPT_COLUMNS:
		return set_columns(o, arg, e);
	case 't':
		o->tree = true;
		return 0;
	case OPT_FULL_NAMES:
		o->full_names = true;
		return 0;
	case OPT_CPUS:
		o->cpus = true;
		return 0;
	case OPT_HOLD_BUDGET:
		return set_duration("--hold-budget", arg, false, &o->hold_budget_ns, e);
	case 'C':
		o->no_color = true;
		return 0;
	case OPT_ASCII:
		o->ascii = true;
		return 0;
	default:
		return set_probes(o, key, arg, e);
	}
}

static int set_read(struct options *o, const char *arg, struct error *e)
{
	if (o->replay)
		return error__set(e, STATUS_USAGE,
				  "replay '%s' reads that file: it goes with no -r", o->read);
	if (o->verb == VERB_GATE)
		return options__gate_read(o, arg, e);
	o->read = arg;
	return 0;
}

static int set(struct options *o, int key, const char *arg, struct error *e)
{
	long n = 0;

	if (o->verb == VERB_GATE && options__is_of_gate(key))
		return options__gate(o, key, arg, e);
	switch (key) {
	case 'd':
		return set_d(o, arg, e);
	case 'i':
		return set_interval("-i", arg, &o->interval_ns, e);
	case 'n':
		if (number(arg, "iterations", 1, COUNT_MAX, e, &n))
			return -1;
		o->count = (uint64_t)n;
		return 0;
	case 'o':
		o->out = arg;
		return 0;
	case 'r':
		return set_read(o, arg, e);
	case OPT_FROM:
		return set_when("--from", arg, &o->from, e);
	case OPT_TO:
		return set_when("--to", arg, &o->to, e);
	case OPT_METRIC:
		return options__metric(o, arg, e);
	case OPT_SAVE:
		o->save = arg;
		return 0;
	case OPT_RECORD:
		o->record = arg;
		return 0;
	case OPT_IGNORE_FAILURE:
		o->ignore_failure = true;
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
		return set_shown(o, key, arg, e);
	}
}

/* The long options and the short ones that a verb takes. */
static void getopt_tables(enum verb verb, struct option longs[OPTION_ROWS_MAX + 1], char *shorts)
{
	size_t n = 0;

	/* ':' tells a missing argument from an unknown option; '+' stops at CMD, and compare runs none */
	if (verb != VERB_COMPARE)
		*shorts++ = '+';
	*shorts++ = ':';
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!option__is_of(r, verb))
			continue;
		longs[n++] = (struct option){r->name, r->arg ? required_argument : no_argument,
					     NULL, r->key};
		if (option__is_short(r)) {
			*shorts++ = (char)r->key;
			if (r->arg)
				*shorts++ = ':';
		}
	}
	longs[n] = (struct option){};
	*shorts = 0;
}

static void fill_in(struct options *o)
{
	if (!o->no_time && !o->live.want.asked.sample_every)
		o->live.want.asked.sample_every = SAMPLE_DEFAULT;
	if (o->verb == VERB_RECORD && !o->duration_ns)
		o->duration_ns = DURATION_INF;
	/* a recording is shown in the intervals that it has */
	if (!o->interval_ns && !o->read && o->verb != VERB_REPORT && o->verb != VERB_GATE)
		o->interval_ns = o->verb == VERB_RECORD ? RECORD_INTERVAL_NS : TOP_INTERVAL_NS;
}

/* Which shell? args: what is left. */
static int set_shell(struct options *o, char **args, struct error *e)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};

	if (!args[0])
		return error__set(
			e, STATUS_USAGE,
			"completion needs a shell: memcgtop completion bash, zsh or fish");
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (!strcmp(args[0], shells[i]))
			o->shell = shells[i];
	if (!o->shell)
		return error__set(e, STATUS_USAGE,
				  "there is no completion for '%s': bash, zsh or fish", args[0]);
	return args[1] ? options__leftover(o, args[1], e) : 0;
}

/* What is left; dashes: it stands behind "--", as CMD does. */
static int take_rest(struct options *o, char **args, bool dashes, struct error *e)
{
	bool runs = verb__runs(o->verb);

	if (o->verb == VERB_COMPLETION)
		return set_shell(o, args, e);
	if (o->verb == VERB_COMPARE)
		return options__sides(o, args, e);
	if (dashes && runs) {
		if (!args[0])
			return error__set(e, STATUS_USAGE,
					  "no command is given behind --, as in: memcgtop %s -- "
					  "sleep 5",
					  verb__example(o->verb));
		o->command = args;
	} else if (dashes && args[0] && o->verb == VERB_TOP) {
		return error__set(
			e, STATUS_USAGE,
			"top runs no command; report, gate and record do: memcgtop report -- %s",
			args[0]);
	} else if (args[0] && o->verb == VERB_GATE && o->read) {
		if (options__gate_files(o, args, dashes, e))
			return -1;
	} else if (args[0]) {
		return options__leftover(o, args[0], e);
	}
	if (options__check(o, e))
		return -1;
	fill_in(o);
	return 0;
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

static int find_verb(struct options *o, const char *name, struct error *e)
{
	const struct verb_row *v = verb__find(name);
	char list[80];

	if (v) {
		o->verb = v->verb;
		return 0;
	}
	return error__set(e, STATUS_USAGE, "there is no verb '%s': %s; see memcgtop --help", name,
			  verb__list(~0u, " or ", list, sizeof(list)));
}

/*
 * replay FILE [VERB]: the same as VERB -r FILE. args: what stands behind replay.
 * Returns how many of them were taken, or -1.
 */
static int set_replay(struct options *o, char **args, struct error *e)
{
	if (!args[0])
		return error__set(e, STATUS_USAGE,
				  "replay needs a recording: memcgtop replay FILE; memcgtop record "
				  "-o FILE makes one");
	/* of replay itself is only help */
	if (args[0][0] == '-' && args[0][1])
		return 0;
	o->replay = true;
	o->read = args[0];
	if (!args[1] || args[1][0] == '-') {
		o->no_verb = true;
		o->verb = VERB_TOP;
		return 1;
	}
	if (find_verb(o, args[1], e))
		return -1;
	if (o->verb == VERB_GATE)
		return options__gate_read(o, args[0], e) ? -1 : 2;
	if (o->verb != VERB_TOP && o->verb != VERB_REPORT)
		return error__set(
			e, STATUS_USAGE,
			"%s shows nothing of a recording: replay is of top, report or gate",
			args[1]);
	return 2;
}

/* The verb, typed or not. args: all but the program. Returns how many were taken, or -1. */
static int set_verb(struct options *o, char **args, struct error *e)
{
	uint64_t ns;
	int n;

	if (!args[0] || args[0][0] == '-') {
		o->no_verb = true;
		o->verb = VERB_TOP;
		return 0;
	}
	if (!duration__parse(args[0], &ns))
		return options__intervals(args, e);
	if (find_verb(o, args[0], e))
		return -1;
	if (o->verb != VERB_REPLAY)
		return 1;
	n = set_replay(o, args + 1, e);
	return n < 0 ? -1 : n + 1;
}

/* Help was asked for. Without a verb it is that of all, or of replay. */
static int set_help(struct options *o)
{
	if (o->help && o->no_verb)
		o->verb = o->replay ? VERB_REPLAY : VERB_NONE;
	return 0;
}

int options__parse(struct options *o, int argc, char **argv, struct error *e)
{
	struct option longs[OPTION_ROWS_MAX + 1];
	char shorts[2 * OPTION_ROWS_MAX + 3];
	const char *last = NULL;
	int key, n;

	memset(o, 0, sizeof(*o));
	options__gate_defaults(&o->gate);
	o->tool_argv = argv;
	while (argc > 1 && before_verb(o, argv[1])) {
		argc--;
		argv++;
	}
	if (argc < 1)
		return error__set(e, STATUS_USAGE, "no arguments at all; see memcgtop --help");
	n = set_verb(o, argv + 1, e);
	if (n < 0)
		return -1;
	argc -= n;
	argv += n;
	getopt_tables(o->verb, longs, shorts);
	opterr = 0;
	optind = 0; /* glibc: as 1, and forgets a former argument that it has read half of */
	while ((key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (key == ':')
			return options__no_argument(o, argv[optind - 1], optopt, e);
		if (key == '?')
			return options__unknown(o, argv[optind - 1], optopt, e);
		last = optarg;
		if (set(o, key, optarg, e))
			return -1;
		if (o->help || o->version || o->sort_help || o->columns_help || o->per_help)
			return set_help(o);
	}
	if (o->verb == VERB_REPLAY)
		return error__set(e, STATUS_USAGE,
				  "the recording goes first: memcgtop replay FILE [VERB] "
				  "[OPTION]...");
	/* not the "--" of -f -- */
	return take_rest(o, argv + optind,
			 optind > 1 && argv[optind - 1] != last && !strcmp(argv[optind - 1], "--"),
			 e);
}
