#!/usr/bin/env python3
"""What tracing costs the traced program, beside bpftrace in the same run: a loop of getppid is timed bare, under dscope and under
bpftrace in turn, and the medians of the added nanoseconds a call are told, with the median of their ratios and its 95 % interval. A loop is a thousand
pieces, whose median counts. A round whose bare loop, before it or after it, took 15 % longer than the fastest is measured again: others'
probes slow it, too. As a real-time process (`chrt -f 20`) a busy machine disturbs it less. Then
the memory of one-liners, and how long a script of 300 clauses takes to compile and load; not where cases are named. Needs root and, for
the comparison, bpftrace (see startup.py about its wishes). BPFTRACE names another one: a command of one or more words, such as a newer
Debian's loader, its --library-path and its bpftrace.

    tests/benchmarks/cost.py [PATH-OF-DSCOPE] [ROUNDS] [CASE...]
"""
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from measured import interval

DSCOPE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/dscope"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 7
NAMED = sys.argv[3:]
BPFTRACE = shlex.split(os.environ.get("BPFTRACE", "bpftrace"))
PIECES, CALLS = 1000, 1000  # calls of each piece

if "DSCOPE_BENCHMARK_INSIDE" not in os.environ:
    os.environ["DSCOPE_BENCHMARK_INSIDE"] = "1"
    mounts = "mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null; "
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", mounts + 'exec "$0" "$@"', sys.executable, *sys.argv])

FOLDER = tempfile.mkdtemp(prefix="dscope-benchmark-")


def built(name, source, *flags):
    path = os.path.join(FOLDER, name)
    with open(path + ".c", "w") as f:
        f.write(source)
    subprocess.run(["cc", "-O1", "-w", *flags, "-o", path, path + ".c"], check=True)
    return path


LOOP = built("loop", """
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static double taken[%d];
static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
int main(void) {
    for (int n = 0; n < %d; n++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int i = 0; i < %d; i++) syscall(SYS_getppid);
        clock_gettime(CLOCK_MONOTONIC, &b);
        taken[n] = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / %d;
    }
    qsort(taken, %d, sizeof *taken, compare);
    printf("%%f\\n", taken[%d / 2]);
}
""" % (PIECES, PIECES, CALLS, CALLS, PIECES, PIECES))
LIMITS = built("limits.so", "int setrlimit(int r, const void *l) { return 0; } int setrlimit64(int r, const void *l) { return 0; }",
               "-shared", "-fPIC")

CASES = [
    ("count by execname",
     'syscall::getppid:entry { @[execname] = count(); }',
     'tracepoint:syscalls:sys_enter_getppid { @[comm] = count(); }'),
    ("latency",
     'syscall::getppid:entry { self->ts = timestamp; } '
     'syscall::getppid:return /self->ts/ { @["ns"] = quantize(timestamp - self->ts); self->ts = 0; }',
     'tracepoint:syscalls:sys_enter_getppid { @ts[tid] = nsecs; } '
     'tracepoint:syscalls:sys_exit_getppid /@ts[tid]/ { @ns = hist(nsecs - @ts[tid]); delete(@ts[tid]); }'),
    ("a key for 32 calls",
     'int n; syscall::getppid:entry { @[n++ / 32] = count(); }',
     'tracepoint:syscalls:sys_enter_getppid { @[@n / 32] = count(); @n++; }'),
]


def loop():
    return float(subprocess.run([LOOP], check=True, capture_output=True, text=True).stdout)


def traced(command, ready):
    """Nanoseconds a call while `command` traces; `ready` is what it prints when it does."""
    environment = dict(os.environ, LD_PRELOAD=LIMITS, BPFTRACE_MAX_MAP_KEYS="65536") if command[0] == BPFTRACE[0] else os.environ
    tracer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    for line in tracer.stdout:
        if ready in line:
            break
    else:
        sys.exit(f"{command[0]} did not begin to trace")
    time.sleep(0.2)  # bpftrace attaches after BEGIN
    result = loop()
    tracer.send_signal(2)
    tracer.communicate()
    return result


for name, ours, theirs in CASES:
    if NAMED and name not in NAMED:
        continue
    rows, left_out, fastest = [], 0, loop()
    while len(rows) < ROUNDS:
        number = len(rows)
        bare = loop()
        commands = [[DSCOPE, "-qn", 'tick-10ms /!told/ { told = 1; printf("ready\\n"); } ' + ours, "-x", "switchrate=10ms"],
                    BPFTRACE + ["-e", 'BEGIN { printf("ready\\n"); } ' + theirs]]
        taken = [traced(command, "ready") - bare for command in (commands if number % 2 == 0 else reversed(commands))]
        a, b = taken if number % 2 == 0 else reversed(taken)
        after = loop()
        fastest = min(fastest, bare, after)
        if max(bare, after) > 1.15 * fastest and left_out < 3 * ROUNDS:
            left_out += 1
        else:
            rows.append((bare, a, b))
    bare, a, b = (statistics.median(r[i] for r in rows) for i in range(3))
    ratios = [ours / theirs for _, ours, theirs in rows]
    low, high = interval(ratios)
    print(f"{name}: bare {bare:.0f} ns, dscope +{a:.0f} ns, bpftrace +{b:.0f} ns, ratio {statistics.median(ratios):.2f} ({low:.2f} to {high:.2f}), "
          f"{left_out} rounds left out", flush=True)
if NAMED:
    sys.exit()

for name, program in [("BEGIN", "BEGIN { exit(0); }"), ("syscalls by name", "syscall:::entry { @[probefunc] = count(); } tick-200ms { exit(0); }"),
                      ("stacks", "profile-997 { @[stack(), ustack()] = count(); } tick-500ms { exit(0); }")]:
    process = subprocess.Popen([DSCOPE, "-qn", program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    print(f"memory of {name}: {used.ru_maxrss / 1024:.0f} MiB", flush=True)

calls = [w.split()[-2] for w in subprocess.run([DSCOPE, "-l", "-P", "syscall"], capture_output=True, text=True).stdout.splitlines()
         if w.endswith(" entry")]
calls = sorted(set(calls))[:150]
script = os.path.join(FOLDER, "long.d")
with open(script, "w") as f:
    for i, call in enumerate(calls):
        v = f"self->t{i % 10}"
        f.write(f"syscall::{call}:entry {{ {v} = timestamp; @c{i % 10}[execname, probefunc] = count(); }}\n"
                f"syscall::{call}:return /{v}/ {{ @q[probefunc] = quantize(timestamp - {v}); {v} = 0; printf(\"%s %d\\n\", execname, arg0); }}\n")
    f.write("BEGIN { exit(0); }\n")


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


seconds([DSCOPE, "-q", "-s", script])
whole = statistics.median(seconds([DSCOPE, "-q", "-s", script]) for _ in range(ROUNDS))
front = statistics.median(seconds([DSCOPE, "-e", "-s", script]) for _ in range(ROUNDS))
print(f"a script of {2 * len(calls)} clauses: compiled in {front * 1e3:.0f} ms, compiled, loaded, run and left in {whole * 1e3:.0f} ms")
