#!/usr/bin/env python3
"""told.py BUILD: what a run of tests comes to, from what CTest wrote: BUILD/tests-1.xml and tests-1.said, and tests-2.* where failed ones ran once more.

Names what failed twice; what passed only at its second try, with what both tries said; what was left out and why; what took long.
Status 1 where there is no result.
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

LONG = 30  # seconds


def said(file):
    """By name: all that a test printed; the XML has the first 1024 bytes only."""
    out, name, lines = {}, "", None
    if not file.exists():
        return out
    for line in file.read_text(errors="replace").splitlines():
        if match := re.match(r"\d+/\d+ Testing: (.*)$", line):
            name = match[1]
        elif line == "Output:":
            lines = []
        elif line == "<end of output>" and lines is not None:
            out[name], lines = "\n".join(lines[1:]), None
        elif lines is not None:
            lines.append(line)
    return out


def cases(build, number):
    """By name: "run" (passed), "fail" or "notrun" (skipped by its status), its seconds, what it printed."""
    file = build / f"tests-{number}.xml"
    if not file.exists():
        return {}
    text = said(build / f"tests-{number}.said")
    return {
        case.get("name"): (case.get("status"), float(case.get("time", 0)), text.get(case.get("name"), ""))
        for case in xml.parse(file).getroot().iter("testcase")
    }


def indented(text):
    return "".join(f"      {line}\n" for line in text.strip().splitlines())


def main(build):
    first, second = cases(build, 1), cases(build, 2)
    if not first:
        return 1
    failed = [name for name, case in first.items() if case[0] == "fail"]
    late = [name for name in failed if second.get(name, ("fail",))[0] == "run"]
    twice = [name for name in failed if name not in late]
    skipped = [name for name, case in first.items() if case[0] == "notrun"]
    ran = len(first) - len(skipped)
    print(f"{ran - len(twice)} of {ran} tests passed" + ("; failed: " + ", ".join(twice) if twice else ""))
    for name in late:
        print(f"  passed only at its second try: {name}\n    the first:\n{indented(first[name][2])}    the second:\n{indented(second[name][2])}", end="")
    # What a test program left out stands in its own output.
    reasons = collections.Counter()
    for case in {**first, **second}.values():
        reasons.update(re.sub(r"^SKIP *: *", "", line) for line in case[2].splitlines() if line.startswith("SKIP"))
    if reasons or skipped:
        print("  left out:")
        for reason, count in sorted(reasons.items()):
            print(f"    {count} {reason}")
        for name in skipped:
            print(f"    {name}: {(first[name][2].strip().splitlines() or ['it says no reason'])[-1]}")
    long = sorted(((case[1], name) for name, case in first.items() if case[1] >= LONG), reverse=True)
    if long:
        print("  took long: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in long))
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
