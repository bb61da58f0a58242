// SPDX-License-Identifier: GPL-2.0-only
/* The command line: one table is parsed, checked and printed as help. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

enum kind { FLAG, NUMBER, SECONDS, TEXT, NAMES };

struct option_def {
	const char *name;
	char letter; /* 0 = none */
	const char *arg;
	enum kind kind;
	size_t at;	    /* offset in struct config */
	long long min, max; /* of a NUMBER */
	unsigned int modes;
	const char *help;
};

#define AT(field) offsetof(struct config, field)

static const struct option_def table[] = {
	{"cgroups", 'n', "N", NUMBER, AT(cgroups), 1, MAX_CGROUPS, M_LOADS & ~M_CHURN,
	 "cgroups to make (default 1, or one for each --name)"},
	{"count", 'c', "COUNT", NUMBER, AT(count), 1, 1LL << 60, M_LOADS,
	 "operations; with -t too, whichever ends first"},
	{"time", 't', "SEC", SECONDS, AT(seconds), 0, 0, M_LOADS,
	 "run for this time instead of a count"},
	{"cpu", 'p', "CPU", NUMBER, AT(cpu), 0, 8191, M_ALL,
	 "run the load on this CPU only; the cgroups are made and removed on the others"},
	{"pages", 0, "P", NUMBER, AT(pages), 1, 500000, M_LOADS,
	 "pages of one operation (rr, unix, udp, sctp: of one message)"},
	{"size", 0, "BYTES", NUMBER, AT(size), 1, 1LL << 30, M_FLOWS,
	 "bytes of one message, instead of --pages"},
	{"sockets", 0, "K", NUMBER, AT(sockets), 1, 1000000, M_RESERVE,
	 "sockets of each cgroup (default 1)"},
	{"flows", 0, "F", NUMBER, AT(flows), 1, 100000, M_FLOWS,
	 "connections of each cgroup (default 1)"},
	{"pattern", 0, "NAME", TEXT, AT(pattern), 0, 0, M_RESERVE,
	 "pair (default): charge all sockets of a cgroup, uncharge them, next cgroup; "
	 "across: charge the sockets of all cgroups, then uncharge them all"},
	{"warm", 0, "W", NUMBER, AT(warm), 0, 1LL << 40, M_RESERVE,
	 "loops before the counted ones (and before --wait)"},
	{"bench", 0, NULL, FLAG, AT(bench), 0, 0, M_RESERVE,
	 "time 25 rounds of -c loops; print the least and the median ns and TSC ticks of a "
	 "charge + uncharge pair (under qemu -icount shift=0 these are instructions)"},
	{"charged", 0, NULL, FLAG, AT(charged), 0, 0, M_RESERVE,
	 "charge the sockets once and leave them so until `done` is answered (with --wait)"},
	{"single", 0, NULL, FLAG, AT(single), 0, 0, M_FLOWS & ~M_UNIX,
	 "one process goes over all cgroups, message by message, instead of one process each"},
	{"yield", 0, NULL, FLAG, AT(yield), 0, 0, M_FLOWS | M_ANON | M_FILE | M_LIMIT,
	 "sched_yield after each operation, so that processes on one CPU alternate finely"},
	{"fifo", 0, NULL, FLAG, AT(fifo), 0, 0, M_FLOWS | M_ANON | M_FILE | M_LIMIT,
	 "workers run under SCHED_FIFO: with --yield and -p, which it needs, an exact round robin, "
	 "which the normal class does not promise"},
	{"inside", 0, NULL, FLAG, AT(inside), 0, 0, M_FLOWS & ~M_UNIX,
	 "workers stay in their cgroups (default: they go back once the sockets are made)"},
	{"with", 0, "WHAT", TEXT, AT(with), 0, 0, M_CHURN,
	 "what a churned cgroup is charged with: reserve (default) or anon"},
	{"hold", 0, "K", NUMBER, AT(hold), 1, 1000000, M_CHURN,
	 "keep the charged socket of the last K removed cgroups, so that these stay dying"},
	{"alive", 0, "K", NUMBER, AT(alive), 1, MAX_CGROUPS, M_CHURN,
	 "keep the K newest cgroups; older ones are removed"},
	{"max", 0, "PAGES", NUMBER, AT(max_pages), 64, 1LL << 40, M_LIMIT,
	 "memory.max of the first cgroup, in pages (default 1024)"},
	{"vain", 0, "PAGES", NUMBER, AT(vain), 1, 1LL << 30, M_LIMIT,
	 "with each operation the first cgroup frees so many pages more and writes them again at "
	 "once: reclaim scans them in vain, which is pressure to the kernel"},
	{"hop", 0, NULL, FLAG, AT(hop), 0, 0, M_LIMIT,
	 "another process moves the first worker to and fro between two CPUs, each millisecond"},
	{"refuse", 0, NULL, FLAG, AT(refuse), 0, 0, M_LIMIT,
	 "an operation is instead: charge and uncharge P pages by SO_RESERVE_MEM, which leaves "
	 "some "
	 "in the stock, then ask for more than memory.max: that is refused, after all stocks were "
	 "drained for it"},
	{"dir", 0, "DIR", TEXT, AT(dir), 0, 0, M_FILE,
	 "write the files there (default: an unnamed tmpfs file, memfd)"},
	{"cgroup", 0, "NAME", TEXT, AT(cgroup), 0, 0, M_EXEC,
	 "cgroup to run the command in: a name below the parent, or /PATH from the root"},
	{"name", 0, "NAME", NAMES, AT(names), 0, 0, M_LOADS,
	 "name of the next cgroup, any bytes but / and newline; repeatable "
	 "(default c0, c1, ...; churn: its one name, used again and again, default k0, k1, ...)"},
	{"parent", 0, "PATH", TEXT, AT(parent), 0, 0, M_ALL,
	 "make the cgroups below this one (default /workload.PID); missing levels are made; "
	 "what was there before is used and not removed"},
	{"depth", 0, "D", NUMBER, AT(depth), 1, 32, M_LOADS & ~M_CHURN,
	 "put the cgroups D levels below the parent: d1/d2/.../NAME (default 1)"},
	{"settle", 0, "SEC", SECONDS, AT(settle), 0, 0, M_LOADS,
	 "sleep between set-up and load (default 0; --bench 3, under icount take 30)"},
	{"wait", 0, NULL, FLAG, AT(wait), 0, 0, M_LOADS,
	 "say `ready` on standard error after set-up and `done` after the load, and each time "
	 "wait for a line (or the end) of standard input; at `done` the sockets of reserve and "
	 "churn "
	 "are still there, the workers of the other modes have ended"},
	{"keep", 0, NULL, FLAG, AT(keep), 0, 0, M_ALL, "leave the cgroups behind"},
	{"cgroup-root", 0, "DIR", TEXT, AT(root), 0, 0, M_ALL,
	 "mount point of cgroup v2 (default: from /proc/self/mountinfo)"},
	{"help", 'h', NULL, FLAG, AT(help), 0, 0, M_ALL, "show this"},
};

