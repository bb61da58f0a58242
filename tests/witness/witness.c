// SPDX-License-Identifier: GPL-2.0-only
/*
 * witness: counts socket charges in and out of softirq until SIGTERM, then
 * prints one line of JSON. Says `ready` on standard error once it counts.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "witness.skel.h"

static const char *charge_function(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const char *name = "mem_cgroup_sk_charge";

	if (!btf)
		return NULL;
	if (btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) < 0)
		name = "mem_cgroup_charge_skmem";
	btf__free(btf);
	return name;
}

/* Runs that the kernel skipped, as the program was running already. */
static unsigned long long missed(const struct bpf_program *prog)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
		return 0;
	return info.recursion_misses;
}

int main(void)
{
	struct witness_bpf *skel;
	struct utsname host;
	const char *function;
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	function = charge_function();
	skel = witness_bpf__open();
	if (!function || !skel) {
		fprintf(stderr, "witness: cannot read the kernel's BTF or open the BPF object\n");
		return 1;
	}
	skel->rodata->by_task = !uname(&host) && strstr(host.version, "PREEMPT_RT");
	if (bpf_program__set_attach_target(skel->progs.sock_charge, 0, function) ||
	    witness_bpf__load(skel) || witness_bpf__attach(skel)) {
		fprintf(stderr, "witness: cannot attach (%s)\n", strerror(errno));
		return 1;
	}
	/* What began before its end was attached is not lost. */
	usleep(100000);
	skel->bss->lost_begins = skel->bss->lost_ends = 0;
	fprintf(stderr, "ready\n");
	sigwait(&set, &sig);
	printf("{\"function\": \"%s\", \"by_task\": %s, \"softirq\": %llu, \"outside\": %llu, "
	       "\"missed\": %llu, \"lost_begins\": %llu, \"lost_ends\": %llu}\n",
	       function, skel->rodata->by_task ? "true" : "false",
	       (unsigned long long)skel->bss->in_softirq, (unsigned long long)skel->bss->outside,
	       missed(skel->progs.sock_charge), (unsigned long long)skel->bss->lost_begins,
	       (unsigned long long)skel->bss->lost_ends);
	witness_bpf__destroy(skel);
	return 0;
}
