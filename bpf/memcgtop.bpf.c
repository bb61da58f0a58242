// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs, in the order in which a charge and then an uncharge meet them.
 *
 * A program counts its run before anything else, and adds only to counters that
 * no other program adds to. Where alternatives of a kernel function have one
 * signature they share a program, and user space sets its target
 * (src/probe/hooks.c).
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "memcgtop.h"
#include "compat.bpf.h"
#include "acts.bpf.h"
#include "rows.bpf.h"
#include "times.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/*
 * A charge that no outer hook announced is of this kind: KIND_OBJ where the obj
 * path has no page-level function to hook and is known by exclusion.
 */
const volatile __u32 unannounced_kind = KIND_OTHER;
const volatile bool verify;

/* Pages that a miss takes; user space writes here what it observed. */
__u32 batch = 64;

#include "pairs.bpf.h"
#include "drains.bpf.h"
#include "charge.bpf.h"
#include "uncharge.bpf.h"
#include "walk.bpf.h"
#include "lock.bpf.h"
#include "stat.bpf.h"
#include "pressure.bpf.h"
#include "stocks.bpf.h"
