# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # variables of run
# The cache of the kernel lab: kernels, QEMU and busybox out of Debian packages, unpacked beside, nothing installed.
# Sourced by run, which defines die, say and $lab.
#
#	$cache/kernels/NAME/vmlinuz-VERSION
#	$cache/qemu			a tree with usr/bin/qemu-system-x86_64 and the libraries that this machine lacks
#	$cache/busybox/busybox
#	$cache/apt			a private apt root: own source list and indexes, the machine's keys and proxy settings

cache=${MEMCGTOP_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/memcgtop}
qemu_suite=bookworm-backports	# QEMU 10: the 7.2 of bookworm crashes a guest now and then with more than one thread
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
index_age_min=60

table() {	# name series flavour need suites...
	grep -Ev '^[[:space:]]*(#|$)' "$lab/kernels"
}

default_kernel() {
	table | awk '$4 == "required" && $3 != "rt" { name = $1 } END { print name }'
}

optional() {	# NAME
	table | awk -v name="$1" '$1 == name && $4 == "optional" { found = 1 } END { exit !found }'
}

cached_kernel() {	# NAME: prints the path, fails if it is not cached
	local file
	for file in "$cache/kernels/$1"/vmlinuz-*; do
		[[ -f $file ]] && echo "$file" && return
	done
	return 1
}

cached_qemu() {
	[[ -x $cache/qemu/usr/bin/qemu-system-x86_64 ]]
}

qemu_libraries() {	# TREE: prints the path of those that came along
	echo "$1/usr/lib/x86_64-linux-gnu:$1/lib/x86_64-linux-gnu"
}

cached_busybox() {
	[[ -x $cache/busybox/busybox ]]
}

