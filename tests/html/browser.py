#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""browser.py DIR FILE...: what a browser makes of the pages.

At each width the page itself may not be wider than the window; what is wider scrolls in a box of
its own, and no text of a drawing sticks out of it. A picture of each page, in DIR, light and dark,
shows more than one colour. Exit 1 if not.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTHS = (320, 360, 768, 1400)
PICTURES = (360, 1400)
SCHEMES = {"light": 1, "dark": 0}  # of Blink's preferredColorScheme
BROWSER = os.environ.get("BROWSER", "chromium-headless-shell")

WRAPPER = """<!DOCTYPE html><meta charset="utf-8"><pre id="result"></pre><script>
const files = FILES, widths = WIDTHS, result = [];
function look(frame, file, width) {
	const doc = frame.contentDocument, root = doc.documentElement, out = [];
	for (const details of doc.querySelectorAll("details"))
		details.open = true;
	for (const e of doc.body.querySelectorAll("*")) {
		const box = e.getBoundingClientRect();
		if (!e.closest(".wide") && box.width && (box.right > root.clientWidth + 0.5 || box.left < -0.5))
			out.push(e.tagName + "." + (e.getAttribute("class") || "") + " " + e.textContent.slice(0, 30));
	}
	for (const e of doc.querySelectorAll("svg text")) {
		const box = e.getBoundingClientRect(), svg = e.ownerSVGElement.getBoundingClientRect();
		if (box.right > svg.right + 1 || box.left < svg.left - 1 || box.bottom > svg.bottom + 4)
			out.push("svg text " + e.textContent);
	}
	result.push({file, width, client: root.clientWidth, scroll: root.scrollWidth,
		height: root.scrollHeight, out: out.slice(0, 5), scripts: doc.scripts.length});
}
async function all() {
	for (const file of files) {
		const frame = document.createElement("iframe");
		frame.style.cssText = "border:0;height:800px;width:" + widths[0] + "px";
		const loaded = new Promise(done => frame.onload = done);
		frame.src = file;
		document.body.append(frame);
		await loaded;
		for (const width of widths) {
			frame.style.width = width + "px";
			look(frame, file, width);
		}
		frame.remove();
	}
	document.getElementById("result").textContent = JSON.stringify(result);
}
all();
</script>"""


def browser(*args):
    with tempfile.TemporaryDirectory() as home:
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--disable-background-networking", "--no-first-run", "--hide-scrollbars",
                   "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={home}", *args]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    if run.returncode:
        sys.exit(f"{BROWSER} ended with {run.returncode}: {run.stderr.decode(errors='replace')[-500:]}")
    return run.stdout.decode(errors="replace")


def measure(files):
    with tempfile.NamedTemporaryFile("w", suffix=".html") as wrapper:
        wrapper.write(WRAPPER.replace("FILES", json.dumps([f"file://{f}" for f in files]))
                      .replace("WIDTHS", json.dumps(WIDTHS)))
        wrapper.flush()
        dom = browser("--allow-file-access-from-files", "--virtual-time-budget=60000", "--dump-dom",
                      "--window-size=1600,1000", f"file://{wrapper.name}")
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.S)
    if not found or not found.group(1):
        sys.exit(f"the pages were not measured: {dom[-300:]}")
    text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return json.loads(text)


def overflows(results, files):
    bad = 0
    if len(results) != len(files) * len(WIDTHS):
        print(f"{len(results)} results of {len(files)} pages")
        bad = 1
    for r in results:
        name = os.path.basename(r["file"])
        if r["client"] != r["width"]:
            print(f"{name}: {r['client']} wide, not {r['width']}")
            bad = 1
        if r["scroll"] > r["client"] or r["out"] or r["scripts"]:
            print(f"{name} at {r['width']}: {r['scroll']} wide; sticks out: {r['out']}")
            bad = 1
        if r["height"] < 600:
            print(f"{name} at {r['width']}: only {r['height']} high")
            bad = 1
    return bad


def pixels(path):
    """Bytes of the first pixel, and how many rows of the picture differ from it somewhere."""
    data = open(path, "rb").read()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and depth == 8 and kind in (2, 6), path
    size, packed, at = (3 if kind == 2 else 4), b"", 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, line = zlib.decompress(packed), width * size + 1
    first = raw[1:1 + size]
    # whatever the filter: a row that is all one colour, as the one above, has 0 behind its first pixel
    drawn = sum(any(raw[y * line + 1 + size:(y + 1) * line]) and raw[y * line + 1:(y + 1) * line] != first * width
                for y in range(height))
    return first, drawn, height


def picture(directory, path, width, scheme):
    out = os.path.join(directory, f"{os.path.basename(path)[:-5]}-{width}-{scheme}.png")
    browser(f"--window-size={width},2400", f"--screenshot={out}",
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", f"file://{path}")
    first, drawn, height = pixels(out)
    bright = sum(first[:3]) > 3 * 128
    bad = bright != (scheme == "light") or drawn < height / 10
    if bad:
        print(f"{out}: {'bright' if bright else 'dark'}, {drawn} of {height} rows have something on them")
    return bad


def main(directory, *paths):
    files = [os.path.abspath(p) for p in paths]
    bad = overflows(measure(files), files)
    for path in files[:1]:
        for width in PICTURES:
            for scheme in SCHEMES:
                bad |= picture(directory, path, width, scheme)
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
