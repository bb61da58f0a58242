// SPDX-License-Identifier: GPL-2.0-only
// links: text/names.c text/utf8.c
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/names.h"
#include "text/utf8.h"

#define ID  "3f1b27a0c9d43f1b27a0c9d43f1b27a0c9d43f1b27a0c9d43f1b27a0c9d4abcd"
#define POD "2f3a9c1e_7d5b_4c2e_9f1a_aabbccddeeff"

static void shortens(const char *path, size_t len, unsigned int flags, const char *want)
{
	char *exact = malloc(len ? len : 1); /* so that ASan sees a read past the end */
	char *got;

	memcpy(exact, path, len);
	got = name__short(exact, len, flags);
	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
	free(exact);
}

#define SHORT(path, want) shortens(path, sizeof(path) - 1, 0, want)

static void test_short(void **state)
{
	(void)state;
	SHORT("/", "/");
	SHORT("", "/");
	SHORT("//", "/");
	SHORT("/demo/c0", "demo/c0");
	SHORT("/init.scope", "init.scope");
	SHORT("/ssh.service", "ssh.service");
	SHORT("/kubepods.slice", "kubepods");
	SHORT("/system.slice/redis-server.service", "system/redis-server");
	SHORT("/system.slice/system-getty.slice/getty@tty1.service", "system/getty/getty@tty1");
	SHORT("/system.slice/system-x.service", "system/system-x");
	SHORT("/user.slice/user-1000.slice/session-3.scope", "user/1000/session-3");
	SHORT("/lxc.payload.web1", "lxc.payload.web1");
	SHORT("/lxc.payload.web1/init.scope", "lxc.payload.web1/init");
	SHORT("/machine.slice/machine-qemu\\x2d1\\x2dvm.scope", "machine/qemu-1-vm");
	SHORT("/machine.slice/libpod-" ID ".scope/container",
	      "machine/libpod-3f1b27a0c9d4/container");
	SHORT("/docker/" ID, "docker/3f1b27a0c9d4");
	SHORT("/system.slice/docker-" ID ".scope", "system/docker-3f1b27a0c9d4");
	/* one digit more, or less, is no id */
	SHORT("/docker/" ID "0", "docker/" ID "0");
	SHORT("/docker/" ID "\\x2d", "docker/3f1b27a0c9d4-");
}

#define KUBE "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD ".slice"

static void test_short_pods(void **state)
{
	(void)state;
	SHORT(KUBE "/cri-containerd-" ID ".scope", "pod2f3a9c1e/3f1b27a0c9d4");
	SHORT(KUBE "/crio-" ID ".scope", "pod2f3a9c1e/3f1b27a0c9d4");
	SHORT(KUBE "/crio-conmon-" ID ".scope", "pod2f3a9c1e/crio-conmon-3f1b27a0c9d4");
	SHORT(KUBE, "pod2f3a9c1e");
	SHORT("/kubepods.slice/kubepods-besteffort.slice", "kubepods/besteffort");
	SHORT("/kubepods/besteffort/pod2f3a9c1e-7d5b-4c2e-9f1a-aabbccddeeff/" ID,
	      "pod2f3a9c1e/3f1b27a0c9d4");
	SHORT("/kubepods/pod0123456789abcdef0123456789abcdef/" ID, "pod01234567/3f1b27a0c9d4");
	SHORT("/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" POD ".slice",
	      "kubelet/pod2f3a9c1e");
	/* no UIDs */
	SHORT("/kubepods/podcast", "kubepods/podcast");
	SHORT("/kubepods/pod2f3a9c1e-7d5b", "kubepods/pod2f3a9c1e-7d5b");
}

/* Names are any bytes, and none is shortened to nothing. */
static void test_short_bytes(void **state)
{
	(void)state;
	SHORT("/a\xff\n/b\033[31m", "a\\xff\\n/b\\x1b[31m");
	SHORT("/.slice", ".slice");
	SHORT("/a/.scope", "a/.scope");
	SHORT("/a.slice/a-.slice", "a/a-");
	SHORT("/a//b/", "a/b");
	SHORT("/sl\xc3\xbc\xc3\x9f.slice/x", "sl\xc3\xbc\xc3\x9f/x");
	shortens("/sl\xc3\xbc", 5, TEXT_ASCII, "sl\\xc3\\xbc");
	shortens("/a\0.service", 11, 0, "a\\x00.service");
}

