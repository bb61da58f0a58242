// SPDX-License-Identifier: GPL-2.0-only
// links: sample/*.c model/*.c text/utf8.c ../tests/unit/store_fixture.c
#include "store_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *text, size_t len)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
}

static void test_schema(void **state)
{
	(void)state;
	assert_int_equal(load_with("schema", "\"memcgtop-sample/2\"", "newer memcgtop"),
			 -EPROTONOSUPPORT);
	assert_int_equal(load_with("schema", "\"memcgtop-sample/10\"", "newer memcgtop"),
			 -EPROTONOSUPPORT);
	assert_int_equal(load_with("schema", "\"memcgtop/1\"", "its schema is memcgtop/1"),
			 -EINVAL);
	assert_int_equal(load_with("schema", "\"memcgtop-sample/\"", "schema"), -EINVAL);
	assert_int_equal(load_with("schema", "\"memcgtop-sample/01\"", "schema"), -EINVAL);
	assert_int_equal(load_with("schema", "\"memcgtop-sample/-1\"", "is none"), -EINVAL);
	assert_int_equal(load_with("schema", "1", "no schema"), -EINVAL);
	assert_int_equal(load_with("schema", NULL, "no schema"), -EINVAL);
	/* what it quotes does not reach the terminal as it is */
	assert_int_equal(load_with("schema", "\"x\\u001b[2J\\u009b\"", "its schema is x?[2J"),
			 -EINVAL);
}

struct fault_case {
	const char *path, *json, *says;
};

