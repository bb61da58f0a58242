// SPDX-License-Identifier: GPL-2.0-only
// links: options*.c when.c duration.c error.c model/*.c sample/sample.c
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bpf/libbpf.h>
#include <cmocka.h>

#include "parse.h"

#define MS 1000000ull
#define S  (1000 * MS)

static void is_ns(const char *text, uint64_t expected)
{
	uint64_t ns = 12345;

	if (duration__parse(text, &ns) || ns != expected)
		fail_msg("'%s' is %llu ns, not %llu", text, (unsigned long long)ns,
			 (unsigned long long)expected);
}

static void test_durations(void **state)
{
	(void)state;
	is_ns("10", 10 * S);
	is_ns("10s", 10 * S);
	is_ns("1.5", 1500 * MS);
	is_ns("1.5s", 1500 * MS);
	is_ns("250ms", 250 * MS);
	is_ns("0.5ms", MS / 2);
	is_ns("2m", 120 * S);
	is_ns("1.5m", 90 * S);
	is_ns("1h", 3600 * S);
	is_ns("0.25h", 900 * S);
	is_ns("0010", 10 * S);
	is_ns("inf", DURATION_INF);
	/* the finest there is, and what stands behind it */
	is_ns("0.000000001", 1);
	is_ns("0.0000000019", 1);
	is_ns("1.00000000099999999999999999999999999999", S);
	is_ns("0.3", 300 * MS);
	is_ns("0.1h", 360 * S);
	/* a year that leaps is the most */
	is_ns("8784h", 8784 * 3600 * S);
	is_ns("527040m", 8784 * 3600 * S);
	is_ns("31622400", 8784 * 3600 * S);
}

static void test_no_durations(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"0",
		"0s",
		"0.0",
		"0ms",
		"00",
		"-1",
		"-0",
		"+1",
		" 1",
		"1 ",
		"1 s",
		"abc",
		"1e30",
		"1e1",
		"5x",
		"5S",
		"5sec",
		"5d",
		"5ps",
		"0.1ns",
		"nan",
		"infinity",
		"inf2",
		"INF",
		"-inf",
		".5",
		"1.",
		"1.s",
		"1..5",
		"1.5.5",
		"1,5",
		"0x10",
		"s",
		"ms",
		"h",
		"8785h",
		"31622401",
		"999999999999h",
		"18446744073709551616",
		"18446744073709551617",
		"99999999999999999999999999999999999",
		"0.0000000001",
		"0.0000000009ms",
		"1\n",
		"\xd9\xa1",
		"1m30s",
	};
	uint64_t ns;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ns = 12345;
		if (duration__parse(bad[i], &ns) != -EINVAL)
			fail_msg("'%s' is taken for %llu ns", bad[i], (unsigned long long)ns);
	}
}

static void test_defaults(void **state)
{
	struct parsed p = PARSE("report");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_REPORT);
	assert_int_equal(p.o.format, FORMAT_TEXT);
	assert_int_equal(p.o.duration_ns, 0);
	assert_int_equal(p.o.rows, 0);
	assert_int_equal(p.o.width, 0);
	assert_null(p.o.sort);
	assert_null(p.o.filter);
	assert_null(p.o.out);
	assert_null(p.o.command);
	assert_false(p.o.quiet || p.o.ascii || p.o.no_color || p.o.ignore_failure);
	assert_false(p.o.live.verbose || p.o.live.empty_probes || p.o.live.want.verify);
	p = PARSE("doctor", "--json");
	is_right(p);
	assert_int_equal(p.o.verb, VERB_DOCTOR);
	assert_int_equal(p.o.format, FORMAT_JSON);
}

static void test_options(void **state)
{
	struct parsed p =
		PARSE("report", "-d1.5", "-qC", "--rows=all", "-s", "misses", "-w80", "-f", "/a*",
		      "--max-cgroups", "7", "--verify", "--no-stat", "--ascii");

	(void)state;
	is_right(p);
	assert_true(p.o.duration_ns == 1500 * MS);
	assert_true(p.o.quiet && p.o.no_color && p.o.ascii);
	assert_int_equal(p.o.rows, -1);
	assert_int_equal(p.o.width, 80);
	assert_string_equal(p.o.sort, "misses");
	assert_string_equal(p.o.filter, "/a*");
	assert_int_equal(p.o.live.max_rows, 7);
	assert_true(p.o.live.want.verify && p.o.live.want.no_stat);
	/* a beginning that only one has will do; the last of two counts */
	p = PARSE("report", "--dur", "5", "-d", "6", "--ign");
	is_right(p);
	assert_true(p.o.duration_ns == 6 * S);
	assert_true(p.o.ignore_failure);
	/* before the verb as well */
	p = PARSE("-v", "--quiet", "report");
	is_right(p);
	assert_true(p.o.live.verbose && p.o.quiet);
	assert_int_equal(p.o.verb, VERB_REPORT);
}

