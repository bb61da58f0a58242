// SPDX-License-Identifier: GPL-2.0-only
// links: sample/sample.c sample/store.c sample/store_get.c sample/store_load.c sample/store_names.c model/*.c
#include "sample_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "model/model.h"
#include "sample/store.h"

static char dir[] = "/tmp/memcgtop-store-XXXXXX";
static char file[64], other[64];
static char sentence[512];

static char **argv_of(const char *a, const char *b)
{
	char **argv = fixture_room(3, sizeof(argv[0]));

	argv[0] = strdup(a);
	argv[1] = strdup(b);
	return argv;
}

/* A window with something in every member, some of it extreme. */
static struct window full_window(void)
{
	struct window w = {.start = fixture_sample(3, 3), .end = fixture_sample(3, 3)};
	struct row *r = &w.end->rows[1];

	w.version = strdup("0.1.0");
	w.tool_argv = argv_of("memcgtop", "/tmp/\xff\xfe");
	w.end_reason = END_COMMAND;
	w.command = (struct command){.argv = argv_of("workload", "r\xc3\xa9p"),
				     .exit = -1,
				     .signal = 9,
				     .ignore_failure = true,
				     .user_s = 1.91,
				     .system_s = 8.02,
				     .voluntary_switches = 36211,
				     .involuntary_switches = UINT64_MAX};
	for (int i = 0; i < C_NR; i++) {
		fixture_count(w.start, 2, 1, i, i);
		fixture_count(w.end, 2, 1, i, 1000 + i);
		fixture_count(w.end, 1, 2, i, (uint64_t)i << 40);
	}
	w.end->rows[0].c[C_FORCED] = UINT64_MAX;
	w.end->rows[0].c[C_FAILED] = INT64_MAX;
	w.end->rows[0].c[C_TRY_WALKS] = (uint64_t)INT64_MAX + 1;
	w.end->cpus[2].lost[LOSS_UNKNOWN_COUNTER] = 12;
	w.end->cpus[2].isolated = true;
	w.end->cpus[1].online = false;
	w.end->cpus[2].cpu = 300;
	r->id = UINT64_MAX;
	r->parent = 103;
	r->state = ROW_DELETED;
	strcpy(r->path, "/\x01\xff \"\\");
	r->path_len = strlen(r->path);
	free(w.end->rows[2].path);
	w.end->rows[2].path = NULL;
	w.end->rows[2].path_len = 0;
	free(w.end->rows[2].cpu_updates);
	w.end->rows[2].cpu_updates = NULL;
	w.end->rows[1].cpu_charges[2] = UINT64_MAX;
	for (int i = 0; i < PROG_NR; i++)
		fixture_runs(w.end, i, 1000 + i, i);
	fixture_missing(w.end, PROG_FORCE, REASON_BLIND);
	w.end->stock.overflow_emptied = 5;
	w.end->stock.overflow_trimmed = 6;
	w.end->stock.batch_observed = true;
	w.end->time_ns = 1ull << 60;
	w.end->wall_ms = -7;
	w.end->event_cost_ps = 620000;
	w.end->verify = true;
	w.end->no_stat = true;
	w.end->host.cgroup = CGROUP_HYBRID;
	w.end->host.emulated = true;
	return w;
}

static void save(const struct window *w, const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(window__save(w, f), 0);
	assert_int_equal(fclose(f), 0);
}

static char *slurp(const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	char *text;
	struct stat st;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	text = fixture_room(1, st.st_size + 1);
	*len = fread(text, 1, st.st_size, f);
	fclose(f);
	return text;
}

static void write_file(const char *text, size_t len)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
}

static void assert_same_file(void)
{
	size_t na, nb;
	char *a = slurp(file, &na), *b = slurp(other, &nb);

	assert_int_equal(na, nb);
	assert_memory_equal(a, b, na);
	free(a);
	free(b);
}

