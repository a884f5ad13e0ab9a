#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1 (npm): histograms and summaries with labels become one, and exemplars become timestamps.
#
# Expected: the package says that its result is like prom2json's, where a family has one entry for each set of labels: a histogram by
# endpoint has as many entries as endpoints, with their labels, sum and count. And text in OpenMetrics, which ends in "# EOF" and may
# have exemplars, is either read or refused.
#
# Seen: a family of histograms or summaries has a single entry without labels, in which the last value of each bucket or quantile
# stands; sum and count are missing:
#     h_bucket{path="/a",le="1"} 2 ... h_count{path="/a"} 3
#     h_bucket{path="/b",le="1"} 20 ... h_count{path="/b"} 30     ->   [{"buckets":{"1":"20","+Inf":"30"}}]
# Without labels it is right. A counter of OpenMetrics (`# TYPE c counter`, `c_total 5`) is an untyped metric beside an empty counter,
# and an exemplar, as prom-client writes them, is the sample's time:
#     c_total 5 # {trace_id="x"} 1 2    ->   {"value":"5","timestamp_ms":"#{trace_id=\"x\"}12"}
#
# Why it matters: numbers of one series are shown as those of all, and nothing says so. The usual exporters label their histograms.
# Counters lose their type, so that rates are not computed.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" parse-prometheus-text-format@1.1.1 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const parse = require('parse-prometheus-text-format');
const read = (...lines) => parse(lines.join('\n') + '\n');
const histogram = (labels, low, all) => [`h_bucket{${labels}le="1"} ${low}`, `h_bucket{${labels}le="+Inf"} ${all}`,
    labels ? `h_sum{${labels.slice(0, -1)}} 5` : 'h_sum 5', labels ? `h_count{${labels.slice(0, -1)}} ${all}` : `h_count ${all}`];
const type = '# TYPE h histogram';

const [plain] = read(type, ...histogram('', 2, 3));
assert.deepEqual({ ...plain.metrics[0], buckets: { ...plain.metrics[0].buckets } }, { buckets: { 1: '2', '+Inf': '3' }, count: '3', sum: '5' });
const merged = read(type, ...histogram('path="/a",', 2, 3), ...histogram('path="/b",', 20, 30));
assert.equal(JSON.stringify(merged[0].metrics), '[{"buckets":{"1":"20","+Inf":"30"}}]', 'changed: ' + JSON.stringify(merged));
const [summary] = read('# TYPE s summary', ...['a', 'b'].flatMap((path, i) =>
    [`s{path="${path}",quantile="0.5"} ${i}`, `s_sum{path="${path}"} 5`, `s_count{path="${path}"} 2`]));
assert.equal(JSON.stringify(summary.metrics), '[{"quantiles":{"0.5":"1"}}]', 'changed: ' + JSON.stringify(summary));
const [empty, counter] = read('# TYPE c counter', 'c_total 5 # {trace_id="x"} 1 2', '# EOF');
assert.deepEqual([empty.name, empty.type, empty.metrics.length], ['c', 'COUNTER', 0], 'changed: ' + JSON.stringify(empty));
assert.equal(counter.type, 'UNTYPED', 'changed: ' + JSON.stringify(counter));
assert.equal(counter.metrics[0].timestamp_ms, '#{trace_id="x"}12', 'changed: ' + JSON.stringify(counter));
console.log('parse-prometheus-text-format makes one histogram of two with labels, and a timestamp of an exemplar.');
JS
node try.cjs
