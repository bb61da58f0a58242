/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_CALIBRATE_H
#define MEMCGTOP_CALIBRATE_H

#include "probe/kernel.h"

/*
 * Measures where the hardirq and NMI bits of the preempt count are, by a
 * program that runs in an interrupt on another CPU, and what a usual event of
 * ours costs, trampoline included, by a program on what getppid() calls. What cannot be
 * measured is left at a default and said so in k (masks_measured, 0 ps).
 */
void kernel__calibrate(struct kernel *k);

#endif
