#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# compare: two sides of stored windows and recordings. Repeated runs are variants of one stored window, with noise whose
# seed is fixed.

load helper

GOLDEN=$BATS_TEST_DIRNAME/../golden

runs() {	# DIRECTORY N SEED [PYTHON that changes `window`; factor(REGEX, F) multiplies counters]
	mkdir -p "$1"
	python3 - "$WINDOW" "$@" <<-'END'
		import copy, json, random, re, sys
		stored, directory, n, seed = sys.argv[1:5]
		change = sys.argv[5] if len(sys.argv) > 5 else ""
		source = json.load(open(stored))
		dice = random.Random(int(seed))
		for i in range(int(n)):
		    window = copy.deepcopy(source)
		    end = window["end"]
		    def factor(names, f):
		        for place in end["cpus"] + end["rows"]:
		            for key, v in place["counters"].items():
		                if re.match(names, key):
		                    place["counters"][key] = round(v * f)
		    for names in "charge|sock_|obj_", "miss|try_walks|surplus|refill|evict|drain|walk":
		        factor(names, dice.uniform(0.97, 1.03))
		    window["end"]["time_ns"] += dice.randrange(50_000_000)
		    exec(change)
		    json.dump(window, open(f"{directory}/{i + 1}", "w"))
	END
}

compared() {	# the arguments of compare
	mc compare "$@"
	is_status 0
	[ ! -s err ]
	[[ " $* " == *\ --json\ * || $(LC_ALL=C.UTF-8 wc -L < out) -le 80 ]]
}

row() {	# KEY FIELD: of the JSON in out; prints
	python3 - "$@" <<-'END'
		import json, sys
		row = next(r for r in json.load(open("out"))["rows"] if r["key"] == sys.argv[1])
		v = row
		for name in sys.argv[2].split("."):
		    v = v[name]
		print(v)
	END
}

verdict() {	# the rules of the verdict in out
	python3 -c 'import json; print(*(r["rule"] for r in json.load(open("out"))["verdict"]["rules"]))'
}

@test "the same twice: nothing that matters changed" {
	runs a 5 1
	runs b 5 2
	compared a b
	grep -q 'n = 5 + 5, exact U test' out
	grep -q 'differs: nothing' out
	grep -q 'Verdict: nothing that matters changed.' out
}

# Of sixteen runs of one load in a guest. Five a side have p < 0.05 in 3.2 % of such pairs. The pairs are fixed, and they
# share runs, so that a row may be in several by chance; that its rate is below 5 % takes more of them, and is in the unit
# tests.
@test "forty pairs of runs of the same: less than 5 % of all rows are said to have changed, and at most two verdicts say so" {
	python3 - "$GOLDEN/runs-7.3" <<-'END'
		import os, random, sys
		runs, dice = sorted(os.listdir(sys.argv[1])), random.Random(2026)
		for i in range(40):
		    drawn = dice.sample(runs, 10)
		    for side, part in (f"a{i}", drawn[:5]), (f"b{i}", drawn[5:]):
		        os.mkdir(side)
		        for run in part:
		            os.symlink(f"{sys.argv[1]}/{run}", f"{side}/{run}")
	END
	verdicts=0
	for ((i = 0; i < 40; i++)); do
		mc compare --format csv "a$i" "b$i"
		is_status 0
		cat out >> all
		mc compare "a$i" "b$i"
		grep -q 'Verdict: nothing that matters changed' out || verdicts=$((verdicts + 1))
	done
	[ "$verdicts" -le 2 ]
	python3 - <<-'END'
		import collections, csv
		alarms, rows = collections.Counter(), collections.Counter()
		for row in csv.reader(open("all")):
		    if row[0] != "measure" and row[11] in ("yes", "no"):
		        rows[row[0]] += 1
		        alarms[row[0]] += row[11] == "yes"
		share = sum(alarms.values()) / sum(rows.values())
		worst = alarms.most_common(3)
		print(f"{sum(rows.values())} rows, {share:.1%} alarms, most: {worst}")
		assert len(rows) > 100 and share < 0.05 and max(alarms.values()) <= 4, worst
	END
}

