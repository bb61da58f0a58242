// SPDX-License-Identifier: GPL-2.0-only
/* The buckets of the programs, and what is read from them. */
#include <math.h>

#include "model/fields_count.h"
#include "model/histogram.h"

/* Up to this each value has a bucket of its own; from there it is four an octave. */
#define FIRST_OCTAVE 4

static unsigned int log2_of(uint64_t v)
{
	return 63 - (unsigned int)__builtin_clzll(v);
}

unsigned int hist__bucket(uint64_t ns)
{
	unsigned int octave, quarter, bucket;

	if (ns <= FIRST_OCTAVE)
		return (unsigned int)ns;
	octave = log2_of(ns - 1);
	quarter = (ns - 1) >> (octave - 2) & 3;
	bucket = FIRST_OCTAVE + 1 + (octave - 2) * 4 + quarter;
	return bucket < HIST_BUCKETS ? bucket : HIST_BUCKETS - 1;
}

uint64_t hist__edge(unsigned int bucket)
{
	unsigned int octave, quarter;

	if (bucket <= FIRST_OCTAVE)
		return bucket;
	if (bucket >= HIST_BUCKETS - 1)
		return UINT64_MAX;
	octave = 2 + (bucket - FIRST_OCTAVE - 1) / 4;
	quarter = (bucket - FIRST_OCTAVE - 1) % 4;
	return (1ull << octave) + (quarter + 1ull) * (1ull << (octave - 2));
}

unsigned int octave__bucket(uint64_t ns)
{
	unsigned int bucket;

	if (ns <= 1ull << OCTAVE_FIRST)
		return 0;
	bucket = log2_of(ns - 1) + 1 - OCTAVE_FIRST;
	return bucket < OCTAVES ? bucket : OCTAVES - 1;
}

uint64_t octave__edge(unsigned int bucket)
{
	return bucket < OCTAVES - 1 ? 1ull << (OCTAVE_FIRST + bucket) : UINT64_MAX;
}

/* Both kinds of what the programs keep, as one. */
struct kept {
	uint64_t sum, max;
	const __u64 *buckets;
};

/*
 * The programs keep the largest since they were attached. It is the window's if
 * it grew in it; if not, only the bucket of the window's largest is known.
 */
static uint64_t window_max(const struct histogram *h, const struct kept *end,
			   const struct kept *start)
{
	size_t i = h->n;

	if (!h->total)
		return 0;
	if (end->max > start->max)
		return end->max;
	while (!h->count[i - 1])
		i--;
	return h->le[i - 1] < end->max ? h->le[i - 1] : end->max;
}

static void subtract(struct histogram *h, size_t n, uint64_t (*edge)(unsigned int bucket),
		     const struct kept *end, const struct kept *start)
{
	*h = (struct histogram){.n = n, .sum = minus(end->sum, start->sum)};
	for (size_t i = 0; i < n; i++) {
		h->le[i] = edge(i);
		h->count[i] = minus(end->buckets[i], start->buckets ? start->buckets[i] : 0);
		h->total += h->count[i];
	}
	h->max = window_max(h, end, start);
}

void histogram__of(struct histogram *h, const struct hist *end, const struct hist *start)
{
	const struct kept to = {end->sum, end->max, end->buckets};
	struct kept from = {};

	if (start)
		from = (struct kept){start->sum, start->max, start->buckets};
	subtract(h, HIST_BUCKETS, hist__edge, &to, &from);
}

void histogram__of_row(struct histogram *h, const struct row_span *end,
		       const struct row_span *start)
{
	const struct kept to = {end->sum, end->max, end->octaves};
	struct kept from = {};

	if (start)
		from = (struct kept){start->sum, start->max, start->octaves};
	subtract(h, OCTAVES, octave__edge, &to, &from);
}

void histogram__add(struct histogram *a, const struct histogram *b)
{
	if (!a->n) {
		*a = *b;
		return;
	}
	for (size_t i = 0; i < a->n; i++)
		a->count[i] += b->count[i];
	a->total += b->total;
	a->sum += b->sum;
	if (a->max < b->max)
		a->max = b->max;
}

/* The power of two that a bucket ends in or before. */
static uint64_t octave_of(uint64_t le)
{
	if (le <= 1)
		return 1;
	return le == UINT64_MAX ? le : 1ull << (log2_of(le - 1) + 1);
}

void histogram__octaves(struct histogram *to, const struct histogram *from)
{
	size_t first = 0, end = from->n;

	*to = (struct histogram){.total = from->total, .sum = from->sum, .max = from->max};
	while (end && !from->count[end - 1])
		end--;
	while (first < end && !from->count[first])
		first++;
	for (size_t i = first; i < end; i++) {
		uint64_t le = octave_of(from->le[i]);

		if (!to->n || to->le[to->n - 1] != le)
			to->le[to->n++] = le;
		to->count[to->n - 1] += from->count[i];
	}
}

double histogram__mean(const struct histogram *h)
{
	return h->total ? (double)h->sum / (double)h->total : NAN;
}

/* Between which values a bucket's counts lie, above low and up to high. */
struct range {
	double low, high;
};

static struct range range_of(const struct histogram *h, size_t i)
{
	uint64_t low = i ? h->le[i - 1] : 0, high = h->le[i];

	if (low > h->max)
		low = h->max;
	if (high > h->max)
		high = h->max;
	return (struct range){(double)low, (double)high};
}

double histogram__quantile(const struct histogram *h, double q)
{
	double rank = q * (double)h->total, below = 0;

	for (size_t i = 0; i < h->n; i++) {
		double count = (double)h->count[i];
		struct range r;

		if (!h->count[i])
			continue;
		if (below + count < rank) {
			below += count;
			continue;
		}
		r = range_of(h, i);
		return r.low + (r.high - r.low) * (rank - below) / count;
	}
	/* a sum of doubles may stay below the whole */
	return h->total ? (double)h->max : NAN;
}

double histogram__above(const struct histogram *h, uint64_t ns)
{
	double above = 0, limit = (double)ns;

	for (size_t i = 0; i < h->n; i++) {
		struct range r = range_of(h, i);

		if (r.high <= limit)
			continue;
		above += (double)h->count[i] *
			 (r.low >= limit ? 1 : (r.high - limit) / (r.high - r.low));
	}
	return h->total ? above / (double)h->total : NAN;
}
