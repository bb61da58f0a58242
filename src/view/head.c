// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/hooks.h"
#include "view/number.h"
#include "view/text.h"

#define GAP	  PAGE_GAP
#define NOT_PLAIN " \t\n\"'`$&|;<>()*?[]#~\\{}!"

/* Context switches a second from which a command's own count is worth a place. */
#define SWITCHES_WORTH_SAYING 1000

/* The command as one would type it, roughly: what a shell would split is quoted. */
static char *command_line(const struct command *c)
{
	char *line = NULL;
	size_t n;
	FILE *f = open_memstream(&line, &n);

	if (!f)
		return NULL;
	for (char **arg = c->argv; *arg; arg++) {
		bool quote = !**arg || strpbrk(*arg, NOT_PLAIN);

		fprintf(f, "%s%s%s%s", arg == c->argv ? "" : " ", quote ? "'" : "", *arg,
			quote ? "'" : "");
	}
	if (fclose(f)) {
		free(line);
		return NULL;
	}
	return line;
}

static void command_end(struct page *p, const struct model *m)
{
	const struct command *c = &m->window->command;

	if (c->signal)
		page__words(p, "ran (killed by signal" GAP "%d)", c->signal);
	else if (c->exit >= 0)
		page__words(p, "ran (exit" GAP "%d)", c->exit);
	else
		page__words(p, "was running");
}

static void title(struct page *p, const struct model *m)
{
	const struct window *w = m->window;
	const struct command *c = &w->command;
	char a[NUM_LEN], b[NUM_LEN];
	double switches = (double)(c->voluntary_switches + c->involuntary_switches);

	page__open(p, "", 0);
	page__words(p, "memcgtop %s report: %s" GAP "s", w->version ? w->version : "?",
		    num__fixed(a, m->seconds, 2));
	if (w->end_reason == END_INTERRUPTED)
		page__words(p, "(cut short)");
	p->indent = PAGE_INDENT;
	if (c->argv && c->argv[0]) {
		char *line = command_line(c);
		char *shown = line ? page__command(p, line, strlen(line), 2 * p->width) : NULL;

		page__words(p, "while `%s`", shown ? shown : c->argv[0]);
		command_end(p, m);
		free(shown);
		free(line);
	}
	if (c->argv && m->seconds > 0 && switches / m->seconds > SWITCHES_WORTH_SAYING)
		page__words(p,
			    "; with its children it switched %s" GAP "times" GAP "a" GAP
			    "second, %s" GAP "%% involuntarily",
			    num__fixed(a, switches / m->seconds, 0),
			    num__percent(b, (double)c->involuntary_switches / switches, 1));
	page__close(p);
}

static const char *preempt_words(const char *preempt)
{
	static const char *const words[][2] = {
		{"none", ", PREEMPT_NONE"}, {"voluntary", ", PREEMPT_VOLUNTARY"},
		{"full", ", PREEMPT"},	    {"lazy", ", PREEMPT_LAZY"},
		{"rt", ", PREEMPT_RT"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i][0], preempt))
			return words[i][1];
	return "";
}

void text__host(struct page *p, const struct host *h)
{
	static const char *const cgroup[] = {
		[CGROUP_V2] = "cgroup" GAP "v2",
		[CGROUP_V1] = "cgroup" GAP "v1",
		[CGROUP_HYBRID] = "cgroup" GAP "v1" GAP "and" GAP "v2",
		[CGROUP_NONE] = "no" GAP "memory" GAP "cgroup",
	};
	char of[NUM_LEN] = "", size[NUM_LEN];

	if (h->cpus_online != h->cpus_possible)
		snprintf(of, sizeof(of), " of" GAP "%u", h->cpus_possible);
	num__bytes(size, h->page_size);
	page__glue(size);
	page__para(p, "host", "%s, %s, %u%s" GAP "CPU%s, %s" GAP "pages%s, %s%s%s%s%s", h->kernel,
		   h->arch, h->cpus_online, of, h->cpus_possible == 1 ? "" : "s", size,
		   preempt_words(h->preempt_rt ? "rt" : h->preempt), cgroup[h->cgroup],
		   h->emulated ? ", emulated" GAP "CPU" : "",
		   h->socket_accounting ? "" : ", cgroup.memory=nosocket",
		   h->kmem_accounting ? "" : ", cgroup.memory=nokmem",
		   h->contexts_measured ? "" : ", context bits assumed");
}

void text__stock(struct page *p, const struct stock *s, const char *overflow, const char *walks)
{
	page__open(p, "stock", PAGE_INDENT);
	page__words(p, "%s:", design__name(s->design));
	if (s->slots)
		page__words(p, "%u" GAP "slot%s" GAP "a" GAP "CPU,", s->slots,
			    s->slots == 1 ? "" : "s");
	else if (s->design == DESIGN_PER_COUNTER)
		page__words(p, "no" GAP "slots,");
	page__words(p, "batch" GAP "%u" GAP "(%s)", s->batch,
		    s->batch_observed ? "observed" : "assumed");
	if (s->slots > 1)
		page__words(p, "; %s" GAP "victims", s->round_robin ? "round-robin" : "random");
	if (overflow)
		page__words(p, "; overflow %s the slot",
			    strcmp(overflow, "trimmed") ? "empties" : "trims");
	if (walks) {
		const char *where = !strcmp(walks, "under_lock")     ? "under the lock"
				    : !strcmp(walks, "outside_lock") ? "outside the lock"
								     : "partly under the lock";

		page__words(p, "%s %s", overflow ? "," : "; walks", where);
	}
	page__close(p);
}

