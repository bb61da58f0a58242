// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "tui/ui_parts.h"

/* In the order of the help, and of the key line. */
const struct action actions[] = {
	{.help = "Everywhere"},
	{{K_F1, 'h', '?'}, IN_MAIN & ~IN_HELP, WHEN_ALWAYS, act__help, "help", "this help"},
	{{K_F1, 'h', '?', 'q'}, IN_HELP, WHEN_ALWAYS, act__escape, NULL, NULL},
	{{K_ESC}, IN_OVER | IN_MENU, WHEN_ALWAYS, act__escape, "back", "back to the view"},
	{{K_ESC}, IN_TABLE | IN_PANE, WHEN_ALWAYS, act__escape, NULL, NULL},
	{{'1', '2', '3', '4', '5', '6'},
	 IN_MAIN,
	 WHEN_ALWAYS,
	 act__view,
	 NULL,
	 "cgroups, CPUs, evictions, drains, times, probes"},
	{{'v'}, IN_MAIN & ~IN_VERDICT, WHEN_ALWAYS, act__verdict, NULL, "the verdict in full"},
	{{'v'}, IN_VERDICT, WHEN_ALWAYS, act__escape, NULL, NULL},
	{{'m'},
	 IN_MAIN,
	 WHEN_ALWAYS,
	 act__mode,
	 NULL,
	 "counts a second, of the interval, or since the start"},
	{{CTRL_KEY('L')}, IN_EVERY, WHEN_ALWAYS, act__redraw, NULL, "draw the screen anew"},
	{{CTRL_KEY('Z')}, IN_EVERY, WHEN_ALWAYS, act__suspend, NULL, "suspend"},

	{.help = "Views"},
	{{'s', K_F1 + 5}, IN_TABLE, WHEN_ALWAYS, act__sort_menu, "sort", "choose what to sort by"},
	{{'f', '\\', K_F1 + 3},
	 IN_CGROUPS,
	 WHEN_ALWAYS,
	 act__filter,
	 "filter",
	 "only cgroups with that in their path, or a pattern (* ? [])"},
	{{'t', K_F1 + 4}, IN_CGROUPS, WHEN_ALWAYS, act__tree, "tree", "as a tree, or flat"},
	{{'c', K_F1 + 1},
	 IN_TABLE,
	 WHEN_ALWAYS,
	 act__columns_menu,
	 "columns",
	 "choose the columns"},
	{{K_TAB}, IN_MAIN, WHEN_ALWAYS, act__next_view, "next view", "the next view"},
	{{K_BACKTAB}, IN_MAIN, WHEN_ALWAYS, act__previous_view, NULL, "the view before"},
	{{K_ENTER},
	 IN_TABLE,
	 WHEN_ALWAYS,
	 act__enter,
	 "detail",
	 "all that is known of the line; of a tree's branch: fold it"},
	{{K_UP, 'k'}, IN_MAIN, WHEN_ALWAYS, act__up, NULL, "a line up"},
	{{K_DOWN, 'j'}, IN_MAIN, WHEN_ALWAYS, act__down, NULL, "a line down"},
	{{K_PAGE_UP, CTRL_KEY('B')}, IN_MAIN, WHEN_ALWAYS, act__page_up, NULL, "a page up"},
	{{K_PAGE_DOWN, CTRL_KEY('F')}, IN_MAIN, WHEN_ALWAYS, act__page_down, NULL, "a page down"},
	{{K_HOME, 'g'}, IN_MAIN, WHEN_ALWAYS, act__home, NULL, "the first line"},
	{{K_END, 'G'}, IN_MAIN, WHEN_ALWAYS, act__end, NULL, "the last line"},
	{{'<', ','}, IN_TABLE, WHEN_ALWAYS, act__sort_left, NULL, "sort by the column to the left"},
	{{'>', '.'},
	 IN_TABLE,
	 WHEN_ALWAYS,
	 act__sort_right,
	 NULL,
	 "sort by the column to the right"},
	{{'I', 'R'}, IN_TABLE, WHEN_ALWAYS, act__invert, NULL, "the other way round"},
	{{'l'}, IN_CGROUPS, WHEN_ALWAYS, act__names, NULL, "long names, or short ones"},
	{{'d'},
	 IN_CGROUPS,
	 WHEN_ALWAYS,
	 act__dying,
	 NULL,
	 "deleted cgroups: a line each, or one a parent"},
	{{K_LEFT},
	 IN_CGROUPS,
	 WHEN_ALWAYS,
	 act__fold,
	 NULL,
	 "tree: fold the branch, or go to its root"},
	{{K_RIGHT}, IN_CGROUPS, WHEN_ALWAYS, act__unfold, NULL, "tree: unfold the branch"},
	{{'*'}, IN_CGROUPS, WHEN_ALWAYS, act__fold_all, NULL, "tree: fold or unfold all branches"},
	{{'/', K_F1 + 2},
	 IN_MAIN,
	 WHEN_ALWAYS,
	 act__search,
	 NULL,
	 "search, in tables and in texts"},
	{{'n'}, IN_MAIN, WHEN_ALWAYS, act__search_next, NULL, "the next one"},
	{{'N'}, IN_MAIN, WHEN_ALWAYS, act__search_previous, NULL, "the one before"},

	{.help = "Time", .when = WHEN_LIVE},
	{{'p', ' '},
	 IN_MAIN,
	 WHEN_LIVE,
	 act__pause,
	 "pause",
	 "keep what is shown; counting goes on behind"},
	{{'r'}, IN_MAIN, WHEN_LIVE, act__sample, NULL, "an interval that ends now"},
	{{'+', '='}, IN_MAIN, WHEN_LIVE, act__slower, NULL, "a longer interval"},
	{{'-'}, IN_MAIN, WHEN_LIVE, act__faster, NULL, "a shorter interval"},

	{.help = "Time", .when = WHEN_REPLAY},
	{{' ', 'p'}, IN_MAIN, WHEN_REPLAY, act__play, "play", "play, or stop"},
	{{'P'},
	 IN_MAIN,
	 WHEN_REPLAY,
	 act__speed,
	 NULL,
	 "faster: 1, 2, 5, 10, 60 times, then 1 again"},
	{{'[', ']'}, IN_MAIN, WHEN_REPLAY, act__step, "interval", "an interval back, or on"},
	{{'{', '}'}, IN_MAIN, WHEN_REPLAY, act__minute, NULL, "a minute back, or on"},
	{{'J'},
	 IN_MAIN,
	 WHEN_REPLAY,
	 act__jump,
	 "jump",
	 "go to a time (14:02:31), so far from here (+30s, -5m), or to an interval (12)"},
	{{'0', '('}, IN_MAIN, WHEN_REPLAY, act__first, NULL, "the first interval"},
	{{'$', ')'}, IN_MAIN, WHEN_REPLAY, act__last, NULL, "the last interval"},

	{.help = "Menus"},
	{{K_UP}, IN_MENU, WHEN_ALWAYS, act__menu_up, NULL, "a line up"},
	{{K_DOWN, K_TAB}, IN_MENU, WHEN_ALWAYS, act__menu_down, NULL, "a line down"},
	{{K_PAGE_UP}, IN_MENU, WHEN_ALWAYS, act__menu_page_up, NULL, NULL},
	{{K_PAGE_DOWN}, IN_MENU, WHEN_ALWAYS, act__menu_page_down, NULL, NULL},
	{{K_HOME}, IN_MENU, WHEN_ALWAYS, act__menu_home, NULL, NULL},
	{{K_END}, IN_MENU, WHEN_ALWAYS, act__menu_end, NULL, NULL},
	{{K_ENTER}, IN_SORT, WHEN_ALWAYS, act__menu_take, "sort by it", "sort by it"},
	{{' '},
	 IN_COLUMNS,
	 WHEN_ALWAYS,
	 act__menu_toggle,
	 "show or hide",
	 "columns: show or hide it"},
	{{K_ENTER}, IN_COLUMNS, WHEN_ALWAYS, act__escape, "done", NULL},

	{.help = "The end"},
	{{'q'}, IN_MAIN & ~IN_HELP, WHEN_ALWAYS, act__quit, "quit", "quit"},
	{{K_F1 + 9, CTRL_KEY('C')},
	 IN_EVERY,
	 WHEN_ALWAYS,
	 act__quit,
	 NULL,
	 "quit, wherever one is"},
};

