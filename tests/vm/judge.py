# SPDX-License-Identifier: GPL-2.0-only
"""What the judges of the guests' output share: TAP, the sections of the output, the rows of a report."""
import json
import traceback

# What a report or a section lacks shows as one of these.
MISSING = (KeyError, IndexError, StopIteration, ValueError, TypeError, AttributeError)

# A task that is moved to another CPU between two hooks of one charge leaves behind what the first
# one announced. It takes a preemption within microseconds: about one in 50,000 charges.
MOVED = 4


class Tap:
    def __init__(self, kernel):
        self.kernel, self.n, self.failed = kernel, 0, 0

    def ok(self, good, text, numbers=""):
        self.n += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.n} - {self.kernel}: {text}{f' # {numbers}' if numbers else ''}")

    def equal(self, text, got, expected):
        self.ok(got == expected, text, f"expected {expected}, got {got}")

    def within(self, text, got, low, high):
        self.ok(got is not None and low <= got <= high, text, f"expected {low} to {high}, got {got}")

    def note(self, text):
        print(f"# {self.kernel}: {text}")


def read_sections(path):
    sections, name = {}, None
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("== "):
                name = line[3:].strip()
                sections[name] = ""
            elif name:
                sections[name] += line
    return sections


class Sections:
    """What the guest printed."""

    def __init__(self, sections, kernel):
        self.sections, self.kernel = sections, kernel

    def json(self, name):
        return json.loads(self.sections[name])

    def status(self, name):
        return int(self.sections["status " + name])

    def events(self, name):
        return {k: int(v) for k, v in (line.split() for line in self.sections[name].splitlines())}


def probe(report, hook):
    return next(p for p in report["probes"] if p["hook"] == hook)


def row(report, path):
    return next(c for c in report["cgroups"] if c["path"] == path)


def rows_below(report, parent):
    return [c for c in report["cgroups"] if c["path"] and c["path"].startswith(parent + "/")]


def runs(p):
    return (p["recorded"] or 0) + (p["missed"] or 0)


def missed(report, *hooks):
    return sum(probe(report, hook)["missed"] or 0 for hook in hooks)


def lost_acts(report):
    """Charges and uncharges that may have lost what an earlier hook said of them."""
    return report["quality"]["dropped"]["unmatched_exit"] + MOVED


def judge(tap, sections, make_run, groups, says):
    """Runs the groups of tests; what should have been measured and is not there fails. The exit status."""
    tap.ok("end" in sections, "the guest came to its end", ", ".join(sections) if "end" not in sections else "")
    try:
        run = make_run()
    except MISSING as e:
        tap.ok(False, "the guest's measurements are there", f"{type(e).__name__} {e}")
        groups = []
    for group in groups:
        try:
            group(tap, run)
        except MISSING as e:
            at = traceback.extract_tb(e.__traceback__)[-1]
            tap.ok(False, "all measurements are there", f"{type(e).__name__} {e}, {at.filename.split('/')[-1]} line {at.lineno}")
    for name in says:
        for line in sections.get(name, "").splitlines() if tap.failed else ():
            tap.note(f"{name}: {line}")
    print(f"1..{tap.n}")
    if tap.failed:
        tap.note(f"{tap.failed} of {tap.n} failed")
    return 1 if tap.failed else 0
