#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""terminal.py MEMCGTOP FILE CASE: does the live screen treat its terminal well? Exit 1 if not.

The screen of a stored window, on a pseudo-terminal. What it draws the unit tests look at (test_ui.c);
here it is what it takes, what it leaves, and what it writes by the terminal's kind.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

MEMCGTOP, FILE = sys.argv[1], sys.argv[2]
READY = b"per second"  # of the line that is drawn last but one
LEFT = b"\x1b[?1049l"  # the other screen of an xterm is left
COLOR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7]|38;5;\d+)(?:;\d+)*m")


def die(text):
    sys.exit(f"terminal.py: {text}")


def check(condition, text):
    if not condition:
        die(text)


class Session:
    """A program on a terminal of its own."""

    def __init__(self, argv=None, size=(24, 80), ignore=(), **env):
        self.out = b""
        self.status = None
        # it starts once the terminal has its size, and what it was before is known
        begin, started = os.pipe()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.close(started)
            os.read(begin, 1)
            os.close(begin)
            for sig in ignore:
                signal.signal(sig, signal.SIG_IGN)
            environ = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "PS1": "$ "}
            environ.update(env)
            argv = argv or [MEMCGTOP, "replay", FILE]
            os.execve(argv[0], argv, {k: v for k, v in environ.items() if v is not None})
        self.resize(*size)
        self.before = termios.tcgetattr(self.fd)
        os.close(begin)
        os.close(started)

    def resize(self, lines, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds):
        """Whether there was something, or the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            self.out += os.read(self.fd, 65536)
        except OSError:
            return False
        return True

    def wait_for(self, text, since=0, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.out[since:]:
            check(time.monotonic() < end and self.ended() is None, f"{text!r} does not come: {self.out[-300:]!r}")
            self.read(0.1)
        return self

    def send(self, keys):
        os.write(self.fd, keys)
        return len(self.out)

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status

    def end(self, seconds=20):
        """Its wait status."""
        end = time.monotonic() + seconds
        while self.ended() is None:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                die("it does not end")
            self.read(0.1)
        while self.read(0.1):
            pass
        return self.status

    def restored(self):
        check(termios.tcgetattr(self.fd) == self.before, "the terminal's modes are not what they were")
        check(LEFT in self.out, "the screen of the terminal is not what it was")
        check(self.out.rindex(b"\x1b[?25h") > self.out.rindex(b"\x1b[?25l"), "the cursor is not there any more")


def ready(**args):
    s = Session(**args).wait_for(READY)
    check(termios.tcgetattr(s.fd) != s.before, "the terminal is not in raw mode")
    return s


def quits():
    for keys in b"q", b"\x1b[21~", b"\x03":
        s = ready()
        s.send(keys)
        check(s.end() == 0, f"{keys!r} does not end it well")
        s.restored()


def signals():
    for sig in signal.SIGTERM, signal.SIGHUP, signal.SIGINT:
        s = ready()
        os.kill(s.pid, sig)
        s.end()
        s.restored()


def crashes():
    for sig in signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE:
        s = ready()
        os.kill(s.pid, sig)
        status = s.end()
        check(os.WIFSIGNALED(status) and os.WTERMSIG(status) == sig, f"signal {sig} is not what it died of")
        s.restored()


def hangup():
    s = ready(ignore=[signal.SIGHUP])
    os.close(s.fd)
    end = time.monotonic() + 20
    while s.ended() is None:
        if time.monotonic() > end:
            os.kill(s.pid, signal.SIGKILL)
            die("it goes on without a terminal")
        time.sleep(0.1)


def suspend():
    """Under a shell: ^Z stops it, fg draws all anew, in the size that it has now."""
    for term in "xterm-256color", "linux":
        s = Session(["/bin/bash", "--norc", "-i"], TERM=term)
        s.wait_for(b"$ ")
        s.send(f"{MEMCGTOP} replay {FILE}\n".encode())
        s.wait_for(READY)
        s.wait_for(b"Stopped", since=s.send(b"\x1a"))
        # By a command: the shell's readline reads the size and sets it again, and would undo what another did in between.
        # In two words, as the shell shows what is typed.
        s.wait_for(b"lines as before", since=s.send(b"stty rows 30 cols 132; stty -a | grep -q -- -icanon || echo lines as be''fore\n"))
        # only a wide screen has room for this
        s.wait_for(b"sockets ", since=s.send(b"fg\n"))
        s.wait_for(b"$ ", since=s.send(b"q"))
        s.send(b"exit\n")
        check(s.end() == 0, "the shell does not end")


def orphan():
    """Nobody could continue it: ^Z draws it anew."""
    s = ready()
    s.wait_for(READY, since=s.send(b"\x1a"))
    s.send(b"q")
    check(s.end() == 0, "it does not go on")


def resize():
    s = ready()
    for view in b"1", b"2", b"3", b"6", b"v", b"h", b"1s", b"1c", b"1/":
        s.send(view)
        at = len(s.out)
        s.resize(2, 10)
        s.wait_for(b"too small", since=at)
        at = len(s.out)
        s.resize(40, 132)
        s.wait_for(b"memcgtop", since=at)
        s.send(b"\x1b")
        time.sleep(0.1)
    s.send(b"q")
    check(s.end() == 0, "it does not end well")


def escape():
    """ESC alone is a key, and a prompt one; the best of three, as others may have the CPU."""
    s, best = ready(), 9
    for _ in range(3):
        s.wait_for(b"Search", since=s.send(b"/"))
        begin = time.monotonic()
        s.wait_for(b"help", since=s.send(b"\x1b"))
        best = min(best, time.monotonic() - begin)
    check(best < 0.5, f"ESC is answered after {best:.1f} s")
    s.send(b"\x03")
    s.end()


def no_interval():
    """FILE is a recording that was cut short before its first interval was over."""
    s = ready()
    for keys in b"]", b"[", b"$", b"0", b"{", b"}", b"J12\r", b" ", b"3", b"4", b"5", b"6", b"1", b"\r":
        s.send(keys)
        while s.read(0.2):
            pass
        check(s.ended() is None, f"{keys!r} ends it: {s.out[-300:]!r}")
    s.send(b"q")
    check(s.end() == 0, "it does not end well")
    check(b"no interval was recorded" in s.out, "it does not say that there is no interval")
    s.restored()


def no_terminal():
    """What cannot place its cursor has a batch, and a line that says so."""
    for term in "dumb", "no-such-terminal", None:
        s = Session(TERM=term)
        s.end()
        # bold headings are the report's habit on any terminal but a dumb one
        check(not re.search(rb"\x1b(?!\[[01]m)", s.out), f"TERM={term} gets more than bold: {s.out[-300:]!r}")
        check(b"-b" in s.out and b"charges" in s.out, f"TERM={term} gets no batch: {s.out[-300:]!r}")


def written(*keys, **env):
    s = Session(**env).wait_for(READY)
    for key in keys:
        s.send(key)
        time.sleep(0.2)
        s.read(0.2)
    s.send(b"\x03")
    s.end()
    return s.out


def colors():
    check(b"38;5;" in written(), "256 colours are not used")
    eight = written(TERM="xterm")
    check(COLOR.search(eight) and b"38;5;" not in eight, "8 colours are not used")
    check(COLOR.search(written(NO_COLOR="")), "NO_COLOR without a value is not for us")
    for none in written(NO_COLOR="1"), written(TERM="vt100"):
        check(not COLOR.search(none), "there is colour")
        check(re.search(rb"\x1b\[0;(1;)?7m", none), "the selected line does not stand out")


def ascii():
    everywhere = [b"t", b"v", b"h", b"2", b"3", b"5", b"6", b"1", b"s"]
    check(any(c > 0x7F for c in written()), "with UTF-8 there is none of it")
    no_utf8 = written(*everywhere, LC_ALL="C")
    check(all(c < 0x80 for c in no_utf8), "a locale without UTF-8 gets more than ASCII")
    check(b"CHARGE/sv" in no_utf8, "a locale without UTF-8 does not get the ASCII form")
    check(
        all(c < 0x80 for c in written(*everywhere, argv=[MEMCGTOP, "replay", FILE, "top", "--ascii"])),
        "--ascii is not all ASCII",
    )


CASES = {
    f.__name__: f
    for f in (quits, signals, crashes, hangup, suspend, orphan, resize, escape, no_interval, no_terminal, colors, ascii)
}
CASES[sys.argv[3]]()
