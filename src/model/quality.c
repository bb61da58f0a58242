// SPDX-License-Identifier: GPL-2.0-only
/*
 * The quality of a measurement. What was missed is counted, so it bounds the
 * error: a little makes the counts low by a known share, much makes them void.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields_count.h"
#include "model/fields_null.h"
#include "model/quality.h"

#define GOOD_MISSED 0.01
#define FAIR_MISSED 0.10
#define MAX_DIFFER  0.01 /* of the checked charges */
#define MAX_UNKNOWN 0.01 /* of the misses */

/*
 * A program that ran less often than this does not rule the grade, or one run
 * lost of three would make a day's measurement void.
 */
#define WORST_FLOOR 100

const char *grade__name(enum grade g)
{
	static const char *const names[] = {
		[GRADE_IDLE] = "idle",
		[GRADE_GOOD] = "good",
		[GRADE_FAIR] = "fair",
		[GRADE_UNTRUSTED] = "untrusted",
	};

	return names[g];
}

static int __attribute__((format(printf, 2, 3)))
give_reason(struct quality *q, const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	q->reasons[q->nreasons++] = text;
	return 0;
}

static void at_least(struct quality *q, enum grade g)
{
	if (q->grade < g)
		q->grade = g;
}

/* As doubles: a hostile file may hold sums beyond 64 bits. */
static double runs(const struct model_probe *p)
{
	return (double)p->recorded + (double)p->missed;
}

/*
 * Asked for beside the counts, on functions that the whole kernel calls all the
 * time: what they miss makes no count low, and hold_check tells what it does.
 */
static bool is_aside(const struct model_probe *p)
{
	const uint64_t aside = BIT(PROG_LOCK_TRY) | BIT(PROG_LOCK_WAIT) | BIT(PROG_LOCK_TAKEN) |
			       BIT(PROG_UNLOCK) | BIT(PROG_DRAIN_BUSY);

	return aside & BIT(p->probe->prog);
}

static void find_worst(struct model *m, double floor)
{
	struct quality *q = &m->quality;

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probes[i];
		double ratio;

		if (is_aside(p) || runs(p) < floor)
			continue;
		ratio = (double)p->missed / runs(p);
		if (q->worst && ratio <= q->missed_ratio)
			continue;
		q->worst = p->probe;
		q->worst_recorded = p->recorded;
		q->missed = p->missed;
		q->missed_ratio = ratio;
	}
}

/* Whether the reasons of misses are looked for at all. */
static bool reasons_are_known(const struct model *m)
{
	return field__unmeasured(field__find("miss_reasons"), NULL, m).reason == REASON_NONE;
}

static void find_agreement(struct model *m)
{
	struct quality *q = &m->quality;

	q->agreement = NAN;
	if (m->end->verify) {
		q->checked = m->total_c[C_CHECKED];
		q->differ = m->total_c[C_CHECK_DIFFER];
	} else if (reasons_are_known(m) && m->end->stock.design != DESIGN_PER_COUNTER) {
		/* Without slots to look at there is no second derivation. */
		q->checked = count_misses(&m->total);
		q->differ = m->total_c[C_MISS_RACED];
	}
	if (q->differ > q->checked)
		q->differ = q->checked;
	if (q->checked)
		q->agreement = (double)(q->checked - q->differ) / (double)q->checked;
}

static void find_breaches(struct model *m)
{
	const struct sample *start = m->window->start;
	struct quality *q = &m->quality;

	q->breaches = minus(m->end->breaches, start ? start->breaches : 0);
	q->hold_checked = m->total_c[C_HOLD_CHECKED];
	q->hold_differ = m->total_c[C_HOLD_DIFFER];
	if (q->hold_differ > q->hold_checked)
		q->hold_differ = q->hold_checked;
}

static uint64_t missed_of(const struct model *m, enum prog_id prog)
{
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probes[i].probe->prog == prog)
			return m->probes[i].missed;
	return 0;
}

