// SPDX-License-Identifier: GPL-2.0-only
// links: host.c caps.c
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "caps.h"
#include "host.h"

static char tmp[64];
static struct host_info h;

static int setup(void **state)
{
	(void)state;
	strcpy(tmp, "/tmp/test_host.XXXXXX");
	return mkdtemp(tmp) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	host_info__free(&h);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", tmp);
	return system(cmd);
}

/* Write a file below the root, with its directories. */
static const char *put(const char *name, const char *text)
{
	static char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", tmp, name);
	for (char *c = strchr(path + strlen(tmp) + 1, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		mkdir(path, 0755);
		*c = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

static void read_root(void)
{
	host_info__free(&h);
	assert_int_equal(host_info__read(&h, tmp), 0);
}

static void kernel(const char *release, const char *version)
{
	put("/proc/sys/kernel/osrelease", release);
	put("/proc/sys/kernel/version", version);
	read_root();
}

static void test_cpulist(void **state)
{
	(void)state;
	assert_int_equal(cpulist__count(""), 0);
	assert_int_equal(cpulist__count("\n"), 0);
	assert_int_equal(cpulist__count("0\n"), 1);
	assert_int_equal(cpulist__count("0-3,8,10-11\n"), 7);
	assert_int_equal(cpulist__count("0-9:2/5"), 4);
	assert_int_equal(cpulist__count("0-6:2/5"), 4);
	assert_int_equal(cpulist__count("0-10:1/5"), 3);
	assert_int_equal(cpulist__count("3-1"), -EINVAL);
	assert_int_equal(cpulist__count("a"), -EINVAL);
	assert_int_equal(cpulist__count("-3"), -EINVAL);
	assert_int_equal(cpulist__count("1,,2"), -EINVAL);
	assert_int_equal(cpulist__count("1-"), -EINVAL);
	assert_int_equal(cpulist__count("0-9:2"), -EINVAL);
	assert_int_equal(cpulist__count("0-9:0/0"), -EINVAL);
	assert_int_equal(cpulist__count("99999999999"), -EINVAL);
	assert_true(cpulist__has("0-3,8", 8));
	assert_true(cpulist__has("0-3,8", 0));
	assert_false(cpulist__has("0-3,8", 4));
	assert_false(cpulist__has("", 0));
	assert_true(cpulist__has("10-19:2/5", 16));
	assert_false(cpulist__has("10-19:2/5", 12));
}

static void test_cmdline(void **state)
{
	const char *c = "quiet xcgroup.memory=nokmem cgroup.memory=nosocket,nobpf "
			"cgroup_disable=io -- cgroup.memory=nokmem\n";

	(void)state;
	assert_true(cmdline__has(c, "cgroup.memory", "nosocket"));
	assert_true(cmdline__has(c, "cgroup.memory", "nobpf"));
	assert_false(cmdline__has(c, "cgroup.memory", "nokmem"));
	assert_false(cmdline__has(c, "cgroup.memory", "nosock"));
	assert_true(cmdline__has(c, "cgroup_disable", "io"));
	assert_false(cmdline__has("", "a", "b"));
	assert_false(cmdline__has("cgroup.memory=\n", "cgroup.memory", "nokmem"));
	assert_true(cmdline__has("a=1 cgroup.memory=x cgroup.memory=nokmem", "cgroup.memory",
				 "nokmem"));
}

static void test_empty_root(void **state)
{
	struct utsname u;

	(void)state;
	read_root();
	uname(&u);
	assert_string_equal(h.kernel, u.release);
	assert_string_equal(h.arch, u.machine);
	assert_string_equal(h.isolated, "");
	assert_int_equal(h.lockdown, LOCKDOWN_UNKNOWN);
	assert_int_equal(h.emulated, HOST_UNKNOWN);
	assert_true(h.socket_accounting);
	assert_true(h.kmem_accounting);
}

static void test_fields(void **state)
{
	(void)state;
	put("/proc/sys/kernel/hostname", "web7\n");
	put("/proc/sys/kernel/arch", "aarch64\n");
	put("/sys/devices/system/cpu/possible", "0-127\n");
	put("/sys/devices/system/cpu/online", "0-3,8-9\n");
	put("/sys/devices/system/cpu/isolated", "2-3,9\n");
	put("/proc/cmdline", "BOOT_IMAGE=/vmlinuz cgroup.memory=nosocket\n");
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	kernel("6.12.3-rt\n", "#1 SMP PREEMPT_DYNAMIC Debian\n");
	assert_string_equal(h.hostname, "web7");
	assert_string_equal(h.kernel, "6.12.3-rt");
	assert_string_equal(h.arch, "aarch64");
	assert_int_equal(h.cpus_possible, 128);
	assert_int_equal(h.cpus_online, 6);
	assert_string_equal(h.isolated, "2-3,9");
	assert_true(host_info__cpu_isolated(&h, 9));
	assert_false(host_info__cpu_isolated(&h, 8));
	assert_false(h.socket_accounting);
	assert_true(h.kmem_accounting);
	assert_int_equal(h.lockdown, LOCKDOWN_CONFIDENTIALITY);
	put("/proc/cmdline", "cgroup.memory=nokmem\n");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	read_root();
	assert_true(h.socket_accounting);
	assert_false(h.kmem_accounting);
	assert_int_equal(h.lockdown, LOCKDOWN_NONE);
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	read_root();
	assert_int_equal(h.lockdown, LOCKDOWN_INTEGRITY);
	put("/sys/kernel/security/lockdown", "[new]\n");
	read_root();
	assert_int_equal(h.lockdown, LOCKDOWN_UNKNOWN);
	assert_string_equal(host_lockdown__str(LOCKDOWN_CONFIDENTIALITY), "confidentiality");
}

static void test_preempt(void **state)
{
	(void)state;
	kernel("6.1.0-37-amd64\n", "#1 SMP PREEMPT_DYNAMIC Debian 6.1\n");
	assert_string_equal(h.preempt, "unknown");
	put("/boot/config-6.1.0-37-amd64",
	    "#\n# CONFIG_PREEMPT_NONE is not set\n"
	    "CONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_COUNT=y\n");
	read_root();
	assert_string_equal(h.preempt, "voluntary");
	/* the boot option beats the build, what is in force beats both */
	put("/proc/cmdline", "ro preempt=none\n");
	read_root();
	assert_string_equal(h.preempt, "none");
	put("/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy \n");
	read_root();
	assert_string_equal(h.preempt, "full");
	put("/sys/kernel/debug/sched/preempt", "none voluntary full (lazy) \n");
	read_root();
	assert_string_equal(h.preempt, "lazy");
	put("/sys/kernel/debug/sched/preempt", "(undefined)\n");
	read_root();
	assert_string_equal(h.preempt, "none");
	assert_false(h.preempt_rt);
	put("/sys/kernel/realtime", "0\n");
	read_root();
	assert_false(h.preempt_rt);
	put("/sys/kernel/realtime", "1\n");
	read_root();
	assert_string_equal(h.preempt, "rt");
	assert_true(h.preempt_rt);
}

static void test_preempt_by_version(void **state)
{
	(void)state;
	kernel("6.12.9\n", "#1 SMP PREEMPT_RT Mon\n");
	assert_string_equal(h.preempt, "rt");
	assert_true(h.preempt_rt);
	kernel("5.10.0\n", "#1 SMP PREEMPT Mon\n");
	assert_string_equal(h.preempt, "full");
	kernel("6.12.0\n", "#1 SMP PREEMPT Mon\n");
	assert_string_equal(h.preempt, "full");
	/* full or lazy, the text is the same */
	kernel("6.13.0\n", "#1 SMP PREEMPT Mon\n");
	assert_string_equal(h.preempt, "unknown");
	kernel("7.3.4\n", "#1 SMP PREEMPT Mon\n");
	assert_string_equal(h.preempt, "unknown");
	/* none or voluntary */
	kernel("6.6.1\n", "#1 SMP Mon\n");
	assert_string_equal(h.preempt, "unknown");
	assert_false(h.preempt_rt);
	/* preempt= means nothing to a kernel that cannot switch */
	put("/proc/cmdline", "preempt=full\n");
	read_root();
	assert_string_equal(h.preempt, "unknown");
}

static void test_emulated(void **state)
{
	(void)state;
	put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\n"
			     "model name\t: QEMU TCG CPU version 2.5+\nflags\t: fpu hypervisor\n");
	read_root();
	assert_int_equal(h.emulated, HOST_YES);
	put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R)\n"
			     "flags\t: fpu hypervisor\n");
	read_root();
	assert_int_equal(h.emulated, HOST_NO);
	/* KVM shows this model too */
	put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\nmodel name\t: QEMU Virtual CPU\n");
	read_root();
	assert_int_equal(h.emulated, HOST_UNKNOWN);
	put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
	read_root();
	assert_int_equal(h.emulated, HOST_UNKNOWN);
}

