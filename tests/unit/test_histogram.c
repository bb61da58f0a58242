// SPDX-License-Identifier: GPL-2.0-only
// links: model/histogram.c sample/sample.c
#include "sample_fixture.h"

#include <math.h>

#include "model/histogram.h"

static void add(struct hist *h, uint64_t ns, uint64_t n)
{
	h->buckets[hist__bucket(ns)] += n;
	h->sum += ns * n;
	h->max = h->max > ns ? h->max : ns;
}

static uint64_t sum_of(const struct histogram *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += h->count[i];
	return sum;
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%.12g, not %.12g", got, want);
}

/* The programs' own words for it, bpf/memcgtop.h: four an octave, upper edges inclusive. */
static unsigned int defined_bucket(uint64_t v)
{
	uint64_t x = v - 1;
	unsigned int e = 0, index;

	if (v <= 4)
		return v;
	while (x >> e > 1)
		e++;
	index = 5 + (e - 2) * 4 + ((x >> (e - 2)) & 3);
	return index < HIST_BUCKETS - 1 ? index : HIST_BUCKETS - 1;
}

static void test_buckets(void **state)
{
	(void)state;
	for (uint64_t v = 0; v < 70000; v++)
		assert_int_equal(hist__bucket(v), defined_bucket(v));
	for (unsigned int shift = 16; shift < 64; shift++)
		for (uint64_t v = (1ull << shift) - 2; v <= (1ull << shift) + 2; v++)
			assert_int_equal(hist__bucket(v), defined_bucket(v));
	assert_int_equal(hist__bucket(UINT64_MAX), HIST_BUCKETS - 1);
}

/* An edge is the last value of its bucket, and the one after it the first of the next. */
static void test_edges(void **state)
{
	(void)state;
	for (unsigned int i = 0; i + 1 < HIST_BUCKETS; i++) {
		assert_int_equal(hist__bucket(hist__edge(i)), i);
		assert_int_equal(hist__bucket(hist__edge(i) + 1), i + 1);
	}
	assert_true(hist__edge(HIST_BUCKETS - 1) == UINT64_MAX);
	assert_int_equal(hist__edge(hist__bucket(1024)), 1024);
	assert_int_equal(hist__edge(hist__bucket(1025)), 1280);
}

static void test_octave_edges(void **state)
{
	(void)state;
	assert_int_equal(octave__bucket(0), 0);
	assert_int_equal(octave__edge(0), 32);
	for (unsigned int i = 0; i + 1 < OCTAVES; i++) {
		assert_int_equal(octave__bucket(octave__edge(i)), i);
		assert_int_equal(octave__bucket(octave__edge(i) + 1), i + 1);
	}
	assert_true(octave__edge(OCTAVES - 1) == UINT64_MAX);
	assert_int_equal(octave__bucket(UINT64_MAX), OCTAVES - 1);
	/* both kinds agree where an octave ends */
	for (uint64_t v = 33; v < 1000000; v = v * 3 / 2)
		assert_true(hist__edge(hist__bucket(v)) <= octave__edge(octave__bucket(v)));
}

static void test_difference(void **state)
{
	struct hist start = {}, end;
	struct histogram h;

	(void)state;
	add(&start, 100, 7);
	add(&start, 5000, 2);
	end = start;
	add(&end, 100, 3);
	add(&end, 900, 10);
	histogram__of(&h, &end, &start);
	assert_int_equal(h.n, HIST_BUCKETS);
	assert_int_equal(h.total, 13);
	assert_int_equal(h.sum, 300 + 9000);
	assert_int_equal(h.count[hist__bucket(100)], 3);
	assert_int_equal(h.count[hist__bucket(900)], 10);
	assert_int_equal(h.count[hist__bucket(5000)], 0);
	for (size_t i = 0; i < h.n; i++)
		assert_true(h.le[i] == hist__edge(i));
	histogram__of(&h, &end, NULL);
	assert_int_equal(h.total, 22);
	assert_int_equal(h.max, 5000);
}

