// SPDX-License-Identifier: GPL-2.0-only
#include "view/hooks.h"
#include "view/json.h"

void json__host(struct writer *w, const struct host *h)
{
	json__key(w, "host");
	json__open(w, '{');
	json__put_string(w, "hostname", h->hostname);
	json__put_string(w, "kernel", h->kernel);
	json__put_string(w, "arch", h->arch);
	json__put_bool(w, "emulated", h->emulated);
	json__put_u64(w, "page_size", h->page_size);
	json__put_string(w, "preempt", h->preempt);
	json__put_bool(w, "preempt_rt", h->preempt_rt);
	json__put_u64(w, "cpus_possible", h->cpus_possible);
	json__put_u64(w, "cpus_online", h->cpus_online);
	json__put_string(w, "cgroup", cgroup_mode__name(h->cgroup));
	json__put_string(w, "cgroup_root", h->cgroup_root);
	json__put_bool(w, "socket_accounting", h->socket_accounting);
	json__put_bool(w, "kmem_accounting", h->kmem_accounting);
	json__put_bool(w, "contexts_measured", h->contexts_measured);
	json__close(w, '}');
}

static const char *lock_name(enum lock_source lock)
{
	return lock == LOCK_BYTE ? "byte" : lock == LOCK_OWNER ? "owner" : "not_seen";
}

void json__stock(struct writer *w, const struct model *m)
{
	const struct stock *s = &m->end->stock;

	json__key(w, "stock");
	json__open(w, '{');
	json__put_string(w, "design", design__name(s->design));
	json__put_u64(w, "slots", s->slots);
	json__put_u64(w, "batch", s->batch);
	json__put_string(w, "batch_source", s->batch_observed ? "observed" : "assumed");
	/* With one slot there is nothing to choose. */
	json__put_string(w, "victims",
			 s->slots < 2	  ? NULL
			 : s->round_robin ? "round_robin"
					  : "random");
	json__put_string(w, "lock_source", lock_name(s->lock));
	json__put_string(w, "overflow", m->overflow);
	json__put_string(w, "walks", m->walks);
	json__close(w, '}');
}

static void loses(struct writer *w, const struct model *m, const struct model_probe *mp)
{
	struct loss_key keys[LOSS_KEYS];
	size_t n = hook__loses(m, mp, keys, LOSS_KEYS);
	char name[80];

	json__key(w, "loses");
	json__open(w, '[');
	for (size_t i = 0; i < n; i++)
		json__string(w, loss_key__name(&keys[i], name, sizeof(name)));
	json__close(w, ']');
}

static void probe(struct writer *w, const struct model *m, const struct model_probe *mp, bool ran)
{
	const struct probe *p = mp->probe;
	/* What was not attached did not run 0 times: nobody looked. */
	bool counted = ran && p->state == PROBE_ATTACHED;

	json__open(w, '{');
	json__put_string(w, "hook", p->hook);
	json__put_string(w, "function", *p->function ? p->function : NULL);
	json__put_string(w, "at", p->at);
	json__put_string(w, "method", *p->method ? p->method : NULL);
	json__put_string(w, "state", !ran && hook__works(p) ? "attachable" : probe_state__name(p));
	json__key(w, "recorded");
	if (counted)
		json__u64(w, mp->recorded);
	else
		json__null(w);
	json__key(w, "missed");
	if (counted)
		json__u64(w, mp->missed);
	else
		json__null(w);
	json__put_string(w, "reason", mp->reason ? reason__name(mp->reason) : NULL);
	loses(w, m, mp);
	json__close(w, '}');
}

void json__probes(struct writer *w, const struct model *m, bool ran)
{
	json__key(w, "probes");
	json__open(w, '[');
	for (size_t i = 0; i < m->nprobes; i++)
		probe(w, m, &m->probes[i], ran);
	json__close(w, ']');
}
