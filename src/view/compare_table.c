// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as markdown, as CSV, and as a kernel robot's table. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "view/compare.h"

static int finish(FILE *f, bool failed)
{
	errno = 0;
	if (fflush(f) || ferror(f))
		return errno ? -errno : -EIO;
	return failed ? -ENOMEM : 0;
}

/* Bytes of others, of which none moves the cursor; quoted: what stands for that byte. False: no memory. */
static bool put_quoted(FILE *f, const char *text, char byte, const char *quoted)
{
	char *clean = text_display(text, strlen(text), 0);
	bool ok = clean;

	for (const char *s = clean; s && *s; s++) {
		if (*s == byte)
			fputs(quoted, f);
		else
			fputc(*s, f);
	}
	free(clean);
	return ok;
}

/* In a table's cell. */
static bool put_cell(FILE *f, const char *text)
{
	return put_quoted(f, text, '|', "\\|");
}

static bool put_clean(FILE *f, const char *text)
{
	return put_quoted(f, text, '\0', "");
}

static bool markdown_side(FILE *f, char name, const struct side *s)
{
	const struct run *r = &s->runs[0];
	bool ok;

	fprintf(f, "- **%c**: ", name);
	ok = put_cell(f, s->name);
	fprintf(f, ", ");
	ok = put_cell(f, r->host.kernel) && ok;
	fprintf(f, ", %s, %u CPUs\n", design__name(r->stock.design), r->host.cpus_online);
	return ok;
}

static bool markdown_row(FILE *f, const struct comparison *c, const struct compared *row)
{
	char label[LABEL_LEN], a[NUM_LEN], b[NUM_LEN], spread_a[NUM_LEN], spread_b[NUM_LEN];
	char delta[NUM_LEN], p[NUM_LEN];
	bool ok;

	fprintf(f, "| ");
	ok = put_cell(f, compare__label(label, c, row));
	fprintf(f, "%s | %s | %s | %s | %s | %s | %s | %zu+%zu |\n", row->marked ? " \\*" : "",
		compare__value(a, row->kind, row->a.median),
		compare__spread(spread_a, row->a.n > 1 ? row->a.spread : NAN),
		compare__value(b, row->kind, row->b.median),
		compare__spread(spread_b, row->b.n > 1 ? row->b.spread : NAN),
		compare__delta(delta, row), compare__p(p, c->too_few ? NAN : row->p), row->a.n,
		row->b.n);
	return ok;
}

/* Paragraphs. Frees the text. */
static bool markdown_lines(FILE *f, char *text, const char *lead)
{
	bool ok = text;

	for (char *line = text; line && *line;) {
		size_t n = strcspn(line, "\n");
		bool more = line[n];

		line[n] = '\0';
		fprintf(f, "\n%s", lead);
		ok = put_cell(f, line) && ok;
		fputc('\n', f);
		line += n + more;
	}
	free(text);
	return ok;
}

int view__compare_markdown(FILE *f, const struct comparison *c, const struct compare_view *v)
{
	char samples[LABEL_LEN];
	int topic = -1;
	bool ok = markdown_side(f, 'A', c->a);

	ok = markdown_side(f, 'B', c->b) && ok;
	fprintf(f, "- %s\n", compare__samples(samples, c));
	for (size_t i = 0; c->differs[i]; i++) {
		fprintf(f, i ? ", " : "- differs: ");
		ok = put_cell(f, c->differs[i]) && ok;
	}
	fprintf(f, "%s", c->differs[0] ? "\n" : "");
	ok = markdown_lines(f, compare__warning(c), "") && ok;
	fprintf(f, "\n| | A | ± | B | ± | B vs A | p | n |\n"
		   "|:--|--:|--:|--:|--:|--:|--:|--:|\n");
	for (size_t i = 0; i < c->nrows; i++) {
		const struct compared *row = &c->rows[i];

		if (!compare__shown(row, v))
			continue;
		if (topic != (int)row->topic)
			fprintf(f, "| **%s** | | | | | | | |\n", topic__name(row->topic));
		topic = (int)row->topic;
		ok = markdown_row(f, c, row) && ok;
	}
	ok = markdown_lines(f, compare__footnotes(c, v), "") && ok;
	ok = markdown_lines(f, compare__verdict(c, ' '), "**Verdict:** ") && ok;
	return finish(f, !ok);
}

static void csv_number(FILE *f, double v)
{
	char buf[NUM_LEN];

	fprintf(f, ",%s", isfinite(v) ? num__json(buf, v) : "");
}

static void csv_summary(FILE *f, const struct summary *s)
{
	csv_number(f, s->median);
	csv_number(f, s->spread);
	fprintf(f, ",%zu", s->n);
}

