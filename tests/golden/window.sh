#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes tests/golden/window.json anew, for when what a sample stores has changed: nine cgroups on seven slots, names that
# are no UTF-8 or have a blank, a command that fails.
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck disable=SC2016 # for the guest
"$here/../vm/run" -k 7.3 -- sh -c 'memcgtop report -q --verify --save /tmp/w -o /dev/null -- sh -c "
	workload rr --parent /demo -n 9 -c 300 -p 1 --pages 1 --yield > /dev/null
	workload reserve --parent \"/demo.slice/a\\b \$(printf \"\\377\")\" -n 3 --name \"x y\" -c 10 > /dev/null
	exit 3" || [ $? = 4 ]; cat /tmp/w' > "$here/window.json.new"
mv "$here/window.json.new" "$here/window.json"
