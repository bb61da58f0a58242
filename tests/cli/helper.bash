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