#define NR_OPTIONS (sizeof(table) / sizeof(table[0]))

static void print_option(const struct option_def *def, const struct mode *mode)
{
	char left[40];
	int col;
	const char *p = def->help;

	snprintf(left, sizeof(left), "%s%c%s--%s%s%s", def->letter ? "-" : " ",
		 def->letter ? def->letter : ' ', def->letter ? ", " : "  ", def->name,
		 def->arg ? " " : "", def->arg ? def->arg : "");
	col = printf("  %-24s ", left);
	while (*p) {
		size_t len = strcspn(p, " ");

		if (col + len > 99) {
			printf("\n%27s", "");
			col = 27;
		}
		col += printf("%.*s%s", (int)len, p, p[len] ? " " : "");
		p += len + (p[len] == ' ');
	}
	if (mode && def->at == AT(count) && mode->count)
		printf(" (default %lld)", mode->count);
	if (mode && def->at == AT(pages))
		printf(" (default %lld)", mode->pages);
	putchar('\n');
}

void options__help(const struct mode *mode)
{
	puts("Options:");
	for (size_t i = 0; i < NR_OPTIONS; i++)
		if (!mode || (table[i].modes & mode->bit))
			print_option(&table[i], mode);
	puts("\nExit status: 0 done, 1 the load failed, 2 usage, 77 not possible on this kernel or "
	     "machine,\n"
	     "128 + N stopped by signal N; exec: that of the command.");
}

static int parse_number(const struct option_def *def, const char *text, long long *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return fail(EXIT_USAGE, "--%s: `%s` is not a whole number", def->name, text);
	if (*out < def->min || *out > def->max)
		return fail(EXIT_USAGE, "--%s: %s is outside %lld to %lld", def->name, text,
			    def->min, def->max);
	return 0;
}

static int parse_seconds(const struct option_def *def, const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	if (end == text || *end || !(*out >= 0 && *out <= 1e6))
		return fail(EXIT_USAGE, "--%s: `%s` is not a time in seconds from 0 to 1000000",
			    def->name, text);
	return 0;
}

static int add_name(struct config *cfg, const char *name)
{
	const char **names;

	if (!*name || strchr(name, '/') || strchr(name, '\n') || !strcmp(name, ".") ||
	    !strcmp(name, ".."))
		return fail(EXIT_USAGE,
			    "--name: the kernel allows any bytes but / and newline, and not `%s`",
			    name);
	names = realloc(cfg->names, (cfg->nr_names + 1) * sizeof(*names));
	if (!names)
		return fail(EXIT_RUN, "no memory for the names");
	cfg->names = names;
	names[cfg->nr_names++] = name;
	return 0;
}

static int store(const struct option_def *def, const char *text, struct config *cfg)
{
	void *at = (char *)cfg + def->at;

	switch (def->kind) {
	case FLAG:
		*(bool *)at = true;
		return 0;
	case NUMBER:
		return parse_number(def, text, at);
	case SECONDS:
		return parse_seconds(def, text, at);
	case TEXT:
		*(const char **)at = text;
		return 0;
	case NAMES:
		return add_name(cfg, text);
	}
	return 0;
}

