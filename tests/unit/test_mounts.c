// SPDX-License-Identifier: GPL-2.0-only
// links: cgroup/mounts.c host.c
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

#define CGROUPS_HEAD "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpuset\t0\t80\t1\n"
#define MEMORY_V2    CGROUPS_HEAD "memory\t0\t80\t1\n"
#define MEMORY_V1    CGROUPS_HEAD "memory\t4\t80\t1\n"
#define MEMORY_OFF   CGROUPS_HEAD "memory\t0\t1\t0\n"

#define BASE                                                      \
	"22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n" \
	"28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
#define CG2                                                                 \
	"31 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 " \
	"rw,nsdelegate,memory_recursiveprot\n"
#define TMPFS	"31 22 0:26 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755\n"
#define UNIFIED "32 31 0:27 / /sys/fs/cgroup/unified rw shared:10 - cgroup2 cgroup2 rw\n"
#define V1_CPU                                                                  \
	"33 31 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:11 - cgroup cgroup " \
	"rw,cpu,cpuacct\n"
#define V1_MEM "34 31 0:29 / /sys/fs/cgroup/memory rw shared:12 - cgroup cgroup rw,memory\n"

static char tmp[64];
static struct cgroup_mounts m;

static int setup(void **state)
{
	(void)state;
	strcpy(tmp, "/tmp/test_mounts.XXXXXX");
	return mkdtemp(tmp) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	cgroup_mounts__free(&m);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", tmp);
	return system(cmd);
}

static const char *put(const char *name, const char *text)
{
	static char path[4][PATH_MAX];
	static int turn;
	char *p = path[turn++ % 4];
	FILE *f;

	snprintf(p, PATH_MAX, "%s/%s", tmp, name);
	f = fopen(p, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return p;
}

/* Read stored texts into m; NULL: that file does not exist. */
static void read_texts(const char *mountinfo, const char *cgroups, const char *cmdline)
{
	struct cgroup_sources src = {"/nonexistent", "/nonexistent", "/nonexistent"};

	src.mountinfo = put("mountinfo", mountinfo);
	if (cgroups)
		src.cgroups = put("cgroups", cgroups);
	if (cmdline)
		src.cmdline = put("cmdline", cmdline);
	cgroup_mounts__free(&m);
	assert_int_equal(cgroup_mounts__read(&src, &m), 0);
}

static void expect(enum cgroup_mode mode, enum cgroup_why why, const char *root, const char *v2)
{
	assert_int_equal(m.mode, mode);
	assert_int_equal(m.why, why);
	if (root)
		assert_string_equal(m.root, root);
	else
		assert_null(m.root);
	if (v2)
		assert_string_equal(m.cgroup2_root, v2);
	else
		assert_null(m.cgroup2_root);
}

static void test_modes(void **state)
{
	(void)state;
	read_texts(BASE CG2, MEMORY_V2, "quiet\n");
	expect(CGROUP_V2, 0, "/sys/fs/cgroup", "/sys/fs/cgroup");
	assert_string_equal(m.mount_root, "/");
	read_texts(BASE TMPFS V1_CPU V1_MEM, MEMORY_V1, "quiet\n");
	expect(CGROUP_V1, 0, "/sys/fs/cgroup/memory", NULL);
	read_texts(BASE TMPFS UNIFIED V1_CPU V1_MEM, MEMORY_V1, "quiet\n");
	expect(CGROUP_HYBRID, 0, "/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified");
	/* v1 in use for others, memory on cgroup2: that is v2 for us */
	read_texts(BASE TMPFS UNIFIED V1_CPU, MEMORY_V2, "quiet\n");
	expect(CGROUP_V2, 0, "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified");
}

static void test_none(void **state)
{
	(void)state;
	read_texts(BASE CG2, MEMORY_OFF, "quiet cgroup_disable=memory\n");
	expect(CGROUP_NONE, CGROUP_WHY_DISABLED, NULL, "/sys/fs/cgroup");
	assert_non_null(strstr(cgroup_why__str(m.why), "cgroup_disable=memory"));
	read_texts(BASE, CGROUPS_HEAD, "quiet\n");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_BUILT, NULL, NULL);
	read_texts(BASE, CGROUPS_HEAD, "cgroup_disable=cpu,memory\n");
	expect(CGROUP_NONE, CGROUP_WHY_DISABLED, NULL, NULL);
	read_texts(BASE, NULL, NULL);
	expect(CGROUP_NONE, CGROUP_WHY_NOT_BUILT, NULL, NULL);
	read_texts(BASE, MEMORY_V2, "quiet\n");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	read_texts("", MEMORY_V2, "quiet\n");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	/* a container without its v1 mounts */
	read_texts(BASE CG2, MEMORY_V1, "quiet\n");
	expect(CGROUP_HYBRID, CGROUP_WHY_V1_HIDDEN, NULL, "/sys/fs/cgroup");
}

