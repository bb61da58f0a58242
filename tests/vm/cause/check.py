#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check.py KERNEL FILE: judges what guest.sh printed, as TAP.

Durations, evictions, drains and pressure are compared with a stopwatch that
shares nothing with memcgtop, with kprobes, and with what the kernel's own files
say. Where a number follows from what the kernel does it must be equal; a range
says what decides within it.
"""
import json
import math
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from judge import MOVED, Sections, Tap, judge as run_groups, missed, probe, read_sections, row, rows_below, runs  # noqa: E402

SINGLE, MULTI = "single-slot", "multi-slot"
KERNELS = {
    # design, real time, a slot is freed when it comes to 0 pages, windows
    "6.1": (SINGLE, False, False, ("main", "limit", "sample", "no-time", "depth")),
    "6.12": (SINGLE, False, False, ("main", "limit", "tcp")),
    "6.12-rt": (SINGLE, True, False, ("main", "limit", "tcp")),
    "6.18": (MULTI, False, False, ("main", "limit", "tcp")),
    "7.3": (MULTI, False, True, ("main", "limit", "tcp", "dying")),
    "7.3-rt": (MULTI, True, True, ("main", "limit", "tcp")),
}
TIMED = ("main", "limit", "tcp")  # windows that the stopwatch saw
SLOTS = {SINGLE: 1, MULTI: 7}
BATCH = 64
CPUS = 2
PAGE = 4096
DEPTHS = (1, 4, 16)
LOOPS = 300  # of the loads at these depths
THRASH = (9, 200)  # cgroups that take turns, rounds
REFUSED = 30  # charges above the limit
LIMIT = 512  # pages

# Keys of the histograms: events that are timed, and the hooks without which one of them is not.
CHARGE = ("charge", "charge_begin", "sock_charge", "folio_charge", "obj_charge")
EVENTS = {
    "charge_ns": (lambda t: t["charges"], CHARGE),
    "sock_charge_ns": (lambda t: t["sock_charges"],
                       ("sock_charge", "sock_charge_exit", "charge", "stat")),
    "sock_uncharge_ns": (lambda t: t["sock_uncharges"],
                         ("sock_uncharge", "sock_uncharge_exit", "refill", "refill_exit")),
    "try_walk_ns": (lambda t: t["try_walks"], ("try_walk", "try_walk_begin") + CHARGE),
    "walk_ns": (lambda t: t["walks"], ("walk", "walk_exit")),
    # A direct refill goes past the stock, and does not hold its lock.
    "lock_hold_ns": (lambda t: t["refills"] - (t["refill_outcomes"]["direct"] or 0), ("refill", "refill_exit")),
}
# Of functions[]: the key, and the hook of the function.
FUNCTIONS = {"charge_ns": "charge", "sock_charge_ns": "sock_charge", "sock_uncharge_ns": "sock_uncharge",
             "try_walk_ns": "try_walk", "walk_ns": "walk", "lock_hold_ns": "refill"}
# The same calls by the names of the stopwatch, with its programs.
WITNESSED = {"charge_ns": "charge", "try_walk_ns": "try_walk", "walk_ns": "walk", "lock_hold_ns": "refill",
             "sock_charge_ns": "sock_charge", "sock_uncharge_ns": "sock_uncharge"}
# What the programs of one of the two add to a call that the other one times: in an emulator some microseconds each, and a
# socket's call has those of six hooks in it.
PROGRAMS_NS = 40000
# The most that a task is away while others have its CPU: of a few that run there, by the scheduler's slices.
SLICE_NS = 30 * 10**6


class Run(Sections):
    def __init__(self, sections, kernel):
        super().__init__(sections, kernel)
        self.design, self.rt, self.frees_empty, self.windows = KERNELS[kernel]
        self.slots = SLOTS[self.design]
        self.reports = {w: self.json(w + ".json") for w in self.windows}
        self.parts = {w: self.read_parts(w) for w in self.windows if w in TIMED}
        self.main, self.limit = self.reports["main"], self.reports["limit"]

    def read_parts(self, window):
        """Readings of the stopwatch by the part of the window, and the whole of it."""
        names = self.sections[window + ".parts"].split()
        # The first line is what was before.
        readings = [json.loads(line) for line in self.sections[window + ".witness"].splitlines()]
        parts = {name: since(b, a) for name, a, b in zip(names, readings[:-1], readings[1:], strict=True)}
        parts["all"] = add(list(parts.values()))
        return parts

    def did(self, window, name):
        return self.json(f"{window}.did.{name}")

    def about(self, window, name):
        return self.did(window, "about-" + name)


def since(after, before):
    """What was counted between two readings; of a maximum or minimum, and of what was missed, the later reading."""
    if isinstance(after, dict):
        return {key: value if key in ("max", "walk_min", "missed") else since(value, (before or {}).get(key)) for key, value in after.items()}
    if isinstance(after, list):
        return [since(a, b) for a, b in zip(after, before)]
    return after - (before or 0)


def add(readings):
    """Sums of the readings; of a maximum the largest, of a minimum the smallest."""
    total = {}
    for key in {k for r in readings for k in r}:
        values = [r[key] for r in readings if key in r]
        if isinstance(values[0], dict):
            total[key] = add(values)
        elif isinstance(values[0], list):
            total[key] = [sum(column) for column in zip(*values)]
        else:
            total[key] = {"max": max, "walk_min": min}.get(key, sum)(values)
    return total


def octave_of(octaves, share):
    """Up to which power of two so large a share of the durations is."""
    left = share * sum(octaves)
    for i, n in enumerate(octaves):
        left -= n
        if left <= 0:
            return 1 << i
    return 1 << len(octaves)


def attached(report, hook):
    return probe(report, hook)["state"] == "attached"


def losses(report, hooks):
    """Events whose time may be lost: a hook of theirs was missed, or a mark was left behind."""
    return missed(report, *hooks) + report["quality"]["dropped"]["unmatched_exit"] + MOVED


def cgroup_of(witness, cgroup):
    none = {"walks": 0, "walk_ns": 0, "walk_min": 0, "flushes": 0, "flush_pages": 0, "limit_hits": 0, "pressure_sets": 0}
    return witness["cgroups"].get(str(cgroup), none)


def what_runs(tap, run):
    """Everything was measured, ended well, and is good enough to be judged."""
    tap.equal("the stopwatch is ready", run.sections["stopwatch.says"].strip(), "ready")
    for window, report in run.reports.items():
        tap.equal(f"{window}: exit statuses of memcgtop and of the load", (run.status(window), report["window"]["command"]["exit"]),
                  (0, 0))
        tap.ok(report["quality"]["grade"] in ("good", "fair"), f"{window}: quality is good or fair", str(report["quality"]["grade"]))
        every = {"sample": 8, "no-time": None, "dying": report["sampling"] and report["sampling"]["every"]}.get(window, 1)
        tap.equal(f"{window}: sampling", report["sampling"] and report["sampling"]["every"], every)
    tap.equal("design and PREEMPT_RT", (run.main["stock"]["design"], run.main["host"]["preempt_rt"]), (run.design, run.rt))


def bucket_below(le):
    """The exclusive lower edge of a bucket, or None if no bucket has this upper edge."""
    if le <= 4:
        return le - 1
    width = 1 << ((le - 1).bit_length() - 3)
    return le - width if le % width == 0 else None


def wrong_with(h):
    """What is not right in a histogram itself, or None."""
    edges = [b["le"] for b in h["buckets"]]
    closed = [b for b in h["buckets"] if b["le"] is not None]
    if sum(b["count"] for b in h["buckets"]) != h["count"]:
        return f"its buckets hold {sum(b['count'] for b in h['buckets'])}, not {h['count']}"
    if [e for e in edges if e is not None] != sorted({e for e in edges if e is not None}) or None in edges[:-1]:
        return f"edges {edges}"
    bad = [b["le"] for b in closed if bucket_below(b["le"]) is None or b["count"] < 0]
    if bad:
        return f"no bucket ends at {bad}"
    if not h["count"]:
        return None
    low = sum(b["count"] * (bucket_below(b["le"]) + 1) for b in closed)
    high = sum(b["count"] * min(b["le"], h["max"]) for b in closed)
    if len(closed) == len(edges) and not low <= h["sum"] <= high:
        return f"sum {h['sum']} is outside {low} to {high}, which the buckets allow"
    last = closed[-1]["le"] if edges[-1] is not None else None
    if last is not None and not bucket_below(last) < h["max"] <= last:
        return f"max {h['max']} is not in the last bucket, up to {last}"
    if not math.isclose(h["mean"], h["sum"] / h["count"], rel_tol=0.001, abs_tol=1):
        return f"mean {h['mean']} of {h['sum']} / {h['count']}"
    if not 0 <= h["p50"] <= h["p90"] <= h["p99"] <= h["max"]:
        return f"quantiles {h['p50']} {h['p90']} {h['p99']} max {h['max']}"
    return None


def histograms(tap, run, window):
    """Buckets add up to the count, the count to the events, rows to the total."""
    report = run.reports[window]
    total, found = report["total"], report["histograms"]
    wrong = {key: wrong_with(h) for key, h in found.items() if h and wrong_with(h)}
    tap.ok(not wrong and set(EVENTS) <= set(found), f"{window}: buckets add up to the count, and allow sum, max and quantiles, in each histogram",
           str(wrong or {k: found[k]["count"] for k in found if found[k]}))
    for key, (events, hooks) in EVENTS.items():
        expected, got = events(total), found[key]["count"]
        if key == "sock_charge_ns" and not attached(report, "sock_charge_exit"):
            # It ends with its booking, and what is refused is not booked.
            expected -= total["sock_failures"]
        lost = losses(report, [h for h in hooks if attached(report, h)])
        tap.ok(abs(expected - got) <= lost and got > 0, f"{window}: {key} counts what was timed, but for {lost} events that may be lost",
               f"expected {expected}, got {got}")
        rows = [c[key] for c in report["cgroups"] if c[key] and c[key]["count"]]
        tap.equal(f"{window}: {key} of the cgroups add up to the total, count and sum",
                  (sum(r["count"] for r in rows), sum(r["sum"] for r in rows)), (found[key]["count"], found[key]["sum"]))
        tap.equal(f"{window}: the largest {key} is a cgroup's", max(r["max"] for r in rows), found[key]["max"])
    hold = found["lock_hold_ns"]
    tap.equal(f"{window}: holds with and without a walk add up", tuple(hold["plain"][k] + hold["walked"][k] for k in ("count", "sum")),
              (hold["count"], hold["sum"]))
    # On a single slot an oversized uncharge that evicts walks twice in one refill.
    walked = total["walk_causes"]["overflow"] + total["walk_causes"]["evict"]
    lost = losses(report, [h for h in EVENTS["lock_hold_ns"][1] + EVENTS["walk_ns"][1]])
    tap.within(f"{window}: holds with a walk, but for {lost} events", hold["walked"]["count"] - walked, -lost, lost)
    if run.design == SINGLE and not run.rt:
        tap.equal(f"{window}: walks under the lock are not told apart, and it says so",
                  (hold["lower"], report["unmeasured"]["lock_hold_ns.lower"]["reason"]), (None, "design"))
    else:
        tap.ok(hold["lower"]["sum"] <= hold["sum"] and hold["lower"]["count"] > 0,
               f"{window}: walks under the lock take no longer than the holds", f"{hold['lower']['sum']} of {hold['sum']} ns")


def functions(tap, run, window):
    """The time table: no function spends more in itself than in all."""
    report = run.reports[window]
    table = {f["measure"]: f for f in report["functions"]}
    tap.ok(set(FUNCTIONS) <= set(table), f"{window}: functions[] has the hooked ones", str(sorted(table)))
    bad = [f for f in report["functions"] if not 0 <= f["self_ns"] <= f["ns"]]
    tap.ok(not bad, f"{window}: self_ns is at most ns, in {len(table)} functions", str(bad))
    for key, hook in FUNCTIONS.items():
        f, h = table[key], report["histograms"][key]
        tap.equal(f"{window}: {key}: function", f["function"], probe(report, hook)["function"])
        expected = h["sum"] / h["count"] * f["calls"]
        tap.ok(math.isclose(f["ns"], expected, rel_tol=0.001), f"{window}: {key}: ns is the mean of the timed calls, times all calls",
               f"expected {expected:.0f}, got {f['ns']}")
        tap.ok(math.isclose(f["cpu_ratio"], f["ns"] / 1e9 / report["window"]["duration_s"], rel_tol=0.01),
               f"{window}: {key}: share of a CPU", str(f["cpu_ratio"]))


def stopwatch(tap, run, window):
    """The stopwatch saw the same calls, and its durations are ours but for the programs' own time."""
    report, witness = run.reports[window], run.parts[window]["all"]
    tap.note(f"{window}: stopwatch {json.dumps(witness['durations'])} missed { {k: v for k, v in witness['missed'].items() if v} }")
    for key, name in WITNESSED.items():
        d, p = witness["durations"][name], probe(report, FUNCTIONS[key])
        tap.equal(f"{window}: {name}: calls that ended, with those missed, of the stopwatch and of ours",
                  d["calls"] + witness["missed"][name + "_ends"], runs(p))
        ours = report["histograms"][key]
        apart = abs(ours["count"] - d["timed"])
        for q, share in (("p50", 0.5), ("p90", 0.9)):
            # 2 % of the calls may be among those that one of the two lost.
            low, high = octave_of(d["octaves"], share - 0.02) / 2, octave_of(d["octaves"], share + 0.02)
            tap.within(f"{window}: {name}: {q} is in the stopwatch's octave, {PROGRAMS_NS} ns for the programs", ours[q],
                       low - PROGRAMS_NS, high + PROGRAMS_NS)
        if window != "main":
            # A task that is preempted in one's program is so in the other one's call: sums tell little of short calls.
            continue
        # The machine may stand still within one of them and outside of the other.
        slack = ours["count"] * PROGRAMS_NS + (apart + 2) * max(ours["max"], d["max"])
        tap.ok(abs(ours["sum"] - d["ns"]) <= slack,
               f"{window}: {name}: sum of durations, {apart} calls apart, {PROGRAMS_NS} ns a call for the programs",
               f"stopwatch {d['ns']} in {d['timed']}, got {ours['sum']} in {ours['count']}: "
               f"{(ours['sum'] - d['ns']) / max(ours['count'], 1):.0f} ns a call")


