# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC2086,SC2012 # words are meant, and no path here has a blank
# A guest with nothing amiss, where things are taken away one after the other. Boot with lsm=lockdown.
# The errors that users take for one another come first: each has words that the others lack.

# shellcheck source=lib.sh
. /x/lib.sh

short='report -d 0.2'
# a word that each of the messages of privilege, policy, BTF and lockdown has for itself
alone() {	# WORD...: said, and none of the others
	for w in 'run as root' 'CAP_PERFMON is missing' 'although the privileges are there' 'locked down' \
		"kernel's BTF" 'please report it'; do
		case " $* " in
		*"$w"*) said "$w" ;;
		*) silent "$w" ;;
		esac
	done
}

begin 'not root: says which capabilities, and both ways to get them'
run helper as 65534 - memcgtop $short
status 3; one_line; said 'CAP_BPF and CAP_PERFMON are missing'; said 'setcap'; alone 'run as root'

begin 'only CAP_BPF: says that the other one is missing'
run helper as 65534 bpf memcgtop $short
status 3; one_line; said 'CAP_BPF is there'; alone 'CAP_PERFMON is missing' 'run as root'

begin 'only CAP_PERFMON: says that CAP_BPF is missing'
run helper as 65534 perfmon memcgtop $short
status 3; one_line; said 'CAP_BPF is missing'; alone 'run as root'

begin 'root of a container without the capabilities: not "run as root"'
run helper as 0 - memcgtop $short
status 3; one_line; said 'root, but'; said '--cap-add BPF'; silent 'run as root'

begin 'bpf() refused to root by seccomp: says that it is a policy'
run helper nobpf memcgtop $short
status 3; one_line; alone 'although the privileges are there'

begin 'no /sys/kernel/btf/vmlinux: says so, and which option of the kernel'
cp /sys/kernel/btf/vmlinux $work/btf
mkdir -p $work/empty
run unshare -m sh -c "mount --bind $work/empty /sys/kernel/btf && exec memcgtop $short"
status 3; one_line; said /sys/kernel/btf/vmlinux; said CONFIG_DEBUG_INFO_BTF; alone "kernel's BTF"

begin 'no /sys at all: the same'
run unshare -m sh -c "umount -l /sys; exec memcgtop $short"
status 3; one_line; said '/sys is not mounted'; alone "kernel's BTF"

begin '--btf FILE in place of it works, or one sentence says why it cannot'
run unshare -m sh -c "mount --bind $work/empty /sys/kernel/btf && exec memcgtop $short --btf $work/btf"
if [ "$rc" != 0 ]; then
	status 3; one_line; said "$work/btf alone does not do"; said /sys/kernel/btf/vmlinux; said 'mount /sys'; alone
	# and the remedy that it gives is one
	mkdir -p /boot
	cp $work/btf "/boot/vmlinux-$(uname -r)"
	run unshare -m sh -c "mount --bind $work/empty /sys/kernel/btf && exec memcgtop $short --btf $work/btf"
	status 0; printed 'hooks; misses seen by'
	rm "/boot/vmlinux-$(uname -r)"
fi

begin '--btf FILE beside it works'
run memcgtop $short --btf $work/btf
status 0; printed 'hooks; misses seen by'

begin '--btf of a missing file, and of one that is none'
run memcgtop $short --btf /nonexistent
status 3; one_line; said 'cannot read BTF from /nonexistent'
run memcgtop $short --btf /etc/passwd
status 3; one_line; said 'cannot read BTF from /etc/passwd'; said vmlinux

begin 'RLIMIT_MEMLOCK of 64 KiB, root'
run sh -c "ulimit -l 64; exec memcgtop $short"
status 0; printed 'hooks; misses seen by'

begin 'RLIMIT_MEMLOCK of 64 KiB that cannot be raised, not root'
# libbpf before 1.2 wants CAP_SYS_ADMIN beside the two, and the message says so
caps=bpf,perfmon
run helper as 65534 $caps memcgtop $short
if [ "$rc" != 0 ]; then
	status 3; one_line; said 'CAP_BPF and CAP_PERFMON are there, but libbpf'; said CAP_SYS_ADMIN; alone 'run as root'
	caps=sys_admin
fi
measure_as() {
	sh -c "ulimit -l 64; exec helper as 65534 $caps memcgtop report --json -d 4" > $work/out 2> $work/err &
	pid=$!
	until_said measuring
	workload reserve --parent /caps --name inside -c 500 > /dev/null
	rc=0
	wait $pid || rc=$?
}
measure_as
status 0
must grep -q '"path": *"/caps/inside"' $work/out
keep caps.json

begin 'doctor as root: 0, and what is inlined is called so'
run memcgtop doctor
status 0; printed 'consume_stock - inlined by the compiler'; printed 'misses are measurable'
run memcgtop doctor --json
status 0; keep doctor-root.json

