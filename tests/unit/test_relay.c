// SPDX-License-Identifier: GPL-2.0-only
// links: verb/relay.c options*.c when.c duration.c error.c model/*.c sample/sample.c
/* What CMD prints is passed on byte for byte, and the numbers in it are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verb/relay.h"

static char name[] = "CMD";
static char *argv[] = {name, NULL};

/* The metrics of one CMD that prints text, in pieces of so many bytes; the text must come out again. */
static struct command printed(const struct list *metrics, const char *text, size_t len,
			      size_t piece)
{
	struct command cmd = {.argv = argv};
	int out = memfd_create("out", 0);
	struct error e = {};
	struct relay r;
	char *back;

	assert_true(out >= 0);
	assert_int_equal(dup2(out, STDERR_FILENO), STDERR_FILENO);
	assert_int_equal(relay__describe(metrics, &cmd), 0);
	assert_int_equal(relay__start(&r, metrics, STDERR_FILENO, &e), 0);
	for (size_t at = 0; at < len; at += piece) {
		size_t n = len - at < piece ? len - at : piece;

		assert_int_equal(write(r.in, text + at, n), n);
	}
	relay__finish(&r, &cmd, true, true);
	back = calloc(1, len + 1);
	assert_non_null(back);
	assert_int_equal(pread(out, back, len + 1, 0), len);
	assert_memory_equal(back, text, len);
	free(back);
	close(out);
	return cmd;
}

static void is(const struct list *metrics, const char *text, double value)
{
	for (size_t piece = 1; piece < 40; piece += 19) {
		struct command cmd = printed(metrics, text, strlen(text), piece);

		if (cmd.metrics[0].known == isnan(value) ||
		    (!isnan(value) && cmd.metrics[0].value != value))
			fail_msg("'%s' in '%s': known %d, %g", metrics->text[0], text,
				 cmd.metrics[0].known, cmd.metrics[0].value);
		cmd.argv = NULL;
		command__release(&cmd);
	}
}

static void test_numbers(void **state)
{
	const struct list tps = {.text = {"tps=tps: *([^ ]*) per"}, .n = 1};
	const struct list line = {.text = {"t=^t=(.*)$"}, .n = 1};

	(void)state;
	is(&tps, "x\ntps: 900.5 per s\n", 900.5);
	/* the last one that is a number, and the last line may have no end */
	is(&tps, "tps: 1 per s\ntps: 2 per s\ntps: soon per s\n", 2);
	is(&tps, "tps: 1 per s\ntps: -2e3 per s", -2000);
	is(&tps, "tps: 1,5 per s\n", NAN);
	is(&tps, "tps: inf per s\n", NAN);
	is(&tps, "tps:\n1 per s\n", NAN);
	is(&tps, "", NAN);
	is(&line, "a t=1\nt= 7 \nt=8 9\n", 7);
}

static void test_several(void **state)
{
	const struct list two = {.text = {"a=a([0-9]+)", "b=(b)?x([0-9]+)"}, .n = 2};
	char *text = malloc(300000);
	struct command cmd;

	(void)state;
	assert_non_null(text);
	/* a line that is longer than any room, and bytes that are no text */
	memset(text, 'z', 300000);
	text[250000] = '\0';
	text[250001] = '\xff';
	memcpy(text + 299990, "\na17 x5", 7);
	cmd = printed(&two, text, 300000, 70000);
	free(text);
	assert_int_equal(cmd.nmetrics, 2);
	assert_string_equal(cmd.metrics[1].name, "b");
	assert_true(cmd.metrics[0].known && cmd.metrics[0].value == 17);
	/* a group that took no part is no number */
	assert_false(cmd.metrics[1].known);
	cmd.argv = NULL;
	command__release(&cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
