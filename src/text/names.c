// SPDX-License-Identifier: GPL-2.0-only
#include "text/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

#define ID_DIGITS  64 /* of a container's id */
#define ID_SHORT   12 /* as docker ps shows it */
#define UID_DIGITS 8  /* the first group of a pod's UID */

/* ---- short names ---- */

struct bytes {
	const char *at;
	size_t n;
};

/* A directory of the path. */
struct part {
	struct bytes unit; /* without .slice and its like */
	struct bytes word; /* of that, what stays */
	bool slice;
	bool pod;
};

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static size_t hex_digits(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && is_hex(s[i]))
		i++;
	return i;
}

static bool begins(struct bytes b, const char *with)
{
	size_t n = strlen(with);

	return b.n > n && !memcmp(b.at, with, n);
}

static bool is(struct bytes b, const char *word)
{
	return b.n == strlen(word) && !memcmp(b.at, word, b.n);
}

/* Takes the ending off unless nothing else is there. */
static bool drop_ending(struct bytes *b, const char *ending)
{
	size_t n = strlen(ending);

	if (b->n <= n || memcmp(b->at + b->n - n, ending, n))
		return false;
	b->n -= n;
	return true;
}

static void drop_beginning(struct bytes *b, size_t n)
{
	b->at += n;
	b->n -= n;
}

/* pod<uid>: kubelet writes - in it, or _ for systemd; a static pod's has 32 digits. */
static bool is_pod(struct bytes word)
{
	static const size_t groups[] = {8, 4, 4, 4, 12};

	if (!begins(word, "pod"))
		return false;
	drop_beginning(&word, 3);
	if (word.n == 32)
		return hex_digits(word.at, word.n) == word.n;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (i && (!word.n || (*word.at != '-' && *word.at != '_')))
			return false;
		if (i)
			drop_beginning(&word, 1);
		if (hex_digits(word.at, word.n) != groups[i])
			return false;
		drop_beginning(&word, groups[i]);
	}
	return !word.n;
}

/* In a pod it is plain what made a container of it. */
static void drop_runtime(struct bytes *word)
{
	static const char *const runtimes[] = {"cri-containerd-", "crio-", "docker-"};

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		size_t n = strlen(runtimes[i]);

		if (word->n == n + ID_DIGITS && begins(*word, runtimes[i]) &&
		    hex_digits(word->at + n, ID_DIGITS) == ID_DIGITS)
			drop_beginning(word, n);
	}
}

/* A unit in a slice of its name says that name again: user-1000.slice is in user.slice. */
static struct part part_of(struct bytes dir, const struct part *above, bool only)
{
	struct part p = {.unit = dir};
	bool scope;

	p.slice = drop_ending(&p.unit, ".slice");
	/* alone it keeps the rest of its name: init.scope */
	scope = !p.slice && !only && drop_ending(&p.unit, ".scope");
	if (!p.slice && !scope && !only)
		drop_ending(&p.unit, ".service");
	p.word = p.unit;
	if (above && above->slice && (p.slice || scope) && p.unit.n > above->unit.n + 1 &&
	    !memcmp(p.unit.at, above->unit.at, above->unit.n) && p.unit.at[above->unit.n] == '-')
		drop_beginning(&p.word, above->unit.n + 1);
	p.pod = is_pod(p.word);
	if (p.pod)
		p.word.n = 3 + UID_DIGITS;
	else if (above && above->pod)
		drop_runtime(&p.word);
	return p;
}

/* Copies a word with the ids in it cut; bytes written. */
static size_t put_word(char *to, struct bytes word)
{
	size_t n = 0;

	while (word.n) {
		size_t digits = hex_digits(word.at, word.n);
		size_t run = digits ? digits : 1, keep = digits == ID_DIGITS ? ID_SHORT : run;

		memcpy(to + n, word.at, keep);
		n += keep;
		drop_beginning(&word, run);
	}
	return n;
}

/* What stands above a pod, and its class of service, tells nothing beside its name. */
static bool is_kube(struct bytes word)
{
	return is(word, "kubepods") || is(word, "burstable") || is(word, "besteffort") ||
	       is(word, "guaranteed");
}

/* The next directory of a path, or nothing; *path goes behind it. */
static struct bytes next_part(struct bytes *path)
{
	struct bytes dir;

	while (path->n && *path->at == '/')
		drop_beginning(path, 1);
	dir = *path;
	while (path->n && *path->at != '/')
		drop_beginning(path, 1);
	dir.n -= path->n;
	return dir;
}

