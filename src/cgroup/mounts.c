// SPDX-License-Identifier: GPL-2.0-only
#include "cgroup/mounts.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "host.h"

#define MAX_NESTING 256 /* guard against a loop of parents in a damaged file */

enum mount_kind { MOUNT_OTHER, MOUNT_CGROUP2, MOUNT_V1_MEMORY };

struct mount {
	int id, parent;
	enum mount_kind kind;
	char *point;
	char *root;
};

struct mount_table {
	struct mount *m;
	size_t n, cap;
};

/* What /proc/cgroups says about memory. */
struct memory_line {
	bool known; /* the file could be read */
	bool present;
	bool enabled;
	int hierarchy; /* 0: the default (v2) hierarchy, or none */
};

/* The kernel writes space, tab, newline, backslash and '#' as \ooo. */
static void unescape_octal(char *s)
{
	char *out = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*out++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word), n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == len && !memcmp(list, word, n))
			return true;
	}
	return false;
}

/*
 * "36 35 98:0 /root /point opts [optional fields] - fstype source superopts". The separator is
 * the first "-" after field 6, however many optional fields there are.
 * 1: parsed, 0: not a mount line, -ENOMEM
 */
static int parse_line(char *line, struct mount *m)
{
	char *save = NULL, *f, *root = NULL, *point = NULL, *type, *source, *opts;
	int field = 0;

	memset(m, 0, sizeof(*m));
	line[strcspn(line, "\n")] = '\0';
	for (f = strtok_r(line, " ", &save); f; f = strtok_r(NULL, " ", &save)) {
		field++;
		if (field == 1)
			m->id = atoi(f);
		else if (field == 2)
			m->parent = atoi(f);
		else if (field == 4)
			root = f;
		else if (field == 5)
			point = f;
		else if (field > 6 && !strcmp(f, "-"))
			break;
	}
	type = f ? strtok_r(NULL, " ", &save) : NULL;
	if (!type || root[0] != '/' || point[0] != '/')
		return 0;
	source = strtok_r(NULL, " ", &save);
	opts = strtok_r(NULL, " ", &save);
	/* an empty source leaves two spaces, which strtok takes for one */
	if (!opts)
		opts = source;
	if (!strcmp(type, "cgroup2"))
		m->kind = MOUNT_CGROUP2;
	else if (!strcmp(type, "cgroup") && opts && has_word(opts, "memory"))
		m->kind = MOUNT_V1_MEMORY;
	unescape_octal(root);
	unescape_octal(point);
	m->root = strdup(root);
	m->point = strdup(point);
	if (m->root && m->point)
		return 1;
	free(m->root);
	free(m->point);
	return -ENOMEM;
}

static void free_table(struct mount_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->m[i].root);
		free(t->m[i].point);
	}
	free(t->m);
}

static int read_table(const char *path, struct mount_table *t)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0;
	int err = 0;

	if (!f)
		return -errno;
	while (!err && getline(&line, &cap, f) > 0) {
		if (t->n == t->cap) {
			size_t want = t->cap ? t->cap * 2 : 64;
			struct mount *m = realloc(t->m, want * sizeof(*m));

			if (!m) {
				err = -ENOMEM;
				break;
			}
			t->m = m;
			t->cap = want;
		}
		err = parse_line(line, &t->m[t->n]);
		if (err == 1) {
			t->n++;
			err = 0;
		}
	}
	if (!err && ferror(f))
		err = -EIO;
	free(line);
	fclose(f);
	return err;
}

/* Is prefix the same path as path, or a directory above it? */
static bool path_covers(const char *prefix, const char *path)
{
	size_t n = strlen(prefix);

	if (n == 1)
		return true;
	return !strncmp(prefix, path, n) && (path[n] == '\0' || path[n] == '/');
}

static const struct mount *mount_by_id(const struct mount_table *t, int id)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->m[i].id == id)
			return &t->m[i];
	}
	return NULL;
}

/*
 * A mount is listed even if another one was mounted over it or over a directory above it. Follow
 * the path down from the top: at each mount `at` of the way to m, the next one must be `next`
 * (m's own chain). Another child of `at` mounted on next's directory or above it is what a
 * lookup meets instead.
 */
static bool is_hidden(const struct mount_table *t, const struct mount *m)
{
	const struct mount *at = m, *next = NULL;

	for (int depth = 0; at && depth < MAX_NESTING; depth++) {
		for (size_t i = 0; i < t->n; i++) {
			const struct mount *x = &t->m[i];

			if (x->parent != at->id || x == at || x == next)
				continue;
			if (next ? path_covers(x->point, next->point)
				 : !strcmp(x->point, at->point))
				return true;
		}
		if (at->parent == at->id)
			break;
		next = at;
		at = mount_by_id(t, at->parent);
	}
	return false;
}

