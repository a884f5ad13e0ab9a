#!/usr/bin/env bash
# ts-graphviz 3.0.7 (npm): writes numbers and texts that DOT cannot hold, so that Graphviz refuses the file.
#
# Expected: a library that makes DOT from objects quotes what needs quotes. A number of JavaScript becomes a number of DOT or a text
# in quotes, and a text may end with a backslash.
#
# Seen: numbers stand without quotes as JavaScript writes them, with an exponent below 1e-6 and from 1e21 on, which DOT's numbers
# do not have. And of a text only the quotes are escaped, so that a backslash at its end takes the closing quote away:
#     { share: 0.0000001 }     share = 1e-7;          syntax error in line 5 near '-7'
#     { label: 'C:\\bin\\' }   label = "C:\bin\";     syntax error
# 0.000001 is written as a number that Graphviz reads.
#
# Why it matters: shares and probabilities of a large graph go below 1e-6 only now and then, and paths of Windows end with a
# backslash only now and then: the export works until one day the whole graph is gone. Such values have to be made texts with a fixed
# number of digits, and backslashes doubled, before they reach the library (doubled ones are one in Graphviz's labels).
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" ts-graphviz@3.0.7 @hpcc-js/wasm-graphviz@1.29.2 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.mjs <<'JS'
import assert from 'node:assert/strict';
import { Digraph, toDot } from 'ts-graphviz';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
const graphviz = await Graphviz.load();
const edge = attributes => {
    const graph = new Digraph('g');
    graph.edge([graph.node('a'), graph.node('b')], attributes);
    return toDot(graph);
};
const reads = dot => { try { return graphviz.layout(dot, 'canon', 'dot'); } catch { return null; } };
for (const fine of [{ share: 0.000001 }, { share: 0.25 }, { label: 'C:\\bin' }, { label: 'a "b"' }, { label: 'C:\\\\bin\\\\' }])
    assert.ok(reads(edge(fine)), 'changed: Graphviz no longer reads ' + JSON.stringify(fine));
for (const [attributes, text] of [[{ share: 0.0000001 }, 'share = 1e-7;'], [{ share: 1e21 }, 'share = 1e+21;'],
    [{ label: 'C:\\bin\\' }, 'label = "C:\\bin\\";']]) {
    const dot = edge(attributes);
    assert.ok(dot.includes(text), `changed: ${JSON.stringify(attributes)} is written as ${dot}`);
    assert.equal(reads(dot), null, 'changed: Graphviz reads ' + text);
}
console.log('ts-graphviz writes share = 1e-7; and label = "C:\\bin\\"; neither of which Graphviz reads.');
JS
node try.mjs
