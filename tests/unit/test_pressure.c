// SPDX-License-Identifier: GPL-2.0-only
// links: probe/pressure.c
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "probe/pressure.h"

#define SEC 1000000000ULL
#define MS  1000000ULL

static uint32_t rows;
static struct row_id ids[8];
static struct row_note notes[8];
static struct loaded loaded = {.max_rows = 8, .notes = notes, .ids = ids};
static struct pressure p;

uint32_t loaded__rows(const struct loaded *l)
{
	(void)l;
	return rows;
}

static int set_up(void **state)
{
	(void)state;
	memset(ids, 0, sizeof(ids));
	memset(notes, 0, sizeof(notes));
	rows = 1;
	return pressure__init(&p, 8);
}

static int tear_down(void **state)
{
	(void)state;
	pressure__release(&p);
	return 0;
}

static uint32_t make(uint64_t cgroup, uint64_t parent, uint64_t grandparent)
{
	ids[rows].serial = cgroup;
	ids[rows].cgroup = cgroup;
	ids[rows].above[0] = parent;
	ids[rows].above[1] = grandparent;
	return rows++;
}

/* As pressure.bpf.h does. */
static void set(uint32_t row, uint64_t now)
{
	if (now >= notes[row].pressure_until)
		notes[row].pressure_since = now;
	notes[row].pressure_until = now + SEC;
}

static void look(uint64_t now)
{
	pressure__look(&p, &loaded, now);
}

static void test_one(void **state)
{
	uint32_t a = make(10, 1, 0);

	(void)state;
	look(5 * SEC);
	assert_int_equal(p.ns[a], 0);
	set(a, 5 * SEC + 100 * MS);
	look(5 * SEC + 250 * MS);
	assert_int_equal(p.ns[a], 150 * MS);
	look(5 * SEC + 250 * MS);
	assert_int_equal(p.ns[a], 150 * MS);
	look(6 * SEC);
	assert_int_equal(p.ns[a], 900 * MS);
	/* set again before it is over: one stretch */
	set(a, 6 * SEC + 50 * MS);
	look(6 * SEC + 500 * MS);
	assert_int_equal(p.ns[a], 1400 * MS);
	look(7 * SEC);
	look(8 * SEC);
	assert_int_equal(p.ns[a], 1950 * MS);
}

static void test_over_and_set_again_between_two_looks(void **state)
{
	uint32_t a = make(10, 1, 0);

	(void)state;
	set(a, 1 * SEC);
	look(1 * SEC + 900 * MS);
	set(a, 2 * SEC + 100 * MS);
	look(2 * SEC + 200 * MS);
	/* 1.0 to 2.0 and 2.1 to 2.2 */
	assert_int_equal(p.ns[a], 1100 * MS);
}

static void test_from_above(void **state)
{
	uint32_t top = make(10, 1, 0), mid = make(20, 10, 1), leaf = make(30, 20, 10);
	uint32_t beside = make(40, 1, 0);

	(void)state;
	look(1 * SEC);
	set(top, 1 * SEC + 500 * MS);
	look(1 * SEC + 600 * MS);
	set(leaf, 2 * SEC);
	look(2 * SEC + 200 * MS);
	look(2 * SEC + 900 * MS);
	look(3 * SEC + 500 * MS);
	assert_int_equal(p.ns[top], 1000 * MS);
	assert_int_equal(p.ns[mid], 1000 * MS);
	/* 1.5 to 2.5 and 2.0 to 3.0 */
	assert_int_equal(p.ns[leaf], 1500 * MS);
	assert_int_equal(p.ns[beside], 0);
}

/* More than a second between two looks: never more than there was. */
static void test_seldom(void **state)
{
	uint32_t a = make(10, 1, 0);

	(void)state;
	set(a, 1 * SEC);
	set(a, 5 * SEC);
	look(10 * SEC);
	assert_int_equal(p.ns[a], 1000 * MS);
}

static void test_row_of_another(void **state)
{
	uint32_t a = make(10, 1, 0);

	(void)state;
	set(a, 1 * SEC);
	look(1 * SEC + 500 * MS);
	pressure__forget_row(&p, a);
	memset(&notes[a], 0, sizeof(notes[a]));
	ids[a].serial = 0;
	look(1 * SEC + 600 * MS);
	ids[a].serial = 11;
	ids[a].cgroup = 11;
	look(1 * SEC + 700 * MS);
	assert_int_equal(p.ns[a], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_over_and_set_again_between_two_looks, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_from_above, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_seldom, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_row_of_another, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