static void test_live_host(void **state)
{
	(void)state;
	host_info__free(&h);
	assert_int_equal(host_info__read(&h, NULL), 0);
	assert_int_equal(h.page_size, sysconf(_SC_PAGESIZE));
	assert_int_equal(h.cpus_online, sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(h.cpus_possible >= h.cpus_online);
	assert_true(strlen(h.version) > 0);
#if defined(__x86_64__)
	assert_int_not_equal(h.emulated, HOST_UNKNOWN);
#endif
}

static void test_read_file(void **state)
{
	char *big = malloc(100001), *got;
	size_t len;

	(void)state;
	memset(big, 'x', 100000);
	big[100000] = '\0';
	got = host__read_file(put("/big", big), &len);
	assert_int_equal(len, 100000);
	assert_string_equal(got, big);
	free(got);
	free(big);
	assert_null(host__read_file("/nonexistent", NULL));
	assert_int_equal(errno, ENOENT);
	assert_null(host__read_file("/tmp", NULL));
	assert_int_equal(errno, EISDIR);
}

static struct caps read_caps(const char *uid, const char *eff)
{
	char text[256];
	struct caps c;

	snprintf(text, sizeof(text),
		 "Name:\tmemcgtop\nUid:\t%s\nCapPrm:\tffffffffffffffff\n"
		 "CapEff:\t%s\nCapBnd:\t0\n",
		 uid, eff);
	assert_int_equal(caps__read(&c, put("/status", text)), 0);
	return c;
}

static void test_caps(void **state)
{
	char buf[512];
	struct caps c;

	(void)state;
	c = read_caps("1000\t0\t0\t0", "000001ffffffffff");
	assert_int_equal(c.euid, 0);
	assert_true(c.bpf && c.perfmon && c.sys_admin && c.sys_resource && c.dac_read_search);
	assert_int_equal(caps__missing(&c, NULL, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "");

	c = read_caps("1000\t1000\t1000\t1000", "0000000000000000");
	assert_int_equal(c.euid, 1000);
	assert_false(c.bpf || c.perfmon || c.sys_admin || c.sys_resource || c.dac_read_search);
	assert_int_equal(caps__missing(&c, "/usr/sbin/memcgtop", buf, sizeof(buf)), 1);
	assert_string_equal(buf, "CAP_BPF and CAP_PERFMON are missing: run as root, or once: "
				 "setcap cap_bpf,cap_perfmon,cap_dac_read_search,cap_sys_admin+ep "
				 "/usr/sbin/memcgtop");

	c = read_caps("1000\t1000\t1000\t1000", "0000008000000000"); /* 39 */
	assert_true(c.bpf);
	assert_false(c.perfmon);
	assert_int_equal(caps__missing(&c, NULL, buf, sizeof(buf)), 1);
	assert_non_null(strstr(buf, "CAP_BPF is there but CAP_PERFMON is missing: run as root"));
	c = read_caps("1000\t1000\t1000\t1000", "0000004000000000"); /* 38 */
	assert_true(c.perfmon);
	assert_int_equal(caps__missing(&c, NULL, buf, sizeof(buf)), 1);
	assert_non_null(strstr(buf, "CAP_PERFMON is there but CAP_BPF is missing"));

	c = read_caps("1000\t1000\t1000\t1000", "000000c000000004");
	assert_true(c.dac_read_search);
	assert_int_equal(caps__missing(&c, NULL, buf, sizeof(buf)), 0);
	c = read_caps("0\t0\t0\t0", "0000000000200000"); /* 21, kernels before 5.8 */
	assert_true(c.sys_admin);
	assert_int_equal(caps__missing(&c, NULL, buf, sizeof(buf)), 0);
	/* root of a container: setcap would not help */
	c = read_caps("0\t0\t0\t0", "00000000a80425fb");
	assert_int_equal(caps__missing(&c, NULL, buf, sizeof(buf)), 1);
	assert_non_null(strstr(buf, "--cap-add BPF --cap-add PERFMON"));
	assert_null(strstr(buf, "setcap"));

	assert_int_equal(caps__read(&c, "/nonexistent"), -ENOENT);
	assert_int_equal(caps__read(&c, put("/status", "Name:\tx\n")), -EPROTO);
	assert_int_equal(caps__read(&c, NULL), 0);
	assert_int_equal(c.euid, geteuid());
}

/* In a child: limits and user are for its life. 0 as expected, else the number of the step. */
static int memlock_child(void)
{
	struct rlimit lim = {65536, 1 << 20};
	uint64_t bytes = 0;
	char text[400];
	struct caps c;

	/* root of a container may lack CAP_SYS_RESOURCE: then only the second half applies */
	if (setrlimit(RLIMIT_MEMLOCK, &lim) || caps__read(&c, NULL))
		return 1;
	if (c.sys_resource &&
	    (caps__raise_memlock(&bytes) || bytes != UINT64_MAX || caps__raise_memlock(NULL)))
		return 2;
	if (c.sys_resource && caps__memlock_low("5.10.0", text, sizeof(text)))
		return 6;
	if (setrlimit(RLIMIT_MEMLOCK, &lim) || (!geteuid() && setuid(65534)))
		return 3;
	if (caps__read(&c, NULL) || c.sys_resource)
		return 5;
	/* not allowed: as far as the hard limit, and said so */
	if (caps__raise_memlock(&bytes) != -EPERM || bytes != 1 << 20)
		return 4;
	if (!caps__memlock_low("5.10.0-30-amd64", text, sizeof(text)) ||
	    !strstr(text, " 1024 KiB ") || !strstr(text, "ulimit -l unlimited"))
		return 7;
	if (caps__memlock_low("5.11.0", text, sizeof(text)) ||
	    caps__memlock_low("6.1.0-50-amd64", text, sizeof(text)) ||
	    caps__memlock_low("none", text, sizeof(text)))
		return 8;
	return 0;
}

static void test_memlock(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid)
		_exit(memlock_child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpulist),
		cmocka_unit_test(test_cmdline),
		cmocka_unit_test_setup_teardown(test_empty_root, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(test_preempt, setup, teardown),
		cmocka_unit_test_setup_teardown(test_preempt_by_version, setup, teardown),
		cmocka_unit_test_setup_teardown(test_emulated, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live_host, setup, teardown),
		cmocka_unit_test_setup_teardown(test_read_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_caps, setup, teardown),
		cmocka_unit_test(test_memlock),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
