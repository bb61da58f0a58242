# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086,SC2012,SC2046,SC2091 # words are meant, and no path here has a blank
# Recordings and batch: what they hold, what stays of them when something goes wrong.

# shellcheck source=../cli/lib.sh
. /x/lib.sh

# A load whose charges are known: K cgroups of COUNT socket charges each
known() {	# PARENT K COUNT
	echo workload reserve --parent $1 -n $2 -c $3
}

# That a recording can be read, and is said to have ended early
readable() {	# FILE
	run memcgtop report -r $1 --ignore-failure
	status 0; printed 'CHARGE SIDE'
}

begin 'a report from a recording equals the live report of its window, byte for byte, in each format'
run memcgtop report -w 100 --record $work/r --save $work/w -o $work/live.txt -- $(known /same 3 200)
status 0
run memcgtop report -w 100 -r $work/r -o $work/again.txt
status 0; must cmp $work/live.txt $work/again.txt
for format in json html; do
	run memcgtop report --format $format -r $work/w -o $work/live.$format
	run memcgtop report --format $format -r $work/r -o $work/again.$format
	status 0; must cmp $work/live.$format $work/again.$format
done
cp $work/again.json $results/same.json
cp $work/r $results/same.rec

begin 'record -- CMD: its charges are there, the intervals add up to them'
run memcgtop record -i 0.1 -o $work/r -- workload reserve --parent /rec -n 2 -c 3000 --settle 1
status 0; said 'intervals over'; said 'bytes a cgroup and interval'; said 'recording while workload runs'
run memcgtop report -r $work/r --json
status 0; keep rec-report.json
run memcgtop replay $work/r -b --json
status 0; keep rec-intervals.ndjson

begin 'a recording that is there becomes FILE.old'
run memcgtop record -o $work/r -d 0.3
status 0
run memcgtop report -r $work/r.old --json
must cmp $work/out $results/rec-report.json

begin 'SIGHUP and SIGINT end a recording: it is whole, 0'
for signal in 1 2; do
	run helper when recording $signal memcgtop record -i 0.1 -o $work/r-$signal
	status 0; said ' over '
	readable $work/r-$signal
	printed '(cut short)'
done

begin 'kill -9: all but the last interval can be read, and it is said'
memcgtop record -i 0.1 -o $work/killed > $work/out 2> $work/err &
pid=$!
until_said recording
$(known /killed 1 500) > /dev/null
sleep 2
kill -9 $pid
wait $pid 2> /dev/null
must none_attached
run memcgtop report -r $work/killed --json
status 0; said 'was not ended'; keep killed.json

begin 'a disk that fills: 4, says what is lost, the rest can be read'
mkdir -p $work/full
mount -t tmpfs -o size=24k none $work/full
for verb in 'record -q -i 0.05 -d 10 -o' 'report -q -d 3 -o /dev/null --record'; do
	rm -f $work/full/*
	[ "${verb#record}" != "$verb" ] || head -c 20000 /dev/zero > $work/full/filler
	run memcgtop $verb $work/full/r -- $(known /full 40 400)
	status 4; said 'No space left on device'; said 'what is in it can be read'
	readable $work/full/r
done
umount $work/full
run memcgtop record -q -d 0.3 -o /nonexistent/r
status 2; one_line; said '/nonexistent/r'

begin 'record -- CMD that fails: 4, and the recording says so'
run memcgtop record -o $work/failed -- sh -c 'exit 3'
status 4; said 'sh failed (exit 3)'
run memcgtop replay $work/failed report
status 4; printed 'ran (exit 3)'
run memcgtop record -o $work/none -- no-such-command
status 2; one_line; must [ ! -e $work/none ]

begin 'a hundred busy cgroups, for a recording of several intervals'
run memcgtop record -q -i 0.5 -o $results/size.rec -- workload reserve --parent /alike -n 100 -t 6
status 0

begin 'memory is bounded: more intervals, no more of it'
memcgtop record -i 0.01 -o $work/long > $work/out 2> $work/err &
pid=$!
until_said recording
resident() {
	awk '/RssAnon/ { print $2 }' /proc/$pid/status
}
sleep 2
few=$(resident)
sleep 8
many=$(resident)
kill $pid
rc=0
wait $pid || rc=$?
status 0
must [ "$few" -gt 1000 ]
must [ "$many" -lt $((few + 256)) ]
must [ "$(grep -o '[0-9,]* intervals' $work/err | tr -dc 0-9)" -gt 200 ]

begin 'batch: a block an interval; --json: a line an interval, flushed, that add up'
run memcgtop -b -n 3 -d 0.3
status 0
must [ "$(grep -c '^20..-..-..T.*missed' $work/out)" = 3 ]
memcgtop -b -n 12 -d 0.5 --json > $work/lines 2> $work/err &
pid=$!
tries=600
until [ "$(wc -l < $work/lines)" -ge 1 ] || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
must [ $tries -gt 0 ]
must kill -0 $pid
$(known /batch 2 2000) > /dev/null
rc=0
wait $pid || rc=$?
status 0
must [ "$(wc -l < $work/lines)" = 12 ]
cp $work/lines $results/batch.ndjson

begin 'batch | head: quiet, and nothing stays attached'
(memcgtop -b -q -d 0.2 2> $work/err; echo $? > $work/rc) | head -3 > $work/out
rc=$(cat $work/rc)
status 141
must [ ! -s $work/err ]
must [ "$(wc -l < $work/out)" = 3 ]
must none_attached

begin 'a terminal that cannot be drawn on gets batch; not root: 3, one sentence, the terminal untouched'
TERM=dumb run helper tty missed memcgtop -d 0.3
printed 'CHARGE/s'; must [ "$(grep -c "$(printf '\033')\[?1049" $work/out)" = 0 ]
run helper as 65534 - memcgtop
status 3; one_line; said 'CAP_BPF'
TERM=linux run helper tty nothing helper as 65534 - memcgtop
status 3; printed CAP_BPF; must [ "$(grep -c "$(printf '\033')" $work/out)" = 0 ]

finish
tar -c -C $results . 2> /dev/null
