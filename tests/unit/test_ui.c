// SPDX-License-Identifier: GPL-2.0-only
// links: tui/ui*.c tui/keys.c tui/screen.c view/*.c model/*.c sample/sample.c sample/store_names.c text/*.c ../tests/unit/window.c
#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/fields.h"
#include "tui/keys.h"
#include "tui/ui.h"
#include "window.h"

#define SECOND 1000000000ull

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
static struct sample *taken(const char *name, uint64_t tenths)
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

struct fixture {
	struct ui *u;
	struct screen *s;
	const char *name;
	uint64_t tenths;
};

static void open_with(struct fixture *f, const char *name, int width, int height,
		      const struct ui_options *o)
{
	*f = (struct fixture){.u = ui__new(o), .s = screen__new(width, height), .name = name};
	assert_non_null(f->u);
	assert_non_null(f->s);
}

static void open_at(struct fixture *f, const char *name, int width, int height, bool ascii)
{
	const struct ui_options o = {.ascii = ascii, .interval_ns = 2 * SECOND};

	open_with(f, name, width, height, &o);
}

static void close_all(struct fixture *f)
{
	ui__free(f->u);
	screen__free(f->s);
}

static void more(struct fixture *f)
{
	assert_int_equal(ui__sample(f->u, taken(f->name, f->tenths++)), 0);
}

static void draw(struct fixture *f)
{
	ui__draw(f->u, f->s);
}

/* Three samples: two intervals. */
static void start(struct fixture *f, const char *name, int width, int height, bool ascii)
{
	open_at(f, name, width, height, ascii);
	for (int i = 0; i < 3; i++)
		more(f);
	draw(f);
}

static unsigned int press(struct fixture *f, int key)
{
	unsigned int reaction = ui__key(f->u, key);

	draw(f);
	return reaction;
}

static void type(struct fixture *f, const char *text)
{
	for (; *text; text++)
		press(f, (unsigned char)*text);
}

