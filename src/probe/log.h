/* SPDX-License-Identifier: GPL-2.0-only */
/* libbpf's own words: shown with -v only, and listened to. */
#ifndef MEMCGTOP_LOG_H
#define MEMCGTOP_LOG_H

#include <stdbool.h>

void log__listen(bool verbose);

/* The program that libbpf last said the kernel did not take; empty if none. Cleared by reading. */
void log__failed_program(char name[64]);

#endif
