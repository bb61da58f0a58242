#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: every measurement of the core tests, as sections "== NAME" on standard output. check.py judges them.
#
#	guest.sh 'N...'		the numbers of cgroups that alternate, for the cliff

set -u
cliffs=$1
trace=/sys/kernel/tracing
export cliffs trace

section() {	# NAME FILE
	echo "== $1"
	cat "$2"
}

status() {	# NAME STATUS
	echo "== status $1"
	echo "$2"
}

# Every function that memcgtop may hook on some kernel. What this kernel does not have or cannot probe is left out; the host
# asks for the kprobe of each hook that was attached.
functions='try_charge_memcg consume_stock page_counter_try_charge page_counter_charge mem_cgroup_sk_charge
mem_cgroup_charge_skmem charge_memcg __mem_cgroup_charge obj_cgroup_charge_pages mem_cgroup_sk_uncharge
mem_cgroup_uncharge_skmem obj_cgroup_uncharge_pages drain_obj_stock_slot drain_obj_stock uncharge_batch __refill_stock
refill_stock drain_stock drain_local_memcg_stock drain_local_stock memcg_hotplug_cpu_dead page_counter_uncharge
__mod_memcg_state mod_memcg_state vmpressure drain_all_stock.part.0'
arm() {
	# Hits count all the same, and nothing is written to the ring buffer.
	echo 0 > $trace/tracing_on
	for function in $functions; do
		echo "p:core/$(echo "$function" | tr . _) $function" >> $trace/kprobe_events
	done 2> /dev/null
	# By counter and size: the walks of one cgroup, independent of everything of memcgtop's.
	# shellcheck disable=SC2016 # the kernel's own names of the arguments
	{
		echo 'p:sizes/charged page_counter_try_charge counter=$arg1:x64 nr=$arg2:u64' >> $trace/kprobe_events
		echo 'p:sizes/uncharged page_counter_uncharge counter=$arg1:x64 nr=$arg2:u64' >> $trace/kprobe_events
	}
	echo 'hist:keys=counter,nr:size=2048' > $trace/events/sizes/charged/trigger
	echo 'hist:keys=counter,nr:size=2048' > $trace/events/sizes/uncharged/trigger
	echo 1 > $trace/events/core/enable
}

# A workload that has made its cgroups and waits: its set-up is not in the window, and inside.sh lets it go.
prepare() {	# NAME ARG...
	name=$1
	shift
	mkfifo "/tmp/$name.go"
	workload reserve --parent "/$name" -p 0 --wait "$@" <> "/tmp/$name.go" > "/tmp/$name.json" 2> "/tmp/$name.says" &
	echo $! >> /tmp/prepared
	tries=200
	until grep -qs ready "/tmp/$name.says"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "guest: $name is never ready" >&2; exit 1; }
		sleep 0.1
	done
}

arm
# An even number of loops brings the stock into its cycle of two loops, whatever the set-up left in it.
prepare known -n 1 --sockets 2 --pages 33 -c 1000 --warm 4
prepare once -n 1 --sockets 1 --pages 33 -c 1000 --warm 4
for n in $cliffs; do
	prepare "cliff$n" -n "$n" --sockets 1 --pages 1 -c 300
done
# More than all stocks can hold, else the write itself would have to reclaim.
prepare refused -n 1 --sockets 1 --pages 512 -c 1 --keep
echo 1M > /sys/fs/cgroup/refused/c0/memory.max

witness > /tmp/witness.json 2> /tmp/witness.says &
witness=$!
until grep -qs . /tmp/witness.says; do sleep 0.1; done

memcgtop report -q --json -o /tmp/main.json --verify --ignore-failure -- sh /x/inside.sh > /tmp/inside.out 2> /tmp/inside.err
status main $?
kill $witness
wait $witness
for file in main.json witness.json before.json after.json charged.before charged.after uncharged.before uncharged.after \
	inside.out inside.err limit.json refused.events known.json once.json witness.says; do
	section "$file" "/tmp/$file"
done
for n in $cliffs; do
	section "cliff$n.json" "/tmp/cliff$n.json"
done
# shellcheck disable=SC2046 # one word a process
kill $(cat /tmp/prepared) 2> /dev/null	# the refused one has failed already
echo 0 > $trace/events/core/enable
echo '!hist:keys=counter,nr' > $trace/events/sizes/charged/trigger
echo '!hist:keys=counter,nr' > $trace/events/sizes/uncharged/trigger

memcgtop report -q --json -o /tmp/rows.json --max-cgroups 8 -- \
	sh -c 'workload reserve -n 40 -c 20 --parent /rows > /tmp/rows.did; sleep 1' 2> /tmp/rows.err
status rows $?
section rows.json /tmp/rows.json
section rows.did /tmp/rows.did

# Three bursts fit into the rows; the rest can only be counted apart in rows of cgroups that are gone.
memcgtop report -q --json -o /tmp/churn.json --max-cgroups 64 -- sh -c '
	for burst in 1 2 3 4 5 6; do
		workload churn -c 20 --pages 2 --parent /churn || exit 1
		sleep 1
	done > /tmp/churn.did; sleep 1' 2> /tmp/churn.err
status churn $?
section churn.json /tmp/churn.json
section churn.did /tmp/churn.did

sleep 1
memcgtop report -d 1 --json -o /tmp/idle.json --save /tmp/idle.save 2> /tmp/idle.err
status idle $?
section idle.json /tmp/idle.json
section idle.err /tmp/idle.err
memcgtop report -w 100 -r /tmp/idle.save > /tmp/idle.txt 2> /dev/null
status idle-text $?
section idle.txt /tmp/idle.txt
echo "== end"
