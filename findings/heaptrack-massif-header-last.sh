#!/usr/bin/env bash
# heaptrack 1.4.0 (Debian package 1.4.0-2) and ms_print of Valgrind 3.19.0 (1:3.19.0-1): ms_print does not read what
# `heaptrack_print --print-massif` writes as "a massif compatible data file".
#
# Expected: massif's files begin with `desc:`, `cmd:` and `time_unit:`, then come the snapshots. What one tool writes for the other's
# viewer, the viewer shows.
#
# Seen: heaptrack writes these three lines behind the last snapshot, and the last snapshot's tree announces children that do not
# follow. ms_print stops at once, and with the lines moved to the front it stops at the end:
#     Line 2: missing 'cmd' line
#     Line 48: expected a tree node line, got:
# So it is with real recordings, too, whatever their length.
#
# Why it matters: massif's format is the one that other viewers of heaps over time read. A reader that takes the header from the first
# lines has no unit of time, and takes the seconds of such a file for massif's default, instructions. It has to look for the header
# in the whole file, and must be content with a tree that is cut.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "heaptrack-massif-header-last: changed: $*" >&2; exit 1; }

apt-get download -q heaptrack=1.4.0-2 valgrind=1:3.19.0-1 libboost-{iostreams,program-options,filesystem}1.74.0 >/dev/null 2>&1 ||
    { echo "heaptrack-massif-header-last: cannot get heaptrack and valgrind of Debian 12 (apt-get update first?)" >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$tmp/root" -name 'libboost_iostreams.so*' | head -n 1)")
export LD_LIBRARY_PATH

# What `heaptrack` records, as text: strings, instruction pointers (module, function, file, line), traces (pointer, caller), kinds
# of allocations (size, trace), and then allocations and deallocations of a kind, and the time in ms.
cat >example <<'E'
v 10400 3
X ./example
I 1000 100000
s 7 example
s 4 main
s 3 a.c
i 1010 1 2 3 a
t 1 0
s 4 work
i 1020 1 4 3 14
t 2 1
a 1000 2
+ 0
c 1
+ 0
c 2
- 0
c 3
- 0
a 20 1
+ 1
c 4
R 10
E
root/usr/bin/heaptrack_print -f example -M massif >/dev/null 2>errors || fail "the record is not read: $(cat errors)"
[ "$(grep -c '^snapshot=' massif)" -ge 3 ] || fail "there are no snapshots"
[ "$(head -n 1 massif)" = '#-----------' ] || fail "the file begins with $(head -n 1 massif)"
[ "$(tail -n 3 massif)" = $'desc: heaptrack\ncmd: ./example\ntime_unit: s' ] || fail "the file ends with $(tail -n 3 massif)"
perl root/usr/bin/ms_print massif >shown 2>&1 && fail "ms_print reads it"
grep -q "missing 'cmd' line" shown || fail "ms_print says: $(cat shown)"
{ tail -n 3 massif; head -n -3 massif; } >mended
perl root/usr/bin/ms_print mended >shown 2>&1 && fail "ms_print reads it with the header at the front"
grep -q 'expected a tree node line' shown || fail "ms_print says of the mended file: $(cat shown)"
echo "heaptrack writes massif's header last; ms_print: $(perl root/usr/bin/ms_print massif 2>&1)"
