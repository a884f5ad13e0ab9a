#!/usr/bin/env bash
# DuckDB 1.5.6 (npm @duckdb/node-api 1.5.6-r.1): one integer above 2^63 - 1 makes a CSV file's whole column floating point.
#
# Expected: a column of integers gets a type that holds them. DuckDB has UBIGINT and HUGEINT for these: in SQL such a number is a
# HUGEINT, and DuckDB's reader of JSON chooses HUGEINT for the same column.
#
# Seen: the reader of CSV tries BIGINT and then DOUBLE, without a warning, and auto_type_candidates does not accept HUGEINT. So the other
# rows lose their last digits, too. Here are times in ns, and 2^64 - 1 for "no time":
#     1700000000000000001    ->   1700000000000000000
#     1700000000000000100    ->   1700000000000000000
#     18446744073709551615   ->   18446744073709552000
# From 2^63 on, DOUBLE holds one integer in 2048. Three functions of the kernel within 2 KiB become one address: count(DISTINCT), GROUP BY
# and joins take them for the same. DuckDB guesses the type from the first rows, some 20,000. If the first such number
# comes later, DuckDB refuses the file and says why.
#
# Why it matters: tracers write addresses of the kernel, hashes, ids of spans, and the largest number for "never". A short file loses
# them without a message, while a long one may be refused. Only a type for each such column (types = {...}) is safe.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" @duckdb/node-api@1.5.6-r.1 >/dev/null ||
    { echo "npm cannot install what this needs" >&2; exit 2; }
cat >try.mjs <<'JS'
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
let duckdb;
try {
    duckdb = await import('@duckdb/node-api');
} catch (error) {
    console.error('DuckDB has no library for this machine: ' + error.message);
    process.exit(2);
}
if (duckdb.version() !== 'v1.5.6') {
    console.error('this is about DuckDB v1.5.6, and here is ' + duckdb.version());
    process.exit(2);
}
const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
const rows = async sql => (await connection.runAndReadAll(sql)).getRowsJS();
const same = (seen, expected, of) => assert.deepEqual(seen, expected, 'changed: ' + of);

const times = ['1700000000000000001', '1700000000000000100'], none = '18446744073709551615';
writeFileSync('small.csv', ['t', ...times].join('\n') + '\n');
writeFileSync('large.csv', ['t', ...times, none].join('\n') + '\n');
writeFileSync('large.json', '[' + [...times, none].map(t => '{"t": ' + t + '}') + ']');
same(await rows(`SELECT t, typeof(t) FROM 'small.csv'`), times.map(t => [BigInt(t), 'BIGINT']), 'integers that fit are read otherwise');
same(await rows(`SELECT t, typeof(t) FROM 'large.csv'`), [...times, none].map(t => [Number(t), 'DOUBLE']), 'the column has another type');
same(await rows(`SELECT t::HUGEINT FROM 'large.csv' LIMIT 2`), [[1700000000000000000n], [1700000000000000000n]], 'the digits are there');
same(await rows(`SELECT t, typeof(t) FROM 'large.json'`), [...times, none].map(t => [BigInt(t), 'HUGEINT']), 'JSON is read otherwise');
same(await rows(`SELECT t FROM read_csv('large.csv', types = {'t': 'UBIGINT'})`), [...times, none].map(t => [BigInt(t)]), 'a type does not help');
await assert.rejects(rows(`SELECT t FROM read_csv('large.csv', auto_type_candidates = ['BIGINT', 'HUGEINT', 'VARCHAR'])`),
    /HUGEINT is not accepted/, 'changed: HUGEINT may be tried');

const functions = [0xffffffff81000500n, 0xffffffff81000800n, 0xffffffff81000b00n]; // one double is nearest to all three
writeFileSync('kernel.csv', ['address', ...functions].join('\n') + '\n');
const [[distinct]] = await rows(`SELECT count(DISTINCT address) FROM 'kernel.csv'`);
same(distinct, 1n, 'of three addresses there are ' + distinct);

writeFileSync('late.csv', ['t', ...Array(30000).fill(times[0]), none].join('\n') + '\n');
await assert.rejects(rows(`SELECT max(t) FROM 'late.csv'`), /Could not convert string "18446744073709551615" to 'BIGINT'/,
    'changed: a long file is read');
console.log('DuckDB reads two times 99 ns apart as equal since a third is 2^64 - 1, and three addresses of the kernel as one.');
JS
node try.mjs
