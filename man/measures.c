// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the measures as an mdoc list, for the @MEASURES@ line of memcgtop.1.in:
 * the manual's list and the field table cannot differ. Linked with
 * src/model/fields*.c; runs at build time.
 */
#include <stdio.h>
#include <string.h>

#include "model/fields.h"
#include "sample/store.h"

static void text(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\')
			fputs("\\e", stdout);
		else
			putchar(*s);
	}
}

/* Roff takes a line that begins with a dot or an apostrophe for a request. */
static void line(const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	text(s);
	puts(".");
}

static void parts(const struct field *f)
{
	if (!f->parts)
		return;
	fputs("Its parts are", stdout);
	for (const struct part *p = f->parts; p->name; p++)
		printf("%s\n.Cm %s", p == f->parts ? "" : " ,", p->name);
	puts(" .");
}

static void kind(const struct field *f)
{
	static const char *const units[] = {
		[UNIT_COUNT] = "A count", [UNIT_PAGES] = "Pages",    [UNIT_RATIO] = "A ratio",
		[UNIT_CPUS] = "CPUs",	  [UNIT_NS] = "Nanoseconds", [UNIT_BYTES] = "Bytes",
	};
	static const char *const attribution[] = {
		[ATTR_BY] = "by the cgroup that acts",
		[ATTR_OF] = "of the cgroup whose pages move",
		[ATTR_SUBTREE] = "of the cgroup and its descendants",
	};

	static const char *const scopes[] = {
		[IN_TOTAL] = "the total only",
		[IN_CPU] = "CPUs only",
		[IN_CGROUP] = "cgroups only",
		[IN_TOTAL | IN_CPU] = "the total and CPUs",
		[IN_TOTAL | IN_CGROUP] = "the total and cgroups",
		[IN_CPU | IN_CGROUP] = "CPUs and cgroups",
		[IN_ALL] = "the total, CPUs and cgroups",
	};

	printf("%s %s; for %s.\n", f->spans ? "A histogram of ns" : units[f->unit],
	       attribution[f->attr], scopes[f->in]);
}

static void list_hooks(const char *lead, uint64_t needs)
{
	const char *gap = "";

	if (!needs)
		return;
	fputs(lead, stdout);
	for (int i = 0; i < PROG_NR; i++)
		if (needs & 1ull << i) {
			printf("%s%s", gap, prog_names[i]);
			gap = ", ";
		}
	puts(".");
}

int main(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < nfields; i++) {
		const struct field *f = &fields[i];
		uint64_t needs = f->needs;

		printf(".It Cm %s\n", f->key);
		line(f->help);
		parts(f);
		kind(f);
		for (const struct part *p = f->parts; p && p->name; p++)
			needs |= p->needs;
		list_hooks("Hooks: ", needs);
		list_hooks("Without consume also: ", f->needs_unseen);
	}
	puts(".El");
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
