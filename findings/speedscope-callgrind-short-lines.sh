#!/usr/bin/env bash
# speedscope 1.25.0 (npm), Callgrind's format: a cost line that leaves out a number makes a whole event NaN.
#
# Expected: Callgrind's format lets a line have less costs than there are events, the rest is 0, as callgrind_annotate reads it: with
# "events: Ir Dr", the line "2 50" is 50 of Ir and 0 of Dr. Writers use that to keep files small.
#
# Seen: what is left out is not a number to speedscope, nor is anything that it is added to: own and total values of each function, also
# of those that have all their numbers, and the total of the profile. The flame graph of that event is empty. Ir is right:
#     1 100 7                Ir: main 150, work 30
#     2 50                   Dr: main NaN, work NaN (7 and 3 with "2 50 0")
#     5 30 3 (in work)
#
# Why it matters: one line among millions, and the second event (cache misses, reads, bytes) is gone without a message. Who writes the
# format has to write all zeroes for this reader.
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
const file = costs => `events: Ir Dr\n\nfl=a.c\nfn=main\n1 100 7\n2 ${costs}\n\nfn=work\n5 30 3\n`;
(async () => {
    const [instructions, reads] = await read('callgrind.out', file('50 0'));
    assert.deepEqual([instructions.total, reads.total], [180, 10]);
    assert.deepEqual([reads.frames.main.own, reads.frames.work.own], [7, 3]);
    const [same, lost] = await read('callgrind.out', file('50'));
    assert.equal(same.total, 180);
    assert.ok(Number.isNaN(lost.total), 'changed: the total is ' + lost.total);
    for (const name of ['main', 'work'])
        assert.ok(Number.isNaN(lost.frames[name].own), `changed: ${name} has ${lost.frames[name].own}`);
    console.log('speedscope: one cost line without its last number makes all values of that event NaN.');
})();
JS
node try.cjs
