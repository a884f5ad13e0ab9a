#!/usr/bin/env python3
"""Samples programs of many languages whose chain of calls is known, and prints how many of the stacks have it whole.

usage: languages.py [--install] [--seconds S] DSCOPE [LANGUAGE...]

Each program calls `first`, `second`, `third` and `leaf` in that order, `third` calling itself twice, and works in `leaf` for some seconds.
The source is the truth; where gdb knows the language, its backtrace of another run must have the chain, too. Needs root, and runs
outside of CI. A language whose compiler is missing is named as such; --install asks apt-get for it.

Exits with 1 if a language that ran has less than 95 % of its stacks whole, or stacks that end early without saying so.
"""
import argparse, os, re, shutil, signal, subprocess, sys, tempfile, time

CHAIN = ["first", "second", "third", "third", "third", "leaf"]
ENOUGH = 0.95

C = """#include <math.h>
#include <time.h>
double sum;
__attribute__((noinline)) double leaf(int n) { double x = 0; for (int i = 0; i < n; i++) x += sqrt(i + sum); return x; }
__attribute__((noinline)) double third(int d, int n) { return d ? third(d - 1, n) + 1 : leaf(n) + 2; }
__attribute__((noinline)) double second(int n) { return third(2, n) + 3; }
__attribute__((noinline)) double first(int n) { return second(n) + 4; }
int main(void) { time_t end = time(0) + SECONDS; while (time(0) < end) sum = first(20000) * 1e-9; return sum < 0; }
"""
PROGRAMS = {
    # name: package, file, text, command to build (or none), command to run, gdb knows it
    "C": ("gcc", "p.c", C, "gcc -O2 -fno-optimize-sibling-calls -o p p.c -lm", "./p", True),
    "C++": ("g++", "p.cpp", C.replace("(void)", "()").replace("double sum;", "namespace { volatile double sum; }"),
            "g++ -O2 -fno-optimize-sibling-calls -o p p.cpp", "./p", True),
    "Fortran": ("gfortran", "p.f90", """module m
contains
recursive real(8) function leaf(n); integer :: n, i; leaf = 0; do i = 1, n; leaf = leaf + sqrt(real(i, 8)); end do; end function
recursive real(8) function third(d, n) result(r); integer :: d, n; if (d > 0) then; r = third(d - 1, n) + 1; else; r = leaf(n) + 2; end if
end function
real(8) function second(n); integer :: n; second = third(2, n) + 3; end function
real(8) function first(n); integer :: n; first = second(n) + 4; end function
end module
program p; use m; integer :: a, b, r; real(8) :: s
call system_clock(a, r); b = a; s = 0; do while (b - a < SECONDS * r); s = s + first(20000); call system_clock(b); end do; print *, s; end program
""", "gfortran -O1 -fno-inline -ffree-line-length-none -o p p.f90", "./p", True),
    "Ada": ("gnat", "p.adb", """with Ada.Calendar; use Ada.Calendar; with Ada.Numerics.Elementary_Functions; use Ada.Numerics.Elementary_Functions;
procedure P is
  Sum : Float := 0.0; pragma Volatile (Sum); Stop : constant Time := Clock + SECONDS.0;
  function Leaf (N : Integer) return Float is X : Float := 0.0; begin for I in 1 .. N loop X := X + Sqrt (Float (I)); end loop; return X; end Leaf;
  pragma No_Inline (Leaf);
  function Third (D, N : Integer) return Float is begin if D > 0 then return Third (D - 1, N) + 1.0; else return Leaf (N) + 2.0; end if; end Third;
  function Second (N : Integer) return Float is begin return Third (2, N) + 3.0; end Second;
  function First (N : Integer) return Float is begin return Second (N) + 4.0; end First;
begin while Clock < Stop loop Sum := Sum + First (2000); end loop; end P;
""", "gnatmake -q -O1 -fno-inline p.adb -o p", "./p", True),
    "Rust": ("rustc", "p.rs", """use std::time::{Duration, Instant};
#[inline(never)] fn leaf(n: u32) -> f64 { let mut x = 0.0; for i in 0..n { x += std::hint::black_box(i as f64).sqrt() } x }
#[inline(never)] fn third(d: u32, n: u32) -> f64 { if d > 0 { third(std::hint::black_box(d) - 1, n) + 1.0 } else { leaf(n) + 2.0 } }
#[inline(never)] fn second(n: u32) -> f64 { third(2, n) + 3.0 }
#[inline(never)] fn first(n: u32) -> f64 { second(n) + 4.0 }
fn main() { let end = Instant::now() + Duration::from_secs(SECONDS); let mut s = 0.0; while Instant::now() < end { s += first(20000) } println!("{}", s) }
""", "rustc -C opt-level=1 -o p p.rs", "./p", True),
    "Go": ("golang-go", "p.go", """package main
import ("fmt"; "math"; "time")
//go:noinline
func leaf(n int) float64 { x := 0.0; for i := 0; i < n; i++ { x += math.Sqrt(float64(i)) }; return x }
//go:noinline
func third(d, n int) float64 { if d > 0 { return third(d-1, n) + 1 }; return leaf(n) + 2 }
//go:noinline
func second(n int) float64 { return third(2, n) + 3 }
//go:noinline
func first(n int) float64 { return second(n) + 4 }
func main() { s := 0.0; for end := time.Now().Add(SECONDS * time.Second); time.Now().Before(end); { s += first(20000) }; fmt.Println(s) }
""", "go build -o p p.go", "./p", True),
    "Go and C": ("golang-go", "p.go", """package main
/*
#cgo LDFLAGS: -lm
#include <math.h>
static __attribute__((noinline)) double leaf(int n) { volatile double x = 0; for (int i = 0; i < n; i++) x += sqrt(i); return x; }
*/
import "C"
import ("fmt"; "time")
//go:noinline
func third(d, n int) float64 { if d > 0 { return third(d-1, n) + 1 }; return float64(C.leaf(C.int(n))) + 2 }
//go:noinline
func second(n int) float64 { return third(2, n) + 3 }
//go:noinline
func first(n int) float64 { return second(n) + 4 }
func main() { s := 0.0; for end := time.Now().Add(SECONDS * time.Second); time.Now().Before(end); { s += first(200000) }; fmt.Println(s) }
""", "go build -o p p.go", "./p", False),
    "D": ("gdc", "p.d", """import std.math, std.stdio, core.time; pragma(inline, false):
double leaf(int n) { double x = 0; foreach (i; 0 .. n) x += sqrt(cast(double) i); return x; }
double third(int d, int n) { return d ? third(d - 1, n) + 1 : leaf(n) + 2; }
double second(int n) { return third(2, n) + 3; }
double first(int n) { return second(n) + 4; }
void main() { double s = 0; auto end = MonoTime.currTime + SECONDS.seconds; while (MonoTime.currTime < end) s += first(20000); writeln(s); }
""", "gdc -O1 -fno-inline -o p p.d", "./p", True),
    "Nim": ("nim", "p.nim", """import math, times
proc leaf(n: int): float {.noinline.} = (for i in 0 ..< n: result += sqrt(float(i)))
proc third(d, n: int): float {.noinline.} = (if d > 0: third(d - 1, n) + 1 else: leaf(n) + 2)
proc second(n: int): float {.noinline.} = third(2, n) + 3
proc first(n: int): float {.noinline.} = second(n) + 4
var s = 0.0
let stop = epochTime() + SECONDS
while epochTime() < stop: s += first(20000)
echo s
""", "nim c -d:release --hints:off --nimcache:cache -o:p p.nim", "./p", True),
    "OCaml": ("ocaml-nox", "p.ml", """let [@inline never] leaf n = let x = ref 0. in for i = 0 to n - 1 do x := !x +. sqrt (float i) done; !x
let rec third d n = if d > 0 then third (d - 1) n +. 1. else leaf n +. 2.
let [@inline never] second n = third 2 n +. 3.
let [@inline never] first n = second n +. 4.
let () = let s = ref 0. and stop = Sys.time () +. SECONDS. in while Sys.time () < stop do s := !s +. first 20000 done; print_float !s
""", "ocamlopt -o p p.ml", "./p", True),
    "Java": ("default-jdk-headless", "P.java", """public class P {
  static double leaf(int n) { double x = 0; for (int i = 0; i < n; i++) x += Math.sqrt(i); return x; }
  static double third(int d, int n) { return d > 0 ? third(d - 1, n) + 1 : leaf(n) + 2; }
  static double second(int n) { return third(2, n) + 3; }
  static double first(int n) { return second(n) + 4; }
  public static void main(String[] a) { long end = System.currentTimeMillis() + SECONDS * 1000L; double s = 0;
    while (System.currentTimeMillis() < end) s += first(20000); System.out.println(s); } }
""", "javac P.java", "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:+PreserveFramePointer -XX:-Inline -XX:-UseOnStackReplacement P", False),
    "JavaScript": ("nodejs", "p.js", """function leaf(n) { let x = 0; for (let i = 0; i < n; i++) x += Math.sqrt(i); return x; }
function third(d, n) { return d > 0 ? third(d - 1, n) + 1 : leaf(n) + 2; }
function second(n) { return third(2, n) + 3; }
function first(n) { return second(n) + 4; }
let s = 0; for (const end = Date.now() + SECONDS * 1000; Date.now() < end;) s += first(20000); console.log(s);
""", None, "node --no-turbo-inlining --always-sparkplug --perf-basic-prof p.js", False),
    "Python": ("python3", "p.py", """import time
def leaf(n):
    x = 0.0
    for i in range(n): x += i ** 0.5
    return x
def third(d, n): return third(d - 1, n) + 1 if d else leaf(n) + 2
def second(n): return third(2, n) + 3
def first(n): return second(n) + 4
end = time.time() + SECONDS
while time.time() < end: first(2000)
""", None, "python3 -X perf p.py", False),
}


