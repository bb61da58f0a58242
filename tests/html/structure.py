#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""structure.py FILE...: is each page strict HTML that stands alone and that everybody can read?

Nothing is fetched or run; what is opened is closed; headings are in order; tables and drawings say
what they are; the colours of the style stand out from each other, light and dark. Exit 1 if not.
"""
import html.parser
import re
import sys

import html5lib

VOID = {"br", "meta", "wbr"}
SHAPES = {"rect", "line"}
FETCHES = {"src", "srcset", "srcdoc", "data", "action", "formaction", "poster", "background", "xlink:href"}
TEXT = 4.5  # contrast of text, WCAG 2 AA
MARKS = 3.0  # of what is drawn


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.targets, self.faults = [], set(), set(), []
        self.heading, self.counts, self.style, self.row = 0, {}, "", None
        self.columns, self.caption, self.title = None, False, ""

    def fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attrs):
        self.start(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in SHAPES:
            self.fault(f"<{tag}/> is not closed by its slash")
        self.start(tag, attrs)

    def start(self, tag, attrs):
        named = dict(attrs)
        if len(named) != len(attrs):
            self.fault(f"<{tag}> has an attribute twice")
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag in ("script", "iframe", "object", "embed", "link", "base", "img", "form"):
            self.fault(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in FETCHES or name == "style":
                self.fault(f"<{tag} {name}>")
            if name == "href":
                self.link(tag, value)
        if "id" in named:
            if named["id"] in self.ids:
                self.fault(f"id {named['id']} twice")
            self.ids.add(named["id"])
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > self.heading + 1:
                self.fault(f"<{tag}> below <h{self.heading}>")
            self.heading = level
        if tag == "svg" and not (named.get("aria-hidden") == "true" or
                                 (named.get("role") == "img" and named.get("aria-label"))):
            self.fault("<svg> that does not say what it is")
        if tag == "html" and not named.get("lang"):
            self.fault("no language")
        self.cell(tag, named)

    def link(self, tag, value):
        if value.startswith("#"):
            self.targets.add(value[1:])
        elif tag != "a" or not value.startswith("https://lore.kernel.org/"):
            self.fault(f"<{tag} href={value}>")

    def cell(self, tag, named):
        if tag == "table":
            self.columns, self.caption = None, False
        elif tag == "caption":
            self.caption = True
        elif tag == "tr":
            self.row = 0
        elif tag in ("th", "td"):
            self.row += int(named.get("colspan", 1))
            if tag == "th" and named.get("scope") not in ("row", "col"):
                self.fault("<th> without scope")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.fault(f"</{tag}> inside {self.open[-3:]}")
            return
        self.open.pop()
        if tag == "tr":
            if self.columns is None:
                self.columns = self.row
            elif self.row != self.columns:
                self.fault(f"a row of {self.row} cells in a table of {self.columns}")
        if tag == "table" and not self.caption:
            self.fault("a table without a caption")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        if self.open and self.open[-1] == "title" and "svg" not in self.open:
            self.title += data

    def handle_pi(self, data):
        self.fault(f"<?{data[:20]}")

    def handle_comment(self, data):
        self.fault(f"a comment: {data[:20]}")


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    a, b = sorted((luminance(a), luminance(b)), reverse=True)
    return (a + 0.05) / (b + 0.05)


def colours(style):
    """The custom properties of each scheme: light, dark, print."""
    schemes = []
    for block in re.findall(r":root\{([^}]*)\}", style):
        pairs = dict(re.findall(r"--(\w+):(#[0-9a-f]{3,6})\b", block))
        schemes.append({**(schemes[0] if schemes else {}), **pairs})
    return schemes


def check_style(page):
    if re.search(r"url\(|@import|expression|@font-face", page.style):
        page.faults.append("the style fetches something")
    if "prefers-color-scheme:dark" not in page.style or "@media print" not in page.style:
        page.faults.append("no dark scheme, or none for paper")
    used = set(re.findall(r"var\(--(\w+)\)", page.style))
    schemes = colours(page.style)
    if len(schemes) != 3:
        page.faults.append(f"{len(schemes)} schemes, not light, dark and paper")
    for scheme in schemes:
        for missing in used - set(scheme):
            page.faults.append(f"no colour --{missing}")
        for name in used & set(scheme):
            for ground in ("back", "box"):
                least = TEXT if name in ("text", "quiet", "link") else MARKS
                if name in ("back", "box", "line"):
                    continue
                ratio = contrast(scheme[name], scheme[ground])
                if ratio < least:
                    page.faults.append(f"--{name} on --{ground}: contrast {ratio:.2f}, below {least}")


def check(path):
    data = open(path, "rb").read()
    text = data.decode()  # strict
    html5lib.HTMLParser(strict=True).parse(text)
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        page.faults.append(f"not closed: {page.open}")
    if re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text):
        page.faults.append("a control character")
    for tag in ("html", "head", "title", "body", "main", "h1", "style"):
        if page.counts.get(tag, 0) != 1 and tag != "title":
            page.faults.append(f"{page.counts.get(tag, 0)} of <{tag}>")
    if not page.title.startswith("memcgtop "):
        page.faults.append("no title")
    if '<meta charset="utf-8">' not in text[:1024] or 'name="color-scheme" content="light dark"' not in text:
        page.faults.append("no charset or no colour scheme")
    for target in page.targets - page.ids:
        page.faults.append(f"a link to #{target}, which is not there")
    check_style(page)
    for fault in page.faults[:20]:
        print(f"{path}: {fault}")
    return not page.faults


if __name__ == "__main__":
    sys.exit(0 if all([check(path) for path in sys.argv[1:]]) and sys.argv[1:] else 1)
