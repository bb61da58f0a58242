// SPDX-License-Identifier: GPL-2.0-only
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/gate.h"
#include "options_gate.h"

void options__gate_defaults(struct gate_options *g)
{
	*g = (struct gate_options){
		.min_events = MIN_EVENTS_DEFAULT, .max_missed = MAX_MISSED_DEFAULT, .runs = 1};
}

static int append(struct list *l, const char *arg, const char *option, const char *hint,
		  struct error *e)
{
	if (l->n == LIST_MAX)
		return error__set(e, STATUS_USAGE, "more than %d times %s%s", LIST_MAX, option,
				  hint);
	l->text[l->n++] = arg;
	return 0;
}

static int set_whole(const char *option, const char *arg, uint64_t min, uint64_t max, uint64_t *to,
		     struct error *e)
{
	size_t len = strspn(arg, "0123456789");

	*to = len && len < 19 && !arg[len] ? strtoull(arg, NULL, 10) : max + 1;
	if (*to >= min && *to <= max)
		return 0;
	return error__set(e, STATUS_USAGE, "%s takes a whole number from %llu to %llu, not '%s'",
			  option, (unsigned long long)min, (unsigned long long)max, arg);
}

/* A share, as in an expression: 2% or 0.02. */
static int set_share(const char *arg, double *to, struct error *e)
{
	char digits[24];
	size_t whole = strspn(arg, "0123456789"), len = whole;
	bool percent;

	if (arg[len] == '.')
		len += 1 + strspn(arg + len + 1, "0123456789");
	percent = !strcmp(arg + len, "%");
	if (!whole || len >= sizeof(digits) || arg[len - 1] == '.' || (arg[len] && !percent))
		return error__set(e, STATUS_USAGE,
				  "--max-missed takes a share of the calls, such as 1%% or 0.01, "
				  "not '%s'",
				  arg);
	snprintf(digits, sizeof(digits), "%.*s", (int)len, arg);
	*to = strtod(digits, NULL) / (percent ? 100 : 1);
	if (*to <= 1)
		return 0;
	return error__set(e, STATUS_USAGE, "--max-missed %s is more than all calls%s%s%s", arg,
			  percent ? "" : ": is ", percent ? "" : arg, percent ? "" : "% meant?");
}

bool options__is_of_gate(int key)
{
	return (key >= OPT_FAIL_IF && key <= OPT_ANNOTATE && key != OPT_METRIC);
}

int options__gate(struct options *o, int key, const char *arg, struct error *e)
{
	struct gate_options *g = &o->gate;

	switch (key) {
	case OPT_FAIL_IF:
		return append(&g->fail_if, arg, "--fail-if", ": put them into a file for --config",
			      e);
	case OPT_MAX_MISS_RATE:
		g->max_miss_rate = arg;
		return 0;
	case OPT_CONFIG:
		return append(&g->configs, arg, "--config", "", e);
	case OPT_BASELINE:
		g->baseline = arg;
		return 0;
	case OPT_MIN_EVENTS:
		return set_whole("--min-events", arg, 0, COUNT_MAX, &g->min_events, e);
	case OPT_MAX_MISSED:
		return set_share(arg, &g->max_missed, e);
	case OPT_RUNS:
		return set_whole("--runs", arg, 1, RUNS_MAX, &g->runs, e);
	case OPT_WARMUP:
		if (!duration__parse(arg, &g->warmup_ns) && g->warmup_ns != DURATION_INF)
			return 0;
		return error__set(e, STATUS_USAGE,
				  "--warmup takes a duration above 0 and up to a year, such as 5, "
				  "1.5s or 250ms, not '%s'",
				  arg);
	case OPT_TAP:
		o->format = FORMAT_TAP;
		return 0;
	case OPT_JUNIT:
		g->junit = arg;
		return 0;
	default:
		g->annotate = true;
		return 0;
	}
}

int options__gate_read(struct options *o, const char *arg, struct error *e)
{
	if (append(&o->gate.reads, arg, "-r FILE", "", e))
		return -1;
	o->read = o->gate.reads.text[0];
	return 0;
}

int options__gate_files(struct options *o, char **args, bool dashes, struct error *e)
{
	for (; *args; args++) {
		if (**args == '-' && !dashes)
			return error__set(e, STATUS_USAGE,
					  "the options go before the FILEs: '%s' stands behind one",
					  *args);
		if (options__gate_read(o, *args, e))
			return -1;
	}
	return 0;
}

size_t metric__name_len(const char *metric)
{
	return strcspn(metric, "=");
}

/* A NAME twice would be two members of one name in JSON. */
static bool is_there(const struct list *l, const char *arg)
{
	size_t len = metric__name_len(arg);

	for (size_t i = 0; i < l->n; i++)
		if (metric__name_len(l->text[i]) == len && !strncmp(l->text[i], arg, len))
			return true;
	return false;
}

int options__metric(struct options *o, const char *arg, struct error *e)
{
	size_t len = metric__name_len(arg), groups;
	char why[128];
	regex_t r;
	int err;

	if (!arg[len] || !metric__is_name(arg, len))
		return error__set(e, STATUS_USAGE,
				  "--metric takes NAME=REGEX, as in 'tps=([0-9.]+) per second', "
				  "with a NAME of up to %d letters, digits and _, not '%s'",
				  METRIC_NAME_MAX - 1, arg);
	if (is_there(&o->metrics, arg))
		return error__set(e, STATUS_USAGE, "--metric %.*s is given twice", (int)len, arg);
	err = regcomp(&r, arg + len + 1, REG_EXTENDED | REG_NEWLINE);
	if (err) {
		regerror(err, &r, why, sizeof(why));
		return error__set(e, STATUS_USAGE,
				  "--metric %.*s: '%s' is no extended regular expression: %s",
				  (int)len, arg, arg + len + 1, why);
	}
	groups = r.re_nsub;
	regfree(&r);
	if (!groups)
		return error__set(e, STATUS_USAGE,
				  "--metric %.*s: '%s' has no group, which is the number, as in "
				  "'([0-9.]+) per second'",
				  (int)len, arg, arg + len + 1);
	return append(&o->metrics, arg, "--metric", "", e);
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

int options__gate_check(const struct options *o, struct error *e)
{
	const struct gate_options *g = &o->gate;

	if (o->metrics.n && !o->command)
		return error__set(e, STATUS_USAGE,
				  "--metric reads what CMD prints: memcgtop %s --metric ... -- CMD",
				  verb__example(o->verb));
	if (o->verb != VERB_GATE)
		return 0;
	if (!g->fail_if.n && !g->max_miss_rate && !g->configs.n)
		return error__set(e, STATUS_USAGE,
				  "gate needs a condition: --fail-if 'miss_ratio > 2%%', "
				  "--max-miss-rate 2%% or --config FILE");
	if (o->read && (g->runs > 1 || g->warmup_ns))
		return error__set(e, STATUS_USAGE,
				  "%s says how to measure: it goes with no -r; several FILEs are "
				  "several runs",
				  g->warmup_ns ? "--warmup" : "--runs");
	if (same(g->junit, o->out) || (g->junit && o->read && same(g->junit, o->read)))
		return error__set(e, STATUS_USAGE,
				  "'%s' is to be written, and is another file of this gate: give "
				  "--junit one of its own",
				  g->junit);
	if (o->duration_ns == DURATION_INF && g->runs > 1 && !o->command)
		return error__set(e, STATUS_USAGE, "--runs with -d inf would be one run");
	return 0;
}
