// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "recording_fixture.h"

static char place[] = "/tmp/memcgtop-recording-XXXXXX";
char recorded[64], older[72];
char problem[512];

int make_place(void **state)
{
	(void)state;
	if (!mkdtemp(place))
		return -1;
	snprintf(recorded, sizeof(recorded), "%s/a.rec", place);
	snprintf(older, sizeof(older), "%s.old", recorded);
	return 0;
}

int remove_place(void **state)
{
	(void)state;
	unlink(recorded);
	unlink(older);
	return rmdir(place);
}

static uint64_t random_below(unsigned int *seed, uint64_t n)
{
	return ((uint64_t)rand_r(seed) << 16 ^ (uint64_t)rand_r(seed)) % n;
}

/* Of 2 to 4 digits, each number of digits as often. */
static uint64_t digits(unsigned int *seed)
{
	static const uint64_t least[] = {10, 100, 1000};
	uint64_t from = least[random_below(seed, 3)];

	return from + random_below(seed, 9 * from);
}

/* What a cgroup with sockets counts on a multi-slot stock. */
static const int counted[] = {
	CHARGE_AT(KIND_SOCK, LEVEL_TASK),
	CHARGE_AT(KIND_SOCK, LEVEL_SOFTIRQ),
	CHARGE_AT(KIND_OBJ, LEVEL_TASK),
	C_CHARGE_PAGES + KIND_SOCK,
	C_TRY_WALKS,
	C_MISS_KIND + KIND_SOCK,
	C_MISS_ABSENT,
	C_SOCK_UNCHARGES,
	C_SOCK_UNCHARGE_PAGES,
	C_REFILL + REFILL_MERGED,
	C_REFILL + REFILL_NEW_SLOT,
	C_REFILL + REFILL_EVICTED,
	C_SURPLUS_REFILLS,
	C_EVICTIONS,
	C_EVICTED,
	C_EVICTED_PAGES,
	C_WALK_CAUSE + CAUSE_EVICT,
	C_WALK_USER + USER_SOCK,
	C_WALK_PAGES,
	C_STAT + STAT_SOCK,
};

struct sample *busy_sample(size_t nrows, size_t ncpus)
{
	struct sample *s = fixture_sample(nrows, ncpus);

	fixture_times(s, 8);
	s->time_ns = 5000000000ull;
	s->wall_ms = 1800000000000;
	for (size_t i = 0; i < nrows; i++) {
		fixture_gauge(&s->rows[i].stranded_pages, 7);
		fixture_gauge(&s->rows[i].stranded_seen_max, 640);
		fixture_gauge(&s->rows[i].usage_bytes, 4096 * (1000 + i));
		fixture_gauge(&s->rows[i].sock_bytes, 4096 * i);
	}
	fixture_pair(s, 101, 102, 5, 320);
	return s;
}

/* One in 8 was timed: most of them lie in three octaves. */
static void busy_spans(struct sample *s, size_t row, unsigned int *seed)
{
	static const enum span spans[] = {SPAN_CHARGE,	 SPAN_SOCK_CHARGE, SPAN_SOCK_UNCHARGE,
					  SPAN_TRY_WALK, SPAN_WALK,	   SPAN_HOLD};

	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		for (uint64_t ns = 700; ns < 12000; ns *= 2)
			fixture_span(s, row, spans[i], ns + random_below(seed, ns / 8),
				     random_below(seed, ns > 5000 ? 3 : 60));
}

