/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEMCGTOP_MAIN_H
#define MEMCGTOP_MAIN_H

#include "options.h"

/* The verbs. Each returns the exit status; errors are told by error__set and main. */
int verb_top(const struct options *o, struct error *e);
int verb_gate(const struct options *o, struct error *e);
int verb_record(const struct options *o, struct error *e);
int verb_report(const struct options *o, struct error *e);
int verb_compare(const struct options *o, struct error *e);
int verb_doctor(const struct options *o, struct error *e);

#endif
