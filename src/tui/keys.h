/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of keys: dispatch, the key line and the help come from it. A key
 * is a character, or one of enum key.
 */
#ifndef MEMCGTOP_KEYS_H
#define MEMCGTOP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#define CTRL_KEY(c) ((c)&0x1f)

enum key {
	K_NONE = -1, /* nothing came in time */
	K_TAB = '\t',
	K_ENTER = '\n',
	K_ESC = 0x1b,
	K_UP = 0x110000, /* beyond all characters */
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_PAGE_UP,
	K_PAGE_DOWN,
	K_HOME,
	K_END,
	K_BACKSPACE,
	K_DELETE,
	K_BACKTAB,
	K_F1,
	K_F12 = K_F1 + 11,
	K_RESIZE, /* the terminal has another size now: term__size() */
	K_HANGUP, /* it is gone: nothing will come any more */
	K_OTHER,  /* a key without a meaning here */
};

/* Where a key holds: the views, and what lies above them. */
enum where {
	IN_CGROUPS = 1 << 0,
	IN_CPUS = 1 << 1,
	IN_EVICTIONS = 1 << 2,
	IN_DRAINS = 1 << 3,
	IN_TIMES = 1 << 4,
	IN_PROBES = 1 << 5,
	IN_DETAIL = 1 << 6, /* one cgroup, or CPU */
	IN_VERDICT = 1 << 7,
	IN_HELP = 1 << 8,
	IN_SORT = 1 << 9, /* menus */
	IN_COLUMNS = 1 << 10,
	IN_PROMPT = 1 << 11,
};

#define VIEWS 6 /* the first of them, each of which fills the screen */

#define IN_TABLE (IN_CGROUPS | IN_CPUS)
#define IN_PANE	 (IN_EVICTIONS | IN_DRAINS | IN_TIMES | IN_PROBES)
#define IN_OVER	 (IN_DETAIL | IN_VERDICT | IN_HELP)
#define IN_PAGER (IN_PANE | IN_OVER)
#define IN_MAIN	 (IN_TABLE | IN_PAGER) /* where a letter is a command */
#define IN_MENU	 (IN_SORT | IN_COLUMNS)
#define IN_EVERY (IN_MAIN | IN_MENU | IN_PROMPT)

enum when { WHEN_ALWAYS, WHEN_LIVE, WHEN_REPLAY };

struct ui;

struct action {
	int keys[8]; /* ended by 0 */
	unsigned int in;
	enum when when;
	unsigned int (*run)(struct ui *u,
			    int key); /* enum ui_reaction; NULL: a title of the help */
	const char *label;	      /* in the key line; NULL: not there */
	const char *help;
};

extern const struct action actions[];
extern const size_t nactions;

/* What a key does there; NULL: nothing. `in` is one of enum where. */
const struct action *action__find(int key, unsigned int in, bool replay);

#define KEY_NAME_LEN 16

/* "PgUp", "^L", "Space", "F10", "q". Writes into buf and returns it. */
const char *key__name(char *buf, int key);

#endif