static void elide(size_t width, unsigned int flags, const char *const *in, const char *const *want,
		  size_t n)
{
	char **names = calloc(n, sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = strdup(in[i]);
	assert_int_equal(names__elide(names, NULL, n, width, flags), 0);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(names[i], want[i]);
		free(names[i]);
	}
	free(names);
}

#define ELIDE(width, flags, in, want)                                           \
	elide(width, flags, (const char *const[])in, (const char *const[])want, \
	      sizeof((const char *const[])in) / sizeof(char *))
#define LIST(...)           \
	{                   \
		__VA_ARGS__ \
	}

static void test_elide(void **state)
{
	(void)state;
	ELIDE(10, TEXT_ASCII, LIST("0123456789", "0123456789a"), LIST("0123456789", "01...6789a"));
	ELIDE(9, 0, LIST("abcdefghijkl"), LIST("ab\xe2\x80\xa6ghijkl"));
	/* the difference is where the cut would be: in the middle, by the head, by the tail */
	ELIDE(16, TEXT_ASCII,
	      LIST("aaaaaaaaaaaaXaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaYaaaaaaaaaaaaaaaaaa"),
	      LIST("aa...Xaaaa...aaa", "aa...Yaaaa...aaa"));
	ELIDE(16, TEXT_ASCII, LIST("aaaaaXaaaaaaaaaaaaaaaaaa", "aaaaaYaaaaaaaaaaaaaaaaaa"),
	      LIST("aa...Xaaaa...aaa", "aa...Yaaaa...aaa"));
	ELIDE(16, TEXT_ASCII, LIST("aaaaXaaaaaaaaaaaaaaaaaa", "aaaaYaaaaaaaaaaaaaaaaaa"),
	      LIST("aaaaXaaaaa...aaa", "aaaaYaaaaa...aaa"));
	ELIDE(16, TEXT_ASCII, LIST("bbbbbbbbbbbbbbbbXaaaaaaaaa", "bbbbbbbbbbbbbbbbYaaaaaaaaa"),
	      LIST("bb...bXaaaaaaaaa", "bb...bYaaaaaaaaa"));
	ELIDE(16, TEXT_ASCII, LIST("bbbbbbbbbbbbbbbXaaaaaaaaa"), LIST("bbbb...aaaaaaaaa"));
	/* two that differ from each other elsewhere than from the third */
	ELIDE(12, 0,
	      LIST("aaaaaaaa1bbbbbbbb1cccccccccc", "aaaaaaaa1bbbbbbbb2cccccccccc",
		   "aaaaaaaa2bbbbbbbb1cccccccccc"),
	      LIST("aa\xe2\x80\xa6"
		   "1cccc\xe2\x80\xa6"
		   "ccc",
		   "aa\xe2\x80\xa6"
		   "2cccc\xe2\x80\xa6"
		   "ccc",
		   "aa\xe2\x80\xa6"
		   "2bbbb\xe2\x80\xa6"
		   "ccc"));
	/* the same name stays the same; a name that looks like an elided one is not touched */
	ELIDE(10, TEXT_ASCII, LIST("abcdefghijklmnop", "ab...lmnop", "abcdefghijklmnop"),
	      LIST("abcdef...p", "ab...lmnop", "abcdef...p"));
}

static void test_narrow(void **state)
{
	(void)state;
	ELIDE(8, TEXT_ASCII, LIST("aaaaaaaaaXbbbbbbbbbbbbbb", "aaaaaaaaaYbbbbbbbbbbbbbb"),
	      LIST("...Xbbbb", "...Ybbbb"));
	ELIDE(1, 0, LIST("abXcc", "abYcc"), LIST("X", "Y"));
	ELIDE(0, 0, LIST("ab", "cb"), LIST("", ""));
	ELIDE(1, 0, LIST("\xe6\x97\xa5\xe6\x9c\xac"), LIST(""));
}

static uint32_t seed = 1;

static uint32_t dice(uint32_t sides)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % sides;
}

