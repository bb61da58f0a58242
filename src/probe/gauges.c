// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe/gauges.h"

/* The names of the files: cgroup v2 and v1. */
static const char *const usage_files[] = {"memory.current", "memory.usage_in_bytes"};
static const char *const limit_files[] = {"memory.max", "memory.limit_in_bytes"};

/* v1 has no limit as this number: LONG_MAX rounded down to pages. */
#define V1_UNLIMITED (1ULL << 62)

/* A file below an open directory as text; false if it cannot be read. */
static bool read_at(int dir, const char *file, char *text, size_t n)
{
	int fd = openat(dir, file, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, text, n - 1);
	close(fd);
	if (len <= 0)
		return false;
	text[len] = '\0';
	return true;
}

static struct gauge number(const char *text)
{
	struct gauge g = {};
	char *end;

	errno = 0;
	g.value = strtoull(text, &end, 10);
	g.known = end != text && !errno;
	return g;
}

static struct gauge file_gauge(int dir, const char *file)
{
	char text[64];

	return read_at(dir, file, text, sizeof(text)) ? number(text) : (struct gauge){};
}

/* The line "sock N" is among the first of memory.stat. */
static struct gauge sock_gauge(int dir)
{
	char text[4096], *at;

	if (!read_at(dir, "memory.stat", text, sizeof(text)))
		return (struct gauge){};
	at = strstr(text, "\nsock ");
	return at ? number(at + strlen("\nsock ")) : (struct gauge){};
}

static uint64_t charges(const struct row *r)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < KIND_NR * LEVEL_NR; i++)
		sum += r->c[C_CHARGE + i];
	for (i = 0; i < LEVEL_NR; i++)
		sum += r->c[C_SOCK_INLINE_LEVEL + i];
	return sum;
}

static bool has_sockets(const struct row *r)
{
	return r->c[C_SOCK_UNCHARGES] || r->c[C_STAT + STAT_SOCK] ||
	       r->c[C_CHARGE_PAGES + KIND_SOCK];
}

static void read_row(struct row *r, int root, bool v1)
{
	int dir = openat(root, r->path[1] ? r->path + 1 : ".",
			 O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (dir < 0)
		return;
	r->usage_bytes = file_gauge(dir, usage_files[v1]);
	r->limit_bytes = file_gauge(dir, limit_files[v1]);
	if (r->limit_bytes.value >= V1_UNLIMITED)
		r->limit_bytes = (struct gauge){};
	if (!v1 && has_sockets(r))
		r->sock_bytes = sock_gauge(dir);
	close(dir);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A row to look at. */
struct wanted {
	struct row *row;
	uint64_t charges;
};

static int busiest_first(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	return x->charges > y->charges ? -1 : x->charges < y->charges;
}

/* A cgroup outside of what the root shows has a path that begins with "/..". */
static bool has_directory(const struct row *r)
{
	if (r->state != ROW_LIVE || !r->path || r->path[0] != '/')
		return false;
	return strncmp(r->path, "/..", 3) || (r->path[3] && r->path[3] != '/');
}

void gauges__read(struct sample *s, const char *root, bool v1)
{
	struct wanted *w = calloc(s->nrows + 1, sizeof(*w));
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	uint64_t end = now_ns() + GAUGES_NS;
	size_t i, n = 0;

	for (i = 0; w && dir >= 0 && i < s->nrows; i++) {
		struct row *r = &s->rows[i];

		if (has_directory(r) && (charges(r) || has_sockets(r)))
			w[n++] = (struct wanted){r, charges(r)};
	}
	if (n)
		qsort(w, n, sizeof(*w), busiest_first);
	for (i = 0; i < n && (i < GAUGES_MIN || now_ns() < end); i++)
		read_row(w[i].row, dir, v1);
	if (dir >= 0)
		close(dir);
	free(w);
}