static const char *line(const struct fixture *f, int y)
{
	static char text[4096];

	text[0] = '\0';
	for (int x = 0; x < screen__width(f->s); x++)
		strcat(text, screen__cell(f->s, y, x, NULL));
	for (size_t n = strlen(text); n && text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	return text;
}

static int line_with(const struct fixture *f, const char *of)
{
	char text[256];

	/* it may be what line() gave, and will give again */
	snprintf(text, sizeof(text), "%s", of);
	for (int y = 0; y < screen__height(f->s); y++)
		if (strstr(line(f, y), text))
			return y;
	return -1;
}

static void assert_shows(const struct fixture *f, const char *text)
{
	if (line_with(f, text) >= 0)
		return;
	for (int y = 0; y < screen__height(f->s); y++)
		print_error("|%s\n", line(f, y));
	fail_msg("the screen does not show '%s'", text);
}

static void assert_not(const struct fixture *f, const char *text)
{
	if (line_with(f, text) >= 0)
		fail_msg("the screen shows '%s'", text);
}

/* The line with `>`. */
static const char *selected(const struct fixture *f)
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

static char *dump(const struct fixture *f)
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

/* REGENERATE=1 in the environment writes the files anew; look at the difference then. */
static void golden(const struct fixture *f, const char *name)
{
	const char *top = getenv("TOP");
	char path[256], *text = dump(f), *expected;
	FILE *file;
	long n;

	snprintf(path, sizeof(path), "%s/tests/golden/tui-%s-%dx%d.txt", top ? top : ".", name,
		 screen__width(f->s), screen__height(f->s));
	file = fopen(path, getenv("REGENERATE") ? "w" : "r");
	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	if (getenv("REGENERATE")) {
		fputs(text, file);
		assert_int_equal(fclose(file), 0);
		free(text);
		return;
	}
	fseek(file, 0, SEEK_END);
	n = ftell(file);
	rewind(file);
	expected = calloc((size_t)n + 1, 1);
	assert_int_equal(fread(expected, 1, (size_t)n, file), n);
	fclose(file);
	if (strcmp(expected, text))
		print_error("%s differs; REGENERATE=1 writes it anew\n", path);
	assert_string_equal(text, expected);
	free(expected);
	free(text);
}

static void golden_of(const char *window, const char *name, int width, int height, bool ascii,
		      const char *keys)
{
	struct fixture f;

	start(&f, window, width, height, ascii);
	type(&f, keys);
	golden(&f, name);
	close_all(&f);
}

static void test_golden_views(void **state)
{
	(void)state;
	golden_of("many", "cgroups", 80, 24, true, "");
	golden_of("many", "utf8", 80, 24, false, "j");
	golden_of("names", "names", 132, 43, false, "");
	golden_of("names", "names-full", 60, 20, true, "l");
	golden_of("many", "tree", 80, 24, true, "tjj");
	golden_of("many", "cpus", 80, 24, true, "2");
	golden_of("demo", "evictions", 80, 24, true, "3");
	golden_of("limit", "drains", 80, 24, true, "4");
	golden_of("demo", "times", 80, 24, true, "5");
	golden_of("demo", "probes", 100, 40, true, "6");
	golden_of("demo", "detail", 80, 24, true, "\n");
	golden_of("demo", "verdict", 80, 24, true, "v");
	golden_of("demo", "help", 80, 64, true, "h");
	golden_of("many", "sort", 80, 24, true, "swal");
	golden_of("many", "columns", 132, 43, true, "c \033");
	golden_of("many", "delta", 80, 24, true, "m");
	golden_of("many", "total", 80, 24, true, "mm");
	golden_of("untrusted", "untrusted", 80, 24, true, "");
	golden_of("idle", "idle", 80, 24, true, "");
	golden_of("old", "old", 80, 24, true, "");
	golden_of("per-counter", "per-counter", 80, 24, true, "");
}

static void test_golden_sizes(void **state)
{
	(void)state;
	golden_of("many", "size", 132, 43, true, "");
	golden_of("many", "size", 400, 100, true, "");
	golden_of("many", "size", 60, 16, true, "");
	golden_of("many", "size", 40, 10, true, "");
	golden_of("many", "size", 40, 6, true, "");
	golden_of("many", "size", 10, 2, true, "");
	golden_of("many", "size", 1, 1, true, "");
}

/* --- the first interval */

static void test_first_interval(void **state)
{
	struct fixture f;

	(void)state;
	open_at(&f, "many", 80, 24, true);
	draw(&f);
	assert_shows(&f, "no sample yet");
	press(&f, 'j');
	press(&f, '\n');
	press(&f, 'v');
	press(&f, K_ESC);
	f.tenths = 3;
	more(&f);
	draw(&f);
	golden(&f, "first");
	assert_shows(&f, "first interval: 2 s");
	assert_shows(&f, "charges -  miss -");
	/* neither is there a value in the other views */
	for (int view = '2'; view <= '5'; view++) {
		press(&f, view);
		assert_not(&f, "  0");
	}
	more(&f);
	press(&f, '1');
	assert_not(&f, "first interval");
	assert_not(&f, "charges -");
	close_all(&f);
}

/* --- the selection */

/* One cgroup charges a lot in the next interval. */
static void make_busy(struct sample *s, size_t row)
{
	s->rows[row].c[CHARGE_AT(KIND_SOCK, LEVEL_TASK)] += 50000000;
}

static void test_selection_stays(void **state)
{
	struct fixture f;
	struct sample *s;
	char before[256];

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, 'j');
	press(&f, 'j');
	snprintf(before, sizeof(before), "%.24s", selected(&f));
	s = taken("many", f.tenths++);
	make_busy(s, 40);
	assert_int_equal(ui__sample(f.u, s), 0);
	draw(&f);
	/* another is first now, and it went a line down */
	assert_memory_equal(selected(&f), before, 24);
	assert_true(line_with(&f, selected(&f)) > 9);
	press(&f, 'I');
	assert_memory_equal(selected(&f), before, 24);
	press(&f, 't');
	assert_non_null(strstr(selected(&f), ">"));
	close_all(&f);
}

