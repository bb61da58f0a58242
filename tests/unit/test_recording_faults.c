// SPDX-License-Identifier: GPL-2.0-only
// links: model/*.c sample/*.c text/utf8.c ../tests/unit/recording_fixture.c
#include "recording_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "sample/record_format.h"

#define NR 4

/* The file's bytes, to be freed. */
static unsigned char *bytes_of(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	struct stat st;
	unsigned char *bytes;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	bytes = fixture_room(1, st.st_size + 1);
	*n = fread(bytes, 1, st.st_size, f);
	fclose(f);
	return bytes;
}

static void write_bytes(const unsigned char *bytes, size_t n)
{
	FILE *f = fopen(recorded, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* Reads all there is. Samples, or -1 if it cannot be opened. */
static int walk(void)
{
	struct recording *r = recording__open(recorded, problem, sizeof(problem));
	int n;

	if (!r) {
		assert_memory_equal(problem, recorded, strlen(recorded));
		return -1;
	}
	n = (int)recording__count(r);
	assert_true(n >= 1);
	for (int i = 0; i < n; i++)
		sample__free(recording__sample(r, i, problem, sizeof(problem)));
	recording__close(r);
	return n;
}

/* Where each chunk ends. */
static size_t ends_of(const unsigned char *bytes, size_t n, size_t *ends)
{
	size_t at = 0, count = 0;

	while (at < n) {
		uint32_t size;

		memcpy(&size, bytes + at + 12, sizeof(size));
		at += RECORD_HEAD + size;
		ends[count++] = at;
	}
	assert_int_equal(at, n);
	return count;
}

/* Cut at every byte it is read up to its last whole chunk, and says so. */
static void test_truncated(void **state)
{
	struct sample *samples[NR];
	size_t ends[NR + 2], n, whole = 0;
	unsigned char *bytes;

	(void)state;
	record_lively(samples, NR, true);
	bytes = bytes_of(recorded, &n);
	assert_int_equal(ends_of(bytes, n, ends), NR + 2);
	write_bytes(bytes, n);
	for (size_t cut = n; cut-- > 0;) {
		struct recording *r;

		assert_int_equal(truncate(recorded, (off_t)cut), 0);
		for (whole = 0; ends[whole] <= cut; whole++)
			;
		r = recording__open(recorded, problem, sizeof(problem));
		if (whole < 2) {
			assert_null(r);
			continue;
		}
		assert_non_null(r);
		assert_int_equal(recording__count(r), whole - 1);
		/* what it reads depends on the whole chunks alone */
		if (cut == ends[whole] - 1) {
			struct sample *last = sample_at(r, whole - 2);

			assert_same_sample(samples[whole - 2], last);
			sample__free(last);
		}
		assert_non_null(recording__lost(r));
		assert_non_null(strstr(recording__lost(r), "nothing is known after 20"));
		assert_true(!strstr(recording__lost(r), "was not ended") ==
			    (cut != ends[whole - 1]));
		if (cut != ends[whole - 1]) {
			char says[64];

			snprintf(says, sizeof(says), "its last %zu bytes are not",
				 cut - ends[whole - 1]);
			assert_non_null(strstr(recording__lost(r), says));
		}
		recording__close(r);
	}
	free(bytes);
	free_samples(samples, NR);
}

/* Each bit turned over in turn is found, or in what nobody reads. */
static void test_bit_flips(void **state)
{
	struct sample *samples[2];
	unsigned char *bytes;
	size_t n;

	(void)state;
	record_lively(samples, 2, true);
	bytes = bytes_of(recorded, &n);
	for (size_t i = 0; i < n; i += 1 + (i > 300) * 2) {
		bytes[i] ^= 1 << i % 8;
		write_bytes(bytes, n);
		walk();
		bytes[i] ^= 1 << i % 8;
	}
	free(bytes);
	free_samples(samples, 2);
}

/* A sample that cannot be read is one: those before it can, and after the next whole one. */
static void test_damaged_in_the_middle(void **state)
{
	struct sample *samples[130];
	size_t ends[132], n;
	unsigned char *bytes;
	struct recording *r;
	struct sample *s;

	(void)state;
	record_lively(samples, 130, true);
	bytes = bytes_of(recorded, &n);
	ends_of(bytes, n, ends);
	bytes[(ends[50] + ends[51]) / 2] ^= 16; /* of sample 50 */
	write_bytes(bytes, n);
	r = opened(recorded);
	assert_int_equal(recording__count(r), 130);
	s = sample_at(r, 49);
	assert_same_sample(samples[49], s);
	sample__free(s);
	assert_null(recording__sample(r, 50, problem, sizeof(problem)));
	assert_non_null(strstr(problem, "damaged at byte"));
	s = sample_at(r, 129);
	assert_same_sample(samples[129], s);
	sample__free(s);
	recording__close(r);
	/* the head of a chunk: there is no way on */
	bytes[ends[30] + 20] ^= 1;
	write_bytes(bytes, n);
	r = opened(recorded);
	assert_int_equal(recording__count(r), 30);
	assert_non_null(strstr(recording__lost(r), "no chunk begins there"));
	recording__close(r);
	free(bytes);
	free_samples(samples, 130);
}

static void put(FILE *f, uint32_t kind, const char *text)
{
	size_t room = ZSTD_compressBound(strlen(text));
	unsigned char head[RECORD_HEAD] = {0}, *packed = fixture_room(1, room);
	size_t size = ZSTD_compress(packed, room, text, strlen(text), 1);
	const uint32_t words[] = {RECORD_MAGIC, RECORD_PAYLOAD, kind, (uint32_t)size};
	uint32_t crc;

	memcpy(head, words, sizeof(words));
	crc = (uint32_t)crc32(0, head + 8, RECORD_PAYLOAD - 4);
	memcpy(head + 32, &crc, sizeof(crc));
	fwrite(head, 1, sizeof(head), f);
	fwrite(packed, 1, size, f);
	free(packed);
}

static void assert_refused(const char *says)
{
	assert_null(recording__open(recorded, problem, sizeof(problem)));
	if (!strstr(problem, says))
		fail_msg("\"%s\" does not say \"%s\"", problem, says);
}

static void test_schemas(void **state)
{
	static const struct {
		const char *header, *says;
	} cases[] = {
		{"{\"schema\":\"memcgtop-recording/2\"}",
		 "written by a newer memcgtop (memcgtop-recording/2); this one reads "
		 "memcgtop-recording/1"},
		{"{\"schema\":\"memcgtop-sample/1\"}", "its schema is memcgtop-sample/1"},
		{"{}", "it has no schema"},
		{"[]", "its header is no object"},
		{"{", "damaged at byte"},
		{"{\"schema\":\"memcgtop-recording/1\",\"version\":\"1\",\"tool\":null,"
		 "\"command\":null,\"interval_ns\":1}",
		 "not one whole sample is in it"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		FILE *f = fopen(recorded, "w");

		put(f, RECORD_HEADER, cases[i].header);
		fclose(f);
		assert_refused(cases[i].says);
	}
	write_bytes((const unsigned char *)"", 0);
	assert_refused("it is empty");
	write_bytes((const unsigned char *)"MZ", 2);
	assert_refused("neither a recording nor a stored window");
	write_bytes((const unsigned char *)"{}", 2);
	assert_refused("it has no schema");
	unlink(recorded);
	assert_refused("No such file");
}

/* The document in the n-th chunk of a file. */
static json_t *document_of(const unsigned char *bytes, const size_t *ends, size_t n)
{
	size_t at = (n ? ends[n - 1] : 0) + RECORD_HEAD, room = 1u << 20;
	char *text = fixture_room(1, room);
	json_t *doc =
		json_loadb(text, ZSTD_decompress(text, room, bytes + at, ends[n] - at), 0, NULL);

	assert_non_null(doc);
	free(text);
	return doc;
}

/* Members of the first sample that it cannot have: "cgroups.columns.depth". */
static const struct {
	const char *table, *member, *json, *says;
} wrong[] = {
	{NULL, "cgroups", "7", "sample 0.cgroups: expected an object"},
	{NULL, "time_ns", "-1", "sample 0.time_ns: expected a count"},
	{NULL, "host", "null", "sample 0.host: expected an object"},
	{NULL, "probes", "[7]", "sample 0.probes[0]: expected an object"},
	{"cgroups", "new", "[0,0]", "sample 0.cgroups.new: expected steps"},
	{"cgroups", "new", "[-1]", "sample 0.cgroups.new: expected steps"},
	{"cgroups", "new", "[9]", "sample 0.cgroups.new: expected steps"},
	{"cgroups", "new", "[9223372036854775807,9223372036854775807]", "new: expected steps"},
	{"cgroups", "new", "[0]", "sample 0.cgroups.id: 6 elements, more than the 1"},
	{"cgroups", "gone", "[0]", "sample 0.cgroups.gone: 1 elements, more than the 0"},
	{"cgroups", "order", "[0]", "sample 0.cgroups.order: 1 elements, more than the 0"},
	{"cgroups", "id", "[1]", "sample 0.cgroups.id: expected one for each that is new"},
	{"cgroups", "id", "[1,2,3,4,5,null]", "sample 0.cgroups.id: expected a count"},
	{"cgroups", "state", "{\"live\":[0]}", "0 rows are the \"other\" one"},
	{"cgroups", "state", "{\"gone\":[0]}", "this memcgtop does not know gone"},
	{"cgroups", "path", "{\"rows\":[0],\"to\":[]}", "path: expected as many paths as rows"},
	{"cgroups", "path", "{\"rows\":[0],\"to\":[7]}", "path: expected text"},
	{"cgroups", "rows", "[6]", "sample 0.cgroups.rows: expected steps"},
	{"cgroups", "columns", "{\"depth\":[1]}", "columns.depth: expected 6 numbers"},
	{"cgroups", "columns", "{\"depth\":[1,2,3,4,5,-1]}", "depth: expected a number that there"},
	{"cgroups", "columns", "{\"depth\":[1,2,3,4,5,1.5]}", "columns.depth: expected integers"},
	{"cgroups", "columns", "{\"times\":[1,1,1,1,1,2]}",
	 "times: expected 1 where there is none"},
	{"cgroups", "columns", "{\"walk.sum\":[1,1,1,1,1,1]}", "walk.sum: expected a number that"},
	{"cgroups", "columns", "{\"walk.1000\":[]}", "this memcgtop has no bucket of 1000 ns"},
	{"cgroups", "columns", "{\"depth\":{\"rows\":[0,9],\"by\":[]}}", "rows: expected steps"},
	{"cgroups", "widths", "[20]", "sample 0.cgroups.digits is missing"},
	{"cpus", "cpu", "[1,0]", "sample 0.cpus.cpu: expected a number above"},
	{"cpus", "cpu", "[0,65536]", "sample 0.cpus.cpu: expected numbers of CPUs"},
	{"spans", "rows", "[7]", "sample 0.spans.rows: expected names"},
	{"spans", "columns", "{\"1000\":[]}", "this memcgtop has no bucket of 1000 ns"},
	{"pairs", "of", "[]", "sample 0.pairs.of: expected one for each that is new"},
};

static void test_wrong_members(void **state)
{
	struct sample *samples[2];
	size_t ends[4], n;
	unsigned char *bytes;

	(void)state;
	record_lively(samples, 2, true);
	bytes = bytes_of(recorded, &n);
	ends_of(bytes, n, ends);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		json_t *doc = document_of(bytes, ends, 1), *at = doc;
		FILE *f = fopen(recorded, "w");
		char *text;

		if (wrong[i].table && !json_object_get(doc, wrong[i].table))
			json_object_set_new(doc, wrong[i].table, json_object());
		if (wrong[i].table)
			at = json_object_get(doc, wrong[i].table);
		if (!strcmp(wrong[i].member, "columns") && !json_object_get(at, "rows"))
			json_object_set_new(at, "rows", json_pack("[s]", "walk"));
		if (!strcmp(wrong[i].member, "rows") && !json_object_get(at, "columns"))
			json_object_set_new(at, "columns", json_object());
		json_object_set_new(at, wrong[i].member,
				    json_loads(wrong[i].json, JSON_DECODE_ANY, NULL));
		text = json_dumps(doc, 0);
		fwrite(bytes, 1, ends[0], f);
		put(f, RECORD_WHOLE, text);
		fclose(f);
		assert_refused(wrong[i].says);
		free(text);
		json_decref(doc);
	}
	free(bytes);
	free_samples(samples, 2);
}

/* A chunk of another kind, and a column and a member of a newer build, are passed over. */
static void test_unknown(void **state)
{
	struct sample *samples[NR], *s;
	size_t ends[NR + 2], n;
	unsigned char *bytes;
	struct recording *r;
	FILE *f;

	(void)state;
	record_lively(samples, NR, true);
	bytes = bytes_of(recorded, &n);
	ends_of(bytes, n, ends);
	f = fopen(recorded, "w");
	for (size_t i = 0; i < NR + 2; i++) {
		size_t from = i ? ends[i - 1] : 0;

		fwrite(bytes + from, 1, ends[i] - from, f);
		if (i < NR + 1)
			put(f, 77, "{\"marks\":[]}\n");
	}
	fclose(f);
	r = opened(recorded);
	assert_null(recording__lost(r));
	assert_int_equal(recording__count(r), NR);
	for (size_t i = 0; i < NR; i++) {
		s = sample_at(r, i);
		assert_same_sample(samples[i], s);
		sample__free(s);
	}
	recording__close(r);
	free(bytes);
	free_samples(samples, NR);
}

static void test_stored_window(void **state)
{
	struct window w = taken(), back;
	struct recording *r;
	FILE *f = fopen(recorded, "w");

	(void)state;
	w.end = busy_sample(3, 2);
	w.end_reason = END_DURATION;
	assert_int_equal(window__save(&w, f), 0);
	fclose(f);
	r = opened(recorded);
	assert_int_equal(recording__count(r), 1);
	assert_int_equal(recording__window(r, 0, 0, &back, problem, sizeof(problem)), 0);
	assert_null(back.start);
	assert_same_sample(w.end, back.end);
	window__release(&back);
	recording__close(r);

	w.start = sample__copy(w.end);
	w.start->time_ns -= 9;
	f = fopen(recorded, "w");
	assert_int_equal(window__save(&w, f), 0);
	fclose(f);
	r = opened(recorded);
	assert_int_equal(recording__count(r), 2);
	assert_int_equal(recording__find(r, w.end->time_ns - 1), 0);
	assert_int_equal(recording__window(r, 0, 1, &back, problem, sizeof(problem)), 0);
	assert_same_sample(w.start, back.start);
	assert_int_equal(back.end_reason, END_DURATION);
	assert_string_equal(back.command.argv[0], "iperf3");
	window__release(&back);
	recording__close(r);
	window__release(&w);
}

static void test_not_ended(void **state)
{
	struct sample *samples[NR];
	struct recording *r;
	struct window w;

	(void)state;
	record_lively(samples, NR, false);
	r = opened(recorded);
	assert_non_null(strstr(recording__lost(r), "was not ended"));
	assert_int_equal(recording__window(r, 0, NR - 1, &w, problem, sizeof(problem)), 0);
	assert_int_equal(w.end_reason, END_INTERRUPTED);
	assert_int_equal(w.command.exit, -1);
	assert_int_equal(w.interval_ns, 1000000000);
	assert_string_equal(w.tool_argv[1], "re\xff");
	window__release(&w);
	recording__close(r);
	free_samples(samples, NR);
}

/* As a full disk: the file ends with the last whole sample. */
static void test_no_room(void **state)
{
	struct sample *s = busy_sample(20, 2), *next = NULL;
	struct rlimit all, few;
	unsigned int seed = 1;
	struct recorder *r;
	struct recording *back;
	struct stat st;
	int n = 0, err = 0;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	r = record(recorded, s);
	assert_non_null(r);
	few = (struct rlimit){recorder__bytes(r) + 9000, all.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	for (; !err && n < 100; n++) {
		next = busy_after(s, &seed);
		err = recorder__add(r, next);
		sample__free(err ? next : s);
		s = err ? s : next;
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(stat(recorded, &st), 0);
	assert_int_equal(st.st_size, recorder__bytes(r));
	assert_int_equal(recorder__intervals(r), n - 1);
	assert_int_equal(recorder__add(r, s), -EFBIG);
	assert_int_equal(recorder__close(r), 0);
	back = opened(recorded);
	assert_int_equal(recording__count(back), n);
	recording__close(back);
	sample__free(s);
}

/* Devices are written to as they are; only a file becomes FILE.old. */
static void test_where_to(void **state)
{
	struct sample *s = busy_sample(3, 1);
	struct recorder *r;
	struct stat st;
	int status;
	pid_t pid;

	(void)state;
	assert_null(record("/dev/full", s));
	assert_int_equal(errno, ENOSPC);
	assert_non_null(strstr(problem, "/dev/full: No space left"));
	assert_int_equal(stat("/dev/full", &st), 0);
	r = record("/dev/null", s);
	assert_non_null(r);
	assert_int_equal(recorder__close(r), 0);
	assert_null(record("/nonexistent/a", s));
	assert_int_equal(errno, ENOENT);

	write_bytes((const unsigned char *)"what was there", 14);
	unlink(older);
	assert_int_equal(recorder__close(record(recorded, s)), 0);
	assert_int_equal(stat(older, &st), 0);
	assert_int_equal(st.st_size, 14);

	unlink(recorded);
	assert_int_equal(mkfifo(recorded, 0600), 0);
	pid = fork();
	if (!pid) {
		char all[65536];
		int fd = open(recorded, O_RDONLY);

		while (read(fd, all, sizeof(all)) > 0)
			;
		_exit(0);
	}
	assert_int_equal(recorder__close(record(recorded, s)), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(lstat(recorded, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	unlink(recorded);
	sample__free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bit_flips),
		cmocka_unit_test(test_damaged_in_the_middle),
		cmocka_unit_test(test_schemas),
		cmocka_unit_test(test_wrong_members),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_stored_window),
		cmocka_unit_test(test_not_ended),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_where_to),
	};

	return cmocka_run_group_tests(tests, make_place, remove_place);
}
