/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_CGROUP_PATH_CACHE_H
#define MEMCGTOP_CGROUP_PATH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bounded memory of cgroup/paths.c: id to path, with tombstones. Knows no file system. */

/* Eviction order: what nobody asked for, then the dead, oldest first, then the least used. */
enum path_list { PATH_LIST_SPARE, PATH_LIST_DELETED, PATH_LIST_LIVE, PATH_NR_LISTS };

struct path_link {
	struct path_link *prev, *next;
};

struct path_entry {
	struct path_link link; /* first: a link is its entry */
	struct path_entry *hash_next;
	uint64_t id;
	char *path; /* len bytes and a NUL */
	size_t len;
	enum path_list list;
	uint32_t scan_gen; /* last walk that saw it */
	bool outside;	   /* not below the root: path cannot be checked by stat */
};

struct path_cache {
	struct path_entry **buckets;
	size_t nr_buckets; /* power of two */
	size_t max_entries;
	struct path_link lists[PATH_NR_LISTS]; /* oldest first */
	size_t entries, tombstones;
	uint64_t evicted_tombstones, evicted_live;
};

/* Empty cache for at most max_entries (>= 1) paths. -ENOMEM. */
int path_cache__init(struct path_cache *c, size_t max_entries);
void path_cache__destroy(struct path_cache *c);
struct path_entry *path_cache__find(struct path_cache *c, uint64_t id);
/* Put e at the young end of a list. */
void path_cache__move(struct path_cache *c, struct path_entry *e, enum path_list list);
/* Remember (or replace) the path of id, evicting if full. NULL: no memory. */
struct path_entry *path_cache__store(struct path_cache *c, uint64_t id, const char *path,
				     size_t len, enum path_list list, bool outside);
/*
 * Spare entries that the walk `scan_gen` did not see are dead: keep their names as tombstones,
 * their last events may still come.
 */
void path_cache__bury_unseen(struct path_cache *c, uint32_t scan_gen);

#endif