/* As long as nobody moved it, it stands on the first line. */
static void test_selection_at_first(void **state)
{
	struct fixture f;
	struct sample *s;

	(void)state;
	start(&f, "many", 80, 24, true);
	s = taken("many", f.tenths++);
	make_busy(s, 40);
	assert_int_equal(ui__sample(f.u, s), 0);
	draw(&f);
	assert_non_null(strstr(selected(&f), "od-39"));
	close_all(&f);
}

static void drop_row(struct sample *s, const char *part)
{
	for (size_t i = 0; i < s->nrows; i++)
		if (s->rows[i].path && strstr(s->rows[i].path, part)) {
			struct row gone = s->rows[i];

			s->rows[i] = s->rows[s->nrows - 1];
			s->rows[s->nrows - 1] = gone;
			free(gone.path);
			free(gone.cpu_updates);
			free(gone.cpu_charges);
			free(gone.times);
			s->nrows--;
			return;
		}
}

static void test_selection_of_gone(void **state)
{
	struct fixture f;
	struct sample *s;
	int y;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, '/');
	type(&f, "pod-03\n");
	assert_non_null(strstr(selected(&f), "od-03"));
	y = line_with(&f, selected(&f));
	press(&f, '\n');
	assert_shows(&f, "pod-03");
	s = taken("many", f.tenths++);
	drop_row(s, "pod-03");
	assert_int_equal(ui__sample(f.u, s), 0);
	draw(&f);
	assert_shows(&f, "is not in this sample");
	press(&f, K_ESC);
	assert_int_equal(line_with(&f, selected(&f)), y);
	assert_null(strstr(selected(&f), "od-03"));
	close_all(&f);
}

static void test_moving(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, 'G');
	assert_non_null(strstr(selected(&f), "(other)"));
	press(&f, K_DOWN);
	assert_non_null(strstr(selected(&f), "(other)"));
	press(&f, K_UP);
	assert_null(strstr(selected(&f), "(other)"));
	press(&f, 'g');
	press(&f, 'k');
	assert_non_null(strstr(selected(&f), "od-00"));
	press(&f, K_PAGE_DOWN);
	assert_null(strstr(selected(&f), "od-00"));
	press(&f, K_PAGE_UP);
	assert_non_null(strstr(selected(&f), "od-00"));
	close_all(&f);
}

/* --- what is shown */

/* What is on the screen and what is not adds up: in each place of the list. */
static void test_rest_adds_up(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, 'm');
	for (int i = 0; i < 2; i++) {
		uint64_t sum = 0, n = 0, total = 0;

		for (int y = 7; y < 22; y++) {
			const char *text = line(&f, y);
			double value;
			char unit = ' ';

			if (strlen(text) < 36 || sscanf(text + 26, "%lf%c", &value, &unit) < 1)
				continue;
			value *= unit == 'k' ? 1000 : 1;
			if (strstr(text, "total"))
				total = (uint64_t)value;
			else
				sum += (uint64_t)value, n++;
		}
		assert_true(n > 10 && total > 10000);
		/* three digits are shown of each */
		assert_true(sum > total - total / 50 && sum < total + total / 50);
		press(&f, 'G');
	}
	close_all(&f);
}

static void test_modes(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	assert_shows(&f, "CHARGE/s");
	assert_shows(&f, "a second");
	press(&f, 'm');
	assert_shows(&f, "CHARGES");
	assert_shows(&f, "interval");
	press(&f, 'm');
	assert_shows(&f, "since 19:38:07");
	/* in this mode the history goes on */
	more(&f);
	press(&f, 'm');
	assert_shows(&f, "CHARGE/s 6 s");
	close_all(&f);
}