/* Of few characters, so that many look alike; wide ones, marks and our own dots among them. */
static char *random_name(size_t parts)
{
	static const char *const words[] = {"a",
					    "a",
					    "a",
					    "b",
					    "~",
					    "1",
					    "...",
					    "\xe2\x80\xa6",
					    "\xe6\x97\xa5",
					    "e\xcc\x81",
					    "e\xcc\x82",
					    "\xe6\x97\xa6",
					    "e",
					    "aaaaaaaa"};
	char *name = calloc(parts + 1, 9);

	for (size_t i = 0; i < parts; i++)
		strcat(name, words[dice(sizeof(words) / sizeof(words[0]))]);
	return name;
}

struct name {
	char *in, *out;
	size_t taken;
};

static int by_out(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcmp(x->out, y->out);

	return order ? order : strcmp(x->in, y->in);
}

static int by_in(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcmp(x->in, y->in);

	if (!order)
		order = (x->taken > y->taken) - (x->taken < y->taken);
	return order ? order : strcmp(x->out, y->out);
}

static void check_elided(struct name *list, size_t n, size_t width, unsigned int flags)
{
	char **names = calloc(n, sizeof(*names));
	size_t *taken = calloc(n, sizeof(*taken)), most = 0;

	for (size_t i = 0; i < n; i++) {
		names[i] = strdup(list[i].in);
		taken[i] = list[i].taken;
		most = taken[i] > most ? taken[i] : most;
	}
	assert_int_equal(names__elide(names, most ? taken : NULL, n, width, flags), 0);
	for (size_t i = 0; i < n; i++) {
		char *clean = text_display(names[i], strlen(names[i]), 0);
		const size_t room = width > taken[i] ? width - taken[i] : 0;

		list[i].out = names[i];
		/* no character was cut in two */
		assert_string_equal(clean, names[i]);
		free(clean);
		assert_true(text_width(names[i]) <= room);
		if (text_width(list[i].in) <= room)
			assert_string_equal(list[i].in, list[i].out);
	}
	qsort(list, n, sizeof(*list), by_out);
	for (size_t i = 1; width >= 8 + most && i < n; i++)
		if (!strcmp(list[i - 1].out, list[i].out))
			assert_string_equal(list[i - 1].in, list[i].in);
	qsort(list, n, sizeof(*list), by_in);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(list[i - 1].in, list[i].in) && list[i - 1].taken == list[i].taken)
			assert_string_equal(list[i - 1].out, list[i].out);
	for (size_t i = 0; i < n; i++)
		free(list[i].out);
	free(names);
	free(taken);
}

static void test_random(void **state)
{
	struct name list[300];

	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + dice(300), length = 1 + dice(40), marks = dice(2) ? dice(10) : 0;

		for (size_t i = 0; i < n; i++)
			list[i] = (struct name){
				.in = random_name(dice(4) ? length : dice(40)),
				.taken = marks && dice(2) ? marks : 0,
			};
		check_elided(list, n, dice(3) ? 8 + dice(20) : dice(8), dice(2) ? TEXT_ASCII : 0);
		for (size_t i = 0; i < n; i++)
			free(list[i].in);
	}
}

/* Names that differ in two far places only: no cut shows both, so that numbers must. A hundred are
 * there twice. */
static void test_numbers(void **state)
{
	static struct name list[2000];
	const size_t n = sizeof(list) / sizeof(list[0]);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		char name[160];

		memset(name, 'x', sizeof(name));
		name[sizeof(name) - 1] = '\0';
		for (size_t bit = 0; bit < 11; bit++)
			name[7 + 13 * bit] = (i % (n - 100)) >> bit & 1 ? '1' : '0';
		list[i].in = strdup(name);
	}
	check_elided(list, n, 8, 0);
	check_elided(list, n, 8, TEXT_ASCII);
	check_elided(list, n, 20, 0);
	for (size_t width = 0; width < 8; width++)
		check_elided(list, n, width, TEXT_ASCII);
	for (size_t i = 0; i < n; i++)
		free(list[i].in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short),	    cmocka_unit_test(test_short_pods),
		cmocka_unit_test(test_short_bytes), cmocka_unit_test(test_elide),
		cmocka_unit_test(test_narrow),	    cmocka_unit_test(test_random),
		cmocka_unit_test(test_numbers),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
