#!/usr/bin/env bash
# .cpuprofile (V8, Chrome) as read by the model of Chrome's DevTools (npm @paulirish/trace_engine 0.0.65) and by cpuprofile-filter
# 1.1.0 (npm): the time of a function is not the sum of its samples' time deltas.
#
# Expected: the format has `timeDeltas` so that samples may stand at any distance: samplers are late when the machine is busy, and who
# converts another profile into this format has weights to write. A function whose one sample lasts 9 ms took nine times as long as
# one whose sample lasts 1 ms.
#
# Seen: the tree of the model shares the profile's length out by `hitCount`, as if all samples lasted equally long. The same model
# hands out the frames in time (what the flame chart is drawn from) by the deltas, so it contradicts itself. cpuprofile-filter
# counts samples times the mean interval, too:
#     samples a, b with 1 ms and 9 ms              a      b
#     trace_engine, tree (own time)                5 ms   5 ms
#     trace_engine, frames in time                 1 ms   9 ms
#     cpuprofile-filter                            5 ms   5 ms
#
# Why it matters: who writes .cpuprofile from another profile (weights in timeDeltas, one sample a stack) gets a right flame chart
# and wrong numbers where the tree is shown. Such files need a hitCount in proportion to the time, so that both agree. A reader that sums the
# deltas up and one that takes the tree rank the functions of one profile differently.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @paulirish/trace_engine@0.0.65 cpuprofile-filter@1.1.0 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.mjs <<'JS'
import assert from 'node:assert/strict';
import * as CPUProfile from '@paulirish/trace_engine/models/cpu_profile/cpu_profile.js';
import filter from 'cpuprofile-filter';
const node = (id, functionName, url, hitCount, children) =>
    ({ id, hitCount, children, callFrame: { functionName, scriptId: String(id), url, lineNumber: 0, columnNumber: 0 } });
const profile = () => ({
    nodes: [node(1, '(root)', '', 0, [2, 3, 4, 5]), node(2, 'a', 'a.js', 1, []), node(3, 'b', 'b.js', 1, []),
        node(4, '(program)', '', 0, []), node(5, '(idle)', '', 0, [])],
    startTime: 1000,
    endTime: 11000,
    samples: [2, 3, 3], // a from 1000 to 2000 us, b from there to 11000; the last sample only ends it
    timeDeltas: [0, 1000, 9000],
});
profile.check = (() => { const p = profile(); assert.equal(p.timeDeltas.reduce((x, y) => x + y), p.endTime - p.startTime); })();

const model = new CPUProfile.CPUProfileDataModel.CPUProfileDataModel(profile());
const own = {};
model.root.children.forEach(n => { own[n.functionName] = n.self; });
assert.equal(own.a, 5, 'changed: the tree gives a ' + own.a + ' ms');
assert.equal(own.b, 5, 'changed: the tree gives b ' + own.b + ' ms');
const times = {};
model.forEachFrame(() => {}, (depth, n, start, total, self) => { times[n.functionName] ??= self; });
assert.equal(times.a, 1, 'changed: the frames in time give a ' + times.a + ' ms');
assert.ok(times.b >= 9, 'changed: the frames in time give b ' + times.b + ' ms');

const two = profile();
two.samples.pop(); // this one has no use for a last sample that ends the profile
two.timeDeltas = [1000, 9000];
for (const file of ['a.js', 'b.js']) {
    const { cpuTimeFiltered } = filter.filter(two, { files: [file] });
    assert.equal(cpuTimeFiltered, 5000, 'changed: cpuprofile-filter gives ' + file + ' ' + cpuTimeFiltered + ' us');
}
console.log('DevTools\' tree and cpuprofile-filter give 5 ms and 5 ms to samples of 1 ms and 9 ms; DevTools\' flame chart 1 and 9.');
JS
node try.mjs
