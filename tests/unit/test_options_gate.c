// SPDX-License-Identifier: GPL-2.0-only
// links: options*.c when.c duration.c error.c model/*.c sample/sample.c
/* The options of gate, and --metric. */
#include "parse.h"

#include "error.h"

#define SIMPLE "gate", "--max-miss-rate", "2%"

static void test_gate(void **state)
{
	struct parsed p =
		PARSE("gate", "--fail-if", "a", "--config", "c", "--fail-if", "b", "--min-events",
		      "7", "--warmup", "1.5s", "--runs", "3", "-d", "2", "--annotate");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.verb, VERB_GATE);
	assert_int_equal(p.o.gate.fail_if.n, 2);
	assert_string_equal(p.o.gate.fail_if.text[1], "b");
	assert_string_equal(p.o.gate.configs.text[0], "c");
	assert_int_equal(p.o.gate.min_events, 7);
	assert_int_equal(p.o.gate.warmup_ns, 1500000000);
	assert_int_equal(p.o.gate.runs, 3);
	assert_int_equal(p.o.duration_ns, 2000000000);
	assert_true(p.o.gate.annotate);
	p = PARSE(SIMPLE);
	is_right(p);
	assert_string_equal(p.o.gate.max_miss_rate, "2%");
	assert_int_equal(p.o.gate.min_events, 100);
	assert_true(p.o.gate.max_missed == 0.1);
	assert_int_equal(p.o.gate.runs, 1);
	assert_int_equal(p.o.live.want.asked.sample_every, SAMPLE_DEFAULT);
	is_wrong(PARSE("gate"), "needs a condition: --fail-if");
	is_wrong(PARSE(SIMPLE, "--runs", "0"), "--runs takes a whole number from 1 to 1000");
	is_wrong(PARSE(SIMPLE, "--runs", "1001"), "--runs takes");
	is_wrong(PARSE(SIMPLE, "--min-events", "-1"), "--min-events takes");
	is_wrong(PARSE(SIMPLE, "--min-events", "99999999999999999999999"), "--min-events takes");
	is_wrong(PARSE(SIMPLE, "--warmup", "inf"), "--warmup takes a duration");
	is_wrong(PARSE(SIMPLE, "--runs", "2", "-d", "inf"), "would be one run");
	is_wrong(PARSE("report", "--fail-if", "x"),
		 "report has no option --fail-if: it is one of gate");
	is_wrong(PARSE(SIMPLE, "ls"),
		 "a command to run goes behind --, as in: memcgtop gate --max-miss-rate 2% -- ls");
	is_wrong(PARSE(SIMPLE, "--"), "no command is given behind --");
	is_wrong(PARSE(SIMPLE, "5"), "a duration goes behind -d: memcgtop gate -d 5");
}

