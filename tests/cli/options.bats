#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Help, versions, and every way to get the command line wrong: exit status 2, one line that names the thing and a remedy.

load helper

@test "--help of the program and of each verb suffices to use it" {
	for args in --help -h 'top -h' 'report --help' 'report -h' 'record --help' 'replay --help' 'gate --help' 'gate -h' 'replay x -h' 'doctor --help' \
		'doctor -h' 'completion --help'; do
		# shellcheck disable=SC2086
		mc $args
		is_status 0
		[ ! -s err ]
		grep -q '^usage: memcgtop' out
		grep -q '^Exit status:' out
		[ "$(wc -L < out)" -le 80 ]
	done
	mc --help
	for verb in top report gate record replay compare doctor completion; do
		grep -q "memcgtop .*$verb" out
		grep -q "^  $verb " out
	done
	mc top --help
	for option in -d -i -n -b --json -s -f -r -t --full-names --columns --rows -w -o --cpus --no-time --sample --lock --drains \
		--rstat --no-stat --verify --max-cgroups --btf --cgroup-root --hold-budget -C --ascii -v -q -h -V; do
		grep -q -- "^ .*$option\b" out || { echo "no $option"; false; }
	done
	mc record --help
	for option in -o -d -i --ignore-failure --no-time --sample --lock --drains --rstat --no-stat --verify --max-cgroups \
		--btf --cgroup-root -v -q -h -V; do
		grep -q -- "^ .*$option\b" out || { echo "no $option"; false; }
	done
	mc report --help
	for option in -d -o -s -w -f -r -C -v -q -h -V --format --json --rows --save --no-stat --verify --max-cgroups \
		--ignore-failure --cgroup-root --btf --ascii --no-time --sample --lock --drains --rstat --hold-budget --cpus --html -i --record --from --to; do
		grep -q -- "^ .*$option\b" out || { echo "no $option"; false; }
	done
	mc gate --help
	for option in --fail-if --max-miss-rate --config --baseline --min-events --max-missed --runs --warmup -d -r --format --json --tap \
		--junit --annotate -o --ascii --metric --ignore-failure --from --to --no-time --sample -v -q -h -V; do
		grep -q -- "^ .*$option\b" out || { echo "no $option"; false; }
	done
	grep -q '1 a limit was crossed' out
	mc doctor --help
	grep -q -- --json out
	not grep -q -- --duration out
}

@test "help goes before what is wrong behind it, and after what is wrong before it" {
	mc report --help --bogus
	is_status 0
	wrong 'no option --bogus' report --bogus --help
}

@test "--version of the program and of each verb" {
	for args in --version -V 'report -V' 'doctor --version' 'top -V' 'record -V' 'replay x -V' 'replay -V' 'completion -V'; do
		# shellcheck disable=SC2086
		mc $args
		is_status 0
		grep -qx 'memcgtop [0-9.]*' out
	done
}

@test "-s help lists keys that -s takes" {
	mc report -s help
	is_status 0
	[ "$(wc -l < out)" -gt 20 ]
	cp out report
	mc top -s help
	cmp report out
	mc top --columns help
	is_status 0
	grep -v '^why ' out | cmp - report
	grep -q '^why ' out
	cp report out
	awk '{ print $1 }' out > keys
	grep -qx misses keys
	grep -qx miss_ratio keys
	while read -r key; do
		stored -s "$key"
	done < keys
}

@test "durations that are none" {
	for d in 0 0s 0.0 -1 abc 1e30 '' 5x nan inf2 .5 1. +5 ' 5' 0x10 5S 1.5.5 99999999999999999999 8785h 0.0000000001; do
		wrong "not '$d'" report -d "$d"
		said 'such as 10, 1.5s, 250ms, 2m, 1h or inf'
	done
	wrong '-d needs an argument, DURATION' report -d
	wrong '--duration needs an argument, DURATION' report --dur
}

@test "durations that are" {
	# a CMD that is not there is looked for behind the options, and before anything is attached
	for d in 1 0.001 1.5s 250ms 2m 1h 8784h inf 000000001; do
		wrong "cannot run 'no-such-command'" report -d "$d" -- no-such-command
	done
}

