# SPDX-License-Identifier: GPL-2.0-only
"""Can the checks of a judge fail? Ways to change one thing in what a guest printed, and the loop that tries them.

A spoil is the pattern of the line of the judge that is meant for it, which must turn to `not ok`, and the change.
"""
import contextlib
import copy
import io
import json
import re

import judge


def in_json(name, change):
    def spoil(sections):
        doc = json.loads(sections[name])
        change(doc)
        sections[name] = json.dumps(doc)
    return spoil


def set_at(*path_and_value):
    *path, key, value = path_and_value

    def change(doc):
        for step in path:
            doc = doc[step]
        doc[key] = value(doc[key]) if callable(value) else value
    return change


def in_row(path, key, value, part=None):
    def change(doc):
        for c in doc["cgroups"]:
            if c["path"] == path or (path is None and c["state"] == "other"):
                set_at(*([key, part] if part else [key]), value)(c)
    return change


def in_probe(hook, key, value):
    def change(doc):
        set_at(key, value)(judge.probe(doc, hook))
    return change


def more(n=1):
    return lambda old: (old or 0) + n


def text(name, old, new):
    def spoil(sections):
        assert re.search(old, sections[name], re.M), (name, old)
        sections[name] = re.sub(old, new, sections[name], flags=re.M)
    return spoil


def without(name):
    return lambda sections: sections.pop(name)


def try_all(judged, kernel, path, spoils):
    """Prints TAP; the exit status. judged(kernel, sections) prints TAP as well."""
    def verdicts(sections):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            judged(kernel, sections)
        return re.findall(r"^not ok \d+ - [^:]+: (.*?)(?: # .*)?$", out.getvalue(), re.M)

    sections = judge.read_sections(path)
    clean = verdicts(sections)
    n = failed = 0
    if clean:
        print(f"Bail out! not all is ok before anything is spoiled: {clean}")
        return 1
    for wanted, spoil in spoils(kernel, sections):
        n += 1
        spoiled = copy.copy(sections)
        spoil(spoiled)
        found = verdicts(spoiled)
        good = any(re.search(wanted, line) for line in found)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {n} - {kernel}: spoiled, this fails: {wanted}")
        if not good:
            print(f"# failed instead: {found}")
    print(f"1..{n}")
    return 1 if failed else 0
