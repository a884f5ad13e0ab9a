#!/usr/bin/env python3
"""Folds FlameGraph's own files of perf's text with dscope and with stackcollapse-perf.pl, and compares the counts of each stack.

    flamegraph.py FLAMEGRAPH-FOLDER [DSCOPE]

FLAMEGRAPH-FOLDER is a copy of github.com/brendangregg/FlameGraph; it is not part of dscope. DSCOPE: build/checked/bin/dscope. The
format is not named, so each file must be recognized. FlameGraph cuts names more than dscope does: its cutting is applied to dscope's
names before stacks are compared, and Rust's hash, which dscope leaves out, is left out of FlameGraph's. Status 0: all are the same.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = re.compile(r"_\[[a-z]\]$")


def folded(text):
    counts = collections.Counter()
    for line in text.splitlines():
        stack, _, value = line.rpartition(" ")
        counts[stack] += int(value)
    return counts


def cut(frame, isJava):
    """A frame of dscope's as stackcollapse-perf.pl would name it: without its module, parameters, quotes."""
    mark = MARK.search(frame)
    name = MARK.sub("", frame)
    module, _, function = name.rpartition("`")
    if module and re.fullmatch(r"0x[0-9a-f]+", function):
        function = f"[{module}]"
    if not re.search(r"\.\(.*\)\.", function):
        function = re.sub(r"\((?!anonymous namespace\)).*", "", function)
    function = re.sub("[\"']", "", function)
    if isJava and "/" in function:
        function = re.sub("^L", "", function)
    return function + (mark.group() if mark else "")


def demangled(name):
    return subprocess.run(["c++filt", "-p", name.group()], capture_output=True, text=True, check=True).stdout.strip()


def ours(dscope, file, event, folder):
    out = pathlib.Path(folder) / "ours.folded"
    choice = ["--event", event] if event else []
    run = subprocess.run([dscope, "--import", file, *choice, "--export", f"flame={out}"], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{file}: {run.stderr}")
    told = [line for line in run.stderr.splitlines() if not line.startswith("wrote ")]
    counts = collections.Counter()
    for stack, value in folded(out.read_text(errors="surrogateescape")).items():
        command, *frames = stack.split(";")
        counts[";".join([command.replace(" ", "_")] + [cut(frame, command.startswith("java")) for frame in frames])] += value
    return counts, told


def theirs(folder, file):
    """What stackcollapse-perf.pl prints, with C++ names demangled and without what templates return, and the event that it shows: the
    first of the text. A symbol without characters, of which it makes a blank frame, is given to it as today's perf prints it."""
    text = file.read_text(errors="surrogateescape")
    given = re.sub(r"^(\s*[0-9a-f]+)  \(", r"\1 [unknown] (", text, flags=re.M).encode(errors="surrogateescape")
    run = subprocess.run(["perl", pathlib.Path(folder) / "stackcollapse-perf.pl", "--all"], input=given, capture_output=True)
    right = re.sub(r"::h[0-9a-f]{16}(?=[;_ ])", "", run.stdout.decode(errors="surrogateescape"))
    right = re.sub(r"\b_Z\w+", demangled, right)
    right = re.sub(r"(?<=;)[\w:]+[*&]* (?=\w+::)", "", right)
    right = re.sub(r"(?<=;)(__vdso_\w+)_\[k\]", r"\1", right)  # it takes every module in brackets for the kernel
    events = re.findall(r":\s*\d*\s+(\S+):\s*$", text, re.M)
    return folded(right), events[0] if len(set(events)) > 1 else ""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, dscope = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "build/checked/bin/dscope"
    files = sorted(pathlib.Path(folder).glob("test/perf-*.txt"))
    same = 0
    with tempfile.TemporaryDirectory() as scratch:
        for file in files:
            right, event = theirs(folder, file)
            read, told = ours(dscope, file, event, scratch)
            differ = sorted(stack for stack in set(right) | set(read) if right[stack] != read[stack])
            same += not differ
            print(f"{file.name}: {len(right)} stacks, {sum(right.values())} in all: {'DIFFERENT' if differ else 'the same'}")
            for stack in differ[:5]:
                print(f"  dscope {read[stack]}, FlameGraph {right[stack]}: {stack}")
            for line in told:
                print("  " + line)
    print(f"{same} of {len(files)} files are the same")
    return 0 if files and same == len(files) else 1


sys.exit(main())
