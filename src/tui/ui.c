// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui_parts.h"

struct ui *ui__new(const struct ui_options *o)
{
	struct ui *u = calloc(1, sizeof(*u));
	char bad[64];
	int n;

	if (!u)
		return NULL;
	u->o = *o;
	u->tree = o->tree;
	u->full_names = o->full_names;
	u->interval_ns = o->interval_ns;
	u->view = IN_CGROUPS;
	u->speed = 1;
	u->tables[0].sort = o->sort ? o->sort : field__find("charges");
	u->tables[1].sort =
		table__has(u->tables[0].sort, IN_CPUS) ? u->tables[0].sort : field__find("charges");
	if (o->columns) {
		n = columns__parse(u->tables[0].columns, COLUMNS_MAX, o->columns, bad, sizeof(bad));
		u->tables[0].chosen = n > 0;
		u->tables[0].ncolumns = n > 0 ? (size_t)n : 0;
	}
	if (o->filter) {
		u->filter = strdup(o->filter);
		if (!u->filter) {
			free(u);
			return NULL;
		}
	}
	return u;
}

void ui__free(struct ui *u)
{
	if (!u)
		return;
	ui__release_model(u);
	for (size_t i = 0; i < SAMPLES; i++) {
		struct sample *s = u->samples[i];

		for (size_t j = i; j < SAMPLES; j++)
			if (u->samples[j] == s)
				u->samples[j] = NULL;
		sample__free(s);
	}
	history__release(u);
	for (size_t i = 0; i < VIEWS + 3; i++)
		pager__forget(&u->pagers[i]);
	for (size_t i = 0; i < 2; i++)
		free(u->tables[i].items);
	free(u->folded);
	free(u->filter);
	free(u->detail_name);
	free(u->verdict);
	free(u);
}

/* The interval's values, where what is shown is something else. */
static int remember(struct ui *u, struct sample *before, struct sample *now)
{
	const struct window w = {.start = before, .end = now};
	struct model m;

	if (!before)
		return 0;
	if (model__init_total(&m, &w))
		return -ENOMEM;
	history__add(u, before, &m);
	model__release(&m);
	return 0;
}

int ui__sample(struct ui *u, struct sample *s)
{
	struct sample *to[SAMPLES];
	int err;

	memcpy(to, u->samples, sizeof(to));
	to[SAMPLE_LAST_BEFORE] = to[SAMPLE_LAST];
	to[SAMPLE_LAST] = s;
	if (!to[SAMPLE_FIRST])
		to[SAMPLE_FIRST] = s;
	/* paused in the first interval: there is nothing yet that could be kept */
	if (!u->paused || !to[SAMPLE_BEFORE]) {
		to[SAMPLE_BEFORE] = to[SAMPLE_LAST_BEFORE];
		to[SAMPLE_NOW] = s;
	}
	ui__place(u, to);
	err = ui__prepare_model(u);
	if (!err && (u->paused || u->mode == CELL_TOTAL))
		err = remember(u, u->samples[SAMPLE_LAST_BEFORE], s);
	return err;
}

int ui__jump(struct ui *u, struct sample *first, struct sample *before, struct sample *now)
{
	struct sample *const to[SAMPLES] = {
		[SAMPLE_FIRST] = first	  ? first
				 : before ? before
					  : now,
		[SAMPLE_BEFORE] = before,
		[SAMPLE_NOW] = now,
		[SAMPLE_LAST_BEFORE] = before,
		[SAMPLE_LAST] = now,
	};
	int err;

	ui__place(u, to);
	err = ui__prepare_model(u);
	if (!err && u->mode == CELL_TOTAL)
		err = remember(u, before, now);
	return err;
}

unsigned int ui__where(const struct ui *u)
{
	if (u->prompt)
		return IN_PROMPT;
	return u->over ? u->over : u->view;
}

unsigned int ui__key(struct ui *u, int key)
{
	const unsigned int in = ui__where(u);
	const struct action *a = action__find(key, in, u->o.replay);
	const bool said = *u->message;

	if (key == K_NONE)
		return UI_NOTHING;
	*u->message = '\0';
	if (ui__prepare(u))
		return UI_DRAW;
	if (key == K_RESIZE)
		return UI_DRAW;
	if (key == K_HANGUP)
		return UI_QUIT;
	if (a)
		return a->run(u, key);
	if (in == IN_PROMPT)
		return prompt__key(u, key);
	if (in & IN_MENU)
		return menu__letter(u, key);
	return said ? UI_DRAW : UI_NOTHING;
}

void ui__position(struct ui *u, size_t at, size_t of)
{
	u->position = at;
	u->positions = of;
	if (at >= of)
		u->playing = false;
}

struct ui_seek ui__seek(const struct ui *u)
{
	return u->seek;
}

double ui__speed(const struct ui *u)
{
	return u->playing ? u->speed : 0;
}

uint64_t ui__interval(const struct ui *u)
{
	return u->interval_ns;
}

void ui__message(struct ui *u, const char *text)
{
	ui__say(u, "%s", text);
}

void ui__say(struct ui *u, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(u->message, sizeof(u->message), fmt, args);
	va_end(args);
}
