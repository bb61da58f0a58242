// SPDX-License-Identifier: GPL-2.0-only
#include "cgroup/path_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BUCKETS (1u << 16)

int path_cache__init(struct path_cache *c, size_t max_entries)
{
	memset(c, 0, sizeof(*c));
	for (int i = 0; i < PATH_NR_LISTS; i++)
		c->lists[i].prev = c->lists[i].next = &c->lists[i];
	c->max_entries = max_entries;
	c->nr_buckets = 16;
	while (c->nr_buckets < max_entries && c->nr_buckets < MAX_BUCKETS)
		c->nr_buckets *= 2;
	c->buckets = calloc(c->nr_buckets, sizeof(*c->buckets));
	return c->buckets ? 0 : -ENOMEM;
}

static struct path_entry **bucket_of(struct path_cache *c, uint64_t id)
{
	return &c->buckets[(id * 0x9e3779b97f4a7c15ULL >> 32) & (c->nr_buckets - 1)];
}

struct path_entry *path_cache__find(struct path_cache *c, uint64_t id)
{
	struct path_entry *e = *bucket_of(c, id);

	while (e && e->id != id)
		e = e->hash_next;
	return e;
}

static void unlink_entry(struct path_cache *c, struct path_entry *e)
{
	e->link.prev->next = e->link.next;
	e->link.next->prev = e->link.prev;
	if (e->list == PATH_LIST_DELETED)
		c->tombstones--;
}

static void link_entry(struct path_cache *c, struct path_entry *e, enum path_list list)
{
	struct path_link *head = &c->lists[list];

	e->list = list;
	e->link.prev = head->prev;
	e->link.next = head;
	head->prev->next = &e->link;
	head->prev = &e->link;
	if (list == PATH_LIST_DELETED)
		c->tombstones++;
}

void path_cache__move(struct path_cache *c, struct path_entry *e, enum path_list list)
{
	unlink_entry(c, e);
	link_entry(c, e, list);
}

static void drop(struct path_cache *c, struct path_entry *e)
{
	struct path_entry **at = bucket_of(c, e->id);

	while (*at != e)
		at = &(*at)->hash_next;
	*at = e->hash_next;
	unlink_entry(c, e);
	c->entries--;
	free(e->path);
	free(e);
}

static void evict_one(struct path_cache *c)
{
	for (int i = 0; i < PATH_NR_LISTS; i++) {
		struct path_link *first = c->lists[i].next;

		if (first == &c->lists[i])
			continue;
		if (i == PATH_LIST_DELETED)
			c->evicted_tombstones++;
		else if (i == PATH_LIST_LIVE)
			c->evicted_live++;
		drop(c, (struct path_entry *)first);
		return;
	}
}

struct path_entry *path_cache__store(struct path_cache *c, uint64_t id, const char *path,
				     size_t len, enum path_list list, bool outside)
{
	struct path_entry *e = path_cache__find(c, id);
	struct path_entry **bucket;
	char *copy = NULL;

	if (!e || e->len != len || memcmp(e->path, path, len)) {
		copy = malloc(len + 1);
		if (!copy)
			return NULL;
		memcpy(copy, path, len);
		copy[len] = '\0';
	}
	if (e) {
		/* a walk that meets it again is not a use: the order of use stays */
		if (e->list != list)
			path_cache__move(c, e, list);
	} else {
		e = calloc(1, sizeof(*e));
		if (!e) {
			free(copy);
			return NULL;
		}
		if (c->entries >= c->max_entries)
			evict_one(c);
		e->id = id;
		bucket = bucket_of(c, id);
		e->hash_next = *bucket;
		*bucket = e;
		link_entry(c, e, list);
		c->entries++;
	}
	if (copy) {
		free(e->path);
		e->path = copy;
		e->len = len;
	}
	e->outside = outside;
	return e;
}

void path_cache__bury_unseen(struct path_cache *c, uint32_t scan_gen)
{
	struct path_link *head = &c->lists[PATH_LIST_SPARE], *l, *next;

	for (l = head->next; l != head; l = next) {
		struct path_entry *e = (struct path_entry *)l;

		next = l->next;
		if (e->scan_gen != scan_gen)
			path_cache__move(c, e, PATH_LIST_DELETED);
	}
}

void path_cache__destroy(struct path_cache *c)
{
	if (!c->buckets)
		return;
	for (int i = 0; i < PATH_NR_LISTS; i++) {
		while (c->lists[i].next != &c->lists[i])
			drop(c, (struct path_entry *)c->lists[i].next);
	}
	free(c->buckets);
	c->buckets = NULL;
}
