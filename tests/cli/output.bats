#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Where results go: files that appear whole or not at all, readers that go away, disks that are full.

load helper

in_full() {	# the arguments, with /dev/full as standard output
	status=0
	"$M" "$@" > /dev/full 2> err || status=$?
	: > out
}

until_written() {	# PID: until there is something in the temporary file beside result
	local files
	until files=(result.*) && [ -s "${files[0]}" ]; do
		kill -0 "$1"
	done
}

@test "> /dev/full: 4 and a sentence, whatever is printed" {
	for args in '--help' '--version' 'report -s help' doctor 'doctor --json'; do
		# shellcheck disable=SC2086 # several words
		in_full $args
		is_status 4
		one_line
		said 'standard output: No space left on device'
	done
	for args in '' --json '--rows all'; do
		# shellcheck disable=SC2086 # several words
		in_full report -r "$WINDOW" -q --ignore-failure $args
		is_status 4
		one_line
		said 'the result was not written to standard output: No space left on device'
	done
}

@test "standard output is closed: 4 and a sentence" {
	status=0
	"$M" report -r "$WINDOW" -q --ignore-failure 2> err >&- || status=$?
	: > out
	is_status 4
	one_line
	said 'not written to standard output: Bad file descriptor'
}

@test "a reader that goes away: quiet, and dies of SIGPIPE" {
	(sleep 0.3; env --default-signal=PIPE "$M" report -r "$WINDOW" --ignore-failure 2> err || echo $? > rc) | true
	[ "$(cat rc)" = 141 ]
	[ ! -s err ]
	env --default-signal=PIPE "$M" report -r "$WINDOW" --ignore-failure 2> err | head -1 > out
	[ "$(wc -l < out)" -eq 1 ]
	grep -q '^memcgtop .* report: ' out
	[ ! -s err ]
}

@test "where SIGPIPE is ignored a reader that goes away is a failed write" {
	(sleep 0.3; env --ignore-signal=PIPE "$M" report -r "$WINDOW" --ignore-failure 2> err || echo $? > rc) | true
	[ "$(cat rc)" = 4 ]
	grep -q 'not written to standard output: Broken pipe' err
}

@test "-o writes what would have been printed, and replaces a file" {
	stored
	cp out printed
	echo old > result
	stored -o result
	[ ! -s out ]
	cmp result printed
	[ "$(ls)" = "$(printf 'err\nout\nprinted\nresult')" ]
}

@test "-o gives the file the permissions that any new file has" {
	umask 027
	stored -o result
	[ "$(stat -c %a result)" = 640 ]
}

@test "-o keeps the permissions of the file that it replaces, and its owner where it may" {
	umask 022
	for mode in 600 664 640 444; do
		echo old > result
		chmod $mode result
		stored -o result
		[ "$(stat -c %a result)" = $mode ]
		rm -f result
	done
	[ "$(id -u)" -eq 0 ] || skip 'only root may give a file away'
	echo old > result
	chown 12345:54321 result
	chmod 640 result
	stored -o result
	[ "$(stat -c %u:%g:%a result)" = 12345:54321:640 ]
}

@test "-o: a signal while the result is written leaves the old file, and nothing else" {
	python3 - "$WINDOW" <<-'END'
		import json, sys
		window = json.load(open(sys.argv[1]))
		rows = window["end"]["rows"]
		for i in range(4000):
		    rows.append({**rows[1], "id": 1000000 + i})
		json.dump(window, open("large", "w"))
	END
	echo old > result
	for signal in HUP INT TERM; do
		env --default-signal=$signal "$M" report -r large --json -o result 2> err &
		pid=$!
		until_written $pid
		kill -s $signal $pid
		status=0
		wait $pid || status=$?
		is_status $((128 + $(kill -l $signal)))
		[ "$(echo *)" = 'err large result' ]
		[ "$(cat result)" = old ]
	done
	# who has it ignored is not bothered
	env --ignore-signal=TERM "$M" report -r large --ignore-failure --json -o result 2> err &
	pid=$!
	until_written $pid
	kill $pid
	wait $pid
	[ "$(head -c 1 result)" = '{' ]
}

@test "-o: a limit to the size of files is a failed write" {
	echo old > result
	status=0
	(ulimit -f 8; "$M" report -r "$WINDOW" -q --ignore-failure --json -o result 2> err) || status=$?
	: > out
	is_status 4
	one_line
	said 'the result was not written to result: File too large'
	[ "$(echo *)" = 'err out result' ]
	[ "$(cat result)" = old ]
}

@test "-o of a symbolic link writes to what it points to; /dev/stdout is one" {
	echo old > target
	ln -s target link
	stored -o link
	[ -L link ]
	grep -q '^CHARGE SIDE' target
	stored -o /dev/stdout
	grep -q '^CHARGE SIDE' out
	[ -L /dev/stdout ]
}

@test "-o of a device and of a pipe writes into it" {
	stored -o /dev/null
	[ -c /dev/null ]
	mkfifo pipe
	cat pipe > got &
	stored -o pipe
	wait $!
	grep -q '^CHARGE SIDE' got
	[ -p pipe ]
}

@test "-o and --save that cannot be written: 2, before anything is measured" {
	for option in -o --save; do
		wrong 'cannot write /nonexistent/x: No such file or directory; give the path of a file' report $option /nonexistent/x -- true
		wrong 'cannot write .: Is a directory' report $option . -- true
		wrong 'cannot write' report $option '' -- true
	done
	wrong 'cannot write' report -r "$WINDOW" -o /nonexistent/x
	[ "$(ls)" = "$(printf 'err\nout')" ]
}

@test "a disk that is full: 4, the old file stays, nothing else is left" {
	mkdir disk
	mount -t tmpfs -o size=16k none disk 2> /dev/null || skip 'no tmpfs can be mounted here'
	echo old > disk/result
	cat /dev/zero > disk/filler 2> /dev/null || true
	mc report -r "$WINDOW" -q --ignore-failure --json -o disk/result
	after=$(cat disk/result; ls -A disk)
	umount disk
	is_status 4
	one_line
	said 'the result was not written to disk/result: No space left on device'
	[ "$after" = "$(printf 'old\nfiller\nresult')" ]
}

@test "/dev/full by -o: 4" {
	mc report -r "$WINDOW" -q --ignore-failure -o /dev/full
	is_status 4
	said 'No space left on device'
}
