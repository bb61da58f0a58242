#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: one JSON document a layout, each behind a line with its name.
set -u
btf=/sys/kernel/btf/vmlinux
load="workload reserve -n 2 -c 500 --sockets 2 --pages 33 -p 0"

report() {	# NAME OPTION...
	name=$1
	shift
	# shellcheck disable=SC2086 # a command and its arguments
	memcgtop -q report --json -o "/tmp/$name" "$@" -- $load >/tmp/out 2>"/tmp/$name.err"
	echo "== $name $?"
	cat "/tmp/$name" 2>/dev/null || sed 's/.*/"&"/' "/tmp/$name.err"
}

report plain
for layout in sock moved per-counter; do
	/x/edit-btf "$layout" "$btf" >/tmp/btf || exit 1
	report "$layout" --btf /tmp/btf
done
echo "== doctor 0"
memcgtop -q doctor --json --btf /tmp/btf
exit 0
