#!/usr/bin/env python3
"""Writes text as perf script prints it, of stacks that are all different, as large as is asked: perf_text.py MEGABYTES > FILE.

Programs of 20,000 functions in 40 libraries; each stack has 20 to 40 frames at addresses of its own. The same numbers give the same text.
"""
import random
import sys

def functions(source):
    words = ["parse", "read", "write", "find", "insert", "merge", "hash", "lock", "wait", "send", "encode", "copy", "check", "open", "flush", "walk"]
    made = []
    for i in range(20000):
        name = f"ns{i % 97}::{source.choice(words)}_{source.choice(words)}_{i}"
        library = i % 40
        path = "/usr/bin/server" if library == 0 else f"/usr/lib/x86_64-linux-gnu/libpart{library}.so.{library % 5}"
        made.append((name, path))
    return made

def main():
    wanted = int(float(sys.argv[1]) * 1e6)
    source = random.Random(20261128)
    known = functions(source)
    written, when = 0, 1000.0
    out = sys.stdout
    while written < wanted:
        when += 0.000997
        lines = [f"server {4000 + source.randrange(8)}/{5000 + source.randrange(64)} [{source.randrange(16):03d}] {when:.6f}:    1000000 cycles:P: "]
        for _ in range(source.randrange(20, 41)):
            name, path = known[source.randrange(len(known))]
            lines.append(f"\t{source.randrange(0x400000, 0x7fffffffffff):16x} {name}+0x{source.randrange(1, 0x400):x} ({path})")
        text = "\n".join(lines) + "\n\n"
        written += len(text)
        out.write(text)

if __name__ == "__main__":
    main()
