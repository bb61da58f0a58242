#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# inside.sh WINDOW: what memcgtop measures. Everything here runs in the root cgroup, which is not charged, so that between the
# loads nothing happens. What a load says it did is in /tmp/WINDOW.did.NAME.

set -u
window=$1
cgroups=/sys/fs/cgroup

did() {	# NAME COMMAND...
	name=$1
	shift
	"$@" > "/tmp/$window.did.$name" || { echo "inside: $name fails" >&2; exit 1; }
}

go() {	# NAME: lets a prepared workload run to its end
	echo > "/tmp/$1.go"
	tries=600
	until grep -q -e 'done' -e workload: "/tmp/$1.says"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "inside: $1 does not end" >&2; exit 1; }
		sleep 0.05
	done
	cp "/tmp/$1.json" "/tmp/$window.did.$1"
}

# What the kernel says of a cgroup, as JSON: its id and the numbers of flat files.
about() {	# NAME DIR
	{
		printf '{"id": %s, "current": %s' "$(stat -c %i "$2")" "$(cat "$2/memory.current")"
		for file in stat events events.local; do
			printf ', "%s": {%s}' "$file" "$(awk '{ printf "%s\"%s\": %s", comma, $1, $2; comma = ", " }' "$2/memory.$file")"
		done
		echo '}'
	} > "/tmp/$window.did.about-$1"
}

# A reading of the stopwatch: what was since the one before is this part.
part() {	# NAME
	[ -s /tmp/stopwatch.pid ] || return
	lines=$(wc -l < /tmp/stopwatch.json)
	kill -USR1 "$(cat /tmp/stopwatch.pid)"
	tries=100
	until [ "$(wc -l < /tmp/stopwatch.json)" -gt "$lines" ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "inside: the stopwatch does not answer" >&2; exit 1; }
		sleep 0.1
	done
	echo "$1" >> /tmp/parts
}

case $window in
part)
	part "$2"
	;;
main)
	for load in deep1 deep4 deep16 thrash held; do
		go $load
	done
	part main
	# memory.stat may be two seconds late.
	sleep 3
	about deep1 $cgroups/deep1/c0
	about deep16 "$(find $cgroups/deep16 -name c0)"
	for i in 0 1 2 3 4 5 6 7 8; do
		about thrash$i $cgroups/thrash/c$i
	done
	about held $cgroups/held/c0
	;;
limit)
	# Below the usage, above what is left of it when the stocks are drained, by work items: nothing needs to be reclaimed. Not
	# memory.max, for which the kernel would call its OOM killer if that takes long.
	echo 160K > $cgroups/held/c0/memory.high
	tries=50
	until [ "$(cat $cgroups/held/c0/memory.current)" -le 163840 ] || [ $tries = 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	about held $cgroups/held/c0
	part held
	# A cgroup at its limit beside seven others. They yield: a task that is preempted in a program makes others miss its hook.
	did limit workload limit --parent /limit -n 8 --max 512 -c 30 --refuse --pages 16 --yield --keep
	part limit
	for i in 0 1 2 3 4 5 6 7; do
		about limit$i $cgroups/limit/c$i
	done
	about limit $cgroups/limit
	# The limit is the parent's.
	mkdir $cgroups/above
	echo +memory > $cgroups/above/cgroup.subtree_control
	echo 2M > $cgroups/above/memory.max
	did above workload limit --parent /above --max 4096 -c 60 --keep
	about above $cgroups/above
	about above0 $cgroups/above/c0
	part above
	# Charges that sleep in reclaim, and migrate.
	did hop workload limit --parent /hop --max 512 -c 60 --hop --keep
	about hop0 $cgroups/hop/c0
	part hop
	# Reclaim in vain, and sockets in the same cgroup. Made before it has a limit.
	did socket workload rr --parent /pressed -c 2 --keep
	workload limit --parent /pressed --max 1024 --pages 16 --vain 900 -t 4 --keep > /tmp/limit.did.pressed &
	pressed=$!
	sleep 0.5
	workload rr --parent /pressed --flows 2 --size 30000 -t 2 --keep > /tmp/limit.did.sockets
	wait $pressed
	about pressed0 $cgroups/pressed/c0
	sleep 1
	part pressed
	;;
tcp)
	# All packets of the loopback are received on CPU 0, also those that CPU 1 sends: their softirqs interrupt charges there.
	echo 1 > /sys/class/net/lo/queues/rx-0/rps_cpus
	workload anon --parent /below -p 0 --pages 500 -t 4 > /tmp/tcp.did.below &
	did over workload rr --parent /over -p 1 --flows 4 --size 8000 -t 3
	wait $!
	echo 0 > /sys/class/net/lo/queues/rx-0/rps_cpus
	sleep 0.5
	part nested
	# Several flows on each CPU: on PREEMPT_RT their softirqs interleave.
	did tcp workload rr --parent /tcp -n 4 --flows 3 -c 60
	sleep 1
	part tcp
	;;
depth)
	# What the set-up and the attaching of programs left to do is done by then.
	sleep 10
	for load in deep1 deep4 deep16; do
		go $load
	done
	;;
sample)
	go known
	;;
no-time)
	go bare
	;;
dying)
	mkfifo /tmp/dying.go
	workload churn --parent /dying -c 2000 --hold 2000 --wait <> /tmp/dying.go > /tmp/dying.did.churn 2> /tmp/dying.says &
	until grep -q ready /tmp/dying.says; do sleep 0.1; done
	echo > /tmp/dying.go
	until grep -q -e 'done' -e workload: /tmp/dying.says; do sleep 0.2; done
	# All of them are dying, and somebody works.
	grep dying $cgroups/cgroup.stat > /tmp/dying.did.stat
	did work workload rr --parent /work -n 2 -t 5
	# They die when the guest ends: 2000 uncharges must not fall into the last sample.
	sleep 1
	;;
esac