static void test_sorting(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	assert_shows(&f, "CHARGE/sv");
	press(&f, '>');
	assert_shows(&f, "MISS%v");
	/* there is a history of it at once */
	assert_shows(&f, "MISS% 4 s");
	/* the reason is no number: it is passed over */
	press(&f, '.');
	assert_shows(&f, "EVICT/sv");
	press(&f, '<');
	assert_shows(&f, "MISS%v");
	press(&f, 'R');
	assert_shows(&f, "MISS%^");
	press(&f, 's');
	type(&f, "walks");
	press(&f, K_ENTER);
	assert_shows(&f, "WALK/s^");
	/* what is no column can be sorted by as well */
	press(&f, 's');
	type(&f, "forced\n");
	assert_shows(&f, "FORCED/s 4 s");
	close_all(&f);
}

static void test_columns(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	assert_not(&f, "FORCED");
	press(&f, 'c');
	type(&f, "forced ");
	press(&f, K_ESC);
	assert_shows(&f, "AMPL FORCED/s");
	press(&f, 'c');
	type(&f, "ampl");
	press(&f, ' ');
	press(&f, K_ENTER);
	assert_not(&f, "AMPL");
	assert_shows(&f, "FORCED/s");
	/* the CPUs have their own */
	press(&f, '2');
	assert_shows(&f, "MEMCGS");
	assert_not(&f, "FORCED/s");
	close_all(&f);
}

static void test_filter(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, 'f');
	assert_shows(&f, "Filter:");
	type(&f, "pod-0\n");
	assert_shows(&f, "od-07/");
	assert_not(&f, "od-1");
	assert_shows(&f, "filter pod-0");
	press(&f, '\\');
	press(&f, CTRL_KEY('U'));
	type(&f, "nosuch\n");
	assert_not(&f, "od-0");
	/* escaped, it stays as it was */
	press(&f, 'f');
	press(&f, K_BACKSPACE);
	press(&f, K_ESC);
	assert_shows(&f, "filter nosuch");
	press(&f, 'f');
	press(&f, CTRL_KEY('W'));
	press(&f, K_ENTER);
	assert_shows(&f, "od-00/");
	assert_not(&f, "CGROUP  filter");
	close_all(&f);
}

static void test_prompt(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, false);
	press(&f, '/');
	press(&f, 'q');
	press(&f, 0xe9);
	press(&f, 0x6f22);
	press(&f, 0x1f600);
	assert_shows(&f, "Search: q\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80");
	press(&f, K_BACKSPACE);
	press(&f, K_BACKSPACE);
	assert_shows(&f, "Search: q\xc3\xa9");
	press(&f, K_F1);
	press(&f, K_UP);
	press(&f, K_ENTER);
	assert_shows(&f, "! q\xc3\xa9 is not there");
	/* a message stays until the next key */
	press(&f, 'j');
	assert_not(&f, "is not there");
	press(&f, '/');
	for (int i = 0; i < 600; i++)
		press(&f, 'x');
	assert_int_equal(press(&f, CTRL_KEY('C')), UI_QUIT);
	close_all(&f);
}

static void test_search(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, 'n');
	assert_shows(&f, "nothing to search");
	press(&f, '/');
	type(&f, "POD-2");
	assert_non_null(strstr(selected(&f), "od-2"));
	press(&f, K_ESC);
	assert_non_null(strstr(selected(&f), "od-00"));
	press(&f, '/');
	type(&f, "pod-3\n");
	assert_non_null(strstr(selected(&f), "od-30"));
	press(&f, 'n');
	assert_non_null(strstr(selected(&f), "od-31"));
	press(&f, 'N');
	press(&f, 'N');
	assert_non_null(strstr(selected(&f), "od-39"));
	/* in a text */
	press(&f, 'h');
	press(&f, '/');
	type(&f, "the end\n");
	assert_shows(&f, "The end");
	close_all(&f);
}

static void test_tree(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, 't');
	press(&f, 'g');
	assert_non_null(strstr(selected(&f), "> - kubepods"));
	press(&f, K_LEFT);
	assert_non_null(strstr(selected(&f), "> + kubepods"));
	assert_not(&f, "pod-00");
	press(&f, K_ENTER);
	assert_shows(&f, "pod-00");
	press(&f, '*');
	assert_not(&f, "pod-00");
	press(&f, K_RIGHT);
	press(&f, '*');
	press(&f, 'j');
	press(&f, 'j');
	press(&f, 'j');
	press(&f, K_LEFT);
	press(&f, K_LEFT);
	press(&f, K_LEFT);
	press(&f, K_LEFT);
	press(&f, K_LEFT);
	assert_non_null(strstr(selected(&f), "kubepods"));
	close_all(&f);
}

