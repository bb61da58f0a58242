#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# gate on stored windows and recordings: statuses, conditions, forms that others read. What needs a kernel is in vm/gate.

load helper

R73=$BATS_TEST_DIRNAME/../golden/recording-7.3
R61=$BATS_TEST_DIRNAME/../golden/recording-6.1

gate() {	# STATUS, then the options: a gate on the window, whose CMD failed
	local expected=$1
	shift
	mc gate --ignore-failure -r "$WINDOW" "$@"
	is_status "$expected"
	cat out
}

printed() {
	grep -qF -- "$1" out
}

@test "0: passed, with the value, the limit and the last line" {
	gate 0 --fail-if 'miss_ratio > 50%'
	[ ! -s err ]
	[ "$(cat out)" = 'passed       miss_ratio > 50%  18.7 %, limit 50 %
gate: passed, 1 condition' ]
}

@test "1: a limit between: passes above, fails below, in each form of it" {
	for limit in 'miss_ratio > 18%' 'miss_ratio > 0.18' 'misses/charges > 18%' 'hit_ratio < 82%' 'sock_miss_ratio > 1%' \
		'max(cgroup:/demo/*, miss_ratio) > 18%' 'sum(cgroup:/demo/*, misses) > 100' 'any(cpu, miss_ratio) > 18%' 'charges/s > 100' \
		'misses != 0' 'walk_causes.evict > 10'; do
		gate 1 --fail-if "$limit"
		printed "failed       $limit  "
		[ "$(tail -n 1 out)" = 'gate: failed, 1 of 1 condition' ]
	done
	gate 0 --fail-if 'miss_ratio > 20%' --fail-if 'hit_ratio < 80%' --fail-if 'max(cgroup:/demo/*, miss_ratio) > 20%' \
		--fail-if 'charges/s > 1M' --fail-if 'misses == 0'
	[ "$(tail -n 1 out)" = 'gate: passed, 5 conditions' ]
	gate 1 --max-miss-rate 2%
	printed 'miss_ratio > 2%'
	gate 0 --max-miss-rate 20%
	# what fails does so whatever cannot be told
	gate 1 --fail-if 'miss_ratio > 2%' --fail-if 'p99(walk_ns) > 1us' --fail-if 'hits < 1'
	[ "$(tail -n 1 out)" = 'gate: failed, 1 of 3 conditions; 1 cannot be told' ]
}

@test "2: wrong usage, told at its place" {
	wrong 'gate needs a condition' gate
	wrong "in 'miss_ration > 2%', column 1: no measure is called 'miss_ration'; is 'miss_ratio' meant?" gate --fail-if 'miss_ration > 2%'
	wrong 'is 2% meant?' gate --max-miss-rate 2
	wrong "column 14: 2 is more than 1" gate --fail-if 'miss_ratio > 2'
	wrong 'it needs a --baseline FILE' gate --fail-if 'miss_ratio > +10%'
	wrong "needs a number that CMD prints: --metric NAME=REGEX" gate --fail-if 'metric:tps < 10' -- true
	wrong "cannot run 'no-such-command'" gate --max-miss-rate 2% -- no-such-command
	wrong 'cannot read ./none' gate --max-miss-rate 2% -r ./none
	wrong 'cannot read ./none' gate --fail-if 'miss_ratio > +2%' --baseline ./none -r "$WINDOW"
	wrong 'cannot read ./none' gate --config ./none -r "$WINDOW"
	wrong 'cannot write ./none/x' gate --max-miss-rate 2% -r "$WINDOW" --junit ./none/x
	wrong 'cannot write ./none/x' gate --max-miss-rate 2% -r "$WINDOW" -o ./none/x
	# no terminal obeys what is quoted
	wrong 'column 1' gate --fail-if "$(printf 'a\033[2J')" -r "$WINDOW"
	no_controls err
}

@test "3: cannot be measured here" {
	mc gate --max-miss-rate 2% --cgroup-root / -d 0.1
	[ "$status" = 3 ] || [ "$status" = 2 ]
	one_line
}

@test "4: nobody can tell: CMD failed, too few events, 0/0, not measured, missed too many" {
	mc gate -r "$WINDOW" --fail-if 'miss_ratio > 50%'
	is_status 4
	printed 'sh failed (exit 3); --ignore-failure accepts it'
	[ "$(tail -n 1 out)" = 'gate: cannot tell, 1 of 1 condition' ]
	gate 4 --fail-if 'miss_ratio > 50%' --min-events 1000000
	printed 'too few events: 8201 charges, and --min-events is 1000000'
	gate 4 --fail-if 'failed/forced > 50%' --min-events 0
	printed 'nothing happened'
	gate 4 --fail-if 'p99(walk_ns) > 1us'
	printed 'walk_ns is not measured'
	gate 4 --fail-if 'max(cgroup:/nowhere*, misses) > 1'
	printed "no cgroup matches '/nowhere*'"
	gate 4 --fail-if 'metric:tps > 1'
	printed "no metric 'tps' in this run"
	mc gate --ignore-failure -r "$R61" --fail-if 'walks_under_lock/charges > 1%'
	is_status 4
	printed 'no lock byte on this kernel'
	mc gate --ignore-failure -r "$R73" --fail-if 'miss_ratio > 50%' --max-missed 0
	is_status 4
	printed '--max-missed is 0 %'
	mc gate --ignore-failure -r "$R73" --fail-if 'miss_ratio > 50%'
	is_status 0
	# the error of what was missed lies on both sides
	mc gate --ignore-failure -r "$R73" --fail-if 'miss_ratio > 1.5%'
	is_status 4
	printed 'leave it open'
}

@test "several files are runs: all over, none, mixed, and by the median" {
	mc gate --ignore-failure --fail-if 'miss_ratio > 15%' -r "$WINDOW" -r "$R61"
	is_status 1
	printed '2 of 2 runs over; min 18.7 %, median'
	mc gate --ignore-failure --fail-if 'miss_ratio > 15%' -r "$WINDOW" "$R61" "$R73"
	is_status 4
	printed '2 of 3 runs crossed the limit; with 5 runs or more the median decides'
	mc gate --ignore-failure --fail-if 'miss_ratio > 15%' -r "$WINDOW" "$R61" "$R73" "$WINDOW" "$R73"
	is_status 1
	printed '3 of 5 runs over'
	mc gate --ignore-failure --fail-if 'miss_ratio > 19%' -r "$WINDOW" "$R61" "$R73" "$WINDOW" "$R73"
	is_status 0
	printed '1 of 5 runs over'
	mc gate --ignore-failure --fail-if 'miss_ratio > 90%' -r "$WINDOW" "$R61"
	is_status 0
}

@test "a baseline: relative limits, and the same as replay FILE gate" {
	gate 1 --fail-if 'miss_ratio > +10%' --baseline "$R73"
	gate 0 --fail-if 'miss_ratio > +10%' --baseline "$R61"
	gate 0 --fail-if 'miss_ratio > +10%' --fail-if 'miss_ratio > +1pp' --fail-if 'hit_ratio < -1pp' --baseline "$WINDOW"
	gate 4 --fail-if 'p99(walk_ns) > +10%' --baseline "$WINDOW"
	mc replay "$WINDOW" gate --ignore-failure --fail-if 'miss_ratio > +10%' --baseline "$R73"
	is_status 1
	mc replay "$R61" gate --ignore-failure --fail-if 'miss_ratio > 2%' --from 2
	is_status 1
}

@test "--config: conditions of a file, its errors with file and line" {
	printf '# the limits\nmiss_ratio > 50%%\n\n  hits < 1 # none\n' > limits
	gate 0 --config limits
	[ "$(wc -l < out)" = 3 ]
	gate 1 --config limits --fail-if 'miss_ratio > 1%'
	[ "$(head -n 1 out | cut -c 1-6)" = failed ]
	printf 'misses > 1\nmisses >\n' > limits
	wrong "limits:2: in 'misses >', column 9: a number is missing" gate --config limits -r "$WINDOW"
	printf '\n#\n' > limits
	wrong 'limits has no condition' gate --config limits -r "$WINDOW"
	head -c 9999 /dev/zero > limits
	wrong 'limits:1: that is no file of conditions' gate --config limits -r "$WINDOW"
}

conditions() {	# all three results, and names that formats stumble over
	cat > limits <<-'END'
		miss_ratio > 2%
		max(cgroup:"/<&#'>\*", misses) > 1
		hits < 1
	END
}

@test "JSON: strict, with the bounds, the runs and a reason for each null" {
	conditions
	gate 1 --config limits --json
	python3 - out <<-'END'
		import json, sys
		def no_twins(pairs):
		    assert len(pairs) == len(dict(pairs)), pairs
		    return dict(pairs)
		doc = json.loads(open(sys.argv[1], "rb").read().decode(), object_pairs_hook=no_twins, parse_constant=lambda name: 1 / 0)
		assert doc["schema"] == "memcgtop-gate/1" and doc["result"] == "failed" and doc["exit_status"] == 1 and doc["runs"] == 1
		a, b, c = doc["conditions"]
		assert [x["result"] for x in (a, b, c)] == ["failed", "cannot_tell", "passed"]
		assert 0.18 < a["low"] <= a["value"] <= a["high"] < 0.19 and a["limit"] == 0.02 and a["unit"] == "ratio" and a["op"] == ">"
		assert b["value"] is None and "no cgroup matches" in b["reason"] and b["runs"][0]["reason"] == b["reason"]
		assert a["reason"] is None and a["over"] == 1 and a["file"] == "limits" and a["line"] == 1
	END
	gate 1 --config limits --format json -o file
	[ ! -s out ]
	python3 -c 'import json; assert json.load(open("file"))["failed"] == 1'
}

@test "JUnit: valid by its schema, and what it holds" {
	conditions
	gate 1 --config limits --junit report.xml
	printed 'gate: failed, 1 of 3 conditions; 1 cannot be told'
	xmllint --noout --schema "$BATS_TEST_DIRNAME/junit.xsd" report.xml
	python3 - report.xml <<-'END'
		import re, sys, xml.etree.ElementTree as ET
		root = ET.parse(sys.argv[1]).getroot()
		assert root.tag == "testsuites"
		(suite,) = root
		assert suite.tag == "testsuite"
		for name, want in dict(name=".+", tests="3", failures="1", errors="1", skipped="0", time=r"\d+\.\d{3}", hostname=".+",
		                       timestamp=r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d").items():
		    assert re.fullmatch(want, suite.attrib.pop(name)), name
		assert not suite.attrib and [e.tag for e in suite] == ["properties"] + 3 * ["testcase"]
		assert all(p.tag == "property" and p.attrib.keys() == {"name", "value"} for p in suite[0])
		cases = suite.findall("testcase")
		assert all(c.attrib.keys() == {"name", "classname", "time"} and float(c.get("time")) >= 0 for c in cases)
		assert [c.get("name") for c in cases] == ["miss_ratio > 2%", "max(cgroup:\"/<&#'>\\*\", misses) > 1", "hits < 1"]
		assert [[e.tag for e in c] for c in cases] == [["failure"], ["error"], ["system-out"]]
		assert all(e.attrib.keys() == {"message", "type"} and e.text for c in cases[:2] for e in c)
		assert "limit 2 %" in cases[0][0].get("message") and "no cgroup matches '/<&#'>" in cases[1][0].text
	END
	cp report.xml whole.xml
	gate 1 --config limits --format junit
	cmp out whole.xml
}

@test "TAP: read by a consumer, that counts what cannot be told as not ok" {
	conditions
	gate 1 --config limits --tap
	[ "$(head -n 2 out | tail -n 1)" = 1..3 ]
	prove -v -e cat out > proved || true
	cat proved
	grep -q 'Failed 2/3 subtests' proved
	grep -q 'Failed tests:  1-2' proved
	gate 0 --fail-if 'hits < 1' --format tap
	prove -e cat out
}

@test "--annotate: workflow commands, escaped, with the file's line; on stderr beside a document" {
	printf 'misses > 1\n\nmiss_ratio > 50%%\nmax(cgroup:/no*, misses) > 1\n' > 'a,b:c%.conf'
	gate 1 --config 'a,b:c%.conf' --annotate
	grep -q '^::error file=a%2Cb%3Ac%25.conf,line=1,title=memcgtop gate failed::misses > 1: ' out
	grep -q '^::warning file=a%2Cb%3Ac%25.conf,line=4,title=memcgtop gate cannot tell::' out
	[ "$(grep -c '^::' out)" = 2 ]
	[ "$(tail -n 1 out | cut -d ' ' -f 1)" = gate: ]
	gate 1 --fail-if 'miss_ratio > 2%' --annotate --json
	python3 -m json.tool out > /dev/null
	grep -q '^::error title=memcgtop gate failed::miss_ratio > 2%25: 18.7 %25, limit 2 %25$' err
}

@test "a reader that goes keeps the verdict; a result that cannot be written is 4" {
	for expected in 'miss_ratio > 2%:1' 'miss_ratio > 50%:0'; do
		rc=0
		(set -o pipefail; { "$M" gate --ignore-failure -r "$WINDOW" --fail-if "${expected%:*}" 2> err; echo $? > rc; } | true) || true
		[ "$(cat rc)" = "${expected#*:}" ]
		[ ! -s err ]
	done
	[ -w /dev/full ] || skip 'no /dev/full'
	rc=0
	"$M" gate --ignore-failure -r "$WINDOW" --fail-if 'miss_ratio > 2%' > /dev/full 2> err || rc=$?
	[ "$rc" = 4 ]
	said 'not written to standard output: No space left on device'
}

@test "breaches of the stock's rules fail a gate that asks for something else" {
	enrich rich
	python3 - rich <<-'END'
		import json, sys
		window = json.load(open(sys.argv[1]))
		window["end"]["breaches"] = 2
		json.dump(window, open(sys.argv[1], "w"))
	END
	mc gate --ignore-failure -r rich --fail-if 'hits < 1'
	is_status 1
	printed 'failed       stock_breaches > 0  2'
	[ "$(tail -n 1 out)" = 'gate: failed, 1 of 2 conditions' ]
}

@test "a metric that a window has" {
	python3 - "$WINDOW" <<-'END'
		import json, sys
		window = json.load(open(sys.argv[1]))
		window["command"]["metrics"] = {"tps": 900.5, "lost": None}
		json.dump(window, open("metrics", "w"))
	END
	mc gate --ignore-failure -r metrics --fail-if 'metric:tps < 1000' --fail-if 'charges/metric:tps > 10' --fail-if 'metric:lost > 1'
	is_status 1
	printed '900.5, limit 1,000'
	printed "the metric 'lost' was not found"
	mc report --ignore-failure --json -r metrics
	python3 -c 'import json; assert json.load(open("out"))["window"]["command"]["metrics"] == {"tps": 900.5, "lost": None}'
}

@test "what the README shows is what gate prints" {
	gate=(--max-miss-rate 2% --fail-if 'max(cgroup:/demo*, evictions/s) > 500' --fail-if 'amplification > 5.5%')
	mc gate "${gate[@]}" -r "$BATS_TEST_DIRNAME/../golden/runs-7.3/01"
	is_status 1
	awk '/runs-7.3\/01/ { here = 1 } here && /^```/ { if (n++) exit; next } n' "$BATS_TEST_DIRNAME/../../README.md" > shown
	diff shown out
}
