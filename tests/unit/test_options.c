// SPDX-License-Identifier: GPL-2.0-only
// links: options.c duration.c error.c model/*.c sample/sample.c
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

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

/* getopt reads argv[]; "memcgtop" stands in front. */
#define ARGS_MAX 16

struct parsed {
	struct options o; /* points into argv[] of the last parse() */
	struct error e;
	int rc;
};

static struct parsed parse(const char *const *args)
{
	static char *argv[ARGS_MAX];
	struct parsed p = {};
	int n = 1;

	argv[0] = (char *)"memcgtop";
	for (; *args; args++)
		argv[n++] = (char *)*args;
	assert_true(n < ARGS_MAX);
	argv[n] = NULL;
	p.rc = options__parse(&p.o, n, argv, &p.e);
	return p;
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static void is_wrong(struct parsed p, const char *words)
{
	if (!p.rc || p.e.status != STATUS_USAGE || !strstr(p.e.text, words))
		fail_msg("%d, status %d, \"%s\": not about \"%s\"", p.rc, p.e.status, p.e.text,
			 words);
}

static void is_right(struct parsed p)
{
	if (p.rc || p.e.text[0])
		fail_msg("\"%s\"", p.e.text);
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
	static const char *const none[] = {NULL};

	(void)state;
	is_wrong(parse(none), "no verb is given");
	is_wrong(PARSE("-q"), "no verb is given");
	is_wrong(PARSE("top"), "no verb 'top'");
	is_wrong(PARSE("report", "doctor"), "one verb at a time");
	is_wrong(PARSE("1", "10"), "memcgtop report -d 10");
	is_wrong(PARSE("2m", "3"), "memcgtop report -d 360");
	is_wrong(PARSE("5"), "memcgtop report -d 5");
	is_wrong(PARSE("inf", "3"), "memcgtop report -d inf");
	is_wrong(PARSE("1", "99999999999999999999"), "memcgtop report -d 1");
	is_wrong(PARSE("report", "7"), "memcgtop report -d 7");
	is_wrong(PARSE("report", "-d", "0"), "not '0'");
	is_wrong(PARSE("report", "-d", "-q"), "not '-q'");
	is_wrong(PARSE("report", "-qd"), "-d needs an argument, DURATION");
	is_wrong(PARSE("report", "--save"), "--save needs an argument, FILE");
	is_wrong(PARSE("report", "--width=80", "-Zq"), "no option -Z;");
	is_wrong(PARSE("report", "--quiet=yes"), "--quiet takes no argument");
	is_wrong(PARSE("report", "--format", "TEXT"), "no format is called 'TEXT'");
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

/* What is asked for first is done, though nonsense follows. */
static void test_help(void **state)
{
	(void)state;
	is_right(PARSE("--help"));
	is_right(PARSE("-V"));
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations), cmocka_unit_test(test_no_durations),
		cmocka_unit_test(test_defaults),  cmocka_unit_test(test_options),
		cmocka_unit_test(test_command),	  cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_help),	  cmocka_unit_test(test_error_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
