// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/pressure.h"

struct stretch {
	uint64_t from;
	uint64_t to;
};

/* A cgroup that was under pressure of its own since the last look. */
struct pressed {
	uint64_t cgroup;
	struct stretch of[2];
};

int pressure__init(struct pressure *p, uint32_t max_rows)
{
	memset(p, 0, sizeof(*p));
	p->max_rows = max_rows;
	p->ns = calloc(max_rows, sizeof(*p->ns));
	p->until = calloc(max_rows, sizeof(*p->until));
	p->found = calloc(max_rows, sizeof(*p->found));
	if (p->ns && p->until && p->found)
		return 0;
	pressure__release(p);
	return -ENOMEM;
}

void pressure__release(struct pressure *p)
{
	free(p->ns);
	free(p->until);
	free(p->found);
	memset(p, 0, sizeof(*p));
}

void pressure__forget_row(struct pressure *p, uint32_t row)
{
	p->ns[row] = 0;
	p->until[row] = 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Between two looks the pressure that was may end, and new one begin; it then
 * lasts beyond the second look.
 */
static bool find(struct pressed *f, const struct row_note *note, uint64_t until, uint64_t before,
		 uint64_t now)
{
	memset(f->of, 0, sizeof(f->of));
	if (note->pressure_until <= before || note->pressure_since >= now)
		return false;
	if (note->pressure_since <= before) {
		f->of[0] = (struct stretch){before, earlier(note->pressure_until, now)};
		return true;
	}
	if (until > before)
		f->of[0] = (struct stretch){before, earlier(until, now)};
	f->of[1] = (struct stretch){note->pressure_since, earlier(note->pressure_until, now)};
	return true;
}

static int by_cgroup(const void *a, const void *b)
{
	const struct pressed *x = a, *y = b;

	return x->cgroup < y->cgroup ? -1 : x->cgroup > y->cgroup;
}

static int by_start(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static uint64_t length_of_union(struct stretch *s, size_t n)
{
	uint64_t sum = 0, end = 0;
	size_t i;

	qsort(s, n, sizeof(*s), by_start);
	for (i = 0; i < n; i++) {
		uint64_t from = s[i].from > end ? s[i].from : end;

		if (s[i].to <= from)
			continue;
		sum += s[i].to - from;
		end = s[i].to;
	}
	return sum;
}

/* Of a cgroup and all above it. */
static uint64_t pressed_ns(const struct pressed *found, size_t n, const struct row_id *who)
{
	struct stretch s[2 * (ABOVE_MAX + 1)];
	size_t ns = 0;
	int i;

	for (i = -1; i < ABOVE_MAX; i++) {
		struct pressed key = {.cgroup = i < 0 ? who->cgroup : who->above[i]};
		const struct pressed *f;

		f = key.cgroup ? bsearch(&key, found, n, sizeof(*found), by_cgroup) : NULL;
		if (!f)
			continue;
		s[ns++] = f->of[0];
		s[ns++] = f->of[1];
	}
	return length_of_union(s, ns);
}

void pressure__look(struct pressure *p, const struct loaded *l, uint64_t now)
{
	uint32_t row, used = loaded__rows(l);
	size_t n = 0;

	if (now <= p->looked)
		return;
	for (row = 1; row < used; row++) {
		struct row_note note = l->notes[row];

		if (l->ids[row].serial && find(&p->found[n], &note, p->until[row], p->looked, now))
			p->found[n++].cgroup = l->ids[row].cgroup;
		p->until[row] = note.pressure_until;
	}
	if (n)
		qsort(p->found, n, sizeof(*p->found), by_cgroup);
	for (row = 1; n && row < used; row++) {
		struct row_id who = l->ids[row];

		if (who.serial)
			p->ns[row] += pressed_ns(p->found, n, &who);
	}
	p->looked = now;
}
