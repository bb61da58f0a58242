// SPDX-License-Identifier: GPL-2.0-only
/* A line that is typed: what to search, to filter by, where to go. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tui/ui_parts.h"

const char *prompt__label(const struct ui *u)
{
	static const char *const labels[] = {
		[PROMPT_SEARCH] = "Search: ",
		[PROMPT_FILTER] = "Filter: ",
		[PROMPT_JUMP] = "Go to (HH:MM:SS, +30s, -5m, an interval): ",
	};

	return labels[u->prompt];
}

void prompt__open(struct ui *u, enum prompt p)
{
	u->prompt = p;
	u->ninput = 0;
	u->origin = ui__pager(u) ? ui__pager(u)->top : ui__table(u)->selected;
	if (p == PROMPT_FILTER && u->filter && strlen(u->filter) < PROMPT_LEN)
		u->ninput = strlen(strcpy(u->input, u->filter));
	u->input[u->ninput] = '\0';
}

/* A character as UTF-8. */
static void type(struct ui *u, int c)
{
	char utf8[4];
	size_t n;

	if (c < 0x80) {
		utf8[0] = (char)c;
		n = 1;
	} else if (c < 0x800) {
		utf8[0] = (char)(0xc0 | c >> 6);
		utf8[1] = (char)(0x80 | (c & 0x3f));
		n = 2;
	} else if (c < 0x10000) {
		utf8[0] = (char)(0xe0 | c >> 12);
		utf8[1] = (char)(0x80 | (c >> 6 & 0x3f));
		utf8[2] = (char)(0x80 | (c & 0x3f));
		n = 3;
	} else {
		utf8[0] = (char)(0xf0 | c >> 18);
		utf8[1] = (char)(0x80 | (c >> 12 & 0x3f));
		utf8[2] = (char)(0x80 | (c >> 6 & 0x3f));
		utf8[3] = (char)(0x80 | (c & 0x3f));
		n = 4;
	}
	if (u->ninput + n < PROMPT_LEN) {
		memcpy(u->input + u->ninput, utf8, n);
		u->ninput += n;
	}
	u->input[u->ninput] = '\0';
}

static void erase(struct ui *u, bool word)
{
	do {
		while (u->ninput && ((unsigned char)u->input[--u->ninput] & 0xc0) == 0x80)
			;
	} while (word && u->ninput && u->input[u->ninput - 1] != ' ');
	u->input[u->ninput] = '\0';
}

/* From there on, in the table or the text that one is in. */
static bool search_from(struct ui *u, const char *text, size_t from, int step)
{
	const struct pager *p = ui__pager(u);
	struct table *t = ui__table(u);

	if (p)
		return pager__find(ui__pager(u), text, from, step);
	for (size_t tried = 0; tried < t->n; tried++) {
		size_t i = step > 0 ? (from + tried) % t->n : (from + 2 * t->n - tried) % t->n;
		char *name = name__whole(u, &t->items[i], u->view);
		bool found = name && text__contains(name, text);

		free(name);
		if (found) {
			table__select(t, i);
			return true;
		}
	}
	return false;
}

static unsigned int search_on(struct ui *u, int step)
{
	const struct pager *p = ui__pager(u);
	const size_t n = p ? p->n : ui__table(u)->n, at = p ? p->top : ui__table(u)->selected;

	if (!*u->search)
		ui__say(u, "nothing to search: / asks for it");
	else if (!n || !search_from(u, u->search, (at + n + (size_t)step) % n, step))
		ui__say(u, "%s is not there", u->search);
	return UI_DRAW;
}

ACTION(act__search_next)
{
	(void)key;
	return search_on(u, 1);
}

ACTION(act__search_previous)
{
	(void)key;
	return search_on(u, -1);
}

static void set_filter(struct ui *u)
{
	free(u->filter);
	u->filter = u->ninput ? strdup(u->input) : NULL;
	u->stale_lines = true;
}

