// SPDX-License-Identifier: GPL-2.0-only
#include <sys/stat.h>
#include <unistd.h>

#include "store_fixture.h"

static char dir[] = "/tmp/memcgtop-store-XXXXXX";
char file[64], other[64];
char sentence[512];

static char **argv_of(const char *a, const char *b)
{
	char **argv = fixture_room(3, sizeof(argv[0]));

	argv[0] = strdup(a);
	argv[1] = strdup(b);
	return argv;
}

/* Each bucket is that of some span. */
static void fill_times(struct sample *s)
{
	fixture_times(s, 64);
	for (int i = 0; i < SPAN_NR; i++) {
		s->spans[i] = (struct hist){.sum = 1000 + i, .max = i};
		for (int j = i; j < HIST_BUCKETS; j += SPAN_NR)
			s->spans[i].buckets[j] = 1 + j;
	}
	s->spans[SPAN_WALK].buckets[HIST_BUCKETS - 1] = UINT64_MAX;
	for (int i = 0; i < SPAN_ROW_NR; i++) {
		s->rows[1].times->spans[i] = (struct row_span){.sum = UINT64_MAX - i, .max = i};
		for (int j = i; j < OCTAVES; j += SPAN_ROW_NR)
			s->rows[1].times->spans[i].octaves[j] = 1 + j;
	}
	s->rows[0].times->spans[SPAN_WALK].octaves[OCTAVES - 1] = 3;
	free(s->rows[2].times);
	s->rows[2].times = NULL;
}

static void fill_events(struct sample *s)
{
	struct row *r = &s->rows[1];

	s->asked = (struct asked){64, true, true, true};
	fixture_slot(s, 0, 0, 101, 64);
	fixture_slot(s, 0, 2, UINT64_MAX, UINT32_MAX);
	s->cpus[0].flushing = true;
	s->cpus[1].stock_seen = true;
	fixture_pair(s, 0, 101, 5, 320);
	fixture_pair(s, 101, 0, 1, 0);
	fixture_pair(s, 101, 102, UINT64_MAX, UINT64_MAX);
	fixture_drain(s, 101, 7, "drain_all_stock memory_max_write kernfs_fop_write_iter");
	fixture_drain(s, 0, 1, "");
	s->drain_all_busy = 12;
	s->breaches = 1;
	fixture_gauge(&r->stranded_pages, 64);
	fixture_gauge(&r->stranded_seen_max, 0);
	fixture_gauge(&r->limit_bytes, UINT64_MAX);
	r->pressure_ns = 1;
	r->pressure_sets = 2;
	r->pressure_setter = UINT64_MAX;
	r->hit_usage_pages = 4;
	r->hit_limit_pages = 5;
}

struct window full_window(void)
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
				     .involuntary_switches = UINT64_MAX,
				     .metrics = fixture_room(2, sizeof(struct metric)),
				     .nmetrics = 2};
	w.command.metrics[0] = (struct metric){strdup("tps"), true, 900.5};
	w.command.metrics[1] = (struct metric){strdup("lost"), false, 0};
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
	w.end->wall_ms = -7;
	w.end->event_cost_ps = 620000;
	w.end->verify = true;
	w.end->no_stat = true;
	w.end->host.cgroup = CGROUP_HYBRID;
	w.end->host.emulated = true;
	fill_times(w.end);
	fill_events(w.end);
	w.end->time_ns = 1ull << 60;
	fixture_intervals(&w, 3);
	w.intervals[1].charges[2] = 17;
	w.intervals[2].misses[0] = UINT64_MAX;
	return w;
}

void save(const struct window *w, const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(window__save(w, f), 0);
	assert_int_equal(fclose(f), 0);
}

char *slurp(const char *path, size_t *len)
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

json_t *document(void)
{
	struct window w = full_window();
	json_t *doc;

	save(&w, file);
	window__release(&w);
	doc = json_load_file(file, 0, NULL);
	assert_non_null(doc);
	return doc;
}

int load_document(json_t *doc, const char *says)
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

int load_with(const char *path, const char *json, const char *says)
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

struct window loaded(json_t *doc)
{
	struct window w;

	assert_int_equal(json_dump_file(doc, file, 0), 0);
	json_decref(doc);
	if (window__load(&w, file, sentence, sizeof(sentence)))
		fail_msg("%s", sentence);
	return w;
}

int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/a.json", dir);
	snprintf(other, sizeof(other), "%s/b.json", dir);
	return 0;
}

int remove_dir(void **state)
{
	(void)state;
	unlink(file);
	unlink(other);
	return rmdir(dir);
}