/* As RFC 4180 has it: a quote is two. */
static bool csv_text(FILE *f, const char *text)
{
	bool ok;

	fputc('"', f);
	ok = put_quoted(f, text, '"', "\"\"");
	fputc('"', f);
	return ok;
}

int view__compare_csv(FILE *f, const struct comparison *c, const struct compare_view *v)
{
	char label[LABEL_LEN];
	bool ok = true;

	(void)v;
	fprintf(f, "measure,topic,a,a_spread,a_n,b,b_spread,b_n,ratio,p,p_adjusted,differs,"
		   "marked\n");
	for (size_t i = 0; i < c->nrows; i++) {
		const struct compared *row = &c->rows[i];

		snprintf(label, sizeof(label), "%s%s%s", row->key, row->divided ? "/" : "",
			 row->divided ? per__suffix(&c->per) : "");
		ok = csv_text(f, label) && ok;
		fprintf(f, ",%s", topic__name(row->topic));
		csv_summary(f, &row->a);
		csv_summary(f, &row->b);
		csv_number(f, row->ratio);
		csv_number(f, row->p);
		csv_number(f, row->adjusted);
		fprintf(f, ",%s,%s\n", compare__difference(row), row->marked ? "yes" : "no");
	}
	return finish(f, !ok);
}

/* Without the commas that a reader likes and a parser does not. */
static const char *plain(char *buf, double v, int decimals)
{
	char *out = buf;

	num__fixed(buf, v, decimals);
	for (const char *in = buf; *in; in++)
		if (*in != ',')
			*out++ = *in;
	*out = '\0';
	return buf;
}

/* What is above five digits as 1.17e+07, as the robot writes it. */
static const char *robot_number(char *buf, double v)
{
	double size = fabs(v);
	int exponent;

	if (isnan(v))
		return strcpy(buf, "n/a");
	if (size < 1e5)
		return plain(buf, v, size < 1 && size > 0 ? 5 : size < 100 ? 2 : 0);
	exponent = (int)floor(log10(size));
	if (size / pow(10, exponent) >= 9.995)
		exponent++;
	num__fixed(buf, v / pow(10, exponent), 2);
	snprintf(buf + strlen(buf), NUM_LEN - strlen(buf), "e+%02d", exponent);
	return buf;
}

/* "     0.91 ±  3%": 17 columns. */
static void robot_side(FILE *f, const struct summary *s)
{
	double off = s->mean != 0 ? fabs(s->stddev / s->mean) : NAN;
	char buf[NUM_LEN];

	fprintf(f, "%11s", robot_number(buf, s->n ? s->mean : NAN));
	/* the robot leaves out what is below 2 % */
	if (off >= 0.02)
		fprintf(f, " ± %2d%%", off < 9.99 ? (int)lround(off * 100) : 999);
	else
		fprintf(f, "      ");
}

static void robot_change(FILE *f, const struct compared *row)
{
	double a = row->a.mean, b = row->b.mean;
	char buf[NUM_LEN];

	if (!row->a.n || !row->b.n || a == 0) {
		fprintf(f, " %11s ", a == 0 && b != 0 && row->b.n ? "new" : "-");
		return;
	}
	plain(buf + 1, fabs(b / a - 1) * 100, 1);
	buf[0] = b < a ? '-' : '+';
	strcat(buf, "%");
	fprintf(f, " %11s ", buf);
}

int view__compare_lkp(FILE *f, const struct comparison *c, const struct compare_view *v)
{
	char label[LABEL_LEN];
	bool ok;

	fprintf(f, "commit:\n  ");
	ok = put_clean(f, c->a->runs->host.kernel);
	fprintf(f, " (");
	ok = put_clean(f, c->a->name) && ok;
	fprintf(f, ")\n  ");
	ok = put_clean(f, c->b->runs->host.kernel) && ok;
	fprintf(f, " (");
	ok = put_clean(f, c->b->name) && ok;
	fprintf(f, ")\n\n"
		   "               A                             B\n"
		   "---------------- ---------------------------\n"
		   "         %%stddev     %%change         %%stddev\n"
		   "             \\          |                \\\n");
	for (size_t i = 0; i < c->nrows; i++) {
		const struct compared *row = &c->rows[i];

		if (!compare__shown(row, v))
			continue;
		robot_side(f, &row->a);
		robot_change(f, row);
		robot_side(f, &row->b);
		fprintf(f, "  memcgtop.");
		ok = put_clean(f, compare__robot_key(label, c, row)) && ok;
		fputc('\n', f);
	}
	return finish(f, !ok);
}
