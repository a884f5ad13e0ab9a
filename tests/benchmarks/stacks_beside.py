#!/usr/bin/env python3
"""User stacks beside other tracers, in the same run. Needs root; a machine with nothing else to do gives better figures.

    tests/benchmarks/stacks_beside.py [--dscope PATH] [--before PATH] [--root FOLDER] [--rounds N] [--compiler g++|clang++] [PART ...]

malloc   a compiler is traced at every malloc with a count by stack: bare, counted, by dscope, by an older dscope (--before) and by
         bpftrace's dw_ustack() in turn; medians are told. The compiler waits for its input while a tracer attaches to it alone.
shares   of a program that computes, by dscope's profile-997 and by two runs of perf with copies of 64 KiB
rate     two threads make a cheap system call as fast as they can: stacks a second, and how many were dropped
machine  profile-997 of everything that runs, for a minute: CPU of a sample, of dscope itself and of what the kernel ran for it

--root is made by debootstrap of a Debian that has bpftrace 0.27: its libraries are used, not its files. Without it, bpftrace of PATH.
"""
import argparse
import collections
import glob
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

PARTS = ("malloc", "shares", "rate", "machine")
ARGUMENTS = argparse.ArgumentParser(usage=__doc__)
ARGUMENTS.add_argument("--dscope", default="build/release/bin/dscope")
ARGUMENTS.add_argument("--before")
ARGUMENTS.add_argument("--root", default="")
ARGUMENTS.add_argument("--rounds", type=int, default=3)
ARGUMENTS.add_argument("--compiler", default="g++", choices=("g++", "clang++"))
ARGUMENTS.add_argument("parts", nargs="*")
GIVEN = ARGUMENTS.parse_args()
DSCOPE, BEFORE, ROUNDS, ROOT = GIVEN.dscope, GIVEN.before, GIVEN.rounds, GIVEN.root
FOLDER = tempfile.mkdtemp(prefix="dscope-benchmark-")
LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
MOST = 300  # seconds that anything may take


