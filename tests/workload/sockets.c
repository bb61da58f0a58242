// SPDX-License-Identifier: GPL-2.0-only
/* Sockets and connected pairs of them over loopback. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sctp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workload.h"

#ifndef SO_RESERVE_MEM
#define SO_RESERVE_MEM 73
#endif

static int socket_failed(const char *what)
{
	return fail(EXIT_RUN,
		    "%s failed (%s): for `Too many open files` raise ulimit -n, for others check "
		    "that lo is up",
		    what, strerror(errno));
}

/* As many descriptors as root may have. */
void sockets__raise_limit(void)
{
	struct rlimit limit = {0, 0};
	long long most = 0;
	FILE *f = fopen("/proc/sys/fs/nr_open", "re");

	if (f && fscanf(f, "%lld", &most) == 1) {
		limit.rlim_cur = limit.rlim_max = most;
		if (setrlimit(RLIMIT_NOFILE, &limit) && !getrlimit(RLIMIT_NOFILE, &limit)) {
			limit.rlim_cur = limit.rlim_max;
			setrlimit(RLIMIT_NOFILE, &limit);
		}
	}
	if (f)
		fclose(f);
}

int sockets__tcp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		socket_failed("socket(TCP)");
	return fd;
}

/*
 * The exact charge: the socket's reservation goes up or down to this value, so
 * the kernel charges or uncharges exactly the difference, in task context, to
 * the cgroup that the socket was made in (sk->sk_memcg).
 */
int sockets__reserve(int fd, long long bytes)
{
	int value = (int)bytes;

	return setsockopt(fd, SOL_SOCKET, SO_RESERVE_MEM, &value, sizeof(value)) ? -errno : 0;
}

int sockets__reserve_failed(int err)
{
	switch (-err) {
	case ENOPROTOOPT:
		return fail(EXIT_SKIP, "this kernel has no SO_RESERVE_MEM: it came with 5.17");
	case EOPNOTSUPP:
		return fail(EXIT_SKIP, "the socket has no memory cgroup: boot without "
				       "cgroup.memory=nosocket, with the "
				       "memory controller in cgroup v2");
	case ENOMEM:
		return fail(EXIT_RUN, "SO_RESERVE_MEM was refused: raise the cgroup's memory.max "
				      "or the middle value of "
				      "net.ipv4.tcp_mem, or lower --pages, --sockets or -n");
	default:
		return fail(EXIT_RUN, "SO_RESERVE_MEM failed (%s): give a smaller --pages",
			    strerror(-err));
	}
}

/* Fixed buffers: no autotuning, so that each run charges the same. The kernel cuts at wmem_max and rmem_max. */
static void set_up(int fd, size_t message)
{
	int bytes = message < 16384 ? 65536 : message > (1 << 28) ? 1 << 30 : (int)message * 4;

	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* The ends must be made in the cgroup: accept() gives the new socket the cgroup of its caller. */
static int stream_pair(int fd[2], size_t message, int protocol)
{
	struct sockaddr_in addr = {.sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	socklen_t len = sizeof(addr);
	struct sctp_sack_info each = {.sack_delay = 0, .sack_freq = 1};
	int one = 1, listener;

	fd[0] = fd[1] = -1;
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);
	if (listener < 0)
		return socket_failed("socket");
	if (bind(listener, (struct sockaddr *)&addr, len) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&addr, &len))
		goto failed;
	fd[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);
	if (fd[0] < 0 || connect(fd[0], (struct sockaddr *)&addr, len))
		goto failed;
	fd[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd[1] < 0)
		goto failed;
	close(listener);
	for (int i = 0; i < 2; i++) {
		set_up(fd[i], message);
		/* no TIME_WAIT, no last segments after the load */
		setsockopt(fd[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		if (protocol == IPPROTO_TCP)
			setsockopt(fd[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		if (protocol == IPPROTO_SCTP) {
			setsockopt(fd[i], IPPROTO_SCTP, SCTP_NODELAY, &one, sizeof(one));
			/* a full window would wait 200 ms for each late SACK */
			setsockopt(fd[i], IPPROTO_SCTP, SCTP_DELAYED_SACK, &each, sizeof(each));
		}
	}
	return 0;
failed:
	socket_failed("a connection over 127.0.0.1");
	close(listener);
	if (fd[0] >= 0)
		close(fd[0]);
	return EXIT_RUN;
}

int sockets__tcp_pair(int fd[2], size_t message)
{
	return stream_pair(fd, message, IPPROTO_TCP);
}

int sockets__sctp_pair(int fd[2], size_t message)
{
	int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP);

	if (probe < 0)
		return fail(EXIT_SKIP,
			    "SCTP is not in this kernel (%s): modprobe sctp, if the module exists",
			    strerror(errno));
	close(probe);
	return stream_pair(fd, message, IPPROTO_SCTP);
}

int sockets__udp_pair(int fd[2], size_t message)
{
	struct sockaddr_in addr[2] = {};
	socklen_t len = sizeof(addr[0]);

	for (int i = 0; i < 2; i++) {
		addr[i].sin_family = AF_INET;
		addr[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		fd[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fd[i] < 0 || bind(fd[i], (struct sockaddr *)&addr[i], len) ||
		    getsockname(fd[i], (struct sockaddr *)&addr[i], &len))
			return socket_failed("socket(UDP)");
		set_up(fd[i], message);
	}
	if (connect(fd[0], (struct sockaddr *)&addr[1], len) ||
	    connect(fd[1], (struct sockaddr *)&addr[0], len))
		return socket_failed("connect(UDP)");
	return 0;
}

int sockets__unix_pair(int fd[2], size_t message)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
		return socket_failed("socketpair");
	set_up(fd[0], message);
	set_up(fd[1], message);
	return 0;
}
