// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "probe/log.h"

static bool say;
static char failed[64];

/*
 * Which program a failed load of an object failed for is in libbpf's words
 * alone (libbpf 1.1: "prog 'NAME': failed to load: ERRNO").
 */
static int listen(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char line[256];
	va_list copy;

	if (level == LIBBPF_WARN) {
		va_copy(copy, ap);
		vsnprintf(line, sizeof(line), fmt, copy);
		va_end(copy);
		if (strstr(line, "': failed to load"))
			sscanf(line, "libbpf: prog '%63[^']", failed);
	}
	return say ? vfprintf(stderr, fmt, ap) : 0;
}

void log__listen(bool verbose)
{
	say = verbose;
	libbpf_set_print(listen);
}

void log__failed_program(char name[64])
{
	memcpy(name, failed, sizeof(failed));
	failed[0] = '\0';
}