/* What is known of a window's largest: itself if it is the largest ever, else its bucket. */
static void test_max(void **state)
{
	struct hist start = {}, end;
	struct histogram h;

	(void)state;
	add(&start, 5000, 1);
	end = start;
	add(&end, 900, 1);
	histogram__of(&h, &end, &start);
	assert_int_equal(h.max, 1024);
	/* the bucket's edge may be above what was ever seen */
	end = start;
	add(&end, 4999, 1);
	histogram__of(&h, &end, &start);
	assert_int_equal(h.max, 5000);
	add(&end, 5001, 1);
	histogram__of(&h, &end, &start);
	assert_int_equal(h.max, 5001);
	/* nothing happened */
	histogram__of(&h, &start, &start);
	assert_int_equal(h.max, 0);
	assert_int_equal(h.total, 0);
	/* the open bucket */
	add(&end, 1ull << 40, 1);
	start = end;
	add(&end, 1ull << 39, 1);
	histogram__of(&h, &end, &start);
	assert_true(h.max == 1ull << 40);
}

/* Only a broken file has counts that went back. */
static void test_backwards(void **state)
{
	struct hist start = {}, end = {};
	struct histogram h;

	(void)state;
	add(&start, 100, 7);
	add(&end, 100, 3);
	add(&end, 200, 5);
	start.sum = 1 << 20;
	histogram__of(&h, &end, &start);
	assert_int_equal(h.total, 5);
	assert_int_equal(h.sum, 0);
}

static void test_counts_above_32_bits(void **state)
{
	const uint64_t big = 5000000000;
	struct hist start = {}, end;
	struct histogram h, octaves;

	(void)state;
	add(&start, 70, 1ull << 40);
	end = start;
	add(&end, 70, big);
	add(&end, 3000, big + 1);
	histogram__of(&h, &end, &start);
	assert_true(h.count[hist__bucket(70)] == big);
	assert_true(h.total == 2 * big + 1);
	assert_true(h.total == sum_of(&h));
	assert_true(h.sum == 70 * big + 3000 * (big + 1));
	histogram__octaves(&octaves, &h);
	assert_true(sum_of(&octaves) == 2 * big + 1);
	histogram__add(&h, &h);
	assert_true(h.total == 4 * big + 2);
}

/* Each interval's own histogram; all of them together are that of the window. */
static void test_intervals_add_up(void **state)
{
	struct hist now = {}, before, start;
	struct histogram sum = {}, one, whole;
	uint64_t v = 1;

	(void)state;
	add(&now, 123456, 9);
	start = now;
	for (int interval = 0; interval < 50; interval++) {
		before = now;
		for (int i = 0; i < 100; i++) {
			v = v * 6364136223846793005 + 1442695040888963407;
			add(&now, v >> (20 + v % 44), 1 + v % 3);
		}
		histogram__of(&one, &now, &before);
		assert_int_equal(one.total, sum_of(&one));
		histogram__add(&sum, &one);
	}
	histogram__of(&whole, &now, &start);
	assert_int_equal(sum.n, whole.n);
	assert_memory_equal(sum.count, whole.count, sizeof(sum.count));
	assert_memory_equal(sum.le, whole.le, sizeof(sum.le));
	assert_true(sum.total == whole.total && sum.sum == whole.sum);
	assert_true(sum.max >= whole.max);
}

/* A cgroup's octaves read the same way; at the octave's edges both kinds hold the same. */
static void test_rows(void **state)
{
	struct sample *s = fixture_sample(3, 1);
	struct histogram row, all, octaves;

	(void)state;
	fixture_times(s, 1);
	for (uint64_t ns = 20; ns < 1u << 27; ns = ns * 5 / 3) {
		fixture_span(s, 1, SPAN_WALK, ns, 3);
		fixture_span(s, 2, SPAN_WALK, ns / 2, 1);
	}
	histogram__of_row(&row, &s->rows[1].times->spans[SPAN_WALK], NULL);
	histogram__of_row(&all, &s->rows[2].times->spans[SPAN_WALK], NULL);
	assert_int_equal(row.n, OCTAVES);
	assert_int_equal(row.total, sum_of(&row));
	assert_int_equal(row.total, 3 * all.total);
	histogram__add(&all, &row);
	histogram__of(&row, &s->spans[SPAN_WALK], NULL);
	assert_true(all.total == row.total && all.sum == row.sum && all.max == row.max);
	histogram__octaves(&octaves, &row);
	for (size_t i = 0; i < octaves.n; i++)
		if (octaves.le[i] > 32)
			assert_int_equal(octaves.count[i],
					 all.count[octave__bucket(octaves.le[i])]);
	sample__free(s);
}

