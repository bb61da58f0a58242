// SPDX-License-Identifier: GPL-2.0-only
/* The lines above and below the tables: what is measured, how well, and how it is all in all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "text/utf8.h"
#include "tui/ui_parts.h"
#include "view/hooks.h"
#include "view/measure.h"
#include "view/text.h"

#define DATE_WIDTH    72   /* of a screen that has room for a date in its title */
#define VERDICT_WIDTH 2000 /* columns: the headline is on one line, the screen clips it */

const char *view__label(unsigned int view)
{
	static const char *const labels[VIEWS] = {"cgroups", "CPUs",  "evictions",
						  "drains",  "times", "probes"};

	return labels[__builtin_ctz(view)];
}

/* "2 s", "500 ms", "1.5 s" */
static const char *interval_text(char *buf, uint64_t ns)
{
	const double s = (double)ns / 1e9;

	if (s < 1) {
		num__fixed(buf, s * 1e3, 0);
		return strcat(buf, " ms");
	}
	num__fixed(buf, s, s == floor(s) ? 0 : 1);
	return strcat(buf, " s");
}

static void clock_text(char *buf, size_t size, int64_t wall_ms, bool date)
{
	const time_t t = (time_t)(wall_ms / 1000);
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(buf, size, date ? "%F %T" : "%T", &tm))
		snprintf(buf, size, "?");
}

/* What stands right in the title: when, and how often or where in the recording. */
static void title_right(const struct ui *u, char *buf, size_t size, int width)
{
	const struct sample *now = u->samples[SAMPLE_NOW];
	char clock[32] = "", interval[NUM_LEN], speed[NUM_LEN];

	if (now)
		clock_text(clock, sizeof(clock), now->wall_ms, u->o.replay && width >= DATE_WIDTH);
	if (!u->o.replay) {
		snprintf(buf, size, "%s%s  every %s ", u->paused ? "PAUSED  " : "", clock,
			 interval_text(interval, u->interval_ns));
		return;
	}
	snprintf(buf, size, "%s  interval %zu of %zu ", clock, u->position, u->positions);
	if (u->playing)
		snprintf(buf + strlen(buf), size - strlen(buf), " %sx ",
			 num__fixed(speed, u->speed, 0));
}

/* Adds a part where it still fits in front of what stands right. */
static bool add_part(char *buf, size_t size, int room, const char *part)
{
	if ((int)(text_width(buf) + text_width(part)) + 2 > room)
		return false;
	snprintf(buf + strlen(buf), size - strlen(buf), "  %s", part);
	return true;
}

void head__title(struct ui *u, struct screen *s, int y)
{
	const struct sample *now = u->samples[SAMPLE_NOW];
	const int width = screen__width(s);
	char right[128], left[512], cpus[64];
	int room;

	title_right(u, right, sizeof(right), width);
	room = width - (int)text_width(right);
	snprintf(left, sizeof(left), " memcgtop %s", MEMCGTOP_VERSION);
	if (now) {
		char *name = text_display(now->host.hostname, strlen(now->host.hostname),
					  name__flags(u));
		char kernel[160];

		snprintf(kernel, sizeof(kernel), "%s %s", now->host.kernel, now->host.arch);
		snprintf(cpus, sizeof(cpus), "%u CPU%s%s", now->host.cpus_online,
			 now->host.cpus_online == 1 ? "" : "s",
			 now->host.emulated ? " (emulated)" : "");
		add_part(left, sizeof(left), room, name ? name : "");
		add_part(left, sizeof(left), room, kernel);
		add_part(left, sizeof(left), room, cpus);
		free(name);
	}
	screen__put(s, y, 0, room - 1, STYLE_BOLD, left);
	screen__right(s, y, room > 0 ? room : 0, width - (room > 0 ? room : 0),
		      u->paused ? STYLE_BOLD | STYLE_REVERSE : STYLE_PLAIN, right);
}

static void cost_text(char *buf, size_t size, const struct model *m, bool of_all)
{
	const uint32_t cpus = m->end->host.cpus_online;
	char a[NUM_LEN], b[NUM_LEN];

	if (isnan(m->overhead_ratio))
		snprintf(buf, size, "cost not calibrated");
	else if (of_all && cpus > 1)
		snprintf(buf, size, "cost %s%% of 1 CPU (%s%% of %u)",
			 num__percent(a, m->overhead_ratio, 1),
			 num__percent(b, m->overhead_ratio / cpus, 2), cpus);
	else
		snprintf(buf, size, "cost %s%% of 1 CPU", num__percent(a, m->overhead_ratio, 1));
}

/* Hooks that are wanted and do not work, "" without one. */
static void hooks_text(char *buf, size_t size, const struct model *m)
{
	size_t works = 0, wanted = 0;

	for (size_t i = 0; i < m->nprobes; i++) {
		works += hook__works(m->probes[i].probe) && !m->probes[i].reason;
		wanted += m->probes[i].probe->state != PROBE_NOT_NEEDED;
	}
	*buf = '\0';
	if (works < wanted)
		snprintf(buf, size, "%zu of %zu hooks", works, wanted);
}