static const struct fault_case cases[] = {
	{"end.rows.1.counters.forced", "-1", "end.rows[1].counters.forced: expected a count"},
	{"end.rows.1.counters.forced", "1.5", "end.rows[1].counters.forced"},
	{"end.rows.1.counters.forced", "null", "end.rows[1].counters.forced"},
	{"end.rows.1.counters.forced", "\"5\"", "end.rows[1].counters.forced"},
	{"end.rows.1.counters.forced", "\"18446744073709551616\"", "forced"},
	{"end.rows.1.counters.forced", "\"-9223372036854775809\"", "forced"},
	{"end.rows.1.counters.forced", "\" 9223372036854775809\"", "forced"},
	{"end.rows.1.counters", "[]", "end.rows[1].counters: expected an object"},
	{"end.rows.1.depth", "4294967296", "end.rows[1].depth: expected an integer from 0"},
	{"end.rows.1.state", "\"dead\"", "does not know the name dead"},
	{"end.rows.1.path_b64", "\"/a/b/\"", "path_b64"},
	{"end.rows.1.path_b64", "\"AAAA\"", "path_b64: expected base64"},
	{"end.rows.1.path_b64", "\"====\"", "path_b64: expected base64"},
	{"end.rows.1.path_b64", "\"YWI\"", "path_b64: expected base64"},
	{"end.rows.1.path_b64", "7", "path_b64"},
	{"end.rows.1.cpu_updates", "{\"7\": 1}", "the number of a CPU"},
	{"end.rows.1.cpu_updates", "{\"1x\": 1}", "the number of a CPU"},
	{"end.rows.1.cpu_updates", "{\" 1\": 1}", "the number of a CPU"},
	{"end.rows.1.cpu_updates", "{\"1\": -1}", "cpu_updates.1: expected a count"},
	{"end.rows.1.cpu_updates", "[1,2,3]", "cpu_updates: expected an object"},
	{"end.rows.1.cpu_charges", "{\"7\": 1}", "the number of a CPU"},
	{"end.rows.1.cpu_charges", "17", "cpu_charges: expected an object"},
	{"end.rows.0.state", "\"live\"", "end.rows: 0 rows are the \"other\" one"},
	{"end.rows.1.state", "\"other\"", "end.rows: 2 rows are the \"other\" one"},
	{"end.rows.2", "17", "end.rows[2]: expected an object"},
	{"end.rows", "{}", "end.rows: expected an array"},
	{"end.cpus", "1099511627776", "end.cpus: expected an array"},
	{"end.cpus.1.cpu", "1099511627776", "end.cpus[1].cpu: expected an integer from 0"},
	{"end.cpus.1.cpu", "0", "end.cpus[1].cpu: expected a number above"},
	{"end.cpus.1.online", "1", "end.cpus[1].online: expected true or false"},
	{"end.cpus.1.lost.map_full", "\"\"", "end.cpus[1].lost.map_full"},
	{"end.host.cpus_possible", "1099511627776", "end.host.cpus_possible"},
	{"end.host.cpus_possible", "-1", "end.host.cpus_possible"},
	{"end.host.kernel", "7.3", "end.host.kernel: expected text"},
	{"end.host.cgroup", "\"v3\"", "does not know the name v3"},
	{"end.stock.design", "\"two-slot\"", "end.stock.design"},
	{"end.stock", "null", "end.stock: expected an object"},
	{"end.probes.3.program", "3", "end.probes[3].program"},
	{"end.probes.3.program", "\"charge\"", "a second entry for the program charge"},
	{"end.probes.3.reason", "\"mood\"", "does not know the name mood"},
	{"end.probes.3.hook", "\"0123456789012345678901234\"", "longer than 23 bytes"},
	{"end", "null", "end: expected an object"},
	{"start", "[]", "start: expected an object"},
	{"command.exit", "256", "command.exit: expected an integer from -1 to 255"},
	{"command.user_s", "\"1\"", "command.user_s: expected seconds"},
	{"command.user_s", "-1", "command.user_s: expected seconds"},
	{"command.argv", "null", "command.argv: expected an array"},
	{"command.argv", "[1]", "command.argv: expected text"},
	{"command.argv", "[{}]", "command.argv: expected base64"},
	{"command.metrics", "[]", "command.metrics: expected an object"},
	{"command.metrics.tps", "\"9\"", "command.metrics: expected numbers by the names"},
	{"command.metrics.t p", "9", "command.metrics: expected numbers by the names"},
	{"tool", "{}", "tool: expected an array"},
	{"end_reason", "0", "end_reason: expected a name"},
	{"end.kept", "{}", "end.kept: expected an array"},
	{"end.kept", "[]", "end.kept: charge_sock_task is missing, which every"},
	{"end.kept.3", "7", "end.kept: expected names"},
	{"end.asked", "7", "end.asked: expected an object"},
	{"end.asked.sample_every", "-1", "end.asked.sample_every: expected an integer"},
	{"end.asked.drains", "1", "end.asked.drains: expected true or false"},
	{"end.spans", "[]", "end.spans: expected an object"},
	{"end.spans.walk", "null", "end.spans.walk: expected an object"},
	{"end.spans.walk.sum", "-1", "end.spans.walk.sum: expected a count"},
	{"end.spans.walk.max", "1.5", "end.spans.walk.max: expected a count"},
	{"end.spans.walk.buckets", "[1, 2]", "end.spans.walk.buckets: expected an object"},
	{"end.spans.walk.buckets.1024", "-1", "end.spans.walk.buckets.1024: expected"},
	{"end.spans.walk.buckets.>6442450944", "null", "walk.buckets.>6442450944: expected"},
	{"end.spans.walk.buckets.>1024", "1", "no bucket of >1024 ns"},
	{"end.spans.walk.buckets.8589934592", "1", "no bucket of 8589934592 ns"},
	{"end.spans.walk.buckets.>", "1", "no bucket of > ns"},
	{"end.spans.walk.buckets.1000", "1",
	 "end.spans.walk.buckets: this memcgtop has no bucket of 1000 ns; read"},
	{"end.spans.walk.buckets.01024", "1", "has no bucket of 01024 ns"},
	{"end.spans.walk.buckets. 1024", "1", "has no bucket of  1024 ns"},
	{"end.spans.walk.buckets.-1", "1", "has no bucket of -1 ns"},
	{"end.spans.walk.buckets.1e3", "1", "has no bucket of 1e3 ns"},
	{"end.spans.walk.buckets.18446744073709551615", "1", "has no bucket"},
	{"end.spans.walk.buckets.99999999999999999999999999999", "1", "has no bucket"},
	{"end.spans.walk.buckets.red", "1", "has no bucket of red ns"},
	{"end.rows.1.times", "7", "end.rows[1].times: expected an object"},
	{"end.rows.1.times.walk", "7", "end.rows[1].times.walk: expected an object"},
	{"end.rows.1.times.walk.buckets.16", "1",
	 "end.rows[1].times.walk.buckets: this memcgtop has no bucket of 16"},
	{"end.rows.1.usage_bytes", "-1", "end.rows[1].usage_bytes: expected a count"},
	{"end.rows.1.limit_bytes", "\"max\"", "end.rows[1].limit_bytes: expected a count"},
	{"end.rows.1.pressure_ns", "[]", "end.rows[1].pressure_ns: expected a count"},
	{"end.rows.1.hit_limit_pages", "1e9", "hit_limit_pages: expected a count"},
	{"end.cpus.0.stock", "[]", "end.cpus[0].stock: expected an object"},
	{"end.cpus.0.stock.flushing", "0", "stock.flushing: expected true or false"},
	{"end.cpus.0.stock.slots", "{}", "end.cpus[0].stock.slots: expected an array"},
	{"end.cpus.0.stock.slots", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]",
	 "end.cpus[0].stock.slots: 17 elements, more than the 16 that can be"},
	{"end.cpus.0.stock.slots.1", "null", "stock.slots[1]: expected an object"},
	{"end.cpus.0.stock.slots.0.pages", "4294967296", "slots[0].pages: expected"},
	{"end.pairs", "7", "end.pairs: expected an array"},
	{"end.pairs.1", "[101, 0]", "end.pairs[1]: expected an object"},
	{"end.pairs.1.evictions", "-1", "end.pairs[1].evictions: expected a count"},
	{"end.pairs.1.of", "102", "end.pairs[2].by and of: expected a pair above"},
	{"end.pairs.0.by", "101", "end.pairs[1].by and of: expected a pair above"},
	{"end.drains", "{}", "end.drains: expected an array"},
	{"end.drains.0.calls", "null", "end.drains[0].calls: expected a count"},
	{"end.drains.0.frames", "null", "end.drains[0].frames: expected an array"},
	{"end.drains.0.frames", "[1,2,3,4,5,6,7,8,9,10,11,12,13]",
	 "end.drains[0].frames: 13 elements, more than the 12 that can be"},
	{"end.drains.0.frames.1", "7", "end.drains[0].frames: expected text"},
	{"end.drains.0.frames.1", "\"\\u001b[2J\"", "frames: expected text without"},
	{"end.drains.0.frames.1",
	 "\"0123456789012345678901234567890123456789012345678901234567890123\"",
	 "end.drains[0].frames: longer than 63 bytes"},
	{"end.drain_all_busy", "-1", "end.drain_all_busy: expected a count"},
	{"end.breaches", "true", "end.breaches: expected a count"},
	{"interval_ns", "-1", "interval_ns: expected a count"},
	{"interval_ns", NULL, "interval_ns is missing"},
	{"intervals", "{}", "intervals: expected an array"},
	{"intervals.1", "[]", "intervals[1]: expected an object"},
	{"intervals.1.end_ns", "0", "intervals[1].end_ns: expected a time after that"},
	{"intervals.1.charges", "null", "intervals[1].charges: expected an object"},
	{"intervals.1.charges.7", "1", "the number of a CPU of the sample"},
	{"intervals.1.misses", "[1]", "intervals[1].misses: expected an object"},
	{"intervals.1.misses.0", "-1", "intervals[1].misses.0: expected a count"},
};

