// SPDX-License-Identifier: GPL-2.0-only
/* A parser by recursive descent: one function a rule of the grammar in expr.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/expr.h"

#define NAME_LEN 64

/* What sockets miss of what they charge: the name by which people look for it. */
static const char sock_miss_ratio[] = "sock_miss_ratio";

struct parser {
	const char *text;
	const char *at;
	struct expr *x;
	struct error *e;
};

/* The message, with where in the expression it is. -1. */
static int __attribute__((format(printf, 3, 4)))
fault(struct parser *p, const char *at, const char *fmt, ...)
{
	char *message = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&message, fmt, args) < 0)
		message = NULL;
	va_end(args);
	error__set(p->e, STATUS_USAGE, "in '%s', column %zu: %s", p->text,
		   (size_t)(at - p->text) + 1, message ? message : "out of memory");
	free(message);
	return -1;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

static bool take(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(p);
	if (strncmp(p->at, word, len))
		return false;
	p->at += len;
	return true;
}

static int expect(struct parser *p, const char *word, const char *why)
{
	if (take(p, word))
		return 0;
	return fault(p, p->at, "'%s' is missing, %s", word, why);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t word_len(const char *at)
{
	size_t len = 0;

	while (is_word(at[len]))
		len++;
	return len;
}

/* A word of the language, which must fit, as all that are known do. */
static int take_word(struct parser *p, char word[NAME_LEN], const char *what)
{
	size_t len;

	skip_blanks(p);
	len = word_len(p->at);
	if (!len)
		return fault(p, p->at, "%s is missing, such as miss_ratio", what);
	if (len >= NAME_LEN)
		return fault(p, p->at, "no measure has a name as long as that");
	memcpy(word, p->at, len);
	word[len] = '\0';
	p->at += len;
	return 0;
}

static const struct part *find_part(const struct field *f, const char *name)
{
	for (const struct part *part = f->parts; part && part->name; part++)
		if (!strcmp(part->name, name))
			return part;
	return NULL;
}

bool operand__find(struct operand *o, const char *name)
{
	char key[NAME_LEN];
	size_t len = strcspn(name, ".");

	*o = (struct operand){};
	if (len >= sizeof(key))
		return false;
	snprintf(key, sizeof(key), "%.*s", (int)len, name);
	o->field = field__find(key);
	if (!o->field || !name[len])
		return o->field;
	o->part = find_part(o->field, name + len + 1);
	return o->part;
}

static enum expr_stat find_stat(const char *word)
{
	static const char *const names[] = {
		[STAT_P50] = "p50", [STAT_P90] = "p90",	  [STAT_P99] = "p99",
		[STAT_MAX] = "max", [STAT_MEAN] = "mean",
	};

	for (int i = STAT_P50; i <= STAT_MEAN; i++)
		if (!strcmp(names[i], word))
			return i;
	return STAT_NONE;
}

/* Why no measure is called so, and what may be meant. */
static int say_unknown(struct parser *p, const char *at, const char *word)
{
	const char *nearest = field__nearest(word);

	if (!strncmp(word, "sock_miss", 9))
		nearest = sock_miss_ratio;
	return fault(p, at,
		     "no measure is called '%s'; is '%s' meant? memcgtop(1) lists all of them",
		     word, nearest);
}

/* Lists the parts of a split: "sock, obj, ..." */
static const char *list_parts(const struct field *f, char *buf, size_t n)
{
	size_t at = 0;

	*buf = '\0';
	for (const struct part *part = f->parts; part->name && at < n; part++)
		at += (size_t)snprintf(buf + at, n - at, "%s%s.%s", at ? ", " : "", f->key,
				       part->name);
	return buf;
}

static int take_part(struct parser *p, struct operand *o, const char *at)
{
	char word[NAME_LEN], list[256];
	const char *here;

	if (!o->field->parts && *p->at != '.')
		return 0;
	if (!o->field->parts)
		return fault(p, p->at, "%s is no split: it has no parts", o->field->key);
	list_parts(o->field, list, sizeof(list));
	if (*p->at != '.')
		return fault(p, at, "%s is a split: name one of its parts, %s", o->field->key,
			     list);
	here = ++p->at;
	if (take_word(p, word, "the part of a split"))
		return -1;
	o->part = find_part(o->field, word);
	return o->part ? 0 : fault(p, here, "%s has no part '%s': %s", o->field->key, word, list);
}

static const char *scope_name(uint32_t in)
{
	if (in == IN_TOTAL)
		return "the total";
	return in == IN_CPU ? "a CPU" : "a cgroup";
}

/* Can it be had there, and be added up? */
static int check_scope(struct parser *p, const struct operand *o, const char *at)
{
	const struct expr *x = p->x;
	const struct field *f = o->field;

	if (!f && x->in != IN_TOTAL)
		return fault(p, at, "a metric is of the whole run, not of a cgroup or CPU");
	if (!f || (f->in & x->in && !(x->pick == PICK_SUM && f->attr == ATTR_SUBTREE)))
		return 0;
	if (f->in & x->in)
		return fault(p, at,
			     "%s of a cgroup is of those below it as well: it cannot be added up",
			     f->key);
	return fault(p, at, "%s has no %s; try max(%s, %s)", scope_name(x->in), f->key,
		     f->in & IN_CGROUP ? "cgroup:*" : "cpu", f->key);
}

/* p99(KEY): the word before the parenthesis is read. */
static int take_stat(struct parser *p, struct operand *o, enum expr_stat stat)
{
	char word[NAME_LEN];
	const char *at;

	p->at++;
	skip_blanks(p);
	at = p->at;
	if (take_word(p, word, "a time"))
		return -1;
	o->field = field__find(word);
	o->stat = stat;
	if (!o->field)
		return say_unknown(p, at, word);
	if (!o->field->spans)
		return fault(p, at, "%s is no histogram: p50, p90, p99, max and mean are of times",
			     word);
	if (check_scope(p, o, at))
		return -1;
	return expect(p, ")", "which closes the name of a time");
}

static int take_metric(struct parser *p, struct operand *o)
{
	const char *at = p->at;
	size_t len = word_len(at);

	if (!metric__is_name(at, len))
		return fault(p, at,
			     "metric: needs the NAME of --metric NAME=REGEX: up to %d letters, "
			     "digits and _",
			     METRIC_NAME_MAX - 1);
	snprintf(o->metric, sizeof(o->metric), "%.*s", (int)len, at);
	p->at += len;
	return check_scope(p, o, at);
}

static int take_operand(struct parser *p, struct operand *o)
{
	char word[NAME_LEN];
	enum expr_stat stat;
	const char *at;

	*o = (struct operand){};
	if (take(p, "metric:"))
		return take_metric(p, o);
	skip_blanks(p);
	at = p->at;
	if (take_word(p, word, "a measure"))
		return -1;
	stat = find_stat(word);
	if (stat && *p->at == '(')
		return take_stat(p, o, stat);
	if (*p->at == '(')
		return fault(p, at,
			     "there is no %s(): p50, p90, p99, max and mean of a time; max, min, "
			     "sum and any of cgroups or CPUs",
			     word);
	o->field = field__find(word);
	if (!o->field)
		return say_unknown(p, at, word);
	if (o->field->spans)
		return fault(p, at, "%s is a histogram: say p50, p90, p99, max or mean(%s)", word,
			     word);
	return take_part(p, o, at) ? -1 : check_scope(p, o, at);
}

static enum expr_unit unit_of(const struct operand *o)
{
	if (!o->field)
		return EXPR_PLAIN;
	switch (o->field->unit) {
	case UNIT_RATIO:
		return EXPR_RATIO;
	case UNIT_NS:
		return EXPR_NS;
	case UNIT_BYTES:
		return EXPR_BYTES;
	default:
		return EXPR_COUNT;
	}
}

/* Something that is counted, and may be divided. */
static bool is_count(const struct operand *o)
{
	return !o->field || (!o->stat && !o->field->ratio);
}

static int take_divisor(struct parser *p, const char *a_at)
{
	struct expr *x = p->x;
	const char *at;

	if (!is_count(&x->a))
		return fault(p, a_at, "only counts are divided by one another");
	skip_blanks(p);
	at = p->at;
	if (take_operand(p, &x->b))
		return -1;
	if (!is_count(&x->b))
		return fault(p, at, "only counts are divided by one another");
	x->quotient = true;
	x->unit = EXPR_PLAIN;
	if (x->a.field && x->b.field && x->a.field->unit == x->b.field->unit)
		x->unit = EXPR_RATIO;
	return 0;
}

/* The alias is no key of the table. */
static bool take_alias(struct parser *p)
{
	const size_t len = sizeof(sock_miss_ratio) - 1;
	struct expr *x = p->x;

	skip_blanks(p);
	if (word_len(p->at) != len || strncmp(p->at, sock_miss_ratio, len) != 0)
		return false;
	p->at += len;
	operand__find(&x->a, "miss_kinds.sock");
	operand__find(&x->b, "charge_kinds.sock");
	x->quotient = x->share = true;
	x->unit = EXPR_RATIO;
	return true;
}

static int take_value(struct parser *p)
{
	struct expr *x = p->x;
	const char *at;

	if (take_alias(p))
		return 0;
	skip_blanks(p);
	at = p->at;
	if (take_operand(p, &x->a))
		return -1;
	x->unit = unit_of(&x->a);
	x->share = x->a.field && x->a.field->share;
	if (!take(p, "/"))
		return 0;
	skip_blanks(p);
	if (*p->at != 's' || is_word(p->at[1]))
		return take_divisor(p, at);
	p->at++;
	if (!x->a.field || !field__is_rate(x->a.field))
		return fault(p, at, "it counts no events: it has no rate a second");
	x->rate = true;
	x->unit = EXPR_RATE;
	return 0;
}

/* A glob up to the comma; in quotes a comma belongs to it. */
static int take_glob(struct parser *p)
{
	const char *at = p->at;
	bool quoted = *at == '"';
	size_t len;

	at += quoted;
	len = strcspn(at, quoted ? "\"" : ",");
	if (!at[len])
		return fault(p, p->at, "%s",
			     quoted ? "the glob's quote is not closed"
				    : "',' is missing behind the glob, as in max(cgroup:/web*, "
				      "miss_ratio)");
	p->at = at + len + quoted;
	while (!quoted && len && strchr(" \t", at[len - 1]))
		len--;
	if (!len)
		return fault(p, at, "cgroup: needs a glob, such as cgroup:/web*");
	p->x->glob = strndup(at, len);
	return p->x->glob ? 0 : error__set(p->e, STATUS_CANNOT, "out of memory");
}

static bool begins_scope(const struct parser *p)
{
	const char *at = p->at + strspn(p->at, " \t");

	return !strncmp(at, "cgroup:", 7) || (!strncmp(at, "cpu", 3) && !is_word(at[3]));
}

/* Behind "max(" and the others. any: one that fulfils the condition suffices. */
static int take_pick(struct parser *p)
{
	struct expr *x = p->x;
	const char *at;

	skip_blanks(p);
	at = p->at;
	if (take(p, "cgroup:")) {
		x->in = IN_CGROUP;
		if (take_glob(p))
			return -1;
	} else if (take(p, "cpu")) {
		x->in = IN_CPU;
		if (x->pick == PICK_SUM)
			return fault(p, at, "the sum over the CPUs is the total: leave it out");
	}
	if (expect(p, ",", "and behind it what is looked at of each") || take_value(p))
		return -1;
	return expect(p, ")", "which closes what is looked at");
}

static int take_measure(struct parser *p, bool *any)
{
	static const struct {
		const char *name;
		enum expr_pick pick;
	} picks[] = {{"max", PICK_MAX}, {"min", PICK_MIN}, {"sum", PICK_SUM}, {"any", PICK_MAX}};
	char word[NAME_LEN] = "";
	size_t len;

	skip_blanks(p);
	len = word_len(p->at);
	if (len == 3 && p->at[len] == '(')
		snprintf(word, sizeof(word), "%.*s", (int)len, p->at);
	for (size_t i = 0; *word && i < sizeof(picks) / sizeof(picks[0]); i++) {
		struct parser behind = {.at = p->at + len + 1};

		/* max(lock_hold_ns) is another one */
		if (strcmp(picks[i].name, word) != 0 || (find_stat(word) && !begins_scope(&behind)))
			continue;
		if (!begins_scope(&behind))
			return fault(p, behind.at,
				     "%s() is of cgroup:GLOB or cpu, as in %s(cpu, miss_ratio)",
				     word, word);
		p->at = behind.at;
		p->x->pick = picks[i].pick;
		*any = !strcmp(word, "any");
		return take_pick(p);
	}
	return take_value(p);
}

static const char *const op_names[] = {
	[OP_GT] = ">",	[OP_GE] = ">=", [OP_LT] = "<",
	[OP_LE] = "<=", [OP_EQ] = "==", [OP_NE] = "!=",
};

const char *expr__op(enum expr_op op)
{
	return op_names[op];
}

static int take_op(struct parser *p, bool any)
{
	struct expr *x = p->x;
	const char *at;
	int found = -1;

	skip_blanks(p);
	at = p->at;
	for (int i = OP_GT; i <= OP_NE; i++) {
		size_t len = strlen(op_names[i]);

		/* the longest: >= begins with > */
		if (!strncmp(at, op_names[i], len) && (found < 0 || len == 2))
			found = i;
	}
	if (found < 0)
		return fault(p, at, "one of > >= < <= == != is missing, and a limit behind it");
	x->op = (enum expr_op)found;
	p->at += strlen(op_names[found]);
	if (any && (x->op == OP_EQ || x->op == OP_NE))
		return fault(p, at, "any() goes with > >= < <=");
	if (any && (x->op == OP_LT || x->op == OP_LE))
		x->pick = PICK_MIN;
	return 0;
}

static int take_number(struct parser *p, double *value)
{
	char digits[32];
	size_t len, whole;

	skip_blanks(p);
	whole = strspn(p->at, "0123456789");
	len = whole;
	if (p->at[len] == '.')
		len += 1 + strspn(p->at + len + 1, "0123456789");
	if (!whole || p->at[len - 1] == '.')
		return fault(p, p->at, "a number is missing, such as 10 or 0.5");
	if (len >= sizeof(digits))
		return fault(p, p->at, "a number of that many digits is no limit");
	snprintf(digits, sizeof(digits), "%.*s", (int)len, p->at);
	/* LC_NUMERIC is that of the C locale */
	*value = strtod(digits, NULL);
	p->at += len;
	return 0;
}

static const struct unit_name {
	enum expr_unit unit;
	const char *name;
	double factor; /* of a ratio what it is divided by, as 0.01 is no binary number */
} unit_names[] = {
	{EXPR_RATIO, "%", 100},	      {EXPR_RATIO, "pp", 100},
	{EXPR_NS, "ns", 1},	      {EXPR_NS, "us", 1e3},
	{EXPR_NS, "ms", 1e6},	      {EXPR_NS, "s", 1e9},
	{EXPR_BYTES, "B", 1},	      {EXPR_BYTES, "KiB", 1024},
	{EXPR_BYTES, "MiB", 1048576}, {EXPR_BYTES, "GiB", 1073741824.0},
	{EXPR_COUNT, "k", 1e3},	      {EXPR_COUNT, "M", 1e6},
	{EXPR_COUNT, "G", 1e9},	      {EXPR_RATE, "k", 1e3},
	{EXPR_RATE, "M", 1e6},	      {EXPR_RATE, "G", 1e9},
	{EXPR_PLAIN, "k", 1e3},	      {EXPR_PLAIN, "M", 1e6},
	{EXPR_PLAIN, "G", 1e9},
};

static const char *units_of(enum expr_unit unit)
{
	static const char *const lists[] = {
		[EXPR_COUNT] = "k, M or G",	     [EXPR_RATE] = "k, M or G",
		[EXPR_RATIO] = "% or, of +1pp, pp",  [EXPR_NS] = "ns, us, ms or s",
		[EXPR_BYTES] = "B, KiB, MiB or GiB", [EXPR_PLAIN] = "k, M or G",
	};

	return lists[unit];
}

/* A unit; *name is "" if there is none. */
static int take_unit(struct parser *p, char name[8], double *factor)
{
	const char *at = p->at;
	size_t len = *at == '%' ? 1 : word_len(at);

	*factor = 1;
	*name = '\0';
	if (!len)
		return 0;
	snprintf(name, 8, "%.*s", len < 8 ? (int)len : 7, at);
	p->at += len;
	if (!strcmp(name, "%")) {
		*factor = 100;
		return 0;
	}
	for (size_t i = 0; i < sizeof(unit_names) / sizeof(unit_names[0]); i++) {
		if (unit_names[i].unit != p->x->unit || strcmp(unit_names[i].name, name) != 0)
			continue;
		*factor = unit_names[i].factor;
		return 0;
	}
	return fault(p, at, "the limit has no unit '%s' here: %s", name, units_of(p->x->unit));
}

/* A fixed limit of a ratio: 2% or 0.02, and nothing that can never be. */
static int check_ratio(struct parser *p, const char *at, const char *unit, double number)
{
	if (!strcmp(unit, "pp"))
		return fault(p, at,
			     "pp are percentage points beyond a baseline: +1pp or -1pp; 1%% is the "
			     "ratio itself");
	if (!*unit && number > 1)
		return fault(p, at, "%.*s is more than 1, on a ratio: is %.*s%% meant?",
			     (int)strspn(at, "0123456789."), at, (int)strspn(at, "0123456789."),
			     at);
	if (p->x->share && p->x->limit.value > 1)
		return fault(p, at, "it is a part of a whole, and never above 100%%");
	return 0;
}

static int check_fixed(struct parser *p, const char *at, const char *unit, double number)
{
	switch (p->x->unit) {
	case EXPR_RATIO:
		return check_ratio(p, at, unit, number);
	case EXPR_NS:
		if (!*unit && number > 0)
			return fault(p, at, "a time needs a unit: ns, us, ms or s, as in 20us");
		/* fall through */
	default:
		if (!strcmp(unit, "%"))
			return fault(p, at,
				     "a percentage is of a ratio; +10%% is of a baseline's value");
		return 0;
	}
}

/* With a sign: against the baseline. */
static int check_relative(struct parser *p, const char *at, const char *unit)
{
	struct limit *l = &p->x->limit;

	l->kind = strcmp(unit, "%") != 0 ? LIMIT_ADD : LIMIT_PERCENT;
	if (l->kind == LIMIT_ADD && p->x->unit == EXPR_RATIO && strcmp(unit, "pp") != 0)
		return fault(p, at,
			     "against a baseline a ratio may grow by %% of its value, or by pp "
			     "(percentage points): +10%% or +1pp");
	if (l->kind == LIMIT_ADD && p->x->unit == EXPR_NS && !*unit)
		return fault(p, at, "a time needs a unit: ns, us, ms or s, as in +20us");
	return 0;
}

static int take_limit(struct parser *p)
{
	struct limit *l = &p->x->limit;
	bool plus = take(p, "+"), minus = !plus && take(p, "-");
	double number = 0, factor = 1;
	const char *at;
	char unit[8];

	skip_blanks(p);
	at = p->at;
	if (take_number(p, &number) || take_unit(p, unit, &factor))
		return -1;
	l->value = minus ? -number : number;
	if (p->x->unit == EXPR_RATIO || !strcmp(unit, "%"))
		l->value /= factor;
	else
		l->value *= factor;
	/* a metric may be below 0 */
	if (!plus && !(minus && (p->x->unit != EXPR_PLAIN || !strcmp(unit, "%"))))
		return check_fixed(p, at, unit, number);
	return check_relative(p, at, unit);
}

static int take_condition(struct parser *p)
{
	bool any = false;

	skip_blanks(p);
	if (!*p->at)
		return fault(p, p->at,
			     "the condition is empty; it is like miss_ratio > 2%% or "
			     "p99(walk_ns) > 20us");
	if (take_measure(p, &any) || take_op(p, any) || take_limit(p))
		return -1;
	skip_blanks(p);
	if (!*p->at)
		return 0;
	return fault(p, p->at, "'%.20s' is too much: one condition is one MEASURE OP LIMIT", p->at);
}

int expr__parse(struct expr *x, const char *text, struct error *e)
{
	struct parser p = {.x = x, .e = e};
	size_t len;

	*x = (struct expr){.in = IN_TOTAL};
	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t", text[len - 1]))
		len--;
	x->text = strndup(text, len);
	if (!x->text)
		return error__set(e, STATUS_CANNOT, "out of memory");
	p.text = p.at = x->text;
	if (!take_condition(&p))
		return 0;
	expr__release(x);
	return -1;
}

void expr__release(struct expr *x)
{
	free(x->text);
	free(x->glob);
	*x = (struct expr){};
}
