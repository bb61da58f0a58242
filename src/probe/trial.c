// SPDX-License-Identifier: GPL-2.0-only
/* Which alternatives work here: by attaching an empty program to them. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "caps.h"
#include "probe/hooks.h"

/* r0 = 0; exit */
static const struct bpf_insn nothing[] = {
	{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
	{.code = BPF_JMP | BPF_EXIT},
};

static const enum bpf_attach_type attach_types[] = {
	[METHOD_FENTRY] = BPF_TRACE_FENTRY,
	[METHOD_FEXIT] = BPF_TRACE_FEXIT,
	[METHOD_TP_BTF] = BPF_TRACE_RAW_TP,
};

/* The number of a type of perf event, or a negative errno. */
static int perf_type(const char *name)
{
	char path[128];
	int type, n;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	n = fscanf(f, "%d", &type);
	fclose(f);
	return n == 1 ? type : -ENODEV;
}

/* A kprobe with an empty program: something to close again, or a negative errno. */
static int attach_kprobe(const char *function)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .config1 = (uintptr_t)function};
	int type = perf_type("kprobe"), prog, event, err = 0;

	if (type < 0)
		return type;
	attr.type = (uint32_t)type;
	event = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -errno;
	prog = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "memcgtop_trial", "GPL", nothing,
			     sizeof(nothing) / sizeof(nothing[0]), NULL);
	if (prog < 0)
		err = prog;
	else if (ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ||
		 ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		err = -errno;
	if (prog >= 0)
		close(prog);
	if (!err)
		return event;
	close(event);
	return err;
}

/* The same of a program by BTF; *loading says whether loading failed, or attaching. */
static int attach_by_btf(int btf_id, enum method method, bool *loading)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_types[method],
		    .attach_btf_id = btf_id);
	int prog, link;

	*loading = true;
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "memcgtop_trial", "GPL", nothing,
			     sizeof(nothing) / sizeof(nothing[0]), &opts);
	if (prog < 0)
		return prog;
	*loading = false;
	link = bpf_raw_tracepoint_open(NULL, prog);
	close(prog);
	return link;
}

static int btf_id_of(const struct kernel *k, const struct alternative *alt)
{
	int nargs = 0, id;

	if (alt->method == METHOD_TP_BTF)
		return kernel__tracepoint(k, alt->function);
	id = kernel__function(k, alt->function, &nargs);
	return id > 0 && alt->nargs && nargs != alt->nargs ? -ENOENT : id;
}

/* -ENOENT: there is no such function. */
static int attach_nothing(const struct kernel *k, const struct alternative *alt, bool *loading)
{
	int id;

	*loading = false;
	if (alt->method == METHOD_KPROBE)
		return attach_kprobe(alt->function);
	id = btf_id_of(k, alt);
	return id > 0 ? attach_by_btf(id, alt->method, loading) : -ENOENT;
}

static bool wanted(const struct hook *h, const struct asking *a)
{
	return (!h->applies || h->applies(a->kernel)) && (!h->asked || h->asked(a));
}

/* Is bpf refused as such, not this function? */
static bool refused(int err, bool loading)
{
	return err == -EPERM || err == -EACCES || err == -ENOSYS || (loading && err == -524);
}

static int say_refused(int err, bool loading, struct error *e)
{
	char text[400];

	if (err == -EPERM && loading && caps__memlock_low(NULL, text, sizeof(text)))
		return error__set(e, STATUS_CANNOT, "%s", text);
	if (err == -524 || err == -ENOSYS)
		return error__set(e, STATUS_CANNOT,
				  "the kernel cannot attach BPF tracing programs: %s; BPF "
				  "trampolines need kernel 5.5 (x86) or 6.0 (arm64) or later, with "
				  "CONFIG_BPF_SYSCALL and CONFIG_FUNCTION_TRACER",
				  error__text(err));
	return error__set(
		e, STATUS_CANNOT,
		"the kernel refuses BPF tracing programs (%s: %s) although the privileges "
		"are there: a policy forbids them (a container's seccomp profile, an LSM, "
		"lockdown); run memcgtop on the host, or allow bpf()",
		loading ? "load" : "attach", error__text(err));
}

/* 0, or -1 with the error set if bpf as such is refused. */
static int choose(const struct kernel *k, const struct hook *h, struct choice *c, struct error *e)
{
	int i, err;

	c->state = PROBE_MISSING;
	c->reason = h->reason_if_absent;
	c->function = h->alt[0].function;
	for (i = 0; i < ALTERNATIVES_MAX && h->alt[i].function; i++) {
		const struct alternative *alt = &h->alt[i];
		bool loading;

		if (alt->fits && !alt->fits(k))
			continue;
		err = attach_nothing(k, alt, &loading);
		if (err == -ENOENT)
			continue;
		if (err >= 0) {
			close(err);
			c->alt = alt;
			c->function = alt->function;
			c->state = PROBE_ATTACHABLE;
			c->reason = REASON_NONE;
			return 0;
		}
		if (alt->method != METHOD_KPROBE && refused(err, loading))
			return say_refused(err, loading, e);
		c->function = alt->function;
		c->reason = REASON_NOT_TRACEABLE;
		c->error = -err;
	}
	return 0;
}

int hooks__choose(const struct kernel *k, const struct hook_request *want,
		  struct choice choices[PROG_NR], struct error *e)
{
	const struct asking asking = {.kernel = k, .want = want, .choices = choices};
	int i;

	memset(choices, 0, PROG_NR * sizeof(choices[0]));
	for (i = 0; i < PROG_NR; i++) {
		if (!wanted(&hooks[i], &asking)) {
			choices[i].state = PROBE_NOT_NEEDED;
			continue;
		}
		if (choose(k, &hooks[i], &choices[i], e))
			return -1;
	}
	return 0;
}

void hooks__attach_empty(const struct kernel *k, const struct choice choices[PROG_NR],
			 int fds[PROG_NR])
{
	bool loading;
	int i;

	for (i = 0; i < PROG_NR; i++)
		fds[i] = choices[i].alt ? attach_nothing(k, choices[i].alt, &loading) : -1;
}
