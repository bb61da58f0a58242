// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options_check.h"
#include "options_gate.h"

#define LIST_LEN 80

/* Of the options of top and report those that say how to measure: the first that is given, or NULL. */
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
		/* top puts intervals of a recording together */
		{o->interval_ns && o->verb != VERB_TOP, "--interval"},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

/* What is measured already. */
static int check_read(const struct options *o, struct error *e)
{
	const char *read = o->replay ? "replay" : "-r";

	if (!o->read) {
		if (o->from.how || o->to.how)
			return error__set(e, STATUS_USAGE,
					  "%s is a part of a recording: it goes with -r FILE",
					  o->from.how ? "--from" : "--to");
		return 0;
	}
	if (o->command || o->duration_ns || o->save)
		return error__set(e, STATUS_USAGE,
				  "%s reads a window that was measured before: it goes with no "
				  "CMD, no -d and no --save",
				  read);
	if (o->record)
		return error__set(e, STATUS_USAGE,
				  "%s reads a window that was measured before: there is nothing to "
				  "--record",
				  read);
	if (probe_option(o))
		return error__set(e, STATUS_USAGE,
				  "%s reads a window that was measured before: %s says how to "
				  "measure one",
				  read, probe_option(o));
	if (o->from.how && o->from.how == o->to.how && o->from.how == WHEN_SINCE_START &&
	    o->from.ns >= o->to.ns)
		return error__set(e, STATUS_USAGE,
				  "--to is not behind --from: there is nothing in between");
	return 0;
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* What the text and the JSON of intervals are without. */
static int check_batch(const struct options *o, struct error *e)
{
	const char *screen = o->tree ? "--tree" : o->full_names ? "--full-names" : NULL;

	if (o->columns && o->format == FORMAT_JSON)
		return error__set(e, STATUS_USAGE,
				  "--columns is of the screen and of -b: it goes with no --json, "
				  "which has every measure");
	if (!o->batch || !screen)
		return 0;
	return error__set(e, STATUS_USAGE, "%s is of the screen: it goes with no -b and no --json",
			  screen);
}

/* No file is to be written twice, or written and read. */
static int check_files(const struct options *o, struct error *e)
{
	if (same(o->out, o->save) || same(o->out, o->read))
		return error__set(e, STATUS_USAGE,
				  "the result and the stored window are both to be '%s': give -o "
				  "another file",
				  o->out);
	if (same(o->record, o->out) || same(o->record, o->save))
		return error__set(e, STATUS_USAGE,
				  "the recording and %s are both to be '%s': give --record another "
				  "file",
				  same(o->record, o->out) ? "the result" : "the stored window",
				  o->record);
	if (o->verb == VERB_TOP && o->out && !o->batch)
		return error__set(e, STATUS_USAGE,
				  "-o writes the text or JSON of intervals: it goes with -b or "
				  "--json");
	if (o->verb == VERB_RECORD && !o->out)
		return error__set(e, STATUS_USAGE,
				  "record needs a file to write: memcgtop record -o FILE");
	return 0;
}

int options__check(const struct options *o, struct error *e)
{
	if (o->no_time && (o->live.want.asked.sample_every || o->live.want.asked.lock_exact))
		return error__set(e, STATUS_USAGE,
				  "--no-time times nothing: it goes with no --sample and no --lock "
				  "exact");
	if (check_read(o, e) || check_files(o, e) || check_batch(o, e) || options__gate_check(o, e))
		return -1;
	if (o->live.empty_probes && (o->save || o->read || o->record))
		return error__set(e, STATUS_USAGE,
				  "--empty-probes counts nothing, so there is "
				  "nothing to store or read");
	return 0;
}

/*
 * The long option that arg, "--name" or "--name=...", begins, among those of
 * all verbs; verbs gets all that have it. Returns how many names begin so.
 */
static int find_long(const char *arg, const struct option_row **found, unsigned *verbs)
{
	size_t len = strcspn(arg + 2, "=");
	int n = 0;

	*found = NULL;
	*verbs = 0;
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *r = &option_rows[i];
		bool known = *found && !strcmp((*found)->name, r->name);

		if (strncmp(r->name, arg + 2, len))
			continue;
		if (!known && *found && !(*found)->name[len])
			continue; /* in full before: the others only begin so */
		if (!known) {
			n = r->name[len] ? n + 1 : 1;
			*verbs = 0;
		}
		*found = r;
		*verbs |= r->verbs;
	}
	return n;
}

/* The same of a key. */
static int find_key(int key, const struct option_row **found, unsigned *verbs)
{
	*found = NULL;
	*verbs = 0;
	for (size_t i = 0; i < noption_rows; i++) {
		if (option_rows[i].key != key)
			continue;
		*found = &option_rows[i];
		*verbs |= option_rows[i].verbs;
	}
	return *found != NULL;
}

static const struct option_row *find_of(int key, enum verb verb)
{
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].key == key && option__is_of(&option_rows[i], verb))
			return &option_rows[i];
	return NULL;
}

const char *options__choices(int key, enum verb verb)
{
	const struct option_row *r = find_of(key, verb);

	return r && r->choices ? r->choices : "";
}

