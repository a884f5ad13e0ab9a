#!/usr/bin/env python3
"""How much code the D programs of the tests and examples become: the 8-byte slots of BPF that `dscope -S` lists, by two builds of
dscope. Tells the totals, and every program whose code became longer, shorter, or other code of the same length.

    tests/benchmarks/instructions.py BEFORE AFTER [FOLDER-OF-D-PROGRAMS ...]
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BEFORE, AFTER = sys.argv[1:3]
FOLDERS = sys.argv[3:] or [os.path.join(HERE, f) for f in ("tests/data/simulated", "examples")]
SLOT = re.compile(r"^[0-9]{4,} [0-9]{5,}: ")


def parts(path):
    """The D text of a file, and the options and arguments that its directives (tests/data/simulated/README.md) name."""
    text = open(path, encoding="utf-8", errors="surrogateescape").read()
    program = text.partition("\n@@")[0] + "\n"
    words = []
    for line in text.splitlines():
        if line.startswith("@@option "):
            for option in line.split()[1:]:
                words += ["-x", option]
        if line.startswith("@@args "):
            words += shlex.split(line)[1:]
    return program, words


def code(dscope, script, words):
    """The listed slots; None for what does not compile here."""
    run = subprocess.run([dscope, "-S", "-e", "-q", "-c", "/bin/true", "-s", script, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    return [line for line in (run.stdout + run.stderr).splitlines() if SLOT.match(line)] if run.returncode == 0 else None


totals, same, left, other = [0, 0], 0, [], []
with tempfile.TemporaryDirectory(prefix="dscope-instructions-") as folder:
    script = os.path.join(folder, "program.d")
    for path in sorted(p for f in FOLDERS for p in glob.glob(os.path.join(f, "**", "*.d"), recursive=True)):
        program, words = parts(path)
        with open(script, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(program)
        before, after = code(BEFORE, script, words), code(AFTER, script, words)
        if before is None or after is None:
            left.append(os.path.relpath(path, HERE))
            continue
        totals[0] += len(before)
        totals[1] += len(after)
        same += before == after
        if before != after:
            other.append((len(after) - len(before), len(before), len(after), os.path.relpath(path, HERE)))

for change, before, after, path in sorted(other, reverse=True):
    print(f"{path}: {before} -> {after} ({change:+d})")
print(f"{same} programs have the same code, {sum(o[0] > 0 for o in other)} longer, {sum(o[0] < 0 for o in other)} shorter, "
      f"{sum(o[0] == 0 for o in other)} other of the same length; {len(left)} do not compile here")
print(f"in all {totals[0]} -> {totals[1]} slots ({100 * (totals[1] / max(totals[0], 1) - 1):+.2f} %)")
