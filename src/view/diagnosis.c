// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "view/doctor.h"
#include "view/hooks.h"

const char *check_state__name(enum check_state s)
{
	return s == CHECK_OK ? "ok" : s == CHECK_WARN ? "warn" : "fail";
}

static void add(struct doctor *d, const char *name, enum check_state state, const char *text,
		const char *hint)
{
	if (d->nchecks < CHECKS_MAX)
		d->checks[d->nchecks++] = (struct check){name, state, text, hint};
}

static void check_controller(struct doctor *d)
{
	switch (d->sample.host.cgroup) {
	case CGROUP_V2:
		add(d, "controller", CHECK_OK, "the memory controller is on cgroup v2", NULL);
		break;
	case CGROUP_V1:
	case CGROUP_HYBRID:
		add(d, "controller", CHECK_WARN,
		    "the memory controller is on cgroup v1: sockets are charged past the stock",
		    "boot with systemd.unified_cgroup_hierarchy=1, or cgroup_no_v1=memory");
		break;
	case CGROUP_NONE:
		add(d, "controller", CHECK_FAIL, "no memory controller is mounted",
		    "mount -t cgroup2 none /sys/fs/cgroup, or name it with --cgroup-root");
		break;
	}
}

static void check_accounting(struct doctor *d)
{
	const struct host *h = &d->sample.host;

	if (h->socket_accounting)
		add(d, "sockets", CHECK_OK, "sockets are accounted", NULL);
	else
		add(d, "sockets", CHECK_WARN, "sockets are not accounted: cgroup.memory=nosocket",
		    "boot without it to measure sockets");
	if (!h->kmem_accounting)
		add(d, "kmem", CHECK_WARN, "kernel memory is not accounted: cgroup.memory=nokmem",
		    "boot without it to measure kernel objects");
}

static void check_stock(struct doctor *d)
{
	const struct stock *s = &d->sample.stock;

	if (s->design == DESIGN_UNKNOWN)
		add(d, "design", CHECK_WARN, "the layout of this kernel's stock is not known",
		    "counts and misses are measured, what concerns slots is not");
	else
		add(d, "design", CHECK_OK, design__name(s->design), NULL);
	if (s->design == DESIGN_PER_COUNTER)
		add(d, "lock", CHECK_OK, "this design has no lock", NULL);
	else if (s->lock == LOCK_BYTE)
		add(d, "lock", CHECK_OK, "seen by the byte of the local lock", NULL);
	else if (s->lock == LOCK_OWNER)
		add(d, "lock", CHECK_OK, "seen by the owner of the rt_mutex", NULL);
	else
		add(d, "lock", CHECK_WARN, "not seen: walks_under_lock has no value",
		    "this kernel turns interrupts off instead; a stock walk is always under the "
		    "lock there");
}

static const struct check *any_failed(const struct doctor *d)
{
	for (size_t i = 0; i < d->nchecks; i++)
		if (d->checks[i].state == CHECK_FAIL)
			return &d->checks[i];
	return NULL;
}

/* Misses are what the tool is for: with them it is worth starting. */
static void judge(struct doctor *d)
{
	const struct field *misses = field__find("misses");
	const struct probe *consume = hook__find(&d->sample, PROG_CONSUME);
	bool hits_seen = consume && consume->state == PROBE_ATTACHED;
	struct unmeasured u;

	/* The model believes consume_stock when it has run; here nothing has. */
	d->model.total.hits_seen = hits_seen;
	u = field__find_unmeasured(misses, NULL, &d->model);
	d->measurable = false;
	if (any_failed(d)) {
		d->why = any_failed(d)->text;
		return;
	}
	d->reason = u.reason;
	if (u.reason != REASON_NONE) {
		/* A probe's text lives in the model, and so as long as this. */
		d->why = u.text;
		return;
	}
	d->measurable = true;
	d->why = hits_seen ? "told by consume_stock" : "told by the walks of charges";
}

int doctor__init(struct doctor *d, const struct diagnosis *from)
{
	int err;

	memset(d, 0, sizeof(*d));
	d->sample = *from->sample;
	for (size_t i = 0; i < d->sample.nprobes; i++)
		if (d->sample.probes[i].state == PROBE_ATTACHABLE)
			d->sample.probes[i].state = PROBE_ATTACHED;
	d->window.end = &d->sample;
	err = model__init(&d->model, &d->window);
	if (err)
		return err;
	for (size_t i = 0; i < from->nchecks; i++) {
		const struct check *c = &from->checks[i];

		add(d, c->name, c->state, c->text, c->hint);
	}
	/* After a failure the sample says only what was found out until then. */
	if (!any_failed(d)) {
		check_controller(d);
		check_accounting(d);
		check_stock(d);
	}
	judge(d);
	return 0;
}

void doctor__release(struct doctor *d)
{
	model__release(&d->model);
}

int view__doctor_measurable(const struct diagnosis *from)
{
	struct doctor d;
	int err = doctor__init(&d, from), measurable;

	if (err)
		return err;
	measurable = d.measurable;
	doctor__release(&d);
	return measurable;
}