const char *options__or(const char *choices, char *buf, size_t n)
{
	const char *last = strrchr(choices, ' ');
	size_t at = 0;

	*buf = '\0';
	for (const char *s = choices; *s && at < n; s++) {
		const char *gap = s == last ? " or " : ", ";

		at += (size_t)(*s == ' ' ? snprintf(buf + at, n - at, "%s", gap)
					 : snprintf(buf + at, n - at, "%c", *s));
	}
	return buf;
}

bool options__is_choice(const char *choices, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = choices; n && (s = strstr(s, word)); s += n)
		if ((s == choices || s[-1] == ' ') && (!s[n] || s[n] == ' '))
			return true;
	return false;
}

/* " report", to stand behind "see memcgtop"; "" where no verb was typed. */
static const char *typed(const struct options *o, char *buf, size_t n)
{
	snprintf(buf, n, "%s%s", o->no_verb ? "" : " ", o->no_verb ? "" : verb__name(o->verb));
	return buf;
}

int options__unknown(const struct options *o, const char *at, int found, struct error *e)
{
	const struct option_row *row = found ? find_of(found, o->verb) : NULL;
	char verb[24], name[64], list[LIST_LEN], first[24];
	unsigned verbs = 0;
	int n;

	typed(o, verb, sizeof(verb));
	if (row)
		return error__set(e, STATUS_USAGE, "--%s takes no argument; see memcgtop%s --help",
				  row->name, verb);
	if (!found)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, "="), at);
	else
		snprintf(name, sizeof(name), "-%c", found);
	n = found ? find_key(found, &row, &verbs) : find_long(at, &row, &verbs);
	if (n > 1)
		return error__set(e, STATUS_USAGE,
				  "%s is the beginning of several options, --%s "
				  "among them; see memcgtop%s --help",
				  name, row->name, verb);
	if (!n)
		return error__set(e, STATUS_USAGE, "there is no option %s; see memcgtop%s --help",
				  name, verb);
	verb__list(verbs, " and ", list, sizeof(list));
	if (!o->no_verb)
		return error__set(e, STATUS_USAGE,
				  "%s has no option %s: it is one of %s; see memcgtop%s --help",
				  verb__name(o->verb), name, list, verb);
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(list, ", "), list);
	return error__set(e, STATUS_USAGE,
			  "%s belongs to a verb, which is missing: memcgtop %s %s ...", name, first,
			  name);
}

int options__no_argument(const struct options *o, const char *at, int found, struct error *e)
{
	const struct option_row *row = find_of(found, o->verb);
	char verb[24], choices[64];

	typed(o, verb, sizeof(verb));
	snprintf(choices, sizeof(choices), "%s%s", row->choices ? ": " : "",
		 row->choices ? row->choices : "");
	if (option__is_short(row) && strncmp(at, "--", 2) != 0)
		return error__set(e, STATUS_USAGE,
				  "-%c needs an argument, %s%s; see memcgtop%s --help", found,
				  row->arg, choices, verb);
	return error__set(e, STATUS_USAGE, "--%s needs an argument, %s%s; see memcgtop%s --help",
			  row->name, row->arg, choices, verb);
}

int options__intervals(char **args, struct error *e)
{
	const char *delay = args[0];
	/* "0.5" is of seconds, "2m" says of what */
	const char *unit = strspn(delay, "0123456789.") == strlen(delay) ? " s" : "";
	uint64_t ns = 0, n = 0;

	duration__parse(delay, &ns);
	if (ns == DURATION_INF)
		return error__set(e, STATUS_USAGE,
				  "'%s' is no verb; to measure until ^C: memcgtop report -d inf",
				  delay);
	if (args[1] && args[1][0] && args[1][strspn(args[1], "0123456789")] == '\0')
		n = strtoull(args[1], NULL, 10);
	if (n < 1 || n > COUNT_MAX)
		return error__set(e, STATUS_USAGE,
				  "'%s' is no verb; for intervals of %s%s: memcgtop -d %s", delay,
				  delay, unit, delay);
	return error__set(e, STATUS_USAGE,
			  "'%s' is no verb; for %llu interval%s of %s%s: memcgtop -b -d %s -n %llu",
			  delay, (unsigned long long)n, n == 1 ? "" : "s", delay, unit, delay,
			  (unsigned long long)n);
}

int options__leftover(const struct options *o, const char *arg, struct error *e)
{
	const char *verb = verb__name(o->verb);
	bool runs = verb__runs(o->verb);
	uint64_t ns;

	if (verb__find(arg) && o->no_verb)
		return error__set(e, STATUS_USAGE,
				  "the verb goes first, its options behind it: memcgtop %s ...",
				  arg);
	if (verb__find(arg))
		return error__set(e, STATUS_USAGE,
				  "one verb at a time: both '%s' and '%s' are given",
				  o->replay ? "replay" : verb, arg);
	if ((runs || o->verb == VERB_TOP) && !o->read && !duration__parse(arg, &ns))
		return error__set(e, STATUS_USAGE,
				  "'%s' is not an option; a duration goes behind -d: memcgtop%s%s "
				  "-d %s",
				  arg, o->no_verb ? "" : " ", o->no_verb ? "" : verb, arg);
	if (runs && !o->read)
		return error__set(e, STATUS_USAGE,
				  "'%s' is not an option; a command to run goes behind --, as in: "
				  "memcgtop %s -- %s",
				  arg, verb__example(o->verb), arg);
	return error__set(e, STATUS_USAGE, "%s takes no argument '%s'; see memcgtop %s --help",
			  verb, arg, verb);
}