# Nine cgroups on one CPU, in a guest of each kernel.
@test "6.12 against 7.3: the designs, what moved, and neither times nor where a miss came from" {
	compared "$GOLDEN/runs-6.12" "$GOLDEN/runs-7.3" --per charges
	grep -q 'differs: kernel, design (single-slot, multi-slot), slots (1, 7)' out
	tr -s ' \n' '  ' < out > line
	grep -q 'Verdict: single-slot (A) against multi-slot (B): fewer misses: more slots\.' line
	grep -q 'Fewer walks an uncharge\.' line
	grep -q 'Counts that moved: miss_ratio, walks/uncharges\. Times are those of an emulated CPU and not judged' line
	not grep -q 'miss_reasons.absent/' out
	compared "$GOLDEN/runs-6.12" "$GOLDEN/runs-7.3" --per charges --json
	[ "$(verdict)" = 'more_slots fewer_walks' ]
	# a slot for nine in turn: one charge in three finds it, as an uncharge and the next message's charge follow each other
	python3 -c 'import sys; sys.exit(not 0.32 < float(sys.argv[1]) < 0.34)' "$(row miss_ratio a.median)"
	[ "$(row walks_under_lock a.median)" = None ]
}

@test "more misses, evictions and walks: rows, changes, verdict" {
	runs a 5 1
	runs b 5 2 'factor("miss|try_walks|surplus|refill_(new|evict)|evict|drain|walk", 2)'
	compared a b
	grep -qE '^  miss_ratio  .*  \+9[0-9.]+%  0.008$' out
	grep -q '^Verdict: more misses: cgroups evict each other\. ' out
	compared a b --json
	[ "$(row miss_ratio differs)" = yes ]
	[ "$(verdict)" = 'more_evictions more_walks' ]
}

@test "what CMD told by --metric comes first, and counts are of it with --per work" {
	runs a 5 1 'window["command"]["metrics"] = {"tps": 900 + i, "lost": None}'
	runs b 5 2 'window["command"]["metrics"] = {"tps": 1800 + i, "lost": None}'
	compared a b
	grep -qE '^  tps  .*902  .*1.80k  .*[+]99.8%  0.008$' out
	[[ "$(grep -A 1 '^work$' out)" = *tps* ]]
	compared a b --per work --json
	[ "$(row metrics.tps differs)" = yes ]
	[ "$(row hits per)" = work ]
}

@test "by charge and by a split's part; what cannot be divided by" {
	runs a 5 1
	runs b 5 2 'end["time_ns"] += 5 * (end["time_ns"] - window["start"]["time_ns"])'
	compared a b
	grep -qE '^  charges/s  .* -8[0-9.]+%' out
	grep -q -- '--per charges' out
	compared a b --per charges
	not grep -q '^  charges/s' out
	grep -q 'Verdict: nothing that matters changed.' out
	compared --per sock_charge_contexts.task a b
	wrong "is 'charges' meant?" compare a b --per chargs
	wrong "'miss_ratio' is not" compare a b --per miss_ratio
	wrong 'tells no work to divide by' compare a b --per work
	mc compare --per help
	is_status 0
	grep -q '^sock_charges ' out
}

