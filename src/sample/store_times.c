// SPDX-License-Identifier: GPL-2.0-only
/* How long things took, and what happened when. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/histogram.h"
#include "sample/store_parts.h"

/* Both kinds of histogram. Their buckets are known by what this build would put there. */
struct layout {
	unsigned int n;
	unsigned int (*bucket)(uint64_t ns);
	uint64_t (*edge)(unsigned int bucket);
};

static const struct layout fine = {HIST_BUCKETS, hist__bucket, hist__edge};
static const struct layout octaves = {OCTAVES, octave__bucket, octave__edge};

/* Its upper edge in ns; of the open one what it is above: ">6442450944". */
static const char *key_of(char key[24], unsigned int bucket, const struct layout *by)
{
	bool open = bucket + 1 == by->n;

	snprintf(key, 24, "%s%" PRIu64, open ? ">" : "", by->edge(bucket - open));
	return key;
}

const char *store__bucket(char key[24], unsigned int bucket, bool of_row)
{
	return key_of(key, bucket, of_row ? &octaves : &fine);
}

static json_t *put_buckets(const __u64 *buckets, const struct layout *by, int *err)
{
	json_t *o = json_object();
	char key[24];

	for (unsigned int i = 0; i < by->n; i++)
		if (buckets[i])
			put__member(o, key_of(key, i, by), put__number(buckets[i]), err);
	return o;
}

static json_t *put_span(uint64_t sum, uint64_t max, const __u64 *buckets, const struct layout *by,
			int *err)
{
	json_t *o = json_object();

	put__member(o, "sum", put__number(sum), err);
	put__member(o, "max", put__number(max), err);
	put__member(o, "buckets", put_buckets(buckets, by, err), err);
	return o;
}

/* The place of a key, or the number of buckets: there is none. */
static unsigned int place_of(const char *key, const struct layout *by)
{
	unsigned int i = by->n - 1;
	char own[24];

	if (*key != '>')
		i = by->bucket(strtoull(key, NULL, 10));
	return strcmp(key_of(own, i, by), key) ? by->n : i;
}

static void get_buckets(struct loader *l, const json_t *o, __u64 *buckets, const struct layout *by)
{
	const json_t *from = loader__object(l, o, "buckets");
	size_t old = loader__enter(l, ".buckets");
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)from, key, value) {
		unsigned int i = place_of(key, by);

		if (i == by->n)
			loader__fault(l, -EINVAL,
				      "%s: this memcgtop has no bucket of %.24s ns; "
				      "read the file with the memcgtop that wrote it",
				      l->where, key);
		if (l->rc)
			break;
		buckets[i] = loader__u64(l, from, key);
	}
	loader__leave(l, old);
}

static void get_span(struct loader *l, const json_t *o, const char *name, __u64 *sum, __u64 *max,
		     __u64 *buckets, const struct layout *by)
{
	const json_t *from = loader__object(l, o, name);
	size_t old = loader__enter(l, ".%s", name);

	*sum = loader__u64(l, from, "sum");
	*max = loader__u64(l, from, "max");
	get_buckets(l, from, buckets, by);
	loader__leave(l, old);
}

json_t *store__put_spans(const struct sample *s, int *err)
{
	json_t *o;

	if (!s->spans)
		return json_null();
	o = json_object();
	for (int i = 0; i < SPAN_NR; i++)
		put__member(o, span_names[i],
			    put_span(s->spans[i].sum, s->spans[i].max, s->spans[i].buckets, &fine,
				     err),
			    err);
	return o;
}

void store__get_spans(struct loader *l, const json_t *o, struct sample *s)
{
	const json_t *from;
	size_t old;

	if (!loader__has(l, o, "spans"))
		return;
	from = loader__object(l, o, "spans");
	old = loader__enter(l, ".spans");
	s->spans = loader__room(l, SPAN_NR, sizeof(s->spans[0]));
	for (int i = 0; i < SPAN_NR && !l->rc; i++)
		get_span(l, from, span_names[i], &s->spans[i].sum, &s->spans[i].max,
			 s->spans[i].buckets, &fine);
	loader__leave(l, old);
}

static bool is_empty(const struct row_span *span)
{
	static const struct row_span nothing;

	return !memcmp(span, &nothing, sizeof(nothing));
}

json_t *store__put_times(const struct row *r, int *err)
{
	json_t *o;

	if (!r->times)
		return json_null();
	o = json_object();
	for (int i = 0; i < SPAN_ROW_NR; i++) {
		const struct row_span *span = &r->times->spans[i];

		if (!is_empty(span))
			put__member(o, span_names[i],
				    put_span(span->sum, span->max, span->octaves, &octaves, err),
				    err);
	}
	return o;
}

void store__get_times(struct loader *l, const json_t *o, struct row *r)
{
	const json_t *from;
	size_t old;

	if (!loader__has(l, o, "times"))
		return;
	from = loader__object(l, o, "times");
	old = loader__enter(l, ".times");
	r->times = loader__room(l, 0, sizeof(*r->times));
	for (int i = 0; i < SPAN_ROW_NR && !l->rc; i++) {
		struct row_span *span = &r->times->spans[i];

		if (json_object_get(from, span_names[i]))
			get_span(l, from, span_names[i], &span->sum, &span->max, span->octaves,
				 &octaves);
	}
	loader__leave(l, old);
}

json_t *store__put_intervals(const struct window *w, int *err)
{
	json_t *array;

	if (!w->intervals)
		return json_null();
	array = json_array();
	for (size_t i = 0; i < w->nintervals; i++) {
		const struct interval *in = &w->intervals[i];
		json_t *o = json_object();

		put__member(o, "end_ns", put__number(in->end_ns), err);
		put__member(o, "charges", put__on_cpus(in->charges, w->end, err), err);
		put__member(o, "misses", put__on_cpus(in->misses, w->end, err), err);
		put__element(array, o, err);
	}
	return array;
}

static void get_interval(struct loader *l, const json_t *o, void *arg)
{
	struct window *w = arg;
	struct interval *in = &w->intervals[w->nintervals++];

	in->end_ns = loader__u64(l, o, "end_ns");
	in->charges = loader__on_cpus(l, loader__object(l, o, "charges"), "charges", w->end);
	in->misses = loader__on_cpus(l, loader__object(l, o, "misses"), "misses", w->end);
	if (w->nintervals > 1 && in->end_ns <= in[-1].end_ns)
		loader__wrong(l, "end_ns", "a time after that of the interval before");
}

void store__get_intervals(struct loader *l, const json_t *o, struct window *w)
{
	const json_t *array;

	if (!loader__has(l, o, "intervals"))
		return;
	w->interval_ns = loader__u64(l, o, "interval_ns");
	array = loader__array(l, o, "intervals", CELLS_MAX / 2 / (w->end->ncpus + 1));
	w->intervals = loader__room(l, json_array_size(array), sizeof(w->intervals[0]));
	loader__each(l, array, "intervals", get_interval, w);
}