char *name__short(const char *path, size_t len, unsigned int flags)
{
	struct bytes rest = {path, len}, dir = next_part(&rest), next;
	char *words = malloc(len + 2), *name;
	struct part p, above;
	size_t n = 0, kube = 0; /* where what stands above a pod begins */
	bool first = true;

	if (!words)
		return NULL;
	for (; dir.n; dir = next, above = p, first = false) {
		next = next_part(&rest);
		p = part_of(dir, first ? NULL : &above, first && !next.n);
		if (p.pod)
			n = kube;
		if (n)
			words[n++] = '/';
		n += put_word(words + n, p.word);
		if (!is_kube(p.word))
			kube = n;
	}
	if (!n)
		words[n++] = '/';
	name = text_display(words, n, flags | TEXT_UNESCAPE);
	free(words);
	return name;
}

/* ---- elision ---- */

#define ROUNDS 12 /* each tells apart by one more place in which names differ */

struct item {
	char *whole;
	char *cut;    /* NULL: it fits */
	size_t total; /* columns */
	size_t own;   /* columns that there are for it */
	size_t width; /* that it is cut to */
	size_t at;    /* a byte that its cut shows; SIZE_MAX: any */
	size_t nth;
	uint64_t hash; /* of what is shown */
};

static const char *shown(const struct item *it)
{
	return it->cut ? it->cut : it->whole;
}

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3;
	return h;
}

/* What looks the same is beside each other, what fits before what is cut. */
static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = (x->hash > y->hash) - (x->hash < y->hash);

	if (!order)
		order = strcmp(shown(x), shown(y));
	if (!order)
		order = !!x->cut - !!y->cut;
	return order ? order : strcmp(x->whole, y->whole);
}

static void sort(struct item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		items[i].hash = hash(shown(&items[i]));
	qsort(items, n, sizeof(*items), compare_items);
}

/* The end of those that look like the first; *alike: where any two begin to differ, or none. */
static size_t run_end(const struct item *items, size_t n, size_t first, size_t *alike)
{
	size_t i = first + 1;

	*alike = SIZE_MAX;
	for (; i < n && items[i].hash == items[first].hash &&
	       !strcmp(shown(&items[i]), shown(&items[first]));
	     i++) {
		const char *a = items[i - 1].whole, *b = items[i].whole;
		size_t at = 0;

		while (a[at] && a[at] == b[at])
			at++;
		if ((a[at] || b[at]) && at < *alike)
			*alike = at;
	}
	return i;
}

static size_t dots_width(unsigned int flags)
{
	return flags & TEXT_ASCII ? 3 : 1;
}

static const char *dots_of(unsigned int flags)
{
	return flags & TEXT_ASCII ? "..." : "\xe2\x80\xa6";
}

/* Where the character begins that this byte is of, or that this mark stands on. */
static size_t character(const char *text, size_t at)
{
	while (at &&
	       (((unsigned char)text[at] & 0xc0) == 0x80 || (text[at] && text_head(text + at, 0))))
		at--;
	return at;
}

/* No room for three pieces: what differs comes first. */
static char *cut_narrow(const struct item *it, size_t at, size_t width, unsigned int flags)
{
	bool dots = at && width >= dots_width(flags) + 2;
	size_t room = width - (dots ? dots_width(flags) : 0);
	size_t tail = text_tail(it->whole, it->total, room);
	const char *from = it->whole + (tail < at ? tail : at);
	char *cut;

	if (asprintf(&cut, "%s%.*s", dots ? dots_of(flags) : "", (int)text_head(from, room), from) <
	    0)
		return NULL;
	return cut;
}

/* Head, the part that begins at that byte, and tail; two of them where they meet. */
static char *cut_around(const struct item *it, size_t at, size_t width, unsigned int flags)
{
	const size_t dots = dots_width(flags);
	const char *text = it->whole, *gap = dots_of(flags);
	size_t column, head, middle, tail;
	char *cut;
	int n;

	at = character(text, at);
	if (width < 2 * dots + 4)
		return cut_narrow(it, at, width, flags);
	column = it->total - text_width(text + at);
	middle = (width - 2 * dots) / 2;
	head = (width - 2 * dots - middle) / 2;
	tail = width - 2 * dots - middle - head;
	if (column < head + dots) {
		head += middle + dots;
		middle = 0;
	} else if (column + middle + dots + tail >= it->total) {
		tail += middle + dots;
		middle = 0;
	}
	n = asprintf(&cut, "%.*s%s%.*s%s%s", (int)text_head(text, head), text, gap,
		     middle ? (int)text_head(text + at, middle) : 0, text + at, middle ? gap : "",
		     text + text_tail(text, it->total, tail));
	return n < 0 ? NULL : cut;
}

