// SPDX-License-Identifier: GPL-2.0-only
// links: tui/screen.c text/utf8.c
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tui/screen.h"

#define WIDTH 10

static const char *line(const struct screen *s, int y)
{
	static char text[256];

	text[0] = '\0';
	for (int x = 0; x < screen__width(s); x++)
		strcat(text, screen__cell(s, y, x, NULL));
	return text;
}

static void test_clips(void **state)
{
	struct screen *s = screen__new(WIDTH, 2);

	(void)state;
	assert_int_equal(screen__put(s, 0, 7, 99, STYLE_BOLD, "abcdef"), 3);
	assert_string_equal(line(s, 0), "       abc");
	assert_int_equal(screen__put(s, 1, 0, 4, 0, "abcdef"), 4);
	assert_string_equal(line(s, 1), "abcd      ");
	assert_int_equal(screen__put(s, 2, 0, 9, 0, "below"), 0);
	assert_int_equal(screen__put(s, -1, 0, 9, 0, "above"), 0);
	assert_int_equal(screen__put(s, 0, -3, 9, 0, "left"), 0);
	assert_int_equal(screen__put(s, 0, 10, 9, 0, "right"), 0);
	assert_string_equal(line(s, 0), "       abc");
	screen__style(s, 1, 8, 99, STYLE_REVERSE);
	screen__style(s, 5, 0, 99, STYLE_REVERSE);
	screen__free(s);
}

static void test_right(void **state)
{
	struct screen *s = screen__new(WIDTH, 1);

	(void)state;
	screen__right(s, 0, 2, 5, 0, "42");
	assert_string_equal(line(s, 0), "     42   ");
	screen__right(s, 0, 2, 5, 0, "1234567");
	assert_string_equal(line(s, 0), "  12345   ");
	screen__free(s);
}

static void test_styles(void **state)
{
	struct screen *s = screen__new(WIDTH, 1);
	unsigned int style;

	(void)state;
	screen__put(s, 0, 0, 9, STYLE_BAD, "!x");
	assert_string_equal(screen__cell(s, 0, 1, &style), "x");
	assert_int_equal(style, STYLE_BAD);
	screen__style(s, 0, 0, WIDTH, STYLE_REVERSE);
	screen__cell(s, 0, 1, &style);
	assert_int_equal(style, STYLE_REVERSE);
	assert_string_equal(screen__cell(s, 9, 9, &style), " ");
	assert_int_equal(style, STYLE_PLAIN);
	screen__clear(s);
	assert_string_equal(line(s, 0), "          ");
	screen__free(s);
}

static void test_wide(void **state)
{
	struct screen *s = screen__new(WIDTH, 1);

	(void)state;
	assert_int_equal(screen__put(s, 0, 0, 9, 0, "\xe6\xbc\xa2\xe5\xad\x97x"), 5);
	assert_string_equal(screen__cell(s, 0, 1, NULL), "");
	assert_string_equal(line(s, 0), "\xe6\xbc\xa2\xe5\xad\x97x     ");
	/* half of the second one is overwritten: the other half goes as well */
	screen__put(s, 0, 3, 1, 0, "o");
	assert_string_equal(line(s, 0), "\xe6\xbc\xa2 ox     ");
	/* half of the first one */
	screen__put(s, 0, 0, 1, 0, "o");
	assert_string_equal(line(s, 0), "o  ox     ");
	/* what does not fit by half is not there */
	assert_int_equal(screen__put(s, 0, 9, 9, 0, "\xe6\xbc\xa2"), 0);
	assert_string_equal(screen__cell(s, 0, 9, NULL), " ");
	screen__free(s);
}

static void test_marks(void **state)
{
	struct screen *s = screen__new(WIDTH, 1);

	(void)state;
	/* e with an acute of its own; more marks than a cell holds; a mark without a character */
	assert_int_equal(screen__put(s, 0, 0, 9, 0, "e\xcc\x81x"), 2);
	assert_string_equal(screen__cell(s, 0, 0, NULL), "e\xcc\x81");
	for (int i = 0; i < 3; i++)
		assert_int_equal(screen__put(s, 0, 0, 9, 0,
					     "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
					     "\xcc\x81\xcc\x81\xcc\x81"),
				 1);
	assert_true(strlen(screen__cell(s, 0, 0, NULL)) < 14);
	assert_int_equal(screen__put(s, 0, 3, 9, 0, "\xcc\x81"), 0);
	assert_string_equal(screen__cell(s, 0, 3, NULL), " ");
	screen__free(s);
}

static void test_controls(void **state)
{
	struct screen *s = screen__new(WIDTH, 1);

	(void)state;
	screen__put(s, 0, 0, 9, 0, "a\033[2J\n");
	assert_string_equal(line(s, 0), "a?[2J?    ");
	screen__free(s);
}

static void test_sizes(void **state)
{
	struct screen *s = screen__new(0, -3);

	(void)state;
	assert_int_equal(screen__width(s), 1);
	assert_int_equal(screen__height(s), 1);
	assert_int_equal(screen__resize(s, 400, 100), 0);
	assert_int_equal(screen__put(s, 99, 399, 9, 0, "xy"), 1);
	assert_int_equal(screen__resize(s, 2, 2), 0);
	assert_string_equal(line(s, 1), "  ");
	screen__free(s);
	screen__free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clips),  cmocka_unit_test(test_right),
		cmocka_unit_test(test_styles), cmocka_unit_test(test_wide),
		cmocka_unit_test(test_marks),  cmocka_unit_test(test_controls),
		cmocka_unit_test(test_sizes),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