static void test_save_load_save(void **state)
{
	struct window w = full_window(), back;

	(void)state;
	save(&w, file);
	if (window__load(&back, file, sentence, sizeof(sentence)))
		fail_msg("%s", sentence);
	save(&back, other);
	assert_same_file();

	assert_int_equal(back.end->rows[0].c[C_FORCED], UINT64_MAX);
	assert_int_equal(back.end->rows[0].c[C_FAILED], INT64_MAX);
	assert_int_equal(back.end->rows[0].c[C_TRY_WALKS], (uint64_t)INT64_MAX + 1);
	assert_int_equal(back.end->rows[1].id, UINT64_MAX);
	assert_int_equal(back.end->rows[1].path_len, 6);
	assert_memory_equal(back.end->rows[1].path, "/\x01\xff \"\\", 7);
	assert_null(back.end->rows[2].path);
	assert_null(back.end->rows[2].cpu_updates);
	assert_string_equal(back.tool_argv[1], "/tmp/\xff\xfe");
	assert_string_equal(back.command.argv[1], "r\xc3\xa9p");
	assert_null(back.command.argv[2]);
	assert_true(back.command.user_s == 1.91);
	assert_int_equal(back.command.exit, -1);
	assert_int_equal(back.command.signal, 9);
	assert_true(back.command.ignore_failure);
	assert_int_equal(back.end->wall_ms, -7);
	assert_true(back.end->verify && back.end->no_stat);
	assert_int_equal(back.end->probes[PROG_FORCE].reason, REASON_BLIND);
	assert_int_equal(back.end->cpus[2].lost[LOSS_UNKNOWN_COUNTER], 12);
	assert_true(back.end->cpus[2].isolated && !back.end->cpus[1].online);
	for (int i = 0; i < C_NR; i++) {
		assert_int_equal(back.end->rows[1].c[i], (uint64_t)i << 40);
		assert_int_equal(back.start->rows[2].c[i], i);
	}
	assert_int_equal(back.end->rows[1].cpu_updates[2], w.end->rows[1].cpu_updates[2]);
	assert_int_equal(back.end->rows[1].cpu_charges[2], UINT64_MAX);
	assert_int_equal(back.end->rows[2].cpu_charges[1], w.end->rows[2].cpu_charges[1]);
	window__release(&back);
	window__release(&w);
}

/* A report from the file must equal the live one. */
static void test_same_model(void **state)
{
	struct window w = full_window(), back;
	struct model a, b;

	(void)state;
	w.start->time_ns = w.end->time_ns - 1500000000;
	save(&w, file);
	assert_int_equal(window__load(&back, file, sentence, sizeof(sentence)), 0);
	assert_int_equal(model__init(&a, &w), 0);
	assert_int_equal(model__init(&b, &back), 0);
	assert_memory_equal(a.total_c, b.total_c, sizeof(a.total_c));
	assert_int_equal(a.quality.grade, b.quality.grade);
	assert_true(a.seconds == b.seconds && a.overhead_ratio == b.overhead_ratio);
	for (size_t i = 0; i < a.nrows; i++) {
		assert_memory_equal(a.rows[i].c, b.rows[i].c, sizeof(a.rows[i].c));
		assert_int_equal(a.rows[i].row->id, b.rows[i].row->id);
		assert_int_equal(a.rows[i].scope.usage_cpus, b.rows[i].scope.usage_cpus);
	}
	model__release(&a);
	model__release(&b);
	window__release(&back);
	window__release(&w);
}

static void test_least_window(void **state)
{
	struct window w = {.end = fixture_sample(1, 0)}, back;

	(void)state;
	save(&w, file);
	if (window__load(&back, file, sentence, sizeof(sentence)))
		fail_msg("%s", sentence);
	assert_null(back.start);
	assert_null(back.command.argv);
	assert_null(back.tool_argv);
	assert_null(back.version);
	save(&back, other);
	assert_same_file();
	window__release(&back);
	window__release(&w);
}

static void test_every_number_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < C_NR; i++) {
		assert_non_null(counter_names[i]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(counter_names[i], counter_names[j]);
	}
	for (int i = 0; i < PROG_NR; i++)
		assert_non_null(prog_names[i]);
	for (int i = 0; i < LOSS_NR; i++)
		assert_non_null(loss_names[i]);
}

static void test_write_errors(void **state)
{
	struct window w = full_window();
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(window__save(&w, f), -ENOSPC);
	fclose(f);
	window__release(&w);
}

/* The document of the full window, to be changed by a test. */
static json_t *document(void)
{
	struct window w = full_window();
	json_t *doc;

	save(&w, file);
	window__release(&w);
	doc = json_load_file(file, 0, NULL);
	assert_non_null(doc);
	return doc;
}

