#!/usr/bin/env bash
# gvpr of Graphviz 2.42.2 (Debian 12; it calls itself 2.43.0): two attributes are compared and added as texts.
#
# Expected: gvpr looks like awk, and awk compares fields that look like numbers as numbers. An edge with calls=10 and limit=9 is over
# its limit, and `$.own + $.callees` is a sum. With a number written in the program it is so: `$.calls > 9` is true of calls=10.
#
# Seen: attributes are texts, and only a number on the other side makes them numbers. Between two attributes, and between an
# attribute and a quoted number, ">" is the order of the dictionary and "+" joins texts, without a warning:
#     calls=10 limit=9    $.calls > $.limit  0       $.calls + $.limit  109      $.calls > 9  1
#     calls=8  limit=10   $.calls > $.limit  1
#
# Why it matters: filters over call graphs (edges that take more than their own node, before and after) choose by the first digit, and
# totals become 109 instead of 19, which looks like a plausible number. (int) or (double) in front of an attribute, or a variable
# of such a type, is needed on one side of each comparison.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "gvpr-compares-text: changed: $*" >&2; exit 1; }
skip() { echo "gvpr-compares-text: $*" >&2; exit 2; }

command -v gvpr >/dev/null || skip "gvpr is needed (Debian 12: apt-get install graphviz)"
version=$(gvpr -V 2>&1 | grep -oE '2\.[0-9]+\.[0-9]+|[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
case $version in 2.42.* | 2.43.0) ;; *) skip "this is about Graphviz 2.42, and here is $version" ;; esac

graph='digraph { a -> b [calls=10, limit=9]; c -> d [calls=8, limit=10]; }'
# Prints the value of $1 for each edge.
of() { gvpr "E { print($1); }" <<<"$graph" | tr '\n' ' '; }
expect() {
    local seen
    seen=$(of "$1")
    [ "$seen" = "$2 " ] || fail "$1 is $seen"
}
expect '$.calls > $.limit' '0 1'
expect '$.calls > "9"' '0 0'
expect '$.calls + $.limit' '109 810'
expect '$.calls > 9' '1 0'
expect '(int)$.calls > (int)$.limit' '1 0'
expect '(int)$.calls + (int)$.limit' '19 18'
echo "gvpr: of calls=10 and limit=9 the sum is 109, and 10 > 9 is false."
