/* SPDX-License-Identifier: GPL-2.0-only */
/* The JSON of windows, and what is at a place of it. */
#ifndef MEMCGTOP_JSON_FIXTURE_H
#define MEMCGTOP_JSON_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "window.h"

/* The report of a window, which is released, or of the window of that name. To be freed. */
char *document_of(struct window *w, bool ascii);
char *document(const char *name);

/* Strict; integers beyond jansson's range become reals. */
json_t *parse(const char *text);
json_t *parsed_of(struct window *w);
json_t *parsed(const char *name);

/* "stock.design" */
json_t *at(json_t *doc, const char *path);

/* NULL: null */
void assert_string_at(json_t *doc, const char *path, const char *want);
void assert_number_at(json_t *doc, const char *path, double want);
void assert_unmeasured(json_t *doc, const char *key, const char *state, const char *reason);

#endif