@test "unknown options are named themselves, not their neighbours" {
	wrong 'no option --bogus; see memcgtop report --help' report --bogus=3
	wrong 'no option -Z; see memcgtop report --help' report -qZ
	wrong 'no option -Z; see memcgtop report --help' report --json -Zq
	wrong 'no option -Z; see memcgtop --help' -Z
	wrong '--quiet takes no argument' report --quiet=3
	wrong '--no is the beginning of several options' report --no
	wrong '--max-cgroups needs an argument, N' report --max-cgroups
	wrong 'doctor has no option -d: it is one of top, report, gate and record; see memcgtop doctor --help' doctor -d 5
	wrong 'top has no option --save: it is one of report;' top --save x
	wrong 'record has no option --json: it is one of top, report, gate, compare and doctor;' record --json
	wrong 'doctor has no option --format: it is one of report' doctor --format json
}

@test "an option without its verb: top has it, or the verb is missing" {
	wrong '--save belongs to a verb, which is missing: memcgtop report --save' --save x
	wrong '--format belongs to a verb, which is missing: memcgtop report --format' --format=json
	wrong '--columns needs an argument, KEYS; see memcgtop --help' --columns
	wrong 'the verb goes first, its options behind it: memcgtop report' -d 5 report
	mc -s help
	is_status 0
}

@test "verbs: an unknown one, two" {
	wrong "no verb 'stop': top, report, gate, record, replay, compare, doctor or completion; see memcgtop --help" stop
	wrong "no verb '': top, report" ''
	wrong "both 'report' and 'doctor'" report doctor
	wrong "both 'doctor' and 'report'" doctor report
	wrong "both 'top' and 'record'" top record
	wrong "doctor takes no argument '5'" doctor 5
	wrong 'memcgtop report -- ls' top -- ls
}

@test "memcgtop 1 10, as one types vmstat: what to type instead" {
	wrong 'for 10 intervals of 1 s: memcgtop -b -d 1 -n 10' 1 10
	said "'1' is no verb"
	wrong 'for 4 intervals of 0.5 s: memcgtop -b -d 0.5 -n 4' 0.5 4
	wrong 'for intervals of 5 s: memcgtop -d 5' 5
	wrong 'memcgtop -d 5' 5 x
	wrong 'a duration goes behind -d: memcgtop report -d 1' report 1 10
	wrong 'a duration goes behind -d: memcgtop top -d 1' top 1 10
	wrong 'a duration goes behind -d: memcgtop -d 1' -b 1 10
}

@test "top: an interval has an end, columns are measures, -o is of batch" {
	wrong "-d takes a duration above 0 and up to a year, such as 10, 1.5s, 250ms, 2m or 1h, not 'inf'" -d inf
	wrong "-i takes a duration" top -i inf
	wrong '--iterations takes a whole number from 1' -n 0
	wrong '--iterations takes a whole number from 1' -b -n -1
	wrong '-d 0.000001 is too short an interval: the least is 10ms' -b -d 0.000001
	wrong '-d 9ms is too short an interval: the least is 10ms' top -d 9ms
	wrong '-i 0.000001 is too short an interval: the least is 10ms' record -o x -i 0.000001
	wrong '-i 9ms is too short an interval: the least is 10ms' report -i 9ms
	wrong "is 'misses' meant? --columns help lists them" --columns charges,mises
	wrong "cgroups have no 'memcgs', so it is no column" --columns memcgs
	wrong 'it goes with -b or --json' -o x
	wrong '--columns is of the screen and of -b: it goes with no --json' --json --columns why
	wrong '--tree is of the screen: it goes with no -b and no --json' -b --tree
	[ ! -e x ]
	wrong '--from is a part of a recording' --from 5
}

@test "record: a file to write; a command" {
	wrong 'record needs a file to write: memcgtop record -o FILE' record
	wrong 'memcgtop record -o FILE -- sleep 5' record -o x --
	wrong 'memcgtop record -o FILE -- true' record -o x true
	wrong 'record has no option -r' record -r x
	wrong 'the recording and the result are both' report --record x -o x
}

