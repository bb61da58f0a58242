#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check.py KERNEL FILE: judges what guest.sh printed, as TAP.

Each line gives what was expected and what was got. A measurement that is not
there is a failure. Where a number follows from what the kernel does it must be
equal; a range stands only where chance decides, and says so.
"""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from judge import MOVED, Sections, Tap, judge as run_groups, lost_acts, missed, probe, read_sections, row, rows_below, runs  # noqa: E402

KERNELS = {
    # design, real time, victims, how the lock is seen, a slot is freed when it comes to 0 pages
    "6.1": ("single-slot", False, None, None, False),
    "6.12": ("single-slot", False, None, None, False),
    "6.12-rt": ("single-slot", True, None, "owner", False),
    "6.18": ("multi-slot", False, "random", "byte", False),
    "7.3": ("multi-slot", False, "round_robin", "byte", True),
    "7.3-rt": ("multi-slot", True, "round_robin", "owner", True),
}
SLOTS = 7
BATCH = 64
LOOPS = 1000  # of the prepared workloads "known" and "once"
ROUNDS = 300  # of the cliff
PER_SOFTIRQ = 10  # charges of one softirq, at most: it ends after a few packets of these loads

# Functions that also the root cgroup's own memory passes, so that the tool itself and the exec of CMD add
# a few calls between the window's ends and the readings. The rest must be equal in the report as well.
ROOT_TOO = {"folio_charge", "folio_uncharge", "stat"}
# The most of these: the exec of CMD and the end of the process that read.
ROOT_SLACK = 200
# The loads reach all hooks but this: a charge is forced only where the kernel would first call its OOM killer, whose report
# the lab takes for a fault.
NOT_REACHED = {"force", "drain_all", "pressure"}
# What stands at the end of a window, or is of a cgroup and all below it: nothing adds up.
GAUGES = ("usage_", "stranded_", "limit_bytes", "sock_bytes", "pressure_")


class Run(Sections):
    """What the guest printed."""

    def __init__(self, sections, kernel):
        super().__init__(sections, kernel)
        self.design, self.rt, self.victims, self.lock, self.frees_empty = KERNELS[kernel]
        self.main = self.json("main.json")
        self.before, self.after = self.json("before.json"), self.json("after.json")


def parts(scope, key):
    return sum(v or 0 for v in scope[key].values())


def what_runs(tap, run):
    """The kernel is the one that was meant, and everything ended well."""
    for name in ("main", "rows", "churn", "idle", "idle-text"):
        tap.equal(f"memcgtop's exit status, run {name}", run.status(name), 0)
    tap.equal("exit status of the load", run.main["window"]["command"]["exit"], 0)
    stock = run.main["stock"]
    tap.equal("design", stock["design"], run.design)
    tap.equal("PREEMPT_RT", run.main["host"]["preempt_rt"], run.rt)
    # Both are measured when a run starts, which on an emulated machine that is busy may come to nothing once.
    runs_of = [run.main, run.json("rows.json"), run.json("churn.json")]
    measured = [r["host"]["contexts_measured"] for r in runs_of]
    tap.ok(any(measured), "bits of the preempt count, measured", str(measured))
    costs = [r["overhead"]["ns_per_event"] for r in runs_of]
    tap.ok(any(c and c > 0 for c in costs), "cost of an event, calibrated", str(costs))
    tap.equal("batch, observed", (stock["batch"], stock["batch_source"]), (BATCH, "observed"))
    if run.design == "multi-slot":
        tap.equal("slots and victims", (stock["slots"], stock["victims"]), (SLOTS, run.victims))
    tap.equal("overflow empties the slot", stock["overflow"], "emptied")


def exactness(tap, run):
    """1. What the programs ran and missed is what kprobes on the same functions hit and missed."""
    before, after = run.before, run.after
    for p in run.main["probes"]:
        hook, name = p["hook"], p["function"]
        if p["state"] != "attached":
            continue
        # The tracepoint sits in this function, on 7.1 and 7.2 in the inner one.
        if p["method"] == "tp_btf" and "__mod_memcg_state" in after["kprobes"]:
            name = "__mod_memcg_state"
        name = name.replace(".", "_")
        if name not in after["kprobes"] or hook not in after["programs"]:
            tap.ok(False, f"{hook}: {name} is counted by a kprobe and by the program", "one of them is not there")
            continue
        hits = sum(after["kprobes"][name]) - sum(before["kprobes"].get(name, [0, 0]))
        ran = sum(after["programs"][hook]) - sum(before["programs"][hook])
        lost = after["programs"][hook][1] - before["programs"][hook][1]
        tap.ok(ran == hits and (hits > 0 or hook in NOT_REACHED),
               f"{hook}: {p['method']} {name} recorded + missed = hits + missed of the kprobe",
               f"expected {hits}, got {ran} ({ran - lost} + {lost})")
        if hook in ROOT_TOO:
            tap.within(f"{hook}: the report's recorded + missed, less what the root cgroup did at the window's ends",
                       runs(p) - ran, 0, ROOT_SLACK)
        else:
            tap.equal(f"{hook}: the report's recorded + missed", runs(p), hits)


def first_bad(scopes, left, right):
    bad = [(name, left(s), right(s)) for name, s in scopes if left(s) != right(s)]
    return bad[0] if bad else None


def sums(tap, run, name):
    """2. Parts add up to wholes, rows and CPUs to the total, and the total to what the programs ran."""
    report = run.json(name + ".json")
    total = report["total"]
    by_row = [(c["path"] or "other", c) for c in report["cgroups"]]
    by_cpu = [(f"cpu {c['cpu']}", c) for c in report["cpus"]]
    scopes = [("total", total)] + by_row + by_cpu
    tap.equal(f"{name}: there is one row `other`, and both CPUs",
              (sum(c["state"] == "other" for c in report["cgroups"]), len(by_cpu)), (1, 2))

    def rule(text, where, left, right):
        bad = first_bad(where, left, right)
        tap.ok(bad is None and left(total) > 0, f"{name}: {text}, in {len(where)} scopes",
               f"{bad[0]}: {bad[1]} and {bad[2]}" if bad else f"total {left(total)} and {right(total)}")

    # A lost charge with a miss leaves its row one miss too many; nothing but a lost event may.
    lost = missed(report, "charge", "try_walk")
    over = sum(c["hits"] + c["misses"] - c["charges"] for _, c in by_row)
    tap.ok(0 <= over <= lost, f"{name}: hits + misses = charges in rows, but for lost events",
           f"expected 0 to {lost}, got {over} over {len(by_row)} rows")
    for whole, split, where in (
            ("charges", "charge_kinds", scopes), ("uncharges", "uncharge_kinds", scopes),
            ("misses", "miss_kinds", scopes), ("refills", "refill_outcomes", scopes), ("walks", "walk_causes", scopes),
            ("drains", "drain_causes", scopes), ("sock_charges", "sock_charge_contexts", scopes)):
        rule(f"{split} add up to {whole}", where, lambda s, w=whole: s[w], lambda s, p=split: parts(s, p))
    # Users are of the memcg that acts, walks of the one whose pages move.
    rule("walk_users add up to walks", [("total", total)] + by_cpu, lambda s: s["walks"], lambda s: parts(s, "walk_users"))
    # Misses and their reasons are counted by two programs, so a lost event may part them.
    over = sum(abs(parts(c, "miss_reasons") - c["misses"]) for _, c in by_row)
    tap.ok(over <= lost, f"{name}: miss_reasons add up to misses in rows, but for lost events",
           f"expected at most {lost}, got {over}")
    tap.within(f"{name}: misses without a reason", total["miss_reasons"]["unknown"], 0, lost)

    for where, kind in ((by_row, "rows incl. other"), (by_cpu, "CPUs")):
        bad = []
        keys = [k for k, v in total.items() if isinstance(v, int) and not k.startswith(GAUGES)]
        for key in keys:
            if key not in ("hits",) and sum(s[key] for _, s in where) != total[key]:
                bad.append((key, total[key], sum(s[key] for _, s in where)))
        tap.ok(len(keys) > 20 and not bad, f"{name}: {kind} add up to total, {len(keys)} measures",
               f"{bad[0]}" if bad else f"charges {total['charges']}")

    ran = {p["hook"]: p["recorded"] for p in report["probes"]}
    for key, hook in (("charges", "charge"), ("refills", "refill"),
                      ("sock_uncharges", "sock_uncharge"), ("try_walks", "try_walk"), ("walks", "walk")):
        # No swap and no hugetlb in the guest: all page counters are of memory.
        tap.equal(f"{name}: {key} are the runs of the program {hook}", total[key], ran[hook])
    # A socket charge is announced at its start and counted at its end.
    lost = missed(report, "charge") + lost_acts(report)
    tap.within(f"{name}: sock_charges are the runs of the program sock_charge, {lost} ends lost",
               total["sock_charges"], ran["sock_charge"] - lost, ran["sock_charge"])
    lost = missed(report, "sock_charge", "sock_uncharge", "stat", "charge") + lost_acts(report)
    moved = total["sock_charges"] - total["sock_failures"] + total["sock_uncharges"]
    tap.within(f"{name}: one sock_stat_updates for each socket charge and uncharge, {lost} events lost",
               total["sock_stat_updates"] - moved, -lost, lost)
    dropped = report["quality"]["dropped"]
    tap.equal(f"{name}: nothing dropped but for want of rows",
              (dropped["insert_failed"], dropped["unknown_counter"]), (0, 0))
    tap.within(f"{name}: unmatched are no more than the events lost", dropped["unmatched_exit"],
               0, sum(p["missed"] or 0 for p in report["probes"]) + MOVED)


def agreement(tap, run):
    """3. Two derivations of a hit, of the slots at entry and of the walk, agree."""
    a = run.main["quality"]["agreement"]
    tap.within("--verify: agreement", a["ratio"], 0.99, 1)
    tap.within("--verify: checked charges", a["checked"], 1000, run.main["total"]["charges"])
    # A charge that is preempted by another one of its CPU loses its note of the slots: those few are not checked.
    lost = 2 * missed(run.main, "check", "charge") + run.main["total"]["charges"] // 100
    tap.within("--verify: every charge is checked, but for lost events and 1 % preempted",
               run.main["total"]["charges"] - a["checked"], 0, lost)


def histogram(text):
    found = {}
    for m in re.finditer(r"\{ counter: +(\S+), nr: +(\d+) \} hitcount: +(\d+)", text):
        found[m[1], int(m[2])] = int(m[3])
    dropped = re.search(r"Dropped: (\d+)", text)
    return found, dropped and int(dropped[1])


def sizes_of(run, which):
    """Calls by counter and pages between the two readings around "known", of the counter with the most."""
    (old, _), (new, dropped) = histogram(run.sections[which + ".before"]), histogram(run.sections[which + ".after"])
    grown = {k: n - old.get(k, 0) for k, n in new.items() if n != old.get(k, 0)}
    most = max(grown, key=grown.get)[0]
    return most, {nr: n for (counter, nr), n in grown.items() if counter == most}, dropped


def known(tap, run):
    """4. Two sockets of 33 pages: of two loops of four, three charges miss and two uncharges overflow, with 95 and 97 pages."""
    c = row(run.main, "/known/c0")
    did = run.json("known.json")
    tap.equal("known: the load", (did["charges"], did["uncharges"], did["charge_pages"]), (2 * LOOPS, 2 * LOOPS, 66 * LOOPS))
    half = LOOPS // 2
    for key, expected in (
            ("charges", 2 * LOOPS), ("charge_pages", 66 * LOOPS), ("sock_charges", 2 * LOOPS), ("misses", 3 * half),
            ("hits", half), ("walks", LOOPS), ("walk_pages", 96 * LOOPS), ("drains", LOOPS), ("try_walks", 3 * half),
            ("sock_uncharges", 2 * LOOPS), ("sock_uncharge_pages", 66 * LOOPS), ("uncharges", 2 * LOOPS),
            ("refills", 2 * LOOPS + 3 * half), ("surplus_refills", 3 * half), ("sock_stat_updates", 4 * LOOPS),
            ("failed", 0), ("forced", 0),
            # The cgroup, its parent and the root.
            ("walk_levels", 3 * LOOPS),
            # A slot that a hit empties is freed on 7.3: what follows is `absent`; older kernels keep it: `short`.
            ("miss_reasons.absent", 2 * half if run.frees_empty else half),
            ("miss_reasons.short", half if run.frees_empty else 2 * half),
            ("refill_outcomes.overflow", LOOPS),
            ("refill_outcomes.merged", 2 * half if run.frees_empty else 3 * half),
            ("walk_causes.overflow", LOOPS), ("walk_users.sock", LOOPS), ("sock_charge_contexts.task", 2 * LOOPS),
            ("miss_kinds.sock", 3 * half)):
        whole, _, part = key.partition(".")
        tap.equal(f"known: {key}", c[whole][part] if part else c[whole], expected)
    # Others may have all slots at the start: then the first new slot is taken from one of them.
    tap.within("known: evictions", c["evictions"], 0, 1)
    tap.equal("known: refills into a slot that is new", c["refill_outcomes"]["new_slot"] + c["refill_outcomes"]["evicted"],
              3 * half if run.frees_empty else 2 * half)
    counter, sizes, dropped = sizes_of(run, "uncharged")
    tap.equal("known: a histogram of page_counter_uncharge says the same", (sizes, dropped), ({95: half, 97: half}, 0))
    charged, sizes, dropped = sizes_of(run, "charged")
    tap.equal("known: a histogram of page_counter_try_charge says the same", (sizes, dropped, charged == counter),
              ({BATCH: 3 * half}, 0, True))
    c = row(run.main, "/once/c0")
    tap.equal("once: charges", c["charges"], LOOPS)
    tap.within("once: 33 pages to and fro miss at most at the start", c["misses"], 0, 1)
    tap.within("once: walks", c["walks"], 0, 1)


def cliff(tap, run):
    """5. Cgroups that take turns on one CPU evict each other once they are more than its slots."""
    slots = SLOTS if run.design == "multi-slot" else 1
    for n in (1, 6, 7, 8) if slots == SLOTS else (1, 2):
        rows = rows_below(run.main, f"/cliff{n}")
        charges, evictions = (sum(c[k] for c in rows) for k in ("charges", "evictions"))
        tap.equal(f"cliff: {n} cgroups, charges", (len(rows), charges), (n, n * ROUNDS))
        text = f"cliff: {n} cgroups on {slots} slots, evictions"
        if n > slots and run.victims == "random":
            tap.within(text + " per charge (by chance)", evictions / charges, 0.15, 0.35)
        elif n > slots:
            tap.within(text + " per charge", evictions / charges, 0.95, 1)
        else:
            # They take the slots over from the load before; random victims may hit one of them again.
            tap.within(text, evictions, 0, 6 * n if run.victims == "random" else n)


def lock(tap, run):
    """6. Drains are made under the lock of the stock, and nothing else is."""
    total = run.main["total"]
    if not run.lock:
        for key in ("walks_under_lock", "walks_beside_lock"):
            tap.equal(f"lock: {key} is null, by design", (total[key], run.main["unmeasured"][key]["reason"]),
                      (None, "design"))
    else:
        causes = total["walk_causes"]
        drains = causes["overflow"] + causes["evict"] + causes["flush"]
        # A CPU that goes gives its kernel objects back through the stock of another, under that one's lock.
        tap.within("lock: walks_under_lock = overflow + evict + flush, and perhaps hotplug", total["walks_under_lock"],
                   drains, drains + causes["hotplug"])
        rows = [c for c in run.main["cgroups"] if not (c["walk_causes"]["flush"] or c["walk_causes"]["hotplug"])]
        bad = [c["path"] for c in rows
               if c["walks_under_lock"] != c["walk_causes"]["overflow"] + c["walk_causes"]["evict"]]
        tap.ok(not bad and any(c["walks_under_lock"] for c in rows),
               f"lock: walks_under_lock = overflow + evict in {len(rows)} rows without flush", str(bad))
    busy, direct = total["miss_reasons"]["lock_busy"], total["refill_outcomes"]["direct"]
    walked, lost = total["walk_causes"]["direct"], missed(run.main, "walk", "refill")
    if run.design == "single-slot":
        for key in ("miss_reasons.lock_busy", "refill_outcomes.direct"):
            tap.equal(f"lock: {key} is null, by design", run.main["unmeasured"][key]["reason"], "design")
    elif run.rt:
        tap.ok(busy > 0, "lock: a preempted holder makes others miss as lock_busy", f"got {busy}")
        tap.ok(direct > 0, "lock: and makes refills direct", f"got {direct}")
        tap.within(f"lock: each direct refill walks, but for {lost} events missed", walked, (direct or 0) - lost, (direct or 0) + lost)
        tap.within("lock: walks beside the lock", total["walks_beside_lock"], 1, total["walks"] - total["walks_under_lock"])
    else:
        tap.note(f"lock_busy {busy}, direct refills {direct}, walks_beside_lock {total['walks_beside_lock']}")
        tap.within(f"lock: each direct refill walks, but for {lost} events missed", walked, (direct or 0) - lost, (direct or 0) + lost)


def contexts(tap, run):
    """7. A witness that knows softirqs by their tracepoints alone counts the same contexts."""
    w = run.json("witness.json")
    total = run.main["total"]
    seen = total["sock_charge_contexts"]
    tap.equal("context: the witness keeps its flag by task", w["by_task"], run.rt)
    slack = missed(run.main, "sock_charge", "charge") + w["missed"] + lost_acts(run.main)
    tap.equal("context: calls seen by the witness = calls seen by memcgtop",
              runs(probe(run.main, "sock_charge")), w["softirq"] + w["outside"] + w["missed"])
    tap.within(f"context: socket charges, {slack} events lost", w["softirq"] + w["outside"] - total["sock_charges"],
               -slack, slack)
    # At its start a softirq may be under way.
    lost = w["lost_begins"] + w["lost_ends"]
    tap.within("context: softirqs that the witness lost", lost, 0, 2)
    slack += lost * PER_SOFTIRQ
    tap.ok(abs(seen["softirq"] - w["softirq"]) <= slack and w["softirq"] > 500,
           f"context: charges in softirq, {slack} events lost", f"expected {w['softirq']}, got {seen['softirq']}")
    rest = seen["task"] + seen["hardirq"] + seen["nmi"]
    tap.ok(abs(rest - w["outside"]) <= slack and w["outside"] > 500,
           f"context: charges elsewhere, {slack} events lost", f"expected {w['outside']}, got {rest}")


def idle(tap, run):
    """8. Nothing happens: counts are 0, ratios are null and say why."""
    report = run.json("idle.json")
    total = report["total"]
    tap.equal("idle: grade", report["quality"]["grade"], "idle")
    attached = [p for p in report["probes"] if p["state"] == "attached"]
    tap.ok(len(attached) > 12 and all(p["recorded"] is not None for p in attached), "idle: live hooks have counts",
           f"{len(attached)} hooks")
    counts = {k: v for k, v in total.items() if isinstance(v, int) and not k.startswith(GAUGES)}
    bad = {k: v for k, v in counts.items() if v}
    tap.ok(len(counts) > 20 and not bad, f"idle: {len(counts)} counts are 0", str(bad))
    for key in ("miss_ratio", "hit_ratio", "pages_per_walk", "amplification", "obj_amplification"):
        tap.equal(f"idle: {key} is null for no events", (total[key], report["unmeasured"].get(key, {}).get("reason")),
                  (None, "no_events"))
    tap.ok("nothing was charged" in run.sections["idle.err"], "idle: one line on stderr says so")
    text = run.sections["idle.txt"]
    for key in ("pages_per_walk", "amplification"):
        tap.ok(re.search(rf"\| {key} +-$", text, re.M), f"idle: {key} is - in the text")
    tap.ok(re.search(r"^hits +0 +0 +- \|", text, re.M), "idle: the share of hits is - in the text")


def limits(tap, run):
    """9. At memory.max: flushes, charges that fail, charges that are forced."""
    total = run.main["total"]
    tap.within("limit: drains by flush", total["drain_causes"]["flush"], 1, total["drains"])
    tap.equal("limit: each walks", total["walk_causes"]["flush"], total["drain_causes"]["flush"])
    gone = row(run.main, "/gone/c0")
    tap.equal("hotplug: the stock of the CPU that goes is drained by one walk",
              (gone["drain_causes"]["hotplug"], gone["walk_causes"]["hotplug"]), (1, 1))
    # On a single slot somebody else may have evicted it before.
    tap.within("hotplug: of at most a batch a drain", gone["drained_pages"], 1, BATCH * gone["drains"])
    tap.within("hotplug: drains", total["drain_causes"]["hotplug"], 1, total["drains"])
    tap.equal("hotplug: each walks", total["walk_causes"]["hotplug"], total["drain_causes"]["hotplug"])
    did = run.json("limit.json")
    c = row(run.main, "/limit/c0")
    tap.within("limit: memory.events max is hit", did["max_events"], 1, c["try_walks"])
    # A charge tries a batch, then what it needs; the kernel counts an event for each walk of the latter that fails. The end
    # of a charge that is lost leaves the note that it retries, for the next charge of the task.
    tap.within("limit: walks that are retries", c["try_walks"] - c["misses"], did["max_events"],
               did["max_events"] + c["misses"] + missed(run.main, "charge"))
    tap.equal("limit: reclaim succeeds, no charge fails", c["failed"], 0)
    c = row(run.main, "/refused/c0")
    tap.equal("refused: charges, failed, sock_failures", (c["charges"], c["failed"], c["sock_failures"]), (1, 1, 1))
    tap.within("refused: memory.events max", run.events("refused.events")["max"], 1, c["try_walks"])
    tap.equal("limit: forced are the runs of the program force", total["forced"], probe(run.main, "force")["recorded"])
    others = [c["path"] for c in run.main["cgroups"] if (c["forced"] or c["failed"]) and c["path"] != "/refused/c0"]
    tap.equal("limit: nobody else failed or was forced", others, [])


def bounded(tap, run):
    """10. More cgroups than rows."""
    report, did = run.json("rows.json"), run.json("rows.did")
    other = next(c for c in report["cgroups"] if c["state"] == "other")
    tap.equal("rows: with --max-cgroups 8 there are 8 rows and other", len(report["cgroups"]), 9)
    tap.within("rows: map_full", report["quality"]["dropped"]["map_full"], 1, 10**9)
    tap.equal("rows: the total is what the load did, but for lost events",
              (report["total"]["sock_charges"] + missed(report, "sock_charge", "charge"),
               report["total"]["sock_uncharges"] + missed(report, "sock_uncharge")),
              (did["charges"], did["uncharges"]))
    tap.within("rows: other has most of it", other["sock_charges"], did["charges"] * 3 // 4, did["charges"])
    report = run.json("churn.json")
    dids = [json.loads(line) for line in run.sections["churn.did"].splitlines()]
    made = sum(d["made"] for d in dids)
    tap.equal("churn: cgroups made", made, 120)
    tap.equal("churn: with --max-cgroups 64 and 120 cgroups rows are used again: map_full",
              report["quality"]["dropped"]["map_full"], 0)
    mine = [c for c in rows_below(report, "/churn") if c["sock_charges"]]
    tap.equal("churn: each cgroup has its row", len(mine), made)
    tap.equal("churn: each of one socket charge and uncharge of two pages",
              sorted({(c["sock_charges"], c["sock_uncharges"], c["sock_charge_pages"], c["sock_uncharge_pages"]) for c in mine}),
              [(1, 1, 2, 2)])
    tap.equal("churn: total", (report["total"]["sock_charges"], report["total"]["sock_charge_pages"]), (made, 2 * made))


def judge(kernel, sections):
    groups = [what_runs, exactness, lambda t, r: sums(t, r, "main"), lambda t, r: sums(t, r, "rows"),
              lambda t, r: sums(t, r, "churn"), agreement, known, cliff, lock, contexts, idle, limits, bounded]
    return run_groups(Tap(kernel), sections, lambda: Run(sections, kernel), groups, ("inside.err", "idle.err", "witness.says"))


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KERNELS:
        print(f"usage: check.py KERNEL FILE; KERNEL is one of {', '.join(KERNELS)}", file=sys.stderr)
        return 2
    return judge(sys.argv[1], read_sections(sys.argv[2]))


if __name__ == "__main__":
    sys.exit(main())
