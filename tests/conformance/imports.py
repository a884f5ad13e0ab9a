#!/usr/bin/env python3
"""Writes ../imports.md from imports.tsv: per format the tools and versions that were tried, what is read, what is left out and told.

    imports.py > ../imports.md

A row is: format, tool and version, what is read, what is left out, state. A state begins with "run here" (the tool was run on this kind of
machine and its own report compared where it has one), "published sample" (the source is named, the input was written by hand after it) or
"not tried".
"""
import sys
from pathlib import Path

STATES = ("run here", "published sample", "not tried")


def main():
    rows = [line.split("\t") for line in (Path(__file__).parent / "imports.tsv").read_text().splitlines()]
    for row in rows:
        if len(row) != 5 or not row[4].startswith(STATES):
            sys.exit(f"imports.tsv: not a row of five with a known state: {row}")
    print("# What dscope imports\n")
    print("Written by [conformance/imports.py](conformance/imports.py). Each row says how it is known: the tool was run here, the input was")
    print("written by hand after a published sample, or nobody has tried.\n")
    print("| format | tool and version | what is read | what is left out and told | how it is known |")
    print("| --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(cell.replace("|", "\\|") or "-" for cell in row) + " |")
    measured()


def measured():
    """What `.ci/matrix imports` ran: imports.measured.tsv, a row for each tool and system."""
    rows = [line.split("\t") for line in (Path(__file__).parent / "imports.measured.tsv").read_text().splitlines()]
    print("\n## Compared with what the tools report\n")
    print("Written by `.ci/matrix imports`, which runs the tools in fresh roots of Debian, imports what they recorded without naming the")
    print("format, and compares it with what each tool reports of the same recording.\n")
    print("| system | input | tool | compared | outcome |")
    print("| --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")


main()
