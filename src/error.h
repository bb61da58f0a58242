/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One message, at the place that knows the cause: what failed, the likely
 * cause, what to do. main() prints it and exits with its status.
 */
#ifndef MEMCGTOP_ERROR_H
#define MEMCGTOP_ERROR_H

/* Exit statuses; man page, EXIT STATUS. */
enum status {
	STATUS_OK = 0,
	STATUS_CROSSED = 1, /* a gate's threshold */
	STATUS_USAGE = 2,
	STATUS_CANNOT = 3,    /* cannot measure here */
	STATUS_UNTRUSTED = 4, /* measured, not to be trusted; not written; CMD failed */
};

struct error {
	enum status status;
	char text[640];
};

/* Sets the message unless one is set already; returns -1. */
int error__set(struct error *e, enum status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* One line on standard error, whatever bytes the arguments have. */
void error__say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* strerror, and the texts it lacks: 524, ENOTSUPP inside the kernel, and those of libbpf. err may be negative. */
const char *error__text(int err);

#endif
