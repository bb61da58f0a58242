// SPDX-License-Identifier: GPL-2.0-only
/* What keys do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui_parts.h"

#define UNUSED_KEY (void)key

ACTION(act__quit)
{
	(void)u;
	UNUSED_KEY;
	return UI_QUIT;
}

ACTION(act__suspend)
{
	(void)u;
	UNUSED_KEY;
	return UI_SUSPEND | UI_DRAW;
}

ACTION(act__redraw)
{
	(void)u;
	UNUSED_KEY;
	return UI_REDRAW | UI_DRAW;
}

/* Out of what lies above; in a view it does nothing, as it is easily hit. */
ACTION(act__escape)
{
	UNUSED_KEY;
	u->over = 0;
	*u->menu_typed = '\0';
	return UI_DRAW;
}

/* --- where one is */

static unsigned int move(struct ui *u, long by)
{
	struct pager *p = ui__pager(u);
	struct table *t = ui__table(u);
	long to = (long)t->selected + by;

	if (p)
		pager__move(p, by);
	else
		table__select(t, to > 0 ? (size_t)to : 0);
	return UI_DRAW;
}

static long page_of(struct ui *u)
{
	const int rows = ui__pager(u) ? ui__pager(u)->rows : ui__table(u)->rows;

	return rows > 2 ? rows - 1 : 1;
}

#define MOVES(name, by)               \
	ACTION(name)                  \
	{                             \
		UNUSED_KEY;           \
		return move(u, (by)); \
	}

#define FAR 0x40000000L

MOVES(act__up, -1)
MOVES(act__down, 1)
MOVES(act__page_up, -page_of(u))
MOVES(act__page_down, page_of(u))
MOVES(act__home, -FAR)
MOVES(act__end, FAR)

static unsigned int go_to_view(struct ui *u, unsigned int view)
{
	u->view = view;
	u->over = 0;
	return UI_DRAW;
}

ACTION(act__next_view)
{
	UNUSED_KEY;
	return go_to_view(u, u->view == 1U << (VIEWS - 1) ? 1 : u->view << 1);
}

ACTION(act__previous_view)
{
	UNUSED_KEY;
	return go_to_view(u, u->view == 1 ? 1U << (VIEWS - 1) : u->view >> 1);
}

ACTION(act__view)
{
	return go_to_view(u, 1U << (key - '1'));
}

static unsigned int open_over(struct ui *u, unsigned int over)
{
	u->over = over;
	u->pagers[__builtin_ctz(over)].top = 0;
	return UI_DRAW;
}

ACTION(act__help)
{
	UNUSED_KEY;
	return open_over(u, IN_HELP);
}

ACTION(act__verdict)
{
	UNUSED_KEY;
	return open_over(u, IN_VERDICT);
}

/* --- lines */

static const struct line *selected_line(struct ui *u)
{
	const struct item *i = table__selected(&u->tables[0]);

	return u->view == IN_CGROUPS && i ? &u->lines.list[i->at] : NULL;
}

static unsigned int out_of_memory(struct ui *u)
{
	ui__say(u, "out of memory");
	return UI_DRAW;
}

static unsigned int fold_line(struct ui *u, const struct line *l, bool folded)
{
	const struct item *i = table__selected(&u->tables[0]);

	/* the selection stays with the branch */
	table__select(&u->tables[0], (size_t)(i - u->tables[0].items));
	return ui__fold(u, l->key, folded) ? out_of_memory(u) : UI_DRAW;
}

static unsigned int show_detail(struct ui *u, uint64_t of)
{
	const struct item *i = table__selected(ui__table(u));
	struct table *t = ui__table(u);

	table__select(t, t->selected);
	free(u->detail_name);
	u->detail_name = name__whole(u, i, u->view);
	u->detail = of;
	u->over_view = u->view;
	pager__forget(&u->pagers[__builtin_ctz(IN_DETAIL)]);
	return open_over(u, IN_DETAIL);
}

ACTION(act__enter)
{
	const struct item *i = table__selected(ui__table(u));
	const struct line *l = selected_line(u);

	UNUSED_KEY;
	if (!i)
		return UI_NOTHING;
	if (!l)
		return show_detail(u, u->seen.model.cpus[i->at].cpu->cpu);
	if (u->tree && l->has_children)
		return fold_line(u, l, !l->folded);
	if (l->row)
		return show_detail(u, l->row->row->id);
	if (l->kind == LINE_DYING)
		ui__say(u, "%zu deleted cgroups together: d gives each a line", l->cgroups);
	else
		ui__say(u, "it has no counters of its own");
	return UI_DRAW;
}

/* A branch is folded; from a leaf it goes to the branch that it hangs on. */
ACTION(act__fold)
{
	struct table *t = &u->tables[0];
	const struct line *l = selected_line(u);
	unsigned int depth;

	UNUSED_KEY;
	if (!u->tree || !l)
		return UI_NOTHING;
	if (l->has_children && !l->folded)
		return fold_line(u, l, true);
	depth = l->depth;
	for (size_t i = t->selected; i--;)
		if (u->lines.list[t->items[i].at].depth < depth) {
			table__select(t, i);
			break;
		}
	return UI_DRAW;
}

ACTION(act__unfold)
{
	const struct line *l = selected_line(u);

	UNUSED_KEY;
	if (!u->tree || !l || !l->has_children || !l->folded)
		return UI_NOTHING;
	return fold_line(u, l, false);
}

