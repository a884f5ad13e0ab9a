#!/usr/bin/env bash
# @datadog/sketches-js 2.1.1 (npm), DDSketch with a limit of bins (LogCollapsingLowestDenseDDSketch): upper quantiles are wrong.
#
# Expected: where there are more bins than the limit, the lowest are merged into one. So low quantiles lose their accuracy and high
# ones keep it: that is what this class is for. The order in which values come does not matter to a sketch.
#
# Seen: while values grow, each time the window of bins moves up, the bin that takes over what was below is counted twice. The bins
# then hold more than was put in, and all of that at the lower end, so quantiles are too low:
#     1, 2, ..., 1000 at 1 % and 100 bins     values in bins   p90     p99
#     in falling order                        1000             907.0   982.6
#     in rising order                         1136             757.6   854.2
# The limit does not need to be as small as this: it is enough that the values span more bins than it.
#
# Why it matters: the p99 of latencies that grow during a run (a queue that fills) is too low by 14 % with a sketch that promises
# 1 %, and another order of the same values gives another number. The sketch without a limit (DDSketch) is right in both orders.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @datadog/sketches-js@2.1.1 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { DDSketch, LogCollapsingLowestDenseDDSketch } = require('@datadog/sketches-js');
const rising = Array.from({ length: 1000 }, (_, i) => i + 1);
const falling = [...rising].reverse();
const of = (sketch, values) => {
    values.forEach(v => sketch.accept(v));
    return { p99: sketch.getValueAtQuantile(0.99), inBins: sketch.store.bins.reduce((x, y) => x + y), count: sketch.count };
};
const limited = () => new LogCollapsingLowestDenseDDSketch({ relativeAccuracy: 0.01, binLimit: 100 });
const near = (value, truth) => Math.abs(value - truth) <= truth * 0.01;
for (const values of [rising, falling])
    assert.ok(near(of(new DDSketch({ relativeAccuracy: 0.01 }), values).p99, 990), 'the sketch without a limit is not right');
const down = of(limited(), falling), up = of(limited(), rising);
assert.equal(down.inBins, 1000);
assert.ok(near(down.p99, 990), 'changed: falling values give ' + down.p99);
assert.equal(up.count, 1000);
assert.equal(up.inBins, 1136, `changed: the bins of 1000 rising values hold ${up.inBins}`);
assert.ok(up.p99 < 900, 'changed: the p99 of rising values is ' + up.p99);
console.log(`DDSketch with 100 bins: p99 of 1..1000 is ${down.p99.toFixed(1)} in falling and ${up.p99.toFixed(1)} in rising order.`);
JS
node try.cjs
