/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Short names of cgroups, as a table has room for: without what systemd and
 * container runtimes put around the word that people know.
 */
#ifndef MEMCGTOP_NAMES_H
#define MEMCGTOP_NAMES_H

#include <stddef.h>

/*
 * The short name of a path, as text that a terminal may see (text_display()):
 * .slice, .scope and .service go, and of nested slices the parent's name that
 * systemd repeats; escapes (\x2d) are undone; a container's id of 64 digits
 * keeps 12, a pod's UID its first group; "kubepods-burstable-pod<uid>.slice/
 * cri-containerd-<id>.scope" is pod<uid>/<id>. flags: enum text_flags. Free it.
 * NULL: no memory.
 */
char *name__short(const char *path, size_t len, unsigned int flags);

/*
 * Elides n clean names in the middle to at most width columns each, in place,
 * so that different names stay different: where two would look the same, the
 * part in which they differ is kept, or the name ends in ~ and a number. In
 * less than 8 columns some may come out equal: so many there are not. taken:
 * of the width, the columns that each leaves to what stands behind it, or NULL.
 * 0 or -ENOMEM: then all are as they were.
 */
int names__elide(char **names, const size_t *taken, size_t n, size_t width, unsigned int flags);

#endif
