/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hook table: every place in the kernel that we look at, once, with its
 * alternatives by kernel. doctor, attaching and the probe section of every output
 * come from it; what is lost without a hook, the field table says.
 */
#ifndef MEMCGTOP_HOOKS_H
#define MEMCGTOP_HOOKS_H

#include "probe/kernel.h"

enum method { METHOD_FENTRY, METHOD_FEXIT, METHOD_TP_BTF, METHOD_KPROBE };

/* One kernel function, or tracepoint, that would do. */
struct alternative {
	const char *function;
	enum method method;
	int nargs;			      /* exactly; 0: any */
	const char *program;		      /* in bpf/memcgtop.bpf.c */
	bool (*fits)(const struct kernel *k); /* NULL: always */
};

#define ALTERNATIVES_MAX 4

struct choice;
struct hook_request;

/* What a hook's being wanted depends on. */
struct asking {
	const struct kernel *kernel;
	const struct hook_request *want;
	const struct choice *choices; /* made already, by prog_id */
};

struct hook {
	enum prog_id prog;
	const char *name;
	const char *at;				  /* entry, exit, event */
	struct alternative alt[ALTERNATIVES_MAX]; /* in order of preference */
	/* NULL, or: does this kernel have what the hook is for? */
	bool (*applies)(const struct kernel *k);
	/* NULL, or: is it asked for, or made necessary by the choices before it? */
	bool (*asked)(const struct asking *a);
	/* why a function that should be there is not in BTF */
	enum reason reason_if_absent;
};

/* By prog_id. */
extern const struct hook hooks[PROG_NR];

/* What is asked for, or to be left out. */
struct hook_request {
	bool no_stat;
	bool verify;
	struct asked asked;
};

/* The alternative that was found to work for a hook, or why there is none. */
struct choice {
	const struct alternative *alt; /* NULL: see state and reason */
	enum probe_state state;	       /* PROBE_ATTACHABLE with alt */
	enum reason reason;
	const char *function; /* the one that reason is about; NULL if none applies */
	int error;	      /* errno of a trial that failed, else 0 */
};

/*
 * Chooses for every hook by a trial attach of an empty program to each
 * alternative in turn: presence in BTF proves nothing (an inline function has
 * BTF and no fentry pad). 0, or -1 with the error set if tracing programs are
 * refused altogether.
 */
int hooks__choose(const struct kernel *k, const struct hook_request *want,
		  struct choice choices[PROG_NR], struct error *e);

/*
 * Attaches an empty program wherever one was chosen, to measure by: what the
 * hooks cost with nothing behind them. fds get what holds them, or -1.
 */
void hooks__attach_empty(const struct kernel *k, const struct choice choices[PROG_NR],
			 int fds[PROG_NR]);

/* Fills the sample's probes from the choices. */
void hooks__describe(const struct choice choices[PROG_NR], struct sample *s);

const char *method__name(enum method m);

#endif
