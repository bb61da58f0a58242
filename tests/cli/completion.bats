#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Completion in the three shells: what each of them offers behind a line.

load helper

script() {	# SHELL: into the file of that name
	mc completion "$1"
	is_status 0
	[ ! -s err ]
	mv out "$1"
}

@test "bash: the words that are offered" {
	script bash
	shellcheck -s bash bash
	cat > try <<-'END'
		source ./bash
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_memcgtop
		echo "${COMPREPLY[*]}"
	END
	offers() {	# WORDS: all that are offered; then the line, a word each as bash cuts it
		local words=$1 got
		shift
		got=$(env bash try memcgtop "$@")
		[ "$got" = "$words" ] || { echo "memcgtop $*: $got"; false; }
	}
	mkdir dir
	touch one.rec
	offers 'top report gate record replay compare doctor completion' ''
	offers 'report record replay' -q re
	offers '--full-names' --fu
	offers '--from --format --filter' report --f
	offers 'text json html lkp' report --format ''
	offers 'json' report --format = j
	offers 'text json html lkp' report --format =
	offers '' report -d ''
	offers 'walks walks_under_lock walks_beside_lock' -s walks
	offers 'charges,walk_pages' --columns charges,walk_p
	offers 'one.rec' replay o
	offers 'top report gate' replay one.rec ''
	offers 'text json tap junit' gate --format ''
	offers '--max-miss-rate --max-missed --max-cgroups' gate --max-
	offers 'one.rec' gate --baseline o
	offers 'one.rec' gate --fail-if x -- ls o
	offers '--tree' replay one.rec --tr
	offers '--from' replay one.rec report --fr
	offers 'one.rec' compare one.rec o
	offers 'text markdown csv json lkp' compare --format ''
	offers 'bash zsh fish' completion ''
	offers 'dir' doctor --cgroup-root ''
	offers 'one.rec' record -o x -- ls o
	# each option of each verb
	for verb in top report gate record compare doctor; do
		env bash try memcgtop $verb - | tr ' ' '\n' | sort > offered
		"$M" $verb --help | grep -oE '^ +(-.,)? *--[a-z-]+' | tr -d ',' | tr -s ' ' '\n' | grep . | sort > known
		diff offered known
	done
}

@test "fish: the words that are offered" {
	script fish
	fish -n fish
	touch one.rec
	offers() {	# WORDS LINE
		local got
		got=$(HOME=$PWD fish --no-config -c "source ./fish; complete -C '$2'" | cut -f 1 | sort | tr '\n' ' ')
		[ "$got" = "$1 " ] || { echo "$2: $got"; false; }
	}
	offers 'compare completion doctor gate record replay report top' 'memcgtop '
	offers 'record replay report' 'memcgtop -q re'
	offers '--full-names' 'memcgtop --fu'
	offers 'html json lkp text' 'memcgtop report --format '
	offers 'walk_pages' 'memcgtop report -s walk_p'
	offers 'charges,walk_pages' 'memcgtop --columns charges,walk_p'
	offers 'one.rec' 'memcgtop replay o'
	offers 'gate report top' 'memcgtop replay one.rec '
	offers 'json junit tap text' 'memcgtop gate --format '
	offers 'one.rec' 'memcgtop gate -- ls one'
	offers 'one.rec' 'memcgtop compare x o'
	offers '--from' 'memcgtop replay one.rec report --fr'
	offers 'bash fish zsh' 'memcgtop completion '
	offers 'one.rec' 'memcgtop report -- ls one'
}

@test "zsh: words that are offered" {
	script zsh
	zsh -n zsh
	touch one.rec two.rec
	offers() {	# WORDS LINE
		timeout 30 zsh "$BATS_TEST_DIRNAME/complete.zsh" zsh "$2" "$1" < /dev/null
	}
	offers 'measures for a while' 'memcgtop re'
	offers '--full-names' 'memcgtop --fu'
	offers 'json' 'memcgtop report --format '
	offers 'walk_pages' 'memcgtop -s wal'
	offers 'walk_levels' 'memcgtop --columns charges,wal'
	offers 'two.rec' 'memcgtop -q replay '
	offers 'report' 'memcgtop replay one.rec '
	offers 'with -r: only until' 'memcgtop replay one.rec report --'
	offers 'two.rec' 'memcgtop compare one.rec '
	offers 'two.rec' 'memcgtop record -o x -- ls '
	offers 'junit' 'memcgtop gate --format '
}