private_apt() {	# apt-get|apt-cache ARG...
	local tool=$1
	shift
	"$tool" -qq -o Dir::Etc::sourcelist="$cache/apt/sources.list" -o Dir::Etc::sourceparts="$cache/apt/none" \
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$cache/apt/none" \
		-o Dir::State::lists="$cache/apt/lists" -o Dir::Cache="$cache/apt/cache" \
		-o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# Where the machine itself gets a suite from: the project names no host.
mirror() {	# CODENAME
	# shellcheck disable=SC2016 # a format of apt
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' "Codename: $1" 2>/dev/null |
		head -n 1
}

write_sources() {
	local suite base main security
	main=$(mirror bookworm) security=$(mirror bookworm-security)
	[[ $main ]] || die "cannot find the Debian mirror: apt knows no bookworm main; add it to the apt sources and run apt-get update"
	[[ -r $keyring ]] || die "$keyring is missing, so packages cannot be verified; install debian-archive-keyring"
	for suite in bookworm $(table | cut -d ' ' -f 2- | grep -oE '[a-z]+-[a-z]+' | sort -u) $qemu_suite; do
		base=$main
		[[ $suite == *-security ]] && base=$security
		[[ $base ]] && echo "deb [arch=amd64 signed-by=$keyring] $base $suite main"
	done | sort -u
}

update_indexes() {
	local dir=$cache/apt
	mkdir -p "$dir/none" "$dir/lists/partial" "$dir/cache/archives/partial" || die "cannot write the cache $cache; set MEMCGTOP_CACHE"
	write_sources > "$dir/sources.new" || exit
	if ! cmp -s "$dir/sources.new" "$dir/sources.list" ||
	   [[ -z $(find "$dir/updated" -mmin -$index_age_min 2>/dev/null) ]]; then
		mv "$dir/sources.new" "$dir/sources.list"
		say "reading the package indexes"
		private_apt apt-get update >&2 || die "apt-get update of the private root $dir failed; is the mirror reachable?"
		touch "$dir/updated"
	fi
}

# The newest package of a kernel series, as "package version". Packages below 1 MB are meta packages.
kernel_package() {	# SERIES FLAVOUR SUITE...
	local series=${1//./\\.} flavour=$2 suite
	shift 2
	for suite; do
		# shellcheck disable=SC2016 # a format of apt
		private_apt apt-get indextargets --format '$(FILENAME)' 'Created-By: Packages' "Codename: $suite"
	done | while read -r index; do
		/usr/lib/apt/apt-helper cat-file "$index"
	done | awk -v want="^linux-(image|binary)-${series}[.][0-9.]+([+]deb[0-9.]+|-[0-9]+)-$flavour-amd64\$" '
		$1 == "Package:" { package = $2 }
		$1 == "Version:" { version = $2 }
		$1 == "Size:" { size = $2 }
		/^$/ { if (package ~ want && size > 1000000) print package, version }' |
		sort -k 2,2V | tail -n 1
}

# Unpack packages into a new directory and rename it: whoever looks sees all of it or nothing.
unpack_packages() {	# DEST WHAT_TO_KEEP PACKAGE=VERSION...
	local dest=$1 keep=$2 work deb
	shift 2
	work=$(mktemp -d "$cache/tmp.XXXXXX") || die "cannot write the cache $cache; set MEMCGTOP_CACHE"
	mkdir "$work/debs" "$work/tree"
	(cd "$work/debs" && private_apt apt-get download "$@") >&2 || {
		rm -rf "$work" "$cache/apt/updated"
		die "downloading $1 failed, the mirror may have moved on; try again"
	}
	for deb in "$work"/debs/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/tree" --wildcards --no-same-owner "$keep" || {
			rm -rf "$work"
			die "unpacking ${deb##*/} failed; is the disk full?"
		}
	done
	mkdir -p "${dest%/*}"
	rm -rf "$dest"
	mv "$work/tree" "$dest"
	rm -rf "$work"
}

fetch_kernel() {	# NAME
	local name series flavour need suites found version
	read -r name series flavour need suites < <(table | awk -v name="$1" '$1 == name')
	[[ $name ]] || die "no kernel '$1' in the table $lab/kernels; see run --list"
	update_indexes
	# shellcheck disable=SC2086 # a list
	found=$(kernel_package "$series" "$flavour" $suites)
	[[ $found ]] || die "no $flavour kernel $series in $suites; the series may have left the archive"
	say "kernel $name is ${found/ / }"
	# In /boot, from 7.2 on in /usr/lib/modules.
	unpack_packages "$cache/kernel.tree" './*/vmlinuz*' "${found/ /=}"
	version=${found% *} version=${version#linux-*-}
	mkdir -p "$cache/kernels/$name"
	find "$cache/kernel.tree" -name 'vmlinuz*' -exec mv {} "$cache/kernels/$name/vmlinuz-$version" \;
	rm -rf "$cache/kernel.tree"
}

# QEMU with those of its libraries that this machine does not have: what apt would install, had we asked it to.
fetch_qemu() {
	local packages
	update_indexes
	mapfile -t packages < <(private_apt apt-get -q=0 -s --no-install-recommends --reinstall -t $qemu_suite install \
		qemu-system-x86 qemu-system-common qemu-system-data seabios ipxe-qemu |
		sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*/\1=\3/p')
	[[ ${packages[*]} == *qemu-system-x86=* ]] ||
		die "apt finds no way to QEMU from $qemu_suite; look at: apt-get -s -t $qemu_suite install qemu-system-x86"
	say "QEMU is ${packages[-1]} (${#packages[@]} packages)"
	unpack_packages "$cache/qemu.new" '*' "${packages[@]}"
	if LD_LIBRARY_PATH=$(qemu_libraries "$cache/qemu.new") ldd "$cache/qemu.new/usr/bin/qemu-system-x86_64" |
	   grep 'not found' >&2; then
		die "QEMU lacks these libraries; install the packages that hold them"
	fi
	rm -rf "$cache/qemu"
	mv "$cache/qemu.new" "$cache/qemu"
}

fetch_busybox() {
	local version
	update_indexes
	version=$(private_apt apt-cache madison busybox-static | awk '/bookworm/ { print $3; exit }')
	[[ $version ]] || die "no busybox-static in bookworm; is the machine's mirror complete?"
	say "busybox is $version"
	unpack_packages "$cache/busybox.tree" './bin/*' "busybox-static=$version"
	mkdir -p "$cache/busybox"
	mv "$cache/busybox.tree/bin/busybox" "$cache/busybox/busybox"
	rm -rf "$cache/busybox.tree"
}

# Fill what is missing. One process at a time; what another run has brought meanwhile is not fetched again.
fetch() {	# KERNEL...
	local name lock missing=0
	mkdir -p "$cache" || die "cannot make the cache $cache; set MEMCGTOP_CACHE"
	exec {lock}> "$cache/lock"
	flock "$lock"
	rm -rf "$cache"/tmp.* "$cache"/*.tree "$cache"/*.new	# of a run that was killed here
	cached_qemu || fetch_qemu
	cached_busybox || fetch_busybox
	for name; do
		cached_kernel "$name" > /dev/null || (fetch_kernel "$name") || optional "$name" || missing=1
	done
	exec {lock}>&-
	return $missing
}

list() {
	local name series flavour need suites file
	printf '%-8s %-9s %-40s %s\n' NAME NEED CACHED SUITES
	while read -r name series flavour need suites; do
		file=$(cached_kernel "$name") || file=-
		printf '%-8s %-9s %-40s %s\n' "$name" "$need" "${file##*/vmlinuz-}" "$suites"
	done < <(table)
}
