/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_CGROUP_PATHS_H
#define MEMCGTOP_CGROUP_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * From cgroup id (kernfs id) to path. The id is the identity, the path is only its name: ids are
 * not used twice, so an answer can be cached, and a cgroup that is gone keeps its last path as a
 * tombstone. Kernfs ids are per hierarchy: the root given here must be a directory of the
 * hierarchy that has the memory controller (struct cgroup_mounts.root), or names would be wrong.
 * Not safe for use by two threads at once.
 */
struct paths;

#define PATHS_DEFAULT_MAX 65536

enum path_state {
	PATH_UNKNOWN = 0, /* never seen, or evicted from the cache after it died */
	PATH_LIVE = 1,
	PATH_DELETED = 2, /* removed; bytes are its last path */
};

struct cgroup_path {
	/*
	 * Raw bytes relative to the root, with leading '/'; the root itself is "/". A cgroup that
	 * the root does not contain (root is a subtree or a cgroup namespace) is "/.." and its path
	 * from the top of what can be seen; no cgroup can be called "..", so this is unambiguous.
	 * NUL terminated after len; NULL and 0 when unknown. Owned by struct paths, valid until the
	 * next call on it: copy what has to stay.
	 */
	const char *bytes;
	size_t len;
	enum path_state state;
};

struct paths_opts {
	const char *root;	       /* directory; required */
	size_t max_entries;	       /* cap on cached paths, 0: PATHS_DEFAULT_MAX */
	bool no_handles;	       /* do not use open_by_handle_at */
	uint64_t (*now_ns)(void *arg); /* monotonic clock, NULL: CLOCK_MONOTONIC */
	void *now_arg;
};

struct paths_stats {
	uint64_t entries, tombstones; /* cached now; entries includes tombstones */
	uint64_t evicted_tombstones;  /* names lost for good */
	uint64_t evicted_live;	      /* can be looked up again */
	uint64_t scans;		      /* walks over the whole tree */
	uint64_t scans_limited;	      /* walks refused by the rate limit */
	uint64_t scan_skipped;	      /* cgroups seen in a walk and not kept: cache full */
	uint64_t scan_errors;	      /* directories that could not be read in a walk */
	bool handles;		      /* open_by_handle_at works here */
};

/* New resolver for *out. -errno if the root cannot be opened (-EINVAL: no root given). */
int paths__new(const struct paths_opts *opts, struct paths **out);
void paths__free(struct paths *p);

/*
 * Resolve id. 0 with out->state set, also when the id is unknown; -errno only if resources ran
 * out. A cached live path costs one stat, a tombstone nothing. Without handles an unknown id may
 * walk the tree, at most once a second (and a tenth of the time) however many ids are asked.
 */
int paths__resolve(struct paths *p, uint64_t id, struct cgroup_path *out);

/* Does this cgroup exist now? One stat or one handle lookup; turns a dead one into a tombstone. */
bool paths__alive(struct paths *p, uint64_t id);

/*
 * Walk the tree now and remember all paths that fit, so that cgroups that die before somebody
 * asks have a name. Number of cgroups seen, -EAGAIN: refused by the rate limit.
 */
int paths__scan(struct paths *p);

/* Kernfs id of the root directory. */
uint64_t paths__root_id(const struct paths *p);
void paths__stats(const struct paths *p, struct paths_stats *out);

#endif