/* --- time */

static void test_pause(void **state)
{
	struct fixture f;
	char *before, *after;

	(void)state;
	start(&f, "many", 80, 24, true);
	press(&f, ' ');
	assert_shows(&f, "PAUSED");
	before = dump(&f);
	more(&f);
	more(&f);
	draw(&f);
	after = dump(&f);
	assert_string_equal(before, after);
	free(before);
	free(after);
	/* what is shown is sorted, filtered and measured otherwise also while paused */
	press(&f, 'm');
	press(&f, 'm');
	press(&f, 'm');
	press(&f, '>');
	assert_shows(&f, "19:38:11");
	press(&f, 'p');
	assert_not(&f, "PAUSED");
	assert_shows(&f, "19:38:15");
	/* what passed in between is in the history */
	assert_shows(&f, "MISS% 8 s");
	close_all(&f);
}

static void test_interval(void **state)
{
	static const uint64_t up[] = {5, 10, 30, 60};
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	for (size_t i = 0; i < 4; i++) {
		assert_true(press(&f, '+') & UI_INTERVAL);
		assert_int_equal(ui__interval(f.u), up[i] * SECOND);
	}
	assert_int_equal(press(&f, '+'), UI_NOTHING);
	assert_shows(&f, "every 60 s");
	for (int i = 0; i < 8; i++)
		assert_true(press(&f, '-') & UI_INTERVAL);
	assert_int_equal(ui__interval(f.u), SECOND / 10);
	assert_shows(&f, "every 100 ms");
	assert_int_equal(press(&f, '-'), UI_NOTHING);
	assert_int_equal(press(&f, 'r'), UI_SAMPLE);
	close_all(&f);
}

static void open_replay(struct fixture *f)
{
	const struct ui_options o = {.ascii = true, .interval_ns = 2 * SECOND, .replay = true};

	open_with(f, "many", 80, 24, &o);
	assert_int_equal(ui__jump(f->u, taken("many", 0), taken("many", 4), taken("many", 5)), 0);
	ui__position(f->u, 6, 11);
	draw(f);
}

static void test_replay(void **state)
{
	struct fixture f;

	(void)state;
	open_replay(&f);
	golden(&f, "replay");
	assert_shows(&f, "sample 6 of 11");
	assert_shows(&f, "19:38:17");
	assert_int_equal(press(&f, ']'), UI_SEEK | UI_DRAW);
	assert_int_equal(ui__seek(f.u).how, SEEK_STEP);
	assert_true(ui__seek(f.u).value == 1);
	press(&f, '[');
	assert_true(ui__seek(f.u).value == -1);
	press(&f, '{');
	assert_int_equal(ui__seek(f.u).how, SEEK_SECONDS);
	assert_true(ui__seek(f.u).value == -60);
	press(&f, '$');
	assert_int_equal(ui__seek(f.u).how, SEEK_LAST);
	press(&f, '0');
	assert_int_equal(ui__seek(f.u).how, SEEK_FIRST);
	/* live keys are not there */
	assert_int_equal(press(&f, '+'), UI_NOTHING);
	close_all(&f);
}

static void jump(struct fixture *f, const char *to)
{
	press(f, 'J');
	type(f, to);
	assert_int_equal(press(f, K_ENTER) & UI_SEEK, UI_SEEK);
}

