#!/usr/bin/env python3
"""Prints what part of the newer tests passed, here or in the guest, and why each other test did not.

    newer_share.py HERE.json [HERE.json...] [--guest GUEST.json]

Counts and reasons are those of page.py, which writes the same into ../conformance.md. The status is 1 where a test fails without a
reason in reasons.tsv, or a reason is no longer needed.
"""
import sys
from pathlib import Path

import page


def main():
    reasons = [line.split("\t") for line in (page.HERE / "reasons.tsv").read_text().splitlines() if line and line[0] != "#"]
    words = sys.argv[1:]
    at = words.index("--guest") if "--guest" in words else len(words)
    guest = [name for name in words[at + 1:] if Path(name).exists()] # none where the guest did not end
    suite = page.Suite("newer", page.outcomes(words[:at]), page.outcomes(guest), reasons)
    facts = page.facts(suite)
    print(f"{facts['passed']} of {facts['ran']} tests passed here, {facts['guest_passed']} of {facts['guest_ran']} in the guest that cannot run here.")
    print(f"Of {facts['both_able']} that can run in one of them {facts['both']} passed: {facts['both_share']}.")
    for path in suite.failed:
        print(f"{path}: {': '.join(suite.why(path)).rstrip(': ')}")
    print("\n".join(suite.wrong()))
    return int(bool(suite.wrong()))


if __name__ == "__main__":
    sys.exit(main())