const size_t nactions = sizeof(actions) / sizeof(actions[0]);

static bool holds(const struct action *a, int key)
{
	for (const int *k = a->keys; *k; k++)
		if (*k == key)
			return true;
	return false;
}

const struct action *action__find(int key, unsigned int in, bool replay)
{
	for (size_t i = 0; i < nactions; i++) {
		const struct action *a = &actions[i];

		if (a->run && a->in & in && a->when != (replay ? WHEN_LIVE : WHEN_REPLAY) &&
		    holds(a, key))
			return a;
	}
	return NULL;
}

const char *key__name(char *buf, int key)
{
	static const struct {
		int key;
		const char *name;
	} names[] = {
		{K_TAB, "Tab"},	    {K_ENTER, "Enter"},	  {K_ESC, "Esc"},
		{K_UP, "Up"},	    {K_DOWN, "Down"},	  {K_LEFT, "Left"},
		{K_RIGHT, "Right"}, {K_PAGE_UP, "PgUp"},  {K_PAGE_DOWN, "PgDn"},
		{K_HOME, "Home"},   {K_END, "End"},	  {K_BACKSPACE, "Backspace"},
		{K_DELETE, "Del"},  {K_BACKTAB, "S-Tab"}, {' ', "Space"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].key == key) {
			snprintf(buf, KEY_NAME_LEN, "%s", names[i].name);
			return buf;
		}
	if (key >= K_F1 && key <= K_F12)
		snprintf(buf, KEY_NAME_LEN, "F%d", key - K_F1 + 1);
	else if (key < ' ')
		snprintf(buf, KEY_NAME_LEN, "^%c", key + '@');
	else
		snprintf(buf, KEY_NAME_LEN, "%c", key < 0x7f ? key : '?');
	return buf;
}
