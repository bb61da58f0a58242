/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_CGROUP_MOUNTS_H
#define MEMCGTOP_CGROUP_MOUNTS_H

#include <stddef.h>

#include "sample/sample.h"

/* Where the memory controller lives and which directory its cgroup ids belong to. */

enum cgroup_why {
	CGROUP_WHY_NOTHING = 0,
	CGROUP_WHY_NOT_BUILT = 1,   /* NONE: kernel without CONFIG_MEMCG */
	CGROUP_WHY_DISABLED = 2,    /* NONE: cgroup_disable=memory */
	CGROUP_WHY_NOT_MOUNTED = 3, /* NONE: controller there, no hierarchy mounted */
	CGROUP_WHY_V1_HIDDEN = 4,   /* V1, HYBRID: that hierarchy is not mounted here, root NULL */
	CGROUP_WHY_NOT_DELEGATED = 5, /* V2: a container's subtree that does not have memory */
};

/* Files to read; a NULL member, or a NULL struct, is the one in /proc. */
struct cgroup_sources {
	const char *mountinfo;
	const char *cgroups;
	const char *cmdline;
};

struct cgroup_mounts {
	/* V1: no cgroup2 mounted. HYBRID: cgroup2 is, but memory is on v1. NONE: see why. */
	enum cgroup_mode mode;
	enum cgroup_why why;
	/*
	 * Directory for struct paths: of cgroup2 with V2, of the v1 memory hierarchy with V1 and
	 * HYBRID (ids are per hierarchy). NULL if there is none.
	 */
	char *root;
	/*
	 * Part of the hierarchy that root shows, "/" is all of it or of the cgroup namespace;
	 * "/.." and the like: mounted from above the namespace. NULL after an override.
	 */
	char *mount_root;
	char *cgroup2_root; /* NULL: no cgroup2 mounted, or covered by another mount */
};

/* Read the sources into *out. 0, or -errno if mountinfo cannot be read or memory is out. */
int cgroup_mounts__read(const struct cgroup_sources *src, struct cgroup_mounts *out);
void cgroup_mounts__free(struct cgroup_mounts *m);

/*
 * --cgroup-root DIR. DIR has to be on cgroup2, or, where memory is on v1, in the v1 memory
 * hierarchy: the ids of one hierarchy name other cgroups in another one. 0, or -errno with one
 * sentence in err; m is unchanged then.
 */
int cgroup_mounts__override(struct cgroup_mounts *m, const char *dir, char *err, size_t errsz);

/* One sentence with the remedy for m->why, "" for CGROUP_WHY_NOTHING. */
const char *cgroup_why__str(enum cgroup_why why);

#endif
