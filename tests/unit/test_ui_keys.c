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
#include <time.h>

#include <cmocka.h>

#include "model/fields.h"
#include "ui_fixture.h"

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
	assert_shows(&f, "interval 6 of 11");
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
	assert_shows(&f, "no interval was recorded");
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

/* --- many cgroups */

#define MANY 3000

static struct sample *many_more(struct sample *s)
{
	const size_t n = s->nrows;
	struct row *rows = realloc(s->rows, MANY * sizeof(rows[0]));

	assert_non_null(rows);
	s->rows = rows;
	for (; s->nrows < MANY; s->nrows++) {
		struct row *r = &rows[s->nrows];

		*r = rows[1 + s->nrows % (n - 1)];
		r->id = 100000 + s->nrows;
		r->cpu_updates = r->cpu_charges = NULL;
		assert_true(asprintf(&r->path, "/kubepods/pod%zu", s->nrows) > 0);
		r->path_len = strlen(r->path);
	}
	return s;
}

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Moving about builds nothing anew: it costs next to nothing beside a sample. */
static void test_moving_is_cheap(void **state)
{
	const struct ui_options o = {.ascii = true, .interval_ns = SECOND};
	double sample = 0, move = 0, begin;
	struct fixture f;

	(void)state;
	open_with(&f, "many", 132, 43, &o);
	for (uint64_t i = 0; i < 4; i++) {
		struct sample *s = many_more(taken("many", i));

		begin = cpu_ms();
		assert_int_equal(ui__sample(f.u, s), 0);
		draw(&f);
		sample += cpu_ms() - begin;
		begin = cpu_ms();
		press(&f, 'j');
		press(&f, K_PAGE_DOWN);
		press(&f, 'G');
		press(&f, 'g');
		move += cpu_ms() - begin;
	}
	print_message("%d cgroups: %.1f ms of CPU a sample, %.1f ms a key, with sanitizers\n", MANY,
		      sample / 4, move / 16);
	assert_true(move / 16 < sample / 4 / 4);
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
		cmocka_unit_test(test_moving_is_cheap),
		cmocka_unit_test(test_leaving),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
