// SPDX-License-Identifier: GPL-2.0-only
// links: cgroup/paths.c cgroup/path_cache.c cgroup/mounts.c host.c
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cgroup/mounts.h"
#include "cgroup/paths.h"

#define SEC 1000000000ULL

/*
 * Two kinds of tests: on a plain directory (inode numbers are the ids there, so only the walk can
 * find them; the clock is ours) and on a real cgroup tree, where handles work for root.
 */
static uint64_t fake_now;
static char tmp[64];

static uint64_t fake_clock(void *arg)
{
	(void)arg;
	return fake_now;
}

static uint64_t make_dir(const char *base, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", base, name);
	if (mkdir(path, 0755) || stat(path, &st))
		return 0;
	return st.st_ino;
}

static void remove_dir(const char *base, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	assert_int_equal(rmdir(path), 0);
}

static int setup(void **state)
{
	(void)state;
	fake_now = 100 * SEC;
	strcpy(tmp, "/tmp/test_paths.XXXXXX");
	return mkdtemp(tmp) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", tmp);
	return system(cmd);
}

static struct paths *new_paths(const char *root, size_t max, bool no_handles)
{
	struct paths_opts opts = {
		.root = root, .max_entries = max, .no_handles = no_handles, .now_ns = fake_clock};
	struct paths *p;

	assert_int_equal(paths__new(&opts, &p), 0);
	return p;
}

static void check(struct paths *p, uint64_t id, enum path_state state, const char *path)
{
	struct cgroup_path got;

	assert_int_equal(paths__resolve(p, id, &got), 0);
	assert_int_equal(got.state, state);
	if (!path) {
		assert_null(got.bytes);
		assert_int_equal(got.len, 0);
		return;
	}
	assert_string_equal(got.bytes, path);
	assert_int_equal(got.len, strlen(path));
}

static struct paths_stats stats_of(struct paths *p)
{
	struct paths_stats s;

	paths__stats(p, &s);
	return s;
}

static void test_bad_root(void **state)
{
	struct paths_opts opts = {.root = "/nonexistent/dir"};
	struct paths *p;

	(void)state;
	assert_int_equal(paths__new(&opts, &p), -ENOENT);
	opts.root = "/etc/passwd";
	assert_int_equal(paths__new(&opts, &p), -ENOTDIR);
	opts.root = NULL;
	assert_int_equal(paths__new(&opts, &p), -EINVAL);
	assert_null(p);
}

static void test_walk_finds_and_buries(void **state)
{
	uint64_t a = make_dir(tmp, "a"), b = make_dir(tmp, "a/b\nc\xff"), heir;
	struct paths *p = new_paths(tmp, 0, false);
	char from[128], to[128];
	struct stat st;

	(void)state;
	assert_int_equal(stat(tmp, &st), 0);
	assert_false(stats_of(p).handles);
	assert_int_equal(paths__root_id(p), st.st_ino);
	check(p, st.st_ino, PATH_LIVE, "/");
	assert_int_equal(stats_of(p).scans, 0);
	check(p, b, PATH_LIVE, "/a/b\nc\xff");
	check(p, a, PATH_LIVE, "/a");
	assert_int_equal(stats_of(p).scans, 1);
	assert_true(paths__alive(p, b));

	/* plain file systems use inode numbers again: the heir exists before the old one dies */
	heir = make_dir(tmp, "heir");
	remove_dir(tmp, "a/b\nc\xff");
	assert_false(paths__alive(p, b));
	check(p, b, PATH_DELETED, "/a/b\nc\xff");
	assert_int_equal(stats_of(p).tombstones, 1);

	/* the same name is another cgroup now; the old one stays dead */
	snprintf(from, sizeof(from), "%s/heir", tmp);
	snprintf(to, sizeof(to), "%s/a/b\nc\xff", tmp);
	assert_int_equal(rename(from, to), 0);
	fake_now += SEC;
	check(p, heir, PATH_LIVE, "/a/b\nc\xff");
	check(p, b, PATH_DELETED, "/a/b\nc\xff");
	paths__free(p);
}

