#!/usr/bin/env python3
"""Two builds of dscope in alternating pairs: start, cost of a traced call, other tools' stacks to folded text, a flame graph.
For each the median ratio of the second to the first, and the 95 % interval of that median (order statistics of the pairs: nothing
is assumed of how they are distributed). Needs root. As a real-time process (`chrt -f 50`) a busy machine disturbs it less.

    tests/benchmarks/pairs.py PATH-OF-BEFORE PATH-OF-AFTER [PAIRS]
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from measured import interval, kept, stacks

if len(sys.argv) < 3:
    sys.exit(__doc__)
BEFORE, AFTER = sys.argv[1:3]
PAIRS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
CALLS = 500_000
FOLDER = tempfile.mkdtemp(prefix="dscope-benchmark-")


def cpu(command):
    """User and system seconds of a whole process."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return used.ru_utime + used.ru_stime


def wall(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def built(name, source):
    path = os.path.join(FOLDER, name)
    with open(path + ".c", "w") as file:
        file.write(source)
    subprocess.run(["cc", "-O1", "-o", path, path + ".c"], check=True)
    return path


LOOP = built("loop", """
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < %d; i++) syscall(SYS_getppid);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%%f\\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / %d);
}
""" % (CALLS, CALLS))


def call(program):
    """Nanoseconds that a system call takes while it is traced."""
    def measured(dscope):
        tracer = subprocess.Popen([dscope, "-qn", 'tick-10ms /!told/ { told = 1; printf("ready\\n"); } ' + program, "-x", "switchrate=10ms"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in tracer.stdout:
            if "ready" in line:
                break
        else:
            sys.exit(f"{dscope} did not begin to trace")
        taken = float(subprocess.run([LOOP], check=True, capture_output=True, text=True).stdout)
        tracer.send_signal(2)
        tracer.communicate()
        return taken
    return measured


def folded(file):
    for stack, value in stacks(100_000):
        file.write(";".join(stack) + f" {value}\n")


def script(file):
    """What perf script prints of 100,000 samples."""
    for number, (stack, value) in enumerate(stacks(100_000, depth=(12, 25), seed=2)):
        file.write(f"work 4242 [000] {number / 997:.6f}: {value} cpu-clock:\n")
        file.writelines(f"\t{4096 + 16 * len(name):x} {name}+0x4 (/usr/bin/work)\n" for name in reversed(stack))
        file.write("\n")


FOLDED, SCRIPT = kept("pairs.folded", folded), kept("pairs.perf", script)
OUT = os.path.join(FOLDER, "out")
CASES = [
    ("start", lambda d: wall([d, "-qn", "BEGIN { exit(0); }"])),
    ("a count", call('syscall::getppid:entry { @[execname] = count(); }')),
    ("a latency", call('syscall::getppid:entry { self->ts = timestamp; } '
                       'syscall::getppid:return /self->ts/ { @["ns"] = quantize(timestamp - self->ts); self->ts = 0; }')),
    ("perf's stacks to folded text", lambda d: cpu([d, "--import", SCRIPT, "--export", f"flame={OUT}.folded"])),
    ("100,000 stacks to a flame graph", lambda d: cpu([d, "--import", FOLDED, "--export", f"flame={OUT}.svg"])),
]


for name, measure in CASES:
    measure(BEFORE), measure(AFTER)
    pairs = []
    for i in range(PAIRS):
        # Each goes first as often as the other.
        first = measure(BEFORE) if i % 2 == 0 else None
        second = measure(AFTER)
        pairs.append((first if first is not None else measure(BEFORE), second))
    ratios = [after / before for before, after in pairs]
    low, high = interval(ratios)
    print(f"{name}: median ratio {statistics.median(ratios):.3f}, 95 % interval {low:.3f} to {high:.3f} of {len(pairs)} pairs; "
          f"medians {statistics.median(b for b, _ in pairs):.4g} and {statistics.median(a for _, a in pairs):.4g}", flush=True)
