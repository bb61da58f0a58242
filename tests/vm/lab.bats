#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The kernel lab itself: what goes in comes out, and its exit statuses. KERNELS is one old and one new kernel unless set.

setup_file() {
	export LC_ALL=C
	export lab=$BATS_TEST_DIRNAME
	read -ra kernels <<< "${KERNELS:-6.1 7.3}"
	export old=${kernels[0]} new=${kernels[-1]}
	"$lab/run" --fetch "${kernels[@]}"
}

# Output and error apart, as bats 1.8 runs them together.
lab() {
	status=0
	"$lab/run" "$@" > "$BATS_TEST_TMPDIR/out" 2> "$BATS_TEST_TMPDIR/err" || status=$?
	cat "$BATS_TEST_TMPDIR/err"
}

is_status() {
	echo "status $status, expected $1"
	[ "$status" -eq "$1" ]
}

said() {
	grep -q -- "$1" "$BATS_TEST_TMPDIR/err"
}

printed() {	# exactly this, by printf
	printf "$@" | cmp - "$BATS_TEST_TMPDIR/out"
}

@test "a guest is as tests expect it, and status 0 passes" {
	lab -k "$old" -c 3 -m 700 -a 'lab.word=1' -- sh -c '
		nproc; pwd; echo $HOME; hostname; id -u; cat /proc/self/cgroup; grep -o lab.word=1 /proc/cmdline
		cat /sys/fs/cgroup/cgroup.subtree_control; ping -c 1 127.0.0.1 > /dev/null && echo lo
		wc -c < /dev/stdin; [ -t 1 ] || echo no tty
		for fs in devpts bpf debugfs tracefs cgroup2; do grep -c " $fs " /proc/mounts; done'
	is_status 0
	printed '3\n/\n/root\nguest\n0\n0::/\nlab.word=1\ncpu memory pids\nlo\n0\nno tty\n1\n1\n1\n1\n1\n'
}

@test "a kernel by path; binary output comes out byte for byte, output and error apart" {
	cp "${MEMCGTOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/memcgtop}/kernels/$new"/vmlinuz-* "$BATS_TEST_TMPDIR/bzImage"
	{ printf '\0\377\n\r\r\n\n\r\021\023\004\003'; head -c 2000000 /dev/urandom; printf '\377\0\r'; } > "$BATS_TEST_TMPDIR/data"
	head -c 100000 /dev/urandom > "$BATS_TEST_TMPDIR/data2"
	lab -k "$BATS_TEST_TMPDIR/bzImage" -x "$BATS_TEST_TMPDIR/data" -x "$BATS_TEST_TMPDIR/data2" -- sh -c 'cat /x/data2 >&2; exec cat /x/data' > /dev/null
	is_status 0
	cmp "$BATS_TEST_TMPDIR/data" "$BATS_TEST_TMPDIR/out"
	grep -av '^vm: no memcgtop' "$BATS_TEST_TMPDIR/err" | head -c 100000 | cmp - "$BATS_TEST_TMPDIR/data2"
}

@test "a program in /x goes before one of the guest, its shared libraries come along, TERM too" {
	TERM=lab-term lab -k "$old" -x "$(command -v xz)" -- sh -c 'xz --version | grep -c liblzma; echo $TERM'
	is_status 0
	printed '1\nlab-term\n'
}

