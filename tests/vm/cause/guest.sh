#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: every measurement of the tests of times, drains and pressure, as sections "== NAME" on standard output.
# check.py judges them.
#
#	guest.sh rt|plain WINDOW...

set -u
kind=$1
shift
trace=/sys/kernel/tracing

section() {	# NAME FILE
	echo "== $1"
	cat "$2"
}

# Set-up of the loads: each waits in its cgroup until inside.sh lets it go, so that this is in no window.
prepare() {	# NAME ARG...
	name=$1
	shift
	mkfifo "/tmp/$name.go"
	workload reserve --parent "/$name" -p 0 --wait "$@" <> "/tmp/$name.go" > "/tmp/$name.json" 2> "/tmp/$name.says" &
	echo $! >> /tmp/prepared
	tries=300
	until grep -qs ready "/tmp/$name.says"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "guest: $name is never ready" >&2; exit 1; }
		sleep 0.1
	done
}

# Calls of drain_all_stock behind its mutex, by the memcg that they drain for: no part of it is memcgtop's.
arm_drains() {
	function=$(awk '$3 ~ /^drain_all_stock(\.|$)/ { print $3 }' /proc/kallsyms | sort | tail -n 1)
	echo "p:cause/drain_all $function memcg=%di:x64" > $trace/kprobe_events
	echo 'hist:keys=memcg' > $trace/events/cause/drain_all/trigger
}

# Lines of the stopwatch so far.
readings() {
	wc -l < /tmp/stopwatch.json
}

# What is measured is not the stopwatch's business: it counts what happens in the same time, part by part (inside.sh).
measure() {	# NAME OPTION...
	name=$1
	shift
	# What the window before left behind is not to be done in this one.
	sleep 1
	: > /tmp/parts
	[ -s /tmp/stopwatch.pid ] && sh /x/inside.sh part before && : > /tmp/parts && before=$(readings)
	/x/peak "/tmp/$name.peak" memcgtop report -q --json -o "/tmp/$name.json" --ignore-failure "$@" -- \
		sh /x/inside.sh "$name" > "/tmp/$name.out" 2> "/tmp/$name.err"
	status=$?
	echo "== status $name"
	echo $status
	if [ -s /tmp/stopwatch.pid ]; then
		sh /x/inside.sh part rest
		tail -n "+$before" /tmp/stopwatch.json > "/tmp/$name.witness"
		section "$name.witness" "/tmp/$name.witness"
		section "$name.parts" /tmp/parts
	fi
	for file in json peak out err; do
		section "$name.$file" "/tmp/$name.$file"
	done
	for file in "/tmp/$name".did.*; do
		[ -e "$file" ] && section "${file#/tmp/}" "$file"
	done
}

start_stopwatch() {
	stopwatch > /tmp/stopwatch.json 2> /tmp/stopwatch.says &
	echo $! > /tmp/stopwatch.pid
	until grep -qs . /tmp/stopwatch.says; do sleep 0.1; done
	section stopwatch.says /tmp/stopwatch.says
}

stop_stopwatch() {
	kill "$(cat /tmp/stopwatch.pid)"
	wait "$(cat /tmp/stopwatch.pid)"
	rm /tmp/stopwatch.pid
}

exact=
[ "$kind" = rt ] && exact='--lock exact'

prepare_depths() {
	for depth in 1 4 16; do
		prepare deep$depth -n 1 --depth $depth --sockets 2 --pages 33 -c 300 --warm 4
	done
}

for window; do
	case $window in
	main)
		start_stopwatch
		prepare_depths
		prepare thrash -n 9 -c 200
		prepare held -n 1 --pages 33 --charged
		# shellcheck disable=SC2086 # two words or none
		measure main --sample 1/1 $exact
		;;
	limit)
		arm_drains
		measure limit --sample 1/1 --drains
		section drain_all /sys/kernel/tracing/events/cause/drain_all/hist
		echo '!hist:keys=memcg' > $trace/events/cause/drain_all/trigger
		;;
	tcp)
		# shellcheck disable=SC2086
		measure tcp --sample 1/1 $exact
		;;
	depth)
		# In a guest of its own, whose clock counts instructions.
		prepare_depths
		measure depth --sample 1/1
		;;
	sample)
		[ -s /tmp/stopwatch.pid ] && stop_stopwatch
		prepare known -n 1 --sockets 2 --pages 33 -c 2000 --warm 4
		measure sample --sample 1/8
		;;
	no-time)
		prepare bare -n 1 --sockets 2 --pages 33 -c 200 --warm 4
		measure no-time --no-time
		;;
	dying)
		[ -s /tmp/stopwatch.pid ] && stop_stopwatch
		# Each move of a process to a cgroup waits for an RCU grace period: thousands of them.
		echo 1 > /sys/kernel/rcu_expedited
		measure dying -i 1 --max-cgroups 4096
		;;
	esac
done
# shellcheck disable=SC2046 # one word a process
[ -s /tmp/prepared ] && kill $(cat /tmp/prepared) 2> /dev/null
echo "== end"