/* How far below the top of its hierarchy a mount starts; negative above a namespace's root. */
static int root_depth(const char *root)
{
	int depth = 0;

	while (*root) {
		size_t n;

		root += strspn(root, "/");
		n = strcspn(root, "/");
		if (n == 2 && root[0] == '.' && root[1] == '.')
			depth--;
		else if (n)
			depth++;
		root += n;
	}
	return depth;
}

/*
 * The mount of a kind that shows most: a container may have its own subtree at /sys/fs/cgroup and
 * the host's whole tree elsewhere. Then the usual place, then the first.
 */
static const struct mount *best_mount(const struct mount_table *t, enum mount_kind kind)
{
	const struct mount *best = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct mount *m = &t->m[i];
		int diff;

		if (m->kind != kind || is_hidden(t, m))
			continue;
		diff = best ? root_depth(m->root) - root_depth(best->root) : -1;
		if (diff < 0 || (!diff && path_covers("/sys/fs/cgroup", m->point) &&
				 !path_covers("/sys/fs/cgroup", best->point)))
			best = m;
	}
	return best;
}

static void read_memory_line(const char *path, struct memory_line *ml)
{
	FILE *f = fopen(path, "re");
	char line[256], name[64];
	int hierarchy, enabled;

	memset(ml, 0, sizeof(*ml));
	if (!f)
		return;
	ml->known = true;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %d %*d %d", name, &hierarchy, &enabled) != 3 ||
		    strcmp(name, "memory"))
			continue;
		ml->present = true;
		ml->hierarchy = hierarchy;
		ml->enabled = enabled;
	}
	fclose(f);
}

static bool file_has_word(const char *dir, const char *name, const char *word)
{
	char path[PATH_MAX], *text, *save = NULL, *w;
	bool found = false;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return false;
	text = host__read_file(path, NULL);
	for (w = text ? strtok_r(text, " \n", &save) : NULL; w && !found;
	     w = strtok_r(NULL, " \n", &save))
		found = !strcmp(w, word);
	free(text);
	return found;
}

static bool file_exists(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
	       !access(path, F_OK);
}

/* Why is there no memory controller, or is there one that /proc/cgroups does not list? */
static void judge_unlisted(struct cgroup_mounts *m, const char *cmdline)
{
	const char *root = m->cgroup2_root;

	m->mode = CGROUP_NONE;
	if (root && (file_has_word(root, "cgroup.controllers", "memory") ||
		     file_exists(root, "memory.stat"))) {
		m->mode = CGROUP_V2;
	} else if (cmdline && cmdline__has(cmdline, "cgroup_disable", "memory")) {
		m->why = CGROUP_WHY_DISABLED;
	} else if (root && file_exists(root, "cgroup.type")) {
		/* only the top of the hierarchy lacks this file, and only the top lists all */
		m->mode = CGROUP_V2;
		m->why = CGROUP_WHY_NOT_DELEGATED;
	} else {
		m->why = CGROUP_WHY_NOT_BUILT;
	}
}

static void judge(struct cgroup_mounts *m, const struct memory_line *ml, bool v1_mounted,
		  const char *cmdline)
{
	if (v1_mounted || (ml->present && ml->enabled && ml->hierarchy)) {
		m->mode = m->cgroup2_root ? CGROUP_HYBRID : CGROUP_V1;
		m->why = v1_mounted ? CGROUP_WHY_NOTHING : CGROUP_WHY_V1_HIDDEN;
	} else if (ml->present && !ml->enabled) {
		m->mode = CGROUP_NONE;
		m->why = CGROUP_WHY_DISABLED;
	} else if (ml->present) {
		m->mode = m->cgroup2_root ? CGROUP_V2 : CGROUP_NONE;
		m->why = m->cgroup2_root ? CGROUP_WHY_NOTHING : CGROUP_WHY_NOT_MOUNTED;
	} else {
		judge_unlisted(m, cmdline);
	}
}

