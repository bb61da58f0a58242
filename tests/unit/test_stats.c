// SPDX-License-Identifier: GPL-2.0-only
// links: model/stats.c model/stats_joint.c
/*
 * Against published values: the tables of Mann & Whitney (1947), the examples of
 * wilcox.test and p.adjust in R's manual; and with ties against all ways to deal
 * the ranks, one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/stats.h"

#define N(v) (sizeof(v) / sizeof((v)[0]))

static void assert_close(double is, double should, double off)
{
	if (!(fabs(is - should) <= off))
		fail_msg("%.10g, should be %.10g", is, should);
}

static void test_middle(void **state)
{
	const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, none[] = {0}, mixed[] = {0, 0, 1};
	const double same[] = {0, 0, 0}, deviates[] = {2, 4, 4, 4, 5, 5, 7, 9};

	(void)state;
	assert_close(stats__median(odd, 3), 2, 0);
	assert_close(stats__median(even, 4), 2.5, 0);
	assert_true(isnan(stats__median(none, 0)));
	assert_close(stats__mean(even, 4), 2.5, 0);
	assert_close(stats__stddev(deviates, 8), sqrt(32.0 / 7), 1e-12);
	assert_true(isnan(stats__stddev(none, 1)));
	assert_close(stats__spread(odd, 3), 0.5, 1e-12);
	assert_close(stats__spread(same, 3), 0, 0);
	assert_true(isnan(stats__spread(mixed, 3)));
	assert_true(isnan(stats__spread(none, 0)));
}

/* Two sets without ties of which a's values are the larger ones in exactly u pairs. */
static double p_of_u(size_t na, size_t nb, size_t u)
{
	double a[16], b[16];

	for (size_t i = 0; i < nb; i++)
		b[i] = (double)(i + 1);
	for (size_t i = 0; i < na; i++) {
		size_t above = u < nb ? u : nb;

		a[i] = (double)above + 0.5 + (double)i / 100;
		u -= above;
	}
	return stats__mann_whitney(a, na, b, nb).p;
}

/* Table I of Mann & Whitney: the probability that U is so small, to three places. */
static void test_tables(void **state)
{
	static const struct {
		size_t na, nb;
		double p[7];
	} table[] = {
		{3, 3, {.050, .100, .200, .350, .500}},
		{4, 4, {.014, .029, .057, .100, .171, .243, .343}},
		{3, 5, {.018, .036, .071, .125, .196, .286, .393}},
		{5, 5, {.004, .008, .016, .028, .048, .075, .111}},
		{4, 6, {.005, .010, .019, .033, .057, .086, .129}},
	};

	(void)state;
	for (size_t i = 0; i < N(table); i++)
		for (size_t u = 0; u < 7 && table[i].p[u] > 0 && table[i].p[u] < .5; u++) {
			struct utest t;
			double p = p_of_u(table[i].na, table[i].nb, u);

			assert_close(p / 2, table[i].p[u], .00051);
			t.p = p_of_u(table[i].na, table[i].nb, table[i].na * table[i].nb - u);
			assert_close(t.p, p, 1e-12);
		}
	/* what three and four runs a side can reach at best */
	assert_close(stats__least_p(3, 3), .1, 1e-12);
	assert_close(stats__least_p(4, 4), 2 / 70.0, 1e-12);
	assert_close(stats__least_p(1, 1), 1, 0);
	assert_close(stats__least_p(3, 6), p_of_u(3, 6, 0), 1e-12);
}

/* Hollander & Wolfe (1973), 69f., in the manual of wilcox.test: W = 35, one-sided 0.1272. */
static void test_permeability(void **state)
{
	const double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
	const double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	struct utest t = stats__mann_whitney(x, N(x), y, N(y));

	(void)state;
	assert_true(t.exact);
	assert_close(t.u, 35, 0);
	assert_close(t.p / 2, 0.1272, 0.00005);
}

/* The same manual: ozone in May and in August (airquality): W = 127.5, p = 0.0001208. */
static void test_normal(void **state)
{
	const double may[] = {41, 36, 12, 18, 28, 23, 19, 8, 7,	 16, 11, 14,  18,
			      14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37};
	const double aug[] = {39, 9,  16, 78, 35, 66, 122, 89,	110, 44, 28,  65, 22,
			      59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85};
	double same[60];
	struct utest t = stats__mann_whitney(may, N(may), aug, N(aug));

	(void)state;
	assert_false(t.exact);
	assert_close(t.u, 127.5, 0);
	assert_close(t.p, 0.0001208, 0.00000005);
	for (size_t i = 0; i < N(same); i++)
		same[i] = 7;
	assert_close(stats__mann_whitney(same, 30, same + 30, 30).p, 1, 0);
}

static uint32_t seed = 1;

