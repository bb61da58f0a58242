// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rewrites a kernel's BTF as if its stock had a layout that was proposed and is
 * in no kernel of the lab: for memcgtop --btf. The programs are then relocated
 * for that layout and verified by the real kernel.
 *
 *	edit-btf sock FILE		multi-slot+sock: nr_sock[] beside 6 slots
 *	edit-btf per-counter FILE	no memcg_stock_pcp, page_counter.stock
 *	edit-btf moved FILE		a field that we need has another name
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

static struct btf *btf;

static int struct_id(const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);

	if (id < 0) {
		fprintf(stderr, "edit-btf: no struct %s\n", name);
		exit(1);
	}
	return id;
}

/* Adding a string moves the types, so it comes first. */
static unsigned int string(const char *s)
{
	return (unsigned int)btf__add_str(btf, s);
}

static struct btf_member *member(int id, const char *name)
{
	struct btf_type *t = (struct btf_type *)btf__type_by_id(btf, (unsigned int)id);
	struct btf_member *m = btf_members(t);
	int i;

	for (i = 0; i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, m[i].name_off), name))
			return &m[i];
	fprintf(stderr, "edit-btf: no member %s\n", name);
	exit(1);
}

static void rename_member(const char *type, const char *from, const char *to)
{
	unsigned int name = string(to);

	member(struct_id(type), from)->name_off = name;
}

static void rename_struct(const char *from, const char *to)
{
	unsigned int name = string(to);

	((struct btf_type *)btf__type_by_id(btf, (unsigned int)struct_id(from)))->name_off = name;
}

/* The first six slots are where they were; the seventh is left alone. */
static void six_slots(void)
{
	unsigned int type = member(struct_id("memcg_stock_pcp"), "cached")->type;

	btf_array((struct btf_type *)btf__type_by_id(btf, type))->nelems = 6;
}

/* The programs ask for an array of bytes: a member of that name alone would not do. */
static void flags_as_nr_sock(void)
{
	unsigned int cached = member(struct_id("memcg_stock_pcp"), "cached")->type;
	const struct btf_type *t = btf__type_by_id(btf, cached);
	int byte = btf__find_by_name_kind(btf, "unsigned char", BTF_KIND_INT);
	int array = byte < 0 ? byte : btf__add_array(btf, (int)btf_array(t)->index_type, byte, 6);

	if (array < 0) {
		fprintf(stderr, "edit-btf: no array of bytes\n");
		exit(1);
	}
	member(struct_id("memcg_stock_pcp"), "flags")->type = (unsigned int)array;
	rename_member("memcg_stock_pcp", "flags", "nr_sock");
}

int main(int argc, char **argv)
{
	const void *raw;
	unsigned int size;

	if (argc != 3)
		return 2;
	btf = btf__parse(argv[2], NULL);
	if (!btf)
		return 1;
	if (!strcmp(argv[1], "sock")) {
		flags_as_nr_sock();
		six_slots();
	} else if (!strcmp(argv[1], "per-counter")) {
		rename_struct("memcg_stock_pcp", "no_memcg_stock_pcp");
		rename_member("page_counter", "failcnt", "stock");
	} else if (!strcmp(argv[1], "moved")) {
		rename_member("uncharge_gather", "nr_memory", "nr_memory_pages");
	} else {
		return 2;
	}
	raw = btf__raw_data(btf, &size);
	return !raw || fwrite(raw, 1, size, stdout) != size;
}
