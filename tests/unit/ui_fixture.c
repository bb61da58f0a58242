// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "ui_fixture.h"
#include "window.h"

/* --- samples: the window's end, as it was when so many tenths of it had happened */

static void scale(uint64_t *list, size_t n, uint64_t tenths)
{
	for (size_t i = 0; i < n; i++)
		list[i] = list[i] / 10 * tenths + list[i] % 10 * tenths / 10;
}

#define SCALE(of, tenths) scale((uint64_t *)(of), sizeof(*(of)) / sizeof(uint64_t), tenths)

static void scale_row(const struct sample *s, struct row *r, uint64_t tenths)
{
	scale(r->c, C_NR, tenths);
	scale(r->cpu_updates, r->cpu_updates ? s->ncpus : 0, tenths);
	scale(r->cpu_charges, r->cpu_charges ? s->ncpus : 0, tenths);
	scale(&r->pressure_ns, 1, tenths);
	scale(&r->pressure_sets, 1, tenths);
	if (r->times)
		SCALE(r->times, tenths);
}

/* After so many tenths of the window, two seconds each. */
struct sample *taken(const char *name, uint64_t tenths)
{
	struct window w = window_of(name);
	struct sample *s = w.end;

	w.end = NULL;
	for (size_t i = 0; i < s->nrows; i++)
		scale_row(s, &s->rows[i], tenths);
	for (size_t i = 0; i < s->ncpus; i++) {
		scale(s->cpus[i].c, C_NR, tenths);
		scale(s->cpus[i].lost, LOSS_NR, tenths);
	}
	for (size_t i = 0; i < s->nprobes; i++) {
		scale(&s->probes[i].recorded, 1, tenths);
		scale(&s->probes[i].missed, 1, tenths);
	}
	for (size_t i = 0; s->spans && i < SPAN_NR; i++)
		SCALE(&s->spans[i], tenths);
	for (size_t i = 0; i < s->npairs; i++)
		SCALE(&s->pairs[i].count, tenths);
	for (size_t i = 0; i < s->ndrains; i++)
		scale(&s->drains[i].calls, 1, tenths);
	scale(&s->drain_all_busy, 1, tenths);
	scale(&s->stock.overflow_emptied, 1, tenths);
	s->time_ns = w.start->time_ns + tenths * 2 * SECOND;
	s->wall_ms = w.start->wall_ms + (int64_t)tenths * 2000;
	window__release(&w);
	return s;
}

/* --- a screen without a terminal */

void open_with(struct fixture *f, const char *name, int width, int height,
	       const struct ui_options *o)
{
	*f = (struct fixture){.u = ui__new(o), .s = screen__new(width, height), .name = name};
	assert_non_null(f->u);
	assert_non_null(f->s);
}

void open_at(struct fixture *f, const char *name, int width, int height, bool ascii)
{
	const struct ui_options o = {.ascii = ascii, .interval_ns = 2 * SECOND};

	open_with(f, name, width, height, &o);
}

void close_all(struct fixture *f)
{
	ui__free(f->u);
	screen__free(f->s);
}

void more(struct fixture *f)
{
	assert_int_equal(ui__sample(f->u, taken(f->name, f->tenths++)), 0);
}

void draw(struct fixture *f)
{
	ui__draw(f->u, f->s);
}

/* Three samples: two intervals. */
void start(struct fixture *f, const char *name, int width, int height, bool ascii)
{
	open_at(f, name, width, height, ascii);
	for (int i = 0; i < 3; i++)
		more(f);
	draw(f);
}

unsigned int press(struct fixture *f, int key)
{
	unsigned int reaction = ui__key(f->u, key);

	draw(f);
	return reaction;
}

void type(struct fixture *f, const char *text)
{
	for (; *text; text++)
		press(f, (unsigned char)*text);
}

const char *line(const struct fixture *f, int y)
{
	static char text[4096];

	text[0] = '\0';
	for (int x = 0; x < screen__width(f->s); x++)
		strcat(text, screen__cell(f->s, y, x, NULL));
	for (size_t n = strlen(text); n && text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	return text;
}

int line_with(const struct fixture *f, const char *of)
{
	char text[256];

	/* it may be what line() gave, and will give again */
	snprintf(text, sizeof(text), "%s", of);
	for (int y = 0; y < screen__height(f->s); y++)
		if (strstr(line(f, y), text))
			return y;
	return -1;
}

void assert_shows(const struct fixture *f, const char *text)
{
	if (line_with(f, text) >= 0)
		return;
	for (int y = 0; y < screen__height(f->s); y++)
		print_error("|%s\n", line(f, y));
	fail_msg("the screen does not show '%s'", text);
}

void assert_not(const struct fixture *f, const char *text)
{
	if (line_with(f, text) >= 0)
		fail_msg("the screen shows '%s'", text);
}

/* The line with `>`. */
const char *selected(const struct fixture *f)
{
	for (int y = 0; y < screen__height(f->s); y++)
		if (*line(f, y) == '>')
			return line(f, y);
	return "";
}

/* --- goldens: what stands there, then the styles of each line that has some */

static void style_letters(char *to, unsigned int style)
{
	static const char letters[] = "BRDWXGK";

	for (size_t i = 0; letters[i]; i++)
		if (style & (1U << i))
			*to++ = letters[i];
	*to = '\0';
}

static void dump_styles(FILE *out, const struct screen *s, int y)
{
	const int width = screen__width(s);
	bool any = false;

	for (int x = 0, end; x < width; x = end) {
		unsigned int style, other;
		char letters[16];

		screen__cell(s, y, x, &style);
		for (end = x; end < width; end++) {
			screen__cell(s, y, end, &other);
			if (other != style)
				break;
		}
		if (!style)
			continue;
		style_letters(letters, style);
		if (!any)
			fprintf(out, "%3d ", y);
		fprintf(out, " %d-%d:%s", x, end - 1, letters);
		any = true;
	}
	if (any)
		fputc('\n', out);
}

char *dump(const struct fixture *f)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	for (int y = 0; y < screen__height(f->s); y++)
		fprintf(out, "%s\n", line(f, y));
	fputs("--- styles\n", out);
	for (int y = 0; y < screen__height(f->s); y++)
		dump_styles(out, f->s, y);
	fclose(out);
	return text;
}

void golden(const struct fixture *f, const char *name)
{
	char file[128], *text = dump(f);

	snprintf(file, sizeof(file), "tui-%s-%dx%d.txt", name, screen__width(f->s),
		 screen__height(f->s));
	golden__compare(text, file);
	free(text);
}
