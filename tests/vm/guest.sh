# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # variables of run
# The guest's file system: two cpio archives one after the other, which the kernel unpacks over each other. The first holds
# busybox, dash, terminfo and a locale and does not change, so it is cached; the second is made for each run. Sourced by run.

archive() {	# DIRECTORY: newc archive of it, owned by root whoever packs it
	(cd "$1" && find . -print0 | "$cache/busybox/busybox" cpio -o -0 -H newc -R 0:0 2>/dev/null)
}

base_archive() {	# prints the path
	local file=$cache/busybox/base.cpio tree applet
	if [[ ! -f $file || $cache/busybox/busybox -nt $file || $lab/guest.sh -nt $file ]]; then
		tree=$(mktemp -d "$work/base.XXXXXX")
		mkdir -p "$tree"/{bin,sbin,usr/bin,usr/sbin,proc,sys,dev,tmp,run,root,etc}
		cp "$cache/busybox/busybox" "$tree/bin/busybox"
		for applet in $("$tree/bin/busybox" --list); do
			[[ $applet == busybox ]] || ln -s busybox "$tree/bin/$applet"
		done
		echo 'root:x:0:0:root:/root:/bin/sh' > "$tree/etc/passwd"
		echo 'root:x:0:' > "$tree/etc/group"
		# Not busybox as sh: it would run its own programs rather than those in /x.
		rm "$tree/bin/sh"
		cp /bin/dash "$tree/bin/sh"
		copy_libraries /bin/dash "$tree"
		# for the live screen; of ncurses-base and libc-bin, which every Debian has
		mkdir -p "$tree"/lib "$tree"/usr/lib/locale
		cp -R /lib/terminfo "$tree/lib/"
		cp -R /usr/lib/locale/C.utf8 "$tree/usr/lib/locale/"
		archive "$tree" > "$file.$$" && mv "$file.$$" "$file" || return
	fi
	echo "$file"
}

# One word for sh, whatever bytes are in it.
quote() {
	local quote="'\\''"
	printf "'%s'" "${1//\'/"$quote"}"
}

# A program of the host wants its shared libraries at the same paths.
copy_libraries() {	# FILE TREE
	local library
	ldd "$1" 2>/dev/null | grep -oE '/[^ ]+' | while read -r library; do
		[[ -e $2$library ]] || install -D "$library" "$2$library"
	done
}

build_guest() {	# COMMAND ARG...: makes $work/initrd from $extra and COMMAND
	local tree=$work/tree file word root=$lab/../..
	mkdir -p "$tree"/{lab,x,usr/bin}
	install -m 755 "$lab/init" "$tree/init"
	if [[ -f $root/memcgtop.static ]]; then
		install -m 755 "$root/memcgtop.static" "$tree/usr/bin/memcgtop"
	elif [[ " ${extra[*]} " != *"/memcgtop "* && " ${extra[*]} " != *" memcgtop "* ]]; then
		say "no memcgtop in the guest: there is no memcgtop.static (make memcgtop.static)"
	fi
	for file in "$root"/tests/workload/workload "$root"/tests/workload/bin/* "$lab"/tools/*; do
		[[ -f $file && -x $file ]] && install -m 755 "$file" "$tree/usr/bin/"
	done
	for file in ${extra[@]+"${extra[@]}"}; do
		cp -RL -- "$file" "$tree/x/" || die "cannot copy '$file' (-x)"
		copy_libraries "$file" "$tree"
	done
	{
		printf 'export TERM='; quote "${TERM:-dumb}"; echo
		printf exec
		for word; do printf ' '; quote "$word"; done
		echo
	} > "$tree/lab/command"
	if ! { file=$(base_archive) && cat "$file" && archive "$tree"; } > "$work/initrd"; then
		die "building the guest's file system failed; is the disk full?"
	fi
}