/* Sockets send and receive: nine cgroups and more share the slots of a CPU. */
static void count_thrash(struct sample *s, size_t row, unsigned int *seed)
{
	uint64_t send = digits(seed), receive = digits(seed), obj = digits(seed) / 10;
	uint64_t charges = send + receive + obj, misses = 1 + charges / (2 + random_below(seed, 9));
	uint64_t absent = misses - misses / (3 + random_below(seed, 9));
	uint64_t uncharges = send + receive + random_below(seed, 9);
	uint64_t evicted = absent / 2 + random_below(seed, 9), overflow = misses / 3;
	const struct {
		int counter;
		uint64_t n;
	} counts[] = {
		{CHARGE_AT(KIND_SOCK, LEVEL_TASK), send},
		{CHARGE_AT(KIND_SOCK, LEVEL_SOFTIRQ), receive},
		{CHARGE_AT(KIND_OBJ, LEVEL_TASK), obj},
		{C_CHARGE_PAGES + KIND_SOCK, send + receive},
		{C_CHARGE_PAGES + KIND_OBJ, obj},
		{C_TRY_WALKS, misses},
		{C_MISS_KIND + KIND_SOCK, misses - obj / 9},
		{C_MISS_KIND + KIND_OBJ, obj / 9},
		{C_MISS_ABSENT, absent},
		{C_MISS_SHORT_LATE, misses - absent},
		{C_SOCK_UNCHARGES, uncharges},
		{C_SOCK_UNCHARGE_PAGES, uncharges},
		{C_REFILL + REFILL_MERGED, uncharges + misses - absent},
		{C_REFILL + REFILL_EVICTED, absent},
		{C_REFILL + REFILL_OVERFLOW, overflow},
		{C_SURPLUS_REFILLS, misses},
		{C_EVICTIONS, absent},
		{C_EVICTED, evicted},
		{C_EVICTED_PAGES, 30 * evicted + random_below(seed, 1 + 20 * evicted)},
		{C_WALK_CAUSE + CAUSE_EVICT, evicted},
		{C_WALK_CAUSE + CAUSE_OVERFLOW, overflow},
		{C_WALK_USER + USER_SOCK, evicted + overflow},
		{C_WALK_PAGES, 40 * (evicted + overflow) + random_below(seed, 1 + 9 * evicted)},
		{C_WALK_LEVELS, 3 * (evicted + overflow)},
		{C_WALK_UNDER_LOCK, evicted + overflow},
		{C_STAT + STAT_SOCK, send + receive + uncharges},
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint64_t first = counts[i].n * (40 + random_below(seed, 21)) / 100;

		fixture_count(s, row, 0, counts[i].counter, first);
		fixture_count(s, row, 1 % s->ncpus, counts[i].counter, counts[i].n - first);
	}
}

static void count_busy(struct sample *s, size_t row, unsigned int *seed)
{
	for (size_t j = 0; j < sizeof(counted) / sizeof(counted[0]); j++)
		fixture_count(s, row, random_below(seed, s->ncpus), counted[j], digits(seed));
}

static struct sample *after(const struct sample *last, unsigned int *seed,
			    void (*count)(struct sample *s, size_t row, unsigned int *seed))
{
	struct sample *s = sample__copy(last);

	assert_non_null(s);
	s->time_ns += 1000000000 + random_below(seed, 100000);
	s->wall_ms += 1000;
	for (size_t i = 0; i < s->nrows; i++) {
		struct row *r = &s->rows[i];

		if (r->state == ROW_IS_OTHER || !r->cpu_updates || !r->cpu_charges)
			continue;
		count(s, i, seed);
		if (s->spans && r->times)
			busy_spans(s, i, seed);
		r->c[C_TIMED_SOCK_NS] += 100 * digits(seed) + digits(seed);
		r->c[C_TIMED_REFILL_SOCK_NS] += 100 * digits(seed) + digits(seed);
		r->usage_bytes.value += 4096 * random_below(seed, 200);
		r->sock_bytes.value += 4096 * random_below(seed, 200);
		r->stranded_pages.value = random_below(seed, 448);
	}
	for (int i = 0; i < PROG_NR; i++)
		if (s->probes[i].state == PROBE_ATTACHED)
			s->probes[i].recorded += 20 * digits(seed);
	for (size_t i = 0; i < s->ncpus; i++)
		for (int j = 0; j < 7; j++)
			fixture_slot(s, i, j, 101 + random_below(seed, s->nrows),
				     random_below(seed, 64));
	return s;
}

