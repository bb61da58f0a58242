# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # variables of run
# From what a guest left behind to an exit status. Sourced by run.
#
#	$work/console	the kernel's console
#	$work/report	the lines of init
#	$work/log	both, as text: what is looked through for splats

write_log() {
	{
		tr -d '\r\0' < "$work/console"
		echo '--- end of the console, dmesg follows ---'
		sed -n 's/^dmesg //p' "$work/report"
	} > "$work/log"
}

splats() {	# prints the first splat with what surrounds it, fails if there is none
	local line
	line=$(grep -nE -f <(patterns splats) "$work/log" | grep -vE -f <(patterns splats.allow) | head -n 1 | cut -d : -f 1)
	[[ $line ]] || return
	sed -n "$((line > 5 ? line - 5 : 1)),$((line + 40))p" "$work/log"
}

patterns() {	# FILE: without comments and empty lines, either of which would match everything
	grep -Ev '^(#|$)' "$lab/$1"
}

emulator_fault() {
	grep -q 'Oops: int3' "$work/log"
}

show() {	# stdin to stderr, marked
	sed 's/^/vm: | /' >&2
}

# Prints the exit status of the lab. $1 is that of QEMU under timeout(1).
verdict() {
	local qemu=$1 status splat
	status=$(sed -n 's/^status \([0-9]*\)$/\1/p' "$work/report" | tail -n 1)
	if splat=$(splats); then
		say "splat in the log of the guest's kernel:"
		show <<< "$splat"
		echo 123
	elif [[ $qemu == 124 || $qemu == 137 ]]; then
		say "timeout: the guest ran for $limit s (-t); the last lines of its console:"
		tail -n 10 "$work/log" | show
		echo 124
	elif [[ $qemu != 0 ]]; then
		say "QEMU failed with status $qemu:"
		tail -n 10 "$work/qemu" | show
		echo 125
	elif ! grep -qx started "$work/report"; then
		say "the guest did not come as far as running COMMAND; the last lines of its console:"
		tail -n 30 "$work/log" | show
		echo 125
	elif [[ -z $status ]]; then
		say "the guest ended before COMMAND did; the last lines of its console:"
		tail -n 30 "$work/log" | show
		echo 125
	elif ! tail -n 1 "$work/report" | grep -qx end || ! grep -q '^dmesg Linux version ' "$work/report"; then
		say "the guest's kernel log is not complete, so it cannot be called clean"
		echo 123
	elif ((status >= 120 && status <= 125)); then
		say "COMMAND exited with $status, shown as 119: 120 to 125 are the lab's"
		echo 119
	else
		echo "$status"
	fi
}