static void test_octaves(void **state)
{
	static const uint64_t le[] = {512, 1024, 2048, 4096, 8192};
	static const uint64_t count[] = {4, 9, 0, 0, 3};
	struct histogram h, o;
	struct hist end = {};

	(void)state;
	add(&end, 300, 1);
	add(&end, 512, 3);
	add(&end, 513, 4);
	add(&end, 1024, 5);
	add(&end, 5000, 3);
	histogram__of(&h, &end, NULL);
	histogram__octaves(&o, &h);
	assert_int_equal(o.n, 5);
	assert_memory_equal(o.le, le, sizeof(le));
	assert_memory_equal(o.count, count, sizeof(count));
	assert_int_equal(o.total, 16);
	assert_int_equal(o.max, 5000);
	assert_true(o.sum == h.sum);
	/* 0 and 1 share the first one, and the open one stays open */
	add(&end, 0, 2);
	add(&end, 1, 3);
	add(&end, UINT64_MAX / 4, 6);
	histogram__of(&h, &end, NULL);
	histogram__octaves(&o, &h);
	assert_int_equal(o.le[0], 1);
	assert_int_equal(o.count[0], 5);
	assert_true(o.le[o.n - 1] == UINT64_MAX);
	assert_int_equal(o.count[o.n - 1], 6);
	memset(&end, 0, sizeof(end));
	histogram__of(&h, &end, NULL);
	histogram__octaves(&o, &h);
	assert_int_equal(o.n, 0);
}

static void test_quantiles(void **state)
{
	struct histogram h;
	struct hist end = {};

	(void)state;
	/* (1024, 1280] and (1280, 1536] */
	add(&end, 1100, 50);
	add(&end, 1500, 50);
	histogram__of(&h, &end, NULL);
	assert_near(histogram__quantile(&h, 0), 1024);
	assert_near(histogram__quantile(&h, 0.25), 1152);
	assert_near(histogram__quantile(&h, 0.5), 1280);
	/* the last bucket ends at the largest */
	assert_near(histogram__quantile(&h, 0.75), 1390);
	assert_near(histogram__quantile(&h, 1), 1500);
	assert_near(histogram__mean(&h), 1300);
	/* among the open ones the largest is all that is known */
	add(&end, 1ull << 41, 900);
	histogram__of(&h, &end, NULL);
	assert_true(histogram__quantile(&h, 0.999) <= 0x1p41);
	assert_true(histogram__quantile(&h, 0.999) > 0x1p40);
}

static void test_of_nothing(void **state)
{
	struct histogram h;
	struct hist end = {};

	(void)state;
	histogram__of(&h, &end, NULL);
	assert_true(isnan(histogram__mean(&h)));
	assert_true(isnan(histogram__quantile(&h, 0.5)));
	assert_true(isnan(histogram__above(&h, 5)));
	h = (struct histogram){};
	assert_true(isnan(histogram__mean(&h)));
	assert_true(isnan(histogram__quantile(&h, 0.5)));
	/* all of them took no time */
	add(&end, 0, 5);
	histogram__of(&h, &end, NULL);
	assert_true(histogram__mean(&h) == 0);
	assert_true(histogram__quantile(&h, 0.99) == 0);
	assert_true(histogram__above(&h, 0) == 0);
}

static void test_above(void **state)
{
	struct histogram h;
	struct hist end = {};

	(void)state;
	add(&end, 1100, 60);
	add(&end, 1500, 40);
	histogram__of(&h, &end, NULL);
	assert_near(histogram__above(&h, 0), 1);
	assert_near(histogram__above(&h, 1024), 1);
	assert_near(histogram__above(&h, 1280), 0.4);
	/* half of (1024, 1280], and half of (1280, 1500] */
	assert_near(histogram__above(&h, 1152), 0.7);
	assert_near(histogram__above(&h, 1390), 0.2);
	assert_true(histogram__above(&h, 1500) == 0);
	assert_true(histogram__above(&h, UINT64_MAX) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_octave_edges),
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_max),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_counts_above_32_bits),
		cmocka_unit_test(test_intervals_add_up),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_octaves),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_of_nothing),
		cmocka_unit_test(test_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
