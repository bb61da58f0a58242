/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers as every view writes them: the C locale's, whatever setlocale() was
 * told, so that no printf conversion with a decimal point is used.
 */
#ifndef MEMCGTOP_VIEW_NUMBER_H
#define MEMCGTOP_VIEW_NUMBER_H

#include <stdint.h>

#define NUM_LEN 48

/* All of these write into buf, of NUM_LEN bytes, and return it. */

/* 73,664 */
const char *num__grouped(char *buf, uint64_t v);

/* 1,234.5 with that many decimals (at most 6); "-" for NAN. */
const char *num__fixed(char *buf, double v, int decimals);

/* 8.25k, 1.84M: three digits, for narrow places. */
const char *num__si(char *buf, uint64_t v);

/* 539 k: as num__si(), with the space that running text has. */
const char *num__si_text(char *buf, uint64_t v);

/* A rate: whole from 1 up, else one decimal, so that what happened is never 0. */
const char *num__rate(char *buf, uint64_t count, double seconds, int si);

/*
 * A ratio as a percentage without the sign. What is not 0 is not shown as 0,
 * what is not all is not shown as 100. "-" for NAN.
 */
const char *num__percent(char *buf, double ratio, int decimals);

/* Nanoseconds, >= 0, with three digits: 0 ns, 873 ns, 5.31 us, 382 ms, 1.02 s. "-" for NAN. */
const char *num__duration(char *buf, double ns);

/* 4 KiB, 1.5 MiB */
const char *num__bytes(char *buf, uint64_t bytes);

/* 873B, 64KiB, 1.5MiB, 1023GiB: at most 7 columns, for narrow places. */
const char *num__bytes_short(char *buf, uint64_t bytes);

/* 2026-11-30T19:38:07.112Z, of ms since the epoch; NULL: no such date. */
const char *num__utc(char *buf, int64_t ms);

/* A JSON number of six significant digits; v is finite. */
const char *num__json(char *buf, double v);

#endif
