#!/usr/bin/env bash
# promtool of Prometheus (Debian package prometheus 2.42.0+ds-5+deb12u1): `tsdb create-blocks-from openmetrics` keeps the first of
# several samples of one millisecond, and says nothing.
#
# Expected: OpenMetrics' timestamps are seconds with any fraction, so traces with microseconds can be written in it. Prometheus is
# known to keep milliseconds. What can't be kept is refused ("duplicate sample for timestamp" is what Prometheus says elsewhere),
# or the last one wins, as a counter's newer value makes the older one needless.
#
# Seen: the first one wins, exit code 0, nothing on standard error. Times are cut, not rounded: .9999 of a millisecond is the same
# millisecond. So of a counter that goes 1, 2, 900 within a millisecond 1 is kept, and the table that is printed only counts what
# was kept:
#     c_total 1 1700000000.0001
#     c_total 2 1700000000.0004
#     c_total 900 1700000000.0009    ->    c_total 1 1700000000000
# Two different values with the same timestamp to the letter are treated alike.
#
# Why it matters: the end of a short burst is lost in favour of its beginning. Who writes OpenMetrics for backfilling from a trace
# has to thin it to one sample a millisecond and keep the last, because the reader keeps the first.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "promtool-backfill-same-millisecond: changed: $*" >&2; exit 1; }

apt-get download -q prometheus=2.42.0+ds-5+deb12u1 >/dev/null 2>&1 ||
    { echo "promtool-backfill-same-millisecond: cannot get prometheus=2.42.0+ds-5+deb12u1 of Debian 12 (apt-get update first?)" >&2; exit 2; }
dpkg -x prometheus_*.deb root
promtool=$tmp/root/usr/bin/promtool

# What is kept of the lines on standard input, as "value timestamp".
kept() {
    { echo '# TYPE c counter'; cat; echo '# EOF'; } >metrics
    rm -rf data
    "$promtool" tsdb create-blocks-from openmetrics metrics data >log 2>errors || fail "it is refused: $(cat errors)"
    [ ! -s errors ] || fail "it says: $(cat errors)"
    mkdir data/wal # dump wants one
    "$promtool" tsdb dump data | sed 's/^[^}]*} //'
}
first=$(kept <<'E'
c_total 1 1700000000.0001
c_total 2 1700000000.0004
c_total 900 1700000000.0009
c_total 901 1700000000.0019
E
)
[ "$first" = $'1 1700000000000\n901 1700000000001' ] || fail "kept are: $first"
same=$(kept <<'E'
c_total 7 1700000000
c_total 8 1700000000
E
)
[ "$same" = '7 1700000000000' ] || fail "of two values at one time kept are: $same"
echo "promtool keeps the first of 1, 2 and 900 within a millisecond, and says nothing."
