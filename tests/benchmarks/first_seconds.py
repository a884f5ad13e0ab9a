#!/usr/bin/env python3
"""How many stacks of a program's first seconds are whole. Needs root.

    tests/benchmarks/first_seconds.py [--dscope PATH] [--runs N] [--elsewhere] [--cache FOLDER] [--] COMMAND ...
    tests/benchmarks/first_seconds.py -- clang++ -O2 -c heavy.cpp -o /dev/null

Traces COMMAND by profile-997 and counts the samples whose stack ends where its program or one of its threads begins: in _start (of a stripped
program: at its entry point), in the dynamic linker's or in what clone() starts. The first run begins without a cache of unwind tables, the others have what the first one
left. --elsewhere: dscope does not start the command and knows nothing of it beforehand.
"""
import argparse
import collections
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time

ARGUMENTS = argparse.ArgumentParser(usage=__doc__)
ARGUMENTS.add_argument("--dscope", default="build/release/bin/dscope")
ARGUMENTS.add_argument("--runs", type=int, default=3)
ARGUMENTS.add_argument("--elsewhere", action="store_true")
ARGUMENTS.add_argument("--cache")
ARGUMENTS.add_argument("command", nargs=argparse.REMAINDER)
GIVEN = ARGUMENTS.parse_args()
GIVEN.command = GIVEN.command[GIVEN.command[:1] == ["--"] :]
BEGINS = re.compile(r"`(_start|_{0,2}clone3?|_dl_start_user|thread_start)(\+0x[0-9a-f]+)?$")
BARE = re.compile(r"^(.*)`0x([0-9a-f]+)$")


def entry(name):
    """The entry point of a program of that name, which a stripped one has no other name for."""
    path = shutil.which(name) or shutil.which(os.path.basename(GIVEN.command[0]))
    if not path:
        return None
    with open(os.path.realpath(path), "rb") as file:
        head = file.read(32)
    return struct.unpack_from("<Q", head, 24)[0] if head.startswith(b"\x7fELF") else None


def is_whole(frame):
    bare = BARE.match(frame)
    if not bare:
        return bool(BEGINS.search(frame))
    begin = entry(bare.group(1))
    return begin is not None and 0 <= int(bare.group(2), 16) - begin < 64


def ends(text):
    """The outermost frames of stacks, and how often each was sampled."""
    found, last = collections.Counter(), None
    for line in text.splitlines():
        word = line.strip()
        if word.isdigit() and last:
            found[last] += int(word)
            last = None
        elif word:
            last = word
    return found


def run(cache):
    options = [GIVEN.dscope, "-x", "ustackcache=" + cache, "-x", "ustackframes=500", "-qn"]
    if not GIVEN.elsewhere:
        script = "profile-997 /pid == $target || progenyof($target)/ { @[ustack()] = count(); }"
        return subprocess.run(options + [script, "-c", " ".join(GIVEN.command)], capture_output=True, text=True, errors="replace")
    # A shell of ours waits until it is traced; the command is another program.
    shell = subprocess.Popen(["sh", "-c", 'read go; "$@"', "sh"] + GIVEN.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    script = 'BEGIN { printf("begun\\n"); } profile-997 /progenyof(%d)/ { @[ustack()] = count(); }' % shell.pid
    out = tempfile.TemporaryFile("w+", errors="replace")
    traced = subprocess.Popen(options + [script], stdout=out, stderr=subprocess.PIPE, text=True)
    while traced.poll() is None and os.fstat(out.fileno()).st_size == 0:
        time.sleep(0.01)
    shell.communicate(b"go\n")
    traced.send_signal(signal.SIGTERM)
    error = traced.communicate()[1]
    out.seek(0)
    return subprocess.CompletedProcess([], traced.returncode, out.read(), error)


def main():
    with tempfile.TemporaryDirectory() as folder:
        cache = GIVEN.cache or os.path.join(folder, "tables")
        for number in range(1, GIVEN.runs + 1):
            found = ends((done := run(cache)).stdout)
            whole = sum(count for frame, count in found.items() if is_whole(frame))
            print(f"run {number}: {whole} of {sum(found.values())} whole, {100 * whole / max(1, sum(found.values())):.2f} %")
            for frame, count in found.most_common():
                if not is_whole(frame):
                    print(f"    {count} end in {frame}")
            print("    " + done.stderr.strip().replace("\n", "\n    "))


main()
