// SPDX-License-Identifier: GPL-2.0-only
#include "caps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "host.h"

/* Numbers of include/uapi/linux/capability.h; older headers lack the newer ones. */
enum {
	BIT_DAC_READ_SEARCH = 2,
	BIT_SYS_ADMIN = 21,
	BIT_SYS_RESOURCE = 24,
	BIT_PERFMON = 38,
	BIT_BPF = 39,
};

static bool has(uint64_t set, int bit)
{
	return set >> bit & 1;
}

int caps__read(struct caps *c, const char *status_path)
{
	char *text = host__read_file(status_path ? status_path : "/proc/self/status", NULL);
	const char *uid, *eff;
	unsigned int euid;
	int err = 0;

	memset(c, 0, sizeof(*c));
	if (!text)
		return -errno;
	uid = strstr(text, "\nUid:");
	eff = strstr(text, "\nCapEff:");
	if (!uid || !eff || sscanf(uid, "\nUid: %*u %u", &euid) != 1 ||
	    sscanf(eff, "\nCapEff: %" SCNx64, &c->effective) != 1)
		err = -EPROTO;
	free(text);
	if (err)
		return err;
	c->euid = euid;
	c->bpf = has(c->effective, BIT_BPF);
	c->perfmon = has(c->effective, BIT_PERFMON);
	c->sys_admin = has(c->effective, BIT_SYS_ADMIN);
	c->sys_resource = has(c->effective, BIT_SYS_RESOURCE);
	c->dac_read_search = has(c->effective, BIT_DAC_READ_SEARCH);
	return 0;
}

int caps__missing(const struct caps *c, const char *exe, char *buf, size_t size)
{
	const char *what;

	exe = exe ? exe : "memcgtop";
	if (c->sys_admin || (c->bpf && c->perfmon)) {
		if (size)
			buf[0] = '\0';
		return 0;
	}
	what = c->bpf	    ? "CAP_BPF is there but CAP_PERFMON is missing"
	       : c->perfmon ? "CAP_PERFMON is there but CAP_BPF is missing"
			    : "CAP_BPF and CAP_PERFMON are missing";
	if (!c->euid)
		snprintf(buf, size,
			 "root, but %s (a container drops them): start it with "
			 "--cap-add BPF --cap-add PERFMON or --privileged",
			 what);
	else
		/* libbpf 1.1 looks into the BTF of modules, which CAP_SYS_ADMIN alone may */
		snprintf(buf, size,
			 "%s: run as root, or once: "
			 "setcap cap_bpf,cap_perfmon,cap_dac_read_search,cap_sys_admin+ep %s",
			 what, exe);
	return 1;
}

int caps__raise_memlock(uint64_t *limit_bytes)
{
	struct rlimit lim = {RLIM_INFINITY, RLIM_INFINITY};
	int err = 0;

	if (setrlimit(RLIMIT_MEMLOCK, &lim)) {
		err = -errno;
		/* without privilege the soft limit may still go up to the hard one */
		if (!getrlimit(RLIMIT_MEMLOCK, &lim)) {
			lim.rlim_cur = lim.rlim_max;
			setrlimit(RLIMIT_MEMLOCK, &lim);
		}
	}
	if (limit_bytes) {
		*limit_bytes = 0;
		if (!getrlimit(RLIMIT_MEMLOCK, &lim))
			*limit_bytes = lim.rlim_cur == RLIM_INFINITY ? UINT64_MAX : lim.rlim_cur;
	}
	if (err && lim.rlim_cur == RLIM_INFINITY)
		err = 0; /* somebody lifted it for us */
	return err;
}

int caps__memlock_low(const char *release, char *buf, size_t size)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;
	struct rlimit lim;

	if (!release && !uname(&name))
		release = name.release;
	if (!release || sscanf(release, "%u.%u", &major, &minor) != 2 || major > 5 ||
	    (major == 5 && minor >= 11) || getrlimit(RLIMIT_MEMLOCK, &lim) ||
	    lim.rlim_cur == RLIM_INFINITY)
		return 0;
	snprintf(buf, size,
		 "the kernel refuses memory to BPF: before 5.11 it counts as locked memory, of "
		 "which %ju KiB are allowed, and we may not raise that: run it after "
		 "ulimit -l unlimited, or with CAP_SYS_RESOURCE",
		 (uintmax_t)lim.rlim_cur >> 10);
	return 1;
}