static void find_losses(struct model *m)
{
	const struct sample *start = m->window->start;
	struct quality *q = &m->quality;

	for (int loss = 0; loss < LOSS_NR; loss++) {
		uint64_t before = 0;

		for (size_t i = 0; i < m->end->ncpus; i++)
			q->dropped[loss] += m->end->cpus[i].lost[loss];
		for (size_t i = 0; start && i < start->ncpus; i++)
			before += start->cpus[i].lost[loss];
		q->dropped[loss] = minus(q->dropped[loss], before);
	}
	/* A walk that was not seen makes a hit of a miss. */
	if (!m->total.hits_seen)
		q->lost_walks = missed_of(m, PROG_TRY_WALK) + missed_of(m, PROG_STOCK_CHARGE);
}

/* Nothing was charged, and not because the programs missed it. */
static bool idle(const struct model *m)
{
	return !count_charges(&m->total) && !count_sock_charges(&m->total) &&
	       !m->total_c[C_SOCK_UNCHARGES] && !missed_of(m, PROG_CHARGE) &&
	       !missed_of(m, PROG_SOCK_CHARGE) && !missed_of(m, PROG_SOCK_UNCHARGE);
}

static int judge_missed(struct quality *q)
{
	if (!q->worst || q->missed_ratio <= GOOD_MISSED)
		return 0;
	if (q->missed_ratio <= FAIR_MISSED) {
		at_least(q, GRADE_FAIR);
		return give_reason(q,
				   "the hook %s missed %.2f %% of its calls: "
				   "counts are low by up to that",
				   q->worst->hook, 100 * q->missed_ratio);
	}
	at_least(q, GRADE_UNTRUSTED);
	return give_reason(q, "the hook %s missed %.1f %% of its calls, more than 10 %%",
			   q->worst->hook, 100 * q->missed_ratio);
}

/* A share of few events says little: one that raced of twenty misses is no 5 %. */
#define SHARE_OF_AT_LEAST 1000

static bool exceeds(uint64_t n, uint64_t of, double limit)
{
	return (double)n / (double)(of > SHARE_OF_AT_LEAST ? of : SHARE_OF_AT_LEAST) > limit;
}

static int judge_agreement(struct quality *q)
{
	if (!exceeds(q->differ, q->checked, MAX_DIFFER))
		return 0;
	at_least(q, GRADE_UNTRUSTED);
	return give_reason(q,
			   "what the stock held and what was walked disagree for %" PRIu64
			   " of %" PRIu64 " checked charges, more than 1 %%",
			   q->differ, q->checked);
}

static int judge_holds(struct quality *q)
{
	if (!exceeds(q->hold_differ, q->hold_checked, MAX_DIFFER))
		return 0;
	at_least(q, GRADE_UNTRUSTED);
	return give_reason(q,
			   "%" PRIu64 " of %" PRIu64 " holds of the lock were not within their "
			   "bounds, more than 1 %%",
			   q->hold_differ, q->hold_checked);
}

static int judge_unknown(struct model *m)
{
	uint64_t misses = count_misses(&m->total), unknown = count_miss_unknown(&m->total);

	/* Where no reason can be known, none is missed. */
	if (!reasons_are_known(m) || !exceeds(unknown, misses, MAX_UNKNOWN))
		return 0;
	at_least(&m->quality, GRADE_UNTRUSTED);
	return give_reason(&m->quality,
			   "%" PRIu64 " of %" PRIu64 " misses have no known reason, more than 1 %%",
			   unknown, misses);
}

int quality__init(struct model *m)
{
	struct quality *q = &m->quality;
	int err;

	q->missed_ratio = NAN;
	find_worst(m, WORST_FLOOR);
	if (!q->worst)
		find_worst(m, 1);
	find_agreement(m);
	find_losses(m);
	find_breaches(m);

	q->grade = GRADE_IDLE;
	if (idle(m))
		return 0;
	q->grade = GRADE_GOOD;
	err = judge_missed(q);
	q->nmissed_reasons = q->nreasons;
	if (!err)
		err = judge_agreement(q);
	if (!err)
		err = judge_unknown(m);
	if (!err)
		err = judge_holds(q);
	return err;
}

void quality__release(struct quality *q)
{
	for (size_t i = 0; i < q->nreasons; i++)
		free(q->reasons[i]);
	q->nreasons = 0;
}
