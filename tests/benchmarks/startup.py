#!/usr/bin/env python3
"""How long dscope takes to start and leave, beside bpftrace in the same run: whole-process wall time, medians of pairs
measured in turn, and the ratio. Needs root and bpftrace.

    tests/benchmarks/startup.py [PATH-OF-DSCOPE] [RUNS]
"""
import statistics
import subprocess
import sys
import time

DSCOPE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/dscope"
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 11

PAIRS = [
    ("BEGIN and leave", 0,
     [DSCOPE, "-qn", "BEGIN { exit(0); }"],
     ["bpftrace", "-e", "BEGIN { exit(); }"]),
    ("every system call by name, 100 ms", 100,
     [DSCOPE, "-qn", "syscall:::entry { @[probefunc] = count(); } tick-100ms { exit(0); }"],
     ["bpftrace", "-e", "tracepoint:syscalls:sys_enter_* { @[probe] = count(); } interval:ms:100 { exit(); }"]),
]


def seconds(command):
    begin = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")
    return time.perf_counter() - begin


for name, inside, ours, theirs in PAIRS:
    seconds(ours), seconds(theirs)
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(RUNS if inside == 0 else max(3, RUNS // 3))]
    a = statistics.median(p[0] for p in pairs) * 1e3
    b = statistics.median(p[1] for p in pairs) * 1e3
    ratio = statistics.median(p[0] / p[1] for p in pairs)
    print(f"{name}: dscope {a:.1f} ms, bpftrace {b:.1f} ms, ratio {ratio:.3f}")
