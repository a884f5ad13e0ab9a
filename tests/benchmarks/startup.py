#!/usr/bin/env python3
"""How long dscope takes to start and leave, beside bpftrace in the same run: whole-process wall time, medians of pairs
measured in turn, and the ratio. Needs root and bpftrace, which gets what it insists on and this machine may lack: tracefs
(in a mount namespace of its own) and a locked-memory limit (a preloaded setrlimit that says yes where it is refused).

    tests/benchmarks/startup.py [PATH-OF-DSCOPE] [RUNS]
"""
import os
import statistics
import subprocess
import sys
import tempfile
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
CLAUSES = 300


def long_scripts():
    """The same CLAUSES clauses for both: who made each call, and how long it took, told a line each."""
    listed = subprocess.run([DSCOPE, "-l", "-P", "syscall"], capture_output=True, text=True, check=True).stdout.splitlines()
    known = set(os.listdir("/sys/kernel/tracing/events/syscalls"))
    calls = sorted({line.split()[-2] for line in listed if line.endswith(" entry")})
    calls = [c for c in calls if "sys_enter_" + c in known][:CLAUSES // 2]
    ours, theirs = [], []
    for call in calls:
        ours.append(f"syscall::{call}:entry {{ self->since = timestamp; @calls[execname, probefunc] = count(); }}\n"
                    f"syscall::{call}:return /self->since/ {{ @took[probefunc] = quantize(timestamp - self->since); self->since = 0;"
                    ' printf("%s %d\\n", execname, arg0); }\n')
        theirs.append(f"tracepoint:syscalls:sys_enter_{call} {{ @since[tid] = nsecs; @calls[comm, probe] = count(); }}\n"
                      f"tracepoint:syscalls:sys_exit_{call} /@since[tid]/ {{ @took[probe] = hist(nsecs - @since[tid]);"
                      ' delete(@since[tid]); printf("%s %d\\n", comm, args->ret); }\n')
    folder = tempfile.mkdtemp(prefix="dscope-benchmark-")
    files = []
    for name, text in (("long.d", ours + ["BEGIN { exit(0); }\n"]), ("long.bt", theirs + ["BEGIN { exit(); }\n"])):
        files.append(os.path.join(folder, name))
        with open(files[-1], "w") as f:
            f.writelines(text)
    return files


def permissive_limits():
    """A library whose setrlimit always succeeds: memory of BPF maps has not been counted against it since kernel 5.11."""
    folder = tempfile.mkdtemp(prefix="dscope-benchmark-")
    source, library = os.path.join(folder, "limits.c"), os.path.join(folder, "limits.so")
    with open(source, "w") as f:
        f.write("int setrlimit(int r, const void *l) { return 0; } int setrlimit64(int r, const void *l) { return 0; }")
    subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


if "DSCOPE_BENCHMARK_INSIDE" not in os.environ:
    os.environ["DSCOPE_BENCHMARK_INSIDE"] = "1"
    mounts = "mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null; "
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", mounts + 'exec "$0" "$@"', sys.executable, *sys.argv])
LONG_D, LONG_BT = long_scripts()
PAIRS.append((f"{CLAUSES} clauses compiled and loaded", 1, [DSCOPE, "-qs", LONG_D], ["bpftrace", LONG_BT]))
PRELOAD = dict(os.environ, LD_PRELOAD=permissive_limits())


def seconds(command):
    environment = PRELOAD if command[0] == "bpftrace" else os.environ
    begin = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
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
