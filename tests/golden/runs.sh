#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes tests/golden/runs-KERNEL anew: the same load again and again, a recording each, for tests of what is noise and of
# what two designs differ in.
#
#	tests/golden/runs.sh [KERNEL N]	default: 7.3 16 times, 6.12 8 times
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
(($#)) || set -- 7.3 16 6.12 8
for ((; $#; )); do
	kernel=$1 runs=$2
	shift 2
	# shellcheck disable=SC2016 # for the guest
	"$here/../vm/run" -k "$kernel" -t 600 -- sh -c 'mkdir /tmp/runs; for i in $(seq -w '"$runs"'); do
			memcgtop record -q -i 1h -o /tmp/runs/$i -- workload rr --parent /demo -n 9 -p 1 --pages 1 --yield -c 600 > /dev/null
		done; tar -c -C /tmp/runs .' > "$here/runs-$kernel.tar"
	rm -rf "$here/runs-$kernel"
	mkdir "$here/runs-$kernel"
	tar -xf "$here/runs-$kernel.tar" -C "$here/runs-$kernel"
	rm "$here/runs-$kernel.tar"
done
