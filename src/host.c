// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define ON_X86 1
#else
#define ON_X86 0
#endif

#define CPUID_HYPERVISOR_BIT  (1u << 31) /* leaf 1, ecx */
#define CPUID_HYPERVISOR_LEAF 0x40000000u

char *host__read_file(const char *path, size_t *len)
{
	size_t cap = 4096, used = 0;
	char *buf, *bigger;
	ssize_t n;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	buf = malloc(cap);
	while (buf) {
		n = read(fd, buf + used, cap - used - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
		if (used + 1 < cap)
			continue;
		bigger = realloc(buf, cap * 2);
		if (!bigger) {
			n = -1;
			break;
		}
		buf = bigger;
		cap *= 2;
	}
	err = !buf ? ENOMEM : errno;
	close(fd);
	if (buf && n < 0) {
		free(buf);
		buf = NULL;
	}
	if (!buf) {
		errno = err;
		return NULL;
	}
	buf[used] = '\0';
	if (len)
		*len = used;
	return buf;
}

static char *read_below(const char *root, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s", root, name) >= (int)sizeof(path))
		return NULL;
	return host__read_file(path, NULL);
}

/* First line of a file into a fixed field; keeps the field if there is no file. */
static void read_field(const char *root, const char *name, char *field, size_t size)
{
	char *text = read_below(root, name);

	if (text) {
		text[strcspn(text, "\n")] = '\0';
		snprintf(field, size, "%s", text);
	}
	free(text);
}

bool cmdline__has(const char *cmdline, const char *key, const char *word)
{
	const size_t klen = strlen(key), wlen = strlen(word);
	const char *p = cmdline, *v;
	size_t n, m;

	for (; *(p += strspn(p, " \n\t")); p += n) {
		n = strcspn(p, " \n\t");
		if (n == 2 && !memcmp(p, "--", 2))
			return false;
		if (n <= klen || memcmp(p, key, klen) || p[klen] != '=')
			continue;
		for (v = p + klen + 1; v < p + n; v += m + 1) {
			m = strcspn(v, ", \n\t");
			if (m == wlen && !memcmp(v, word, m))
				return true;
		}
	}
	return false;
}

/* One "a", "a-b" or "a-b:used/group" of a CPU list; advances *list over it and its comma. */
static int next_range(const char **list, int r[4])
{
	const char *p = *list;
	char *end;

	for (int i = 0; i < 4; i++) {
		long v = strtol(p, &end, 10);

		if (end == p || *p < '0' || *p > '9' || v > INT_MAX / 2)
			return -EINVAL;
		r[i] = (int)v;
		p = end;
		if (*p != "-:/"[i] || i == 3) {
			if (i == 2)
				return -EINVAL; /* ":used" without "/group" */
			if (i == 0)
				r[1] = r[0];
			if (i < 2)
				r[2] = r[3] = 1;
			break;
		}
		p++;
	}
	if (r[1] < r[0] || r[2] < 1 || r[3] < r[2])
		return -EINVAL;
	if (*p == ',')
		p++;
	else if (*p && *p != '\n')
		return -EINVAL;
	*list = p;
	return 0;
}

int cpulist__count(const char *list)
{
	int r[4], n = 0;

	while (*list && *list != '\n') {
		int len, rest;

		if (next_range(&list, r))
			return -EINVAL;
		len = r[1] - r[0] + 1;
		rest = len % r[3];
		n += len / r[3] * r[2] + (rest < r[2] ? rest : r[2]);
	}
	return n;
}

bool cpulist__has(const char *list, int cpu)
{
	int r[4];

	while (*list && *list != '\n') {
		if (next_range(&list, r))
			return false;
		if (cpu >= r[0] && cpu <= r[1] && (cpu - r[0]) % r[3] < r[2])
			return true;
	}
	return false;
}

static int count_cpus(const char *root, const char *name, int fallback)
{
	char *text = read_below(root, name);
	int n = text ? cpulist__count(text) : -1;

	free(text);
	return n > 0 ? n : fallback;
}

/* The hypervisor flag says only "virtual": KVM runs the real CPU, TCG does not. */
static enum host_tristate read_emulated(const char *root)
{
	enum host_tristate emulated = HOST_UNKNOWN;
	char *text = read_below(root, "/proc/cpuinfo");

#if ON_X86
	unsigned int a, b, c, d;

	if (!*root && __get_cpuid(1, &a, &b, &c, &d)) {
		emulated = HOST_NO;
		if (c & CPUID_HYPERVISOR_BIT) {
			char id[12];

			__cpuid(CPUID_HYPERVISOR_LEAF, a, b, c, d);
			memcpy(id, &b, 4);
			memcpy(id + 4, &c, 4);
			memcpy(id + 8, &d, 4);
			if (!memcmp(id, "TCGTCGTCGTCG", sizeof(id)))
				emulated = HOST_YES;
		}
	}
#endif
	if (text && strstr(text, "QEMU TCG"))
		emulated = HOST_YES;
	else if (text && emulated == HOST_UNKNOWN && strstr(text, "vendor_id") &&
		 strstr(text, "model name") && !strstr(text, "QEMU Virtual CPU"))
		emulated = HOST_NO; /* x86 file of another machine: a CPU with a real name */
	free(text);
	return emulated;
}

/* The word in brackets of "a [b] c" or "a (b) c" into out. */
static bool chosen_word(const char *text, char open, char close, char *out, size_t size)
{
	const char *b = strchr(text, open), *e = b ? strchr(b, close) : NULL;

	return e && snprintf(out, size, "%.*s", (int)(e - b - 1), b + 1) < (int)size;
}

static const char *preempt_word(const char *word)
{
	static const char *const models[] = {"none", "voluntary", "full", "lazy"};

	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
		if (!strcmp(models[i], word))
			return models[i];
	}
	return NULL;
}

