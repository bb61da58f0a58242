# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086,SC2012 # words are meant, and no path here has a blank
# Boot with cgroup_disable=memory.

# shellcheck source=lib.sh
. /x/lib.sh

begin 'memory cgroups are switched off at boot: 3, and says by what'
run memcgtop report -d 0.2
status 3; one_line; said cgroup_disable=memory; said 'boot'
run memcgtop doctor
status 3; printed 'fail cgroups'; printed cgroup_disable=memory; silent 'can be attached'
run memcgtop doctor --json
status 3; keep doctor-disabled.json

begin 'a window that was stored elsewhere can be read here'
run memcgtop report -r /x/window.json --ignore-failure
status 0; printed 'CHARGE SIDE'

finish
tar -c -C $results . 2> /dev/null
