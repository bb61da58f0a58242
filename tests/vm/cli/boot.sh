# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086,SC2012 # words are meant, and no path here has a blank
# Boot options that leave less to measure, then cgroup v1. Boot with cgroup.memory=nosocket,nokmem.

# shellcheck source=lib.sh
. /x/lib.sh

begin 'cgroup.memory=nosocket,nokmem: both are said'
run memcgtop report -- workload anon --parent /boot -n 1 -c 3 --pages 50
status 0; printed 'cgroup.memory=nosocket'; printed 'cgroup.memory=nokmem'
run memcgtop report --json -- workload anon --parent /boot -n 1 -c 3 --pages 50
status 0; keep boot.json
run memcgtop doctor
status 0; printed 'warn sockets'; printed 'warn kmem'; printed 'cgroup.memory=nosocket'
run memcgtop doctor --json
status 0; keep doctor-boot.json

begin 'no cgroup file system is mounted: says so, and how to'
run unshare -m sh -c 'umount -l /sys/fs/cgroup; exec memcgtop report -d 0.2'
status 3; one_line; said 'no cgroup file system is mounted'; said 'mount -t cgroup2'
run unshare -m sh -c 'umount -l /sys/fs/cgroup; exec memcgtop doctor'
status 3; printed 'mount -t cgroup2'

begin 'memory on cgroup v1: said, and sockets are null for it'
echo -memory > /sys/fs/cgroup/cgroup.subtree_control
mkdir -p /tmp/v1
# the controller moves when the last of its cgroups is gone
tries=50
until mount -t cgroup -o memory none /tmp/v1 2> /dev/null; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || break
	sleep 0.1
done
if [ -e /tmp/v1/memory.stat ]; then
	mkdir /tmp/v1/old
	run memcgtop report -- sh -c 'echo $$ > /tmp/v1/old/cgroup.procs; head -c 3000000 /dev/zero | tail -c 2000000 > /dev/null'
	status 0; printed 'cgroup v1'; printed '/old'
	run memcgtop report --json -- sh -c 'echo $$ > /tmp/v1/old/cgroup.procs; head -c 3000000 /dev/zero | tail -c 2000000 > /dev/null'
	status 0; keep v1.json
	run memcgtop doctor
	status 0; printed 'cgroup v1'; printed 'warn controller'
	run memcgtop report -d 0.2 --cgroup-root /sys/fs/cgroup
	status 2; one_line; said 'cgroup v1 hierarchy (/tmp/v1)'

	begin 'memory on a cgroup v1 hierarchy that is not mounted here: says so'
	run unshare -m sh -c 'umount /tmp/v1; exec memcgtop report -d 0.2'
	status 0; said 'not mounted here'; said '--cgroup-root'; printed 'cgroup v1'
	run unshare -m sh -c 'umount /tmp/v1; exec memcgtop doctor'
	status 0; printed 'not mounted here'; printed 'warn controller'
else
	skip 'this kernel has no memory controller of cgroup v1'
fi


finish
tar -c -C $results . 2> /dev/null