/* Cuts anew what looks the same; *again: something did. */
static int tell_apart(struct item *items, size_t n, unsigned int flags, bool *again)
{
	*again = false;
	sort(items, n);
	for (size_t i = 0, next; i < n; i = next) {
		size_t alike;

		next = run_end(items, n, i, &alike);
		for (size_t j = i; alike != SIZE_MAX && j < next; j++) {
			char *cut;

			if (!items[j].cut)
				continue;
			cut = cut_around(&items[j], alike, items[j].width, flags);
			if (!cut)
				return -ENOMEM;
			*again |= !!strcmp(cut, items[j].cut);
			free(items[j].cut);
			items[j].cut = cut;
			items[j].at = alike;
		}
	}
	return 0;
}

static int compare_hashes(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* "~1", "~a7": a number that no other name of this table ends in so. */
static char *numbered(const struct item *it, size_t number)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char tail[16], *at = &tail[sizeof(tail) - 1], *cut;
	size_t len;

	*at = '\0';
	for (; number; number /= 36)
		*--at = digits[number % 36];
	*--at = '~';
	len = strlen(at);
	if (len > it->width)
		return it->cut;
	if (asprintf(&cut, "%.*s%s", (int)text_head(it->whole, it->width - len), it->whole, at) < 0)
		return NULL;
	return cut;
}

/* Numbers that every name may end in. */
struct numbers {
	uint64_t *taken; /* hashes of what is shown, ascending */
	size_t n;
	size_t last;
};

/* With the next number that makes it look like no other; NULL: no memory. */
static char *number_one(struct numbers *to, const struct item *it)
{
	for (;;) {
		char *cut = numbered(it, ++to->last);
		uint64_t h = cut ? hash(cut) : 0;

		if (!cut || cut == it->cut ||
		    !bsearch(&h, to->taken, to->n, sizeof(h), compare_hashes))
			return cut;
		free(cut);
	}
}

/* What still looks the same gets a number; less than 8 columns may have none for all. */
static int number(struct item *items, size_t n)
{
	struct numbers numbers = {calloc(n + 1, sizeof(uint64_t)), .n = n};
	size_t alike;
	int err = numbers.taken ? 0 : -ENOMEM;

	sort(items, n);
	for (size_t i = 0; !err && i < n; i++)
		numbers.taken[i] = items[i].hash;
	for (size_t i = 0, next; !err && i < n; i = next) {
		next = run_end(items, n, i, &alike);
		for (size_t j = next; !err && alike != SIZE_MAX && --j > i;) {
			struct item *it = &items[j];
			bool same = j + 1 < next && !strcmp(it->whole, it[1].whole) &&
				    text_width(it[1].cut) <= it->width;
			char *cut;

			if (!strcmp(it->whole, items[i].whole))
				break;
			cut = same ? strdup(it[1].cut) : number_one(&numbers, it);
			if (!cut)
				err = -ENOMEM;
			else if (cut != it->cut)
				free(it->cut);
			it->cut = cut;
		}
	}
	free(numbers.taken);
	return err;
}

/* Cuts it to its width; what fits has no cut. */
static int cut(struct item *it, unsigned int flags)
{
	free(it->cut);
	it->cut = NULL;
	if (it->total <= it->width)
		return 0;
	it->cut = it->at == SIZE_MAX ? text_elide(it->whole, it->width, flags)
				     : cut_around(it, it->at, it->width, flags);
	return it->cut ? 0 : -ENOMEM;
}

/* All to one width, as otherwise it is the widths by which they differ; then each to its own. */
static int cut_all(struct item *items, size_t n, unsigned int flags)
{
	bool again = true, any = false;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		err = cut(&items[i], flags);
		any |= items[i].cut != NULL;
	}
	if (!any)
		return err;
	for (int round = 0; !err && again && round < ROUNDS; round++)
		err = tell_apart(items, n, flags, &again);
	for (size_t i = 0; !err && i < n; i++) {
		if (items[i].own == items[i].width)
			continue;
		items[i].width = items[i].own;
		err = cut(&items[i], flags);
	}
	return err ? err : number(items, n);
}

int names__elide(char **names, const size_t *taken, size_t n, size_t width, unsigned int flags)
{
	struct item *items = calloc(n + 1, sizeof(*items));
	size_t most = 0;
	int err;

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; taken && i < n; i++)
		most = taken[i] > most ? taken[i] : most;
	most = most < width ? most : width;
	for (size_t i = 0; i < n; i++) {
		items[i] = (struct item){
			.whole = names[i],
			.nth = i,
			.total = text_width(names[i]),
			.own = width,
			.width = width - most,
			.at = SIZE_MAX,
		};
		if (taken)
			items[i].own -= taken[i] < width ? taken[i] : width;
	}
	err = cut_all(items, n, flags);
	for (size_t i = 0; i < n; i++) {
		if (!err && items[i].cut) {
			free(names[items[i].nth]);
			names[items[i].nth] = items[i].cut;
		} else {
			free(items[i].cut);
		}
	}
	free(items);
	return err;
}