@test "replay: a recording, and top, report or gate" {
	wrong 'replay needs a recording: memcgtop replay FILE' replay
	wrong 'replay has no option -b' replay -b x
	wrong 'doctor shows nothing of a recording: replay is of top, report or gate' replay x doctor
	wrong 'record shows nothing of a recording' replay x record
	wrong 'it goes with no -r' replay x report -r y
	wrong 'replay reads a window' replay x report -- true
	wrong '--no-time says how to measure one' replay x --no-time
	# the same as report -r
	mc replay "$WINDOW" report --ignore-failure -q
	is_status 0
	cp out replayed
	stored
	diff out replayed
}

@test "a part of a recording" {
	wrong '--from is a part of a recording: it goes with -r FILE' report --from 5
	wrong '--to is a part of a recording' report --to 14:02
	wrong '--to is not behind --from' report -r x --from 90 --to 1m30s
	for time in '' x 1m30 25:00 14:60 -5 inf; do
		wrong "not '$time'" report -r x --from "$time"
		said 'such as 90 or 1m30s, or one by the clock, such as 14:02:31'
	done
}

@test "keys: a suggestion for one that is unknown, a reason for one that cgroups lack" {
	wrong "is 'misses' meant?" report -s mises
	wrong "is 'evictions' meant?" report -s evictoins
	wrong 'cgroups have no' report -s memcgs
	said '-s help'
	wrong '-s needs an argument, KEY' report -s
}

@test "numbers and formats" {
	wrong "no format of report is called 'xml': text, json, html or lkp" report --format xml
	wrong "from 50 to 10000, not '5'" report -w 5
	wrong "from 50 to 10000, not '99999999999999999999'" report -w 99999999999999999999
	wrong "from 50 to 10000, not '80x'" report -w 80x
	wrong "--rows takes a whole number from 1" report --rows 0
	wrong "not '-1'" report --rows -1
	wrong "--max-cgroups takes a whole number from 1" report --max-cgroups 0
}

@test "what does not go together" {
	wrong 'it goes with no CMD, no -d and no --save' report -r "$WINDOW" -d 1
	wrong 'it goes with no CMD, no -d and no --save' report -r "$WINDOW" -- true
	wrong 'it goes with no CMD, no -d and no --save' report -r "$WINDOW" --save x
	wrong 'nothing to store or read' report --empty-probes --save x
	wrong 'give -o another file' report -o x --save x
	cp "$WINDOW" x
	wrong 'give -o another file' report -o x -r x
	cmp "$WINDOW" x
}

@test "a command: none, not there, not executable, a directory, without --" {
	wrong 'no command is given behind --' report --
	wrong 'no command is given behind --' report -d 1 --
	wrong "cannot run 'no-such-command': No such file or directory" report -- no-such-command
	wrong "cannot run '': No such file" report -- ''
	mkdir dir
	wrong "cannot run './dir': Is a directory" report -- ./dir
	echo 'exit 0' > script
	wrong "cannot run './script': Permission denied; is it executable (chmod +x)?" report -- ./script
	wrong 'a command to run goes behind --, as in: memcgtop report -- true' report true
	# "--" as the argument of an option ends nothing
	wrong "'true' is not an option" report -f -- true
}

@test "a command is found along PATH as execvp finds it: past directories and what cannot be executed" {
	mkdir -p a/tool b c
	echo > b/tool
	cp /bin/true c/tool
	# what comes next fails here for another reason, or measures
	PATH=$PWD/a:$PWD/b:$PWD/c:$PATH mc report -d 0.1 -- tool
	not said 'cannot run'
	PATH=$PWD/a:$PWD/b:$PATH wrong "cannot run 'tool': Permission denied" report -- tool
}

@test "an argument of many bytes or with a newline: still one line, the remedy still there" {
	wrong 'such as 10' report -d "$(printf '%05000d' 0 | tr 0 x)"
	[ "$(wc -c < err)" -lt 800 ]
	wrong "not 'a?b'" report -d $'a\nb'
	wrong "no verb '?[31m'" $'\e[31m'
}

@test "--quiet and --verbose may stand before the verb" {
	mc -q report -V
	is_status 0
	mc -v doctor --version
	is_status 0
}
