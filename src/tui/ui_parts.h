/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the screen and what its rooms do for each other. Private to src/tui. */
#ifndef MEMCGTOP_UI_PARTS_H
#define MEMCGTOP_UI_PARTS_H

#include "model/lines.h"
#include "model/model.h"
#include "tui/keys.h"
#include "tui/ui.h"
#include "view/cell.h"
#include "view/view.h"

#define COLUMNS_MAX 64
#define HISTORY_LEN 600 /* intervals */
#define PROMPT_LEN  256

/* The samples; one may stand in several places. */
enum {
	SAMPLE_FIRST,
	SAMPLE_BEFORE, /* shown */
	SAMPLE_NOW,
	SAMPLE_LAST_BEFORE, /* the last that came: others than those shown only while paused */
	SAMPLE_LAST,
	SAMPLES
};

/* A model and the window it is of. */
struct seen {
	struct window window;
	struct model model;
	bool there;
};

/* A line of a table. */
struct item {
	uint64_t key;
	const struct scope *scope;
	size_t at; /* in the lines, or the model's CPUs */
};

/* A table of cgroups or of CPUs, and where one is in it. */
struct table {
	struct column columns[COLUMNS_MAX];
	size_t ncolumns;
	bool chosen;	  /* by the user: not the standard ones */
	size_t nstandard; /* if not: the others are there only on a wide screen */
	bool shown[COLUMNS_MAX];
	const struct field *sort;
	bool ascending;
	struct item *items;
	size_t n;
	uint64_t key; /* of the selected line */
	size_t selected, top;
	bool has_key;
	int rows; /* that were drawn last: a page */
	/* what its lines have together, and those of them that are not on the screen */
	uint64_t all[C_NR], rest[C_NR];
	uint64_t all_pressure_ns, all_pressure_sets;
	uint64_t rest_pressure_ns, rest_pressure_sets;
};

/* A text that is scrolled. */
struct pager {
	char *text;
	char **lines;
	size_t n, top;
	int rows; /* that were drawn last */
	int width;
	uint64_t stamp; /* of the model that it was made of */
	bool there;
};

/* Values of one interval by which a column is drawn over time. */
struct moment_values {
	uint64_t end_ns;
	double seconds;
	double *values; /* [nfields], of the total; counts as they are */
};

enum prompt { PROMPT_NONE, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_JUMP };

struct ui {
	struct ui_options o;
	char *filter;
	struct sample *samples[SAMPLES];
	struct seen seen;
	uint64_t stamp; /* counts the models */
	struct lines lines;
	bool lines_there;
	bool *twins; /* of each line: its name would be that of another cgroup as well */
	bool stale_model, stale_lines; /* to be built anew before the next draw */

	enum cell_mode mode;
	bool tree, full_names, keep_dying, paused;
	uint64_t interval_ns;
	struct table tables[2]; /* of cgroups, of CPUs */
	uint64_t *folded;	/* keys, ascending */
	size_t nfolded;

	unsigned int view;	/* one of the six */
	unsigned int over;	/* IN_OVER or IN_MENU, above the view; 0: none */
	unsigned int over_view; /* what the detail is of */
	uint64_t detail;	/* row id, or CPU */
	char *detail_name;
	struct pager pagers[VIEWS + 3]; /* of each view and of IN_OVER, by their bit */

	enum prompt prompt;
	char input[PROMPT_LEN];
	size_t ninput;
	size_t origin; /* search: where it began */
	char search[PROMPT_LEN];

	size_t menu_at, menu_top;
	char menu_typed[32];

	struct moment_values *history; /* by their ends, ascending */
	size_t nhistory;

	char *verdict; /* its headline, of this model */
	uint64_t verdict_stamp;
	char message[PROMPT_LEN];

	struct ui_seek seek;
	size_t position, positions;
	double speed;
	bool playing;
};

/* --- ui_model.c: from samples to what is shown */

const struct model *ui__model(const struct ui *u); /* NULL: no sample yet */
/* Only one sample has come: nothing can be said of an interval. */
bool ui__first_interval(const struct ui *u);
/* Builds what is stale; the model alone is enough for the history. 0 or -ENOMEM. */
int ui__prepare(struct ui *u);
int ui__prepare_model(struct ui *u);
/* Puts samples into their places, and frees those that have none any more. */
void ui__place(struct ui *u, struct sample *const to[SAMPLES]);
/* Shows the last samples that came. */
void ui__catch_up(struct ui *u);
void ui__release_model(struct ui *u);

bool ui__is_folded(uint64_t key, void *ui);
/* 0 or -ENOMEM */
int ui__fold(struct ui *u, uint64_t key, bool folded);

/* --- ui_history.c */

