# SPDX-License-Identifier: GPL-2.0-only
"""What a guest's JSON must hold, looked at with a strict reader: check.py BOOT DIRECTORY prints TAP lines."""
import base64
import json
import os
import sys

BOOT, DIR = sys.argv[1:3]


def no_twins(pairs):
    keys = [k for k, _ in pairs]
    assert len(keys) == len(set(keys)), "a key is there twice: %s" % sorted(keys)
    return dict(pairs)


def refuse(word):
    raise ValueError("%s is no JSON" % word)


def load(name):
    with open(os.path.join(DIR, name), "rb") as f:
        data = f.read()
    return json.loads(data.decode("utf-8", "strict"), object_pairs_hook=no_twins, parse_constant=refuse)


def row(doc, path):
    rows = [r for r in doc["cgroups"] if r["path"] == path]
    assert len(rows) == 1, "%d rows of %s, there are %s" % (len(rows), path, [r["path"] for r in doc["cgroups"]])
    return rows[0]


def kept(name):
    """The test in the guest that did not get so far has failed there already."""
    return os.path.exists(os.path.join(DIR, name))


def test_strict():
    "every document of this boot is strict JSON without a key twice"
    names = [n for n in sorted(os.listdir(DIR)) if n.endswith(".json")]
    assert names
    for n in names:
        assert load(n)["schema"] == "memcgtop/1", n


def raw_names():
    return [b'a"b', b"a\\b", b"x y", b"x\xffy", b"l" * 255, b"s" * 60 + b"-one", b"s" * 60 + b"-two"]


def test_names():
    "odd names: one row each, exact counts, path_b64 only where the path is no UTF-8"
    doc = load("names.json")
    for raw in raw_names():
        path = b"/odd/" + raw
        r = row(doc, path.decode("utf-8", "replace"))
        assert r["charge_kinds"]["sock"] == 100, (raw, r["charge_kinds"])
        assert r["uncharge_kinds"]["sock"] == 100, (raw, r["uncharge_kinds"])
        assert r["state"] == "deleted", r["state"]
        if b"\xff" in raw:
            assert "\ufffd" in r["path"]
            assert base64.b64decode(r["path_b64"], validate=True) == path
        else:
            assert r["path_b64"] is None, r["path_b64"]
    assert doc["total"]["charge_kinds"]["sock"] == 700
    assert "a\"b" in " ".join(doc["tool"]["command"])


def test_shown():
    "odd names in the text: escaped, as wide as was asked for, and no two rows look alike"
    for width in (50, 80, 100, 132):
        with open(os.path.join(DIR, "names-%d.txt" % width), "rb") as f:
            text = f.read()
        lines = text.decode("utf-8", "strict").split("\n")
        rows = [l for l in lines if "(del)" in l and l.startswith("/")]
        # of the table of cgroups; they stand in the sections below it once more
        table = lines[next(i for i, l in enumerate(lines) if l.startswith("CGROUP")) + 1 :]
        end = next(i for i, l in enumerate(table) if not l.startswith(("/", "(")))
        shown = [l[: l.index("(del)")] for l in table[:end] if "(del)" in l and l.startswith("/")]
        assert len(shown) >= 7, (width, shown)
        assert len(set(shown)) == len(shown), (width, shown)
        assert all(len(l) <= width for l in rows), (width, [l for l in rows if len(l) > width])
        assert not any(c < " " and c != "\n" for c in text.decode()), width
        assert "\\xff" in text.decode(), width


def sans(doc, *keys):
    return {k: v for k, v in doc.items() if k not in keys}


def test_filter():
    "-f: the rows are those that match and other; all else is as without it"
    whole, part = load("names.json"), load("filtered.json")
    got = [r["path"] for r in part["cgroups"]]
    assert sorted(p for p in got if p) == ['/odd/a"b', "/odd/a\\b"], got
    assert [r["state"] for r in part["cgroups"]].count("other") == 1
    assert sans(whole, "cgroups") == sans(part, "cgroups")