static void test_walk_is_rate_limited(void **state)
{
	struct paths *p = new_paths(tmp, 0, false);
	uint64_t late;

	(void)state;
	for (uint64_t id = 1ULL << 60; id < (1ULL << 60) + 1000; id++)
		check(p, id, PATH_UNKNOWN, NULL);
	assert_int_equal(stats_of(p).scans, 1);
	assert_int_equal(stats_of(p).scans_limited, 999);
	assert_int_equal(stats_of(p).entries, 0);

	late = make_dir(tmp, "late");
	fake_now += SEC - 1;
	check(p, late, PATH_UNKNOWN, NULL);
	assert_int_equal(paths__scan(p), -EAGAIN);
	fake_now += 1;
	check(p, late, PATH_LIVE, "/late");
	assert_int_equal(stats_of(p).scans, 2);
	paths__free(p);
}

static uint64_t slow_clock(void *arg)
{
	(void)arg;
	return fake_now += 3 * SEC; /* each walk seems to take 3 s */
}

static void test_slow_walk_is_rarer(void **state)
{
	struct paths_opts opts = {.root = tmp, .now_ns = slow_clock};
	struct paths *p;

	(void)state;
	assert_int_equal(paths__new(&opts, &p), 0);
	for (int i = 0; i < 24; i++)
		check(p, (1ULL << 60) + (uint64_t)i, PATH_UNKNOWN, NULL);
	/* a walk: 3 s, then 30 s of peace, which is 10 refused calls of 3 s (the last ends it) */
	assert_int_equal(stats_of(p).scans, 3);
	paths__free(p);
}

static void test_scan_gives_names_to_the_dead(void **state)
{
	uint64_t a = make_dir(tmp, "short-lived");
	struct paths *p = new_paths(tmp, 0, false);

	(void)state;
	assert_int_equal(paths__scan(p), 2); /* with the root */
	remove_dir(tmp, "short-lived");
	check(p, a, PATH_DELETED, "/short-lived");
	paths__free(p);

	/* also if nobody asks before the next walk */
	a = make_dir(tmp, "second");
	p = new_paths(tmp, 0, false);
	assert_int_equal(paths__scan(p), 2);
	remove_dir(tmp, "second");
	fake_now += SEC;
	assert_int_equal(paths__scan(p), 1);
	assert_int_equal(stats_of(p).tombstones, 1);
	check(p, a, PATH_DELETED, "/second");
	paths__free(p);
}

/* Cgroup v1 can rename; a walk has no other way than to lose and find it. */
static void test_renamed(void **state)
{
	uint64_t a = make_dir(tmp, "old");
	struct paths *p = new_paths(tmp, 0, false);
	char from[128], to[128];

	(void)state;
	check(p, a, PATH_LIVE, "/old");
	snprintf(from, sizeof(from), "%s/old", tmp);
	snprintf(to, sizeof(to), "%s/new", tmp);
	assert_int_equal(rename(from, to), 0);
	check(p, a, PATH_DELETED, "/old");
	fake_now += SEC;
	assert_int_equal(paths__scan(p), 2);
	check(p, a, PATH_LIVE, "/new");
	assert_int_equal(stats_of(p).tombstones, 0);
	paths__free(p);
}