/* The interval's values; one that is there already is not added again. */
void history__add(struct ui *u, const struct sample *before, const struct model *m);
void history__release(struct ui *u);
void history__draw(struct ui *u, struct screen *s, int y);

/* --- ui_head.c: the lines above and below a table */

void head__title(struct ui *u, struct screen *s, int y);
void head__stock(struct ui *u, struct screen *s, int y);
void head__verdict(struct ui *u, struct screen *s, int y);
void head__totals(struct ui *u, struct screen *s, int y);
void head__views(struct ui *u, struct screen *s, int y);
void head__worst_cpu(struct ui *u, struct screen *s, int y);
const char *view__label(unsigned int view);

/* --- ui_draw.c */

/* The last line: keys, a prompt or a message. */
void draw__key_line(struct ui *u, struct screen *s, int y);

/* --- ui_table.c */

struct table *ui__table(struct ui *u); /* of the view, or of what lies above it */
/* Sets the standard columns that the model has, unless others were chosen. */
void table__columns(struct ui *u, struct table *t, unsigned int view);
/* The fields that such a table can have. */
bool table__has(const struct field *f, unsigned int view);
/* Makes the items of the lines, or CPUs, and finds the selected one again. 0 or -ENOMEM. */
int table__fill(struct ui *u, struct table *t, unsigned int view);
void table__select(struct table *t, size_t at);
/* The columns become the user's: those that are shown. */
void table__choose(struct table *t);
const struct item *table__selected(const struct table *t); /* NULL: it is empty */
void table__draw(struct ui *u, struct screen *s, int y, int height, bool total);

/* --- ui_names.c: what lines are called. Free them; NULL: out of memory. */

/* For the screen; *mark is what must not be elided, of mark_size. */
char *name__of_item(const struct ui *u, const struct item *i, unsigned int view, char *mark,
		    size_t mark_size);
/* Looks for lines of different cgroups that would have one name. 0 or -ENOMEM. */
int name__find_twins(struct ui *u);
/* Whole, to search in. */
char *name__whole(const struct ui *u, const struct item *i, unsigned int view);
unsigned int name__flags(const struct ui *u);

/* --- ui_pager.c */

struct pager *ui__pager(struct ui *u); /* of where one is; NULL: that is no text */
int pager__prepare(struct ui *u, struct pager *p, unsigned int in, int width);
void pager__draw(struct ui *u, struct screen *s, int y, int height);
void pager__forget(struct pager *p);
void pager__move(struct pager *p, long by);
/* The next line with that text, from the top on, or back. */
bool pager__find(struct pager *p, const char *text, size_t from, int step);
/* Whether a contains b, in whatever case. */
bool text__contains(const char *a, const char *b);

/* --- ui_menu.c */

void menu__open(struct ui *u, unsigned int menu);
void menu__draw(struct ui *u, struct screen *s);

/* --- ui_prompt.c */

void prompt__open(struct ui *u, enum prompt p);
unsigned int prompt__key(struct ui *u, int key);
const char *prompt__label(const struct ui *u);

/* --- ui.c */

unsigned int ui__where(const struct ui *u); /* one of enum where */
void ui__say(struct ui *u, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- ui_actions.c, ui_menu.c: what keys do */

#define ACTION(name) unsigned int name(struct ui *u, int key)
ACTION(act__quit);
ACTION(act__suspend);
ACTION(act__redraw);
ACTION(act__escape);
ACTION(act__up);
ACTION(act__down);
ACTION(act__page_up);
ACTION(act__page_down);
ACTION(act__home);
ACTION(act__end);
ACTION(act__next_view);
ACTION(act__previous_view);
ACTION(act__view);
ACTION(act__help);
ACTION(act__verdict);
ACTION(act__enter);
ACTION(act__fold);
ACTION(act__unfold);
ACTION(act__fold_all);
ACTION(act__tree);
ACTION(act__dying);
ACTION(act__names);
ACTION(act__mode);
ACTION(act__sort_left);
ACTION(act__sort_right);
ACTION(act__invert);
ACTION(act__sort_menu);
ACTION(act__columns_menu);
ACTION(act__search);
ACTION(act__search_next);
ACTION(act__search_previous);
ACTION(act__filter);
ACTION(act__pause);
ACTION(act__faster);
ACTION(act__slower);
ACTION(act__sample);
ACTION(act__step);
ACTION(act__minute);
ACTION(act__first);
ACTION(act__last);
ACTION(act__jump);
ACTION(act__play);
ACTION(act__speed);
ACTION(act__menu_up);
ACTION(act__menu_down);
ACTION(act__menu_page_up);
ACTION(act__menu_page_down);
ACTION(act__menu_home);
ACTION(act__menu_end);
ACTION(act__menu_toggle);
ACTION(act__menu_take);
/* A letter in a menu: it goes to what begins so. */
unsigned int menu__letter(struct ui *u, int key);

#endif
