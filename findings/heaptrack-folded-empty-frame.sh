#!/usr/bin/env bash
# heaptrack 1.4.0 (Debian package 1.4.0-2): the folded stacks of `heaptrack_print -F` end with a separator.
#
# Expected: folded stacks, as FlameGraph's tools have them, are frames joined by ";", a blank and a number. A separator stands
# between frames.
#
# Seen: there is one behind each frame, so that a line ends with "; 5", and with --flamegraph-cost-type leaked or peak there are
# lines whose number is 0:
#     main (a.c); 32
#     main (a.c);work (a.c); 0
# To a reader that splits at ";" the stack "main (a.c);" has two frames, and the second one's name is empty.
#
# Why it matters: in such readers each allocation belongs to a function without a name: the table of own cost has one row with 100 %
# and all others with 0, and an allocating function always has a nameless callee. flamegraph.pl doesn't show it, because Perl's
# split() leaves out empty fields at the end; split of most other languages does not. A reader has to drop an empty last frame.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "heaptrack-folded-empty-frame: changed: $*" >&2; exit 1; }

apt-get download -q heaptrack=1.4.0-2 libboost-{iostreams,program-options,filesystem}1.74.0 >/dev/null 2>&1 ||
    { echo "heaptrack-folded-empty-frame: cannot get heaptrack=1.4.0-2 of Debian 12 (apt-get update first?)" >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$tmp/root" -name 'libboost_iostreams.so*' | head -n 1)")
export LD_LIBRARY_PATH

# What `heaptrack` records, as text: strings, instruction pointers (module, function, file, line), traces (pointer, caller), kinds
# of allocations (size, trace), and then allocations and deallocations of a kind. Here main() allocates once and keeps it, and
# calls work(), which allocates twice and frees both.
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
a 40 2
+ 0
+ 0
- 0
- 0
a 20 1
+ 1
c 1
R 10
E
root/usr/bin/heaptrack_print -f example -F stacks >/dev/null 2>errors || fail "the record is not read: $(cat errors)"
root/usr/bin/heaptrack_print -f example -F leaks --flamegraph-cost-type leaked >/dev/null 2>&1
printf '%s\n' 'main (a.c); 1' 'main (a.c);work (a.c); 2' | diff - <(sort stacks) >&2 || fail "the stacks are: $(cat stacks)"
printf '%s\n' 'main (a.c); 32' 'main (a.c);work (a.c); 0' | diff - <(sort leaks) >&2 || fail "the leaks are: $(cat leaks)"
echo "heaptrack_print -F writes 'main (a.c);work (a.c); 2', with a separator behind the last frame."
