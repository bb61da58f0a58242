# SPDX-License-Identifier: GPL-2.0-only
"""What a guest's screens and recordings must hold: check.py record|screen DIRECTORY prints TAP lines."""
import json
import os
import re
import subprocess
import sys

BOOT, DIR = sys.argv[1:3]
MEMCGTOP = os.environ["MEMCGTOP"]  # of the host, where a recording can be read as well
MARK = re.compile(rb"\x1b_(\w+)\x1b\\")
COUNTS = ("charges", "misses", "walks", "refills", "evictions", "sock_charges")


def content(name):
    with open(os.path.join(DIR, name), "rb") as f:
        return f.read()


def memcgtop(*args):
    """Its standard output here, without privilege or BPF."""
    return subprocess.run([MEMCGTOP, *args], check=True, capture_output=True, timeout=60).stdout


def row(doc, path):
    return next(c for c in doc["cgroups"] if c["path"] == path)


def lines_of(data):
    docs = [json.loads(line) for line in data.splitlines()]
    assert data.endswith(b"\n") and docs
    return docs


def add_up(docs, whole):
    for name in COUNTS:
        parts = sum(d["total"][name] or 0 for d in docs)
        assert parts == whole["total"][name], f"{name}: {parts} in intervals, {whole['total'][name]} in all"
    # What charges exceed misses by: a charge that is under way at a sample, its walk counted and itself not yet, is missing
    # in one interval, where hits do not fall below 0, and there in the next.
    more = sum(d["total"]["hits"] for d in docs) - whole["total"]["hits"]
    assert 0 <= more <= (len(docs) - 1) * whole["host"]["cpus_online"], f"{more} hits more in intervals than in all"


# --- recordings


def test_known():
    "the charges of record -- CMD are those that CMD made, but for the missed"
    doc = json.loads(content("rec-report.json"))
    missed = sum(p["missed"] or 0 for p in doc["probes"]) + doc["quality"]["dropped"]["unmatched_exit"]
    for path in "/rec/c0", "/rec/c1":
        n = row(doc, path)["charge_kinds"]["sock"]
        assert 3000 - missed <= n <= 3000, (path, n, missed)


def test_intervals():
    "the intervals of a recording add up to its report"
    docs = lines_of(content("rec-intervals.ndjson"))
    assert len(docs) > 3, len(docs)
    add_up(docs, json.loads(content("rec-report.json")))
    at = 0
    for d in docs:
        assert d["window"]["duration_s"] > 0 and d["window"]["start"] >= str(at), d["window"]
        at = d["window"]["start"]


def test_elsewhere():
    "on another machine a recording tells what it told in the guest"
    path = os.path.join(DIR, "same.rec")
    there, here = json.loads(content("same.json")), json.loads(memcgtop("report", "-r", path, "--json"))
    there["tool"] = here["tool"] = None  # who asks
    assert there == here
    for args in (["report"], ["report", "--format", "html"], ["report", "--cpus"], ["-b"], ["-b", "--json"]):
        assert memcgtop("replay", path, *args), args


def test_killed():
    "what kill -9 left holds the charges that were made well before it"
    doc = json.loads(content("killed.json"))
    n = row(doc, "/killed/c0")["charge_kinds"]["sock"]
    missed = sum(p["missed"] or 0 for p in doc["probes"])
    assert 500 - missed <= n <= 500, n
    assert doc["window"]["end_reason"] == "interrupted", doc["window"]


def test_size():
    "a hundred busy cgroups take less than 100 bytes each an interval"
    path = os.path.join(DIR, "size.rec")
    docs = lines_of(memcgtop("replay", path, "-b", "--json"))
    busy = sum(1 for d in docs for c in d["cgroups"] if re.match("/alike/c", c["path"] or "") and c["charges"])
    assert busy > 300, f"{busy} busy rows"
    size = os.path.getsize(path) / busy
    assert size < 100, f"{size:.0f} bytes a busy cgroup and interval"


def test_batch():
    "the lines of batch add up to the charges that were made"
    docs = lines_of(content("batch.ndjson"))
    missed = sum(p["missed"] or 0 for p in docs[-1]["probes"])
    for path in "/batch/c0", "/batch/c1":
        n = sum(c["charge_kinds"]["sock"] for d in docs for c in d["cgroups"] if c["path"] == path)
        assert 2000 - missed <= n <= 2000, (path, n, missed)


# --- the screen


