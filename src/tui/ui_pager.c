// SPDX-License-Identifier: GPL-2.0-only
/* Texts that are scrolled: panes, details, the verdict, the help. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui_parts.h"

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

struct pager *ui__pager(struct ui *u)
{
	const unsigned int in = u->over ? u->over : u->view;

	if (!(in & IN_PAGER))
		return NULL;
	return &u->pagers[__builtin_ctz(in)];
}

void pager__forget(struct pager *p)
{
	free(p->text);
	free(p->lines);
	p->text = NULL;
	p->lines = NULL;
	p->n = 0;
	p->there = false;
}

static const struct model_row *row_of(const struct model *m, uint64_t id)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (m->rows[i].row->id == id)
			return &m->rows[i];
	return NULL;
}

static const struct model_cpu *cpu_of(const struct model *m, uint64_t cpu)
{
	for (size_t i = 0; i < m->ncpus; i++)
		if (m->cpus[i].cpu->cpu == cpu)
			return &m->cpus[i];
	return NULL;
}

/* What the pane is of. False: it is not there any more. */
static bool pane_of(const struct ui *u, unsigned int in, struct pane_of *of)
{
	const struct model *m = &u->seen.model;
	static const enum pane panes[] = {
		[2] = PANE_EVICTIONS, [3] = PANE_DRAINS,  [4] = PANE_TIMES,
		[5] = PANE_PROBES,    [7] = PANE_VERDICT,
	};

	if (in != IN_DETAIL) {
		of->pane = panes[__builtin_ctz(in)];
		return true;
	}
	of->pane = u->over_view == IN_CPUS ? PANE_CPU : PANE_CGROUP;
	of->row = of->pane == PANE_CGROUP ? row_of(m, u->detail) : NULL;
	of->cpu = of->pane == PANE_CPU ? cpu_of(m, u->detail) : NULL;
	return of->row || of->cpu;
}

static void key_names(FILE *f, const struct action *a)
{
	char name[KEY_NAME_LEN], all[64] = "";

	for (const int *k = a->keys; *k; k++) {
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", *all ? " " : "",
			 key__name(name, *k));
	}
	fprintf(f, "  %-14s ", all);
}

static int help(FILE *f, const struct ui *u)
{
	fprintf(f, "memcgtop %s: what charging sockets to memory cgroups costs\n",
		MEMCGTOP_VERSION);
	for (size_t i = 0; i < nactions; i++) {
		const struct action *a = &actions[i];

		if (!a->help || a->when == (u->o.replay ? WHEN_LIVE : WHEN_REPLAY))
			continue;
		if (!a->run) {
			fprintf(f, "\n" BOLD "%s" PLAIN "\n", a->help);
			continue;
		}
		key_names(f, a);
		fprintf(f, "%s\n", a->help);
	}
	return 0;
}

static int write_text(FILE *f, struct ui *u, unsigned int in, int width)
{
	const struct view_opts o = {
		.width = width,
		.rows = -1,
		.color = true,
		.ascii = u->o.ascii,
		.sort = u->tables[0].sort,
	};
	struct pane_of of = {};

	if (in == IN_HELP)
		return help(f, u);
	if (ui__first_interval(u) && in != IN_PROBES) {
		fputs(u->o.replay ? "No interval was recorded.\n"
				  : "The first interval is not over yet.\n",
		      f);
		return 0;
	}
	if (!pane_of(u, in, &of)) {
		fprintf(f, "%s is not in this interval.\n", u->detail_name ? u->detail_name : "It");
		return 0;
	}
	return view__pane(f, &u->seen.model, &o, &of);
}

static int split(struct pager *p)
{
	size_t n = 0;

	for (const char *s = p->text; *s; s++)
		n += *s == '\n';
	p->lines = calloc(n + 2, sizeof(p->lines[0]));
	if (!p->lines)
		return -ENOMEM;
	for (char *s = p->text; *s;) {
		char *end = strchrnul(s, '\n');
		const bool last = !*end;

		p->lines[p->n++] = s;
		*end = '\0';
		s = last ? end : end + 1;
	}
	return 0;
}

int pager__prepare(struct ui *u, struct pager *p, unsigned int in, int width)
{
	char *text = NULL;
	size_t n;
	FILE *f;
	int err;

	if (p->there && p->width == width && (p->stamp == u->stamp || in == IN_HELP))
		return 0;
	f = open_memstream(&text, &n);
	if (!f)
		return -ENOMEM;
	err = write_text(f, u, in, width);
	if (fclose(f) || err) {
		free(text);
		return -ENOMEM;
	}
	pager__forget(p);
	p->text = text;
	p->width = width;
	p->stamp = u->stamp;
	p->there = !split(p);
	return p->there ? 0 : -ENOMEM;
}

/* The styles of the text are two escape sequences. */
static void draw_line(struct screen *s, int y, const char *text, bool found)
{
	unsigned int style = found ? STYLE_REVERSE : STYLE_PLAIN;
	char piece[1024];
	int x = 0;

	while (*text && x < screen__width(s)) {
		size_t n = strcspn(text, "\033");

		if (!n) {
			const bool bold = !strncmp(text, BOLD, strlen(BOLD));

			style = bold ? style | STYLE_BOLD : style & ~(unsigned int)STYLE_BOLD;
			text += strcspn(text, "m");
			text += *text == 'm';
			continue;
		}
		/* not in the middle of a character */
		if (n >= sizeof(piece))
			for (n = sizeof(piece) - 1; ((unsigned char)text[n] & 0xc0) == 0x80;)
				n--;
		memcpy(piece, text, n);
		piece[n] = '\0';
		x += screen__put(s, y, x, screen__width(s) - x, style, piece);
		text += n;
	}
}

void pager__move(struct pager *p, long by)
{
	const size_t last = p->n > (size_t)p->rows ? p->n - (size_t)p->rows : 0;

	if (by < 0)
		p->top = p->top > (size_t)-by ? p->top - (size_t)-by : 0;
	else
		p->top = p->top + (size_t)by < last ? p->top + (size_t)by : last;
}

bool text__contains(const char *a, const char *b)
{
	return strcasestr(a, b) != NULL;
}

bool pager__find(struct pager *p, const char *text, size_t from, int step)
{
	for (size_t tried = 0; tried < p->n; tried++) {
		size_t i = step > 0 ? (from + tried) % p->n : (from + 2 * p->n - tried) % p->n;

		if (text__contains(p->lines[i], text)) {
			p->top = i;
			return true;
		}
	}
	return false;
}

void pager__draw(struct ui *u, struct screen *s, int y, int height)
{
	const unsigned int in = u->over & IN_PAGER ? u->over : u->view;
	struct pager *p = &u->pagers[__builtin_ctz(in)];

	if (height < 1 || pager__prepare(u, p, in, screen__width(s)))
		return;
	p->rows = height;
	pager__move(p, 0);
	for (int i = 0; i < height && p->top + (size_t)i < p->n; i++) {
		const char *line = p->lines[p->top + (size_t)i];

		draw_line(s, y + i, line, *u->search && text__contains(line, u->search));
	}
}
