#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What memcgtop measures for the core tests: loads one after the other, between two readings of the kprobes. Everything that
# runs here is in the root cgroup, which is not charged, so between the loads nothing happens.

set -u
: "${trace:?}" "${cliffs:?}"	# guest.sh exports them

go() {	# NAME: lets a prepared workload run to its end
	echo > "/tmp/$1.go"
	tries=600
	until grep -q -e 'done' -e workload: "/tmp/$1.says"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "inside: $1 does not end" >&2; exit 1; }
		sleep 0.05
	done
}

sizes() {	# WHEN
	cat "$trace/events/sizes/charged/hist" > "/tmp/charged.$1"
	cat "$trace/events/sizes/uncharged/hist" > "/tmp/uncharged.$1"
}

readings 1 > /tmp/before.json || exit 1
sizes before
go known
sizes after
go once
for n in $cliffs; do
	go "cliff$n"
done
# Refused: more pages than memory.max in one charge.
go refused
cat /sys/fs/cgroup/refused/c0/memory.events > /tmp/refused.events

# Interrupt context, on both CPUs, and several cgroups on each.
workload rr --parent /tcp -n 4 -c 400 || exit 1
# Real-time tasks that preempt the others in the middle of a charge: on PREEMPT_RT they find the lock of the stock taken.
workload rr --parent /low -n 2 -p 0 -t 2 &
low=$!
workload rr --parent /high -n 2 -p 0 --fifo --yield -c 300 || exit 1
wait $low || exit 1
workload anon --parent /anon -n 2 --pages 300 -c 3 || exit 1
workload limit --parent /limit -n 2 --max 512 -c 60 > /tmp/limit.json || exit 1

# Until the cgroups above are gone for good, which flushes the stocks.
sleep 2
# What the stock of a CPU holds is given back when the CPU goes.
workload reserve --parent /gone -p 1 -c 10 --keep || exit 1
echo 0 > /sys/devices/system/cpu/cpu1/online || exit 1
echo 1 > /sys/devices/system/cpu/cpu1/online || exit 1

readings 2 > /tmp/after.json || exit 1