static void test_jump(void **state)
{
	struct fixture f;

	(void)state;
	open_replay(&f);
	jump(&f, "19:38:09");
	assert_int_equal(ui__seek(f.u).how, SEEK_TIME);
	assert_true(ui__seek(f.u).value == 1796067489e3);
	jump(&f, "19:39");
	assert_true(ui__seek(f.u).value == 1796067540e3);
	jump(&f, "+30s");
	assert_int_equal(ui__seek(f.u).how, SEEK_SECONDS);
	assert_true(ui__seek(f.u).value == 30);
	jump(&f, "-5m");
	assert_true(ui__seek(f.u).value == -300);
	jump(&f, "2");
	assert_int_equal(ui__seek(f.u).how, SEEK_STEP);
	assert_true(ui__seek(f.u).value == -4);
	for (const char *const *bad = (const char *const[]){"x", "25:00", "12:61", "+x", "1:2:3:4",
							    "99999999999999999999", "-", NULL};
	     *bad; bad++) {
		press(&f, 'J');
		type(&f, *bad);
		assert_int_equal(press(&f, K_ENTER) & UI_SEEK, 0);
		assert_shows(&f, "neither a time");
	}
	close_all(&f);
}

static void test_play(void **state)
{
	struct fixture f;

	(void)state;
	open_replay(&f);
	assert_true(ui__speed(f.u) == 0);
	press(&f, ' ');
	assert_true(ui__speed(f.u) == 1);
	press(&f, 'P');
	press(&f, 'P');
	assert_true(ui__speed(f.u) == 5);
	assert_shows(&f, "5x");
	press(&f, ' ');
	assert_true(ui__speed(f.u) == 0);
	press(&f, ' ');
	assert_true(ui__speed(f.u) == 5);
	/* at the end there is nothing to play */
	ui__position(f.u, 11, 11);
	assert_true(ui__speed(f.u) == 0);
	press(&f, ' ');
	assert_true(ui__speed(f.u) == 0);
	close_all(&f);
}

/* Back to the first sample and on again: nothing is counted twice, nor lost. */
static void test_back_and_on(void **state)
{
	struct fixture f;

	(void)state;
	open_replay(&f);
	assert_int_equal(ui__jump(f.u, taken("many", 0), NULL, taken("many", 0)), 0);
	ui__position(f.u, 1, 11);
	draw(&f);
	assert_shows(&f, "first interval");
	for (uint64_t i = 1; i < 8; i++)
		assert_int_equal(ui__sample(f.u, taken("many", i)), 0);
	draw(&f);
	assert_shows(&f, "CHARGE/s 14 s");
	/* the history ends where one is */
	assert_int_equal(ui__jump(f.u, taken("many", 0), taken("many", 2), taken("many", 3)), 0);
	draw(&f);
	assert_shows(&f, "CHARGE/s 6 s");
	close_all(&f);
}

/* --- the table of keys */

static void test_keys_are_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < nactions; i++)
		for (const int *k = actions[i].keys; *k; k++)
			for (unsigned int in = 1; in <= IN_PROMPT; in <<= 1)
				for (int replay = 0; replay < 2; replay++) {
					if (!actions[i].run || !(actions[i].in & in) ||
					    actions[i].when == (replay ? WHEN_LIVE : WHEN_REPLAY))
						continue;
					/* the first that has the key is this one, or it never comes */
					if (action__find(*k, in, replay) != &actions[i])
						fail_msg("key %d of '%s' has two meanings", *k,
							 actions[i].help ? actions[i].help : "?");
				}
}

static void test_every_key_everywhere(void **state)
{
	static const char views[] = "123456vh";

	(void)state;
	for (int replay = 0; replay < 2; replay++)
		for (const char *view = views; *view; view++) {
			struct fixture f;

			if (replay)
				open_replay(&f);
			else
				start(&f, "names", 80, 24, true);
			for (size_t i = 0; i < nactions; i++)
				for (const int *k = actions[i].keys; *k; k++) {
					press(&f, *view);
					press(&f, *k);
					press(&f, K_ENTER);
					press(&f, K_ESC);
				}
			close_all(&f);
		}
}

/* --- anything, in any size */

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void check_screen(const struct fixture *f, bool ascii)
{
	for (int y = 0; y < screen__height(f->s); y++)
		for (int x = 0; x < screen__width(f->s); x++) {
			const char *cell = screen__cell(f->s, y, x, NULL);

			for (; *cell; cell++) {
				assert_false((unsigned char)*cell < ' ' || *cell == 0x7f);
				assert_false(ascii && (unsigned char)*cell > 0x7f);
			}
		}
}