static void test_max_missed(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {{"1%", 0.01}, {"0.5%", 0.005}, {"0.02", 0.02}, {"0", 0}, {"1", 1}, {"100%", 1}};
	static const char *const bad[] = {"",	 "x",	"1.",  ".5",  "-1%",
					  "1%%", "1 %", "1e3", "nan", "0x1"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct parsed p = PARSE(SIMPLE, "--max-missed", good[i].text);

		is_right(p);
		assert_true(p.o.gate.max_missed == good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_wrong(PARSE(SIMPLE, "--max-missed", bad[i]), "--max-missed takes a share");
	is_wrong(PARSE(SIMPLE, "--max-missed", "2"),
		 "--max-missed 2 is more than all calls: is 2% meant?");
	is_wrong(PARSE(SIMPLE, "--max-missed", "101%"), "more than all calls");
}

static void test_formats(void **state)
{
	(void)state;
	assert_int_equal(PARSE(SIMPLE).o.format, FORMAT_TEXT);
	assert_int_equal(PARSE(SIMPLE, "--json").o.format, FORMAT_JSON);
	assert_int_equal(PARSE(SIMPLE, "--format", "json").o.format, FORMAT_JSON);
	assert_int_equal(PARSE(SIMPLE, "--tap").o.format, FORMAT_TAP);
	assert_int_equal(PARSE(SIMPLE, "--format", "tap").o.format, FORMAT_TAP);
	assert_int_equal(PARSE(SIMPLE, "--format", "junit").o.format, FORMAT_JUNIT);
	assert_string_equal(PARSE(SIMPLE, "--junit", "f").o.gate.junit, "f");
	is_wrong(PARSE(SIMPLE, "--format", "html"), "no format of gate is called 'html'");
	is_wrong(PARSE("report", "--format", "tap"), "no format of report is called 'tap'");
	is_wrong(PARSE(SIMPLE, "--junit", "f", "-o", "f"), "give --junit one of its own");
	is_wrong(PARSE(SIMPLE, "--junit", "f", "-r", "f"), "give --junit one of its own");
	is_wrong(PARSE(SIMPLE, "-o", "f", "-r", "f"), "give -o another file");
}

static void test_files(void **state)
{
	struct parsed p = PARSE(SIMPLE, "-r", "a", "-r", "b", "c");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.gate.reads.n, 3);
	assert_string_equal(p.o.gate.reads.text[2], "c");
	assert_string_equal(p.o.read, "a");
	p = PARSE("replay", "a", SIMPLE, "b");
	is_right(p);
	assert_int_equal(p.o.gate.reads.n, 2);
	assert_string_equal(p.o.read, "a");
	is_wrong(PARSE("replay", "a", SIMPLE, "-r", "b"), "it goes with no -r");
	is_wrong(PARSE(SIMPLE, "-r", "a", "b", "--json"), "'--json' stands behind one");
	is_wrong(PARSE(SIMPLE, "-r", "a", "--runs", "2"), "--runs says how to measure");
	is_wrong(PARSE(SIMPLE, "-r", "a", "--warmup", "2"), "--warmup says how to measure");
	is_wrong(PARSE(SIMPLE, "-r", "a", "-d", "2"), "goes with no CMD, no -d");
	is_wrong(PARSE(SIMPLE, "-r", "a", "--no-time"), "--no-time says how to measure");
	is_wrong(PARSE(SIMPLE, "-r", "a", "--", "ls"), "CMD");
}

static void test_metrics(void **state)
{
	struct parsed p = PARSE("report", "--metric", "tps=([0-9.]+) per", "--metric", "x_1=x=(.*)",
				"--", "ls");

	(void)state;
	is_right(p);
	assert_int_equal(p.o.metrics.n, 2);
	assert_int_equal(metric__name_len(p.o.metrics.text[1]), 3);
	is_right(PARSE("record", "-o", "f", "--metric", "tps=([0-9.]+)", "--", "ls"));
	is_right(PARSE(SIMPLE, "--metric", "tps=([0-9.]+)", "--", "ls"));
	is_wrong(PARSE("report", "--metric", "tps=([0-9.]+)"),
		 "reads what CMD prints: memcgtop report --metric");
	is_wrong(PARSE("report", "--metric", "tps", "--", "ls"), "takes NAME=REGEX");
	is_wrong(PARSE("report", "--metric", "=(.*)", "--", "ls"), "takes NAME=REGEX");
	is_wrong(PARSE("report", "--metric", "t.s=(.*)", "--", "ls"), "takes NAME=REGEX");
	is_wrong(PARSE("report", "--metric", "tps=[0-9]+", "--", "ls"), "has no group");
	is_wrong(PARSE("report", "--metric", "tps=([0-9]+", "--", "ls"),
		 "is no extended regular expression");
	is_wrong(PARSE("report", "--metric", "t=(a)", "--metric", "t=(b)", "--", "ls"),
		 "--metric t is given twice");
	is_wrong(PARSE("top", "--metric", "t=(a)"),
		 "top has no option --metric: it is one of report, gate and record");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gate),	cmocka_unit_test(test_max_missed),
		cmocka_unit_test(test_formats), cmocka_unit_test(test_files),
		cmocka_unit_test(test_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
