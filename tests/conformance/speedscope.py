#!/usr/bin/env python3
"""What speedscope itself, installed from npm and run in Chromium, shows of profiles, beside what dscope makes of them.

    tests/conformance/speedscope.py DSCOPE [FILE...]

First dscope's own .json of examples/recordings is opened. Then each FILE that both read (.cpuprofile, .heapprofile, speedscope's own):
what each function took itself is compared, as speedscope's table of functions shows it. Of perf script speedscope counts the times
between samples, and of callgrind it spreads costs by its own rule: there is nothing to compare. Needs npm and Chromium; outside CI.
Status 1 where they differ, 77 with the reason where the programs are not there.
"""
import base64
import collections
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

VERSION = "1.25.0"
HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNITS = {"ns": 1, "us": 1e3, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10, "B": 1, "KB": 1024, "MB": 2**20, "GB": 2**30, "": 1}
RECORDINGS = ("hot-stacks", "hot-stacks-before")


def run(*words, folder=None):
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=120, cwd=folder, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        sys.exit(f"{words[0]} did not end; of a file that it can't read speedscope says so in a dialog")
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))[:200]}: {done.stderr.strip()[-500:]}")
    return done.stdout


def shown(page, file, folder):
    """Rows of speedscope's table of functions: what each took itself, as printed ("1.38s"), by its name."""
    script = os.path.join(folder, "file.js")
    with open(file, "rb") as profile, open(script, "w") as out:
        out.write(f"speedscope.loadFileFromBase64({os.path.basename(file)!r}, '{base64.b64encode(profile.read()).decode()}')")
    dom = run("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
              "--allow-file-access-from-files", "--virtual-time-budget=20000", "--window-size=1600,6000", f"--user-data-dir={folder}/profile",
              "--dump-dom", f"file://{page}#localProfilePath={script}&view=sandwich")
    texts = [html.unescape(t).strip() for t in re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", "\n", dom, flags=re.S).split("\n")]
    texts = [t for t in texts if t]
    if "Symbol Name" not in texts:
        sys.exit(f"speedscope shows no functions of {file}")
    rows = texts[texts.index("Symbol Name") + 1:]
    number = re.compile(r"^([\d.,]+) ?(\w*|\u00b5s) \(([\d.]+|<?0?\.\d+)%\)$")
    out = []
    at = 0
    while at + 2 < len(rows):
        total, own = number.match(rows[at]), number.match(rows[at + 1])
        if total and own:
            out.append((rows[at + 2], own[1].replace(",", ""), own[2]))
            at += 3
        else:
            at += 1
    return out


def ours(dscope, source, folder):
    """What each function took itself, by its name, without a module where it is of an import: of dscope's folded text."""
    folded = os.path.join(folder, "own.folded")
    run(dscope, *source, "--export", f"flame={folded}")
    own = collections.Counter()
    with open(folded) as lines:
        for line in lines:
            stack, value = line.rstrip("\n").rsplit(" ", 1)
            name = stack.rsplit(";", 1)[-1]
            own[name.split("`", 1)[-1] if source[0] == "--import" else name] += float(value)
    return own


def agrees(theirs, values, scale):
    """Each row of theirs that is more than 0 is one of ours, to the digits that it is printed with."""
    left, missing = sorted(values, reverse=True), []
    for name, number, unit in theirs:
        if float(number) == 0:
            continue
        digits = len(number.split(".")[1]) if "." in number else 0
        step = UNITS[unit] * 10.0 ** -digits * 0.51
        value = float(number) * UNITS[unit]
        near = [v for v in left if abs(v * scale - value) <= step]
        if near:
            left.remove(min(near, key=lambda v: abs(v * scale - value)))
        else:
            missing.append(f"{name} {number}{unit}")
    return missing


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for program in ("npm", "chromium"):
        if not shutil.which(program):
            print(f"{program} is not installed")
            sys.exit(77)
    dscope, failed = os.path.abspath(sys.argv[1]), False
    with tempfile.TemporaryDirectory() as folder:
        run("npm", "install", "--no-audit", "--no-fund", f"speedscope@{VERSION}", folder=folder)
        page = os.path.join(folder, "node_modules/speedscope/dist/release/index.html")
        tries = []
        for name in RECORDINGS:
            source = ["--replay", os.path.join(HERE, "examples/recordings", name + ".dscope")]
            file = os.path.join(folder, name + ".speedscope.json")
            run(dscope, *source, "--export", f"flame={file}")
            tries.append((f"dscope's own .json of {name}", file, source))
        tries += [(file, os.path.abspath(file), ["--import", os.path.abspath(file)]) for file in sys.argv[2:]]
        for what, file, source in tries:
            theirs = shown(page, file, folder)
            own = ours(dscope, source, folder)
            missing = agrees(theirs, own.values(), 1)
            rows = sum(float(number) > 0 for _, number, _ in theirs)
            failed = failed or bool(missing) or rows == 0
            print(f"{'ok  ' if not missing and rows else 'FAIL'} {what}: {rows - len(missing)} of {rows} functions of speedscope {VERSION} took the same themselves"
                  + "".join(f"\n       not ours: {m}" for m in missing[:8]), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
