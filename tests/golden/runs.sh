#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes tests/golden/runs-KERNEL anew: the same load sixteen times, a recording each, for tests of what is noise.
#
#	tests/golden/runs.sh [KERNEL]...	default: 7.3
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
(($#)) || set -- 7.3
for kernel; do
	# shellcheck disable=SC2016 # for the guest
	"$here/../vm/run" -k "$kernel" -t 600 -- sh -c 'mkdir /tmp/runs; for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
			memcgtop record -q -i 1h -o /tmp/runs/$i -- workload rr --parent /demo -n 9 -p 1 --pages 1 --yield -c 600 > /dev/null
		done; tar -c -C /tmp/runs .' > "$here/runs-$kernel.tar"
	rm -rf "$here/runs-$kernel"
	mkdir "$here/runs-$kernel"
	tar -xf "$here/runs-$kernel.tar" -C "$here/runs-$kernel"
	rm "$here/runs-$kernel.tar"
done
