#!/usr/bin/env python3
"""Whether flame graphs show the frames that FlameGraph's flamegraph.pl shows: every frame of its picture that is a pixel wide
or more must stand in ours, as often and with the same samples. What is narrower ours draws with its neighbours.

    tests/benchmarks/frames.py FLAMEGRAPH-FOLDER [PATH-OF-DSCOPE] [FOLDED-FILE ...]

Without files: the folded texts of FlameGraph's own tests. Ends with 1 where a frame is missing.
"""
import collections
import glob
import html
import os
import re
import subprocess
import sys
import tempfile

FOLDER = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
DSCOPE = sys.argv[2] if len(sys.argv) > 2 else "build/release/bin/dscope"
FILES = sys.argv[3:] or sorted(glob.glob(os.path.join(FOLDER, "test/results/*.txt")))
KINDS = re.compile(r"_\[[kwij]\]$")  # the peer's marks of a frame's kind, which it hides


def theirs(svg):
    for name, samples, width in re.findall(
            r"<title>(.*?) \(([\d,]+) samples, [\d.]+%\)</title><rect x=\"[\d.]+\" y=\"[\d.]+\" width=\"([\d.]+)\"", svg):
        yield KINDS.sub("", html.unescape(name)), int(samples.replace(",", "")), float(width)


def ours(svg):
    for total, name in re.findall(r"data-total=\"(\d+)\"[^>]*><title>([^\n<]*)", svg):
        yield KINDS.sub("", html.unescape(name)), int(total)


failed = False
for file in FILES:
    if not os.path.getsize(file):
        continue
    with tempfile.TemporaryDirectory() as folder:
        svg = os.path.join(folder, "ours.svg")
        subprocess.run([DSCOPE, "--import", "folded:" + file, "--export", "flame=" + svg], check=True)
        peer = subprocess.run(["perl", os.path.join(FOLDER, "flamegraph.pl"), file], check=True, capture_output=True, text=True).stdout
        with open(svg) as text:
            shown = collections.Counter(ours(text.read()))
    wanted = collections.Counter((n, s) for n, s, width in theirs(peer) if width >= 1)
    missing = wanted - shown
    failed = failed or bool(missing)
    print(f"{os.path.basename(file)}: {sum(wanted.values())} frames of a pixel or more, {sum(missing.values())} missing")
    for (name, samples), n in list(missing.items())[:3]:
        print(f"  {n} x {name} ({samples} samples)")
sys.exit(failed)
