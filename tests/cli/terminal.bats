#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The live screen and its terminal, on a pseudo-terminal; what stands on the screen is tested in tests/unit/test_ui*.c.

load helper

terminal() {
	timeout 120 "$BATS_TEST_DIRNAME/../tui/terminal.py" "$(realpath "$M")" "$(realpath "$WINDOW")" "$1"
}

@test "q, F10 and ^C give the terminal back" {
	terminal quits
}

@test "SIGTERM, SIGHUP and SIGINT give the terminal back" {
	terminal signals
}

@test "a crash gives the terminal back, and is still one" {
	terminal crashes
}

@test "without its terminal it ends, also if SIGHUP is ignored" {
	terminal hangup
}

@test "^Z stops it with the terminal as before, fg draws it in the size of now" {
	terminal suspend
}

@test "^Z where nobody could continue it goes on" {
	terminal orphan
}

@test "another size in each view, menu and prompt" {
	terminal resize
}

@test "Esc alone is answered at once" {
	terminal escape
}

@test "a recording without an interval: no key ends it, and a batch says so" {
	python3 - "$BATS_TEST_DIRNAME/../golden/recording-7.3" one <<-'END'
		import sys
		data, at = open(sys.argv[1], "rb").read(), -1
		for _ in range(3):  # behind the header and the first sample
		    at = data.index(b"\x28\xb5\x2f\xfd", at + 1)
		open(sys.argv[2], "wb").write(data[:at])
	END
	WINDOW=one terminal no_interval
	mc replay one -b
	is_status 0
	[ ! -s out ]
	said 'one has no interval that could be shown'
}

@test "a terminal that cannot place its cursor, or is not known, gets a batch" {
	terminal no_terminal
}

@test "256 colours, 8, and none with NO_COLOR or without colour" {
	terminal colors
}

@test "--ascii, and a locale without UTF-8, get ASCII alone" {
	terminal ascii
}
