#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes tests/golden/recording-KERNEL anew, for when what a recording stores has changed: a hierarchy, nine cgroups on
# seven slots, cgroups that come and go, one at its limit, names that are no UTF-8 or have a blank, a command that fails.
#
#	tests/golden/recording.sh [KERNEL]...	default: 6.1 and 7.3
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
(($#)) || set -- 6.1 7.3
for kernel; do
	# shellcheck disable=SC2016 # for the guest
	"$here/../vm/run" -k "$kernel" -- sh -c 'memcgtop record -q --verify -i 0.5 -o /tmp/r -- sh -c "
		workload reserve --parent /shop.slice/web -n 3 -t 1.2 --depth 2 > /dev/null &
		workload rr --parent /demo -n 9 -t 2.5 -p 1 --pages 1 --yield > /dev/null
		workload reserve --parent \"/demo.slice/a\\b \$(printf \"\\377\")\" -n 3 --name \"x y\" -c 10 > /dev/null
		workload limit --refuse --parent /tight --max 256 -c 20 > /dev/null
		wait
		exit 3" || [ $? = 4 ]; cat /tmp/r' > "$here/recording-$kernel.new"
	mv "$here/recording-$kernel.new" "$here/recording-$kernel"
done
