// SPDX-License-Identifier: GPL-2.0-only
#include "cgroup/paths.h"

#include "cgroup/path_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* include/linux/exportfs.h; the handle is the 64 bit node id and nothing else. */
#define FILEID_KERNFS	 0xfe
#define DELETED_SUFFIX	 " (deleted)"
#define SCAN_INTERVAL_NS 1000000000ULL
#define SCAN_COST_FACTOR 10  /* a slow walk takes a tenth of the time at most */
#define SCAN_MAX_DEPTH	 256 /* each level holds one file descriptor */
#define RENAME_RETRIES	 3

struct paths {
	int root_fd;
	dev_t root_dev;
	uint64_t root_id;
	char *root_path; /* as the kernel spells it, without trailing '/' */
	size_t root_len;
	bool handles;

	struct path_cache cache;

	uint64_t (*now_ns)(void *arg);
	void *now_arg;
	uint64_t next_scan_ns;
	uint32_t scan_gen;
	uint64_t scan_target;
	unsigned int scan_seen;
	char *scan_buf; /* path of the directory that is walked */
	size_t scan_cap;
	int scan_err;

	struct paths_stats stats;
};

static uint64_t monotonic_ns(void *arg)
{
	struct timespec ts;

	(void)arg;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

/* On 32 bit the inode number is the low half of the id, the generation is not visible to stat. */
static bool id_matches(uint64_t ino, uint64_t id)
{
	return sizeof(long) == 8 ? ino == id : (uint32_t)ino == (uint32_t)id;
}

/* Is path (with leading '/') now the directory of id? 1, 0, or -ENAMETOOLONG: cannot tell. */
static int verify(struct paths *p, uint64_t id, const char *path)
{
	const char *rel = path[1] ? path + 1 : ".";
	struct stat st;

	if (fstatat(p->root_fd, rel, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENAMETOOLONG ? -ENAMETOOLONG : 0;
	return S_ISDIR(st.st_mode) && st.st_dev == p->root_dev && id_matches(st.st_ino, id);
}

static int open_handle(struct paths *p, uint64_t id)
{
	union {
		struct file_handle fh;
		char room[sizeof(struct file_handle) + sizeof(uint64_t)];
	} h;
	int fd;

	memset(&h, 0, sizeof(h));
	h.fh.handle_bytes = sizeof(id);
	h.fh.handle_type = FILEID_KERNFS;
	memcpy(h.room + offsetof(struct file_handle, f_handle), &id, sizeof(id));
	fd = open_by_handle_at(p->root_fd, &h.fh, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * Ask the kernel for the path of id and remember it. The text from /proc alone does not tell a
 * removed "x" from a live "x (deleted)", and on some kernels a removed cgroup that is still held
 * opens without that suffix, with a link count that looks alive. What decides is whether the path
 * leads back to the same inode.
 * 0 and *out, -ESTALE: gone, else -errno.
 */
static int ask_kernel(struct paths *p, uint64_t id, struct path_entry **out)
{
	const size_t slen = sizeof(DELETED_SUFFIX) - 1;
	char link[64], raw[PATH_MAX + 64], *text = raw + 3;
	enum path_list list = PATH_LIST_LIVE;
	bool outside = false;
	ssize_t n = 0;
	char *rel = NULL;
	int fd, ok;

	fd = open_handle(p, id);
	if (fd < 0)
		return fd;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	for (int i = 0; i < RENAME_RETRIES; i++) {
		n = readlink(link, text, sizeof(raw) - 4);
		if (n <= 0) {
			n = n < 0 ? -errno : -ENOENT;
			close(fd);
			return (int)n;
		}
		text[n] = '\0';
		outside = n <= (ssize_t)p->root_len || text[p->root_len] != '/' ||
			  memcmp(text, p->root_path, p->root_len);
		rel = outside ? text : text + p->root_len;
		ok = outside ? 0 : verify(p, id, rel);
		if (ok)
			break;
		if ((size_t)n > slen && !memcmp(text + n - slen, DELETED_SUFFIX, slen)) {
			text[n -= (ssize_t)slen] = '\0';
			list = PATH_LIST_DELETED;
			break;
		}
		if (outside)
			break;
		list = i == RENAME_RETRIES - 1 ? PATH_LIST_DELETED : PATH_LIST_LIVE;
	}
	close(fd);
	n -= rel - text;
	if (outside) {
		/* "/.." before a path from the top; the top itself is just "/.." */
		rel = raw;
		memcpy(rel, "/..", 3);
		n = n == 1 ? 3 : n + 3;
	}
	*out = path_cache__store(&p->cache, id, rel, (size_t)n, list, outside);
	return *out ? 0 : -ENOMEM;
}

/* Append "/name" to the walked path at len; new length, 0: no memory. */
static size_t scan_append(struct paths *p, size_t len, const char *name)
{
	size_t nlen = strlen(name);

	if (len + nlen + 2 > p->scan_cap) {
		size_t cap = (len + nlen + 2) * 2;
		char *buf = realloc(p->scan_buf, cap);

		if (!buf)
			return 0;
		p->scan_buf = buf;
		p->scan_cap = cap;
	}
	p->scan_buf[len] = '/';
	memcpy(p->scan_buf + len + 1, name, nlen + 1);
	return len + 1 + nlen;
}

static void scan_found(struct paths *p, uint64_t id, size_t len)
{
	struct path_entry *e = path_cache__find(&p->cache, id);
	enum path_list list = PATH_LIST_SPARE;

	p->scan_seen++;
	if (id == p->scan_target || (e && e->list != PATH_LIST_SPARE))
		list = PATH_LIST_LIVE;
	if (!e && list == PATH_LIST_SPARE && p->cache.entries >= p->cache.max_entries) {
		p->stats.scan_skipped++;
		return;
	}
	e = path_cache__store(&p->cache, id, p->scan_buf, len, list, false);
	if (e)
		e->scan_gen = p->scan_gen;
	else
		p->scan_err = -ENOMEM;
}

/* Walk below the directory fd (closed here), whose path is the first len bytes of scan_buf. */
static void scan_dir(struct paths *p, int fd, size_t len, unsigned int depth)
{
	struct dirent *de;
	struct stat st;
	size_t sublen;
	DIR *dir;
	int sub;

	dir = fdopendir(fd);
	if (!dir) {
		p->stats.scan_errors++;
		close(fd);
		return;
	}
	while (!p->scan_err && (de = readdir(dir))) {
		if (de->d_type != DT_DIR && de->d_type != DT_UNKNOWN)
			continue;
		if (!strcmp(de->d_name, ".") || !strcmp(de->d_name, ".."))
			continue;
		sub = openat(fd, de->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub < 0) {
			/* gone meanwhile, or not a directory: nothing was missed */
			if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
				p->stats.scan_errors++;
			continue;
		}
		sublen = scan_append(p, len, de->d_name);
		if (!sublen)
			p->scan_err = -ENOMEM;
		if (!sublen || fstat(sub, &st) || st.st_dev != p->root_dev) {
			close(sub);
			continue;
		}
		scan_found(p, st.st_ino, sublen);
		if (depth < SCAN_MAX_DEPTH) {
			scan_dir(p, sub, sublen, depth + 1);
		} else {
			p->stats.scan_errors++;
			close(sub);
		}
	}
	closedir(dir);
}

static int scan(struct paths *p, uint64_t target)
{
	uint64_t start = p->now_ns(p->now_arg), took;
	int fd;

	if (start < p->next_scan_ns) {
		p->stats.scans_limited++;
		return -EAGAIN;
	}
	/* a fresh descriptor: the walk must not share its position with root_fd */
	fd = openat(p->root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	p->stats.scans++;
	p->scan_gen++;
	p->scan_target = target;
	p->scan_seen = 1; /* the root */
	p->scan_err = 0;
	scan_dir(p, fd, 0, 0);
	if (!p->scan_err)
		path_cache__bury_unseen(&p->cache, p->scan_gen);
	took = p->now_ns(p->now_arg) - start;
	p->next_scan_ns = start + took;
	p->next_scan_ns += took * SCAN_COST_FACTOR > SCAN_INTERVAL_NS ? took * SCAN_COST_FACTOR
								      : SCAN_INTERVAL_NS;
	return p->scan_err ? p->scan_err : (int)p->scan_seen;
}

static void answer(struct paths *p, struct path_entry *e, struct cgroup_path *out)
{
	if (e->list != PATH_LIST_DELETED)
		path_cache__move(&p->cache, e, PATH_LIST_LIVE); /* the youngest now */
	out->bytes = e->path;
	out->len = e->len;
	out->state = e->list == PATH_LIST_DELETED ? PATH_DELETED : PATH_LIVE;
}

int paths__resolve(struct paths *p, uint64_t id, struct cgroup_path *out)
{
	struct path_entry *e;
	int err;

	*out = (struct cgroup_path){.state = PATH_UNKNOWN};
	if (id == p->root_id) {
		*out = (struct cgroup_path){.bytes = "/", .len = 1, .state = PATH_LIVE};
		return 0;
	}
	e = path_cache__find(&p->cache, id);
	if (e && e->list == PATH_LIST_DELETED) {
		answer(p, e, out);
		return 0;
	}
	if (e && !e->outside && verify(p, id, e->path) == 1) {
		answer(p, e, out);
		return 0;
	}
	if (p->handles) {
		err = ask_kernel(p, id, &e);
		if (err == -ESTALE && e)
			path_cache__move(&p->cache, e, PATH_LIST_DELETED);
		if (!err || (err == -ESTALE && e))
			answer(p, e, out);
		if (!err || err == -ESTALE)
			return 0;
		if (err == -EMFILE || err == -ENFILE || err == -ENOMEM)
			return err;
		/* a privilege that was dropped: never ask again */
		if (err == -EPERM)
			p->handles = p->stats.handles = false;
	}
	if (e) {
		/* a path too long for stat stays as the last walk left it */
		if (!e->outside && verify(p, id, e->path) == 0)
			path_cache__move(&p->cache, e, PATH_LIST_DELETED);
	} else {
		err = scan(p, id);
		if (err < 0 && err != -EAGAIN)
			return err;
		e = path_cache__find(&p->cache, id);
	}
	if (e)
		answer(p, e, out);
	return 0;
}

bool paths__alive(struct paths *p, uint64_t id)
{
	struct cgroup_path path;

	return !paths__resolve(p, id, &path) && path.state == PATH_LIVE;
}

int paths__scan(struct paths *p)
{
	return scan(p, p->root_id);
}

uint64_t paths__root_id(const struct paths *p)
{
	return p->root_id;
}

void paths__stats(const struct paths *p, struct paths_stats *out)
{
	*out = p->stats;
	out->entries = p->cache.entries;
	out->tombstones = p->cache.tombstones;
	out->evicted_tombstones = p->cache.evicted_tombstones;
	out->evicted_live = p->cache.evicted_live;
}

/* The id of the root: from its handle where there is one (exact on 32 bit too), else its inode. */
static int probe_root(struct paths *p, bool no_handles)
{
	char link[64], room[sizeof(struct file_handle) + 128] = {0};
	struct file_handle *fh = (struct file_handle *)room;
	char text[PATH_MAX + 1];
	struct stat st;
	int mount_id, fd;
	ssize_t n;

	if (fstat(p->root_fd, &st))
		return -errno;
	p->root_dev = st.st_dev;
	p->root_id = st.st_ino;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", p->root_fd);
	n = readlink(link, text, sizeof(text) - 1);
	if (n <= 0)
		no_handles = true; /* no /proc: only a walk can name anything */
	n = n < 0 ? 0 : n;
	text[n] = '\0';
	p->root_len = n == 1 ? 0 : (size_t)n; /* "/" is an empty prefix */
	p->root_path = strdup(text);
	if (!p->root_path)
		return -ENOMEM;
	fh->handle_bytes = 128;
	if (name_to_handle_at(p->root_fd, "", fh, &mount_id, AT_EMPTY_PATH) ||
	    fh->handle_type != FILEID_KERNFS || fh->handle_bytes != sizeof(p->root_id))
		return 0;
	memcpy(&p->root_id, room + offsetof(struct file_handle, f_handle), sizeof(p->root_id));
	if (no_handles)
		return 0;
	fd = open_handle(p, p->root_id);
	if (fd >= 0) {
		p->handles = p->stats.handles = true;
		close(fd);
	}
	return 0;
}

int paths__new(const struct paths_opts *opts, struct paths **out)
{
	struct paths *p;
	int err;

	*out = NULL;
	if (!opts->root)
		return -EINVAL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->now_ns = opts->now_ns ? opts->now_ns : monotonic_ns;
	p->now_arg = opts->now_arg;
	p->root_fd = open(opts->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = p->root_fd < 0 ? -errno : 0;
	if (!err)
		err = path_cache__init(&p->cache,
				       opts->max_entries ? opts->max_entries : PATHS_DEFAULT_MAX);
	if (!err)
		err = probe_root(p, opts->no_handles);
	if (err) {
		paths__free(p);
		return err;
	}
	*out = p;
	return 0;
}

void paths__free(struct paths *p)
{
	if (!p)
		return;
	path_cache__destroy(&p->cache);
	if (p->root_fd >= 0)
		close(p->root_fd);
	free(p->scan_buf);
	free(p->root_path);
	free(p);
}
