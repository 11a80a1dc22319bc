// Which data sheet a measured GPU is compared with before the user says which: without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';

const { likelyDataSheet } = await bundled('measure/data_sheet.ts');

const listed = [
  { id: 'l4', architecture: 'sm_89', bandwidth: 300e9 },
  { id: 'l40s', architecture: 'sm_89', bandwidth: 864e9 },
  { id: 'rtx-4090', architecture: 'sm_89', bandwidth: 1008e9 },
  { id: 'rtx-3090', architecture: 'sm_86', bandwidth: 936e9 },
  { id: 'a100-40gb-sxm', architecture: 'sm_80', bandwidth: 1555e9 },
  { id: 'apple-m1', architecture: '', bandwidth: 68e9 },
];
const measured = (gpu, bandwidth) => ({
  name: `${gpu} by WebGPU, measured`,
  memories: [{ name: 'DRAM', bandwidth: { value: bandwidth, basis: 'measured' } }],
});

test('the slowest memory of the architecture that is fast enough', () => {
  for (const [gpu, bandwidth, id] of [
    ['nvidia lovelace', 930e9, 'rtx-4090'],
    ['nvidia lovelace', 700e9, 'l40s'],
    ['nvidia lovelace', 305e9, 'l4'], // within 2% of its data sheet
    ['nvidia ampere', 860e9, 'rtx-3090'],
    ['NVIDIA Ampere', 1300e9, 'a100-40gb-sxm'],
  ])
    assert.equal(likelyDataSheet(measured(gpu, bandwidth), listed)?.id, id, `${gpu} ${bandwidth}`);
});

test('none where the name has no architecture, where none is as fast, or where no memory was measured', () => {
  for (const machine of [
    measured('google swiftshader', 10e9),
    measured('apple metal-3', 60e9),
    measured('nvidia lovelace', 1200e9),
    { name: 'nvidia ampere by WebGPU, measured', memories: [] },
  ])
    assert.equal(likelyDataSheet(machine, listed), null);
});
