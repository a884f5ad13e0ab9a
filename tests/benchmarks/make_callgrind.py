#!/usr/bin/env python3
"""Writes a callgrind profile of about MIB MiB: make_callgrind.py MIB [FUNCTIONS] > FILE

Functions call only those behind them, so that there is no cycle, and the costs of calls are those that add up. Most of it is lines of costs by
address, as option --dump-instr=yes writes them.
"""
import random
import sys

size = int(sys.argv[1]) << 20
functions = int(sys.argv[2]) if len(sys.argv) > 2 else 40000
chance = random.Random(1)
calls = {f: sorted({min(functions - 1, f + 1 + int(chance.expovariate(1 / 50))) for _ in range(4)} - {f}) for f in range(functions)}
lines = max(1, (size - functions * 400) // functions // 9)
own = [0] * functions
inclusive = [0] * functions
costs = {}
for f in reversed(range(functions)):
    own[f] = lines * 7
    shares = {}
    for to in calls[f]:
        shares[to] = max(1, inclusive[to] // 8)
    costs[f] = shares
    inclusive[f] = own[f] + sum(shares.values())
write = sys.stdout.write
write("# callgrind format\nversion: 1\ncreator: made\npositions: instr line\nevents: Ir Dr\n\n")
for f in range(functions):
    write(f"ob=({f % 50 + 1}) /usr/lib/libmade{f % 50}.so\nfl=({f % 900 + 1}) /src/made/file{f % 900}.cc\n"
          f"fn=({f + 1}) made::space{f % 97}::Class{f % 1009}::method{f}(int, char const*)\n0x{0x400000 + f * 4096:x} {f % 3000 + 1} 7 3\n")
    write("+3 +1 7 1\n" * (lines - 1))
    for to, cost in costs[f].items():
        write(f"cob=({to % 50 + 1}) /usr/lib/libmade{to % 50}.so\ncfi=({to % 900 + 1}) /src/made/file{to % 900}.cc\n"
              f"cfn=({to + 1}) made::space{to % 97}::Class{to % 1009}::method{to}(int, char const*)\ncalls={cost % 9 + 1} 0x{0x400000 + to * 4096:x} 1\n* * {cost}\n")
