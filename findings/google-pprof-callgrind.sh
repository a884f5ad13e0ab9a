#!/usr/bin/env bash
# google-pprof of gperftools (Debian package google-perftools 2.10-1): `--callgrind` leaves out the outermost call of every stack.
#
# Expected: the forms that the tool writes are of one profile, so what --dot and --collapsed call "main calls work, 8 samples" is
# in --callgrind's text, too: a block for main with `calls=8` to work. callgrind_annotate and KCachegrind then give main 10 of 10
# samples with its callees, as --text does.
#
# Seen: of the stack main > work > leaf only work > leaf is written. A function that only ever stands at the root and has no
# samples of its own, as main() usually does, is not in the file at all; one that stands there otherwise has no callees. A stack
# of two functions has no call at all:
#     --text        0   0.0% 100.0%       10 100.0% main
#     --collapsed   main;work;leaf 5
#     --callgrind   (no line has "main")
#
# Why it matters: the inclusive cost of whatever starts the work (main, thread functions, request handlers) is missing in every
# tool that reads the file, without a message, while the sum of own costs still is right. Who checks a conversion by its total
# does not see it. Of the forms tried here --collapsed and --dot lose nothing.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "google-pprof-callgrind: changed: $*" >&2; exit 1; }

apt-get download -q google-perftools=2.10-1 >/dev/null 2>&1 ||
    { echo "google-pprof-callgrind: cannot get google-perftools=2.10-1 of Debian 12 (apt-get update first?)" >&2; exit 2; }
dpkg -x google-perftools_*.deb root
pprof=$tmp/root/usr/bin/google-pprof

# A profile with its symbols, as `pprof --raw` writes it: words of 64 bits, each sample being a count, a depth and addresses from
# the leaf. 5 samples in main > work > leaf, 3 in main > work, 2 in main > idle.
perl -e '
print "--- symbol\nbinary=example\n";
printf "0x%016x %s\n", @$_ for [0x1000, "main"], [0x2000, "work"], [0x3000, "leaf"], [0x4000, "idle"];
print "---\n--- profile\n";
print pack "Q<*", 0, 3, 0, 10000, 0;
print pack "Q<*", 5, 3, 0x3000, 0x2000, 0x1000;
print pack "Q<*", 3, 2, 0x2000, 0x1000;
print pack "Q<*", 2, 2, 0x4000, 0x1000;
print pack "Q<*", 0, 1, 0;' >profile

"$pprof" --text profile 2>/dev/null >text
"$pprof" --collapsed profile 2>/dev/null | sort >collapsed
"$pprof" --callgrind profile 2>/dev/null >callgrind

grep -Eq '^ +0 +0\.0% +100\.0% +10 +100\.0% main$' text || fail "--text no longer gives main 10 of 10 samples"
printf '%s\n' 'main;idle 2' 'main;work 3' 'main;work;leaf 5' | diff - collapsed >&2 || fail "--collapsed is not what it was"
grep -q 'work' callgrind || fail "--callgrind has no functions"
grep -q 'main' callgrind && fail "--callgrind knows main now"
[ "$(grep -c '^calls=' callgrind)" = 1 ] || fail "--callgrind has other calls than work > leaf"
grep -q '^calls=5 ' callgrind || fail "the one call is no longer that of work > leaf"
echo "google-pprof --callgrind has one of the three calls of this profile, and no main()."