struct sample *busy_after(const struct sample *last, unsigned int *seed)
{
	return after(last, seed, count_busy);
}

struct sample *thrash_after(const struct sample *last, unsigned int *seed)
{
	return after(last, seed, count_thrash);
}

static void drop_row(struct sample *s, size_t i)
{
	free(s->rows[i].path);
	free(s->rows[i].cpu_updates);
	free(s->rows[i].cpu_charges);
	free(s->rows[i].times);
	memmove(&s->rows[i], &s->rows[i + 1], (s->nrows - i - 1) * sizeof(s->rows[0]));
	s->nrows--;
}

/* In front of the i-th. */
static void insert_row(struct sample *s, size_t i, uint64_t id)
{
	struct row *r;

	s->rows = realloc(s->rows, (s->nrows + 1) * sizeof(s->rows[0]));
	assert_non_null(s->rows);
	memmove(&s->rows[i + 1], &s->rows[i], (s->nrows - i) * sizeof(s->rows[0]));
	s->nrows++;
	r = &s->rows[i];
	*r = (struct row){.id = id, .parent = 17, .depth = 3};
	if (id % 3) {
		r->cpu_updates = fixture_room(s->ncpus, sizeof(uint64_t));
		r->cpu_charges = fixture_room(s->ncpus, sizeof(uint64_t));
	}
	if (id % 5 && s->spans)
		r->times = fixture_room(1, sizeof(*r->times));
	r->path = strdup(id % 4 ? "/new/r\xc3\xa9p\n" : "/new/\xff\x01 \"\\");
	r->path_len = strlen(r->path);
}

static void change_row(struct sample *s, unsigned int *seed)
{
	struct row *r = &s->rows[random_below(seed, s->nrows)], swap;
	struct row *t = &s->rows[random_below(seed, s->nrows)];

	if (r->state == ROW_IS_OTHER)
		return;
	switch (random_below(seed, 8)) {
	case 0:
		r->state = ROW_DELETED;
		break;
	case 1:
		free(r->path);
		r->path = random_below(seed, 2) ? strdup("/other/name") : NULL;
		r->path_len = r->path ? strlen(r->path) : 0;
		break;
	case 2:
		r->usage_bytes = (struct gauge){0};
		fixture_gauge(&r->limit_bytes, UINT64_MAX);
		break;
	case 3:
		free(r->times);
		r->times = NULL;
		break;
	case 4:
		swap = *r;
		*r = *t;
		*t = swap;
		break;
	case 5:
		r->parent = random_below(seed, 300);
		r->c[C_FORCED] -= 5;
		r->pressure_setter = UINT64_MAX;
		break;
	case 6:
		drop_row(s, r - s->rows);
		break;
	default:
		insert_row(s, random_below(seed, s->nrows + 1), random_below(seed, 400) + 100);
	}
}

static void change_lists(struct sample *s, unsigned int *seed)
{
	switch (random_below(seed, 8)) {
	case 0:
		free(s->pairs);
		s->pairs = NULL;
		s->npairs = 0;
		break;
	case 1:
		if (!s->npairs || s->pairs[s->npairs - 1].key.by < UINT64_MAX - 9)
			fixture_pair(s, s->npairs ? s->pairs[s->npairs - 1].key.by + 3 : 0, 9, 1,
				     2);
		break;
	case 2:
		if (s->npairs > 1)
			memmove(&s->pairs[0], &s->pairs[1], --s->npairs * sizeof(s->pairs[0]));
		break;
	case 3:
		fixture_drain(s, random_below(seed, 5), 3, "drain_all_stock memory_max_write");
		break;
	case 4:
		free(s->drains);
		s->drains = NULL;
		s->ndrains = 0;
		break;
	case 5:
		s->drain_all_busy++;
		s->stock.overflow_trimmed += 2;
		s->stock.batch_observed = true;
		break;
	case 6:
		free(s->spans);
		s->spans = NULL;
		break;
	default:
		if (!s->spans)
			s->spans = fixture_room(SPAN_NR, sizeof(s->spans[0]));
	}
}

