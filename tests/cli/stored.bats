#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Reports from a stored window: forms, widths, rows, colours, and files that are damaged.

load helper

# An address is not broken, so that it can be followed.
widest() {
	grep -v '^ *https:[^ ]*$' out | LC_ALL=C.UTF-8 wc -L
}

# The cgroups of the table, in its order, with the column after the name
rows() {
	sed -n '/^CGROUP /,/^  /s/^\(\/[^ ]*\).*/\1/p' out
}

@test "text has each part, JSON is one strict document" {
	stored
	for part in '^host  *7.3' '^stock  *multi-slot' '^probes' '^quality  *\(good\|fair\): ' '^CHARGE SIDE' '^CGROUP' '^CPU 1'; do
		grep -q "$part" out || { echo "no $part"; false; }
	done
	stored --json
	python3 - out <<-'END'
		import json, sys
		def no_twins(pairs):
		    assert len(pairs) == len(dict(pairs)), pairs
		    return dict(pairs)
		doc = json.loads(open(sys.argv[1], "rb").read().decode(), object_pairs_hook=no_twins)
		assert doc["schema"] == "memcgtop/1"
		total = sum(c["charges"] for c in doc["cgroups"])
		assert total == doc["total"]["charges"] > 0, total
		# of the run that measured, not of this one
		assert "--save" in doc["tool"]["command"], doc["tool"]
		assert doc["window"]["command"]["exit"] == 3
	END
	cp out json
	stored --format json
	cmp out json
}

@test "JSON of times, stocks, pairs and drains: strict, whole, and easy to ask" {
	enrich rich
	mc report -r rich --ignore-failure --json
	is_status 0
	python3 - out <<-'END'
		import json, sys
		def no_twins(pairs):
		    assert len(pairs) == len(dict(pairs)), pairs
		    return dict(pairs)
		def no_such(name):
		    raise ValueError(name)
		doc = json.loads(open(sys.argv[1], "rb").read().decode(), object_pairs_hook=no_twins, parse_constant=no_such)
		why = doc["unmeasured"]
		for key, h in doc["histograms"].items():
		    assert (h is None) == (key in why), (key, h)
		    if h:
		        assert h["count"] == sum(b["count"] for b in h["buckets"]) == 300 or key == "lock_hold_ns", (key, h)
		        assert [b["le"] for b in h["buckets"]] == [768, 1024, None], h
		hold = doc["histograms"]["lock_hold_ns"]
		assert hold["count"] == 600 == hold["plain"]["count"] + hold["walked"]["count"], hold
		assert doc["functions"] and doc["sampling"] == {"every": 1}
		rows = {c["id"]: c for c in doc["cgroups"] if c["id"]}
		assert {p["by"] for p in doc["eviction_pairs"]} == {None, *rows}, doc["eviction_pairs"]
		assert all(p["evictions"] == 100 and p["pages"] == 900 for p in doc["eviction_pairs"])
		assert [d["why"] for d in doc["drain_callers"]] == ["memory.max"] * 3, doc["drain_callers"]
		assert doc["drain_all_busy"] == 100 and doc["quality"]["stock_breaches"] == 0
		for row in rows.values():
		    assert row["walk_ns"]["count"] == 200 and row["lock_hold_ns"]["count"] == 100, row
		    assert row["usage_bytes"] == 1 << 20 and row["hit_limit_pages"] == 8 and row["pressure_setter"] in rows
		assert all(c["slots"][0]["pages"] == 3 and not c["flushing"] for c in doc["cpus"])
		assert doc["window"]["intervals"] == len(doc["timeline"]) == 10
		assert sum(i["charges"] for i in doc["timeline"]) == sum(i["misses"] for i in doc["timeline"]) == 45
	END
}

@test "--hold-budget: the share of holds above it, of a stored window too" {
	enrich rich
	for budget in 1ns:1:1 27.6us:27600:0 1h:3600000000000:0; do
		mc report -r rich --ignore-failure --json --hold-budget "${budget%%:*}"
		is_status 0
		python3 - out "${budget#*:}" <<-'END'
			import json, sys
			hold = json.load(open(sys.argv[1]))["histograms"]["lock_hold_ns"]
			ns, share = sys.argv[2].split(":")
			assert hold["budget_ns"] == int(ns), hold["budget_ns"]
			assert abs(hold["above_budget"] - float(share)) < 0.5, hold["above_budget"]
		END
	done
}

@test "a window of a memcgtop that counted less has no value, and a reason, and no zero" {
	stored --json
	python3 - "$WINDOW" out <<-'END'
		import json, sys
		window, doc = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
		why, total = doc["unmeasured"], doc["total"]
		if "kept" not in window["end"]:
		    for key in "sampling", "walk_ns", "functions", "timeline", "drain_all_calls", "sock_failures", "cpus.slots", "eviction_pairs":
		        assert why[key]["reason"] == "absent", (key, why[key])
		    assert total["sock_failures"] is total["drain_innocent_ratio"] is None
		    assert total["sock_stat_updates"] == total["stat_updates"]["sock"] > 0
		# and one counter less
		kept = window["end"].get("kept") or []
		if "limit_hits" in kept:
		    kept.remove("limit_hits")
		    assert total["limit_hits"] is not None
		json.dump(window, open("less", "w"))
	END
	mc report -r less --ignore-failure --json
	is_status 0
	python3 - out <<-'END'
		import json, sys
		doc = json.load(open(sys.argv[1]))
		assert doc["total"]["limit_hits"] is None and doc["unmeasured"]["limit_hits"]["reason"] == "absent"
	END
}