def has_chain(frames):
    at = 0
    for frame in frames:
        if at < len(CHAIN) and re.search(r"(?<![A-Za-z])" + CHAIN[at] + r"(?![A-Za-z])", frame, re.IGNORECASE): at += 1
    return at == len(CHAIN)


def at_leaf(frames):
    return any(re.search(r"(?<![A-Za-z])leaf(?![A-Za-z])", frame, re.IGNORECASE) for frame in frames)


def by_gdb(folder, command, environment):
    """Whether gdb has the chain in a thread of the working program; one of five looks will do, as some are not in `leaf`; "-": it ended before."""
    process = subprocess.Popen(command.split(), cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(5):
            time.sleep(0.2)
            if process.poll() is not None: return "-"
            out = subprocess.run(["gdb", "-q", "-batch", "-p", str(process.pid), "-ex", "thread apply all bt"], capture_output=True, text=True, timeout=60)
            for thread in out.stdout.split("\nThread "):
                if has_chain([line for line in reversed(thread.split("\n")) if line.startswith("#")]): return "yes"
        return "no" if process.poll() is None else "-"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def tried(dscope, name, seconds):
    package, file, text, build, run, gdb = PROGRAMS[name]
    tool = (build or run).split()[0]
    if not shutil.which(tool): return {"note": f"no {tool} (package {package})"}
    if name == "Python" and subprocess.run(["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 12))"]).returncode != 0:
        return {"note": "python3 is older than 3.12, which names its functions"}
    with tempfile.TemporaryDirectory() as folder:
        # Compilers keep caches in the home folder: here they go into the temporary one.
        environment = dict(os.environ, GOCACHE=folder + "/go-cache")
        with open(f"{folder}/{file}", "w") as out: out.write(text.replace("SECONDS", str(seconds)))
        if build:
            made = subprocess.run(build.split(), cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
            if made.returncode != 0: return {"note": "does not build: " + (made.stdout + made.stderr).strip().split("\n")[-1][:80]}
        with open(f"{folder}/run", "w") as out: out.write(f"cd {folder}\nexec {run}\n")
        program = "profile-497 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }"
        ran = subprocess.run([dscope, "-qn", program, "-c", f"/bin/sh {folder}/run", "--export", f"flame={folder}/p.folded"],
                             env=environment, capture_output=True, text=True, timeout=60 + 10 * seconds)
        counts = {"stacks": 0, "leaf": 0, "whole": 0, "cut": 0, "silent": 0}
        try:
            with open(f"{folder}/p.folded") as lines: stacks = [line.rstrip("\n").rsplit(" ", 1) for line in lines]
        except OSError:
            return {"note": "dscope made no figure: " + ran.stderr.strip().split("\n")[-1][:80]}
        for stack, count in stacks:
            frames = stack.split(";")
            counts["stacks"] += int(count)
            if "[truncated]" in stack: counts["cut"] += int(count)
            if not at_leaf(frames): continue
            counts["leaf"] += int(count)
            if has_chain(frames): counts["whole"] += int(count)
            elif "[truncated]" not in stack: counts["silent"] += int(count)
        counts["gdb"] = by_gdb(folder, run, environment) if gdb and shutil.which("gdb") else "-"
        counts["note"] = ""
        return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("dscope")
    parser.add_argument("language", nargs="*")
    arguments = parser.parse_args()
    names = arguments.language or list(PROGRAMS)
    if arguments.install:
        packages = sorted({PROGRAMS[name][0] for name in names} | {"gdb"})
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends"] + packages, check=True)
    print(f"{'language':12} {'stacks':>7} {'in leaf':>8} {'whole':>7} {'cut':>5} {'silent':>7} {'gdb':>4}")
    bad = []
    for name in names:
        got = tried(os.path.abspath(arguments.dscope), name, arguments.seconds)
        if "stacks" not in got:
            print(f"{name:12} {got['note']}", flush=True)
            continue
        share = got["whole"] / got["leaf"] if got["leaf"] else 0
        print(f"{name:12} {got['stacks']:7} {got['leaf']:8} {100 * share:6.1f}% {got['cut']:5} {got['silent']:7} {got['gdb']:>4}", flush=True)
        if share < ENOUGH or got["silent"] > 0.01 * got["leaf"] or got["gdb"] == "no": bad.append(name)
    if bad: print("not as they should be: " + ", ".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