static void test_command(void **state)
{
	struct parsed p = PARSE("report", "-d", "1", "--", "ls", "-d", "--", "x");

	(void)state;
	is_right(p);
	assert_string_equal(p.o.command[0], "ls");
	assert_string_equal(p.o.command[1], "-d");
	assert_string_equal(p.o.command[2], "--");
	assert_string_equal(p.o.command[3], "x");
	assert_null(p.o.command[4]);
	assert_true(p.o.duration_ns == S);
	/* a command may be called as a verb is */
	p = PARSE("report", "--", "report");
	is_right(p);
	assert_string_equal(p.o.command[0], "report");
	is_wrong(PARSE("report", "--"), "no command");
	is_wrong(PARSE("report", "ls"), "memcgtop report -- ls");
	is_wrong(PARSE("report", "-f", "--", "ls"), "memcgtop report -- ls");
	is_wrong(PARSE("report", "ls", "--", "x"), "memcgtop report -- ls");
	is_wrong(PARSE("doctor", "--", "ls"), "doctor takes no argument 'ls'");
	/* "--" that is an argument, and then the end */
	p = PARSE("report", "-f", "--");
	is_right(p);
	assert_null(p.o.command);
	assert_string_equal(p.o.filter, "--");
}

static void test_wrong(void **state)
{
	(void)state;
	is_wrong(PARSE("tpo"),
		 "no verb 'tpo': top, report, gate, record, replay, compare, doctor or completion");
	is_wrong(PARSE("report", "doctor"), "one verb at a time");
	is_wrong(PARSE("top", "-d", "9ms"), "the least is 10ms");
	is_wrong(PARSE("record", "-o", "x", "-i", "0.000001"), "the least is 10ms");
	is_wrong(PARSE("1", "10"), "for 10 intervals of 1 s: memcgtop -b -d 1 -n 10");
	is_wrong(PARSE("2m", "3"), "for 3 intervals of 2m: memcgtop -b -d 2m -n 3");
	is_wrong(PARSE("0.5", "1"), "for 1 interval of 0.5 s: memcgtop -b -d 0.5 -n 1");
	is_wrong(PARSE("5"), "for intervals of 5 s: memcgtop -d 5");
	is_wrong(PARSE("inf", "3"), "memcgtop report -d inf");
	is_wrong(PARSE("1", "99999999999999999999"), "for intervals of 1 s: memcgtop -d 1");
	is_wrong(PARSE("report", "7"), "memcgtop report -d 7");
	is_wrong(PARSE("report", "-d", "0"), "not '0'");
	is_wrong(PARSE("report", "-d", "-q"), "not '-q'");
	is_wrong(PARSE("report", "-qd"), "-d needs an argument, DURATION");
	is_wrong(PARSE("report", "--save"), "--save needs an argument, FILE");
	is_wrong(PARSE("report", "--width=80", "-Zq"), "no option -Z;");
	is_wrong(PARSE("report", "--quiet=yes"), "--quiet takes no argument");
	is_wrong(PARSE("report", "--format", "TEXT"),
		 "no format of report is called 'TEXT': text, json, html or lkp");
	is_wrong(PARSE("report", "-s", ""), "no measure is called ''");
	is_wrong(PARSE("report", "-s", "mises"), "is 'misses' meant?");
	is_wrong(PARSE("report", "--rows", ""), "not ''");
	is_wrong(PARSE("report", "--rows", "2147483648"), "not '2147483648'");
	is_wrong(PARSE("report", "-w", "39"), "not '39'");
	is_wrong(PARSE("report", "-w", "10001"), "not '10001'");
	is_wrong(PARSE("report", "--max-cgroups", "99999999"), "not '99999999'");
	is_wrong(PARSE("report", "-r", "x", "-d", "1"), "-r reads a window");
	is_wrong(PARSE("report", "-o", "x", "--save", "x"), "'x'");
	is_wrong(PARSE("report", "--empty-probes", "-r", "x"), "--empty-probes counts nothing");
}