def screens(name, columns, rows):
    """What was shown at each mark, as lines."""
    import pyte

    data, shots, start = content(name + ".tty"), {}, 0
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    sizes = {"small": (10, 40), "tiny": (2, 10), "large": (50, 160)}
    for m in MARK.finditer(data):
        mark = m.group(1).decode()
        if mark in sizes:
            # drawn anew after the resize: what came before was for the old size
            screen.resize(*sizes[mark])
        stream.feed(data[start:m.start()])
        shots[mark] = [line.rstrip() for line in screen.display]
        start = m.end()
    return shots


_shots = {}


def shot(mark, name="views", columns=100, rows=30):
    if name not in _shots:
        _shots[name] = screens(name, columns, rows)
    assert mark in _shots[name], f"{mark} was not reached"
    return _shots[name][mark]


def has(mark, *words, **where):
    text = "\n".join(shot(mark, **where))
    for w in words:
        assert w in text, f"{w!r} is not in {mark}:\n{text}"
    return text


def cells(mark, what, **where):
    """The cells of a line of the table."""
    found = [line for line in shot(mark, **where) if re.match(r"[> ] *([▾-] )?" + re.escape(what) + r"\b", line)]
    assert len(found) == 1, f"{len(found)} lines of {what} in {mark}:\n" + "\n".join(shot(mark, **where))
    return found[0].lstrip("> ▾").split()[1:]


def number(cell):
    scale = {"k": 1e3, "M": 1e6}.get(cell[-1], 1)
    return float(cell.rstrip("kM").replace(",", "")) * scale


def test_first():
    "the first interval shows -, not 0"
    assert set(cells("first", "total")) == {"-"}, cells("first", "total")


def test_rates():
    "then there are rates, a verdict, and misses of nine cgroups on one CPU"
    has("rates", "CHARGE/s", "busy/c", "per second")
    assert number(cells("rates", "total")[0]) > 0
    assert has("rates", "miss ")


def test_filter():
    "a filter leaves those that match, and the total"
    text = has("filtered", "busy/c8")
    assert "churn" not in text and "init" not in text, text
    has("unfiltered", "busy/c8")


def test_modes():
    "a delta is what an interval of a second counted, the total is more"
    has("delta", "per interval")
    has("total", "since")
    assert number(cells("total", "busy/c0")[0]) > number(cells("delta", "busy/c0")[0])


def test_known_charges():
    "the total of a cgroup is what was charged to it"
    n = number(cells("known", "known/c0")[0])
    assert 990 <= n <= 1000, n


def test_pause():
    "a pause keeps what is shown"
    assert [l for l in shot("paused") if "busy" in l] == [l for l in shot("still") if "busy" in l]
    has("still", "PAUSED")


def test_tree():
    "a tree has the parents as branches"
    has("tree", " busy")


def test_views():
    "each view shows what it is for"
    has("cpus", "[2 CPUs]", "CPU")
    has("evictions", "[3 evictions]", "busy/c")
    has("drains", "[4 drains]")
    has("times", "[5 times]", "charge_ns")
    has("probes", "[6 probes]", "try_charge_memcg")
    has("detail", "busy/c")
    has("sorts", "sort")
    has("columns", "charges")
    has("verdict", "verdict")
    has("help", "Everywhere")


def test_interval():
    "+ makes the interval longer"
    assert "2 s" in has("slower", "memcgtop"), shot("slower")


def test_sizes():
    "a small, a tiny and a large terminal are filled, and no line is left of the other size"
    assert [len(shot(m)) for m in ("small", "tiny", "large")] == [10, 2, 50]
    has("small", "busy")
    assert shot("tiny")[0], shot("tiny")
    text = has("large", "busy/c8", "F1 help")
    assert text.count("F1 help") == 1 and text.count("CHARGE/s 1 s") <= 1, text


def test_selection():
    "the selection stays with its cgroup"
    for mark in "before", "after", "inverted":
        chosen = [line for line in shot(mark, "select") if line.startswith(">")]
        assert len(chosen) == 1 and re.match(r"> *busy/c3\b", chosen[0]), (mark, chosen)


TESTS = {
    "record": [test_known, test_intervals, test_elsewhere, test_killed, test_size, test_batch],
    "screen": [test_first, test_rates, test_filter, test_modes, test_known_charges, test_pause, test_tree, test_views,
               test_interval, test_sizes, test_selection],
}

for test in TESTS[BOOT]:
    try:
        test()
        print("ok - %s" % test.__doc__)
    except Exception as e:
        print("not ok - %s" % test.__doc__)
        print("\n".join("# " + line for line in f"{type(e).__name__}: {e}"[:4000].splitlines()))
