#!/usr/bin/env bash
# tdigest 0.1.3 (npm): where most values are equal, quantiles are values that nobody measured.
#
# Expected: a t-digest is exact while there are few values, and is at its worst off by a little in rank. Of 1, 1, 1, 1, 100 four
# fifths are 1, so the median and the 79th percentile are 1. Of ten thousand values of which 70 % are 1 and 30 % are 1000, the
# median is 1.
#
# Seen: equal values are one centroid, whatever their number, and between two centroids the tool goes in a straight line from the
# middle of the one's weight to the middle of the other's. With two different values everything but the ends is invented, and more
# values don't help:
#     1, 1, 1, 1, 100                 p50 20.8      p79 78.2
#     7000 times 1, 3000 times 1000   p50 300.7
# (Its other mode, `new TDigest(false)`, keeps what was measured, and gives 1 for all three.)
#
# Why it matters: times and sizes of traces come in few different values: a coarse clock, buckets, pages, cached or not. A median of
# 300 where 70 % of all calls took 1 is the kind of number that is believed.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" tdigest@0.1.3 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { TDigest } = require('tdigest');
const digest = (values, ...how) => {
    const d = new TDigest(...how);
    d.push(values);
    d.compress();
    return d;
};
const few = [1, 1, 1, 1, 100];
const many = Array.from({ length: 10000 }, (_, i) => (i % 10 < 7 ? 1 : 1000));
const near = (value, seen, what) => assert.ok(Math.abs(value - seen) < 0.5, `changed: ${what} is ${value}`);
near(digest(few).percentile(0.5), 20.8, 'the median of 1, 1, 1, 1, 100');
near(digest(few).percentile(0.79), 78.2, 'the 79th percentile of 1, 1, 1, 1, 100');
const d = digest(many);
assert.equal(d.size(), 2, 'changed: there are ' + d.size() + ' centroids');
near(d.percentile(0.5), 300.7, 'the median of 7000 times 1 and 3000 times 1000');
for (const [values, p] of [[few, 0.5], [few, 0.79], [many, 0.5]])
    assert.equal(digest(values, false).percentile(p), 1, 'changed: the discrete mode no longer gives 1');
console.log('tdigest: the median of 1, 1, 1, 1, 100 is 20.8; of 70 % ones and 30 % thousands it is about 300.');
JS
node try.cjs