static void test_top(void **state)
{
	static const char *const none[] = {NULL};
	struct parsed p = parse(none);

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_TOP);
	assert_true(p.o.interval_ns == 2 * S);
	assert_true(p.o.count == 0 && p.o.duration_ns == 0);
	assert_false(p.o.batch || p.o.tree || p.o.full_names);
	assert_null(p.o.columns);
	assert_int_equal(p.o.live.want.asked.sample_every, SAMPLE_DEFAULT);
	p = PARSE("-q", "-v", "-d", "1", "-n5", "-t", "--full-names", "--no-time");
	is_right(p);
	assert_int_equal(p.o.verb, VERB_TOP);
	assert_true(p.o.quiet && p.o.live.verbose && p.o.tree && p.o.full_names && p.o.no_time);
	assert_true(p.o.interval_ns == S && p.o.count == 5);
	assert_int_equal(p.o.live.want.asked.sample_every, 0);
	p = PARSE("top", "--delay=250ms", "--columns", "why,charges,walk_ns", "-s", "misses");
	is_right(p);
	assert_true(p.o.interval_ns == 250 * MS && !p.o.batch);
	assert_int_equal(p.o.format, FORMAT_TEXT);
	assert_string_equal(p.o.columns, "why,charges,walk_ns");
	p = PARSE("top", "-i", "3", "--json", "-o", "x");
	is_right(p);
	assert_true(p.o.interval_ns == 3 * S && p.o.batch);
	assert_int_equal(p.o.format, FORMAT_JSON);
	p = PARSE("top", "-r", "x");
	is_right(p);
	assert_string_equal(p.o.read, "x");
	assert_false(p.o.replay);
	assert_true(p.o.interval_ns == 0);
	p = PARSE("replay", "x", "-d", "10", "--from", "5", "--to", "14:02");
	is_right(p);
	assert_true(p.o.interval_ns == 10 * S && p.o.from.ns == 5 * S);
	assert_int_equal(p.o.to.how, WHEN_CLOCK);
	assert_true(PARSE("--columns", "help", "--bogus").o.columns_help);
	is_wrong(PARSE("top", "-d", "inf"), "2m or 1h, not 'inf'");
	is_wrong(PARSE("top", "-n", "0"), "--iterations takes a whole number from 1");
	is_wrong(PARSE("top", "-n", "1000000001"), "not '1000000001'");
	is_wrong(PARSE("top", "--columns", ""), "no measure is called ''");
	is_wrong(PARSE("top", "--columns", "why,,charges"), "no measure is called ''");
	is_wrong(PARSE("top", "--columns", "charges,"), "no measure is called ''");
	is_wrong(PARSE("top", "--columns", "charges,mises"), "is 'misses' meant? --columns help");
	is_wrong(PARSE("top", "--columns", "memcgs"),
		 "cgroups have no 'memcgs', so it is no column");
	is_wrong(PARSE("top", "-o", "x"), "it goes with -b");
	is_wrong(PARSE("-t", "-b"), "--tree is of the screen");
	is_wrong(PARSE("--json", "--full-names"), "--full-names is of the screen");
	p = PARSE("-b", "--columns", "why,walks");
	is_right(p);
	assert_string_equal(p.o.columns, "why,walks");
	is_wrong(PARSE("--columns", "why", "--json"), "it goes with no --json");
	is_right(PARSE("--columns", "why,why,why,why,why,why,why,why,why,why,why,why,why,why,why,"
				    "why,why,why,why,why,why,why,why,why,why,why,why,why,why,why,"
				    "why,why"));
	is_wrong(PARSE("--columns", "why,why,why,why,why,why,why,why,why,why,why,why,why,why,why,"
				    "why,why,why,why,why,why,why,why,why,why,why,why,why,why,why,"
				    "why,why,why"),
		 "takes up to 32 columns");
	is_wrong(PARSE("top", "--from", "5"), "--from is a part of a recording");
	is_wrong(PARSE("report", "-r", "x", "-i", "1"), "--interval says how to measure");
	is_wrong(PARSE("top", "-r", "x", "-b", "-o", "x"), "give -o another file");
	is_wrong(PARSE("top", "7"), "memcgtop top -d 7");
	is_wrong(PARSE("-b", "7"), "memcgtop -d 7");
	is_wrong(PARSE("-b", "report"),
		 "the verb goes first, its options behind it: memcgtop report");
	is_wrong(PARSE("top", "report"), "both 'top' and 'report'");
	is_wrong(PARSE("top", "--", "ls"), "memcgtop report -- ls");
	is_wrong(PARSE("--format", "json"), "memcgtop report --format ...");
	is_wrong(PARSE("top", "--format", "json"),
		 "top has no option --format: it is one of report, gate and compare;");
	is_wrong(PARSE("-n"), "-n needs an argument, N; see memcgtop --help");
	is_wrong(PARSE("doctor", "-d"),
		 "it is one of top, report, gate and record; see memcgtop doctor");
}

