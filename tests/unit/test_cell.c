// SPDX-License-Identifier: GPL-2.0-only
// links: view/cell.c view/measure.c view/number.c model/*.c sample/sample.c text/utf8.c ../tests/unit/window.c
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/cell.h"
#include "window.h"

static struct window w;
static struct model m;

static void begin(const char *name)
{
	w = window_of(name);
	assert_int_equal(model__init(&m, &w), 0);
}

static void end(void)
{
	model__release(&m);
	window__release(&w);
}

static struct column column(const char *key)
{
	const struct field *f = field__find(key);

	assert_non_null(f);
	return (struct column){f};
}

static void assert_cell(const char *key, const struct scope *s, enum cell_mode mode,
			const char *text)
{
	struct column c = strcmp(key, "why") ? column(key) : (struct column){NULL};
	char buf[NUM_LEN];

	assert_string_equal(cell__text(buf, &m, &c, s, mode), text);
	assert_true((int)strlen(buf) <= cell__width(&c, mode));
}

static void test_modes(void **state)
{
	(void)state;
	begin("demo");
	assert_cell("charges", &m.total, CELL_RATE, "7.07k");
	assert_cell("charges", &m.total, CELL_DELTA, "73.7k");
	assert_cell("charges", &m.total, CELL_TOTAL, "73.7k");
	assert_cell("charge_kinds", &m.total, CELL_DELTA, "73.7k");
	assert_cell("walks", &m.total, CELL_RATE, "2.46k");
	assert_cell("failed", &m.total, CELL_RATE, "0");
	/* What is no event has no rate. */
	assert_cell("memcgs", &m.cpus[1].scope, CELL_RATE, "9");
	assert_cell("usage_cpus", &m.total, CELL_RATE, "1");
	end();
}

static void test_units(void **state)
{
	(void)state;
	begin("demo");
	assert_cell("miss_ratio", &m.total, CELL_RATE, "34.7%");
	assert_cell("amplification", &m.total, CELL_RATE, "0.35");
	assert_cell("pages_per_walk", &m.total, CELL_RATE, "63.8");
	assert_cell("sock_charge_ns", &m.total, CELL_RATE, "5.31us");
	assert_cell("why", &m.total, CELL_RATE, "absent");
	assert_cell("miss_reasons", &m.total, CELL_DELTA, "absent");
	end();
	begin("limit");
	for (size_t i = 0; i < m.nrows; i++)
		assert_cell("limit_bytes", &m.rows[i].scope, CELL_RATE,
			    m.rows[i].row->limit_bytes.known ? "8MiB" : "-");
	end();
}

/* A dash wherever there is no value: never a zero. */
static void test_none(void **state)
{
	struct scope sum;

	(void)state;
	begin("idle");
	assert_cell("charges", &m.total, CELL_RATE, "0");
	assert_cell("miss_ratio", &m.total, CELL_RATE, "-");
	assert_cell("why", &m.total, CELL_RATE, "-");
	assert_cell("charge_ns", &m.total, CELL_RATE, "-");
	assert_cell("rstat_updates", &m.total, CELL_DELTA, "-");
	end();
	begin("per-counter");
	assert_cell("evictions", &m.total, CELL_RATE, "-");
	end();
	begin("many");
	assert_cell("charge_ns", &m.total, CELL_RATE, "-");
	assert_cell("memcgs", &m.rows[0].scope, CELL_RATE, "-");
	assert_cell("usage_updates", &m.cpus[0].scope, CELL_RATE, "-");
	end();
	begin("demo");
	sum = m.rows[0].scope;
	assert_true(strcmp("-", cell__text((char[NUM_LEN]){0}, &m,
					   &(struct column){field__find("usage_updates")}, &sum,
					   CELL_DELTA)));
	/* of several cgroups what includes the descendants does not add up */
	sum.row = NULL;
	assert_cell("usage_updates", &sum, CELL_DELTA, "-");
	assert_cell("charges", &sum, CELL_DELTA, "8.19k");
	/* and without a window there is no rate */
	m.seconds = 0;
	assert_cell("charges", &m.total, CELL_RATE, "-");
	assert_cell("charges", &m.total, CELL_TOTAL, "73.7k");
	end();
}

