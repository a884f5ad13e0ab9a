"""What the benchmarks share: a command's CPU seconds and peak memory, and texts of known size in a folder that is kept."""
import math
import os
import random
import subprocess
import sys
import tempfile

FOLDER = os.environ.get("DSCOPE_BENCHMARK_DATA", os.path.join(tempfile.gettempdir(), "dscope-benchmark-data"))


class Run:
    """One whole process: `cpu` is user and system seconds, `peak` its largest resident set in MiB, mapped files included."""

    def __init__(self, command, stdout=None):
        with open(stdout or os.devnull, "wb") as out:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)} failed: {child.returncode}")
        self.cpu = used.ru_utime + used.ru_stime
        self.peak = used.ru_maxrss / 1024


def best(command, runs=3, stdout=None):
    """The run that was disturbed least: of CPU seconds the least is nearest to the truth."""
    return min((Run(command, stdout) for _ in range(runs)), key=lambda run: run.cpu)


def functions(count, seed=1):
    """Names of functions as large programs have them: 8 to 40 characters."""
    chance = random.Random(seed)
    words = ["get", "set", "read", "write", "update", "buffer", "queue", "task", "lock", "node", "page", "entry", "request", "handler",
             "cache", "table", "index", "message", "parse", "commit", "flush", "reduce", "visit", "scan"]
    return [f"{'_'.join(chance.choice(words) for _ in range(chance.randint(1, 4)))}_{i}" for i in range(count)]


def stacks(count, depth=(12, 45), seed=1):
    """Stacks from the root with their values: a tree of calls that is wide at the top, as profiles are; no two are the same."""
    chance = random.Random(seed)
    names = functions(5000, seed)
    seen = set()
    spine = []
    while len(seen) < count:
        # A stack shares all but its tail with the one before.
        keep = int(len(spine) * (1 - chance.random() ** 3))
        target = chance.randint(*depth)
        spine = spine[:keep]
        while len(spine) < target:
            parent = len(spine) * 131 + (len(spine[-1]) if spine else 0)
            spine.append(names[(parent + chance.randint(0, 12) ** 2) % len(names)])
        text = ";".join(spine)
        if text not in seen:
            seen.add(text)
            yield list(spine), chance.randint(1, 1000)


def kept(name, write):
    """The path of a text that `write(file)` makes when it is not there yet."""
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        with open(path + ".part", "w") as file:
            write(file)
        os.rename(path + ".part", path)
    return path


def mebibytes(path):
    return os.path.getsize(path) / (1 << 20)


def interval(ratios):
    """The order statistics between which the median is with 95 %: binomial, both tails."""
    ordered, n = sorted(ratios), len(ratios)
    tail, low = 0.0, 0
    while low < n // 2:
        tail += math.comb(n, low) / 2 ** n
        if 2 * tail > 0.05:
            break
        low += 1
    return ordered[max(low - 1, 0)], ordered[n - max(low, 1)]
