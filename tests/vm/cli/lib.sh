# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086 # no path here has a blank
# TAP lines in a guest, without a plan: run adds the host's and the plan. Sourced by the boots.
#
#	begin NAME	a test; the one before ends here
#	run CMD...	run it: its status, out and err are what the others look at
#	status N	the status must be that
#	said TEXT	standard error has TEXT; printed TEXT: standard output has it, however it is wrapped
#	silent TEXT	neither has it
#	one_line	standard error is one line that memcgtop wrote
#	must CMD...	any other condition
#	keep NAME	standard output goes to the host as NAME
#	skip WHY	the test is not run

work=/tmp/cli
results=/tmp/results
mkdir -p $work $results
name='' bad='' skipped=''
TAP=/tmp/results/tap
: > $TAP

tap() {
	printf '%s\n' "$1" >> $TAP
	printf '%s\n' "$1" >&3
}

complain() {
	[ "$bad" ] || {
		bad=yes
		: > $work/why
	}
	{
		echo "$1"
		[ -f $work/cmd ] && echo "command: $(cat $work/cmd); status $rc"
		head -c 1500 $work/err
		head -c 1500 $work/out
	} >> $work/why 2> /dev/null
}

finish() {
	[ "$name" ] || return 0
	if [ "$bad" ]; then
		tap "not ok - $name"
		tr '\r\000' '?' < $work/why | while IFS= read -r line; do tap "# $line"; done
	elif [ "$skipped" ]; then
		tap "ok - $name # SKIP $skipped"
	else
		tap "ok - $name"
	fi
	name=''
}

begin() {
	finish
	name=$1 bad='' skipped='' rc=none
	rm -f $work/cmd $work/out $work/err
}

run() {
	printf '%s ' "$@" > $work/cmd
	rc=0
	timeout -s KILL 60 "$@" > $work/out 2> $work/err < /dev/null || rc=$?
}

status() {
	[ "$rc" = "$1" ] || complain "status is $rc, not $1"
}

words() {
	tr -s ' \n' '  ' < "$1"
}

said() {
	words $work/err | grep -qF -- "$1" || complain "standard error lacks: $1"
}

printed() {
	words $work/out | grep -qF -- "$1" || complain "standard output lacks: $1"
}

silent() {
	if cat $work/err $work/out | tr -s ' \n' '  ' | grep -qF -- "$1"; then
		complain "said, and should not be: $1"
	fi
}

one_line() {
	if [ "$(wc -l < $work/err)" != 1 ] || ! grep -q '^memcgtop: ' $work/err; then
		complain 'standard error is not one line of memcgtop'
	fi
}

must() {
	"$@" || complain "does not hold: $*"
}

keep() {
	cp $work/out $results/"$1"
}

skip() {
	skipped=$1
}

# Closing a program's descriptors is asynchronous: the kernel gets 30 s.
none_attached() {
	tries=150
	until [ "$(helper programs)" = "$programs_before" ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.2
	done
}

# For what runs in the background with its standard error in $work/err.
until_said() {
	tries=300
	until grep -q "$1" $work/err; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || {
			complain "did not say: $1"
			return
		}
		sleep 0.1
	done
}

programs_before=$(helper programs)