static void test_no_v1_line(void **state)
{
	char mountinfo[256];

	(void)state;
	/* CONFIG_MEMCG_V1=n: /proc/cgroups is silent and the root's own list tells */
	snprintf(mountinfo, sizeof(mountinfo), "31 22 0:26 / %s rw - cgroup2 cgroup2 rw\n", tmp);
	put("cgroup.controllers", "cpuset cpu io memoryless hugetlb\n");
	read_texts(mountinfo, CGROUPS_HEAD, "quiet\n");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_BUILT, NULL, tmp);
	put("cgroup.controllers", "cpuset cpu io memory hugetlb\n");
	read_texts(mountinfo, CGROUPS_HEAD, "quiet\n");
	expect(CGROUP_V2, 0, tmp, tmp);
	/* not the top of the hierarchy: that memory is not in its list proves nothing */
	put("cgroup.controllers", "cpu\n");
	put("cgroup.type", "domain\n");
	read_texts(mountinfo, CGROUPS_HEAD, "quiet\n");
	expect(CGROUP_V2, CGROUP_WHY_NOT_DELEGATED, tmp, tmp);
	read_texts(mountinfo, CGROUPS_HEAD, "cgroup_disable=memory\n");
	expect(CGROUP_NONE, CGROUP_WHY_DISABLED, NULL, tmp);
}

