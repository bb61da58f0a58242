/* SPDX-License-Identifier: GPL-2.0-only */
/* A sample of one cgroup and one CPU, with all that can be asked for, and its measures. */
#ifndef MEMCGTOP_TESTS_MEASURES_H
#define MEMCGTOP_TESTS_MEASURES_H

#include "sample_fixture.h"

#include <ctype.h>
#include <math.h>

#include "model/model.h"

static struct window w;
static struct model m;

/* All that can be asked for is, on a kernel that has it all. */
static inline int setup(void **state)
{
	static const enum prog_id asked[] = {PROG_LOCK_WAIT, PROG_LOCK_TAKEN, PROG_DRAIN_BUSY,
					     PROG_RSTAT};
	struct row *r;

	(void)state;
	w = (struct window){.end = fixture_sample(2, 1)};
	w.end->host.preempt_rt = true;
	w.end->stock.lock = LOCK_OWNER;
	fixture_times(w.end, 1);
	w.end->spans[SPAN_LOCK_WAIT].buckets[30] = 1;
	w.end->asked.lock_exact = w.end->asked.drains = w.end->asked.rstat = true;
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		w.end->probes[asked[i]].state = PROBE_ATTACHED;
	fixture_slot(w.end, 0, 0, 101, 9);
	r = &w.end->rows[1];
	fixture_gauge(&r->stranded_pages, 9);
	fixture_gauge(&r->usage_bytes, 1 << 20);
	fixture_gauge(&r->limit_bytes, 4 << 20);
	fixture_gauge(&r->sock_bytes, 1 << 18);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	model__release(&m);
	window__release(&w);
	return 0;
}

static inline void build(void)
{
	model__release(&m);
	assert_int_equal(model__init(&m, &w), 0);
}

static inline void count(int counter, uint64_t n)
{
	fixture_count(w.end, 1, 0, counter, n);
}

static inline uint64_t number(const char *key)
{
	return field__find(key)->count(&m.total);
}

static inline double ratio(const char *key)
{
	return field__find(key)->ratio(&m.total);
}

static inline const struct part *part_of(const char *key, const char *name)
{
	const struct part *p = field__find(key)->parts;

	while (p->name && strcmp(p->name, name))
		p++;
	assert_non_null(p->name);
	return p;
}

static inline uint64_t part(const char *key, const char *name)
{
	return part__count(part_of(key, name), &m.total);
}

/* The reason of "key" or "key.part". */
static inline struct unmeasured why(const char *name)
{
	char key[64];
	char *dot;

	snprintf(key, sizeof(key), "%s", name);
	dot = strchr(key, '.');
	if (!dot)
		return field__unmeasured(field__find(key), NULL, &m);
	*dot = '\0';
	return field__unmeasured(field__find(key), part_of(key, dot + 1), &m);
}

static inline void assert_null_because(const char *name, enum reason reason, bool applicable)
{
	struct unmeasured u = why(name);

	if (u.reason != reason)
		fail_msg("%s is %s, not %s", name, reason__name(u.reason), reason__name(reason));
	assert_int_equal(u.applicable, applicable);
	assert_non_null(u.text);
	assert_true(strlen(u.text) > 10);
}

static inline void assert_measured(const char *name)
{
	struct unmeasured u = why(name);

	if (u.reason != REASON_NONE)
		fail_msg("%s is %s: %s", name, reason__name(u.reason), u.text);
}

/* Every field and part but those that are named has a value. */
static inline void assert_all_measured_but(const char *const *names)
{
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];
		bool named = false;

		for (const char *const *n = names; *n; n++)
			named = named || !strcmp(*n, f->key);
		if (!named)
			assert_measured(f->key);
		for (const struct part *p = f->parts; !named && p && p->name; p++) {
			char full[64];
			bool part_named = false;

			snprintf(full, sizeof(full), "%s.%s", f->key, p->name);
			for (const char *const *n = names; *n; n++)
				part_named = part_named || !strcmp(*n, full);
			if (!part_named)
				assert_measured(full);
		}
	}
}

#define WITH_SAMPLE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
