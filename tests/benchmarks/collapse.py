#!/usr/bin/env python3
"""Other tools' stacks to folded text beside FlameGraph's stackcollapse scripts: MB/s of CPU time, and whether both say the same,
on generated texts and on FlameGraph's own files.

    tests/benchmarks/collapse.py FLAMEGRAPH-FOLDER [PATH-OF-DSCOPE] [MEBIBYTES]
"""
import glob
import os
import sys
import tempfile

from measured import best, kept, stacks

FLAMEGRAPH = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
DSCOPE = sys.argv[2] if len(sys.argv) > 2 else "build/release/bin/dscope"
SIZE = int(sys.argv[3]) << 20 if len(sys.argv) > 3 else 128 << 20


def filled(record):
    """Writes what `record(stack, value)` makes of 20,000 stacks again and again until there is enough."""
    def write(file):
        records = [record(s, v) for s, v in stacks(20_000)]
        size = 0
        while size < SIZE:
            for text in records:
                file.write(text)
                size += len(text)
    return write


def dtrace(stack, value):
    return "".join(f"              unix`{f}+0x{len(f):x}\n" for f in reversed(stack)) + f"{value:17d}\n\n"


def perf(stack, value):
    head = f"server {value + 100}/{value + 101} [00{value % 8}] {value}.{value:06d}:     {value} cycles:ppp: \n"
    return head + "".join(f"\t{0x55d0c0de0000 + len(f):16x} {f}+0x{len(f):x} (/usr/bin/server)\n" for f in reversed(stack)) + "\n"


def bpftrace(stack, value):
    return "@[\n" + "".join(f"    {f}\n" for f in reversed(stack)) + f"]: {value}\n"


HEADS = {"dtrace": "CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s \n\n"}
FORMATS = [
    ("dtrace", dtrace, ["stackcollapse.pl"], [os.path.join(FLAMEGRAPH, "example-dtrace-stacks.txt")]),
    ("perf", perf, ["stackcollapse-perf.pl", "--all"], sorted(glob.glob(os.path.join(FLAMEGRAPH, "test", "*.txt")))),
    ("bpftrace", bpftrace, ["stackcollapse-bpftrace.pl"], []),
]


def summed(path):
    """A folded text as stacks and what they sum up to: the peer of bpftrace does not add."""
    sums = {}
    with open(path, errors="surrogateescape") as file:
        for line in file:
            stack, _, value = line.rstrip("\n").rpartition(" ")
            sums[stack] = sums.get(stack, 0) + int(value)
    return sums


def both(name, peer, text, folder, runs):
    ours, theirs = os.path.join(folder, "ours.folded"), os.path.join(folder, "theirs.folded")
    a = best([DSCOPE, "--import", f"{name}:{text}", "--export", "flame=" + ours], runs)
    b = best(["perl", os.path.join(FLAMEGRAPH, peer[0]), *peer[1:], text], 1, theirs)
    x, y = summed(ours), summed(theirs)
    same = "the same" if x == y else "DIFFERENT: " + "; ".join(
        f"{stack!r}: {x.get(stack, 0)} and {y.get(stack, 0)}" for stack in sorted(set(x) | set(y)) if x.get(stack) != y.get(stack))[:300]
    return a, b, same


with tempfile.TemporaryDirectory() as folder:
    for name, record, peer, own in FORMATS:
        fill = filled(record)
        text = kept(f"stacks-{SIZE >> 20}M.{name}", lambda file: (file.write(HEADS.get(name, "")), fill(file)))
        a, b, same = both(name, peer, text, folder, 3)
        size = os.path.getsize(text) / 1e6
        print(f"{name}: dscope {size / a.cpu:.0f} MB/s, {a.peak:.0f} MiB; {peer[0]} {size / b.cpu:.0f} MB/s, {b.peak:.0f} MiB; "
              f"{b.cpu / a.cpu:.0f} times faster; {same}")
        for file in own:
            print(f"  {os.path.basename(file)}: {both(name, peer, file, folder, 1)[2]}")