static unsigned int grade_style(enum grade g)
{
	return g == GRADE_UNTRUSTED ? STYLE_BAD : g == GRADE_FAIR ? STYLE_WARN : STYLE_GOOD;
}

void head__stock(struct ui *u, struct screen *s, int y)
{
	const struct model *m = &u->seen.model;
	const struct stock *stock = &m->end->stock;
	const struct quality *q = &m->quality;
	char part[160], line[512];
	int width = screen__width(s);

	if (stock->slots)
		snprintf(line, sizeof(line), " stock %s %ux%u", design__name(stock->design),
			 stock->slots, stock->batch);
	else
		snprintf(line, sizeof(line), " stock %s", design__name(stock->design));
	if (ui__first_interval(u)) {
		screen__put(s, y, 0, width, STYLE_PLAIN, line);
		return;
	}
	snprintf(part, sizeof(part), "%s%s", q->grade == GRADE_UNTRUSTED ? "! " : "",
		 grade__name(q->grade));
	width -= (int)strlen(part) + 1;
	screen__put(s, y, width, (int)strlen(part), grade_style(q->grade), part);
	if (q->worst) {
		char missed[NUM_LEN];

		snprintf(part, sizeof(part), "missed %s%%",
			 num__percent(missed, q->missed_ratio, 1));
		add_part(line, sizeof(line), width - 2, part);
	}
	if (q->dropped[LOSS_MAP_FULL] + q->dropped[LOSS_INSERT_FAILED]) {
		char n[NUM_LEN];

		snprintf(part, sizeof(part), "dropped %s",
			 num__si(n, q->dropped[LOSS_MAP_FULL] + q->dropped[LOSS_INSERT_FAILED]));
		add_part(line, sizeof(line), width - 2, part);
	}
	hooks_text(part, sizeof(part), m);
	if (*part)
		add_part(line, sizeof(line), width - 2, part);
	cost_text(part, sizeof(part), m, true);
	if (!add_part(line, sizeof(line), width - 2, part)) {
		cost_text(part, sizeof(part), m, false);
		add_part(line, sizeof(line), width - 2, part);
	}
	screen__put(s, y, 0, width - 2, STYLE_PLAIN, line);
}

/* The first line of the verdict's text, without its label. */
static char *headline(const struct ui *u)
{
	const struct view_opts o = {.width = VERDICT_WIDTH, .ascii = u->o.ascii};
	const struct pane_of of = {.pane = PANE_VERDICT};
	char *text = NULL, *line, *end;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	if (view__pane(f, &u->seen.model, &o, &of)) {
		fclose(f);
		free(text);
		return NULL;
	}
	if (fclose(f))
		return NULL;
	line = text + strspn(text, "\n ");
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	if (!strncmp(line, "verdict ", 8))
		line += strspn(line + 7, " ") + 7;
	if (strncmp(line, "none: ", 6)) {
		memmove(text, line, strlen(line) + 1);
		return text;
	}
	/* its label is not here */
	if (asprintf(&end, "no verdict: %s", line + 6) < 0)
		end = NULL;
	free(text);
	return end;
}

/* Cut at a word, and said to be, where it is too long. */
static void put_words(const struct ui *u, struct screen *s, int y, int x, int width,
		      unsigned int style, const char *text)
{
	const char *dots = u->o.ascii ? "..." : "\u2026";
	const int room = width - (int)text_width(dots);
	char line[VERDICT_WIDTH];
	char *space;

	snprintf(line, sizeof(line), "%s", text);
	if ((int)text_width(line) > width)
		while ((space = strrchr(line, ' '))) {
			*space = '\0';
			if ((int)text_width(line) > room)
				continue;
			while (space > line && strchr(",.:;", space[-1]))
				space--;
			strcpy(space, dots);
			break;
		}
	screen__put(s, y, x, width, style, line);
}

void head__verdict(struct ui *u, struct screen *s, int y)
{
	static const char hint[] = "  v verdict detail";
	const struct verdicts *v = &u->seen.model.verdicts;
	const bool found = v->state == VERDICT_JUDGED && v->n;
	const bool bad = found || v->state == VERDICT_UNTRUSTED;
	int width = screen__width(s), room = width - (int)strlen(hint) - 1;
	char interval[NUM_LEN], first[NUM_LEN + 32];

	if (ui__first_interval(u)) {
		if (u->o.replay)
			snprintf(first, sizeof(first), " no interval was recorded");
		else
			snprintf(first, sizeof(first), " first interval: %s",
				 interval_text(interval, u->interval_ns));
		screen__put(s, y, 0, width, STYLE_BOLD, first);
		return;
	}
	if (u->verdict_stamp != u->stamp || !u->verdict) {
		free(u->verdict);
		u->verdict = headline(u);
		u->verdict_stamp = u->stamp;
	}
	if (!u->verdict)
		return;
	if (room < 40)
		room = width;
	screen__put(s, y, 1, 1, STYLE_WARN | STYLE_BOLD, bad ? "!" : " ");
	put_words(u, s, y, bad ? 3 : 1, room - 3, bad ? STYLE_BOLD : STYLE_PLAIN, u->verdict);
	if (room < width)
		screen__put(s, y, room, width - room, STYLE_PLAIN, hint);
}

