/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of a recording, "memcgtop-recording/1": a sequence of chunks.
 * Each is two zstd frames:
 *
 *   a skippable frame, which tools pass over: magic 0x184D2A5D, the length of
 *   what follows (28; more may come behind it), and, little-endian like these,
 *	u32 kind	1 header, 2 whole sample, 3 changes, 4 end
 *	u32 size	bytes of the data frame behind
 *	u64 time_ns	of the sample (CLOCK_MONOTONIC); 0 in the header
 *	s64 wall_ms	of the sample, since the epoch
 *	u32 crc32	of these 24 bytes, as zlib has it
 *   so that a file is indexed without decompressing it;
 *   a data frame with its content's size and checksum: one line of JSON.
 *
 * `zstdcat FILE | jq -c .` shows it all. The first chunk is the header, the
 * second a whole sample; a whole one comes again every RECORD_WHOLE_EVERY, and
 * whenever the list of CPUs is another one. The others tell what changed since
 * the sample before. A whole sample is the same, told against nothing: no
 * items, and each number 0.
 *
 * header	{"schema", "version", "tool": [...], "command", "interval_ns"}, as
 *		in a stored window (store.h); command is as it began
 * sample	{"time_ns", "wall_ms", ...} and of these what changed:
 *   kept, host, stock, probes	whole, as in a stored window, but without counts
 *   total	{"columns"}: numbers of the sample itself
 *   spans, probe_runs		{"rows": [names], "columns"}
 *   cpus, pairs, drains, cgroups	tables whose items come and go:
 *	"gone"	places of items in the table before; "order": of those that stay,
 *		their ranks in the new order, if that is another; "new": places of
 *		new items in the table as it is now, with lists of who they are
 *		("cpu"; "id"; "by", "of"; "cgroup", "frames")
 *	"path"	of cgroups: {"rows": [places], "to": [texts]}, "state":
 *		{"deleted": [places]} of those that became that; new ones are live
 *	"rows"	places of the items whose numbers changed, and
 *	"columns"  {name: [deltas]}, in the order of these; where it is shorter
 *		{"rows": [which of them], "unit": n, "by": [deltas / n]}
 *	"dense"	names of other columns, if they are not those of the sample before,
 *		"widths": how many digits each number of them has, "digits": all of
 *		those, column by column, without commas
 *   Places are told as steps, each from the one before, the first from 0.
 *   Deltas are modulo 2^64, signed. A column that is not there did not change.
 *   "cpu_charges.3" is of CPU 3, "walk.1024" is a bucket by its upper edge,
 *   "usage_bytes.known" 1 where usage_bytes is known; "times", "cpu_updates",
 *   "cpu_charges", and of the total "spans", "pairs", "drains" are 1 where
 *   there are some: else they were not measured.
 * end		{"end_reason", "command"}; a file without it was not ended
 *
 * The rules are those of store.h: names are for ever, readers ignore kinds and
 * names that they do not know (but for a bucket, without which a histogram does
 * not add up), and what breaks one needs "memcgtop-recording/2".
 */
#ifndef MEMCGTOP_RECORD_FORMAT_H
#define MEMCGTOP_RECORD_FORMAT_H

#include <stdint.h>

#define RECORD_FAMILY	   "memcgtop-recording/"
#define RECORD_VERSION	   1
#define RECORD_WHOLE_EVERY 60

#define RECORD_MAGIC	   0x184D2A5Du
#define RECORD_PAYLOAD	   28u
#define RECORD_PAYLOAD_MAX 4096u
#define RECORD_HEAD	   (8u + RECORD_PAYLOAD) /* bytes before the data frame */

enum record_kind {
	RECORD_HEADER = 1,
	RECORD_WHOLE,
	RECORD_CHANGES,
	RECORD_END,
};

/* What the skippable frame says. */
struct record_head {
	uint32_t kind;
	uint32_t size;
	uint64_t time_ns;
	int64_t wall_ms;
};

#endif
