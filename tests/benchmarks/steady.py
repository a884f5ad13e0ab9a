#!/usr/bin/env python3
"""The memory of a run that goes on, beside a load that does not change: what is larger in its last third than in its second grows.
Needs root, g++ and clang++.

    tests/benchmarks/steady.py [--dscope PATH]... [--minutes N] [--program D] [--load PID]

The load compiles the same five C++ files by both compilers again and again, links and runs what g++ made, starts short processes and
a script, and loads and unloads libraries; or it is a process that runs already, and what that starts. Only its stacks are counted, so
that what else the machine does is left out. Each minute, of each dscope: all that is resident, what is its own alone (Pss_Anon) and the
files and tables of the kernel that it has mapped (Pss_File).
"""
import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ARGUMENTS = argparse.ArgumentParser(usage=__doc__)
ARGUMENTS.add_argument("--dscope", action="append")
ARGUMENTS.add_argument("--minutes", type=int, default=45)
ARGUMENTS.add_argument("--program", default="profile-97 /progenyof($1)/ { @s[ustack()] = count(); } tick-1s { trunc(@s); }")
ARGUMENTS.add_argument("--load", type=int)
FIELDS = ("Rss", "Pss_Anon", "Pss_File")

SOURCES = {
    "maps": """
#include <map>
#include <unordered_map>
#include <string>
#include <iostream>
int main() { std::map<std::string, int> a; std::unordered_map<std::string, std::map<int, std::string>> b;
  for (int i = 0; i < 30000; ++i) { a[std::to_string(i * 7919 % 10007)] += i; b[std::to_string(i % 97)][i] = "x"; }
  std::cout << a.size() + b.size() << '\\n'; }""",
    "patterns": """
#include <regex>
#include <iostream>
int main() { const std::regex wanted("([a-z]+)_([0-9]+)"); int n = 0;
  for (int i = 0; i < 3000; ++i) n += std::regex_match("name_" + std::to_string(i), wanted);
  std::cout << n << '\\n'; }""",
    "sorts": """
#include <algorithm>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>
template <int N> struct By { static void run(std::vector<int>& v) { std::sort(v.begin(), v.end(), [](int a, int b) { return a % N < b % N; }); By<N - 1>::run(v); } };
template <> struct By<0> { static void run(std::vector<int>&) { } };
int main() { std::vector<int> v(3000); std::mt19937 r; std::generate(v.begin(), v.end(), std::ref(r)); By<60>::run(v);
  std::cout << std::accumulate(v.begin(), v.end(), 0u) << '\\n'; }""",
    "choices": """
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <tuple>
#include <variant>
using Value = std::variant<int, double, std::shared_ptr<int>, std::optional<long>, std::tuple<char, short, float>>;
int main() { std::function<int(const Value&, const Value&)> f = [](const Value& a, const Value& b) {
    return std::visit([](const auto& x, const auto& y) { return int(sizeof x * sizeof y); }, a, b); };
  int n = 0; for (int i = 0; i < 100000; ++i) n += f(Value(i), Value(std::optional<long>(i)));
  std::cout << n << '\\n'; }""",
    "threads": """
#include <chrono>
#include <filesystem>
#include <future>
#include <iostream>
#include <thread>
int main() { std::vector<std::future<long>> all;
  for (int i = 0; i < 8; ++i) all.push_back(std::async(std::launch::async, [i] { long n = 0; for (long j = 0; j < 300000; ++j) n += j % (i + 2); return n; }));
  long n = 0; for (auto& one : all) n += one.get();
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib")) n += long(entry.path().string().size());
  std::cout << n << '\\n'; }""",
}
SCRIPT = """
import ctypes, _ctypes, json, re, collections
for name in ("libz.so.1", "libexpat.so.1", "libcrypto.so.3", "libsqlite3.so.0", "libm.so.6"):
    for again in range(3):
        try:
            _ctypes.dlclose(_ctypes.dlopen(name))
        except OSError:
            break
def depth(n):
    return n and depth(n - 1) + len(json.dumps({"n": n}))
words = collections.Counter(re.findall("[a-z]+", "the quick brown fox " * 5000))
print(depth(300), len(words))
"""
ROUND = """
while :; do
  for name in {names}; do
    g++ -O1 -std=c++17 $name.cpp -o $name -pthread && ./$name
    clang++ -O1 -std=c++17 -c $name.cpp -o $name.o
    for i in 1 2 3 4 5 6 7 8; do /bin/true; sh -c ':'; done
    {python} script.py
    ls -lR /etc
  done >/dev/null 2>&1
done
"""


def memory(pid):
    """MiB by field."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        lines = dict(line.split(":", 1) for line in file if "-" not in line.split(":")[0])
    return [int(lines[field].split()[0]) / 1024 for field in FIELDS]


def load(folder):
    """A process that works, and all that it starts: a group of its own."""
    for name, text in SOURCES.items():
        with open(os.path.join(folder, name + ".cpp"), "w") as file:
            file.write(text)
    with open(os.path.join(folder, "script.py"), "w") as file:
        file.write(SCRIPT)
    with open(os.path.join(folder, "round.sh"), "w") as file:
        file.write(ROUND.format(names=" ".join(SOURCES), python=sys.executable))
    return subprocess.Popen(["nice", "-n", "10", "sh", "round.sh"], cwd=folder, start_new_session=True)


def main():
    options = ARGUMENTS.parse_args()
    programs = options.dscope or ["build/release/bin/dscope"]
    tracers, working = [], None
    rows = {program: [] for program in programs}
    with tempfile.TemporaryDirectory() as folder:
        try:
            working = None if options.load else load(folder)
            pid = options.load or working.pid
            print(f"the load is {pid}; " + ", ".join(FIELDS) + " in MiB", flush=True)
            for program in programs:
                command = [os.path.abspath(program), "-qn", options.program, str(pid)]
                tracers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True))
            for minute in range(1, options.minutes + 1):
                time.sleep(60)
                for program, tracer in zip(programs, tracers):
                    if tracer.poll() is not None:
                        sys.exit(f"{program} has ended: {tracer.returncode}")
                    rows[program].append(memory(tracer.pid))
                print(f"{minute:6}   " + "   ".join(" ".join(f"{value:8.1f}" for value in rows[program][-1]) for program in programs), flush=True)
        finally:
            for tracer in tracers:
                tracer.send_signal(signal.SIGINT)
            for tracer in tracers:
                try:
                    tracer.wait(30)
                except subprocess.TimeoutExpired:
                    tracer.kill()
            if working:
                os.killpg(working.pid, signal.SIGTERM)
                working.wait()
    for program in programs:
        third = len(rows[program]) // 3
        for at, field in enumerate(FIELDS):
            second, last = (statistics.mean(row[at] for row in part) for part in (rows[program][third:2 * third], rows[program][2 * third:]))
            print(f"{program}, {field}: {second:.1f} MiB in the second third, {last:.1f} in the last, {100 * (last / max(second, 0.1) - 1):+.1f} %")


if __name__ == "__main__":
    main()