static void test_escapes_and_fields(void **state)
{
	(void)state;
	/* no optional field, three of them, and one line without the separator */
	read_texts("31 22 0:26 / /mnt/a\\040b\\134c\\011d rw - cgroup2 none rw\n", MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/mnt/a b\\c\td", "/mnt/a b\\c\td");
	read_texts("31 22 0:26 / /mnt/c rw shared:1 master:2 propagate_from:3 - cgroup2 none rw\n",
		   MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/mnt/c", "/mnt/c");
	read_texts("31 22 0:26 / /mnt/c rw shared:1 cgroup2 none rw\nrubbish\n\n31\n", MEMORY_V2,
		   "");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	/* a backslash that starts no octal number stays */
	read_texts("31 22 0:26 / /mnt/x\\2dy\\9 rw - cgroup2 none rw\n", MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/mnt/x\\2dy\\9", "/mnt/x\\2dy\\9");
	/* a mount point or source that is called like a type or a controller */
	read_texts("31 22 0:26 / /mnt/cgroup2 rw - tmpfs cgroup2 rw,memory\n"
		   "32 22 0:27 / /mnt/n rw - cgroup memory rw,name=memory\n",
		   MEMORY_V2, "");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	/* memory together with another controller, empty source */
	read_texts("32 22 0:27 / /mnt/cm rw - cgroup  rw,cpu,memory,cpuacct\n", MEMORY_V1, "");
	expect(CGROUP_V1, 0, "/mnt/cm", NULL);
}

static void test_containers(void **state)
{
	(void)state;
	/* own subtree without a cgroup namespace */
	read_texts("31 22 0:26 /docker/ab12 /sys/fs/cgroup ro - cgroup2 cgroup rw\n", MEMORY_V2,
		   "");
	expect(CGROUP_V2, 0, "/sys/fs/cgroup", "/sys/fs/cgroup");
	assert_string_equal(m.mount_root, "/docker/ab12");
	/* the host's whole tree is mounted elsewhere: it shows more */
	read_texts("31 22 0:26 /docker/ab12 /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
		   "40 22 0:26 / /host/sys/fs/cgroup ro - cgroup2 cgroup rw\n",
		   MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/host/sys/fs/cgroup", "/host/sys/fs/cgroup");
	/* the same with a cgroup namespace */
	read_texts("31 22 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
		   "40 22 0:26 /../../.. /host/cgroup ro - cgroup2 cgroup rw\n",
		   MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/host/cgroup", "/host/cgroup");
	assert_string_equal(m.mount_root, "/../../..");
	/* twice the same: the usual place */
	read_texts("40 22 0:26 / /var/cg rw - cgroup2 cgroup rw\n"
		   "31 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
		   MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/sys/fs/cgroup", "/sys/fs/cgroup");
}

static void test_covered_mounts(void **state)
{
	(void)state;
	/* over the mount itself */
	read_texts(BASE CG2 "50 31 0:40 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n", MEMORY_V2, "");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	/* over a directory above it, mounted on the same parent */
	read_texts(BASE CG2 "50 22 0:40 / /sys/fs rw - tmpfs tmpfs rw\n", MEMORY_V2, "");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	/* over the parent */
	read_texts(BASE CG2 "50 22 0:40 / /sys rw - tmpfs tmpfs rw\n", MEMORY_V2, "");
	expect(CGROUP_NONE, CGROUP_WHY_NOT_MOUNTED, NULL, NULL);
	/* the usable one of two: the covered one and its cover */
	read_texts(BASE TMPFS "51 31 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", MEMORY_V2,
		   "");
	expect(CGROUP_V2, 0, "/sys/fs/cgroup", "/sys/fs/cgroup");
	/* neighbours do not cover: same prefix of letters, below it, elsewhere */
	read_texts(BASE CG2 "50 22 0:40 / /sys/fs/cg rw - tmpfs tmpfs rw\n"
			    "51 31 0:41 / /sys/fs/cgroup/deep rw - tmpfs tmpfs rw\n"
			    "52 28 0:42 / /sysfs rw - tmpfs tmpfs rw\n",
		   MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/sys/fs/cgroup", "/sys/fs/cgroup");
	/* parents in a circle end */
	read_texts("31 32 0:26 / /c rw - cgroup2 c rw\n32 31 0:26 / /d rw - tmpfs d rw\n"
		   "33 33 0:26 / / rw - tmpfs d rw\n",
		   MEMORY_V2, "");
	expect(CGROUP_V2, 0, "/c", "/c");
}

static void test_unreadable(void **state)
{
	struct cgroup_sources src = {.mountinfo = "/nonexistent/mountinfo"};

	(void)state;
	assert_int_equal(cgroup_mounts__read(&src, &m), -ENOENT);
	assert_int_equal(m.mode, CGROUP_NONE);
	assert_null(m.root);
}

static void test_override_refuses(void **state)
{
	char err[512], file[PATH_MAX];

	(void)state;
	read_texts(BASE CG2, MEMORY_V2, "");
	assert_int_equal(cgroup_mounts__override(&m, "/nonexistent", err, sizeof(err)), -ENOENT);
	assert_string_equal(err,
			    "cannot use --cgroup-root /nonexistent: No such file or directory");
	assert_int_equal(cgroup_mounts__override(&m, tmp, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "not on a cgroup2 file system"));
	assert_null(strchr(err, '\n'));
	snprintf(file, sizeof(file), "%s/mountinfo", tmp);
	assert_int_equal(cgroup_mounts__override(&m, file, err, sizeof(err)), -EINVAL);
	/* nothing was changed */
	expect(CGROUP_V2, 0, "/sys/fs/cgroup", "/sys/fs/cgroup");
}

/* The machine that runs the test: whatever its mode, root must be a directory with cgroups. */
static void test_live(void **state)
{
	char err[512], path[PATH_MAX], *root, *v2;
	enum cgroup_mode mode;

	(void)state;
	cgroup_mounts__free(&m);
	assert_int_equal(cgroup_mounts__read(NULL, &m), 0);
	if (!m.root)
		skip();
	snprintf(path, sizeof(path), "%s/cgroup.procs", m.root);
	assert_int_equal(access(path, F_OK), 0);
	mode = m.mode;
	root = strdup(m.root);
	assert_int_equal(cgroup_mounts__override(&m, root, err, sizeof(err)), 0);
	assert_int_equal(m.mode, mode);
	assert_string_equal(m.root, root);
	assert_null(m.mount_root);
	/* a file of the right file system is no root */
	assert_int_equal(cgroup_mounts__override(&m, path, err, sizeof(err)), -EINVAL);
	/* ids of the memory hierarchy mean other cgroups in the unified one: refused */
	v2 = m.cgroup2_root ? strdup(m.cgroup2_root) : NULL;
	if (mode == CGROUP_HYBRID) {
		assert_int_equal(cgroup_mounts__override(&m, v2, err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, root));
	} else if (v2) {
		/* and a v1 directory where memory is on cgroup2 cannot be had here */
		assert_int_equal(cgroup_mounts__override(&m, v2, err, sizeof(err)), 0);
	}
	/* no tree known at first, as in a container: the option makes it v2 */
	if (v2) {
		read_texts("", MEMORY_V2, "");
		assert_int_equal(cgroup_mounts__override(&m, v2, err, sizeof(err)), 0);
		assert_int_equal(m.mode, CGROUP_V2);
		assert_int_equal(m.why, CGROUP_WHY_NOTHING);
		assert_string_equal(m.root, v2);
		if (mode == CGROUP_HYBRID) {
			assert_int_equal(cgroup_mounts__override(&m, root, err, sizeof(err)),
					 -EINVAL);
			assert_non_null(strstr(err, "cgroup v1 hierarchy"));
		}
	}
	free(v2);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_modes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_none, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_v1_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_escapes_and_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(test_containers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_covered_mounts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unreadable, setup, teardown),
		cmocka_unit_test_setup_teardown(test_override_refuses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live, setup, teardown),
	};

	return cmocka_run_group_tests_name("mounts", tests, NULL, NULL);
}
