# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086,SC2046 # words are meant
# A gate while something runs: 7 cgroups fit into the slots of 7.3 and 9 do not; one slot does not hold 2.
# Each status comes from what happens there. Counts alone (--no-time): the emulator's times say nothing.

# shellcheck source=../cli/lib.sh
. /x/lib.sh

rr() {	# N MESSAGES: that many cgroups take turns on one CPU, after each message
	echo "workload rr -n $1 -p 1 --pages 1 --yield -c $2"
}

# Of up to 30 % missed, as much as the emulator loses; the bounds tell what it means.
gate='gate --no-time --max-missed 30%'
few=7 many=9 limit='miss_ratio > 5%'
case $(uname -r) in
6.12*) few=1 many=2 limit='miss_ratio > 20%' ;;
esac

begin "0: $few cgroups fit, the gate passes"
run memcgtop $gate --fail-if "$limit" -- $(rr $few 300)
status 0; printed "passed $limit"; printed 'gate: passed, 1 condition'; said 'workload runs'

begin "1: $many cgroups thrash, the same gate fails; metrics, JUnit and annotations"
run memcgtop $gate --fail-if "$limit" --fail-if 'max(cgroup:/workload*/c*, evictions) > 10' --fail-if 'metric:messages < 10' \
	--metric 'messages="messages":([0-9]+)' --junit $work/junit --annotate -- $(rr $many 300)
status 1; printed "failed $limit"; printed 'gate: failed, 2 of 3 conditions'; printed 'passed metric:messages < 10'
printed '::error title=memcgtop gate failed::'
must grep -q '<failure ' $work/junit
# what CMD prints is passed on
said '"mode":"rr"'

begin '1: all of 3 runs, and the JSON of it'
run memcgtop $gate -q --json --fail-if "$limit" --runs 3 -- $(rr $many 100)
status 1; printed '"runs": 3'; printed '"over": 3'
keep runs.json

begin 'a recording with a metric, judged later'
run memcgtop record -q -o $work/rec --no-time --metric 'messages="messages":([0-9]+)' -- $(rr $many 100)
# 4: the emulator lost too much for a report
[ "$rc" = 4 ] || status 0
run memcgtop replay $work/rec gate --max-missed 30% --fail-if 'metric:messages < 10' --fail-if "$limit"
status 1; printed 'passed metric:messages < 10'; printed "failed $limit"

begin '4: CMD that fails, whatever was measured'
run memcgtop $gate --fail-if 'charges < 1' --min-events 0 -- sh -c 'exit 3'
status 4; printed 'sh failed (exit 3)'; printed 'gate: cannot tell, 1 of 1 condition'

begin '4: too few events'
run memcgtop $gate --fail-if "$limit" --min-events 100000 -- true
status 4; printed 'too few events'

begin '4: more missed than is allowed'
run memcgtop gate --no-time --fail-if "$limit" --max-missed 0 --min-events 0 -- $(rr $few 300)
[ "$rc" != 0 ] || skip 'nothing was missed'
[ "$skipped" ] || { status 4; printed '--max-missed is 0 %'; }

begin '4: SIGINT and SIGTERM, and CMD ends within the warm-up'
for signal in 2 15; do
	run helper when measuring $signal memcgtop $gate --fail-if "$limit" -- sleep 50
	status 4; printed 'cut short by a signal'
done
run memcgtop $gate --fail-if "$limit" --warmup 30 -- true
status 4; said 'true ended within the --warmup of 30 s (exit 0)'

begin '--warmup: what comes before is not counted'
run memcgtop $gate --min-events 0 --fail-if 'charges > 200' --warmup 3 -d 1 -- sh -c "$(rr $few 100) > /dev/null; exec sleep 10"
status 0; said 'warming up for 3 s'; printed 'passed charges > 200'

begin '-d with a metric ends the window: CMD goes on, and nothing stays attached'
run memcgtop $gate --min-events 0 -d 1 --fail-if 'metric:x < 1' --metric 'x=(never)' -- sleep 99
status 4; printed "the metric 'x' was not found"; said "the metric 'x' was not found in what sleep printed"
must none_attached
must kill "$(ps -o pid,args | awk '$2 == "sleep" && $3 == 99 { print $1 }')"

begin '2: CMD that is not there, before anything is attached'
run memcgtop $gate --fail-if "$limit" -- no-such-command
status 2; one_line; said "cannot run 'no-such-command'"

begin '3: not root'
run helper as 65534 - memcgtop $gate --fail-if "$limit" -d 1
status 3; one_line

begin '| a reader that goes: the verdict stays, nothing stays attached'
(memcgtop $gate -q --fail-if "$limit" -- $(rr $many 100) 2> $work/err; echo $? > $work/rc) | true
rc=$(cat $work/rc)
status 1
must none_attached

finish
tar -c -C $results . 2> /dev/null
