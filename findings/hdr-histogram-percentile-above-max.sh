#!/usr/bin/env bash
# hdr-histogram-js 3.0.1 (npm): percentiles are above the maximum, and a copy has another maximum and a rounded summary.
#
# Expected: no percentile is larger than the largest value, the 100th is the largest value, and a histogram that was encoded and
# decoded tells what the one before told. `summary` rounds no more than the histogram itself does (here 3 digits, so 0.05 %).
#
# Seen, with the only value 1234567:
#     maxValue                          1234567
#     getValueAtPercentile(50), (100)   1234943   the largest value that falls in the same bucket
#     maxValue after encoding, decoding 1234943   as well
#     summary.p50                       1230000   cut to three digits: below the smallest value
#     mean                              1234432   the bucket's middle
# Five numbers for one value. The percentile is HdrHistogram's usual upper end of a bucket, but in the Java library the maximum is
# taken to the same end, so that the order holds there.
#
# Why it matters: "p50 > max" in a report looks like a bug of the reader, and a check such as max >= p99 fails. Two programs
# differ in their maximum by whether one of them got the histogram over the wire. `summary` may be off by several times the accuracy
# that was asked for. A reader that wants the order to hold has to cut percentiles at the maximum itself.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" hdr-histogram-js@3.0.1 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const hdr = require('hdr-histogram-js');
const h = hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 1e9, numberOfSignificantValueDigits: 3 });
h.recordValue(1234567);
const copy = hdr.decodeFromCompressedBase64(hdr.encodeIntoCompressedBase64(h));
const seen = [h.maxValue, h.getValueAtPercentile(50), h.getValueAtPercentile(100), h.summary.p50, h.mean, copy.maxValue, copy.mean];
assert.deepEqual(seen, [1234567, 1234943, 1234943, 1230000, 1234432, 1234943, 1234432], 'changed: ' + seen);
console.log('hdr-histogram-js: one value, 1234567, has p50 1234943 (or 1230000 in the summary), and max 1234943 in a copy.');
JS
node try.cjs
