// SPDX-License-Identifier: GPL-2.0-only
/* Values of the field table in cells, and why there are none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/html.h"
#include "view/number.h"

static void by_unit(char *buf, enum unit unit, uint64_t v)
{
	if (unit == UNIT_BYTES)
		num__bytes(buf, v);
	else if (unit == UNIT_NS)
		num__duration(buf, (double)v);
	else
		num__grouped(buf, v);
}

static void ratio_text(char *buf, const struct field *f, double v)
{
	if (f->share)
		num__percent(buf, v, 1);
	else
		num__fixed(buf, v, f->unit == UNIT_PAGES ? 1 : 3);
	if (f->share && isfinite(v))
		strcat(buf, " %");
}

/* NULL: buf has the number; else why there is none. */
static const char *value_text(char *buf, const struct field *f, const struct part *part,
			      const struct scope *s)
{
	struct histogram times;
	uint64_t v = 0;

	if (part) {
		by_unit(buf, f->unit, part__count(part, s));
	} else if (f->count) {
		by_unit(buf, f->unit, f->count(s));
	} else if (f->gauge) {
		if (!f->gauge(s, &v))
			return "not known";
		by_unit(buf, f->unit, v);
	} else if (f->spans) {
		if (!times__histogram(&times, f, s) || !times.total)
			return "no events";
		num__duration(buf, histogram__quantile(&times, 0.99));
	} else {
		ratio_text(buf, f, f->ratio ? f->ratio(s) : field__value(f, s));
		if (!strcmp(buf, "-"))
			return "no events";
	}
	return NULL;
}

void html__value(struct html *h, const struct field *f, const struct part *part,
		 const struct scope *s)
{
	struct unmeasured why = field__unmeasured(f, part, h->m);
	char buf[NUM_LEN];
	const char *none;

	if (why.reason != REASON_NONE) {
		html__dash(h, why.text);
		return;
	}
	none = f->in & s->in ? value_text(buf, f, part, s) : "not a measure of this";
	if (none)
		html__dash(h, none);
	else
		html__cell(h, buf);
}

const char *html__main_reason(const struct html *h, const struct scope *s)
{
	const struct field *f = field__find("miss_reasons");
	const char *name = NULL;
	uint64_t most = 0;

	for (const struct part *part = f->parts; part->name; part++) {
		uint64_t n;

		if (field__unmeasured(f, part, h->m).reason != REASON_NONE)
			continue;
		n = part__count(part, s);
		if (n > most) {
			most = n;
			name = part->name;
		}
	}
	return name;
}

bool html__active(const struct scope *s)
{
	if (s->usage_updates)
		return true;
	for (int i = 0; i < C_NR; i++)
		if (s->c[i])
			return true;
	return false;
}

static size_t why_number(struct html *h, const struct unmeasured *why)
{
	size_t i = 0;

	while (i < h->nwhys && strcmp(h->whys[i].text, why->text))
		i++;
	if (i == h->nwhys && i < HTML_WHYS)
		h->whys[h->nwhys++] = *why;
	return i;
}

static void collect(struct html *h, const struct field *f, const struct part *part)
{
	struct unmeasured why = field__unmeasured(f, part, h->m);

	if (why.reason != REASON_NONE && h->ngaps < HTML_GAPS)
		h->gaps[h->ngaps++] = (struct html_gap){f, part, why_number(h, &why)};
}

void html__collect_gaps(struct html *h)
{
	for (size_t i = 0; i < nfields; i++) {
		const size_t before = h->ngaps;

		collect(h, &fields[i], NULL);
		/* what holds for the whole is not said of each part */
		if (h->ngaps == before)
			for (const struct part *part = fields[i].parts; part && part->name; part++)
				collect(h, &fields[i], part);
	}
}

static void put_keys(struct html *h, size_t why)
{
	html__raw(h, "<ul class=\"keys\">");
	for (size_t i = 0; i < h->ngaps; i++) {
		const struct html_gap *g = &h->gaps[i];

		if (g->why != why)
			continue;
		html__raw(h, "<li>");
		html__put(h, g->field->key);
		if (g->part)
			html__raw(h, ".%s", g->part->name);
		html__raw(h, "</li>");
	}
	html__raw(h, "</ul>");
}

void html__unmeasured(struct html *h)
{
	if (!h->nwhys) {
		html__raw(h, "<p>Every measure has a value.</p>\n");
		return;
	}
	html__raw(h, "<ol>\n");
	for (size_t i = 0; i < h->nwhys; i++) {
		html__raw(h, "<li id=\"why-%zu\">%s", i + 1,
			  h->whys[i].applicable ? "" : "Not applicable: ");
		html__put(h, h->whys[i].text);
		put_keys(h, i);
		html__raw(h, "</li>\n");
	}
	html__raw(h, "</ol>\n");
}
