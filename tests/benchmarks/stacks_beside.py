#!/usr/bin/env python3
"""User stacks beside other tracers, in the same run: g++ compiles a file and is traced at every malloc with a count by stack, bare,
by dscope and by bpftrace's dw_ustack() in turn; medians are told. The compiler waits for its input while a tracer attaches to it
alone. Then the shares of a program that computes, by dscope's profile-997 and by perf's copies of 64 KiB. Needs root.

    tests/benchmarks/stacks_beside.py [PATH-OF-DSCOPE] [ROUNDS] [ROOT-WITH-BPFTRACE]

The root is one that debootstrap made of a Debian that has bpftrace 0.27: its libraries are used, not its files.
"""
import collections
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

DSCOPE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/dscope"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
ROOT = sys.argv[3] if len(sys.argv) > 3 else ""
FOLDER = tempfile.mkdtemp(prefix="dscope-benchmark-")
LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
MOST = 300  # seconds that anything may take


def written(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def compiler():
    """cc1plus and a text for it of some megabytes, with nothing left to include."""
    source = written("source.cpp", """
#include <algorithm>
#include <map>
#include <regex>
#include <string>
std::map<std::string, std::string> all;
bool known(const std::string& s) { static const std::regex e("a(b|c)*d"); return std::regex_match(s, e) || all.count(s); }
int main(int n, char** v) { std::sort(v, v + n); return known(v[0]); }
""")
    text = subprocess.run(["g++", "-E", "-P", source], check=True, capture_output=True).stdout
    name = subprocess.run(["g++", "-print-prog-name=cc1plus"], check=True, capture_output=True, text=True).stdout.strip()
    return [name, "-fpreprocessed", "-quiet", "-O2", "-o", "/dev/null", "-"], text


def dscope(pid):
    return [DSCOPE, "-x", "ustackframes=512", "-qn", 'BEGIN { printf("ready\\n"); } pid$target:libc.so.6:malloc:entry { @[ustack()] = count(); }', "-p", str(pid)]


def counting(pid):
    return [DSCOPE, "-qn", 'BEGIN { printf("ready\\n"); } pid$target:libc.so.6:malloc:entry { @ = count(); }', "-p", str(pid)]


def bpftrace(pid):
    libraries = f"{ROOT}/usr/lib/x86_64-linux-gnu"
    start = [f"{ROOT}/lib64/ld-linux-x86-64.so.2", "--library-path", libraries, f"{ROOT}/usr/bin/bpftrace"] if ROOT else ["bpftrace"]
    return start + ["-p", str(pid), "-e", f"config = {{ max_map_keys = 1000000; unstable_dw_ustack = enable }} BEGIN {{ printf(\"ready\\n\"); }} "
                    f"uprobe:{LIBC}:malloc /pid == {pid}/ {{ @[dw_ustack(127)] = count(); }}"]


def mapped(pid):
    """Bytes that the tracer's maps take in the kernel."""
    total = 0
    try:
        for fd in os.listdir(f"/proc/{pid}/fdinfo"):
            with open(f"/proc/{pid}/fdinfo/{fd}") as file:
                found = re.search(r"^map_id:.*?^memlock:\s*(\d+)|^memlock:\s*(\d+).*?^map_id:", file.read(), re.M | re.S)
                total += int(found[1] or found[2]) if found else 0
    except FileNotFoundError:
        pass
    return total


Result = collections.namedtuple("Result", "traced tracer start peak maps out")


def traced(command, text, tracer):
    """Runs the command, which reads `text`, under the tracer that `tracer` makes of its process number."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    out = os.path.join(FOLDER, "out")
    watcher, start, maps = None, 0.0, 0
    try:
        if tracer:
            time.sleep(0.2)  # it has loaded its libraries and waits
            begun = time.monotonic()
            with open(out, "wb") as file, open(out + ".errors", "wb") as errors:
                watcher = subprocess.Popen(tracer(child.pid), stdout=file, stderr=errors)
            while b"ready" not in open(out, "rb").read():
                if watcher.poll() is not None or time.monotonic() - begun > MOST:
                    sys.exit(f"{tracer.__name__} did not begin: {open(out + '.errors').read()}")
                time.sleep(0.005)
            start = time.monotonic() - begun
            time.sleep(0.3)  # bpftrace attaches after BEGIN
            maps = mapped(watcher.pid)
        child.stdin.write(text)
        child.stdin.close()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if not watcher:
            return Result(used.ru_utime + used.ru_stime, 0, 0, 0, 0, "")
        _, _, own = os.wait4(watcher.pid, 0)
        watcher.returncode = 0
        return Result(used.ru_utime + used.ru_stime, own.ru_utime + own.ru_stime, start, own.ru_maxrss / 1024, maps / (1 << 20), open(out, errors="replace").read())
    finally:
        for process in (child, watcher):
            if process and process.returncode is None:
                process.kill()
                process.wait()


def stacks(text):
    """(frames, count) of each key, of dscope's text or bpftrace's."""
    frames = []
    for line in text.splitlines():
        word = line.strip()
        count = re.fullmatch(r"(?:\]: )?(\d+)", word)
        if count:
            yield frames, int(count[1])
            frames = []
        elif word and word != "@[" and word != "ready" and not word.startswith("Attached"):
            frames.append(word)


def shares(text):
    """Stacks, and the shares that end where most that are whole do, and that are named."""
    total = cut = named = frames = 0
    roots = collections.Counter()
    for stack, count in stacks(text):
        total += count
        last = stack[-1] if stack else ""
        cut += count if not stack or "[truncated]" in last or "unwind" in last else 0
        roots[last] += count
        for frame in stack:
            frames += count
            named += 0 if re.match(r"(?:[^`]*`)?0x|.*unwind|\[trunc", frame) else count
    root = max((one for one in roots if "unwind" not in one and "[truncated]" not in one), key=roots.get, default="")
    return total, 100 * roots[root] / max(total, 1), 100 * cut / max(total, 1), 100 * named / max(frames, 1)


def beside():
    command, text = compiler()
    kinds = [None, counting, dscope, bpftrace]
    results = collections.defaultdict(list)
    for _ in range(ROUNDS):
        for kind in kinds:
            results[kind].append(traced(command, text, kind))
    print(f"{'':10} {'traced s':>9} {'tracer s':>9} {'start s':>8} {'peak MiB':>9} {'maps MiB':>9} {'stacks':>9} {'whole %':>8} {'cut %':>6} {'named %':>8}")
    for kind in kinds:
        median = [statistics.median(getattr(one, field) for one in results[kind]) for field in ("traced", "tracer", "start", "peak", "maps")]
        line = f"{kind.__name__ if kind else 'bare':10} {median[0]:9.2f} {median[1]:9.2f} {median[2]:8.2f} {median[3]:9.0f} {median[4]:9.1f}"
        if kind in (dscope, bpftrace):
            total, whole, cut, named = shares(results[kind][-1].out)
            line += f" {total:9} {whole:8.1f} {cut:6.1f} {named:8.1f}"
        print(line, flush=True)


COMPUTES = """
#include <stdlib.h>
#define N __attribute__((noinline, noipa))
N int last(int n) { volatile int s = 0; for (int i = 0; i < n * 100; i++) s += i; return s; }
N int left(int n) { return last(n) + last(2 * n) + 1; }
N int right(int n) { volatile int s = 0; for (int i = 0; i < n * 150; i++) s ^= i; return left(n / 2) + s; }
N int down(int d, int n) { return d ? down(d - 1, n) + 1 : left(n) + right(n); }
int main(int c, char** v) { int s = 0; for (int i = 0; i < atoi(v[1]); i++) s += down(i % 30, 100); return s == 7; }
"""


def inclusive(samples):
    """Per cent of the samples that each function is in."""
    total, within = 0, collections.Counter()
    for frames, count in samples:
        total += count
        for name in set(frames):
            within[name] += count
    return {name: 100 * count / total for name, count in within.items()}, total


def profiles():
    program = os.path.join(FOLDER, "computes")
    subprocess.run(["cc", "-O2", "-fomit-frame-pointer", "-o", program, written("computes.c", COMPUTES)], check=True)
    run = [program, "140000"]
    bare = lambda name: re.sub(r"\+0x.*", "", name.split("`")[-1])
    out = subprocess.run([DSCOPE, "-x", "ustackframes=512", "-qn", "profile-997 /pid == $target/ { @[ustack()] = count(); }", "-c", " ".join(run)],
                         check=True, capture_output=True, text=True, timeout=MOST).stdout
    ours, n = inclusive(([bare(frame) for frame in frames], count) for frames, count in stacks(out))
    data = os.path.join(FOLDER, "perf.data")
    theirs = []
    for _ in range(2):
        subprocess.run(["perf", "record", "-q", "-o", data, "-e", "cpu-clock:u", "-F", "997", "--call-graph", "dwarf,65528", "--"] + run, check=True,
                       capture_output=True, timeout=MOST)
        text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], check=True, capture_output=True, text=True, timeout=MOST).stdout
        samples = [([line.split()[1] for line in one.splitlines() if len(line.split()) > 1], 1) for one in text.split("\n\n") if one.strip()]
        theirs.append(inclusive(samples))
        os.unlink(data)
    print(f"\n{n} samples of profile-997, {theirs[0][1]} and {theirs[1][1]} of perf")
    print(f"{'function':30} {'dscope %':>9} {'perf %':>9} {'again %':>9}")
    for name, share in sorted(theirs[0][0].items(), key=lambda item: -item[1])[:20]:
        print(f"{name[:30]:30} {ours.get(name, 0):9.1f} {share:9.1f} {theirs[1][0].get(name, 0):9.1f}")


beside()
profiles()
