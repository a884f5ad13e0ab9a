#!/usr/bin/env python3
"""What a sample of profile-997 costs when all that runs is sampled, in alternating pairs of two builds. Needs root, g++ and clang++.

    tests/benchmarks/sample_cost.py BEFORE AFTER [--pairs N] [--seconds N] [--loads N] [--bpftrace] [--perf]

Each run counts `@[execname, ustack()]` for N seconds beside loads that do not change (steady.py): compilers, short processes, a script.
CPU of a sample: user and system time of the whole dscope, start and end included, and the run time of its BPF programs, divided by the
times its profile program ran. Memory: peak resident set, and the largest that its maps became. For both the median ratio and the 95 %
interval of that median. --bpftrace and --perf do the same once with bpftrace's dw_ustack() and perf's --call-graph dwarf.
"""
import argparse
import glob
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from measured import interval
from steady import load

ARGUMENTS = argparse.ArgumentParser(usage=__doc__)
ARGUMENTS.add_argument("before")
ARGUMENTS.add_argument("after")
ARGUMENTS.add_argument("--pairs", type=int, default=10)
ARGUMENTS.add_argument("--seconds", type=int, default=60)
ARGUMENTS.add_argument("--loads", type=int, default=2)
ARGUMENTS.add_argument("--bpftrace", action="store_true")
ARGUMENTS.add_argument("--perf", action="store_true")
STATISTICS = "/proc/sys/kernel/bpf_stats_enabled"
PROGRAM = 'BEGIN { printf("ready\\n"); } profile-997 { @[execname, ustack()] = count(); }'


def descriptors(pid):
    """What the kernel tells of each of a process's descriptors, as a dictionary."""
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(path) as file:
                yield dict(re.findall(r"^(\w+):\s*(\S+)", file.read(), re.M))
        except OSError:
            continue


def programs(pid):
    """Nanoseconds that a process's BPF programs ran, and how often the one that took most of them did."""
    times = {}
    for told in descriptors(pid):
        if "run_time_ns" in told:
            times[told["prog_id"]] = (int(told["run_time_ns"]), int(told["run_cnt"]))
    return sum(t for t, _ in times.values()), max(times.values(), default=(0, 0))[1]


def maps(pid):
    """Bytes of a process's BPF maps."""
    sizes = {told["map_id"]: int(told["memlock"]) for told in descriptors(pid) if "map_id" in told}
    return sum(sizes.values())


class Run:
    """`cost`: microseconds of a sample, `memory`: MiB."""

    def __init__(self, command, seconds, ready="ready"):
        with tempfile.NamedTemporaryFile("w+", errors="replace") as out:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
            while ready not in open(out.name, errors="replace").read(100_000):
                if child.poll() is not None:
                    sys.exit(f"{command[0]} did not begin: {open(out.name).read()[:1000]}")
                time.sleep(0.02)
            end, self.maps = time.monotonic() + seconds, 0
            while time.monotonic() < end:
                time.sleep(min(5, max(0, end - time.monotonic())))
                self.maps = max(self.maps, maps(child.pid))
            self.kernel, self.samples = programs(child.pid)
            child.send_signal(signal.SIGINT)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.user, self.system = used.ru_utime, used.ru_stime
        self.peak = used.ru_maxrss / 1024
        self.cost = (self.user + self.system + self.kernel / 1e9) / max(1, self.samples) * 1e6
        self.memory = self.peak + self.maps / 2**20

    def __str__(self):
        return (f"{self.cost:.2f} us of {self.samples} samples ({self.kernel / 1e9:.2f} s of programs, {self.user:.2f} user, {self.system:.2f} system), "
                f"{self.memory:.0f} MiB ({self.maps / 2**20:.0f} of maps)")


def dscope(path, seconds):
    return Run([path, "-x", "ustackframes=127", "-qn", PROGRAM], seconds)


def bpftrace(seconds):
    program = 'BEGIN { printf("ready\\n"); } profile:hz:997 { @[comm, dw_ustack(127)] = count(); }'
    return Run(["bpftrace", "-e", "config = { unstable_dw_ustack = enable }" + program], seconds)


def perf(seconds):
    """Of perf there is no program: its samples are those of its file, and the copying within the interrupt is not in its own time."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        record = subprocess.Popen(["perf", "record", "-q", "-F", "997", "-a", "-e", "cpu-clock", "--call-graph", "dwarf", "-o", path, "sleep", str(seconds)])
        _, _, recorded = os.wait4(record.pid, 0)
        script = subprocess.Popen(["perf", "script", "-i", path, "--no-inline", "-F", "comm"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        samples = sum(1 for line in script.stdout if line.strip())
        _, _, printed = os.wait4(script.pid, 0)
        own = [used.ru_utime + used.ru_stime for used in (recorded, printed)]
        return (f"{own[0] / max(1, samples) * 1e6:.2f} us of {samples} samples to record, {own[1] / max(1, samples) * 1e6:.2f} us to unwind, "
                f"{max(recorded.ru_maxrss, printed.ru_maxrss) / 1024:.0f} MiB, {os.path.getsize(path) / 2**20:.0f} MiB of file")


def told(name, pairs, value):
    ratios = [value(after) / value(before) for before, after in pairs]
    low, high = interval(ratios)
    print(f"{name}: median ratio {statistics.median(ratios):.3f}, 95 % interval {low:.3f} to {high:.3f} of {len(pairs)} pairs", flush=True)


def measure(options):
    pairs = []
    for number in range(options.pairs):
        # Each goes first as often as the other.
        order = (options.before, options.after) if number % 2 == 0 else (options.after, options.before)
        runs = {path: dscope(path, options.seconds) for path in order}
        pairs.append((runs[options.before], runs[options.after]))
        print(f"{pairs[-1][0]}; then {pairs[-1][1]}", flush=True)
    told("CPU of a sample", pairs, lambda run: run.cost)
    told("memory", pairs, lambda run: run.memory)
    if options.bpftrace:
        print(f"bpftrace: {bpftrace(options.seconds)}", flush=True)
    if options.perf:
        print(f"perf: {perf(options.seconds)}", flush=True)


def main():
    options = ARGUMENTS.parse_args()
    loads = []
    with open(STATISTICS) as file:
        kept = file.read()
    with tempfile.TemporaryDirectory() as folder:
        try:
            with open(STATISTICS, "w") as file:
                file.write("1")
            for number in range(options.loads):
                os.mkdir(path := os.path.join(folder, str(number)))
                loads.append(load(path))
            measure(options)
        finally:
            with open(STATISTICS, "w") as file:
                file.write(kept)
            for working in loads:
                os.killpg(working.pid, signal.SIGTERM)
                working.wait()


if __name__ == "__main__":
    main()
