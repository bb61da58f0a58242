// SPDX-License-Identifier: GPL-2.0-only
/* The only file that knows curses. */
#define NCURSES_WIDECHAR 1
#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#define term curses_term /* a struct of theirs has the name */
#include <term.h>
#undef term

#include "tui/term.h"

#define ESC_MS 25 /* what follows an ESC later than this is a key of its own */

/* Pairs of colours. */
enum { PAIR_WARN = 1, PAIR_BAD, PAIR_GOOD, PAIR_KEY };

struct term {
	SCREEN *screen;
	bool ascii, color;
	int width, height;
	bool redraw;
};

/*
 * What a crash needs is prepared beforehand, as a handler may neither allocate
 * nor call curses.
 */
static struct {
	char bytes[256];
	size_t n;
	struct termios tty;
	bool armed;
	char stack[16384];
} emergency;

static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
#define NCRASHES (sizeof(crashes) / sizeof(crashes[0]))
static struct sigaction crash_before[NCRASHES];

/* The action is the default one again (SA_RESETHAND): raising it ends the process. */
static void on_crash(int sig)
{
	if (emergency.armed) {
		emergency.armed = false;
		if (write(STDOUT_FILENO, emergency.bytes, emergency.n) >= 0)
			tcsetattr(STDOUT_FILENO, TCSANOW, &emergency.tty);
	}
	raise(sig);
}

static int keep_byte(int c)
{
	if (emergency.n < sizeof(emergency.bytes))
		emergency.bytes[emergency.n++] = (char)c;
	return c;
}

static void prepare_emergency(void)
{
	static const char *const names[] = {"sgr0", "rmkx", "cnorm", "rmcup"};
	const stack_t stack = {.ss_sp = emergency.stack, .ss_size = sizeof(emergency.stack)};
	struct sigaction action = {
		.sa_handler = on_crash,
		.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK),
	};

	emergency.n = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *s = tigetstr(names[i]);

		if (s && s != (char *)-1)
			tputs(s, 1, keep_byte);
	}
	keep_byte('\r');
	keep_byte('\n');
	sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < NCRASHES; i++)
		sigaction(crashes[i], &action, &crash_before[i]);
	emergency.armed = true;
}

static void forget_emergency(void)
{
	emergency.armed = false;
	for (size_t i = 0; i < NCRASHES; i++)
		sigaction(crashes[i], &crash_before[i], NULL);
}

static void init_colors(struct term *t)
{
	bool many;

	if (!has_colors() || start_color() == ERR || use_default_colors() == ERR) {
		t->color = false;
		return;
	}
	many = COLORS >= 256;
	init_pair(PAIR_WARN, many ? 214 : COLOR_YELLOW, -1);
	init_pair(PAIR_BAD, many ? 203 : COLOR_RED, -1);
	init_pair(PAIR_GOOD, many ? 78 : COLOR_GREEN, -1);
	init_pair(PAIR_KEY, many ? 80 : COLOR_CYAN, -1);
}

static attr_t attributes(const struct term *t, unsigned int style)
{
	static const struct {
		enum style style;
		attr_t attr;
		int pair;
	} map[] = {
		{STYLE_BOLD, A_BOLD, 0},       {STYLE_REVERSE, A_REVERSE, 0},
		{STYLE_DIM, A_DIM, 0},	       {STYLE_GOOD, 0, PAIR_GOOD},
		{STYLE_KEY, A_BOLD, PAIR_KEY}, {STYLE_WARN, A_BOLD, PAIR_WARN},
		{STYLE_BAD, A_BOLD, PAIR_BAD},
	};
	attr_t attr = A_NORMAL;
	int pair = 0;

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (style & map[i].style) {
			attr |= map[i].attr;
			pair = map[i].pair ? map[i].pair : pair;
		}
	return t->color ? attr | (attr_t)COLOR_PAIR(pair) : attr;
}

/* Whether the terminal can do what a screen needs; asked before curses takes it. */
static const char *unfit(void)
{
	const char *name = getenv("TERM"), *cup;
	int err;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return "standard input and output are not a terminal";
	if (!name || !*name)
		return "TERM is not set";
	if (setupterm(name, STDOUT_FILENO, &err) != OK)
		return err ? "the terminal cannot place its cursor"
			   : "the terminal that TERM names is not known here";
	cup = tigetstr("cup");
	del_curterm(cur_term);
	return cup && cup != (char *)-1 ? NULL : "the terminal cannot place its cursor";
}

struct term *term__open(bool no_color, bool ascii, const char **why)
{
	const char *no = getenv("NO_COLOR");
	struct term *t;

	*why = unfit();
	if (*why)
		return NULL;
	t = calloc(1, sizeof(*t));
	tcgetattr(STDOUT_FILENO, &emergency.tty);
	set_escdelay(ESC_MS);
	if (t)
		t->screen = newterm(NULL, stdout, stdin);
	if (!t || !t->screen) {
		*why = "out of memory, or curses does not know the terminal";
		free(t);
		return NULL;
	}
	set_term(t->screen);
	t->ascii = ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	t->color = !no_color && !(no && *no);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	leaveok(stdscr, TRUE);
	curs_set(0);
	if (t->color)
		init_colors(t);
	mousemask(0, NULL);
	getmaxyx(stdscr, t->height, t->width);
	prepare_emergency();
	return t;
}