static void test_record(void **state)
{
	struct parsed p = PARSE("record", "-o", "x");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_RECORD);
	assert_string_equal(p.o.out, "x");
	assert_true(p.o.interval_ns == S && p.o.duration_ns == DURATION_INF);
	assert_int_equal(p.o.live.want.asked.sample_every, SAMPLE_DEFAULT);
	p = PARSE("record", "-ox", "-d5", "-i", "100ms", "--ignore-failure", "--", "ls", "-l");
	is_right(p);
	assert_true(p.o.interval_ns == 100 * MS && p.o.duration_ns == 5 * S);
	assert_true(p.o.ignore_failure);
	assert_string_equal(p.o.command[1], "-l");
	is_wrong(PARSE("record"), "memcgtop record -o FILE");
	is_wrong(PARSE("record", "--", "ls"), "memcgtop record -o FILE");
	is_wrong(PARSE("record", "-o", "x", "--"), "memcgtop record -o FILE -- sleep 5");
	is_wrong(PARSE("record", "-o", "x", "ls"), "memcgtop record -o FILE -- ls");
	is_wrong(PARSE("record", "-o", "x", "-i", "inf"), "not 'inf'");
	is_wrong(PARSE("record", "-r", "x"),
		 "record has no option -r: it is one of top, report and gate");
	/* report beside */
	p = PARSE("report", "--record", "y", "-i", "1");
	is_right(p);
	assert_string_equal(p.o.record, "y");
	is_wrong(PARSE("report", "--record", "y", "-o", "y"), "the recording and the result");
	is_wrong(PARSE("report", "--record", "y", "--save", "y"), "and the stored window");
	is_wrong(PARSE("report", "--record", "y", "-r", "x"), "nothing to --record");
	is_wrong(PARSE("report", "--record", "y", "--empty-probes"),
		 "--empty-probes counts nothing");
}

static void test_replay(void **state)
{
	struct parsed p = PARSE("replay", "x");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_TOP);
	assert_true(p.o.replay);
	assert_string_equal(p.o.read, "x");
	p = PARSE("-q", "replay", "x", "-b", "-n", "2");
	is_right(p);
	assert_true(p.o.quiet && p.o.batch && p.o.count == 2);
	p = PARSE("replay", "x", "report", "--from", "90", "--to=2m", "--json");
	is_right(p);
	assert_int_equal(p.o.verb, VERB_REPORT);
	assert_string_equal(p.o.read, "x");
	assert_int_equal(p.o.format, FORMAT_JSON);
	assert_int_equal(p.o.from.how, WHEN_SINCE_START);
	assert_true(p.o.from.ns == 90 * S && p.o.to.ns == 120 * S);
	/* a file may be called as a verb is */
	p = PARSE("replay", "top", "top");
	is_right(p);
	assert_string_equal(p.o.read, "top");
	is_wrong(PARSE("replay"), "memcgtop replay FILE");
	is_wrong(PARSE("replay", "-b", "x"), "has no option -b");
	is_wrong(PARSE("replay", "--", "x"), "the recording goes first");
	is_wrong(PARSE("replay", "x", "doctor"), "doctor shows nothing of a recording");
	is_wrong(PARSE("replay", "x", "record"), "record shows nothing of a recording");
	is_wrong(PARSE("replay", "x", "replay"), "replay shows nothing of a recording");
	is_wrong(PARSE("replay", "x", "y"), "no verb 'y'");
	is_wrong(PARSE("replay", "x", "-r", "y"), "it goes with no -r");
	is_wrong(PARSE("replay", "x", "report", "--", "ls"), "replay reads a window");
	is_wrong(PARSE("replay", "x", "report", "top"), "both 'replay' and 'top'");
	is_wrong(PARSE("replay", "x", "report", "5"), "report takes no argument '5'");
	is_wrong(PARSE("replay", "x", "--no-time"),
		 "replay reads a window that was measured before: "
		 "--no-time says how to measure one");
	is_wrong(PARSE("report", "--from", "90"), "--from is a part of a recording");
	is_wrong(PARSE("report", "-r", "x", "--from", "90", "--to", "90"), "--to is not behind");
	is_wrong(PARSE("report", "-r", "x", "--from", "x"), "--from takes a time");
	is_right(PARSE("report", "-r", "x", "--from", "23:00", "--to", "01:00"));
}

