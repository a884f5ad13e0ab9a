#!/usr/bin/env bash
# @opentelemetry/otlp-transformer 0.223.1 with @opentelemetry/sdk-metrics 2.12.1 (npm): infinite sums are `null` in OTLP/JSON.
#
# Expected: OTLP/JSON is proto3's JSON mapping, in which a double that is not finite is one of the texts "Infinity", "-Infinity"
# and "NaN". What a histogram's sum and maximum are does not depend on whether the exporter speaks protobuf or JSON.
#
# Seen: one measurement of Infinity (a rate where the time was 0, say) makes the sum and the maximum `null`, which in the mapping
# means that the field is not there. A gauge's value becomes null, too, so that the data point has none. The protobuf form of the
# same metrics has the infinity in it:
#     "count":2,"sum":null,"min":1,"max":null          ..., "asDouble":null
#
# Why it matters: one collector gets "sum is infinite" and another "there is no sum" of one program, by the protocol alone; a reader
# of OTLP/JSON files that takes a number there fails, or reads 0. NaN is left out of histograms by the SDK, infinity is not.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" \
    @opentelemetry/api@1.9.0 @opentelemetry/sdk-metrics@2.12.1 @opentelemetry/otlp-transformer@0.223.1 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { MeterProvider, MetricReader } = require('@opentelemetry/sdk-metrics');
const { JsonMetricsSerializer, ProtobufMetricsSerializer } = require('@opentelemetry/otlp-transformer');
class Reader extends MetricReader {
    async onForceFlush() {}
    async onShutdown() {}
}
(async () => {
    const reader = new Reader();
    const meter = new MeterProvider({ readers: [reader] }).getMeter('example');
    const histogram = meter.createHistogram('rate');
    for (const value of [1, Infinity, NaN]) histogram.record(value);
    meter.createGauge('now').record(-Infinity);
    const { resourceMetrics } = await reader.collect();
    const json = JSON.parse(Buffer.from(JsonMetricsSerializer.serializeRequest(resourceMetrics)).toString());
    const [rate, now] = json.resourceMetrics[0].scopeMetrics[0].metrics;
    const point = rate.histogram.dataPoints[0];
    assert.equal(point.count, 2, 'changed: the count is ' + point.count);
    assert.deepEqual([point.sum, point.min, point.max], [null, 1, null], 'changed: ' + JSON.stringify(point));
    assert.equal(now.gauge.dataPoints[0].asDouble, null, 'changed: ' + JSON.stringify(now.gauge.dataPoints[0]));
    const infinite = Buffer.alloc(8);
    infinite.writeDoubleLE(Infinity);
    const packed = Buffer.from(ProtobufMetricsSerializer.serializeRequest(resourceMetrics));
    assert.ok(packed.includes(infinite), 'the protobuf form has no infinity');
    console.log('OTLP/JSON of OpenTelemetry JS has "sum":null where its protobuf has an infinite sum.');
})();
JS
node try.cjs
