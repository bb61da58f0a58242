/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms as bars of text: one line a power of two, several side by side.
 */
#ifndef MEMCGTOP_VIEW_BARS_H
#define MEMCGTOP_VIEW_BARS_H

#include "model/histogram.h"
#include "view/page.h"

#define BARS_MAX 4

struct bars {
	const char *title;
	const char *details[2]; /* behind the title as far as there is room; NULL: none */
	const struct histogram *h;
};

/*
 * Draws n histograms, each on the scale of its own largest line; below one
 * another where the page is too narrow. Empty ones are left out.
 */
void bars__print(struct page *p, const struct bars *bars, size_t n);

#endif