static void test_symlinks_and_files_ignored(void **state)
{
	uint64_t target = make_dir(tmp, "target"), inside;
	char path[PATH_MAX], sub[PATH_MAX];
	struct paths *p;
	FILE *f;

	(void)state;
	inside = make_dir(tmp, "target/inside");
	make_dir(tmp, "root");
	snprintf(path, sizeof(path), "%s/root/link", tmp);
	snprintf(sub, sizeof(sub), "%s/target", tmp);
	assert_int_equal(symlink(sub, path), 0);
	snprintf(path, sizeof(path), "%s/root/loop", tmp);
	assert_int_equal(symlink(".", path), 0);
	snprintf(path, sizeof(path), "%s/root/file", tmp);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	snprintf(sub, sizeof(sub), "%s/root", tmp);
	p = new_paths(sub, 0, false);
	check(p, target, PATH_UNKNOWN, NULL);
	check(p, inside, PATH_UNKNOWN, NULL);
	assert_int_equal(stats_of(p).entries, 0);
	assert_int_equal(stats_of(p).scan_errors, 0);
	paths__free(p);
}

static void test_name_that_looks_deleted(void **state)
{
	uint64_t a = make_dir(tmp, "x (deleted)"), b = make_dir(tmp, "x");
	struct paths *p = new_paths(tmp, 0, false);

	(void)state;
	check(p, a, PATH_LIVE, "/x (deleted)");
	check(p, b, PATH_LIVE, "/x");
	remove_dir(tmp, "x (deleted)");
	check(p, a, PATH_DELETED, "/x (deleted)");
	check(p, b, PATH_LIVE, "/x");
	paths__free(p);
}

static void test_bounded_memory(void **state)
{
	uint64_t id[12];
	char name[16];
	struct paths *p;

	(void)state;
	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "g%d", i);
		id[i] = make_dir(tmp, name);
	}
	p = new_paths(tmp, 4, false);
	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "/g%d", i);
		check(p, id[i], PATH_LIVE, name);
		assert_true(stats_of(p).entries <= 4);
		fake_now += SEC;
	}
	assert_int_equal(stats_of(p).entries, 4);
	/* the last four asked are cached: g8 .. g11; two of them die */
	assert_int_equal(stats_of(p).evicted_live, 8);
	assert_int_equal(stats_of(p).evicted_tombstones, 0);
	remove_dir(tmp, "g11");
	remove_dir(tmp, "g9");
	check(p, id[11], PATH_DELETED, "/g11");
	check(p, id[9], PATH_DELETED, "/g9");
	/* the oldest tombstone goes first, the living stay */
	check(p, id[0], PATH_LIVE, "/g0");
	assert_int_equal(stats_of(p).evicted_tombstones, 1);
	assert_int_equal(stats_of(p).tombstones, 1);
	check(p, id[9], PATH_DELETED, "/g9");
	fake_now += SEC;
	check(p, id[11], PATH_UNKNOWN, NULL);
	check(p, id[8], PATH_LIVE, "/g8");
	check(p, id[10], PATH_LIVE, "/g10");
	paths__free(p);
}

static void test_deep_path(void **state)
{
	char rel[PATH_MAX] = "";
	struct paths *p;
	uint64_t id = 0;

	(void)state;
	for (int i = 0; i < 15; i++) {
		sprintf(rel + strlen(rel), "/%0200d", i);
		id = make_dir(tmp, rel + 1);
		assert_int_not_equal(id, 0);
	}
	p = new_paths(tmp, 0, false);
	check(p, id, PATH_LIVE, rel);
	paths__free(p);
}

/* A fresh directory in a real cgroup tree; skips the test where there is none to write to. */
static char *live_dir(bool v2)
{
	struct cgroup_mounts m;
	char name[64], *dir = NULL, *root;

	assert_int_equal(cgroup_mounts__read(NULL, &m), 0);
	root = v2 ? m.cgroup2_root : m.root;
	snprintf(name, sizeof(name), "test_paths.%d", (int)getpid());
	if (root && make_dir(root, name) && asprintf(&dir, "%s/%s", root, name) < 0)
		dir = NULL;
	cgroup_mounts__free(&m);
	if (!dir) {
		print_message("no writable cgroup tree: skipped\n");
		skip();
	}
	return dir;
}

