#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The report as a page: from the stored window, and from the windows of the unit tests (tests/unit/test_html.c),
# which have times, drains, unkind names and many CPUs. Looked at by a strict parser and by a browser.

load helper

TOP=$BATS_TEST_DIRNAME/../..

setup_file() {
	export PAGES=$BATS_FILE_TMPDIR/pages
	mkdir -p "$PAGES"
	make -s -C "$TOP" build/unit/test_html >&2
	"$TOP/build/unit/test_html" >&2 || true # a suite of its own
	"$M" report -q -r "$WINDOW" --ignore-failure --html "$PAGES/stored.html"
}

structure() {
	"$TOP/tests/html/structure.py" "$@"
}

browser() {
	"$TOP/tests/html/browser.py" "$@"
}

@test "--html FILE is --format html -o FILE, and nothing else is printed" {
	stored --html a.html
	[ ! -s out ]
	stored --format html -o b.html
	cmp a.html b.html
	stored --format html
	cmp a.html out
	[ "$(find . -name 'a.html*' | wc -l)" -eq 1 ]
	for locale in C.UTF-8 de_DE.UTF-8; do
		LC_ALL=$locale stored --html b.html
		cmp a.html b.html
	done
	mc report -r "$WINDOW" --html /nowhere/a.html
	is_status 2
	one_line
}

@test "the page has all rows, -f those that match, -s orders them; the status is as ever" {
	stored --html all.html --rows 1
	[ "$(grep -c '<bdi>/demo' all.html)" -ge 12 ]
	stored --html some.html -f '/demo/c[1-3]'
	[ "$(grep -c '<bdi>/demo' some.html)" -eq 3 ]
	grep -q "<td>$(total charges)</td>" some.html
	stored --html sorted.html -s evicted
	not cmp -s all.html sorted.html
	mc report -r "$WINDOW" --html a.html
	is_status 4
	said 'failed (exit 3)'
	cmp a.html all.html
	stored --ascii --html a.html
	not grep -q '[^ -~]' a.html
}

@test "pages are strict HTML without script, links to nowhere, or colours that hide text" {
	[ "$(find "$PAGES" -name '*.html' | wc -l)" -ge 12 ]
	structure "$PAGES"/*.html
}

@test "the check of the structure sees faults" {
	spoil() { # SED
		sed "$1" "$PAGES/demo.html" > spoilt.html
		not cmp -s "$PAGES/demo.html" spoilt.html
		not structure spoilt.html
	}
	structure "$PAGES/demo.html"
	spoil 's,</main>,<script></script></main>,'
	spoil 's,</main>,<div></main>,'
	spoil 's,<body>,<body onload="x()">,'
	spoil 's,<h2,<h3,;s,</h2>,</h3>,'
	spoil 's,scope="col",,'
	spoil 's,role="img",,'
	spoil 's,--text:#1b1f24,--text:#999,'
	spoil 's,"https://lore.kernel.org/,"https://example.org/,'
	spoil 's,<caption>.*</caption>,,'
	spoil 's,/demo/c1<,/demo/c1 & c2 <,'
}

@test "a browser shows the pages, light and dark, and none is wider than its window" {
	browser "$BATS_TEST_TMPDIR" "$PAGES/demo.html" "$PAGES"/*.html
	browser "$BATS_TEST_TMPDIR" "$PAGES/stored.html"
	[ "$(find . -name '*.png' | wc -l)" -eq 8 ]
}

@test "the check in the browser sees what sticks out, and an empty page" {
	sed 's/overflow-x:auto/overflow-x:visible/' "$PAGES/demo.html" > demo.html
	not browser . "$PWD/demo.html" > said
	grep -q 'at 360: [0-9]* wide; sticks out: ' said
	sed 's/prefers-color-scheme:dark/prefers-color-scheme:none/' "$PAGES/demo.html" > demo.html
	not browser . "$PWD/demo.html" > said
	grep -q 'dark.png: bright' said
	printf '<!DOCTYPE html><html lang="en"><meta name="color-scheme" content="light dark"><title>x</title><p>x' > demo.html
	not browser . "$PWD/demo.html" > said
	grep -q 'rows have something on them' said
}