/* Only the branches that are seen: what is below them is folded with them. */
ACTION(act__fold_all)
{
	struct table *t = &u->tables[0];
	size_t root = t->selected;

	UNUSED_KEY;
	if (!u->tree)
		return UI_NOTHING;
	u->stale_lines = true;
	if (u->nfolded) {
		u->nfolded = 0;
		return UI_DRAW;
	}
	/* the selection goes to what will hold it */
	while (root && u->lines.list[t->items[root].at].depth)
		root--;
	table__select(t, root);
	for (size_t i = 0; i < u->lines.n; i++)
		if (u->lines.list[i].has_children && ui__fold(u, u->lines.list[i].key, true))
			return out_of_memory(u);
	return UI_DRAW;
}

ACTION(act__tree)
{
	UNUSED_KEY;
	u->tree = !u->tree;
	u->stale_lines = true;
	return UI_DRAW;
}

ACTION(act__dying)
{
	UNUSED_KEY;
	u->keep_dying = !u->keep_dying;
	u->stale_lines = true;
	ui__say(u, "deleted cgroups: %s", u->keep_dying ? "a line each" : "one line a parent");
	return UI_DRAW;
}

ACTION(act__names)
{
	UNUSED_KEY;
	u->full_names = !u->full_names;
	u->stale_lines = true;
	return UI_DRAW;
}

/* --- values and their order */

ACTION(act__mode)
{
	UNUSED_KEY;
	/* only a total is of another window */
	if (u->mode != CELL_RATE)
		u->stale_model = true;
	u->mode = u->mode == CELL_TOTAL ? CELL_RATE : u->mode + 1;
	return UI_DRAW;
}

/* The column beside the one that it is sorted by; what is not shown has no neighbours. */
static unsigned int sort_beside(struct ui *u, long step)
{
	struct table *t = ui__table(u);
	const long n = (long)t->ncolumns;
	long at = step > 0 ? -1 : n;

	for (long i = 0; i < n; i++)
		if (t->columns[i].field == t->sort)
			at = i;
	for (at += step; at >= 0 && at < n; at += step)
		if (t->columns[at].field && (t->chosen || t->shown[at])) {
			t->sort = t->columns[at].field;
			u->stale_lines = true;
			break;
		}
	return UI_DRAW;
}

ACTION(act__sort_left)
{
	UNUSED_KEY;
	return sort_beside(u, -1);
}

ACTION(act__sort_right)
{
	UNUSED_KEY;
	return sort_beside(u, 1);
}

ACTION(act__invert)
{
	UNUSED_KEY;
	ui__table(u)->ascending = !ui__table(u)->ascending;
	u->stale_lines = true;
	return UI_DRAW;
}

ACTION(act__sort_menu)
{
	UNUSED_KEY;
	menu__open(u, IN_SORT);
	return UI_DRAW;
}

ACTION(act__columns_menu)
{
	UNUSED_KEY;
	menu__open(u, IN_COLUMNS);
	return UI_DRAW;
}

ACTION(act__search)
{
	UNUSED_KEY;
	prompt__open(u, PROMPT_SEARCH);
	return UI_DRAW;
}

ACTION(act__filter)
{
	UNUSED_KEY;
	prompt__open(u, PROMPT_FILTER);
	return UI_DRAW;
}

/* --- time */

ACTION(act__pause)
{
	UNUSED_KEY;
	u->paused = !u->paused;
	if (!u->paused)
		ui__catch_up(u);
	return UI_DRAW;
}

ACTION(act__sample)
{
	(void)u;
	UNUSED_KEY;
	return UI_SAMPLE;
}

#define MS 1000000ULL

static const uint64_t steps[] = {100 * MS,  200 * MS,	500 * MS,   1000 * MS, 2000 * MS,
				 5000 * MS, 10000 * MS, 30000 * MS, 60000 * MS};
#define NSTEPS (sizeof(steps) / sizeof(steps[0]))

/* The next step in that direction, wherever --delay had it. */
ACTION(act__slower)
{
	UNUSED_KEY;
	for (size_t i = 0; i < NSTEPS; i++)
		if (steps[i] > u->interval_ns) {
			u->interval_ns = steps[i];
			return UI_DRAW | UI_INTERVAL;
		}
	return UI_NOTHING;
}

ACTION(act__faster)
{
	UNUSED_KEY;
	for (size_t i = NSTEPS; i--;)
		if (steps[i] < u->interval_ns) {
			u->interval_ns = steps[i];
			return UI_DRAW | UI_INTERVAL;
		}
	return UI_NOTHING;
}

static unsigned int seek(struct ui *u, struct ui_seek to)
{
	u->seek = to;
	return UI_DRAW | UI_SEEK;
}

ACTION(act__step)
{
	u->playing = false;
	return seek(u, (struct ui_seek){SEEK_STEP, key == '[' ? -1 : 1});
}

ACTION(act__minute)
{
	return seek(u, (struct ui_seek){SEEK_SECONDS, key == '{' ? -60 : 60});
}

ACTION(act__first)
{
	UNUSED_KEY;
	return seek(u, (struct ui_seek){SEEK_FIRST, 0});
}

ACTION(act__last)
{
	UNUSED_KEY;
	u->playing = false;
	return seek(u, (struct ui_seek){SEEK_LAST, 0});
}

ACTION(act__jump)
{
	UNUSED_KEY;
	prompt__open(u, PROMPT_JUMP);
	return UI_DRAW;
}

ACTION(act__play)
{
	UNUSED_KEY;
	u->playing = !u->playing && u->position < u->positions;
	return UI_DRAW;
}

/* The first press plays; each further one is faster. */
ACTION(act__speed)
{
	static const double speeds[] = {1, 2, 5, 10, 60};
	const size_t n = sizeof(speeds) / sizeof(speeds[0]);
	size_t at = 0;

	if (!u->playing)
		return act__play(u, key);
	while (at < n && speeds[at] <= u->speed)
		at++;
	u->speed = speeds[at % n];
	return UI_DRAW;
}
