#!/usr/bin/env bash
# speedscope 1.25.0 (npm), folded stacks: lines whose value is not made of digits alone are left out.
#
# Expected: folded stacks are frames, a blank and a value. flamegraph.pl takes fractions, and scripts that
# average runs or turn ns into ms write them. A reader that wants whole numbers rounds or refuses the file.
#
# Seen: a line with 2.5 or 1e3 is skipped, the others are shown, without a message. Only if no line is left the format is said to
# be unknown. The total is too small, so the shares of the others are too large:
#     main;a 3   main;b 2.5   main;c 1e3   main;d 7     ->     main 10, a 3, d 7
# And a separator behind the last frame ("main;a; 3", as heaptrack writes it) makes a frame without a name, which has all of a's own
# value.
#
# Why it matters: of averages mostly the stacks whose value happens to be whole are left: a random choice that looks like a profile.
# Values have to be scaled to whole numbers before they are written for this reader.
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
(async () => {
    const [whole] = await read('stacks.txt', 'main;a 3\nmain;b 250\nmain;c 1000\n');
    assert.equal(whole.total, 1253);
    const [some] = await read('stacks.txt', 'main;a 3\nmain;b 2.5\nmain;c 1e3\nmain;d 7\n');
    assert.equal(some.total, 10, 'changed: the total is ' + some.total);
    assert.deepEqual(Object.keys(some.frames).sort(), ['a', 'd', 'main'], 'changed: ' + JSON.stringify(some.frames));
    assert.equal(await read('stacks.txt', 'main;a 0.5\nmain;b 1.5\n'), null, 'changed: a file of fractions only is read');
    const [ended] = await read('stacks.txt', 'main;a; 3\nmain; 4\n');
    assert.deepEqual(ended.frames[''], { own: 7, total: 7 }, 'changed: ' + JSON.stringify(ended.frames));
    assert.equal(ended.frames.a.own, 0, 'changed: ' + JSON.stringify(ended.frames));
    console.log('speedscope drops "main;b 2.5" and "main;c 1e3" and keeps the rest; "main;a; 3" ends in a frame without a name.');
})();
JS
node try.cjs
