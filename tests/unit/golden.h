/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts that were looked at once and are kept in tests/golden. */
#ifndef MEMCGTOP_TESTS_GOLDEN_H
#define MEMCGTOP_TESTS_GOLDEN_H

/*
 * Fails unless text is what that file of tests/golden holds. REGENERATE=1 in
 * the environment writes the file anew; look at the difference then.
 */
void golden__compare(const char *text, const char *file);

#endif
