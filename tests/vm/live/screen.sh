# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086 # no path here has a blank
# The screen, live, on a terminal of its own: what it showed at each mark is looked at by check.py.

# shellcheck source=../cli/lib.sh
. /x/lib.sh
export TERM=linux	# whose sequences the emulator on the host knows best

drive() {	# NAME SIZE CMD...: the script is standard input
	cat > $work/script
	local name=$1 size=$2
	shift 2
	rc=0
	timeout -s KILL 200 /x/drive $size $work/script "$@" > $results/$name.tty 2> $work/err || rc=$?
	: > $work/out
	printf '%s ' "$@" > $work/cmd
}

begin 'each view and each key of the screen'
workload rr --parent /busy -n 9 -t 300 -p 1 --pages 1 --yield > /dev/null 2>&1 &
busy=$!
# not so many that the table of cgroups is full
workload churn --parent /churn -c 150 > /dev/null 2>&1 &
churn=$!
# once it counts, a number of charges that is known
(until grep -q 'per second' $results/views.tty; do sleep 0.5; done; sleep 1
	workload reserve --parent /known -n 1 -c 1000 --keep) > /dev/null 2>&1 &
drive views 100x30 memcgtop -d 1 <<-'END'
	wait per second
	sleep 0.2
	mark first
	sleep 3
	mark rates
	send f
	sleep 0.5
	send busy\r
	sleep 1.5
	mark filtered
	send m
	sleep 1.2
	mark delta
	send m
	sleep 1.2
	mark total
	send m
	send p
	sleep 0.7
	mark paused
	sleep 3
	mark still
	send p
	send f
	sleep 0.3
	send \x15\r
	sleep 1.5
	mark unfiltered
	send f
	sleep 0.3
	send known\r
	send m
	sleep 0.3
	send m
	sleep 1.5
	mark known
	send m
	send f
	sleep 0.3
	send \x15\r
	sleep 1.2
	send t
	sleep 1.2
	mark tree
	send t
	send 2
	sleep 1.2
	mark cpus
	send 3
	sleep 1.2
	mark evictions
	send 4
	sleep 1.2
	mark drains
	send 5
	sleep 1.2
	mark times
	send 6
	sleep 1.2
	mark probes
	send 1
	sleep 0.5
	send \r
	sleep 1.2
	mark detail
	send \e
	sleep 0.7
	send s
	sleep 0.7
	mark sorts
	send \e
	sleep 0.7
	send c
	sleep 0.7
	mark columns
	send \e
	sleep 0.7
	send v
	sleep 0.7
	mark verdict
	send v
	send h
	sleep 0.7
	mark help
	send h
	send +
	sleep 0.5
	mark slower
	resize 40x10
	sleep 1.5
	mark small
	resize 10x2
	sleep 1.5
	mark tiny
	resize 160x50
	sleep 2.5
	mark large
	send q
END
status 0; must grep -q 'terminal: echo icanon isig' $work/err

begin 'cgroups that come and go while one is selected: the selection stays'
drive select 100x30 memcgtop -d 0.5 -s charges <<-'END'
	wait per second
	sleep 2
	send /
	sleep 0.3
	send busy/c3\r
	sleep 2
	mark before
	sleep 3
	mark after
	send s
	sleep 0.5
	send \e
	send I
	sleep 2
	mark inverted
	send q
END
status 0

for signal in 15 11; do
	begin "signal $signal while the screen is up: the terminal is as it was"
	drive signal-$signal 80x24 memcgtop -d 1 <<-END
		wait per second
		sleep 0.5
		kill $signal
	END
	status $((signal == 11 ? 139 : 0))
	must grep -q 'terminal: echo icanon isig' $work/err
	must none_attached
done

begin 'the load goes on all the time, and ends'
must kill -0 $busy
kill $busy $churn 2> /dev/null
wait $busy $churn 2> /dev/null
finish
tar -c -C $results . 2> /dev/null
