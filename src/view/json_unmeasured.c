// SPDX-License-Identifier: GPL-2.0-only
/* A null and an empty list need a reason: here are those that hold for the whole run. */
#include <math.h>
#include <stdio.h>

#include "view/json.h"

static void why(struct writer *w, const char *key, const struct unmeasured *u)
{
	json__key(w, key);
	json__open(w, '{');
	json__put_string(w, "state", u->applicable ? "not_measurable" : "not_applicable");
	json__put_string(w, "reason", reason__name(u->reason));
	json__put_string(w, "text", u->text);
	json__close(w, '}');
}

static const struct unmeasured no_events = {
	.reason = REASON_NO_EVENTS,
	.applicable = true,
	.text = "nothing happened in this window that the ratio could be taken of",
};

static const struct unmeasured not_calibrated = {
	.reason = REASON_NOT_ASKED,
	.applicable = true,
	.text = "what an event costs was not calibrated in this run",
};

static const struct unmeasured not_verified = {
	.reason = REASON_NOT_ASKED,
	.applicable = true,
	.text = "charges were not checked against the slots: add --verify",
};

static struct unmeasured absent(const char *text)
{
	return (struct unmeasured){REASON_ABSENT, true, text};
}

static struct unmeasured not_asked(const char *text)
{
	return (struct unmeasured){REASON_NOT_ASKED, true, text};
}

/* A key of a field or, with a dot, of one part of it. */
static void why_field(struct writer *w, const struct field *f, const struct part *part,
		      const struct unmeasured *u)
{
	char key[80];

	snprintf(key, sizeof(key), "%s%s%s", f->key, part ? "." : "", part ? part->name : "");
	why(w, key, u);
}

static bool known_in(const struct field *f, const struct scope *s)
{
	uint64_t value;

	return f->in & s->in && f->gauge(s, &value);
}

static bool known_anywhere(const struct field *f, const struct model *m)
{
	bool known = known_in(f, &m->total);

	for (size_t i = 0; i < m->ncpus && !known; i++)
		known = known_in(f, &m->cpus[i].scope);
	for (size_t i = 0; i < m->nrows && !known; i++)
		known = known_in(f, &m->rows[i].scope);
	return known;
}

static void unmeasured_field(struct writer *w, const struct field *f, const struct model *m)
{
	struct unmeasured u = field__unmeasured(f, NULL, m);

	if (u.reason != REASON_NONE) {
		why_field(w, f, NULL, &u);
		return;
	}
	if (f->ratio && f->in & IN_TOTAL && !isfinite(f->ratio(&m->total))) {
		why_field(w, f, NULL, &no_events);
		return;
	}
	if (f->gauge && !known_anywhere(f, m)) {
		u = absent("it could not be read of any cgroup or CPU");
		why_field(w, f, NULL, &u);
		return;
	}
	for (const struct part *part = f->parts; part && part->name; part++) {
		u = field__unmeasured(f, part, m);
		if (u.reason != REASON_NONE)
			why_field(w, f, part, &u);
	}
}

static struct unmeasured why_no(const char *key, const struct model *m)
{
	return field__unmeasured(field__find(key), NULL, m);
}

bool json__stocks_seen(const struct model *m)
{
	for (size_t i = 0; i < m->end->ncpus; i++)
		if (m->end->cpus[i].stock_seen)
			return true;
	return false;
}

static struct unmeasured why_no_stocks(const struct model *m)
{
	struct unmeasured u = why_no("slots_used", m);

	return u.reason != REASON_NONE ? u : absent("nobody looked into the stocks");
}

/* Holds are known exactly where waits are looked for, whether or not anybody waited. */
static struct unmeasured why_no_exact(const struct model *m)
{
	struct unmeasured u = why_no("lock_wait_ns", m);

	return u.reason != REASON_NONE && u.reason != REASON_NO_EVENTS ? u : no_events;
}

struct unmeasured json__why_no_busy(const struct model *m)
{
	struct unmeasured u = why_no("drain_all_calls", m);

	if (u.reason == REASON_DESIGN)
		return u;
	if (!m->end->asked.drains)
		return not_asked("drains that find another one running are not counted: "
				 "add --drains");
	u.reason = REASON_NONE;
	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probes[i];

		if (p->probe->prog == PROG_DRAIN_BUSY)
			u = (struct unmeasured){p->reason, true, p->text};
	}
	return u;
}

/* An eviction without a pair: who wrote the sample did not keep them. */
static struct unmeasured why_no_pairs(const struct model *m)
{
	struct unmeasured u = why_no("evictions", m);

	if (u.reason == REASON_NONE && !m->npairs && !m->quality.dropped[LOSS_PAIR_FULL] &&
	    m->total.c[C_EVICTIONS])
		return absent("this sample does not tell who evicted whom");
	return u;
}

static struct unmeasured why_no_callers(const struct model *m)
{
	struct unmeasured u = why_no("drain_all_calls", m);

	if (u.reason == REASON_NONE && !m->ndrains && m->total.c[C_DRAIN_ALL_CALLS])
		return absent("this sample does not tell who called for the drains");
	return u;
}

static void why_if(struct writer *w, const char *key, struct unmeasured u)
{
	if (u.reason != REASON_NONE)
		why(w, key, &u);
}

/* What is no field, and null or empty. */
static void unmeasured_lists(struct writer *w, const struct model *m)
{
	if (!json__stocks_seen(m)) {
		why_if(w, "cpus.slots", why_no_stocks(m));
		why_if(w, "quality.stock_breaches", why_no_stocks(m));
	}
	if (!m->quality.hold_checked)
		why_if(w, "quality.hold_check", why_no_exact(m));
	why_if(w, "eviction_pairs", why_no_pairs(m));
	why_if(w, "drain_callers", why_no_callers(m));
	why_if(w, "drain_all_busy", json__why_no_busy(m));
	if (!m->times.taken) {
		why_if(w, "sampling", why_no("walk_ns", m));
		why_if(w, "functions", why_no("walk_ns", m));
	}
	if (why_no("lock_hold_ns", m).reason == REASON_NONE) {
		why_if(w, "lock_hold_ns.lower", why_no("walks_under_lock", m));
		if (!m->times.hold.exact.total)
			why_if(w, "lock_hold_ns.exact", why_no_exact(m));
	}
	if (!m->window->nintervals)
		why_if(w, "timeline", absent("the window was not cut into intervals"));
}

/* Every null that the whole run has, the header's ratios included. */
void json__unmeasured(struct writer *w, const struct model *m)
{
	json__key(w, "unmeasured");
	json__open(w, '{');
	if (!isfinite(m->overhead_ratio))
		why(w, "overhead", m->end->event_cost_ps ? &no_events : &not_calibrated);
	if (!m->quality.worst)
		why(w, "quality.missed_ratio", &no_events);
	if (!m->quality.checked)
		why(w, "quality.agreement", m->end->verify ? &no_events : &not_verified);
	for (size_t i = 0; i < nfields; i++)
		unmeasured_field(w, &fields[i], m);
	unmeasured_lists(w, m);
	json__close(w, '}');
}
