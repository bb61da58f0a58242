// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modes rr, unix, udp, sctp: ping-pong. One process holds both ends of a
 * connection, so that no wake-up and no scheduler decides the order of charges.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workload.h"

#define SCTP_PIECE  16384 /* a message must fit into the send buffer */
#define UDP_MAX	    65507
#define UDP_WAIT_MS 200 /* loopback delivers at once: what is not there by then was dropped */

struct flows {
	int (*fd)[2];
	int nr;
	char *buf;
	size_t size;
};

static size_t message_size(const struct run *run)
{
	return run->cfg->size ? (size_t)run->cfg->size : (size_t)(pages_of(run) * run->page_size);
}

static int make_pair(const struct run *run, int fd[2], size_t size)
{
	switch (run->mode->bit) {
	case M_UNIX:
		return sockets__unix_pair(fd, size);
	case M_UDP:
		return sockets__udp_pair(fd, size);
	case M_SCTP:
		return sockets__sctp_pair(fd, size);
	default:
		return sockets__tcp_pair(fd, size);
	}
}

/* Sockets belong to the cgroup that they are made in; AF_UNIX charges the sender's. */
static int setup(struct run *run, int worker, void **state)
{
	int per_cgroup = run->cfg->flows ? (int)run->cfg->flows : 1;
	int first = run->cfg->single ? 0 : worker;
	int last = run->cfg->single ? run->nr_cg : worker + 1;
	struct flows *flows = calloc(1, sizeof(*flows));
	int err = 0;

	if (!flows)
		return EXIT_RUN;
	flows->size = message_size(run);
	flows->buf = malloc(flows->size);
	flows->fd = calloc((size_t)(last - first) * per_cgroup, sizeof(*flows->fd));
	if (!flows->buf || !flows->fd)
		return fail(EXIT_RUN, "no memory for messages of %zu bytes: lower --size",
			    flows->size);
	memset(flows->buf, 'm', flows->size);
	*state = flows;
	for (int i = first; i < last && !err; i++) {
		err = cgroups__enter(run, i);
		for (int f = 0; f < per_cgroup && !err; f++)
			err = make_pair(run, flows->fd[flows->nr++], flows->size);
	}
	if (!err && !run->cfg->inside && run->mode->bit != M_UNIX)
		err = cgroups__leave(run);
	return err;
}

static bool again(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOBUFS);
}

static int transfer_failed(const char *what, ssize_t n)
{
	if (!n)
		return fail(EXIT_RUN, "%s: the other end closed the connection, look at dmesg",
			    what);
	return fail(EXIT_RUN, "%s failed (%s): lower --size, or raise the cgroup's memory.max",
		    what, strerror(errno));
}

/* Sends and receives by turns as far as the buffers allow: a message may be larger than they are. */
static int transfer(struct run *run, struct flows *flows, int from, int to)
{
	size_t piece = run->mode->bit == M_SCTP ? SCTP_PIECE : flows->size;
	size_t sent = 0, got = 0;
	ssize_t in, out;

	while (got < flows->size) {
		out = in = 0;
		if (sent < flows->size) {
			size_t len = flows->size - sent < piece ? flows->size - sent : piece;

			out = send(from, flows->buf, len, MSG_NOSIGNAL);
			if (out <= 0 && !again(out))
				return transfer_failed("send", out);
			sent += out > 0 ? out : 0;
		}
		in = recv(to, flows->buf, flows->size - got, 0);
		if (in <= 0 && !again(in))
			return transfer_failed("recv", in);
		got += in > 0 ? in : 0;
		if (in <= 0 && out <= 0) {
			struct pollfd poller[2] = {{.fd = to, .events = POLLIN},
						   {.fd = from,
						    .events = sent < flows->size ? POLLOUT : 0}};

			if (stopped(run))
				return 0;
			poll(poller, 2, 500);
		}
	}
	return 0;
}

static int datagram(struct run *run, struct flows *flows, int from, int to, uint64_t *lost)
{
	struct pollfd poller = {.fd = to, .events = POLLIN};
	ssize_t n;

	n = send(from, flows->buf, flows->size, MSG_NOSIGNAL);
	if (n < 0 && !again(n))
		return transfer_failed("send", n);
	n = recv(to, flows->buf, flows->size, 0);
	if (n < 0 && again(n) && !stopped(run)) {
		poll(&poller, 1, UDP_WAIT_MS);
		n = recv(to, flows->buf, flows->size, 0);
	}
	if (n < 0 && !again(n))
		return transfer_failed("recv", n);
	*lost += n < 0;
	return 0;
}

static int load(struct run *run, int worker, void **state)
{
	struct result *result = &run->shared->result[worker];
	struct flows *flows = *state;
	struct loop loop;
	int err;

	for (loop__start(&loop, run); loop__more(&loop); loop.done++) {
		for (int f = 0; f < flows->nr; f++) {
			int from = flows->fd[f][loop.done & 1], to = flows->fd[f][!(loop.done & 1)];

			if (run->mode->bit == M_UDP)
				err = datagram(run, flows, from, to, &result->lost);
			else
				err = transfer(run, flows, from, to);
			if (err)
				return err;
			result->ops++;
			if (run->cfg->yield)
				sched_yield();
		}
	}
	return 0;
}

int run_flows(struct run *run)
{
	int workers = run->cfg->single ? 1 : run->nr_cg;
	uint64_t messages = 0, lost = 0;
	int err;

	if (run->mode->bit == M_UDP && message_size(run) > UDP_MAX)
		return fail(EXIT_USAGE, "a datagram holds at most %d bytes: give a smaller --size",
			    UDP_MAX);
	err = workers__run(run, workers, setup, load);
	if (err)
		return err;
	for (int i = 0; i < workers; i++) {
		messages += run->shared->result[i].ops;
		lost += run->shared->result[i].lost;
	}
	json__open(run);
	json__int("flows", run->cfg->flows ? run->cfg->flows : 1);
	json__int("processes", workers);
	json__int("size", message_size(run));
	json__int("messages", messages);
	json__int("transactions", messages / 2);
	if (run->mode->bit == M_UDP)
		json__int("lost", lost);
	json__real("seconds", workers__seconds_ns(run, workers) / 1e9, 6);
	json__close(run);
	gate__after(run);
	return 0;
}
