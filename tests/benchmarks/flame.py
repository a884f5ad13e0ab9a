#!/usr/bin/env python3
"""Folded stacks to an SVG beside FlameGraph's flamegraph.pl: CPU seconds and peak memory of whole processes, and ratios.

    tests/benchmarks/flame.py FLAMEGRAPH-FOLDER [PATH-OF-DSCOPE] [STACKS ...]

STACKS are 100000 unless said; of 1000000 the peer takes minutes and 8 GiB.
"""
import os
import re
import sys
import tempfile

from measured import best, kept, mebibytes, stacks

PEER = os.path.join(sys.argv[1], "flamegraph.pl") if len(sys.argv) > 1 else sys.exit(__doc__)
DSCOPE = sys.argv[2] if len(sys.argv) > 2 else "build/release/bin/dscope"
COUNTS = [int(n) for n in sys.argv[3:]] or [100_000]


def frames(svg, title):
    """The names of the frames that a picture shows, with their values."""
    with open(svg, errors="replace") as file:
        return re.findall(title, file.read())


for count in COUNTS:
    text = kept(f"stacks-{count}.folded", lambda file: file.writelines(f"{';'.join(s)} {v}\n" for s, v in stacks(count)))
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = os.path.join(folder, "ours.svg"), os.path.join(folder, "theirs.svg")
        a = best([DSCOPE, "--import", "folded:" + text, "--export", "flame=" + ours])
        b = best(["perl", PEER, text], runs=1, stdout=theirs)
        shown = len(frames(ours, r"<title>")), len(frames(theirs, r"<title>"))
        print(f"{count} stacks, {mebibytes(text):.0f} MiB: dscope {a.cpu:.3f} CPU s, {a.peak:.0f} MiB at most, "
              f"{a.peak - mebibytes(text):.0f} beside the file; flamegraph.pl {b.cpu:.2f} CPU s, {b.peak:.0f} MiB; "
              f"{b.cpu / a.cpu:.0f} times faster; pictures {mebibytes(ours):.2f} and {mebibytes(theirs):.2f} MiB, titles {shown[0]} and {shown[1]}")