static void change_machine(struct sample *s, unsigned int *seed)
{
	struct cpu *c = &s->cpus[random_below(seed, s->ncpus)];

	switch (random_below(seed, 6)) {
	case 0:
		c->online = !c->online;
		s->host.cpus_online = 1;
		break;
	case 1:
		c->stock_seen = false;
		c->flushing = !c->flushing;
		break;
	case 2:
		c->lost[LOSS_PAIR_FULL] += 3;
		s->lacks[C_FLUSH_CPUS] = s->lacks[C_RSTAT_UPDATES] = true;
		break;
	case 3:
		s->probes[PROG_WALK].state = PROBE_MISSING;
		s->probes[PROG_WALK].reason = REASON_BLIND;
		break;
	case 4:
		/* another list of CPUs: the arrays of the rows stay as long */
		c = &s->cpus[s->ncpus - 1];
		c->cpu = c->cpu == 300 ? 301 : 300;
		break;
	default:
		s->verify = !s->verify;
		s->event_cost_ps += 100;
		s->asked.sample_every = random_below(seed, 70);
	}
}

struct sample *lively_after(const struct sample *last, unsigned int *seed)
{
	struct sample *s = busy_after(last, seed);

	for (uint64_t i = random_below(seed, 4); i; i--)
		change_row(s, seed);
	change_lists(s, seed);
	change_machine(s, seed);
	return s;
}

struct window taken(void)
{
	struct window w = {.version = strdup("0.1.0"), .interval_ns = 1000000000};

	w.tool_argv = fixture_room(3, sizeof(w.tool_argv[0]));
	w.tool_argv[0] = strdup("memcgtop");
	w.tool_argv[1] = strdup("re\xff");
	w.command.argv = fixture_room(2, sizeof(w.command.argv[0]));
	w.command.argv[0] = strdup("iperf3");
	w.command.metrics = fixture_room(1, sizeof(w.command.metrics[0]));
	w.command.metrics[0].name = strdup("bits");
	w.command.nmetrics = 1;
	return w;
}

struct recorder *record(const char *path, const struct sample *first)
{
	struct window w = taken();
	struct recorder *r = recorder__open(path, &w, first, problem, sizeof(problem));

	window__release(&w);
	return r;
}

void record_lively(struct sample **samples, size_t n, bool ended)
{
	struct window w = taken();
	unsigned int seed = 7;
	struct recorder *r;

	samples[0] = busy_sample(6, 2);
	r = record(recorded, samples[0]);
	if (!r)
		fail_msg("%s", problem);
	for (size_t i = 1; i < n; i++) {
		samples[i] = lively_after(samples[i - 1], &seed);
		assert_int_equal(recorder__add(r, samples[i]), 0);
	}
	assert_int_equal(recorder__intervals(r), n - 1);
	w.end_reason = END_COMMAND;
	w.command.exit = 3;
	w.command.user_s = 1.5;
	w.command.metrics[0].known = true;
	w.command.metrics[0].value = -7.25;
	if (ended)
		assert_int_equal(recorder__finish(r, &w), 0);
	assert_int_equal(recorder__close(r), 0);
	window__release(&w);
}

void free_samples(struct sample **samples, size_t n)
{
	while (n)
		sample__free(samples[--n]);
}

struct recording *opened(const char *path)
{
	struct recording *r = recording__open(path, problem, sizeof(problem));

	if (!r)
		fail_msg("%s", problem);
	return r;
}

struct sample *sample_at(struct recording *r, size_t i)
{
	struct sample *s = recording__sample(r, i, problem, sizeof(problem));

	if (!s)
		fail_msg("%s", problem);
	return s;
}

char *text_of_sample(struct sample *s)
{
	struct window w = {.end = s};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(window__save(&w, f), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

void assert_same_sample(struct sample *a, struct sample *b)
{
	char *x = text_of_sample(a), *y = text_of_sample(b);

	assert_string_equal(x, y);
	free(x);
	free(y);
}
