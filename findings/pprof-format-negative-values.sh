#!/usr/bin/env bash
# pprof-format 2.3.2 (npm), with which Datadog's and Platformatic's tools read and write pprof files.
#
# Expected: a Sample's `value` is a list of int64 in profile.proto, so a negative value that is written is read as negative.
# Negative values are usual: a comparison of two profiles has them where there was less. And a value has one type whatever its size.
#
# Seen: what is written is right (ten bytes, as protobuf wants it), but it is read as an unsigned number, and the type of a number
# depends on how large it is:
#     written   -2   read   18446744073709551614n  (a BigInt)
#     written    5   read   5                      (a Number)
#     written   2^53+1 read 9007199254740993n      (a BigInt)
# Numbers of labels are unsigned as well. Adding values up then throws (Number and BigInt do not mix) or, after Number(), gives
# 18446744073709552000 where there should be a small decrease.
#
# Why it matters: a difference of two profiles that goes through this library has a few frames of 1.8e19 and everything else at
# 0 %. Such readers need BigInt.asIntN(64, value) behind it; who gives them files should not give them negative values.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" pprof-format@2.3.2 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.cjs <<'JS'
const assert = require('assert/strict');
const { Profile, Sample, Label, StringTable, ValueType } = require('pprof-format');
const strings = new StringTable();
const written = new Profile({
    stringTable: strings,
    sampleType: [new ValueType({ type: strings.dedup('time'), unit: strings.dedup('nanoseconds') })],
    sample: [
        new Sample({ locationId: [], value: [5] }),
        new Sample({ locationId: [], value: [-2], label: [new Label({ key: strings.dedup('change'), num: -1 })] }),
        new Sample({ locationId: [], value: [9007199254740993n] }),
    ],
}).encode();
// -2 is in the file as protobuf says: a varint of ten bytes.
assert.ok(Buffer.from(written).includes(Buffer.from('feffffffffffffffff01', 'hex')), 'changed: -2 is written in another way');
const [small, negative, large] = Profile.decode(written).sample;
assert.equal(small.value[0], 5);
assert.equal(large.value[0], 9007199254740993n);
assert.equal(negative.value[0], 18446744073709551614n, 'changed: a negative value is read as ' + negative.value[0]);
assert.equal(negative.label[0].num, 18446744073709551615n, 'changed: a negative label is read as ' + negative.label[0].num);
assert.equal(BigInt.asIntN(64, negative.value[0]), -2n);
assert.throws(() => [small, negative, large].reduce((sum, s) => sum + s.value[0], 0), TypeError, 'changed: the values can be added up');
console.log('pprof-format reads -2 as 18446744073709551614n, 5 as a Number, and their sum throws.');
JS
node try.cjs