begin 'doctor not as root: 3, claims nothing of hooks that it could not try'
run helper as 65534 - memcgtop doctor
status 3; printed 'fail privilege'; printed 'run as root'; silent 'can be attached'
run helper as 65534 - memcgtop doctor --json
status 3; keep doctor-nobody.json
run helper nobpf memcgtop doctor
status 3; printed 'ok btf'; printed 'fail bpf'; silent 'can be attached'; silent 'inlined'

# A function that is absent cannot be had here: each kernel has all, and a BTF without one does not serve to attach.

begin '--cgroup-root that is no cgroup directory: 2, before anything is attached'
run memcgtop $short --cgroup-root /tmp
status 2; one_line; said '--cgroup-root /tmp'; said cgroup2
run memcgtop $short --cgroup-root /nonexistent
status 2; one_line; said '--cgroup-root /nonexistent: No such file'
run memcgtop $short --cgroup-root /sys/fs/cgroup/cgroup.procs
status 2; one_line; said 'not a cgroup directory'
must [ "$(helper programs)" = "$programs_before" ]

begin 'CMD that fails: 4 and shown; --ignore-failure: 0'
run memcgtop report --save $work/failed -- sh -c 'exit 3'
status 4; said 'sh failed (exit 3)'; said '--ignore-failure'; printed 'ran (exit 3)'
run memcgtop report -r $work/failed
status 4; printed 'ran (exit 3)'
run memcgtop report --ignore-failure -- sh -c 'exit 3'
status 0; printed 'ran (exit 3)'; silent failed
run memcgtop report -r $work/failed --ignore-failure
status 0; printed 'ran (exit 3)'; silent failed

begin 'CMD killed by a signal: 4 and shown'
run memcgtop report -- sh -c 'kill -9 $$'
status 4; said 'sh failed (signal 9)'; printed 'killed by signal 9'
run memcgtop report --json -- sh -c 'kill -9 $$'
status 4; keep killed.json

begin 'CMD that is not there: 2, before anything is attached'
run memcgtop report -- no-such-command
status 2; one_line; said "cannot run 'no-such-command'"; silent 'hooks attached'

