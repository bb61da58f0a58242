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
from spoiled import in_json, in_probe, in_row, more, set_at, text, try_all, without  # noqa: E402


def spoils(kernel, sections):
    design, _, victims, lock, _ = check.KERNELS[kernel]
    main = json.loads(sections["main.json"])
    yield "^design$", in_json("main.json", set_at("stock", "design", "per-counter"))
    yield "^exit status of the load$", in_json("main.json", set_at("window", "command", "exit", 1))
    yield "^memcgtop's exit status, run rows$", text("status rows", r"\d+", "4")
    for p in main["probes"]:
        if p["state"] != "attached":
            continue
        hook = re.escape(p["hook"])
        yield f"^{hook}: f?[a-z_]+ \\w+ recorded", in_json("after.json", set_at("programs", p["hook"], 0, more()))
        yield f"^{hook}: f?[a-z_]+ \\w+ recorded", in_json("after.json", set_at("programs", p["hook"], 1, more()))
        yield f"^{hook}: the report's", in_json("main.json", in_probe(p["hook"], "recorded", more(check.ROOT_SLACK + 1)))
    # Another hook's function: a wrong pairing must not pass.
    yield "^refill: ", in_json("main.json", in_probe("refill", "function", "page_counter_uncharge"))
    yield "^charge: ", in_json("after.json", lambda d: d["kprobes"].pop("try_charge_memcg"))
    for name in ("main", "rows", "churn"):
        doc = name + ".json"
        total = json.loads(sections[doc])["total"]
        for key, value in total.items():
            if isinstance(value, int) and not key.startswith(check.GAUGES) and key != "hits":
                yield f"^{name}: rows incl. other add up", in_json(doc, set_at("total", key, more()))
                yield f"^{name}: CPUs add up", in_json(doc, set_at("cpus", 1, key, more()))
        for whole, split, part in (("charges", "charge_kinds", "sock"), ("uncharges", "uncharge_kinds", "sock"),
                                   ("misses", "miss_kinds", "sock"), ("refills", "refill_outcomes", "merged"),
                                   ("walks", "walk_causes", "flush"), ("drains", "drain_causes", "flush"),
                                   ("sock_charges", "sock_charge_contexts", "task")):
            yield f"^{name}: {split} add up to {whole}", in_json(doc, in_row(None, split, more(), part))
        yield f"^{name}: walk_users add up", in_json(doc, set_at("total", "walk_users", "sock", more()))
        yield f"^{name}: hits \\+ misses", in_json(doc, in_row(None, "hits", more(10**6)))
        yield f"^{name}: miss_reasons add up", in_json(doc, in_row(None, "miss_reasons", more(10**6), "absent"))
        yield f"^{name}: misses without", in_json(doc, set_at("total", "miss_reasons", "unknown", 10**6))
        for key, hook in (("charges", "charge"), ("refills", "refill"), ("sock_uncharges", "sock_uncharge"),
                          ("try_walks", "try_walk"), ("walks", "walk"), ("sock_charges", "sock_charge")):
            yield f"^{name}: {key} are the runs", in_json(doc, in_probe(hook, "recorded", more(-10**6)))
        yield f"^{name}: one sock_stat_updates", in_json(doc, set_at("total", "sock_stat_updates", more(10**6)))
        yield f"^{name}: nothing dropped", in_json(doc, set_at("quality", "dropped", "insert_failed", 1))
        yield f"^{name}: unmatched", in_json(doc, set_at("quality", "dropped", "unmatched_exit", 10**9))
    yield "^--verify: agreement", in_json("main.json", set_at("quality", "agreement", "ratio", 0.98))
    yield "^--verify: checked", in_json("main.json", set_at("quality", "agreement", "checked", 999))
    yield "^--verify: every", in_json("main.json", set_at("quality", "agreement", "checked", 1000))
    for key in ("charges", "misses", "hits", "walks", "walk_pages", "refills", "sock_charges", "sock_uncharges",
                "sock_stat_updates", "charge_pages", "surplus_refills", "walk_levels"):
        yield f"^known: {key}$", in_json("main.json", in_row("/known/c0", key, more()))
    yield "^known: miss_reasons.short$", in_json("main.json", in_row("/known/c0", "miss_reasons", more(-1), "short"))
    yield "^known: a histogram of page_counter_uncharge", text("uncharged.after", r"nr: +95 \} hitcount: +50\d",
                                                               "nr: 95 } hitcount: 9")
    yield "^known: a histogram of page_counter_try_charge", text("charged.after", r"hitcount: +15\d\d",
                                                                 "hitcount: 1499")
    yield "^known: evictions", in_json("main.json", in_row("/known/c0", "evictions", 2))
    yield "^known: refills into", in_json("main.json", in_row("/known/c0", "refill_outcomes", more(), "new_slot"))
    yield "^once: 33 pages", in_json("main.json", in_row("/once/c0", "misses", 2))
    last = 8 if design == "multi-slot" else 2
    for i in range(last):
        yield f"^cliff: {last} cgroups, charges", in_json("main.json", in_row(f"/cliff{last}/c{i}", "charges", more()))

    def flat(doc):
        for c in check.rows_below(doc, f"/cliff{last}"):
            c["evictions"] = 1
    yield f"^cliff: {last} cgroups on \\d slots, evictions per charge", in_json("main.json", flat)
    yield "^cliff: 1 cgroups on", in_json("main.json", in_row("/cliff1/c0", "evictions", 10))
    if lock:
        yield "^lock: walks_under_lock = overflow \\+ evict \\+ flush", in_json("main.json",
                                                                            set_at("total", "walks_under_lock", more(99)))
        yield "^lock: walks_under_lock = overflow \\+ evict in", in_json("main.json",
                                                                     in_row("/known/c0", "walks_under_lock", more()))
    else:
        yield "^lock: walks_under_lock is null", in_json("main.json", set_at("total", "walks_under_lock", 5))
        yield "^lock: walks_under_lock is null", in_json(
            "main.json", set_at("unmeasured", "walks_under_lock", "reason", "inlined"))
    if design == "multi-slot":
        yield "^lock: each direct refill walks", in_json("main.json", set_at("total", "refill_outcomes", "direct", more(10**4)))
    if check.KERNELS[kernel][1] and design == "multi-slot":
        yield "^lock: a preempted holder", in_json("main.json", set_at("total", "miss_reasons", "lock_busy", 0))
        yield "^lock: walks beside", in_json("main.json", set_at("total", "walks_beside_lock", 0))
    yield "^context: calls seen", in_json("witness.json", set_at("outside", more()))
    yield "^context: charges in softirq", in_json("witness.json", set_at("softirq", more(10**5)))
    yield "^context: charges in softirq", in_json("main.json",
                                                  set_at("total", "sock_charge_contexts", "softirq", 0))
    yield "^context: charges elsewhere", in_json("witness.json", set_at("outside", 0))
    yield "^context: softirqs that", in_json("witness.json", set_at("lost_begins", 3))
    yield "^idle: \\d+ counts are 0", in_json("idle.json", set_at("total", "refills", 1))
    yield "^idle: miss_ratio is null", in_json("idle.json", set_at("total", "miss_ratio", 0.0))
    yield "^idle: amplification is null", in_json("idle.json", set_at("unmeasured", "amplification", "reason", "silent"))
    yield "^idle: amplification is -", text("idle.txt", r"amplification +-$", "amplification 0.0")
    yield "^idle: the share", text("idle.txt", r"^hits +0 +0 +- ", "hits 0 0 0.0% ")
    yield "^limit: drains by flush", in_json("main.json", set_at("total", "drain_causes", "flush", 0))
    yield "^hotplug: the stock", in_json("main.json", in_row("/gone/c0", "walk_causes", 0, "hotplug"))
    yield "^hotplug: of at most", in_json("main.json", in_row("/gone/c0", "drained_pages", 10**6))
    yield "^hotplug: drains", in_json("main.json", set_at("total", "drain_causes", "hotplug", 0))
    yield "^hotplug: each", in_json("main.json", set_at("total", "walk_causes", "hotplug", more()))
    yield "^limit: each walks", in_json("main.json", set_at("total", "walk_causes", "flush", more()))
    yield "^limit: walks that are retries", in_json("main.json", in_row("/limit/c0", "try_walks", 0))
    yield "^refused: charges", in_json("main.json", in_row("/refused/c0", "failed", 0))
    yield "^refused: memory.events", text("refused.events", r"^max \d+", "max 0")
    yield "^limit: forced", in_json("main.json", set_at("total", "forced", 1))
    yield "^limit: nobody else", in_json("main.json", in_row("/tcp/c0", "failed", 1))
    yield "^rows: with", in_json("rows.json", lambda d: d["cgroups"].pop(0))
    yield "^rows: map_full", in_json("rows.json", set_at("quality", "dropped", "map_full", 0))
    yield "^rows: the total", in_json("rows.did", set_at("charges", more(10**4)))
    yield "^rows: other has", in_json("rows.json", in_row(None, "sock_charges", 0))
    yield "^churn: with", in_json("churn.json", set_at("quality", "dropped", "map_full", 3))
    yield "^churn: each cgroup", in_json("churn.json", lambda d: d["cgroups"].__delitem__(slice(0, 40)))
    yield "^churn: total", in_json("churn.json", set_at("total", "sock_charge_pages", more()))
    for name in sections:
        # These are told in the diagnostics, nothing more.
        if name not in ("inside.out", "inside.err", "witness.says", "once.json") and not name.startswith("cliff"):
            yield ".", without(name)


def main():
    return try_all(check.judge, *sys.argv[1:], spoils)


if __name__ == "__main__":
    sys.exit(main())