void term__close(struct term *t)
{
	if (!t)
		return;
	forget_emergency();
	curs_set(1);
	endwin();
	delscreen(t->screen);
	free(t);
}

bool term__ascii(const struct term *t)
{
	return t->ascii;
}

void term__size(const struct term *t, int *width, int *height)
{
	*width = t->width;
	*height = t->height;
}

void term__redraw(struct term *t)
{
	t->redraw = true;
}

int term__fd(const struct term *t)
{
	(void)t;
	return STDIN_FILENO;
}

/* The signal that tells of it may have gone elsewhere, so the size is asked for. */
static bool resized(struct term *t)
{
	struct winsize ws;
	int width, height;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row &&
	    is_term_resized(ws.ws_row, ws.ws_col))
		resizeterm(ws.ws_row, ws.ws_col);
	getmaxyx(stdscr, height, width);
	if (width == t->width && height == t->height)
		return false;
	t->width = width;
	t->height = height;
	t->redraw = true;
	return true;
}

/* Cells of one style from x on, as one text. Returns the column behind them. */
static int put_run(struct term *t, const struct screen *s, int y, int x, int width)
{
	char text[1024];
	unsigned int style, other;
	size_t n = 0;
	int at = x;

	screen__cell(s, y, x, &style);
	for (; at < width && n + 16 < sizeof(text); at++) {
		const char *cell = screen__cell(s, y, at, &other);
		size_t len = strlen(cell);
		const bool above = t->ascii && (unsigned char)*cell > 0x7f;

		if (other != style)
			break;
		memcpy(text + n, above ? "?" : cell, above ? 1 : len);
		n += above ? 1 : len;
	}
	attrset((int)attributes(t, style));
	mvaddnstr(y, x, text, (int)n);
	return at;
}

void term__flush(struct term *t, const struct screen *s)
{
	const int height = screen__height(s) < t->height ? screen__height(s) : t->height;
	const int width = screen__width(s) < t->width ? screen__width(s) : t->width;

	if (t->redraw)
		clearok(curscr, TRUE);
	t->redraw = false;
	erase();
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width;)
			x = put_run(t, s, y, x, width);
	refresh();
}

static int special(int code)
{
	static const struct {
		int code, key;
	} map[] = {
		{KEY_UP, K_UP},
		{KEY_DOWN, K_DOWN},
		{KEY_LEFT, K_LEFT},
		{KEY_RIGHT, K_RIGHT},
		{KEY_PPAGE, K_PAGE_UP},
		{KEY_NPAGE, K_PAGE_DOWN},
		{KEY_HOME, K_HOME},
		{KEY_END, K_END},
		{KEY_BACKSPACE, K_BACKSPACE},
		{KEY_DC, K_DELETE},
		{KEY_BTAB, K_BACKTAB},
		{KEY_ENTER, K_ENTER},
		{KEY_RESIZE, K_RESIZE},
		/* the console's name for ^Z */
		{KEY_SUSPEND, CTRL_KEY('Z')},
		/* of keypads and old terminals */
		{KEY_A1, K_HOME},
		{KEY_A3, K_PAGE_UP},
		{KEY_C1, K_END},
		{KEY_C3, K_PAGE_DOWN},
		{KEY_FIND, K_HOME},
		{KEY_SELECT, K_END},
	};

	if (code >= KEY_F(1) && code <= KEY_F(12))
		return K_F1 + code - KEY_F(1);
	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].code == code)
			return map[i].key;
	return K_OTHER;
}

static int read_key(struct term *t)
{
	wint_t c;
	int kind = get_wch(&c), key;

	if (kind == ERR)
		return K_NONE;
	if (kind == KEY_CODE_YES) {
		key = special((int)c);
		/* it tells of one that resized() has seen, or will see */
		return key == K_RESIZE ? (resized(t) ? K_RESIZE : K_NONE) : key;
	}
	if (c == '\r')
		return K_ENTER;
	return c == 0x7f || c == '\b' ? K_BACKSPACE : (int)c;
}

int term__key(struct term *t, int timeout_ms)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int key, n, bytes = 0;

	if (resized(t))
		return K_RESIZE;
	/* curses may have read more than it gave */
	timeout(0);
	key = read_key(t);
	if (key != K_NONE)
		return key;
	n = poll(&in, 1, timeout_ms);
	if (n <= 0)
		return resized(t) ? K_RESIZE : K_NONE;
	/* readable without a byte: the end */
	if (ioctl(STDIN_FILENO, FIONREAD, &bytes) || (!bytes && in.revents))
		return K_HANGUP;
	return read_key(t);
}

void term__suspend(struct term *t)
{
	const struct sigaction stop = {.sa_handler = SIG_DFL};
	struct sigaction before;
	sigset_t set, mask;

	endwin();
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaction(SIGTSTP, &stop, &before);
	sigprocmask(SIG_UNBLOCK, &set, &mask);
	/*
	 * As the terminal does it: the whole job. Where nobody could continue
	 * it (no shell above), the kernel ignores SIGTSTP, but not SIGSTOP.
	 */
	kill(0, SIGTSTP);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &before, NULL);
	t->redraw = true;
	resized(t);
	refresh();
}
