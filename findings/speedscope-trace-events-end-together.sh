#!/usr/bin/env bash
# speedscope 1.25.0 (npm), Chrome's trace events: a call may last to the end of the trace if one within it ends together with it.
#
# Expected: "X" events have a beginning and a duration. Two that end at the same nanosecond are nested, whichever way their numbers are
# rounded; and one that ends a trifle too late is off by a trifle.
#
# Seen: ends are ts + dur in floating point, and must be nested to the last bit. In microseconds, 0.1 + 0.2 is more than 0.3, so the
# call that ends at 0.3 "is not on the top of the stack", its end is thrown away, and it stays open until the trace ends. What
# comes later on that thread is drawn within it:
#     outer 0..0.3, inner 0.1..0.3, later 1000..1010     outer takes 1010 us, and later is called by outer
#     outer 0..0.301                                     outer takes 0.301 us
#     outer and inner as B and E, both ending at 0.3     outer takes 0.3 us
# The only message is on the browser's console. With times since 1970 in us a double has steps of 0.25, and it happens all the time.
#
# Why it matters: a wrong nanosecond becomes seconds, and a function is blamed for all that follows. Who writes trace events for this
# reader uses times since the trace's beginning, and B and E with equal texts for equal times rather than X.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" speedscope@1.25.0 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
# The importers are part of the page that speedscope is. Here the page's script runs as it is up to where it would draw itself, with
# a document that does nothing, and hands the importers out.
cat >speedscope.cjs <<'JS'
const fs = require('fs'), path = require('path'), vm = require('vm');
const folder = 'node_modules/speedscope/dist/release';
const script = fs.readFileSync(path.join(folder, fs.readdirSync(folder).find(f => /^speedscope-.*\.js$/.test(f))), 'utf8');
const nothing = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => '' : nothing), apply: () => nothing });
const page = { console: { ...console, log() {}, warn() {}, time() {}, timeEnd() {} }, document: nothing, navigator: nothing, location: { hash: '' },
    localStorage: nothing, matchMedia: nothing, addEventListener() {}, setTimeout, TextDecoder, TextEncoder, URL, atob, btoa, WebAssembly };
page.window = page.self = page;
const text = /async function (\w+)\(t,e\)\{return\(await \w+\)\.importProfileGroupFromText/.exec(script)[1];
const bytes = /async function (\w+)\(t,e\)\{return\(await \w+\)\.importProfilesFromArrayBuffer/.exec(script)[1];
const end = script.lastIndexOf('console.log(`speedscope v');
vm.runInNewContext(script.slice(0, end) + `window.importers={text:${text},bytes:${bytes}}})();`, page);
const sums = profile => {
    const frames = {};
    profile.forEachFrame(f => { frames[f.name] = { own: f.getSelfWeight(), total: f.getTotalWeight() }; });
    const stacks = {}, stack = [];
    let last = 0;
    const until = t => { if (t > last) { const key = stack.join(' > '); stacks[key] = (stacks[key] ?? 0) + t - last; } last = t; };
    profile.forEachCall((node, t) => { until(t); stack.push(node.frame.name); }, (node, t) => { until(t); stack.pop(); });
    return { name: profile.getName(), unit: profile.getWeightUnit(), total: profile.getTotalWeight(), frames, stacks };
};
// All profiles of a file: totals, own and total weights by frame, weights by stack.
exports.read = async (name, content) => {
    const group = await (typeof content === 'string' ? page.importers.text(name, content) : page.importers.bytes(name, content));
    return group ? group.profiles.map(sums) : null;
};
JS
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { read } = require('./speedscope.cjs');
const X = (name, ts, dur) => ({ ph: 'X', name, ts, dur, pid: 1, tid: 1 });
const ends = (ph, name, ts) => ({ ph, name, ts, pid: 1, tid: 1 });
const later = X('later', 1000, 10);
const trace = async events => (await read('trace.json', JSON.stringify(events)))[0];
const near = (seen, value, what) => assert.ok(Math.abs(seen - value) < 1e-6, `changed: ${what} is ${seen}`);
(async () => {
    // 100 ns + 200 ns = 300 ns, but 0.1 + 0.2 > 0.3.
    const together = await trace([X('outer', 0, 0.3), X('inner', 0.1, 0.2), later]);
    near(together.frames.outer.total, 1010, 'outer, of 0.3 us,');
    near(together.stacks['outer > later'], 10, 'what outer has of later');
    // The same in thousandths more, and as beginnings and ends.
    const within = await trace([X('outer', 0, 0.301), X('inner', 0.1, 0.2), later]);
    near(within.frames.outer.total, 0.301, 'outer, if it ends 1 ns later,');
    const pairs = await trace([ends('B', 'outer', 0), ends('B', 'inner', 0.1), ends('E', 'inner', 0.3), ends('E', 'outer', 0.3), later]);
    near(pairs.frames.outer.total, 0.3, 'outer, as B and E,');
    near(pairs.frames.later.total, 10, 'later');
    console.log('speedscope lets a call of 0.3 us last for 1010 us if one in it ends with it (0.1 + 0.2); with B and E it does not.');
})();
JS
node try.cjs
