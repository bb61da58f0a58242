// SPDX-License-Identifier: GPL-2.0-only
/* The verdict of a comparison in words: fills the templates of changes.c. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/compare.h"

/* gap: between a number and its unit. */
static void put_number(FILE *f, const struct comparison *c, const char *key, double v, char gap)
{
	const struct compared *row = comparison__row(c, key);
	char buf[NUM_LEN];

	if (!row)
		snprintf(buf, sizeof(buf), "%.0f", v); /* a fact: slots */
	else
		compare__value(buf, row->kind, v);
	for (char *s = buf; *s; s++)
		fputc(*s == ' ' ? gap : *s, f);
	if (row && row->divided)
		fprintf(f, "/%s", per__suffix(&c->per));
}

/* What stands between braces: "a:KEY", "b:KEY", "x:KEY". False: it is not known. */
static bool put_value(FILE *f, const struct comparison *c, const char *what, size_t len, char gap)
{
	char key[64], buf[NUM_LEN];
	double a, b;

	snprintf(key, sizeof(key), "%.*s", (int)len - 2, what + 2);
	if (!change__fact(c, key, &a, &b))
		return false;
	if (*what == 'x')
		fprintf(f, "%s times", compare__value(buf, MEASURE_REAL, fmax(a, b) / fmin(a, b)));
	else
		put_number(f, c, key, *what == 'a' ? a : b, gap);
	return true;
}

/* One piece, up to the next | or the end. False: a number of it is not known. */
static bool put_piece(FILE *f, const struct comparison *c, const char *s, const char *end, char gap)
{
	while (s < end) {
		size_t len = strcspn(s, "}");

		if (*s != '{') {
			fputc(*s++, f);
			continue;
		}
		if (!put_value(f, c, s + 1, len - 1, gap))
			return false;
		s += len + 1;
	}
	return true;
}

char *compare__fill(const struct comparison *c, const char *template, char gap)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	for (const char *s = template; *s;) {
		const char *end = s + strcspn(s, "|");
		char *piece = NULL;
		size_t len;
		FILE *p = open_memstream(&piece, &len);
		bool whole = p && put_piece(p, c, s, end, gap);

		if (p && !fclose(p) && whole)
			fputs(piece, f);
		free(piece);
		s = end + (*end == '|');
	}
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* A sentence of it, from the text; begins it with a capital unless it is the first. */
static void put_sentence(FILE *f, char *text, bool first, const char *end)
{
	if (text && !first)
		*text = (char)toupper((unsigned char)*text);
	if (text)
		fprintf(f, "%s%s", text, end);
	free(text);
}

static void put_moved(FILE *f, const struct change_verdict *v)
{
	for (size_t i = 0; v->moved[i]; i++) {
		if (!i && v->ncounts)
			fprintf(f, " Counts that moved: ");
		else if (i == v->ncounts)
			fprintf(f, "%sosts of an event that moved: ", i ? "; c" : " C");
		else
			fprintf(f, ", ");
		fputs(v->moved[i], f);
	}
	if (v->moved[0])
		fputc('.', f);
}

static void put_sureness(FILE *f, const struct comparison *c)
{
	const struct change_verdict *v = &c->verdict;

	if (comparison__emulated(c))
		fprintf(f, " Times are those of an emulated CPU and not judged.");
	for (size_t i = 0; v->untested[i]; i++)
		fprintf(f, "%s%s",
			i ? ", " : " Not compared, as not measured alike: ", v->untested[i]);
	if (v->untested[0])
		fputc('.', f);
}

static void put_designs(FILE *f, const struct comparison *c)
{
	const struct stock *a = &c->a->runs->stock, *b = &c->b->runs->stock;

	if (a->design != b->design)
		fprintf(f, "%s (A) against %s (B): ", design__name(a->design),
			design__name(b->design));
}

char *compare__verdict(const struct comparison *c, char gap)
{
	const struct change_verdict *v = &c->verdict;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	if (v->untrusted)
		fprintf(f, "none, as a run is not to be trusted.");
	else if (v->sureness == SURE_IF_REPEATED)
		fprintf(f, "none, of too few runs. If they repeat: ");
	else if (c->within)
		fprintf(f, "of these two runs alone: ");
	if (!v->untrusted)
		put_designs(f, c);
	if (!v->untrusted && !v->n)
		fprintf(f, "nothing that matters changed.");
	for (size_t i = 0; i < v->n; i++) {
		put_sentence(f, compare__fill(c, v->rules[i]->headline, gap), !i, ". ");
		put_sentence(f, compare__fill(c, v->rules[i]->detail, gap), false,
			     i + 1 < v->n ? " " : "");
	}
	if (!v->untrusted) {
		put_moved(f, v);
		put_sureness(f, c);
	}
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}