def written(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def compiler():
    """A compiler's command and a text for it of some megabytes, with nothing left to include; clang++ has ten times the mallocs."""
    source = written("source.cpp", """
#include <algorithm>
#include <map>
#include <regex>
#include <string>
std::map<std::string, std::string> all;
bool known(const std::string& s) { static const std::regex e("a(b|c)*d"); return std::regex_match(s, e) || all.count(s); }
int main(int n, char** v) { std::sort(v, v + n); return known(v[0]); }
""")
    text = subprocess.run([GIVEN.compiler, "-E", "-P", source], check=True, capture_output=True).stdout
    if GIVEN.compiler == "clang++":
        clang = os.path.realpath(subprocess.run(["which", "clang++"], check=True, capture_output=True, text=True).stdout.strip())
        return [clang, "-cc1", "-triple", "x86_64-pc-linux-gnu", "-emit-obj", "-O2", "-fcxx-exceptions", "-fexceptions", "-w", "-x", "c++-cpp-output",
                "-o", "/dev/null", "-"], text
    name = subprocess.run(["g++", "-print-prog-name=cc1plus"], check=True, capture_output=True, text=True).stdout.strip()
    return [name, "-fpreprocessed", "-quiet", "-O2", "-o", "/dev/null", "-"], text


def before(pid):
    return [BEFORE] + dscope(pid)[1:]


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


def peak_until_end(pid):
    """The most memory that a child had, in MiB, by what it says until it has ended, which is left to be waited for. What wait4() says of it
    counts what we had when it was started."""
    peak = 0
    while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
        with open(f"/proc/{pid}/status") as file:
            found = re.search(r"VmHWM:\s*(\d+)", file.read())
        peak = int(found[1]) / 1024 if found else peak
        time.sleep(0.01)
    return peak


Result = collections.namedtuple("Result", "traced tracer start peak maps out errors")


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
            return Result(used.ru_utime + used.ru_stime, 0, 0, 0, 0, "", "")
        peak = peak_until_end(watcher.pid)
        _, _, own = os.wait4(watcher.pid, 0)
        watcher.returncode = 0
        return Result(used.ru_utime + used.ru_stime, own.ru_utime + own.ru_stime, start, peak, maps / (1 << 20), open(out, errors="replace").read(),
                      open(out + ".errors", errors="replace").read())
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
    kinds = [None, counting, dscope] + [before] * bool(BEFORE) + [bpftrace] * bool(ROOT)
    results = collections.defaultdict(list)
    for _ in range(ROUNDS):
        for kind in kinds:
            results[kind].append(traced(command, text, kind))
    def median(kind):
        return statistics.median(one.traced + one.tracer for one in results[kind])
    print(f"{'':10} {'traced s':>9} {'tracer s':>9} {'start s':>8} {'peak MiB':>9} {'maps MiB':>9} {'stacks':>9} {'whole %':>8} {'cut %':>6} {'named %':>8}")
    for kind in kinds:
        values = [statistics.median(getattr(one, field) for one in results[kind]) for field in ("traced", "tracer", "start", "peak", "maps")]
        line = f"{kind.__name__ if kind else 'bare':10} {values[0]:9.2f} {values[1]:9.2f} {values[2]:8.2f} {values[3]:9.0f} {values[4]:9.1f}"
        if kind in (dscope, before, bpftrace):
            total, whole, cut, named = shares(results[kind][-1].out)
            line += f" {total:9} {whole:8.1f} {cut:6.1f} {named:8.1f}"
        drops = re.findall(r"(\d+) (?:\S+ )*drops?", results[kind][-1].errors) if kind else []
        print(line + (f"  drops {sum(map(int, drops))}" if kind else ""), flush=True)
        if kind is dscope and results[kind][-1].errors:
            print(" " * 11 + results[kind][-1].errors.strip())
    print(f"stacks cost {(median(dscope) - median(None)) / (median(counting) - median(None)):.2f} times what counting does, tracers included")


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
    run = [program, "900000"]
    # libc's start has two names at one address.
    bare = lambda name: re.sub(r"\+0x.*|@.*|_impl$", "", name.split("`")[-1])
    out = subprocess.run([DSCOPE, "-x", "ustackframes=512", "-qn", "profile-997 /pid == $target/ { @[ustack()] = count(); }", "-c", " ".join(run)],
                         check=True, capture_output=True, text=True, timeout=MOST).stdout
    ours, n = inclusive(([bare(frame) for frame in frames], count) for frames, count in stacks(out))
    data = os.path.join(FOLDER, "perf.data")
    theirs = []
    for _ in range(2):
        subprocess.run(["perf", "record", "-q", "-o", data, "-e", "cpu-clock:u", "-F", "997", "--call-graph", "dwarf,65528", "--"] + run, check=True,
                       capture_output=True, timeout=MOST)
        text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], check=True, capture_output=True, text=True, timeout=MOST).stdout
        samples = [([bare(line.split()[1]) for line in one.splitlines() if len(line.split()) > 1], 1) for one in text.split("\n\n") if one.strip()]
        theirs.append(inclusive(samples))
        os.unlink(data)
    print(f"\n{n} samples of profile-997, {theirs[0][1]} and {theirs[1][1]} of perf")
    print(f"{'function':30} {'dscope %':>9} {'perf %':>9} {'again %':>9}")
    for name, share in sorted(theirs[0][0].items(), key=lambda item: -item[1])[:20]:
        print(f"{name[:30]:30} {ours.get(name, 0):9.1f} {share:9.1f} {theirs[1][0].get(name, 0):9.1f}")



CALLS = """
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#define N __attribute__((noinline, noipa))
N long call(void) { return syscall(SYS_getppid) + 1; }
N long down(int depth) { volatile long below = depth ? down(depth - 1) : call(); return below; }
static int count;
static void *work(void *unused) { long sum = 0; for (int i = 0; i < count; i++) sum += down(4); return (void *)sum; }
int main(int c, char **v) { pthread_t one, two; count = atoi(v[1]); pthread_create(&one, 0, work, 0); pthread_create(&two, 0, work, 0);
  pthread_join(one, 0); pthread_join(two, 0); return 0; }
"""


