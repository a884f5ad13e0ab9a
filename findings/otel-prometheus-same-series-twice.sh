#!/usr/bin/env bash
# @opentelemetry/exporter-prometheus 0.223.0 with @opentelemetry/sdk-metrics 2.12.1 (npm): what it writes may not be read, and
# exponential histograms are not written at all.
#
# Expected: what two instruments or two sets of attributes that are different in OpenTelemetry become in Prometheus' text is either
# different or added up, as a series can be there only once, and a family's HELP and TYPE lines only once. An instrument that has
# no form in this text is left out.
#
# Seen:
#   - the attributes {code: 200} and {code: '200'} are two series of OpenTelemetry and the same line head here, twice
#   - the counters `http.requests` and `http_requests` are one name here, with HELP and TYPE twice
#   - an exponential histogram is `# TYPE size untyped` and no sample
#         http_requests_total{code="200",otel_scope_name="example"} 1
#         http_requests_total{code="200",otel_scope_name="example"} 2
#
# Why it matters: a strict parser (that of Prometheus' Go libraries, which promtool uses, stops at "second HELP line for metric
# name") refuses the whole page, with all other metrics; a lenient one has to choose one of the two values. Who reads
# such files has to expect series that come twice. The view that makes histograms exponential makes them vanish from scrapes.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" \
    @opentelemetry/api@1.9.0 @opentelemetry/sdk-metrics@2.12.1 @opentelemetry/exporter-prometheus@0.223.0 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { MeterProvider, MetricReader, AggregationType } = require('@opentelemetry/sdk-metrics');
const { PrometheusSerializer } = require('@opentelemetry/exporter-prometheus');
class Reader extends MetricReader {
    async onForceFlush() {}
    async onShutdown() {}
}
(async () => {
    const reader = new Reader();
    const views = [{ instrumentName: 'size', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }];
    const meter = new MeterProvider({ readers: [reader], views }).getMeter('example');
    const requests = meter.createCounter('http.requests');
    requests.add(1, { code: 200 });
    requests.add(2, { code: '200' });
    meter.createCounter('http_requests').add(4);
    meter.createHistogram('size').record(8);
    const { resourceMetrics } = await reader.collect();
    const lines = new PrometheusSerializer().serialize(resourceMetrics).split('\n');
    const values = lines.filter(l => l.startsWith('http_requests_total{code="200"')).map(l => l.split(' ').at(-1));
    assert.deepEqual(values, ['1', '2'], 'changed: the series is there as ' + values);
    const types = lines.filter(l => l.startsWith('# TYPE http_requests_total '));
    assert.equal(types.length, 2, 'changed: its TYPE is there ' + types.length + ' times');
    assert.ok(lines.includes('# TYPE size untyped'), 'changed: ' + lines.filter(l => l.includes('size')));
    assert.ok(!lines.some(l => l.startsWith('size')), 'changed: the exponential histogram has samples');
    console.log('OpenTelemetry\'s Prometheus exporter writes a series and a TYPE twice, and no sample of exponential histograms.');
})();
JS
node try.cjs
