// SPDX-License-Identifier: GPL-2.0-only
/* Mode reserve: a known number of socket charges of a known size, and their cost. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "workload.h"

#define BENCH_ROUNDS 25

struct reserve {
	struct run *run;
	int *fd; /* nr_cg x sockets, those of a cgroup side by side */
	int nr_cg;
	int sockets;
	long long bytes;
	bool across;
	uint64_t charges;
	uint64_t uncharges;
};

/* From cgroup to cgroup and home only then: each move costs an RCU grace period. */
static int make_sockets(struct reserve *r)
{
	int err, nr = 0;

	r->fd = calloc((size_t)r->nr_cg * r->sockets, sizeof(int));
	if (!r->fd)
		return fail(EXIT_RUN, "no memory for %d x %d sockets", r->nr_cg, r->sockets);
	for (int i = 0; i < r->nr_cg; i++) {
		err = cgroups__enter(r->run, i);
		if (err)
			return err;
		for (int k = 0; k < r->sockets; k++) {
			r->fd[nr] = sockets__tcp();
			if (r->fd[nr++] < 0)
				return EXIT_RUN;
		}
	}
	return cgroups__leave(r->run);
}

static int set_all(struct reserve *r, int first, int nr, long long bytes, uint64_t *counter)
{
	int err;

	for (int i = first; i < first + nr; i++) {
		err = sockets__reserve(r->fd[i], bytes);
		if (err)
			return sockets__reserve_failed(err);
		++*counter;
	}
	return 0;
}

static int one_loop(struct reserve *r)
{
	int step = r->across ? r->nr_cg * r->sockets : r->sockets;
	int err = 0;

	for (int first = 0; first < r->nr_cg * r->sockets && !err; first += step) {
		err = set_all(r, first, step, r->bytes, &r->charges);
		if (!err)
			err = set_all(r, first, step, 0, &r->uncharges);
	}
	return err;
}

/* --charged: up, and not down again. */
static int charge_once(struct reserve *r)
{
	return set_all(r, 0, r->nr_cg * r->sockets, r->bytes, &r->charges);
}

static uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	return 0;
#endif
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void print_bench(uint64_t *ns, uint64_t *tsc, double pairs)
{
	qsort(ns, BENCH_ROUNDS, sizeof(*ns), by_value);
	qsort(tsc, BENCH_ROUNDS, sizeof(*tsc), by_value);
	json__int("rounds", BENCH_ROUNDS);
	json__int("pairs_per_round", (unsigned long long)pairs);
	json__real("ns_per_pair_min", ns[0] / pairs, 2);
	json__real("ns_per_pair_median", ns[BENCH_ROUNDS / 2] / pairs, 2);
	if (!tsc[0])
		return;
	json__real("tsc_per_pair_min", tsc[0] / pairs, 2);
	json__real("tsc_per_pair_median", tsc[BENCH_ROUNDS / 2] / pairs, 2);
}

/*
 * Short rounds, the least of them: a timer or a work item that falls into some
 * rounds does not count. The clock is read outside of the loops only.
 */
static int bench(struct reserve *r, uint64_t *ns, uint64_t *tsc, uint64_t *loops)
{
	long long count = count_of(r->run);
	int err;

	for (int i = 0; i < BENCH_ROUNDS; i++) {
		uint64_t start_ns = now_ns(), start_tsc = ticks();

		for (long long l = 0; l < count; l++) {
			if (stopped(r->run))
				return 0;
			err = one_loop(r);
			if (err)
				return err;
			++*loops;
		}
		tsc[i] = ticks() - start_tsc;
		ns[i] = now_ns() - start_ns;
	}
	return 0;
}

static int load(struct reserve *r, struct loop *loop)
{
	int err;

	for (loop__start(loop, r->run); loop__more(loop); loop->done++) {
		err = one_loop(r);
		if (err)
			return err;
	}
	return 0;
}

static void report(struct reserve *r, uint64_t loops, uint64_t ns)
{
	unsigned long long pages = r->bytes / r->run->page_size;

	json__int("loops", loops);
	json__int("sockets", r->sockets);
	json__int("pages", pages);
	json__string("pattern", r->across ? "across" : "pair");
	json__int("charges", r->charges);
	json__int("charge_pages", r->charges * pages);
	json__int("uncharges", r->uncharges);
	json__int("uncharge_pages", r->uncharges * pages);
	json__int("warm_charges", (unsigned long long)r->run->cfg->warm * r->nr_cg * r->sockets);
	json__real("seconds", ns / 1e9, 6);
}

int run_reserve(struct run *run)
{
	struct reserve r = {
		.run = run,
		.nr_cg = run->nr_cg,
		.sockets = run->cfg->sockets ? (int)run->cfg->sockets : 1,
		.bytes = pages_of(run) * run->page_size,
		.across = run->cfg->pattern && !strcmp(run->cfg->pattern, "across"),
	};
	uint64_t ns[BENCH_ROUNDS] = {}, tsc[BENCH_ROUNDS] = {}, start, loops = 0;
	struct loop loop = {};
	int err;

	if (r.bytes > INT32_MAX || (long long)r.sockets * r.nr_cg > INT32_MAX)
		return fail(
			EXIT_USAGE,
			"SO_RESERVE_MEM holds at most 2147483647 bytes: give a smaller --pages");
	err = make_sockets(&r);
	for (long long w = 0; w < run->cfg->warm && !err && !stopped(run); w++)
		err = one_loop(&r);
	if (err)
		return err;
	gate__before(run);
	r.charges = r.uncharges = 0;
	start = now_ns();
	if (run->cfg->charged)
		err = charge_once(&r);
	else
		err = run->cfg->bench ? bench(&r, ns, tsc, &loops) : load(&r, &loop);
	start = now_ns() - start;
	if (err)
		return err;
	json__open(run);
	report(&r, run->cfg->bench ? loops : loop.done, start);
	if (run->cfg->bench && !stopped(run))
		print_bench(ns, tsc, (double)count_of(run) * r.nr_cg * r.sockets);
	json__close(run);
	gate__after(run);
	return 0;
}
