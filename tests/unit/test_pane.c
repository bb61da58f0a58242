// SPDX-License-Identifier: GPL-2.0-only
// links: view/pane*.c view/batch.c view/verdict.c view/head.c view/text_*.c view/sides.c view/rows.c view/cell.c view/names.c view/lists.c view/grid.c view/bars.c view/measure.c view/notes.c view/page.c view/number.c view/hooks.c model/*.c sample/sample.c text/utf8.c ../tests/unit/window.c
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/view.h"
#include "window.h"

static const char *const pane_names[] = {
	[PANE_CGROUP] = "cgroup",   [PANE_CPU] = "cpu",	    [PANE_EVICTIONS] = "evictions",
	[PANE_DRAINS] = "drains",   [PANE_TIMES] = "times", [PANE_PROBES] = "probes",
	[PANE_VERDICT] = "verdict",
};

#define PANES (sizeof(pane_names) / sizeof(pane_names[0]))

static struct window w;
static struct model m;

static void begin(const char *name)
{
	w = window_of(name);
	assert_int_equal(model__init(&m, &w), 0);
}

static void end(void)
{
	model__release(&m);
	window__release(&w);
}

static char *pane(enum pane pane, const struct view_opts *o)
{
	struct pane_of of = {pane, &m.rows[0], &m.cpus[m.ncpus - 1]};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_int_equal(view__pane(f, &m, o, &of), 0);
	fclose(f);
	return text;
}

int main(int argc, char **argv)
{
	struct view_opts o = {.width = atoi(argv[3]), .rows = -1, .ascii = argc < 5};
	begin(argv[1]);
	if (!strcmp(argv[2], "batch"))
		view__batch(stdout, &m, &o, argc > 5);
	for (size_t i = 0; i < PANES; i++)
		if (!strcmp(pane_names[i], argv[2])) {
			char *t = pane(i, &o);
			fputs(t, stdout);
			free(t);
		}
	end();
}