def rate():
    program = os.path.join(FOLDER, "calls")
    subprocess.run(["cc", "-O2", "-fomit-frame-pointer", "-pthread", "-o", program, written("calls.c", CALLS)], check=True)
    count = 5_000_000
    begun = time.monotonic()
    subprocess.run([program, str(count)], check=True)
    bare = time.monotonic() - begun
    done = subprocess.run([DSCOPE, "-x", "ustackframes=64", "-qn", "syscall::getppid:entry /pid == $target/ { @first = min(timestamp); @last = max(timestamp); "
                           "@n = count(); @depth = avg(ustackdepth); @s[ustack()] = count(); } "
                           'END { printa("seen %@d depth %@d first %@d last %@d\\n", @n, @depth, @first, @last); }', "-c", f"{program} {count}"],
                          capture_output=True, text=True, timeout=MOST)
    seen, depth, first, last = map(int, re.search(r"seen (\d+) depth (\d+) first (\d+) last (\d+)", done.stdout).groups())
    span = (last - first) / 1e9
    print(f"\n{seen} of {2 * count} calls seen in {span:.2f} s: {seen / span:,.0f} stacks a second of {depth} frames (bare {bare:.2f} s)")
    print("said: " + (done.stderr.strip() or "nothing was dropped"))


def ran(pid):
    """Nanoseconds of a process's programs in the kernel, and runs of the one that took most, once kernel.bpf_stats_enabled is 1."""
    time_, most, runs = 0, 0, 0
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            text = open(path).read()
        except OSError:
            continue
        if found := re.search(r"^run_time_ns:\s*(\d+)\nrun_cnt:\s*(\d+)", text, re.M):
            time_ += int(found[1])
            if int(found[1]) > most:
                most, runs = int(found[1]), int(found[2])  # the others follow what processes map
    return time_, runs


def spent(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine():
    seconds = 60
    stats = "/proc/sys/kernel/bpf_stats_enabled"
    kept = open(stats).read()
    open(stats, "w").write("1")
    out, errors = os.path.join(FOLDER, "machine"), os.path.join(FOLDER, "machine.errors")
    try:
        with open(out, "w") as file, open(errors, "w") as said:
            begun = time.monotonic()
            tracer = subprocess.Popen([DSCOPE, "-x", "ustackframes=127", "-qn", 'BEGIN { printf("ready\\n"); } profile-997 { @[execname, ustack()] = count(); }'],
                                      stdout=file, stderr=said)
        while "ready" not in open(out).read():
            time.sleep(0.01)
        start, loading = time.monotonic() - begun, spent(tracer.pid)
        time.sleep(5)  # tables of what runs are loaded
        loaded, (time0, runs0), memory0 = spent(tracer.pid), ran(tracer.pid), mapped(tracer.pid)
        time.sleep(seconds)
        own, (time1, runs1), memory1 = spent(tracer.pid) - loaded, ran(tracer.pid), mapped(tracer.pid)
        peak = int(re.search(r"VmHWM:\s*(\d+)", open(f"/proc/{tracer.pid}/status").read())[1]) / 1024
        tracer.send_signal(signal.SIGINT)
        tracer.wait(MOST)
    finally:
        open(stats, "w").write(kept)
    samples = runs1 - runs0
    print(f"\n{samples} samples in {seconds} s; a sample costs {(time1 - time0) / samples / 1000:.2f} us in the kernel and {own / samples * 1e6:.2f} us of dscope")
    print(f"start {start:.2f} s ({loading:.2f} s CPU), its first 5 s {loaded - loading:.2f} s CPU; peak {peak:.0f} MiB, maps {memory0 / 2**20:.1f} to {memory1 / 2**20:.1f} MiB")
    total = cut = 0
    for frames, count in stacks(open(out).read()):
        total += count
        cut += count if any("[truncated]" in frame for frame in frames) else 0
    print(f"{100 * cut / max(1, total):.2f} % of {total} stacks cut; said: {open(errors).read().strip() or 'nothing'}")


for part in GIVEN.parts or PARTS:
    {"malloc": beside, "shares": profiles, "rate": rate, "machine": machine}[part]()
