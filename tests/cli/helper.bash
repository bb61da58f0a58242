# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests of the command line share. None of them needs BPF: the window that they report from was stored in a
# guest of the lab (tests/golden/window.json: 7.3, nine cgroups on seven slots, a name that is no UTF-8, CMD exits with 3).

M=${MEMCGTOP:-$BATS_TEST_DIRNAME/../../memcgtop}
WINDOW=$BATS_TEST_DIRNAME/../golden/window.json

setup() {
	export LC_ALL=C
	unset COLUMNS NO_COLOR
	cd "$BATS_TEST_TMPDIR" || return
}

# Output and error apart, as bats 1.8 runs them together. The status is for is_status.
mc() {
	status=0
	timeout 60 "$M" "$@" > out 2> err < /dev/null || status=$?
	printf 'memcgtop'; printf ' %q' "$@"; printf ': status %s\n' "$status"
	head -c 3000 err
}

stored() {	# a report from the window
	mc report -r "$WINDOW" --ignore-failure "$@"
	is_status 0
	[ ! -s err ]
}

is_status() {
	[ "$status" -eq "$1" ]
}

one_line() {	# of ours, on standard error alone
	[ ! -s out ]
	[ "$(wc -l < err)" -eq 1 ]
	grep -q '^memcgtop: ' err
}

said() {
	grep -qF -- "$1" err
}

not() {	# bats takes no notice of a command behind an exclamation mark
	if "$@"; then
		printf 'holds, and should not:'; printf ' %q' "$@"; echo
		return 1
	fi
}

no_controls() {	# FILE: nothing but text and line ends
	not grep -q '[[:cntrl:]]' "$1"
}

wrong() {	# WORDS, then the arguments: wrong usage is said in one line that has the words
	local words=$1
	shift
	mc "$@"
	is_status 2
	one_line
	said "$words"
}

total() {	# KEY: the window's total, as the text writes it
	"$M" report -r "$WINDOW" --ignore-failure --json |
		python3 -c 'import json, sys; n = json.load(sys.stdin)["total"][sys.argv[1]]; assert n > 0; print(f"{n:,}")' "$1"
}

on_tty() {	# the arguments, on a terminal; prints to out
	local command
	printf -v command '%q ' "$M" "$@"
	script -qec "$command" /dev/null < /dev/null > out
}

enrich() {	# FILE: the window with what a window of times, stocks, pairs and drains has beside
	python3 - "$WINDOW" "$1" <<-'END'
		import json, sys
		window = json.load(open(sys.argv[1]))
		spans = "charge sock_charge sock_uncharge try_walk walk hold hold_walked walk_locked stat hold_exact lock_wait slot_life"
		def span(n, *edges):
		    return {"sum": 900 * n * len(edges), "max": 300000, "buckets": {edge: n for edge in edges}}
		programs = {"charge_begin": "try_charge_memcg", "try_walk_begin": "page_counter_try_charge", "refill_exit": "refill_stock",
		            "walk_exit": "page_counter_uncharge", "sock_charge_exit": "mem_cgroup_sk_charge",
		            "sock_uncharge_exit": "mem_cgroup_sk_uncharge", "drain_all": "drain_all_stock", "drain_busy": "mutex_trylock",
		            "pressure": "vmpressure"}
		for when in "start", "end":
		    sample, n = window[when], 100 * (when == "end")
		    sample["asked"] = {"sample_every": 1, "lock_exact": False, "drains": True, "rstat": False}
		    sample["spans"] = {name: span(n, "768", "1024", "open") for name in spans.split()}
		    sample["probes"] = [p for p in sample["probes"] if p["program"] not in programs] + [
		        {**sample["probes"][0], "program": program, "hook": program, "function": function}
		        for program, function in programs.items()]
		    rows = [r for r in sample["rows"] if r["state"] != "other"]
		    for row in rows:
		        row.update(times={"walk": span(n, "1024", "open"), "hold": span(n, "512")}, stranded_pages=3, stranded_seen_max=64,
		                   usage_bytes=1 << 20, limit_bytes=4 << 20, sock_bytes=1 << 16, pressure_ns=n, pressure_sets=n,
		                   pressure_setter=rows[0]["id"], hit_usage_pages=7, hit_limit_pages=8)
		    ids = sorted(row["id"] for row in rows)
		    sample["pairs"] = [{"by": i, "of": ids[0], "evictions": n, "pages": 9 * n} for i in ([0] + ids if ids else [])]
		    sample["drains"] = [{"cgroup": i, "calls": n, "frames": ["drain_all_stock", "memory_max_write"]} for i in ids[:3]]
		    sample["drain_all_busy"] = n
		    sample["breaches"] = 0
		    for cpu in sample["cpus"]:
		        cpu["stock"] = {"flushing": False, "slots": [{"cgroup": ids[0], "pages": 3}] if ids else []}
		window["interval_ns"] = 1000000000
		end = window["end"]["time_ns"]
		window["intervals"] = [{"end_ns": end - 9 + i, "charges": {"0": i}, "misses": {"1": i}} for i in range(10)]
		json.dump(window, open(sys.argv[2], "w"))
	END
}
