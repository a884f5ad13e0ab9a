#!/usr/bin/env bash
# speedscope 1.25.0, react-pprof 1.5.1 and pprof-to-md 0.2.0 (npm): of one pprof file with inlined calls they show three stacks, none
# of which is the file's.
#
# Expected: profile.proto says of a location's lines that the last one is the function into which the ones before were inlined. So a
# location with the lines [inlined, outer] between main and leaf is main > outer > inlined > leaf. A location without lines is an
# address that nobody could name: a frame all the same. All own times together are 100 %.
#
# Seen:
#     in the file                     speedscope            react-pprof             pprof-to-md
#     main > outer > inlined > leaf   main > outer > leaf   main > inlined > leaf   main > inlined > outer > leaf
#     main > (address) > leaf         main > leaf           main > leaf
# speedscope keeps a location's last line, react-pprof its first, and pprof-to-md all of them upside down; it also gives the samples
# that end there to each of the lines, and tells of "130.0%" of self-time. Frames without a name are left out of stacks, so that a call
# that never was (main > leaf) is shown, and their own time is that of the function that called them.
#
# Why it matters: inlining and libraries without symbols are the rule in native code. Which function is to blame depends on the viewer,
# and none of the three says that it left something out. Who writes pprof files for these viewers should give each address a
# function with a name, and may have to write inlined calls as locations of their own.
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
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps --prefix "$tmp" \
    react-pprof@1.5.1 pprof-to-md@0.2.0 pprof-format@2.3.2 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.mjs <<'JS'
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { Profile, ValueType, Sample, Location, Function as Fn, Line, StringTable } from 'pprof-format';
import { FlameDataProcessor } from './node_modules/react-pprof/dist/renderer/FlameDataProcessor.js';
import speedscope from './speedscope.cjs';

// A profile of the samples, in which location 2 is "inlined" within "outer", and location 4 an address that nobody could name.
const names = ['main', 'outer', 'inlined', 'leaf'];
function profile(samples) {
    const strings = new StringTable();
    const type = (what, unit) => new ValueType({ type: strings.dedup(what), unit: strings.dedup(unit) });
    const line = name => new Line({ functionId: names.indexOf(name) + 1, line: 10 });
    return new Profile({
        stringTable: strings,
        sampleType: [type('samples', 'count')],
        function: names.map((name, i) =>
            new Fn({ id: i + 1, name: strings.dedup(name), systemName: strings.dedup(name), filename: strings.dedup(name + '.c') })),
        location: [
            new Location({ id: 1, line: [line('main')] }),
            new Location({ id: 2, line: [line('inlined'), line('outer')] }), // the innermost first
            new Location({ id: 3, line: [line('leaf')] }),
            new Location({ id: 4, address: 0x401000 }),
        ],
        sample: samples.map(([locationId, value]) => new Sample({ locationId, value: [value] })),
        periodType: type('cpu', 'nanoseconds'),
        period: 1000000,
    }).encode();
}
function drawnByReact(written) {
    const drawn = new FlameDataProcessor();
    drawn.processProfile(Profile.decode(written));
    const stacks = {};
    const walk = (node, path) => {
        if (node.selfValue > 0) stacks[path.join(' > ')] = node.selfValue;
        node.children.forEach(child => walk(child, [...path, child.name]));
    };
    walk(drawn.getData(), []);
    return stacks;
}
async function drawnBySpeedscope(written) {
    const [{ total, stacks }] = await speedscope.read('example.pb.gz', gzipSync(written));
    return { total, ...stacks };
}
function told(written, format) {
    fs.writeFileSync('example.pb.gz', gzipSync(written));
    return execFileSync('node', ['node_modules/pprof-to-md/dist/cli.js', '--type', 'cpu', '--format', format, '--no-source', 'example.pb.gz'],
        { encoding: 'utf8' });
}
const is = (what, seen, expected) => assert.deepEqual(seen, expected, `changed: ${what}: ${JSON.stringify(seen)}`);

const inlined = profile([[[3, 2, 1], 60], [[2, 1], 30], [[1], 10]]);
is('speedscope', await drawnBySpeedscope(inlined), { total: 100, 'main > outer > leaf': 60, 'main > outer': 30, main: 10 });
is('react-pprof', drawnByReact(inlined), { 'main > inlined > leaf': 60, 'main > inlined': 30, main: 10 });
const tree = told(inlined, 'detailed').split('(root)')[1].split('```')[0];
is('pprof-to-md', tree.match(/(main|outer|inlined|leaf)(?= @)/g).join(' > '), 'main > inlined > outer > leaf');
const table = told(inlined, 'summary');
for (const name of ['inlined', 'outer'])
    assert.match(table, new RegExp('`' + name + '` \\| 30\\.0% \\| 90\\.0%'), 'changed: own time of ' + name);
assert.match(table, /130\.0%/, 'changed: own times no longer add up to 130 %');

const unnamed = profile([[[3, 4, 1], 60], [[4, 1], 30], [[4], 10]]);
is('speedscope', await drawnBySpeedscope(unnamed), { total: 100, 'main > leaf': 60, main: 30 });
is('react-pprof', drawnByReact(unnamed), { 'main > leaf': 60, main: 30, '': 10 });
console.log('For main > outer > inlined > leaf speedscope has main > outer > leaf, react-pprof main > inlined > leaf,');
console.log('and pprof-to-md main > inlined > outer > leaf. The first two leave out frames without a name.');
JS
node try.mjs