static void test_compare(void **state)
{
	struct parsed p = PARSE("compare", "a", "--per", "work", "b", "-a");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_COMPARE);
	assert_string_equal(p.o.sides[0], "a");
	assert_string_equal(p.o.sides[1], "b");
	assert_string_equal(p.o.per, "work");
	assert_true(p.o.all);
	assert_int_equal(p.o.format, FORMAT_TEXT);
	assert_int_equal(PARSE("compare", "--format=csv", "a", "b").o.format, FORMAT_CSV);
	assert_int_equal(PARSE("compare", "a", "b", "--json").o.format, FORMAT_JSON);
	assert_int_equal(PARSE("report", "--format", "lkp").o.format, FORMAT_LKP);
	assert_string_equal(PARSE("compare", "--", "-a", "b").o.sides[0], "-a");
	assert_true(PARSE("compare", "--per", "help").o.per_help);
	is_wrong(PARSE("compare"), "compare needs two sides");
	is_wrong(PARSE("compare", "a"), "compare needs two sides");
	is_wrong(PARSE("compare", "a", "b", "c"), "a glob in quotes");
	is_wrong(PARSE("compare", "--format", "html", "a", "b"), "no format of compare");
	is_wrong(PARSE("compare", "--format", "", "a", "b"), "text, markdown, csv, json or lkp");
	is_wrong(PARSE("report", "--format", "csv"), "text, json, html or lkp");
	is_wrong(PARSE("compare", "-d", "1"), "compare has no option -d");
}

static void test_completion(void **state)
{
	struct parsed p = PARSE("completion", "zsh");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_COMPLETION);
	assert_string_equal(p.o.shell, "zsh");
	is_wrong(PARSE("completion"), "memcgtop completion bash");
	is_wrong(PARSE("completion", "csh"), "no completion for 'csh': bash, zsh or fish");
	is_wrong(PARSE("completion", "bash", "zsh"), "completion takes no argument 'zsh'");
	is_wrong(PARSE("completion", "-q"), "completion has no option -q");
}

static void is_when(const char *text, int how, uint64_t ns)
{
	struct time_point w = {};

	if (when__parse(text, &w) || (int)w.how != how || w.ns != ns)
		fail_msg("'%s' is %d, %llu ns", text, (int)w.how, (unsigned long long)w.ns);
}

static void test_times_in_a_recording(void **state)
{
	static const char *const bad[] = {
		"",	      "x",     "1m30",		"30 s",
		"-1",	      "1.5.5", "inf",		"0x",
		"0..0",	      "00.",   "14:",		"14:2",
		"24:00",      "14:60", "1:02",		"14:02:60",
		"14:02:31.5", "::",    "14-02",		"1m-1s",
		"s",	      "1s30",  "999999999999h",
	};
	/* 2026-01-01 23:59:58.250 UTC */
	const int64_t start = 1767311998250;
	struct time_point w;

	(void)state;
	is_when("90", WHEN_SINCE_START, 90 * S);
	is_when("1m30s", WHEN_SINCE_START, 90 * S);
	is_when("1h0m0.5s", WHEN_SINCE_START, 3600 * S + 500 * MS);
	is_when("0", WHEN_SINCE_START, 0);
	is_when("0s", WHEN_SINCE_START, 0);
	is_when("0.0", WHEN_SINCE_START, 0);
	is_when("00:00", WHEN_CLOCK, 0);
	is_when("14:02:31", WHEN_CLOCK, (14 * 3600 + 2 * 60 + 31) * S);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (when__parse(bad[i], &w) != -EINVAL)
			fail_msg("'%s' is taken for %llu ns", bad[i], (unsigned long long)w.ns);
	setenv("TZ", "UTC", 1);
	tzset();
	when__parse("90", &w);
	assert_true(when__since_start(&w, start) == 90 * S);
	when__parse("23:59:59", &w);
	assert_true(when__since_start(&w, start) == 750 * MS);
	/* this second has begun: the recording's start; a time before it is of the next day */
	when__parse("23:59:58", &w);
	assert_true(when__since_start(&w, start) == 0);
	when__parse("00:00:10", &w);
	assert_true(when__since_start(&w, start) == 11750 * MS);
	when__parse("23:59:57", &w);
	assert_true(when__since_start(&w, start) == 86398750 * MS);
	/* the same moment where the clocks are set otherwise */
	setenv("TZ", "XYZ-5:30", 1);
	tzset();
	when__parse("05:29:59", &w);
	assert_true(when__since_start(&w, start) == 750 * MS);
	unsetenv("TZ");
	tzset();
}