int cgroup_mounts__read(const struct cgroup_sources *src, struct cgroup_mounts *out)
{
	static const struct cgroup_sources none;
	const struct mount *v1, *v2, *use;
	struct mount_table t = {0};
	struct memory_line ml;
	char *cmdline;
	int err;

	src = src ? src : &none;
	*out = (struct cgroup_mounts){.mode = CGROUP_NONE};
	err = read_table(src->mountinfo ? src->mountinfo : "/proc/self/mountinfo", &t);
	if (err)
		goto done;
	v1 = best_mount(&t, MOUNT_V1_MEMORY);
	v2 = best_mount(&t, MOUNT_CGROUP2);
	if (v2) {
		out->cgroup2_root = strdup(v2->point);
		if (!out->cgroup2_root)
			err = -ENOMEM;
	}
	read_memory_line(src->cgroups ? src->cgroups : "/proc/cgroups", &ml);
	cmdline = host__read_file(src->cmdline ? src->cmdline : "/proc/cmdline", NULL);
	judge(out, &ml, v1 != NULL, cmdline);
	free(cmdline);
	use = out->mode == CGROUP_V2				     ? v2
	      : out->mode == CGROUP_V1 || out->mode == CGROUP_HYBRID ? v1
								     : NULL;
	if (use) {
		out->root = strdup(use->point);
		out->mount_root = strdup(use->root);
		if (!out->root || !out->mount_root)
			err = -ENOMEM;
	}
done:
	free_table(&t);
	if (err)
		cgroup_mounts__free(out);
	return err;
}

int cgroup_mounts__override(struct cgroup_mounts *m, const char *dir, char *err, size_t errsz)
{
	bool on_v1 = m->mode == CGROUP_V1 || m->mode == CGROUP_HYBRID;
	struct statfs fs;
	char *real;
	int e;

	real = realpath(dir, NULL);
	if (!real || statfs(real, &fs)) {
		e = -errno;
		snprintf(err, errsz, "cannot use --cgroup-root %s: %s", dir, strerror(-e));
		free(real);
		return e;
	}
	e = -EINVAL;
	if (fs.f_type != CGROUP2_SUPER_MAGIC && fs.f_type != CGROUP_SUPER_MAGIC) {
		snprintf(err, errsz,
			 "cannot use --cgroup-root %s: it is not on a cgroup2 "
			 "file system (mount -t cgroup2 none DIR makes one)",
			 dir);
	} else if (!on_v1 && fs.f_type != CGROUP2_SUPER_MAGIC) {
		snprintf(err, errsz,
			 "cannot use --cgroup-root %s: it is a cgroup v1 hierarchy "
			 "without the memory controller, a cgroup2 directory is needed",
			 dir);
	} else if (on_v1 &&
		   (fs.f_type != CGROUP_SUPER_MAGIC || !file_exists(real, "memory.stat"))) {
		snprintf(err, errsz,
			 "cannot use --cgroup-root %s: the memory controller of this "
			 "machine is on a cgroup v1 hierarchy (%s), give a directory of that one",
			 dir, m->root ? m->root : "not mounted here");
	} else if (file_exists(real, "cgroup.procs")) {
		e = 0;
	} else {
		/* also a file on cgroup2 is "on cgroup2" */
		snprintf(err, errsz, "cannot use --cgroup-root %s: it is not a cgroup directory",
			 dir);
	}
	if (e) {
		free(real);
		return e;
	}
	free(m->root);
	free(m->mount_root);
	m->root = real;
	m->mount_root = NULL;
	if (m->mode == CGROUP_NONE && m->why == CGROUP_WHY_NOT_MOUNTED)
		m->mode = CGROUP_V2;
	if (m->mode != CGROUP_NONE)
		m->why = CGROUP_WHY_NOTHING;
	return 0;
}

void cgroup_mounts__free(struct cgroup_mounts *m)
{
	free(m->root);
	free(m->mount_root);
	free(m->cgroup2_root);
	*m = (struct cgroup_mounts){.mode = CGROUP_NONE};
}

const char *cgroup_why__str(enum cgroup_why why)
{
	static const char *const texts[] = {
		[CGROUP_WHY_NOTHING] = "",
		[CGROUP_WHY_NOT_BUILT] =
			"this kernel is built without the memory controller (CONFIG_MEMCG)",
		[CGROUP_WHY_DISABLED] = "the memory controller is switched off at boot: remove "
					"cgroup_disable=memory from the kernel command line",
		[CGROUP_WHY_NOT_MOUNTED] = "no cgroup file system is mounted: "
					   "mount -t cgroup2 none /sys/fs/cgroup",
		[CGROUP_WHY_V1_HIDDEN] =
			"the memory controller is on a cgroup v1 hierarchy that is "
			"not mounted here: give its directory with --cgroup-root",
		[CGROUP_WHY_NOT_DELEGATED] =
			"the cgroup tree seen here does not have the memory controller: run on the "
			"host, or give the host's tree with --cgroup-root",
	};

	return texts[why];
}