static void assert_title(const char *key, enum cell_mode mode, const char *text)
{
	struct column c = strcmp(key, "why") ? column(key) : (struct column){NULL};
	char buf[NUM_LEN];

	assert_string_equal(cell__title(buf, &c, mode), text);
}

static void test_titles(void **state)
{
	(void)state;
	assert_title("charges", CELL_RATE, "CHARGE/s");
	assert_title("charges", CELL_DELTA, "CHARGES");
	assert_title("charges", CELL_TOTAL, "CHARGES");
	assert_title("misses", CELL_RATE, "MISS/s");
	assert_title("evictions", CELL_RATE, "EVICT/s");
	assert_title("walks", CELL_RATE, "WALK/s");
	assert_title("surplus_refills", CELL_RATE, "SURPLUS/s");
	assert_title("miss_ratio", CELL_RATE, "MISS%");
	assert_title("usage_cpus", CELL_RATE, "CPUS");
	assert_title("amplification", CELL_RATE, "AMPL");
	assert_title("memcgs", CELL_RATE, "MEMCGS");
	assert_title("why", CELL_RATE, "WHY");
}

/* Of every field, in every mode: short, and no two of them alike. */
static void test_titles_of_all(void **state)
{
	char buf[NUM_LEN], other[NUM_LEN];

	(void)state;
	for (size_t i = 0; i < nfields; i++)
		for (enum cell_mode mode = CELL_RATE; mode <= CELL_TOTAL; mode++) {
			struct column c = {&fields[i]};

			cell__title(buf, &c, mode);
			if (strlen(buf) < 2 || strlen(buf) > 9)
				fail_msg("%s: %s", fields[i].key, buf);
			assert_true(cell__width(&c, mode) >= (int)strlen(buf));
			for (size_t j = 0; j < i; j++) {
				struct column d = {&fields[j]};

				if (!strcmp(cell__title(other, &d, mode), buf))
					fail_msg("%s and %s are both %s", fields[i].key,
						 fields[j].key, buf);
			}
		}
}

/* Whatever stands in a window, no cell is wider than it said. */
static void test_widths(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		begin(*name);
		for (size_t i = 0; i < nfields; i++)
			for (enum cell_mode mode = CELL_RATE; mode <= CELL_TOTAL; mode++) {
				struct column c = {&fields[i]};
				char buf[NUM_LEN];

				cell__text(buf, &m, &c, &m.total, mode);
				assert_true((int)strlen(buf) <= cell__width(&c, mode));
				for (size_t j = 0; j < m.nrows; j++) {
					cell__text(buf, &m, &c, &m.rows[j].scope, mode);
					assert_true((int)strlen(buf) <= cell__width(&c, mode));
				}
			}
		end();
	}
}

static void test_value(void **state)
{
	struct column charges = column("charges"), ratio = column("miss_ratio"),
		      evictions = column("evictions"), why = {NULL};

	(void)state;
	begin("demo");
	assert_float_equal(cell__value(&m, &charges, &m.total, CELL_DELTA), 73664, 0.1);
	assert_float_equal(cell__value(&m, &charges, &m.total, CELL_RATE), 73664 / m.seconds, 0.1);
	assert_float_equal(cell__value(&m, &ratio, &m.total, CELL_RATE), 0.3466, 0.001);
	assert_true(isnan(cell__value(&m, &why, &m.total, CELL_RATE)));
	assert_true(cell__counts(&charges));
	assert_false(cell__counts(&ratio));
	assert_false(cell__counts(&why));
	end();
	begin("per-counter");
	assert_true(isnan(cell__value(&m, &evictions, &m.total, CELL_DELTA)));
	end();
}

