// Profiles of Ascend NPUs: a real one where ../shared has it, against its own counters and times, and the fixture of tests/data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository, roofline } from '../command.mjs';
import { samples, skip } from '../../samples.mjs';

const sample = join(samples, 'ascend/mstt-kernel_details-a.csv');

function document(input) {
  const { status, out, err } = roofline(['analyze', '-', '--machine', 'a100-80gb-sxm', '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}

/// Rows of a CSV whose only quoted cells are lists.
const cells = line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replaceAll('"', ''));

await test('Ascend: a real kernel_details', { skip }, () => {
  const text = readFileSync(sample, 'utf8');
  const [header, ...lines] = text.trim().split(/\r?\n/).map(cells);
  const rows = lines.map(line => Object.fromEntries(header.map((name, i) => [name, line[i]])));
  const { ops, summary } = document(text);
  assert.equal(ops.length, 591);
  assert.equal(rows.length, 591);
  const sum = rows.reduce((total, row) => total + Number(row['Duration(us)']), 0) * 1e-6;
  assert.ok(Math.abs(summary.time_s / sum - 1) < 1e-9);

  const matmul = ops.find(({ name }) => name === 'MatMul91');
  assert.equal(matmul.flops, 2 * 4096 * 4608 * 12288);
  assert.equal(matmul.bytes, 2 * (4096 * 12288 + 4608 * 12288 + 4096 * 4608));
  assert.ok(Math.abs(matmul.time_s / 1478.18e-6 - 1) < 1e-9);

  // The cube units counted their operations: as many as follow from the shapes, and what fills their tiles.
  let products = 0;
  for (const [i, row] of rows.entries()) {
    if (!row.Type.endsWith('MatMul')) continue;
    ++products;
    const counted = Number(row.aic_cube_fops) / ops[i].flops;
    assert.ok(counted > 1 && counted < 1.1, `${row.Name}: ${counted}`);
  }
  assert.equal(products, 13);
  const additions = rows.flatMap((row, i) =>
    row.Type === 'Add' && row['Input Shapes'] === '4,1024,12288;4,1024,12288' ? [i] : [],
  );
  assert.ok(additions.length > 0);
  for (const i of additions)
    assert.deepEqual([ops[i].flops, ops[i].bytes], [4 * 1024 * 12288, 3 * 2 * 4 * 1024 * 12288]);
});

await test('Ascend: op_summary, with tiled shapes', () => {
  const { ops, diagnostics } = document(readFileSync(join(repository, 'tests/data/op_summary.csv')));
  assert.deepEqual(
    ops.map(({ name, flops }) => [name, flops]),
    [
      ['MatMul_1', 2 * 136 * 768 * 5120],
      ['Conv_2', 2 * 64 * 64 * 9 * 56 * 56],
      ['Gelu_3', 8 * 136 * 768],
      ['Custom_4', null],
      ['hcom_allReduce__1_0', null],
    ],
  );
  assert.match(diagnostics.map(({ message }) => message).join('\n'), /1 row of waiting \(1 ms\) left out/);
});