begin "CMD's output goes to standard error, with -o to standard output"
run memcgtop report -- echo "the command's word"
status 0; said "the command's word"
must [ "$(grep -c "^the command's word" $work/out)" = 0 ]
run memcgtop report -o $work/result -- echo "the command's word"
status 0
must [ "$(cat $work/out)" = "the command's word" ]
must grep -q '^quality' $work/result

begin 'memcgtop as process 1, and with SIGCHLD ignored, sees CMD run and end'
run unshare -p -f memcgtop report -- sh -c 'echo ran'
status 0; said ran; printed '(exit 0)'
run sh -c "trap '' CHLD; exec memcgtop report -- true"
status 0; printed '(exit 0)'

begin '-d ends the window and not CMD'
start=$(cut -d . -f 1 /proc/uptime)
run memcgtop report -d 1 -- sleep 37
status 0; printed 'sleep 37` was running'
must [ $(($(cut -d . -f 1 /proc/uptime) - start)) -lt 30 ]
must kill "$(ps -o pid,args | awk '$2 == "sleep" && $3 == 37 { print $1 }')"

begin '-d inf measures until SIGINT: reported, cut short, 0'
run helper when measuring 2 memcgtop report -d inf
status 0; said 'until ^C'; printed '(cut short)'; printed 'CHARGE SIDE'

begin 'SIGTERM, and SIGINT by kill: reported, cut short, 0, and CMD is told'
for signal in 15 2; do
	run helper when ready $signal memcgtop report -- sh -c "trap 'kill \$!; echo told $signal >&2; exit 7' $signal; echo ready; sleep 50 & wait"
	status 0; said "told $signal"; printed '(cut short)'; printed 'ran (exit 7)'; silent 'failed'
done
run helper when measuring 15 memcgtop report --json -- sleep 50
status 0; keep terminated.json

begin '^C on a terminal: CMD gets it once, from the terminal; width and colour are of the terminal'
# shellcheck disable=SC2016 # for CMD
TERM=xterm run helper tty ready memcgtop report -- sh -c 'n=0; trap "n=\$((n + 1))" INT; echo ready; sleep 50; sleep 0.5; echo told $n times; exit 5'
status 0; printed 'told 1 times'; printed '(cut short)'; printed 'ran (exit 5)'
must grep -q "$(printf '\033')\[1mquality" $work/out
must [ "$(sed "s/$(printf '\033')\[[0-9;]*m//g; s/\r//" $work/out | grep -v '^memcgtop: \|^\^C' | wc -L)" -le 70 ]

begin '| a reader that goes: quiet, dies of SIGPIPE, nothing stays attached'
# shellcheck disable=SC2094
(memcgtop report -q -d 0.5 --json 2> $work/err; echo $? > $work/rc) | true
rc=$(cat $work/rc)
status 141
must [ ! -s $work/err ]
must none_attached
(memcgtop report -q -d 0.5 2> $work/err; echo $? > $work/rc) | head -1 > $work/out
rc=$(cat $work/rc)
[ "$rc" = 0 ] || status 141
must [ ! -s $work/err ]
must [ "$(wc -l < $work/out)" = 1 ]
must none_attached

begin 'kill -9 while measuring leaves nothing attached'
memcgtop report -d inf > $work/out 2> $work/err &
pid=$!
until_said measuring
must [ "$(helper programs)" -ge $((programs_before + 10)) ]
kill -9 $pid
wait $pid 2> /dev/null
must none_attached

begin 'a disk that is full: 4, the old file stays, no other is left'
mkdir -p $work/full
mount -t tmpfs -o size=64k none $work/full
echo old > $work/full/result
cat /dev/zero > $work/full/filler 2> /dev/null
run memcgtop report -d 0.2 --json -o $work/full/result
status 4; said 'not written to'; said 'No space left on device'
must [ "$(cat $work/full/result)" = old ]
must [ "$(ls -A $work/full | wc -l)" = 2 ]
run memcgtop report -d 0.2 --save $work/full/result
status 4; said 'No space left on device'
must [ "$(cat $work/full/result)" = old ]
must [ "$(ls -A $work/full | wc -l)" = 2 ]
umount $work/full

begin 'a report from a stored window equals the live one, byte for byte'
# Bytes that a test of the names wants as well: a quote, a backslash, a space, one that is no UTF-8, the longest, and two
# that differ far behind. A newline cannot be: the kernel refuses it.
must [ "$(mkdir "/sys/fs/cgroup/a
b" 2>&1 | grep -c 'Invalid argument')" = 1 ]
bad_byte=$(printf 'x\377y')
long=$(printf '%0255d' 0 | tr 0 l)
same=$(printf '%060d' 0 | tr 0 s)
run memcgtop report --json --save $work/names -o $results/names.json -- workload reserve --parent /odd -n 7 -c 100 \
	--name 'a"b' --name 'a\b' --name 'x y' --name "$bad_byte" --name "$long" --name "$same-one" --name "$same-two"
status 0
# the workload's own words
must grep -q '"charges":700,' $work/out
run memcgtop report --json -r $work/names
status 0; must cmp $work/out $results/names.json
for width in 50 80 100 132; do
	run memcgtop report -r $work/names -w $width --rows all
	status 0; keep names-$width.txt
done
run memcgtop report -w 80 --save $work/w -o $work/live.txt -d 0.3
run memcgtop report -w 80 -r $work/w -o $work/again.txt
status 0; must cmp $work/live.txt $work/again.txt
run memcgtop report --json --verify -s misses -f '/no*' --no-stat --max-cgroups 5 --save $work/w -o $work/live.json -- \
	workload reserve --parent /many -n 9 -c 20 --name nut
run memcgtop report --json -s misses -f '/no*' -r $work/w -o $work/again.json
status 0; must cmp $work/live.json $work/again.json
cp $work/names $results/names.window

begin '-f filters rows, the total stays'
run memcgtop report --json -r $work/names -f '/odd/a*'
status 0; keep filtered.json

begin 'a cgroup that lives for less than 0.1 s has its name'
memcgtop report --json -d 4 > $work/out 2> $work/err &
pid=$!
until_said measuring
for i in 1 2 3 4 5; do
	helper flash /sys/fs/cgroup/flash$i >> $work/ms
done
rc=0
wait $pid || rc=$?
status 0
# not each one need be as fast on a machine that is busy, but one that was is asked for
brief=
i=0
while read -r ms; do
	i=$((i + 1))
	[ "$ms" -lt 100 ] || continue
	brief=yes
	must grep -q "\"path\": *\"/flash$i\"" $work/out
done < $work/ms
[ "$brief" ] || skip "the guest took $(tr '\n' ' ' < $work/ms) ms"
keep flash.json

begin 'kernel lockdown, integrity: can be measured'
mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
if grep -q '\[none\]' /sys/kernel/security/lockdown 2> /dev/null; then
	echo integrity > /sys/kernel/security/lockdown
	run memcgtop $short
	status 0; printed 'hooks; misses seen by'

	begin 'kernel lockdown, confidentiality: says so'
	echo confidentiality > /sys/kernel/security/lockdown
	run memcgtop $short
	status 3; one_line; said confidentiality; alone 'locked down'
	run memcgtop doctor
	status 3; printed 'fail lockdown'; printed confidentiality; silent 'can be attached'
	run memcgtop doctor --json
	status 3; keep doctor-lockdown.json

	begin 'kernel lockdown, confidentiality, without securityfs: says so as well'
	umount /sys/kernel/security
	run memcgtop $short
	status 3; one_line; said confidentiality; alone 'locked down'
else
	skip 'this kernel has no lockdown'
fi

finish
tar -c -C $results . 2> /dev/null