@test "--json --ascii: the same document, and no byte above 0x7f" {
	stored --json
	cp out utf8
	stored --json --ascii
	not grep -q '[^ -~]' out
	python3 -c 'import json; a, b = (json.load(open(f, "rb")) for f in ("out", "utf8")); assert a == b'
}

@test "a report from a window is the same each time, whatever the locale" {
	stored
	cp out first
	for locale in C.UTF-8 C POSIX de_DE.UTF-8; do
		LC_ALL=$locale LANG=$locale stored
		cmp out first
	done
}

@test "widths: -w, COLUMNS, 100; nothing is wider, and every width has the counts" {
	misses=$(total misses)
	for w in 60 80 100 132 200; do
		stored -w $w
		[ "$(widest)" -le $w ]
		grep -q "^misses  *$misses " out || { echo "no misses at $w"; false; }
	done
	stored
	cp out 100
	stored -w 100
	cmp out 100
	COLUMNS=60 stored
	[ "$(widest)" -le 60 ]
	for columns in abc 5 0 -80 99999999999999999999 ''; do
		COLUMNS=$columns stored
		cmp out 100
	done
	stored -w 50
	stored -w 5000
	COLUMNS=60 stored -w 100
	cmp out 100
}

@test "--rows cuts the text and says so, and not the JSON" {
	stored --rows all
	not grep -q 'more: --rows' out
	all=$(rows | wc -l)
	[ "$all" -ge 12 ]
	stored --rows 2
	[ "$(rows | wc -l)" -eq 2 ]
	grep -q "^($((all - 2)) more: --rows)" out
	stored --json
	cp out whole
	stored --json --rows 2
	cmp out whole
}

@test "-s orders the rows, largest first" {
	stored --json -s evicted
	python3 - out <<-'END'
		import json, sys
		rows = [c for c in json.load(open(sys.argv[1]))["cgroups"] if c["state"] != "other"]
		for key in ["evicted"]:
		    values = [c[key] for c in rows]
		    assert values == sorted(values, reverse=True) and values[0] > values[-1], values
	END
	stored -s evicted --rows all
	rows > by-evicted
	stored --rows all
	rows > by-charges
	[ "$(sort by-evicted)" = "$(sort by-charges)" ]
	not cmp -s by-evicted by-charges
	# a key without a column of its own gets one
	stored -s walk_pages
	grep '^CGROUP' out > heading
	stored
	not grep -qxFf heading out
}

@test "-f keeps the rows that match, and the total" {
	stored --rows all
	sed -n '1,/^CGROUP /p' out > above
	stored --rows all -f '/demo/c[1-3]'
	[ "$(rows | sort | tr '\n' ' ')" = '/demo/c1 /demo/c2 /demo/c3 ' ]
	sed -n '1,/^CHARGE/p' out | cmp - <(sed -n '1,/^CHARGE/p' above)
	stored -f '/nothing/*'
	[ -z "$(rows)" ]
	grep -q "^charges  *$(total charges) " out
	# an asterisk matches slashes
	stored --rows all -f '*x y'
	grep -qF 'x y' out
}

@test "--ascii has no byte above 0x7f, without it the text is UTF-8 and has no control character" {
	stored --ascii --rows all
	not grep -q '[^ -~]' out
	stored --rows all
	iconv -f UTF-8 -t UTF-8 out > /dev/null
	no_controls out
	grep -qF '\xff' out
}

@test "colour: only on a terminal that can, and not with NO_COLOR, -C or TERM=dumb" {
	command -v script > /dev/null || skip 'script(1) is not here'
	bold=$'\e[1m'
	args=(report -r "$WINDOW" --ignore-failure)
	TERM=xterm on_tty "${args[@]}"
	grep -qF "$bold" out
	TERM=xterm NO_COLOR='' on_tty "${args[@]}"
	grep -qF "$bold" out
	TERM=xterm NO_COLOR=1 on_tty "${args[@]}"
	not grep -qF $'\e' out
	TERM=dumb on_tty "${args[@]}"
	not grep -qF $'\e' out
	TERM='' on_tty "${args[@]}"
	not grep -qF $'\e' out
	TERM=xterm on_tty "${args[@]}" -C
	not grep -qF $'\e' out
	TERM=xterm on_tty "${args[@]}" --json
	not grep -qF $'\e' out
	TERM=xterm stored
	not grep -qF $'\e' out
}

@test "the status of a stored window is that of the run" {
	mc report -r "$WINDOW"
	is_status 4
	said 'sh failed (exit 3); --ignore-failure accepts it'
	grep -q '^CHARGE SIDE' out
	mc report -r "$WINDOW" -q
	is_status 4
	[ ! -s err ]
}

