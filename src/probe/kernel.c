// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "probe/kernel.h"

/* Through modifiers and typedefs to the type itself. */
static const struct btf_type *resolve(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t)))
		t = btf__type_by_id(btf, t->type);
	return t;
}

static const struct btf_type *find_struct(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);

	return id > 0 ? btf__type_by_id(btf, id) : NULL;
}

/* The type of a member, looked for in anonymous members too; NULL if there is none. */
static const struct btf_type *member(const struct btf *btf, const struct btf_type *s,
				     const char *name)
{
	const struct btf_member *m;
	const struct btf_type *t;
	int i;

	if (!s || !btf_is_composite(s))
		return NULL;
	m = btf_members(s);
	for (i = 0; i < btf_vlen(s); i++) {
		const char *n = btf__name_by_offset(btf, m[i].name_off);

		if (!strcmp(n, name))
			return resolve(btf, m[i].type);
		if (!n[0]) {
			t = member(btf, resolve(btf, m[i].type), name);
			if (t)
				return t;
		}
	}
	return NULL;
}

static bool has_enumerator(const struct btf *btf, const char *name)
{
	uint32_t id, n = btf__type_cnt(btf);

	for (id = 1; id < n; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		int i;

		if (!btf_is_enum(t))
			continue;
		for (i = 0; i < btf_vlen(t); i++)
			if (!strcmp(btf__name_by_offset(btf, btf_enum(t)[i].name_off), name))
				return true;
	}
	return false;
}

static void read_lock(struct kernel *k, const struct btf_type *pcp)
{
	const struct btf_type *lock = member(k->btf, pcp, "lock");

	if (!lock)
		lock = member(k->btf, pcp, "stock_lock");
	if (member(k->btf, lock, "acquired"))
		k->lock = LOCK_BYTE;
	else if (member(k->btf, member(k->btf, lock, "lock"), "owner"))
		k->lock = LOCK_OWNER;
}

static void read_design(struct kernel *k)
{
	const struct btf_type *pcp = find_struct(k->btf, "memcg_stock_pcp");
	const struct btf_type *cached = member(k->btf, pcp, "cached");

	if (!pcp) {
		if (member(k->btf, find_struct(k->btf, "page_counter"), "stock"))
			k->design = DESIGN_PER_COUNTER;
		return;
	}
	read_lock(k, pcp);
	if (cached && btf_is_ptr(cached)) {
		k->design = DESIGN_SINGLE_SLOT;
		k->slots = 1;
	} else if (cached && btf_is_array(cached) && member(k->btf, pcp, "nr_pages") &&
		   btf_array(cached)->nelems <= SLOTS_MAX) {
		k->design =
			member(k->btf, pcp, "nr_sock") ? DESIGN_MULTI_SLOT_SOCK : DESIGN_MULTI_SLOT;
		k->slots = btf_array(cached)->nelems;
		k->round_robin = member(k->btf, pcp, "drain_idx");
	}
}

static void read_preempt_count(struct kernel *k)
{
	int var = btf__find_by_name_kind(k->btf, "__preempt_count", BTF_KIND_VAR);

	k->softirq_in_task =
		member(k->btf, find_struct(k->btf, "task_struct"), "softirq_disable_cnt");
	k->preempt_count_size = 4;
	if (var > 0)
		k->preempt_count_size =
			(uint32_t)btf__resolve_size(k->btf, btf__type_by_id(k->btf, var)->type);
}

int kernel__open(struct kernel *k, const char *btf_path, struct error *e)
{
	memset(k, 0, sizeof(*k));
	k->btf_path = btf_path;
	k->btf = btf_path ? btf__parse(btf_path, NULL) : btf__load_vmlinux_btf();
	if (!k->btf) {
		int err = errno;

		if (btf_path)
			return error__set(e, STATUS_CANNOT,
					  "cannot read BTF from %s: %s; give the .BTF of the "
					  "running kernel (a vmlinux with debug information)",
					  btf_path, error__text(err));
		return error__set(e, STATUS_CANNOT,
				  "the kernel's BTF is not at /sys/kernel/btf/vmlinux: %s; either "
				  "/sys is not mounted here, or the kernel was built without "
				  "CONFIG_DEBUG_INFO_BTF=y (then use one with it, or --btf FILE)",
				  error__text(err));
	}
	if (!find_struct(k->btf, "mem_cgroup")) {
		kernel__close(k);
		return error__set(e, STATUS_CANNOT,
				  "this kernel has no memory control groups: there is no struct "
				  "mem_cgroup in its BTF; it was built without CONFIG_MEMCG=y");
	}
	read_design(k);
	read_preempt_count(k);
	k->sk_memcg_flags = has_enumerator(k->btf, "SK_MEMCG_EXCLUSIVE");
	return 0;
}

void kernel__close(struct kernel *k)
{
	btf__free(k->btf);
	k->btf = NULL;
}

int kernel__function(const struct kernel *k, const char *name, int *nargs)
{
	int id = btf__find_by_name_kind(k->btf, name, BTF_KIND_FUNC);

	if (id > 0 && nargs)
		*nargs = btf_vlen(btf__type_by_id(k->btf, btf__type_by_id(k->btf, id)->type));
	return id;
}

int kernel__tracepoint(const struct kernel *k, const char *name)
{
	char typedef_name[128];

	snprintf(typedef_name, sizeof(typedef_name), "btf_trace_%s", name);
	return btf__find_by_name_kind(k->btf, typedef_name, BTF_KIND_TYPEDEF);
}

/* "Serving a softirq": include/linux/preempt.h; PREEMPT_RT keeps it in the task. */
#define SOFTIRQ_OFFSET 0x100

uint32_t kernel__irq_mask(const struct kernel *k)
{
	return k->hardirq_mask | k->nmi_mask | (k->softirq_in_task ? 0 : SOFTIRQ_OFFSET);
}