static const char *preempt_from_config(const struct host_info *h, const char *root)
{
	static const struct {
		const char *line, *model;
	} configs[] = {
		{"\nCONFIG_PREEMPT_LAZY=y\n", "lazy"},
		{"\nCONFIG_PREEMPT_VOLUNTARY=y\n", "voluntary"},
		{"\nCONFIG_PREEMPT_NONE=y\n", "none"},
		{"\nCONFIG_PREEMPT=y\n", "full"},
	};
	const char *model = NULL;
	char name[128], *text;

	snprintf(name, sizeof(name), "/boot/config-%s", h->kernel);
	text = read_below(root, name);
	for (size_t i = 0; text && !model && i < sizeof(configs) / sizeof(*configs); i++) {
		if (strstr(text, configs[i].line))
			model = configs[i].model;
	}
	free(text);
	return model;
}

/* From what is in force now to what the build says; the first that knows wins. */
static void read_preempt(struct host_info *h, const char *root, const char *cmdline)
{
	const bool dynamic = strstr(h->version, "PREEMPT_DYNAMIC");
	char *text = read_below(root, "/sys/kernel/realtime");
	const char *model = NULL;
	char word[16];
	int major = 0, minor = 0;

	h->preempt_rt = (text && text[0] == '1') || strstr(h->version, "PREEMPT_RT");
	free(text);
	if (h->preempt_rt) {
		h->preempt = "rt";
		return;
	}
	text = read_below(root, "/sys/kernel/debug/sched/preempt");
	if (text && chosen_word(text, '(', ')', word, sizeof(word)))
		model = preempt_word(word);
	free(text);
	if (!model && dynamic && cmdline) {
		static const char *const choices[] = {"none", "voluntary", "full", "lazy"};

		for (int i = 0; i < 4; i++) {
			if (cmdline__has(cmdline, "preempt", choices[i]))
				model = choices[i];
		}
	}
	if (!model)
		model = preempt_from_config(h, root);
	/* since 6.13 "PREEMPT" is also what a lazy kernel says */
	if (!model && !dynamic && strstr(h->version, " PREEMPT ") &&
	    sscanf(h->kernel, "%d.%d", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor < 13)))
		model = "full";
	h->preempt = model ? model : "unknown";
}

static enum host_lockdown read_lockdown(const char *root)
{
	char *text = read_below(root, "/sys/kernel/security/lockdown");
	enum host_lockdown l = LOCKDOWN_UNKNOWN;
	char word[32];

	if (text && chosen_word(text, '[', ']', word, sizeof(word))) {
		for (l = LOCKDOWN_CONFIDENTIALITY; l > LOCKDOWN_UNKNOWN; l--) {
			if (!strcmp(word, host_lockdown__str(l)))
				break;
		}
	}
	free(text);
	return l;
}

int host_info__read(struct host_info *h, const char *root)
{
	struct utsname u;
	char *cmdline;

	root = root ? root : "";
	memset(h, 0, sizeof(*h));
	if (!uname(&u)) {
		snprintf(h->hostname, sizeof(h->hostname), "%s", u.nodename);
		snprintf(h->kernel, sizeof(h->kernel), "%s", u.release);
		snprintf(h->version, sizeof(h->version), "%s", u.version);
		snprintf(h->arch, sizeof(h->arch), "%s", u.machine);
	}
	if (*root) {
		read_field(root, "/proc/sys/kernel/hostname", h->hostname, sizeof(h->hostname));
		read_field(root, "/proc/sys/kernel/osrelease", h->kernel, sizeof(h->kernel));
		read_field(root, "/proc/sys/kernel/version", h->version, sizeof(h->version));
		read_field(root, "/proc/sys/kernel/arch", h->arch, sizeof(h->arch));
	}
	h->page_size = sysconf(_SC_PAGESIZE);
	h->cpus_possible = count_cpus(root, "/sys/devices/system/cpu/possible",
				      (int)sysconf(_SC_NPROCESSORS_CONF));
	h->cpus_online = count_cpus(root, "/sys/devices/system/cpu/online",
				    (int)sysconf(_SC_NPROCESSORS_ONLN));
	h->isolated = read_below(root, "/sys/devices/system/cpu/isolated");
	if (!h->isolated)
		h->isolated = strdup("");
	if (!h->isolated)
		return -ENOMEM;
	h->isolated[strcspn(h->isolated, "\n")] = '\0';
	h->nohz_full = read_below(root, "/sys/devices/system/cpu/nohz_full");
	h->emulated = read_emulated(root);
	cmdline = read_below(root, "/proc/cmdline");
	h->socket_accounting = !cmdline || !cmdline__has(cmdline, "cgroup.memory", "nosocket");
	h->kmem_accounting = !cmdline || !cmdline__has(cmdline, "cgroup.memory", "nokmem");
	read_preempt(h, root, cmdline);
	free(cmdline);
	h->lockdown = read_lockdown(root);
	return 0;
}

void host_info__free(struct host_info *h)
{
	free(h->isolated);
	free(h->nohz_full);
	h->nohz_full = NULL;
	h->isolated = NULL;
}

bool host_info__cpu_isolated(const struct host_info *h, int cpu)
{
	return cpulist__has(h->isolated, cpu) || (h->nohz_full && cpulist__has(h->nohz_full, cpu));
}

const char *host_lockdown__str(enum host_lockdown lockdown)
{
	static const char *const names[] = {
		[LOCKDOWN_UNKNOWN] = "unknown",
		[LOCKDOWN_NONE] = "none",
		[LOCKDOWN_INTEGRITY] = "integrity",
		[LOCKDOWN_CONFIDENTIALITY] = "confidentiality",
	};

	return names[lockdown];
}
