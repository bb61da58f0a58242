// SPDX-License-Identifier: GPL-2.0-only
#include "json_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/view.h"

char *document_of(struct window *w, bool ascii)
{
	char *text = NULL;
	struct model m;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(model__init(&m, w), 0);
	assert_int_equal(view__json(f, &m, ascii), 0);
	fclose(f);
	model__release(&m);
	window__release(w);
	return text;
}

char *document(const char *name)
{
	struct window w = window_of(name);

	return document_of(&w, false);
}

json_t *parse(const char *text)
{
	json_error_t e;
	json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &e);

	if (!doc)
		fail_msg("line %d: %s", e.line, e.text);
	return doc;
}

json_t *parsed_of(struct window *w)
{
	char *text = document_of(w, false);
	json_t *doc = parse(text);

	free(text);
	return doc;
}

json_t *parsed(const char *name)
{
	struct window w = window_of(name);

	return parsed_of(&w);
}

json_t *at(json_t *doc, const char *path)
{
	char copy[128], *save = NULL;
	json_t *v = doc;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strtok_r(copy, ".", &save); key; key = strtok_r(NULL, ".", &save)) {
		v = json_object_get(v, key);
		if (!v)
			fail_msg("no %s", path);
	}
	return v;
}

void assert_string_at(json_t *doc, const char *path, const char *want)
{
	json_t *v = at(doc, path);

	if (!want)
		assert_true(json_is_null(v));
	else
		assert_string_equal(json_string_value(v), want);
}

void assert_number_at(json_t *doc, const char *path, double want)
{
	double got = json_number_value(at(doc, path));

	if (fabs(got - want) > 1e-9 * fabs(want))
		fail_msg("%s is %.9g, not %.9g", path, got, want);
}

void assert_unmeasured(json_t *doc, const char *key, const char *state, const char *reason)
{
	json_t *why = json_object_get(at(doc, "unmeasured"), key);

	if (!why)
		fail_msg("%s is not among the unmeasured", key);
	assert_string_equal(json_string_value(json_object_get(why, "state")), state);
	assert_string_equal(json_string_value(json_object_get(why, "reason")), reason);
	assert_true(strlen(json_string_value(json_object_get(why, "text"))) > 10);
}