@test "-r reads a pipe as well" {
	stored
	cp out first
	"$M" report -r /dev/stdin --ignore-failure < <(cat "$WINDOW") | cmp - first
}

@test "-r of what is missing, a directory, empty, of zeros: 2, one line, with a remedy" {
	wrong 'cannot read /nonexistent: No such file or directory' report -r /nonexistent
	said 'report --save FILE make'
	wrong 'cannot read .: Is a directory' report -r .
	: > empty
	wrong 'cannot read empty: it is empty' report -r empty
	wrong 'damaged or cut short' report -r /dev/zero
	wrong 'cannot read' report -r ''
	echo '{"schema": "memcgtop/1"}' > report
	wrong 'not a sample of memcgtop: its schema is memcgtop/1' report -r report
	echo '[]' > list
	wrong 'it is no JSON object' report -r list
	sed 's|memcgtop-sample/1|memcgtop-sample/99|' "$WINDOW" > newer
	wrong 'written by a newer memcgtop' report -r newer
}

@test "-r of a window that is cut short anywhere" {
	size=$(wc -c < "$WINDOW")
	for i in {1..60}; do
		head -c $((size * i / 61)) "$WINDOW" > part
		wrong 'damaged or cut short' report -r part
	done
}

@test "-r of a hostile window: no crash, no hang" {
	printf '\0\377\033[31m' > bytes
	wrong 'cannot read' report -r bytes
	head -c 300000 /dev/zero | tr '\0' '[' > deep
	wrong 'cannot read' report -r deep
	sed '0,/"schema"/s//"schema": "x", "schema"/' "$WINDOW" > twice
	wrong 'duplicate' report -r twice
	sed 's/"schema": "[^"]*"/"schema": "\\u001b[31mred"/' "$WINDOW" > escape
	wrong 'its schema is' report -r escape
	not grep -q $'\e' err
	enrich rich
	python3 - rich <<-'END'
		import base64, copy, json, random, sys
		window = json.load(open(sys.argv[1]))
		def places(value, path=()):
		    yield path
		    items = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
		    for key, inner in items:
		        yield from places(inner, path + (key,))
		random.seed(1)
		all_places = [p for p in places(window) if p]
		for n, place in enumerate(random.sample(all_places, 250)):
		    doc = copy.deepcopy(window)
		    at = doc
		    for key in place[:-1]:
		        at = at[key]
		    at[place[-1]] = random.choice([None, -1, 2**63, 1e308, "", "\x1b]0;x\x07", "x" * 100000, [], {}, [[]], True])
		    json.dump(doc, open("mutant%d" % n, "w"))
	END
	for mutant in mutant*; do
		mc report -r "$mutant" --rows all --ignore-failure
		# read, or refused in one line; not a signal (128 and up), not a status of its own
		case $status in
		0 | 4) ;;
		2) one_line ;;
		*) cat "$mutant"; false ;;
		esac
		no_controls err
	done
}

@test "-r of a hostile window: no text of it reaches the terminal as an escape" {
	enrich rich
	python3 - rich <<-'END'
		import copy, json, sys
		window = json.load(open(sys.argv[1]))
		def texts(value, path=()):
		    if isinstance(value, str):
		        yield path
		    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
		    for key, inner in items:
		        yield from texts(inner, path + (key,))
		shapes = {}
		for path in texts(window):
		    shapes.setdefault(tuple("#" if isinstance(p, int) else p for p in path), []).append(path)
		for n, same in enumerate(shapes.values()):
		    doc = copy.deepcopy(window)
		    for path in same:
		        at = doc
		        for key in path[:-1]:
		            at = at[key]
		        at[path[-1]] = "\x1b[1m"
		    json.dump(doc, open("escape%d" % n, "w"))
	END
	bad=
	for window in escape*; do
		mc report -r "$window" --rows all --ignore-failure
		no_controls out || { bad=yes; grep -n '[[:cntrl:]]' out | cat -v; }
		no_controls err || bad=yes
	done
	[ ! "$bad" ]
}

@test "top -b --columns: these columns, in that order" {
	mc top -b -w 80 --columns why,walks,charges -r "$WINDOW"
	is_status 0
	[ "$(grep '^CGROUP' out | tr -s ' ')" = 'CGROUP WHY WALK/s CHARGE/s' ]
	[ "$(grep '^total .*[0-9]' out | tail -n 1 | wc -w)" -eq 4 ]
	# an output that is no terminal is the same
	mv out batch
	mc top -w 80 --columns why,walks,charges -r "$WINDOW"
	cmp batch out
}

@test "what an old window lacks is not taken for nothing" {
	mc report -r "$WINDOW"
	grep -q '^verdict  most rules could not be judged: 18.7 % of charges miss' out
	grep -q 'Not judged, for want of a measure: .*drain_storm' <(tr -d '\n' < out | tr -s ' ')
	mc top -b -r "$WINDOW"
	grep -qx 'most rules could not be judged, for want of a measure.' out
}
