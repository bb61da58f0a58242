#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""screens.py MEMCGTOP RECORDING: prints each view of a recording as a terminal shows it.

The terminal is an emulator (pyte), so that what ncurses writes is read as a terminal reads it. In lines
that start with "==", what was done since the screen before.
"""
import sys
import time

import pexpect
import pyte

# Keys, what to call it, columns and lines of the terminal
STEPS = [
    ("", "the first interval", (80, 24)),
    ("$", "the last interval", (80, 24)),
    ("(]", "the second interval", (80, 24)),
    ("2", "CPUs", (80, 24)),
    ("3", "evictions", (80, 24)),
    ("4", "drains", (80, 24)),
    ("5", "times", (80, 24)),
    ("6", "probes", (80, 24)),
    ("1m", "the counts of the interval", (80, 24)),
    ("m", "the counts since the start", (80, 24)),
    ("mt", "a tree", (80, 24)),
    ("tl", "full names", (80, 24)),
    ("lfdemo\r", "those of demo", (80, 24)),
    ("\r", "the detail of the first", (80, 24)),
    ("\x1b", "back", (80, 24)),
    ("s", "the menu of sort keys", (80, 24)),
    ("\x1b", "back", (80, 24)),
    ("c", "the menu of columns", (80, 24)),
    ("\x1b", "back", (80, 24)),
    ("v", "the verdict", (80, 24)),
    ("v", "small, with the verdict closed", (40, 10)),
    ("", "tiny", (10, 2)),
    ("", "wide", (132, 43)),
]


class Terminal:
    def __init__(self, argv, columns, lines):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        # pyte knows the sequences of a console better than those of an xterm
        env = {"PATH": "/usr/bin:/bin", "TERM": "linux", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        self.child = pexpect.spawn(argv[0], argv[1:], dimensions=(lines, columns), env=env, timeout=10)

    def settle(self, least):
        """Until it has drawn, and then nothing for a moment."""
        end, quiet = time.monotonic() + 10, time.monotonic() + least
        while time.monotonic() < min(end, quiet):
            try:
                self.stream.feed(self.child.read_nonblocking(65536, 0.05))
                quiet = time.monotonic() + 0.3
            except pexpect.TIMEOUT:
                pass

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        self.child.setwinsize(lines, columns)

    def type(self, keys):
        for key in keys:
            self.child.send(key)
            # alone, an escape is only told from a sequence by time
            self.settle(1.2 if key == "\x1b" else 0.15)


def main():
    terminal = Terminal([sys.argv[1], "replay", sys.argv[2]], 80, 24)
    terminal.settle(2)
    size = (80, 24)
    for keys, name, wanted in STEPS:
        if wanted != size:
            terminal.resize(*wanted)
            size = wanted
            terminal.settle(1)
        terminal.type(keys)
        print(f"== {name}, {size[0]}x{size[1]}")
        for line in terminal.screen.display:
            print(line.rstrip())
    terminal.child.send("q")
    terminal.child.expect(pexpect.EOF)
    terminal.child.close()
    sys.exit(terminal.child.exitstatus)


main()