static bool is_one_of(const char *value, const char *a, const char *b)
{
	return !value || !strcmp(value, a) || !strcmp(value, b);
}

/* Of exec's command and its cgroup, and of words that no mode takes. */
static int check_words(const struct mode *mode, const struct config *cfg)
{
	if (mode->bit != M_EXEC && *cfg->command)
		return fail(EXIT_USAGE, "unexpected word `%s`: see workload %s --help",
			    *cfg->command, mode->name);
	if (mode->bit != M_EXEC)
		return 0;
	if (!*cfg->command || !cfg->cgroup)
		return fail(EXIT_USAGE, "exec needs a %s: workload exec --cgroup NAME -- COMMAND",
			    *cfg->command ? "cgroup" : "command");
	if (cfg->cgroup[0] == '/' && cfg->parent)
		return fail(EXIT_USAGE, "--cgroup /PATH names the parent too: leave out --parent");
	return 0;
}

static int check(const struct mode *mode, struct config *cfg)
{
	if (cfg->size && cfg->pages)
		return fail(EXIT_USAGE, "--size and --pages say the same thing: give one of them");
	if (!is_one_of(cfg->pattern, "pair", "across"))
		return fail(EXIT_USAGE, "--pattern: `%s` is neither pair nor across", cfg->pattern);
	if (!is_one_of(cfg->with, "reserve", "anon"))
		return fail(EXIT_USAGE, "--with: `%s` is neither reserve nor anon", cfg->with);
	if (cfg->bench && cfg->seconds)
		return fail(EXIT_USAGE, "--bench counts loops: give -c instead of -t");
	if (cfg->hold && cfg->with && !strcmp(cfg->with, "anon"))
		return fail(EXIT_USAGE, "--hold keeps sockets: use it with --with reserve");
	if (cfg->fifo && (cfg->cpu < 0 || !cfg->yield))
		return fail(EXIT_USAGE, "--fifo would starve the CPU's kernel threads: give -p and "
					"--yield with it");
	if (cfg->inside && cfg->single)
		return fail(EXIT_USAGE,
			    "--inside: one process cannot stay in all cgroups, leave out --single");
	if (!cfg->cgroups)
		cfg->cgroups = cfg->nr_names ? cfg->nr_names : 1;
	if (mode->bit == M_CHURN && (cfg->nr_names > 1 || (cfg->nr_names && cfg->alive)))
		return fail(EXIT_USAGE,
			    "churn uses one name again and again: give --name once and no --alive");
	if (cfg->nr_names > cfg->cgroups)
		return fail(EXIT_USAGE, "%d names for %lld cgroups: raise -n", cfg->nr_names,
			    cfg->cgroups);
	if (cfg->charged && (!cfg->wait || cfg->bench || cfg->seconds || cfg->count > 1))
		return fail(EXIT_USAGE, "--charged is one charge of each socket that stays: give "
					"--wait with it, and no -t, -c or --bench");
	if (cfg->refuse && (cfg->hop || cfg->vain))
		return fail(EXIT_USAGE, "--refuse touches no memory: leave out --hop and --vain");
	if (cfg->hop && cfg->cpu >= 0)
		return fail(EXIT_USAGE, "--hop moves between CPUs: leave out -p");
	return check_words(mode, cfg);
}

static void build(struct option *longs, char *shorts)
{
	/* + : stop at the first word that is no option; `:`: tell a missing value apart */
	*shorts++ = '+';
	*shorts++ = ':';
	for (size_t i = 0; i < NR_OPTIONS; i++) {
		longs[i].name = table[i].name;
		longs[i].has_arg = table[i].arg ? required_argument : no_argument;
		longs[i].val = 256 + (int)i;
		if (table[i].letter) {
			*shorts++ = table[i].letter;
			if (table[i].arg)
				*shorts++ = ':';
		}
	}
	*shorts = '\0';
}

static const struct option_def *find(int c)
{
	if (c >= 256)
		return &table[c - 256];
	for (size_t i = 0; i < NR_OPTIONS; i++)
		if (table[i].letter == c)
			return &table[i];
	return NULL;
}

int options__parse(int argc, char **argv, const struct mode *mode, struct config *cfg)
{
	struct option longs[NR_OPTIONS + 1] = {};
	char shorts[2 + 2 * NR_OPTIONS + 1];
	int c, err;

	build(longs, shorts);
	cfg->cpu = -1;
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_def *def = find(c);

		if (c == ':')
			return fail(EXIT_USAGE, "%s needs a value: see workload %s --help",
				    argv[optind - 1], mode->name);
		if (!def)
			return fail(EXIT_USAGE, "unknown option %s: see workload %s --help",
				    argv[optind - 1], mode->name);
		if (!(def->modes & mode->bit))
			return fail(EXIT_USAGE,
				    "--%s is not an option of %s: see workload %s --help",
				    def->name, mode->name, mode->name);
		err = store(def, optarg, cfg);
		if (err)
			return err;
	}
	cfg->command = argv + optind;
	return cfg->help ? 0 : check(mode, cfg);
}
