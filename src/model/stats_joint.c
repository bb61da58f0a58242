// SPDX-License-Identifier: GPL-2.0-only
/* Several measures of the same runs, judged together by all ways to deal the runs to two sides. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats.h"

/* A measure: how far the ranks of side A are from their mean, dealt in each way, and how rare that is. */
struct dealt {
	uint32_t *far;	/* [nways] */
	uint32_t *rare; /* [nways] in how many ways it is as far: p times nways */
	size_t at;	/* its place in the caller's list */
};

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int by_rarity(const void *a, const void *b)
{
	/* as they were dealt: the first way */
	return by_number(((const struct dealt *)a)->rare, ((const struct dealt *)b)->rare);
}

/* Twice the rank of each value, from 1, so that a tie's mean is whole. */
static void rank_all(const double *v, size_t n, uint32_t *ranks)
{
	for (size_t i = 0; i < n; i++) {
		ranks[i] = 1;
		for (size_t j = 0; j < n; j++)
			ranks[i] += v[j] < v[i] ? 2 : v[j] == v[i];
	}
}

/* The next larger number with as many bits: the next way to choose A's runs. */
static uint64_t next_way(uint64_t way)
{
	const uint64_t low = way & -way, up = way + low;

	return up | ((way ^ up) / low >> 2);
}

static uint32_t far_from_mean(const uint32_t *ranks, size_t n, size_t na, uint64_t way)
{
	const uint32_t mean = (uint32_t)(na * (n + 1));
	uint32_t sum = 0;

	for (; way; way &= way - 1)
		sum += ranks[__builtin_ctzll(way)];
	return sum > mean ? sum - mean : mean - sum;
}

/* The first of sorted that is not below v. */
static size_t lower_bound(const uint32_t *sorted, size_t n, uint32_t v)
{
	size_t from = 0;

	while (n) {
		const size_t half = n / 2;

		if (sorted[from + half] < v) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

static bool deal(struct dealt *d, const double *v, size_t na, size_t nb, size_t nways)
{
	uint32_t ranks[64];
	uint64_t way = (1ull << na) - 1;
	uint32_t *sorted = malloc(nways * sizeof(*sorted));

	d->far = malloc(nways * sizeof(*d->far));
	d->rare = malloc(nways * sizeof(*d->rare));
	if (!sorted || !d->far || !d->rare) {
		free(sorted);
		return false;
	}
	rank_all(v, na + nb, ranks);
	for (size_t i = 0; i < nways; i++, way = next_way(way))
		d->far[i] = far_from_mean(ranks, na + nb, na, way);
	memcpy(sorted, d->far, nways * sizeof(*sorted));
	qsort(sorted, nways, sizeof(*sorted), by_number);
	for (size_t i = 0; i < nways; i++)
		d->rare[i] = (uint32_t)(nways - lower_bound(sorted, nways, d->far[i]));
	free(sorted);
	return true;
}

/* The rarest first; each is compared with the rarest of itself and those behind it, in each way. */
static void step_down(struct dealt *d, size_t n, size_t nways, double *adjusted)
{
	double most = 0;

	qsort(d, n, sizeof(*d), by_rarity);
	for (size_t i = n - 1; i-- > 0;)
		for (size_t way = 0; way < nways; way++) {
			/* what was dealt first is what is judged: it stays */
			if (way && d[i + 1].rare[way] < d[i].rare[way])
				d[i].rare[way] = d[i + 1].rare[way];
		}
	for (size_t i = 0; i < n; i++) {
		size_t as_rare = 0;

		for (size_t way = 0; way < nways; way++)
			as_rare += d[i].rare[way] <= d[i].rare[0];
		most = fmax(most, (double)as_rare / (double)nways);
		adjusted[d[i].at] = most;
	}
}

bool stats__joint(const double *const *v, size_t n, size_t na, size_t nb, double *adjusted)
{
	const double ways = 2 / stats__least_p(na, nb);
	struct dealt *d;
	bool done = true;

	if (!n || !na || !nb || na + nb > 62 || ways > STATS_WAYS_MAX)
		return false;
	d = calloc(n, sizeof(*d));
	for (size_t i = 0; d && done && i < n; i++) {
		d[i].at = i;
		done = deal(&d[i], v[i], na, nb, (size_t)lround(ways));
	}
	if (d && done)
		step_down(d, n, (size_t)lround(ways), adjusted);
	for (size_t i = 0; d && i < n; i++) {
		free(d[i].far);
		free(d[i].rare);
	}
	free(d);
	return d && done;
}