static uint32_t roll(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static double twice_rank(const double *v, size_t n, size_t i)
{
	double rank = 1;

	for (size_t j = 0; j < n; j++)
		rank += v[j] < v[i] ? 2 : v[j] == v[i];
	return rank;
}

/* Deals the values in all ways: the share whose rank sum is as far from the mean as the first's. */
static double brute(const double *v, size_t n, size_t na)
{
	double mean = (double)(na * (n + 1)), is = 0, far = 0, all = 0;

	for (size_t i = 0; i < na; i++)
		is += twice_rank(v, n, i);
	for (uint32_t set = 0; set < 1u << n; set++) {
		double sum = 0;

		if ((size_t)__builtin_popcount(set) != na)
			continue;
		for (size_t i = 0; i < n; i++)
			sum += set >> i & 1 ? twice_rank(v, n, i) : 0;
		all++;
		far += fabs(sum - mean) >= fabs(is - mean);
	}
	return far / all;
}

static void test_ties(void **state)
{
	(void)state;
	for (size_t round = 0; round < 300; round++) {
		size_t na = 1 + roll(6), nb = 1 + roll(6);
		uint32_t values = 1 + roll(8);
		double v[12];

		for (size_t i = 0; i < na + nb; i++)
			v[i] = roll(values) / 7.0;
		assert_close(stats__mann_whitney(v, na, v + na, nb).p, brute(v, na + nb, na),
			     1e-12);
	}
}

/* At the limit of what is counted out the normal distribution is near. */
static void test_edge(void **state)
{
	double v[STATS_EXACT_MAX + 2];
	struct utest exact, normal;

	(void)state;
	for (size_t i = 0; i < N(v); i++)
		v[i] = roll(30) + (i % 2 ? 6 : 0);
	for (size_t i = 1; i < N(v) / 2; i += 2) {
		double x = v[i];

		v[i] = v[N(v) - 1 - i];
		v[N(v) - 1 - i] = x;
	}
	exact = stats__mann_whitney(v, 25, v + 25, 25);
	normal = stats__mann_whitney(v, 26, v + 26, 26);
	assert_true(exact.exact);
	assert_false(normal.exact);
	assert_close(exact.p, normal.p, 0.1);
	assert_true(exact.p > 0 && exact.p <= 1);
	assert_true(isnan(stats__mann_whitney(v, 0, v, 3).p));
}

/* False alarms: of runs that do not differ at most one row in twenty has p < 0.05. */
static void test_alarms(void **state)
{
	size_t alarms = 0, rounds = 20000;

	(void)state;
	for (size_t i = 0; i < rounds; i++) {
		double v[10];

		for (size_t j = 0; j < N(v); j++)
			v[j] = roll(1000);
		alarms += stats__mann_whitney(v, 5, v + 5, 5).p < STATS_ALPHA;
	}
	assert_in_range(alarms, rounds * 2 / 100, rounds * 5 / 100);
}

/* p.adjust(c(0.01, 0.02, 0.03, 0.04), "holm") and c(0.04, 0.001, NA, 0.03) of R. */
static void test_holm(void **state)
{
	const double p[] = {0.01, 0.02, 0.03, 0.04}, should[] = {0.04, 0.06, 0.06, 0.06};
	double q[] = {0.04, 0.001, NAN, 0.03}, then[] = {0.06, 0.003, 0, 0.06}, out[4];

	(void)state;
	stats__holm(p, out, 4);
	for (size_t i = 0; i < 4; i++)
		assert_close(out[i], should[i], 1e-12);
	stats__holm(q, q, 4);
	for (size_t i = 0; i < 4; i++)
		if (i != 2)
			assert_close(q[i], then[i], 1e-12);
	assert_true(isnan(q[2]));
	q[0] = 0.9;
	q[1] = 0.8;
	stats__holm(q, q, 2);
	assert_close(q[0], 1, 0);
}

/* By hand: of the six ways to deal 2 and 2, four are as rare as the first for one of these two. */
static void test_joint(void **state)
{
	const double up[] = {1, 2, 3, 4}, crossed[] = {1, 3, 2, 4},
		     far[] = {1, 2, 3, 4, 5, 6, 7, 8};
	const double *const apart[] = {crossed, up}, *const same[] = {far, far, far, far, far};
	double p[5] = {9, 9, 9, 9, 9};

	(void)state;
	assert_true(stats__joint(apart, 2, 2, 2, p));
	assert_close(p[0], 4.0 / 6, 1e-12);
	assert_close(p[1], 4.0 / 6, 1e-12);
	assert_true(stats__joint(apart + 1, 1, 2, 2, p));
	assert_close(p[0], stats__mann_whitney(up, 2, up + 2, 2).p, 1e-12);
	/* what moves together counts once */
	assert_true(stats__joint(same, 5, 4, 4, p));
	for (size_t i = 0; i < 5; i++)
		assert_close(p[i], 2.0 / 70, 1e-12);
	p[0] = 9;
	assert_false(stats__joint(same, 0, 4, 4, p));
	assert_false(stats__joint(same, 5, 30, 30, p));
	assert_close(p[0], 9, 0);
}

/* Five measures of runs that do not differ: one false alarm in twenty for all, where each alone gives more. */
static void test_joint_alarms(void **state)
{
	const size_t rounds = 2000;
	size_t alarms = 0, alone = 0;

	(void)state;
	for (size_t i = 0; i < rounds; i++) {
		double v[5][8], p[5], least = 1;
		const double *const all[] = {v[0], v[1], v[2], v[3], v[4]};
		bool any = false;

		for (size_t m = 0; m < 5; m++)
			for (size_t j = 0; j < 8; j++)
				v[m][j] = roll(1u << 20);
		assert_true(stats__joint(all, 5, 4, 4, p));
		for (size_t m = 0; m < 5; m++) {
			double own = stats__mann_whitney(v[m], 4, v[m] + 4, 4).p;

			assert_true(p[m] >= own - 1e-12 && p[m] <= 1);
			any |= own < STATS_ALPHA;
			least = p[m] < least ? p[m] : least;
		}
		alarms += least < STATS_ALPHA;
		alone += any;
	}
	assert_in_range(alarms, 0, rounds * 5 / 100);
	assert_in_range(alone, rounds * 9 / 100, rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_middle),	     cmocka_unit_test(test_tables),
		cmocka_unit_test(test_permeability), cmocka_unit_test(test_normal),
		cmocka_unit_test(test_ties),	     cmocka_unit_test(test_edge),
		cmocka_unit_test(test_alarms),	     cmocka_unit_test(test_holm),
		cmocka_unit_test(test_joint),	     cmocka_unit_test(test_joint_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
