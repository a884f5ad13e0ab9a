#!/usr/bin/env bash
# dot of Graphviz 2.42.2 (Debian 12; it calls itself 2.43.0): an edge's weight of 1e3 is 1, and one of 3000000000 is none.
#
# Expected: `weight` pulls edges straight and short by how important they are, and takes a number. As attributes are texts, 1000 and
# 1e3 are the same number (which they are for penwidth, len and other attributes), and a weight larger than that can be held is as
# heavy as can be, or an error.
#
# Seen: dot reads the weight as an integer, up to the first character that is none, and cuts it to 32 bits. Nothing is said:
#     weight="1000"         a is above b, the edge is straight
#     weight="1e3", "1.9"   a is where it is with weight="1"
#     weight="3000000000"   a is where it is with weight="0"
#     weight="0.5"          the same
#
# Why it matters: weights of call graphs are samples, bytes or nanoseconds, and C's %g and JavaScript write a large or small one
# with an exponent. So the layout of the heaviest edges is that of the lightest: 1e+06 counts as 1, 3 seconds in ns as 0. Weights for
# dot have to be scaled to small whole numbers first.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "dot-weight-exponent: changed: $*" >&2; exit 1; }
skip() { echo "dot-weight-exponent: $*" >&2; exit 2; }

command -v dot >/dev/null || skip "dot is needed (Debian 12: apt-get install graphviz)"
version=$(dot -V 2>&1 | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
case $version in 2.42.* | 2.43.0) ;; *) skip "this is about Graphviz 2.42, and here is $version" ;; esac

# Where a is, from the left, if its edge to b has weight $1. Those to c and d have 1 and 2.
place() {
    local edges="a -> b [weight=\"$1\"]; a -> c; a -> d [weight=2]; b -> x; c -> x; d -> x"
    dot -Tplain <<<"digraph { node [fixedsize=true]; $edges }" 2>"$tmp/errors" | awk '$1 == "node" && $2 == "a" { print $3 }'
    [ ! -s "$tmp/errors" ] || fail "it says: $(cat "$tmp/errors")"
}
none=$(place 0) one=$(place 1) thousand=$(place 1000)
if [ "$none" = "$one" ] || [ "$one" = "$thousand" ]; then fail "weights make no difference here: $none, $one, $thousand"; fi
for weight in 1e3 1e+06 1.9; do
    [ "$(place $weight)" = "$one" ] || fail "weight=$weight is no longer 1"
done
for weight in 0.5 3000000000; do
    [ "$(place $weight)" = "$none" ] || fail "weight=$weight is no longer 0"
done
echo "dot lays an edge of weight 1e3 out as one of 1, and one of 3000000000 as one of 0."