/* What is asked for first is done, though nonsense follows. */
static void test_help(void **state)
{
	(void)state;
	is_right(PARSE("--help"));
	is_right(PARSE("-V"));
	assert_int_equal(PARSE("--help").o.verb, VERB_NONE);
	assert_int_equal(PARSE("-q", "-b", "-h").o.verb, VERB_NONE);
	assert_int_equal(PARSE("top", "-h").o.verb, VERB_TOP);
	assert_int_equal(PARSE("replay", "-h").o.verb, VERB_REPLAY);
	assert_int_equal(PARSE("replay", "x", "-h").o.verb, VERB_REPLAY);
	assert_int_equal(PARSE("replay", "x", "report", "-h").o.verb, VERB_REPORT);
	assert_true(PARSE("record", "-V").o.version);
	assert_true(PARSE("report", "-h", "--bogus").o.help);
	assert_true(PARSE("report", "-s", "help", "-d", "0").o.sort_help);
	assert_true(PARSE("doctor", "--version").o.version);
	is_wrong(PARSE("report", "--bogus", "-h"), "--bogus");
}

static void test_error_text(void **state)
{
	struct error e = {};
	char long_text[5000];

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	assert_int_equal(error__set(&e, STATUS_CANNOT, "first %s, do this", long_text), -1);
	assert_int_equal(e.status, STATUS_CANNOT);
	assert_memory_equal(e.text, "first xxx", 9);
	assert_string_equal(e.text + strlen(e.text) - 9, ", do this");
	assert_non_null(strstr(e.text, "x ... x"));
	assert_true(strlen(e.text) < sizeof(e.text));
	/* the first holds */
	error__set(&e, STATUS_USAGE, "second");
	assert_int_equal(e.status, STATUS_CANNOT);
	/* as long as there is room for */
	for (size_t n = sizeof(e.text) - 3; n < sizeof(e.text) + 3; n++) {
		memset(&e, 0, sizeof(e));
		error__set(&e, STATUS_USAGE, "%s", long_text + sizeof(long_text) - 1 - n);
		assert_true(strlen(e.text) < sizeof(e.text));
		assert_int_equal(strlen(e.text) == n, n < sizeof(e.text));
	}
	assert_non_null(strstr(error__text(-524), "not supported"));
	assert_string_equal(error__text(-ENOENT), strerror(ENOENT));
	/* libbpf's own: each has a text, and the neighbours are strerror's */
	assert_string_equal(error__text(-LIBBPF_ERRNO__FORMAT), "not in the format of BPF or BTF");
	assert_string_equal(error__text(LIBBPF_ERRNO__VERIFY),
			    "the kernel's verifier refused the program");
	for (int i = __LIBBPF_ERRNO__START; i < __LIBBPF_ERRNO__END; i++)
		assert_null(strstr(error__text(i), "Unknown"));
	assert_non_null(strstr(error__text(__LIBBPF_ERRNO__END), "Unknown"));
	assert_non_null(strstr(error__text(__LIBBPF_ERRNO__START - 1), "Unknown"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations),  cmocka_unit_test(test_no_durations),
		cmocka_unit_test(test_defaults),   cmocka_unit_test(test_options),
		cmocka_unit_test(test_command),	   cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_help),	   cmocka_unit_test(test_error_text),
		cmocka_unit_test(test_top),	   cmocka_unit_test(test_record),
		cmocka_unit_test(test_replay),	   cmocka_unit_test(test_compare),
		cmocka_unit_test(test_completion), cmocka_unit_test(test_times_in_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