static void assert_columns(const struct column *c, size_t n, const char *titles)
{
	char line[256] = "", buf[NUM_LEN];

	for (size_t i = 0; i < n; i++) {
		strcat(line, i ? " " : "");
		strcat(line, cell__title(buf, &c[i], CELL_RATE));
	}
	assert_string_equal(line, titles);
}

static void test_standard(void **state)
{
	struct column c[16];

	(void)state;
	begin("demo");
	assert_columns(c, columns__standard(c, 16, &m),
		       "CHARGE/s MISS% WHY EVICT/s WALK/s CPUS AMPL");
	assert_columns(c, columns__standard(c, 2, &m), "CHARGE/s MISS%");
	end();
	begin("per-counter");
	assert_columns(c, columns__standard(c, 16, &m), "CHARGE/s MISS% WHY WALK/s CPUS AMPL");
	end();
}

static void test_parse(void **state)
{
	struct column c[4];
	char bad[32];

	(void)state;
	assert_int_equal(columns__parse(c, 4, "charges,miss_ratio,why,slots_used", bad, 32), 4);
	assert_ptr_equal(c[0].field, field__find("charges"));
	assert_null(c[2].field);
	assert_ptr_equal(c[3].field, field__find("slots_used"));
	assert_int_equal(columns__parse(c, 4, "charges,chargs", bad, 32), -EINVAL);
	assert_string_equal(bad, "chargs");
	assert_int_equal(columns__parse(c, 4, "", bad, 32), -EINVAL);
	assert_string_equal(bad, "");
	assert_int_equal(columns__parse(c, 4, "charges,,walks", bad, 32), -EINVAL);
	assert_int_equal(columns__parse(c, 4, "charges,", bad, 32), -EINVAL);
	assert_int_equal(columns__parse(c, 1, "charges,walks", bad, 32), -EINVAL);
	assert_string_equal(bad, "walks");
	/* which has a value of the whole system alone */
	assert_int_equal(columns__parse(c, 4, "slot_life_ns", bad, 32), -EINVAL);
	/* longer than what it is told in */
	assert_int_equal(columns__parse(c, 4, "much_longer_than_any_key_of_the_table", bad, 8),
			 -EINVAL);
	assert_string_equal(bad, "much_lo");
}

static void test_bytes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0B"},
		{1023, "1023B"},
		{65536, "64KiB"},
		{1572864, "1.5MiB"},
		{1023 * 1024, "1023KiB"},
		{1024 * 1024 - 1, "1MiB"},
		{150ULL << 20 | 300000, "150MiB"},
		{UINT64_MAX, "16EiB"},
	};
	char buf[NUM_LEN];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(num__bytes_short(buf, cases[i].bytes), cases[i].text);
}

/* The total's values are all there without the rest of the model: a history is made of them. */
static void test_total_alone(void **state)
{
	(void)state;
	for (const char *const *name = window_names; *name; name++) {
		struct model total;

		begin(*name);
		assert_int_equal(model__init_total(&total, &w), 0);
		for (size_t i = 0; i < nfields; i++) {
			const struct column c = {&fields[i]};
			double v = cell__value(&m, &c, &m.total, CELL_DELTA);
			double alone = cell__value(&total, &c, &total.total, CELL_DELTA);

			if (v != alone && !(isnan(v) && isnan(alone)))
				fail_msg("%s of %s: %g, alone %g", fields[i].key, *name, v, alone);
		}
		model__release(&total);
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),	      cmocka_unit_test(test_units),
		cmocka_unit_test(test_none),	      cmocka_unit_test(test_titles),
		cmocka_unit_test(test_titles_of_all), cmocka_unit_test(test_widths),
		cmocka_unit_test(test_value),	      cmocka_unit_test(test_standard),
		cmocka_unit_test(test_parse),	      cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_total_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
