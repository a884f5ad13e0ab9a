#!/usr/bin/env python3
"""Writes ../conformance.md: what the results of a run of DTrace for Linux's tests are, by reasons.tsv.

    page.py --older A.json B.json --older-guest C.json --newer D.json --newer-guest E.json > ../conformance.md

Each file is what run_peer_suite.py writes with --json; of a test that stands in several files the best outcome counts: a test that
failed while others ran may pass alone. reasons.tsv says of each test that fails why, one a line: suite, kind, test, reason. Kinds are
`differs` (ours is otherwise on purpose, or by a limit), `cannot` (no tracer could pass it here or in the guest), what this machine lacks
(LACKS), `guest`: what fails in the guest of what this machine lacks, and `guest-lacks`: what the guest lacks, too. A test that fails
without a reason, and a reason of a test that passes, are told, and the status is 1.
"""
import argparse
import collections
import fnmatch
import json
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
LACKS = {
    "data": "name data of the kernel, whose symbols are hidden",
    "fbt": "want fbt, or what stands on it",
    "lockdown": "write to memory that lockdown guards",
    "software": "want software, headers, limits or programs that are not position-independent, which are not here",
    "idle": "want a processor that is idle at times, or is not shared",
}
IN_GUEST = ("guest", "guest-lacks")
RANKS = ["SKIP", "FAIL", "XFAIL", "XPASS", "PASS"]


def outcomes(files):
    """The best outcome of each test that is in one of the files, by its path below test/unittest."""
    best = {}
    for file in files:
        for test in json.loads(Path(file).read_text())["tests"]:
            path = test["path"].removeprefix("test/").removeprefix("unittest/")
            if RANKS.index(test["outcome"]) > RANKS.index(best.get(path, "SKIP")) or path not in best:
                best[path] = test["outcome"]
    return best


class Suite:
    def __init__(self, name, here, guest, reasons):
        self.name, self.here, self.guest = name, here, guest
        self.reasons = [r for r in reasons if r[0] == name]
        self.used = set()
        self.ran = {p: o for p, o in here.items() if o != "SKIP" or guest.get(p, "SKIP") != "SKIP"}
        self.failed = [p for p, o in self.ran.items() if o in ("FAIL", "SKIP")]
        self.by_kind = collections.defaultdict(list)
        self.rows = {}
        for path in sorted(self.failed):
            kind, reason = self.why(path)
            self.by_kind[kind].append(path)
            if kind in ("differs", "cannot"):
                self.rows.setdefault((kind, reason), []).append(path)

    def why(self, path):
        return self.reason(path, lambda kind: kind not in IN_GUEST)

    def reason(self, path, of):
        for number, (_, kind, pattern, reason) in enumerate(self.reasons):
            if of(kind) and fnmatch.fnmatchcase(path, pattern):
                self.used.add(number)
                return kind, reason
        return "none", ""

    def wrong(self):
        said = [f"{self.name}: no reason for {path}" for path in self.by_kind["none"]]
        said += [f"{self.name}: no reason in the guest for {path}" for path in self.in_guest()[1] if self.why_there(path)[0] == "none"]
        passed = [r for n, r in enumerate(self.reasons) if n not in self.used]
        return said + [f"{self.name}: does not fail, or did not run: {r[2]}" for r in passed]

    def why_there(self, path):
        here = self.why(path)
        return here if here[0] == "cannot" else self.reason(path, lambda kind: kind in IN_GUEST)

    def guest_rows(self):
        rows = {}
        for path in self.in_guest()[1]:
            rows.setdefault(self.why_there(path), []).append(path)
        return rows

    def count(self, *kinds):
        return sum(len(self.by_kind[k]) for k in kinds)

    def passed_here(self):
        return sum(o in ("PASS", "XPASS") for o in self.ran.values())

    def of(self, outcome):
        return sum(o == outcome for o in self.ran.values())

    def lacking(self):
        return [p for k in LACKS for p in self.by_kind[k]]

    def in_guest(self):
        """Of what this machine lacks: how many could run in the guest, and which of them failed there."""
        ran = {p: self.guest[p] for p in self.lacking() if self.guest.get(p, "SKIP") != "SKIP"}
        ran = {p: o for p, o in ran.items() if o != "FAIL" or self.why_there(p)[0] != "guest-lacks"}
        return len(ran), sorted(p for p, o in ran.items() if o == "FAIL")


def share(part, whole):
    return f"{100 * part / whole:.1f} %"


def table(rows):
    """One row a reason."""
    lines = ["| tests | why they fail |", "| --- | --- |"]
    for (_, reason), paths in sorted(rows.items(), key=lambda row: row[1]):
        lines.append(f"| {', '.join(paths)} | {reason} |")
    return "\n".join(lines)


def facts(suite):
    """What page.md.in asks for, by name."""
    ran, failed = suite.in_guest()
    lacks = suite.count(*LACKS)
    passed = suite.passed_here()
    able = len(suite.ran) - lacks - suite.count("cannot")
    return {
        "ran": len(suite.ran), "passed": passed, "xpass": suite.of("XPASS"), "xfail": suite.of("XFAIL"),
        "failed": len(suite.failed), "share": share(passed + suite.of("XFAIL"), len(suite.ran)), "lacks": lacks,
        "kinds": "; ".join(f"{suite.count(k)} {words}" for k, words in LACKS.items() if suite.count(k)),
        "able": able, "done": passed + suite.of("XFAIL"), "able_share": share(passed + suite.of("XFAIL"), able),
        "guest_ran": ran, "guest_passed": ran - len(failed), "guest_failed": ", ".join(failed),
        "both": passed + ran - len(failed), "both_of": len(suite.ran) - lacks + ran, "cannot": suite.count("cannot"),
        "both_able": len(suite.ran) - lacks + ran - suite.count("cannot"),
        "both_share": share(passed + suite.of("XFAIL") + ran - len(failed), len(suite.ran) - lacks + ran - suite.count("cannot")),
        "table": table(suite.rows), "guest_table": table(suite.guest_rows()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("older", "older-guest", "newer", "newer-guest"):
        parser.add_argument("--" + name, nargs="+", default=[], metavar="JSON")
    args = parser.parse_args()
    reasons = [line.split("\t") for line in (HERE / "reasons.tsv").read_text().splitlines() if line and line[0] != "#"]
    older = Suite("older", outcomes(args.older), outcomes(args.older_guest), reasons)
    newer = Suite("newer", outcomes(args.newer), outcomes(args.newer_guest), reasons)

    page = (HERE / "page.md.in").read_text()
    for name, suite in (("older", older), ("newer", newer)):
        for fact, value in facts(suite).items():
            page = page.replace("{%s.%s}" % (name, fact), f"{value:,}" if isinstance(value, int) else value)
    wide = textwrap.TextWrapper(130, break_long_words=False, break_on_hyphens=False)
    paragraphs = page.rstrip("\n").split("\n\n")
    print("\n\n".join(p if p[0] in "|#" else wide.fill(p.replace("\n", " ")) for p in paragraphs))
    wrong = older.wrong() + newer.wrong()
    sys.stderr.writelines(line + "\n" for line in wrong)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