static void test_wrong_members(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!load_with(cases[i].path, cases[i].json, cases[i].says))
			fail_msg("%s = %s was taken", cases[i].path, cases[i].json);
}

static bool matches(const char *const *patterns, size_t n, const char *path)
{
	while (n--)
		if (!fnmatch(patterns[n], path, 0))
			return true;
	return false;
}

#define MATCHES(patterns, path) matches(patterns, sizeof(patterns) / sizeof((patterns)[0]), path)

/* What the first files do not have. */
static const char *const may_be_missing[] = {
	"*.cpu_charges",   "*.contexts_measured", "*.kept",	    "*.asked",	   "*.spans",
	"*.times",	   "*.times.walk",	  "*.cpus.*.stock", "*.pairs",	   "end.drains",
	"start.drains",	   "*.drain_all_busy",	  "*.breaches",	    "interval_ns", "intervals",
	"command.metrics",
};

/* Their members may be missing: each is 0 then. */
static const char *const maps[] = {
	"*.counters",	      "*.lost",		 "*.cpu_updates",
	"*.cpu_charges",      "*.buckets",	 "intervals.*.charges",
	"intervals.*.misses", "command.metrics",
};

/* Takes each member out in turn, all the way down. */
static void without_each(const json_t *template, const char *prefix, size_t *n)
{
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)template, key, value) {
		char path[128], expected[128];

		snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", key);
		snprintf(expected, sizeof(expected), "%s is missing", key);
		if (!strcmp(key, "schema")) /* has a sentence of its own */
			continue;
		if (!MATCHES(may_be_missing, path))
			assert_int_equal(load_with(path, NULL, expected), -EINVAL);
		else if (strcmp(path, "interval_ns")) /* without intervals alone */
			assert_int_equal(load_with(path, NULL, NULL), 0);
		if (MATCHES(maps, path))
			continue;
		++*n;
		if (json_is_array(value) && json_array_size(value) &&
		    json_is_object(json_array_get(value, 0))) {
			snprintf(path + strlen(path), sizeof(path) - strlen(path), ".0");
			value = json_array_get(value, 0);
		}
		if (json_is_object(value))
			without_each(value, path, n);
	}
}