def test_doctor():
    "doctor's JSON: root can, nobody and a locked down kernel cannot, and nothing untried is said of hooks"
    root = load("doctor-root.json")
    assert root["measurable"]["misses"] is True
    consume = [p for p in root["probes"] if p["hook"] == "consume"]
    assert [p["reason"] for p in consume] == ["inlined"] and consume[0]["state"] == "inlined", consume
    assert [p["state"] for p in root["probes"] if p["hook"] == "charge"] == ["attachable"]
    for name, check, words in (
        ("doctor-nobody.json", "privilege", "run as root"),
        ("doctor-lockdown.json", "lockdown", "confidentiality"),
    ):
        if not kept(name):
            assert name == "doctor-lockdown.json", name
            continue
        doc = load(name)
        assert doc["measurable"]["misses"] is False, name
        assert words in doc["measurable"]["text"], doc["measurable"]
        assert [c["check"] for c in doc["checks"] if c["state"] == "fail"] == [check], doc["checks"]
        assert not [p for p in doc["probes"] if p["state"] in ("attachable", "attached")], name


def test_command():
    "CMD's end in the JSON: a signal is no exit status"
    killed = load("killed.json")["window"]["command"]
    assert killed["exit"] is None and killed["signal"] == 9, killed
    cut = load("terminated.json")["window"]
    assert cut["end_reason"] == "interrupted" and cut["command"]["signal"] == 15, cut


def test_caps():
    "a user with CAP_BPF and CAP_PERFMON counts exactly and knows the names"
    r = row(load("caps.json"), "/caps/inside")
    assert r["charge_kinds"]["sock"] == 500, r["charge_kinds"]


def test_flash():
    "a cgroup that lived shortly is called deleted"
    rows = [r for r in load("flash.json")["cgroups"] if r["path"] and r["path"].startswith("/flash")]
    assert rows and all(r["state"] == "deleted" for r in rows), rows
    # 1 MiB in pages, and what the process itself took
    assert all(r["charge_pages"] >= 256 for r in rows), rows


def null_for(doc, key, reason):
    assert doc["unmeasured"][key]["reason"] == reason, (key, doc["unmeasured"].get(key))
    # "a.b" is a part; a part goes with its whole
    first, _, part = key.partition(".")
    value = doc["total"][first]
    assert (value[part] if part and value is not None else value) is None, (key, value)


def test_boot_option():
    "nosocket and nokmem: null for boot_option, folios are counted"
    doc = load("boot.json")
    assert doc["host"]["socket_accounting"] is False and doc["host"]["kmem_accounting"] is False
    for key in ("sock_charges", "sock_uncharges", "sock_stat_updates", "charge_kinds.sock", "charge_kinds.obj"):
        null_for(doc, key, "boot_option")
    assert doc["total"]["charge_kinds"]["folio"] >= 150, doc["total"]["charge_kinds"]
    states = {c["check"]: c["state"] for c in load("doctor-boot.json")["checks"]}
    assert states["sockets"] == "warn" and states["kmem"] == "warn", states


def test_v1():
    "cgroup v1: said, what is of sockets is null for it"
    doc = load("v1.json")
    assert doc["host"]["cgroup"] in ("v1", "hybrid"), doc["host"]["cgroup"]
    for key in ("sock_charges", "sock_uncharges", "sock_stat_updates"):
        null_for(doc, key, "cgroup_v1")
    assert row(doc, "/old")["charges"] > 0


def test_disabled():
    "memory cgroups switched off: doctor says so, and nothing of hooks"
    doc = load("doctor-disabled.json")
    assert doc["measurable"]["misses"] is False
    assert [c["check"] for c in doc["checks"] if c["state"] == "fail"] == ["cgroups"], doc["checks"]
    assert not doc["probes"], doc["probes"]


TESTS = {
    "plain": [test_strict, test_names, test_shown, test_filter, test_doctor, test_command, test_caps, test_flash],
    "boot": [test_strict, test_boot_option] + ([test_v1] if kept("v1.json") else []),
    "disabled": [test_strict, test_disabled],
}

for test in TESTS[BOOT]:
    try:
        test()
        print("ok - %s" % test.__doc__)
    except Exception as e:
        print("not ok - %s" % test.__doc__)
        print("# %s: %s" % (type(e).__name__, str(e).replace("\n", " ")[:1500]))
