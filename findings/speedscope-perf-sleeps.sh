#!/usr/bin/env bash
# speedscope 1.25.0 (npm), what `perf script` prints: a CPU profile counts the time between samples, sleep included.
#
# Expected: each sample has a period in perf's text (1000000 ns of cpu-clock, say), which is what it weighs: perf report sums the
# periods up. While a program sleeps it has no samples, and so a CPU profile says nothing about that time. 5 samples of 1 ms are 5 ms.
#
# Seen: the period is not looked at. A sample weighs the time to the samples beside it, half of each gap, whatever lies between. Of
# two samples in a, ten seconds of sleep, and three in b, both have 5 seconds:
#                     perf report   speedscope
#     a, 2 samples    2 ms          5.0005 s
#     b, 3 samples    3 ms          5.0015 s
# Samples with other periods (perf's frequency mode) are treated alike, and those of a second event are left out without a word.
#
# Why it matters: what a program does right before and after it waits looks like its hot spot, by orders of magnitude; perf report,
# FlameGraph and speedscope rank the functions of one perf.data differently. Folded stacks or pprof files made from the same
# samples are shown right: that is the way to bring perf's profiles there.
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
// A sample as `perf script` prints it.
const sample = (time, period, event, leaf) =>
    `prog 31895  ${time}:    ${period} ${event}: \n\t            1139 ${leaf}+0x10 (/bin/prog)\n\t            1189 main+0x18 (/bin/prog)\n\n`;
const near = (seen, value, what) => assert.ok(Math.abs(seen - value) < 1e-6, `changed: ${what} is ${seen}`);
(async () => {
    const [slept] = await read('perf.txt', sample('1.000000', 1000000, 'cpu-clock', 'a') + sample('1.001000', 1000000, 'cpu-clock', 'a') +
        ['11.000000', '11.001000', '11.002000'].map(time => sample(time, 1000000, 'cpu-clock', 'b')).join(''));
    assert.equal(slept.unit, 'seconds');
    near(slept.total, 10.002, 'the total of 5 samples of 1 ms');
    near(slept.frames.a.total, 5.0005, 'a, with 2 samples,');
    near(slept.frames.b.total, 5.0015, 'b, with 3 samples,');

    const [two] = await read('perf.txt', sample('1.000000', 1000000, 'cpu-clock', 'a') + sample('1.000500', 1, 'page-faults', 'c') +
        sample('1.001000', 9000000, 'cpu-clock', 'b') + sample('1.002000', 1000000, 'cpu-clock', 'a'));
    near(two.frames.a.total, 0.001, 'a, with periods of 2 ms together,');
    near(two.frames.b.total, 0.001, 'b, with a period of 9 ms,');
    assert.equal(two.frames.c, undefined, 'changed: the page fault is there');
    console.log('speedscope makes 10 s of 5 perf samples of 1 ms, as their program slept, and equals of periods of 2 and 9 ms.');
})();
JS
node try.cjs
