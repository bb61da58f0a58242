#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Each view of recordings of real kernels, as a terminal shows it. After a change that is meant:
#	for k in 6.1 7.3; do tests/tui/screens.py ./memcgtop tests/golden/recording-$k > tests/golden/screens-$k.txt; done

load helper

shown() {	# KERNEL
	cd "$BATS_TEST_DIRNAME/../.." || return
	timeout 120 tests/tui/screens.py "$PWD/memcgtop" "tests/golden/recording-$1" > "$BATS_TEST_TMPDIR/screens"
	diff -u "tests/golden/screens-$1.txt" "$BATS_TEST_TMPDIR/screens"
}

@test "each view of a recording of 6.1" {
	shown 6.1
}

@test "each view of a recording of 7.3" {
	shown 7.3
}

@test "the README's screen is one of these" {
	cd "$BATS_TEST_DIRNAME/../.." || return
	diff <(awk '/^== / { it = 0 } it; /^== the second interval, 80x24$/ { it = 1 }' tests/golden/screens-7.3.txt) \
		<(awk '/^## / { live = /The live screen$/ } live && /^```$/ { it = !it; next } live && it' README.md)
}