static void test_missing_members(void **state)
{
	json_t *doc = document();
	size_t n = 0;

	(void)state;
	without_each(doc, "", &n);
	assert_true(n > 100);
	json_decref(doc);
}

static int load_text(const char *text, size_t len)
{
	struct window back;
	int err;

	write_file(text, len);
	sentence[0] = '\0';
	err = window__load(&back, file, sentence, sizeof(sentence));
	if (!err)
		window__release(&back);
	else
		assert_memory_equal(sentence, file, strlen(file));
	return err;
}

/* Cut anywhere it is refused, but for the newline at the end. */
static void test_truncated(void **state)
{
	struct window w = full_window();
	char *text;
	size_t len;

	(void)state;
	save(&w, file);
	window__release(&w);
	text = slurp(file, &len);
	for (size_t cut = 0; cut + 1 < len; cut += 1 + cut / 40)
		assert_int_equal(load_text(text, cut), -EINVAL);
	assert_int_equal(load_text(text, len - 2), -EINVAL);
	assert_non_null(strstr(sentence, "cut short"));
	assert_int_equal(load_text(text, len - 1), 0);
	/* and with something behind it */
	text[len - 1] = '}';
	assert_int_equal(load_text(text, len), -EINVAL);
	free(text);
}

/* Bytes changed at random: it may load or not, but nothing else. */
static void test_damaged(void **state)
{
	static const char bytes[] = "{}[]\",:0123456789-e.tfn\\\xff\x01 ";
	struct window w = full_window();
	unsigned int seed = 1;
	char *text, *copy;
	size_t len;

	(void)state;
	save(&w, file);
	window__release(&w);
	text = slurp(file, &len);
	copy = fixture_room(1, len);
	for (int i = 0; i < 1500; i++) {
		memcpy(copy, text, len);
		for (int j = 0; j < 1 + i % 3; j++)
			copy[rand_r(&seed) % len] = bytes[rand_r(&seed) % (sizeof(bytes) - 1)];
		load_text(copy, len);
	}
	free(copy);
	free(text);
}

static void test_not_json(void **state)
{
	static const char nested[] = "[[[[[[[[[[";
	char *deep = fixture_room(1, 1000000);

	(void)state;
	assert_int_equal(load_text("", 0), -EINVAL);
	assert_int_equal(load_text("[]", 2), -EINVAL);
	assert_int_equal(load_text("17", 2), -EINVAL);
	assert_int_equal(load_text("null", 4), -EINVAL);
	assert_int_equal(load_text("\0\0\0\0", 4), -EINVAL);
	assert_int_equal(load_text("{\"schema\": 1, \"schema\": 2}", 26), -EINVAL);
	assert_int_equal(load_text("{\"schema\": \"memcgtop-sample/1\"}", 31), -EINVAL);
	assert_non_null(strstr(sentence, "version is missing"));
	for (size_t i = 0; i < 1000000; i++)
		deep[i] = nested[0];
	assert_int_equal(load_text(deep, 1000000), -EINVAL);
	free(deep);
}