static void stir(uint32_t seed, bool ascii, bool replay)
{
	static const char letters[] = "123456hvmsftclIRdnN/p r+-=<>,.gGjk[]{}JP0$* \\xyz?q";
	static const char *const names[] = {"names", "many", "demo", "limit", "idle"};
	const struct ui_options o = {.ascii = ascii, .interval_ns = SECOND, .replay = replay};
	struct fixture f;

	open_with(&f, names[seed % 5], 80, 24, &o);
	for (int i = 0; i < 400; i++) {
		uint32_t r = next_random(&seed);

		if (r % 11 == 0 && f.tenths < 10)
			more(&f);
		else if (r % 13 == 0)
			screen__resize(f.s, 1 + (int)(next_random(&seed) % 140),
				       1 + (int)(next_random(&seed) % 50));
		else if (r % 3 == 0)
			ui__key(f.u, K_UP + (int)(next_random(&seed) % 30));
		else if (r % 17 == 0)
			ui__key(f.u, (int)(next_random(&seed) % 0x3000));
		else if (r % 19 == 0)
			ui__key(f.u, next_random(&seed) & 1 ? K_ENTER : K_ESC);
		else
			ui__key(f.u, letters[next_random(&seed) % (sizeof(letters) - 1)]);
		draw(&f);
		check_screen(&f, ascii);
	}
	close_all(&f);
}

static void test_stirred(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 20; seed++)
		stir(seed, seed & 1, seed & 2);
}

static void test_options(void **state)
{
	const struct ui_options o = {
		.ascii = true,
		.tree = true,
		.full_names = true,
		.filter = "pod-1",
		.columns = "walks,why,charges",
		.sort = field__find("walks"),
		.interval_ns = SECOND / 2,
	};
	struct fixture f;

	(void)state;
	open_with(&f, "many", 80, 24, &o);
	for (int i = 0; i < 3; i++)
		more(&f);
	draw(&f);
	assert_shows(&f, "WALK/sv WHY       CHARGE/s");
	assert_shows(&f, "filter pod-1");
	assert_shows(&f, "every 500 ms");
	assert_shows(&f, "kubepods-burstable.slice");
	close_all(&f);
}

static void test_leaving(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "many", 80, 24, true);
	assert_int_equal(press(&f, K_ESC), UI_DRAW);
	assert_int_equal(press(&f, 'h'), UI_DRAW);
	assert_int_equal(press(&f, 'q'), UI_DRAW);
	assert_int_equal(press(&f, 'q'), UI_QUIT);
	assert_int_equal(press(&f, K_F1 + 9), UI_QUIT);
	assert_int_equal(press(&f, CTRL_KEY('C')), UI_QUIT);
	assert_int_equal(press(&f, K_HANGUP), UI_QUIT);
	assert_int_equal(press(&f, CTRL_KEY('Z')), UI_SUSPEND | UI_DRAW);
	assert_int_equal(press(&f, CTRL_KEY('L')), UI_REDRAW | UI_DRAW);
	assert_int_equal(press(&f, K_NONE), UI_NOTHING);
	ui__message(f.u, "the maps could not be read");
	draw(&f);
	assert_shows(&f, "! the maps could not be read");
	press(&f, 'j');
	assert_not(&f, "the maps could not be read");
	close_all(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_views),
		cmocka_unit_test(test_golden_sizes),
		cmocka_unit_test(test_first_interval),
		cmocka_unit_test(test_selection_stays),
		cmocka_unit_test(test_selection_at_first),
		cmocka_unit_test(test_selection_of_gone),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_rest_adds_up),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_sorting),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_play),
		cmocka_unit_test(test_back_and_on),
		cmocka_unit_test(test_keys_are_one),
		cmocka_unit_test(test_every_key_everywhere),
		cmocka_unit_test(test_stirred),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_leaving),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