/* "under lock 99%", of the walks */
static void locked_part(const struct ui *u, char *buf, size_t size)
{
	const struct model *m = &u->seen.model;
	const double walks = measure__value(m, "walks", &m->total);
	const double locked = measure__value(m, "walks_under_lock", &m->total);
	char share[NUM_LEN];

	*buf = '\0';
	if (field__unmeasured(field__find("walks_under_lock"), NULL, m).reason != REASON_NONE)
		return;
	if (!ui__first_interval(u) && walks > 0 && isfinite(locked))
		snprintf(buf, size, "under lock %s%%", num__percent(share, locked / walks, 0));
	else
		snprintf(buf, size, "under lock -");
}

/* "charges 1.84M/s"; a measure that this machine has not is left out. */
static void total_part(const struct ui *u, char *buf, size_t size, const char *label,
		       const char *key)
{
	const struct column c = {field__find(key)};
	const struct model *m = &u->seen.model;
	char text[NUM_LEN] = "-";

	*buf = '\0';
	if (!c.field || field__unmeasured(c.field, NULL, m).reason != REASON_NONE)
		return;
	if (!ui__first_interval(u))
		cell__text(text, m, &c, &m->total, u->mode);
	snprintf(buf, size, "%s %s%s", label, text,
		 u->mode == CELL_RATE && cell__counts(&c) && strcmp(text, "-") ? "/s" : "");
}

void head__totals(struct ui *u, struct screen *s, int y)
{
	static const struct {
		const char *label, *key;
	} parts[] = {
		{"charges", "charges"}, {"miss", "miss_ratio"},
		{"evict", "evictions"}, {"walks", "walks"},
		{"under lock", NULL},	{"drains of all CPUs", "drain_all_calls"},
		{"refills", "refills"}, {"sockets", "sock_charges"},
	};
	const int room = screen__width(s) + 1;
	char line[512] = "", part[NUM_LEN * 2];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].key)
			total_part(u, part, sizeof(part), parts[i].label, parts[i].key);
		else
			locked_part(u, part, sizeof(part));
		if (*part)
			add_part(line, sizeof(line), room, part);
	}
	screen__put(s, y, 1, room, STYLE_PLAIN, *line ? line + 2 : "");
}

/* "1 cgroups  2 CPUs ..." with the present one marked, and how it is shown. */
void head__views(struct ui *u, struct screen *s, int y)
{
	static const char *const modes[] = {
		[CELL_RATE] = "per second", [CELL_DELTA] = "per interval", [CELL_TOTAL] = "since "};
	char text[512], clock[32];
	int x = 1;

	for (unsigned int i = 0; i < VIEWS; i++) {
		const bool here = u->view == 1U << i;

		snprintf(text, sizeof(text), "%c%u %s%c", here ? '[' : ' ', i + 1,
			 view__label(1U << i), here ? ']' : ' ');
		x += screen__put(s, y, x, screen__width(s) - x, here ? STYLE_BOLD : STYLE_DIM,
				 text);
	}
	snprintf(text, sizeof(text), "%s", modes[u->mode]);
	if (u->mode == CELL_TOTAL && u->samples[SAMPLE_FIRST]) {
		clock_text(clock, sizeof(clock), u->samples[SAMPLE_FIRST]->wall_ms, false);
		strcat(text, clock);
	}
	if ((int)text_width(text) + 2 <= screen__width(s) - x)
		screen__right(s, y, x, screen__width(s) - x - 1, STYLE_PLAIN, text);
}

/* That with the most misses; a ratio alone may be of few charges. */
static const struct model_cpu *worst_cpu(const struct model *m)
{
	const struct model_cpu *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < m->ncpus; i++) {
		double v = measure__value(m, "misses", &m->cpus[i].scope);

		if (v > most) {
			most = v;
			worst = &m->cpus[i];
		}
	}
	return worst;
}

void head__worst_cpu(struct ui *u, struct screen *s, int y)
{
	const struct model *m = &u->seen.model;
	const struct model_cpu *c = ui__first_interval(u) ? NULL : worst_cpu(m);
	char line[256], miss[NUM_LEN], evict[NUM_LEN];
	const struct column evictions = {field__find("evictions")},
			    ratio = {field__find("miss_ratio")};

	if (!c || m->ncpus < 2)
		return;
	cell__text(miss, m, &ratio, &c->scope, u->mode);
	cell__text(evict, m, &evictions, &c->scope, u->mode);
	snprintf(line, sizeof(line), " CPU %u worst: miss %s", c->cpu->cpu, miss);
	if (c->scope.memcgs)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), ", %s%u memcg%s",
			 text__at_least(m), c->scope.memcgs, c->scope.memcgs == 1 ? "" : "s");
	if (strcmp(evict, "-"))
		snprintf(line + strlen(line), sizeof(line) - strlen(line), ", %s evictions%s",
			 evict, u->mode == CELL_RATE ? "/s" : "");
	screen__put(s, y, 0, screen__width(s), STYLE_PLAIN, line);
}