static void live_paths(bool no_handles, bool v2)
{
	char *dir = live_dir(v2), *root = strndup(dir, (size_t)(strrchr(dir, '/') - dir)),
	     want[256];
	const char *base = strrchr(dir, '/');
	uint64_t x = make_dir(dir, "x"), xd = make_dir(dir, "x (deleted)"), odd, gone, later;
	struct paths *p = new_paths(root, 0, no_handles), *sub;
	struct stat st;

	if (!no_handles && !stats_of(p).handles)
		print_message("no handles here: the walk is tested twice\n");
	odd = make_dir(dir, "o\\x2d \"q\xff");
	gone = make_dir(dir, "gone");
	assert_int_equal(stat(root, &st), 0);
	assert_int_equal(paths__root_id(p), st.st_ino);
	check(p, st.st_ino, PATH_LIVE, "/");
	snprintf(want, sizeof(want), "%s/x (deleted)", base);
	check(p, xd, PATH_LIVE, want);
	remove_dir(dir, "gone");
	remove_dir(dir, "x");
	/* never asked while it lived: a handle has nothing to tell, a walk had seen it */
	snprintf(want, sizeof(want), "%s/gone", base);
	if (stats_of(p).handles)
		check(p, gone, PATH_UNKNOWN, NULL);
	else
		check(p, gone, PATH_DELETED, want);
	assert_false(paths__alive(p, gone));
	assert_false(paths__alive(p, x));
	snprintf(want, sizeof(want), "%s/o\\x2d \"q\xff", base);
	check(p, odd, PATH_LIVE, want);
	assert_int_equal(stats_of(p).scans, stats_of(p).handles ? 0 : 1);
	remove_dir(dir, "o\\x2d \"q\xff");
	assert_false(paths__alive(p, odd));
	check(p, odd, PATH_DELETED, want);

	/* same name, new cgroup: ids are never used twice on kernfs */
	later = make_dir(dir, "o\\x2d \"q\xff");
	assert_true(later != odd);
	fake_now += SEC;
	check(p, later, PATH_LIVE, want);
	check(p, odd, PATH_DELETED, want);
	check(p, 1ULL << 50, PATH_UNKNOWN, NULL);

	/* a subtree as the root: what is outside cannot be mistaken for what is inside */
	sub = new_paths(dir, 0, no_handles);
	check(sub, later, PATH_LIVE, "/o\\x2d \"q\xff");
	check(sub, paths__root_id(sub), PATH_LIVE, "/");
	if (stats_of(sub).handles) {
		struct cgroup_path got;

		assert_int_equal(paths__resolve(sub, st.st_ino, &got), 0);
		assert_int_equal(got.state, PATH_LIVE);
		assert_memory_equal(got.bytes, "/../", 4);
		assert_true(paths__alive(sub, st.st_ino));
	} else {
		check(sub, st.st_ino, PATH_UNKNOWN, NULL);
	}
	paths__free(sub);
	paths__free(p);
	remove_dir(dir, "o\\x2d \"q\xff");
	remove_dir(dir, "x (deleted)");
	assert_int_equal(rmdir(dir), 0);
	free(root);
	free(dir);
}

static void test_live_by_handle(void **state)
{
	(void)state;
	live_paths(false, false);
}

static void test_live_by_walk(void **state)
{
	(void)state;
	live_paths(true, false);
}

/* Another hierarchy than the one above where memory is on v1. */
static void test_cgroup2_by_handle(void **state)
{
	(void)state;
	live_paths(false, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_root),
		cmocka_unit_test_setup_teardown(test_walk_finds_and_buries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_walk_is_rate_limited, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_walk_is_rarer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_scan_gives_names_to_the_dead, setup, teardown),
		cmocka_unit_test_setup_teardown(test_renamed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_symlinks_and_files_ignored, setup, teardown),
		cmocka_unit_test_setup_teardown(test_name_that_looks_deleted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bounded_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deep_path, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live_by_handle, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live_by_walk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cgroup2_by_handle, setup, teardown),
	};

	return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