def at_depths(report):
    return {d: row(report, "/deep%d/%sc0" % (d, "".join(f"d{i}/" for i in range(1, d)))) for d in DEPTHS}


def depth(tap, run, window):
    """A deeper hierarchy makes walks longer, and changes nothing else."""
    rows = at_depths(run.reports[window])
    for d, c in rows.items():
        # The cgroup and the levels above it, the parent of the load, the root.
        tap.equal(f"{window}: depth {d}: levels of a walk", c["walk_levels"] / c["walks"], d + 2)
    for key, expected in (("charges", 2 * LOOPS), ("hits", LOOPS // 2), ("misses", 3 * LOOPS // 2), ("walks", LOOPS),
                          ("walk_pages", 96 * LOOPS), ("miss_ratio", 0.75), ("sock_uncharges", 2 * LOOPS)):
        tap.equal(f"{window}: depth: {key} are the same at each", [c[key] for c in rows.values()], [expected] * len(DEPTHS))
    mean = {d: c["walk_ns"]["mean"] for d, c in rows.items()}
    if window == "depth":
        # On a clock that counts instructions; an interrupt in one of the walks adds some hundreds to one of them.
        a_level = (mean[16] - mean[1]) / 15
        tap.within("depth: each level adds to a walk, in instructions", a_level, 5, 200)
        tap.within("depth: as much from 1 to 4 levels as from 4 to 16", (mean[4] - mean[1]) / 3, a_level / 2, a_level * 2)
        return
    seen = {d: cgroup_of(run.parts[window]["main"], c["id"]) for d, c in rows.items()}
    tap.note(f"{window}: mean walk by depth {mean}, shortest of the stopwatch {({d: c['walk_min'] for d, c in seen.items()})}")
    tap.equal(f"{window}: depth: walks that the stopwatch saw", [c["walks"] for c in seen.values()], [LOOPS] * len(DEPTHS))
    for d, c in rows.items():
        apart = abs(c["walk_ns"]["sum"] - seen[d]["walk_ns"])
        tap.within(f"{window}: depth {d}: the walks' time is the stopwatch's, but for the programs' own", apart, 0,
                   LOOPS * PROGRAMS_NS + SLICE_NS)


def thrash(tap, run):
    """Who evicts whom, and how long slots live."""
    total, n, rounds = run.main["total"], *THRASH
    pairs = run.main["eviction_pairs"]
    ids = {c["id"]: c["path"] for c in rows_below(run.main, "/thrash")}
    tap.equal("pairs: evictions add up", sum(p["evictions"] for p in pairs), total["evictions"])
    tap.equal("pairs: pages add up", sum(p["pages"] for p in pairs), total["evicted_pages"])
    known = {c["id"] for c in run.main["cgroups"]}
    tap.equal("pairs: all of cgroups that are there, or other", [p for p in pairs if not {p["by"], p["of"]} <= known | {None}], [])
    inside = sum(p["evictions"] for p in pairs if p["by"] in ids and p["of"] in ids)
    # Round robin and a single slot: every charge evicts. Each cgroup's first one may evict those of the load before.
    low = 0.15 if run.kernel == "6.18" else 0.95
    tap.within(f"pairs: {n} cgroups in turn on {run.slots} slots evict each other", inside / (n * rounds), low, 1)
    tap.equal("pairs: nobody evicts itself", [p for p in pairs if p["by"] == p["of"]], [])
    for c in rows_below(run.main, "/thrash"):
        by = sum(p["evictions"] for p in pairs if p["by"] == c["id"])
        of = sum(p["evictions"] for p in pairs if p["of"] == c["id"])
        if (by, of) != (c["evictions"], c["evicted"]):
            tap.ok(False, f"pairs: {c['path']} evicts and is evicted as its row says", f"{by} {of}")
    # A slot that is taken is drained, or was used up or flushed unseen, or still lives.
    lives = run.main["histograms"]["slot_life_ns"]["count"] + total["life_unseen"]
    taken = total["refill_outcomes"]["new_slot"] + total["refill_outcomes"]["evicted"]
    alive = sum(1 for c in run.main["cgroups"] if c["charges"]) * CPUS
    lost = losses(run.main, ("refill", "drain"))
    tap.within(f"slot lives: timed and unseen ends, of {taken} slots taken, at most {alive} alive",
               lives, taken - alive - lost, taken + lost)


def stranded(tap, run):
    """Pages that a stock holds: what the kernel charged and nobody uses."""
    about, c = run.about("main", "held"), row(run.main, "/held/c0")
    stat = about["stat"]
    used = sum(stat.get(key, 0) for key in ("anon", "file", "kernel", "sock"))
    expected = (about["current"] - used) // PAGE
    tap.within("stranded: pages that memory.current has and memory.stat has not", expected, 1, BATCH)
    tap.equal("stranded: 33 pages of a batch are in use", (stat["sock"], c["sock_charge_pages"]), (33 * PAGE, 33))
    tap.equal("stranded: pages in the stocks", c["stranded_pages"], expected)
    tap.within("stranded: the most that was seen", c["stranded_seen_max"], expected, BATCH)
    tap.equal("stranded: the bound is a batch a CPU", c["stranded_bound_pages"], CPUS * BATCH)
    tap.equal("stranded: usage_bytes is memory.current", c["usage_bytes"], about["current"])
    tap.equal("stranded: sock_bytes is memory.stat's", c["sock_bytes"], stat["sock"])
    in_slots = [s["pages"] for cpu in run.main["cpus"] for s in cpu["slots"] if s["cgroup"] == c["id"]]
    tap.equal("stranded: in one slot of one CPU", in_slots, [expected])
    for cpu in run.main["cpus"]:
        tap.equal(f"stranded: slots of CPU {cpu['cpu']}: used ones, and their pages", (cpu["slots_used"], cpu["stranded_pages"]),
                  (sum(1 for s in cpu["slots"] if s["cgroup"]), sum(s["pages"] for s in cpu["slots"])))
    tap.equal("stranded: all cgroups", run.main["total"]["stranded_pages"],
              sum(s["pages"] for cpu in run.main["cpus"] for s in cpu["slots"]))
    tap.equal("stranded: bound of all", run.main["total"]["stranded_bound_pages"], run.slots * CPUS * BATCH)
    tap.equal("stranded: no slot above the batch, none twice", run.main["quality"]["stock_breaches"], 0)
    after = row(run.limit, "/held/c0")
    tap.equal("stranded: nothing after memory.high was written", after["stranded_pages"], 0)
    tap.equal("stranded: and only what is in use is left", run.about("limit", "held")["current"] // PAGE, about["current"] // PAGE - expected)
    tap.equal("stranded: limit_bytes is memory.max", (row(run.limit, "/limit/c0")["limit_bytes"], c["limit_bytes"]), (LIMIT * PAGE, None))


def calls_by_memcg(text):
    found = [int(n) for n in re.findall(r"\{ memcg: \w+ \} hitcount: +(\d+)", text)]
    return sorted(found), int(re.search(r"Hits: (\d+)", text)[1])


def drains(tap, run):
    """drain_all_stock: who asks for it, why, whose pages it drains."""
    total, witness = run.limit["total"], run.parts["limit"]
    by_memcg, calls = calls_by_memcg(run.sections["drain_all"])
    # The kernel skips a program on a kprobe while a map is changed on its CPU, and counts that.
    lost = missed(run.limit, "drain_all")
    tap.equal("drains: drain_all_calls, with those missed, are the hits of a kprobe", total["drain_all_calls"] + lost, calls)
    ours = sorted(c["drain_all_calls"] for c in run.limit["cgroups"] if c["drain_all_calls"])
    tap.ok(len(ours) == len(by_memcg) and all(a <= b <= a + lost for a, b in zip(ours, by_memcg)),
           f"drains: by initiator, as many as by memcg but for {lost} missed", f"expected {by_memcg}, got {ours}")
    hog, others = row(run.limit, "/limit/c0"), rows_below(run.limit, "/limit")
    tap.within("drains: each charge that is refused asks once", hog["drain_all_calls"], REFUSED - lost, REFUSED)
    tap.equal("drains: nobody beside it asks", [c["path"] for c in others if c["drain_all_calls"] and c is not hog], [])
    tap.equal("drains: memory.high of another one asks once", row(run.limit, "/held/c0")["drain_all_calls"], 1)
    seen = witness["limit"]["cgroups"]
    pages = sum(c["flush_pages"] for c in seen.values())
    mine = cgroup_of(witness["limit"], hog["id"])["flush_pages"]
    # Of a walk or a whole flush that one of the two missed.
    missed_there = witness["all"]["missed"]
    unseen = BATCH * (missed(run.limit, "walk") + missed_there["walk_begins"] +
                      run.slots * (missed(run.limit, "flush") + missed_there["flush_begins"] + missed_there["flush_ends"]))
    tap.within(f"drains: pages that it drained, as the stopwatch saw them, but for {unseen}", hog["drain_flush_pages"], pages - unseen, pages + unseen)
    tap.within(f"drains: and of innocent cgroups, but for {unseen}", hog["drain_innocent_pages"], pages - mine - unseen, pages - mine + unseen)
    tap.ok(math.isclose(hog["drain_innocent_ratio"] or 0, hog["drain_innocent_pages"] / hog["drain_flush_pages"], rel_tol=0.001, abs_tol=1e-6),
           "drains: innocent share", f"{hog['drain_innocent_ratio']}")
    if run.slots > 1:
        # They share its CPUs' slots: a drain takes the others' with its own.
        tap.within("drains: seven neighbours lose more than it does", hog["drain_innocent_ratio"], 0.5, 1)
    everything = sum(c["flush_pages"] for c in witness["all"]["cgroups"].values())
    tap.within(f"drains: all pages that were drained, but for {unseen}", total["drain_flush_pages"], everything - unseen, everything + unseen)
    # Only CPUs that hold pages for the initiator are: with a single slot others may have it.
    lost = missed(run.limit, "flush") + witness["all"]["missed"]["flush_ends"]
    tap.within(f"drains: CPUs that were flushed, as the stopwatch saw it, but for {lost} missed", total["drain_all_cpus"],
               max(witness["all"]["durations"]["flush"]["calls"] - lost, 1), witness["all"]["durations"]["flush"]["calls"] + lost)
    tap.equal("drains: CPUs passed over", total["drain_all_skipped"], 0)
    victims = {c["id"]: c["drained_pages"] for c in others if c["drain_causes"]["flush"]}
    expected = {int(i): c["flush_pages"] for i, c in seen.items() if c["flush_pages"] and int(i) in victims}
    tap.ok(bool(expected) and all(victims[i] >= n - unseen for i, n in expected.items()), "drains: victims are charged with what they lost",
           f"stopwatch {expected}, got {victims}")
    callers = run.limit["drain_callers"]
    tap.equal("drains: the callers' calls add up", sum(c["calls"] for c in callers), total["drain_all_calls"])
    by = {c["cgroup"]: c for c in callers if c["cgroup"] in (hog["id"], row(run.limit, "/held/c0")["id"])}
    tap.equal("drains: who calls it for the limit", (by[hog["id"]]["calls"], by[hog["id"]]["stack"][0]),
              (hog["drain_all_calls"], "try_charge_memcg"))
    held = by[row(run.limit, "/held/c0")["id"]]
    tap.equal("drains: who calls it for memory.high", (held["calls"], held["stack"][0]), (1, "memory_high_write"))
    tap.ok(by[hog["id"]]["why"] != held["why"], "drains: and why", f"{by[hog['id']]['why']}; {held['why']}")
    tap.within("drains: calls that found another one under way", run.limit["drain_all_busy"],
               witness["all"]["drains_busy"], witness["all"]["drains_busy"] + witness["all"]["missed"]["drain_all_tried"])


def limits(tap, run):
    """A cgroup at its limit, and one whose parent is at its."""
    witness = run.parts["limit"]
    did, hog = run.did("limit", "limit"), row(run.limit, "/limit/c0")
    about = run.about("limit", "limit0")
    lost = losses(run.limit, [h for h in CHARGE if attached(run.limit, h)]) - run.limit["quality"]["dropped"]["unmatched_exit"]
    tap.equal("limit: operations", did["operations"], REFUSED)
    tap.within(f"limit: charges refused, but for {lost} events", hog["failed"], REFUSED - lost, REFUSED)
    tap.within(f"limit: of sockets, but for {lost} events", hog["sock_failures"], max(REFUSED - lost, 1), REFUSED)
    tap.equal("limit: all of them in task context", hog["sock_failure_contexts"]["task"], hog["sock_failures"])
    # More than a batch is asked for, so that each walk that fails is an event of memory.events.
    events, lost = about["events.local"]["max"], missed(run.limit, "try_walk") + witness["all"]["missed"]["try_walk_fails"]
    tap.within(f"limit: limit_hits are memory.events max, but for {lost} missed", hog["limit_hits"], events - lost, events)
    tap.within(f"limit: so are the walks that the stopwatch saw fail, but for {lost}", cgroup_of(witness["limit"], hog["id"])["limit_hits"],
               events - lost, events)
    tap.equal("limit: hit_limit_pages is memory.max", hog["hit_limit_pages"], LIMIT)
    tap.within("limit: hit_usage_pages", hog["hit_usage_pages"], 0, LIMIT)
    tap.equal("limit: the others hit nothing", [c["path"] for c in rows_below(run.limit, "/limit") if c["limit_hits"] and c is not hog], [])
    above, below = row(run.limit, "/above"), row(run.limit, "/above/c0")
    about, about0 = run.about("limit", "above"), run.about("limit", "above0")
    # A batch is tried first; only the walk that fails for what is needed is an event, and a hit.
    events = about["events.local"]["max"]
    tap.within(f"above: limit_hits are the events of the parent, but for {lost} missed", above["limit_hits"], events - lost, events + lost)
    tap.equal("above: and none of the child", (below["limit_hits"], about0["events.local"]["max"]), (0, 0))
    tap.within("above: walks that the stopwatch saw fail: these, and the batches", cgroup_of(witness["above"], about["id"])["limit_hits"],
               above["limit_hits"] - lost, above["limit_hits"] + below["misses"] + lost)
    tap.within("above: it hit its limit", above["limit_hits"], 1, 10**9)
    tap.equal("above: hit_limit_pages is the parent's memory.max", (above["hit_limit_pages"], below["hit_limit_pages"]), (LIMIT, None))
    tap.within("above: hit_usage_pages, near it", above["hit_usage_pages"], LIMIT - BATCH, LIMIT)
    hit = sum(c["limit_hits"] for c in run.limit["cgroups"])
    tap.equal("limit: all hits", run.limit["total"]["limit_hits"], hit)


def hop(tap, run):
    """Charges that sleep in reclaim and migrate have their own durations."""
    d, c = run.parts["limit"]["hop"]["durations"]["charge"], row(run.limit, "/hop/c0")
    ours = c["charge_ns"]
    tap.within("hop: charges that ended on another CPU", d["migrated"], 10, d["timed"])
    lost = losses(run.limit, CHARGE[:1] + tuple(h for h in CHARGE[1:] if attached(run.limit, h)))
    missed_there = run.parts["limit"]["hop"]["missed"]
    tap.within(f"hop: charges timed by both, but for {lost} events", ours["count"] - d["timed"],
               -lost, lost + d["unmatched"] + missed_there["charge_ends"])
    # Reclaim takes nearly all of it: what the programs add is little, but for one that is preempted for a time slice or two.
    tap.within("hop: sum of the charges' durations, of the stopwatch's", ours["sum"] / d["ns"], 0.9,
               1.1 + (ours["count"] * PROGRAMS_NS + 10 * SLICE_NS) / d["ns"])
    # Either may be preempted while the other's time does not run: neither is inside the other.
    tap.within("hop: the longest charge, near the stopwatch's", ours["max"],
               max(0.9 * d["max"] - 2 * SLICE_NS, d["ns"] / d["timed"]), 1.1 * d["max"] + 2 * SLICE_NS)
    tap.ok(ours["mean"] * 10 < ours["max"], "hop: few of them are long", f"mean {ours['mean']} max {ours['max']}")


def pressure(tap, run):
    """Reclaim in vain is socket pressure, and whose."""
    about, c = run.about("limit", "pressed0"), row(run.limit, "/pressed/c0")
    seen = cgroup_of(run.parts["limit"]["pressed"], about["id"])["pressure_sets"]
    tap.within("pressure: sets that the stopwatch saw", seen, 1, 10**6)
    # Two in one tick set the same value: the second changes nothing.
    tap.within("pressure: sets", c["pressure_sets"], (seen + 1) // 2, seen + 2)
    tap.equal("pressure: it sets its own", c["pressure_setter"], about["id"])
    # A set holds for a second, or to the end of the window.
    tap.within("pressure: time under it", c["pressure_ns"], 10**9, run.limit["window"]["duration_s"] * 1e9)
    others = [r["path"] for r in run.limit["cgroups"] if r["pressure_sets"] and not cgroup_of(run.parts["limit"]["all"], r["id"])["pressure_sets"]]
    tap.equal("pressure: of nobody whom the stopwatch did not see", others, [])
    throttled = about["events"].get("sock_throttled")
    if throttled is None:
        tap.note("this kernel does not count sock_throttled")
    else:
        tap.within("pressure: the kernel throttled its sockets", throttled, 1, 10**9)


def nested(tap, run):
    """Interrupts inside a charge, softirq charges inside it, softirqs that interleave."""
    d = run.parts["tcp"]["nested"]["durations"]["charge"]
    if run.rt:
        # Softirqs run in tasks: they interleave.
        tap.note(f"nested: {d['nested']} charges of a softirq")
    else:
        tap.within("nested: charges of a softirq inside a task's charge", d["nested"], 3, d["calls"])
    contexts = run.reports["tcp"]["total"]["sock_charge_contexts"]
    tap.ok(contexts["softirq"] > 100 and contexts["task"] > 100, "nested: socket charges in task context and in softirq", str(contexts))
    for path, part, of in (("/below/c0", "nested", "folio"), ("/over/c0", "nested", "sock")):
        c = row(run.reports["tcp"], path)
        tap.ok(c["charge_kinds"][of] > 100, f"nested: {path} is charged for {of}", str(c["charge_kinds"]))
    both = [row(run.reports["tcp"], p)["charge_ns"] for p in ("/below/c0", "/over/c0")]
    count, total, most = sum(c["count"] for c in both), sum(c["sum"] for c in both), max(c["max"] for c in both)
    apart = abs(count - d["timed"])
    lost = losses(run.reports["tcp"], [h for h in CHARGE if attached(run.reports["tcp"], h)])
    tap.within(f"nested: charges timed by both, but for {lost} events", apart, 0,
               lost + d["unmatched"] + run.parts["tcp"]["nested"]["missed"]["charge_ends"] + 50)
    # Long enough for sums: of 500 pages a mapping, most charges are folios'.
    slack = count * PROGRAMS_NS + apart * max(most, d["max"]) + d["ns"] // 2
    tap.within(f"nested: sum of durations, {apart} calls apart", total - d["ns"], -slack, slack)


def exact(tap, run):
    """--lock exact: hold by hold the exact time is between the bounds."""
    for window in ("main", "tcp"):
        report = run.reports[window]
        check, hold = report["quality"]["hold_check"], report["histograms"]["lock_hold_ns"]
        tap.within(f"{window}: --lock exact: holds of which both bounds and the exact time are known", check["checked"],
                   hold["count"] // 2, hold["count"])
        tap.equal(f"{window}: --lock exact: lower <= exact <= upper, hold by hold", check["differ"], 0)
        h = hold["exact"]
        tap.ok(wrong_with(h) is None and h["count"] > 0, f"{window}: --lock exact: the histogram adds up", str(wrong_with(h) or h["count"]))
        tap.ok(hold["lower"]["sum"] <= h["sum"], f"{window}: --lock exact: walks under the lock are inside the holds", f"{hold['lower']['sum']} of {h['sum']}")
        wait, waited = report["histograms"].get("lock_wait_ns"), run.parts[window]["all"]["durations"]["lock_wait"]
        if run.design == SINGLE:
            # Every rt_spin_lock of the stock's is timed, and those that contend are a part.
            tap.ok(wait["count"] >= waited["calls"] and wrong_with(wait) is None, f"{window}: lock_wait_ns counts the waits",
                   f"{wait['count']}, of which contended {waited['calls']}")
            # A wait that ends is told before it is timed, on another hook: some of it may be outside.
            tap.within(f"{window}: lock_wait_ns has the contended waits in it", wait["sum"], waited["ns"] * 0.9,
                       waited["ns"] * 1.1 + wait["count"] * PROGRAMS_NS)
        elif wait is None or not wait["count"]:
            tap.ok(report["unmeasured"]["lock_wait_ns"]["reason"] in ("no_events", "design"),
                   f"{window}: lock_wait_ns is null, and says why", str(report["unmeasured"].get("lock_wait_ns")))
        else:
            # Only a flush takes the lock and waits for it.
            tap.within(f"{window}: lock_wait_ns has only flushes", wait["count"], 1, run.parts[window]["all"]["durations"]["flush"]["calls"])


def inexact(tap, run):
    for window in run.windows:
        if "lock_wait_ns" not in run.reports[window]["unmeasured"]:
            tap.ok(False, f"{window}: lock_wait_ns is null", "it is not in unmeasured")
            continue
        tap.equal(f"{window}: lock_wait_ns is null, and says why", run.reports[window]["unmeasured"]["lock_wait_ns"]["reason"], "not_rt")


def sample(tap, run):
    """--sample 1/8: one in eight is timed, and everything counted."""
    report = run.reports["sample"]
    total, c = report["total"], row(report, "/known/c0")
    tap.equal("sample: counts are complete", (c["charges"], c["misses"], c["walks"]), (4000, 3000, 2000))
    for key in ("charge_ns", "sock_charge_ns", "sock_uncharge_ns", "walk_ns"):
        n, h = EVENTS[key][0](total), report["histograms"][key]
        # Each is chosen with probability 1/8: six standard deviations. Walks go with their uncharge.
        six = 6 * math.sqrt(n / 8 * 7 / 8)
        tap.within(f"sample: {key} counts an eighth of {n}, by chance", h["count"], math.ceil(n / 8 - six), n / 8 + six)
        tap.equal(f"sample: {key} says so", h["sample"], 8)
        tap.ok(wrong_with(h) is None, f"sample: {key} adds up", str(wrong_with(h)))
    bad = [f for f in report["functions"] if not 0 <= f["self_ns"] <= f["ns"]]
    tap.ok(not bad, "sample: self_ns is at most ns", str(bad))
    calls = {f["measure"]: f["calls"] for f in report["functions"]}
    tap.equal("sample: functions[] has all calls", (calls["charge_ns"], calls["walk_ns"]), (total["charges"], total["walks"]))


def no_time(tap, run):
    """--no-time: nothing is timed, and says so; no hook is there for it."""
    report = run.reports["no-time"]
    c = row(report, "/bare/c0")
    tap.equal("no-time: counts are there", (c["charges"], c["misses"], c["walks"]), (400, 300, 200))
    for key in EVENTS:
        tap.equal(f"no-time: {key} is null, as it was not asked for", (report["histograms"].get(key), report["unmeasured"][key]["reason"]),
                  (None, "not_asked"))
    hooks = ("charge_begin", "try_walk_begin", "refill_exit", "sock_uncharge_exit", "walk_exit", "sock_charge_exit", "lock_try")
    tap.equal("no-time: no hook of times is attached", [h for h in hooks if attached(report, h)], [])
    tap.equal("no-time: nor has it a time table", report["functions"], [])
    with_time = sum(p["state"] == "attached" for p in run.main["probes"])
    tap.ok(sum(p["state"] == "attached" for p in report["probes"]) < with_time, "no-time: fewer hooks", f"of {with_time}")


def dying(tap, run):
    """Two thousand cgroups that were charged and removed, and stay dying."""
    report = run.reports["dying"]
    did, peak = run.did("dying", "churn"), run.json("dying.peak")
    total = report["total"]
    stat = dict(line.split() for line in run.sections["dying.did.stat"].splitlines())
    tap.equal("dying: cgroups made and removed, and held by their sockets", (did["made"], did["removed"], did["held"]), (2000, 2000, 2000))
    tap.within("dying: so many are dying for the kernel", int(stat["nr_dying_descendants"]), 2000, 2100)
    gone = [c for c in rows_below(report, "/dying") if c["state"] == "deleted"]
    tap.equal("dying: each has its row, as deleted", len(gone), 2000)
    lost = missed(report, "sock_charge", "charge")
    odd = [(c["sock_charges"], c["sock_charge_pages"]) for c in gone if (c["sock_charges"], c["sock_charge_pages"]) != (1, 1)]
    tap.ok(len(odd) <= lost, f"dying: of one socket charge of a page, but for {lost} events missed", str(odd[:10]))
    tap.equal("dying: nothing is dropped", report["quality"]["dropped"]["map_full"], 0)
    for key in ("charges", "sock_charges", "misses", "refills", "walks", "drains", "evictions", "evicted", "sock_uncharges"):
        tap.equal(f"dying: rows add up to the total: {key}", sum(c[key] for c in report["cgroups"]), total[key])
    for key in EVENTS:
        rows = [c[key] for c in report["cgroups"] if c[key]]
        tap.equal(f"dying: rows add up to the total: {key}", sum(r["count"] for r in rows), report["histograms"][key]["count"])
    # Of a row there are at most two samples and its remains, each of 2 KiB: 8 KiB are enough. Its programs need the rest.
    few = run.json("main.peak")["kib"]
    tap.within("dying: memory of the process, KiB: as with few cgroups, and 8 for each", peak["kib"], 1, few + 8 * len(report["cgroups"]))
    strip = report["timeline"]
    tap.equal("dying: the strip adds up to the total", (sum(t["charges"] for t in strip), sum(t["misses"] for t in strip)),
              (total["charges"], total["misses"]))
    # One sample a second was asked for. What one took is put off 19 times as long. Of the machine's time it is 0.2 s, and
    # up to five times that on an emulated one that is shared with another guest: above 2 s it would be no longer bounded.
    gaps = [b["end_s"] - a["end_s"] for a, b in zip([{"end_s": 0}] + strip, strip)]
    tap.within("dying: the longest time between two samples, s", max(gaps), 0.5, 1 + 19 * 2)
    tap.within("dying: samples in between", report["window"]["intervals"], 3, math.ceil(report["window"]["duration_s"]) + 1)


def groups_of(kernel):
    _, rt, _, windows = KERNELS[kernel]
    groups = [what_runs]
    for window in windows:
        if window not in TIMED:
            continue
        groups += [lambda t, r, w=window: histograms(t, r, w), lambda t, r, w=window: functions(t, r, w),
                   lambda t, r, w=window: stopwatch(t, r, w)]
    groups += [lambda t, r: depth(t, r, "main"), thrash, stranded, drains, limits, hop, pressure, exact if rt else inexact]
    groups += [group for window, group in (("tcp", nested), ("sample", sample), ("no-time", no_time), ("dying", dying),
                                             ("depth", lambda t, r: depth(t, r, "depth"))) if window in windows]
    return groups


def judge(kernel, sections):
    says = [name for name in sections if name.endswith(".err")]
    return run_groups(Tap(kernel), sections, lambda: Run(sections, kernel), groups_of(kernel), says)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KERNELS:
        print(f"usage: check.py KERNEL FILE; KERNEL is one of {', '.join(KERNELS)}", file=sys.stderr)
        return 2
    return judge(sys.argv[1], read_sections(sys.argv[2]))


if __name__ == "__main__":
    sys.exit(main())
