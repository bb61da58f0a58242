#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""spoil.py KERNEL FILE: can the checks of check.py fail?

FILE is what `run --keep FILE KERNEL` stored, of a run in which all was ok. Each
spoil changes one thing in it, and the line of check.py meant for it must turn to
`not ok`. Prints TAP.
"""
import json
import re
import sys

sys.dont_write_bytecode = True
import check  # noqa: E402
from judge import row  # noqa: E402
from spoiled import in_json, in_probe, in_row, more, set_at, text, try_all, without  # noqa: E402

MANY = 10**9


def in_part(window, part, *path_and_value):
    """In one reading of the stopwatch."""
    def spoil(sections):
        names = sections[window + ".parts"].split()
        lines = sections[window + ".witness"].splitlines()
        doc = json.loads(lines[names.index(part) + 1])
        set_at(*path_and_value)(doc)
        lines[names.index(part) + 1] = json.dumps(doc)
        sections[window + ".witness"] = "\n".join(lines) + "\n"
    return spoil


def in_row_histogram(path, key, part, value):
    def change(doc):
        set_at(key, part, value)(row(doc, path))
    return change


def in_measure(measure, key, value):
    def change(doc):
        for f in doc["functions"]:
            if f["measure"] == measure:
                set_at(key, value)(f)
    return change


def spoil_times(window):
    """Of one window that the stopwatch saw."""
    doc = window + ".json"
    for key in check.EVENTS:
        histogram = ("histograms", key)
        yield f"^{window}: buckets add up", in_json(doc, set_at(*histogram, "count", more()))
        yield f"^{window}: buckets add up", in_json(doc, set_at(*histogram, "buckets", 0, "count", more()))
        yield f"^{window}: buckets add up", in_json(doc, set_at(*histogram, "buckets", 0, "le", more(97)))
        yield f"^{window}: buckets add up", in_json(doc, set_at(*histogram, "sum", 1))
        yield f"^{window}: buckets add up", in_json(doc, set_at(*histogram, "max", more(MANY)))
        yield f"^{window}: {key} counts what was timed", in_json(doc, lambda d, k=key: scale(d["histograms"][k]))
        yield f"^{window}: {key} of the cgroups add up", in_json(doc, set_at(*histogram, "sum", more()))
        yield f"^{window}: the largest {key} is", in_json(doc, set_at(*histogram, "max", more()))
        yield f"^{window}: self_ns is at most", in_json(doc, in_measure(key, "self_ns", 10**15))
        yield f"^{window}: {key}: function", in_json(doc, in_measure(key, "function", "vfs_read"))
        yield f"^{window}: {key}: ns is the mean", in_json(doc, in_measure(key, "ns", lambda n: n * 1.01))
        yield f"^{window}: {key}: share", in_json(doc, in_measure(key, "cpu_ratio", lambda n: n * 1.1))
        name = check.WITNESSED[key]
        yield f"^{window}: {name}: calls that ended", in_part(window, "rest", "durations", name, "calls", more())
        yield f"^{window}: {name}: calls that ended", in_json(doc, in_probe(check.FUNCTIONS[key], "recorded", more()))
        for q in ("p50", "p90"):
            yield f"^{window}: {name}: {q} is in", in_json(doc, set_at(*histogram, q, MANY))
    yield f"^{window}: holds with and without", in_json(doc, set_at("histograms", "lock_hold_ns", "plain", "count", more()))
    yield f"^{window}: holds with a walk", in_json(doc, set_at("histograms", "lock_hold_ns", "walked", "count", more(10**6)))
    yield f"^{window}: walks under the lock", in_json(doc, set_at("histograms", "lock_hold_ns", "lower", {"count": 0, "sum": 0}))
    yield f"^{window}: sampling", in_json(doc, set_at("sampling", "every", 2))
    yield f"^{window}: quality", in_json(doc, set_at("quality", "grade", "untrusted"))
    yield f"^{window}: exit statuses", text("status " + window, r"\d+", "4")


def scale(h):
    """Twice as many events, all else consistent."""
    for b in h["buckets"]:
        b["count"] *= 2
    h["count"] *= 2
    h["sum"] *= 2


def spoil_main(kernel, sections):
    main = json.loads(sections["main.json"])
    for name in check.WITNESSED.values():
        yield f"^main: {name}: sum of durations", in_part("main", "rest", "durations", name, "ns", more(10**12))
    for d, c in check.at_depths(main).items():
        yield f"^main: depth {d}: levels", in_json("main.json", in_row(c["path"], "walk_levels", more()))
        yield f"^main: depth {d}: the walks' time", in_json("main.json", in_row_histogram(c["path"], "walk_ns", "sum", MANY))
        for key in ("charges", "hits", "misses", "walks", "walk_pages", "miss_ratio", "sock_uncharges"):
            yield f"^main: depth: {key} are", in_json("main.json", in_row(c["path"], key, more()))
        yield "^main: depth: walks that the stopwatch", in_part("main", "main", "cgroups", str(c["id"]), "walks", more())
    yield "^pairs: evictions add up", in_json("main.json", set_at("eviction_pairs", 0, "evictions", more()))
    yield "^pairs: pages add up", in_json("main.json", set_at("eviction_pairs", 0, "pages", more()))
    yield "^pairs: all of cgroups", in_json("main.json", set_at("eviction_pairs", 0, "of", 1))
    yield "^pairs: 9 cgroups", in_json("main.json", lambda d: d["eviction_pairs"].clear())
    yield "^pairs: nobody", in_json("main.json", set_at("eviction_pairs", 0, "of", main["eviction_pairs"][0]["by"]))
    yield "^pairs: /thrash/c3 evicts", in_json("main.json", in_row("/thrash/c3", "evictions", more()))
    yield "^slot lives", in_json("main.json", set_at("histograms", "slot_life_ns", "count", 0))
    yield "^stranded: pages that memory.current", in_json("main.did.about-held", set_at("current", 0))
    yield "^stranded: 33 pages", in_json("main.did.about-held", set_at("stat", "sock", 32 * check.PAGE))
    for key, where in (("stranded_pages", "pages in the stocks"), ("stranded_seen_max", "the most"),
                       ("stranded_bound_pages", "the bound is"), ("usage_bytes", "usage_bytes"), ("sock_bytes", "sock_bytes"),
                       ("limit_bytes", "limit_bytes")):
        yield f"^stranded: {where}", in_json("main.json", in_row("/held/c0", key, more(1000)))
    yield "^stranded: slots of CPU 0", in_json("main.json", set_at("cpus", 0, "slots_used", more()))
    yield "^stranded: slots of CPU 0", in_json("main.json", set_at("cpus", 0, "stranded_pages", more()))
    yield "^stranded: in one slot", in_json("main.json", lambda d: [s.update(pages=1) for c in d["cpus"] for s in c["slots"]])
    yield "^stranded: all cgroups", in_json("main.json", set_at("total", "stranded_pages", more()))
    yield "^stranded: bound of all", in_json("main.json", set_at("total", "stranded_bound_pages", more()))
    yield "^stranded: no slot above", in_json("main.json", set_at("quality", "stock_breaches", 1))
    yield "^stranded: nothing after", in_json("limit.json", in_row("/held/c0", "stranded_pages", 1))
    yield "^stranded: and only", in_json("limit.did.about-held", set_at("current", more(check.PAGE)))


def spoil_limit(kernel, sections):
    limit = json.loads(sections["limit.json"])
    hog = "/limit/c0"
    yield "^drains: drain_all_calls", in_json("limit.json", set_at("total", "drain_all_calls", more()))
    yield "^drains: drain_all_calls", text("drain_all", r"Hits: +\d+", "Hits: 5")
    yield "^drains: by initiator", in_json("limit.json", in_row("/limit/c1", "drain_all_calls", 1))
    yield "^drains: nobody beside", in_json("limit.json", in_row("/limit/c1", "drain_all_calls", 1))
    yield "^drains: each charge", in_json("limit.json", in_row(hog, "drain_all_calls", 40))
    yield "^drains: memory.high of another", in_json("limit.json", in_row("/held/c0", "drain_all_calls", 0))
    yield "^drains: pages that it drained", in_json("limit.json", in_row(hog, "drain_flush_pages", more(MANY)))
    yield "^drains: and of innocent", in_json("limit.json", in_row(hog, "drain_innocent_pages", more(MANY)))
    yield "^drains: innocent share", in_json("limit.json", in_row(hog, "drain_innocent_ratio", 0.01234))
    yield "^drains: all pages", in_json("limit.json", set_at("total", "drain_flush_pages", more(MANY)))
    yield "^drains: CPUs that", in_json("limit.json", set_at("total", "drain_all_cpus", more(1000)))
    yield "^drains: CPUs passed", in_json("limit.json", set_at("total", "drain_all_skipped", 1))
    yield "^drains: victims", in_json("limit.json", lambda d: [c.update(drained_pages=-MANY) for c in d["cgroups"]])
    yield "^drains: the callers", in_json("limit.json", set_at("drain_callers", 0, "calls", more()))
    yield "^drains: who calls it for the limit", in_json("limit.json", lambda d: [c["stack"].reverse() for c in d["drain_callers"]])
    yield "^drains: who calls it for memory.high", in_json("limit.json", lambda d: [c["stack"].reverse() for c in d["drain_callers"]])
    yield "^drains: and why", in_json("limit.json", lambda d: [c.update(why="?") for c in d["drain_callers"]])
    yield "^drains: calls that found", in_json("limit.json", set_at("drain_all_busy", None))
    yield "^limit: operations", in_json("limit.did.limit", set_at("operations", more()))
    yield "^limit: charges refused", in_json("limit.json", in_row(hog, "failed", more(31)))
    yield "^limit: of sockets", in_json("limit.json", in_row(hog, "sock_failures", more(31)))
    yield "^limit: all of them in task", in_json("limit.json", in_row(hog, "sock_failure_contexts", 0, "task"))
    yield "^limit: limit_hits are", in_json("limit.json", in_row(hog, "limit_hits", more(MANY)))
    yield "^limit: so are the walks", in_json("limit.did.about-limit0", set_at("events.local", "max", 5))
    yield "^limit: hit_limit_pages", in_json("limit.json", in_row(hog, "hit_limit_pages", more()))
    yield "^limit: hit_usage_pages", in_json("limit.json", in_row(hog, "hit_usage_pages", 513))
    yield "^limit: the others", in_json("limit.json", in_row("/limit/c2", "limit_hits", 1))
    yield "^limit: all hits", in_json("limit.json", set_at("total", "limit_hits", more()))
    yield "^above: limit_hits are", in_json("limit.json", in_row("/above", "limit_hits", more(MANY)))
    yield "^above: and none", in_json("limit.json", in_row("/above/c0", "limit_hits", 1))
    above = str(row(limit, "/above")["id"])
    yield "^above: walks that", in_part("limit", "above", "cgroups", above, "limit_hits", MANY)
    yield "^above: it hit", in_json("limit.json", in_row("/above", "limit_hits", 0))
    yield "^above: hit_limit_pages", in_json("limit.json", in_row("/above/c0", "hit_limit_pages", 1))
    yield "^above: hit_usage_pages", in_json("limit.json", in_row("/above", "hit_usage_pages", 1))
    yield "^hop: charges that ended", in_part("limit", "hop", "durations", "charge", "migrated", -1)
    yield "^hop: charges timed", in_json("limit.json", in_row_histogram("/hop/c0", "charge_ns", "count", more(10**6)))
    yield "^hop: sum", in_json("limit.json", in_row_histogram("/hop/c0", "charge_ns", "sum", 1))
    yield "^hop: sum", in_json("limit.json", in_row_histogram("/hop/c0", "charge_ns", "sum", more(10**12)))
    yield "^hop: the longest", in_json("limit.json", in_row_histogram("/hop/c0", "charge_ns", "max", 1000))
    yield "^hop: few", in_json("limit.json", in_row_histogram("/hop/c0", "charge_ns", "mean", MANY))
    pressed = str(row(limit, "/pressed/c0")["id"])
    yield "^pressure: sets that", in_part("limit", "pressed", "cgroups", pressed, "pressure_sets", 0)
    yield "^pressure: sets$", in_json("limit.json", in_row("/pressed/c0", "pressure_sets", more(1000)))
    yield "^pressure: it sets", in_json("limit.json", in_row("/pressed/c0", "pressure_setter", 1))
    yield "^pressure: time", in_json("limit.json", in_row("/pressed/c0", "pressure_ns", 5))
    yield "^pressure: of nobody", in_json("limit.json", in_row("/held/c0", "pressure_sets", 1))
    if "sock_throttled" in sections["limit.did.about-pressed0"]:
        yield "^pressure: the kernel", in_json("limit.did.about-pressed0", set_at("events", "sock_throttled", 0))


def spoil_others(kernel, windows):
    if "tcp" in windows:
        if not check.KERNELS[kernel][1]:
            yield "^nested: charges of a softirq", in_part("tcp", "nested", "durations", "charge", "nested", 0)
        yield "^nested: socket charges", in_json("tcp.json", set_at("total", "sock_charge_contexts", "softirq", 0))
        yield "^nested: /below/c0", in_json("tcp.json", in_row("/below/c0", "charge_kinds", 0, "folio"))
        yield "^nested: charges timed", in_json("tcp.json", in_row_histogram("/over/c0", "charge_ns", "count", more(10**6)))
        yield "^nested: sum", in_json("tcp.json", in_row_histogram("/below/c0", "charge_ns", "sum", more(10**12)))
    if check.KERNELS[kernel][1]:
        for window in ("main", "tcp"):
            doc = window + ".json"
            yield f"^{window}: --lock exact: holds of", in_json(doc, set_at("quality", "hold_check", "checked", 1))
            yield f"^{window}: --lock exact: lower", in_json(doc, set_at("quality", "hold_check", "differ", 1))
            yield f"^{window}: --lock exact: the histogram", in_json(doc, set_at("histograms", "lock_hold_ns", "exact", "count", 3))
            yield f"^{window}: --lock exact: walks", in_json(doc, set_at("histograms", "lock_hold_ns", "lower", "sum", 10**15))
        if check.KERNELS[kernel][0] == check.SINGLE:
            yield "^main: lock_wait_ns counts", in_json("main.json", set_at("histograms", "lock_wait_ns", "count", 0))
            yield "^tcp: lock_wait_ns has", in_json("tcp.json", set_at("histograms", "lock_wait_ns", "sum", 10**15))
        else:
            yield "^main: lock_wait_ns is null", in_json("main.json", set_at("unmeasured", "lock_wait_ns", "reason", "silent"))
    else:
        yield "^main: lock_wait_ns is null", in_json("main.json", set_at("unmeasured", "lock_wait_ns", "reason", "silent"))
    if "sample" in windows:
        yield "^sample: counts", in_json("sample.json", in_row("/known/c0", "charges", more()))
        yield "^sample: charge_ns counts", in_json("sample.json", set_at("histograms", "charge_ns", "count", 4000))
        yield "^sample: charge_ns says", in_json("sample.json", set_at("histograms", "charge_ns", "sample", 1))
        yield "^sample: walk_ns adds", in_json("sample.json", set_at("histograms", "walk_ns", "count", more()))
        yield "^sample: self_ns", in_json("sample.json", in_measure("walk_ns", "self_ns", 10**15))
        yield "^sample: functions", in_json("sample.json", in_measure("walk_ns", "calls", 1))
    if "no-time" in windows:
        yield "^no-time: counts", in_json("no-time.json", in_row("/bare/c0", "walks", more()))
        yield "^no-time: walk_ns is null", in_json("no-time.json", set_at("unmeasured", "walk_ns", "reason", "absent"))
        yield "^no-time: no hook", in_json("no-time.json", in_probe("walk_exit", "state", "attached"))
        yield "^no-time: nor", in_json("no-time.json", set_at("functions", [{}]))
        yield "^no-time: fewer", in_json("no-time.json", lambda d: [p.update(state="attached") for p in d["probes"]])
    if "depth" in windows:
        yield "^depth: each level", in_json("depth.json", lambda d: [c["walk_ns"].update(mean=300) for c in d["cgroups"]])
        yield "^depth: as much", in_json("depth.json", in_row_histogram("/deep4/d1/d2/d3/c0", "walk_ns", "mean", 100))
    if "dying" in windows:
        yield "^dying: cgroups made", in_json("dying.did.churn", set_at("removed", 1999))
        yield "^dying: so many", text("dying.did.stat", r"nr_dying_descendants \d+", "nr_dying_descendants 5")
        yield "^dying: each has", in_json("dying.json", in_row("/dying/k7", "state", "live"))
        yield "^dying: of one", in_json("dying.json", lambda d: [c.update(sock_charges=3) for c in d["cgroups"]])
        yield "^dying: nothing is", in_json("dying.json", set_at("quality", "dropped", "map_full", 1))
        yield "^dying: rows add up to the total: walks", in_json("dying.json", set_at("total", "walks", more()))
        yield "^dying: rows add up to the total: walk_ns", in_json("dying.json", set_at("histograms", "walk_ns", "count", more()))
        yield "^dying: memory", in_json("dying.peak", set_at("kib", MANY))
        yield "^dying: the strip", in_json("dying.json", set_at("timeline", 0, "charges", more()))
        yield "^dying: the longest", in_json("dying.json", set_at("timeline", -1, "end_s", more(100)))
        yield "^dying: samples", in_json("dying.json", set_at("window", "intervals", 1))


def spoils(kernel, sections):
    windows = check.KERNELS[kernel][3]
    yield "^design", in_json("main.json", set_at("stock", "design", "per-counter"))
    yield "^the stopwatch is", text("stopwatch.says", "ready", "cannot attach")
    for window in windows:
        if window in check.TIMED:
            yield from spoil_times(window)
    yield from spoil_main(kernel, sections)
    yield from spoil_limit(kernel, sections)
    yield from spoil_others(kernel, windows)
    for name in sections:
        # These are told in the diagnostics, or are there for whoever looks.
        if not re.search(r"\.(out|err|peak)$|\.did\.(about-(deep|thrash|limit$|limit[1-7]|hop)|deep|thrash|held|pressed|socket|"
                         r"sockets|above|hop|below|over|tcp|known|bare|work)", name):
            yield ".", without(name)


def main():
    return try_all(check.judge, *sys.argv[1:], spoils)


if __name__ == "__main__":
    sys.exit(main())