/* Loads it; on failure the sentence must name the file and say so. */
static int load_document(json_t *doc, const char *says)
{
	struct window back;
	int err;

	assert_int_equal(json_dump_file(doc, file, 0), 0);
	json_decref(doc);
	err = window__load(&back, file, sentence, sizeof(sentence));
	if (!err) {
		window__release(&back);
		return 0;
	}
	assert_null(back.end);
	assert_memory_equal(sentence, file, strlen(file));
	if (says && !strstr(sentence, says))
		fail_msg("\"%s\" does not say \"%s\"", sentence, says);
	return err;
}

/* "end.rows.1.depth": the place of it, and its last name. */
static json_t *place(json_t *doc, const char *path, char *last)
{
	char copy[128], *save_ptr, *name;

	snprintf(copy, sizeof(copy), "%s", path);
	name = strtok_r(copy, ".", &save_ptr);
	for (;;) {
		char *next = strtok_r(NULL, ".", &save_ptr);

		strcpy(last, name);
		if (!next)
			return doc;
		doc = json_is_array(doc) ? json_array_get(doc, atoi(name))
					 : json_object_get(doc, name);
		assert_non_null(doc);
		name = next;
	}
}

static int load_with(const char *path, const char *json, const char *says)
{
	json_t *doc = document(), *value = json ? json_loads(json, JSON_DECODE_ANY, NULL) : NULL;
	char last[64];
	json_t *at = place(doc, path, last);

	assert_true(!json || value);
	if (json_is_array(at))
		assert_int_equal(json_array_set_new(at, atoi(last), value), 0);
	else if (json)
		assert_int_equal(json_object_set_new(at, last, value), 0);
	else
		assert_int_equal(json_object_del(at, last), 0);
	return load_document(doc, says);
}

static void test_unknown_names_are_ignored(void **state)
{
	(void)state;
	assert_int_equal(load_with("end.rows.1.counters.from_the_future", "{}", NULL), 0);
	assert_int_equal(load_with("end.future", "[1]", NULL), 0);
	assert_int_equal(load_with("future", "1", NULL), 0);
	assert_int_equal(load_with("end.probes.0.program", "\"future\"", NULL), 0);
	assert_int_equal(load_with("end.rows.1.counters.forced", NULL, NULL), 0);
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

static void test_wrong_members(void **state)
{
	static const struct fault_case cases[] = {
		{"end.rows.1.counters.forced", "-1",
		 "end.rows[1].counters.forced: expected a count"},
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
		{"tool", "{}", "tool: expected an array"},
		{"end_reason", "0", "end_reason: expected a name"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!load_with(cases[i].path, cases[i].json, cases[i].says))
			fail_msg("%s = %s was taken", cases[i].path, cases[i].json);
}

/* Takes each member out in turn, all the way down. */
static void without_each(const json_t *template, const char *prefix, size_t *n)
{
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)template, key, value) {
		char path[128], expected[128];

		/* what is not there is 0 there, and [1] has a command of its own */
		if (!strcmp(key, "counters") || !strcmp(key, "lost") ||
		    !strcmp(key, "cpu_updates") || !strcmp(key, "cpu_charges") ||
		    !strcmp(key, "schema"))
			continue;
		snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", key);
		snprintf(expected, sizeof(expected), "%s is missing", key);
		assert_int_equal(load_with(path, NULL, expected), -EINVAL);
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

static void test_not_a_file(void **state)
{
	struct window back;

	(void)state;
	assert_int_equal(window__load(&back, "/nonexistent", sentence, sizeof(sentence)), -ENOENT);
	assert_string_equal(sentence, "/nonexistent: No such file or directory");
	assert_int_equal(window__load(&back, dir, sentence, sizeof(sentence)), -EISDIR);
	assert_string_equal(sentence + strlen(dir), ": Is a directory");
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

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/a.json", dir);
	snprintf(other, sizeof(other), "%s/b.json", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(file);
	unlink(other);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_save_load_save),
		cmocka_unit_test(test_same_model),
		cmocka_unit_test(test_least_window),
		cmocka_unit_test(test_every_number_has_a_name),
		cmocka_unit_test(test_write_errors),
		cmocka_unit_test(test_unknown_names_are_ignored),
		cmocka_unit_test(test_schema),
		cmocka_unit_test(test_wrong_members),
		cmocka_unit_test(test_missing_members),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_too_many_cells),
		cmocka_unit_test(test_not_a_file),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