@test "arguments arrive as they are" {
	bytes=$(printf '\\%03o' {1..255})
	bytes=$(printf "${bytes/\\012/}x")
	args=(a '' ' two  words ' $'line\nline\n' "it's" '$HOME' '*' -- -k '\' '"' "$bytes" '')
	lab -k "$old" -- printf '<%s>\n' "${args[@]}"
	is_status 0
	printed '<%s>\n' "${args[@]}"
}

@test "the status of the command passes, 120 to 125 become 119" {
	lab -k "$old" -t 60 -- sh -c 'sleep 1000 & exit 1'; is_status 1	# what is left behind does not hold up the end
	lab -k "$old" -- sh -c 'exit 121'; is_status 119; said 'exited with 121'
	lab -k "$old" -- no-such-command; is_status 127; said 'not found'
	lab -k "$old" -- sh -c 'kill -9 $$'; is_status 137
}

@test "timeout is 124, what was printed before it is there" {
	lab -k "$old" -t 20 -- sh -c 'echo before; sleep 1000'
	is_status 124
	said '^vm: timeout'
	printed 'before\n'
}

@test "a panic is 123" {
	lab -k "$new" -- sh -c 'echo c > /proc/sysrq-trigger'
	is_status 123
	said 'Kernel panic'
}

@test "a warning in the log is 123, though the command succeeds and clears the log" {
	lab -k "$new" -- sh -c 'echo "WARNING: provoked" > /dev/kmsg; dmesg -c > /dev/null; echo done'
	is_status 123
	said 'WARNING: provoked'
	printed 'done\n'
}

@test "the emulator's known fault is tried again once, and only if nothing was printed" {
	export VM_RETRY_LOG=$BATS_TEST_TMPDIR/retries
	lab -k "$old" -- sh -c 'echo "Oops: int3" > /dev/kmsg'
	is_status 123
	[ "$(wc -l < "$VM_RETRY_LOG")" -eq 1 ]
	said 'trying once more'
	lab -k "$old" -- sh -c 'echo once; echo "Oops: int3" > /dev/kmsg'
	is_status 123
	printed 'once\n'
	[ "$(wc -l < "$VM_RETRY_LOG")" -eq 1 ]
}

@test "a guest that ends without a status is 125" {
	lab -k "$old" -- sh -c 'reboot -f'
	is_status 125
	said 'ended before COMMAND'
}

@test "a kernel that does not exist, and a file that is none, are 125" {
	lab -k "$BATS_TEST_TMPDIR/none" -- true; is_status 125; said 'no kernel'
	echo text > "$BATS_TEST_TMPDIR/text"
	lab -k "$BATS_TEST_TMPDIR/text" -- true; is_status 125; said 'QEMU failed'
}

@test "--icount: one CPU, and sleeping takes no time" {
	lab -k "$new" --icount -- sh -c 'nproc; sleep 300; echo slept'
	is_status 0
	printed '1\nslept\n'
}

@test "wrong use is 125" {
	lab; is_status 125
	lab -c 0 -- true; is_status 125
	lab -k; is_status 125
	lab --icount -c 2 -- true; is_status 125
	lab -x /nonexistent -- true; is_status 125
	lab true; is_status 125
}

@test "a terminated run takes its emulator and its files with it" {
	mkdir "$BATS_TEST_TMPDIR/tmp"
	TMPDIR=$BATS_TEST_TMPDIR/tmp "$lab/run" -k "$old" -- sh -c 'echo up; sleep 1000' > "$BATS_TEST_TMPDIR/out" 2> /dev/null 3>&- &
	run=$!
	for _ in {1..300}; do [ -s "$BATS_TEST_TMPDIR/out" ] && break; sleep 0.1; done
	work=$(echo "$BATS_TEST_TMPDIR"/tmp/*)
	pgrep -f "$work" > /dev/null
	kill "$run"
	code=0; wait "$run" || code=$?
	[ "$code" -eq 143 ]
	if pgrep -af "$work"; then false; fi
	[ -z "$(ls "$BATS_TEST_TMPDIR/tmp")" ]
}

@test "the scan knows a splat from a harmless line, and the emulator's fault from others" {
	work=$BATS_TEST_TMPDIR lab=$BATS_TEST_DIRNAME
	. "$lab/verdict.sh"
	for line in 'BUG: unable to handle page fault' 'WARNING: CPU: 0 PID: 1 at mm/x.c:1' 'Oops: int3: 0000 [#1]' \
		'WARNING: possible circular locking dependency detected' 'rcu: INFO: rcu_preempt self-detected stall on CPU' \
		'INFO: task x:1 blocked for more than 120 seconds.' 'UBSAN: shift-out-of-bounds in' 'general protection fault, maybe'; do
		echo "[ 1.0] $line" > "$work/log"
		splats > /dev/null || { echo "missed: $line"; false; }
	done
	for line in 'Kernel command line: oops=panic panic=-1' 'rcu: Hierarchical RCU implementation.' 'RCU CPU stall warnings timeout set to 120' 'clocksource: tsc: mask'; do
		echo "[ 1.0] $line" > "$work/log"
		! splats || { echo "harmless: $line"; false; }
	done
}
