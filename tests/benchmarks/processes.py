#!/usr/bin/env python3
"""A process tree of very many processes: CPU seconds to read it, to lay out and write its folded default figure, and the size of
that. What reading alone costs is measured with the table, and taken away. Where the target benchmark_layout is built beside
dscope, its stages are told apart: the layout of what is folded, and of all processes with nothing folded.

    tests/benchmarks/processes.py [PATH-OF-DSCOPE] [PROCESSES]
"""
import os
import subprocess
import sys
import tempfile

from measured import best, kept, mebibytes

DSCOPE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/dscope"
PROCESSES = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000


def build(file):
    """strace's log of a build: make starts makes, those a compiler for each file, which starts a pass and an assembler."""
    at = 0.0
    last = 1000

    def line(pid, text):
        nonlocal at
        at += 0.000017
        hours, rest = divmod(at, 3600)
        minutes, seconds = divmod(rest, 60)
        file.write(f"{pid} {int(hours):02d}:{int(minutes):02d}:{seconds:09.6f} {text}\n")

    def execute(pid, path, *args):
        words = ", ".join(f'"{a}"' for a in (path.rpartition("/")[2], *args))
        line(pid, f'execve("{path}", [{words}], 0x7ffd5b1b1a58 /* 21 vars */) = 0 <0.000210>')

    def start(parent, path, *args):
        nonlocal last
        last += 1
        line(parent, f"vfork() = {last} <0.000310>")
        execute(last, path, *args)
        return last

    def end(pid, status=0):
        line(pid, f"+++ exited with {status} +++")

    root = last
    execute(root, "/usr/bin/make", "-j16", "all")
    folder = 0
    while last - root < PROCESSES:
        folder += 1
        make = start(root, "/usr/bin/make", "-C", f"lib{folder}")
        for source in range(min(60, PROCESSES - (last - root))):
            driver = start(make, "/usr/bin/cc", "-O2", "-c", f"file{source}.c", "-o", f"file{source}.o")
            for path in "/usr/libexec/cc1", "/usr/bin/as":
                end(start(driver, path, f"/tmp/cc{last}.s"))
            end(driver, 1 if (folder * 61 + source) % 997 == 0 else 0)
        end(make)
    end(root)


text = kept(f"processes-{PROCESSES}.strace", build)
with tempfile.TemporaryDirectory() as folder:
    table, figure = os.path.join(folder, "tree.csv"), os.path.join(folder, "tree.svg")
    read = best([DSCOPE, "--import", "strace:" + text, "--export", "process-tree=" + table])
    drawn = best([DSCOPE, "--import", "strace:" + text, "--export", "process-tree=" + figure])
    with open(table, "rb") as file:
        rows = file.read().count(b"\n") - 1
    stages = os.path.join(os.path.dirname(DSCOPE), "benchmark_layout")
    print(f"{rows} processes, a log of {mebibytes(text):.0f} MiB: read and written as a table in {read.cpu:.2f} CPU s, "
          f"drawn in {drawn.cpu:.2f} CPU s ({drawn.cpu - read.cpu:+.2f}), {drawn.peak:.0f} MiB at most; the figure is {mebibytes(figure):.2f} MiB")
    if os.path.exists(stages):
        print(subprocess.run([stages, "process-tree", text], capture_output=True, text=True, check=True).stdout, end="")