void text__lost(struct page *p, const struct model *m)
{
	const char *lost = m->window->lost;
	char *shown = lost ? page__command(p, lost, strlen(lost), 4096) : NULL;

	if (shown)
		page__para(p, "lost", "%s", shown);
	free(shown);
}

/* As many as a reader takes in; doctor and the JSON have all. */
#define LOSSES_SHOWN 6

static void say_losses(struct page *p, const struct model *m, const struct model_probe *mp)
{
	struct loss_key keys[LOSS_KEYS];
	size_t n = hook__loses(m, mp, keys, LOSS_KEYS);
	const char *instead = hook__instead(m, mp->probe);
	char name[80];

	if (!n) {
		page__words(p, "%s%snothing is lost", instead ? instead : "", instead ? ", " : "");
		return;
	}
	for (size_t i = 0; i < n && i < LOSSES_SHOWN; i++)
		page__words(p, "%s%s", loss_key__name(&keys[i], name, sizeof(name)),
			    i + 1 < n ? "," : "");
	if (n > LOSSES_SHOWN)
		page__words(p, "and %zu more keys", n - LOSSES_SHOWN);
	page__words(p, n == 1 ? "is lost" : "are lost");
}

static void hook_lines(struct page *p, const struct model *m)
{
	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *mp = &m->probes[i];
		const char *what = mp->reason == REASON_SILENT	    ? "silent"
				   : mp->reason == REASON_NOT_ASKED ? "not attached"
								    : "not attachable";

		if (mp->reason == REASON_NONE)
			continue;
		page__open(p, "", PAGE_INDENT);
		page__words(p, "%s: %s (%s):", what,
			    *mp->probe->function ? mp->probe->function : mp->probe->hook,
			    hook__why(mp->reason));
		say_losses(p, m, mp);
		page__close(p);
	}
}

void text__probes(struct page *p, const struct model *m)
{
	const struct quality *q = &m->quality;
	bool seen = m->hit_source && strcmp(m->hit_source, "none");
	size_t works = 0, wanted = 0;
	char a[NUM_LEN], b[NUM_LEN];

	for (size_t i = 0; i < m->nprobes; i++) {
		works += hook__works(m->probes[i].probe) && !m->probes[i].reason;
		wanted += m->probes[i].probe->state != PROBE_NOT_NEEDED;
	}
	page__open(p, "probes", PAGE_INDENT);
	page__words(p, "%zu of %zu hooks;", works, wanted);
	if (seen)
		page__words(p, "misses seen by %s", m->hit_source);
	else
		page__words(p, "misses are not seen");
	if (seen && q->checked) {
		/* Rounding must not turn a difference into none. */
		double agreement = q->differ && q->agreement > 0.9999 ? 0.9999 : q->agreement;

		page__words(p, ", checked against the slots: %s" GAP "%% agree (%s)",
			    num__fixed(a, agreement * 100, 2), num__grouped(b, q->checked));
	}
	page__close(p);
}

void text__quality(struct page *p, const struct model *m)
{
	const struct quality *q = &m->quality;
	uint64_t dropped = q->dropped[LOSS_MAP_FULL] + q->dropped[LOSS_INSERT_FAILED];
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN];

	page__open(p, "quality", PAGE_INDENT);
	page__words(p, "%s:", grade__name(q->grade));
	for (size_t i = 0; i < q->nreasons; i++)
		page__words(p, "%s;", q->reasons[i]);
	if (q->worst)
		page__words(p, "worst hook missed %s" GAP "%% (%s of %s %s),",
			    num__percent(a, q->missed_ratio, 2), num__grouped(b, q->missed),
			    num__grouped(c, q->missed + q->worst_recorded), q->worst->function);
	else
		page__words(p, "no hook ran,");
	page__words(p, "%s" GAP "dropped, %s" GAP "unmatched", num__grouped(a, dropped),
		    num__grouped(b, q->dropped[LOSS_UNMATCHED]));
	if (q->dropped[LOSS_UNKNOWN_COUNTER])
		page__words(p, ", %s" GAP "of no known counter",
			    num__grouped(a, q->dropped[LOSS_UNKNOWN_COUNTER]));
	if (q->lost_walks)
		page__words(p, "; up to %s of the hits may be misses",
			    num__grouped(a, q->lost_walks));
	page__close(p);
}

void text__cost(struct page *p, const struct model *m)
{
	char a[NUM_LEN], b[NUM_LEN], c[NUM_LEN];

	num__si_text(a, m->events);
	page__glue(a);
	if (isnan(m->overhead_ratio))
		page__para(p, "cost", "%s events (what an event costs was not calibrated)", a);
	else
		page__para(p, "cost",
			   "%s events, %s" GAP "s = %s" GAP "%% of one CPU "
			   "(calibrated, trampoline included)",
			   a, num__fixed(b, m->overhead_ratio * m->seconds, 2),
			   num__percent(c, m->overhead_ratio, 1));
}

void text__head(struct page *p, const struct model *m)
{
	const struct sample *s = m->end;

	title(p, m);
	text__host(p, &s->host);
	text__stock(p, &s->stock, m->overflow, m->walks);
	text__probes(p, m);
	hook_lines(p, m);
	text__quality(p, m);
	text__lost(p, m);
	text__cost(p, m);
}
