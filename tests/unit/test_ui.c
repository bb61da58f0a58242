// SPDX-License-Identifier: GPL-2.0-only
// links: tui/ui*.c tui/keys.c tui/screen.c view/*.c compare/*.c model/*.c sample/sample.c sample/store_names.c text/*.c ../tests/unit/window.c ../tests/unit/ui_fixture.c ../tests/unit/golden.c gate/*.c error.c
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui_fixture.h"

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

/* What the texts say is tested where they are made (test_pane.c); here, that they are there. */
static void test_texts(void **state)
{
	static const struct {
		const char *window, *keys, *shows, *key_line;
	} texts[] = {
		{"demo", "3", "/demo/c0", "F1 help  Tab drains"},
		{"limit", "4", "drain_all_stock", "F1 help  Tab times"},
		{"demo", "5", "walk_ns", "F1 help  Tab probes"},
		{"demo", "6", "try_charge_memcg", "F1 help  Tab cgroups"},
		{"demo", "\n", "/demo/c0", "F1 help  Esc back"},
		{"demo", "2\n", "CPU 1", "F1 help  Esc back"},
		{"demo", "v", "slot thrash on CPU 1", "F1 help  Esc back"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fixture f;
		unsigned int style;

		start(&f, texts[i].window, 80, 24, true);
		type(&f, texts[i].keys);
		assert_shows(&f, texts[i].shows);
		assert_int_equal(line_with(&f, texts[i].key_line), 23);
		/* its first word is bold, and no escape sequence is left */
		screen__cell(f.s, strstr(texts[i].key_line, "Esc") ? 1 : 5, 0, &style);
		assert_int_equal(style, STYLE_BOLD);
		assert_not(&f, "[1m");
		assert_not(&f, "?[");
		close_all(&f);
	}
}

/* A text stays where it was scrolled to when the next sample comes. */
static void test_text_stays(void **state)
{
	struct fixture f;
	char top[256];

	(void)state;
	start(&f, "demo", 80, 24, true);
	press(&f, '\n');
	press(&f, K_PAGE_DOWN);
	press(&f, 'j');
	snprintf(top, sizeof(top), "%.20s", line(&f, 1));
	assert_not(&f, "cgroup   /demo/c0");
	more(&f);
	draw(&f);
	assert_memory_equal(line(&f, 1), top, 20);
	press(&f, 'G');
	press(&f, K_DOWN);
	assert_shows(&f, " of ");
	press(&f, 'g');
	assert_shows(&f, "cgroup   /demo/c0");
	close_all(&f);
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

/* --- the verdict */

/* Of each width: the whole sentence, or words from its beginning and dots, without the comma between. */
static void test_verdict_is_cut_at_words(void **state)
{
	static const char whole[] =
		"slot thrash on CPU 1: 9 memcgs share 7 slots and evict each other.";
	struct fixture f;

	(void)state;
	for (int width = 40; width <= 120; width++) {
		char got[200], *end;

		start(&f, "demo", width, 24, true);
		snprintf(got, sizeof(got), "%s", strstr(line(&f, 2), "slot thrash"));
		end = strstr(got, "  ");
		if (end)
			*end = '\0';
		end = strstr(got, "...");
		if (!end) {
			assert_string_equal(got, whole);
		} else {
			*end = '\0';
			assert_int_equal(strncmp(got, whole, strlen(got)), 0);
			assert_non_null(strchr(" :.", whole[strlen(got)]));
			assert_null(strchr(" :.", got[strlen(got) - 1]));
		}
		close_all(&f);
	}
	start(&f, "idle", 80, 24, true);
	assert_shows(&f, "no verdict: 0 charges are too few");
	close_all(&f);
}

/* --- the first interval */

static void test_first_interval(void **state)
{
	struct fixture f;

	(void)state;
	open_at(&f, "many", 80, 24, true);
	draw(&f);
	assert_shows(&f, "nothing was measured yet");
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
	assert_shows(&f, "is not in this interval");
	press(&f, K_ESC);
	assert_int_equal(line_with(&f, selected(&f)), y);
	assert_null(strstr(selected(&f), "od-03"));
	close_all(&f);
}

static void name_row(struct sample *s, const char *before, const char *path)
{
	for (size_t i = 0; i < s->nrows; i++)
		if (s->rows[i].path && !strcmp(s->rows[i].path, before)) {
			free(s->rows[i].path);
			s->rows[i].path = strdup(path);
			assert_non_null(s->rows[i].path);
			s->rows[i].path_len = (uint32_t)strlen(path);
			return;
		}
	fail_msg("no %s", before);
}

/* Both would be shop/web. */
static void test_names_that_would_be_equal(void **state)
{
	struct fixture f;
	struct sample *s;

	(void)state;
	start(&f, "demo", 80, 24, true);
	s = taken("demo", f.tenths++);
	name_row(s, "/demo/c1", "/shop.slice/web.service");
	name_row(s, "/demo/c2", "/shop/web");
	name_row(s, "/demo/c3", "/shop.slice/db.service");
	assert_int_equal(ui__sample(f.u, s), 0);
	draw(&f);
	assert_shows(&f, " /shop.slice/web.service ");
	assert_shows(&f, " /shop/web ");
	assert_shows(&f, " shop/db ");
	assert_shows(&f, " demo/c4 ");
	/* in a tree they stand below different parents */
	press(&f, 't');
	assert_shows(&f, " web ");
	assert_not(&f, "web.service");
	close_all(&f);
}

/* The other one does not have to be on the screen. */
static void test_names_beyond_the_screen(void **state)
{
	struct fixture f;
	struct sample *s;

	(void)state;
	start(&f, "demo", 80, 14, true);
	s = taken("demo", f.tenths++);
	name_row(s, "/demo/c8", "/demo.slice/c0");
	assert_int_equal(ui__sample(f.u, s), 0);
	press(&f, K_HOME);
	assert_shows(&f, "> /demo/c0 ");
	assert_shows(&f, " demo/c1 ");
	assert_not(&f, "demo.slice");
	press(&f, K_END);
	assert_shows(&f, " /demo.slice/c0 ");
	assert_shows(&f, " demo/c7 ");
	close_all(&f);
}

/* Of names that have no room, what differs stays, also where a mark takes of the room. */
static void test_elided_names_differ(void **state)
{
	static const char *const paths[] = {
		"/machine.slice/machine-a1.scope/payload/very-long-name/of-what/init.scope",
		"/machine.slice/machine-a2.scope/payload/very-long-name/of-what/init.scope",
		"/machine.slice/machine-a3.scope/payload/very-long-name/of-what/init.scope",
		"/machine.slice/machine-a4.scope/payload/very-long-name/of-what/init.scope",
	};
	char names[4][80];
	struct fixture f;
	struct sample *s;
	size_t n = 0;

	(void)state;
	start(&f, "demo", 80, 24, true);
	s = taken("demo", f.tenths++);
	for (size_t i = 0; i < 4; i++) {
		char before[16];

		snprintf(before, sizeof(before), "/demo/c%zu", i);
		name_row(s, before, paths[i]);
	}
	for (size_t i = 0; i < s->nrows; i++)
		if (s->rows[i].path && strstr(s->rows[i].path, "machine-a") && i % 2)
			s->rows[i].state = ROW_DELETED;
	assert_int_equal(ui__sample(f.u, s), 0);
	press(&f, 'd');
	for (int y = 0; y < 24; y++) {
		const char *l = line(&f, y);

		if (!strstr(l, "it ") && !strstr(l, "it (del) "))
			continue;
		assert_true(n < 4);
		snprintf(names[n], sizeof(names[0]), "%.*s", (int)strcspn(l + 2, " "), l + 2);
		assert_non_null(strstr(names[n], "..."));
		for (size_t i = 0; i < n; i++)
			assert_string_not_equal(names[i], names[n]);
		n++;
	}
	assert_int_equal(n, 4);
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
	assert_shows(&f, "per second");
	press(&f, 'm');
	assert_shows(&f, "CHARGES");
	assert_shows(&f, "per interval");
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

static void test_order(void **state)
{
	struct fixture f;
	char first[256];

	(void)state;
	start(&f, "many", 80, 24, true);
	snprintf(first, sizeof(first), "%s", line(&f, 7));
	press(&f, 'I');
	assert_string_not_equal(line(&f, 7), first);
	assert_shows(&f, "od-13");
	press(&f, 'I');
	assert_string_equal(line(&f, 7), first);
	close_all(&f);
}

/* An interval in which nothing happened has its own verdict. */
static void test_verdict_of_each(void **state)
{
	struct fixture f;
	struct sample *s;

	(void)state;
	start(&f, "many", 80, 24, true);
	assert_shows(&f, "! slot thrash");
	s = taken("many", 2);
	s->time_ns += SECOND;
	assert_int_equal(ui__sample(f.u, s), 0);
	draw(&f);
	assert_not(&f, "slot thrash");
	assert_shows(&f, "0 charges are too few");
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

/* Of an old kernel the lock is not seen: the menu says so instead of what it is. */
static void test_menu_says_why(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, "old", 132, 43, true);
	press(&f, 's');
	type(&f, "walks_under");
	assert_shows(&f, ">[ ] walks_under_lock     LOCKED    - ");
	assert_not(&f, "while holding");
	/* what nothing begins with begins anew; Esc changes nothing */
	type(&f, "zzz");
	press(&f, K_ESC);
	assert_shows(&f, "CHARGE/sv");
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
	press(&f, 'G');
	press(&f, 'k');
	press(&f, '*');
	assert_not(&f, "pod-00");
	assert_non_null(strstr(selected(&f), "> + kubepods"));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_views),
		cmocka_unit_test(test_golden_sizes),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_text_stays),
		cmocka_unit_test(test_verdict_is_cut_at_words),
		cmocka_unit_test(test_first_interval),
		cmocka_unit_test(test_selection_stays),
		cmocka_unit_test(test_selection_at_first),
		cmocka_unit_test(test_selection_of_gone),
		cmocka_unit_test(test_names_that_would_be_equal),
		cmocka_unit_test(test_names_beyond_the_screen),
		cmocka_unit_test(test_elided_names_differ),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_rest_adds_up),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_sorting),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_verdict_of_each),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_menu_says_why),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_tree),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