/* Many rows of many CPUs are little text: they must not become gigabytes. */
static void test_too_many_cells(void **state)
{
	json_t *doc = document(), *end = json_object_get(doc, "end");
	json_t *row = json_array_get(json_object_get(end, "rows"), 1);
	json_t *rows = json_array(), *cpus = json_array();

	(void)state;
	for (int i = 0; i < 4097; i++)
		json_array_append(rows, row);
	for (int i = 0; i < 4096; i++)
		json_array_append_new(cpus, json_pack("{s:i}", "cpu", i));
	json_object_set_new(end, "rows", rows);
	json_object_set_new(end, "cpus", cpus);
	assert_int_equal(load_document(doc, "4097 rows of 4096 CPUs are more than can be"),
			 -EINVAL);

	doc = document();
	cpus = json_array();
	for (int i = 0; i < 65537; i++)
		json_array_append_new(cpus, json_null());
	json_object_set_new(json_object_get(doc, "end"), "cpus", cpus);
	assert_int_equal(load_document(doc, "end.cpus: 65537 elements"), -EINVAL);
}

/* So are intervals of many CPUs. */
static void test_too_many_intervals(void **state)
{
	json_t *doc = document(), *cpus = json_object_get(json_object_get(doc, "end"), "cpus");
	json_t *intervals = json_array();

	(void)state;
	for (int i = 0; i < 4092; i++) {
		json_t *cpu = json_deep_copy(json_array_get(cpus, 1));

		json_object_set_new(cpu, "cpu", json_integer(1000 + i));
		json_array_append_new(cpus, cpu);
	}
	for (int i = 0; i < 2049; i++)
		json_array_append_new(intervals, json_integer(0));
	json_object_set_new(doc, "intervals", intervals);
	assert_int_equal(load_document(doc, "intervals: 2049 elements, more than the 2048"),
			 -EINVAL);
}

static void test_too_many_elements(void **state)
{
	static const struct {
		const char *key;
		int n;
	} lists[] = {
		{"kept", 4097},
		{"pairs", 16 * PAIRS_MAX + 1},
		{"drains", 16385},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		json_t *doc = document(), *many = json_array();
		json_t *in = json_object_get(doc, "end");

		for (int j = 0; j < lists[i].n; j++)
			json_array_append_new(many, json_integer(0));
		json_object_set_new(in, lists[i].key, many);
		assert_int_equal(load_document(doc, "more than the"), -EINVAL);
		assert_non_null(strstr(sentence, lists[i].key));
	}
}

static void test_not_a_file(void **state)
{
	struct window back;

	(void)state;
	assert_int_equal(window__load(&back, "/nonexistent", sentence, sizeof(sentence)), -ENOENT);
	assert_string_equal(sentence, "/nonexistent: No such file or directory");
	assert_int_equal(window__load(&back, "/tmp", sentence, sizeof(sentence)), -EISDIR);
	assert_string_equal(sentence, "/tmp: Is a directory");
	/* endless, and 200 MiB of blanks */
	assert_int_equal(window__load(&back, "/dev/zero", sentence, sizeof(sentence)), -EINVAL);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(mkfifo(file, 0600), 0);
	if (!fork()) {
		char blanks[65536];
		int fd = open(file, O_WRONLY);

		memset(blanks, ' ', sizeof(blanks));
		for (int i = 0; i < 3200; i++)
			if (write(fd, blanks, sizeof(blanks)) < 0)
				break;
		_exit(0);
	}
	assert_int_equal(window__load(&back, file, sentence, sizeof(sentence)), -EFBIG);
	assert_non_null(strstr(sentence, "larger than 128 MiB"));
	unlink(file);
	/* a short room for the sentence is enough */
	assert_int_equal(window__load(&back, "/nonexistent", sentence, 5), -ENOENT);
	assert_string_equal(sentence, "/non");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schema),
		cmocka_unit_test(test_wrong_members),
		cmocka_unit_test(test_missing_members),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_too_many_cells),
		cmocka_unit_test(test_too_many_elements),
		cmocka_unit_test(test_too_many_intervals),
		cmocka_unit_test(test_not_a_file),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