/* "14:02:31" or "14:02" on the day of the sample shown. */
static bool parse_time(const struct ui *u, const char *text, double *ms)
{
	const time_t shown = (time_t)(u->samples[SAMPLE_NOW]->wall_ms / 1000);
	struct tm tm;
	int h, min, s = 0, end = 0;

	if (sscanf(text, "%2d:%2d%n:%2d%n", &h, &min, &end, &s, &end) < 2 || text[end] || h < 0 ||
	    h > 23 || min < 0 || min > 59 || s < 0 || s > 60)
		return false;
	localtime_r(&shown, &tm);
	tm.tm_hour = h;
	tm.tm_min = min;
	tm.tm_sec = s;
	*ms = (double)mktime(&tm) * 1e3;
	return true;
}

/* "+30s", "-5m", "+2" (seconds), "-1h" */
static bool parse_seconds(const char *text, double *seconds)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}};
	unsigned long n;
	char *end;

	if ((*text != '+' && *text != '-') || !isdigit((unsigned char)text[1]))
		return false;
	errno = 0;
	n = strtoul(text + 1, &end, 10);
	for (size_t i = 0; !errno && n < 1000000000 && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].unit)) {
			*seconds = (*text == '-' ? -1.0 : 1.0) * (double)n * units[i].seconds;
			return true;
		}
	return false;
}

static unsigned int jump(struct ui *u)
{
	double v;
	char *end;

	if (!u->ninput)
		return UI_DRAW;
	if (parse_seconds(u->input, &v)) {
		u->seek = (struct ui_seek){SEEK_SECONDS, v};
		return UI_DRAW | UI_SEEK;
	}
	if (u->samples[SAMPLE_NOW] && parse_time(u, u->input, &v)) {
		u->seek = (struct ui_seek){SEEK_TIME, v};
		return UI_DRAW | UI_SEEK;
	}
	errno = 0;
	v = (double)strtoul(u->input, &end, 10);
	if (isdigit((unsigned char)u->input[0]) && !*end && !errno) {
		u->seek = (struct ui_seek){SEEK_STEP, v - (double)u->position};
		return UI_DRAW | UI_SEEK;
	}
	ui__say(u, "%s is neither a time, nor +30s or -5m, nor an interval's number", u->input);
	return UI_DRAW;
}

static unsigned int accept(struct ui *u)
{
	const enum prompt p = u->prompt;

	u->prompt = PROMPT_NONE;
	if (p == PROMPT_JUMP)
		return jump(u);
	if (p == PROMPT_FILTER)
		set_filter(u);
	else if (*u->search && !search_from(u, u->search, u->origin, 1))
		ui__say(u, "%s is not there", u->search);
	return UI_DRAW;
}

static void cancel(struct ui *u)
{
	if (u->prompt == PROMPT_SEARCH) {
		*u->search = '\0';
		if (ui__pager(u))
			ui__pager(u)->top = u->origin;
		else
			table__select(ui__table(u), u->origin);
	}
	u->prompt = PROMPT_NONE;
}

unsigned int prompt__key(struct ui *u, int key)
{
	switch (key) {
	case K_ESC:
		cancel(u);
		return UI_DRAW;
	case K_ENTER:
		return accept(u);
	case K_BACKSPACE:
		erase(u, false);
		break;
	case CTRL_KEY('W'):
		erase(u, true);
		break;
	case CTRL_KEY('U'):
		u->ninput = 0;
		*u->input = '\0';
		break;
	default:
		if (key < ' ' || key >= K_UP || key == 0x7f)
			return UI_NOTHING;
		type(u, key);
	}
	/* what is found shows while it is typed */
	if (u->prompt == PROMPT_SEARCH) {
		strcpy(u->search, u->input);
		if (*u->search)
			search_from(u, u->search, u->origin, 1);
	}
	return UI_DRAW;
}
