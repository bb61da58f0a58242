// SPDX-License-Identifier: GPL-2.0-only
// links: text/utf8.c
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/utf8.h"

#define BAD "\xef\xbf\xbd"

static void clean(const char *in, size_t len, const char *want, bool want_replaced)
{
	char *exact = malloc(len ? len : 1); /* so that ASan sees a read past the end */
	bool replaced = !want_replaced;
	size_t out_len;
	char *got;

	memcpy(exact, in, len);
	got = utf8_clean(exact, len, &out_len, &replaced);
	assert_non_null(got);
	assert_string_equal(got, want);
	assert_int_equal(out_len, strlen(want));
	assert_int_equal(replaced, want_replaced);
	free(got);
	free(exact);
}

#define CLEAN(in, want, replaced) clean(in, sizeof(in) - 1, want, replaced)

static void test_clean(void **state)
{
	(void)state;
	CLEAN("", "", false);
	CLEAN("/a\"b\\c d\n", "/a\"b\\c d\n", false);
	CLEAN("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	      false);
	/* ends of the ranges */
	CLEAN("\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf",
	      "\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf", false);
	CLEAN("\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
	      "\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", false);
	/* a real U+FFFD is not a replacement */
	CLEAN(BAD, BAD, false);
	CLEAN("a\xff"
	      "b",
	      "a" BAD "b", true);
	CLEAN("\x80", BAD, true);
	CLEAN("a\0b", "a" BAD "b", true);
	/* overlong, surrogates, above U+10FFFF: each byte by itself */
	CLEAN("\xc0\xaf", BAD BAD, true);
	CLEAN("\xc1\xbf", BAD BAD, true);
	CLEAN("\xe0\x9f\xbf", BAD BAD BAD, true);
	CLEAN("\xf0\x8f\xbf\xbf", BAD BAD BAD BAD, true);
	CLEAN("\xed\xa0\x80", BAD BAD BAD, true);
	CLEAN("\xed\xbf\xbf", BAD BAD BAD, true);
	CLEAN("\xf4\x90\x80\x80", BAD BAD BAD BAD, true);
	CLEAN("\xf5\x80\x80\x80", BAD BAD BAD BAD, true);
	/* cut off in mid-character, at the end and before a good one */
	CLEAN("x\xe2\x82", "x" BAD BAD, true);
	CLEAN("x\xf0\x9f\x98", "x" BAD BAD BAD, true);
	CLEAN("\xe2\x82z", BAD BAD "z", true);
	CLEAN("\xe2\xc3\xa4", BAD "\xc3\xa4", true);
}

/* Every code point by its own encoder: valid ones come back, surrogates do not. */
static void test_clean_all_code_points(void **state)
{
	(void)state;
	for (uint32_t cp = 1; cp < 0x110400; cp += cp < 0x11000 ? 1 : 37) {
		char in[5] = {0}, *got;
		bool replaced, valid = cp < 0x110000 && (cp < 0xd800 || cp > 0xdfff);
		size_t n;

		if (cp < 0x80) {
			in[0] = (char)cp, n = 1;
		} else if (cp < 0x800) {
			in[0] = (char)(0xc0 | cp >> 6), in[1] = (char)(0x80 | (cp & 63)), n = 2;
		} else if (cp < 0x10000) {
			in[0] = (char)(0xe0 | cp >> 12), in[1] = (char)(0x80 | (cp >> 6 & 63));
			in[2] = (char)(0x80 | (cp & 63)), n = 3;
		} else {
			in[0] = (char)(0xf0 | cp >> 18), in[1] = (char)(0x80 | (cp >> 12 & 63));
			in[2] = (char)(0x80 | (cp >> 6 & 63)), in[3] = (char)(0x80 | (cp & 63));
			n = 4;
		}
		got = utf8_clean(in, n, NULL, &replaced);
		assert_int_equal(replaced, !valid);
		if (valid)
			assert_string_equal(got, in);
		free(got);
	}
}

static void base64(const char *in, size_t len, const char *want)
{
	char *got = base64_encode(in, len);

	assert_string_equal(got, want);
	free(got);
}

static void test_base64(void **state)
{
	(void)state;
	/* RFC 4648, section 10 */
	base64("", 0, "");
	base64("f", 1, "Zg==");
	base64("fo", 2, "Zm8=");
	base64("foo", 3, "Zm9v");
	base64("foob", 4, "Zm9vYg==");
	base64("fooba", 5, "Zm9vYmE=");
	base64("foobar", 6, "Zm9vYmFy");
	base64("\xff\xfe\xfb\x00\xff", 5, "//77AP8=");
	base64("/a\xff", 3, "L2H/");
}

static void display(const char *in, unsigned int flags, const char *want)
{
	char *got = text_display(in, strlen(in), flags);

	assert_string_equal(got, want);
	free(got);
}

static void test_display(void **state)
{
	char *one, *two;

	(void)state;
	display("/x y/\"q\"", 0, "/x y/\"q\"");
	display("l1\nl2\tt", 0, "l1\\nl2\\tt");
	display("\x1b[31mred\x7f\r\a", 0, "\\x1b[31mred\\x7f\\x0d\\x07");
	display("\xc2\x9b"
		"31m\xc2\x80\xc2\xa0",
		0, "\\x9b31m\\x80\xc2\xa0");
	display("a\xff\xe2\x82", 0, "a\\xff\\xe2\\x82");
	/* writing direction, zero width, line separator: cannot fake another name */
	display("a\xe2\x80\xae"
		"b\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf",
		0, "a\\u202eb\\u200b\\u2028\\ufeff");
	display("\xc3\xa4\xf0\x9f\x98\x80", 0, "\xc3\xa4\xf0\x9f\x98\x80");
	display("\xc3\xa4\xf0\x9f\x98\x80", TEXT_ASCII, "\\xc3\\xa4\\xf0\\x9f\\x98\\x80");
	display("firefox\\x2desr.scope", 0, "firefox\\x2desr.scope");
	display("firefox\\x2desr.scope", TEXT_UNESCAPE, "firefox-esr.scope");
	/* but never a control character, and no guess at the end */
	display("a\\x1bb\\x0a\\x7f\\x", TEXT_UNESCAPE, "a\\x1bb\\x0a\\x7f\\x");
	display("\\x2", TEXT_UNESCAPE, "\\x2");
	/* a backslash of the name's own is told from one of ours */
	display("a\\nb\n", TEXT_BACKSLASH, "a\\\\nb\\n");
	display("a\\x2db\\x0a", TEXT_UNESCAPE | TEXT_BACKSLASH, "a-b\\\\x0a");
	/* R39: two different bad names stay different */
	one = text_display("a\xfe", 2, 0);
	two = text_display("a\xff", 2, 0);
	assert_string_not_equal(one, two);
	free(one);
	free(two);
}

static void test_display_of_all_bytes(void **state)
{
	(void)state;
	for (int hi = 0; hi < 256; hi++) {
		for (int lo = 0; lo < 256; lo++) {
			char in[2] = {(char)hi, (char)lo}, *got = text_display(in, 2, TEXT_ASCII);
			char *plain = text_display(in, 2, 0), *again;
			bool replaced;

			for (char *c = got; *c; c++)
				assert_in_range((unsigned char)*c, 0x20, 0x7e);
			again = utf8_clean(plain, strlen(plain), NULL, &replaced);
			assert_false(replaced);
			free(again);
			free(plain);
			free(got);
		}
	}
}

static void elide(const char *in, size_t width, unsigned int flags, const char *want)
{
	char *got = text_elide(in, width, flags);

	assert_string_equal(got, want);
	assert_true(text_width(got) <= width);
	free(got);
}

static void test_elide(void **state)
{
	(void)state;
	elide("abcdef", 6, TEXT_ASCII, "abcdef");
	elide("abcdefghij", 9, TEXT_ASCII, "ab...ghij");
	elide("abcdefghij", 5, TEXT_ASCII, "a...j");
	elide("abcdefghij", 4, TEXT_ASCII, "ghij");
	elide("abcdefghij", 1, TEXT_ASCII, "j");
	elide("abcdefghij", 0, TEXT_ASCII, "");
	elide("abcdefghij", 7, 0, "ab\xe2\x80\xa6ghij");
	elide("", 0, 0, "");
}

static void test_elide_keeps_the_difference(void **state)
{
	char a[80], b[80], *ea, *eb;

	(void)state;
	memset(a, 'm', 60);
	strcpy(a + 60, "-vm1.scope");
	memcpy(b, a, sizeof(b));
	b[63] = '2';
	/* the tail has to reach over ".scope" to the digit: 7 columns, 3 dots, 3 for the head */
	for (size_t width = 13; width <= 70; width++) {
		ea = text_elide(a, width, TEXT_ASCII);
		eb = text_elide(b, width, TEXT_ASCII);
		assert_string_not_equal(ea, eb);
		assert_int_equal(text_width(ea), width);
		free(ea);
		free(eb);
	}
}

static void test_width_utf8(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("\xc3\xa4\xe2\x82\xac"), 2);
	assert_int_equal(text_width("\xe6\xbc\xa2\xe5\xad\x97"), 4); /* two wide ones */
	assert_int_equal(text_width("e\xcc\x81"), 1);		     /* combining acute */
	/* a wide character that does not fit is left out, a mark stays with its letter */
	elide("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 6, 0,
	      "\xe2\x80\xa6\xe5\xad\x97\xe6\xbc\xa2");
	elide("aaaaaaae\xcc\x81z", 4, 0,
	      "a\xe2\x80\xa6"
	      "e\xcc\x81z");
	elide("aaaaaaae\xcc\x81z", 1, 0, "z");
	elide("ae\xcc\x81zzzzzzzzz", 9, 0, "ae\xcc\x81\xe2\x80\xa6zzzzzz");
	setlocale(LC_CTYPE, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_clean_all_code_points),
		cmocka_unit_test(test_base64),
		cmocka_unit_test(test_display),
		cmocka_unit_test(test_display_of_all_bytes),
		cmocka_unit_test(test_elide),
		cmocka_unit_test(test_elide_keeps_the_difference),
		cmocka_unit_test(test_width_utf8),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
