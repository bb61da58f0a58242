#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Assertions on what inside.sh printed, as TAP."""
import json
import sys

number = failed = 0


def ok(good, text):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {kernel}: {text}")


def read(path):
    """Name -> (status, document)."""
    found, name = {}, None
    for line in open(path, encoding="utf-8"):
        if line.startswith("== "):
            _, name, status = line.split()
            found[name] = [int(status), ""]
        elif name:
            found[name][1] += line
    return {k: (status, json.loads(text)) for k, (status, text) in found.items()}


def probe(doc, hook):
    return next(p for p in doc["probes"] if p["hook"] == hook)


def same(key, a, b):
    ok(a["total"][key] == b["total"][key],
       f"{key} as without: {b['total'][key]}, is {a['total'][key]}")


def proposed_sock(docs):
    plain, (status, doc) = docs["plain"][1], docs["sock"]
    ok(status == 0, f"nr_sock[]: the programs load and count, exit {status}")
    ok(doc["stock"]["design"] == "multi-slot+sock" and doc["stock"]["slots"] == 6,
       f"nr_sock[]: design {doc['stock']['design']}, {doc['stock']['slots']} slots")
    ok(probe(doc, "sock_charge_exit")["state"] == "attached",
       "nr_sock[]: hits inlined into the socket charge have a hook")
    ok(probe(doc, "sock_charge_exit")["recorded"] == plain["total"]["sock_charges"],
       f"nr_sock[]: it ran for each of {plain['total']['sock_charges']} socket charges")
    # The real kernel inlines nothing, so nothing may be counted twice. obj and folio
    # charges are the set-up's and vary by one or two; those of sockets do not.
    for key in ("sock_charges", "sock_charge_pages", "sock_uncharges", "sock_stat_updates"):
        same(key, doc, plain)
    ok(doc["total"]["charge_kinds"]["sock"] == doc["total"]["sock_charges"] > 0,
       f"nr_sock[]: {doc['total']['charge_kinds']['sock']} charges of sockets, each once")
    refills = doc["total"]["refills"]
    expected = doc["total"]["sock_uncharges"] + doc["total"]["surplus_refills"]
    ok(expected <= refills <= expected + 20,
       f"nr_sock[]: {refills} refills for {expected} socket uncharges and surpluses, each once")
    # what the set-up adds varies by a few, and only there
    for key in ("refills", "surplus_refills", "misses", "walks"):
        ok(abs(doc["total"][key] - plain["total"][key]) <= 8,
           f"nr_sock[]: {key} as without: {plain['total'][key]}, is {doc['total'][key]}")
    ok(doc["quality"]["dropped"]["unmatched_exit"] <= 4,
       f"nr_sock[]: {doc['quality']['dropped']['unmatched_exit']} unmatched")
    ok(doc["total"]["walk_users"]["sock"] == plain["total"]["walk_users"]["sock"] > 0,
       f"nr_sock[]: {doc['total']['walk_users']['sock']} walks are of sockets, as without")


def moved_field(docs):
    plain, (status, doc) = docs["plain"][1], docs["moved"]
    hook = probe(doc, "folio_uncharge")
    ok(status == 0 and doc["total"]["misses"] is not None,
       f"a moved field: the rest is measured, exit {status}")
    ok(hook["state"] != "attached" and hook["reason"] == "not_traceable",
       f"a moved field: its hook is struck, {hook['state']} {hook['reason']}")
    ok("uncharge_kinds.folio" in doc["unmeasured"] or "uncharge_kinds" in doc["unmeasured"],
       "a moved field: what it loses is null with a reason")
    same("sock_charges", doc, plain)


def per_counter(docs):
    status, text = docs["per-counter"]
    ok(status == 3 and "page_counter_try_charge_stock" in str(text),
       f"per-counter without its function: exit {status}, {text}")
    doc = docs["doctor"][1]
    ok(doc["stock"]["design"] == "per-counter", f"design {doc['stock']['design']}")
    ok(all(probe(doc, h)["state"] == "not_needed" for h in ("refill", "drain", "flush", "consume")),
       "per-counter: hooks of the stock are not asked for")


kernel = sys.argv[1]
documents = read(sys.argv[2])
proposed_sock(documents)
moved_field(documents)
per_counter(documents)
print(f"1..{number}")
sys.exit(failed > 0)
