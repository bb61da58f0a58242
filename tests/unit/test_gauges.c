// SPDX-License-Identifier: GPL-2.0-only
// links: probe/gauges.c
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/gauges.h"

static char root[] = "/tmp/memcgtop-gauges-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void make(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	make("a");
	put("a/memory.current", "8192\n");
	put("a/memory.max", "max\n");
	put("a/memory.stat", "anon 1\nfile 2\nsock 4096\nvmalloc 0\n");
	make("a/b");
	put("a/b/memory.current", "12288\n");
	put("a/b/memory.max", "1048576\n");
	put("a/b/memory.stat", "sock_is_not_first 7\n");
	make("..c");
	put("..c/memory.current", "5\n");
	make("v1");
	put("v1/memory.usage_in_bytes", "4096\n");
	put("v1/memory.limit_in_bytes", "9223372036854771712\n");
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

/* Rows that have charged for sockets. */
static void read_rows(struct row *rows, size_t n, bool v1)
{
	struct sample s = {.rows = rows, .nrows = n};
	size_t i;

	for (i = 0; i < n; i++)
		rows[i].c[CHARGE_AT(KIND_SOCK, LEVEL_TASK)] = i + 1;
	for (i = 0; i < n; i++)
		rows[i].c[C_CHARGE_PAGES + KIND_SOCK] = 1;
	gauges__read(&s, root, v1);
}

static void assert_gauge(struct gauge g, uint64_t value)
{
	assert_true(g.known);
	assert_int_equal(g.value, value);
}

static void test_v2(void **state)
{
	static struct row rows[] = {
		{.id = 1, .path = "/a"},
		{.id = 2, .path = "/a/b"},
		{.id = 3, .path = "/..c"},
		{.id = 4, .path = "/gone"},
	};

	(void)state;
	read_rows(rows, 4, false);
	assert_gauge(rows[0].usage_bytes, 8192);
	assert_false(rows[0].limit_bytes.known);
	assert_gauge(rows[0].sock_bytes, 4096);
	assert_gauge(rows[1].usage_bytes, 12288);
	assert_gauge(rows[1].limit_bytes, 1048576);
	assert_false(rows[1].sock_bytes.known);
	assert_gauge(rows[2].usage_bytes, 5);
	assert_false(rows[3].usage_bytes.known);
}

static void test_v1(void **state)
{
	static struct row rows[] = {{.id = 1, .path = "/v1"}};

	(void)state;
	read_rows(rows, 1, true);
	assert_gauge(rows[0].usage_bytes, 4096);
	assert_false(rows[0].limit_bytes.known);
	assert_false(rows[0].sock_bytes.known);
}

/* No directory, or nothing to ask for. */
static void test_left_out(void **state)
{
	static struct row rows[] = {
		{.id = 1, .path = "/../a"},
		{.id = 2, .path = "/.."},
		{.id = 3, .path = "/a", .state = ROW_DELETED},
		{.id = 0, .state = ROW_IS_OTHER},
		{.id = 4},
	};
	static struct row idle = {.id = 5, .path = "/a"};
	struct sample s = {.rows = &idle, .nrows = 1};
	size_t i;

	(void)state;
	read_rows(rows, 5, false);
	for (i = 0; i < 5; i++)
		assert_false(rows[i].usage_bytes.known);
	gauges__read(&s, root, false);
	assert_false(idle.usage_bytes.known);
	gauges__read(&s, "/nonexistent", false);
	assert_false(idle.usage_bytes.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v2),
		cmocka_unit_test(test_v1),
		cmocka_unit_test(test_left_out),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