@test "sides: a file, a directory, a glob; too few runs" {
	runs a 4 1
	runs b 4 2
	touch b/.hidden b/5.old
	mkdir b/more
	compared a b
	grep -q 'n = 4 + 4' out
	compared 'a/[12]' b/
	grep -q 'n = 2 + 4' out
	grep -q 'need >= 4 runs a side' out
	compared a/1 b/1
	grep -q 'n = 1 + 1, too few to test' out
	grep -q 'Verdict: none, of too few runs' out
	wrong 'takes two sides' compare a/* b/*
	wrong 'needs two sides' compare a
	wrong "no file or directory 'c'" compare a c
	wrong "no file or directory 'c/*'" compare a 'c/*'
	mkdir empty
	wrong 'there is no file in empty' compare a empty
	echo '{}' > a/9
	wrong 'cannot read a/9: ' compare a b
}

@test "the JSON of a report is a run, with the same numbers as its window" {
	runs a 5 1
	runs b 5 2 'factor("miss|try_walks|surplus|refill_(new|evict)|evict|drain|walk", 2)'
	mkdir a.json b.json
	for run in a/1 a/2 a/3 a/4 a/5 b/1 b/2 b/3 b/4 b/5; do
		mc report -r $run --ignore-failure --json -o "${run/\//.json/}"
	done
	mc compare a b --format csv
	mv out stored
	mc compare a.json b.json --format csv
	is_status 0
	# six digits are in the JSON of a ratio
	python3 - <<-'END'
		import csv
		for x, y in zip(*(sorted(list(csv.reader(open(name)))[1:]) for name in ("stored", "out")), strict=True):
		    assert x[0] == y[0] and x[11:] == y[11:], (x, y)
		    for u, v in zip(x[2:11], y[2:11]):
		        assert u == v or abs(float(u) - float(v)) <= 1e-3 * abs(float(u)), (x, y)
	END
	compared a b.json
	grep -q 'Verdict: more misses: cgroups evict each other' out
	echo '{"schema": "memcgtop/1", "total": []}' > a.json/6
	wrong 'a.json/6 is no whole report' compare a.json b
}

@test "two recordings: their intervals are the samples, and that is said" {
	compared "$GOLDEN/recording-6.1" "$GOLDEN/recording-7.3"
	grep -q 'n = 7 + 7 intervals' out
	grep -q 'Within one run' out
	grep -q 'Verdict: of these two runs alone: single-slot (A) against multi-slot (B)' out
	grep -q 'absent+short' out
	not grep -q 'miss_reasons.absent/s' out
	grep -q '^  n/a in A (' out
	grep -q '^  \* measured in another way' out
	# with a single window on the other side a recording is one run
	compared "$GOLDEN/recording-6.1" "$WINDOW"
	grep -q 'n = 1 + 1' out
	grep -q '^  duration_s ' out
}

@test "what does not compare: size of a page, version of cgroups, sampling; a kernel does" {
	runs a 4 1
	runs b 4 2 'end["host"]["page_size"] = 65536'
	wrong 'the size of a page differs' compare a b
	rm b/*
	runs b 4 2 'end["host"]["cgroup"] = "v1"'
	wrong 'the version of cgroups differs' compare a b
	rm b/*
	for side in a b; do
		runs $side 4 2 "end['asked'] = {'sample_every': 8 if '$side' == 'a' else 64, 'lock_exact': False, 'drains': False, 'rstat': False}"
	done
	wrong '--sample differs' compare a b
	runs a 4 1
	runs b 4 2 'end["host"]["kernel"] = "9.0"'
	compared a b
	grep -q 'differs: kernel$' out
}

@test "a run that is not to be trusted: no verdict, status 4" {
	runs a 5 1
	runs b 5 2 'i == 3 and [p.update(missed=p["recorded"]) for p in end["probes"]]'
	mc compare a b
	is_status 4
	said 'not to be trusted'
	grep -q 'Not to be trusted: b/4' out
	grep -q 'Verdict: none' out
	mc compare -q a b
	is_status 4
	[ ! -s err ]
}

@test "formats: markdown, CSV, JSON, lkp; a file" {
	runs a 5 1
	runs b 5 2 'factor("miss|try_walks|surplus|refill_(new|evict)|evict|drain|walk", 2)'
	mc compare a b --format markdown
	grep -qE '^\| miss_ratio \|' out
	mc compare a b --format csv
	python3 - <<-'END'
		import csv
		rows = list(csv.DictReader(open("out")))
		assert all(None not in r and None not in r.values() for r in rows)
		row = next(r for r in rows if r["measure"] == "miss_ratio")
		assert 1.8 < float(row["ratio"]) < 2.2 and row["differs"] == "yes" and row["b_n"] == "5", row
	END
	mc compare a b --format lkp
	grep -qE '^ +0\.[0-9]+ .* \+[0-9.]+% .*  memcgtop\.miss_ratio$' out
	grep -q '%stddev     %change         %stddev' out
	mc compare a b --json -o doc
	is_status 0
	[ ! -s out ]
	python3 -c 'import json; d = json.load(open("doc")); assert d["schema"] == "memcgtop-compare/1"'
	mc compare a b -o nowhere/doc
	is_status 2
	mc compare a b -a
	grep -qE '  ~  ' out
	wrong "no format of compare is called 'html'" compare a b --format html
}

@test "report --format lkp: a line a measure, numbers alone" {
	mc report -r "$WINDOW" --ignore-failure --format lkp
	is_status 0
	not grep -vqE '^[a-z_.]+: -?[0-9.]+(e-?[0-9]+)?$' out
	grep -q '^charges_per_s: ' out
	grep -q '^trustworthy: 1.0$' out
	not grep -q nan out
}
