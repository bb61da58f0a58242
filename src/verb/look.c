// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "verb/look.h"

/* --width, else the terminal's, else COLUMNS, else a report's own. */
static int width(const struct options *o, FILE *f)
{
	const char *columns = getenv("COLUMNS");
	long n = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize ws;

	if (o->width)
		return o->width;
	if (isatty(fileno(f)) && !ioctl(fileno(f), TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col;
	return n >= VIEW_WIDTH_MIN && n <= OPTION_WIDTH_MAX ? (int)n : VIEW_WIDTH;
}

bool look__colored(const struct options *o)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->no_color || (no && *no) || !term || !*term)
		return false;
	return strcmp(term, "dumb") != 0;
}

static const struct field *sort_field(const struct options *o)
{
	return field__find(o->sort ? o->sort : "charges");
}

struct view_opts look__at(const struct options *o, FILE *f)
{
	return (struct view_opts){
		.width = width(o, f),
		.rows = o->rows ? o->rows : VIEW_ROWS,
		.color = look__colored(o) && isatty(fileno(f)),
		.ascii = o->ascii,
		.cpus = o->cpus,
		.sort = o->sort ? sort_field(o) : NULL,
		.columns = o->columns,
	};
}

void look__order(const struct options *o, struct model *m)
{
	model__sort(m, sort_field(o));
	if (o->filter)
		model__filter(m, o->filter);
}
