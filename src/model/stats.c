// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double stats__median(const double *v, size_t n)
{
	double sorted[STATS_MAX];

	if (!n || n > STATS_MAX)
		return NAN;
	memcpy(sorted, v, n * sizeof(*v));
	qsort(sorted, n, sizeof(*sorted), by_value);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double stats__mean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / (double)n : NAN;
}

double stats__stddev(const double *v, size_t n)
{
	const double mean = stats__mean(v, n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return n > 1 ? sqrt(sum / (double)(n - 1)) : NAN;
}

double stats__spread(const double *v, size_t n)
{
	const double median = stats__median(v, n);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(v[i] - median));
	if (!n)
		return NAN;
	return most == 0 ? 0 : median == 0 ? NAN : most / fabs(median);
}

/* All values in one row. */
struct pooled {
	double value;
	bool of_a;
	unsigned int rank; /* twice the rank, so that a tie's mean is whole */
};

static int by_pooled(const void *a, const void *b)
{
	return by_value(&((const struct pooled *)a)->value, &((const struct pooled *)b)->value);
}

/* Fills in the ranks, from 1; returns the sum of t^3 - t over the ties. */
static double rank(struct pooled *all, size_t n)
{
	double ties = 0;

	qsort(all, n, sizeof(*all), by_pooled);
	for (size_t i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && all[end].value == all[i].value;)
			end++;
		t = (double)(end - i);
		ties += t * t * t - t;
		for (size_t j = i; j < end; j++)
			all[j].rank = (unsigned int)(i + 1 + end);
	}
	return ties;
}

/*
 * ways[k][s]: in how many ways k of the ranks add up to s. Each rank in turn is
 * taken or not, k from above, so that none is taken twice.
 */
static double exact_p(const struct pooled *all, size_t n, size_t na, unsigned int sum)
{
	const size_t most = n * (n + 1), mean = na * (n + 1); /* of twice the ranks */
	const size_t off = sum > mean ? sum - mean : mean - sum;
	double *ways = calloc((na + 1) * (most + 1), sizeof(*ways));
	double far = 0, total = 0;

	if (!ways)
		return NAN;
	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t k = na; k > 0; k--)
			for (size_t s = all[i].rank; s <= most; s++)
				ways[k * (most + 1) + s] +=
					ways[(k - 1) * (most + 1) + s - all[i].rank];
	for (size_t s = 0; s <= most; s++) {
		double here = ways[na * (most + 1) + s];

		total += here;
		if ((s > mean ? s - mean : mean - s) >= off)
			far += here;
	}
	free(ways);
	return far / total;
}

static double normal_p(size_t na, size_t nb, double u, double ties)
{
	const double n = (double)(na + nb), pairs = (double)na * (double)nb;
	const double variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)));
	const double off = fmax(fabs(u - pairs / 2) - 0.5, 0);

	return variance > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

struct utest stats__mann_whitney(const double *a, size_t na, const double *b, size_t nb)
{
	const size_t n = na + nb;
	struct utest t = {.u = NAN, .p = NAN, .exact = n <= STATS_EXACT_MAX};
	struct pooled all[STATS_MAX];
	unsigned int sum = 0;
	double ties;

	if (!na || !nb || n > STATS_MAX)
		return t;
	for (size_t i = 0; i < n; i++)
		all[i] = (struct pooled){.value = i < na ? a[i] : b[i - na], .of_a = i < na};
	ties = rank(all, n);
	for (size_t i = 0; i < n; i++)
		sum += all[i].of_a ? all[i].rank : 0;
	t.u = sum / 2.0 - (double)na * (double)(na + 1) / 2;
	t.p = t.exact ? exact_p(all, n, na, sum) : normal_p(na, nb, t.u, ties);
	return t;
}

double stats__least_p(size_t na, size_t nb)
{
	double ways = 1;

	for (size_t i = 1; i <= na; i++)
		ways = ways * (double)(nb + i) / (double)i;
	return fmin(2 / ways, 1);
}

struct place_of {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	return by_value(&((const struct place_of *)a)->p, &((const struct place_of *)b)->p);
}

void stats__holm(const double *p, double *adjusted, size_t n)
{
	struct place_of *sorted = calloc(n ? n : 1, sizeof(*sorted));
	double least = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		double v = p[i];

		/* without memory nothing is told from noise */
		adjusted[i] = sorted ? v : NAN;
		if (sorted && !isnan(v))
			sorted[m++] = (struct place_of){v, i};
	}
	if (m)
		qsort(sorted, m, sizeof(*sorted), by_p);
	for (size_t i = 0; i < m; i++) {
		least = fmin(fmax(least, sorted[i].p * (double)(m - i)), 1);
		adjusted[sorted[i].at] = least;
	}
	free(sorted);
}
