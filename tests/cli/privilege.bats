#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What this very machine says. What it would say elsewhere: tests/vm/cli.

load helper

as_nobody() {
	[ "$(id -u)" = 0 ] || skip 'not root, so not another user'
	command -v setpriv > /dev/null || skip 'setpriv(1) is not here'
	status=0
	# the directories of bats may be closed to others
	cp "$M" "$copy"
	chmod 755 "$copy"
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all "$copy" "$@" > out 2> err || status=$?
	cat err
}

setup() {
	export LC_ALL=C
	cd "$BATS_TEST_TMPDIR" || return
	copy=$(mktemp "${TMPDIR:-/tmp}/memcgtop.XXXXXX")
}

teardown() {
	rm -f "$copy" "$copy.window"
}

@test "not root: 3, the capabilities, and a setcap line that can be pasted" {
	as_nobody report -d 0.1
	is_status 3
	one_line
	said 'CAP_BPF and CAP_PERFMON are missing: run as root'
	said "+ep $copy"
}

@test "doctor not as root: 3, and nothing is said of hooks that were not tried" {
	as_nobody doctor
	is_status 3
	grep -q '^fail  privilege' out
	not grep -q 'can be attached' out
	as_nobody doctor --json
	is_status 3
	python3 -c 'import json
doc = json.load(open("out"))
assert doc["measurable"]["misses"] is False and doc["probes"] == [], doc'
}

@test "a stored window needs no privilege" {
	cp "$WINDOW" "$copy.window"
	chmod 644 "$copy.window"
	as_nobody report -r "$copy.window" --ignore-failure
	is_status 0
	grep -q '^CHARGE SIDE' out
}

@test "root, but tracing programs are refused: 3 and a sentence that says so" {
	[ "$(id -u)" = 0 ] || skip 'not root'
	mc doctor --json
	failed=$(python3 -c 'import json; print(*[c["check"] for c in json.load(open("out"))["checks"] if c["state"] == "fail"])')
	[ "$failed" = bpf ] || skip "the kernel of this machine does not refuse them (failed here: ${failed:-nothing})"
	mc report -d 1
	is_status 3
	one_line
	said 'the kernel refuses BPF tracing programs'
	said 'a policy forbids them'
	mc doctor
	is_status 3
	grep -q '^fail  bpf' out
	not grep -q 'can be attached\|inlined' out
}
