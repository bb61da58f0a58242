/* SPDX-License-Identifier: GPL-2.0-only */
/* What a gate found: for people, for machines, and for those who run it. */
#ifndef MEMCGTOP_VIEW_GATE_H
#define MEMCGTOP_VIEW_GATE_H

#include <stdio.h>

#include "gate/gate.h"

#define GATE_SENTENCE 768

struct gate_opts {
	bool ascii;	   /* no byte above 0x7f */
	bool annotate;	   /* GitHub's workflow commands beside the text */
	char *const *argv; /* of this memcgtop */
	int status;	   /* that it will exit with */
};

/* One line a condition, and "gate: failed, 1 of 3 conditions". 0 or a negative errno, as all of these. */
int view__gate_text(FILE *f, const struct gate *g, const struct gate_opts *o);

/* One document, "memcgtop-gate/1". */
int view__gate_json(FILE *f, const struct gate *g, const struct gate_opts *o);

/* TAP 13. Who cannot tell is "not ok": it has not passed. */
int view__gate_tap(FILE *f, const struct gate *g, const struct gate_opts *o);

/* JUnit as Surefire and Jenkins have it: a limit that was crossed is a failure, who cannot tell an error. */
int view__gate_junit(FILE *f, const struct gate *g, const struct gate_opts *o);

/* ::error and ::warning, a line each condition that has not passed. */
int view__gate_annotations(FILE *f, const struct gate *g, const struct gate_opts *o);

/*
 * What there is to say of a condition behind its text: "34.7 % at /web1, limit
 * 2 %; 3 of 5 runs over: 1.2 % to 40.1 %", or why nobody can tell. Names are as
 * text_display() shows them. Returns buf.
 */
const char *gate__sentence(char buf[GATE_SENTENCE], const struct judged *j, const struct gate *g,
			   bool ascii);

/* "failed, 1 of 3 conditions; 1 cannot be told" */
const char *gate__summary(char *buf, size_t n, const struct gate *g);

#endif
