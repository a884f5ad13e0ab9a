#!/usr/bin/env bash
# prom-client 15.1.3 (npm): the quantiles of a summary without observations are 0.
#
# Expected: a quantile of nothing is not a number: OpenMetrics and Prometheus' own libraries say NaN, which graphs leave out and which
# no alert compares with. This is so at the start and again after the window of `maxAgeSeconds` has passed.
#
# Seen: before the first observation, and whenever the window is empty, each quantile is 0, while sum and count tell what there was:
#     s{quantile="0.5"} 0
#     s{quantile="0.99"} 0
#     s_sum 7
#     s_count 1
#
# Why it matters: "p99 is 0 seconds" is the best value that a latency can have, and it is what a service that hangs or gets no requests
# reports. Minimums and averages over time of such series are wrong, too. A reader can tell only before the first observation
# (count 0), not after a quiet window.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" prom-client@15.1.3 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { Registry, Summary } = require('prom-client');
const sleep = ms => new Promise(done => setTimeout(done, ms));
(async () => {
    const registry = new Registry();
    const s = new Summary({ name: 's', help: 's', percentiles: [0.5, 0.99], maxAgeSeconds: 1, ageBuckets: 1, registers: [registry] });
    const now = async () => (await registry.metrics()).split('\n').filter(l => l.startsWith('s')).join(' ');
    const quantiles = value => `s{quantile="0.5"} ${value} s{quantile="0.99"} ${value}`;
    assert.equal(await now(), quantiles(0) + ' s_sum 0 s_count 0', 'changed: before there is a value');
    s.observe(7);
    assert.equal(await now(), quantiles(7) + ' s_sum 7 s_count 1');
    await sleep(2500);
    assert.equal(await now(), quantiles(0) + ' s_sum 7 s_count 1', 'changed: after a quiet window');
    console.log('prom-client says p99 = 0 of a summary that has no value yet, or none in its window.');
})();
JS
node try.cjs
